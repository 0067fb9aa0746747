/** What is wrong with a filled return, or worth a second look: each named by its cell. */
import { isWithin, type CellMistake } from './cell.rules.ts'

export const FINDING_KINDS = ['broken', 'measure', 'filter', 'code', 'empty', 'sum', 'change'] as const
export type ReturnFindingKind = (typeof FINDING_KINDS)[number]
/** These can be accepted with a reason; the others are mended in the template. */
export const ACCEPTED_KINDS: readonly ReturnFindingKind[] = ['empty', 'sum', 'change']

export interface FilledCell {
  readonly sheet: string
  readonly cell: string
  readonly text: string
  /** The same in every year. */
  readonly key: string
  readonly value: number | null
  /** The figure of the last return that was sent. */
  readonly before: number | null
  readonly sum: string | null
}
export interface FoundCell {
  readonly kind: ReturnFindingKind
  readonly sheet: string
  readonly cell: string
  readonly data: Readonly<Record<string, string | number>>
}

/** By how many percent a figure differs from the one before; what was nothing and is something differs by all of it. */
export const changePercent = (before: number, now: number): number =>
  before === now ? 0 : before === 0 ? 100 : Math.round(((now - before) / Math.abs(before)) * 1000) / 10
const rounded = (value: number) => Math.round(value * 100) / 100

export function findingsOf(
  cells: readonly FilledCell[],
  mistakes: readonly { readonly sheet: string; readonly cell: string; readonly mistake: CellMistake }[],
  threshold: number | null,
): FoundCell[] {
  const found: FoundCell[] = mistakes.map(({ sheet, cell, mistake }) => ({ sheet, cell, ...mistake }))
  for (const one of cells) {
    const { sheet, cell, value, before, sum } = one
    if (value === null) found.push({ kind: 'empty', sheet, cell, data: {} })
    if (sum !== null) {
      const parts = cells.filter((other) => other.sheet === sheet && other !== one && isWithin(other.cell, sum))
      const total = rounded(parts.reduce((all, part) => all + (part.value ?? 0), 0))
      if (total !== (value ?? 0))
        found.push({ kind: 'sum', sheet, cell, data: { range: sum, sum: total, value: value ?? 0 } })
    }
    if (threshold !== null && value !== null && before !== null) {
      const percent = changePercent(before, value)
      if (Math.abs(percent) > threshold) found.push({ kind: 'change', sheet, cell, data: { before, value, percent } })
    }
  }
  return found
}
/** A reason holds as long as the finding is the same one, down to its figures. */
export const sameFinding = (a: FoundCell, b: FoundCell): boolean =>
  a.kind === b.kind &&
  a.sheet === b.sheet &&
  a.cell === b.cell &&
  Object.keys({ ...a.data, ...b.data }).every((key) => a.data[key] === b.data[key])

export interface ReturnFacts {
  readonly filled: boolean
  readonly open: number
}
/** Why a return cannot be checked off or sent. */
export const checkOffReturn = ({ filled, open }: ReturnFacts) =>
  filled ? (open > 0 ? [{ code: 'return_findings_open', data: { count: open } }] : []) : [{ code: 'return_not_filled' }]
