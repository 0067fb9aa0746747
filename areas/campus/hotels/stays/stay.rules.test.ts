import { describe, expect, it } from 'vitest'
import { checkDays, checkStayMove, checkStay, takenBack, stayUnits, type StayFacts } from './stay.rules.ts'

const FACTS: StayFacts = {
  today: '2030-03-10',
  status: 'confirmed',
  from_day: '2030-03-10',
  until_day: '2030-03-20',
  no_show_days: 2,
  own: false,
  against: [],
  occupied: null,
  unpaid: null,
  left: false,
  nobody: false,
}
const codes = (action: string, more: Partial<StayFacts>) =>
  checkStay(action, { ...FACTS, ...more }).map((one) => one.code)
const other = { name: 'A', name_local: 'أ', from_day: '2030-03-01', until_day: '2030-03-09' }

describe('a step with a stay', () => {
  it.each([
    ['confirm', {}, []],
    ['confirm', { until_day: '2030-03-10' }, ['stay_over']],
    ['confirm', { left: true, against: [{ code: 'bed_closed' }] }, ['stay_left', 'bed_closed']],
    ['check_in', {}, []],
    ['check_in', { today: '2030-03-09' }, ['stay_early']],
    ['check_in', { nobody: true }, ['stay_nobody']],
    ['check_in', { today: '2030-03-19' }, []],
    ['check_in', { today: '2030-03-20' }, ['stay_over']],
    ['check_in', { occupied: other, unpaid: 'INV-1', left: true }, ['stay_left', 'stay_occupied', 'stay_unpaid']],
    ['cancel', { today: '2030-03-09', own: true }, []],
    ['cancel', { own: true }, ['stay_begun']],
    ['cancel', { own: false }, []],
    ['cancel', { own: true, status: 'requested' }, []],
    ['no_show', { today: '2030-03-11' }, ['stay_awaited']],
    ['no_show', { today: '2030-03-12' }, []],
    ['check_out', {}, []],
  ] as const)('%s with %o: %o', (action, more, expected) => expect(codes(action, more as never)).toEqual(expected))
})

it('days of a stay', () => {
  const of = (from: string, until: string) => checkDays(from, until, '2030-03-10').map((one) => one.code)
  expect(of('2030-03-10', '2030-03-11')).toEqual([])
  expect(of('2030-03-10', '2030-03-10')).toEqual(['stay_days'])
  expect(of('2030-03-09', '2030-03-12')).toEqual(['stay_past'])
  expect(of('2030-03-10', '2031-03-11')).toEqual([])
  expect(of('2030-03-10', '2031-03-12')).toEqual(['stay_long'])
  // The clock goes forward in April and back in October: a night is a night.
  expect(stayUnits('night', '2030-04-25', '2030-04-27')).toBe(2)
  expect(stayUnits('night', '2030-10-30', '2030-11-02')).toBe(3)
})

it('a stay is moved', () => {
  const base = { today: '2030-03-10', from_day: '2030-03-05', until_day: '2030-03-20', bed_id: 1 }
  const of = (status: string, to: object) =>
    checkStayMove({ ...base, status }, { bed_id: 1, from_day: '2030-03-05', until_day: '2030-03-20', ...to }).map(
      (one) => one.code,
    )
  expect(of('requested', {})).toEqual(['stay_not_movable'])
  expect(of('checked_out', {})).toEqual(['stay_not_movable'])
  expect(of('confirmed', { from_day: '2030-03-12' })).toEqual([])
  expect(of('confirmed', { from_day: '2030-03-06' })).toEqual(['stay_past'])
  expect(of('checked_in', { from_day: '2030-03-06' })).toEqual(['stay_inside'])
  expect(of('checked_in', { until_day: '2030-03-25' })).toEqual([])
  expect(of('checked_in', { until_day: '2030-03-09' })).toEqual(['stay_past'])
  expect(of('checked_in', { bed_id: 2, until_day: '2030-03-10' })).toEqual(['stay_over'])
  expect(of('confirmed', { from_day: '2030-03-21' })).toEqual(['stay_days'])
  expect(of('confirmed', { until_day: '2031-06-01' })).toEqual(['stay_long'])
})

it.each([
  ['night', '2030-03-01', '2030-03-05', 4],
  ['night', '2030-03-01', '2030-03-01', 1],
  ['month', '2030-03-01', '2030-03-31', 1],
  ['month', '2030-03-01', '2030-04-01', 2],
  ['term', '2030-02-01', '2030-06-15', 1],
] as const)('%s from %s to %s is %i', (unit, from, until, many) => expect(stayUnits(unit, from, until)).toBe(many))

it('what is taken back', () => {
  expect(takenBack('2030-03-20', '2030-03-13', 7, 'cancel')).toBe('all')
  expect(takenBack('2030-03-20', '2030-03-14', 7, 'cancel')).toBe('deposit')
  expect(takenBack('2030-03-20', '2030-03-01', 7, 'no_show')).toBe('deposit')
})
