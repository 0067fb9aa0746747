/* oxlint-disable jsx-a11y/no-static-element-interactions -- rows take keys as one table; every control in them has its own name */
import { Suspense } from 'react'
import type { CSSProperties, ReactNode } from 'react'
import { useT } from '../i18n/index.ts'
import { part } from '../later.ts'
import { CardList } from './card-list.tsx'
import type { AnyRow } from './columns.ts'
import { isSelected } from './selection.ts'
import { drawHead } from './table-heads.tsx'
import { drawBones, drawGap, drawRow, rowActions, rowBox } from './table-rows.tsx'
import { useDataTable, type DataTableProps, type TableState } from './use-data-table.ts'
import type { VirtualRowsProps } from './virtual-rows.tsx'
import css from './table.module.css'

export type { DataTableProps } from './use-data-table.ts'

// Few tables are long.
const VirtualRows = part<VirtualRowsProps>(async () => (await import('./virtual-rows.tsx')).default)

/** Rows drawn of a long table until what draws the others is there. */
const FIRST_ROWS = 40

/**
 * The one table: sticky head, first column pinned, columns by the person's choice and as many as have room, selection, one
 * inline action and one shared row menu, keyboard (arrows or j k, Space or x, Enter). On phones the same rows are cards.
 * More than 200 rows are drawn only where seen.
 */
export function DataTable<R extends AnyRow>(props: DataTableProps<R>) {
  const t = useT('kit-screens')
  const state = useDataTable(props)
  const { selection, rowHref } = props
  const { rows, box, frame, leaf, mark, onKeyDown, menu, room, stale, model, virtual } = state
  const boxLabel = (row: R) => t('select_row', { name: state.rowName(row) })
  const nothing = props.error ?? (rows && rows.length === 0 ? props.empty : null)
  if (state.narrow) {
    return (
      <>
        <CardList<R>
          box={box}
          rows={rows}
          columns={state.arrangedColumns}
          show={state.show}
          caption={props.caption}
          expected={props.expected ?? 5}
          busy={!rows || Boolean(props.busy)}
          stale={stale}
          nothing={nothing}
          rowHref={rowHref}
          isChosen={selection ? (row) => isSelected(selection, row.id) : undefined}
          rowBox={(row) => rowBox(state, row, boxLabel(row))}
          actions={(row) => rowActions(state, row)}
          onKeyDown={onKeyDown}
        />
        {menu}
      </>
    )
  }
  return (
    <>
      <div ref={frame} className={css.frame} style={{ '--end': `${state.actionsWidth}px` } as CSSProperties}>
        <div
          ref={box}
          className={css.box}
          data-fills={props.fill || undefined}
          // The place of its scroll bar is kept: columns do not move when rows come.
          style={{ maxHeight: state.height, scrollbarGutter: props.fill ? 'stable' : undefined }}
          onKeyDown={onKeyDown}
          onScroll={mark}
        >
          {/* Drawn once its room is known: a browser lays out again late what was first drawn in other widths. */}
          {room !== undefined && (
            <table
              className={css.table}
              style={{ minWidth: state.total }}
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
                <tr>{leaf.map((header) => drawHead(state, header, t('row_actions')))}</tr>
              </thead>
              <tbody data-stale={stale || undefined}>
                <Rows state={state} nothing={nothing} boxLabel={boxLabel} />
              </tbody>
            </table>
          )}
        </div>
      </div>
      {menu}
    </>
  )
}

/** The rows, or what stands in their place. */
function Rows<R extends AnyRow>({
  state,
  nothing,
  boxLabel,
}: {
  state: TableState<R>
  nothing: ReactNode
  boxLabel: (row: R) => string
}) {
  const { rows, model, leaf, ids, box, rowHeight, virtual, virtualRows } = state
  const draw = (index: number) => drawRow(state, index, boxLabel)
  const gap = (key: string, pixels: number) => drawGap(leaf.length, key, pixels)
  if (nothing)
    return (
      <tr>
        <td colSpan={leaf.length} style={{ height: 'auto', whiteSpace: 'normal' }}>
          <div className={css.note}>{nothing}</div>
        </td>
      </tr>
    )
  if (!rows) return drawBones(state)
  if (!virtual) return model.map((_, i) => draw(i))
  return (
    <Suspense
      fallback={
        <>
          {ids.slice(0, FIRST_ROWS).map((_, i) => draw(i))}
          {gap('after', (ids.length - FIRST_ROWS) * rowHeight)}
        </>
      }
    >
      <VirtualRows ids={ids} box={box} rowHeight={rowHeight} handle={virtualRows} draw={draw} gap={gap} />
    </Suspense>
  )
}
