import { describe, expect, test } from 'vitest'
import {
  checkConfirmed,
  checkEntry,
  checkLogbook,
  checkTakenBack,
  countedOf,
  judgeSentAgain,
  totalOf,
} from './entry.rules.ts'

const good = {
  rotation: { starts_on: '2027-01-02', ends_on: '2027-01-29', course_id: 1 },
  closed: false,
  completed: false,
  type: { course_id: 1, removed: false },
  done_at: '2027-01-10T10:00:00Z',
  note: null,
  now: '2027-01-10T12:00:00Z',
  clock_ahead: 0,
}
const codes = (more: object) => checkEntry({ ...good, ...more }).map(({ code }) => code)

describe('an entry', () => {
  test.each<[string, object, string[]]>([
    ['within its rotation', {}, []],
    ['of a closed year', { closed: true }, ['emtyaz_closed']],
    ['of a completed one', { completed: true }, ['emtyaz_completed']],
    ['without a rotation', { rotation: null }, ['logbook_no_rotation']],
    ['of a type that is gone', { type: { course_id: 1, removed: true } }, ['logbook_no_type']],
    ['of another course', { type: { course_id: 2, removed: false } }, ['logbook_other_course']],
    ['ten minutes ahead', { done_at: '2027-01-10T12:10:00Z' }, []],
    ['eleven minutes ahead', { done_at: '2027-01-10T12:11:00Z' }, ['logbook_to_come']],
    ['an hour ahead by a clock that is', { done_at: '2027-01-10T13:00:00Z', clock_ahead: 3600 }, []],
    [
      'two hours ahead by such a clock',
      { done_at: '2027-01-10T14:00:00Z', clock_ahead: 3600 },
      ['logbook_to_come', 'logbook_clock_ahead'],
    ],
    ['a day before the rotation', { done_at: '2027-01-01T12:00:00Z' }, []],
    ['two days before it', { done_at: '2026-12-31T12:00:00Z' }, ['logbook_outside_rotation']],
    [
      'days before it, by a clock that is behind',
      { done_at: '2026-12-20T12:00:00Z', clock_ahead: -1_800_000 },
      ['logbook_outside_rotation', 'logbook_clock_behind'],
    ],
    ['with a patient', { note: 'Mr Hassan' }, ['logbook_patient_name']],
  ])('%s', (_, more, expected) => expect(codes(more)).toEqual(expected))
  test('that comes again is the same, newer, or refused', () => {
    const there = { own: true, revision: 2, status: 'entered', removed: false, same: false }
    expect(judgeSentAgain({ ...there, same: true }, 1)).toBe('same')
    expect(judgeSentAgain(there, 1)).toBe('same')
    expect(judgeSentAgain(there, 3)).toBe('changed')
    expect(judgeSentAgain({ ...there, status: 'rejected' }, 3)).toBe('changed')
    expect(judgeSentAgain(there, 2)).toEqual([{ code: 'logbook_changed_elsewhere' }])
    expect(judgeSentAgain({ ...there, status: 'confirmed' }, 3)).toEqual([{ code: 'logbook_confirmed' }])
    expect(judgeSentAgain({ ...there, own: false, same: true }, 3)).toEqual([{ code: 'logbook_entry_twice' }])
  })
})

describe('confirming', () => {
  const facts = {
    on_duty: true,
    day: '2027-01-10',
    training: { name: 'Ward', name_local: 'قسم' },
    by: null,
    mine: false,
    completed: false,
  }
  const by = { name: 'Dr Hany', name_local: 'د. هاني' }
  test('is for who was on duty, taking back for who confirmed', () => {
    expect(checkConfirmed(facts)).toEqual([])
    expect(checkConfirmed({ ...facts, on_duty: false })).toMatchObject([{ code: 'logbook_not_on_duty' }])
    expect(checkTakenBack({ ...facts, by, mine: true, on_duty: false })).toEqual([])
    expect(checkTakenBack({ ...facts, by })).toMatchObject([{ code: 'logbook_confirmed_by' }])
    expect(checkTakenBack({ ...facts, by, mine: true, completed: true })).toMatchObject([{ code: 'emtyaz_completed' }])
    expect(checkTakenBack({ ...facts, on_duty: false })).toMatchObject([{ code: 'logbook_not_on_duty' }])
  })
})

test('what is more than wanted in a role counts in the next lower one, and never upwards', () => {
  const wanted = { observed: 2, assisted: 1, done: 1 }
  expect(countedOf({ wanted, confirmed: { observed: 0, assisted: 0, done: 3 } })).toEqual({
    observed: 1,
    assisted: 1,
    done: 1,
  })
  expect(countedOf({ wanted, confirmed: { observed: 9, assisted: 0, done: 0 } })).toEqual({
    observed: 2,
    assisted: 0,
    done: 0,
  })
  expect(totalOf({ wanted, confirmed: { observed: 0, assisted: 2, done: 0 } })).toEqual({ counted: 2, wanted: 4 })
  const course = { name: 'Surgery', name_local: 'جراحة' }
  expect(checkLogbook([{ ...course, types: [{ wanted, confirmed: wanted }] }])).toEqual([])
  expect(
    checkLogbook([{ ...course, types: [{ wanted, confirmed: { observed: 2, assisted: 1, done: 0 } }] }]),
  ).toMatchObject([{ code: 'logbook_missing', data: { count: 3, needed: 4 } }])
})
