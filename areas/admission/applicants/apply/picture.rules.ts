/** What is kept of a picture: cut at four edges, turned by quarters, made small. Everything in parts of the picture, 0 to 1. */

/** What stays of a picture as it stands turned: from its left and its top, whatever the direction of the text is. */
export interface Cut {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}
export const EDGES = ['left', 'top', 'right', 'bottom'] as const
export type Edge = (typeof EDGES)[number]
export const UNCUT: Cut = { left: 0, top: 0, right: 1, bottom: 1 }

/** A cut is never thinner than this. */
export const THINNEST = 0.05
/** The longer side of a picture that is sent, in pixels: a page is still read at it. */
export const LONGEST = 2000
/** The longer side of a whole picture that is decoded, in pixels: more would not fit into an old phone. */
const MOST_DECODED = 4096
/** Bytes up to which a picture that needs nothing else is sent as it is. */
export const SMALL_BYTES = 700_000

const within = (least: number, value: number, most: number): number => Math.min(most, Math.max(least, value))

/** Moves an edge to a place; it stops at the end of the picture, and before the edge on the other side. */
export function moveEdge(cut: Cut, edge: Edge, place: number): Cut {
  if (edge === 'left') return { ...cut, left: within(0, place, cut.right - THINNEST) }
  if (edge === 'top') return { ...cut, top: within(0, place, cut.bottom - THINNEST) }
  if (edge === 'right') return { ...cut, right: within(cut.left + THINNEST, place, 1) }
  return { ...cut, bottom: within(cut.top + THINNEST, place, 1) }
}

/** Moves an edge by a step: `inwards` takes more away. */
export const stepEdge = (cut: Cut, edge: Edge, step: number): Cut =>
  moveEdge(cut, edge, cut[edge] + (edge === 'left' || edge === 'top' ? step : -step))

/** The same cut after the picture was turned by a quarter to the right. */
export const turnCut = ({ left, top, right, bottom }: Cut): Cut => ({
  left: 1 - bottom,
  top: left,
  right: 1 - top,
  bottom: right,
})
/** The cut in the picture as the camera held it: `quarters` are taken back. */
export function cutBefore(cut: Cut, quarters: number): Cut {
  let before = cut
  for (let i = ((quarters % 4) + 4) % 4; i > 0 && i < 4; i++) before = turnCut(before)
  return before
}

export const isUncut = (cut: Cut): boolean => EDGES.every((edge) => cut[edge] === UNCUT[edge])

interface Size {
  readonly width: number
  readonly height: number
}
/** How a picture is drawn: decoded at a size, cut there, turned. All in whole pixels. */
export interface Drawing {
  /** The whole picture, upright, before it is turned. */
  readonly decoded: Size
  /** What is kept of it. */
  readonly kept: Size & { readonly x: number; readonly y: number }
  /** What comes out. */
  readonly drawn: Size
}

/**
 * @param size of the picture as the camera held it, in pixels
 * @param cut of the picture as it stands turned
 */
export function drawingOf(size: Size, cut: Cut, quarters: number): Drawing {
  const before = cutBefore(cut, quarters)
  const wide = (before.right - before.left) * size.width
  const high = (before.bottom - before.top) * size.height
  const scale = Math.min(1, LONGEST / Math.max(wide, high), MOST_DECODED / Math.max(size.width, size.height))
  const pixels = (length: number): number => Math.max(1, Math.round(length * scale))
  const decoded = { width: pixels(size.width), height: pixels(size.height) }
  const x = Math.min(decoded.width - 1, Math.round(before.left * decoded.width))
  const y = Math.min(decoded.height - 1, Math.round(before.top * decoded.height))
  const kept = {
    x,
    y,
    width: Math.min(decoded.width - x, pixels(wide)),
    height: Math.min(decoded.height - y, pixels(high)),
  }
  const turned = quarters % 2 !== 0
  return {
    decoded,
    kept,
    drawn: turned ? { width: kept.height, height: kept.width } : { width: kept.width, height: kept.height },
  }
}

/** Whether a picture is sent as it was chosen: small, whole and upright. */
export const staysAsItIs = (size: Size, bytes: number, cut: Cut, quarters: number): boolean =>
  bytes < SMALL_BYTES && Math.max(size.width, size.height) <= LONGEST && isUncut(cut) && quarters % 4 === 0
