import { call, decimal, exportQuery, id, problem, ref, safeText } from '#kit/contract/index.ts'
import type { Label } from '#kit/contract/index.ts'
import { z } from 'zod'
import { ORIGINS } from './equivalence.rules.ts'

/** Credit hours of one course: with at most two places. */
const creditHours = z.number().min(0).max(60).multipleOf(0.01)

/** What became of the proposal for a course. */
export const EQUIVALENCE_STATES = [
  { value: 'proposed', label: ['Proposed', 'مقترحة'], tone: 'waiting' },
  { value: 'confirmed', label: ['Confirmed', 'معتمدة'], tone: 'done' },
  { value: 'none', label: ['Not counted', 'غير محتسب'], tone: 'draft' },
] as const

const course = ref.extend({ credit_hours: z.number() })
/** What a course counts as: hours, and a letter with points or a mark with its rating. */
const counted = {
  course: course.nullable(),
  credit_hours: z.number().nullable(),
  letter: z.string().nullable(),
  points: z.string().nullable(),
  /** Under a regulation by marks: the mark and out of how many; `letter` is the code of its rating. */
  mark: z.string().nullable(),
  maximum: z.int().nullable(),
  counts_in_gpa: z.boolean(),
}
/** A course of theirs, and what it counts as here. */
export const equivalence = z.object({
  id,
  source: z.object({
    course_id: id.nullable(),
    code: z.string(),
    name: z.string(),
    name_local: z.string().nullable(),
    credit_hours: z.number(),
    grade: z.string().nullable(),
  }),
  ...counted,
  /** Further courses of ours that it counts as. */
  more: z.array(z.object({ ...counted, course })),
  /** It counts together with this one, as its courses. */
  joined_to: id.nullable(),
  state: z.enum(EQUIVALENCE_STATES.map((equivalenceState) => equivalenceState.value)),
  origin: z.enum(ORIGINS),
})
export type Equivalence = z.output<typeof equivalence>

const countsAs = {
  /** null: all hours of the course. */
  credit_hours: creditHours.nullable().default(null),
  /** A grade of the bylaw here; null: passed, without a grade. */
  letter: safeText(5).nullable().default(null),
  /** Under a regulation by marks, in place of the letter. */
  mark: decimal(2, 0, 999).nullable().default(null),
  counts_in_gpa: z.boolean().default(false),
}
/** A decision: what a course counts as, or nothing; alone, or together with another one. */
export const decided = z.strictObject({
  id,
  course_id: id.nullable(),
  ...countsAs,
  more: z
    .array(z.strictObject({ course_id: id, ...countsAs }))
    .max(10)
    .default([]),
  joined_to: id.nullable().default(null),
})
export const decisions = z.strictObject({
  courses: z.array(decided).max(200),
  /** The version of the transfer that was seen. */
  version: z.int().optional(),
})
export type DecisionsInput = z.output<typeof decisions>

/** A course passed elsewhere, as somebody types it. */
export const typedCourse = z.strictObject({
  /** Absent: a new one. */
  id: id.optional(),
  code: safeText(40, 1),
  name: safeText(200, 1),
  name_local: safeText(200).nullable().default(null),
  credit_hours: creditHours,
  grade: safeText(20).nullable().default(null),
  percent: decimal(2, 0, 100).nullable().default(null),
})
export type TypedCourse = z.output<typeof typedCourse>

/** A course of the program here that a course may count as. */
export const programCourse = course.extend({
  level: z.int().nullable(),
  semester: z.int().nullable(),
  /** Out of how many marks it is, under a regulation by marks. */
  maximum: z.int(),
  taken: z.boolean(),
})

const amount = z.object({ required: z.number(), earned: z.number(), state: z.enum(['met', 'in_progress', 'missing']) })
const lacking = z.object({ name: z.string(), name_local: z.string(), missing: z.array(problem) })
/** How the student would stand: the degree audit of the outcome. */
export const outcome = z.object({
  hours: amount,
  /** null: under a regulation by marks. */
  gpa: z.object({ required: z.string(), actual: z.string().nullable() }).nullable(),
  training: amount,
  level: z.int(),
  /** By marks: courses of earlier levels that are still to be passed. */
  carried: z.array(course),
  groups: z.array(
    amount.extend({
      id: z.int(),
      kind: z.enum(['mandatory', 'elective', 'university', 'faculty']),
      name: z.string().nullable(),
      name_local: z.string().nullable(),
      missing: z.array(course),
    }),
  ),
  /** Requirements of program and bylaw besides the study plan, with what is missing of each. */
  own: z.array(
    z.object({
      key: z.string(),
      name: z.string(),
      name_local: z.string(),
      state: amount.shape.state,
      lacking: z.array(lacking),
    }),
  ),
  /** Exceptions of the student that hold in the program. */
  exceptions: z.int(),
})
export type EquivalenceOutcome = z.output<typeof outcome>

