/** A column that looks for its place in the width of a table. */
export interface Fitting {
  readonly key: string
  /** What it would like. */
  readonly width: number
  /** Under which it cannot be read. */
  readonly least: number
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
  const [wanted, least] = [sum(shown, 'width'), sum(shown, 'least')]
  const part = wanted <= room || wanted === least ? 0 : Math.min(1, (wanted - room) / (wanted - least))
  return new Map(shown.map((c) => [c.key, Math.floor(c.width - (c.width - c.least) * part)]))
}
