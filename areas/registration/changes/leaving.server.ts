/** What becomes of the requests of a student who leaves, or may not study for a time. */
import { sql } from 'kysely'
import { flag } from '#areas/academics/status.rules.ts'
import { setLeaving } from '#areas/students/standing/status.server.ts'
import { wakeWaitList } from '../requests/queue.server.ts'

const WAITING = sql.raw((flag.RegisterRequest | flag.AddRequest).toString())

/**
 * Requests that wait are taken back with their seats, and places in queues are left, because nobody could accept them any
 * more. A request that is being judged meanwhile is judged again, by the new status. Courses that are registered stay.
 */
setLeaving(async (ctx, tx, student_id, reason) => {
  await sql`update registration_turns set turn = turn + 1 where student_id = ${student_id}`.execute(tx)
  await sql`update wait_list set state = 'left', moved_at = now() where student_id = ${student_id} and state = 'waiting'`.execute(
    tx,
  )
  const { rows } = await sql<{ offering_id: number }>`
    with x as materialized (
      select r.id, r.offering_id, r.status, array(select s.offering_slot_id from registration_slots s
        where s.registration_id = r.id order by 1) as slot_ids
      from registrations r where r.student_id = ${student_id} and r.status & ${WAITING} <> 0 for update
    ), held as materialized (
      select id from offering_slots where id in (select unnest(slot_ids) from x) order by id for no key update
    ), removed as (
      delete from registrations r using x where r.id = x.id and (select count(*) from held) >= 0
    )
    insert into registration_history (registration_id, student_id, offering_id, actor_id, impersonator_id, action,
      from_status, to_status, reason, overrides, offering_slot_ids)
    select id, ${student_id}, offering_id, ${ctx.actor?.user_id ?? null}::int, ${ctx.actor?.impersonator_id ?? null}::int,
      'remove', status, null, ${reason}, null, slot_ids from x returning offering_id`.execute(tx)
  if (rows.length)
    await wakeWaitList(
      ctx,
      tx,
      rows.map((row) => row.offering_id),
    )
})
