import { call, id, ref } from '#kit/contract/index.ts'
import { attemptFlags, mainFlags } from '#areas/common/academics/status.rules.ts'
import { controlStatuses } from '#areas/common/academics/control.rules.ts'
import { ENROLMENTS, STANDINGS, rating } from '#areas/common/academics/grading-words.contract.ts'
import { OUTCOMES } from '#areas/records/level-results/words.contract.ts'
import { z } from 'zod'

const main = z.enum(mainFlags)
const attempt = z.enum(attemptFlags).nullable()
const standing = z.enum(STANDINGS.map((s) => s.value))
const term = ref.extend({ term_type: z.string() })
const course = ref.extend({ credit_hours: z.number() })

/** What a registration came to, as far as the reader may see it. */
const result = {
  /** A percentage; under a regulation by marks the marks out of `maximum`. */
  total: z.string().nullable(),
  maximum: z.int().nullable(),
  /** Grace marks on it, beside the mark that was earned: they make it passed. */
  grace: z.string().nullable(),
  letter: z.string().nullable(),
  /** Under a regulation by marks what the result is called. */
  rating: rating.nullable(),
  points: z.string().nullable(),
  passed: z.boolean().nullable(),
}

/** A student with the figures that matter. For the student these are the last ones that may be seen. */
const head = ref.extend({
  code: z.string(),
  level: z.int(),
  status: z.string(),
  faculty: ref,
  program: ref,
  bylaw: ref,
  advisor: ref.nullable(),
  /** null: not for this reader, or none yet. */
  gpa: z.string().nullable(),
  passed_hours: z.number().nullable(),
  warnings: z.int().nullable(),
  /** Studies by marks and levels: no GPA, no hours, no warnings. */
  by_marks: z.boolean(),
  /** A result has changed that finished terms stand on: the figures are those of before, until they are computed again. */
  revised: z.boolean(),
})
export type StudentHead = z.output<typeof head>

const taken = z.object({
  registration_id: id,
  offering_id: id,
  offering_code: z.string(),
  course,
  main,
  attempt,
  audit: z.boolean(),
  control_status: z.enum(controlStatuses),
  counts_in_gpa: z.boolean().nullable(),
  ...result,
})
export type RecordedCourse = z.output<typeof taken>

const termFigures = z.object({
  registered_hours: z.number(),
  attempted_hours: z.number(),
  passed_hours: z.number(),
  term_points: z.string(),
  gpa: z.string().nullable(),
  cumulative_hours: z.number(),
  cumulative_passed_hours: z.number(),
  cumulative_points: z.string(),
  cumulative_gpa: z.string().nullable(),
  level: z.int(),
  warned: z.boolean(),
  warnings: z.int(),
  standing,
})
export type TermFigures = z.output<typeof termFigures>

const gradesTerm = z.object({
  term,
  courses: z.array(taken),
  /** null: the term is not finished, or not to be seen yet. */
  result: termFigures.nullable(),
  /** It was finished, and is computed again because a result has changed. */
  revised: z.boolean(),
})
export type GradesTerm = z.output<typeof gradesTerm>
/** A course that counts as passed without having been taken in this study. */
const credited = z.object({
  id,
  course,
  letter: z.string().nullable(),
  points: z.string().nullable(),
  /** Under a regulation by marks: the mark, out of how many, and its rating. */
  mark: z.string().nullable(),
  maximum: z.int().nullable(),
  rating: rating.nullable(),
  counts_in_gpa: z.boolean(),
  /** What it was elsewhere; `institution`: null in this university. */
  source: z.object({
    code: z.string(),
    name: z.string(),
    name_local: z.string().nullable(),
    credit_hours: z.number(),
    grade: z.string().nullable(),
    institution: z.object({ name: z.string(), name_local: z.string() }).nullable(),
  }),
  /** It counted in a study that a later transfer ended. */
  former: z.boolean(),
})
export type CreditedCourse = z.output<typeof credited>
/** The decision by which grace marks were given. */
export const graceDecision = z.object({ decided_by: z.string(), decision_number: z.string(), decided_on: z.string() })
/** How a year under a regulation by marks ended. */
const yearResult = z.object({
  year: ref,
  number: z.int(),
  level: z.object({ name: z.string(), name_local: z.string() }),
  outcome: z.enum(OUTCOMES.map((one) => one.value)),
  rating: rating.nullable(),
  /** Marks of the level with grace marks, out of how many, and their share. */
  marks: z.string(),
  maximum: z.string(),
  share: z.string().nullable(),
  /** Grace marks that made courses passed, and those that lifted the rating. */
  grace: z.object({ on_courses: z.string().nullable(), on_sum: z.string().nullable() }),
  /** null: no grace marks were given. */
  decision: graceDecision.nullable(),
  /** null: it was not the last. */
  degree: z.object({ share: z.string(), honours: z.boolean(), rating: rating.nullable() }).nullable(),
})
export type YearResult = z.output<typeof yearResult>
const termsGrades = z.object({
  data: z.object({
    student: head,
    terms: z.array(gradesTerm),
    credits: z.array(credited),
    /** Results of levels that are announced, the latest first; staff see those that are applied as well. */
    years: z.array(yearResult.extend({ terms: z.array(id) })),
  }),
})

