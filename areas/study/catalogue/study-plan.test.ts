import { describe, expect, test } from 'vitest'
import { checkPlan, planHours, type PlanCourse, type StudyPlan } from './study-plan.rules.ts'

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
describe('plan', () => {
  test('a sound plan', () => {
    expect(checkPlan(plan)).toEqual([])
    expect(planHours(plan)).toBe(1200)
  })

  const withCourse = (index: number, change: Partial<PlanCourse>): StudyPlan => ({
    ...plan,
    courses: plan.courses.map((one, position) => (position === index ? { ...one, ...change } : one)),
  })
  const pool = (min_credit_hours: number | null): StudyPlan => ({
    ...plan,
    min_credit_hours: 600,
    groups: [plan.groups[0]!, { id: 2, kind: 'elective', min_credit_hours }],
  })
  test.each<[string, StudyPlan, string[]]>([
    ['twice', { ...plan, courses: [...plan.courses, course(10, 2, 3, 1)] }, ['error plan_course_twice courses.5']],
    ['no group', withCourse(3, { group_id: 9 }), ['error plan_group_unknown courses.3']],
    ['level 8', withCourse(4, { level: 8 }), ['error plan_place courses.4']],
    ['semester 0', withCourse(4, { semester: 0 }), ['error plan_place courses.4']],
    ['prerequisite in the same semester', withCourse(1, { semester: 1 }), ['warning plan_prerequisite courses.1']],
    [
      'prerequisite outside the plan',
      withCourse(4, { prerequisites: { course: 77 } }),
      ['warning plan_prerequisite courses.4'],
    ],
    ['co-requisite later', withCourse(0, { corequisite_ids: [11] }), ['warning plan_corequisite courses.0']],
    ['too few hours', { ...plan, min_credit_hours: 1201 }, ['error plan_hours min_credit_hours']],
    ['a pool that cannot be filled', pool(901), ['error plan_group_short groups.1.min_credit_hours']],
    ['a pool beyond 1000', pool(100001), ['error plan_group_hours groups.1.min_credit_hours']],
    ['a pool of 0', pool(0), []],
    ['a pool without hours', pool(null), ['error plan_elective_hours_missing groups.1.min_credit_hours']],
  ])('%s', (_name, value, expected) =>
    expect(checkPlan(value).map(({ severity, code, field }) => `${severity} ${code} ${field}`)).toEqual(expected),
  )

  test('names the missing prerequisites', () => {
    const [problem] = checkPlan(withCourse(0, { prerequisites: { all: [{ course: 77 }, { course: 78 }] } }))
    expect(problem?.data).toEqual({ course: 10, courses: '77, 78' })
  })
})
