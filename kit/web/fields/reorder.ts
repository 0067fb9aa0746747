import { useEffect, useRef, useState } from 'react'
import type { DragEvent, KeyboardEvent, PointerEvent } from 'react'

/** A list with the entry at one place put at another. */
export const moved = <T>(list: readonly T[], from: number, to: number): T[] => {
  const rest = list.toSpliced(from, 1)
  return rest.toSpliced(to, 0, list[from]!)
}

/** So near to an edge of the screen, in pixels, a finger that drags moves the page; by so much each time it is drawn. */
const EDGE = 72
const STEP = 9

/** Which way a page goes under a finger at this height: up, down or not at all. */
export const towards = (y: number, height: number): -1 | 0 | 1 => (y < EDGE ? -1 : y > height - EDGE ? 1 : 0)

const placeAt = (places: ReadonlyMap<number, HTMLElement>, y: number): number | null => {
  for (const [index, element] of places) {
    const { top, bottom } = element.getBoundingClientRect()
    if (y >= top && y < bottom) return index
  }
  return null
}

/**
 * Puts the entries of a list in order: by dragging with the mouse or a finger, and by the keyboard with arrow up and down on
 * an entry's handle, Home and End. `handle` goes onto a button in each entry, `place` onto the entry itself. Where the entry went is told to `told`.
 */
export function useReorder(count: number, move: (from: number, to: number) => void, told: (to: number) => void) {
  const [dragged, setDragged] = useState<number | null>(null)
  const [over, setOver] = useState<number | null>(null)
  const [isFinger, setIsFinger] = useState(false)
  const finger = useRef(0)
  const handles = useRef(new Map<number, HTMLElement>())
  const places = useRef(new Map<number, HTMLElement>())
  const go = (from: number, to: number) => {
    if (to < 0 || to >= count || to === from) return
    move(from, to)
    told(to)
    // The handle that was used is at its new place after the next draw.
    requestAnimationFrame(() => handles.current.get(to)?.focus())
  }
  const end = () => {
    setDragged(null)
    setOver(null)
    setIsFinger(false)
  }
  // A list may be longer than the screen: what a finger holds at its edge goes on with the page.
  useEffect(() => {
    if (!isFinger) return
    let drawn = 0
    const draw = () => {
      const way = towards(finger.current, window.innerHeight)
      const before = window.scrollY
      if (way) window.scrollBy(0, way * STEP)
      if (window.scrollY !== before) setOver(placeAt(places.current, finger.current))
      drawn = requestAnimationFrame(draw)
    }
    drawn = requestAnimationFrame(draw)
    return () => cancelAnimationFrame(drawn)
  }, [isFinger])
  return {
    handle: (index: number) => ({
      ref: (element: HTMLElement | null) => {
        if (element) handles.current.set(index, element)
        else handles.current.delete(index)
      },
      // A finger drags at once; what a browser makes of a long press on something draggable would come in between.
      draggable: !isFinger,
      style: { touchAction: 'none' },
      onPointerDown: (event: PointerEvent) => {
        if (event.pointerType === 'mouse') return
        event.currentTarget.setPointerCapture(event.pointerId)
        finger.current = event.clientY
        setIsFinger(true)
        setDragged(index)
      },
      onPointerMove: (event: PointerEvent) => {
        if (!isFinger) return
        finger.current = event.clientY
        setOver(placeAt(places.current, event.clientY))
      },
      onPointerUp: () => {
        if (isFinger && dragged !== null && over !== null) go(dragged, over)
        if (isFinger) end()
      },
      onPointerCancel: () => {
        if (isFinger) end()
      },
      onDragStart: (event: DragEvent) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', String(index))
        setDragged(index)
      },
      onDragEnd: end,
      onKeyDown: (event: KeyboardEvent) => {
        const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: count - 1 }[event.key]
        if (to === undefined) return
        event.preventDefault()
        go(index, to)
      },
    }),
    place: (index: number) => ({
      ref: (element: HTMLElement | null) => {
        if (element) places.current.set(index, element)
        else places.current.delete(index)
      },
      'data-dragged': dragged === index || undefined,
      'data-over': (dragged !== null && dragged !== index && over === index) || undefined,
      onDragOver: (event: DragEvent) => {
        if (dragged === null) return
        event.preventDefault()
        setOver(index)
      },
      onDrop: (event: DragEvent) => {
        event.preventDefault()
        if (dragged !== null) go(dragged, index)
        end()
      },
    }),
  }
}
