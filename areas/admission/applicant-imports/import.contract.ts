import { z } from 'zod'
import { call, id, idParam, jobStarted, listOf, listQuery, problem, ref, safeText } from '#kit/contract/index.ts'
import { APPLICANT_TYPES } from '#areas/admission/admissions/words.contract.ts'
import { APPLICANT_STATUSES } from '#areas/admission/applicants/words.contract.ts'
import { COLUMN_FIELD, SHEET_ENCODINGS } from './sheet.rules.ts'

/** What saving a row of a sheet does, or why it does nothing. */
export const ROW_OUTCOMES = [
  { value: 'new', label: ['New', 'جديد'], tone: 'active' },
  { value: 'changed', label: ['Changed', 'معدّل'], tone: 'active' },
  { value: 'same', label: ['Unchanged', 'دون تغيير'], tone: 'done' },
  { value: 'duplicate', label: ['Twice in the file', 'مكرر في الملف'], tone: 'frozen' },
  { value: 'elsewhere', label: ['Known already', 'مسجل بالفعل'], tone: 'draft' },
  { value: 'decided', label: ['Decided already', 'سبق البت فيه'], tone: 'frozen' },
  { value: 'wrong', label: ['With a mistake', 'به خطأ'], tone: 'refused' },
] as const
export type RowOutcome = (typeof ROW_OUTCOMES)[number]['value']
export const OUTCOME_KEYS = ROW_OUTCOMES.map(({ value }) => value) as [RowOutcome, ...RowOutcome[]]

/** Where an import stands. */
export const IMPORT_STAGES = [
  { value: 'read', label: ['Columns to be named', 'بانتظار تحديد الأعمدة'], tone: 'waiting' },
  { value: 'checked', label: ['Checked', 'تمت المراجعة'], tone: 'active' },
  { value: 'saving', label: ['Being saved', 'جارٍ الحفظ'], tone: 'active' },
  { value: 'saved', label: ['Saved', 'محفوظ'], tone: 'done' },
] as const
export type ImportStage = (typeof IMPORT_STAGES)[number]['value']

const stage = z.enum(IMPORT_STAGES.map(({ value }) => value) as [ImportStage, ...ImportStage[]])
const outcome = z.enum(OUTCOME_KEYS)
const columns = z.record(z.string().regex(COLUMN_FIELD), z.int().min(0).max(199))
const counts = z.object(Object.fromEntries(OUTCOME_KEYS.map((key) => [key, z.int()])) as Record<RowOutcome, z.ZodInt>)
export type OutcomeCounts = Readonly<Record<RowOutcome, number>>

const summary = z.object({
  id,
  admission: ref,
  file: z.string(),
  size: z.int(),
  stage,
  rows: z.int(),
  counts,
  by: ref.nullable(),
  created_at: z.string(),
  saved_at: z.string().nullable(),
})
export type ImportSummary = z.output<typeof summary>
const mapping = z.object({
  id,
  name: z.string(),
  /** Columns of this file by it; null: the file lacks some of its headings. */
  columns: columns.nullable(),
})
const shown = summary.extend({
  type: z.literal(APPLICANT_TYPES.map(({ value }) => value)),
  format: z.enum(['csv', 'xlsx']),
  encoding: z.enum(SHEET_ENCODINGS),
  headings: z.array(z.string()),
  /** The first rows under them. */
  first: z.array(z.array(z.string())),
  /** Columns as they were said, or what they probably are. */
  columns,
  /** Subjects whose marks the columns may be. */
  subjects: z.array(ref),
  mappings: z.array(mapping),
  /** The job that checks or saves it now. */
  job_id: z.string().nullable(),
  /** Rows that were saved. */
  saved: z.int(),
  /** Mistakes by kind, the most frequent first, each in the words of one that has it. */
  mistakes: z.array(z.object({ count: z.int(), problem })),
})
export type ShownImport = z.output<typeof shown>

