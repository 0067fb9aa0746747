import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { useCall } from '#kit/web/api/index.ts'
import { useSearchParams } from '#kit/web/router/index.ts'
import { TermPicker } from './term-picker.web.tsx'
import { getCurrentTerms } from './term.contract.ts'

/** Stands in the address for all terms. */
const ALL = 0

/** The term among a list's filters in the address, however it was written there; the other filters beside it. */
export function useTermFilter(): [number | null, (id: number | null) => void, Record<string, unknown>] {
  const [query, setQuery] = useSearchParams()
  const { term, rest } = useMemo(() => {
    try {
      const { term_id, ...others } = JSON.parse(query.get('filters') ?? '{}') as Record<string, unknown>
      const one: unknown = Array.isArray(term_id) ? term_id[0] : term_id
      return { term: typeof one === 'number' ? one : null, rest: others }
    } catch {
      return { term: null, rest: {} }
    }
  }, [query])
  const set = (id: number | null) => {
    const next = id === null ? rest : { ...rest, term_id: id }
    const q = new URLSearchParams(query)
    if (Object.keys(next).length) q.set('filters', JSON.stringify(next))
    else q.delete('filters')
    q.delete('page')
    setQuery(q)
  }
  return [term, set, rest]
}

/**
 * For a list of what belongs to terms: it opens on the current one, shows which, and changes to another or to all. The
 * rest goes to the list screen as it is.
 */
export function useListTerm(): {
  readonly fixed: Readonly<Record<string, unknown>>
  readonly wait: boolean
  readonly beside: ReactNode
} {
  const [chosen, choose] = useTermFilter()
  const { data, isPending } = useCall(getCurrentTerms, {}, { staleTime: 300_000 })
  const term = chosen ?? data?.data.current_term?.id ?? ALL
  const fixed = useMemo(() => ({ term_id: term === ALL ? undefined : [term] }), [term])
  return {
    fixed,
    wait: chosen === null && isPending,
    beside: <TermPicker current all value={chosen} onChange={choose} />,
  }
}
