import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ticksOf } from './ticks.ts'

describe('figures at an axis', () => {
  it('are those a person would write', () => {
    expect(ticksOf([0, 4])).toEqual([0, 1, 2, 3, 4])
    expect(ticksOf([0, 5])).toEqual([0, 1, 2, 3, 4, 5])
    expect(ticksOf([0, 100])).toEqual([0, 20, 40, 60, 80, 100])
    expect(ticksOf([0, 10])).toEqual([0, 2, 4, 6, 8, 10])
    expect(ticksOf([3, 3])).toEqual([3])
  })
  it('are six at most and include both ends', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 1, max: 5000 }), (min, more) => {
        const ticks = ticksOf([min, min + more])
        expect(ticks.length).toBeLessThanOrEqual(6)
        expect([ticks[0], ticks.at(-1)]).toEqual([min, min + more])
      }),
    ))
})
