/** Where a key leads in a grid of boxes. */
export interface GridPlace {
  readonly row: number
  readonly column: number
}

/**
 * The place to which a key leads, or null where it leads nowhere. Arrows stop at the edges; Home and End go along the row, with
 * `ctrl` to the corners. On a page from right to left the arrows go where they point.
 */
export function gridMove(
  key: string,
  { row, column }: GridPlace,
  { rows, columns, rtl = false, ctrl = false }: { rows: number; columns: number; rtl?: boolean; ctrl?: boolean },
): GridPlace | null {
  const on = rtl ? -1 : 1
  const to: Readonly<Record<string, GridPlace>> = {
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    ArrowRight: { row, column: column + on },
    ArrowLeft: { row, column: column - on },
    Home: { row: ctrl ? 0 : row, column: 0 },
    End: { row: ctrl ? rows - 1 : row, column: columns - 1 },
  }
  const next = Object.hasOwn(to, key) ? to[key] : undefined
  if (!next || next.row < 0 || next.row >= rows || next.column < 0 || next.column >= columns) return null
  return next
}
