import { z } from 'zod'
import { call, date, f, id, listOf, listQuery, problem, ref, safeText } from '#kit/contract/index.ts'
import { RISK_KINDS, type RiskCode } from '../rules/risk.rules.ts'

/** How much a student is in need of somebody's attention. */
export const RISK_LEVELS = [
  { value: 'high', label: ['Help first', 'أولوية للمساعدة'], tone: 'refused' },
  { value: 'watch', label: ['Keep an eye on', 'قيد المتابعة'], tone: 'waiting' },
] as const
export const CONTACT_WAYS = [
  { value: 'meeting', label: ['Meeting', 'لقاء'] },
  { value: 'phone', label: ['Telephone', 'هاتف'] },
  { value: 'message', label: ['Message', 'رسالة'] },
  { value: 'mail', label: ['E-mail', 'بريد إلكتروني'] },
] as const
export const CONTACT_OUTCOMES = [
  { value: 'open', label: ['To follow up', 'للمتابعة'], tone: 'waiting' },
  { value: 'helped', label: ['Things go better', 'تحسنت الحالة'], tone: 'done' },
  { value: 'referred', label: ['Referred to others', 'أُحيل إلى جهة أخرى'], tone: 'draft' },
  { value: 'declined', label: ['Help declined', 'رفض المساعدة'], tone: 'refused' },
  { value: 'not_reached', label: ['Not reached', 'تعذر الوصول إليه'], tone: 'refused' },
] as const
const values = <T extends string>(of: readonly { readonly value: T }[]) => z.enum(of.map(({ value }) => value))

const codes = RISK_KINDS.map((kind): RiskCode => `risk_${kind}`)
/** A reason in words, and how much it weighs. */
export const riskReason = problem.extend({ code: z.enum(codes), points: z.int() })
export type RiskReasonRow = z.output<typeof riskReason>

const lastContact = z.object({
  on_date: z.string(),
  outcome: values(CONTACT_OUTCOMES),
  again_on: z.string().nullable(),
})

/** A student whose term stands out. */
export const riskRow = ref.extend({
  code: z.string(),
  name_local: z.string(),
  faculty: ref,
  program: ref,
  level: z.int(),
  advisor: ref.nullable(),
  risk: values(RISK_LEVELS),
  points: z.int(),
  /** The model's word, 0 to 1; null: none is used. */
  probability: z.number().nullable(),
  since: z.string(),
  reasons: z.array(riskReason),
  contact: lastContact.nullable(),
})
export type RiskRow = z.output<typeof riskRow>
const details = z.object({
  on: z.boolean(),
  high: z.int(),
  watch: z.int(),
  without_contact: z.int(),
  counted_at: z.string().nullable(),
})
export type RiskDetails = z.output<typeof details>

const contact = z.object({
  id,
  on_date: z.string(),
  way: values(CONTACT_WAYS),
  said: z.string(),
  outcome: values(CONTACT_OUTCOMES),
  outcome_note: z.string().nullable(),
  again_on: z.string().nullable(),
  by: ref.nullable(),
  version: z.int(),
  abilities: z.array(z.string()),
})
export type RiskContact = z.output<typeof contact>

/** What stood, and from when to when. */
const stood = z.object({
  id,
  level: values(RISK_LEVELS),
  points: z.int(),
  probability: z.number().nullable(),
  term: ref,
  began_at: z.string(),
  counted_at: z.string(),
  ended_at: z.string().nullable(),
  reasons: z.array(riskReason),
})
const student = ref.extend({ code: z.string(), faculty: ref, program: ref, level: z.int(), advisor: ref.nullable() })

/** What was said is changed by its fields alone; the form of the screen and the call ask the same. */
export const contactFields = {
  on_date: f.date(['Day', 'اليوم'], { required: true }),
  way: f.choice(['How', 'الوسيلة'], CONTACT_WAYS, { required: true }),
  said: f.longText(['What was said', 'ما دار'], { required: true, max: 2000 }),
  outcome: f.choice(['What came of it', 'النتيجة'], CONTACT_OUTCOMES, { required: true }),
  outcome_note: f.text(['More about it', 'تفاصيل النتيجة'], { max: 1000 }),
  again_on: f.date(['Speak again on', 'موعد المتابعة']),
}
const contactBody = z.strictObject({
  on_date: date,
  way: values(CONTACT_WAYS),
  said: safeText(2000, 1),
  outcome: values(CONTACT_OUTCOMES),
  outcome_note: safeText(1000).nullish(),
  again_on: date.nullish(),
})
const exported = listQuery.extend({
  lang: z.enum(['ar', 'en']).optional(),
  columns: z.array(z.string()).max(100).optional(),
  ids: z.array(id).max(5000).optional(),
})
const EXAMPLE = {
  on_date: '2025-11-10',
  way: 'meeting',
  said: 'Works at night; asks for another group.',
  outcome: 'open',
} as const

export const riskCalls = {
  list: call('POST', '/early-warning', {
    permission: 'access_early_warning',
    summary: ['Students whose term stands out', 'الطلاب المحتاجون إلى متابعة'],
    body: listQuery,
    response: listOf(riskRow).extend({
      meta: z.object({ count: z.int(), lookup: z.record(z.string(), z.unknown()).default({}), details }),
    }),
    reads: true,
  }),
  export: call('POST', '/early-warning/export', {
    permission: 'access_early_warning',
    summary: ['Export students whose term stands out', 'تصدير الطلاب المحتاجين إلى متابعة'],
    body: exported,
    file: { name: 'early-warning.xlsx', type: 'xlsx' },
    reads: true,
  }),
  of: call('GET', '/early-warning/students/{id}', {
    permission: 'access_early_warning',
    summary: ['What stands out of a student, since when, and what was done', 'ما يلفت النظر في حالة طالب وما تم بشأنه'],
    response: z.object({
      data: z.object({
        student,
        /** What stands now; null: nothing stands out. */
        now: stood.nullable(),
        before: z.array(stood),
        contacts: z.array(contact),
        may_note: z.boolean(),
      }),
    }),
  }),
  own: call('GET', '/early-warning/own', {
    permission: 'access_student',
    summary: ['What stands out of my term', 'ما يلفت النظر في فصلي الدراسي'],
    response: z.object({
      data: z.object({
        /** Whether the university shows it. */
        on: z.boolean(),
        counted_at: z.string().nullable(),
        level: values(RISK_LEVELS).nullable(),
        reasons: z.array(riskReason.omit({ points: true })),
        advisor: ref.nullable(),
        /** Days on which somebody spoke with the student. */
        contacts: z.array(z.object({ on_date: z.string(), way: values(CONTACT_WAYS) })),
      }),
    }),
  }),
  contact: call('POST', '/early-warning/students/{id}/contacts', {
    permission: 'note_early_warning',
    summary: ['Note that somebody spoke with a student', 'تسجيل التواصل مع طالب'],
    body: contactBody,
    response: z.object({ data: z.object({ id }) }),
    example: EXAMPLE,
  }),
  change: call('PUT', '/early-warning/contacts/{id}', {
    permission: 'note_early_warning',
    summary: ['Change a contact, or say what came of it', 'تعديل تواصل أو تسجيل نتيجته'],
    body: contactBody.extend({ version: z.int() }),
    response: z.object({ data: z.object({ id }) }),
    example: { ...EXAMPLE, outcome: 'helped', version: 1 },
  }),
  count: call('POST', '/early-warning/count', {
    permission: 'manage_early_warning',
    summary: ['Count the risks of all students now', 'حساب المخاطر لجميع الطلاب الآن'],
    response: z.object({ job_id: z.string() }),
  }),
}
