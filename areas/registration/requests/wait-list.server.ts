/** The queue for a full offering. Linked offerings share their seats, and so their queue. */
import { sql } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'
import { Refusal, refuse } from '#kit/server/errors.ts'
import { scopeCondition } from '#kit/server/scope.ts'
import { isSelf, reachOf, studentScope } from '../capacity.server.ts'
import { gather } from './gather.server.ts'
import { chosenSlots, judge, openStages, reasonsOf, wayIn } from './judge.server.ts'
import { inQueueOf } from './queue.server.ts'
import type { WaitRow } from './request.contract.ts'

/** Entries of a student's queues as answered; `w` is the entry, `o` its offering. */
export const waitColumns = sql`json_build_object('id', w.id, 'offering_id', w.offering_id, 'offering_code', o.code,
  'course', json_build_object('id', c.id, 'code', c.code, 'name', c.name, 'name_local', c.name_local, 'credit_hours', c.credit_hours),
  'position', (select count(*) from wait_list q where q.state = 'waiting' and q.id <= w.id and ${inQueueOf('q', 'o')}),
  'since', to_char(w.created_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'offering_slot_ids', w.offering_slot_ids)`

/**
 * Joins the queue of an offering for the slots chosen.
 * @throws {Refusal} 409 for every other rule that is broken, `wait_not_full` when there is a seat, `wait_already`
 */
export async function joinWaitList(ctx: Ctx, asked: Place): Promise<WaitRow> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const row = await join(ctx, asked)
    if (row) return row
  }
  throw refuse(409, 'changed_meanwhile')
}

type Place = { student_id: number; offering_id: number; offering_slot_ids: readonly number[]; improve: boolean }

/** Judging again when the student registered for something meanwhile; more often would mean that something else is wrong. */
const ATTEMPTS = 6

/** Joins once. @returns null when the student's registrations changed since they were judged */
async function join(ctx: Ctx, asked: Place): Promise<WaitRow | null> {
  const { student_id, offering_id } = asked
  const g = await gather(ctx.pool, student_id, [offering_id])
  const offering = g?.offerings[0]
  if (!g || !offering) throw refuse(404, 'not_found')
  const self = isSelf(ctx, student_id)
  if (!self && reachOf(ctx, ['request_registration'], g.student) === null) throw refuse(404, 'not_found')
  // Judged as the queue will judge when it moves, but for the seats, which are those of a student.
  const { judged } = await judge(ctx, g, [asked], {
    who: 'student',
    action: wayIn(openStages(g, offering.term_id)),
    overrides: [],
    over_quota: false,
    reason: null,
  })
  const refusals = judged.flatMap((one) => one.refusals)
  const others = refusals.filter((one) => one.code !== 'slot_full')
  if (others.length)
    throw new Refusal(
      409,
      reasonsOf([{ offering_id, refusals: others }], () => null),
    )
  if (!refusals.length) throw refuse(409, 'wait_not_full', { course: offering.course_code })
  return ctx.write(async (tx) => {
    // The turn first, like every request: who is moved or registers at this moment does not wait afterwards.
    const turns = await sql<{ turn: number }>`select turn from registration_turns
      where student_id = ${student_id} for no key update`.execute(tx)
    if (turns.rows[0]?.turn !== g.turn) return null
    const slots = chosenSlots(offering, asked.offering_slot_ids)
    const { rows } = await sql<{
      id: number
    }>`insert into wait_list (offering_id, student_id, offering_slot_ids, improve)
      values (${offering_id}, ${student_id}, ${slots}::int[], ${asked.improve})
      on conflict (offering_id, student_id) where state = 'waiting' do nothing returning id`.execute(tx)
    if (!rows[0]) throw refuse(409, 'wait_already', { course: offering.course_code })
    // The meetings are locked by now: a seat that was given back meanwhile is not waited for.
    const { rows: full } =
      await sql`select from offering_slots where id = any(${slots}::int[]) and taken + held >= quota limit 1`.execute(
        tx,
      )
    if (!full.length) throw refuse(409, 'wait_not_full', { course: offering.course_code })
    const entry = await sql<{
      entry: WaitRow
    }>`select ${waitColumns} as entry from wait_list w join offerings o on o.id = w.offering_id
      join courses c on c.id = o.course_id where w.id = ${rows[0].id}`.execute(tx)
    return entry.rows[0]!.entry
  })
}

/** Leaves a queue. @throws {Refusal} 404 for somebody else's entry; 409 when it has moved on */
export function leaveWaitList(ctx: Ctx, id: number): Promise<{ id: number }> {
  return ctx.write(async (tx) => {
    const { rows } = await sql<{ state: string }>`select w.state from wait_list w join students s on s.id = w.student_id
      join programs p on p.id = s.program_id
      where w.id = ${id} and ${scopeCondition(ctx, ['access_student', 'request_registration'], studentScope(ctx))} for update of w`.execute(
      tx,
    )
    if (!rows[0]) throw refuse(404, 'not_found')
    if (rows[0].state !== 'waiting') throw refuse(409, 'state_not_allowed')
    await sql`update wait_list set state = 'left', moved_at = now() where id = ${id}`.execute(tx)
    return { id }
  })
}
