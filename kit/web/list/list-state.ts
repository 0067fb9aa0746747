import { useCallback, useMemo, useState } from 'react'
import { fillPath, useLocation, useNavigate, useParams, useSearchParams } from '../router/index.ts'
import type { Fields } from '#kit/contract/field.ts'
import { fitFilters, readState, writeState } from './address.ts'
import type { ListDefaults, ListState } from './address.ts'
import { NOTHING } from './selection.ts'
import type { Selection } from './selection.ts'

/** State of a list as it stands in the address, and what is selected in it: another question selects nothing. */
export function useListState({
  perPage = 25,
  order,
  path,
  fields,
}: {
  perPage?: number | undefined
  order?: readonly [string, 'asc' | 'desc'] | undefined
  /** Route with `:page?`, where the page stands in the path. */
  path?: string | undefined
  /** What it can be narrowed by. */
  fields: Fields
}) {
  const navigate = useNavigate()
  const route = useParams()
  const [query, setQuery] = useSearchParams()
  const [orderBy, orderDirection] = order ?? []
  const defaults = useMemo(
    (): ListDefaults => ({
      perPage,
      ...(orderBy && orderDirection && { order: [orderBy, orderDirection] as const }),
    }),
    [perPage, orderBy, orderDirection],
  )
  const { pathname } = useLocation()
  // A list that stands in another screen leaves that one's address alone.
  const inPath =
    path?.includes(':page?') && pathname === fillPath(path, { ...route, page: route.page ?? null }) ? path : undefined
  const read = readState(query, defaults, inPath ? route.page : undefined)
  // The same state is the same object, whoever renders: what follows it a moment later would never come to rest.
  const said = JSON.stringify({ ...read, filters: fitFilters(read.filters, fields) })
  const state = useMemo((): ListState => JSON.parse(said) as ListState, [said])
  const [selection, setSelection] = useState<Selection>(NOTHING)
  const change = useCallback(
    (part: Partial<ListState>, keepSelection = false) => {
      const next = { ...state, page: 1, ...part }
      if (!keepSelection) setSelection(NOTHING)
      const replace = part.page === undefined
      // Where the path has a place for the page it stands there, and there alone.
      if (inPath) {
        const rest = writeState({ ...next, page: 1 }, defaults, query)
        const at = fillPath(inPath, { ...route, page: next.page > 1 ? next.page : null })
        void navigate({ pathname: at, search: String(rest) }, { replace })
      } else setQuery(writeState(next, defaults, query), { replace })
    },
    [state, defaults, query, setQuery, navigate, inPath, route],
  )
  return { state, defaults, query, setQuery, change, selection, setSelection }
}
