import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PlanCourse, StudyPlan } from '#areas/study/catalogue/study-plan.rules.ts'
import { auditDegree, type AuditCourse } from './plan.rules.ts'

const course = (
  course_id: number,
  group_id: number,
  level: number,
  semester: number,
  change: Partial<PlanCourse> = {},
): PlanCourse => ({
  course_id,
  group_id,
  credit_hours: 300,
  level,
  semester,
  prerequisites: null,
  corequisite_ids: [],
  ...change,
})
const plan: StudyPlan = {
  min_credit_hours: 1200,
  groups: [
    { id: 1, kind: 'mandatory', min_credit_hours: null },
    { id: 2, kind: 'elective', min_credit_hours: 600 },
  ],
  courses: [
    course(10, 1, 1, 1),
    course(11, 1, 1, 2, { prerequisites: { course: 10, min_grade: 'C' }, corequisite_ids: [10] }),
    course(20, 2, 2, 1, { prerequisites: { any: [{ course: 11 }, { course: 99 }] } }),
    course(21, 2, 2, 1),
    course(22, 2, 2, 2),
  ],
}
const own = (course_id: number, state: AuditCourse['state'] = 'passed', equal_ids: number[] = []): AuditCourse => ({
  course_id,
  credit_hours: 300,
  state,
  equal_ids,
})
const audit = (courses: AuditCourse[], change: object = {}) =>
  auditDegree({ plan, courses, gpa: 250, min_gpa: 200, training_weeks: 6, min_training_weeks: 6, ...change })

describe('audit', () => {
  test('complete, with the courses that satisfied each', () => {
    const result = audit([own(10), own(51, 'passed', [11]), own(20), own(22), own(90)])
    expect(result.complete).toBe(true)
    expect(result.groups[0]?.courses).toEqual([
      { course_id: 10, state: 'met', satisfied_by: 10 },
      { course_id: 11, state: 'met', satisfied_by: 51 },
    ])
    expect(result.groups[1]).toMatchObject({ required: 600, earned: 600, in_progress: 0, state: 'met' })
    expect(result.other).toEqual([{ course_id: 90, state: 'passed' }])
    expect(result.hours).toEqual({ required: 1200, earned: 1200, in_progress: 0, state: 'met' })
  })

  test('in progress and missing', () => {
    const result = audit([own(10), own(11, 'in_progress'), own(20), own(21, 'in_progress')], {
      training_weeks: 5,
      gpa: 199,
    })
    expect(result.groups.map((group) => group.state)).toEqual(['in_progress', 'in_progress'])
    expect(result.hours).toMatchObject({ earned: 600, in_progress: 600, state: 'in_progress' })
    expect(result.gpa.state).toBe('missing')
    expect(result.training.state).toBe('missing')
    expect(result.complete).toBe(false)
    expect(audit([own(10)]).groups.map((group) => group.state)).toEqual(['missing', 'missing'])
  })

  test('nothing else makes up for a mandatory course', () => {
    const result = audit([own(10), own(20), own(21), own(22)])
    expect(result.hours.state).toBe('met')
    expect(result.groups[0]?.state).toBe('missing')
    expect(result.complete).toBe(false)
  })

  test('a passed equal course displaces the same course still running', () => {
    const result = audit([own(11, 'in_progress'), own(51, 'passed', [11])])
    expect(result.groups[0]?.courses[1]).toEqual({ course_id: 11, state: 'met', satisfied_by: 51 })
    expect(result.other).toEqual([{ course_id: 11, state: 'in_progress' }])
  })

  test('an equal course counts once only, and a passed attempt beats a running one', () => {
    const result = audit([own(51, 'passed', [10, 11])])
    expect(result.groups[0]?.courses.map((one) => one.state)).toEqual(['met', 'missing'])
    expect(audit([own(10), own(10, 'in_progress')]).groups[0]?.courses[0]?.state).toBe('met')
  })

  test('no GPA is no GPA of 2, unless none is asked for', () => {
    expect(audit([], { gpa: null }).gpa.state).toBe('missing')
    expect(audit([], { gpa: null, min_gpa: 0 }).gpa.state).toBe('met')
  })

  test('without a plan the hours of every passed course count, equal ones once', () => {
    const bare = {
      plan: {
        min_credit_hours: 900,
        groups: [{ id: 0, kind: 'mandatory' as const, min_credit_hours: null }],
        courses: [],
      },
    }
    const some = audit([own(10), own(20, 'passed', [10]), own(21), own(22, 'in_progress')], bare)
    expect(some.hours).toEqual({ required: 900, earned: 600, in_progress: 300, state: 'in_progress' })
    expect(some.complete).toBe(false)
    expect(audit([own(10), own(20), own(21)], bare)).toMatchObject({
      hours: { earned: 900, state: 'met' },
      complete: true,
    })
  })

  const anyCourses = fc.array(
    fc.record({
      course_id: fc.constantFrom(10, 11, 20, 21, 22, 50, 51, 52),
      credit_hours: fc.constantFrom(100, 300),
      state: fc.constantFrom('passed' as const, 'in_progress' as const),
      equal_ids: fc.subarray([10, 11, 20, 21, 22]),
    }),
    { maxLength: 10 },
  )

  test('no course is used twice or lost, hours add up, and complete means all met', () => {
    fc.assert(
      fc.property(anyCourses, (courses) => {
        const result = audit(courses)
        const usedIds = result.groups.flatMap((group) => group.courses.flatMap((one) => one.satisfied_by ?? []))
        expect(new Set(usedIds).size).toBe(usedIds.length)
        expect([...usedIds, ...result.other.map((one) => one.course_id)].sort()).toEqual(
          [...new Set(courses.map((one) => one.course_id))].sort(),
        )
        expect(result.hours.earned).toBe(result.groups.reduce((total, group) => total + group.earned, 0))
        expect(result.complete).toBe(
          result.hours.state === 'met' && result.groups.every((group) => group.state === 'met'),
        )
      }),
      { numRuns: 500 },
    )
  })

  test('passing a course that was running never loses hours', () => {
    fc.assert(
      fc.property(anyCourses, (courses) => {
        const exact = courses.map((one) => ({ ...one, equal_ids: [] }))
        const later = exact.map((one) => ({ ...one, state: 'passed' as const, credit_hours: 300 }))
        expect(audit(later).hours.earned).toBeGreaterThanOrEqual(audit(exact).hours.earned)
      }),
    )
  })
})
