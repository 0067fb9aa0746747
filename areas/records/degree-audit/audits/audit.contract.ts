import { call, id, idParam, jobStarted, problem, ref, safeText, screen } from '#kit/contract/index.ts'
import { z } from 'zod'

const state = z.enum(['met', 'in_progress', 'missing'])
const own = z.enum(['passed', 'in_progress'])
const course = ref.extend({ credit_hours: z.number() })

/** A requirement as it stands for a student. Amounts are in its unit: courses, hours, parts, GPA, weeks. */
export interface AuditedRequirement {
  key: string
  kind: 'all' | 'some' | 'sum' | 'courses' | 'total' | 'gpa' | 'training' | 'hand'
  name: string
  name_local: string
  note: string | null
  note_local: string | null
  state: z.output<typeof state>
  unit: 'courses' | 'hours' | 'parts' | 'gpa' | 'weeks' | 'hand'
  required: number
  earned: number
  in_progress: number
  /** What of both counts in the requirement above. */
  counted: number
  max_counted: number | null
  by_semester: number | null
  courses: {
    course: z.output<typeof course>
    state: z.output<typeof own>
    by: 'rule' | 'settle' | 'substitute'
    for_course_id: number | null
    surplus: boolean
  }[]
  /** Courses of the student that could count here, and count elsewhere. */
  could: z.output<typeof course>[]
  /** Listed courses and the student's course that satisfies each. */
  listed: {
    course: z.output<typeof course>
    state: z.output<typeof state>
    satisfied_by: number | null
    excused: boolean
  }[]
  missing: z.output<typeof problem>[]
  late: boolean
  /** The exception by which it is not asked for. */
  waived_by: number | null
  parts: AuditedRequirement[]
}
export const auditedRequirement: z.ZodType<AuditedRequirement> = z.lazy(() =>
  z.object({
    key: z.string(),
    kind: z.enum(['all', 'some', 'sum', 'courses', 'total', 'gpa', 'training', 'hand']),
    name: z.string(),
    name_local: z.string(),
    note: z.string().nullable(),
    note_local: z.string().nullable(),
    state,
    unit: z.enum(['courses', 'hours', 'parts', 'gpa', 'weeks', 'hand']),
    required: z.number(),
    earned: z.number(),
    in_progress: z.number(),
    counted: z.number(),
    max_counted: z.number().nullable(),
    by_semester: z.number().nullable(),
    courses: z.array(
      z.object({
        course,
        state: own,
        by: z.enum(['rule', 'settle', 'substitute']),
        for_course_id: z.number().nullable(),
        surplus: z.boolean(),
      }),
    ),
    could: z.array(course),
    /** `excused`: a placement excuses from it. */
    listed: z.array(z.object({ course, state, satisfied_by: z.number().nullable(), excused: z.boolean() })),
    missing: z.array(problem),
    late: z.boolean(),
    waived_by: z.number().nullable(),
    parts: z.array(auditedRequirement),
  }),
)

const kind = z.enum(['waive', 'substitute', 'settle'])
const person = z.object({ id: z.int(), name: z.string(), name_local: z.string() }).nullable()
const exception = z.object({
  id,
  kind,
  key: z.string(),
  course: ref.nullable(),
  for_course: ref.nullable(),
  reason: z.string(),
  granted_by: person,
  granted_at: z.string(),
  revoked_by: person,
  revoked_at: z.string().nullable(),
  revoked_reason: z.string().nullable(),
})
export type GrantedException = z.output<typeof exception>

/** What an audit of all requirements adds to that of the study plan. */
export const degreeAuditFields = {
  requirements: auditedRequirement,
  /** Of what is asked for: 0 to 100, and 100 only when all is met. */
  percent: z.int(),
  /** Whether it is certain that no other way of counting the courses meets more. */
  proved: z.boolean(),
  /** Revisions of the program's and the bylaw's own requirements; 0: none. */
  revisions: z.object({ program: z.int(), bylaw: z.int() }),
  /** The shortest way from here: courses still needed, term by term, within load and prerequisites. */
  way: z.object({
    terms: z.array(z.array(course)),
    /** Requirements of which no single courses can be named. */
    open: z.array(z.string()),
    /** No way has fewer terms; `proved`: this one has as many. */
    at_least: z.int(),
    proved: z.boolean(),
  }),
  /** What holds for the student in the program. */
  exceptions: z.array(z.object({ id, kind, key: z.string(), course_id: z.int().nullable(), reason: z.string() })),
}

const exceptions = z.object({ data: z.array(exception) })
const run = z.object({
  id,
  program: ref.nullable(),
  faculty: ref.nullable(),
  job_id: z.string().nullable(),
  started_by: person,
  started_at: z.string(),
  finished_at: z.string().nullable(),
  students: z.int(),
  met: z.int(),
  in_progress: z.int(),
})
export type AuditRun = z.output<typeof run>
const result = z.object({
  student: ref,
  program: ref,
  revisions: degreeAuditFields.revisions,
  state,
  percent: z.int(),
  missing: z.array(z.object({ key: z.string(), name: z.string(), name_local: z.string(), missing: z.array(problem) })),
})
export type AuditResult = z.output<typeof result>

