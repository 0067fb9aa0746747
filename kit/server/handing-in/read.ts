/** Reads a sheet that is handed in: its first line says what each column is. */
import { fold } from '#kit/contract/index.ts'
import type { Upload } from '../base/context.ts'
import { refuse } from '../base/errors.ts'
import type { Reason } from '../base/errors.ts'
import type { SheetFacts, SheetLine } from '../resource/imports/imports.ts'
import { sheetError } from '../resource/imports/sheet.ts'
import { readCsv, readSheet } from '../sheets/index.ts'
import type { Cell } from '../sheets/index.ts'

/** Rows that a sheet may bring at once. */
const MOST_ROWS = 5000

export type SheetReason = Pick<Reason, 'code' | 'data'>

/**
 * What a heading means: a field of the row (`header`: as it is shown, where that is not as it stands); known, not
 * taken, and told (`ignored`) or not worth a word (`passed`); what is wrong with it; null: nobody knows it.
 */
export type Heading = { readonly field: string; readonly header?: string } | 'ignored' | 'passed' | SheetReason | null

/** Which columns a sheet may have. */
export interface SheetPlan {
  /** Columns beside those of the sheet, by their heads: whoever judges a row says what stands there. */
  readonly beside?: Readonly<Record<string, string>>
  heading(text: string): Heading
  /** What the sheet needs and does not have. */
  lacks(has: (field: string) => boolean): readonly SheetReason[]
  /** Whether a row counts; without it each does in which something stands. */
  counts?(cells: SheetLine['cells']): boolean
  readonly maxRows?: number
}

/** Headings by the words they may be; others are told as ignored. */
export const headingByWords =
  (words: Readonly<Record<string, readonly string[]>>) =>
  (text: string): Heading => {
    const found = Object.entries(words).find(([, some]) => some.some((word) => fold(word) === fold(text)))
    return found ? { field: found[0] } : 'ignored'
  }

/** The columns of a head, with their places, and everything that is wrong with it. */
function readHead(head: readonly Cell[], plan: SheetPlan, knownBy: string, file: string) {
  const facts: SheetFacts = { file, columns: [], ignored: [], errors: [] }
  const places = new Map<string, number>()
  const tell = (column: string | null, reason: SheetReason) => facts.errors.push(sheetError(1, column, reason))
  for (const [at, { text }] of head.entries()) {
    if (!text) continue
    const means = plan.heading(text)
    if (means === null) tell(text, { code: 'sheet_column_unknown', data: { column: text } })
    else if (means === 'ignored') facts.ignored.push(text)
    else if (means === 'passed') continue
    else if (!('field' in means)) tell(text, means)
    else if (places.has(means.field)) tell(text, { code: 'sheet_column_twice', data: { column: text } })
    else {
      places.set(means.field, at)
      facts.columns.push({ field: means.field, header: means.header ?? text })
    }
  }
  for (const reason of plan.lacks((field) => places.has(field))) tell(null, reason)
  const beside = Object.entries(plan.beside ?? {}).map(([field, header]) => ({ field, header, fixed: true }))
  facts.columns.splice(facts.columns.findIndex(({ field }) => field === knownBy) + 1, 0, ...beside)
  return { facts, places }
}

/**
 * The first sheet of a file as lines.
 *
 * @param knownBy the field by which a row is known: without its column no row is read
 * @throws {Refusal} 422 when it has no rows, too many of them, or is no sheet
 */
export async function readHandedIn(
  file: Upload,
  plan: SheetPlan,
  knownBy: string,
): Promise<{ facts: SheetFacts; lines: readonly SheetLine[] }> {
  const limits = { maxRows: (plan.maxRows ?? MOST_ROWS) + 1 }
  const book = file.ext === 'csv' ? await readCsv(file.content, limits) : await readSheet(file.content, limits)
  const [head, ...rows] = book.sheets[0]?.rows ?? []
  if (!head || !rows.length) throw refuse(422, 'sheet_empty', undefined, 'file')
  const { facts, places } = readHead(head, plan, knownBy, file.name)
  const lines = rows.flatMap((cells, i): SheetLine[] => {
    if (!places.has(knownBy) || cells.every((cell) => cell.type === 'empty')) return []
    const read: Record<string, Cell> = {}
    for (const [field, at] of places) {
      const cell = cells[at]
      if (cell && cell.type !== 'empty') read[field] = cell
    }
    return plan.counts && !plan.counts(read) ? [] : [{ row: i + 2, cells: read, exported: null }]
  })
  if (!lines.length && !facts.errors.length) throw refuse(422, 'sheet_empty', undefined, 'file')
  return { facts, lines }
}
