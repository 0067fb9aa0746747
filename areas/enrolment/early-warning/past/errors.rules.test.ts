import { expect, test } from 'vitest'
import { errorsOf, type JudgedStudent } from './errors.rules.ts'

const row = (more: Partial<JudgedStudent>): JudgedStudent => ({
  faculty_id: 1,
  gender: 1,
  nationality_id: 1,
  hard: false,
  said: 0.25,
  named: false,
  ...more,
})
const times = (count: number, one: JudgedStudent) => Array.from({ length: count }, () => one)

test('errors are counted by kind: who was missed, who was named wrongly', () => {
  const rows = [
    ...times(6, row({ hard: true, named: true, said: 0.75 })),
    ...times(2, row({ hard: true })),
    ...times(3, row({ named: true })),
    ...times(9, row({})),
    ...times(30, row({ faculty_id: 2, gender: 2 })),
  ]
  const { faculty, gender } = errorsOf(rows)
  expect(faculty).toEqual([
    { of: 2, gender: null, rows: 30, hard: 0, said: 0.25, named_wrongly: 0, missed: null },
    { of: 1, gender: null, rows: 20, hard: 0.4, said: 0.4, named_wrongly: 0.25, missed: 0.25 },
  ])
  expect(gender.map((one) => [one.gender, one.of, one.rows])).toEqual([
    [2, null, 30],
    [1, null, 20],
  ])
})

test('kinds of few students are counted together, and of too few nothing is told', () => {
  const nationalities = [
    ...times(40, row({})),
    ...times(12, row({ nationality_id: 2 })),
    ...times(9, row({ nationality_id: null })),
  ]
  expect(errorsOf(nationalities).nationality.map((one) => [one.of, one.rows])).toEqual([
    [1, 40],
    [null, 21],
  ])
  expect(errorsOf(nationalities.slice(0, 52)).nationality.map((one) => one.of)).toEqual([1])
  expect(errorsOf([]).faculty).toEqual([])
})
