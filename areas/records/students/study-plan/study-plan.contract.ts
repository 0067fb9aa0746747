import { call, idParam, ref } from '#kit/contract/index.ts'
import { degreeAuditFields } from '#areas/records/degree-audit/audits/audit.contract.ts'
import { z } from 'zod'

const state = z.enum(['met', 'in_progress', 'missing'])
const amount = { required: z.number(), earned: z.number(), in_progress: z.number(), state }

const auditedCourse = z.object({
  course: ref.extend({ credit_hours: z.number() }),
  level: z.int(),
  semester: z.int(),
  state,
  /** The student's course that counts here, this one or an equal one, with its grade where it may be seen. */
  satisfied_by: z
    .object({ course: ref, term: ref, letter: z.string().nullable(), points: z.string().nullable() })
    .nullable(),
  /** A placement excuses from it: it is not asked for, and adds no hours. */
  excused: z.boolean(),
  /** Attempts that were not passed. */
  failed_attempts: z.int(),
  /** Of a missing course: whether its prerequisites are met, and the codes of the courses that stand against it. */
  open: z.boolean(),
  lacks: z.array(z.string()),
})
export type AuditedCourse = z.output<typeof auditedCourse>

const group = z.object({
  /** Of the pool; negative or 0 for the lists every program has. */
  id: z.int(),
  kind: z.enum(['mandatory', 'elective', 'university', 'faculty']),
  /** Name of an elective pool. */
  name: z.string().nullable(),
  name_local: z.string().nullable(),
  /** Every course is asked for, not only so many hours. */
  whole: z.boolean(),
  /** Credit hours. */
  ...amount,
  courses: z.array(auditedCourse),
})
export type AuditedGroup = z.output<typeof group>

const answer = z.object({
  data: z.object({
    student: ref.extend({ level: z.int() }),
    program: ref.extend({ program_type: z.string() }),
    bylaw: ref,
    /** Asked of another program than the student's. */
    what_if: z.boolean(),
    groups: z.array(group),
    /** Credit hours that count in this plan; `since`: those of the earned that stand in no finished term yet. */
    hours: z.object({ ...amount, since: z.number() }),
    gpa: z.object({ required: z.string(), actual: z.string().nullable(), state: z.enum(['met', 'missing']) }),
    /** Weeks of training. */
    training: z.object(amount),
    /** Courses that satisfy nothing in this plan. */
    other: z.array(
      z.object({
        course: ref.extend({ credit_hours: z.number() }),
        term: ref,
        state: z.enum(['passed', 'in_progress']),
        letter: z.string().nullable(),
      }),
    ),
    /** Courses that were asked for and are not accepted yet: nothing of the plan counts them, the way leaves them out. */
    requested: z.array(z.object({ course: ref.extend({ credit_hours: z.number() }), term: ref })),
    complete: z.boolean(),
    ...degreeAuditFields,
  }),
})
export type StudyPlanAudit = z.output<typeof answer>['data']

const query = z.strictObject({
  /** Audits against another program: what would count after a transfer. */
  program_id: idParam.optional(),
  /** Under another bylaw. */
  bylaw_id: idParam.optional(),
})

export const studyPlanCalls = {
  studyPlanOf: call('GET', '/students/{id}/study-plan', {
    permission: 'show_student_record',
    summary: ['Degree audit of a student: what is met, in progress and missing', 'موقف الطالب من الخطة الدراسية'],
    query,
    response: answer,
  }),
  studyPlan: call('GET', '/students/study-plan', {
    permission: 'access_student',
    summary: ['My study plan: what is met, in progress and missing', 'موقفي من الخطة الدراسية'],
    query,
    response: answer,
  }),
}
