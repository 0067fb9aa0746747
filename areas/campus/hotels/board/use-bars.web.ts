import { useCallback, useEffect, useRef } from 'react'
import type { KeyboardEvent, PointerEvent, RefObject } from 'react'
import { daysBetween } from '#kit/contract/day.ts'
import { nextBed, sameBar, takenTo, type BarDays, type Grip } from './geometry.rules.ts'

/** How far a pointer goes before a click is a drag, px. */
const FAR = 5
/** Height of a row, px; the style sheet has the same. */
export const ROW = 34

interface Taken {
  readonly id: number
  readonly bar: HTMLElement
  readonly grip: Grip
  readonly from: BarDays
  readonly by: 'pointer' | 'keyboard'
  /** Where the pointer was put down, and how far what scrolls had been scrolled. */
  readonly x: number
  readonly y: number
  readonly left: number
  readonly top: number
  moved: boolean
  to: BarDays
}

interface BarsOptions {
  /** Beds in the order of the rows; null: a heading. */
  readonly beds: readonly (number | null)[]
  readonly day: number
  readonly rightToLeft: boolean
  readonly box: RefObject<HTMLElement | null>
  readonly ghost: RefObject<HTMLElement | null>
  drop(id: number, to: BarDays): void
  say(what: 'lifted' | 'over' | 'dropped' | 'cancelled', id: number, to: BarDays): void
}

/**
 * Takes stays to other beds and days, and stretches them. While one is in the hand nothing is drawn by React: the bar is carried by a
 * transform, its end by the scale of a ghost. With the keyboard: arrows move it, Shift and an arrow stretch its end, Enter puts it
 * down, Escape leaves it where it was.
 */
