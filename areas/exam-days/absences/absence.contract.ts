import { z } from 'zod'
import { call, f, id, listOf, listQuery, problem, ref, safeText } from '#kit/contract/index.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import { checkChange } from './absence.rules.ts'
import type { ExamDayFacts } from './absence.rules.ts'

/** Absent from an exam: recorded on the day, excused by a paper, or recorded by mistake. */
export const absenceFlow = workflow<Pick<ExamDayFacts, 'final' | 'held'>>()({
  name: 'exam_absence',
  one: ['Exam absence', 'غياب عن امتحان'],
  field: 'status',
  states: [
    { value: 'recorded', label: ['Absent', 'غائب'], tone: 'refused' },
    { value: 'excused', label: ['Excused', 'بعذر'], tone: 'done' },
    { value: 'cancelled', label: ['Recorded by mistake', 'سُجل بالخطأ'], tone: 'frozen' },
  ],
  actions: {
    excuse: {
      label: ['Accept the excuse', 'قبول العذر'],
      summary: ['Excuse an absence from an exam', 'قبول عذر الغياب عن امتحان'],
      call: ['POST', '/exam-absences/excuse/{id}'],
      permission: 'edit_examAbsence',
      from: { recorded: 'excused' },
      needs: checkChange,
      reason: 'required',
      consequence: [
        'Of a final exam the course becomes Incomplete: the mark is entered when the exam was sat.',
        'في الامتحان النهائي تصبح حالة المقرر «غير مكتمل»، وتُرصد الدرجة بعد أداء الامتحان.',
      ],
      notice: 'exam-days.notice_absence',
    },
    cancel: {
      label: ['Cancel the absence', 'إلغاء الغياب'],
      summary: ['Cancel an absence that was recorded by mistake', 'إلغاء غياب سُجل بالخطأ'],
      call: ['POST', '/exam-absences/cancel/{id}'],
      permission: 'edit_examAbsence',
      from: { recorded: 'cancelled', excused: 'cancelled' },
      needs: checkChange,
      reason: 'required',
      tone: 'refused',
      notice: 'exam-days.notice_absence',
    },
    restore: {
      label: ['Absent again', 'إعادة الغياب'],
      summary: ['Make an absence count again', 'إعادة احتساب الغياب'],
      call: ['POST', '/exam-absences/restore/{id}'],
      permission: 'edit_examAbsence',
      from: { excused: 'recorded', cancelled: 'recorded' },
      needs: checkChange,
      reason: 'required',
      notice: 'exam-days.notice_absence',
    },
  },
  bulk: '/exam-absences/bulk/{action}',
  history: { path: '/exam-absences/steps/{id}', permission: 'access_examAbsence' },
})
export const absenceSteps = workflowCalls(absenceFlow)

const status = z.enum(absenceFlow.states.map((one) => one.value))
const row = z.object({
  id,
  version: z.int(),
  student: ref,
  course: ref,
  exam: ref,
  date: z.string(),
  status,
  note: z.string().nullable(),
  excuse_id: id.nullable(),
  recorded_at: z.string(),
  abilities: z.array(z.string()),
  refused: z.record(z.string(), problem).optional(),
})
export type AbsenceRow = z.output<typeof row>

/** Fields by which absences are filtered and ordered. */
export const absenceFields = {
  student_id: f.lookup(['Student', 'الطالب'], 'student'),
  course_id: f.lookup(['Course', 'المقرر'], 'course'),
  offering_id: f.lookup(['Offering', 'المقرر المطروح'], 'offering'),
  term_id: f.lookup(['Term', 'الفصل الدراسي'], 'term'),
  date: f.date(['Date', 'التاريخ']),
  status: f.choice(['Status', 'الحالة'], absenceFlow.states),
  recorded_at: f.instant(['Recorded at', 'وقت التسجيل']),
}

/** What may be chosen: exams, and the exams of offerings in one of them. */
export const examDayLookups = z.object({
  data: z.object({
    exams: z.array(ref.extend({ kind: z.string(), term: ref })),
    schedules: z.array(
      z.object({ id, course: ref, offering: ref, date: z.string(), from: z.string(), students: z.int() }),
    ),
    statuses: z.array(z.object({ id: z.string(), name: z.string(), name_local: z.string() })),
  }),
})
/** A student and the exams that he or she was to sit. */
const sat = z.object({
  exam_schedule_id: id,
  registration_id: id,
  exam: ref,
  course: ref,
  date: z.string(),
  from: z.string(),
  begun: z.boolean(),
  hall: z.string().nullable(),
  seat: z.int().nullable(),
  absence: z.string().nullable(),
  case: z.string().nullable(),
})
export const studentInfo = z.object({ data: z.array(z.object({ student: ref, exams: z.array(sat) })) })
export type StudentInfo = z.output<typeof studentInfo>['data'][number]
/** Code, name, or part of it. */
export const studentAsked = z.strictObject({ text: z.string().trim().min(2).max(60), exam_id: id.nullish() })

const many = { registration_ids: z.array(id).min(1).max(500), note: safeText(500).nullish() }
const recorded = z.object({ data: z.object({ ids: z.array(id), recorded: z.int(), excused: z.int() }) })
const manyOf = z.strictObject({ exam_schedule_id: id, ...many })

/** Absences by the three doors that the documents name; one function records. */
export const absenceCalls = {
  list: call('POST', '/exam-absences', {
    permission: 'access_examAbsence',
    summary: ['List exam absences', 'عرض غياب الامتحانات'],
    body: listQuery,
    response: listOf(row),
    reads: true,
  }),
  lookups: call('POST', '/exam-absences/lookups', {
    permission: 'access_examAbsence',
    summary: ['Exams of which absences are recorded', 'الامتحانات التي يُسجل غيابها'],
    body: z.strictObject({ exam_id: id.nullish() }),
    response: examDayLookups,
    example: {},
    reads: true,
  }),
  studentInfo: call('POST', '/exam-absences/get_student_info', {
    permission: 'access_examAbsence',
    summary: ['Exams of a student, with seats and absences', 'امتحانات طالب بمقاعده وغيابه'],
    body: studentAsked,
    response: studentInfo,
    example: { text: '20' },
    reads: true,
  }),
  record: call('PUT', '/exam-absences', {
    permission: 'edit_examAbsence',
    summary: ['Record that a student was absent from an exam', 'تسجيل غياب طالب عن امتحان'],
    body: z.strictObject({ exam_schedule_id: id, registration_id: id, note: safeText(500).nullish() }),
    response: recorded,
    example: { exam_schedule_id: 1, registration_id: 1 },
  }),
  recordMany: call('PUT', '/exam-schedules/absences', {
    permission: 'edit_examAbsence',
    summary: ['Record who was absent from an exam', 'تسجيل الغائبين عن امتحان'],
    body: manyOf,
    response: recorded,
    example: { exam_schedule_id: 1, registration_ids: [1] },
  }),
  recordOf: call('PUT', '/exam-schedules/absences/{id}', {
    permission: 'edit_examAbsence',
    summary: ['Record who was absent from the exam of an offering (id)', 'تسجيل الغائبين عن امتحان مقرر'],
    body: z.strictObject(many),
    response: recorded,
    example: { registration_ids: [1] },
  }),
}
