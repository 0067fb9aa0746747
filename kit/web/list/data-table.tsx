/* oxlint-disable jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events, jsx-a11y/prefer-tag-over-role, jsx-a11y/control-has-associated-label, react/incompatible-library, react/set-state-in-effect, react/exhaustive-effect-dependencies --
   rows take keys and clicks as one table; every control in them has its own name */
import { Suspense, lazy, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { CSSProperties, KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { ActionIcon, Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconArrowDown, IconArrowUp, IconDotsVertical } from '@tabler/icons-react'
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
import { CELLS, fieldValue } from '../fields/cells.tsx'
import type { Show } from '../fields/cells.tsx'
import { compareText, directionOf, nameOf, otherNameOf, useLabel, useLanguage, useT } from '../i18n/index.ts'
import type { Named } from '../i18n/index.ts'
import { Link, useNavigate } from '../router/index.ts'
import type { AnyRow, Column } from './columns.ts'
import { arranged } from './prefs.ts'
import type { TablePrefs } from './prefs.ts'
import { isSelected, pageState, range, withRows } from './selection.ts'
import type { Selection } from './selection.ts'
import type { VirtualHandle } from './virtual-rows.tsx'
import css from './table.module.css'

// Few tables are long.
const VirtualRows = lazy(() => import('./virtual-rows.tsx'))

/** Something that can be done with a row: in its menu, or as its one inline action. */
export interface RowAction {
  readonly key: string
  readonly label: string
  readonly icon?: ReactNode
  readonly tone?: 'refused'
  /** Goes there; a link can be opened beside. */
  readonly href?: string
  readonly onSelect?: () => void
  /** Why not now: the action is shown but cannot be chosen. */
  readonly disabled?: string
}

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
  readonly prefs?: TablePrefs
  readonly onPrefs?: (prefs: TablePrefs) => void
  /** Shown instead of rows when there are none. */
  readonly empty?: ReactNode
  readonly error?: ReactNode
  /** Fills the window below itself instead of growing; `offset` is the height of what follows. */
  readonly fill?: number | false
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
const VIRTUAL_FROM = 200
/** Rows drawn of a long table until what draws the others is there. */
const FIRST_ROWS = 40

/** The column of a row's two names: the reader's language above, the other beneath. */
export function Names({ row }: { row: Named }) {
  const lang = useLanguage()
  const other = otherNameOf(row, lang)
  return (
    <span className={css.names}>
      <bdi>{nameOf(row, lang)}</bdi>
      {other && (
        <small>
          <bdi>{other}</bdi>
        </small>
      )}
    </span>
  )
}

function cellOf<R extends AnyRow>(column: Column<R>, row: R, show: Show): ReactNode {
  if (column.cell) return column.cell(row, show)
  if (column.field) return fieldValue(column.field, column.key, row, show)
  if (column.key === 'name') return <Names row={row as Named} />
  const value = row[column.key]
  return value === null || value === undefined ? null : <bdi>{String(value)}</bdi>
}
const widthOf = <R extends AnyRow>(c: Column<R>) => c.width ?? (c.field ? CELLS[c.field.kind].width : 180)
/** Width of a head in which its words stand whole: long languages have the width their columns need. */
let pen: CanvasRenderingContext2D | null | undefined
function headWidth(text: string, sorts: boolean): number {
  pen ??= document.createElement('canvas').getContext('2d')
  if (!pen) return 0
  pen.font = `500 12px ${getComputedStyle(document.body).fontFamily}`
  return Math.min(200, Math.ceil(pen.measureText(text).width) + (sorts ? 41 : 24))
}
const alignOf = <R extends AnyRow>(c: Column<R>) => c.align ?? (c.field ? CELLS[c.field.kind].align : undefined)

/** How a cell speaks the reader's language, made once per table. */
export function useShow(): Show {
  const lang = useLanguage()
  const label = useLabel()
  const t = useT('kit-screens')
  return useMemo(() => ({ lang, label, t }), [lang, label, t])
}

/**
 * The one table: sticky head, first column pinned, columns by the person's choice, selection, one inline action and one
 * shared row menu, keyboard (arrows or j k, Space or x, Enter). On phones the same rows are cards. More than 200 rows are
 * drawn only where seen.
 */
export function DataTable<R extends AnyRow>(props: DataTableProps<R>) {
  const {
    columns,
    rows: given,
    sort,
    onSort,
    selection,
    onSelection,
    rowHref,
    onOpen,
    actions,
    inline,
    prefs = {},
    onPrefs,
  } = props
  const t = useT('kit-screens')
  const show = useShow()
  const navigate = useNavigate()
  const narrow = useMediaQuery('(max-width: 40em)', undefined, { getInitialValueInEffect: false })
  const box = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<number | null>(null)
  const anchor = useRef<number | null>(null)
  const [own, setOwn] = useState<{ by: string; direction: 'asc' | 'desc' } | null>(null)
  const [menu, setMenu] = useState<{ row: R; rect: DOMRect; button: HTMLElement } | null>(null)

  const order = onSort ? sort : own
  const rows = useMemo(() => {
    const column = !onSort && own ? columns.find((c) => c.key === own.by) : undefined
    if (!given || !column) return given
    const value = column.value ?? ((row: R) => row[column.key] as string | number | null)
    const sign = own?.direction === 'desc' ? -1 : 1
    return [...given].sort((a, b) => {
      const [x, y] = [value(a), value(b)]
      if (x === null || x === undefined || y === null || y === undefined) return Number(x == null) - Number(y == null)
      return sign * (typeof x === 'number' && typeof y === 'number' ? x - y : compareText(String(x), String(y)))
    })
  }, [given, own, columns, onSort])

  const { visible } = useMemo(() => arranged(columns, prefs), [columns, prefs])
  const selectable = selection !== undefined
  const hasInline = inline !== undefined
  const hasActions = Boolean(actions ?? inline)
  const definitions = useMemo((): ColumnDef<typeof features, R>[] => {
    const made: ColumnDef<typeof features, R>[] = visible.map((c) => ({
      id: c.key,
      size: prefs.sizes?.[c.key] ?? Math.max(widthOf(c), headWidth(show.label(c.label), Boolean(c.sort))),
      minSize: 56,
      maxSize: 800,
    }))
    if (selectable) made.unshift({ id: CHECK, size: 40, enableResizing: false })
    if (hasActions) made.push({ id: ACTIONS, size: hasInline ? 84 : 48, enableResizing: false })
    return made
  }, [visible, prefs.sizes, selectable, hasActions, hasInline, show])
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

  const virtual = (rows?.length ?? 0) > VIRTUAL_FROM && !narrow
  const rowHeight = virtual
    ? Number.parseInt(getComputedStyle(document.documentElement).getPropertyValue('--row'), 10) || 36
    : 0
  const virtualRows = useRef<VirtualHandle>(null)

  const [height, setHeight] = useState<number>()
  const loading = rows === undefined
  useLayoutEffect(() => {
    if (props.fill === undefined || props.fill === false || narrow) return setHeight(undefined)
    const offset = props.fill
    const measure = () => {
      const top = box.current?.getBoundingClientRect().top
      if (top !== undefined) setHeight(Math.max(320, window.innerHeight - Math.max(top + window.scrollY, 0) - offset))
    }
    measure()
    window.addEventListener('resize', measure)
    return () => window.removeEventListener('resize', measure)
  }, [props.fill, narrow, loading])

  const ids = useMemo(() => rows?.map((row) => row.id) ?? [], [rows])
  useEffect(() => {
    if (active !== null && rows && !ids.includes(active)) setActive(null)
  }, [ids, active, rows])
  const focusRow = (id: number) => {
    setActive(id)
    const index = ids.indexOf(id)
    virtualRows.current?.scrollToIndex(index)
    requestAnimationFrame(() =>
      box.current?.querySelector<HTMLElement>(`[data-row="${id}"]`)?.focus({ preventScroll: false }),
    )
  }
  const select = (id: number, shift: boolean) => {
    if (!selection || !onSelection) return
    const on = !isSelected(selection, id)
    onSelection(withRows(selection, shift && anchor.current !== null ? range(ids, anchor.current, id) : [id], on))
    anchor.current = id
  }
  const open = (row: R, beside = false) => {
    const href = rowHref?.(row)
    if (href && beside) window.open(href, '_blank', 'noopener')
    else if (href) void navigate(href)
    else onOpen?.(row)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target as HTMLElement
    if (target.closest('input:not([type="checkbox"]), textarea, select, [role="menu"]') || !rows?.length) return
    if (event.altKey || (event.metaKey || event.ctrlKey ? event.key !== 'Enter' : false)) return
    const at = active === null ? -1 : ids.indexOf(active)
    const go: Record<string, number> = {
      ArrowDown: at + 1,
      j: at + 1,
      ArrowUp: at - 1,
      k: at - 1,
      Home: 0,
      End: ids.length - 1,
      PageDown: at + 10,
      PageUp: at - 10,
    }
    const next = go[event.key]
    if (next !== undefined) {
      event.preventDefault()
      const id = ids[Math.min(Math.max(next, 0), ids.length - 1)]
      if (id === undefined) return
      if (event.shiftKey && selection && onSelection && event.key.startsWith('Arrow'))
        onSelection(withRows(selection, [id], true))
      return focusRow(id)
    }
    const row = rows[at]
    if (!row || target.closest('button, a')) return
    if (event.key === 'Enter') {
      event.preventDefault()
      open(row, event.ctrlKey || event.metaKey)
    } else if (event.key === ' ' || event.key === 'x') {
      event.preventDefault()
      select(row.id, event.shiftKey)
    } else props.onRowKey?.(event, row)
  }
  // j and k begin at the first row from anywhere on the screen where nothing else takes them.
  useEffect(() => {
    if (!props.fill && props.fill !== 0) return
    const start = (event: globalThis.KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      const target = event.target as HTMLElement
      if (
        box.current?.contains(target) ||
        target.closest('input, textarea, select, [contenteditable], [role="dialog"], [role="menu"], [role="listbox"]')
      )
        return
      if ((event.key === 'j' || event.key === 'k') && ids.length) {
        event.preventDefault()
        focusRow(active ?? ids[0]!)
      }
    }
    window.addEventListener('keydown', start)
    return () => window.removeEventListener('keydown', start)
  })

  // Which pinned columns have something beneath them: told to the style sheet without drawing the table again.
  const mark = () => {
    const element = box.current
    if (!element || narrow) return
    const at = Math.abs(element.scrollLeft)
    element.toggleAttribute('data-scrolled', at > 2)
    element.toggleAttribute('data-more', at + element.clientWidth < element.scrollWidth - 2)
  }
  useLayoutEffect(() => {
    mark()
    window.addEventListener('resize', mark)
    return () => window.removeEventListener('resize', mark)
  })
  const openMenu = (row: R, button: HTMLElement) => setMenu({ row, rect: button.getBoundingClientRect(), button })
  const doAction = (action: RowAction) => (action.href ? void navigate(action.href) : action.onSelect?.())
  const rowMenu = menu && (
    <Menu
      opened
      onChange={(opened) => {
        if (opened) return
        setMenu(null)
        menu.button.focus()
      }}
      position="bottom-end"
      withinPortal
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        {/* Stands exactly over the button that was pressed; coordinates of the screen have no direction. */}
        <span
          aria-hidden="true"
          aria-label={t('row_actions')}
          style={{
            position: 'fixed',
            left: menu.rect.left,
            top: menu.rect.top,
            width: menu.rect.width,
            height: menu.rect.height,
            pointerEvents: 'none',
          }}
        />
      </Menu.Target>
      <Menu.Dropdown>
        {actions?.(menu.row).map((action) => (
          <Menu.Item
            key={action.key}
            leftSection={action.icon}
            color={action.tone === 'refused' ? 'red' : undefined}
            disabled={Boolean(action.disabled)}
            title={action.disabled}
            onClick={() => doAction(action)}
          >
            {action.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
  const menuButton = (row: R) => {
    const has = (actions?.(row).length ?? 0) > 0
    return has ? (
      <ActionIcon
        variant="subtle"
        color="gray"
        size={28}
        aria-label={t('row_actions')}
        aria-haspopup="menu"
        onClick={(event: MouseEvent<HTMLElement>) => openMenu(row, event.currentTarget)}
      >
        <IconDotsVertical size={16} />
      </ActionIcon>
    ) : null
  }
  const inlineButton = (row: R) => {
    const action = inline?.(row)
    if (!action) return null
    return (
      <ActionIcon
        variant="subtle"
        color="gray"
        size={28}
        aria-label={action.label}
        title={action.label}
        disabled={Boolean(action.disabled)}
        onClick={() => doAction(action)}
      >
        {action.icon}
      </ActionIcon>
    )
  }
  const rowName = (row: R) => props.rowName?.(row) || nameOf(row as Named, show.lang) || String(row.id)
  const rowBox = (row: R) => (
    <label className={css.hit}>
      <input
        type="checkbox"
        aria-label={t('select_row', { name: rowName(row) })}
        checked={isSelected(selection!, row.id)}
        onChange={(event) => select(row.id, (event.nativeEvent as unknown as { shiftKey?: boolean }).shiftKey ?? false)}
      />
    </label>
  )
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

  // A card is named by the row's name where there is one.
  const cardTitle = visible.find((c) => c.key === 'name') ?? visible[0]!
  const nothing = props.error ?? (rows && rows.length === 0 ? props.empty : null)
  if (narrow) {
    return (
      <div ref={box} onKeyDown={onKeyDown}>
        <ul className={css.cards} aria-label={props.caption} aria-busy={!rows || props.busy}>
          {nothing && <li className={css.note}>{nothing}</li>}
          {!rows && !nothing
            ? Array.from({ length: Math.min(props.expected ?? 5, 8) }, (_, i) => (
                <li className={css.card} key={i}>
                  <div className={css.cardBody}>
                    <span className={css.bone} style={{ width: '60%', marginBlock: 6 }} />
                    <span className={css.bone} style={{ width: '85%', marginBlock: 6 }} />
                  </div>
                </li>
              ))
            : rows?.map((row) => (
                <li
                  className={css.card}
                  key={row.id}
                  data-row={row.id}
                  data-selected={(selection && isSelected(selection, row.id)) || undefined}
                >
                  {selection && <span className={css.check}>{rowBox(row)}</span>}
                  <div className={css.cardBody}>
                    <div className={css.cardTitle}>
                      {rowHref?.(row) ? (
                        <Link to={rowHref(row)!} className={css.open}>
                          {cellOf(cardTitle, row, show)}
                        </Link>
                      ) : (
                        cellOf(cardTitle, row, show)
                      )}
                    </div>
                    <dl className={css.pairs}>
                      {visible
                        .filter((c) => c !== cardTitle)
                        .slice(0, 5)
                        .map((column) => (
                          <div key={column.key} style={{ display: 'contents' }}>
                            <dt>{show.label(column.label)}</dt>
                            <dd>{cellOf(column, row, show)}</dd>
                          </div>
                        ))}
                    </dl>
                  </div>
                  <div className={css.actionsIn}>
                    {inlineButton(row)}
                    {menuButton(row)}
                  </div>
                </li>
              ))}
        </ul>
        {rowMenu}
      </div>
    )
  }

  const state = selection ? pageState(selection, ids) : 'none'
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
        {leaf.map((h) => {
          const id = h.column.id
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
                <span className={css.actionsIn}>
                  {inlineButton(row)}
                  {menuButton(row)}
                </span>
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
  const gap = (key: string, height: number): ReactNode =>
    height > 0 && (
      <tr key={key} aria-hidden="true">
        <td colSpan={leaf.length} style={{ height, padding: 0, border: 0 }} />
      </tr>
    )
  return (
    <>
      <div ref={box} className={css.box} style={{ maxHeight: height }} onKeyDown={onKeyDown} onScroll={mark}>
        <table
          className={css.table}
          style={{ minWidth: total }}
          aria-busy={!rows || props.busy}
          aria-rowcount={virtual ? model.length + 1 : undefined}
        >
          <caption className="sr">{props.caption}</caption>
          <colgroup>
            {leaf.map((h) => (
              <col key={h.id} style={{ width: h.column.getSize() }} />
            ))}
          </colgroup>
          <thead>
            <tr>
              {leaf.map((h) => {
                const id = h.column.id
                const pinned = pin(id)
                if (id === CHECK) {
                  return (
                    <th key={id} scope="col" className={`${css.check} ${pinned.className}`} style={pinned.style}>
                      <label className={css.hit}>
                        <input
                          type="checkbox"
                          aria-label={t('select_page')}
                          checked={state === 'all'}
                          ref={(element) => {
                            if (element) element.indeterminate = state === 'some'
                          }}
                          disabled={!ids.length}
                          onChange={() => onSelection?.(withRows(selection!, ids, state !== 'all'))}
                        />
                      </label>
                    </th>
                  )
                }
                if (id === ACTIONS) {
                  return (
                    <th key={id} scope="col" className={pinned.className} style={pinned.style}>
                      <span className="sr">{t('row_actions')}</span>
                    </th>
                  )
                }
                const column = byKey.get(id)
                if (!column) return null
                const align = alignOf(column)
                const by = typeof column.sort === 'string' ? column.sort : column.sort ? column.key : null
                const sortKey =
                  by === 'name' && onSort && show.lang === 'ar' && column.exports?.includes('name_local')
                    ? 'name_local'
                    : by
                const sorted =
                  sortKey && order?.by && (order.by === sortKey || order.by === by) ? order.direction : null
                const text = show.label(column.label)
                return (
                  <th
                    key={id}
                    scope="col"
                    className={`${pinned.className} ${align ? css[align] : ''}`}
                    style={pinned.style}
                    aria-sort={sorted ? (sorted === 'asc' ? 'ascending' : 'descending') : undefined}
                  >
                    {sortKey ? (
                      <button
                        type="button"
                        className={css.sort}
                        title={text}
                        onClick={() => {
                          const direction = sorted === 'asc' ? 'desc' : 'asc'
                          if (onSort) onSort(sortKey, direction)
                          else setOwn({ by: column.key, direction })
                        }}
                      >
                        <span>{text}</span>
                        {sorted === 'desc' ? (
                          <IconArrowDown size={13} aria-hidden />
                        ) : (
                          <IconArrowUp size={13} aria-hidden />
                        )}
                      </button>
                    ) : (
                      <span className={css.headLabel} title={text}>
                        {text}
                      </span>
                    )}
                    {onPrefs && (
                      <span
                        className={css.resize}
                        data-moving={resizing === id || undefined}
                        aria-hidden="true"
                        onMouseDown={h.getResizeHandler()}
                        onTouchStart={h.getResizeHandler()}
                        onDoubleClick={() => {
                          const { [id]: _gone, ...sizes } = { ...prefs.sizes, ...sizing }
                          h.column.resetSize()
                          onPrefs({ ...prefs, sizes })
                        }}
                      />
                    )}
                  </th>
                )
              })}
            </tr>
          </thead>
          <tbody>
            {nothing ? (
              <tr>
                <td colSpan={leaf.length} style={{ height: 'auto', whiteSpace: 'normal' }}>
                  <div className={css.note}>{nothing}</div>
                </td>
              </tr>
            ) : !rows ? (
              Array.from({ length: Math.min(props.expected ?? 10, 25) }, (_, i) => (
                <tr key={i}>
                  {leaf.map((h, c) => {
                    const column = byKey.get(h.column.id)
                    return (
                      <td key={h.id} className={column && alignOf(column) ? css[alignOf(column)!] : ''}>
                        {column && <span className={css.bone} style={{ width: `${40 + ((i * 37 + c * 53) % 45)}%` }} />}
                      </td>
                    )
                  })}
                </tr>
              ))
            ) : virtual ? (
              <Suspense
                fallback={
                  <>
                    {ids.slice(0, FIRST_ROWS).map((_, i) => drawRow(i))}
                    {gap('after', (ids.length - FIRST_ROWS) * rowHeight)}
                  </>
                }
              >
                <VirtualRows ids={ids} box={box} rowHeight={rowHeight} handle={virtualRows} draw={drawRow} gap={gap} />
              </Suspense>
            ) : (
              model.map((_, i) => drawRow(i))
            )}
          </tbody>
        </table>
      </div>
      {rowMenu}
    </>
  )
}
