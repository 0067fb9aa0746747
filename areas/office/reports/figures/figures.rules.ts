/** What becomes of parts that were added up: ratios, figures of few that are not told, the order of rows. */
import type { ToldFigure } from './figures.contract.ts'

/** Below so many persons a figure may tell about one of them. */
export const FEW = 5

/** A measure of one cell as it was read. */
export interface Read {
  readonly value: number | null
  /** Counts of which it consists: what one of them tells, it tells. */
  readonly counts: readonly number[]
  /** Persons of the cell. */
  readonly people: number
  /** Persons of them whom the reader does not reach. */
  readonly far: number
}
/** Whether it is of so few, not all of them within reach, that it would tell about one of them. */
export const isFew = ({ counts, people, far }: Read): boolean =>
  far > 0 && ((people > 0 && people < FEW) || counts.some((count) => count > 0 && count < FEW))

/**
 * Which of several figures that add up to a sum are hidden: those of few and, where what is hidden could be worked out from
 * the sum, the smallest ones besides.
 */
export function hiddenAmong(line: readonly Read[], already: ReadonlySet<number> = new Set()): Set<number> {
  const hidden = new Set(already)
  for (const [at, one] of line.entries()) if (isFew(one)) hidden.add(at)
  const people = () => [...hidden].reduce((sum, at) => sum + line[at]!.people, 0)
  while (hidden.size > 0 && (hidden.size === 1 || people() < FEW)) {
    const rest = [...line.keys()].filter((at) => !hidden.has(at) && line[at]!.people > 0)
    if (!rest.length) break
    hidden.add(rest.reduce((least, at) => (line[at]!.people < line[least]!.people ? at : least)))
  }
  return hidden
}

/** Cells of a table with sums of its rows and columns: hidden so that neither sum tells what is hidden. */
export function hiddenInGrid(grid: readonly (readonly Read[])[]): boolean[][] {
  const hidden = grid.map((row) => row.map(() => false))
  for (let changed = true; changed;) {
    changed = false
    const hide = (row: number, column: number) => {
      if (hidden[row]![column]) return
      hidden[row]![column] = true
      changed = true
    }
    for (const [row, cells] of grid.entries())
      for (const column of hiddenAmong(cells, new Set(cells.keys().filter((at) => hidden[row]![at])))) hide(row, column)
    for (const column of grid[0]?.keys() ?? [])
      for (const row of hiddenAmong(
        grid.map((cells) => cells[column]!),
        new Set(grid.keys().filter((at) => hidden[at]![column])),
      ))
        hide(row, column)
  }
  return hidden
}

/** A figure as it is told. */
export const toldFigure = ({ value }: Read, hidden: boolean): ToldFigure =>
  hidden ? 'few' : value === null ? null : Math.round(value * 100) / 100

/** One part through another; nothing through nothing is none. */
export const ratioOf = (part: number | null, through: number | null, times: number): number | null =>
  part === null || !through ? null : (part / through) * times

/** At most so many columns are shown: those with the most persons, in their order. */
export const MOST_COLUMNS = 24
export function keptColumns<C extends { readonly people: number }>(columns: readonly C[]): C[] {
  if (columns.length <= MOST_COLUMNS) return [...columns]
  const least = columns.map(({ people }) => people).toSorted((a, b) => b - a)[MOST_COLUMNS - 1]!
  return columns.filter(({ people }) => people >= least).slice(0, MOST_COLUMNS)
}
