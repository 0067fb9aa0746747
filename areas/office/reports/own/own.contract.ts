import { z } from 'zod'
import { call, date, id, paperLanguage, safeText, type Label } from '#kit/contract/index.ts'
import { DIMENSION_KEYS } from '../figures/dimensions.contract.ts'
import { cellRows, figure, named, split } from '../figures/figures.contract.ts'
import { REPORT_RIGHTS } from '../figures/rights.contract.ts'
import { FIGURE_MEASURES, type MeasureKey } from '../figures/measures.contract.ts'
import { COMPARISONS, MOST_DAYS, MOST_DIMENSIONS, MOST_MEASURES } from './choices.rules.ts'

const dimension = z.enum(DIMENSION_KEYS)
const measure = z.enum(Object.keys(FIGURE_MEASURES) as MeasureKey[])
const value = z.union([z.int().min(-2_147_483_648).max(2_147_483_647), z.string().max(100)])

const narrowed = z.array(value).min(1).max(100).optional()

/** What an own report asks for: figures, by what they are told apart, what narrows them, beside what they stand. */
export const ownAsked = z.strictObject({
  measures: z.array(measure).min(1).max(MOST_MEASURES),
  rows: z.array(dimension).min(1).max(MOST_DIMENSIONS),
  columns: z
    .array(dimension)
    .max(MOST_DIMENSIONS - 1)
    .default([]),
  filters: z.strictObject(Object.fromEntries(DIMENSION_KEYS.map((key) => [key, narrowed]))).optional(),
  every: z.boolean().optional(),
  compare: z.enum(COMPARISONS).nullish(),
  /** The largest figures first, not in the order of what they are told apart by. */
  largest: z.boolean().optional(),
  days: z.array(date).min(1).max(MOST_DAYS).optional(),
  /** Faculties, departments and programs that ended count in those that they became. */
  today: z.boolean().optional(),
})

const keys = z.array(named)
const line = z.object({
  /** Of the measures, over all columns. */
  values: z.array(figure),
  /** Of each column, those of the measures. */
  cells: z.array(z.array(figure)),
})
const both = z.object({
  now: line,
  /** The same of the term or year before; null: nothing is compared with. */
  before: line.nullable(),
})
const figures = z.object({
  rows_by: z.array(dimension),
  columns_by: z.array(dimension),
  measures: z.array(measure),
  columns: z.array(keys),
  rows: z.array(both.extend({ keys })),
  total: both,
  /** Rows and columns with the fewest persons that are left out; the sums hold them. */
  more_rows: z.int(),
  more_columns: z.int(),
  matched: z.int(),
  filters: z.array(z.object({ by: dimension, values: keys })),
  /** What stands beside what: the term or year, and the one before; null where there is none before. */
  compared: z.object({ by: dimension, now: named, before: named.nullable() }).nullable(),
  share: z.boolean(),
  days: z.array(z.string()),
  /** From which day on a history is known, where one of the days lies before. */
  known: z.array(z.object({ what: z.enum(['status', 'level', 'place']), since: z.string() })),
  /** The parts of the university that the reader sees; null: all of it. */
  within: z.array(z.object({ name: z.string(), name_local: z.string() })).nullable(),
  at: z.string(),
  /** Whether they were read before for somebody else, since reading them takes long. */
  kept: z.boolean(),
  /** Whether units that ended count in those that they became; null: none of the report became one other. */
  today: z.boolean().nullable(),
  splits: z.array(split),
})
export type OwnFigures = z.output<typeof figures>
export type OwnFiguresRow = OwnFigures['rows'][number]
export type OwnLine = z.output<typeof line>

const key = z.string().max(100).nullable()
/** A figure whose rows are asked for: the values of its row and its column; left out: of all of them. */
export const ownCellAsked = z.strictObject({
  asked: ownAsked,
  measure,
  row: z.array(key).max(MOST_DIMENSIONS).nullish(),
  column: z.array(key).max(MOST_DIMENSIONS).nullish(),
  before: z.boolean().optional(),
  page: z.int().min(1).max(100_000).default(1),
  perPage: z.int().min(1).max(500).default(25),
})
export type OwnCellAsked = z.output<typeof ownCellAsked>

