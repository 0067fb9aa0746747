import { crud } from '#access/permissions.contract.ts'
import { call, f, id, listOf, listQuery, option, resource, rowSchema } from '#kit/contract/index.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import { z } from 'zod'

/** Where a window stands: by its days until it is distributed. */
export const WINDOW_STATES = [
  { value: 'planned', label: ['Planned', 'مجدول'], tone: 'waiting' },
  { value: 'open', label: ['Open', 'مفتوحة'], tone: 'done' },
  { value: 'closed', label: ['Closed', 'مغلقة'], tone: 'waiting' },
  { value: 'distributed', label: ['Distributed', 'تم التوزيع'], tone: 'waiting' },
  { value: 'confirmed', label: ['Confirmed', 'معتمدة'], tone: 'done' },
] as const

/** By what students with the same GPA and the same hours are told apart; the code is the last word of each. */
export const TIE_RULES = [
  { value: 'code', label: ['Student code', 'كود الطالب'] },
  { value: 'older', label: ['The elder first', 'الأكبر سنًّا أولًا'] },
  { value: 'school', label: ['Secondary school percentage', 'نسبة الثانوية العامة'] },
  { value: 'lot', label: ['By lot', 'بالقرعة'] },
] as const

/** Days in which students under a bylaw put programs in order. */
export const specializationTime = resource({
  name: 'specializationTime',
  path: '/specialization-time',
  table: 'specialization_times',
  one: ['Specialisation window', 'فترة تشعيب'],
  many: ['Specialisation windows', 'فترات التشعيب'],
  adding: ['Add specialisation window', 'إضافة فترة تشعيب'],
  editing: ['Edit specialisation window', 'تعديل فترة تشعيب'],
  permissions: { ...crud('specializationTime'), import: null },
  scope: ['faculty', 'bylaw'],
  fields: {
    bylaw_id: f.lookup(['Bylaw', 'اللائحة'], 'bylaw', { required: true, createOnly: true }),
    start_date: f.date(['Wishes from', 'بداية الرغبات'], { required: true }),
    end_date: f.date(['Wishes until', 'نهاية الرغبات'], { required: true }),
    state: f.choice(['State', 'الحالة'], WINDOW_STATES, { readOnly: true }),
    min_level: f.integer(['From level', 'من المستوى'], {
      max: 7,
      help: ['Empty: every level.', 'اتركه فارغًا ليشمل كل المستويات.'],
    }),
    min_passed_hours: f.decimal(['From passed hours', 'من عدد ساعات مجتازة'], {
      places: 2,
      max: 300,
      help: ['Who has passed fewer does not take part.', 'من اجتاز أقل منها لا يشارك.'],
    }),
    max_preferences: f.integer(['Most wishes', 'أقصى عدد للرغبات'], { min: 1, max: 15 }),
    tie_rule: f.choice(['Equal students', 'عند التساوي'], TIE_RULES, {
      help: [
        'Students are ordered by GPA, then passed hours, then this, then the code.',
        'يُرتَّب الطلاب بالمعدل ثم الساعات المجتازة ثم هذه القاعدة ثم الكود.',
      ],
    }),
    seats: f.rows(
      ['Programs and places', 'البرامج والأماكن'],
      {
        specialization_id: f.lookup(['Specialisation', 'التخصص'], 'specialization', { required: true }),
        capacity: f.integer(['Places', 'عدد الأماكن'], { required: true, max: 100_000 }),
      },
      {
        table: 'specialization_seats',
        parent: 'specialization_time_id',
        position: 'position',
        max: 60,
        detailOnly: true,
        help: [
          'Left empty, all specialisations of the bylaw are taken, each with its places.',
          'إن تُركت فارغة أُخذت كل تخصصات اللائحة بأماكنها.',
        ],
      },
    ),
    applicants: f.integer(['Students with wishes', 'طلاب سجلوا رغباتهم'], { readOnly: true, noExport: true }),
  },
  list: {
    columns: ['bylaw_id', 'start_date', 'end_date', 'state', 'applicants', 'tie_rule'],
    search: [],
    sort: ['start_date', 'end_date'],
    filters: ['bylaw_id', 'state'],
    order: ['start_date', 'desc'],
  },
  exportName: 'Specialisation windows',
  softDelete: true,
  screens: {
    list: '/specializations_time',
    show: '/specializations_time/show/:id',
    add: '/specializations_time/add',
    edit: '/specializations_time/edit/:id',
  },
  sections: [
    {
      title: ['When', 'الموعد'],
      text: [
        'Students order the programs in these days, both included.',
        'يرتب الطلاب البرامج خلال هذه الأيام، بما فيها أولها وآخرها.',
      ],
      fields: ['bylaw_id', 'start_date', 'end_date'],
    },
    {
      title: ['Who takes part', 'من يشارك'],
      text: ['Students of the general programs of the bylaw.', 'طلاب البرامج العامة في اللائحة.'],
      fields: ['min_level', 'min_passed_hours', 'max_preferences', 'tie_rule'],
    },
    { title: ['What is offered', 'المتاح'], fields: ['seats'] },
  ],
  examples: [{ bylaw_id: 1, start_date: '2031-03-01', end_date: '2031-03-10' }],
  menu: { group: 'study', order: 640, icon: 'git-fork', block: 'offering', subject: 'specialization' },
  plain: true,
})

