import { z } from 'zod'
import { crud } from '#access/crud.contract.ts'
import { call, date, f, id, idParam, problem, ref, resource, safeText } from '#kit/contract/index.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import { checkCourseFileDecision, checkHandIn, type CourseFileFacts } from './course-file.rules.ts'

/** The path that all calls of course files begin with. */
const PATH = '/courseFile'
const FILL = 'fill_courseFile'
const ACCEPT = 'accept_courseFile'
const APPROVE = 'approve_courseFile'
const told = { notice: 'course-files.notice_moved' } as const

/** Handed in by who taught, accepted by quality staff, approved by the dean; each step can be taken back as long as none follows. */
export const courseFileFlow = workflow<CourseFileFacts>()({
  name: 'course_file',
  one: ['Course file', 'ملف مقرر'],
  field: 'status',
  states: [
    { value: 'draft', label: ['In work', 'قيد الإعداد'], tone: 'draft' },
    { value: 'submitted', label: ['Submitted', 'مُقدَّم'], tone: 'waiting' },
    { value: 'not_accepted', label: ['Not accepted', 'غير مقبول'], tone: 'refused', sometimes: true },
    { value: 'accepted', label: ['Accepted', 'مقبول'], tone: 'done' },
    { value: 'not_approved', label: ['Not approved', 'غير معتمد'], tone: 'refused', sometimes: true },
    { value: 'approved', label: ['Approved', 'معتمد'], tone: 'done' },
  ],
  actions: {
    submit: {
      label: ['Hand in', 'تسليم'],
      summary: ['Hand in a course file', 'تسليم ملف مقرر'],
      call: ['POST', `${PATH}/changeQualityStatus/{id}/submit`],
      permission: FILL,
      from: { draft: 'submitted' },
      byOwner: true,
      needs: checkHandIn,
      consequence: [
        'Nothing can be changed in it until it is accepted or given back.',
        'لا يُعدَّل فيه شيء حتى يُقبل أو يُعاد.',
      ],
    },
    update: {
      label: ['Hand in again', 'إعادة التسليم'],
      summary: ['Hand in a course file again after it was refused', 'إعادة تسليم ملف مقرر بعد رفضه'],
      call: ['POST', `${PATH}/changeQualityStatus/{id}/update`],
      permission: FILL,
      from: { not_accepted: 'submitted', not_approved: 'submitted' },
      byOwner: true,
      needs: checkHandIn,
    },
    accept: {
      label: ['Accept', 'قبول'],
      summary: ['Accept a course file', 'قبول ملف مقرر'],
      call: ['POST', `${PATH}/changeQualityStatus/{id}/accept`],
      permission: ACCEPT,
      from: { submitted: 'accepted' },
      needs: checkCourseFileDecision,
      ...told,
    },
    notAccept: {
      label: ['Do not accept', 'عدم القبول'],
      summary: ['Give a course file back that is not accepted', 'إعادة ملف مقرر غير مقبول'],
      call: ['POST', `${PATH}/changeQualityStatus/{id}/notAccept`],
      permission: ACCEPT,
      from: { submitted: 'not_accepted' },
      reason: 'required',
      tone: 'refused',
      ...told,
    },
    approve: {
      label: ['Approve', 'اعتماد'],
      summary: ['Approve a course file', 'اعتماد ملف مقرر'],
      call: ['POST', `${PATH}/changeQualityStatus/{id}/approve`],
      permission: APPROVE,
      from: { accepted: 'approved' },
      needs: checkCourseFileDecision,
      ...told,
    },
    notApprove: {
      label: ['Do not approve', 'عدم الاعتماد'],
      summary: ['Give a course file back that is not approved', 'إعادة ملف مقرر غير معتمد'],
      call: ['POST', `${PATH}/changeQualityStatus/{id}/notApprove`],
      permission: APPROVE,
      from: { accepted: 'not_approved' },
      reason: 'required',
      tone: 'refused',
      ...told,
    },
    undo: {
      label: ['Take back', 'تراجع'],
      summary: ['Take back the last step of a course file', 'التراجع عن آخر خطوة في ملف مقرر'],
      call: ['POST', `${PATH}/undo/{id}`],
      permission: ACCEPT,
      from: {
        submitted: {
          to: 'draft',
          back: { not_accepted: FILL, not_approved: FILL },
          permission: FILL,
          label: ['Take back what was handed in', 'سحب التسليم'],
        },
        accepted: 'submitted',
        not_accepted: 'submitted',
        approved: { to: 'accepted', permission: APPROVE },
        not_approved: { to: 'accepted', permission: APPROVE },
      },
      byOwner: true,
      tone: 'refused',
      single: true,
    },
  },
  bulk: `${PATH}/bulk/{action}`,
  waits: 'course-files.notice_waits',
  history: { path: `${PATH}/steps/{id}`, permission: 'access_courseFile' },
})
export const courseFileSteps = workflowCalls(courseFileFlow)

