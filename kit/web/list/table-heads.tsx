/* oxlint-disable jsx-a11y/control-has-associated-label -- every control in them has its own name */
import type { ReactNode } from 'react'
import type { AnyRow } from './columns.ts'
import { pageState, withRows } from './selection.ts'
import { HeadCell, PageBox, sortKeyOf, sortedBy } from './table-head.tsx'
import { ACTIONS, CHECK, type TableState } from './use-data-table.ts'
import css from './table.module.css'

/** The head of a column: of the boxes, of the actions, or one by which rows are sorted and which is made wider. */
export function drawHead<R extends AnyRow>(
  state: TableState<R>,
  header: TableState<R>['leaf'][number],
  actionsLabel: string,
): ReactNode {
  const { props, pin, ids, stale, byKey, show, order, setOwn, sizing, resizing } = state
  const { selection, onSelection, onSort, onPrefs, prefs = {} } = props
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
        <span className="sr">{actionsLabel}</span>
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
