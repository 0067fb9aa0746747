import { z } from 'zod'
import { call, f, id, idParam, instant, paperLanguage, problem, ref, resource, safeText } from '#kit/contract/index.ts'
import { cutAnswer, cutQuery } from '#kit/contract/cut.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import { LOGBOOK_KINDS } from '../types/type.contract.ts'
import { LOGBOOK_ROLES, checkConfirmed, checkTakenBack, type ConfirmFacts } from './entry.rules.ts'

const PATH = '/logbook-entries'
export const LOGBOOK_ROLE_WORDS = [
  { value: 'observed', label: ['Observed', 'مشاهدة'] },
  { value: 'assisted', label: ['Assisted', 'مساعدة'] },
  { value: 'done', label: ['Done', 'أداء'] },
] as const
const CONFIRMED_HOW = [
  { value: 'list', label: ['In the list', 'من القائمة'] },
  { value: 'code', label: ['By the code on the phone', 'برمز على الهاتف'] },
  { value: 'pin', label: ['By PIN', 'بالرقم السري'] },
] as const

/** An entry waits for a supervisor who was there; what is confirmed is taken back by that person alone. */
export const logbookFlow = workflow<ConfirmFacts>()({
  name: 'logbook_entry',
  one: ['Entry of a logbook', 'قيد في السجل'],
  field: 'status',
  states: [
    { value: 'entered', label: ['Not confirmed', 'لم يُؤكَّد'], tone: 'waiting' },
    { value: 'confirmed', label: ['Confirmed', 'معتمدة'], tone: 'done' },
    { value: 'rejected', label: ['Rejected', 'مرفوض'], tone: 'refused', sometimes: true },
  ],
  actions: {
    confirm: {
      label: ['Confirm', 'تأكيد'],
      summary: ['Confirm an entry of a logbook', 'تأكيد قيد في سجل المهارات'],
      call: ['POST', `${PATH}/confirm/{id}`],
      permission: 'confirm_logbook',
      from: { entered: 'confirmed' },
      needs: checkConfirmed,
      takenBackBy: 'take_back',
    },
    reject: {
      label: ['Reject', 'رفض'],
      summary: ['Reject an entry of a logbook', 'رفض قيد في سجل المهارات'],
      call: ['POST', `${PATH}/reject/{id}`],
      permission: 'confirm_logbook',
      from: { entered: 'rejected' },
      needs: checkConfirmed,
      reason: 'required',
      tone: 'refused',
      notice: 'logbook.notice_rejected',
    },
    take_back: {
      label: ['Take back', 'تراجع'],
      summary: ['Take back what was said of an entry of a logbook', 'التراجع عن تأكيد قيد أو رفضه'],
      call: ['POST', `${PATH}/take_back/{id}`],
      permission: 'confirm_logbook',
      from: { confirmed: 'entered', rejected: 'entered' },
      needs: checkTakenBack,
      reason: 'required',
      tone: 'refused',
      notice: 'logbook.notice_taken_back',
    },
  },
  bulk: `${PATH}/bulk/{action}`,
  history: { path: `${PATH}/steps/{id}`, permission: 'access_logbook' },
})
export const logbookSteps = workflowCalls(logbookFlow)

