import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { refresh, useCall, useChange } from '#kit/web/api/index.ts'
import { act, confirm, notify, useShortcut } from '#kit/web/feedback/index.ts'
import { formatList, nameOf, useT } from '#kit/web/i18n/index.ts'
import type { T } from '#kit/web/i18n/index.ts'
import { runBulk, type BulkAction, type RowResult } from '#kit/web/list/bulk.tsx'
import { NOTHING, isSelected, selectedCount, type Selection } from '#kit/web/list/selection.ts'
import { useSearchParams } from '#kit/web/router/index.ts'
import { changeCalls, requestCalls, type Requested } from '../requests/request.contract.ts'
import { advisingCalls } from './advising.contract.ts'
import type { AdviseeRow } from './advising.contract.ts'

export const STUDENTS_PER_PAGE = 50
/** How many students one request brings when all that match are chosen. */
const MOST = 500

/** What is accepted for these students, and for whom of them one would look twice. */
function acceptedSaid(chosen: readonly AdviseeRow[], t: T<'registration'>): string {
  const risky = chosen.filter(({ warnings, holds }) => warnings > 0 || holds > 0).map((row) => nameOf(row))
  const requests = chosen.reduce((sum, { waiting }) => sum + waiting, 0)
  return [
    t('accept_requests', { requests }),
    ...(risky.length ? [t('accept_risky', { number: risky.length, names: formatList(risky.slice(0, 5)) })] : []),
  ].join(' ')
}

/** The advisor's own students, those who are chosen, and how their requests are accepted. */
export function useMyAdvising() {
  const t = useT('registration')
  const tl = useT('kit-screens')
  const client = useQueryClient()
  const [query, setQuery] = useSearchParams()
  const at_risk = query.get('at_risk') === 'true'
  const waiting = !at_risk && query.get('waiting') !== 'false'
  const page = Math.max(1, Number(query.get('page')) || 1)
  const order_by = query.get('order_by') ?? undefined
  const order_direction = query.get('order_direction') === 'desc' ? ('desc' as const) : ('asc' as const)
  const [typed, setTyped] = useState(query.get('search') ?? '')
  const [search] = useDebouncedValue(typed.trim(), 250)
  const [selection, setSelection] = useState<Selection>(NOTHING)
  const [work, setWork] = useState<{ total: number; done: number; results: readonly RowResult[] | null } | null>(null)
  const asked = {
    search,
    waiting: String(waiting) as never,
    at_risk: String(at_risk) as never,
    order_by,
    order_direction,
  }
  const { data, error, refetch, isFetching } = useCall(
    advisingCalls.mine,
    { query: { ...asked, page, perPage: STUDENTS_PER_PAGE } },
    { placeholderData: keepPreviousData, refetchInterval: 30_000 },
  )
  const rows = data?.data
  const count = data?.meta.count ?? 0
  const set = (change: Record<string, string | null>, keepSelection = false) => {
    if (!keepSelection) setSelection(NOTHING)
    const next = new URLSearchParams(query)
    for (const [key, value] of Object.entries(change)) {
      if (value === null) next.delete(key)
      else next.set(key, value)
    }
    setQuery(next, { replace: true })
  }
  const { send } = useChange()
  const accept = (id: number) => send(changeCalls.acceptAll, { body: { student_id: id } })
  const acceptOne = async (row: AdviseeRow) => {
    const name = nameOf(row)
    // What is accepted is read before: which courses, and how many hours it makes.
    let asked: Requested
    try {
      asked = (await send(requestCalls.requestedOf, { params: { id: row.id }, query: {} })).data
    } catch (problem) {
      return notify.error(problem)
    }
    const courses = asked.registrations.filter((one) => one.abilities.includes('accept'))
    const count = courses.length || row.waiting
    const { hours, max_hours } = asked.load
    await act({
      ask: {
        title: t('accept_of', { count, name }),
        consequence: [
          ...courses.map((one) => `${nameOf(one.course)} · ${one.course.code ?? ''}`),
          max_hours === null ? t('hours', { count: hours }) : t('glance_hours', { hours, limit: max_hours }),
          ...(row.warnings > 0 || row.holds > 0 ? [t('accept_risky', { number: 1, names: name })] : []),
        ].join('\n'),
        action: t('accept'),
      },
      go: () => accept(row.id),
      done: ({ done, failed }) => {
        notify.failed(failed)
        return done.length ? t('accepted_done', { count: done.length }) : null
      },
    })
    void refresh(client, '/registrations')
  }
  // Names of the chosen ones, kept from before: who has been answered stands in no list of those who wait.
  const names = useRef(new Map<number, string>())
  const selected = selectedCount(selection, count)
  const acceptChosen = async () => {
    if (!selected || work) return
    try {
      const chosen: AdviseeRow[] = (rows ?? []).filter((row) => !selection.all && isSelected(selection, row.id))
      for (let at = 1; selection.all; at++) {
        const part = await send(advisingCalls.mine, { query: { ...asked, page: at, perPage: MOST } })
        chosen.push(...part.data.filter(({ id }) => isSelected(selection, id)))
        if (part.data.length < MOST) break
      }
      chosen.forEach((row) => names.current.set(row.id, nameOf(row)))
      const ids = selection.all ? chosen.map(({ id }) => id) : [...selection.ids]
      const consequence = acceptedSaid(chosen, t)
      const whom = { count: selected, names: chosen.map((row) => nameOf(row)) }
      const title = t('accept_for', { count: selected })
      if (!(await confirm({ title, consequence, whom, heavy: true, action: t('accept') }))) return
      setWork({ total: selected, done: 0, results: null })
      const action: BulkAction = { key: 'accept', label: '', each: accept }
      const results = await runBulk(action, ids, (done) => setWork({ total: ids.length, done, results: null }))
      setSelection(NOTHING)
      setWork({ total: ids.length, done: ids.length, results })
    } catch (problem) {
      setWork(null)
      notify.error(problem)
    }
    void refresh(client, '/registrations')
  }
  useShortcut('a', () => void acceptChosen(), selected ? t('accept_students', { count: selected }) : null)
  useShortcut('Escape', () => setSelection(NOTHING), selected ? tl('clear_selection') : null)
  return {
    waiting,
    at_risk,
    page,
    order_by,
    order_direction,
    typed,
    setTyped,
    search,
    selection,
    setSelection,
    selected,
    work,
    forgetWork: () => setWork(null),
    nameOfChosen: (id: number) => names.current.get(id) ?? `#${id}`,
    data,
    error: data ? null : error,
    refetch,
    isFetching,
    rows,
    count,
    set,
    acceptOne,
    acceptChosen,
  }
}
export type MyAdvisingState = ReturnType<typeof useMyAdvising>
