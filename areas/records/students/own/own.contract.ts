import { attemptFlags, mainFlags } from '#areas/common/academics/status.rules.ts'
import { call, id, idParam, ref, rowSchema } from '#kit/contract/index.ts'
import { rating } from '#areas/common/academics/grading-words.contract.ts'
import { z } from 'zod'
import { graceDecision } from '../record/record.contract.ts'
import { student } from '../student/student.contract.ts'

const time = z.object({ from: z.string(), to: z.string() })
export const ownMeeting = z.object({
  id,
  type: z.enum(['Lecture', 'Lab', 'Tutorial', 'Clinic']),
  group: z.int(),
  /** 0 Saturday … 6 Friday; null: not yet placed. */
  day: z.int().nullable(),
  /** Both times, as in the timetable. */
  regular_time: time.nullable(),
  ramadan_time: time.nullable(),
  location: ref.nullable(),
  instructors: z.array(ref),
})
export type OwnMeeting = z.output<typeof ownMeeting>

const ownCourse = z.object({
  registration_id: id,
  offering_id: id,
  offering_code: z.string(),
  term: ref,
  /** Whether its term is over. */
  ended: z.boolean(),
  course: ref.extend({ credit_hours: z.number() }),
  main: z.enum(mainFlags),
  attempt: z.enum(attemptFlags).nullable(),
  audit: z.boolean(),
  instructors: z.array(ref.extend({ role: z.string() })),
  meetings: z.array(ownMeeting),
  /** A percentage; under a regulation by marks the marks out of `maximum`. */
  total: z.string().nullable(),
  maximum: z.int().nullable(),
  /** Grace marks on it, beside the mark that was earned. */
  grace: z.string().nullable(),
  letter: z.string().nullable(),
  rating: rating.nullable(),
  points: z.string().nullable(),
  passed: z.boolean().nullable(),
})
export type OwnCourse = z.output<typeof ownCourse>

const ownCourseDetail = ownCourse.extend({
  description: z.string().nullable(),
  lecture_hours: z.int(),
  tutorial_hours: z.int(),
  laboratory_hours: z.int(),
  clinical_hours: z.int(),
  instructors: z.array(
    ref.extend({ role: z.string(), email: z.string().nullable(), academic_title: z.string().nullable() }),
  ),
  /** The mark scheme; `mark` where the bylaw lets it be seen now, `A`: absent. */
  marks: z.array(
    z.object({
      name: z.string(),
      name_local: z.string(),
      max: z.string(),
      is_final_exam: z.boolean(),
      mark: z.string().nullable(),
      /** When it was entered. */
      at: z.string().nullable(),
    }),
  ),
  /** Why the letter is not what the marks earn by themselves: a cap of the bylaw, the final exam; null: it is, or is not to be seen. */
  why: z
    .object({
      code: z.enum(['repeat', 'improve', 'final_exam', 'later_sitting']),
      /** What they would have given: a letter, of a later sitting the marks. */
      earned: z.string(),
      /** Percent of the final exam below which the course is failed. */
      least: z.string().nullable(),
    })
    .nullable(),
  /** By whose decision there are grace marks; null: there are none, or none to be seen. */
  grace_decision: graceDecision.nullable(),
  /** Whether marks may be seen now. */
  marks_visible: z.boolean(),
  is_ramadan: z.boolean(),
})
export type OwnCourseDetail = z.output<typeof ownCourseDetail>

/** What a student reads of the own study beside the record. */
export const ownCalls = {
  profile: call('GET', '/students/profile', {
    permission: 'access_student',
    summary: ['My data', 'بياناتي'],
    response: z.object({
      // What staff write about a student is theirs.
      data: rowSchema(student, 'detail').omit({ notes: true }),
    }),
  }),
  courses: call('GET', '/students/courses', {
    permission: 'access_student',
    summary: ['My courses of a term', 'مقرراتي في فصل دراسي'],
    query: z.strictObject({ term_id: idParam.optional() }),
    response: z.object({
      data: z.object({
        term: ref.nullable(),
        /** Terms in which there are courses, newest first. */
        terms: z.array(ref),
        hours: z.number(),
        is_ramadan: z.boolean(),
        courses: z.array(ownCourse),
      }),
    }),
    kept: true,
  }),
  course: call('GET', '/students/courses/{offeringId}', {
    permission: 'access_student',
    summary: ['One of my courses', 'أحد مقرراتي'],
    response: z.object({ data: ownCourseDetail }),
    kept: true,
  }),
}
