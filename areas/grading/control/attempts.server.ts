/** What later registrations of a course are, by the results that are out. */
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/context.ts'
import { sql } from 'kysely'
import { computeRegistrationGrades } from '../grades/compute.server.ts'
import { actOn } from '../guard.server.ts'

/**
 * Later registrations of the courses become the attempt that they are by the results now out; their grades follow. Begun
 * with the later terms in which anybody is registered: mostly there is none. Each change stands in the registration's history.
 */
export async function followAttempts(ctx: Ctx, tx: Tx, offering_ids: readonly number[]): Promise<void> {
  await actOn(tx, 'step')
  const { rows } = await sql<{ id: number }>`
    with first as materialized (
      select t.id, t.start_date from terms t where t.id in (select term_id from offerings where id = any(${offering_ids}::int[]))
      order by t.start_date, t.id limit 1),
    after as materialized (
      select t.id, t.start_date from terms t join first f on (t.start_date, t.id) > (f.start_date, f.id)
      where exists (select from registrations r where r.term_id = t.id)),
    later as materialized (
      select r.id, attempt_by_results(r.student_id, r.course_id, r.term_id) as attempt
      from after b join registrations mine on mine.offering_id = any(${offering_ids}::int[])
        join terms a on a.id = mine.term_id and (b.start_date, b.id) > (a.start_date, a.id)
        join registrations r on r.term_id = b.id and r.student_id = mine.student_id
          and (r.course_id = mine.course_id or r.course_id in (select equal_course_id from course_equals where course_id = mine.course_id))),
    other as materialized (
      select r.id, r.status, l.attempt from registrations r join later l on l.id = r.id
      where r.status & 112 <> l.attempt order by r.id for no key update of r),
    changed as (
      update registrations r set status = (r.status & ~112::bigint) | o.attempt from other o where r.id = o.id
      returning r.id, r.student_id, r.offering_id, o.status as before, r.status)
    insert into registration_history (registration_id, student_id, offering_id, actor_id, impersonator_id, action, from_status, to_status)
    select id, student_id, offering_id, ${ctx.actor?.user_id ?? null}::int, ${ctx.actor?.impersonator_id ?? null}::int, 'attempt',
      before, status from changed returning registration_id as id`.execute(tx)
  if (!rows.length) return
  await computeRegistrationGrades(
    tx,
    rows.map((row) => row.id),
  )
}
