import { crud } from '#access/crud.contract.ts'
import { call, f, id, idParam, problem, ref, resource, safeText } from '#kit/contract/index.ts'
import { inputSchema, rowSchema } from '#kit/contract/resource.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import { z } from 'zod'
import { checkListed, type ListedFacts } from './publication.rules.ts'
import {
  FILE_READERS,
  FILE_STAGES,
  LICENCES,
  MEMBER_ROLES,
  PUBLICATION_KINDS,
  PUBLICATION_LANGUAGES,
  PUBLICATION_ORIGINS,
} from './words.contract.ts'

/** A work is written down first, and then listed: others see it on pages and in counts. */
export const publicationFlow = workflow<ListedFacts>()({
  name: 'publication',
  one: ['Publication', 'منشور علمي'],
  field: 'status',
  states: [
    { value: 'draft', label: ['In work', 'قيد الإعداد'], tone: 'draft' },
    { value: 'listed', label: ['Listed', 'مُدرج'], tone: 'done' },
  ],
  actions: {
    list: {
      label: ['List', 'إدراج'],
      summary: ['List a publication, so that it is shown and counted', 'إدراج منشور ليُعرض ويُحتسب'],
      call: ['PUT', '/publications/list/{id}'],
      permission: 'edit_publication',
      from: { draft: 'listed' },
      byOwner: true,
      needs: checkListed,
      takenBackBy: 'unlist',
    },
    unlist: {
      label: ['Take off the list', 'إلغاء الإدراج'],
      summary: ['Take a publication off the list', 'إلغاء إدراج منشور'],
      call: ['PUT', '/publications/unlist/{id}'],
      permission: 'edit_publication',
      from: { listed: 'draft' },
      byOwner: true,
      tone: 'refused',
    },
  },
  bulk: '/publications/bulk/{action}',
  history: { path: '/publications/steps/{id}', permission: 'show_publication' },
})
export const publicationSteps = workflowCalls(publicationFlow)

/** What a member of the university published: alone or with others, found by itself or typed in. */
export const publication = resource({
  name: 'publication',
  path: '/publications',
  at: { list: '/publications/list', add: 'POST' },
  table: 'publications',
  one: ['Publication', 'منشور علمي'],
  many: ['Publications', 'المنشورات العلمية'],
  adding: ['Add a publication', 'إضافة منشور علمي'],
  editing: ['Edit publication', 'تعديل منشور علمي'],
  permissions: { ...crud('publication'), import: null },
  scope: ['faculty', 'department', 'own'],
  fields: {
    kind: f.choice(['Kind of source', 'نوع المصدر'], PUBLICATION_KINDS, { required: true }),
    language: f.choice(['Language', 'اللغة'], PUBLICATION_LANGUAGES, { required: true }),
    title: f.text(['Title', 'العنوان'], { max: 1000 }),
    title_local: f.text(['Title in Arabic', 'العنوان بالعربية'], { max: 1000 }),
    year: f.integer(['Year', 'السنة'], { min: 1000, max: 2200, year: true }),
    month: f.integer(['Month', 'الشهر'], { min: 1, max: 12, detailOnly: true }),
    day: f.integer(['Day', 'اليوم'], { min: 1, max: 31, detailOnly: true }),
    venue: f.text(['Journal, conference or book', 'الدورية أو المؤتمر أو الكتاب'], { max: 500 }),
    volume: f.text(['Volume', 'المجلد'], { max: 60, detailOnly: true }),
    issue: f.text(['Issue', 'العدد'], { max: 60, detailOnly: true }),
    pages: f.text(['Pages', 'الصفحات'], { max: 120, detailOnly: true }),
    edition: f.text(['Edition', 'الطبعة'], { max: 60, detailOnly: true }),
    publisher: f.text(['Publisher', 'الناشر'], { max: 300, detailOnly: true }),
    place: f.text(['Place', 'المكان'], { max: 300, detailOnly: true }),
    doi: f.text(['DOI', 'DOI'], { max: 300, help: ['Like 10.1000/182.', 'مثل 10.1000/182.'] }),
    issn: f.text(['ISSN', 'ISSN'], { max: 9, detailOnly: true }),
    isbn: f.text(['ISBN', 'ISBN'], { max: 17, detailOnly: true }),
    url: f.text(['Address on the web', 'الرابط'], { max: 2000, detailOnly: true }),
    abstract: f.longText(['Abstract', 'الملخص'], { max: 20_000, detailOnly: true, noExport: true, paired: true }),
    abstract_local: f.longText(['Abstract in Arabic', 'الملخص بالعربية'], {
      max: 20_000,
      detailOnly: true,
      noExport: true,
      paired: true,
    }),
    faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty', { readOnly: true }),
    department_id: f.lookup(['Department', 'القسم'], 'department', { readOnly: true, dependsOn: 'faculty_id' }),
    quartile: f.integer(['Quartile', 'الربع'], { readOnly: true }),
    origin: f.choice(['Came from', 'مصدر البيانات'], PUBLICATION_ORIGINS, { readOnly: true }),
    status: f.choice(['State', 'الحالة'], publicationFlow.states, { readOnly: true }),
  },
  list: {
    columns: ['title', 'kind', 'year', 'venue', 'quartile', 'department_id', 'status'],
    search: ['title', 'title_local'],
    sort: ['title', 'kind', 'year', 'venue', 'status'],
    filters: ['kind', 'language', 'year', 'status', 'origin', 'faculty_id', 'department_id'],
    order: ['year', 'desc'],
  },
  exportName: 'Publications',
  softDelete: true,
  examples: [
    { kind: 'journal_article', language: 'en', title: 'On the keeping of lighthouses', year: 2024 },
    { kind: 'book', language: 'ar', title_local: 'حراسة المنارات', year: 2023 },
  ],
  screens: {
    list: '/my_researches/publications/list/:id?',
    show: '/my_researches/publications/show/:id',
    add: '/my_researches/publications/add',
    edit: '/my_researches/publications/edit/:id',
  },
  sections: [
    {
      title: ['Work', 'العمل'],
      text: ['At least one of both titles.', 'يكفي أحد العنوانين.'],
      fields: ['kind', 'language', 'title', 'title_local'],
    },
    {
      title: ['Where and when', 'جهة النشر وتاريخه'],
      fields: ['venue', 'year', 'month', 'day', 'volume', 'issue', 'pages', 'edition', 'publisher', 'place'],
    },
    { title: ['Known by', 'المعرفات'], fields: ['doi', 'issn', 'isbn', 'url'] },
    { title: ['Abstract', 'الملخص'], fields: ['abstract', 'abstract_local'] },
  ],
  menu: { group: 'research', order: 10, icon: 'books', subject: 'publications' },
})

