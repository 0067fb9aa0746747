import { Suspense, lazy, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { ActionIcon, Button, Menu, Pagination, Select, TextInput, Tooltip } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import {
  IconArrowBackUp,
  IconDeviceFloppy,
  IconDots,
  IconRefresh,
  IconSearch,
  IconTrash,
  IconX,
} from '@tabler/icons-react'
import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { refresh, send, useCall } from '../api/index.ts'
import type { AnyCall } from '../api/index.ts'
import { useMaybeMe } from '../auth/index.ts'
import { Empty, Failed, confirm, notify, useShortcut } from '../feedback/index.ts'
import { formatNumber, nameOf, useLabel, useT } from '../i18n/index.ts'
import type { Label, Named } from '../i18n/index.ts'
import { Link, fillPath, useNavigate, useParams, useSearchParams } from '../router/index.ts'
import { Page } from '../shell/page.tsx'
import { PAGE_SIZES, cleanFilters, listBody, readState, writeState } from './address.ts'
import type { ListState } from './address.ts'
import type { ImportCalls } from './import-dialog.tsx'
import { runBulk } from './bulk.tsx'
import type { BulkAction, RowResult } from './bulk.tsx'
import { ColumnMenu } from './column-menu.tsx'
import type { AnyRow, Column } from './columns.ts'
import { DataTable } from './data-table.tsx'
import type { RowAction } from './data-table.tsx'
import { FilterBar } from './filter-bar.tsx'
import type { FilterFields } from './filter-bar.tsx'
import { readPrefs, readViews, writePrefs, writeViews } from './prefs.ts'
import type { SavedView, TablePrefs } from './prefs.ts'
import { NOTHING, everything, isSelected, selectedCount } from './selection.ts'
import type { Selection } from './selection.ts'
import fieldCss from '../fields/fields.module.css'
import css from './list.module.css'

const BulkDialog = lazy(() => import('./bulk-dialog.tsx'))
const ExportDialog = lazy(() => import('./export-dialog.tsx'))
const ImportDialog = lazy(() => import('./import-dialog.tsx'))
const SaveViewDialog = lazy(() => import('./save-view-dialog.tsx'))

/** Most rows that "all matching" may hold: what an export may hold as well. */
const ALL_LIMIT = 5000

export interface ListScreenProps<R extends AnyRow = AnyRow> {
  /** A call with the list's body and answer (`listQuery`, `listOf`). */
  readonly call: AnyCall
  /** Parameters and query of the call beside its body. */
  readonly params?: Readonly<Record<string, unknown>>
  readonly title: Label
  readonly subtitle?: ReactNode
  /** One word for the rows, as under `many`; the title unless told. */
  readonly columns: readonly Column<R>[]
  readonly filters?: FilterFields
  /** Sent with every request, not shown as chips. */
  readonly fixed?: Readonly<Record<string, unknown>>
  readonly order?: readonly [string, 'asc' | 'desc']
  readonly perPage?: number
  readonly searchable?: boolean
  /** What a row is called where it stands alone: in results of bulk actions, to assistive technology. Its name unless told. */
  readonly rowName?: (row: R) => string
  readonly rowHref?: (row: R) => string | null
  readonly onOpen?: (row: R) => void
  readonly actions?: (row: R) => readonly RowAction[]
  readonly inline?: (row: R) => RowAction | null
  /** Absent: rows cannot be selected. */
  readonly bulk?: readonly BulkAction[]
  /** The one main action of the screen; `n` does it. */
  readonly main?: RowAction | null
  /** Further actions of the title line. */
  readonly menu?: readonly RowAction[]
  readonly exports?: {
    readonly xlsx?: AnyCall
    readonly pdf?: AnyCall
    readonly columns?: readonly { readonly key: string; readonly label: Label }[]
  }
  readonly imports?: ImportCalls
  /** Offers the view of removed rows. */
  readonly removed?: boolean
  readonly views?: readonly { readonly key: string; readonly label: Label; readonly query: string }[]
  readonly empty?: { readonly title: ReactNode; readonly text?: ReactNode; readonly action?: ReactNode }
  /** What stands between the title and the list. */
  readonly above?: ReactNode
  /** Name under which views and columns are kept; the call's path unless told. */
  readonly name?: string
  /** `false`: inside another screen (a tab): no title line, state in the address under the same keys. */
  readonly page?: boolean
  /** Route with `:page?`, where the page stands in the path. */
  readonly path?: string
  readonly onKey?: { readonly edit?: (row: R) => string | null }
}

/**
 * A whole list screen over any list call: see look.md "List". State stands in the address, so that it can be sent,
 * kept and gone back to.
 *
 * @example <ListScreen call={controlCalls.list} title={['Control lists', 'قوائم الكنترول']} columns={columns} rowHref={(row) => to('/control/:id', { id: row.id })} />
 */
export function ListScreen<R extends AnyRow = AnyRow>(props: ListScreenProps<R>) {
  const { call, columns, filters = {}, fixed, bulk } = props
  const t = useT('kit-screens')
  const tk = useT('kit')
  const say = useLabel()
  const me = useMaybeMe()
  const navigate = useNavigate()
  const client = useQueryClient()
  const route = useParams()
  const [query, setQuery] = useSearchParams()
  const name = props.name ?? (call.path as string)
  const user = me?.user.id ?? 0

  const { perPage = 25 } = props
  const [orderBy, orderDirection] = props.order ?? []
  const defaults = useMemo(
    () => ({ perPage, order: orderBy && orderDirection ? ([orderBy, orderDirection] as const) : undefined }),
    [perPage, orderBy, orderDirection],
  )
  const state = useMemo(
    () => readState(query, defaults, props.path?.includes(':page?') ? route.page : undefined),
    [query, defaults, route.page, props.path],
  )
  const [selection, setSelection] = useState<Selection>(NOTHING)
  const change = useCallback(
    (part: Partial<ListState>, keepSelection = false) => {
      const next = { ...state, page: 1, ...part }
      if (!keepSelection) setSelection(NOTHING)
      if (props.path?.includes(':page?') && route.page) {
        // The page left the path for the query: one place only.
        void navigate(
          {
            pathname: fillPath(props.path, { ...route, page: null }),
            search: String(writeState(next, defaults, query)),
          },
          { replace: true },
        )
      } else setQuery(writeState(next, defaults, query), { replace: part.page === undefined })
    },
    [state, defaults, query, setQuery, navigate, props.path, route],
  )

  const body = useMemo(() => listBody(state, fixed), [state, fixed])
  const { data, error, isPending, isFetching, refetch } = useCall(
    call,
    { body, ...(props.params && { params: props.params }) } as never,
    { placeholderData: keepPreviousData },
  )
  const answer = data as { data: R[]; meta: { count: number } } | undefined
  const rows = answer?.data
  const count = answer?.meta.count ?? 0
  const pages = Math.max(1, Math.ceil(count / state.perPage))
  useEffect(() => {
    // Rows were removed meanwhile: the last page that exists.
    // oxlint-disable-next-line react/set-state-in-effect -- the address is what changes
    if (answer && state.page > pages) change({ page: pages }, true)
    // oxlint-disable-next-line react-hooks/exhaustive-deps, react/exhaustive-effect-dependencies -- only a new answer can make a page vanish
  }, [answer, state.page, pages])

  // What stands in the box follows the address, but not the search the box itself sent: letters typed since would be lost.
  const [typed, setTyped] = useState(state.search)
  const [sent, setSent] = useState(state.search)
  const [known, setKnown] = useState(state.search)
  if (known !== state.search) {
    setKnown(state.search)
    if (state.search !== sent) setTyped(state.search)
  }
  const search = useDebouncedCallback((text: string) => {
    setSent(text.trim())
    change({ search: text.trim() })
  }, 250)
  const searchBox = useRef<HTMLInputElement>(null)
  useShortcut('/', () => searchBox.current?.focus(), props.searchable === false ? null : t('shortcut_search'))
  useShortcut(
    'n',
    () => (props.main?.href ? void navigate(props.main.href) : props.main?.onSelect?.()),
    props.main?.label ?? null,
  )

  const [prefs, setPrefsState] = useState<TablePrefs>(() => readPrefs(user, name))
  const setPrefs = (next: TablePrefs) => {
    setPrefsState(next)
    writePrefs(user, name, next)
  }
  const [views, setViewsState] = useState<SavedView[]>(() => readViews(user, name))
  const setViews = (next: SavedView[]) => {
    setViewsState(next)
    writeViews(user, name, next)
  }
  const [dialog, setDialog] = useState<'xlsx' | 'pdf' | 'import' | 'view' | null>(null)
  const here = useMemo(() => {
    const q = writeState({ ...state, page: 1 }, defaults)
    q.sort()
    return String(q)
  }, [state, defaults])
  const sortedQuery = (text: string) => {
    const q = new URLSearchParams(text)
    q.delete('page')
    q.sort()
    return String(q)
  }
  const openView = (text: string, viewPrefs?: TablePrefs) => {
    setSelection(NOTHING)
    if (viewPrefs) setPrefs(viewPrefs)
    // Keys of others (`?tab=`) stay.
    setQuery(writeState(readState(new URLSearchParams(text), defaults), defaults, query))
  }
  const tabs = [
    { key: '', label: t('view_all'), query: '', own: false },
    ...(props.views ?? []).map((v) => ({ key: v.key, label: say(v.label), query: v.query, own: false })),
    ...views.map((v) => ({ key: v.id, label: v.name, query: v.query, own: true })),
  ]
  const current = tabs.find((v) => sortedQuery(v.query) === here)

  const [work, setWork] = useState<{
    action: BulkAction
    total: number
    done: number
    results: RowResult[] | null
  } | null>(null)
  const selected = selectedCount(selection, count)
  const shown = rows?.filter((row) => isSelected(selection, row.id)) ?? []
  // What stands on other pages is not known here: then every action is offered, and tells each row's refusal.
  const offered = bulk?.filter((action) => !action.applies || selected > shown.length || shown.some(action.applies))
  // Kept from before the action: a row that moved on stands in no list any more when its result is told.
  const names = useRef(new Map<number, string>())
  const remember = (some: readonly R[]) => {
    for (const row of some) {
      const called = props.rowName?.(row) || nameOf(row as Named)
      if (called) names.current.set(row.id, called)
    }
  }
  const idsOfSelection = async (): Promise<number[]> => {
    if (!selection.all) return [...selection.ids]
    const ids: number[] = []
    for (let page = 1; ids.length < Math.min(count, ALL_LIMIT); page++) {
      const part = (await send(call, {
        ...(props.params && { params: props.params }),
        body: { ...body, page, perPage: 500 },
      } as never)) as { data: R[] }
      ids.push(...part.data.map((row) => row.id))
      remember(part.data)
      if (part.data.length < 500) break
    }
    return ids.filter((id) => isSelected(selection, id))
  }
  const runAction = async (action: BulkAction) => {
    const question = action.confirm?.(selected)
    if (question && !(await confirm({ ...question, danger: action.tone === 'refused' }))) return
    const title = { action, total: selected, done: 0, results: null }
    setWork(title)
    remember(rows ?? [])
    try {
      const ids = await idsOfSelection()
      const results = await runBulk(action, ids, (done) => setWork({ ...title, total: ids.length, done }))
      void refresh(client, `/${(call.path as string).split('/')[1]}`)
      setSelection(NOTHING)
      if (results.every((r) => !r.errors) && action.undo) {
        setWork(null)
        notify.undo(t('bulk_done', { count: results.length, action: action.label }), async () => {
          await action.undo?.(ids)
          void refresh(client, `/${(call.path as string).split('/')[1]}`)
        })
      } else setWork({ ...title, total: ids.length, done: ids.length, results })
    } catch (problem) {
      setWork(null)
      notify.error(problem)
    }
  }

  const filtered = Boolean(state.search) || Object.keys(cleanFilters(state.filters)).length > 0
  const title = say(props.title)
  const empty = filtered ? (
    <Empty
      title={t('empty_filtered')}
      text={t('empty_filtered_text')}
      action={
        <Button variant="default" onClick={() => change({ search: '', filters: {} })}>
          {t('clear_filters')}
        </Button>
      }
    />
  ) : state.removed ? (
    <Empty title={t('empty_removed')} text={t('empty_removed_text')} />
  ) : (
    <Empty
      title={props.empty?.title ?? t('empty_list')}
      text={props.empty?.text ?? (props.main ? t('empty_list_text') : undefined)}
      action={props.empty?.action ?? (props.main ? <MainButton action={props.main} /> : undefined)}
    />
  )
  const menu: RowAction[] = [
    ...(props.menu ?? []),
    ...(props.exports?.xlsx ? [{ key: 'xlsx', label: t('export_xlsx'), onSelect: () => setDialog('xlsx') }] : []),
    ...(props.exports?.pdf ? [{ key: 'pdf', label: t('export_pdf'), onSelect: () => setDialog('pdf') }] : []),
    ...(props.imports ? [{ key: 'import', label: t('import'), onSelect: () => setDialog('import') }] : []),
    ...(props.removed
      ? [
          {
            key: 'removed',
            label: state.removed ? t('hide_removed') : t('show_removed'),
            onSelect: () => change({ removed: !state.removed }),
          },
        ]
      : []),
  ]

  const list = (
    <div className={css.screen}>
      {props.above}
      {tabs.length > 1 && (
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
                onClick={() => openView(view.query, views.find((v) => v.id === view.key)?.prefs)}
                onKeyDown={(event) => {
                  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
                  if (event.key === 'Delete' && view.own) return setViews(views.filter((v) => v.id !== view.key))
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
                onClick={() => {
                  const before = views
                  setViews(views.filter((v) => v.id !== current.key))
                  notify.undo(t('view_removed', { name: current.label }), () => setViews(before))
                }}
              >
                <IconTrash size={15} />
              </ActionIcon>
            </Tooltip>
          )}
        </div>
      )}
      {selected > 0 ? (
        <div className={`${css.bar} ${css.selected}`} role="toolbar" aria-label={t('selection')}>
          <span className={css.selectedCount} aria-live="polite">
            {t('selected', { count: selected })}
          </span>
          {!selection.all && count > (rows?.length ?? 0) && selected >= (rows?.length ?? 0) && (
            <Button
              variant="subtle"
              size="xs"
              onClick={() => setSelection(everything())}
              disabled={count > ALL_LIMIT}
              title={count > ALL_LIMIT ? t('all_limit', { max: ALL_LIMIT }) : undefined}
            >
              {t('select_all_matching', { count })}
            </Button>
          )}
          <span className={css.spring} />
          {offered?.map((action) => (
            <Button
              key={action.key}
              size="xs"
              variant={action.tone === 'refused' ? 'light' : 'default'}
              color={action.tone === 'refused' ? 'red' : undefined}
              leftSection={action.icon}
              onClick={() => void runAction(action)}
            >
              {action.label}
            </Button>
          ))}
          {props.exports?.xlsx && (
            <Button size="xs" variant="default" onClick={() => setDialog('xlsx')}>
              {t('export')}
            </Button>
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            size={30}
            aria-label={t('clear_selection')}
            onClick={() => setSelection(NOTHING)}
          >
            <IconX size={16} />
          </ActionIcon>
        </div>
      ) : (
        <search className={css.bar} aria-label={title}>
          {props.searchable !== false && (
            <TextInput
              ref={searchBox}
              className={css.search}
              size="xs"
              styles={{ input: { height: 30, minHeight: 30, fontSize: 13 } }}
              type="search"
              aria-label={t('search_in', { name: title })}
              placeholder={t('search')}
              classNames={{ input: fieldCss.auto }}
              attributes={{ input: { dir: 'auto', enterKeyHint: 'search' } }}
              leftSection={<IconSearch size={15} aria-hidden />}
              value={typed}
              onChange={(event) => {
                setTyped(event.currentTarget.value)
                search(event.currentTarget.value)
              }}
              onKeyDown={(event) => {
                if (event.key === 'Escape' && typed) {
                  event.stopPropagation()
                  setTyped('')
                  change({ search: '' })
                }
                if (event.key === 'ArrowDown') {
                  event.preventDefault()
                  document.querySelector<HTMLElement>('[data-row]')?.focus()
                }
              }}
            />
          )}
          <FilterBar fields={filters} values={state.filters} onChange={(next) => change({ filters: next })} />
          <span className={css.spring} />
          {here !== '' && !current && (
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
          <ColumnMenu columns={columns} prefs={prefs} onPrefs={setPrefs} />
          <Tooltip label={t('refresh')}>
            <ActionIcon
              variant="default"
              size={30}
              aria-label={t('refresh')}
              loading={isFetching && !isPending}
              onClick={() => void refetch()}
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
      <DataTable<R>
        columns={columns}
        rows={isPending ? undefined : (rows ?? [])}
        caption={title}
        expected={Math.min(state.perPage, 25)}
        busy={isFetching}
        sort={{ by: state.order_by, direction: state.order_direction }}
        onSort={(order_by, order_direction) => change({ order_by, order_direction }, true)}
        selection={bulk?.length || props.exports?.xlsx ? selection : undefined}
        onSelection={setSelection}
        rowName={props.rowName}
        rowHref={props.rowHref}
        onOpen={props.onOpen}
        actions={props.actions}
        inline={props.inline}
        prefs={prefs}
        onPrefs={setPrefs}
        empty={empty}
        error={error && !rows ? <Failed error={error} retry={() => void refetch()} /> : undefined}
        fill={props.page === false ? false : 76}
        onRowKey={(event, row) => {
          const href = event.key === 'e' ? props.onKey?.edit?.(row) : null
          if (href) {
            event.preventDefault()
            void navigate(href)
          }
        }}
      />
      {count > 0 && (
        <div className={css.foot}>
          <span className={css.footPart} aria-live="polite">
            {t('rows_shown', {
              from: (state.page - 1) * state.perPage + 1,
              to: Math.min(count, state.page * state.perPage),
              count,
            })}
          </span>
          {pages > 1 && (
            <Pagination
              size="sm"
              total={pages}
              value={Math.min(state.page, pages)}
              onChange={(page) => change({ page }, true)}
              getItemProps={(page) => ({ 'aria-label': t('page_number', { page }), children: formatNumber(page) })}
              getControlProps={(control) => ({
                'aria-label': t(
                  control === 'next'
                    ? 'next_page'
                    : control === 'previous'
                      ? 'previous_page'
                      : control === 'first'
                        ? 'first_page'
                        : 'last_page',
                ),
              })}
            />
          )}
          <label className={css.footPart}>
            {t('page_size')}
            <Select
              size="xs"
              w={76}
              data={PAGE_SIZES.map((n) => ({ value: String(n), label: formatNumber(n) }))}
              value={String(state.perPage)}
              allowDeselect={false}
              onChange={(n) => change({ perPage: Number(n) })}
              comboboxProps={{ position: 'top' }}
            />
          </label>
        </div>
      )}
      <Suspense>
        {work && (
          <BulkDialog
            title={work.action.label}
            total={work.total}
            done={work.done}
            results={work.results}
            nameOf={(id) => names.current.get(id) ?? `#${id}`}
            onClose={() => setWork(null)}
          />
        )}
        {(dialog === 'xlsx' || dialog === 'pdf') && (
          <ExportDialog
            call={(dialog === 'xlsx' ? props.exports?.xlsx : props.exports?.pdf)!}
            kind={dialog}
            columns={
              props.exports?.columns ??
              columns.flatMap((c) => (c.exports ?? [c.key]).map((key) => ({ key, label: c.label })))
            }
            shown={columns
              .filter((c) => !c.hidden && !prefs.hidden?.includes(c.key))
              .flatMap((c) => c.exports ?? [c.key])}
            body={body}
            count={selected || count}
            ids={selected > 0 ? idsOfSelection : undefined}
            onClose={() => setDialog(null)}
          />
        )}
        {dialog === 'import' && props.imports && (
          <ImportDialog {...props.imports} title={title} onClose={() => setDialog(null)} />
        )}
        {dialog === 'view' && (
          <SaveViewDialog
            taken={views.map((v) => v.name)}
            onSave={(viewName) => {
              setViews([
                ...views.filter((v) => v.name !== viewName),
                { id: `v${Date.now().toString(36)}`, name: viewName, query: here, prefs },
              ])
              setDialog(null)
            }}
            onClose={() => setDialog(null)}
          />
        )}
      </Suspense>
    </div>
  )
  if (props.page === false) return list
  return (
    <Page
      wide
      title={title}
      subtitle={props.subtitle ?? (answer ? t('count', { count }) : '\u00A0')}
      action={props.main ? <MainButton action={props.main} /> : undefined}
      menu={menu.length ? <MenuItems actions={menu} /> : undefined}
    >
      {list}
    </Page>
  )
}

/** The one main action of a screen. */
export function MainButton({ action, size }: { action: RowAction; size?: 'xs' }) {
  const look = {
    size,
    h: size ? 30 : undefined,
    leftSection: action.icon,
    title: action.disabled,
    color: action.tone === 'refused' ? 'red' : undefined,
    children: action.label,
  }
  // What leads elsewhere is a link: it opens in another tab as well.
  return action.href && !action.disabled ? (
    <Button component={Link} to={action.href} {...look} />
  ) : (
    <Button disabled={Boolean(action.disabled)} onClick={() => action.onSelect?.()} {...look} />
  )
}
/** Actions as the items of a menu. */
export function MenuItems({ actions }: { actions: readonly RowAction[] }) {
  return actions.map((action) => {
    const look = {
      leftSection: action.icon,
      color: action.tone === 'refused' ? 'red' : undefined,
      title: action.disabled,
      children: action.label,
    }
    return action.href && !action.disabled ? (
      <Menu.Item key={action.key} component={Link} to={action.href} {...look} />
    ) : (
      <Menu.Item key={action.key} disabled={Boolean(action.disabled)} onClick={() => action.onSelect?.()} {...look} />
    )
  })
}
