import { z } from 'zod'
import { call, f, id, ref, request, safeText } from '#kit/contract/index.ts'
import { checkExcuse } from './excuse.rules.ts'
import type { ExcuseFacts } from './excuse.rules.ts'

/** From what a student is excused. */
export const EXCUSE_KINDS = [
  { value: 'absence', label: ['Absence from meetings', 'غياب عن المواعيد'] },
  { value: 'exam', label: ['Exam', 'امتحان'] },
  { value: 'course', label: ['Course', 'مقرر'] },
  { value: 'term', label: ['Whole term', 'الفصل كله'] },
] as const

/** Excuses: asked for by the student, with a paper, and decided by the registrar. */
export const excuse = request('excuse', {
  path: '/excuses',
  one: ['Excuse', 'عذر'],
  many: ['Excuses', 'الأعذار'],
  adding: ['Ask for an excuse', 'تقديم عذر'],
  menu: { group: 'services', order: 20, icon: 'mood-sick' },
  needs: (facts: ExcuseFacts) => checkExcuse(facts),
  consequence: [
    'A course becomes Excused, and its seat is free; for a term, every course of it. Absences on the days are excused.',
    'تصبح حالة المقرر «معذور» ويُخلى مقعده، وفي عذر الفصل كل مقرراته. ويُعد الغياب في الأيام المحددة بعذر.',
  ],
  fields: {
    kind: f.choice(['Excused from', 'العذر عن'], EXCUSE_KINDS, { required: true, createOnly: true }),
    term_id: f.lookup(['Term', 'الفصل الدراسي'], 'term', { createOnly: true }),
    offering_id: f.lookup(['Course', 'المقرر'], 'offering', { createOnly: true }),
    from_date: f.date(['First day', 'أول يوم']),
    to_date: f.date(['Last day', 'آخر يوم']),
    file_id: f.file(['Paper', 'المستند'], { accept: ['pdf', 'png', 'jpg'] }),
    outside_reason: f.text(['Reason for a closed window', 'سبب تجاوز المرحلة المغلقة'], { max: 500, detailOnly: true }),
  },
})

const lookupsAnswer = z.object({
  data: z.object({
    term: ref.extend({ start_date: z.string(), end_date: z.string() }).nullable(),
    /** Whether excuses are asked for now. */
    open: z.boolean(),
    courses: z.array(ref),
    kinds: z.array(z.object({ value: z.string(), name: z.string(), name_local: z.string() })),
  }),
})
export const excuseCalls = {
  ownLookups: call('GET', '/excuses/get_lookups', {
    permission: 'add_excuse',
    summary: ['What I can be excused from', 'ما يمكنني تقديم عذر عنه'],
    response: lookupsAnswer,
  }),
  lookups: call('GET', '/excuses/get_lookups/{id}', {
    permission: 'add_excuse',
    summary: ['What a student can be excused from', 'ما يمكن للطالب تقديم عذر عنه'],
    response: lookupsAnswer,
  }),
  change: call('POST', '/excuses/{id}', {
    permission: 'add_excuse',
    summary: ['Change an excuse that waits', 'تعديل عذر قيد الموافقة'],
    body: z.strictObject({
      why: safeText(2000, 3).optional(),
      from_date: z.iso.date().nullable().optional(),
      to_date: z.iso.date().nullable().optional(),
      file_id: id.nullable().optional(),
      version: z.int().optional(),
    }),
    response: z.object({ data: z.object({ id, version: z.int() }) }),
    example: { why: 'I was ill, the paper is attached.' },
  }),
  updateStatus: call('POST', '/excuses/update_status/{id}', {
    permission: ['decide_excuse', 'add_excuse'],
    summary: ['Accept, reject, reopen or take back an excuse', 'قبول العذر أو رفضه أو إعادة فتحه أو سحبه'],
    body: z.strictObject({
      status: z.enum(['accepted', 'rejected', 'requested', 'cancelled']),
      reason: safeText(500).optional(),
      version: z.int().optional(),
    }),
    response: z.object({
      data: z.object({ id, version: z.int(), status: z.enum(['requested', 'accepted', 'rejected', 'cancelled']) }),
    }),
    example: { status: 'rejected', reason: 'The paper does not show the days.' },
  }),
}
