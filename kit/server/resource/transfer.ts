import { sql } from 'kysely'
import { dayOf } from '#kit/contract/day.ts'
import { fill, inLanguage, knownBy } from '#kit/contract/index.ts'
import type { ListQuery, PaperLanguage, Access } from '#kit/contract/index.ts'
import type { Ctx, FileResult } from '../base/context.ts'
import { renderListPdf } from '../documents/index.ts'
import { refuse } from '../base/errors.ts'
import { serverField } from '../base/fields.ts'
import type { Column } from '../base/field-filters.ts'
import { VERSION_HEADER, importableBy, versionCell } from './imports/sheet.ts'
import { resourceNamed } from '../base/registry.ts'
import { rowsOf } from './served.ts'
import type { Served, Values } from './served.ts'
import { writeSheet } from '../sheets/index.ts'
import type { WriteColumn, WriteValue } from '../sheets/index.ts'
import { universityHead } from '../base/university.ts'

// --- Out ------------------------------------------------------------------------------------------------------------

/** Rows an export may hold, as the documents say. */
export const EXPORT_LIMIT = 5000

/** A column of an exported table. `text` is what a row shows there. */
export interface ExportColumn<Row> {
  readonly header: string
  readonly type: WriteColumn['type']
  /** Stands in a sheet without being shown, and not on paper. */
  readonly hidden?: boolean
  readonly text: (row: Row) => WriteValue
}

/** A table of a file: rows under columns, below a heading where there are several. */
interface FileTable<Row> {
  readonly heading?: string
  readonly columns: readonly ExportColumn<Row>[]
  readonly rows: readonly Row[]
}

/** A table whose rows are of another kind than those it stands beside: its cells are worked out. */
export const furtherTable = <Row>({
  heading,
  columns,
  rows,
}: FileTable<Row> & { heading: string }): FileTable<unknown> => ({
  heading,
  columns: columns.map(({ text, ...column }) => ({ ...column, text: (row) => text(row as Row) })),
  rows,
})

/** Texts with `{places}` of the head of papers. */
const COUNT = ['Rows', 'عدد الصفوف'] as const
const PRINTED = ['Printed', 'تاريخ الطباعة'] as const

const onPaper = ({ columns, rows }: FileTable<unknown>, heading: string | undefined) => ({
  ...(heading !== undefined && { heading }),
  columns: columns.map((c) => ({
    label: c.header,
    align: c.type === 'text' ? ('start' as const) : ('center' as const),
  })),
  rows: rows.map((row) => columns.map((c) => String(c.text(row) ?? ''))),
})

/** @throws {Refusal} 422 `export_limit` where more rows were read than a file takes */
export function demandFew(rows: { readonly length: number }): void {
  if (rows.length > EXPORT_LIMIT) throw refuse(422, 'export_limit')
}
/** @throws {Refusal} 422 `no_rows` where a file would have nothing in it */
export function demandSome(rows: { readonly length: number }): void {
  if (!rows.length) throw refuse(422, 'no_rows')
}

/**
 * A table as XLSX or PDF in one language: what every export of the program is made by. A list is read up to one row more than
 * fits, so that more are refused; a paper with `facts` of its own stands also where its table is empty. `more` tables
 * ({@link furtherTable}) follow on paper under their headings, and are sheets of their own.
 *
 * @throws {Refusal} 422 `export_limit`, `no_rows`
 */
export async function tableFile<Row>(
  ctx: Ctx,
  table: FileTable<Row> & {
    title: string
    name: string
    lang: PaperLanguage
    facts?: { label: string; value: string }[]
    more?: readonly FileTable<unknown>[]
  },
  type: 'xlsx' | 'pdf',
): Promise<FileResult> {
  const { title, name, lang, columns, rows, more = [] } = table
  const tables = [furtherTable({ heading: table.heading ?? title, columns, rows }), ...more]
  for (const one of tables) demandFew(one.rows)
  if (!table.facts) demandSome(rows)
  if (type === 'xlsx') {
    const content = await writeSheet({
      sheets: tables.map((one) => ({
        name: one.heading ?? title,
        direction: lang === 'ar' ? 'rtl' : 'ltr',
        columns: one.columns.map((c, i) => ({ header: c.header, key: String(i), type: c.type, hidden: c.hidden })),
        rows: one.rows.map((row) => Object.fromEntries(one.columns.map((c, i) => [String(i), c.text(row)]))),
      })),
    })
    return { name, type, content, rows: rows.length }
  }
  const content = await renderListPdf({
    title,
    lang,
    ...onPaper(tables[0]!, table.heading),
    more: more.map((one) => onPaper(one, one.heading)),
    facts: table.facts ?? [
      { label: inLanguage(COUNT, lang), value: String(rows.length) },
      { label: inLanguage(PRINTED, lang), value: dayOf() },
    ],
    university: await universityHead(ctx),
  })
  return { name, type, content, rows: rows.length }
}