/** So many persons are told of those that a name finds. */
export const MOST_PEOPLE = 20
export const OWN_SHOWN = ['both', 'table', 'chart'] as const
export type Shown = (typeof OWN_SHOWN)[number]
export const PIN_LOOKS = ['number', 'chart'] as const
export type PinLooks = (typeof PIN_LOOKS)[number]
/** Why no more mails come. */
export const SCHEDULE_ENDS = {
  person: ['Taken back', 'أُلغيت'],
  account: ['The account was closed', 'أُغلق الحساب'],
  right: ['The figures may not be seen any more', 'لم يعد الاطلاع على الأرقام متاحًا'],
  report: ['The report is no longer there', 'لم يعد التقرير متاحًا'],
} as const satisfies Readonly<Record<string, Label>>

const schedule = z.object({
  weekday: z.int().min(0).max(6),
  hour: z.int().min(0).max(23),
  file: z.enum(['pdf', 'xlsx']),
})
const report = z.object({
  id,
  version: z.int(),
  name: z.string(),
  asked: ownAsked,
  shown: z.enum(OWN_SHOWN),
  /** Of somebody else, who shared it. */
  by: z.object({ name: z.string(), name_local: z.string() }).nullable(),
  roles: z.array(z.object({ id, name: z.string(), name_local: z.string() })),
  /** Persons it is shared with; told to who keeps it. */
  people: z.array(z.object({ id, name: z.string(), name_local: z.string() })),
  pinned: z.enum(PIN_LOOKS).nullable(),
  /** When it is mailed to the reader; the latest schedule, also one that has ended. */
  schedule: schedule
    .extend({
      next_on: z.string().nullable(),
      ended: z.enum(['person', 'account', 'right', 'report']).nullable(),
      last: z.object({ day: z.string(), state: z.enum(['waiting', 'sent', 'failed', 'withheld']) }).nullable(),
    })
    .nullable(),
  /** Whether the reader holds the right to its figures. */
  open: z.boolean(),
  updated_at: z.string(),
})
export type OwnReport = z.output<typeof report>
const typed = z.strictObject({
  name: safeText(80, 1),
  asked: ownAsked,
  shown: z.enum(OWN_SHOWN).default('both'),
})
const one = z.object({ data: report })
const permission = REPORT_RIGHTS
const EXAMPLE = { measures: ['dropped', 'lost_share'], rows: ['course'], columns: [] } as const
const paper = z.object({ lang: paperLanguage, type: z.enum(['pdf', 'xlsx']) })

