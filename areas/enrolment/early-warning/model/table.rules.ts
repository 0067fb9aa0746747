/** Columns of a table of text: which are numbers, codes or categories, and which say nothing. */

export interface CellTable {
  readonly heads: readonly string[]
  readonly rows: readonly (readonly string[])[]
}
/** What cannot be fitted or scored, in words. */
export class WarningModelError extends Error {}

export type DecimalPoint = '.' | ','
export interface Column {
  readonly name: string
  /** `code`: few whole numbers, which may be an order or names. */
  readonly kind: 'number' | 'code' | 'category'
  /** Of codes and categories: those that are common enough to be told apart. */
  readonly values: readonly string[]
  readonly mean: number
  readonly sd: number
  /** What most have: the median, or the most common. */
  readonly usual: string
  /** Missing in some rows. */
  readonly gaps: boolean
}
export interface LeftOut {
  readonly name: string
  readonly why: string
}

const GROUPED = { '.': /^[-+]?\d{1,3}(,\d{3})+(\.\d+)?$/, ',': /^[-+]?\d{1,3}(\.\d{3})+(,\d+)?$/ }
const PLAIN = { '.': /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i, ',': /^[-+]?(\d+,?\d*|,\d+)(e[-+]?\d+)?$/i }
const EMPTY = /^(|na|n\/a|nan|null|none|-|–|\?)$/i

export const isEmpty = (text: string | undefined): boolean => text === undefined || EMPTY.test(text)

/** A cell as a number, by the decimal mark of its table; not a number where it is none. */
export function numberOf(text: string | undefined, mark: DecimalPoint): number {
  if (text === undefined || isEmpty(text)) return NaN
  const bare = text.endsWith('%') ? text.slice(0, -1).trim() : text
  if (GROUPED[mark].test(bare))
    return Number(mark === ',' ? bare.replaceAll('.', '').replace(',', '.') : bare.replaceAll(',', ''))
  if (!PLAIN[mark].test(bare)) return NaN
  return Number(mark === ',' ? bare.replace(',', '.') : bare)
}

/** The decimal mark of a table: what its cells could only mean. `1,234` alone means nothing certain. */
export function decimalMark({ rows }: CellTable): DecimalPoint {
  let [point, comma] = [0, 0]
  for (const row of rows.slice(0, 2_000))
    for (const cell of row) {
      if (/^[-+]?\d*\.\d+$/.test(cell) && !/^[-+]?\d{1,3}\.\d{3}$/.test(cell)) point += 1
      else if (/^[-+]?\d*,\d+$/.test(cell) && !/^[-+]?\d{1,3},\d{3}$/.test(cell)) comma += 1
    }
  return comma > point ? ',' : '.'
}

const ID_NAME =
  /(^|[\s_.-])(id|uuid|code|number|no|nr|matricula|matrikelnummer|رقم|كود)$|^(id|student|name|e-?mail|الاسم)$|student.?(id|code|number|no)|Id$/iu
const COUNT = 40
/** Why a column of ids is not learned from. */
export const NAMES_ROWS = 'tells rows apart like an id'

/** Whether values call a row by a name, so that a model would only learn them by heart. */
function isName(name: string, texts: readonly string[], numbers: readonly number[] | null): boolean {
  const distinct = new Set(texts).size
  const share = distinct / texts.length
  if (texts.length < 20) return ID_NAME.test(name) && share > 0.9
  if (ID_NAME.test(name) && share > 0.5) return true
  if (numbers === null) return share > 0.5 && distinct > COUNT
  if (share < 0.95 || numbers.some((one) => !Number.isInteger(one))) return false
  // Numbers given one after the other, or so long that they can only be numbers of something.
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  return most - least < 3 * texts.length || least >= 1e6 || numbers.every((one, i) => i === 0 || one >= numbers[i - 1]!)
}

/** A column of the table, or why nothing can be learned from it; `kept` is taken even if it looks like an id. */
export function columnOf(name: string, cells: readonly string[], mark: DecimalPoint, kept = false): Column | LeftOut {
  const texts = cells.filter((cell) => !isEmpty(cell))
  if (!texts.length) return { name, why: 'empty' }
  if (new Set(texts).size === 1 && texts.length === cells.length) return { name, why: 'the same in all rows' }
  const read = texts.map((text) => numberOf(text, mark))
  const numbers = read.filter((one) => !Number.isNaN(one))
  // A few cells that are no numbers are mistakes; many make it a column of words.
  const numeric = numbers.length >= 0.9 * texts.length && numbers.length > 0
  if (!kept && isName(name, texts, numeric ? numbers : null)) return { name, why: NAMES_ROWS }
  const gaps = (numeric ? numbers.length : texts.length) < cells.length
  if (!numeric) return { ...words(name, texts), gaps }
  const mean = numbers.reduce((sum, one) => sum + one, 0) / numbers.length
  const sd = Math.sqrt(numbers.reduce((sum, one) => sum + (one - mean) ** 2, 0) / numbers.length)
  const sorted = numbers.toSorted((a, b) => a - b)
  const distinct = new Set(numbers)
  if (distinct.size <= COUNT && numbers.every((one) => Number.isInteger(one))) {
    const { values, usual } = words(name, numbers.map(String))
    // Of an order, the middle; of two, the more common.
    const middle = String(sorted[Math.floor(sorted.length / 2)])
    return { name, kind: 'code', values, mean, sd, usual: distinct.size > 6 ? middle : usual, gaps }
  }
  return { name, kind: 'number', values: [], mean, sd, usual: String(sorted[Math.floor(sorted.length / 2)]), gaps }
}

function words(name: string, texts: readonly string[]): Omit<Column, 'gaps'> {
  const counted = new Map<string, number>()
  for (const text of texts) counted.set(text, (counted.get(text) ?? 0) + 1)
  const least = Math.max(3, texts.length * 0.002)
  const common = [...counted].toSorted((a, b) => b[1] - a[1])
  const values = common.filter(([, count]) => count >= least).slice(0, COUNT)
  return {
    name,
    kind: 'category',
    values: values.map(([value]) => value),
    mean: 0,
    sd: 1,
    usual: common[0]?.[0] ?? '',
  }
}
