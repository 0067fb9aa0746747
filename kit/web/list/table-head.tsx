import type { CSSProperties } from 'react'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { Show } from '../fields/cells.tsx'
import { useT } from '../i18n/index.ts'
import { alignOf } from './cell.tsx'
import type { AnyRow, Column } from './columns.ts'
import css from './table.module.css'

/** Under what name the server sorts a column for this reader; null: not at all. */
export function sortKeyOf<R extends AnyRow>(column: Column<R>, lang: Show['lang'], byServer: boolean): string | null {
  const by = typeof column.sort === 'string' ? column.sort : column.sort ? column.key : null
  return by === 'name' && byServer && lang === 'ar' && column.exports?.includes('name_local') ? 'name_local' : by
}
/** Which way a column is sorted now. */
export function sortedBy<R extends AnyRow>(
  column: Column<R>,
  order: { readonly by: string | null; readonly direction: 'asc' | 'desc' } | null | undefined,
): 'asc' | 'desc' | null {
  const by = typeof column.sort === 'string' ? column.sort : column.sort ? column.key : null
  if (!by || !order?.by) return null
  const same = order.by === by || order.by === column.key || (by === 'name' && order.by === 'name_local')
  return same ? order.direction : null
}

/** The box in the head: the rows of this page. */
export function PageBox({
  state,
  disabled,
  onChange,
}: {
  state: 'none' | 'some' | 'all'
  disabled: boolean
  onChange: (on: boolean) => void
}) {
  const t = useT('kit-screens')
  return (
    <label className={css.hit}>
      <input
        type="checkbox"
        aria-label={t('select_page')}
        checked={state === 'all'}
        ref={(element) => {
          if (element) element.indeterminate = state === 'some'
        }}
        disabled={disabled}
        onChange={() => onChange(state !== 'all')}
      />
    </label>
  )
}

/** The head of a column: its name, which way it sorts, and the edge by which it is sized. */
export function HeadCell<R extends AnyRow>({
  column,
  show,
  sorted,
  sortKey,
  onSort,
  pinned,
  resizing,
  onResize,
  onResetSize,
}: {
  column: Column<R>
  show: Show
  sorted: 'asc' | 'desc' | null
  sortKey: string | null
  onSort: (direction: 'asc' | 'desc') => void
  pinned: { className: string; style?: CSSProperties | undefined }
  resizing: boolean
  /** Absent: columns cannot be sized here. */
  onResize?: ((event: unknown) => void) | undefined
  onResetSize: () => void
}) {
  const align = alignOf(column)
  const text = show.label(column.label)
  return (
    <th
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
          onClick={() => onSort(sorted === 'asc' ? 'desc' : 'asc')}
        >
          <span>{text}</span>
          {sorted === 'desc' ? <IconArrowDown size={13} aria-hidden /> : <IconArrowUp size={13} aria-hidden />}
        </button>
      ) : (
        <span className={css.headLabel} title={text}>
          {text}
        </span>
      )}
      {onResize && (
        <span
          className={css.resize}
          data-moving={resizing || undefined}
          aria-hidden="true"
          onMouseDown={onResize}
          onTouchStart={onResize}
          onDoubleClick={onResetSize}
        />
      )}
    </th>
  )
}
