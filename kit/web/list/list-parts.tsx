import { useRef } from 'react'
import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import {
  IconArrowBackUp,
  IconDeviceFloppy,
  IconDots,
  IconPlugConnectedX,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react'
import { Empty, useShortcut } from '../feedback/index.ts'
import { useT } from '../i18n/index.ts'
import { ColumnMenu } from './column-menu.tsx'
import type { AnyRow } from './columns.ts'
import { FilterBar } from './filter-bar.tsx'
import { MainButton, MenuItems } from './main-button.tsx'
import { SearchBox } from './search-box.tsx'
import { NOTHING, everything } from './selection.ts'
import { SelectionBar } from './selection-bar.tsx'
import type { ListScreenProps, ListScreenState } from './use-list-screen.ts'
import css from './list.module.css'

/** Search, filters and what else is done with the list; with what is chosen, while something is. */
export function ListBar<R extends AnyRow>({ list }: { list: ListScreenState<R> }) {
  const t = useT('kit-screens')
  const tk = useT('kit')
  const searchBox = useRef<HTMLInputElement>(null)
  const { props, title, filters, state, change, setSelection, answer, rows, prefs, dropped, setPrefs } = list
  const { here, kept, menu, setDialog, selected, selection, count, offered, work } = list
  useShortcut('/', () => searchBox.current?.focus(), props.searchable === false ? null : t('shortcut_search'))
  if (selected > 0)
    return (
      <>
        <span className={css.bar} aria-hidden />
        <SelectionBar
          selected={selected}
          matching={!selection.all && count > (rows?.length ?? 0) && selected >= (rows?.length ?? 0) ? count : null}
          actions={offered ?? []}
          disabled={answer.stale}
          onAll={() => setSelection(everything())}
          onAction={(action) => void work.run(action)}
          onExport={props.exports?.xlsx && (() => setDialog('xlsx'))}
          onClear={() => setSelection(NOTHING)}
        />
      </>
    )
  return (
    <search className={css.bar} aria-label={title}>
      {props.searchable !== false && (
        <SearchBox box={searchBox} title={title} value={state.search} onSearch={(text) => change({ search: text })} />
      )}
      <FilterBar fields={filters} values={state.filters} onChange={(next) => change({ filters: next })} />
      <span className={css.spring} />
      {here !== '' && !kept && (
        <Button
          variant="subtle"
          size="xs"
          h={30}
          leftSection={<IconDeviceFloppy size={15} aria-hidden />}
          onClick={() => setDialog('view')}
        >
          {t('save_view')}
        </Button>
      )}
      {!props.line && <ColumnMenu columns={props.columns} prefs={prefs} dropped={dropped} onPrefs={setPrefs} />}
      <Tooltip label={t('refresh')}>
        <ActionIcon
          variant="default"
          size={30}
          aria-label={t('refresh')}
          loading={answer.isFetching && rows !== undefined}
          onClick={() => void answer.refetch()}
        >
          <IconRefresh size={16} />
        </ActionIcon>
      </Tooltip>
      {/* Inside a tab there is no title line to hold them. */}
      {props.page === false && menu.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" size={30} aria-label={tk('more_actions')}>
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <MenuItems actions={menu} />
          </Menu.Dropdown>
        </Menu>
      )}
      {props.page === false && props.main && <MainButton action={props.main} size="xs" />}
    </search>
  )
}

/** That the rows are older than what was asked for, or were removed. */
export function ListNotes<R extends AnyRow>({ list: { answer, state, change } }: { list: ListScreenState<R> }) {
  const t = useT('kit-screens')
  const tk = useT('kit')
  return (
    <>
      {answer.offline && (
        <output className={css.offlineNote}>
          <IconPlugConnectedX size={16} aria-hidden />
          {t('older_rows')}
          <Button variant="subtle" size="xs" onClick={() => void answer.refetch()}>
            {tk('try_again')}
          </Button>
        </output>
      )}
      {state.removed && (
        <div className={css.removedNote}>
          <IconTrash size={16} aria-hidden />
          {t('removed_note')}
          <Button
            variant="subtle"
            size="xs"
            leftSection={<IconArrowBackUp size={14} className="pointing" aria-hidden />}
            onClick={() => change({ removed: false })}
          >
            {t('back_to_list')}
          </Button>
        </div>
      )}
    </>
  )
}

/** In place of rows: why there are none, and what to do next. The main action itself stands above, once. */
export function Nothing({
  filtered,
  removed,
  empty,
  begins,
  onClear,
  tab,
  onAll,
}: {
  filtered: boolean
  /** The tab that is open, where it alone narrows the list. */
  tab: string | null
  onAll: () => void
  removed: boolean
  empty: ListScreenProps['empty']
  /** There is a main action, by which the first row is made. */
  begins: boolean
  onClear: () => void
}) {
  const t = useT('kit-screens')
  if (tab !== null) {
    return (
      <Empty
        title={t('empty_view', { view: tab })}
        action={
          <Button variant="default" onClick={onAll}>
            {t('empty_view_all')}
          </Button>
        }
      />
    )
  }
  if (filtered) {
    return (
      <Empty
        title={t('empty_filtered')}
        text={t('empty_filtered_text')}
        action={
          <Button variant="default" onClick={onClear}>
            {t('clear_filters')}
          </Button>
        }
      />
    )
  }
  if (removed) return <Empty title={t('empty_removed')} text={t('empty_removed_text')} />
  return (
    <Empty
      title={empty?.title ?? t('empty_list')}
      text={empty?.text ?? (begins ? t('empty_list_text') : undefined)}
      action={empty?.action}
    />
  )
}
