/** Rows of a table as the numbers that models are fitted to. */
import type { SparseRows } from './logistic.rules.ts'
import {
  decimalMark,
  isEmpty,
  numberOf,
  WarningModelError,
  type Column,
  type DecimalPoint,
  type CellTable,
} from './table.rules.ts'

/** A part of a whole that another column counts: passed of registered. */
export interface PartOfWhole {
  readonly part: number
  readonly whole: number
}
/** What a model reads, in an order of its own. */
export interface Schema {
  readonly columns: readonly Column[]
  readonly shares: readonly PartOfWhole[]
}
/** By column, the values of the rows: numbers, or the place among the values of a category; not a number where missing or unknown. */
export type Encoded = readonly Float64Array[]
export interface ReadCells {
  readonly encoded: Encoded
  readonly unknown: readonly { readonly name: string; readonly count: number; readonly values: readonly string[] }[]
}

/** Where the columns of a model are in a table. @throws {WarningModelError} naming those that are missing */
function placesOf({ heads }: CellTable, columns: readonly Column[]): number[] {
  const lower = heads.map((head) => head.trim().toLowerCase())
  const places = columns.map(({ name }) => {
    const exact = heads.indexOf(name)
    return exact < 0 ? lower.indexOf(name.trim().toLowerCase()) : exact
  })
  const missing = columns.filter((_, i) => places[i]! < 0).map(({ name }) => `"${name}"`)
  if (missing.length) throw new WarningModelError(`the model needs columns that are not there: ${missing.join(', ')}`)
  return places
}

/** The cells of a table as a model reads them, with what it does not know. */
export function encode(
  table: CellTable,
  columns: readonly Column[],
  mark: DecimalPoint = decimalMark(table),
): ReadCells {
  const places = placesOf(table, columns)
  const unknown: { name: string; count: number; values: string[] }[] = []
  const encoded = columns.map((column, c) => {
    const place = places[c]!
    const index = new Map(column.values.map((value, i) => [value, i]))
    const strange = new Set<string>()
    let count = 0
    const values = Float64Array.from(table.rows, (row) => {
      const cell = row[place]
      if (cell === undefined || isEmpty(cell)) return NaN
      const value = column.kind === 'category' ? (index.get(cell) ?? NaN) : numberOf(cell, mark)
      if (Number.isNaN(value)) {
        count += 1
        if (strange.size < 5) strange.add(cell)
      }
      return value
    })
    if (count) unknown.push({ name: column.name, count, values: [...strange] })
    if (column.kind !== 'category' && table.rows.length > 4 && count > table.rows.length / 2)
      throw new WarningModelError(
        `"${column.name}" was numbers when the model was fitted; here most cells are not: ${[...strange].join(', ')}`,
      )
    return values
  })
  return { encoded, unknown }
}

const wordsOf = (name: string) => new Set(name.toLowerCase().match(/[\p{L}\d]+/gu) ?? [])
/** Most words are the same: "approved of term 1" and "registered of term 1". */
function alike(a: string, b: string): boolean {
  const [one, other] = [wordsOf(a), wordsOf(b)]
  const both = [...one].filter((word) => other.has(word)).length
  return both > 0 && both >= Math.max(one.size, other.size) - 1
}

/** Pairs of columns of which one counts a part of the other: whole numbers, never more, named alike. */
export function sharesIn(columns: readonly Column[], encoded: Encoded): PartOfWhole[] {
  const found: PartOfWhole[] = []
  const counts = columns.flatMap((column, c) =>
    column.kind !== 'category' && encoded[c]!.every((one) => Number.isNaN(one) || (one >= 0 && Number.isInteger(one)))
      ? [c]
      : [],
  )
  for (const part of counts)
    for (const whole of counts) {
      if (part === whole || !alike(columns[part]!.name, columns[whole]!.name)) continue
      if (columns[part]!.mean >= columns[whole]!.mean || columns[whole]!.values.length <= 2) continue
      let [within, rows] = [0, 0]
      for (let i = 0; i < encoded[part]!.length; i += 1) {
        const [a, b] = [encoded[part]![i]!, encoded[whole]![i]!]
        if (Number.isNaN(a) || Number.isNaN(b)) continue
        rows += 1
        if (a <= b) within += 1
      }
      if (rows > 0 && within >= 0.97 * rows && columns[part]!.mean > 0.2 * columns[whole]!.mean)
        found.push({ part, whole })
    }
  return found.slice(0, 12)
}

const shareOf = (part: number, whole: number) => (whole > 0 ? part / whole : NaN)

/** What trees split: numbers and codes as they are, shares, and yes or no for each category. */
export function treeFeatures({ columns, shares }: Schema, encoded: Encoded): Float64Array[] {
  const features: Float64Array[] = []
  for (const [c, column] of columns.entries()) {
    const values = encoded[c]!
    if (column.kind !== 'category') features.push(values)
    else
      for (let v = 0; v < column.values.length; v += 1)
        features.push(values.map((value) => (Number.isNaN(value) ? NaN : value === v ? 1 : 0)))
  }
  for (const { part, whole } of shares)
    features.push(encoded[part]!.map((value, i) => shareOf(value, encoded[whole]![i]!)))
  return features
}

/** What the regression weighs: numbers by their spread, a column of its own for each code and category, and for what is missing. */
export function sparseRows({ columns, shares }: Schema, encoded: Encoded): SparseRows {
  const n = encoded[0]?.length ?? 0
  const begins = new Int32Array(n + 1)
  const at: number[] = []
  const values: number[] = []
  const bases: number[] = []
  let width = 0
  for (const column of columns) {
    bases.push(width)
    width += (column.kind === 'category' ? 0 : 1) + column.values.length + (column.gaps ? 1 : 0)
  }
  const places = columns.map(({ kind, values: known }) =>
    kind === 'code' ? new Map(known.map((value, i) => [Number(value), i])) : null,
  )
  const push = (column: number, value: number) => {
    at.push(column)
    values.push(value)
  }
  for (let i = 0; i < n; i += 1) {
    for (const [c, column] of columns.entries()) {
      const value = encoded[c]![i]!
      const base = bases[c]!
      const before = column.kind === 'category' ? 0 : 1
      if (Number.isNaN(value)) {
        if (column.gaps) push(base + before + column.values.length, 1)
        continue
      }
      if (before && column.sd > 0) push(base, Math.max(-4, Math.min(4, (value - column.mean) / column.sd)))
      const place = column.kind === 'category' ? value : places[c]?.get(value)
      if (place !== undefined) push(base + before + place, 1)
    }
    for (const [s, { part, whole }] of shares.entries()) {
      const share = shareOf(encoded[part]![i]!, encoded[whole]![i]!)
      if (!Number.isNaN(share)) push(width + s, 3 * Math.min(share, 1.5) - 1.5)
    }
    begins[i + 1] = at.length
  }
  return { begins, columns: Int32Array.from(at), values: Float64Array.from(values), width: width + shares.length }
}
