import { bulkResult, call, id, listOf, listQuery, ref, safeText } from '#kit/contract/index.ts'
import { z } from 'zod'

/** A student of a general program, or one who was specialised. */
const candidate = z.object({
  id,
  code: z.string(),
  name: z.string(),
  name_local: z.string(),
  program: ref,
  faculty: ref,
  level: z.int(),
  gpa: z.string().nullable(),
  passed_hours: z.string(),
  /** In the window that is open or was last. */
  wishes: z.int(),
  first: ref.nullable(),
  /** Into what the student was specialised last. */
  given: ref.nullable(),
  abilities: z.array(z.string()),
})
export type SpecializationCandidate = z.output<typeof candidate>

/** A program a student was given, and perhaps lost again. */
const givenRow = z.object({
  id,
  specialization: ref,
  from: ref,
  into: ref,
  /** null: by hand. */
  window: z.object({ id, start_date: z.string(), end_date: z.string() }).nullable(),
  preference: z.int().nullable(),
  reason: z.string().nullable(),
  assigned_at: z.string(),
  assigned_by: z.object({ name: z.string(), name_local: z.string() }).nullable(),
  removed_at: z.string().nullable(),
  removed_reason: z.string().nullable(),
  abilities: z.array(z.string()),
})
export type GivenRow = z.output<typeof givenRow>

export const studentCalls = {
  list: call('POST', '/specialization/students', {
    permission: 'access_specialization',
    summary: ['List students of general programs', 'عرض طلاب البرامج العامة'],
    body: listQuery,
    response: listOf(candidate),
    reads: true,
  }),
  given: call('GET', '/specialization/student-specializations/{id}', {
    permission: ['access_student_specialization', 'access_student'],
    summary: ['Show how a student was specialised', 'عرض تشعيب طالب'],
    response: z.object({ data: z.object({ student: ref, program: ref, rows: z.array(givenRow) }) }),
  }),
  remove: call('DELETE', '/specialization/student-specialization/{id}', {
    permission: 'bulk_specialize',
    summary: ['Take a specialisation of a student back', 'إلغاء تشعيب طالب'],
    body: z.strictObject({ reason: safeText(500).optional(), version: z.int().optional() }).optional(),
    response: z.object({ id }),
    example: { reason: 'Entered by mistake' },
  }),
  /** Without `override` who does not meet the conditions, or has no place, is told as failed. */
  bulk: call('POST', '/specialization/bulk-specialize/{programId}', {
    permission: 'bulk_specialize',
    summary: ['Put students into a program', 'إلحاق طلاب ببرنامج'],
    body: z.strictObject({
      student_ids: z.array(id).min(1).max(2000),
      reason: safeText(500).optional(),
      /** Conditions and places are set aside: a reason is asked for. */
      override: z.boolean().default(false),
    }),
    response: bulkResult,
    example: { student_ids: [1] },
  }),
}
