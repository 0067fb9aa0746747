import { z } from 'zod'
import { call, f, id, listOf, listQuery, safeText } from '#kit/contract/index.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import { examDayLookups, examRecord, examRecordFields, studentAsked, studentInfo } from '../records.contract.ts'
import { checkGiveBack, checkPunish, checkPunishTerm } from './case.rules.ts'
import type { CaseFacts } from './case.rules.ts'

/** How far a punishment goes. */
export const MEASURES = [
  { value: 'warning', label: ['Warning', 'إنذار'] },
  { value: 'course', label: ['This course', 'هذا المقرر'] },
  { value: 'term', label: ['Every course of the term', 'كل مقررات الفصل'] },
] as const

/** What happened in an exam: opened by the exam office, decided by the dean, who did not open it. */
export const examCaseFlow = workflow<CaseFacts>()({
  name: 'exam_case',
  one: ['Exam investigation', 'تحقيق في امتحان'],
  field: 'status',
  states: [
    { value: 'opened', label: ['Under investigation', 'قيد التحقيق'], tone: 'waiting' },
    { value: 'cleared', label: ['Cleared', 'حُفظ'], tone: 'done' },
    { value: 'punished', label: ['Punished', 'معاقَب'], tone: 'refused' },
    { value: 'appealed', label: ['Appealed', 'قيد التظلم'], tone: 'waiting' },
  ],
  actions: {
    punish: {
      label: ['Punish: this course', 'معاقبة: هذا المقرر'],
      summary: ['Punish a student in the course of an exam', 'معاقبة طالب في مقرر الامتحان'],
      call: ['POST', '/exam-punishment/punish/{id}'],
      permission: 'decide_examPunishment',
      from: { opened: 'punished' },
      needs: checkPunish,
      reason: 'required',
      consequence: [
        'The course becomes Punished and has the grade of a punishment. The student is told.',
        'تصبح حالة المقرر «معاقَب» ويُرصد له تقدير العقوبة، ويُبلَّغ الطالب.',
      ],
      notice: 'exam-days.notice_case',
      tone: 'refused',
    },
    punish_term: {
      label: ['Punish: whole term', 'معاقبة: الفصل كله'],
      summary: ['Punish a student in every course of the term', 'معاقبة طالب في كل مقررات الفصل'],
      call: ['POST', '/exam-punishment/punish-term/{id}'],
      permission: 'decide_examPunishment',
      from: { opened: 'punished' },
      needs: checkPunishTerm,
      reason: 'required',
      single: true,
      consequence: [
        'Every course that the student takes in this term becomes Punished. The student is told.',
        'تصبح كل مقررات الطالب في هذا الفصل «معاقَب»، ويُبلَّغ الطالب.',
      ],
      notice: 'exam-days.notice_case',
      tone: 'refused',
    },
    warn: {
      label: ['Warn', 'إنذار'],
      summary: ['Warn a student for what happened in an exam', 'إنذار طالب عما وقع في امتحان'],
      call: ['POST', '/exam-punishment/warn/{id}'],
      permission: 'decide_examPunishment',
      from: { opened: 'punished' },
      reason: 'required',
      consequence: ['The course stays as it is. The student is told.', 'يبقى المقرر كما هو، ويُبلَّغ الطالب.'],
      notice: 'exam-days.notice_case',
    },
    clear: {
      label: ['Clear', 'حفظ التحقيق'],
      summary: ['Decide that a student is not punished', 'حفظ التحقيق دون عقوبة'],
      call: ['POST', '/exam-punishment/clear/{id}'],
      permission: 'decide_examPunishment',
      from: { opened: 'cleared', appealed: 'cleared' },
      needs: checkGiveBack,
      reason: 'required',
      notice: 'exam-days.notice_case',
    },
    appeal: {
      label: ['Appeal', 'تسجيل تظلم'],
      summary: ['Enter an appeal against a punishment', 'تسجيل تظلم من عقوبة'],
      call: ['POST', '/exam-punishment/appeal/{id}'],
      permission: 'open_examInvestigation',
      from: { punished: 'appealed' },
      reason: 'required',
      // Entering it decides nothing: whoever opened the investigation may.
      byOwner: true,
    },
    uphold: {
      label: ['Uphold', 'تأييد العقوبة'],
      summary: ['Uphold a punishment after an appeal', 'تأييد عقوبة بعد التظلم'],
      call: ['POST', '/exam-punishment/uphold/{id}'],
      permission: 'decide_examPunishment',
      from: { appealed: 'punished' },
      reason: 'required',
      notice: 'exam-days.notice_case',
    },
    reopen: {
      label: ['Take the decision back', 'التراجع عن القرار'],
      summary: ['Take back what was decided on an exam investigation', 'التراجع عما تقرر في تحقيق امتحان'],
      call: ['POST', '/exam-punishment/reopen/{id}'],
      permission: 'decide_examPunishment',
      from: { cleared: 'opened', punished: 'opened' },
      needs: checkGiveBack,
      reason: 'required',
      tone: 'refused',
      notice: 'exam-days.notice_case',
    },
  },
  history: { path: '/exam-punishment/steps/{id}', permission: 'access_examPunishment' },
})
export const examCaseSteps = workflowCalls(examCaseFlow)
const DECISIONS = Object.keys(examCaseFlow.actions) as (keyof typeof examCaseFlow.actions)[]

