import { z } from 'zod'
import { EXAM_KINDS } from '#areas/common/academics/exam-words.contract.ts'
import { crud } from '#access/permissions.contract.ts'
import { call, f, id, idParam, option, resource } from '#kit/contract/index.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'

/** Where an exam stands: until it is published only who plans it sees when what is examined. */
export const EXAM_STATES = [
  { value: 'draft', label: ['In work', 'قيد الإعداد'], tone: 'draft' },
  { value: 'published', label: ['Published', 'منشور'], tone: 'done' },
] as const

/** How exams of two offerings stand to each other. */
export const RELATIONS = [
  { value: 'after', label: ['After', 'بعد'] },
  { value: 'together', label: ['At the same time', 'في الوقت نفسه'] },
  { value: 'apart', label: ['Never at the same time', 'ليس في الوقت نفسه'] },
  { value: 'alone', label: ['Alone in its halls', 'منفرد في قاعاته'] },
] as const

const penalty = () =>
  f.integer(['Penalty', 'الجزاء'], {
    max: 1000,
    help: ['The higher, the less automatic placement uses it.', 'كلما زاد قل استخدامه في التوزيع التلقائي.'],
  })

/** The exams of one kind that a faculty, or the university, holds in a term. */
export const exam = resource({
  name: 'exam',
  path: '/exams',
  table: 'exams',
  one: ['Exam', 'امتحان'],
  many: ['Exams', 'الامتحانات'],
  adding: ['Add exam', 'إضافة امتحان'],
  editing: ['Edit exam', 'تعديل امتحان'],
  permissions: { ...crud('exam'), import: null },
  scope: ['faculty'],
  common: true,
  fields: {
    code: f.code(['Code', 'الكود'], { required: true, max: 20 }),
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
    term_id: f.lookup(['Term', 'الفصل الدراسي'], 'term', { required: true, createOnly: true }),
    faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty', {
      createOnly: true,
      help: ['Empty: all faculties', 'فارغ: كل الكليات'],
    }),
    kind: f.choice(['Kind', 'النوع'], EXAM_KINDS, { required: true }),
    status: f.choice(['Status', 'الحالة'], EXAM_STATES, { readOnly: true }),
    students_per_invigilator: f.integer(['Students per invigilator', 'عدد الطلاب لكل مراقب'], { min: 1, max: 500 }),
    reserve_percent: f.integer(['Reserve of each hall (percent)', 'احتياطي كل قاعة (نسبة)'], {
      max: 50,
      detailOnly: true,
      help: [
        'Seats kept free for students who register late; the larger of percent and number',
        'مقاعد تبقى خالية لمن يسجل متأخرًا؛ الأكبر من النسبة والعدد',
      ],
    }),
    reserve_seats: f.integer(['Reserve of each hall (seats)', 'احتياطي كل قاعة (مقاعد)'], {
      max: 500,
      detailOnly: true,
    }),
    notes: f.longText(['Notes', 'ملاحظات'], { max: 2000, detailOnly: true }),
    days: f.rows(
      ['Days', 'الأيام'],
      { on_date: f.date(['Day', 'اليوم'], { required: true }), penalty: penalty() },
      { table: 'exam_days', parent: 'exam_id', by: 'c.on_date', max: 60, detailOnly: true },
    ),
    times: f.rows(
      ['Slots', 'الفترات'],
      { exam_slot_id: f.lookup(['Exam slot', 'فترة الامتحان'], 'examSlot', { required: true }), penalty: penalty() },
      {
        table: 'exam_times',
        parent: 'exam_id',
        by: '(select s.start_time from exam_slots s where s.id = c.exam_slot_id)',
        max: 12,
        detailOnly: true,
      },
    ),
    halls: f.rows(
      ['Halls', 'القاعات'],
      {
        location_id: f.lookup(['Location', 'القاعة'], 'location', { required: true }),
        seats: f.integer(['Seats in an exam', 'مقاعد الامتحان'], { required: true, min: 1, max: 10_000 }),
        penalty: penalty(),
      },
      {
        table: 'exam_halls',
        parent: 'exam_id',
        by: '(select l.code from locations l where l.id = c.location_id)',
        max: 300,
        detailOnly: true,
      },
    ),
    closures: f.rows(
      ['Not available', 'غير متاح'],
      {
        on_date: f.date(['Day', 'اليوم'], {
          help: ['Empty: every day of the exam', 'فارغ: كل أيام الامتحان'],
        }),
        exam_slot_id: f.lookup(['Exam slot', 'فترة الامتحان'], 'examSlot', {
          help: ['Empty: the whole day', 'فارغ: اليوم كله'],
        }),
        location_id: f.lookup(['Location', 'القاعة'], 'location'),
        instructor_id: f.lookup(['Instructor', 'عضو هيئة التدريس'], 'instructor'),
      },
      {
        table: 'exam_closures',
        parent: 'exam_id',
        by: 'c.on_date',
        max: 400,
        detailOnly: true,
        help: [
          'Without location and instructor nothing is held then.',
          'من دون قاعة أو عضو هيئة تدريس لا يُعقد فيها أي امتحان.',
        ],
      },
    ),
    relations: f.rows(
      ['Order and halls', 'الترتيب والقاعات'],
      {
        offering_id: f.lookup(['Offering', 'المقرر المطروح'], 'offering', { required: true }),
        kind: f.choice(['Relation', 'العلاقة'], RELATIONS, { required: true }),
        other_offering_id: f.lookup(['Other offering', 'المقرر الآخر'], 'offering'),
      },
      { table: 'exam_relations', parent: 'exam_id', by: 'c.id', max: 400, detailOnly: true },
    ),
    schedules: f.integer(['Offerings', 'المقررات'], { readOnly: true, noExport: true }),
    placed: f.integer(['Placed', 'مجدول'], { readOnly: true, noExport: true }),
  },
  list: {
    columns: ['code', 'name', 'name_local', 'term_id', 'faculty_id', 'kind', 'status', 'schedules', 'placed'],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name', 'name_local'],
    filters: ['term_id', 'faculty_id', 'kind', 'status'],
    order: ['code', 'asc'],
  },
  sections: [
    { title: ['Exam', 'الامتحان'], fields: ['code', 'name', 'name_local', 'term_id', 'faculty_id', 'kind', 'notes'] },
    {
      title: ['When', 'الموعد'],
      text: ['Every slot is held on every day.', 'تُعقد كل فترة في كل يوم.'],
      fields: ['days', 'times'],
    },
    { title: ['Where', 'المكان'], fields: ['halls', 'students_per_invigilator', 'reserve_percent', 'reserve_seats'] },
    { title: ['Conditions', 'الشروط'], fields: ['closures', 'relations'] },
  ],
  exportName: 'Exams',
  softDelete: true,
  screens: { list: '/exams', show: '/exams/:id', add: '/exams/add/:id?', edit: '/exams/edit/:id' },
  menu: {
    group: 'exams',
    order: 10,
    icon: 'writing',
    also: ['Publish an exam schedule, place exams', 'نشر جدول امتحان، توزيع الامتحانات، امتحان'],
  },
})