/** Reports that people put together themselves. Each reads within the own rights; a report that is shared gives none. */
export const ownReportCalls = {
  ownFigures: call('POST', '/own-reports/figures', {
    heavy: true,
    permission,
    summary: ['Figures put together', 'أرقام مركّبة'],
    // `fresh`: not those that were kept.
    body: ownAsked.extend({ fresh: z.boolean().optional() }),
    response: z.object({ data: figures }),
    reads: true,
    example: EXAMPLE,
  }),
  ownRows: call('POST', '/own-reports/rows', {
    heavy: true,
    permission,
    summary: ['The rows behind a figure put together', 'السجلات وراء رقم مركّب'],
    body: ownCellAsked,
    response: z.object({ data: cellRows, meta: z.object({ count: z.int(), people: z.int() }) }),
    reads: true,
    example: { asked: EXAMPLE, measure: 'dropped' },
  }),
  ownFile: call('POST', '/own-reports/download/{lang}/{type}', {
    permission,
    summary: ['Figures put together as PDF or XLSX', 'أرقام مركّبة بصيغة PDF أو XLSX'],
    params: paper,
    body: z.strictObject({ name: safeText(80, 1), asked: ownAsked }),
    file: { name: 'Report.pdf', type: 'pdf' },
    reads: true,
    example: { name: 'Lost students', asked: EXAMPLE },
  }),
  ownReports: call('GET', '/own-reports', {
    permission,
    summary: ['List own reports and those that are shared with me', 'عرض تقاريري والتقارير المشتركة معي'],
    response: z.object({ data: z.array(report) }),
  }),
  ownReport: call('GET', '/own-reports/{id}', {
    permission,
    summary: ['Show an own report, or one that is shared with me', 'عرض تقرير خاص أو مشترك معي'],
    response: one,
  }),
  ownRoles: call('GET', '/own-reports/roles', {
    permission,
    summary: ['With which roles a report can be shared', 'الأدوار التي يمكن مشاركة تقرير معها'],
    response: z.object({
      data: z.array(z.object({ id, name: z.string(), name_local: z.string(), rights: z.array(z.string()) })),
    }),
  }),
  ownPeople: call('POST', '/own-reports/people', {
    permission,
    summary: ['Find persons with whom a report can be shared', 'البحث عن أشخاص يمكن مشاركة تقرير معهم'],
    body: z.strictObject({ measure, search: safeText(60, 2) }),
    response: z.object({
      data: z.array(z.object({ id, name: z.string(), name_local: z.string(), title: z.string().nullable() })),
    }),
    reads: true,
    example: { measure: 'students', search: 'mona' },
  }),
  addOwnReport: call('PUT', '/own-reports', {
    permission,
    summary: ['Save an own report', 'حفظ تقرير خاص'],
    body: typed,
    response: one,
    example: { name: 'Courses that lost most students', asked: EXAMPLE, shown: 'both' },
  }),
  editOwnReport: call('PUT', '/own-reports/{id}', {
    permission,
    summary: ['Change an own report', 'تعديل تقرير خاص'],
    body: typed.extend({ version: z.int().optional() }),
    response: one,
    example: { name: 'Courses that lost students', asked: EXAMPLE, shown: 'table' },
  }),
  copyOwnReport: call('POST', '/own-reports/{id}/copy', {
    permission,
    summary: ['Copy a report into the own list', 'نسخ تقرير إلى تقاريري'],
    body: z.strictObject({ name: safeText(80, 1) }),
    response: one,
    example: { name: 'A copy' },
  }),
  removeOwnReport: call('DELETE', '/own-reports/{id}', {
    permission,
    summary: ['Remove an own report', 'حذف تقرير خاص'],
    response: z.object({ data: z.object({ id }) }),
  }),
  restoreOwnReport: call('POST', '/own-reports/{id}/restore', {
    permission,
    summary: ['Bring an own report back', 'استعادة تقرير خاص'],
    response: one,
  }),
  shareOwnReport: call('PUT', '/own-reports/{id}/roles', {
    permission,
    summary: ['Share an own report with roles and persons', 'مشاركة تقرير خاص مع أدوار وأشخاص'],
    // Left out: it stays shared with the same persons.
    body: z.strictObject({ role_ids: z.array(id).max(30), user_ids: z.array(id).max(30).optional() }),
    response: one,
    example: { role_ids: [] },
  }),
  pinOwnReport: call('PUT', '/own-reports/{id}/pin', {
    permission,
    summary: ['Put a report on the own overview, or take it off', 'تثبيت تقرير في نظرتك العامة أو إزالته'],
    body: z.strictObject({ looks: z.enum(PIN_LOOKS).nullable() }),
    response: one,
    example: { looks: 'number' },
  }),
  scheduleOwnReport: call('PUT', '/own-reports/{id}/schedule', {
    permission,
    summary: ['Have a report sent by mail every week', 'إرسال تقرير بالبريد كل أسبوع'],
    body: z.strictObject(schedule.shape),
    response: one,
    personal: true,
    example: { weekday: 2, hour: 7, file: 'pdf' },
  }),
  endOwnSchedule: call('DELETE', '/own-reports/{id}/schedule', {
    permission,
    summary: ['Have a report sent no more', 'إيقاف إرسال تقرير'],
    response: one,
    personal: true,
  }),
}
