/** The queue for a full offering. Linked offerings share their seats, and so their queue. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/context.ts'
import { Refusal, refuse } from '#kit/server/errors.ts'
import { defineJob } from '#kit/server/jobs.ts'
import { notify } from '#kit/server/notifications.ts'
import { scopeCondition } from '#kit/server/scope.ts'
import { isSelf, reachOf, studentScope } from '../capacity.server.ts'
import { gather } from './gather.server.ts'
import { chosenSlots, judge, reasonsOf } from './judge.server.ts'
import { requestOfferings } from './request.server.ts'
import type { WaitRow } from './request.contract.ts'

const root = (alias: string) => sql.raw(`coalesce(${alias}.linked_offering_id, ${alias}.id)`)

/** Entries of a student's queues as answered; `w` is the entry, `o` its offering. */
export const waitColumns = sql`json_build_object('id', w.id, 'offering_id', w.offering_id, 'offering_code', o.code,
  'course', json_build_object('id', c.id, 'code', c.code, 'name', c.name, 'name_local', c.name_local, 'credit_hours', c.credit_hours),
  'position', (select count(*) from wait_list q join offerings qo on qo.id = q.offering_id
    where q.state = 'waiting' and q.id <= w.id and ${root('qo')} = ${root('o')}),
  'since', to_char(w.created_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'offering_slot_ids', w.offering_slot_ids)`

/**
 * Joins the queue of an offering for the slots chosen.
 * @throws {Refusal} 409 for every other rule that is broken, `wait_not_full` when there is a seat, `wait_already`
 */
export async function joinWaitList(
  ctx: Ctx,
  asked: { student_id: number; offering_id: number; offering_slot_ids: readonly number[] },
): Promise<WaitRow> {
  const { student_id, offering_id } = asked
  const g = await gather(ctx.pool, student_id, [offering_id])
  const offering = g?.offerings[0]
  if (!g || !offering) throw refuse(404, 'not_found')
  const self = isSelf(ctx, student_id)
  if (!self && reachOf(ctx, ['request_registration'], g.student) === null) throw refuse(404, 'not_found')
  const wanted = [{ offering_id, offering_slot_ids: asked.offering_slot_ids, improve: true }]
  // Judged as the queue will judge when it moves.
  const { judged } = await judge(ctx, g, wanted, {
    who: 'system',
    action: 'request',
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
    const slots = chosenSlots(offering, asked.offering_slot_ids)
    const { rows } = await sql<{ id: number }>`insert into wait_list (offering_id, student_id, offering_slot_ids)
      values (${offering_id}, ${student_id}, ${slots}::int[])
      on conflict (offering_id, student_id) where state = 'waiting' do nothing returning id`.execute(tx)
    if (!rows[0]) throw refuse(409, 'wait_already', { course: offering.course_code })
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

/** Seats of these offerings were given back: when somebody waits for them, the queue moves once `tx` commits. */
export async function wakeWaitList(ctx: Ctx, tx: Tx, offeringIds: readonly number[]): Promise<void> {
  const { rows } = await sql<{ root_id: number }>`select distinct ${root('o')} as root_id
    from wait_list w join offerings o on o.id = w.offering_id
    where w.state = 'waiting' and ${root('o')} in (select ${root('f')} from offerings f where f.id = any(${[...offeringIds]}::int[]))`.execute(
    tx,
  )
  for (const { root_id } of rows) await ctx.services.jobs.send(tx, waitListJob, { root_id }, { actor: null })
}

type Entry = {
  id: number
  offering_id: number
  student_id: number
  offering_slot_ids: number[]
  user_id: number | null
  course_code: string
}

/**
 * Moves whoever can be moved, the first first: each is judged anew by every rule, and gets the seat as anybody would.
 * Doing it twice, or in two processes at once, moves nobody twice.
 *
 * @returns how many were moved
 */
export async function moveWaiting(ctx: Ctx, rootId: number): Promise<number> {
  const { rows } =
    await sql<Entry>`select w.id, w.offering_id, w.student_id, w.offering_slot_ids, s.user_id, c.code as course_code
    from wait_list w join offerings o on o.id = w.offering_id join courses c on c.id = o.course_id
    join students s on s.id = w.student_id
    where w.state = 'waiting' and ${root('o')} = ${rootId} order by w.id`.execute(ctx.db)
  let moved = 0
  for (const entry of rows) {
    const state = await moveOne(ctx, entry)
    if (state === 'waiting') continue
    await ctx.write(async (tx) => {
      const { numAffectedRows } = await sql`update wait_list set state = ${state}, moved_at = now()
        where id = ${entry.id} and state = 'waiting'`.execute(tx)
      if (state !== 'moved' || numAffectedRows !== 1n) return
      moved++
      await notify(tx, [entry.user_id], {
        key: 'registration.notice_moved',
        data: { course: entry.course_code },
        link: '/offering/registration',
      })
    })
  }
  return moved
}

async function moveOne(ctx: Ctx, entry: Entry): Promise<'waiting' | 'moved' | 'left'> {
  try {
    await requestOfferings(ctx, {
      student_id: entry.student_id,
      action: 'request',
      offerings: [{ offering_id: entry.offering_id, offering_slot_ids: entry.offering_slot_ids, improve: true }],
      reason: 'wait list',
    })
    return 'moved'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (!error.reasons.some((reason) => reason.code === 'already_registered')) return 'waiting'
    // Registered meanwhile: by an earlier run of this very move, or otherwise.
    const { rows } =
      await sql`select from registrations where student_id = ${entry.student_id} and offering_id = ${entry.offering_id}`.execute(
        ctx.db,
      )
    return rows.length ? 'moved' : 'left'
  }
}

/** Moves the queue of an offering. */
export const waitListJob = defineJob<{ root_id: number }, { moved: number }>({
  name: 'registration-wait-list',
  retries: 5,
  run: async (ctx, { root_id }) => ({ moved: await moveWaiting(ctx, root_id) }),
})
