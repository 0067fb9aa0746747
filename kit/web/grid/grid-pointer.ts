import { useRef } from 'react'
import type { ClipboardEvent, MouseEvent, PointerEvent } from 'react'
import type { useT } from '../i18n/index.ts'
import { shown } from './grid-line.tsx'
import { ABSENT, parseBlock, writeBlock } from './model.ts'
import type { CellValue, Place } from './model.ts'
import type { GridRow } from './types.ts'
import type { Grid } from './use-grid.ts'

type GridTexts = ReturnType<typeof useT<'kit-screens'>>

/** The chosen cells, as spreadsheets take them. */
export function copyCells<R extends GridRow>(
  { editing, range, keys, ids, model }: Grid<R>,
  event: ClipboardEvent,
): void {
  if (editing) return
  event.preventDefault()
  const block: CellValue[][] = []
  for (let r = range.top; r <= range.bottom; r++)
    block.push(keys.slice(range.start, range.end + 1).map((key) => shown(model.get(ids[r]!, key), ABSENT)))
  event.clipboardData.setData('text/plain', writeBlock(block))
}
/** A block from a spreadsheet, into the chosen cells. */
export function pasteCells<R extends GridRow>(grid: Grid<R>, event: ClipboardEvent, t: GridTexts): void {
  const { props, editing, range, keys, model, setActive, setTo, setNote } = grid
  const { rows, columns } = props
  if (editing || props.readOnly) return
  event.preventDefault()
  const block = parseBlock(event.clipboardData.getData('text/plain'))
  if (!block.length) return
  const changed = model.paste(
    block,
    { from: { row: range.top, column: range.start }, to: { row: range.bottom, column: range.end } },
    keys,
  )
  if (block.length > 1 || block[0]!.length > 1) {
    setActive({ row: range.top, column: range.start })
    setTo({
      row: Math.min(rows.length - 1, range.top + block.length - 1),
      column: Math.min(columns.length - 1, range.start + Math.max(...block.map((line) => line.length)) - 1),
    })
  }
  setNote(t('grid_pasted', { count: changed }))
}

const placeOf = (target: EventTarget): Place | null => {
  const cell = (target as HTMLElement).closest<HTMLElement>('[data-c]')
  return cell ? { row: Number(cell.dataset.r), column: Number(cell.dataset.c) } : null
}

/** What is pressed belongs to the open cell: its text, or a key beside it. */
const isOpen = (target: EventTarget): boolean => (target as HTMLElement).closest('input, button') !== null

/** Cells are chosen by pressing and by drawing over them; a finger opens the cell that it taps, and moves the grid by drawing. */
export function useGridPointer<R extends GridRow>({
  box,
  setActive,
  setTo,
  setEnded,
  editing,
  commit,
  open,
  openAt,
}: Grid<R>) {
  const dragging = useRef(false)
  const finger = useRef(false)
  const onPointerDown = (event: PointerEvent) => {
    finger.current = event.pointerType !== 'mouse'
    const place = placeOf(event.target)
    if (!place || finger.current || isOpen(event.target)) return
    if (editing) commit()
    setEnded(false)
    if (!event.shiftKey) setActive(place)
    setTo(place)
    dragging.current = true
    event.preventDefault()
    box.current?.focus()
  }
  return {
    onPointerDown,
    // The cell before keeps the focus until the next one opens: the keyboard of a phone stays.
    onMouseDown: (event: MouseEvent) => {
      if (finger.current && placeOf(event.target) && !isOpen(event.target)) event.preventDefault()
    },
    onClick: (event: MouseEvent) => {
      const place = placeOf(event.target)
      if (!place || !finger.current || isOpen(event.target)) return
      if (editing) commit()
      setEnded(false)
      setActive(place)
      setTo(place)
      openAt(place, true)
    },
    onPointerOver: (event: PointerEvent) => {
      if (!dragging.current || event.buttons !== 1) return
      const place = placeOf(event.target)
      if (place) setTo(place)
    },
    onPointerUp: () => {
      dragging.current = false
    },
    onDoubleClick: (event: MouseEvent) => {
      if (!finger.current && placeOf(event.target)) open()
    },
  }
}