/** Exceptions from what a degree requires; the area of students serves them, which knows the record. */
export const exceptionCalls = {
  exceptions: call('GET', '/students/{id}/degree-exceptions', {
    permission: 'show_student_record',
    summary: ['What was decided for a student about requirements', 'ما تقرر للطالب بشأن المتطلبات'],
    response: exceptions,
  }),
  grantException: call('POST', '/students/{id}/degree-exceptions', {
    permission: 'grant_exception',
    summary: [
      'Except a student from a requirement, or settle for what a course counts',
      'استثناء طالب من متطلب أو تحديد ما يُحسب له المقرر',
    ],
    body: z.strictObject({
      kind,
      /** The requirement, as the audit names it. */
      key: z.string().regex(/^[a-z0-9][a-z0-9_.-]{0,79}$/),
      course_id: id.nullish(),
      for_course_id: id.nullish(),
      reason: safeText(500, 1),
    }),
    response: exceptions,
    example: { kind: 'waive', key: 'training', reason: 'Worked in the field for two years' },
  }),
  revokeException: call('POST', '/students/{id}/degree-exceptions/{exception_id}/revoke', {
    permission: 'grant_exception',
    summary: ['Take an exception back', 'التراجع عن استثناء'],
    params: z.object({ id: idParam, exception_id: idParam }),
    body: z.strictObject({ reason: safeText(500, 1) }),
    response: exceptions,
  }),
}

/** So many of the latest audits are shown. */
export const MOST_RUNS = 50

export const degreeAuditCalls = {
  auditRuns: call('GET', '/degree-audits', {
    permission: 'access_degree_audits',
    summary: ['List the audits of programs and faculties', 'عرض مراجعات البرامج والكليات'],
    response: z.object({ data: z.array(run) }),
  }),
  startAudit: call('POST', '/degree-audits', {
    permission: 'access_degree_audits',
    summary: [
      'Audit all students of a program or faculty, in the background',
      'مراجعة موقف جميع طلاب برنامج أو كلية في الخلفية',
    ],
    body: z.strictObject({ program_id: id.nullish(), faculty_id: id.nullish() }),
    response: jobStarted.extend({ data: run }),
  }),
  auditResults: call('GET', '/degree-audits/{id}', {
    permission: 'access_degree_audits',
    summary: ['Show where the students of an audit stand', 'عرض موقف طلاب المراجعة'],
    query: z.strictObject({
      state: state.optional(),
      /** A requirement that they lack. */
      lacks: z.string().max(80).optional(),
      page: z.coerce.number().int().min(1).max(100_000).optional(),
      per_page: z.coerce.number().int().min(1).max(200).optional(),
    }),
    response: z.object({ data: z.array(result), run, meta: z.object({ count: z.int() }) }),
  }),
  auditLacks: call('GET', '/degree-audits/{id}/lacks', {
    heavy: true,
    permission: 'access_degree_audits',
    summary: ['Which requirements most students of an audit lack', 'المتطلبات التي تنقص أكثر طلاب المراجعة'],
    response: z.object({
      data: z.array(
        z.object({ key: z.string(), name: z.string(), name_local: z.string(), program: ref, students: z.int() }),
      ),
    }),
  }),
  exportAudit: call('GET', '/degree-audits/{id}/export', {
    permission: 'access_degree_audits',
    summary: ['Export an audit as a sheet', 'تصدير المراجعة كجدول'],
    file: { name: 'degree-audit.xlsx', type: 'xlsx' },
  }),
}

export const auditScreens = [
  screen('/degree-audits', {
    permission: 'access_degree_audits',
    title: ['Who would graduate', 'من يستوفي شروط التخرج'],
    menu: { group: 'control', order: 60, icon: 'school' },
  }),
  screen('/degree-audits/:id', {
    permission: 'access_degree_audits',
    title: ['Audit of many students', 'مراجعة موقف الطلاب'],
    parent: '/degree-audits',
  }),
]

export const auditErrors = {
  exception_twice: ['That has been decided for this student already.', 'سبق أن تقرر ذلك لهذا الطالب.'],
  exception_own: ['Nobody decides about the own degree.', 'لا يبت أحد في متطلبات درجته.'],
  exception_unknown: [
    'The program of the student has no such requirement ({key}).',
    'لا يوجد هذا المتطلب في برنامج الطالب ({key}).',
  ],
  exception_course_needed: ['Choose the course of the student.', 'اختر مقرر الطالب.'],
  exception_course_of_waiver: [
    'A requirement is waived as a whole, without a course.',
    'يُعفى من المتطلب كله دون تحديد مقرر.',
  ],
  exception_not_taken: [
    'The student has neither passed nor registered for that course.',
    'لم يجتز الطالب هذا المقرر ولم يسجله.',
  ],
  exception_not_listed: [
    'The requirement does not list the course that is to be replaced.',
    'المتطلب لا يذكر المقرر المراد استبداله.',
  ],
  exception_no_courses: [
    'The requirement takes no course this way. Choose a listed course that it replaces, or another requirement.',
    'المتطلب لا يقبل مقررًا بهذه الطريقة. اختر مقررًا مذكورًا يحل محله أو متطلبًا آخر.',
  ],
  exception_cannot_count: [
    'The course cannot count there. Let it substitute for another course instead.',
    'لا يمكن احتساب المقرر هناك. اجعله بديلًا عن مقرر آخر.',
  ],
  exception_revoked: ['It has been taken back already.', 'سبق التراجع عنه.'],
  audit_of_what: ['Choose a program or a faculty, one of them.', 'اختر برنامجًا أو كلية، واحدًا منهما فقط.'],
} as const satisfies Record<string, readonly [string, string]>