/** What a step with a window looks at. */
export interface WindowFacts {
  /** Places in all. */
  readonly capacity: number
  readonly applicants: number
  /** What has changed since the distribution was made. */
  readonly changed: readonly Reason[]
  /** What was done since it was confirmed, and would be lost. */
  readonly used: readonly Reason[]
}

/** The way of a window: its days pass, then it is distributed as often as wanted, and confirmed. */
export const specializationFlow = workflow<WindowFacts>()({
  name: 'specialization_time',
  one: ['Specialisation window', 'فترة تشعيب'],
  field: 'state',
  states: WINDOW_STATES,
  actions: {
    distribute: {
      label: ['Distribute', 'توزيع'],
      summary: ['Distribute the students of a specialisation window', 'توزيع طلاب فترة تشعيب'],
      call: ['POST', '/specialization-time/distribute/{id}'],
      permission: 'distribute_specialization',
      long: true,
      from: {
        closed: 'distributed',
        distributed: { to: 'distributed', label: ['Distribute again', 'إعادة التوزيع'] },
      },
      refused: { planned: 'specialization_before_end', open: 'specialization_before_end' },
      needs: ({ capacity, applicants }) => [
        ...(capacity ? [] : [{ code: 'specialization_no_capacity' }]),
        ...(applicants ? [] : [{ code: 'specialization_no_applicants' }]),
      ],
      consequence: [
        'A preview: nobody changes program before it is confirmed.',
        'معاينة فقط: لا يتغير برنامج أحد قبل الاعتماد.',
      ],
    },
    confirm: {
      label: ['Confirm', 'اعتماد'],
      summary: ['Confirm a distribution: students change program', 'اعتماد التوزيع وإلحاق الطلاب ببرامجهم'],
      call: ['POST', '/specialization-time/confirm/{id}'],
      permission: 'confirm_specialization',
      from: { distributed: 'confirmed' },
      needs: ({ changed }) => changed,
      consequence: [
        'Every student who was given a program changes to it now, and is told.',
        'ينتقل الآن كل طالب إلى البرنامج الذي خُصص له ويصله إشعار بذلك.',
      ],
    },
    undo: {
      label: ['Take back', 'رجوع عن الاعتماد'],
      summary: ['Take a confirmed distribution back', 'الرجوع عن اعتماد التوزيع'],
      call: ['POST', '/specialization-time/undo/{id}'],
      permission: 'confirm_specialization',
      from: { confirmed: 'distributed' },
      needs: ({ used }) => used,
      reason: 'required',
      tone: 'refused',
      consequence: ['The students go back to their general program.', 'يعود الطلاب إلى برنامجهم العام.'],
    },
  },
  history: { path: '/specialization-time/steps/{id}', permission: 'show_specializationTime' },
})
export type WindowAction = keyof typeof specializationFlow.actions
export const specializationSteps = workflowCalls(specializationFlow)

const looked = z.array(option)
/** Calls of the documents beside those of the resource. */
export const windowCalls = {
  list: call('POST', '/specialization-time/list', {
    permission: 'access_specializationTime',
    summary: ['List specialisation windows', 'عرض فترات التشعيب'],
    body: listQuery,
    response: listOf(rowSchema(specializationTime, 'list')),
    reads: true,
  }),
  lookups: call('GET', '/specialization-time/lookups', {
    permission: ['access_specializationTime', 'add_specializationTime', 'edit_specializationTime'],
    summary: ['What a specialisation window is made of', 'قوائم الاختيار لفترات التشعيب'],
    response: z.object({
      data: z.object({
        bylaws: looked,
        /** General programs under these bylaws. */
        programs: z.array(option.extend({ bylaw_id: id })),
        specializations: z.array(
          option.extend({ bylaw_id: id, general_program_id: id, program_id: id, capacity: z.int() }),
        ),
        tie_rules: looked,
      }),
    }),
  }),
}
