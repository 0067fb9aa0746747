import { call, id, listOf, ref, safeText } from '#kit/contract/index.ts'
import { z } from 'zod'

const found = ref.extend({ program: ref, level: z.int(), status: z.string(), removed: z.boolean() })

/** Finding, blocking and admitting students. */
export const standingCalls = {
  search: call('POST', '/students/search', {
    permission: 'access_students',
    summary: ['Find students by code or name', 'البحث عن طلاب بالكود أو الاسم'],
    body: z.strictObject({
      search: z.string().trim().min(1).max(200),
      limit: z.int().min(1).max(50).default(10),
    }),
    response: listOf(found),
    reads: true,
    example: { search: 'mona' },
  }),
  block: call('POST', '/block/{id}', {
    permission: ['block_student', 'block_person'],
    summary: ['Block a student or the account of a person, or lift the block', 'إيقاف طالب أو حساب شخص أو رفع الإيقاف'],
    body: z.strictObject({
      /** Whose id it is. */
      kind: z.enum(['student', 'user', 'instructor']).default('student'),
      blocked: z.boolean().default(true),
      /** Told to the student when signing in and registering; needed to block. */
      reason: safeText(400).nullish(),
    }),
    response: z.object({
      data: z.object({
        id,
        version: z.int(),
        blocked_at: z.string().nullable(),
        blocked_reason: z.string().nullable(),
      }),
    }),
    example: { blocked: true, reason: 'Investigation 14 of 2026' },
  }),
  migratedTemplate: call('POST', '/students/export_migrated_students_template', {
    permission: 'import_students',
    summary: ['Template for students brought from another system', 'نموذج الطلاب المنقولين من نظام آخر'],
    body: z.strictObject({}),
    file: { name: 'Migrated students template.xlsx', type: 'xlsx' },
    traced: false,
    reads: true,
    example: {},
  }),
}
