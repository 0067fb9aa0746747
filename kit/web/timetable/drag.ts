import { useEffect, useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'

/** A cell of the week: a day and the place of a period in the day. */
export interface Cell {
  readonly day: number
  readonly row: number
}
export interface Lifted {
  readonly id: number
  readonly over: Cell | null
  readonly by: 'pointer' | 'keyboard'
}
export interface DragOptions {
  readonly days: number
  readonly rows: number
  readonly rightToLeft: boolean
  /** Where a meeting is now; null: in no cell. */
  cellOf(id: number): Cell | null
  drop(id: number, to: Cell): void
  /** Told to a screen reader. */
  say(what: 'lifted' | 'over' | 'dropped' | 'cancelled', id: number, cell: Cell | null): void
}

/** How far a pointer goes before a click is a drag, px. */
const FAR = 6
const cellAt = (x: number, y: number): Cell | null => {
  const cell = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-day][data-row]')
  return cell ? { day: Number(cell.dataset.day), row: Number(cell.dataset.row) } : null
}

/**
 * Takes meetings from cell to cell: with a mouse, with a finger at the handle, and with the keyboard (Enter takes one up and
 * puts it down, arrows go by days and periods in the direction of the page, Escape leaves it where it was).
 */
export function useDrag(options: DragOptions) {
  const [lifted, setLifted] = useState<Lifted | null>(null)
  const start = useRef<{ id: number; x: number; y: number; pointer: number } | null>(null)
  // A drag ends with a click on what was dragged: that is not one.
  const dragged = useRef(false)
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const cancel = () => {
    if (lifted) latest.current.say('cancelled', lifted.id, null)
    start.current = null
    setLifted(null)
  }
  const put = (id: number, to: Cell | null) => {
    start.current = null
    setLifted(null)
    if (!to) return latest.current.say('cancelled', id, null)
    latest.current.drop(id, to)
    latest.current.say('dropped', id, to)
  }
  const onPointerMove = (event: PointerEvent) => {
    const from = start.current
    if (!from || from.pointer !== event.pointerId) return
    if (!lifted && Math.hypot(event.clientX - from.x, event.clientY - from.y) < FAR) return
    event.preventDefault()
    dragged.current = true
    const over = cellAt(event.clientX, event.clientY)
    if (lifted && lifted.over?.day === over?.day && lifted.over?.row === over?.row) return
    setLifted({ id: from.id, over, by: 'pointer' })
  }
  const onKeyDown = (id: number) => (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (lifted?.by !== 'keyboard') {
      if (event.key !== 'Enter' && event.key !== ' ') return
      event.preventDefault()
      const over = options.cellOf(id) ?? { day: 0, row: 0 }
      setLifted({ id, over, by: 'keyboard' })
      return options.say('lifted', id, over)
    }
    const over = lifted.over ?? { day: 0, row: 0 }
    const on = options.rightToLeft ? -1 : 1
    const step = (by: number, of: number, most: number) => Math.min(Math.max(of + by, 0), most - 1)
    const next = {
      ArrowRight: () => ({ ...over, day: step(on, over.day, options.days) }),
      ArrowLeft: () => ({ ...over, day: step(-on, over.day, options.days) }),
      ArrowDown: () => ({ ...over, row: step(1, over.row, options.rows) }),
      ArrowUp: () => ({ ...over, row: step(-1, over.row, options.rows) }),
    }[event.key]
    if (next) {
      event.preventDefault()
      const to = next()
      setLifted({ ...lifted, over: to })
      return options.say('over', id, to)
    }
    if (event.key === 'Escape' || event.key === 'Tab') {
      if (event.key === 'Escape') event.preventDefault()
      return cancel()
    }
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      put(lifted.id, over)
    }
  }
  useEffect(() => {
    if (lifted?.by !== 'pointer') return
    const { id } = lifted
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return
      latest.current.say('cancelled', id, null)
      start.current = null
      setLifted(null)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [lifted])
  return {
    lifted,
    /** Goes onto a meeting. */
    handle: (id: number, movable: boolean) => ({
      onPointerDown: (event: PointerEvent) => {
        // A finger scrolls the week; at the handle it takes the meeting up.
        const grip = (event.target as HTMLElement).closest('[data-grip]')
        dragged.current = false
        if (!movable || event.button !== 0 || (event.pointerType !== 'mouse' && !grip)) return
        start.current = { id, x: event.clientX, y: event.clientY, pointer: event.pointerId }
        event.currentTarget.setPointerCapture(event.pointerId)
      },
      onPointerMove,
      onPointerUp: () => {
        if (lifted?.by === 'pointer') put(lifted.id, lifted.over)
        start.current = null
      },
      onPointerCancel: cancel,
      onKeyDown: movable ? onKeyDown(id) : undefined,
      onBlur: () => {
        if (lifted?.by === 'keyboard') cancel()
      },
    }),
    wasDragged: () => dragged.current,
  }
}
