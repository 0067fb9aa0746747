import { call, id, idParam, number, problem, ref, safeText } from '#kit/contract/index.ts'
import { z } from 'zod'
import { courseRef, requisite } from '../courses/course.contract.ts'
import { PLAN_KINDS, PROGRAM_TYPES, REQUIREMENT_TYPES } from '../words.contract.ts'

const kind = z.enum(PLAN_KINDS.map((k) => k.value))
const version = z.int().optional()
const place = {
  level: z.int().min(0).max(7),
  /** Counted through the program: 1 to 16. */
  semester: z.int().min(1).max(16),
}
const planCourseInput = {
  ...place,
  kind,
  /** Elective courses belong to a pool, others to none. */
  pool_id: id.nullable(),
  /** Under a regulation by marks: out of how many it is in this plan; null: as the course says. */
  max_mark: z.int().min(1).max(999).nullable(),
}
const poolInput = {
  name: safeText(200, 1),
  name_local: safeText(200, 1),
  min_credit_hours: number(2, 0, 1000),
}
/** A finding beside the plan: an error stands against saving, a warning is reported. */
export const planProblem = problem.extend({
  severity: z.enum(['error', 'warning']),
  /** The course of the plan it concerns. */
  course_id: id.nullable(),
  pool_id: id.nullable(),
})

export const planCourse = z.object({
  id,
  course_id: id,
  code: z.string(),
  name: z.string(),
  name_local: z.string(),
  credit_hours: z.number(),
  lecture_hours: z.int(),
  tutorial_hours: z.int(),
  laboratory_hours: z.int(),
  clinical_hours: z.int(),
  level: z.int(),
  semester: z.int(),
  kind,
  pool_id: id.nullable(),
  /** Out of how many marks it is here: the plan's own, else the course's. */
  max_mark: z.int(),
  own_max_mark: z.boolean(),
  /** What holds in this program: its own expression, else the course's. */
  prerequisites: requisite.nullable(),
  own_prerequisites: z.boolean(),
  corequisite_ids: z.array(id),
})

/** The study plan of a program with everything a board needs. */
export const studyPlan = z.object({
  program: z.object({
    id,
    version: z.int(),
    code: z.string(),
    name: z.string(),
    name_local: z.string(),
    degree: z.string().nullable(),
    degree_local: z.string().nullable(),
    faculty: ref,
    department: ref.nullable(),
    bylaw: ref,
    program_type: z.enum(PROGRAM_TYPES.map((t) => t.value)).nullable(),
    is_general: z.boolean(),
    min_credit_hours: z.number(),
    semesters: z.int(),
    min_training_weeks: z.int(),
    admission_capacity: z.int().nullable(),
    students: z.int(),
  }),
  levels: z.array(z.object({ level: z.int(), name: z.string(), name_local: z.string(), passed_hours: z.int() })),
  /** The most hours a regular term allows in good standing; null: the bylaw sets none. */
  max_hours: z.int().nullable(),
  courses: z.array(planCourse),
  pools: z.array(
    z.object({ id, name: z.string(), name_local: z.string(), min_credit_hours: z.number(), credit_hours: z.number() }),
  ),
  requirements: z.object({ university: z.array(courseRef), faculty: z.array(courseRef) }),
  /** Courses that expressions name and the plan does not have. */
  other_courses: z.array(courseRef),
  /** Hours of somebody who follows the plan. */
  credit_hours: z.number(),
  problems: z.array(planProblem),
  abilities: z.array(z.string()),
})
export type StudyPlanAnswer = z.output<typeof studyPlan>
const answer = z.object({ data: studyPlan })
const change = { permission: 'edit_study_plan', response: answer } as const
const type = z.enum(REQUIREMENT_TYPES)
/** `1,2,3` in a query. */
const idList = z
  .string()
  .regex(/^[1-9]\d{0,9}(,[1-9]\d{0,9}){0,199}$/)
  .transform((text) => text.split(',').map(Number))
const idQuery = z.strictObject({ id: idParam })

