import { z } from 'zod'
import { call, paperLanguage } from '#kit/contract/index.ts'
import { DIMENSION_KEYS } from './dimensions.contract.ts'
import { FACT_KEYS } from './facts.contract.ts'
import { FIGURE_MEASURES, type MeasureKey } from './measures.contract.ts'
import { SYSTEM_LINKS, type ReportLink } from './reports.contract.ts'
import { REPORT_RIGHTS } from './rights.contract.ts'

const dimension = z.enum(DIMENSION_KEYS)
const measure = z.enum(Object.keys(FIGURE_MEASURES) as MeasureKey[])
const value = z.union([z.int().min(-2_147_483_648).max(2_147_483_647), z.string().max(100)])

/** What somebody asks of a report; nothing said: its first rows, no columns, the current term where it has one. */
export const figuresAsked = z.strictObject({
  rows: dimension.optional(),
  columns: dimension.nullish(),
  /** Which measure stands in the columns. */
  measure: measure.optional(),
  filters: z.record(z.string().max(60), z.array(value).min(1).max(100)).optional(),
  /** Of all terms, not of the current one. */
  every: z.boolean().optional(),
  /** Faculties, departments and programs that ended count in those that they became. */
  today: z.boolean().optional(),
})
export type FiguresAsked = z.output<typeof figuresAsked>

/** A figure; null: there is none; few: so few persons that it is told to those alone who reach them. */
export const figure = z.union([z.number(), z.literal('few')]).nullable()
export type ToldFigure = z.output<typeof figure>
const nameOfTime = z.object({
  name: z.string(),
  name_local: z.string(),
  /** The first day on which it was called otherwise; null: it still is. */
  until: z.string().nullable(),
  /** The faculty to which it belonged, where that was another one. */
  within: z.object({ name: z.string(), name_local: z.string() }).nullable(),
})
export const named = z.object({
  /** As text; null: without one. */
  key: z.string().nullable(),
  /** Of the record that it is; null where the value stands for itself. */
  of: z.object({ code: z.string().nullable(), name: z.string(), name_local: z.string().nullable() }).nullable(),
  /** What it was called at the time of the figures, where that was another name. */
  called: z.object({ of_then: nameOfTime.nullable(), former: z.array(nameOfTime) }).optional(),
})
/** A unit that went on in several: it and those are told apart, also as things are today. */
export const split = z.object({ by: dimension, of: named, on: z.string(), into: z.array(named), goes_on: z.boolean() })
export type FigureSplit = z.output<typeof split>
export type FigureLabel = z.output<typeof named>
const line = z.object({
  /** In the order of `measures`. */
  values: z.array(figure),
  /** Of `measure`, in the order of `columns`. */
  cells: z.array(figure),
})
const figures = z.object({
  rows_by: dimension,
  columns_by: dimension.nullable(),
  measures: z.array(measure),
  measure,
  columns: z.array(named),
  /** Columns with the fewest persons that are left out; the sums hold them. */
  more_columns: z.int(),
  rows: z.array(line.extend(named.shape)),
  total: line,
  /** Persons, or what else is counted, that match at all. */
  matched: z.int(),
  /** What it is narrowed by, also where nobody asked for it: the current term. */
  filters: z.array(z.object({ by: dimension, values: z.array(named) })),
  /** When the figures were read. */
  at: z.string(),
  /** Whether they were read before for somebody else, since reading them takes long. */
  kept: z.boolean(),
  /** Whether units that ended count in those that they became; null: none of the report became one other. */
  today: z.boolean().nullable(),
  splits: z.array(split),
})
export type SystemFigures = z.output<typeof figures>
export type FigureRow = SystemFigures['rows'][number]