const version = z.int().optional()
const values = (choices: readonly { readonly value: string }[]) =>
  z.enum(choices.map((one) => one.value) as [string, ...string[]])

/** A member: of the university by the account, anybody else by name. */
const memberInput = z.strictObject({
  user_id: id.nullable().optional(),
  /** As it stands on the work; of who belongs to the university the own name unless told. */
  name: safeText(300, 1).optional(),
  role: values(MEMBER_ROLES).optional(),
  orcid: z.string().trim().max(60).nullable().optional(),
  affiliation: safeText(300).nullable().optional(),
  is_corresponding: z.boolean().optional(),
})
const memberRow = z.object({
  id,
  position: z.int(),
  version: z.int(),
  name: z.string(),
  user: ref.nullable(),
  role: z.string(),
  orcid: z.string().nullable(),
  affiliation: z.string().nullable(),
  is_corresponding: z.boolean(),
  department: ref.nullable(),
})
export type MemberInput = z.output<typeof memberInput>
export type MemberRow = z.output<typeof memberRow>
const members = z.object({ data: z.array(memberRow) })
const answered = z.object({ data: rowSchema(publication, 'detail') })

/** Of a work beside its fields: what its page shows. */
const detail = z.object({
  members: z.array(memberRow),
  file: z
    .object({
      name: z.string(),
      size: z.int(),
      url: z.string(),
      stage: z.string(),
      licence: z.string(),
      readers: z.string(),
    })
    .nullable(),
  /** There is one that the reader may not open. */
  file_kept: z.boolean(),
  sources: z.array(z.object({ source: z.string(), external_id: z.string(), fetched_at: z.string() })),
  /** Open pairs that may be this one. */
  doubles: z.array(z.object({ id, with: ref, why: z.string(), score: z.int() })),
  /** The reader may change it. */
  writes: z.boolean(),
  /** As which member the reader stands on it. */
  mine: id.nullable(),
  reasons: z.array(problem),
})
export type PublicationParts = z.output<typeof detail>

export const publicationCalls = {
  change: call('POST', '/publications/{id}', {
    permission: 'edit_publication',
    summary: ['Change a publication', 'تعديل منشور علمي'],
    body: inputSchema(publication, 'update'),
    response: answered,
    example: { pages: '1–20' },
  }),
  parts: call('GET', '/publications/parts/{id}', {
    permission: 'show_publication',
    summary: ['Members, file and sources of a publication', 'أعضاء منشور وملفه ومصادره'],
    response: z.object({ data: detail }),
  }),
  addMembers: call('PUT', '/publications/members', {
    permission: 'edit_publication',
    summary: ['Add members to a publication', 'إضافة أعضاء إلى منشور'],
    maxBody: 1_048_576,
    body: z.strictObject({ publication_id: id, members: z.array(memberInput).min(1).max(1000) }),
    response: members,
    example: { publication_id: 1, members: [{ name: 'Nadia Fahmy' }] },
  }),
  changeMember: call('PUT', '/publications/members/{id}', {
    permission: 'edit_publication',
    summary: ['Change a member of a publication', 'تعديل عضو في منشور'],
    body: memberInput.extend({ version }),
    response: members,
    example: { affiliation: 'Canopus University' },
  }),
  moveMember: call('PUT', '/publications/members-reorder/{id}/{position}', {
    permission: 'edit_publication',
    summary: ['Move a member of a publication to another place', 'تغيير ترتيب عضو في منشور'],
    params: z.object({ id: idParam, position: idParam }),
    response: members,
  }),
  removeMember: call('DELETE', '/publications/member/{id}', {
    permission: 'edit_publication',
    summary: ['Take a member off a publication', 'حذف عضو من منشور'],
    response: members,
  }),
  /** Says that a name on it is the own. */
  claim: call('PUT', '/publications/claim/{id}', {
    permission: 'add_publication',
    summary: ['Say that a member of a publication is oneself, or is not', 'تأكيد أن عضوًا في منشور هو أنت أو نفيه'],
    body: z.strictObject({ mine: z.boolean() }),
    response: members,
    example: { mine: true },
  }),
  putFile: call('POST', '/publications/put-file/{id}', {
    permission: 'edit_publication',
    summary: ['Put the file of a publication', 'رفع ملف منشور'],
    upload: { field: 'file', accept: ['pdf'], called: 'PDF', maxMB: 30, optional: true },
    body: z.strictObject({
      stage: values(FILE_STAGES).optional(),
      licence: values(LICENCES).optional(),
      readers: values(FILE_READERS).optional(),
      /** Takes the file away. */
      remove: z.enum(['true']).optional(),
    }),
    response: z.object({ data: z.object({ id }) }),
    example: { remove: 'true' },
  }),
}
