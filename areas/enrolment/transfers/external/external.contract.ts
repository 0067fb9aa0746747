import { call, f, id, listOf, listQuery, problem, ref, safeText } from '#kit/contract/index.ts'
import { keptFile } from '#kit/contract/kit.area.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import { z } from 'zod'
import { decisions, equivalence, equivalenceCalls, grades, typedCourse } from '../equivalence/equivalence.contract.ts'
import { checkExternal, checkOpeningAgain, MOST_COURSES } from './external.rules.ts'
import type { ExternalFacts } from './external.rules.ts'

/** Files beside a transfer at most. */
const MOST_FILES = 12

export const EXTERNAL_KINDS = [
  { value: 'external', label: ['From another university', 'من جامعة أخرى'] },
  { value: 'study_abroad', label: ['Study abroad', 'دراسة بالخارج'] },
] as const

/** The way of courses from elsewhere: entered, decided on, credited. */
export const externalFlow = workflow<ExternalFacts>()({
  name: 'external_transfer',
  one: ['Courses from elsewhere', 'معادلة من خارج الجامعة'],
  field: 'status',
  states: [
    { value: 'entered', label: ['Entered', 'مُدخلة'], tone: 'waiting' },
    { value: 'executed', label: ['Executed', 'منفَّذ'], tone: 'done' },
    { value: 'deleted', label: ['Deleted', 'محذوف'], tone: 'frozen' },
  ],
  actions: {
    execute: {
      label: ['Execute', 'تنفيذ'],
      summary: ['Credit the courses of a student from elsewhere', 'احتساب مقررات الطالب من خارج الجامعة'],
      call: ['PUT', '/students/equivalence/{id}'],
      permission: 'execute_transfer',
      from: { entered: 'executed' },
      needs: checkExternal,
      consequence: [
        'The courses decided on count as passed from now on. Finished terms stay as they are. It cannot be taken back.',
        'تُحتسب المقررات المقررة مجتازة من الآن، وتبقى نتائج الفصول المنتهية كما هي. لا يمكن التراجع.',
      ],
      notice: 'transfers.notice_external',
      single: true,
    },
    reopen: {
      label: ['Decide again', 'إعادة تقرير المعادلة'],
      summary: ['Open the settled courses of an applicant again', 'إعادة فتح معادلة متقدم'],
      call: ['PUT', '/transfer/external/reopen/{id}'],
      permission: 'execute_transfer',
      from: { executed: 'entered' },
      needs: checkOpeningAgain,
      reason: 'required',
      tone: 'refused',
      consequence: [
        'The applicant is offered no seat, and does not become a student, until it is settled again.',
        'لا يُعرض مقعد على المتقدم ولا يصبح طالبًا حتى تُنفذ المعادلة من جديد.',
      ],
      single: true,
    },
    delete: {
      label: ['Delete', 'حذف'],
      summary: ['Delete courses from elsewhere that are not credited', 'حذف معادلة لم تُنفذ'],
      call: ['DELETE', '/transfer/external/{id}'],
      permission: 'edit_equivalence',
      from: { entered: 'deleted' },
      reason: 'required',
      tone: 'refused',
      single: true,
    },
  },
  history: { path: '/transfer/external/steps/{id}', permission: 'access_transfer' },
})
export const externalSteps = workflowCalls(externalFlow)

