import { expect, test } from 'vitest'
import {
  LONGEST,
  THINNEST,
  UNCUT,
  cutBefore,
  drawingOf,
  isUncut,
  moveEdge,
  staysAsItIs,
  stepEdge,
  turnCut,
} from './picture.rules.ts'

const CUT = { left: 0.1, top: 0.2, right: 0.7, bottom: 0.9 }
const near = (cut: object) =>
  Object.fromEntries(Object.entries(cut).map(([edge, at]) => [edge, Math.round(at * 1000) / 1000]))

test.each([
  ['left', 0.3, { ...CUT, left: 0.3 }],
  ['left', -1, { ...CUT, left: 0 }],
  ['left', 0.9, { ...CUT, left: 0.7 - THINNEST }],
  ['top', 0.85, { ...CUT, top: 0.85 }],
  ['top', 0.89, { ...CUT, top: 0.9 - THINNEST }],
  ['right', 2, { ...CUT, right: 1 }],
  ['right', 0, { ...CUT, right: 0.1 + THINNEST }],
  ['bottom', 0.5, { ...CUT, bottom: 0.5 }],
  ['bottom', 0.1, { ...CUT, bottom: 0.2 + THINNEST }],
  ['bottom', 7, { ...CUT, bottom: 1 }],
] as const)('the %s edge at %d', (edge, place, expected) => {
  expect(near(moveEdge(CUT, edge, place))).toEqual(near(expected))
})

test.each([
  ['left', { left: 0.15 }],
  ['top', { top: 0.25 }],
  ['right', { right: 0.65 }],
  ['bottom', { bottom: 0.85 }],
] as const)('a step inwards takes away at the %s', (edge, changed) => {
  expect(near(stepEdge(CUT, edge, 0.05))).toEqual(near({ ...CUT, ...changed }))
  expect(near(stepEdge(stepEdge(CUT, edge, 0.05), edge, -0.05))).toEqual(near(CUT))
})

test('a cut turns with its picture, and is found again in the picture as the camera held it', () => {
  expect(near(turnCut(CUT))).toEqual({ left: 0.1, top: 0.1, right: 0.8, bottom: 0.7 })
  let turned = CUT
  for (const quarters of [0, 1, 2, 3, 4, 5]) {
    expect(near(cutBefore(turned, quarters)), `${quarters}`).toEqual(near(CUT))
    turned = turnCut(turned)
  }
  // Three to the right is one to the left.
  expect(near(cutBefore(turnCut(turnCut(turnCut(CUT))), -1))).toEqual(near(CUT))
  expect([isUncut(UNCUT), isUncut(CUT), isUncut({ ...UNCUT, right: 0.99 })]).toEqual([true, false, false])
})

test.each([
  // A photograph of 48 megapixels, whole: the longer side is what is sent.
  [{ width: 8000, height: 6000 }, UNCUT, 0, { width: LONGEST, height: 1500 }],
  [{ width: 8000, height: 6000 }, UNCUT, 1, { width: 1500, height: LONGEST }],
  [{ width: 8000, height: 6000 }, UNCUT, 2, { width: LONGEST, height: 1500 }],
  // A small one is not made larger.
  [{ width: 300, height: 200 }, UNCUT, 3, { width: 200, height: 300 }],
  [{ width: 1000, height: 1000 }, CUT, 0, { width: 600, height: 700 }],
  [{ width: 1000, height: 1000 }, CUT, 1, { width: 600, height: 700 }],
  // Of a large picture a small part keeps what an old phone can decode of it: 4096 of 8000.
  [{ width: 8000, height: 4000 }, { left: 0.5, top: 0.5, right: 0.75, bottom: 1 }, 0, { width: 1024, height: 1024 }],
  [{ width: 1, height: 1 }, { left: 0.95, top: 0, right: 1, bottom: 0.05 }, 0, { width: 1, height: 1 }],
])('of %o cut at %o and turned %i times comes %o', (size, cut, quarters, drawn) => {
  const drawing = drawingOf(size, cut, quarters)
  expect(drawing.drawn).toEqual(drawn)
  const { decoded, kept } = drawing
  expect(kept.x + kept.width).toBeLessThanOrEqual(decoded.width)
  expect(kept.y + kept.height).toBeLessThanOrEqual(decoded.height)
  expect(Math.max(decoded.width, decoded.height)).toBeLessThanOrEqual(4096)
})

test('what is kept lies where it was cut', () => {
  expect(drawingOf({ width: 1000, height: 500 }, CUT, 0).kept).toEqual({ x: 100, y: 100, width: 600, height: 350 })
  // Turned to the right, its left is what was its bottom.
  const { kept } = drawingOf({ width: 1000, height: 500 }, { ...UNCUT, left: 0.4 }, 1)
  expect(kept).toEqual({ x: 0, y: 0, width: 1000, height: 300 })
})

test('only what is small, whole and upright stays as it is', () => {
  const size = { width: 800, height: 600 }
  expect(staysAsItIs(size, 100_000, UNCUT, 0)).toBe(true)
  expect(staysAsItIs(size, 100_000, UNCUT, 4)).toBe(true)
  expect(staysAsItIs(size, 700_000, UNCUT, 0)).toBe(false)
  expect(staysAsItIs(size, 100_000, UNCUT, 1)).toBe(false)
  expect(staysAsItIs(size, 100_000, CUT, 0)).toBe(false)
  expect(staysAsItIs({ width: 2001, height: 10 }, 100_000, UNCUT, 0)).toBe(false)
})
