/** What a person chose for a table, kept in this browser: columns, their order and size. */
export interface TablePrefs {
  /** Keys in order; keys that are missing follow in their usual place. */
  readonly order?: readonly string[]
  readonly hidden?: readonly string[]
  readonly shown?: readonly string[]
  readonly sizes?: Readonly<Record<string, number>>
}
/** A view that somebody keeps: the server has it, and this browser a copy, so that tabs stand there at once. */
export interface SavedView {
  readonly id: number
  readonly name: string
  /** Query of the address without the page. */
  readonly query: string
  readonly prefs: TablePrefs | null
}

const read = <T>(key: string, fallback: T): T => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return kept !== null && typeof kept === 'object' ? (kept as T) : fallback
  } catch {
    return fallback
  }
}
const write = (key: string, value: unknown) => {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Storage is full or forbidden: the choice lives as long as this screen.
  }
}
export const readPrefs = (user: number | string, list: string): TablePrefs => read(`ems.table.${user}.${list}`, {})
export const writePrefs = (user: number | string, list: string, prefs: TablePrefs): void =>
  write(`ems.table.${user}.${list}`, prefs)
export const readViews = (user: number | string, list: string): SavedView[] => {
  const kept = read<SavedView[]>(`ems.views.${user}.${list}`, [])
  return Array.isArray(kept) ? kept : []
}
export const writeViews = (user: number | string, list: string, views: readonly SavedView[]): void =>
  write(`ems.views.${user}.${list}`, views)

/** Columns in the person's order, without those hidden. Columns new to the program appear where they were declared. */
export function arranged<C extends { readonly key: string; readonly hidden?: boolean }>(
  columns: readonly C[],
  prefs: TablePrefs,
): { all: C[]; visible: C[] } {
  const order = prefs.order ?? []
  const place = (c: C, i: number) => {
    const at = order.indexOf(c.key)
    return at < 0 ? i : at
  }
  const all = columns
    .map((c, i) => ({ c, at: place(c, i), known: order.includes(c.key), i }))
    .sort((a, b) => a.at - b.at || Number(b.known) - Number(a.known) || a.i - b.i)
    .map(({ c }) => c)
  const visible = all.filter((c) => !prefs.hidden?.includes(c.key) && (!c.hidden || prefs.shown?.includes(c.key)))
  return { all, visible: visible.length ? visible : all.slice(0, 1) }
}
