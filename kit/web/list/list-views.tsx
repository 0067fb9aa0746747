import { useCallback, useMemo } from 'react'
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { formatNumber, useLabel, useT } from '../i18n/index.ts'
import type { Label } from '../i18n/index.ts'
import { readState, writeState } from './address.ts'
import type { ListDefaults, ListState } from './address.ts'
import type { TablePrefs } from './prefs.ts'
import css from './list.module.css'

/** A view as a tab above a list: everybody's, or one's own. */
export interface ViewTab {
  readonly key: string
  readonly label: string
  /** Query of the address without the page. */
  readonly query: string
  readonly own: boolean
  /** How many rows it has, where the screen knows. */
  readonly count?: number | undefined
  readonly prefs?: TablePrefs | undefined
}

/** What two states have in common that show the same: without the page, in one order. */
const sorted = (state: ListState, defaults: ListDefaults): string => {
  const filters = Object.fromEntries(Object.entries(state.filters).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const query = writeState({ ...state, page: 1, filters }, defaults)
  query.sort()
  return String(query)
}

/**
 * What a tab of a list shows, from what is shown now: it sets its own filters, and takes back those of the other tabs. What a
 * person has chosen beside them (the term, words searched for) stays.
 *
 * @param ordered whether the tab says an order
 */
export function withinFilters(
  own: ListState,
  ordered: boolean,
  now: ListState,
  views: readonly { readonly query: string }[],
  defaults: ListDefaults,
): ListState {
  const others = views.map(({ query }) => new URLSearchParams(query))
  const states = others.map((query) => readState(query, defaults))
  const theirs = new Set(states.flatMap(({ filters }) => Object.keys(filters)))
  const kept = Object.entries(now.filters).filter(([name]) => !theirs.has(name))
  const ofTab = states.some(
    ({ order_by, order_direction }, i) =>
      others[i]!.has('order') && order_by === now.order_by && order_direction === now.order_direction,
  )
  const { order_by, order_direction } = ordered || ofTab ? own : now
  return {
    ...now,
    page: 1,
    search: own.search || now.search,
    order_by,
    order_direction,
    filters: { ...Object.fromEntries(kept), ...own.filters },
    removed: own.removed,
  }
}

/**
 * Whether somebody narrowed a list beyond the tab that is open: by words, or by a filter of the bar that the tab does not set.
 *
 * @param bar names of the filters of the bar; what narrows besides (the term) is chosen elsewhere
 */
export function narrowedBeside(now: ListState, tab: ListState, bar: readonly string[]): boolean {
  if (now.search && now.search !== tab.search) return true
  return bar.some((name) => JSON.stringify(now.filters[name]) !== JSON.stringify(tab.filters[name]))
}

/** The views of a list, which of them is open, and the query that stands for what is shown now. */
export function useViewTabs({
  state,
  defaults,
  bar,
  given,
  own,
}: {
  state: ListState
  defaults: ListDefaults
  /** Names of the filters of the bar. */
  bar: readonly string[]
  given:
    | readonly {
        readonly key: string
        readonly label: Label
        readonly query: string
        readonly count?: number | undefined
      }[]
    | undefined
  own: readonly {
    readonly id: number
    readonly name: string
    readonly query: string
    readonly prefs: TablePrefs | null
  }[]
}) {
  const t = useT('kit-screens')
  const say = useLabel()
  const here = useMemo(() => sorted(state, defaults), [state, defaults])
  const stateOf = useCallback(
    (view: ViewTab): ListState => {
      const asked = new URLSearchParams(view.query)
      const own = readState(asked, defaults)
      return view.own ? own : withinFilters(own, asked.has('order'), state, given ?? [], defaults)
    },
    [state, given, defaults],
  )
  const tabs = useMemo(
    (): ViewTab[] => [
      { key: '', label: t('view_all'), query: '', own: false },
      ...(given ?? []).map((v) => ({ key: v.key, label: say(v.label), query: v.query, own: false, count: v.count })),
      ...own.map((v) => ({ key: String(v.id), label: v.name, query: v.query, own: true, prefs: v.prefs ?? undefined })),
    ],
    [t, say, given, own],
  )
  // The one that is open is the one whose opening changes nothing; one's own, which says everything, before the others.
  const current = useMemo(
    () =>
      tabs.toSorted((a, b) => Number(b.own) - Number(a.own)).find((view) => sorted(stateOf(view), defaults) === here),
    [tabs, stateOf, defaults, here],
  )
  // What is kept already needs no name: a view that says just this, with nothing chosen beside it.
  const kept = useMemo(
    () => tabs.some((view) => sorted(readState(new URLSearchParams(view.query), defaults), defaults) === here),
    [tabs, defaults, here],
  )
  const byTabAlone =
    Boolean(current?.query) &&
    !state.removed &&
    !narrowedBeside(state, readState(new URLSearchParams(current!.query), defaults), bar)
  return { here, tabs, stateOf, current, kept, byTabAlone }
}

/** The views of a list as tabs; Delete on an own one removes it. */
export function ViewTabs({
  tabs,
  current,
  onOpen,
  onRemove,
}: {
  tabs: readonly ViewTab[]
  current: ViewTab | undefined
  onOpen: (view: ViewTab) => void
  onRemove: (view: ViewTab) => void
}) {
  const t = useT('kit-screens')
  return (
    <div className={css.views}>
      <div className={css.tabs} role="tablist" aria-label={t('views')}>
        {tabs.map((view) => (
          <button
            key={view.key}
            type="button"
            role="tab"
            className={css.view}
            aria-selected={view === current}
            tabIndex={view === (current ?? tabs[0]) ? 0 : -1}
            onClick={() => onOpen(view)}
            onKeyDown={(event) => {
              const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
              if (event.key === 'Delete' && view.own) return onRemove(view)
              if (!step) return
              event.preventDefault()
              const on = document.documentElement.dir === 'rtl' ? -step : step
              const all = [...event.currentTarget.parentElement!.querySelectorAll<HTMLElement>('[role="tab"]')]
              all[(all.indexOf(event.currentTarget) + on + all.length) % all.length]?.focus()
            }}
          >
            <bdi>{view.label}</bdi>
            {view.count !== undefined && <span className={css.viewCount}>{formatNumber(view.count)}</span>}
          </button>
        ))}
      </div>
      {current?.own && (
        <Tooltip label={t('view_remove')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            my={3}
            aria-label={t('view_remove')}
            onClick={() => onRemove(current)}
          >
            <IconTrash size={15} />
          </ActionIcon>
        </Tooltip>
      )}
    </div>
  )
}
