/** What becomes of the courses of a student who leaves, stays away for a time, or is back because a result was corrected. */
import { flag, type MainFlag } from '#areas/common/academics/status.rules.ts'
import { keepEnded, statusDecided, type DecidedOn } from '#areas/common/academics/student-status.server.ts'
import { LEFT_STATUSES } from '#areas/common/academics/student-status.rules.ts'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { hear } from '#kit/server/base/hears.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { sql } from 'kysely'
import { wakeWaitList } from '../requests/queue.server.ts'
import { changeEach, changeRegistrations } from './change.server.ts'

const maskOf = (mains: readonly MainFlag[]) => sql.raw(mains.reduce((bits, main) => bits | flag[main], 0n).toString())
const WAITING = maskOf(['RegisterRequest', 'AddRequest'])
const ASKS_TO_LEAVE = maskOf(['DropRequest', 'WithdrawRequest', 'ExcuseRequest'])

/** Requests that wait are taken back with their seats, because nobody could accept them any more. */
async function takeBackRequests(ctx: Ctx, tx: Tx, student_ids: readonly number[], reason: string): Promise<void> {
  const { rows } = await sql<{ offering_id: number }>`
    with x as materialized (
      select r.id, r.student_id, r.offering_id, r.status, array(select s.offering_slot_id from registration_slots s
        where s.registration_id = r.id order by 1) as slot_ids
      from registrations r where r.student_id = any(${[...student_ids]}::int[]) and r.status & ${WAITING} <> 0
      order by r.student_id, r.id for update
    ), held as materialized (
      select id from offering_slots where id in (select unnest(slot_ids) from x) order by id for no key update
    ), removed as (
      delete from registrations r using x where r.id = x.id and (select count(*) from held) >= 0
    )
    insert into registration_history (registration_id, student_id, offering_id, actor_id, impersonator_id, action,
      from_status, to_status, reason, overrides, offering_slot_ids)
    select id, student_id, offering_id, ${ctx.actor?.user_id ?? null}::int, ${ctx.actor?.impersonator_id ?? null}::int,
      'remove', status, null, ${reason}, null, slot_ids from x returning offering_id`.execute(tx)
  if (rows.length)
    await wakeWaitList(
      ctx,
      tx,
      rows.map((row) => row.offering_id),
    )
}

/**
 * Courses that run and have no result end: dropped, with the seat free for others, while somebody may still register for
 * the term; withdrawn after that. Answers them by their students.
 */
async function endCourses(ctx: Ctx, tx: Tx, student_ids: readonly number[], reason: string) {
  const system = asSystem(ctx.services, reason, ctx.lang)
  const running = async (mask: typeof WAITING) => {
    const { rows } = await sql<{ id: number; student_id: number; early: boolean }>`
      select r.id, r.student_id, o.control_status = 'Draft' and exists (select from stage_windows w join stage_codes c on c.id = w.stage_code_id
          where w.term_id = r.term_id and w.removed_at is null and c.code in ('register', 'add_drop') and w.ends_at > now()) as early
      from registrations r join offerings o on o.id = r.offering_id
      where r.student_id = any(${[...student_ids]}::int[]) and r.status & ${mask} <> 0 and r.letter is null
        and not exists (select from registration_marks m where m.registration_id = r.id and m.mark is not null and o.control_status <> 'Draft')
      order by r.id`.execute(tx)
    return rows
  }
  const asked = (await running(ASKS_TO_LEAVE)).map(({ id }) => id)
  if (asked.length) await changeRegistrations(system, asked, { action: 'reject' }, { reason })
  const courses = await running(maskOf(['Registered']))
  const early = courses.flatMap((one) => (one.early ? [one.id] : []))
  const dropped = new Set(
    early.length ? (await changeEach(system, early, { action: 'drop' }, { reason })).done.map(({ id }) => id) : [],
  )
  // What cannot be dropped, because a course with a result needs it beside it, is withdrawn from: nobody is kept here by it.
  const others = courses.flatMap(({ id }) => (dropped.has(id) ? [] : [id]))
  if (others.length) await changeRegistrations(system, others, { action: 'force_withdraw' }, { reason })
  return Map.groupBy(courses, (one) => one.student_id)
}

/** A dismissal that a corrected result has lifted: courses that ended with it are given back where that is still possible. */
async function giveBack(ctx: Ctx, tx: Tx, students: readonly DecidedOn[], reason: string): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select r.id from unnest(${students.map((one) => one.id)}::int[]) as s (id)
      cross join lateral (select d.left_ids from student_status_decisions d
        where d.student_id = s.id and d.to_status = 'dismissed' order by d.id desc limit 1) d
      join registrations r on r.id = any(d.left_ids) and r.letter is null join terms t on t.id = r.term_id and t.end_date >= university_today()
    where r.status & ${maskOf(['Dropped', 'ForcedWithdrawn'])} <> 0 order by r.id`.execute(tx)
  if (!rows.length) return
  await changeEach(
    asSystem(ctx.services, reason, ctx.lang),
    rows.map(({ id }) => id),
    { action: 'undo' },
    { reason },
  )
}

/** Who leaves loses what is asked for and the courses that run; who comes back by a corrected result gets them back. */
export const leavers = hear(statusDecided, async (ctx, tx, students, { to, decision, source }) => {
  const ids = students.map((student) => student.id)
  // A request that is being judged meanwhile is judged again, by the new status.
  await sql`update registration_turns set turn = turn + 1 where student_id in (select student_id from registration_turns
    where student_id = any(${ids}::int[]) order by 1 for no key update)`.execute(tx)
  if (to === 'studying') {
    if (source !== 'decision') await giveBack(ctx, tx, students, decision)
    return
  }
  await sql`update wait_list set state = 'left', moved_at = now() where student_id = any(${ids}::int[]) and state = 'waiting'`.execute(
    tx,
  )
  await takeBackRequests(ctx, tx, ids, decision)
  if (!LEFT_STATUSES.has(to)) return
  const ended = await endCourses(ctx, tx, ids, decision)
  await keepEnded(
    tx,
    students.flatMap(({ id, decision_id }) => {
      const courses = ended.get(id)
      return courses ? [{ decision_id, left_ids: courses.map((course) => course.id) }] : []
    }),
  )
})
