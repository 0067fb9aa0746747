import { z } from 'zod'
import { call, id } from '#kit/contract/index.ts'
import { REQUIREMENT_TYPES } from '../words.contract.ts'

/** One requirement of a bylaw by itself. */
export const requirementCalls = {
  /** One course, as it stands at that moment: whoever changes another one meanwhile is not overwritten. */
  requireCourse: call('POST', '/bylaws/requirement/{id}', {
    permission: 'edit_bylaw_settings',
    summary: [
      'Require a course in all programs of a bylaw, or no more',
      'اشتراط مقرر في كل برامج اللائحة أو رفع اشتراطه',
    ],
    body: z.strictObject({ type: z.enum(REQUIREMENT_TYPES), course_id: id, required: z.boolean() }),
    response: z.object({
      data: z.object({
        /** Programs that take it over now; null: it stood so already. */
        programs: z.int().nullable(),
        operation_id: id.nullable(),
      }),
    }),
    example: { type: 'university', course_id: 1, required: true },
  }),
}
