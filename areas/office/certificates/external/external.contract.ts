import { z } from 'zod'
import { call, f, id, idParam, ref, resource, safeText } from '#kit/contract/index.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import { checkIssuerAsked, FOUND, type ElsewhereFacts } from './external.rules.ts'

export const ELSEWHERE_KINDS = [
  { value: 'school', label: ['School certificate', 'شهادة مدرسية'] },
  { value: 'degree', label: ['Degree', 'شهادة جامعية'] },
  { value: 'transcript', label: ['Transcript', 'بيان درجات'] },
  { value: 'identity', label: ['Identity paper', 'وثيقة هوية'] },
  { value: 'other', label: ['Other', 'أخرى'] },
] as const
export const EXTERNAL_RESULTS = [
  { value: 'genuine', label: ['Genuine', 'صحيحة'] },
  { value: 'not_genuine', label: ['Not genuine', 'غير صحيحة'] },
  { value: 'unknown', label: ['Not known', 'غير معروفة'] },
] as const
export const CHECK_WAYS = [
  { value: 'file', label: ['The file itself', 'الملف نفسه'] },
  { value: 'link', label: ['Answer by link', 'رد بالرابط'] },
  { value: 'letter', label: ['Answer by letter', 'رد بخطاب'] },
] as const
export const FOUND_WORDS = [
  { value: 'own', label: ['Paper of this university', 'وثيقة لهذه الجامعة'] },
  { value: 'own_revoked', label: ['Paper of this university, not valid', 'وثيقة لهذه الجامعة غير سارية'] },
  { value: 'credential', label: ['Credential that holds', 'اعتماد رقمي سليم'] },
  { value: 'credential_refused', label: ['Credential that does not hold', 'اعتماد رقمي غير سليم'] },
  { value: 'signature_broken', label: ['Changed after it was signed', 'تغيّر بعد توقيعه'] },
  { value: 'signature_intact', label: ['Unchanged since it was signed', 'لم يتغير منذ توقيعه'] },
] as const
const USE = 'edit_externalPaper'

/** Registered with its file; known by itself, or the issuer is asked; a further file begins anew. */
export const elsewhereFlow = workflow<ElsewhereFacts>()({
  name: 'externalPaper',
  one: ['Paper from elsewhere', 'وثيقة من جهة أخرى'],
  field: 'status',
  states: [
    { value: 'New', label: ['New', 'جديد'], tone: 'active' },
    { value: 'issuer asked', label: ['Issuer is asked', 'سُئلت جهة الإصدار'], tone: 'waiting', sometimes: true },
    { value: 'confirmed', label: ['Confirmed', 'معتمدة'], tone: 'done' },
    { value: 'not genuine', label: ['Not genuine', 'غير صحيحة'], tone: 'refused' },
    { value: 'no answer', label: ['Not clarified', 'لم تتضح صحتها'], tone: 'frozen' },
  ],
  actions: {
    ask: {
      label: ['Ask the issuer', 'سؤال جهة الإصدار'],
      call: ['POST', '/certificates/external/ask/{id}'],
      permission: USE,
      from: { New: 'issuer asked', 'no answer': 'issuer asked' },
      needs: checkIssuerAsked,
      consequence: [
        'The office of the issuer gets a mail with a link by which it answers. The link shows the paper, and ends with the answer.',
        'يصل مكتب جهة الإصدار بريد برابط للرد. يعرض الرابط الوثيقة وينتهي بالرد.',
      ],
    },
    confirm: {
      label: ['Genuine', 'صحيحة'],
      summary: ['Note that a paper from elsewhere is genuine', 'تسجيل صحة وثيقة من جهة أخرى'],
      call: ['POST', '/certificates/external/confirm/{id}'],
      permission: USE,
      from: { New: 'confirmed', 'issuer asked': 'confirmed', 'no answer': 'confirmed' },
      reason: 'required',
    },
    deny: {
      label: ['Not genuine', 'غير صحيحة'],
      summary: ['Note that a paper from elsewhere is not genuine', 'تسجيل عدم صحة وثيقة من جهة أخرى'],
      call: ['POST', '/certificates/external/deny/{id}'],
      permission: USE,
      from: { New: 'not genuine', 'issuer asked': 'not genuine', 'no answer': 'not genuine' },
      reason: 'required',
      tone: 'refused',
    },
    give_up: {
      label: ['Not clarified', 'لم تتضح صحتها'],
      summary: ['Note that nobody clarifies whether a paper is genuine', 'تسجيل تعذر التحقق من صحة وثيقة'],
      call: ['POST', '/certificates/external/give_up/{id}'],
      permission: USE,
      from: { New: 'no answer', 'issuer asked': 'no answer' },
      reason: 'required',
      tone: 'refused',
    },
    renew: {
      label: ['Check again', 'إعادة التحقق'],
      call: ['POST', '/certificates/external/renew/{id}'],
      permission: USE,
      from: { 'issuer asked': 'New', confirmed: 'New', 'not genuine': 'New', 'no answer': 'New' },
      reason: 'required',
      tone: 'refused',
      single: true,
    },
  },
  bulk: '/certificates/external/bulk/{action}',
  history: { path: '/certificates/external/steps/{id}', permission: 'access_externalPaper' },
})
export const elsewhereSteps = workflowCalls(elsewhereFlow)

