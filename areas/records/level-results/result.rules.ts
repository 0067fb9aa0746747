/** The result of one student: without grace marks and with them. */
import type { Hundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { graceMarks, noGrace, type GraceMarks, type GraceRule } from './grace.rules.ts'
import {
  carriedFrom,
  decideYear,
  goesOn,
  type CarryException,
  type CourseState,
  type PromotionDecision,
  type LevelOutcome,
  type PromotionRules,
  type StudentYear,
} from './promotion.rules.ts'
import { levelSum, type RatingScale } from './rating.rules.ts'

/** A course as the result needs it. */
export interface ResultCourse {
  readonly course_id: number
  readonly code: string
  readonly mark: Hundredths | null
  readonly maximum: Hundredths
  readonly pass_mark: Hundredths
  readonly state: CourseState
  readonly liftable: boolean
  readonly carried: boolean
}

/** What a student's year came to. */
export interface StudentResult {
  readonly before: { readonly outcome: LevelOutcome; readonly rating: string | null }
  readonly after: { readonly outcome: LevelOutcome; readonly rating: string | null }
  readonly decision: PromotionDecision
  readonly marks: Hundredths
  readonly maximum: Hundredths
  readonly grace: GraceMarks
}

/** Works out a student's year. Grace marks are for years that are decided now: not where a result is missing or a second session comes first. */
export function studentResult(
  year: Omit<StudentYear, 'courses'> & { readonly courses: readonly ResultCourse[] },
  rules: PromotionRules & { readonly scale: RatingScale; readonly grace: GraceRule | null },
): StudentResult {
  const own = year.courses.filter((course) => !course.carried)
  const rated = (outcome: LevelOutcome, added: Hundredths) =>
    goesOn(outcome) ? levelSum(own, rules.scale, added).rating : null
  const plain = decideYear(year, rules)
  const undecided = ['waiting', 'stopped', 'second_session'].includes(plain.outcome)
  const grace =
    undecided || rules.grace === null
      ? noGrace
      : graceMarks(
          {
            scale: rules.scale,
            max_carried: carriedFrom(year.level, rules),
            courses: year.courses.map(({ state, carried, ...one }) => ({
              ...one,
              passed: state === 'passed',
              counts: !carried,
              exception: rules.exceptions.get(one.course_id) ?? (null as CarryException | null),
            })),
          },
          rules.grace,
        )
  const lifted = new Map(grace.courses.map((course) => [course.course_id, course.marks]))
  const decision = lifted.size
    ? decideYear(
        {
          ...year,
          courses: year.courses.map((course) =>
            lifted.has(course.course_id) ? { ...course, state: 'passed' as const } : course,
          ),
        },
        rules,
      )
    : plain
  const added = own.reduce((sum, one) => sum + (lifted.get(one.course_id) ?? 0), grace.sum)
  const { marks, maximum } = levelSum(own, rules.scale)
  return {
    before: { outcome: plain.outcome, rating: rated(plain.outcome, 0) },
    after: { outcome: decision.outcome, rating: rated(decision.outcome, added) },
    decision,
    marks,
    maximum,
    grace,
  }
}
