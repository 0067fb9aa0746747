import { useCallback, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import type { AnyCall } from '../api/index.ts'
import { useMaybeMe } from '../auth/index.ts'
import { notify, useShortcut } from '../feedback/index.ts'
import { useLabel, useT } from '../i18n/index.ts'
import type { Label } from '../i18n/index.ts'
import { useNavigate } from '../router/index.ts'
import { writeState } from './address.ts'
import type { BulkAction } from './bulk.tsx'
import type { AnyRow, Column } from './columns.ts'
import type { FilterFields } from './filter-bar.tsx'
import type { ImportCalls } from './import-dialog.tsx'
import { useListAnswer } from './list-answer.ts'
import { useListBulk } from './list-bulk.ts'
import { useListState } from './list-state.ts'
import { useViewTabs } from './list-views.tsx'
import type { ViewTab } from './list-views.tsx'
import { readPrefs, writePrefs } from './prefs.ts'
import type { TablePrefs } from './prefs.ts'
import type { RowAction } from './row-action.ts'
import { NOTHING, isSelected } from './selection.ts'
import { sortedBy } from './table-head.tsx'
import { useViews } from './views.ts'

export interface ListScreenProps<R extends AnyRow = AnyRow> {
  /** A call with the list's body and answer (`listQuery`, `listOf`). */
  readonly call: AnyCall
  /** What stands at the places of the call's path, by name. */
  readonly params?: Readonly<Record<string, string | number>>
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
  readonly views?: readonly {
    readonly key: string
    readonly label: Label
    readonly query: string
    /** How many rows it has, where the screen knows. */
    readonly count?: number | undefined
  }[]
  readonly empty?: { readonly title: ReactNode; readonly text?: ReactNode; readonly action?: ReactNode }
  /** What stands between the title and the list; told what the answer says of all rows (`meta.details`). */
  readonly above?: ReactNode | ((details: unknown) => ReactNode)
  /** A control that narrows the list, e.g. to a term: in one line with its tabs and its search where there is room. */
  readonly beside?: ReactNode
  /** Name under which views and columns are kept; the call's path unless told. */
  readonly name?: string
  /** `false`: inside another screen (a tab): no title line, state in the address under the same keys. */
  readonly page?: boolean
  /** Route with `:page?`, where the page stands in the path. */
  readonly path?: string
  readonly onKey?: { readonly edit?: (row: R) => string | null }
  /** Rows as lines of text instead of a table, beneath headings: a log. Columns are then those of nothing. */
  readonly line?: (row: R) => ReactNode
  readonly lineHeading?: (row: R) => string
}

/** Whether both name the same, in one order. */
export const sameNames = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, i) => name === b[i])

const NO_FILTERS: FilterFields = {}

/** Everything about a list screen but how it is drawn. */
export function useListScreen<R extends AnyRow>(props: ListScreenProps<R>) {
  const { call, columns, filters = NO_FILTERS, bulk } = props
  const t = useT('kit-screens')
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
  const [dropped, setAllDropped] = useState<readonly string[]>([])
  // Told at each fit: only another answer draws the list again.
  const setDropped = useCallback(
    (next: readonly string[]) => setAllDropped((now) => (sameNames(now, next) ? now : next)),
    [],
  )
  const own = useViews(user, name)
  const { here, tabs, current, kept, byTabAlone, stateOf } = useViewTabs({
    state,
    defaults,
    bar: Object.keys(filters),
    given: props.views,
    own: own.views,
  })
  const openView = (view: ViewTab) => {
    setSelection(NOTHING)
    if (view.prefs) setPrefs(view.prefs)
    // Keys of others (`?tab=`) stay.
    list.setQuery(writeState(stateOf(view), defaults, list.query))
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
  return {
    props,
    title,
    filters,
    state,
    change,
    selection,
    setSelection,
    answer,
    rows,
    count,
    asked,
    prefs,
    setPrefs,
    dropped,
    setDropped,
    own,
    here,
    tabs,
    current,
    byTabAlone,
    kept,
    openView,
    removeView,
    work,
    selected,
    offered,
    dialog,
    setDialog,
    menu,
    /** By which the rows are sorted, where no head says it. */
    sortedUnseen: sorting && !headShown ? say(sorting.label) : null,
    navigate,
  }
}
export type ListScreenState<R extends AnyRow = AnyRow> = ReturnType<typeof useListScreen<R>>