const row = z.object({
  /** Its line in the file. */
  id,
  outcome,
  saved: z.boolean(),
  name: z.string().nullable(),
  ministry_number: z.string().nullable(),
  identity: z.string().nullable(),
  /** The application that it made, changes or finds. */
  applicant: z
    .object({ id, code: z.string(), status: z.enum(APPLICANT_STATUSES.map(({ value }) => value)) })
    .nullable(),
  /** What changes: old beside new. */
  changes: z.array(z.object({ field: z.string(), old: z.string().nullable(), new: z.string().nullable() })),
  errors: z.array(z.object({ column: z.string().nullable(), value: z.string().nullable(), problem })),
})
export type ShownRow = z.output<typeof row>

const permission = 'import_applicant'

export const applicantImportCalls = {
  upload: call('POST', '/applicants/import', {
    permission,
    summary: ['Hand in a sheet of a ministry for an admission', 'تقديم ملف الوزارة لفترة قبول'],
    body: z.strictObject({ admission_id: idParam }),
    upload: { field: 'file', accept: ['csv', 'txt', 'xlsx'], called: 'CSV, XLSX', maxMB: 200, streamed: true },
    response: z.object({ data: shown }),
  }),
  list: call('GET', '/applicants/import/all', {
    permission,
    summary: ['The last imports of applicants', 'آخر عمليات استيراد المتقدمين'],
    response: z.object({ data: z.array(summary) }),
    reads: true,
  }),
  show: call('GET', '/applicants/import/{id}', {
    permission,
    summary: ['An import of applicants', 'عملية استيراد متقدمين'],
    response: z.object({ data: shown }),
    reads: true,
  }),
  encoding: call('POST', '/applicants/import/encoding/{id}', {
    permission,
    summary: ['Read a sheet of a ministry in another encoding', 'قراءة ملف الوزارة بترميز آخر'],
    body: z.strictObject({ encoding: z.enum(SHEET_ENCODINGS) }),
    response: z.object({ data: shown }),
    example: { encoding: 'utf-8' },
  }),
  check: call('POST', '/applicants/import/check/{id}', {
    permission,
    summary: ['Say what the columns are, and compare all rows', 'تحديد الأعمدة ومقارنة كل الصفوف'],
    body: z.strictObject({
      columns,
      /** The mapping that was chosen: it must still be there. */
      mapping_id: id.nullish(),
      /** Keeps the columns under this name for the next time; one of this name is replaced. */
      keep_as: safeText(100, 1).nullish(),
    }),
    response: jobStarted,
    example: { columns: { national_id: 0, name_local: 1 } },
  }),
  rows: call('POST', '/applicants/import/rows/{id}', {
    permission,
    summary: ['Rows of an import and what saving them does', 'صفوف ملف وما ينتج عن حفظها'],
    body: listQuery,
    response: listOf(row),
    reads: true,
  }),
  mistakes: call('GET', '/applicants/import/mistakes/{id}', {
    permission,
    summary: ['Rows that are not written, with the reasons, as a sheet', 'الصفوف غير المقبولة وأسبابها في ملف'],
    file: { name: 'mistakes.xlsx', type: 'xlsx', fixed: true },
    reads: true,
    heavy: true,
  }),
  save: call('POST', '/applicants/import/save/{id}', {
    permission,
    summary: ['Save the new and changed rows of an import', 'حفظ الصفوف الجديدة والمعدلة'],
    /** As many as were seen: where others are found by now, nothing is saved. */
    body: z.strictObject({ new: z.int().min(0), changed: z.int().min(0) }),
    response: jobStarted,
    example: { new: 0, changed: 0 },
  }),
  discard: call('DELETE', '/applicants/import/{id}', {
    permission,
    summary: ['Discard an import that was not saved', 'التخلي عن ملف لم يُحفظ'],
    response: z.object({ data: z.null() }),
  }),
  forget: call('DELETE', '/applicants/import/mapping/{id}', {
    permission,
    summary: ['Remove a kept mapping of columns', 'حذف تحديد أعمدة محفوظ'],
    response: z.object({ data: z.null() }),
  }),
}
