/** A place in a queue, and whether its student may have the seat. */
import { sql } from 'kysely'
import { fromWire, statusToWire, withMain } from '#areas/common/academics/status.rules.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import type { RefusalCode } from '../registration-refusals.rules.ts'
import { givenOf, type GivenSeat } from '../swap/given.server.ts'
import { exchangeProblem, type EndReason } from '../swap/swap.rules.ts'
import { gatherRequest, type GatheredRequest } from './gather.server.ts'
import { judgeRequest, openStages, slotCodes, wayIn } from './judge.server.ts'
import type { NewRegistration } from './seat.server.ts'

/** A place in a queue. */
export type QueuePlace = {
  id: number
  offering_id: number
  student_id: number
  offering_slot_ids: number[]
  improve: boolean
  user_id: number | null
  course_code: string
  /** The registration that is given up for the seat; null: nothing is. */
  gives_up_id: number | null
  /** All meetings of the choice, where one is. */
  swap_slot_ids: number[] | null
  /** Whoever answers for the student has agreed to the exchange. */
  approved: boolean
}

/** In SQL: columns of a place `w`, of the student `s` and the course `c`. */
export const placeColumns = sql`w.id, w.offering_id, w.student_id, w.offering_slot_ids, w.improve, s.user_id, c.code as course_code,
  w.gives_up_id, w.swap_slot_ids, w.approved_at is not null as approved`

/** After one of these a place in the queue can never be used in this term. */
const FINAL: ReadonlySet<RefusalCode> = new Set([
  'already_registered',
  'already_passed',
  'improvement_grade',
  'improvement_limit',
])

type Ready = { is: 'ready'; g: GatheredRequest; registration: NewRegistration; given: GivenSeat | null }
type JudgedPlace =
  | Ready
  | { is: 'left' | 'keeps' | 'waits' }
  /** What was to be given up cannot be any more. */
  | { is: 'ends'; reason: EndReason; given: string }

/**
 * Judges a place in a queue by every rule, without what is given up for it.
 * @param seatsAside the seats themselves are settled otherwise: in a ring
 */
export async function judgePlace(ctx: Ctx, entry: QueuePlace, seatsAside = false): Promise<JudgedPlace> {
  const gathered = await gatherRequest(ctx.pool, entry.student_id, [entry.offering_id])
  const offering = gathered?.offerings[0]
  if (!gathered || !offering) return { is: 'left' }
  const open = openStages(gathered, offering.term_id)
  const stages = gathered.terms.find(({ id }) => id === offering.term_id)?.stages ?? []
  const ahead = stages.some(({ code, from }) => {
    return (code === 'register' || code === 'add_drop') && Date.parse(from) > Date.parse(gathered.now)
  })
  const notYet = { is: ahead ? 'keeps' : 'waits' } as const
  let given: GivenSeat | null = null
  let g = gathered
  const chosen = entry.swap_slot_ids ?? entry.offering_slot_ids
  if (entry.gives_up_id !== null) {
    given = (await givenOf(ctx.db, [entry.gives_up_id])).get(entry.gives_up_id) ?? null
    const same_course = given?.course_id === offering.course_id
    const problem = exchangeProblem(given && { ...given, same_course }, open)
    const known = given?.course_code ?? ''
    if (problem && 'ends' in problem) return { is: 'ends', reason: problem.ends, given: known }
    if (problem) return problem.waits === 'stage' ? notYet : { is: 'waits' }
    const { slot_ids } = given!
    const lacks = chosen.filter((id) => !slot_ids.includes(id))
    // Another group was chosen meanwhile: what is waited for is not what would be had.
    if (lacks.toSorted((a, b) => a - b).join() !== entry.offering_slot_ids.toSorted((a, b) => a - b).join())
      return { is: 'ends', reason: 'group', given: known }
    g = withoutGiven(gathered, given, slot_ids)
  }
  if (seatsAside) g = seated(g, chosen)
  const { judged, registrations } = await judgeRequest(ctx, g, [{ ...entry, offering_slot_ids: chosen }], {
    who: 'system',
    action: wayIn(open),
    overrides: [],
    over_quota: false,
    reason: null,
  })
  const same = given !== null && given.course_id === offering.course_id
  const codes = judged.flatMap((one) =>
    // Who changes the group within a course was let into the course before.
    one.refusals.flatMap(({ code }) => (speaksOf(code, same) ? [code] : [])),
  )
  const gone = codes.includes('not_studying') && g.student.status !== 'suspended'
  if (gone || codes.some((code) => FINAL.has(code))) return { is: 'left' }
  if (codes.every((code) => code === 'stage_closed') && codes.length) return notYet
  if (codes.length) return { is: 'waits' }
  const [made] = registrations as [NewRegistration]
  // What was agreed to is no request any more.
  const agreed = entry.approved && given?.main === 'Registered'
  const registration = agreed ? { ...made, status: statusToWire(withMain(fromWire(made.status), 'Registered')) } : made
  return { is: 'ready', g, registration, given }
}

/** Whether a refusal counts for who exchanges a seat: within a course, what speaks of the offering and its meetings alone. */
export const speaksOf = (code: RefusalCode, same: boolean): boolean => !same || slotCodes.has(code) || OFFERED.has(code)

/** What speaks of the wanted offering itself, whoever asks. */
const OFFERED: ReadonlySet<RefusalCode> = new Set([
  'stage_closed',
  'offering_draft',
  'offering_closed',
  'offering_control',
  'offering_program',
  'not_studying',
])

/**
 * A student without a registration that is given up; its meetings that stay chosen have a seat. What is to be given up
 * for a request goes with what takes that request's place.
 */
export const withoutGiven = (
  g: GatheredRequest,
  given: GivenSeat | null,
  kept: readonly number[],
): GatheredRequest => ({
  ...seated(g, kept),
  registrations: g.registrations.flatMap((one) =>
    one.id === given?.id ? [] : one.id === given?.behind_id ? { ...one, aside: true } : one,
  ),
})

/** Meetings in which the student has a seat, whoever else wants one. */
const seated = (g: GatheredRequest, ids: readonly number[]): GatheredRequest => ({
  ...g,
  offerings: g.offerings.map((offering) => ({
    ...offering,
    slots: offering.slots.map((slot) => (ids.includes(slot.id) ? { ...slot, quota: 1, taken: 0, held: 0 } : slot)),
  })),
})
