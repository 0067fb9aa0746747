import { expect, test } from 'vitest'
import type { RotationBoard } from './board.contract.ts'
import {
  barPlaces,
  rotationBars,
  barsOfPlan,
  nextPlace,
  overfullBars,
  overfullDays,
  overfullWeeks,
  soughtBars,
  soughtInterns,
} from './board.rules.ts'

const named = (id: number, name: string) => ({ id, name, name_local: `${name} ع`, code: `C${id}` })
const BOARD: RotationBoard = {
  year: { ...named(1, 'Year'), starts_on: '2030-01-06', weeks: 12, period_weeks: 4, is_closed: false },
  today: '2030-01-01',
  years: [],
  courses: [
    { ...named(1, 'Medicine'), is_elective: false },
    { ...named(2, 'Skin'), is_elective: true },
  ],
  types: [
    { ...named(1, 'Ward'), course_id: 1 },
    { ...named(2, 'Clinic'), course_id: 2 },
  ],
  hospitals: [named(1, 'North'), named(2, 'South')],
  trainings: [
    {
      ...named(11, 'Ward, North'),
      type_id: 1,
      hospital_id: 1,
      places: 2,
      withdrawn_from: null,
      days: [{ starts_on: '2030-01-20', ends_on: '2030-01-22', places: 1 }],
    },
    { ...named(22, 'Clinic, South'), type_id: 2, hospital_id: 2, places: 1, withdrawn_from: '2030-02-10', days: [] },
  ],
  interns: [
    { ...named(1, 'Mona Ali'), intern_id: 1, joined_on: '2030-01-06', completed: false },
    { ...named(2, 'Rami Adel'), intern_id: 2, joined_on: '2030-01-06', completed: false },
    { ...named(3, 'Dina Omar'), intern_id: 3, joined_on: '2030-01-06', completed: false },
  ],
  rotations: [
    [1, 1, 11, 0, 28, 2, false],
    [2, 2, 11, 0, 28, 3, true],
    [3, 1, 22, 28, 28, 2, false],
    [4, 2, 22, 28, 28, 0, false],
  ],
  others: [],
  leaves: [],
  plans: true,
}

test('days with more interns than places are found, and the bars that lie on them', () => {
  const bars = rotationBars(BOARD)
  const days = overfullDays(BOARD, bars)
  // Two on three days with one place; who only asks is not there; from the day on which the clinic leaves there is no place.
  expect(days).toEqual([
    { training_id: 11, at: 14, days: 3, over: 1 },
    { training_id: 22, at: 35, days: 21, over: 1 },
  ])
  expect([...overfullBars(bars, days)]).toEqual([1, 2, 3])
  expect(overfullWeeks(12, days)).toEqual([0, 0, 1, 0, 0, 1, 1, 1, 0, 0, 0, 0])
})
test('rows are sought by name, code, hospital, course and state', () => {
  const bars = rotationBars(BOARD)
  const byWho = Map.groupBy(bars, ({ student_id }) => student_id)
  const found = (sought: object) => {
    const all = { name: '', hospital: null, course: null, only: null, ...sought } as const
    return soughtInterns(BOARD, all, byWho, soughtBars(BOARD, all, new Set([3]))).map(({ id }) => id)
  }
  expect(found({})).toEqual([1, 2, 3])
  expect(found({ name: 'ad rami' })).toEqual([2])
  expect(found({ name: 'c3' })).toEqual([3])
  expect(found({ hospital: 1 })).toEqual([1, 2])
  expect(found({ course: 2, only: 'waiting' })).toEqual([2])
  expect(found({ only: 'overfull' })).toEqual([1])
  expect(found({ hospital: 1, course: 2 })).toEqual([])
})
test('a plan is shown as it would stand, with what is new in it', () => {
  const bars = barsOfPlan(BOARD, {
    rotations: [
      [1, 11, '2030-01-06', '2030-02-02'],
      [1, 22, '2030-03-03', '2030-03-30'],
      [2, 22, '2030-02-03', '2030-03-02'],
    ],
    removed: [3],
  })
  expect(
    bars.map(({ student_id, training_id, at, state, is_new }) => [student_id, training_id, at, state, is_new]),
  ).toEqual([
    [1, 11, 0, 'accepted', false],
    [1, 22, 56, 'accepted', true],
    [2, 11, 0, 'begun', false],
    [2, 22, 28, 'accepted', true],
  ])
})
test('the keyboard goes from bar to bar, and keeps the time from row to row', () => {
  const byWho = Map.groupBy(rotationBars(BOARD), ({ student_id }) => student_id)
  const rows = [1, 2, 3].map((id) => byWho.get(id) ?? [])
  const go = (row: number, bar: number, step: object) => nextPlace({ row, bar }, { rows: 0, bars: 0, ...step }, rows)
  expect(go(0, -1, { bars: 1 })).toEqual({ row: 0, bar: 0 })
  expect(go(0, 1, { bars: 1 })).toEqual({ row: 0, bar: 1 })
  expect(go(0, 1, { rows: 1 })).toEqual({ row: 1, bar: 1 })
  expect(go(1, 1, { rows: 1 })).toEqual({ row: 2, bar: -1 })
  expect(go(0, 0, { rows: -5 })).toEqual({ row: 0, bar: 0 })
})

test('bars stand beside each other, also where one lies over another or beyond the year', () => {
  const bar = (at: number, days: number) => ({ at, days })
  expect(barPlaces([bar(-7, 28), bar(28, 28), bar(42, 28), bar(90, 28)], 100)).toEqual([
    { gap: 0, days: 21 },
    { gap: 7, days: 28 },
    { gap: -14, days: 28 },
    { gap: 20, days: 10 },
  ])
})

test('those whom the reader does not see are counted, without being shown', () => {
  const bars = rotationBars(BOARD)
  const seen = overfullDays(BOARD, bars)
  const training = BOARD.trainings[0]!
  const others = Array.from({ length: training.places + 1 }, (): [number, number, number] => [training.id, 70, 7])
  const counted = overfullDays({ ...BOARD, others }, bars)
  expect(counted.filter((one) => !seen.some(({ at }) => at === one.at))).toMatchObject([
    { training_id: training.id, at: 70, days: 7 },
  ])
})