/** What an intern observed, assisted in or did; written on the phone (`sync`), confirmed by who supervised. */
export const logbookEntry = resource({
  name: 'logbookEntry',
  path: PATH,
  table: 'logbook_entries',
  one: ['Entry of a logbook', 'قيد في السجل'],
  many: ['Entries of logbooks', 'قيود السجلات'],
  adding: ['Entry of a logbook', 'قيد في السجل'],
  editing: ['Entry of a logbook', 'قيد في السجل'],
  permissions: {
    list: 'access_logbook',
    show: 'access_logbook',
    export: 'export_logbook',
    add: null,
    edit: null,
    remove: null,
    restore: null,
    import: null,
  },
  scope: ['faculty', 'department', 'bylaw', 'program', 'own', 'supervised'],
  fields: {
    student_id: f.lookup(['Intern', 'طبيب الامتياز'], 'student', { readOnly: true }),
    type_id: f.lookup(['Procedure or case', 'المهارة أو الحالة'], 'logbookType', { readOnly: true }),
    role: f.choice(['Role', 'الدور'], LOGBOOK_ROLE_WORDS, { readOnly: true }),
    done_at: f.instant(['Day and time', 'اليوم والوقت'], { readOnly: true }),
    training: f.text(['Training', 'التدريب'], { readOnly: true }),
    note: f.longText(['Note', 'ملاحظة'], { readOnly: true }),
    status: f.choice(['Status', 'الحالة'], logbookFlow.states, { readOnly: true }),
    confirmed_by_id: f.lookup(['Confirmed by', 'أكّده'], 'instructor', { readOnly: true }),
    confirmed_at: f.instant(['Confirmed at', 'وقت التأكيد'], { readOnly: true, detailOnly: true }),
    confirmed_how: f.choice(['Confirmed', 'طريقة التأكيد'], CONFIRMED_HOW, { readOnly: true, detailOnly: true }),
    phone_at: f.instant(['Typed, by the clock of the phone', 'وقت الكتابة بساعة الهاتف'], {
      readOnly: true,
      detailOnly: true,
    }),
    clock_ahead: f.integer(['Seconds by which that clock was ahead', 'ثواني تقدم ساعة الهاتف'], {
      readOnly: true,
      detailOnly: true,
    }),
    received_at: f.instant(['Received', 'وقت الوصول'], { readOnly: true, detailOnly: true }),
  },
  list: {
    columns: ['student_id', 'type_id', 'role', 'done_at', 'training', 'note', 'status', 'confirmed_by_id'],
    search: ['student_id', 'note'],
    sort: ['done_at', 'status'],
    filters: ['student_id', 'type_id', 'role', 'status', 'done_at'],
    order: ['done_at', 'desc'],
  },
  exportName: 'Logbook',
  softDelete: true,
  screens: { list: '/emtyaz/logbooks', show: '/emtyaz/logbooks/entries/:id' },
  menu: { group: 'services', order: 83, icon: 'notebook', subject: 'internship', notFor: [3] },
})

const role = z.enum(LOGBOOK_ROLES)
const counts = z.object({ observed: z.int(), assisted: z.int(), done: z.int() })
const logbookTypeShown = ref.extend({
  kind: z.enum(LOGBOOK_KINDS.map(({ value }) => value)),
  wanted: counts,
  confirmed: counts,
})
const shownRotation = z.object({
  id,
  training: ref,
  course_id: id,
  starts_on: z.string(),
  ends_on: z.string(),
  supervisors: z.array(ref),
})
const shownEntry = z.object({
  id,
  uuid: z.string(),
  revision: z.int(),
  rotation_id: id,
  type_id: id,
  role,
  done_at: z.string(),
  note: z.string().nullable(),
  clock_ahead: z.int(),
  status: z.string(),
  by: ref.nullable(),
  /** Why it was rejected, or taken back. */
  why: z.string().nullable(),
})
export type LogbookEntryShown = z.output<typeof shownEntry>
const detail = z.object({
  intern: z.object({ id, student: ref, year: ref, completed: z.boolean() }),
  courses: z.array(ref.extend({ types: z.array(logbookTypeShown) })),
  rotations: z.array(shownRotation),
  entries: z.array(shownEntry),
  /** With what the phone seals a PIN that is sent later: nobody but the server opens it. */
  pin_key: z.string(),
})
export type Logbook = z.output<typeof detail>

/** An entry as the phone sends it. */
const sent = z.strictObject({
  uuid: z.uuid(),
  revision: z.int().min(1).max(30_000),
  rotation_id: id,
  type_id: id,
  role,
  done_at: instant,
  note: safeText(1000).nullish(),
  /** When it was typed, by the clock of the phone. */
  phone_at: instant,
  /** The intern takes it away. */
  removed: z.boolean().optional(),
  /** The supervisor who is there, with the PIN as the phone sealed it. */
  pin: z.strictObject({ instructor_id: id, sealed: z.string().min(40).max(600) }).optional(),
})
export type SentEntry = z.output<typeof sent>
const outcome = z.object({
  uuid: z.string(),
  /** `same`: it was there already. */
  result: z.enum(['stored', 'same', 'refused']),
  confirmed: z.boolean(),
  /** Why it was not stored; or, stored, why it was not confirmed. */
  errors: z.array(problem),
})
export type SentOutcome = z.output<typeof outcome>

const uuidParam = z.object({ uuid: z.uuid() })
const scanned = z.object({
  id,
  version: z.int(),
  status: z.string(),
  student: ref,
  type: ref,
  role,
  done_at: z.string(),
  clock_ahead: z.int(),
  training: ref,
  note: z.string().nullable(),
  abilities: z.array(z.string()),
  refused: z.record(z.string(), problem),
})
export type ScannedEntry = z.output<typeof scanned>