/** The side that a course may count on: what the editor needs of program and bylaw. */
export const grades = {
  by_marks: z.boolean(),
  /** Passing grades or ratings, the best first; `from_share` of ratings. */
  scale: z.array(
    z.object({
      letter: z.string(),
      points: z.string().nullable(),
      name: z.string(),
      name_local: z.string(),
      from_share: z.string().nullable(),
    }),
  ),
}
export type EquivalenceGrades = z.output<z.ZodObject<typeof grades>>

/** What a course counts as, with what it was decided to count as before. */
const withEarlier = equivalence.extend({
  earlier: z.array(
    z.object({
      course: ref.nullable(),
      counts_in_gpa: z.boolean(),
      letter: z.string().nullable(),
      at: z.string(),
    }),
  ),
})
const allLines = z.object({ data: z.array(equivalence) })
const oneLine = z.object({ data: withEarlier })
const coursesHere = z.object({ data: z.array(programCourse) })
const courseSearch = z.strictObject({ search: z.string().max(100).default('') })
const outcomeAnswer = z.object({ data: outcome })

type Of<
  M extends 'GET' | 'POST',
  P extends string,
  Body extends z.ZodType | undefined,
  Answer extends z.ZodType | undefined,
> = ReturnType<typeof call<M, P, undefined, undefined, Body, Answer>>
/** Calls about the courses of a transfer, whether within the university or from elsewhere. */
export interface EquivalenceCalls<B extends string, L extends string> {
  readonly proposed: Of<'GET', `${B}/courses-equivalent/{id}`, undefined, typeof allLines>
  readonly programCourses: Of<'POST', `${B}/{id}/program-courses`, typeof courseSearch, typeof coursesHere>
  readonly lines: Of<'GET', `${L}/{id}`, undefined, typeof allLines>
  readonly line: Of<'GET', `${L}/{id}/details/{related_course_id}`, undefined, typeof oneLine>
  readonly outcome: Of<'POST', `${B}/outcome/{id}`, typeof decisions, typeof outcomeAnswer>
  readonly exportLines: Of<'POST', `${B}/equivalent/export_excel`, typeof exportQuery, undefined>
  readonly decision: Of<'GET', `${B}/decision/{id}/{lang}`, undefined, undefined>
}

/**
 * The calls about the courses of a transfer that are the same for those within the university and from elsewhere.
 * @param base below which they stand, such as `/transfer/internal`
 * @param lines where the courses themselves stand
 */
export const equivalenceCalls = <B extends string, L extends string>(
  base: B,
  lines: L,
  summary: Readonly<Record<keyof EquivalenceCalls<B, L>, Label>>,
): EquivalenceCalls<B, L> => {
  const permission = 'access_transfer'
  return {
    proposed: call('GET', `${base}/courses-equivalent/{id}` as const, {
      permission,
      summary: summary.proposed,
      response: allLines,
    }),
    programCourses: call('POST', `${base}/{id}/program-courses` as const, {
      permission,
      summary: summary.programCourses,
      body: courseSearch,
      response: coursesHere,
      reads: true,
      example: {},
    }),
    lines: call('GET', `${lines}/{id}` as const, { permission, summary: summary.lines, response: allLines }),
    line: call('GET', `${lines}/{id}/details/{related_course_id}` as const, {
      permission,
      summary: summary.line,
      response: oneLine,
    }),
    outcome: call('POST', `${base}/outcome/{id}` as const, {
      permission,
      summary: summary.outcome,
      body: decisions,
      response: outcomeAnswer,
      maxBody: 262_144,
      reads: true,
      example: { courses: [] },
    }),
    exportLines: call('POST', `${base}/equivalent/export_excel` as const, {
      permission,
      summary: summary.exportLines,
      body: exportQuery,
      file: { name: 'Equivalent.xlsx', type: 'xlsx', fixed: true },
      reads: true,
    }),
    decision: call('GET', `${base}/decision/{id}/{lang}` as const, {
      permission,
      summary: summary.decision,
      file: { name: 'Equivalent.pdf', type: 'pdf', fixed: true },
    }),
  }
}