/** The language of papers nearest to the reader's. */
export const paperLang = (ctx: Ctx): PaperLanguage => (ctx.lang === 'ar' ? 'ar' : 'en')

interface ExportQuery extends ListQuery {
  columns?: string[]
  ids?: number[]
  lang?: PaperLanguage
}

/** The export of a resource's list: the same filters, the chosen columns, at most 5000 rows. */
export async function exportList(
  ctx: Ctx,
  served: Served,
  columns: readonly Column[],
  query: ExportQuery,
  type: 'xlsx' | 'pdf',
): Promise<FileResult> {
  const { def } = served
  const lang = query.lang ?? paperLang(ctx)
  const offered = columns.filter(
    ({ name, field }) =>
      !field.noExport && !field.detailOnly && serverField(field).sheet !== null && served.reads(ctx, name as never),
  )
  const chosen = query.columns?.length
    ? query.columns.map((name) => {
        const column = offered.find((c) => c.name === name)
        if (!column) throw refuse(422, 'unknown_field', { field: name }, 'columns')
        return column
      })
    : type === 'pdf'
      ? def.list.columns.flatMap((name) => offered.filter((c) => c.name === name))
      : offered
  // A sheet may come back as an import, which then knows what was changed in between.
  const comesBack = type === 'xlsx' && def.permissions.import !== null && knownBy(def) !== null
  const { rows: clock } = await sql<{ at: string }>`select now() as at`.execute(ctx.db)
  const rows = await rowsOf(ctx, served, query, EXPORT_LIMIT + 1, query.ids, def.permissions.export as Access)
  return tableFile(
    ctx,
    {
      title: inLanguage(def.many, lang),
      name: def.exportName,
      lang,
      columns: [
        ...chosen.map((c) => ({
          header: inLanguage(c.field.label, lang),
          type: serverField(c.field).sheet as WriteColumn['type'],
          text: (row: Values) => serverField(c.field).text(row, c, lang),
        })),
        ...(comesBack
          ? [
              {
                header: inLanguage(VERSION_HEADER, lang),
                type: 'text' as const,
                hidden: true,
                text: (row: Values) => versionCell(row.version as number, clock[0]!.at),
              },
            ]
          : []),
      ],
      rows,
    },
    type,
  )
}

// --- In -------------------------------------------------------------------------------------------------------------

/** An empty sheet with the headers of a resource, in the reader's language; notes say what belongs in a column. */
export async function importTemplate(ctx: Ctx, served: Served): Promise<FileResult> {
  const { def } = served
  const lang = paperLang(ctx)
  const say = (en: string, ar: string): string => inLanguage([en, ar], lang)
  const columns = importableBy(ctx, served).map(({ name, field }): WriteColumn => {
    const target = field.to ? resourceNamed(field.to) : undefined
    const note = [
      field.required ? say('Must be filled.', 'يجب ملؤه.') : '',
      field.choices
        ? `${say('One of:', 'قيمة من:')} ${field.choices.map((c) => inLanguage(c.label, lang)).join(lang === 'ar' ? '، ' : ', ')}`
        : '',
      target ? fill(say('Code or name: {what}.', 'كود أو اسم: {what}.'), { what: inLanguage(target.one, lang) }) : '',
      field.help ? inLanguage(field.help, lang) : '',
    ].filter(Boolean)
    const { sheet } = serverField(field)
    return {
      header: inLanguage(field.label, lang),
      key: name,
      type: sheet ?? 'text',
      ...(note.length && { note: note.join('\n') }),
    }
  })
  const content = await writeSheet({
    sheets: [{ name: inLanguage(def.many, lang), direction: lang === 'ar' ? 'rtl' : 'ltr', columns, rows: [] }],
  })
  return { name: `${def.exportName} template`, type: 'xlsx', content }
}
