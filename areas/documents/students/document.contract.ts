import { z } from 'zod'
import { asked } from '#access/crud.contract.ts'
import { PRIVATE_READERS } from '#areas/students/student/student.contract.ts'
import { call, f, id, idParam, ref, resource, safeText } from '#kit/contract/index.ts'
import type { Fields, Request } from '#kit/contract/index.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import { DOCUMENT_FILES, checkAccepting, checkExpiring, checkHandingIn, checkReopening } from './document.rules.ts'
import type { DocumentFacts } from './document.rules.ts'

/** What becomes of a document. */
export const DOCUMENT_STATES = [
  { value: 'owed', label: ['Not handed in', 'لم يُسلَّم'], tone: 'waiting' },
  { value: 'handed_in', label: ['Handed in', 'مُسلَّم'], tone: 'active' },
  { value: 'accepted', label: ['Accepted', 'مقبول'], tone: 'done' },
  { value: 'rejected', label: ['Rejected', 'مرفوض'], tone: 'refused', sometimes: true },
  { value: 'outdated', label: ['No longer valid', 'منتهي الصلاحية'], tone: 'refused', sometimes: true },
  { value: 'waived', label: ['Waived', 'معفى منه'], tone: 'frozen', sometimes: true },
] as const
const PATH = '/student-documents'

/** Who looks at documents: who advises hears what is missing, and does not read certificates of birth. */
export const FILE_READERS = [...PRIVATE_READERS, 'decide_studentDocument'] as const

/** The way of a document: asked for, handed in, looked at, and one day no longer valid. */
export const documentFlow = workflow<DocumentFacts>()({
  name: 'studentDocument',
  one: ['Document of a student', 'مستند طالب'],
  field: 'status',
  states: DOCUMENT_STATES,
  actions: {
    accept: {
      label: ['Accept', 'قبول'],
      call: ['POST', `${PATH}/accept/{id}`],
      permission: 'decide_studentDocument',
      from: { handed_in: 'accepted' },
      needs: checkAccepting,
      takenBackBy: 'reopen',
      notice: 'documents.notice_document',
    },
    reject: {
      label: ['Reject', 'رفض'],
      call: ['POST', `${PATH}/reject/{id}`],
      permission: 'decide_studentDocument',
      from: { handed_in: 'rejected' },
      reason: 'required',
      tone: 'refused',
      notice: 'documents.notice_document',
    },
    hand_in: {
      label: ['Hand in', 'تسليم'],
      summary: [
        'Hand in a document that is missing; staff: it was seen on paper',
        'تسليم مستند ناقص، وللعاملين: قُدّم ورقيًا',
      ],
      call: ['POST', `${PATH}/hand_in/{id}`],
      permission: 'add_studentDocument',
      from: { owed: 'handed_in', waived: 'handed_in' },
      needs: checkHandingIn,
      byOwner: true,
      single: true,
    },
    take_back: {
      label: ['Take back', 'سحب'],
      call: ['POST', `${PATH}/take_back/{id}`],
      permission: 'add_studentDocument',
      from: { handed_in: 'owed' },
      byOwner: true,
      single: true,
      tone: 'refused',
    },
    waive: {
      label: ['Do without it', 'الإعفاء منه'],
      call: ['POST', `${PATH}/waive/{id}`],
      permission: 'decide_studentDocument',
      from: { owed: 'waived' },
      reason: 'required',
      tone: 'refused',
      notice: 'documents.notice_document',
    },
    demand: {
      label: ['Ask for it again', 'طلبه من جديد'],
      call: ['POST', `${PATH}/demand/{id}`],
      permission: 'decide_studentDocument',
      from: { waived: 'owed' },
      reason: 'required',
      tone: 'refused',
      notice: 'documents.notice_document',
    },
    reopen: {
      label: ['Open again', 'إعادة الفتح'],
      call: ['POST', `${PATH}/reopen/{id}`],
      permission: 'decide_studentDocument',
      from: { accepted: 'handed_in', rejected: 'handed_in' },
      needs: checkReopening,
      reason: 'required',
      tone: 'refused',
      notice: 'documents.notice_document',
    },
    expire: {
      label: ['Mark as expired', 'إنهاء الصلاحية'],
      call: ['POST', `${PATH}/expire/{id}`],
      permission: 'decide_studentDocument',
      from: { accepted: 'outdated' },
      needs: checkExpiring,
      tone: 'refused',
      notice: 'documents.notice_document',
    },
  },
  bulk: `${PATH}/bulk/{action}`,
  history: { path: `${PATH}/steps/{id}`, permission: 'show_studentDocument' },
})

