/** The queue for a full offering. Linked offerings share their seats, and so their queue. */
import { firstRow } from '#db/rows.ts'
import { sql } from 'kysely'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { isSelf, reachOf, studentScope } from '../capacity.server.ts'
import { gatherRequest } from './gather.server.ts'
import { chosenSlots, judgeRequest, openStages, reasonsOf, wayIn } from './judge.server.ts'
import { speaksOf, withoutGiven } from './place.server.ts'
import { inQueueOf, moveWaiting, ringsJob, wakeWaitList } from './queue.server.ts'
import { givenOf, type GivenSeat } from '../swap/given.server.ts'
import { exchangeProblem } from '../swap/swap.rules.ts'
import { attemptOf, flag, fromWire, stageData } from '#areas/common/academics/status.rules.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import type { WaitRow } from './request.contract.ts'

/** Entries of a student's queues as answered; `w` is the entry, `o` its offering. */
export const waitColumns = sql`json_build_object('id', w.id, 'offering_id', w.offering_id, 'offering_code', o.code,
  'course', json_build_object('id', c.id, 'code', c.code, 'name', c.name, 'name_local', c.name_local, 'credit_hours', c.credit_hours),
  'position', (select count(*) from wait_list q where q.state = 'waiting' and q.id <= w.id and ${inQueueOf('q', 'o')}),
  'since', to_char(w.created_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'offering_slot_ids', w.offering_slot_ids,
  'gives_up', (select json_build_object('registration_id', r.id, 'course', json_build_object('id', gc.id, 'code', gc.code, 'name', gc.name, 'name_local', gc.name_local))
    from registrations r join courses gc on gc.id = r.course_id where r.id = w.gives_up_id), 'moved', w.state = 'moved', 'keeps', false,
  'answer', case when w.approved_at is not null then 'given' when exists (select from registrations r where r.id = w.gives_up_id
    and r.status & ${sql.raw(flag.Registered.toString())} <> 0 and r.course_id <> c.id) then 'waits' end)`

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

type Place = {
  student_id: number
  offering_id: number
  offering_slot_ids: readonly number[]
  improve: boolean
  /** A registration of the student that is given up in the moment in which the seat is had. */
  gives_up_id?: number | undefined
}

/** Judging again when the student registered for something meanwhile; more often would mean that something else is wrong. */
const ATTEMPTS = 6

/** Why a registration cannot be offered for a seat. */
const notOffered = (given: GivenSeat, problem: NonNullable<ReturnType<typeof exchangeProblem>>): Refusal => {
  const course = given.course_code
  if ('ends' in problem) return refuse(409, `swap_${problem.ends}`, { course }, 'gives_up_id')
  if (problem.waits !== 'stage') return refuse(409, `swap_${problem.waits}`, { course }, 'gives_up_id')
  return refuse(409, 'stage_closed', { ...stageData(problem.stage), course }, 'gives_up_id')
}

/** Joins once. @returns null when the student's registrations changed since they were judged */
async function join(ctx: Ctx, asked: Place): Promise<WaitRow | null> {
  const { student_id, offering_id, gives_up_id = null } = asked
  const g = await gatherRequest(ctx.pool, student_id, [offering_id])
  const offering = g?.offerings[0]
  if (!g || !offering) throw refuse(404, 'not_found')
  const self = isSelf(ctx, student_id)
  if (!self && reachOf(ctx, ['request_registration'], g.student) === null) throw refuse(404, 'not_found')
  const open = openStages(g, offering.term_id)
  const chosen = chosenSlots(offering, asked.offering_slot_ids)
  const given = gives_up_id === null ? null : await offeredBy(ctx, asked, offering.term_id)
  const same = given?.course_id === offering.course_id
  const problem = given && exchangeProblem({ ...given, same_course: same }, open)
  if (given && problem) throw notOffered(given, problem)
  const wanted = chosen.filter((id) => !given?.slot_ids.includes(id))
  if (given && !wanted.length) throw refuse(409, 'swap_nothing', { course: given.course_code })
  // Within a course, the attempt stays what it is.
  const improve = asked.improve || (same && attemptOf(fromWire(given.status)) === 'Improve')
  // Judged as the queue will judge when it moves, but for the seats, which are those of a student.
  const { judged } = await judgeRequest(
    ctx,
    given ? withoutGiven(g, given, given.slot_ids) : g,
    [{ ...asked, offering_slot_ids: chosen, improve }],
    { who: 'student', action: wayIn(open), overrides: [], over_quota: false, reason: null },
  )
  const refusals = judged.flatMap((one) => one.refusals).filter(({ code }) => speaksOf(code, same))
  const others = refusals.filter((refusal) => refusal.code !== 'slot_full')
  if (others.length)
    throw new Refusal(
      409,
      reasonsOf([{ offering_id, refusals: others }], () => null),
    )
  const row = await ctx.write(async (tx) => {
    // The turn first, like every request: who is moved or registers at this moment does not wait afterwards.
    const turns = await sql<{ turn: number }>`select turn from registration_turns
      where student_id = ${student_id} for no key update`.execute(tx)
    if (turns.rows[0]?.turn !== g.turn) return null
    const { rows } = await sql<{
      id: number
    }>`insert into wait_list (offering_id, student_id, offering_slot_ids, improve, gives_up_id, swap_slot_ids)
      values (${offering_id}, ${student_id}, ${wanted}::int[], ${improve}, ${gives_up_id}::int, ${given ? chosen : null}::int[])
      on conflict (offering_id, student_id) where state = 'waiting' do nothing returning id`.execute(tx)
    if (!rows[0]) throw refuse(409, 'wait_already', { course: offering.course_code })
    // The meetings are locked by now: a seat that is free, or was given back meanwhile, is not waited for.
    const { rows: full } =
      await sql`select from offering_slots where id = any(${wanted}::int[]) and taken + held >= quota limit 1`.execute(
        tx,
      )
    if (!full.length && !given) throw refuse(409, 'wait_not_full', { course: offering.course_code })
    if (given) {
      // A seat that is free is held for the queue, whose first may be this student.
      await sql`update offering_slots set held = greatest(held, least(waiting, quota - taken)) where id = any(${wanted}::int[])`.execute(
        tx,
      )
      await wakeWaitList(ctx, tx, [offering_id])
      await ctx.services.jobs.send(tx, ringsJob, {}, { actor: null })
    }
    const entry = await sql<{
      entry: WaitRow
    }>`select ${waitColumns} as entry from wait_list w join offerings o on o.id = w.offering_id
      join courses c on c.id = o.course_id where w.id = ${rows[0].id}`.execute(tx)
    return { entry: firstRow(entry.rows).entry, free: !full.length }
  })
  if (!row?.free || ctx.inUnit) return row && row.entry
  // Nobody waits for what can be had now.
  const root = await rootOf(ctx, offering_id)
  await moveWaiting(asSystem(ctx.services, 'a seat in exchange'), root)
  const { rows } = await sql<{ moved: boolean; keeps: boolean }>`select w.state = 'moved' as moved,
      w.state = 'moved' and exists (select from registration_exchanges x where x.gives_up_id = w.gives_up_id) as keeps
    from wait_list w where w.id = ${row.entry.id}`.execute(ctx.db)
  return { ...row.entry, ...rows[0] }
}

