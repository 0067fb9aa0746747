import { useCallback, useMemo } from 'react'
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useLabel, useT } from '../i18n/index.ts'
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
  readonly prefs?: TablePrefs | undefined
}

const sorted = (query: URLSearchParams): string => {
  query.delete('page')
  query.sort()
  return String(query)
}

/** The views of a list, which of them is open, and the query that stands for what is shown now. */
export function useViewTabs({
  state,
  defaults,
  given,
  own,
}: {
  state: ListState
  defaults: ListDefaults
  given: readonly { readonly key: string; readonly label: Label; readonly query: string }[] | undefined
  own: readonly {
    readonly id: number
    readonly name: string
    readonly query: string
    readonly prefs: TablePrefs | null
  }[]
}) {
  const t = useT('kit-screens')
  const say = useLabel()
  const here = useMemo(() => sorted(writeState({ ...state, page: 1 }, defaults)), [state, defaults])
  const tabs = useMemo(
    (): ViewTab[] => [
      { key: '', label: t('view_all'), query: '', own: false },
      ...(given ?? []).map((v) => ({ key: v.key, label: say(v.label), query: v.query, own: false })),
      ...own.map((v) => ({ key: String(v.id), label: v.name, query: v.query, own: true, prefs: v.prefs ?? undefined })),
    ],
    [t, say, given, own],
  )
  const stateOf = useCallback((text: string) => readState(new URLSearchParams(text), defaults), [defaults])
  return { here, tabs, stateOf, current: tabs.find((v) => sorted(new URLSearchParams(v.query)) === here) }
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