/** What an offering leaves behind for others to see how it was taught: one of each. */
export const courseFile = resource({
  name: 'courseFile',
  path: PATH,
  table: 'course_files',
  one: ['Course file', 'ملف مقرر'],
  many: ['Course files', 'ملفات المقررات'],
  adding: ['Begin a course file', 'بدء ملف مقرر'],
  editing: ['Course file', 'ملف مقرر'],
  permissions: { ...crud('courseFile'), import: null },
  scope: ['faculty', 'department', 'program', 'bylaw', 'taught'],
  fields: {
    offering_id: f.lookup(['Offering', 'المقرر المطروح'], 'offering', { required: true, createOnly: true }),
    term_id: f.lookup(['Term', 'الفصل الدراسي'], 'term', { readOnly: true }),
    faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty', { readOnly: true }),
    instructors: f.json(['Taught by', 'القائمون بالتدريس'], z.array(ref), {
      readOnly: true,
      required: true,
      noExport: true,
    }),
    documents: f.integer(['Files', 'الملفات'], { readOnly: true, required: true }),
    comments: f.integer(['Open comments', 'تعليقات مفتوحة'], { readOnly: true, required: true }),
    due_on: f.date(['Due', 'موعد التسليم']),
    status: f.choice(['Status', 'الحالة'], courseFileFlow.states, { readOnly: true }),
  },
  list: {
    columns: ['offering_id', 'faculty_id', 'instructors', 'documents', 'comments', 'due_on', 'status'],
    search: ['offering_id'],
    sort: ['due_on', 'status'],
    filters: ['term_id', 'faculty_id', 'offering_id', 'status', 'due_on'],
    order: ['due_on', 'asc'],
  },
  exportName: 'Coursefiles',
  // Of a term long ago.
  examples: [{ offering_id: 1 }],
  softDelete: true,
  screens: { list: PATH, show: `${PATH}/:id`, add: `${PATH}/add`, edit: `${PATH}/edit/:id` },
  menu: { group: 'quality', order: 24, icon: 'folder-check', subject: 'specifications' },
})

const PART_STATES = ['found', 'missing', 'outdated', 'later'] as const
const document = z.object({
  id,
  name: z.string(),
  size: z.int(),
  url: z.string(),
  by: ref.nullable(),
  at: z.string(),
  names_hidden: z.boolean(),
  /** What became of the file of the archive that it was taken from; null: it was handed in. */
  archive: z.enum(['same', 'changed', 'gone']).nullable(),
})
const part = z.object({
  id,
  name: z.string(),
  name_local: z.string(),
  source: z.enum(['upload', 'specification', 'report', 'marks', 'attendance']),
  is_optional: z.boolean(),
  min_files: z.int(),
  names_hidden: z.boolean(),
  removed: z.boolean(),
  state: z.enum(PART_STATES),
  found: z.int(),
})
const checked = z.object({
  parts: z.array(part.extend({ documents: z.array(document) })),
  /** Why it cannot be handed in; empty: it can. */
  reasons: z.array(problem),
})
export type CheckedCourseFile = z.output<typeof checked>
export type CheckedPart = CheckedCourseFile['parts'][number]
export type CourseFileDocument = z.output<typeof document>

const commentRow = z.object({
  id,
  reply_to: id.nullable(),
  part: ref.nullable(),
  text: z.string(),
  by: ref.nullable(),
  at: z.string(),
  settled_at: z.string().nullable(),
  settled_by: ref.nullable(),
  /** The reader may settle its thread. */
  settles: z.boolean(),
})
export type CourseFileComment = z.output<typeof commentRow>

const counts = z.object({
  faculty: ref.nullable(),
  draft: z.int(),
  submitted: z.int(),
  not_accepted: z.int(),
  accepted: z.int(),
  not_approved: z.int(),
  approved: z.int(),
  /** Of those in preparation, or given back: their day has passed. */
  late: z.int(),
})
export type CourseFileCounts = z.output<typeof counts>

const sent = z.union([id, idParam])
const stateOf = z.enum(courseFileFlow.states.map((one) => one.value))
const term = z.object({ term_id: idParam.optional() })
const done = z.object({ data: z.object({ id }) })