/** Papers of others: brought by students, applicants and people from elsewhere. */
export const externalPaper = resource({
  name: 'externalPaper',
  path: '/certificates/external',
  table: 'external_papers',
  one: ['Paper from elsewhere', 'وثيقة من جهة أخرى'],
  many: ['Papers from elsewhere', 'وثائق من جهات أخرى'],
  adding: ['Register a paper', 'تسجيل وثيقة'],
  editing: ['Paper from elsewhere', 'وثيقة من جهة أخرى'],
  permissions: {
    list: 'access_externalPaper',
    show: 'access_externalPaper',
    add: null,
    edit: null,
    remove: null,
    restore: null,
    export: 'access_externalPaper',
    import: null,
  },
  scope: ['faculty', 'department', 'bylaw', 'program'],
  fields: {
    student_id: f.lookup(['Student', 'الطالب'], 'student', { readOnly: true }),
    applicant_id: f.lookup(['Applicant', 'المتقدم'], 'applicant', { readOnly: true }),
    person: f.text(['Person', 'صاحب الوثيقة'], { readOnly: true, person: true }),
    person_local: f.text(['Person in Arabic', 'صاحب الوثيقة بالعربية'], { readOnly: true, person: true }),
    kind: f.choice(['Kind', 'النوع'], ELSEWHERE_KINDS, { readOnly: true }),
    issuer_id: f.lookup(['Issuer', 'جهة الإصدار'], 'paperIssuer', { readOnly: true }),
    number: f.text(['Number', 'الرقم'], { readOnly: true }),
    issued_on: f.date(['Issued on', 'تاريخ الإصدار'], { readOnly: true }),
    note: f.longText(['Note', 'ملاحظة'], { readOnly: true, detailOnly: true }),
    status: f.choice(['Status', 'الحالة'], elsewhereFlow.states, { readOnly: true }),
    created_at: f.instant(['Registered', 'تاريخ التسجيل'], { readOnly: true }),
  },
  list: {
    columns: ['person', 'kind', 'issuer_id', 'number', 'status', 'created_at'],
    search: ['number'],
    sort: ['created_at', 'status', 'issued_on'],
    filters: ['student_id', 'applicant_id', 'kind', 'issuer_id', 'status'],
    order: ['created_at', 'desc'],
  },
  exportName: 'Papers from elsewhere',
  softDelete: true,
  screens: { list: '/certificates/external', show: '/certificates/external/:id' },
  menu: {
    group: 'services',
    order: 13,
    icon: 'file-search',
    subject: 'certificates',
    tab: ['From elsewhere', 'من جهات أخرى'],
  },
})

const file = z.object({
  id,
  name: z.string(),
  size: z.int(),
  url: z.string(),
  sha256: z.string(),
  at: z.string(),
  by: ref.nullable(),
})
const result = z.enum(['genuine', 'not_genuine', 'unknown'])
const check = z.object({
  id,
  how: z.enum(['file', 'link', 'letter']),
  result,
  found: z.enum(FOUND).nullable(),
  remark: z.string().nullable(),
  answered_by: z.string().nullable(),
  by: ref.nullable(),
  file: z.object({ name: z.string(), url: z.string() }).nullable(),
  at: z.string(),
  /** It stood on a file that another one has replaced. */
  outdated: z.boolean(),
})
const detail = z.object({
  id,
  version: z.int(),
  status: z.string(),
  files: z.array(file),
  checks: z.array(check),
  ask: z
    .object({ email: z.string(), asked_at: z.string(), due_on: z.string(), reminded_on: z.string().nullable() })
    .nullable(),
  issuer_email: z.string().nullable(),
})
export type ElsewhereDetail = z.output<typeof detail>

