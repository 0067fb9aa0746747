import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { daysOf, hoursOf, minutes, placeDay } from './layout.ts'
import type { TimetableEvent } from './layout.ts'

const event = (id: number, from: string, to: string, day = 0): TimetableEvent => ({
  id,
  day,
  from,
  to,
  type: 'Lecture',
  title: `E${id}`,
})
const clock = (m: number) => `${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`
const anyEvents = fc
  .array(fc.tuple(fc.integer({ min: 480, max: 1100 }), fc.integer({ min: 10, max: 180 })), { maxLength: 25 })
  .map((list) => list.map(([from, length], i) => event(i, clock(from), clock(from + length))))

describe('meetings of a day', () => {
  it('puts those at one time side by side', () => {
    const placed = placeDay([event(1, '09:00', '11:00'), event(2, '10:00', '12:00'), event(3, '12:00', '13:00')])
    expect(placed.map((p) => [p.event.id, p.lane, p.lanes])).toEqual([
      [1, 0, 2],
      [2, 1, 2],
      [3, 0, 1],
    ])
  })
  it('lets a meeting take lanes that are free', () => {
    const placed = placeDay([
      event(1, '09:00', '10:00'),
      event(2, '09:00', '10:00'),
      event(3, '09:00', '12:00'),
      event(4, '10:00', '12:00'),
    ])
    const four = placed.find((p) => p.event.id === 4)!
    expect(four.span).toBe(2)
  })
  it('never covers another, and loses none', () =>
    fc.assert(
      fc.property(anyEvents, (events) => {
        const placed = placeDay(events)
        expect(placed).toHaveLength(events.length)
        for (const a of placed) {
          expect(a.lane + a.span).toBeLessThanOrEqual(a.lanes)
          for (const b of placed) {
            if (a === b) continue
            const sameTime = minutes(a.event.from) < minutes(b.event.to) && minutes(b.event.from) < minutes(a.event.to)
            if (sameTime) {
              expect(a.lanes).toBe(b.lanes)
              expect(a.lane + a.span <= b.lane || b.lane + b.span <= a.lane).toBe(true)
            }
          }
        }
      }),
    ))
})

describe('the frame', () => {
  it('shows whole hours', () => expect(hoursOf([event(1, '07:30', '17:10')])).toEqual({ from: 7, to: 18 }))
  it('shows Friday only when something meets', () => {
    expect(daysOf([])).toEqual([0, 1, 2, 3, 4, 5])
    expect(daysOf([event(1, '09:00', '10:00', 6)])).toContain(6)
  })
})
