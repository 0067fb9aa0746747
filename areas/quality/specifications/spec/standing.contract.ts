import { call, id, problem, ref } from '#kit/contract/index.ts'
import { z } from 'zod'

/** How far the specification of a course or program is in a year. */
export const SPECIFICATION_STANDINGS = [
  { value: 'approved', label: ['Approved', 'معتمد'], tone: 'done' },
  { value: 'submitted', label: ['Submitted', 'مُقدَّم'], tone: 'waiting' },
  { value: 'sent_back', label: ['Sent back', 'أُعيد للتعديل'], tone: 'waiting' },
  { value: 'draft', label: ['In work', 'قيد الإعداد'], tone: 'draft' },
  { value: 'none', label: ['None', 'لا يوجد'], tone: 'refused' },
] as const
export type SpecificationStanding = (typeof SPECIFICATION_STANDINGS)[number]['value']

const counted = z.object({
  approved: z.int(),
  submitted: z.int(),
  sent_back: z.int(),
  draft: z.int(),
  none: z.int(),
})
export const specStandingCalls = {
  standing: call('POST', '/specifications/standing', {
    permission: ['approve_specification', 'export_specification'],
    summary: ['How far the specifications of a year are, by department', 'موقف توصيفات عام حسب الأقسام'],
    body: z.strictObject({
      year_id: id.optional(),
      faculty_id: id.optional(),
      /** What of them each department has. */
      department_id: id.optional(),
    }),
    response: z.object({
      data: z.object({
        year: ref.nullable(),
        departments: z.array(
          z.object({ faculty: ref.nullable(), department: ref.nullable(), courses: counted, programs: counted }),
        ),
        /** Of the department asked for: courses offered in the year and programs, with what is missing. */
        of: z.array(
          z.object({
            type: z.enum(['course', 'program']),
            of: ref,
            specification_id: id.nullable(),
            standing: z.enum(SPECIFICATION_STANDINGS.map((one) => one.value)),
            gaps: z.array(z.object({ blocks: z.boolean(), problem })),
          }),
        ),
      }),
    }),
    reads: true,
    example: {},
  }),
}