const event = z.object({
  at: z.string(),
  action: z.string(),
  by: z.string().nullable(),
  /** null: there was no registration before, or there is none after. */
  from: main.nullable(),
  to: main.nullable(),
  reason: z.string().nullable(),
  /** Rules that staff set aside. */
  overrides: z.array(z.object({ code: z.string(), reason: z.string().nullish() })),
})
const historyRow = z.object({
  offering_id: id,
  /** null: the registration was removed; its history stays. */
  registration_id: id.nullable(),
  offering_code: z.string(),
  term,
  course,
  main: main.nullable(),
  attempt,
  ...result,
  events: z.array(event),
})
export type CourseHistoryRow = z.output<typeof historyRow>
const coursesHistory = z.object({ data: z.array(historyRow) })

const hold = z.object({
  kind: z.enum(['unpaid_invoice', 'obligatory_survey', 'blocked', 'missing_documents']),
  note: z.string().nullable(),
  note_local: z.string().nullable(),
  since: z.string().nullable(),
})
export type Hold = z.output<typeof hold>
const dashboard = z.object({
  data: z.object({
    student: head.extend({
      version: z.int(),
      removed: z.boolean(),
      entry_term: ref.nullable(),
      email: z.string().nullable(),
      phone: z.string().nullable(),
      blocked_at: z.string().nullable(),
      blocked_reason: z.string().nullable(),
      /** What staff wrote; never sent to the student. */
      notes: z.string().nullable(),
      /** null: not for this reader. */
      tags: z.array(ref).nullable(),
    }),
    /** By marks: the academic year the student is in, or was in last. */
    year: z.object({ year: ref, level: z.int(), enrolment: z.enum(ENROLMENTS.map((e) => e.value)) }).nullable(),
    standing: standing.nullable(),
    /** Classification of the cumulative GPA in the bylaw. */
    classification: z.object({ name: z.string(), name_local: z.string() }).nullable(),
    /** null: the reader does not see how the student stands. */
    hours: z
      .object({
        required: z.number(),
        /** In finished terms: what level and GPA stand on. */
        passed: z.number(),
        /** Passed by results of terms that are not finished yet. */
        since: z.number(),
        in_progress: z.number(),
        /** Of these, hours of terms before the present one, whose results are awaited. */
        awaited: z.number(),
      })
      .nullable(),
    /** Finished terms, oldest first. */
    terms: z.array(termFigures.extend({ term })),
    /** The term now running. */
    current: z.object({ term, courses: z.array(taken), hours: z.number(), waiting: z.int() }).nullable(),
    holds: z.array(hold),
    /** Of the reader on this student: edit, edit_notes, block, unblock, print_transcript, print_all, register … */
    abilities: z.array(z.string()),
  }),
})
export type StudentDashboard = z.output<typeof dashboard>['data']

const staff = 'show_student_record' as const

/** The academic record of a student. Without id: the student's own, as far as the bylaw lets grades be seen. */
export const academicRecordCalls = {
  dashboardOf: call('POST', '/students/dashboard/{id}', {
    // Who may open a student sees the band; the record's figures need the right to see the record.
    permission: ['show_student_record', 'show_students'],
    summary: ['A student at a glance', 'لوحة الطالب'],
    traced: 'student',
    response: dashboard,
    reads: true,
    example: {},
  }),
  dashboard: call('POST', '/students/dashboard', {
    permission: 'access_student',
    summary: ['My study at a glance', 'لوحتي الدراسية'],
    response: dashboard,
    reads: true,
    example: {},
    kept: true,
  }),
  termsGradesOf: call('GET', '/students/{id}/terms_grades', {
    permission: staff,
    summary: ['Grades of a student by term', 'درجات طالب في الفصول'],
    traced: 'student',
    response: termsGrades,
  }),
  termsGrades: call('GET', '/students/terms_grades', {
    permission: 'access_student',
    summary: ['My grades by term', 'درجاتي في الفصول'],
    response: termsGrades,
    kept: true,
  }),
  coursesHistoryOf: call('GET', '/students/{id}/courses_history', {
    permission: staff,
    summary: ['Every registration of a student and what became of it', 'سجل تسجيلات طالب'],
    traced: 'student',
    response: coursesHistory,
  }),
  coursesHistory: call('GET', '/students/courses_history', {
    permission: 'access_student',
    summary: ['My registrations and what became of them', 'سجل تسجيلاتي'],
    response: coursesHistory,
    kept: true,
  }),
}
