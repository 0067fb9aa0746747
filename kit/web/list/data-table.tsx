/* oxlint-disable jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events, jsx-a11y/prefer-tag-over-role, jsx-a11y/control-has-associated-label, react/incompatible-library, react/set-state-in-effect, react/exhaustive-effect-dependencies --
   rows take keys and clicks as one table; every control in them has its own name */
import { Suspense, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { CSSProperties, KeyboardEvent, ReactNode } from 'react'
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
import { compareText, directionOf, nameOf, useT } from '../i18n/index.ts'
import type { Named } from '../i18n/index.ts'
import { part } from '../later.ts'
import { Link } from '../router/index.ts'
import { CardList } from './card-list.tsx'
import { alignOf, cellOf, useShow } from './cell.tsx'
import { useFittedColumns, useRoom } from './columns-fit.ts'
import type { AnyRow, Column } from './columns.ts'
import { arranged } from './prefs.ts'
import type { TablePrefs } from './prefs.ts'
import type { RowAction } from './row-action.ts'
import { useRowKeys } from './row-keys.ts'
import { useRowMenu } from './row-menu.tsx'
import { isSelected, pageState, withRows } from './selection.ts'
import type { Selection } from './selection.ts'
import { HeadCell, PageBox, sortKeyOf, sortedBy } from './table-head.tsx'
import { useFillingHeight } from './table-height.ts'
import type { VirtualHandle, VirtualRowsProps } from './virtual-rows.tsx'
import css from './table.module.css'

// Few tables are long.
const VirtualRows = part<VirtualRowsProps>(async () => (await import('./virtual-rows.tsx')).default)

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
const CHECK = '\u0000check'
const ACTIONS = '\u0000actions'
const CHECK_WIDTH = 40
const VIRTUAL_FROM = 200
/** Rows drawn of a long table until what draws the others is there. */
const FIRST_ROWS = 40

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

/**
 * The one table: sticky head, first column pinned, columns by the person's choice and as many as have room, selection, one
 * inline action and one shared row menu, keyboard (arrows or j k, Space or x, Enter). On phones the same rows are cards.
 * More than 200 rows are drawn only where seen.
 */
export function DataTable<R extends AnyRow>(props: DataTableProps<R>) {
  const { columns, sort, onSort, selection, onSelection, rowHref, onOpen, actions, inline, prefs = {}, onPrefs } = props
  const t = useT('kit-screens')
  const show = useShow()
  const narrow = useMediaQuery('(max-width: 40em)', undefined, { getInitialValueInEffect: false })
  const frame = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const virtualRows = useRef<VirtualHandle>(null)
  const { rows, own, setOwn } = useOwnOrder(props.rows, columns, onSort !== undefined)
  const order = onSort ? sort : own
  const stale = props.stale ?? false

  // --- Columns ---
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

  // --- Rows ---
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
  const rowBox = (row: R) => (
    <label className={css.hit}>
      <input
        type="checkbox"
        aria-label={t('select_row', { name: rowName(row) })}
        checked={isSelected(selection!, row.id)}
        disabled={stale}
        onChange={(event) => select(row.id, (event.nativeEvent as unknown as { shiftKey?: boolean }).shiftKey ?? false)}
      />
    </label>
  )
  const rowActions = (row: R) => (
    <>
      {inlineButton(row)}
      {menuButton(row)}
    </>
  )
  const nothing = props.error ?? (rows && rows.length === 0 ? props.empty : null)
  if (narrow) {
    return (
      <>
        <CardList<R>
          box={box}
          rows={rows}
          columns={arrangedColumns}
          show={show}
          caption={props.caption}
          expected={props.expected ?? 5}
          busy={!rows || Boolean(props.busy)}
          stale={stale}
          nothing={nothing}
          rowHref={rowHref}
          isChosen={selection ? (row) => isSelected(selection, row.id) : undefined}
          rowBox={rowBox}
          actions={rowActions}
          onKeyDown={onKeyDown}
        />
        {menu}
      </>
    )
  }

  const linked = (row: R, content: ReactNode) => {
    const href = rowHref?.(row)
    if (href)
      return (
        <Link to={href} className={css.open} tabIndex={-1}>
          {content}
        </Link>
      )
    return onOpen ? (
      <span className={css.open} role="button" tabIndex={-1} onClick={() => onOpen(row)}>
        {content}
      </span>
    ) : (
      content
    )
  }
  const drawRow = (index: number): ReactNode => {
    const row = model[index]?.original
    if (!row) return null
    const chosen = selection ? isSelected(selection, row.id) : false
    return (
      <tr
        key={row.id}
        className={css.row}
        data-row={row.id}
        data-active={active === row.id || undefined}
        data-open={rowHref || onOpen ? true : undefined}
        data-removed={row.removed === true || undefined}
        aria-selected={selection ? chosen : undefined}
        aria-rowindex={virtual ? index + 2 : undefined}
        tabIndex={active === row.id || (active === null && row.id === ids[0]) ? 0 : -1}
        onFocus={(event) => {
          if (event.target === event.currentTarget) setActive(row.id)
        }}
        onClick={(event) => {
          const target = event.target as HTMLElement
          if (
            target.closest('a, button, input, label, [role="button"], [role="menu"]') ||
            !event.currentTarget.contains(target)
          )
            return
          if (window.getSelection()?.toString()) return
          setActive(row.id)
          if (event.shiftKey) select(row.id, true)
          else open(row, event.ctrlKey || event.metaKey)
        }}
      >
        {leaf.map(({ column: { id } }) => {
          const pinned = pin(id)
          if (id === CHECK) {
            return (
              <td key={id} className={`${css.check} ${pinned.className}`} style={pinned.style}>
                {rowBox(row)}
              </td>
            )
          }
          if (id === ACTIONS) {
            return (
              <td key={id} className={`${css.actions} ${pinned.className}`} style={pinned.style}>
                <span className={css.actionsIn}>{rowActions(row)}</span>
              </td>
            )
          }
          const column = byKey.get(id)
          if (!column) return null
          const align = alignOf(column)
          const content = cellOf(column, row, show)
          return (
            <td key={id} className={`${pinned.className} ${align ? css[align] : ''}`} style={pinned.style}>
              {id === visible[0]!.key ? linked(row, content) : content}
            </td>
          )
        })}
      </tr>
    )
  }
  const gap = (key: string, pixels: number): ReactNode =>
    pixels > 0 && (
      <tr key={key} aria-hidden="true">
        <td colSpan={leaf.length} style={{ height: pixels, padding: 0, border: 0 }} />
      </tr>
    )
  const bones = () =>
    Array.from({ length: Math.min(props.expected ?? 10, 25) }, (_, i) => (
      // Never taken for the row of a record, whose id may be the same figure.
      <tr key={`bone ${i}`}>
        {leaf.map(({ column: { id } }, c) => {
          const column = byKey.get(id)
          return (
            <td key={id} className={column && alignOf(column) ? css[alignOf(column)!] : ''}>
              {column && <span className={css.bone} style={{ width: `${40 + ((i * 37 + c * 53) % 45)}%` }} />}
            </td>
          )
        })}
      </tr>
    ))
  const headOf = (header: (typeof leaf)[number]): ReactNode => {
    const { id } = header.column
    const pinned = pin(id)
    if (id === CHECK) {
      return (
        <th key={id} scope="col" className={`${css.check} ${pinned.className}`} style={pinned.style}>
          <PageBox
            state={selection ? pageState(selection, ids) : 'none'}
            disabled={!ids.length || stale}
            onChange={(on) => onSelection?.(withRows(selection!, ids, on))}
          />
        </th>
      )
    }
    if (id === ACTIONS) {
      return (
        <th key={id} scope="col" className={`${css.actions} ${pinned.className}`} style={pinned.style}>
          <span className="sr">{t('row_actions')}</span>
        </th>
      )
    }
    const column = byKey.get(id)
    if (!column) return null
    const sortKey = sortKeyOf(column, show.lang, onSort !== undefined)
    return (
      <HeadCell
        key={id}
        column={column}
        show={show}
        sorted={sortedBy(column, order)}
        sortKey={sortKey}
        onSort={(direction) => (onSort ? onSort(sortKey!, direction) : setOwn({ by: column.key, direction }))}
        pinned={pinned}
        resizing={resizing === id}
        onResize={onPrefs && header.getResizeHandler()}
        onResetSize={() => {
          const { [id]: _gone, ...sizes } = { ...prefs.sizes, ...sizing }
          header.column.resetSize()
          onPrefs?.({ ...prefs, sizes })
        }}
      />
    )
  }
  return (
    <>
      <div ref={frame} className={css.frame} style={{ '--end': `${actionsWidth}px` } as CSSProperties}>
        <div
          ref={box}
          className={css.box}
          // The place of its scroll bar is kept: columns do not move when rows come.
          style={{ maxHeight: height, scrollbarGutter: props.fill ? 'stable' : undefined }}
          onKeyDown={onKeyDown}
          onScroll={mark}
        >
          {/* Drawn once its room is known: a browser lays out again late what was first drawn in other widths. */}
          {room !== undefined && (
            <table
              className={css.table}
              style={{ minWidth: total }}
              aria-busy={!rows || props.busy}
              data-coming={!rows || undefined}
              aria-rowcount={virtual ? model.length + 1 : undefined}
            >
              <caption className="sr">{props.caption}</caption>
              <colgroup>
                {leaf.map((h) => (
                  <col key={h.id} style={{ width: h.column.getSize() }} />
                ))}
              </colgroup>
              <thead>
                <tr>{leaf.map(headOf)}</tr>
              </thead>
              <tbody data-stale={stale || undefined}>
                {nothing ? (
                  <tr>
                    <td colSpan={leaf.length} style={{ height: 'auto', whiteSpace: 'normal' }}>
                      <div className={css.note}>{nothing}</div>
                    </td>
                  </tr>
                ) : !rows ? (
                  bones()
                ) : virtual ? (
                  <Suspense
                    fallback={
                      <>
                        {ids.slice(0, FIRST_ROWS).map((_, i) => drawRow(i))}
                        {gap('after', (ids.length - FIRST_ROWS) * rowHeight)}
                      </>
                    }
                  >
                    <VirtualRows
                      ids={ids}
                      box={box}
                      rowHeight={rowHeight}
                      handle={virtualRows}
                      draw={drawRow}
                      gap={gap}
                    />
                  </Suspense>
                ) : (
                  model.map((_, i) => drawRow(i))
                )}
              </tbody>
            </table>
          )}
        </div>
      </div>
      {menu}
    </>
  )
}
