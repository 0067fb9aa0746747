import { bulkResult, call, id, listOf, listQuery, ref, safeText } from '#kit/contract/index.ts'
import { z } from 'zod'
import { attemptFlags, mainFlags } from '#areas/common/academics/status.rules.ts'
import { controlStatuses } from '#areas/common/academics/control.rules.ts'
import { cell, markText, ratedFields, schemeCategory } from '../grades/grades.contract.ts'
import { STANDINGS } from '#areas/common/academics/grading-words.contract.ts'

const standing = z.enum(STANDINGS.map((s) => s.value))
const reason = z.object({ code: z.string(), en: z.string(), ar: z.string(), data: z.record(z.string(), z.unknown()) })

/** What a finished term came to. GPAs and points are decimal texts. */
export const termResult = z.object({
  term: ref.extend({ term_type: z.string() }),
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
  may_graduate: z.boolean(),
  /** Why not yet. */
  graduation: z.array(reason),
  /** Requirements, exceptions, a placement or credited courses have changed since that was computed: finishing again does it anew. */
  graduation_outdated: z.boolean(),
  finished_at: z.string(),
  /** Since when a result it stands on has changed: the figures are those before, and valid no more; null: valid. */
  revised_since: z.string().nullable(),
})
export type TermResultAnswer = z.output<typeof termResult>

/** A student in a term, as control sees it. */
export const controlStudent = z.object({
  id,
  code: z.string(),
  name: z.string(),
  name_local: z.string(),
  program: ref,
  faculty: ref,
  level: z.int(),
  term_id: id,
  courses: z.int(),
  hours: z.number(),
  /** Courses whose offering is not approved yet. */
  below_approved: z.int(),
  /** Courses approved but without a result. */
  without_result: z.int(),
  /** By marks: no GPA, and no terms to finish. */
  by_marks: z.boolean(),
  /** The bylaw has no program type: terms are not finished until it has one. */
  untyped: z.boolean(),
  finished: z.boolean(),
  /** Was finished, and a result has changed since: to be computed again. */
  revised: z.boolean(),
  gpa: z.string().nullable(),
  cumulative_gpa: z.string().nullable(),
  standing: standing.nullable(),
  warnings: z.int().nullable(),
  may_graduate: z.boolean().nullable(),
  /** What that stands on has changed since: to be computed again, by finishing again. */
  graduation_outdated: z.boolean(),
  abilities: z.array(z.string()),
})
export type ControlStudent = z.output<typeof controlStudent>

/** One registration with its marks. */
export const termGrade = z.object({
  registration_id: id,
  offering_id: id,
  offering_code: z.string(),
  course: ref,
  credit_hours: z.number(),
  status: z.string(),
  main: z.enum(mainFlags),
  attempt: z.enum(attemptFlags).nullable(),
  control_status: z.enum(controlStatuses),
  scheme: z.array(schemeCategory),
  marks: z.record(z.string(), cell),
  ...ratedFields,
  counts_in_gpa: z.boolean().nullable(),
  /** `edit_marks`: the reader may change marks of this registration. */
  abilities: z.array(z.string()),
})
export type TermGrade = z.output<typeof termGrade>

/** A course a student has taken. */
export const takenCourse = z.object({
  registration_id: id,
  offering_id: id,
  term: ref,
  course: ref,
  credit_hours: z.number(),
  main: z.enum(mainFlags),
  attempt: z.enum(attemptFlags).nullable(),
  control_status: z.enum(controlStatuses),
  ...ratedFields,
  counts_in_gpa: z.boolean().nullable(),
})

/** A student whose term could not be finished. */
export const notFinished = z.object({
  student: ref,
  without_result: z.int(),
  /** The bylaw does not say by what it works (credit hours, terms, years): until it does, nothing is finished. */
  untyped: z.boolean(),
  /** Offerings that are not approved yet. */
  below: z.array(z.object({ id, name: z.string(), name_local: z.string(), control_status: z.enum(controlStatuses) })),
})
export const finishReport = z.object({
  term_id: id,
  /** Students with rows of this term now. */
  finished: z.int(),
  /** Rows written, of this and of later terms. */
  changed: z.int(),
  not_finished: z.int(),
  /** Whose row of this term says dismissal; it takes effect once the term is published. */
  dismissed: z.int(),
  /** The first 500 of them. */
  students: z.array(notFinished),
})
/** What finishing would do: `ready` and `waiting` are all of the students; `again`: of the ready, whose rows are there. */
export const finishForeseen = z.object({ ready: z.int(), waiting: z.int(), again: z.int() })
export type FinishForeseen = z.output<typeof finishForeseen>
export type FinishReport = z.output<typeof finishReport>

export const difference = z.object({
  student: ref,
  term: ref,
  field: z.string(),
  stored: z.unknown(),
  computed: z.unknown(),
})

const who = {
  /** FinishTermError without it. */
  term_id: id.nullish(),
  /** Some students; else all that the filters of the list name. */
  ids: z.array(id).min(1).max(100_000).optional(),
  filters: z.record(z.string(), z.unknown()).default({}),
  search: z.string().trim().max(200).default(''),
}