/** What publishing and reopening look at. */
export interface ExamFacts {
  readonly schedules: number
  /** Offerings without day and slot. */
  readonly unplaced: number
  /** Students for whom no hall has a seat. */
  readonly unseated: number
  /** Exams in whose halls it is taught then. */
  readonly taught: number
  /** Students to whom something was granted that the plan does not hold. */
  readonly accommodations: number
  /** Exams that have not begun. */
  readonly ahead: number
  readonly last_day: string | null
  /** What was written down when they were held. */
  readonly absences: number
  readonly cases: number
  readonly deliveries: number
}

/** Every reason why an exam cannot be published. */
export const checkPublish = ({ schedules, unplaced, unseated, taught, accommodations }: ExamFacts): Reason[] => [
  ...(schedules ? [] : [{ code: 'exam_covers_nothing' }]),
  ...(unplaced ? [{ code: 'exam_unplaced', data: { count: unplaced } }] : []),
  ...(unseated ? [{ code: 'exam_unseated', data: { count: unseated } }] : []),
  ...(taught ? [{ code: 'exam_halls_teaching', data: { count: taught } }] : []),
  ...(accommodations ? [{ code: 'exam_accommodations_lacking', data: { count: accommodations } }] : []),
]

/**
 * Every reason why a published exam is not planned anew: all of it was held, and what happened there is written down. While
 * something lies ahead it can be reopened; what was held stays then.
 */
