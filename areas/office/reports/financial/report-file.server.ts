/** A report as a file: typeset to print, or as a sheet to go on computing with, from the same tables as the screen. */
import { fileURLToPath } from 'node:url'
import { dayOf } from '#kit/contract/day.ts'
import { inLanguage, type Label, type PaperLanguage } from '#kit/contract/index.ts'
import type { Ctx, FileResult } from '#kit/server/base/context.ts'
import { fileName } from '#kit/server/base/file-name.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { registerTemplate } from '#kit/server/documents/index.ts'
import { renderPaper } from '#kit/server/papers/papers.ts'
import { writeSheet } from '#kit/server/sheets/index.ts'
import { groupedAmount, plain, type Cell, type ReportColumn } from './financial.rules.ts'
import { sizeOnPaper, widthOnPaper } from './paper.rules.ts'
import type { ReportTable } from './tables.rules.ts'

registerTemplate('financial-report', fileURLToPath(new URL('./report.typ', import.meta.url)))

type Kind = ReportColumn<never>['kind']
const PRINTED: Label = ['Printed', 'تاريخ الطباعة']
const headed = (column: ReportColumn<never>, lang: PaperLanguage): string => {
  const label = inLanguage(column.label, lang)
  return column.head ? `${inLanguage(column.head, lang)}: ${label}` : label
}
/** Texts run as they are written; a range such as 1–3 is one text. */
const onPaper = (cell: Cell, kind: Kind): string =>
  cell === null
    ? ''
    : typeof cell === 'string'
      ? cell
      : kind === 'money'
        ? groupedAmount(cell)
        : kind === 'percent'
          ? `${cell.toFixed(1)} %`
          : kind === 'decimal'
            ? cell.toFixed(2)
            : String(cell)
const inSheet = (cell: Cell, kind: Kind): Cell => (kind === 'money' && typeof cell === 'number' ? plain(cell) : cell)
/** What a column of a sheet holds. One in which a figure of few is not told holds texts. */
const typeInSheet = (kind: Kind, cells: readonly Cell[]): 'text' | 'decimal' | 'number' =>
  kind === 'text' || cells.some((cell) => typeof cell === 'string') ? 'text' : kind === 'money' ? 'decimal' : 'number'

/** What stands above the tables of a file, and in their place where there are none. */
export interface FileHead {
  readonly title: Label
  readonly empty: Label
  readonly facts: readonly (readonly [label: string, value: string])[]
}
export async function reportFile(
  ctx: Ctx,
  { lang, type }: { readonly lang: PaperLanguage; readonly type: 'pdf' | 'xlsx' },
  { title, empty, facts }: FileHead,
  tables: readonly ReportTable<never>[],
): Promise<FileResult> {
  const say = (label: Label) => inLanguage(label, lang)
  const name = fileName(type, inLanguage(title, 'en'), dayOf())
  const rowsOf = (table: ReportTable<never>) => table.rows.map((row) => table.columns.map((column) => column.of(row)))
  if (type === 'xlsx') {
    const none: ReportTable<never> = { currency: null, columns: [], rows: [], total: null }
    const content = await writeSheet({
      sheets: (tables.length ? tables : [none]).map((table) => {
        const lines = [...rowsOf(table), ...(table.total ? [table.total] : [])]
        return {
          name: table.currency ?? say(table.name ?? title),
          direction: lang === 'ar' ? ('rtl' as const) : ('ltr' as const),
          columns: table.columns.length
            ? table.columns.map((column, i) => ({
                header: headed(column, lang),
                key: String(i),
                type: typeInSheet(column.kind, column.kind === 'money' ? [] : lines.map((cells) => cells[i] ?? null)),
              }))
            : [{ header: say(empty), key: '0', type: 'text' as const }],
          rows: lines.map((cells) =>
            Object.fromEntries(cells.map((cell, i) => [String(i), inSheet(cell, table.columns[i]!.kind)])),
          ),
        }
      }),
    })
    return { name, type, content }
  }
  const content = await renderPaper({
    template: 'financial-report',
    created: new Date(),
    data: {
      lang,
      title: say(title),
      university: await universityHead(ctx),
      facts: [...facts, [say(PRINTED), dayOf()] as const].map(([label, value]) => ({ label, value })),
      empty: say(empty),
      parts: tables.map((table) => {
        const rows = rowsOf(table).map((cells) => cells.map((cell, i) => onPaper(cell, table.columns[i]!.kind)))
        const total = table.total && table.total.map((cell, i) => onPaper(cell, table.columns[i]!.kind))
        const columns = table.columns.map((column, i) => {
          const label = headed(column, lang)
          const cells = [...rows, ...(total ? [total] : [])].map((row) => row[i] ?? '')
          return {
            label,
            align: column.kind === 'text' ? 'start' : 'end',
            weight: widthOnPaper(column.kind, label, cells),
          }
        })
        const size = sizeOnPaper(columns.map(({ weight }) => weight))
        return { title: table.currency ?? (table.name ? say(table.name) : ''), size, columns, rows, total }
      }),
    },
  })
  return { name, type, content }
}
