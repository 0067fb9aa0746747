import { call, id, idParam, problem, ref, safeText } from '#kit/contract/index.ts'
import { ENROLMENTS } from '#areas/common/academics/grading-words.contract.ts'
import { z } from 'zod'
import { refusalCodes } from '../registration-refusals.rules.ts'

/** Why a course is one of the block. */
export const BLOCK_REASONS = [
  { value: 'level', label: ['Of the level', 'من مقررات المستوى'] },
  { value: 'carried', label: ['Carried', 'محمول من مستوى سابق'] },
  { value: 'again', label: ['Again', 'إعادة'] },
  { value: 'elective', label: ['Elective by choice', 'اختياري'] },
] as const

const overrides = z
  .array(z.strictObject({ code: z.enum(refusalCodes), reason: safeText(500) }))
  .max(20)
  .default([])

/** A course of the block and what becomes of it. */
const blockCourse = z.object({
  course: ref,
  level: z.int(),
  why: z.enum(BLOCK_REASONS.map((one) => one.value)),
  /** null: not offered in the term. */
  offering_id: id.nullable(),
  /** In a preview: what registering would do. */
  state: z.enum(['registered', 'refused']),
  /** Every rule that stands against it. */
  errors: z.array(problem),
})
const blockStudent = z.object({
  student: ref,
  /** null: of somebody who studies by credit hours, where no block comes with a level. */
  level: z.int().nullable(),
  enrolment: z.enum(ENROLMENTS.map((one) => one.value)),
  courses: z.array(blockCourse),
  /** Why nothing of the block can be registered. */
  errors: z.array(problem),
})
export type BlockStudent = z.output<typeof blockStudent>
export type BlockCourse = z.output<typeof blockCourse>

const blockReport = z.object({
  /** Whose block is registered whole, in part or not, and who has nothing left to register. */
  whole: z.int(),
  part: z.int(),
  none: z.int(),
  nothing: z.int(),
  /** Registrations made, or to be made. */
  courses: z.int(),
  /** Of more than 2,000 students those with something refused come first. */
  students: z.array(blockStudent),
})
export type BlockReport = z.output<typeof blockReport>

const level = z.strictObject({
  term_id: id,
  program_id: id,
  level: z.int().min(0).max(7),
  /** Only these of the level. */
  student_ids: z.array(id).min(1).max(10_000).optional(),
})
/** Of many students a job does it, whose result is the report. */
const answer = z.object({ job_id: z.string().nullable(), data: blockReport.nullable() })

/** Registration by the block of a level, under regulations by marks: its courses, those carried over, electives by choice. */
export const blockCalls = {
  show: call('GET', '/registrations/students/block', {
    permission: ['access_student', 'enroll_students'],
    summary: [
      'The courses that come with a level, and what registering them would do',
      'مقررات المستوى ونتيجة تسجيلها',
    ],
    query: z.strictObject({ student_id: idParam.optional(), term_id: idParam.optional() }),
    response: z.object({ data: blockStudent }),
  }),
  register: call('PUT', '/registrations/students/block', {
    permission: ['access_student', 'enroll_students'],
    summary: ['Register the courses of a level for a student', 'تسجيل مقررات المستوى لطالب'],
    body: z.strictObject({
      student_id: id.optional(),
      term_id: id.optional(),
      /** Offerings of electives of the plan. */
      electives: z.array(id).max(10).default([]),
      overrides,
      over_quota: z.boolean().default(false),
      reason: safeText(500).nullish(),
    }),
    response: z.object({ data: blockStudent }),
    example: { student_id: 1 },
  }),
  preview: call('POST', '/registrations/block/preview', {
    permission: 'enroll_students',
    summary: ['What registering a level would do, student by student', 'معاينة تسجيل مستوى لكل طالب'],
    body: level,
    response: answer,
    reads: true,
    example: { term_id: 1, program_id: 1, level: 1 },
  }),
  level: call('POST', '/registrations/block/level', {
    permission: 'enroll_students',
    summary: ['Register the courses of a level for all its students', 'تسجيل مقررات المستوى لجميع طلابه'],
    body: level.extend({ reason: safeText(500).nullish() }),
    response: answer,
    example: { term_id: 1, program_id: 1, level: 1 },
  }),
}
