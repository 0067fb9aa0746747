/** Where somebody begins who moves into a study by marks: with which level, and what is carried into it. */
import { entryLevel, type CarryException } from '#areas/records/level-results/promotion.rules.ts'
import type { MarkRules } from '#areas/study/catalogue/mark-regulation.rules.ts'
import type { StudyPlan } from '#areas/study/catalogue/study-plan.rules.ts'

/** The level, and the courses of earlier ones that are still to be passed. */
export function entryInto(
  plan: StudyPlan,
  rules: Pick<
    MarkRules,
    'levels' | 'max_carried' | 'carried_from_final_level' | 'required_courses' | 'uncounted_courses'
  >,
  passed: ReadonlySet<number>,
): { level: number; carried: readonly number[] } {
  const electives = new Set(plan.groups.filter((group) => group.kind === 'elective').map((group) => group.id))
  const levels = rules.levels.map(({ level }) => ({
    level,
    courses: plan.courses
      .filter((course) => course.level === level && !electives.has(course.group_id))
      .map(({ course_id }) => ({
        course_id,
        code: String(course_id),
        state: passed.has(course_id) ? ('passed' as const) : ('failed' as const),
      })),
  }))
  const exceptions = new Map<number, CarryException>([
    ...rules.required_courses.map((id) => [id, 'required'] as const),
    ...rules.uncounted_courses.map((id) => [id, 'uncounted'] as const),
  ])
  const entry = entryLevel(levels, {
    max_carried: rules.max_carried,
    carried_from_final_level: rules.carried_from_final_level,
    final_level: Math.max(0, ...rules.levels.map((one) => one.level)),
    exceptions,
  })
  return { level: entry.level, carried: entry.carried.map((one) => one.course_id) }
}