/** Which cell of a report: its row and its column, where it has one; left out: all of them. */
export const cellAsked = z.strictObject({
  ...figuresAsked.shape,
  measure,
  row: z.string().max(100).nullish(),
  of_row: z.boolean().default(false),
  column: z.string().max(100).nullish(),
  of_column: z.boolean().default(false),
  page: z.int().min(1).max(100_000).default(1),
  perPage: z.int().min(1).max(500).default(25),
})
export type CellAsked = z.output<typeof cellAsked>
export const cellRows = z.object({
  /** Columns of the list of rows, after whom or what a row is. */
  facts: z.array(z.enum(FACT_KEYS)),
  rows: z.array(
    z.object({
      /** The address of its record. */
      to: z.string().nullable(),
      code: z.string().nullable(),
      name: z.string(),
      name_local: z.string().nullable(),
      facts: z.array(z.union([z.string(), z.number(), z.tuple([z.string(), z.string()])]).nullable()),
    }),
  ),
})
/** What the job that makes a sheet of rows answers. */
export interface MadeSheet {
  readonly name: string
  readonly link: ReportLink
  readonly hash: string
  readonly rows: number
  /** Of when its rows are. */
  readonly at: string
  /** Until when it can be fetched. */
  readonly until: string
}
export type CellRows = z.output<typeof cellRows>

const link = z.object({ link: z.enum(SYSTEM_LINKS) })
const paper = link.extend({ lang: paperLanguage, type: z.enum(['pdf', 'xlsx']) })
const file = { name: 'Report.pdf', type: 'pdf' } as const
/** In an address: dimensions by their names, values separated by commas. */
export const addressAsked = z.strictObject({
  rows: dimension.optional(),
  columns: dimension.optional(),
  measure: measure.optional(),
  every: z.enum(['true', 'false']).optional(),
  today: z.enum(['true', 'false']).optional(),
  ...Object.fromEntries(DIMENSION_KEYS.map((key) => [key, z.string().min(1).max(400).optional()])),
})

export const figuresCalls = {
  figures: call('POST', '/reports/{link}', {
    heavy: true,
    permission: REPORT_RIGHTS,
    summary: ['Figures of a report', 'أرقام تقرير'],
    params: link,
    // `fresh`: not those that were kept.
    body: figuresAsked.extend({ fresh: z.boolean().optional() }),
    response: z.object({ data: figures }),
    reads: true,
    example: {},
  }),
  rows: call('POST', '/reports/{link}/rows', {
    heavy: true,
    permission: REPORT_RIGHTS,
    summary: ['The rows behind a figure of a report', 'السجلات وراء رقم في تقرير'],
    params: link,
    body: cellAsked,
    response: z.object({ data: cellRows, meta: z.object({ count: z.int(), people: z.int() }) }),
    reads: true,
    example: { measure: 'applicants' },
  }),
  rowsSheet: call('POST', '/reports/{link}/rows/xlsx', {
    permission: REPORT_RIGHTS,
    summary: ['All rows behind a figure of a report as a sheet', 'كل السجلات وراء رقم في تقرير كورقة عمل'],
    params: link,
    body: cellAsked.omit({ page: true, perPage: true }).extend({ lang: paperLanguage }),
    response: z.object({ job_id: z.string() }),
    example: { measure: 'applicants', lang: 'en' },
  }),
  rowsSheetFile: call('GET', '/reports/sheets/{job_id}', {
    permission: REPORT_RIGHTS,
    summary: ['The sheet of rows that a job has made for me', 'ورقة السجلات التي أُعدت لي'],
    params: z.object({ job_id: z.uuid() }),
    file: { name: 'Rows.xlsx', type: 'xlsx' },
  }),
  file: call('POST', '/reports/{link}/download/{lang}/{type}', {
    permission: REPORT_RIGHTS,
    summary: ['A report as PDF or XLSX', 'تقرير بصيغة PDF أو XLSX'],
    params: paper,
    body: figuresAsked,
    file,
    reads: true,
    example: {},
  }),
  fileByLink: call('GET', '/reports/{link}/download/{lang}/{type}', {
    permission: REPORT_RIGHTS,
    summary: ['A report as PDF or XLSX, by its link', 'تقرير بصيغة PDF أو XLSX باسم رابطه'],
    params: paper,
    query: addressAsked,
    file,
  }),
}
