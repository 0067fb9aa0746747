import { z } from 'zod'
import { call, f, id, listOf, listQuery, problem, ref, safeText } from '#kit/contract/index.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import { examDayLookups, examRecord, examRecordFields, studentAsked, studentInfo } from '../records.contract.ts'
import { checkChange, checkRestore } from './absence.rules.ts'
import type { Following } from './absence.rules.ts'

/** Absent from an exam: recorded on the day, excused by a paper, or recorded by mistake. */
export const absenceFlow = workflow<Following>()({
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
        'Of a final exam the course becomes Incomplete; of others the absence leaves the marks. The mark is entered when the exam was sat.',
        'في الامتحان النهائي تصبح حالة المقرر «غير مكتمل»، وفي غيره يُرفع الغياب من الدرجات. وتُرصد الدرجة بعد أداء الامتحان.',
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
      needs: checkRestore,
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
  ...examRecord,
  status,
  note: z.string().nullable(),
  excuse_id: id.nullable(),
  recorded_at: z.string(),
})
export type AbsenceRow = z.output<typeof row>

/** Fields by which absences are filtered and ordered. */
export const absenceFields = {
  ...examRecordFields,
  date: f.date(['Date', 'التاريخ']),
  status: f.choice(['Status', 'الحالة'], absenceFlow.states),
  recorded_at: f.instant(['Recorded at', 'وقت التسجيل']),
}

const many = { registration_ids: z.array(id).min(1).max(500), note: safeText(500).nullish() }
const recorded = z.object({ data: z.object({ ids: z.array(id), recorded: z.int(), excused: z.int() }) })
const manyOf = z.strictObject({ exam_schedule_id: id, ...many })

const hallLine = z.object({
  registration_id: id,
  exam_schedule_id: id,
  seat: z.int(),
  student: ref,
  course: ref,
  /** As it is recorded; null: nothing is. */
  absence: status.nullable(),
  /** Why nobody records it of this student. */
  refused: problem.nullable(),
})
export type HallLine = z.output<typeof hallLine>
/** A hall at a time, with whom its absences are recorded of. */
const hallChoice = z.object({
  id,
  hall: ref,
  date: z.string(),
  from: z.string(),
  begun: z.boolean(),
  courses: z.array(z.string()),
  seated: z.int(),
  absent: z.int(),
})

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
    response: z.object({ data: examDayLookups.shape.data.extend({ halls: z.array(hallChoice) }) }),
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
    summary: [
      'Record who was absent from an exam: an entry of the exam schedule (id)',
      'تسجيل الغائبين عن امتحان من جدول الامتحانات (id)',
    ],
    body: z.strictObject(many),
    response: recorded,
    example: { registration_ids: [1] },
  }),
  /** A hall at a time as its invigilators see it: everybody who sits there, whatever exam it is. */
  hall: call('GET', '/exam-absences/hall/{id}', {
    permission: 'edit_examAbsence',
    summary: ['Who sits in a hall, and who was absent', 'من يجلس في القاعة ومن غاب'],
    response: z.object({ data: hallChoice.extend({ exam: ref, rows: z.array(hallLine) }) }),
  }),
  recordHall: call('PUT', '/exam-absences/hall/{id}', {
    permission: 'edit_examAbsence',
    summary: ['Record who was absent from a hall', 'تسجيل الغائبين عن قاعة'],
    body: z.strictObject(many),
    response: z.object({
      data: recorded.shape.data.extend({
        /** Somebody else recorded them meanwhile: they stay as they are. */
        already: z.int(),
      }),
    }),
    example: { registration_ids: [1] },
  }),
}
