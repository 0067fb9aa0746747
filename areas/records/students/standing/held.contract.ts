import { z } from 'zod'
import { call, id, safeText } from '#kit/contract/index.ts'

const WHAT = z.enum(['results', 'certificates'])
const held = z.object({
  data: z.object({
    /** What an overdue invoice keeps from the student now. */
    results: z.boolean(),
    certificates: z.boolean(),
    /** Numbers of the invoices that are overdue. */
    invoices: z.array(z.string()),
    /** Holds that staff have set aside. */
    overrides: z.array(
      z.object({
        what: WHAT,
        reason: z.string(),
        until: z.string().nullable(),
        by: z.object({ name: z.string(), name_local: z.string().nullable() }).nullable(),
      }),
    ),
    abilities: z.array(z.enum(['override', 'end'])),
  }),
})
export type HeldStudents = z.output<typeof held>['data']

/** What a debt keeps from a student: results and certificates, as the university has it. */
export const heldCalls = {
  own: call('GET', '/students/held', {
    permission: 'access_student',
    summary: ['What an overdue invoice keeps from me', 'ما تحجبه عني فاتورة متأخرة'],
    response: held,
  }),
  of: call('GET', '/students/held/{id}', {
    permission: ['show_students', 'show_student_record', 'override_hold'],
    summary: ['What an overdue invoice keeps from a student', 'ما تحجبه فاتورة متأخرة عن طالب'],
    response: held,
  }),
  override: call('POST', '/students/held/{id}/override', {
    permission: 'override_hold',
    summary: [
      'Set a hold on results or certificates aside, with a reason',
      'تجاوز حجب النتائج أو الشهادات مع ذكر السبب',
    ],
    body: z.strictObject({ what: WHAT, reason: safeText(500, 3), until: z.iso.date().nullish() }),
    response: z.object({ data: z.object({ id }) }),
    example: { what: 'results', reason: 'Pays by a scholarship that is on its way' },
  }),
  end: call('POST', '/students/held/{id}/end', {
    permission: 'override_hold',
    summary: ['Take back that a hold was set aside', 'إنهاء تجاوز الحجب'],
    body: z.strictObject({ what: WHAT }),
    response: z.object({ data: z.object({ id }) }),
    example: { what: 'results' },
  }),
}
export const heldErrors = {
  results_held: [
    'Results are held while an invoice is overdue: pay it first.',
    'النتائج محجوبة لوجود فاتورة متأخرة: سددها أولًا.',
  ],
  certificates_held: [
    'Certificates are held while an invoice is overdue: it is paid first, or somebody sets the hold aside.',
    'الشهادات محجوبة لوجود فاتورة متأخرة: تُسدد أولًا أو يُتجاوز الحجب.',
  ],
  hold_override_twice: ['It is set aside already.', 'الحجب متجاوز بالفعل.'],
  hold_override_past: ['This day has passed: the hold would stay.', 'مضى هذا اليوم: سيبقى الحجب.'],
  hold_override_none: ['It is not set aside.', 'لا يوجد تجاوز.'],
} as const