/** Entries that one call takes at most. */
export const SENT_AT_ONCE = 100

export const logbookCalls = {
  mine: call('GET', '/emtyaz/logbook', {
    permission: 'write_logbook',
    summary: ['The own logbook', 'سجل المهارات الخاص بي'],
    response: z.object({ data: detail.nullable() }),
    kept: true,
  }),
  show: call('GET', '/emtyaz/logbook/intern/{id}', {
    permission: 'access_logbook',
    summary: ['The logbook of an intern', 'سجل مهارات طبيب امتياز'],
    response: z.object({ data: detail }),
  }),
  interns: call('GET', '/emtyaz/logbook/interns', {
    permission: 'access_logbook',
    summary: ['How far logbooks of interns are', 'تقدم سجلات أطباء الامتياز'],
    query: cutQuery.extend({ search: z.string().max(100).optional() }),
    response: cutAnswer(z.object({ id, student: ref, year: ref, wanted: z.int(), counted: z.int(), waiting: z.int() })),
  }),
  sync: call('POST', '/emtyaz/logbook/sync', {
    permission: 'write_logbook',
    summary: ['Send entries of the own logbook, each once however often it is sent', 'إرسال قيود السجل الخاص بي'],
    body: z.strictObject({ phone_now: instant, entries: z.array(sent).min(1).max(SENT_AT_ONCE) }),
    response: z.object({ data: z.array(outcome) }),
    example: {
      phone_now: '2030-01-01T10:00:00Z',
      entries: [
        {
          uuid: '7d6c1b1e-6a41-4f0e-9a44-6b4c5f0c8e11',
          revision: 1,
          rotation_id: 1,
          type_id: 1,
          role: 'done',
          done_at: '2030-01-01T09:00:00Z',
          phone_at: '2030-01-01T09:05:00Z',
        },
      ],
    },
  }),
  code: call('GET', '/emtyaz/logbook/code/{uuid}', {
    permission: 'write_logbook',
    summary: ['The code by which a supervisor opens an own entry', 'رمز يفتح به المشرف قيدًا من سجلي'],
    params: uuidParam,
    response: z.object({
      data: z.object({ url: z.string(), qr: z.object({ size: z.int(), path: z.string() }), status: z.string() }),
    }),
  }),
  scanned: call('GET', '/emtyaz/logbook/entry/{uuid}', {
    permission: 'confirm_logbook',
    summary: ['An entry that was opened by its code', 'قيد فُتح برمزه'],
    params: uuidParam,
    response: z.object({ data: scanned }),
  }),
  confirm: call('POST', '/emtyaz/logbook/entry/{uuid}', {
    permission: 'confirm_logbook',
    summary: ['Confirm an entry that was opened by its code', 'تأكيد قيد فُتح برمزه'],
    params: uuidParam,
    body: z.strictObject({ version: z.int().optional() }),
    response: z.object({ data: z.object({ id, status: z.string() }) }),
    example: {},
  }),
  file: call('GET', '/emtyaz/logbook/export-{type}/{id}', {
    permission: 'export_logbook',
    summary: ['The logbook of an intern as PDF or sheet', 'سجل مهارات طبيب امتياز في ملف PDF أو جدول'],
    params: z.object({ id: idParam, type: z.enum(['pdf', 'xlsx']) }),
    query: z.strictObject({ lang: paperLanguage.optional() }),
    file: { name: 'logbook', type: 'pdf' },
  }),
  pin: call('GET', '/emtyaz/logbook/pin', {
    permission: 'confirm_logbook',
    personal: 'always',
    summary: ['Whether I have a PIN to confirm with', 'هل لديّ رقم سري للتأكيد'],
    response: z.object({ data: z.object({ set_at: z.string().nullable() }) }),
  }),
  setPin: call('PUT', '/emtyaz/logbook/pin', {
    permission: 'confirm_logbook',
    personal: 'always',
    confirm: 'password',
    summary: ['Set my PIN to confirm with', 'تعيين رقمي السري للتأكيد'],
    body: z.strictObject({ pin: z.string().regex(/^\d{6}$/) }),
    response: z.object({ data: z.object({ set_at: z.string() }) }),
    example: { pin: '482913' },
  }),
}
