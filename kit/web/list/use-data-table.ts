/* oxlint-disable react/incompatible-library, react/set-state-in-effect, react/exhaustive-effect-dependencies --
   the table of the library keeps its own state; sizes and marks follow what was drawn */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { CSSProperties, KeyboardEvent, ReactNode, RefObject } from 'react'
import { useMediaQuery } from '@mantine/hooks'
import {
  columnOrderingFeature,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import type { ColumnDef } from '@tanstack/react-table'
import { compareText, directionOf, nameOf } from '../i18n/index.ts'
import type { Named } from '../i18n/index.ts'
import { useShow } from './cell.tsx'
import { useFittedColumns, useRoom } from './columns-fit.ts'
import type { AnyRow, Column } from './columns.ts'
import { arranged } from './prefs.ts'
import type { TablePrefs } from './prefs.ts'
import type { RowAction } from './row-action.ts'
import { useRowKeys } from './row-keys.ts'
import { useRowMenu } from './row-menu.tsx'
import type { Selection } from './selection.ts'
import { useFillingHeight } from './table-height.ts'
import type { VirtualHandle } from './virtual-rows.tsx'
import css from './table.module.css'

export interface DataTableProps<R extends AnyRow> {
  readonly columns: readonly Column<R>[]
  /** undefined: still loading, skeleton rows are shown. */
  readonly rows: readonly R[] | undefined
  /** What the table holds, for assistive technology. */
  readonly caption: string
  /** How many skeleton rows stand in while loading. */
  readonly expected?: number
  /** Newer rows are being fetched while old ones are shown. */
  readonly busy?: boolean
  /** The rows are not those that were asked for last: they are dimmed. */
  readonly stale?: boolean
  /** Present order of the server; absent: the table sorts in the browser by `value`. */
  readonly sort?: { readonly by: string | null; readonly direction: 'asc' | 'desc' }
  readonly onSort?: (by: string, direction: 'asc' | 'desc') => void
  readonly selection?: Selection
  readonly onSelection?: (next: Selection) => void
  /** What a row is called to assistive technology; its name unless told. */
  readonly rowName?: (row: R) => string
  /** Address of a row's screen: the first column links there, Enter and a click on the row open it. */
  readonly rowHref?: (row: R) => string | null
  readonly onOpen?: (row: R) => void
  readonly actions?: (row: R) => readonly RowAction[]
  readonly inline?: (row: R) => RowAction | null
  /** Room for what inline buttons say; that of an icon unless told. */
  readonly inlineWidth?: number
  readonly prefs?: TablePrefs
  readonly onPrefs?: (prefs: TablePrefs) => void
  /** Columns that found no room. */
  readonly onDropped?: (keys: readonly string[]) => void
  /** Shown instead of rows when there are none. */
  readonly empty?: ReactNode
  readonly error?: ReactNode
  /** Fills the window instead of growing. */
  readonly fill?: boolean
  readonly onRowKey?: (event: KeyboardEvent, row: R) => void
}

const features = tableFeatures({
  columnVisibilityFeature,
  columnOrderingFeature,
  columnSizingFeature,
  columnResizingFeature,
  columnPinningFeature,
})
export const CHECK = '\u0000check'
export const ACTIONS = '\u0000actions'
const CHECK_WIDTH = 40
const VIRTUAL_FROM = 200

/** Rows in the order that somebody chose in the browser. */
function useOwnOrder<R extends AnyRow>(
  given: readonly R[] | undefined,
  columns: readonly Column<R>[],
  byServer: boolean,
) {
  const [own, setOwn] = useState<{ by: string; direction: 'asc' | 'desc' } | null>(null)
  const rows = useMemo(() => {
    const column = !byServer && own ? columns.find((c) => c.key === own.by) : undefined
    if (!given || !column) return given
    const value = column.value ?? ((row: R) => row[column.key] as string | number | null)
    const sign = own?.direction === 'desc' ? -1 : 1
    return [...given].sort((a, b) => {
      const [x, y] = [value(a), value(b)]
      if (x === null || x === undefined || y === null || y === undefined) return Number(x == null) - Number(y == null)
      return sign * (typeof x === 'number' && typeof y === 'number' ? x - y : compareText(String(x), String(y)))
    })
  }, [given, own, columns, byServer])
  return { rows, own, setOwn }
}

/** The columns that are shown, how wide they are, and which stay in sight. */
function useTableColumns<R extends AnyRow>(
  props: DataTableProps<R>,
  {
    rows,
    order,
    narrow,
    box,
  }: {
    rows: readonly R[] | undefined
    order: { readonly by: string | null } | null | undefined
    narrow: boolean
    box: RefObject<HTMLDivElement | null>
  },
) {
  const { columns, selection, actions, inline, prefs = {}, onPrefs } = props
  const show = useShow()
  const selectable = selection !== undefined
  const hasInline = inline !== undefined
  const hasActions = Boolean(actions ?? inline)
  const actionsWidth = hasActions ? (hasInline ? (props.inlineWidth ?? 36) : 0) + (actions || !hasInline ? 48 : 12) : 0
  const arrangedColumns = useMemo(() => arranged(columns, prefs).visible, [columns, prefs])
  const room = useRoom(box, narrow)
  const {
    columns: visible,
    widths,
    dropped,
  } = useFittedColumns(arrangedColumns, {
    room,
    taken: (selectable ? CHECK_WIDTH : 0) + actionsWidth,
    prefs,
    show,
    sortedBy: order?.by ?? null,
    rows,
  })
  const { onDropped } = props
  useEffect(() => onDropped?.(dropped), [onDropped, dropped])
  const definitions = useMemo((): ColumnDef<typeof features, R>[] => {
    const made: ColumnDef<typeof features, R>[] = visible.map((c) => ({
      id: c.key,
      size: widths.get(c.key)!,
      minSize: 56,
      maxSize: 800,
    }))
    if (selectable) made.unshift({ id: CHECK, size: CHECK_WIDTH, enableResizing: false })
    if (hasActions) made.push({ id: ACTIONS, size: actionsWidth, enableResizing: false })
    return made
  }, [visible, widths, selectable, hasActions, actionsWidth])
  const pinning = useMemo(
    () => ({ start: [...(selectable ? [CHECK] : []), visible[0]!.key], end: hasActions ? [ACTIONS] : [] }),
    [visible, selectable, hasActions],
  )
  const EMPTY: R[] = useMemo(() => [], [])
  const table = useTable({
    features,
    columns: definitions,
    data: (rows as R[] | undefined) ?? EMPTY,
    getRowId: (row) => String(row.id),
    state: { columnPinning: pinning },
    onColumnPinningChange: () => {},
    columnResizeMode: 'onChange',
    columnResizeDirection: directionOf(show.lang),
  })
  const byKey = useMemo(() => new Map(columns.map((c) => [c.key, c])), [columns])
  const model = table.getRowModel().rows
  const sizing = table.state.columnSizing
  const resizing = table.state.columnResizing?.isResizingColumn
  const wasResizing = useRef<string | false>(false)
  useEffect(() => {
    // A size is kept when the hand lets go, not at every pixel.
    if (wasResizing.current && !resizing && onPrefs) onPrefs({ ...prefs, sizes: { ...prefs.sizes, ...sizing } })
    wasResizing.current = resizing || false
  }, [resizing, sizing, onPrefs, prefs])
  const leaf = [...table.getStartFlatHeaders(), ...table.getCenterFlatHeaders(), ...table.getEndFlatHeaders()]
  const total = leaf.reduce((n, h) => n + h.column.getSize(), 0)
  const pin = (id: string): { className: string; style?: CSSProperties } => {
    const column = table.getColumn(id)
    const side = column?.getIsPinned()
    if (!column || !side || narrow) return { className: '' }
    return side === 'start'
      ? {
          className: `${css.pinned} ${id === visible[0]?.key ? css.lastPinned : ''}`,
          style: { insetInlineStart: column.getStart('start') },
        }
      : { className: css.pinned!, style: { insetInlineEnd: column.getAfter('end') } }
  }
  return { show, arrangedColumns, visible, room, actionsWidth, byKey, model, sizing, resizing, leaf, total, pin }
}

/** Everything about a table but how it is drawn. */
export function useDataTable<R extends AnyRow>(props: DataTableProps<R>) {
  const { columns, sort, onSort, selection, onSelection, rowHref, onOpen, actions, inline } = props
  const narrow = useMediaQuery('(max-width: 40em)', undefined, { getInitialValueInEffect: false })
  const frame = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const virtualRows = useRef<VirtualHandle>(null)
  const { rows, own, setOwn } = useOwnOrder(props.rows, columns, onSort !== undefined)
  const order = onSort ? sort : own
  const stale = props.stale ?? false

  const tableColumns = useTableColumns(props, { rows, order, narrow, box })
  const { show } = tableColumns
  const height = useFillingHeight(box, Boolean(props.fill) && !narrow)
  const { ids, active, setActive, select, open, onKeyDown } = useRowKeys({
    box,
    rows,
    virtualRows,
    selection,
    onSelection,
    rowHref,
    onOpen,
    onRowKey: props.onRowKey,
    everywhere: Boolean(props.fill),
  })
  const { menu, inlineButton, menuButton } = useRowMenu({ actions, inline })
  const virtual = (rows?.length ?? 0) > VIRTUAL_FROM && !narrow
  const rowHeight = virtual
    ? Number.parseInt(getComputedStyle(document.documentElement).getPropertyValue('--row'), 10) || 36
    : 0

  // What lies beneath the pinned columns or beyond the edge: told to the style sheet without drawing the table again.
  const mark = () => {
    const element = box.current
    if (!element || narrow) return
    const at = Math.abs(element.scrollLeft)
    element.toggleAttribute('data-scrolled', at > 2)
    frame.current?.toggleAttribute('data-more', at + element.clientWidth < element.scrollWidth - 2)
  }
  useLayoutEffect(() => {
    mark()
    window.addEventListener('resize', mark)
    return () => window.removeEventListener('resize', mark)
  })
  const rowName = (row: R) => props.rowName?.(row) || nameOf(row as Named, show.lang) || String(row.id)
  return {
    ...tableColumns,
    props,
    narrow,
    frame,
    box,
    virtualRows,
    rows,
    order,
    setOwn,
    stale,
    height,
    ids,
    active,
    setActive,
    select,
    open,
    onKeyDown,
    menu,
    inlineButton,
    menuButton,
    virtual,
    rowHeight,
    mark,
    rowName,
  }
}
export type TableState<R extends AnyRow> = ReturnType<typeof useDataTable<R>>
