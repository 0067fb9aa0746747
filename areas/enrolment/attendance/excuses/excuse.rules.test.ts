import { expect, test } from 'vitest'
import { checkExcuseDays, checkExcuse } from './excuse.rules.ts'
import type { ExcusedCourse, ExcuseKind } from './excuse.rules.ts'

const course: ExcusedCourse = { course: 'C1', state: 'Registered', submitted: false }
const against = (kind: ExcuseKind, ...courses: ExcusedCourse[]) => checkExcuse({ kind, courses }).map((one) => one.code)

test('an excuse is of a course that is taken, and that control does not have', () => {
  expect(against('course', course)).toEqual([])
  expect(against('course')).toEqual(['excuse_no_course'])
  for (const state of [null, 'other'] as const)
    expect(against('exam', { ...course, state, submitted: true })).toEqual(['excuse_course_left'])
  expect(against('absence', { ...course, submitted: true })).toEqual(['excuse_submitted'])
})
test('of a term, courses that were left are none of it; one must be there', () => {
  expect(against('term', course, { ...course, state: null })).toEqual([])
  expect(against('term', { ...course, state: 'other' })).toEqual(['excuse_no_course'])
  expect(against('term')).toEqual(['excuse_no_course'])
})
test('absences and exams have days, in order and in the term; courses and terms have none', () => {
  const term = { start: '2026-02-01', end: '2026-06-30' }
  const days = (from_date: string | null, to_date: string | null, kind: ExcuseKind = 'absence') =>
    checkExcuseDays({ kind, from_date, to_date }, term).map(({ code, field }) => `${code}@${field}`)
  expect(days('2026-02-01', '2026-06-30')).toEqual([])
  expect(days(null, '2026-02-01')).toEqual(['excuse_days_missing@from_date'])
  expect(days('2026-02-01', null)).toEqual(['excuse_days_missing@to_date'])
  expect(days('2026-02-02', '2026-02-01', 'exam')).toEqual(['excuse_days_order@to_date'])
  expect(days('2026-01-31', '2026-02-01')).toEqual(['excuse_days_outside@from_date'])
  expect(days('2026-06-30', '2026-07-01')).toEqual(['excuse_days_outside@from_date'])
  for (const kind of ['course', 'term'] as const) expect(days(null, null, kind)).toEqual([])
})