export const courseFileCalls = {
  open: call('POST', `${PATH}/open`, {
    permission: 'add_courseFile',
    summary: ['Begin the course files of a term', 'بدء ملفات مقررات فصل دراسي'],
    body: z.strictObject({ term_id: id, faculty_id: id.nullable().optional(), due_on: date }),
    response: z.object({ data: z.object({ added: z.int(), changed: z.int() }) }),
    example: { term_id: 1, due_on: '2030-01-31' },
  }),
  count: call('GET', `${PATH}/count`, {
    permission: 'access_courseFile',
    summary: ['How many course files stand in which state, by faculty', 'أعداد ملفات المقررات بحسب الكلية والحالة'],
    query: term,
    response: z.object({ data: z.array(counts) }),
  }),
  sheet: call('GET', `${PATH}/getOffer/export-excel/{lang}`, {
    permission: 'export_courseFile',
    summary: ['Course files of a term as a sheet', 'ملفات مقررات فصل دراسي في ملف إكسل'],
    query: term,
    file: { name: 'Coursefiles.xlsx', type: 'xlsx' },
  }),
  check: call('GET', `${PATH}/checkArchive/{id}`, {
    permission: 'access_courseFile',
    summary: ['What is there of a course file, part by part', 'محتويات ملف مقرر وما ينقصه'],
    response: z.object({ data: checked }),
  }),
  addDocument: call('PUT', `${PATH}/document/{id}`, {
    permission: FILL,
    summary: ['Hand in a file for a part of a course file', 'إضافة ملف إلى محتوى من ملف مقرر'],
    upload: {
      field: 'file',
      accept: ['pdf', 'png', 'jpg', 'docx', 'xlsx', 'pptx', 'zip'],
      called: 'PDF, JPG, PNG, Word, Excel, PowerPoint, ZIP',
      maxMB: 30,
    },
    body: z.strictObject({ part_id: sent, names_hidden: z.enum(['true', 'false']).optional() }),
    response: done,
  }),
  takeFromArchive: call('POST', `${PATH}/document/archive/{id}`, {
    permission: FILL,
    summary: ['Take a file of the archive into a course file', 'إدراج ملف من الأرشيف في ملف مقرر'],
    body: z.strictObject({ part_id: id, entry_id: id, names_hidden: z.boolean().optional() }),
    response: done,
    example: { part_id: 1, entry_id: 1 },
  }),
  removeDocument: call('DELETE', `${PATH}/document/{id}`, {
    permission: FILL,
    summary: ['Take a file out of a course file', 'إخراج ملف من ملف مقرر'],
    response: done,
  }),
  openComments: call('GET', `${PATH}/getComment/{id}`, {
    permission: 'access_courseFile',
    summary: ['Comments of a course file that nobody has settled', 'التعليقات المفتوحة على ملف مقرر'],
    response: z.object({ data: z.array(commentRow) }),
  }),
  comments: call('GET', `${PATH}/getAllComment/{id}`, {
    permission: 'access_courseFile',
    summary: ['All comments of a course file', 'كل التعليقات على ملف مقرر'],
    response: z.object({ data: z.array(commentRow) }),
  }),
  comment: call('POST', `${PATH}/postComment/{id}`, {
    permission: ['access_courseFile'],
    summary: ['Comment on a course file, or answer a comment', 'التعليق على ملف مقرر أو الرد على تعليق'],
    body: z.strictObject({
      text: safeText(4000, 1),
      part_id: id.nullable().optional(),
      reply_to: id.nullable().optional(),
    }),
    response: done,
    example: { text: 'The answers of the mid-term exam are missing.' },
  }),
  settleComment: call('POST', `${PATH}/settleComment/{id}`, {
    permission: ['access_courseFile'],
    summary: ['Settle a thread of comments, or open it again', 'إغلاق سلسلة تعليقات أو إعادة فتحها'],
    body: z.strictObject({ settled: z.boolean() }),
    response: done,
    example: { settled: true },
  }),
  undoFrom: call('POST', `${PATH}/undo/{id}/{quality}`, {
    permission: [FILL, ACCEPT, APPROVE],
    summary: [
      'Take back the last step of a course file, as long as it stands in this state',
      'التراجع عن آخر خطوة في ملف مقرر ما دام في هذه الحالة',
    ],
    params: z.object({ id: idParam, quality: stateOf }),
    body: z.strictObject({ version: z.int().optional() }),
    response: z.object({ data: z.object({ id, version: z.int(), status: stateOf }) }),
    example: {},
  }),
}
