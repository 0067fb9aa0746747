import { z } from 'zod'
import { CURRENCY_CHOICES } from '#areas/money/fees/words.contract.ts'
import { call, date, exportQuery, f, id, listOf, listQuery, ref, safeText, screen } from '#kit/contract/index.ts'
import { MOST_PARTS } from './plan.rules.ts'

const money = z.int()
export const PLAN_STATES = [
  { value: 'asked', label: ['Asked for', 'قيد النظر'], tone: 'waiting' },
  { value: 'refused', label: ['Refused', 'مرفوضة'], tone: 'refused' },
  { value: 'withdrawn', label: ['Taken back', 'سُحب'], tone: 'frozen' },
  { value: 'running', label: ['Running', 'سارية'], tone: 'active' },
  { value: 'kept', label: ['Kept', 'أُوفي به'], tone: 'done' },
  { value: 'broken', label: ['Broken', 'لم يُوفَ به'], tone: 'refused' },
  { value: 'ended', label: ['Ended', 'منتهٍ'], tone: 'frozen' },
] as const

/** Fields by which plans are filtered and ordered. */
export const planFields = {
  student_id: f.lookup(['Student', 'الطالب'], 'student'),
  invoice_id: f.lookup(['Invoice', 'فاتورة'], 'invoice'),
  faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty'),
  state: f.choice(['State', 'الحالة'], PLAN_STATES),
  currency: f.choice(['Currency', 'العملة'], CURRENCY_CHOICES),
  parts_asked: f.integer(['Number of parts', 'عدد الأقساط']),
  first_day: f.date(['First part until', 'القسط الأول حتى']),
  why: f.text(['Reason for asking', 'سبب الطلب']),
  reason: f.text(['Why it was refused or ended', 'سبب الرفض أو الانتهاء']),
  asked_on: f.date(['Asked on', 'تاريخ الطلب']),
}

const part = z.object({ amount: money, due_date: z.string() })
/** A part as it was agreed, and what is paid of it; what is not owed any more counts as paid. */
const agreed = part.extend({ paid: money })
const row = z.object({
  id,
  version: z.int(),
  student: ref,
  faculty: ref.nullable(),
  /** null: of all that is owed in the currency. */
  invoice: z.object({ id, number: z.string() }).nullable(),
  currency: z.string(),
  parts_asked: z.int(),
  first_day: z.string(),
  why: z.string(),
  state: z.enum(PLAN_STATES.map((one) => one.value)),
  /** Of what it covers, or would cover: what is open now. */
  open: money,
  /** Since when the oldest part waits that is not paid. */
  next_day: z.string().nullable(),
  parts: z.array(agreed),
  /** Other plans of the student that were broken. */
  broken_before: z.int(),
  asked_by: ref.nullable(),
  asked_on: z.string(),
  decided_by: ref.nullable(),
  decided_on: z.string().nullable(),
  ended_on: z.string().nullable(),
  reason: z.string().nullable(),
  abilities: z.array(z.enum(['accept', 'refuse', 'withdraw', 'end'])),
})
export type PlanRow = z.output<typeof row>

const covered = z.object({
  id,
  number: z.string(),
  open: money,
  /** The instalments as they are, and as the plan found them: the same while it waits. */
  now: z.array(part.extend({ settled: money })),
  before: z.array(part),
})
const detail = row.extend({ today: z.string(), invoices: z.array(covered) })
export type PlanDetail = z.output<typeof detail>
const one = z.object({ data: row })

const owed = z.object({
  currency: z.string(),
  open: money,
  /** A plan of all of it waits or runs already. */
  taken: z.enum(['asked', 'running']).nullable(),
  invoices: z.array(
    z.object({
      id,
      number: z.string(),
      open: money,
      due_date: z.string(),
      taken: z.enum(['asked', 'running']).nullable(),
    }),
  ),
})
const offer = z.object({
  today: z.string(),
  limits: z.object({ most_parts: z.int(), first_days: z.int() }),
  owed: z.array(owed),
})
export type PlanOffer = z.output<typeof offer>