const status = z.enum(examCaseFlow.states.map((one) => one.value))
const row = z.object({
  ...examRecord,
  status,
  what: z.string(),
  measure: z.enum(MEASURES.map((one) => one.value)).nullable(),
  decided_reason: z.string().nullable(),
  opened_at: z.string(),
})
export type ExamCaseRow = z.output<typeof row>

/** Fields by which investigations are filtered and ordered. */
export const examCaseFields = {
  ...examRecordFields,
  status: f.choice(['Status', 'الحالة'], examCaseFlow.states),
  measure: f.choice(['Punishment', 'العقوبة'], MEASURES),
  opened_at: f.instant(['Opened at', 'تاريخ فتح التحقيق']),
}

const about = { registration_id: id, what: safeText(2000, 3) }
const opened = z.object({ data: z.object({ id, status }) })

export const examCaseCalls = {
  list: call('POST', '/exam-punishment', {
    permission: 'access_examPunishment',
    summary: ['List exam investigations and punishments', 'عرض تحقيقات الامتحانات وعقوباتها'],
    body: listQuery,
    response: listOf(row),
    reads: true,
  }),
  lookups: call('POST', '/exam-punishment/lookups', {
    permission: 'access_examPunishment',
    summary: ['Exams of which something is looked into', 'الامتحانات التي يُحقق فيها'],
    body: z.strictObject({ exam_id: id.nullish() }),
    response: examDayLookups,
    example: {},
    reads: true,
  }),
  studentInfo: call('POST', '/exam-punishment/get_student_info', {
    permission: 'access_examPunishment',
    summary: ['Exams of a student, with what was looked into', 'امتحانات طالب وما حُقق فيه'],
    body: studentAsked,
    response: studentInfo,
    example: { text: '20' },
    reads: true,
  }),
  open: call('PUT', '/exam-schedules/investigations', {
    permission: 'open_examInvestigation',
    summary: ['Open an investigation of what a student did in an exam', 'فتح تحقيق مع طالب في امتحان'],
    body: z.strictObject({ exam_schedule_id: id, ...about }),
    response: opened,
    example: { exam_schedule_id: 1, registration_id: 1, what: 'Notes were found under the booklet.' },
  }),
  openOf: call('PUT', '/exam-schedules/investigations/{id}', {
    permission: 'open_examInvestigation',
    summary: [
      'Open an investigation of what a student did in an exam: an entry of the exam schedule (id)',
      'فتح تحقيق مع طالب في امتحان من جدول الامتحانات (id)',
    ],
    body: z.strictObject(about),
    response: opened,
    example: { registration_id: 1, what: 'Notes were found under the booklet.' },
  }),
  /** The steps by one door, as the documents have it. */
  decide: call('PUT', '/exam-punishment', {
    permission: ['decide_examPunishment', 'open_examInvestigation'],
    summary: ['Decide on an exam investigation', 'البت في تحقيق امتحان'],
    body: z.strictObject({
      id,
      decision: z.enum(DECISIONS),
      reason: safeText(500).optional(),
      version: z.int().optional(),
    }),
    response: opened,
    example: { id: 1, decision: 'warn', reason: 'Talked, and stopped when told.' },
  }),
}
