import { z } from 'zod'
import { call, id, listOf, option, ref } from '#kit/contract/index.ts'
import { meeting } from '../slots/slots.contract.ts'
import { CONTROL_STATUSES, TEAM_ROLES } from '#areas/common/academics/offering-words.contract.ts'

/** An offering as its instructor sees it. */
const taught = z.object({
  id,
  code: z.string(),
  course: ref.extend({ credit_hours: z.number() }),
  term: ref,
  /** null: gives a meeting without being of the team. */
  role: z.enum(TEAM_ROLES.map((r) => r.value)).nullable(),
  control_status: z.enum(CONTROL_STATUSES.map((s) => s.value)),
  is_open: z.boolean(),
  /** The offering in whose groups its students sit. */
  seats_from: z.string().nullable(),
  registered: z.int(),
  requested: z.int(),
  groups: z.int(),
  /**
   * Marks to be entered (students × categories) and those that are there. `due`: some are there, or the window in which
   * they are entered has begun (without such a window: the term is over).
   */
  marks: z.object({ expected: z.int(), entered: z.int(), due: z.boolean() }),
  /** The reader's own meetings. */
  meetings: z.array(meeting.omit({ instructors: true }).extend({ group: z.int() })),
  /** The next of them within the term. Date and times of the university's own clock. */
  next: z.object({ slot_id: id, date: z.string(), start: z.string(), end: z.string() }).nullable(),
  abilities: z.array(z.string()),
})
export type TaughtOffering = z.output<typeof taught>

const mine = {
  permission: 'access_my_offerings',
  summary: ['Offerings the reader teaches', 'المقررات التي أدرّسها'],
  /** The current term unless told. */
  body: z.strictObject({ term_id: id.optional() }),
  response: listOf(taught).extend({ term: option.nullable(), terms: z.array(option) }),
  reads: true,
  example: {},
} as const

export const teachingCalls = {
  mine: call('POST', '/offerings/my-course-offerings', mine),
  staff: call('POST', '/staff/my-course-offerings', mine),
}
