import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, weekPlace } from '#kit/contract/day.ts'
import { monthDays } from '../fields/dates.ts'
import { meetingsOn, openingDay, placeSpans, spansAfter, spansOn } from './month.ts'
import type { TimetableEvent } from './layout.ts'

const event = (id: number, day: number, from = '09:00'): TimetableEvent => ({
  id,
  day,
  from,
  to: '10:00',
  type: 'Lecture',
  title: `E${id}`,
})
const term = { from: '2026-09-12', to: '2027-01-07' }
const span = (id: number, from: string, to: string) => ({ id, from, to, title: `S${id}` })
const week = monthDays(2026, 10).slice(7, 14)

describe('the meetings of a day', () => {
  it('are those of its weekday, in order, from the first day of the term to its last', () => {
    const events = [event(1, 1, '12:00'), event(2, 1), event(3, 2)]
    // 4 October 2026 is a Sunday.
    expect(meetingsOn('2026-10-04', events, term).map((e) => e.id)).toEqual([2, 1])
    expect(meetingsOn('2026-10-05', events, term).map((e) => e.id)).toEqual([3])
    expect(meetingsOn('2026-09-06', events, term)).toEqual([])
    expect(meetingsOn('2027-01-10', events, term)).toEqual([])
    expect(meetingsOn(term.from, [event(4, weekPlace(term.from))], term)).toHaveLength(1)
  })
})

describe('what lasts for days', () => {
  it('is told before it begins: the three that come next, the soonest first', () => {
    const [late, now, soon, later, last] = [
      span(1, '2026-12-20', '2026-12-21'),
      span(2, '2026-11-21', '2026-12-05'),
      span(3, '2026-12-02', '2026-12-02'),
      span(4, '2026-12-03', '2026-12-09'),
      span(5, '2027-01-03', '2027-01-09'),
    ]
    expect(spansAfter('2026-11-30', [late, now, soon, later, last])).toEqual([soon, later, late])
    expect(spansAfter('2026-12-03', [now, soon, later])).toEqual([])
  })

  it('goes on from week to week, and says where it begins and ends', () => {
    const one = span(1, week[2]!, addDays(week[6]!, 2))
    expect(placeSpans(week, [one])).toMatchObject([{ column: 2, length: 5, lane: 0, begins: true, ends: false }])
    expect(
      placeSpans(
        week.map((day) => addDays(day, 7)),
        [one],
      ),
    ).toMatchObject([{ column: 0, length: 2, begins: false, ends: true }])
    expect(
      placeSpans(
        week.map((day) => addDays(day, 14)),
        [one],
      ),
    ).toEqual([])
  })
  it('never lies on another, on no day', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: 0, max: 30 }))), (list) => {
        const spans = list.map(([from, length], i) =>
          span(i, addDays(week[0]!, from), addDays(week[0]!, from + length)),
        )
        const placed = placeSpans(week, spans)
        week.forEach((day, column) => {
          const here = placed.filter((p) => p.column <= column && column < p.column + p.length)
          expect(here.map((p) => p.span.id).toSorted()).toEqual(
            spansOn(day, spans)
              .map((s) => s.id)
              .toSorted(),
          )
          expect(new Set(here.map((p) => p.lane)).size).toBe(here.length)
        })
      }),
    ))
})

it('a month opens with today while anything takes place, else with the beginning', () => {
  const of = { ...term, spans: [span(1, '2026-08-20', '2026-08-25')] }
  expect(openingDay('2026-11-22', of)).toBe('2026-11-22')
  expect(openingDay('2026-08-21', of)).toBe('2026-08-21')
  expect(openingDay('2027-05-01', of)).toBe(term.from)
  expect(openingDay('2026-08-19', of)).toBe(term.from)
})
