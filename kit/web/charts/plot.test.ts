import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { axisOf, barsOf, figuresFit, lineThrough, placeOn, shownNames } from './plot.ts'
import { roundSteps } from './ticks.ts'

const data = [
  { name: 'a', x: 3, y: 1 },
  { name: 'b', x: 0, y: 7 },
]

describe('an axis of figures', () => {
  it('is round, begins at nothing and reaches the highest, whole where nobody counts halves', () => {
    expect(axisOf(data, ['x', 'y'], { most: 6 })).toEqual([0, 2, 4, 6, 8])
    expect(axisOf(data, ['x', 'y'], { most: 6, stacked: true })).toEqual([0, 2, 4, 6, 8])
    expect(axisOf([{ name: 'a', x: 1 }], ['x'], { most: 6 })).toEqual([0, 1])
    expect(axisOf([{ name: 'a', x: 0.4 }], ['x'], { most: 6 })).toEqual([0, 0.1, 0.2, 0.3, 0.4])
    expect(axisOf(data, ['x'], { most: 6, range: [0, 4] })).toEqual([0, 1, 2, 3, 4])
  })
  it('never has more figures than there is room for, and none beyond the data by a step', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 2, max: 8 }), (max, most) => {
        const ticks = roundSteps(0, max, true, most)
        expect(ticks.length).toBeLessThanOrEqual(most)
        expect(ticks.every((tick) => Number.isInteger(tick))).toBe(true)
        expect(ticks[0]).toBe(0)
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(max)
        expect(ticks.at(-2)).toBeLessThan(max)
      }),
    ))
})

describe('bars', () => {
  const ticks = [0, 2, 4, 6, 8]
  it('of a point stand beside each other within its place, as long as their figures', () => {
    const bars = barsOf(data, ['x', 'y'], ticks, { across: 200, along: 80 })
    expect(bars.map(({ length }) => length)).toEqual([30, 10, 0, 70])
    expect(bars.every((bar) => bar.at >= bar.point * 100 && bar.at + bar.width <= (bar.point + 1) * 100)).toBe(true)
    expect(bars[1]!.at).toBeGreaterThanOrEqual(bars[0]!.at + bars[0]!.width)
  })
  it('on each other begin where the one before ends', () => {
    const [x, y] = barsOf(data, ['x', 'y'], ticks, { across: 200, along: 80, stacked: true })
    expect([x!.from, x!.length, y!.from, y!.length]).toEqual([0, 30, 30, 10])
    expect(x!.at).toBe(y!.at)
  })
})

it('names of an axis never cover each other, and the last is always written', () => {
  expect(shownNames([20, 20, 20], [0, 50, 100])).toEqual([true, true, true])
  expect(shownNames([60, 60, 60], [0, 50, 100])).toEqual([true, false, true])
  expect(shownNames([60, 60, 60, 60], [150, 100, 50, 0])).toEqual([false, true, false, true])
  expect(shownNames([300, 300], [0, 50])).toEqual([false, true])
})

it('a line never swings beyond the figures it goes through', () =>
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 2, maxLength: 12 }), (values) => {
      const path = lineThrough(values.map((y, i) => [i * 10, y]))
      const places = [...path.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map((found) => Number(found[2]))
      // The end points of each piece, and the two that bend it: a cubic stays between them.
      values.slice(1).forEach((to, i) => {
        const [low, high] = [Math.min(values[i]!, to), Math.max(values[i]!, to)]
        for (const y of places.slice(1 + i * 3, 4 + i * 3)) {
          expect(y).toBeGreaterThanOrEqual(low - 0.1)
          expect(y).toBeLessThanOrEqual(high + 0.1)
        }
      })
    }),
  ))

it('a figure lies on its axis where the figures beside it say', () => {
  expect([0, 2, 3].map(placeOn([0, 4], 200))).toEqual([0, 100, 150])
})

describe('figures above bars', () => {
  const bar = (at: number, length: number) => ({ at, length, width: 10, from: 0 })
  it('are written where none runs into the next', () => {
    expect(figuresFit([bar(0, 50), bar(30, 50)], [24, 24])).toBe(true)
    expect(figuresFit([bar(0, 50), bar(12, 50)], [24, 24])).toBe(false)
    // One line above the other.
    expect(figuresFit([bar(0, 50), bar(12, 20)], [24, 24])).toBe(true)
  })
})