export function useBars(options: BarsOptions) {
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const taken = useRef<Taken | null>(null)
  const frame = useRef(0)
  // A drag ends with a click on what was dragged: that is not one.
  const dragged = useRef(false)

  const rest = useCallback((one: Taken) => {
    cancelAnimationFrame(frame.current)
    one.bar.style.transform = ''
    delete one.bar.dataset.lifted
    const ghost = latest.current.ghost.current
    if (ghost) {
      delete ghost.dataset.on
      ghost.style.transform = ''
    }
    taken.current = null
  }, [])

  /** Carries the bar, or its end, so many pixels: transforms alone. */
  const carry = useCallback((one: Taken, dx: number, dy: number) => {
    cancelAnimationFrame(frame.current)
    frame.current = requestAnimationFrame(() => {
      if (one.grip === 'bar') {
        one.bar.style.transform = `translate3d(${dx}px, ${dy}px, 0)`
        return
      }
      const ghost = latest.current.ghost.current
      if (!ghost) return
      const width = one.bar.offsetWidth || 1
      const on = latest.current.rightToLeft ? -1 : 1
      const grown = one.grip === 'until' ? width + dx * on : width - dx * on
      ghost.style.transform = `scaleX(${Math.max(latest.current.day, grown) / width})`
    })
  }, [])

  const lift = useCallback((one: Taken) => {
    one.bar.dataset.lifted = ''
    taken.current = one
    if (one.grip === 'bar') return
    const ghost = latest.current.ghost.current
    const sheet = ghost?.parentElement
    if (!ghost || !sheet) return
    // The ghost lies over the bar; it grows away from the end that stays.
    const [bar, around] = [one.bar.getBoundingClientRect(), sheet.getBoundingClientRect()]
    ghost.style.left = `${bar.left - around.left}px`
    ghost.style.top = `${bar.top - around.top}px`
    ghost.style.width = `${bar.width}px`
    ghost.style.height = `${bar.height}px`
    const stays = one.grip === 'until' ? !latest.current.rightToLeft : latest.current.rightToLeft
    ghost.style.transformOrigin = stays ? 'left center' : 'right center'
    ghost.dataset.on = ''
  }, [])

  const put = useCallback(
    (one: Taken, keep: boolean) => {
      const { drop, say } = latest.current
      const changed = keep && !sameBar(one.from, one.to)
      rest(one)
      say(changed ? 'dropped' : 'cancelled', one.id, changed ? one.to : one.from)
      if (changed) drop(one.id, one.to)
    },
    [rest],
  )

  const onPointerDown = (id: number, from: BarDays) => (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    dragged.current = false
    const edge = (event.target as HTMLElement).closest<HTMLElement>('[data-edge]')?.dataset.edge as Grip | undefined
    const box = latest.current.box.current
    // A finger scrolls the board; a stay is moved from its own screen there.
    if (event.pointerType === 'touch' || !box) return
    event.currentTarget.setPointerCapture(event.pointerId)
    taken.current = {
      id,
      bar: event.currentTarget,
      grip: edge ?? 'bar',
      from,
      by: 'pointer',
      x: event.clientX,
      y: event.clientY,
      left: box.scrollLeft,
      top: box.scrollTop,
      moved: false,
      to: from,
    }
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const one = taken.current
    const { box, day, rightToLeft, beds } = latest.current
    if (one?.by !== 'pointer' || !box.current) return
    const dx = event.clientX - one.x + box.current.scrollLeft - one.left
    const dy = event.clientY - one.y + box.current.scrollTop - one.top
    if (!one.moved) {
      if (Math.hypot(dx, dy) < FAR) return
      one.moved = true
      dragged.current = true
      lift(one)
    }
    event.preventDefault()
    carry(one, dx, dy)
    one.to = takenTo(
      one.from,
      one.grip,
      { columns: Math.round(((rightToLeft ? -1 : 1) * dx) / day), rows: Math.round(dy / ROW) },
      beds,
    )
  }
  const onPointerUp = () => {
    const one = taken.current
    if (one?.by !== 'pointer') return
    if (one.moved) put(one, true)
    else taken.current = null
  }
  const cancel = () => {
    if (taken.current) put(taken.current, false)
  }

  const onKeyDown = (id: number, from: BarDays) => (event: KeyboardEvent<HTMLElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const { day, rightToLeft, beds, say } = latest.current
    const on = rightToLeft ? -1 : 1
    const steps: Record<string, readonly [columns: number, rows: 0 | 1 | -1]> = {
      ArrowRight: [on, 0],
      ArrowLeft: [-on, 0],
      ArrowDown: [0, 1],
      ArrowUp: [0, -1],
    }
    const step = steps[event.key]
    let one = taken.current?.id === id ? taken.current : null
    if (event.key === 'Escape' && one) {
      event.preventDefault()
      return put(one, false)
    }
    if (event.key === 'Enter' && one) {
      event.preventDefault()
      return put(one, true)
    }
    if (!step || (event.shiftKey && step[0] === 0)) return
    event.preventDefault()
    const grip: Grip = event.shiftKey ? 'until' : 'bar'
    if (!one || (one.grip !== grip && sameBar(one.from, one.to))) {
      if (one) rest(one)
      one = {
        id,
        bar: event.currentTarget,
        grip,
        from,
        by: 'keyboard',
        x: 0,
        y: 0,
        left: 0,
        top: 0,
        moved: true,
        to: from,
      }
      lift(one)
      say('lifted', id, from)
    }
    if (one.grip !== grip) return
    const at = beds.indexOf(one.to.bed_id)
    const rows = step[1] === 0 ? 0 : nextBed(beds, at, step[1]) - at
    one.to = takenTo(one.to, grip, { columns: step[0], rows }, beds)
    const columns = daysBetween(
      grip === 'until' ? one.from.until : one.from.from,
      grip === 'until' ? one.to.until : one.to.from,
    )
    carry(one, columns * day * on, (beds.indexOf(one.to.bed_id) - beds.indexOf(one.from.bed_id)) * ROW)
    say('over', id, one.to)
  }

  return {
    /** Goes onto a bar that can be moved. */
    handle: (id: number, from: BarDays) => ({
      onPointerDown: onPointerDown(id, from),
      onPointerMove,
      onPointerUp,
      onPointerCancel: cancel,
      onKeyDown: onKeyDown(id, from),
      onBlur: () => {
        if (taken.current?.by === 'keyboard') cancel()
      },
    }),
    wasDragged: () => dragged.current,
  }
}
