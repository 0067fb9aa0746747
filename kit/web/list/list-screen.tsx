import { Suspense, useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import {
  IconArrowBackUp,
  IconDeviceFloppy,
  IconDots,
  IconPlugConnectedX,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react'
import type { AnyCall } from '../api/index.ts'
import { useMaybeMe } from '../auth/index.ts'
import { Empty, Failed, notify, useShortcut } from '../feedback/index.ts'
import { useLabel, useT } from '../i18n/index.ts'
import type { Label } from '../i18n/index.ts'
import { part } from '../later.ts'
import { useNavigate } from '../router/index.ts'
import { Page } from '../shell/page.tsx'
import { cleanFilters, writeState } from './address.ts'
import type { BulkAction } from './bulk.tsx'
import { ColumnMenu } from './column-menu.tsx'
import type { AnyRow, Column } from './columns.ts'
import { DataTable } from './data-table.tsx'
import { FilterBar } from './filter-bar.tsx'
import type { FilterFields } from './filter-bar.tsx'
import type { ImportCalls } from './import-dialog.tsx'
import { useListAnswer } from './list-answer.ts'
import { useListBulk } from './list-bulk.ts'
import { ListFoot } from './list-foot.tsx'
import { useListState } from './list-state.ts'
import { ViewTabs, useViewTabs } from './list-views.tsx'
import type { ViewTab } from './list-views.tsx'
import { MainButton, MenuItems } from './main-button.tsx'
import { readPrefs, writePrefs } from './prefs.ts'
import type { TablePrefs } from './prefs.ts'
import type { RowAction } from './row-action.ts'
import { SearchBox } from './search-box.tsx'
import { NOTHING, everything, isSelected } from './selection.ts'
import { SelectionBar } from './selection-bar.tsx'
import { sortedBy } from './table-head.tsx'
import { useViews } from './views.ts'
import css from './list.module.css'

const BulkDialog = part(async () => (await import('./bulk-dialog.tsx')).default)
const ExportDialog = part(async () => (await import('./export-dialog.tsx')).default)
const ImportDialog = part(async () => (await import('./import-dialog.tsx')).default)
const SaveViewDialog = part(async () => (await import('./save-view-dialog.tsx')).default)

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
  /** What is to be sent is not known yet (the current term): nothing is asked. */
  readonly wait?: boolean
  readonly order?: readonly [string, 'asc' | 'desc']
  readonly perPage?: number
  readonly searchable?: boolean
  /** What a row is called where it stands alone: in results of bulk actions, to assistive technology. Its name unless told. */
  readonly rowName?: (row: R) => string
  readonly rowHref?: (row: R) => string | null
  readonly onOpen?: (row: R) => void
  readonly actions?: (row: R) => readonly RowAction[]
  readonly inline?: (row: R) => RowAction | null
  /** Room for what inline buttons say; that of an icon unless told. */
  readonly inlineWidth?: number
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
  /** What stands between the title and the list; told what the answer says of all rows (`meta.details`). */
  readonly above?: ReactNode | ((details: unknown) => ReactNode)
  /** Name under which views and columns are kept; the call's path unless told. */
  readonly name?: string
  /** `false`: inside another screen (a tab): no title line, state in the address under the same keys. */
  readonly page?: boolean
  /** Route with `:page?`, where the page stands in the path. */
  readonly path?: string
  readonly onKey?: { readonly edit?: (row: R) => string | null }
}

const NO_FILTERS: FilterFields = {}

/**
 * A whole list screen over any list call: see look.md "List". State stands in the address, so that it can be sent,
 * kept and gone back to.
 *
 * @example <ListScreen call={controlCalls.list} title={['Control lists', 'قوائم الكنترول']} columns={columns} rowHref={(row) => to('/control/:id', { id: row.id })} />
 */
export function ListScreen<R extends AnyRow = AnyRow>(props: ListScreenProps<R>) {
  const { call, columns, filters = NO_FILTERS, bulk } = props
  const t = useT('kit-screens')
  const tk = useT('kit')
  const say = useLabel()
  const user = useMaybeMe()?.user.id ?? 0
  const navigate = useNavigate()
  const name = props.name ?? (call.path as string)
  const title = say(props.title)

  const list = useListState({ perPage: props.perPage, order: props.order, path: props.path, fields: filters })
  const { state, defaults, change, selection, setSelection } = list
  const answer = useListAnswer<R>({ call, params: props.params, state, fixed: props.fixed, wait: props.wait })
  const { rows, count, asked } = answer
  useEffect(() => {
    // Rows were removed meanwhile: the last page that exists.
    const last = Math.max(1, Math.ceil(count / asked.perPage))
    if (rows && asked === state && asked.page > last) change({ page: last }, true)
    // oxlint-disable-next-line react-hooks/exhaustive-deps, react/exhaustive-effect-dependencies -- only a new answer can make a page vanish
  }, [rows, count, asked])

  const [prefs, setPrefsState] = useState<TablePrefs>(() => readPrefs(user, name))
  const setPrefs = (next: TablePrefs) => {
    setPrefsState(next)
    writePrefs(user, name, next)
  }
  const [dropped, setDropped] = useState<readonly string[]>([])
  const own = useViews(user, name)
  const { here, tabs, current, stateOf } = useViewTabs({ state, defaults, given: props.views, own: own.views })
  const openView = (view: ViewTab) => {
    setSelection(NOTHING)
    if (view.prefs) setPrefs(view.prefs)
    // Keys of others (`?tab=`) stay.
    list.setQuery(writeState(stateOf(view.query), defaults, list.query))
  }
  const removeView = (view: ViewTab) => {
    const kept = own.views.find((v) => String(v.id) === view.key)
    if (kept) own.remove(kept).catch(notify.error)
  }

  const work = useListBulk<R>({
    call,
    params: props.params,
    body: answer.body,
    rows,
    count,
    selection,
    setSelection,
    rowName: props.rowName,
  })
  const { selected } = work
  const shown = rows?.filter((row) => isSelected(selection, row.id)) ?? []
  // What stands on other pages is not known here: then every action is offered, and tells each row's refusal.
  const offered = bulk?.filter((action) => !action.applies || selected > shown.length || shown.some(action.applies))
  const [dialog, setDialog] = useState<'xlsx' | 'pdf' | 'import' | 'view' | null>(null)

  const searchBox = useRef<HTMLInputElement>(null)
  useShortcut('/', () => searchBox.current?.focus(), props.searchable === false ? null : t('shortcut_search'))
  useShortcut(
    'n',
    () => (props.main?.href ? void navigate(props.main.href) : props.main?.onSelect?.()),
    props.main?.label ?? null,
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
  // The order is shown by the head of its column; where that is not there, in words.
  const sorting = columns.find((c) => sortedBy(c, { by: asked.order_by, direction: asked.order_direction }))
  const headShown =
    sorting &&
    !dropped.includes(sorting.key) &&
    !prefs.hidden?.includes(sorting.key) &&
    (!sorting.hidden || prefs.shown?.includes(sorting.key))

  const content = (
    <div className={css.screen}>
      {typeof props.above === 'function' ? props.above(answer.details) : props.above}
      {tabs.length > 1 && <ViewTabs tabs={tabs} current={current} onOpen={openView} onRemove={removeView} />}
      {selected > 0 ? (
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
      ) : (
        <search className={css.bar} aria-label={title}>
          {props.searchable !== false && (
            <SearchBox
              box={searchBox}
              title={title}
              value={state.search}
              onSearch={(text) => change({ search: text })}
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
          <ColumnMenu columns={columns} prefs={prefs} dropped={dropped} onPrefs={setPrefs} />
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
      )}
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
      <DataTable<R>
        columns={columns}
        rows={answer.error ? [] : rows}
        caption={title}
        // A list inside another screen is mostly short.
        expected={Math.min(state.perPage, props.page === false ? 5 : 25)}
        busy={answer.isFetching}
        stale={answer.stale}
        sort={{ by: asked.order_by, direction: asked.order_direction }}
        onSort={(order_by, order_direction) => change({ order_by, order_direction }, true)}
        selection={bulk?.length || props.exports?.xlsx ? selection : undefined}
        onSelection={setSelection}
        rowName={props.rowName}
        rowHref={props.rowHref}
        onOpen={props.onOpen}
        actions={props.actions}
        inline={props.inline}
        inlineWidth={props.inlineWidth}
        prefs={prefs}
        onPrefs={setPrefs}
        onDropped={setDropped}
        empty={
          <Nothing
            filtered={Boolean(asked.search) || Object.keys(cleanFilters(asked.filters)).length > 0}
            removed={asked.removed}
            empty={props.empty}
            main={props.main}
            onClear={() => change({ search: '', filters: {} })}
          />
        }
        error={answer.error ? <Failed error={answer.error} retry={() => void answer.refetch()} /> : undefined}
        fill={props.page !== false}
        onRowKey={(event, row) => {
          const href = event.key === 'e' ? props.onKey?.edit?.(row) : null
          if (href) {
            event.preventDefault()
            void navigate(href)
          }
        }}
      />
      <ListFoot
        count={answer.error ? 0 : count}
        asked={asked}
        sortedBy={sorting && !headShown ? say(sorting.label) : null}
        onPage={(page) => change({ page }, true)}
        onPageSize={(perPage) => change({ perPage })}
      />
      <Suspense>
        {work.work && (
          <BulkDialog
            title={work.work.action.label}
            total={work.work.total}
            done={work.work.done}
            results={work.work.results}
            nameOf={work.nameOf}
            onClose={work.close}
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
            body={answer.body}
            count={selected || count}
            ids={selected > 0 ? work.ids : undefined}
            onClose={() => setDialog(null)}
          />
        )}
        {dialog === 'import' && props.imports && (
          <ImportDialog {...props.imports} title={title} onClose={() => setDialog(null)} />
        )}
        {dialog === 'view' && (
          <SaveViewDialog
            taken={own.views.map((v) => v.name)}
            onSave={async (viewName) => {
              await own.save({ name: viewName, query: here, prefs })
              setDialog(null)
            }}
            onClose={() => setDialog(null)}
          />
        )}
      </Suspense>
    </div>
  )
  if (props.page === false) return content
  return (
    <Page
      wide
      title={title}
      subtitle={props.subtitle ?? (rows ? t('count', { count }) : '\u00A0')}
      action={props.main ? <MainButton action={props.main} /> : undefined}
      menu={menu.length ? <MenuItems actions={menu} /> : undefined}
    >
      {content}
    </Page>
  )
}

/** In place of rows: why there are none, and what to do next. */
function Nothing({
  filtered,
  removed,
  empty,
  main,
  onClear,
}: {
  filtered: boolean
  removed: boolean
  empty: ListScreenProps['empty']
  main: RowAction | null | undefined
  onClear: () => void
}) {
  const t = useT('kit-screens')
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
      text={empty?.text ?? (main ? t('empty_list_text') : undefined)}
      action={empty?.action ?? (main ? <MainButton action={main} /> : undefined)}
    />
  )
}
