import { useEffect } from 'react'
import type { Cell } from '#kit/web/timetable/drag.ts'
import { pull } from './board.rules.ts'

/**
 * The board follows what is held over it: by keyboard its cell is brought into sight, by pointer the board goes on where it
 * is held at an edge, so that every day and slot is reached in one go.
 */
export function useFollow(lifted: { readonly by: 'pointer' | 'keyboard'; readonly over: Cell | null } | null): void {
  const by = lifted?.by ?? null
  const over =
    by === 'keyboard' && lifted?.over ? `[data-day="${lifted.over.day}"][data-row="${lifted.over.row}"]` : null
  useEffect(() => {
    if (over) document.querySelector(`[data-board] ${over}`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [over])
  useEffect(() => {
    const board = document.querySelector('[data-board]')
    if (by !== 'pointer' || !board) return
    let last: PointerEvent | null = null
    let frame = 0
    const go = () => {
      frame = requestAnimationFrame(go)
      if (!last) return
      const { left, right, top, bottom } = board.getBoundingClientRect()
      const { clientX, clientY, pointerId } = last
      // Of a board that is taller than the window, the edge is that of the window.
      const down = pull(clientY, Math.max(top, 0), Math.min(bottom, window.innerHeight))
      const before = [board.scrollLeft, board.scrollTop]
      board.scrollBy({ left: pull(clientX, left, right), top: down, behavior: 'instant' })
      if (before[0] === board.scrollLeft && before[1] === board.scrollTop) return
      // Another cell lies under the pointer now, though that stands still.
      const held = board.ownerDocument.querySelector('[data-lifted]')
      held?.dispatchEvent(
        new PointerEvent('pointermove', { pointerId, clientX, clientY, bubbles: true, cancelable: true }),
      )
    }
    const note = (event: PointerEvent) => {
      if (event.isTrusted) last = event
    }
    window.addEventListener('pointermove', note)
    frame = requestAnimationFrame(go)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('pointermove', note)
    }
  }, [by])
}
