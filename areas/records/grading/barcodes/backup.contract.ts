import { call, id, idParam, paperLanguage, ref } from '#kit/contract/index.ts'
import { z } from 'zod'

/** An offering that gives its papers barcodes, or could. */
const offering = z.object({
  id,
  code: z.string(),
  course: ref,
  /** none: names stand on the papers; closed: marked without them; opened: marks stand with the names. */
  names: z.enum(['none', 'closed', 'opened']),
  /** Barcodes on papers, backups that are on none, and students who have none yet. */
  papers: z.int(),
  backups: z.int(),
  without: z.int(),
  /** Changes on papers that wait for a second person. */
  waiting: z.int(),
})
export type ExamBarcodes = z.output<typeof offering>

const barcode = z.object({ id, code: z.string() })
/** A student of an offering, with the barcode on the paper. */
const holder = z.object({
  registration_id: id,
  student: ref,
  barcode: barcode.nullable(),
  /** Asked for, and waiting for a second person. */
  waits: z.boolean(),
})
export type BackupHolder = z.output<typeof holder>

/** What was asked for on papers that are being marked: it is done when a second person confirms it. */
const change = z.object({
  id,
  registration_id: id,
  student: ref,
  /** null: the paper has none, or has none from then on. */
  from: barcode.nullable(),
  to: barcode.nullable(),
  reason: z.string(),
  asked_by: ref.nullable(),
  asked_at: z.string(),
  /** Whether the reader asked for it, and so does not confirm it. */
  own: z.boolean(),
})
export type PaperChange = z.output<typeof change>
const reason = z.string().trim().min(3).max(500)

const exported = z.strictObject({
  offering_id: id,
  lang: paperLanguage.optional(),
  /** A sheet, or labels to print. */
  format: z.enum(['xlsx', 'pdf']).default('xlsx'),
})
const example = { offering_id: 1 }

/** Barcodes of exams as the exam office handles them: backups, whose is which, what is lost or damaged, and labels. */
/** So many students are found at most. */
export const MOST_HOLDERS = 20

export const backupCalls = {
  lookups: call('GET', '/exam-barcodes/lookups', {
    permission: 'manage_barcodes',
    summary: ['Offerings whose exam papers carry barcodes', 'المقررات التي تحمل أوراق امتحانها باركود'],
    query: z.object({
      /** The term of the exams now, unless told. */
      term_id: z.coerce.number().int().positive().max(2_147_483_647).optional(),
    }),
    response: z.object({ data: z.object({ term: ref.nullable(), terms: z.array(ref), offerings: z.array(offering) }) }),
  }),
  generate: call('PUT', '/exam-barcodes/generate_backup_barcodes', {
    permission: 'manage_barcodes',
    summary: ['Make backup barcodes of an offering', 'إصدار باركود احتياطي لمقرر'],
    body: z.strictObject({ offering_id: id, count: z.int().min(1).max(200) }),
    response: z.object({ data: offering }),
    example: { offering_id: 1, count: 3 },
  }),
  search: call('POST', '/exam-barcodes/search_for_student', {
    permission: 'manage_barcodes',
    summary: [
      'Find a student of an exam by name, code or barcode',
      'البحث عن طالب في امتحان بالاسم أو الكود أو الباركود',
    ],
    body: z.strictObject({ offering_id: id, text: z.string().trim().min(2).max(60) }),
    response: z.object({ data: z.array(holder) }),
    example: { offering_id: 1, text: 'a1' },
  }),
  attach: call('POST', '/exam-barcodes/attach_backup_barcode', {
    permission: 'manage_barcodes',
    summary: ['Put a backup barcode on the paper of a student', 'لصق باركود احتياطي على ورقة طالب'],
    body: z.strictObject({ registration_id: id, barcode: z.string().trim().min(1).max(60), reason }),
    response: z.object({ data: holder }),
    example: { registration_id: 1, barcode: '0123456789AB', reason: 'The label is torn' },
  }),
  detach: call('POST', '/exam-barcodes/detach_backup_barcode/{id}', {
    permission: 'manage_barcodes',
    summary: ['Take a barcode (id) off the paper of its student', 'نزع الباركود عن ورقة الطالب'],
    body: z.strictObject({ reason }),
    response: z.object({ data: holder }),
    example: { reason: 'Put on the wrong paper' },
  }),
  changes: call('POST', '/exam-barcodes/changes/{offering_id}', {
    permission: 'manage_barcodes',
    summary: ['Changes of barcodes that wait for a second person', 'تغييرات الباركود التي تنتظر شخصًا ثانيًا'],
    params: z.object({ offering_id: idParam }),
    body: z.strictObject({}),
    response: z.object({ data: z.array(change) }),
    example: {},
  }),
  confirm: call('POST', '/exam-barcodes/changes/confirm/{id}', {
    permission: 'manage_barcodes',
    summary: ['Confirm a change of a barcode that somebody else asked for', 'تأكيد تغيير باركود طلبه شخص آخر'],
    body: z.strictObject({}),
    response: z.object({ data: holder }),
    example: {},
  }),
  reject: call('POST', '/exam-barcodes/changes/reject/{id}', {
    permission: 'manage_barcodes',
    summary: ['Reject a change of a barcode, or take the own request back', 'رفض تغيير باركود أو سحب طلبك'],
    body: z.strictObject({ reason }),
    response: z.object({ data: holder }),
    example: { reason: 'The label is readable' },
  }),
  exportBarcodes: call('POST', '/exam-barcodes/export-exam-barcode', {
    permission: 'manage_barcodes',
    summary: ['Export the barcodes of an exam', 'تصدير باركود الامتحان'],
    body: exported,
    file: { name: 'Barcodes.xlsx', type: 'xlsx', fixed: true },
    example,
  }),
  exportBackups: call('POST', '/exam-barcodes/export-backup-barcodes', {
    permission: 'manage_barcodes',
    summary: ['Export the backup barcodes of an exam', 'تصدير الباركود الاحتياطي'],
    body: exported,
    file: { name: 'Backup Barcodes.xlsx', type: 'xlsx', fixed: true },
    example,
  }),
}
