/** Where stays lie on the board, and where they are taken to: pure, in days and rows. */
import { addDays, daysBetween } from '#kit/contract/day.ts'

export interface BarDays {
  readonly bed_id: number
  readonly from: string
  readonly until: string
}

/** The part of a stay that is shown: its first column, and over how many it lies. */
export function barColumns(
  bar: Pick<BarDays, 'from' | 'until'>,
  first: string,
  days: number,
): { readonly at: number; readonly len: number } {
  const at = Math.max(0, daysBetween(first, bar.from))
  const end = Math.min(days, daysBetween(first, bar.until))
  return { at, len: Math.max(0, end - at) }
}

/** What is taken hold of: the whole bar, or one of its ends. */
export type Grip = 'bar' | 'from' | 'until'

/**
 * Where a bar is after it was taken so many columns on and so many rows down. Rows are beds (null: a heading, where nothing is put
 * down). An end never passes the other: one night is left.
 */
export function takenTo(
  bar: BarDays,
  grip: Grip,
  { columns, rows }: { readonly columns: number; readonly rows: number },
  beds: readonly (number | null)[],
): BarDays {
  if (grip === 'from') {
    const latest = addDays(bar.until, -1)
    const from = addDays(bar.from, columns)
    return { ...bar, from: from > latest ? latest : from }
  }
  if (grip === 'until') {
    const earliest = addDays(bar.from, 1)
    const until = addDays(bar.until, columns)
    return { ...bar, until: until < earliest ? earliest : until }
  }
  const at = beds.indexOf(bar.bed_id)
  return {
    bed_id: (at < 0 ? null : beds[at + rows]) ?? bar.bed_id,
    from: addDays(bar.from, columns),
    until: addDays(bar.until, columns),
  }
}

/** The next row that is a bed, in a direction; the same where there is none. */
export function nextBed(beds: readonly (number | null)[], at: number, by: 1 | -1): number {
  for (let i = at + by; i >= 0 && i < beds.length; i += by) if (beds[i] !== null) return i
  return at
}

export const sameBar = (a: BarDays, b: BarDays): boolean =>
  a.bed_id === b.bed_id && a.from === b.from && a.until === b.until