export const checkReopen = ({ ahead, last_day, absences, cases, deliveries }: ExamFacts): Reason[] => {
  if (ahead > 0 || absences + cases + deliveries === 0) return []
  return [
    { code: 'exam_is_over', data: { day: last_day ?? '–' } },
    ...(absences ? [{ code: 'exam_has_absences', data: { count: absences } }] : []),
    ...(cases ? [{ code: 'exam_has_cases', data: { count: cases } }] : []),
    ...(deliveries ? [{ code: 'exam_has_deliveries', data: { count: deliveries } }] : []),
  ]
}

/** A day, slot or hall that is to go from an exam, with how many exams are planned there. */
export interface InUse {
  readonly what: 'day' | 'slot' | 'hall'
  readonly name: string
  readonly name_local: string
  readonly count: number
}
const FIELD_OF = { day: 'days', slot: 'times', hall: 'halls' } as const
/** What exams are planned in does not go from under them. */
export const checkRemoved = (used: readonly InUse[]): Reason[] =>
  used.map(({ what, ...data }) => ({ field: FIELD_OF[what], code: `exam_${what}_used`, data }))

/** An exam is planned, then published: from then on students and instructors see it. */
export const examFlow = workflow<ExamFacts>()({
  name: 'exam',
  one: ['Exam', 'امتحان'],
  field: 'status',
  states: EXAM_STATES,
  actions: {
    publish: {
      label: ['Publish', 'نشر'],
      summary: ['Publish an exam schedule', 'نشر جدول امتحان'],
      call: ['POST', '/exams/publish/{id}'],
      permission: 'publish_exam',
      from: { draft: 'published' },
      needs: checkPublish,
      notice: 'exams.notice_published',
      consequence: [
        'Students and invigilators see their exams now, and are told.',
        'يرى الطلاب والمراقبون امتحاناتهم الآن ويصلهم إشعار.',
      ],
    },
    reopen: {
      label: ['Reopen', 'إعادة فتح'],
      summary: ['Reopen a published exam schedule', 'إعادة فتح جدول امتحان منشور'],
      call: ['POST', '/exams/reopen/{id}'],
      permission: 'publish_exam',
      from: { published: 'draft' },
      needs: checkReopen,
      reason: 'required',
      tone: 'refused',
      notice: 'exams.notice_reopened',
      consequence: [
        'The schedule can be changed again. Nobody but who plans it sees it until it is published; who saw it is told.',
        'يمكن تعديل الجدول من جديد، ولا يراه غير المسؤولين عنه حتى يُنشر، ويُبلَّغ بذلك من كان يراه.',
      ],
    },
  },
  history: { path: '/exams/steps/{id}', permission: 'show_exam' },
})
export const examSteps = workflowCalls(examFlow)

/** Calls of exams beside those of the resource. */
export const examCalls = {
  lookups: call('GET', '/exams/lookups', {
    permission: ['access_exam', 'add_exam', 'edit_exam'],
    summary: ['What an exam is made of', 'قوائم الاختيار للامتحانات'],
    response: z.object({
      data: z.object({
        terms: z.array(option),
        faculties: z.array(option),
        kinds: z.array(option),
        exam_slots: z.array(option),
      }),
    }),
  }),
  /** Offerings of its term and faculty that have students and are not covered yet: which they are, or all at once. */
  covered: call('POST', '/exams/{id}/cover', {
    permission: 'add_examSchedule',
    summary: ['Put offerings into an exam', 'إدراج مقررات مطروحة في امتحان'],
    params: z.object({ id: idParam }),
    body: z.strictObject({
      /** Empty: all. */
      offering_ids: z.array(id).max(2000).default([]),
    }),
    response: z.object({ data: z.object({ added: z.int() }) }),
    example: {},
  }),
}