const status = z.enum(externalFlow.states.map((one) => one.value))
const kind = z.enum(EXTERNAL_KINDS.map((one) => one.value))
const row = z.object({
  id,
  version: z.int(),
  kind,
  /** null: of somebody who applies and is no student yet. */
  student: ref.nullable(),
  applicant: ref.nullable(),
  program: ref,
  term: ref,
  university: ref,
  status,
  created_at: z.string(),
  executed_at: z.string().nullable(),
  abilities: z.array(z.string()),
  refused: z.record(z.string(), problem).optional(),
})
export type ExternalRow = z.output<typeof row>
const detail = row.extend({
  faculty: ref,
  bylaw: ref,
  university_faculty: ref.nullable(),
  country: ref.nullable(),
  note: z.string().nullable(),
  against: z.array(problem),
  equivalences: z.array(equivalence.extend({ percent: z.string().nullable() })),
  ...grades,
  files: z.array(keptFile),
})
export type ExternalDetail = z.output<typeof detail>
/** What an applicant brings, and what was decided on it. */
const applicantTransfers = z.object({
  applicant: ref,
  /** null: none was given yet. */
  program: ref.nullable(),
  previous_university: z.string().nullable(),
  previous_faculty: z.string().nullable(),
  previous_program: z.string().nullable(),
  previous_hours: z.string().nullable(),
  documents: z.array(z.object({ kind: ref, file: keptFile })),
  /** The latest first. */
  transfers: z.array(row),
  abilities: z.array(z.enum(['enter'])),
})
export type ApplicantTransfers = z.output<typeof applicantTransfers>
const one = z.object({ data: detail })

const file_ids = z.array(id).max(MOST_FILES).default([])
/** Where the courses were passed: of the list of universities, and of its faculties. */
const where = { university_id: id, university_faculty_id: id.nullable().default(null) }
const example = { code: 'MTH 101', name: 'Calculus', credit_hours: 3, grade: 'B+' }

/** What courses count as; the same for each kind of transfer. */
export const externalCourseCalls = equivalenceCalls('/transfer/external', '/transfer/external/external-temp-courses', {
  proposed: ['What courses from elsewhere would count as: earlier decisions', 'المعادلة المقترحة وفق القرارات السابقة'],
  programCourses: ['Courses of the program here', 'مقررات البرنامج'],
  lines: ['The courses from elsewhere and what they count as', 'المقررات من خارج الجامعة ومعادلتها'],
  line: [
    'What a course from elsewhere counts as, and counted as before',
    'معادلة مقرر من خارج الجامعة وما قُرر له من قبل',
  ],
  outcome: ['How the student would stand with the courses', 'موقف الطالب بعد احتساب المقررات'],
  exportLines: ['Export what courses from elsewhere count as', 'تصدير المعادلات من خارج الجامعة'],
  decision: ['The equivalence decision on paper', 'قرار المعادلة مطبوعًا'],
})

