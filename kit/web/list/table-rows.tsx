/* oxlint-disable jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events, jsx-a11y/prefer-tag-over-role, jsx-a11y/control-has-associated-label --
   rows take keys and clicks as one table; every control in them has its own name */
import type { ReactNode } from 'react'
import { Link } from '../router/index.ts'
import { alignOf, cellOf } from './cell.tsx'
import type { AnyRow } from './columns.ts'
import { isSelected } from './selection.ts'
import { ACTIONS, CHECK, type TableState } from './use-data-table.ts'
import css from './table.module.css'

/** By which a row is chosen; `label` is what it is called. */
export const rowBox = <R extends AnyRow>(
  { props: { selection }, stale, select }: TableState<R>,
  row: R,
  label: string,
): ReactNode => (
  <label className={css.hit}>
    <input
      type="checkbox"
      aria-label={label}
      checked={isSelected(selection!, row.id)}
      disabled={stale}
      onChange={(event) => select(row.id, (event.nativeEvent as unknown as { shiftKey?: boolean }).shiftKey ?? false)}
    />
  </label>
)

export const rowActions = <R extends AnyRow>({ inlineButton, menuButton }: TableState<R>, row: R): ReactNode => (
  <>
    {inlineButton(row)}
    {menuButton(row)}
  </>
)

/** What opens the row. */
function linked<R extends AnyRow>(
  { props: { rowHref, onOpen } }: TableState<R>,
  row: R,
  content: ReactNode,
): ReactNode {
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

function drawCell<R extends AnyRow>(state: TableState<R>, row: R, id: string, boxLabel: (row: R) => string): ReactNode {
  const { pin, byKey, visible, show } = state
  const pinned = pin(id)
  if (id === CHECK) {
    return (
      <td key={id} className={`${css.check} ${pinned.className}`} style={pinned.style}>
        {rowBox(state, row, boxLabel(row))}
      </td>
    )
  }
  if (id === ACTIONS) {
    return (
      <td key={id} className={`${css.actions} ${pinned.className}`} style={pinned.style}>
        <span className={css.actionsIn}>{rowActions(state, row)}</span>
      </td>
    )
  }
  const column = byKey.get(id)
  if (!column) return null
  const align = alignOf(column)
  const content = cellOf(column, row, show)
  return (
    <td key={id} className={`${pinned.className} ${align ? css[align] : ''}`} style={pinned.style}>
      {id === visible[0]!.key ? linked(state, row, content) : content}
    </td>
  )
}

/** A row, as it stands at a place. */
export function drawRow<R extends AnyRow>(
  state: TableState<R>,
  index: number,
  boxLabel: (row: R) => string,
): ReactNode {
  const { model, props, active, setActive, ids, leaf, virtual, select, open } = state
  const { selection, rowHref, onOpen } = props
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
      {leaf.map(({ column: { id } }) => drawCell(state, row, id, boxLabel))}
    </tr>
  )
}

/** Room for rows that are not drawn. */
export const drawGap = (columns: number, key: string, pixels: number): ReactNode =>
  pixels > 0 && (
    <tr key={key} aria-hidden="true">
      <td colSpan={columns} style={{ height: pixels, padding: 0, border: 0 }} />
    </tr>
  )

/** What stands in for rows that are coming. */
export const drawBones = <R extends AnyRow>({ props, leaf, byKey }: TableState<R>): ReactNode =>
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