/** Documents of students: handed in by the student or at the desk, decided by who keeps the records. */
export const studentDocument = {
  ...resource({
    name: 'studentDocument',
    path: PATH,
    table: 'student_documents',
    one: ['Document of a student', 'مستند طالب'],
    many: ['Documents of students', 'مستندات الطلاب'],
    adding: ['Hand in a document', 'تسليم مستند'],
    editing: ['Document of a student', 'مستند طالب'],
    // Handed in by a call of its own: one that is asked for already is the one that is handed in.
    permissions: { ...asked('studentDocument'), add: null },
    scope: ['faculty', 'department', 'bylaw', 'program', 'own', 'advised'],
    fields: {
      student_id: f.lookup(['Student', 'الطالب'], 'student', { required: true, createOnly: true }),
      kind_id: f.lookup(['Kind of document', 'نوع المستند'], 'documentKind', { required: true, createOnly: true }),
      status: f.choice(['Status', 'الحالة'], DOCUMENT_STATES, { readOnly: true }),
      expires_on: f.date(['Valid until', 'صالح حتى'], { readOnly: true }),
      number: f.text(['Number on it', 'الرقم المدوّن عليه'], { readOnly: true, max: 60, readers: FILE_READERS }),
      file_id: f.file(['File', 'الملف'], { readOnly: true, readers: FILE_READERS, accept: DOCUMENT_FILES }),
      asked: f.flag(['Asked from this student', 'مطلوب من هذا الطالب'], { readOnly: true, detailOnly: true }),
      created_at: f.instant(['Since', 'منذ'], { readOnly: true }),
    },
    list: {
      columns: ['student_id', 'kind_id', 'status', 'expires_on', 'created_at'],
      search: [],
      sort: ['status', 'expires_on', 'created_at'],
      filters: ['student_id', 'kind_id', 'status', 'expires_on'],
      order: ['created_at', 'asc'],
    },
    exportName: 'Documents of students',
    softDelete: true,
    traced: true,
    screens: { list: PATH },
    menu: { group: 'people', order: 15, icon: 'file-check', notFor: [3] },
  }),
  flow: documentFlow,
  steps: workflowCalls(documentFlow),
} as unknown as Request<'studentDocument', Fields, string, DocumentFacts>

const status = z.enum(DOCUMENT_STATES.map(({ value }) => value))
const given = z.object({
  id,
  version: z.int(),
  status,
  asked: z.boolean(),
  expires_on: z.string().nullable(),
  number: z.string().nullable(),
  file: z.object({ id, name: z.string(), size: z.int(), url: z.string() }).nullable(),
  /** When it came, or was asked for. */
  created_at: z.string(),
  /** What was said with the last step. */
  reason: z.string().nullable(),
  abilities: z.array(z.string()),
})
export type GivenDocument = z.output<typeof given>
const ofStudent = z.object({
  data: z.object({
    student_id: id,
    /** Whether something is missing, which keeps from registering. */
    lacking: z.boolean(),
    /** May hand in, for the own or at the desk. */
    may_hand_in: z.boolean(),
    may_decide: z.boolean(),
    /** Whether the reader opens the files. */
    reads_files: z.boolean(),
    kinds: z.array(
      z.object({
        kind: ref,
        /** Of this student, by the kind or by staff. */
        required: z.boolean(),
        lacking: z.boolean(),
        expires: z.boolean(),
        /** Newest first. */
        documents: z.array(given),
      }),
    ),
    /** Other kinds, which may be handed in or asked for. */
    others: z.array(ref.extend({ expires: z.boolean() })),
  }),
})
export type DocumentsOfStudent = z.output<typeof ofStudent>['data']

const handing = {
  kind_id: id,
  /** A file that the caller has uploaded; staff may leave it out: it was seen on paper. */
  file_id: id.nullish(),
  number: safeText(60).nullish(),
  expires_on: z.iso.date().nullish(),
}

/** The documents of one student, and how they are handed in and asked for. */
export const documentCalls = {
  ofStudent: call('GET', '/students/{id}/documents', {
    permission: 'show_studentDocument',
    summary: ['Documents of a student: what is required, and what was handed in', 'مستندات طالب: المطلوب منها وما سُلّم'],
    response: ofStudent,
    traced: 'student',
  }),
  own: call('GET', '/students/documents', {
    permission: 'show_studentDocument',
    summary: ['My documents', 'مستنداتي'],
    response: ofStudent,
  }),
  handIn: call('POST', '/student-documents/hand-in', {
    permission: 'add_studentDocument',
    summary: ['Hand in a document: the own one, or at the desk', 'تسليم مستند: الخاص بي أو لدى الشؤون'],
    body: z.strictObject({ student_id: id, ...handing }),
    response: z.object({ data: z.object({ id, version: z.int(), status }) }),
    example: { student_id: 1, kind_id: 1, number: 'A 1204' },
  }),
  ask: call('POST', '/student-documents/ask', {
    permission: 'decide_studentDocument',
    summary: ['Ask one student for a document', 'طلب مستند من طالب بعينه'],
    body: z.strictObject({ student_id: id, kind_id: id }),
    response: z.object({ data: z.object({ id, version: z.int(), status }) }),
    example: { student_id: 1, kind_id: 1 },
  }),
  waive: call('POST', '/student-documents/waive', {
    permission: 'decide_studentDocument',
    summary: ['Do without a required document of one student', 'إعفاء طالب من مستند مطلوب'],
    body: z.strictObject({ student_id: id, kind_id: id, reason: safeText(500, 3) }),
    response: z.object({ data: z.object({ id, version: z.int(), status }) }),
    example: { student_id: 1, kind_id: 1, reason: 'The school burnt down with its archive.' },
  }),
  correct: call('PUT', '/student-documents/{id}', {
    permission: 'decide_studentDocument',
    summary: ['Put the number or the day of expiry right while it waits', 'تصحيح الرقم أو تاريخ الانتهاء قبل البت'],
    params: z.object({ id: idParam }),
    body: z.strictObject({
      number: safeText(60).nullish(),
      expires_on: z.iso.date().nullish(),
      version: z.int().optional(),
    }),
    response: z.object({ data: z.object({ id, version: z.int(), status }) }),
    example: { expires_on: '2030-05-01' },
  }),
}
