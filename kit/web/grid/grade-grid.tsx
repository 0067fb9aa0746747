/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/role-supports-aria-props --
   the roles of the grid pattern on drawn-where-seen rows, which no table element allows; a gridcell may be read-only (ARIA 1.2) */
import type { CSSProperties } from 'react'
import { useT } from '../i18n/index.ts'
import { GridHead } from './grid-head.tsx'
import { pressKey } from './grid-keyboard.ts'
import { GridLine, stampOf } from './grid-line.tsx'
import { ABSENT } from './model.ts'
import { copyCells, pasteCells, useGridPointer } from './grid-pointer.ts'
import { GridSaveBar, GridTools } from './grid-tools.tsx'
import type { FrozenColumn, GradeGridProps, GridRow } from './types.ts'
import { useGrid, type Grid } from './use-grid.ts'
import { widthOf } from './use-grid-layout.ts'
import css from './grid.module.css'

/**
 * Entry of marks like in a good spreadsheet: type, Enter goes down, Tab along, paste a column, undo, absent by `A`.
 * Rows are drawn only where seen; the grid is one stop of the Tab key and its own keyboard inside.
 */
export function GradeGrid<R extends GridRow>(props: GradeGridProps<R>) {
  const { rows, columns, computed = [], readOnly } = props
  const t = useT('kit-screens')
  const grid = useGrid(props)
  const { box, foot, layout, active, model } = grid
  const pointer = useGridPointer(grid)
  return (
    <div className={css.wrap}>
      {!readOnly && <GridTools grid={grid} />}
      {/* The keyboard stays on the grid itself; the active cell is named by aria-activedescendant. */}
      <div
        ref={box}
        className={css.box}
        style={
          { height: layout.height, width: layout.totalWidth + 18, '--head': `${layout.headHeight}px` } as CSSProperties
        }
        role="grid"
        aria-label={props.label}
        aria-rowcount={rows.length + 1}
        aria-colcount={layout.frozen.length + columns.length + computed.length}
        aria-readonly={readOnly || undefined}
        aria-multiselectable="true"
        // A row that was scrolled away is not drawn: nothing is named then.
        aria-activedescendant={
          layout.items.some(({ index }) => index === active.row)
            ? `${grid.base}-${active.row}-${active.column}`
            : undefined
        }
        tabIndex={0}
        onKeyDown={(event) => pressKey(grid, event)}
        onCopy={(event) => copyCells(grid, event)}
        onPaste={(event) => pasteCells(grid, event, t)}
        {...pointer}
        onFocus={() => grid.setFocused(true)}
        onBlur={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget)) {
            grid.setFocused(false)
            grid.commit()
          }
        }}
      >
        <GridHead grid={grid} />
        <GridLines grid={grid} />
      </div>
      {props.foot && <div ref={foot}>{props.foot}</div>}
      {!readOnly && (model.unsavedCount > 0 || grid.busy) && <GridSaveBar grid={grid} />}
    </div>
  )
}

/** Where something so high stands that belongs to the active cell: below it, or above it near the end. */
const besideActive = <R extends GridRow>({ active, layout, props }: Grid<R>, height: number): number =>
  active.row * layout.rowHeight +
  (active.row > props.rows.length - 4 && active.row > 3 ? -height : layout.rowHeight + 2)

/** What the keyboard of a phone lacks while a cell is open: absent, and the way to the next one. */
function TouchKeys<R extends GridRow>({ grid }: { grid: Grid<R> }) {
  const t = useT('kit-screens')
  const { active, props, layout, nextByTouch } = grid
  const column = props.columns[active.column]!
  return (
    <div className={css.touch} style={{ insetBlockStart: besideActive(grid, 52) - active.row * layout.rowHeight }}>
      {column.absent !== false && (
        <button type="button" onMouseDown={keepFocus} onClick={() => nextByTouch(ABSENT)}>
          {t('grid_absent')}
        </button>
      )}
      <button type="button" onMouseDown={keepFocus} onClick={() => nextByTouch()}>
        {t('grid_down')}
      </button>
    </div>
  )
}
/** A button beside an open cell leaves the focus in it. */
const keepFocus = (event: { preventDefault: () => void }) => event.preventDefault()

/** The rows that are seen, and why the active cell is wrong. */
function GridLines<R extends GridRow>({ grid }: { grid: Grid<R> }) {
  const t = useT('kit-screens')
  const { props, layout, model, keys, active, range, focused, base, editing, setEditing, mistakeText } = grid
  const { rows, columns, computed = [] } = props
  return (
    <div
      role="rowgroup"
      style={{
        position: 'relative',
        height: layout.rowsHeight,
        minWidth: '100%',
        width: layout.totalWidth,
      }}
    >
      {layout.items.map((item) => {
        const row = rows[item.index]!
        const here = item.index === active.row
        return (
          <GridLine
            key={row.id}
            row={row}
            index={item.index}
            top={item.start}
            height={layout.rowHeight}
            frozen={layout.frozen as readonly FrozenColumn<GridRow>[]}
            offsets={layout.offsets}
            columns={columns}
            computed={computed}
            model={model}
            // Only rows whose cells changed are drawn again.
            stamp={stampOf(model, row.id, keys)}
            stored={row}
            activeColumn={here ? active.column : -1}
            rangeStart={item.index >= range.top && item.index <= range.bottom ? range.start : -1}
            rangeEnd={item.index >= range.top && item.index <= range.bottom ? range.end : -2}
            focused={focused}
            base={base}
            absent={t('grid_absent_short')}
            absentLong={t('grid_absent')}
            unsavedWord={t('unsaved')}
            mistakeText={mistakeText}
            editing={here ? editing : null}
            touchKeys={here && editing?.touch ? <TouchKeys grid={grid} /> : null}
            onEdit={setEditing}
            editorLabel={t('grid_value')}
          />
        )
      })}
      {grid.activeMistake && !editing && (
        <div
          className={css.reason}
          // The cell's own name says it to those who do not see.
          aria-hidden="true"
          style={{
            insetBlockStart: besideActive(grid, 36),
            insetInlineStart: layout.frozenWidth + columns.slice(0, active.column).reduce((n, c) => n + widthOf(c), 0),
          }}
        >
          {mistakeText(grid.activeMistake)}
        </div>
      )}
    </div>
  )
}
