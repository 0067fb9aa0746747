import { z } from 'zod'
import { bulkResult, call, id, safeText } from '#kit/contract/index.ts'
import { refusalCodes } from '../registration-refusals.rules.ts'

const students = z.array(id).min(1).max(1000)
const overrides = z
  .array(z.strictObject({ code: z.enum(refusalCodes), reason: safeText(500) }))
  .max(20)
  .default([])

export const bulkCalls = {
  /** Without slots each student gets a group with a free seat that clashes with nothing. `failed` tells each rule that is broken. */
  enroll: call('POST', '/registrations/enroll_students', {
    permission: 'enroll_students',
    summary: ['Enrol many students in an offering', 'تسجيل مجموعة طلاب في مقرر'],
    body: z.strictObject({
      offering_id: id,
      student_ids: students,
      offering_slot_ids: z.array(id).max(40).default([]),
      /** Who has passed the course is enrolled to improve the grade, which may use up what the bylaw allows; else refused. */
      improve: z.boolean().default(false),
      overrides,
      over_quota: z.boolean().default(false),
      reason: safeText(500).nullish(),
    }),
    response: bulkResult,
    example: { offering_id: 1, student_ids: [1] },
  }),
  remove: call('POST', '/registrations/delete_registrations/{offering_id}', {
    permission: ['enroll_students', 'remove_registration'],
    summary: ['Remove registrations of an offering', 'حذف تسجيلات من مقرر'],
    body: z.strictObject({ student_ids: students, reason: safeText(500, 1), overrides }),
    response: bulkResult,
    example: { student_ids: [1], reason: 'Registered by mistake' },
  }),
  /** The course counts as passed without a mark; a seat that was held is given back. */
  exempt: call('POST', '/registrations/exempt_students', {
    permission: 'exempt_students',
    summary: ['Exempt students from a course', 'إعفاء طلاب من مقرر'],
    body: z.strictObject({ offering_id: id, student_ids: students, reason: safeText(500, 1) }),
    response: bulkResult,
    example: { offering_id: 1, student_ids: [1], reason: 'Certificate accepted' },
  }),
}
export type BulkResult = z.output<typeof bulkResult>
