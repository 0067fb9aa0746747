import type { Fields, FieldKind } from '#kit/contract/field.ts'

/** What a list shows, as it stands in the address. */
export interface ListState {
  page: number
  perPage: number
  search: string
  order_by: string | null
  order_direction: 'asc' | 'desc'
  filters: Record<string, unknown>
  removed: boolean
}
export const PAGE_SIZES = [10, 25, 50, 100, 200, 500] as const

export interface ListDefaults {
  perPage: number
  order?: readonly [string, 'asc' | 'desc']
}

const object = (text: string | null): Record<string, unknown> => {
  if (!text) return {}
  try {
    const value: unknown = JSON.parse(text)
    return value && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
const whole = (text: string | null | undefined): number | null =>
  text && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null

/** Reads the state of a list from its address; anything that makes no sense falls back to the default. `pathPage` is the `:page?` part. */
export function readState(query: URLSearchParams, defaults: ListDefaults, pathPage?: string): ListState {
  const size = whole(query.get('perPage'))
  const order = query.get('order')
  const [by, direction] = order ? [order.replace(/^-/, ''), order.startsWith('-') ? 'desc' : 'asc'] : []
  return {
    page: whole(query.get('page')) ?? whole(pathPage) ?? 1,
    perPage: (PAGE_SIZES as readonly number[]).includes(size ?? 0) ? size! : defaults.perPage,
    search: (query.get('search') ?? '').slice(0, 200),
    order_by: by ?? defaults.order?.[0] ?? null,
    order_direction: (direction as 'asc' | 'desc') ?? defaults.order?.[1] ?? 'asc',
    filters: object(query.get('filters')),
    removed: query.get('removed') === '1',
  }
}

/** Writes the state into an address: only what differs from the default, and nothing of others is touched (`?tab=`). */
export function writeState(state: ListState, defaults: ListDefaults, query = new URLSearchParams()): URLSearchParams {
  const out = new URLSearchParams(query)
  const put = (key: string, value: string | null) => (value === null ? out.delete(key) : out.set(key, value))
  put('page', state.page > 1 ? String(state.page) : null)
  put('perPage', state.perPage === defaults.perPage ? null : String(state.perPage))
  put('search', state.search || null)
  const usual =
    state.order_by === (defaults.order?.[0] ?? null) && state.order_direction === (defaults.order?.[1] ?? 'asc')
  put('order', usual || !state.order_by ? null : `${state.order_direction === 'desc' ? '-' : ''}${state.order_by}`)
  const filters = cleanFilters(state.filters)
  put('filters', Object.keys(filters).length ? JSON.stringify(filters) : null)
  put('removed', state.removed ? '1' : null)
  return out
}

const MANY: ReadonlySet<FieldKind> = new Set(['choice', 'choices', 'lookup', 'lookups'])
const BETWEEN: ReadonlySet<FieldKind> = new Set(['integer', 'decimal', 'number', 'money', 'date', 'instant'])
const isRange = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Filters in the shape that their fields have: an address may be typed by hand, or kept from before a field was changed.
 * One value stands for a list of one, or for both ends; what cannot be meant is left out.
 */
export function fitFilters(filters: Record<string, unknown>, fields: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]): [string, unknown][] => {
      const kind = fields[name]?.kind
      if (!kind || value === null) return kind ? [] : [[name, value]]
      if (MANY.has(kind)) return isRange(value) ? [] : [[name, Array.isArray(value) ? value : [value]]]
      if (BETWEEN.has(kind))
        return isRange(value) ? [[name, value]] : Array.isArray(value) ? [] : [[name, { from: value, to: value }]]
      return typeof value === 'object' ? [] : [[name, value]]
    }),
  )
}

/** Whether a filter says nothing: empty text, empty list, a range without ends. */
export const emptyFilter = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && !Array.isArray(value) && Object.values(value).every(emptyFilter))

export const cleanFilters = (filters: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => !emptyFilter(value)))

/** The body of the list call. */
export const listBody = (s: ListState, fixed: Record<string, unknown> = {}) => ({
  page: s.page,
  perPage: s.perPage,
  ...(s.search.trim() && { search: s.search.trim() }),
  ...(s.order_by && { order_by: s.order_by, order_direction: s.order_direction }),
  filters: { ...cleanFilters(s.filters), ...fixed },
  removed: s.removed,
})