const reason = safeText(500, 3)
export const planCalls = {
  list: call('POST', '/payment-plans', {
    permission: 'access_plan',
    summary: ['List payment plans', 'عرض خطط السداد'],
    body: listQuery,
    response: listOf(row),
    reads: true,
  }),
  show: call('GET', '/payment-plans/{id}', {
    permission: 'access_plan',
    summary: ['A payment plan, with the instalments before and now', 'خطة سداد بأقساطها قبلها والآن'],
    response: z.object({ data: detail }),
  }),
  offer: call('GET', '/payment-plans/offer/{id}', {
    permission: 'ask_plan',
    summary: ['What a student may ask to pay in parts', 'ما يمكن للطالب طلب سداده على أقساط'],
    response: z.object({ data: offer }),
  }),
  ask: call('PUT', '/payment-plans', {
    permission: 'ask_plan',
    summary: ['Ask for a payment plan', 'طلب خطة سداد'],
    body: z.strictObject({
      /** Of an invoice; else of all that the student owes in the currency. */
      invoice_id: id.nullish(),
      student_id: id.nullish(),
      currency: z.enum(['EGP', 'USD']).nullish(),
      parts: z.int().min(1).max(MOST_PARTS),
      first_day: date,
      why: safeText(1000, 3),
    }),
    response: one,
  }),
  accept: call('POST', '/payment-plans/accept/{id}', {
    permission: 'decide_plan',
    summary: [
      'Agree on a payment plan, as it was asked for or with other parts',
      'الموافقة على خطة سداد كما طُلبت أو بأقساط أخرى',
    ],
    body: z.strictObject({
      /** Amounts and days instead of those that were asked for; together what is open. */
      parts: z
        .array(z.strictObject({ amount: z.int().min(0).max(1_000_000_000_000), due_date: date }))
        .min(1)
        .max(MOST_PARTS)
        .optional(),
      version: z.int().optional(),
    }),
    response: one,
    example: {},
  }),
  refuse: call('POST', '/payment-plans/refuse/{id}', {
    permission: 'decide_plan',
    summary: ['Refuse a payment plan, with a reason', 'رفض خطة سداد مع ذكر السبب'],
    body: z.strictObject({ reason, version: z.int().optional() }),
    response: one,
    example: { reason: 'The last plan was broken' },
  }),
  withdraw: call('POST', '/payment-plans/withdraw/{id}', {
    permission: 'ask_plan',
    summary: ['Take back a payment plan that waits', 'سحب خطة سداد لم يُبت فيها'],
    body: z.strictObject({ version: z.int().optional() }),
    response: one,
    example: {},
  }),
  end: call('POST', '/payment-plans/end/{id}', {
    permission: 'decide_plan',
    summary: ['End a payment plan that runs, with a reason', 'إنهاء خطة سداد سارية مع ذكر السبب'],
    body: z.strictObject({ reason, version: z.int().optional() }),
    response: one,
    example: { reason: 'Agreed for another student' },
  }),
  export: call('POST', '/payment-plans/export', {
    permission: 'export_reminder',
    summary: ['Export payment plans as a spreadsheet', 'تصدير خطط السداد جدولًا'],
    body: exportQuery,
    file: { name: 'Payment plans.xlsx', type: 'xlsx', fixed: true },
    reads: true,
  }),
}

/** What the area takes over of plans. */
export const plansPart = {
  screens: [
    screen('/payment-plans', {
      permission: 'access_plan',
      title: ['Payment plans', 'خطط السداد'],
      menu: {
        group: 'finance',
        order: 114,
        icon: 'calendar-repeat',
        notFor: [3],
        block: 'invoices',
        subject: 'collecting',
      },
    }),
  ],
  notices: {
    notice_plan_agreed: {
      title: ['Payment plans that are agreed', 'خطط سداد اعتُمدت'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_plan_refused: {
      title: ['Payment plans that are refused', 'خطط سداد رُفضت'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_plan_kept: {
      title: ['Payment plans that were kept', 'خطط سداد التُزم بها'],
      audience: [3],
      app: 'on',
      mail: 'off',
    },
    notice_plan_broken: {
      title: ['Payment plans that were broken', 'خطط سداد أُخل بها'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_plan_ended: {
      title: ['Payment plans that ended early', 'خطط سداد انتهت مبكرًا'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_plan_over: {
      title: ['Payment plans of students that were broken or ended early', 'خطط سداد لطلاب أُخل بها أو انتهت مبكرًا'],
      audience: [2],
      app: 'on',
      mail: 'digest',
    },
  },
  // Some are named like the constraints of the tables that guard them.
  errors: {
    plan_asked: ['A plan of it waits to be decided already.', 'توجد خطة سداد لذلك تنتظر القرار بالفعل.'],
    plan_running: ['A plan of it runs already.', 'توجد خطة سداد سارية لذلك بالفعل.'],
    plan_nothing_open: ['Nothing is owed of it.', 'لا يوجد ما يُسدد.'],
    plan_most_parts: ['At most {most} parts.', 'عدد الأقساط {most} على الأكثر.'],
    plan_parts_small: ['So little is not paid in so many parts.', 'المبلغ أقل من أن يُقسم على هذا العدد.'],
    plan_day_over: ['{day} is over. Choose {today} or a later day.', 'مضى {day}. اختر {today} أو تاريخًا لاحقًا.'],
    plan_first_far: ['The first part is due on {day} at the latest.', 'القسط الأول في {day} على الأكثر.'],
    plan_last_far: ['The last part is due on {day} at the latest.', 'القسط الأخير في {day} على الأكثر.'],
    plan_days_order: ['Each part is due later than the one before.', 'يُستحق كل قسط بعد سابقه.'],
    plan_part_nothing: ['A part has an amount.', 'لا بد للقسط من مبلغ.'],
    plan_sum: ['The parts are {sum} together, and {open} is open.', 'مجموع الأقساط {sum} والمتبقي {open}.'],
    plan_decided: ['It was decided on already.', 'بُتّ فيها من قبل.'],
    plan_not_running: ['The plan does not run.', 'الخطة غير سارية.'],
    plan_own_request: ['Another person decides on what you asked for.', 'يبت في طلبك شخص آخر.'],
    plan_not_own_request: ['Only who asked, or the student, takes it back.', 'لا يسحب الطلب إلا من قدّمه أو الطالب نفسه.'],
    plan_kept_as_agreed: ['A plan stays as it was agreed.', 'تبقى الخطة كما اتُفق عليها.'],
    plan_stands: ['A plan runs exactly while it covers an invoice.', 'تسري الخطة ما دامت تشمل فاتورة.'],
  },
} as const
