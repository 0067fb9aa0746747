/** A study plan as an edit that is not saved would leave it. */
import { toHundredths, type Hundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { PLAN_GROUPS, planKinds, type PlanCourse, type StudyPlan } from '#areas/study/catalogue/study-plan.rules.ts'
import type { PlanEdit } from './touched.contract.ts'

/** The group of a pool that has no id yet. */
const addedPool = (index: number): number => -100 - index

/**
 * The plan after the edit; an edit of nothing gives the plan itself.
 * @param hours credit hours of the courses that the edit names, by id
 */
export function editedPlan(
  plan: StudyPlan,
  { pools = [], without_pools = [], courses = [], without_courses = [] }: PlanEdit,
  hours: ReadonlyMap<number, Hundredths>,
): StudyPlan {
  if (!pools.length && !without_pools.length && !courses.length && !without_courses.length) return plan
  const asked = new Map(pools.map((pool) => [pool.id, toHundredths(pool.min_credit_hours)]))
  const goneCourses = new Set(without_courses)
  const gonePools = new Set(without_pools)
  const placed = new Map(plan.courses.map((course) => [course.course_id, course]))
  for (const { course_id, kind, pool_id, level } of courses) {
    const before = placed.get(course_id)
    placed.set(course_id, {
      ...(before ?? { credit_hours: hours.get(course_id) ?? 0, semester: 1, prerequisites: null, corequisite_ids: [] }),
      course_id,
      level,
      group_id: kind === 'elective' ? (pool_id ?? Number.NaN) : PLAN_GROUPS[kind],
    } satisfies PlanCourse)
  }
  const elective = [
    ...plan.groups.flatMap((group) =>
      group.kind !== 'elective' || gonePools.has(group.id)
        ? []
        : [{ ...group, min_credit_hours: asked.get(group.id) ?? group.min_credit_hours }],
    ),
    ...pools
      .filter((pool) => pool.id === null)
      .map((pool, i) => ({
        id: addedPool(i),
        kind: 'elective' as const,
        min_credit_hours: toHundredths(pool.min_credit_hours),
      })),
  ]
  const kept = [...placed.values()].filter(
    (course) =>
      !goneCourses.has(course.course_id) &&
      (course.group_id <= 0 || elective.some((group) => group.id === course.group_id)),
  )
  const kinds = planKinds.filter((kind) => kept.some((course) => course.group_id === PLAN_GROUPS[kind]))
  return {
    ...plan,
    groups: [...kinds.map((kind) => ({ id: PLAN_GROUPS[kind], kind, min_credit_hours: null })), ...elective],
    courses: kept,
  }
}
