import { z } from 'zod'
import { call, exportQuery, f, id, listOf, listQuery, problem, ref } from '#kit/contract/index.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import { checkBan } from './absence.rules.ts'
import type { BanFacts } from './absence.rules.ts'

/** What absences lead to: a warning, a ban that is proposed, and what the exam office or control decides. */
export const absenceCaseFlow = workflow<BanFacts>()({
  name: 'absence_case',
  one: ['Absence', 'غياب'],
  field: 'status',
  states: [
    { value: 'warned', label: ['Warned', 'أُنذر'], tone: 'waiting' },
    { value: 'proposed', label: ['Ban proposed', 'مقترح حرمانه'], tone: 'waiting' },
    { value: 'banned', label: ['Banned', 'محروم'], tone: 'refused' },
    { value: 'waived', label: ['Not banned', 'لم يُحرم'], tone: 'done' },
    { value: 'closed', label: ['Below the limit', 'دون الحد'], tone: 'frozen' },
  ],
  actions: {
    ban: {
      label: ['Ban from the exam', 'حرمان من الامتحان'],
      summary: ['Ban a student from the exam of a course for absence', 'حرمان طالب من امتحان مقرر بسبب الغياب'],
      call: ['POST', '/attendance/absences/ban/{id}'],
      permission: 'update_registration_status',
      from: { proposed: 'banned' },
      needs: checkBan,
      reason: 'optional',
      consequence: [
        'The registration becomes Banned: the student does not sit the exam and has the grade of a ban. The student is told.',
        'تصبح حالة التسجيل «محروم»، فلا يدخل الطالب الامتحان ويُرصد له تقدير الحرمان، ويُبلَّغ بذلك.',
      ],
      notice: 'attendance.notice_decided',
      takenBackBy: 'undo',
      tone: 'refused',
    },
    waive: {
      label: ['Do not ban', 'عدم الحرمان'],
      summary: ['Decide that a student is not banned', 'تقرير عدم حرمان الطالب'],
      call: ['POST', '/attendance/absences/waive/{id}'],
      permission: 'update_registration_status',
      from: { proposed: 'waived' },
      reason: 'required',
      notice: 'attendance.notice_decided',
    },
    undo: {
      label: ['Take the decision back', 'التراجع عن القرار'],
      summary: ['Take back what was decided on an absence', 'التراجع عما تقرر بشأن الغياب'],
      call: ['POST', '/attendance/absences/undo/{id}'],
      permission: 'update_registration_status',
      from: {
        banned: { to: 'proposed', permission: 'undo_registration' },
        waived: 'proposed',
      },
      reason: 'required',
      tone: 'refused',
      notice: 'attendance.notice_decided',
    },
  },
  bulk: '/attendance/absences/bulk/{action}',
  history: { path: '/attendance/absences/steps/{id}', permission: 'access_attendance' },
})
export const absenceCaseSteps = workflowCalls(absenceCaseFlow)

const status = z.enum(absenceCaseFlow.states.map((one) => one.value))
const row = z.object({
  id,
  version: z.int(),
  student: ref,
  course: ref,
  offering: ref,
  term: ref,
  absences: z.number(),
  planned: z.int(),
  share: z.number(),
  status,
  decided_reason: z.string().nullable(),
  warned_at: z.string(),
  abilities: z.array(z.string()),
  refused: z.record(z.string(), problem).optional(),
})
export type AbsenceCaseRow = z.output<typeof row>

/** Fields by which cases are filtered, ordered and exported. */
export const absenceCaseFields = {
  student_id: f.lookup(['Student', 'الطالب'], 'student'),
  course_id: f.lookup(['Course', 'المقرر'], 'course'),
  offering_id: f.lookup(['Offering', 'المقرر المطروح'], 'offering'),
  term_id: f.lookup(['Term', 'الفصل الدراسي'], 'term'),
  absences: f.decimal(['Absences', 'مرات الغياب'], { places: 2 }),
  planned: f.integer(['Meetings of the term', 'مواعيد الفصل']),
  share: f.decimal(['Absent (%)', 'نسبة الغياب (%)'], { places: 2 }),
  status: f.choice(['Status', 'الحالة'], absenceCaseFlow.states),
  warned_at: f.instant(['Warned on', 'تاريخ الإنذار']),
}

export const absenceCaseCalls = {
  listCases: call('POST', '/attendance/absences/list', {
    permission: 'access_attendance',
    summary: ['List absences that led to a warning or a ban', 'عرض حالات الغياب التي استوجبت إنذارًا أو حرمانًا'],
    body: listQuery,
    response: listOf(row),
    reads: true,
  }),
  exportCases: call('POST', '/attendance/absences/export', {
    permission: 'access_attendance',
    summary: ['Export absences that led to a warning or a ban', 'تصدير حالات الغياب'],
    body: exportQuery,
    file: { name: 'Absences.xlsx', type: 'xlsx' },
    reads: true,
  }),
}