/** Calls of study plans. Every one answers with the plan as it then is. */
export const programCalls = {
  studyPlan: call('GET', '/programs/study-plan/{id}', {
    permission: 'show_program',
    summary: ['Show the study plan of a program', 'عرض الخطة الدراسية للبرنامج'],
    response: answer,
  }),
  sync: call('PUT', '/programs/sync/{id}', {
    ...change,
    summary: ['Set the courses of a study plan', 'ضبط مقررات الخطة الدراسية'],
    body: z.strictObject({
      courses: z
        .array(
          z.strictObject({
            course_id: id,
            ...place,
            kind: kind.default('mandatory'),
            pool_id: id.nullable().default(null),
            max_mark: planCourseInput.max_mark.optional(),
          }),
        )
        .max(300),
      /** replace: the plan has exactly these courses, and must be complete. merge: they are added or changed. */
      mode: z.enum(['replace', 'merge']).default('replace'),
      version,
    }),
    example: { mode: 'merge', courses: [{ course_id: 1, level: 1, semester: 1, kind: 'mandatory' }] },
  }),
  addPool: call('PUT', '/programs/program/pool', {
    ...change,
    summary: ['Add an elective pool to a program', 'إضافة مجموعة اختيارية إلى برنامج'],
    body: z.strictObject({ program_id: id, ...poolInput, version }),
    example: { program_id: 1, name: 'Department electives', name_local: 'اختياري قسم', min_credit_hours: 9 },
  }),
  editPool: call('PUT', '/programs/program/pool/{id}', {
    ...change,
    summary: ['Change an elective pool', 'تعديل مجموعة اختيارية'],
    body: z.strictObject(poolInput).partial().extend({ version }),
    example: { min_credit_hours: 9 },
  }),
  removePool: call('DELETE', '/programs/program/pool/{id}', {
    ...change,
    summary: ['Remove an elective pool and its courses from the plan', 'حذف مجموعة اختيارية ومقرراتها من الخطة'],
  }),
  removePoolByQuery: call('DELETE', '/programs/program/pool', {
    ...change,
    summary: ['Remove an elective pool, its id in the query', 'حذف مجموعة اختيارية بالرقم في الاستعلام'],
    query: idQuery,
  }),
  editCourse: call('PUT', '/programs/program/course/{id}', {
    ...change,
    summary: ['Change the place or the kind of a course in a plan', 'تعديل موضع مقرر أو نوعه في الخطة'],
    body: z.strictObject(planCourseInput).partial().extend({ version }),
    example: { kind: 'mandatory', pool_id: null },
  }),
  removeCourse: call('DELETE', '/programs/program/course/{id}', {
    ...change,
    summary: ['Take a course out of a plan', 'حذف مقرر من الخطة'],
  }),
  moveCourse: call('PUT', '/programs/program/course/semester/{id}', {
    ...change,
    summary: ['Move a course of a plan to another semester', 'نقل مقرر في الخطة إلى فصل آخر'],
    body: z.strictObject({ semester: place.semester, level: place.level.optional(), version }),
    example: { semester: 3, level: 2 },
  }),
  removeCourses: call('DELETE', '/programs/program/delete-program-course/{programId}', {
    ...change,
    summary: ['Take several courses out of a plan', 'حذف مقررات من الخطة'],
    query: z.strictObject({ course_ids: idList }),
  }),
  makeGeneral: call('POST', '/programs/make-general/{id}', {
    permission: 'edit_program',
    summary: ['Make a program the general one, or an ordinary one again', 'جعل البرنامج عامًا أو إلغاء ذلك'],
    body: z.strictObject({ is_general: z.boolean().default(true), version }),
    response: answer,
    example: { is_general: true },
  }),
  syncPrerequisites: call('POST', '/programs/sync/prerequisite_courses/{programId}', {
    ...change,
    summary: ['Set prerequisites that hold in this program only', 'ضبط متطلبات سابقة خاصة بالبرنامج'],
    body: z.strictObject({
      courses: z
        .array(
          z.strictObject({
            course_id: id,
            /** null: those of the course again; `{all: []}`: none in this program. */
            prerequisites: requisite.nullable(),
          }),
        )
        .min(1)
        .max(300),
      version,
    }),
    example: { courses: [{ course_id: 1, prerequisites: null }] },
  }),
  setRequirement: call('PUT', '/programs/university_faculty_requirements/{programId}/{type}/{id}', {
    ...change,
    params: z.object({ programId: idParam, type, id: idParam }),
    summary: [
      'Put a course on a requirement list of a program, or take it off',
      'إضافة مقرر إلى متطلبات البرنامج أو حذفه منها',
    ],
    body: z.strictObject({ required: z.boolean().default(true), version }),
    example: { required: true },
  }),
  requirements: call('POST', '/programs/university_faculty_requirements/{id}', {
    permission: 'show_program',
    summary: ['Show the requirement lists of a program', 'عرض متطلبات الجامعة والكلية للبرنامج'],
    response: z.object({
      data: z.object({
        university: z.array(courseRef.extend({ in_plan: z.boolean() })),
        faculty: z.array(courseRef.extend({ in_plan: z.boolean() })),
      }),
    }),
    reads: true,
  }),
  allRequirements: call('POST', '/programs/university_faculty_requirements', {
    permission: 'access_program',
    summary: ['List the requirement courses of programs', 'عرض متطلبات الجامعة والكلية للبرامج'],
    body: z.strictObject({ bylaw_id: id.optional(), faculty_id: id.optional(), type: type.optional() }),
    response: z.object({
      data: z.array(courseRef.extend({ type, programs: z.array(ref) })),
      meta: z.object({ count: z.int() }),
    }),
    reads: true,
    example: { type: 'university' },
  }),
}