/** The offering whose queue it is: linked ones share it. */
async function rootOf(ctx: Ctx, id: number): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`select coalesce(linked_offering_id, id) as id from offerings where id = ${id}`.execute(ctx.db)
  return firstRow(rows).id
}

/** The registration that a student offers for a seat of the same term. @throws {Refusal} 404 for another's */
async function offeredBy(ctx: Ctx, { student_id, gives_up_id }: Place, termId: number): Promise<GivenSeat> {
  const given = (await givenOf(ctx.db, [gives_up_id!])).get(gives_up_id!)
  if (!given || given.student_id !== student_id || given.term_id !== termId)
    throw refuse(404, 'not_found', undefined, 'gives_up_id')
  return given
}

/**
 * Answers an exchange before the seat is there: agreed to, it comes about in one moment; else the place ends.
 * @throws {Refusal} 404 out of reach; 409 when it waits no longer, or needs no answer
 */
export function answerExchange(
  ctx: Ctx,
  id: number,
  { accept, reason }: { accept: boolean; reason: string | null },
): Promise<{ id: number }> {
  return ctx.write(
    async (tx) => {
      const { rows } = await sql<{
        state: string
        answer: string | null
        offering_id: number
        user_id: number | null
        student_id: number
        course: string
        given: string
      }>`
        select w.state, case when w.approved_at is not null then 'given' when r.status & ${sql.raw(flag.Registered.toString())} <> 0 and r.course_id <> o.course_id
          then 'waits' end as answer, w.offering_id, s.user_id, s.id as student_id, c.code as course, coalesce(g.code, '') as given
        from wait_list w join students s on s.id = w.student_id join programs p on p.id = s.program_id join offerings o on o.id = w.offering_id
          join courses c on c.id = o.course_id left join registrations r on r.id = w.gives_up_id left join courses g on g.id = r.course_id
        where w.id = ${id} and ${scopeCondition(ctx, ['accept_registration'], studentScope(ctx))} for update of w`.execute(
        tx,
      )
      const [row] = rows
      if (!row) throw refuse(404, 'not_found')
      if (row.state !== 'waiting') throw refuse(409, 'state_not_allowed')
      if (row.answer !== 'waits') throw refuse(409, 'swap_needs_no_answer', { course: row.course })
      if (accept) {
        await sql`update wait_list set approved_at = now(), approved_by = ${ctx.actor?.user_id ?? null} where id = ${id}`.execute(
          tx,
        )
        await wakeWaitList(ctx, tx, [row.offering_id])
        await ctx.services.jobs.send(tx, ringsJob, {}, { actor: null })
        return { id }
      }
      await sql`update wait_list set state = 'ended', end_reason = 'refused', moved_at = now() where id = ${id}`.execute(
        tx,
      )
      await notify(tx, [row.user_id], {
        key: `registration.notice_swap_ended_refused${reason ? '_reason' : ''}`,
        data: { course: row.course, given: row.given, ...(reason && { reason }) },
        link: '/offering/registration',
        records: [row.student_id],
      })
      return { id }
    },
    reason ? { reason } : {},
  )
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