const sent = z.union([id, idParam])
const KINDS = ['pdf', 'png', 'jpg', 'txt'] as const
const upload = { field: 'file', accept: KINDS, called: 'PDF, JPG, PNG, JSON, ELMO (XML)', maxMB: 5 } as const
const answered = z.object({ data: z.object({ id, version: z.int(), status: z.string() }) })
const token = z.string().max(200)
const shown = z.object({
  university: z.object({ name: z.string(), name_local: z.string() }),
  person: z.string(),
  person_local: z.string(),
  issuer: z.object({ name: z.string(), name_local: z.string() }),
  kind: z.enum(['school', 'degree', 'transcript', 'identity', 'other']),
  number: z.string().nullable(),
  issued_on: z.string().nullable(),
})
/** What an issuer is asked. */
export type IssuerQuestion = z.output<typeof shown>

export const elsewhereCalls = {
  register: call('POST', '/certificates/upload', {
    permission: USE,
    summary: ['Register a paper from elsewhere with its file', 'تسجيل وثيقة من جهة أخرى مع ملفها'],
    upload,
    body: z.strictObject({
      student_id: sent.optional(),
      applicant_id: sent.optional(),
      person_name: safeText(200, 3).optional(),
      issuer_id: sent,
      kind: z.enum(['school', 'degree', 'transcript', 'identity', 'other']),
      number: safeText(100).optional(),
      issued_on: z.iso.date().optional(),
      note: safeText(1000).optional(),
    }),
    response: answered,
  }),
  further: call('POST', '/certificates/upload/{id}', {
    permission: USE,
    summary: [
      'Add a further file to a paper from elsewhere: what was found before is outdated',
      'إضافة ملف آخر إلى وثيقة من جهة أخرى، فيصبح ما سبق غير محدث',
    ],
    upload,
    response: answered,
  }),
  externalDetail: call('GET', '/certificates/external/{id}/details', {
    permission: 'access_externalPaper',
    summary: ['Files of a paper from elsewhere, and what is known of it', 'ملفات وثيقة من جهة أخرى ونتائج التحقق منها'],
    response: z.object({ data: detail }),
    traced: 'externalPaper',
  }),
  enterAnswer: call('POST', '/certificates/external/{id}/answer', {
    permission: USE,
    summary: ['Enter an answer of the issuer that came by letter', 'إدخال رد جهة الإصدار الوارد بخطاب'],
    upload: { ...upload, optional: true },
    body: z.strictObject({ result, remark: safeText(1000, 3), answered_by: safeText(200).optional() }),
    response: answered,
    example: { result: 'genuine', remark: 'Letter 12/5 of the registry' },
  }),
  openQuestion: call('POST', '/certificates/external/question', {
    permission: 'public',
    summary: ['What an issuer is asked, by the link of the mail', 'ما تُسأل عنه جهة الإصدار برابط البريد'],
    body: z.strictObject({ token }),
    response: z.object({ data: shown }),
    reads: true,
    example: { token: 'a'.repeat(43) },
  }),
  questionFile: call('POST', '/certificates/external/question/file', {
    permission: 'public',
    summary: ['The paper that an issuer is asked about', 'الوثيقة التي تُسأل عنها جهة الإصدار'],
    body: z.strictObject({ token }),
    file: { name: 'Paper.pdf', type: 'pdf' },
    reads: true,
    example: { token: 'a'.repeat(43) },
  }),
  answerQuestion: call('POST', '/certificates/external/question/answer', {
    permission: 'public',
    summary: ['Answer as the issuer; the link ends', 'رد جهة الإصدار، وينتهي الرابط'],
    body: z.strictObject({ token, result, remark: safeText(1000).optional(), answered_by: safeText(200, 3) }),
    response: z.object({ data: z.null() }),
    example: { token: 'a'.repeat(43), result: 'genuine', answered_by: 'Registry' },
  }),
}