export const externalCalls = {
  externalTransfers: call('POST', '/transfer/external/list', {
    permission: 'access_transfer',
    summary: ['List courses from elsewhere', 'عرض المعادلات من خارج الجامعة'],
    body: listQuery,
    response: listOf(row),
    reads: true,
  }),
  addExternal: call('POST', '/transfer/external/add-external/{id}', {
    permission: 'edit_equivalence',
    summary: ['Enter what a student passed elsewhere', 'إدخال ما اجتازه الطالب خارج الجامعة'],
    body: z.strictObject({
      kind: kind.default('external'),
      ...where,
      note: safeText(2000).nullable().default(null),
      courses: z.array(typedCourse).min(1).max(MOST_COURSES),
      file_ids,
    }),
    response: one,
    maxBody: 262_144,
    example: { university_id: 1, courses: [example] },
  }),
  addForApplicant: call('POST', '/transfer/external/add-applicant/{id}', {
    permission: 'edit_equivalence',
    summary: ['Enter what an applicant passed elsewhere', 'إدخال ما اجتازه المتقدم خارج الجامعة'],
    body: z.strictObject({
      ...where,
      note: safeText(2000).nullable().default(null),
      courses: z.array(typedCourse).min(1).max(MOST_COURSES),
      file_ids,
    }),
    response: one,
    maxBody: 262_144,
    example: { university_id: 1, courses: [example] },
  }),
  ofApplicant: call('GET', '/transfer/external/of-applicant/{id}', {
    permission: 'access_transfer',
    summary: ['What an applicant brings from another university', 'ما يجلبه المتقدم من جامعة أخرى'],
    response: z.object({
      data: applicantTransfers,
    }),
  }),
  externalTransfer: call('GET', '/transfer/external/{id}', {
    permission: 'access_transfer',
    summary: ['Show courses from elsewhere with what they count as', 'عرض معادلة من خارج الجامعة'],
    response: one,
  }),
  addStudyAbroad: call('POST', '/transfer/external/add_study_abroad_course', {
    permission: 'edit_equivalence',
    summary: ['Enter a course that a student passed abroad', 'إضافة مقرر اجتازه الطالب بالخارج'],
    body: z.strictObject({ student_id: id, ...where, course: typedCourse, file_ids }),
    response: one,
    example: { student_id: 1, university_id: 1, course: example },
  }),
  typeExternal: call('POST', '/transfer/external/external-temp-courses/add/{id}', {
    permission: 'edit_equivalence',
    summary: ['Add courses from elsewhere, or change those that are there', 'إضافة مقررات من خارج الجامعة أو تعديلها'],
    body: z.strictObject({
      /** Those with an id change; the others are added to what is there. */
      courses: z.array(typedCourse).max(MOST_COURSES).default([]),
      /** Only these go. */
      remove: z.array(id).max(MOST_COURSES).default([]),
      /** The version that was seen: needed where something that is there changes or goes. */
      version: z.int().optional(),
    }),
    response: one,
    maxBody: 262_144,
    example: { courses: [example] },
  }),
  knownCourses: call('GET', '/transfer/external/known-courses/{university_id}', {
    permission: 'edit_equivalence',
    summary: ['Courses of another university that were entered before', 'مقررات سبق إدخالها من جامعة أخرى'],
    query: z.strictObject({ university_faculty_id: z.coerce.number().int().min(1).max(2_147_483_647).optional() }),
    response: z.object({
      data: z.array(
        z.object({
          code: z.string(),
          name: z.string(),
          name_local: z.string().nullable(),
          credit_hours: z.number(),
        }),
      ),
    }),
  }),
  decideExternal: call('PUT', '/students/equivalence/{id}/edit-courses', {
    permission: 'edit_equivalence',
    summary: ['Decide what courses from elsewhere count as', 'تقرير معادلة المقررات من خارج الجامعة'],
    body: decisions,
    response: one,
    maxBody: 262_144,
    example: { courses: [] },
  }),
  executeApplicant: call('PUT', '/transfer/external/{id}', {
    permission: 'execute_transfer',
    summary: ['Credit the courses of somebody who applies', 'احتساب مقررات المتقدم'],
    body: z.strictObject({ version: z.int().optional() }),
    response: one,
    example: {},
  }),
  proposedExternal: externalCourseCalls.proposed,
  externalProgramCourses: externalCourseCalls.programCourses,
  externalEquivalences: externalCourseCalls.lines,
  externalEquivalence: externalCourseCalls.line,
  externalOutcome: externalCourseCalls.outcome,
  exportExternalEquivalences: externalCourseCalls.exportLines,
  externalDecision: externalCourseCalls.decision,
}

/** Fields by which lists are filtered and ordered. */
export const externalFields = {
  student_id: f.lookup(['Student', 'الطالب'], 'student'),
  applicant_id: f.lookup(['Applicant', 'المتقدم'], 'applicant'),
  program_id: f.lookup(['Program', 'البرنامج'], 'program'),
  kind: f.choice(['Kind', 'النوع'], EXTERNAL_KINDS),
  university_id: f.lookup(['University', 'الجامعة'], 'otherUniversity'),
  university_faculty_id: f.lookup(['Faculty there', 'الكلية هناك'], 'universityFaculty'),
  term_id: f.lookup(['Term', 'الفصل الدراسي'], 'term'),
  status: f.choice(['Status', 'الحالة'], externalFlow.states),
  created_at: f.instant(['Entered on', 'تاريخ الإدخال']),
}
