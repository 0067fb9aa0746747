/** A column that looks for its place in the width of a table. */
export interface Fitting {
  readonly key: string
  /** What it would like. */
  readonly width: number
  /** Under which it cannot be read. */
  readonly least: number
  /** In which everything on the page stands whole, where that is known; may be more than it would like. */
  readonly need?: number
  /** Who has the highest leaves first. */
  readonly rank: number
  /** Stays whatever there is: the first column, and what somebody asked for. */
  readonly kept?: boolean
}

/** Columns in which no row has anything: they need the room of their heads, and leave the rest to names that would be cut. */
export function emptyColumns(
  columns: readonly { readonly key: string; readonly field?: unknown }[],
  rows: readonly Readonly<Record<string, unknown>>[] | undefined,
): ReadonlySet<string> {
  if (!rows?.length) return new Set()
  const nothing = (value: unknown) =>
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  return new Set(columns.filter((c) => c.field && rows.every((row) => nothing(row[c.key]))).map((c) => c.key))
}

const sum = (columns: readonly Fitting[], by: 'width' | 'least') => columns.reduce((n, c) => n + c[by], 0)

/**
 * The widths at which columns stand in `room`, by key. First all give way, each as far as it can be read; where that is
 * not enough, the least important leave. What has to stay is wider than the room at worst, and the table scrolls.
 */
export function fit(columns: readonly Fitting[], room: number): Map<string, number> {
  let shown = columns
  while (sum(shown, 'least') > room) {
    const leaves = shown.filter((c) => !c.kept).toSorted((a, b) => b.rank - a.rank)[0]
    if (!leaves) break
    shown = shown.filter((c) => c !== leaves)
  }
  // What stands in the cells comes first, then what the columns would like: no name is cut beside an empty column.
  const first = grown(
    shown.map((c) => [c.least, c.need ?? c.width]),
    room,
  )
  const widths = grown(
    shown.map((c, i) => [first[i]!, c.width]),
    room,
  )
  return new Map(shown.map((c, i) => [c.key, Math.floor(widths[i]!)]))
}

/** Widths that grow towards what they want, each by the same part of it, as far as there is room. */
function grown(columns: readonly (readonly [now: number, wanted: number])[], room: number): number[] {
  const left = room - columns.reduce((n, [now]) => n + now, 0)
  const asked = columns.reduce((n, [now, wanted]) => n + Math.max(0, wanted - now), 0)
  const part = asked <= 0 ? 0 : Math.max(0, Math.min(1, left / asked))
  return columns.map(([now, wanted]) => now + Math.max(0, wanted - now) * part)
}
