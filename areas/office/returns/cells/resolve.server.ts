/** From what cells ask for, in codes, to figures of the declared layer. */
import { figureValues, type FigureAsked } from '#areas/office/reports/figures/values.server.ts'
import { dimensionOf, type DimensionKey } from '#areas/office/reports/figures/dimensions.contract.ts'
import { measureOf } from '#areas/office/reports/figures/measures.contract.ts'
import type { Db, Tx } from '#db/connect.ts'
import { sql } from 'kysely'
import {
  cellKey,
  choiceOf,
  dimensionsOf,
  readCell,
  THIS,
  type CellFigure,
  type CellMistake,
  type FormCell,
} from './cell.rules.ts'

/** Of what a return is: cells that name no year and no term are of it, where their rows have one. */
export interface ReturnTime {
  readonly year_id: number
  readonly term_id: number | null
}
export interface AskedCell extends FormCell {
  readonly key: string
  readonly sum: string | null
  readonly figure: FigureAsked
}
export interface CellsRead {
  readonly asked: readonly AskedCell[]
  readonly mistakes: readonly (FormCell & { readonly mistake: CellMistake })[]
  /** Cells with words alone: the year, the name of the university. */
  readonly words: readonly FormCell[]
}

type Found = ReadonlyMap<DimensionKey, ReadonlyMap<string, number>>
/** Records by their codes, of all dimensions that any cell names; one statement for each. */
async function recordsOf(db: Db | Tx, figures: readonly CellFigure[]): Promise<Found> {
  const wanted = new Map<DimensionKey, Set<string>>()
  for (const { by, codes } of figures.flatMap((figure) => figure.filters)) {
    if (!dimensionOf(by).table) continue
    const set = wanted.get(by) ?? new Set()
    for (const code of codes) if (code.toLowerCase() !== THIS) set.add(code.toLowerCase())
    wanted.set(by, set)
  }
  const found = new Map<DimensionKey, ReadonlyMap<string, number>>()
  for (const [by, codes] of wanted) {
    const { rows } = await sql<{ id: number; code: string }>`
      select t.id, lower(t.code) as code from ${sql.table(dimensionOf(by).table!)} t
      where lower(t.code) = any(${[...codes]}::text[]) order by to_jsonb(t) ->> 'removed_at' nulls last`.execute(db)
    found.set(by, new Map(rows.map(({ code, id }) => [code, id])))
  }
  return found
}

/** What the cells of a template ask for in a year or term; `null`: whether they can be read at all. */
export async function readCells(db: Db | Tx, cells: readonly FormCell[], time: ReturnTime | null): Promise<CellsRead> {
  const read = cells.map((cell) => ({ cell, asked: readCell(cell.text) }))
  const figures = read.flatMap(({ asked }) => (asked.kind === 'figure' ? [asked.figure] : []))
  const records = await recordsOf(db, figures)
  const asked: AskedCell[] = []
  const mistakes: (FormCell & { mistake: CellMistake })[] = []
  for (const { cell, asked: one } of read) {
    if (one.kind === 'mistake') mistakes.push({ ...cell, mistake: one.mistake })
    if (one.kind !== 'figure') continue
    const resolved = resolve(one.figure, records, time)
    if ('kind' in resolved) mistakes.push({ ...cell, mistake: resolved })
    else asked.push({ ...cell, key: cellKey(one.figure), sum: one.figure.sum, figure: resolved })
  }
  return { asked, mistakes, words: read.flatMap((one) => (one.asked.kind === 'words' ? [one.cell] : [])) }
}

function resolve(figure: CellFigure, records: Found, time: ReturnTime | null): FigureAsked | CellMistake {
  const filters: { by: DimensionKey; values: (string | number)[] }[] = []
  for (const { by, codes } of figure.filters) {
    const { table } = dimensionOf(by)
    const values: (string | number)[] = []
    for (const code of codes) {
      const own = table === 'years' ? time?.year_id : table === 'terms' ? time?.term_id : undefined
      const isThis = code.toLowerCase() === THIS && (table === 'years' || table === 'terms')
      const value = isThis
        ? time
          ? (own ?? null)
          : 0
        : table
          ? records.get(by)?.get(code.toLowerCase())
          : choiceOf(by, code)
      if (value === null || value === undefined) return { kind: 'code', data: { code, by } }
      values.push(value)
    }
    filters.push({ by, values: [...new Set(values)] })
  }
  const has = (by: DimensionKey) => filters.some((one) => one.by === by)
  const may = dimensionsOf(figure.measure)
  // A cohort has a year of its own: that in which it entered.
  if (time && !has('term') && !has('year') && measureOf(figure.measure).of !== 'cohort') {
    if (time.term_id !== null && may.has('term')) filters.push({ by: 'term', values: [time.term_id] })
    else if (may.has('year')) filters.push({ by: 'year', values: [time.year_id] })
  }
  return { measure: figure.measure, filters }
}

/** The figures of cells as they are now. */
export const valuesOf = (db: Db | Tx, cells: readonly AskedCell[]): Promise<(number | null)[]> =>
  figureValues(
    db,
    cells.map(({ figure }) => figure),
  ).then((values) =>
    // Amounts are kept in the smallest unit, and written in whole ones.
    values.map((value, at) =>
      value !== null && measureOf(cells[at]!.figure.measure).unit === 'usd' ? value / 100 : value,
    ),
  )
