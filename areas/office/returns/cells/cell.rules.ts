/** What the text of a cell asks for: `{{students|faculty=ENG|gender=female}}`, in keys and codes, never ids. */
import { fold } from '#kit/contract/fold.ts'
import { DIMENSION_KEYS, dimensionOf, type DimensionKey } from '#areas/office/reports/figures/dimensions.contract.ts'
import {
  MEASURE_KEYS,
  measureOf,
  type MeasureKey,
  type SubjectKey,
} from '#areas/office/reports/figures/measures.contract.ts'
import { SYSTEM_LINKS, systemReport } from '#areas/office/reports/figures/reports.contract.ts'

/** A cell of a template that asks for something. */
export interface FormCell {
  readonly sheet: string
  readonly cell: string
  readonly text: string
}
export interface CellFilter {
  readonly by: DimensionKey
  /** Codes as they are written; `this`: the year or the term of the return. */
  readonly codes: readonly string[]
}
export interface CellFigure {
  readonly measure: MeasureKey
  readonly filters: readonly CellFilter[]
  /** It has to be the sum of these cells of its sheet: `B5:F5`. */
  readonly sum: string | null
}
/** Why a cell cannot be filled, by whom it is mended. */
export interface CellMistake {
  readonly kind: 'broken' | 'measure' | 'filter' | 'code'
  readonly data: Readonly<Record<string, string>>
}
export type CellReading =
  | { readonly kind: 'figure'; readonly figure: CellFigure }
  | { readonly kind: 'words' }
  | { readonly kind: 'mistake'; readonly mistake: CellMistake }

/** The year or the term of the return, as a code of a dimension of years or terms. */
export const THIS = 'this'
/** Words that stand anywhere in a text: `Academic year {{year}}`. */
export const FORM_WORDS = ['university', 'year', 'term', 'day'] as const
export type FormWord = (typeof FORM_WORDS)[number]
const WORDS = /\{\{\s*(university|year|term|day)\s*\}\}/gi
export const RANGE = /^([A-Z]{1,3})(\d{1,5}):([A-Z]{1,3})(\d{1,5})$/

/** Whether a text of a sheet asks for something. */
export const asksForm = (text: string): boolean => text.includes('{{')
/** A text with its words filled in. */
export const filledWords = (text: string, words: Readonly<Record<FormWord, string>>): string =>
  text.replaceAll(WORDS, (_whole, word: string) => words[word.toLowerCase() as FormWord])

const DIMENSIONS_OF = new Map<SubjectKey, ReadonlySet<DimensionKey>>()
/** By what a measure may be narrowed: by all that any report of its rows has. */
export function dimensionsOf(measure: MeasureKey): ReadonlySet<DimensionKey> {
  const { of } = measureOf(measure)
  const known = DIMENSIONS_OF.get(of)
  if (known) return known
  const reports = SYSTEM_LINKS.map(systemReport).filter((report) => report.of === of)
  const all = new Set(reports.flatMap(({ rows, columns, filters }) => [...rows, ...columns, ...filters]))
  DIMENSIONS_OF.set(of, all)
  return all
}
const isMeasure = (text: string): text is MeasureKey => (MEASURE_KEYS as readonly string[]).includes(text)
const isDimension = (text: string): text is DimensionKey => (DIMENSION_KEYS as readonly string[]).includes(text)

const mistake = (kind: CellMistake['kind'], data: Record<string, string> = {}): CellReading => ({
  kind: 'mistake',
  mistake: { kind, data },
})
/** Reads the text of a cell. What of it is not known is said, and not guessed. */
export function readCell(text: string): CellReading {
  if (!asksForm(text.replaceAll(WORDS, ''))) return { kind: 'words' }
  const inner = /^\s*\{\{([^{}]*)\}\}\s*$/.exec(text)?.[1]
  if (inner === undefined) return mistake('broken', { text })
  const [name = '', ...parts] = inner.split('|').map((part) => part.trim())
  const measure = name.toLowerCase()
  if (!isMeasure(measure)) return mistake('measure', { measure: name })
  const filters: CellFilter[] = []
  let sum: string | null = null
  for (const part of parts) {
    const [key, value, ...more] = part.split('=').map((one) => one.trim())
    if (!key || !value || more.length) return mistake('broken', { text: part })
    const by = key.toLowerCase()
    if (by === 'sum') {
      sum = value.toUpperCase().replaceAll('$', '')
      if (!RANGE.test(sum)) return mistake('broken', { text: part })
      continue
    }
    if (!isDimension(by) || !dimensionsOf(measure).has(by)) return mistake('filter', { filter: key, measure: name })
    if (filters.some((one) => one.by === by)) return mistake('broken', { text: part })
    const codes = value.split(',').map((code) => code.trim())
    if (codes.some((code) => !code)) return mistake('broken', { text: part })
    filters.push({ by, codes })
  }
  return { kind: 'figure', figure: { measure, filters, sum } }
}
/** The text of a cell that asks for this. */
export const cellText = ({ measure, filters, sum }: CellFigure): string =>
  `{{${[measure, ...filters.map(({ by, codes }) => `${by}=${codes.join(',')}`), ...(sum ? [`sum=${sum}`] : [])].join('|')}}}`
/** The same for two cells that ask for the same, in whatever order and letters: by it a return is compared with the last one. */
export const cellKey = ({ measure, filters }: CellFigure): string =>
  [measure, ...filters.map(({ by, codes }) => `${by}=${codes.map(fold).toSorted().join(',')}`).toSorted()].join('|')

/** The value of a dimension without records, by its value, its word in either language, or the beginning of one word alone. */
export function choiceOf(by: DimensionKey, code: string): string | number | null {
  const { choices, kind } = dimensionOf(by)
  if (!choices) {
    if (kind === 'number') return /^\d{1,4}$/.test(code) ? Number(code) : null
    if (kind === 'day') return /^\d{4}-\d\d-\d\d$/.test(code) ? code : null
    return kind === 'text' ? code : null
  }
  const typed = fold(code)
  const exact = choices.find(
    ({ value, label }) =>
      (typeof value === 'string' && fold(value) === typed) || label.some((word) => fold(word) === typed),
  )
  const begun = choices.filter(({ label }) => label.some((word) => fold(word).startsWith(typed)))
  return (exact ?? (begun.length === 1 ? begun[0] : undefined))?.value ?? null
}

const columnOf = (letters: string): number =>
  [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)
/** Whether a cell lies in a range: `B5` in `B5:F5`. */
export function isWithin(cell: string, range: string): boolean {
  const [, left, top, right, bottom] = RANGE.exec(range) ?? []
  const [, letters, row] = /^([A-Z]+)(\d+)$/.exec(cell) ?? []
  if (!left || !letters) return false
  const between = (value: number, a: number, b: number) => value >= Math.min(a, b) && value <= Math.max(a, b)
  return (
    between(columnOf(letters), columnOf(left), columnOf(right!)) && between(Number(row), Number(top), Number(bottom))
  )
}
