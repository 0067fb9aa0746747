import { keepPreviousData } from '@tanstack/react-query'
import { useRef } from 'react'
import { refName } from '#kit/contract/resource.ts'
import type { Resource } from '#kit/contract/resource.ts'
import type { Workflow, WorkflowCalls } from '#kit/contract/workflow.ts'
import { awaitedIn } from '#kit/contract/workflow.ts'
import { useCall } from '../api/hooks.ts'
import { useMe } from '../auth/me.ts'
import { useShortcut } from '../feedback/shortcuts.ts'
import { callsOf } from '../fields/calls-of.ts'
import type { ResourceWeb } from '../fields/resource-web.ts'
import { useLabel, useT } from '../i18n/catalogue.ts'
import { nameOf } from '../i18n/format.ts'
import type { Named } from '../i18n/format.ts'
import { useLanguage } from '../i18n/language.ts'
import type { AnyRow } from '../list/columns.ts'
import { useSearchParams } from '../router/index.ts'
import { useSteps } from './steps.tsx'
import type { Stateful, Steps } from './steps.tsx'

export type Asked = AnyRow & Stateful & { readonly created_at: string }
export type Taken = Steps<Asked, string>

/** The field that names whom a request concerns, and who that is in a row. */
export const holderOf = (r: Resource): string => r.holder ?? 'student_id'
export const personOf = (r: Resource, row: Asked): Named | null =>
  ((row[refName(holderOf(r))] ?? (r.otherHolder === undefined ? null : row[refName(r.otherHolder)])) as
    | Named
    | null
    | undefined) ?? null

/** Requests of a page. */
export const PER_PAGE = 50

/** What an inbox reads, which of it is open, and what is done with it. */
export function useInbox(web: ResourceWeb, own: boolean) {
  const t = useT('kit-screens')
  const say = useLabel()
  const me = useMe()
  const l = useLanguage()
  const nameIn = (row: Named) => nameOf(row, l)
  const { resource: r } = web
  const flow = r.flow as Workflow
  const steps = r.steps as WorkflowCalls
  const calls = callsOf(r)
  const [query, setQuery] = useSearchParams()
  const set = (change: Readonly<Record<string, string | null>>) =>
    setQuery((before) => {
      const next = new URLSearchParams(before)
      for (const [name, value] of Object.entries(change)) {
        if (value === null) next.delete(name)
        else next.set(name, value)
      }
      return next
    })
  const decides = !own && awaitedIn(flow).some(({ keys: needed }) => me.can(...needed))
  const waiting = decides && query.get('view') !== 'all'
  const page = Math.max(1, Number(query.get('page')) || 1)
  const asked = useCall(
    calls.list!,
    {
      body: {
        page,
        perPage: PER_PAGE,
        // What waits in the order of the request: the longest first, unless it says otherwise.
        order_by: waiting ? r.list.order[0] : 'created_at',
        order_direction: waiting ? r.list.order[1] : 'desc',
        filters: own ? { mine: true } : waiting ? { waiting: true } : {},
      },
    },
    { placeholderData: keepPreviousData, refetchInterval: 60_000 },
  )
  const rows = asked.data?.data as unknown as readonly Asked[] | undefined
  const count = asked.data?.meta.count ?? 0
  const given = Number(query.get('id')) || null
  const open = given ?? rows?.[0]?.id ?? null
  const at = rows?.findIndex(({ id }) => id === open) ?? -1
  const list = useRef<HTMLUListElement>(null)
  const choose = (id: number | null) => {
    set({ id: id === null ? null : String(id) })
    list.current?.querySelector(`[data-id="${id}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  const go = (by: number) => {
    const next = rows?.[Math.min(Math.max(at + by, 0), rows.length - 1)]
    if (next) choose(next.id)
  }
  useShortcut('j', () => go(1), rows?.length ? t('next_request') : null)
  useShortcut('k', () => go(-1), rows?.length ? t('previous_request') : null)
  const taken = useSteps<string, string, Asked>(flow, steps, {
    name: (row) => (personOf(r, row) && decides ? nameIn(personOf(r, row)!) : say(r.one)),
    refreshes: [r.path, '/users/work'],
  })
  /** What was decided leaves the list of those that wait: the one after it, else the one before, is next. */
  const decide = async (row: Asked, action: string) => {
    const next = rows?.[at + 1] ?? rows?.[at - 1] ?? null
    if ((await taken.take(row, action)) && waiting) choose(next?.id ?? null)
  }
  return {
    r,
    flow,
    query,
    setQuery,
    set,
    decides,
    waiting,
    page,
    asked,
    rows,
    count,
    given,
    open,
    list,
    choose,
    taken,
    decide,
  }
}
export type Read = ReturnType<typeof useInbox>