/** Students in control: terms, marks of one student, finishing. */
export const termCalls = {
  students: call('POST', '/control/students', {
    permission: 'access_control',
    summary: ['List students of a term in control', 'عرض طلاب الكنترول'],
    body: listQuery,
    response: listOf(controlStudent),
    reads: true,
    example: { filters: { finished: false } },
  }),
  finish: call('POST', '/control/students/finish', {
    permission: 'finish_term',
    summary: ['Finish a term for students', 'إنهاء الفصل للطلاب'],
    body: z.strictObject(who),
    // 100,000 ids.
    maxBody: 1_200_000,
    /** Many students are finished by a job. */
    response: z.object({ job_id: z.string().nullable(), data: finishReport.nullable() }),
    example: { term_id: 1, ids: [1] },
  }),
  foreseen: call('POST', '/control/students/finish/foreseen', {
    permission: 'finish_term',
    summary: [
      'Whose term finishing would finish, and who waits for results, without writing',
      'من سينتهي فصلهم ومن ينتظر نتائج عند إنهاء الفصل، دون حفظ',
    ],
    body: z.strictObject(who),
    maxBody: 1_200_000,
    response: z.object({ data: finishForeseen }),
    reads: true,
    example: { term_id: 1, ids: [1] },
  }),
  finishOffering: call('PUT', '/control/offerings/finish-control-status/{id}', {
    permission: 'finish_term',
    summary: ['Finish the term for the students of an offering', 'إنهاء الفصل لطلاب مقرر'],
    body: z.strictObject({}),
    response: z.object({ job_id: z.string().nullable(), data: finishReport.nullable() }),
    example: {},
  }),
  unfinish: call('POST', '/control/students/unfinish', {
    permission: 'finish_term',
    summary: ['Take back the finishing of a term, with a reason', 'التراجع عن إنهاء الفصل مع ذكر السبب'],
    body: z.strictObject({ ...who, reason: safeText(500, 3) }),
    /** `failed`: whose term is not finished, or whose later term is. */
    response: bulkResult,
    example: { term_id: 1, ids: [1], reason: 'A sheet was missing' },
  }),
  recompute: call('POST', '/control/students/recompute', {
    permission: 'finish_term',
    summary: [
      'Compute a finished term again and list the differences, without writing',
      'إعادة احتساب فصل منتهٍ وعرض الفروق دون حفظ',
    ],
    body: z.strictObject(who),
    maxBody: 1_200_000,
    response: z.object({ checked: z.int(), differences: z.array(difference), more: z.int() }),
    reads: true,
    example: { term_id: 1, ids: [1] },
  }),
  student: call('GET', '/control/students/{student_id}/{term_id}', {
    permission: 'access_control',
    summary: ['Show a student in a term', 'عرض طالب في فصل'],
    response: z.object({
      data: z.object({
        student: ref.extend({
          program: ref,
          faculty: ref,
          bylaw: ref,
          by_marks: z.boolean(),
          level: z.int(),
          gpa: z.string().nullable(),
          passed_hours: z.number(),
          warnings: z.int(),
        }),
        term: ref,
        /** Terms in which the student is registered, newest first. */
        terms: z.array(ref),
        result: termResult.nullable(),
        registrations: z.array(termGrade),
        abilities: z.array(z.string()),
      }),
    }),
  }),
  termGrades: call('GET', '/control/students/term-grades/{a}/{b}', {
    permission: 'access_control',
    summary: ['Show the marks of a student (a) in a term (b)', 'عرض درجات طالب في فصل'],
    response: z.object({ data: z.array(termGrade) }),
  }),
  updateTermGrades: call('PUT', '/control/students/update-term-grades/{registration}', {
    permission: 'edit_term_grades',
    summary: ['Change marks of one registration, with a reason', 'تعديل درجات تسجيل واحد مع ذكر السبب'],
    body: z.strictObject({
      marks: z
        .array(z.strictObject({ offering_mark_id: id, mark: markText.nullable(), version: z.int().nullable() }))
        .min(1)
        .max(20),
      reason: safeText(500, 3),
    }),
    response: z.object({ data: termGrade, terms_changed: z.int() }),
    example: { marks: [{ offering_mark_id: 1, mark: '15', version: 1 }], reason: 'Pages were not counted' },
  }),
  takenCourses: call('GET', '/control/students/academic/taken-courses/{id}', {
    permission: ['access_control', 'show_student_record'],
    summary: ['Courses a student has taken', 'المقررات التي درسها الطالب'],
    response: z.object({ data: z.array(takenCourse) }),
  }),
  passedSemesters: call('GET', '/control/students/passed-semesters/{id}', {
    permission: ['access_control', 'show_student_record'],
    summary: ['Finished terms of a student', 'الفصول المنتهية للطالب'],
    response: z.object({ data: z.array(termResult) }),
  }),
}
