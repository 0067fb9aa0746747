import type { KeyboardEvent } from 'react'
import { ABSENT } from './model.ts'
import type { GridRow } from './types.ts'
import type { Editing, Grid } from './use-grid.ts'

interface Pressed {
  readonly event: KeyboardEvent
  /** The key is the grid's: neither the browser nor the page does anything else with it. */
  readonly handled: () => void
}

/** Keys of the grid, as in a good spreadsheet. */
export function pressKey<R extends GridRow>(grid: Grid<R>, event: KeyboardEvent): void {
  const pressed = {
    event,
    handled: () => {
      event.preventDefault()
      event.stopPropagation()
    },
  }
  if (grid.editing) inCell(grid, pressed, grid.editing)
  else if (event.ctrlKey || event.metaKey) withControl(grid, pressed)
  else if (!event.altKey) onGrid(grid, pressed)
}

/** While a cell is open. */
function inCell<R extends GridRow>(
  { box, setEditing, commit, goDown, nextByTouch, along, move }: Grid<R>,
  { event, handled }: Pressed,
  { typed, touch }: Editing,
): void {
  if (event.key === 'Escape') {
    handled()
    setEditing(null)
    box.current?.focus()
  } else if (event.key === 'Enter' || event.key === 'Tab') {
    handled()
    if (event.key === 'Enter' && touch) return nextByTouch()
    commit()
    box.current?.focus()
    if (event.key === 'Tab') along(event.shiftKey ? -1 : 1)
    else goDown(event.shiftKey ? -1 : 1)
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp' || (typed && event.key.startsWith('Arrow'))) {
    // After typing, arrows leave the cell as in a spreadsheet; after F2 they move inside it.
    handled()
    commit()
    box.current?.focus()
    move(event.key, false)
  }
}

function withControl<R extends GridRow>(
  { props, layout, model, to, setActive, setTo, goTo, step }: Grid<R>,
  { event, handled }: Pressed,
): void {
  const { rows, columns } = props
  const { rtl } = layout
  const key = event.key.toLowerCase()
  if (key === 'z' && !event.shiftKey) {
    handled()
    step(model.undo())
  } else if (key === 'y' || (key === 'z' && event.shiftKey)) {
    handled()
    step(model.redo())
  } else if (key === 'a') {
    handled()
    setActive({ row: 0, column: 0 })
    setTo({ row: rows.length - 1, column: columns.length - 1 })
  } else if (key === 'home') {
    handled()
    goTo({ row: 0, column: 0 }, event.shiftKey)
  } else if (key === 'end') {
    handled()
    goTo({ row: rows.length - 1, column: columns.length - 1 }, event.shiftKey)
  } else if (event.key.startsWith('Arrow')) {
    handled()
    const far =
      event.key === 'ArrowUp'
        ? { ...to, row: 0 }
        : event.key === 'ArrowDown'
          ? { ...to, row: rows.length - 1 }
          : { ...to, column: (event.key === 'ArrowRight') !== rtl ? columns.length - 1 : 0 }
    goTo(far, event.shiftKey)
  }
}

function onGrid<R extends GridRow>(grid: Grid<R>, { event, handled }: Pressed): void {
  const { props, layout, model, active, to, setTo, goTo, goDown, along, move, begin, open, cellsOf } = grid
  const { rows, columns } = props
  if (event.key.startsWith('Arrow')) return (handled(), move(event.key, event.shiftKey))
  switch (event.key) {
    case 'Enter':
      handled()
      return void goDown(event.shiftKey ? -1 : 1)
    case 'Tab': {
      // At its edges the grid lets the Tab key go on, so that nobody is caught in it.
      const last = active.row === rows.length - 1 && active.column === columns.length - 1
      const start = active.row === 0 && active.column === 0
      if (event.shiftKey ? start : last) return
      handled()
      return along(event.shiftKey ? -1 : 1)
    }
    case 'Home':
      handled()
      return goTo({ row: to.row, column: 0 }, event.shiftKey)
    case 'End':
      handled()
      return goTo({ row: to.row, column: columns.length - 1 }, event.shiftKey)
    case 'PageDown':
    case 'PageUp': {
      handled()
      return goTo(
        { row: to.row + (event.key === 'PageDown' ? layout.page : -layout.page), column: to.column },
        event.shiftKey,
      )
    }
    case 'F2':
      handled()
      return open()
    case 'Delete':
    case 'Backspace':
      handled()
      if (grid.ended) return grid.tellEnd()
      model.write(cellsOf().map((cell) => ({ ...cell, value: null })))
      return
    case 'Escape':
      return setTo(active)
  }
  if (event.key.length !== 1) return
  if (/^[aA\u063A\u0634]$/.test(event.key) && (event.key !== '\u0634' || event.code === 'KeyA')) {
    // Absent by one key, on an Arabic keyboard too (its key of the same place sends another letter). It stays in the cell
    // until Enter, as a number does: who types a class without looking up goes on in one rhythm.
    handled()
    if (grid.ended) return grid.tellEnd()
    const cells = cellsOf()
    if (cells.length === 1) return begin(ABSENT, true)
    const open = cells.filter(({ key }) => columns.find((c) => c.key === key)?.absent !== false)
    model.write(open.map((cell) => ({ ...cell, value: ABSENT })))
    return
  }
  if (/[\d.,٫\u0660-\u0669\u06F0-\u06F9-]/.test(event.key)) {
    handled()
    if (grid.ended) return grid.tellEnd()
    begin(event.key, true)
  }
}
