/**
 * Which rows of a list are selected, over all its pages: some by id, or all that match except some.
 * Immutable, so that React sees every change.
 */
export interface Selection {
  readonly all: boolean
  /** Selected ids; when `all`, the ids left out. */
  readonly ids: ReadonlySet<number>
}
export const NOTHING: Selection = { all: false, ids: new Set() }

export const isSelected = (s: Selection, id: number): boolean => s.all !== s.ids.has(id)
export const selectedCount = (s: Selection, matching: number): number =>
  s.all ? Math.max(0, matching - s.ids.size) : s.ids.size

/** Sets the given rows to selected or not. */
export function withRows(s: Selection, rows: readonly number[], selected: boolean): Selection {
  const ids = new Set(s.ids)
  for (const id of rows) {
    if (selected !== s.all) ids.add(id)
    else ids.delete(id)
  }
  return { all: s.all, ids }
}
export const toggled = (s: Selection, id: number): Selection => withRows(s, [id], !isSelected(s, id))
export const everything = (): Selection => ({ all: true, ids: new Set() })

/** State of the box in the head: of the rows on this page. */
export function pageState(s: Selection, rows: readonly number[]): 'none' | 'some' | 'all' {
  const n = rows.filter((id) => isSelected(s, id)).length
  return n === 0 ? 'none' : n === rows.length ? 'all' : 'some'
}

/** Rows between two (Shift-click), by their order on the page. */
export function range(rows: readonly number[], from: number, to: number): number[] {
  const [a, b] = [rows.indexOf(from), rows.indexOf(to)]
  if (a < 0 || b < 0) return [to]
  return rows.slice(Math.min(a, b), Math.max(a, b) + 1)
}
