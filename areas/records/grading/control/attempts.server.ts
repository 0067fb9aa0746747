/** What later registrations of a course are, by the results that are out. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { Tx } from '#db/connect.ts'
import { followNow } from '#kit/server/workflow/basis.ts'
import { serveBasis } from '#kit/server/workflow/basis-registry.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { sql } from 'kysely'
import { attemptBasis } from '../basis.contract.ts'
import { computeRegistrationGrades } from '../grades/compute.server.ts'
import { actOn } from '../guard.server.ts'
import { followRecords } from '../terms/record.server.ts'

/** Registrations become the attempt that they are by the results now out; their grades follow. Each change stands in the history. */
async function becomeAttempts(ctx: Ctx, tx: Tx, ids: readonly number[]): Promise<void> {
  await actOn(tx, 'step')
  const { rows } = await sql<{ id: number; student_id: number }>`
    with other as materialized (
      select r.id, r.status, attempt_by_results(r.student_id, r.course_id, r.term_id) as attempt from registrations r
      where r.id = any(${[...ids]}::int[]) order by r.id for no key update of r),
    changed as (
      update registrations r set status = (r.status & ~112::bigint) | o.attempt from other o
      where r.id = o.id and o.status & 112 <> 0 and o.status & 112 <> o.attempt
      returning r.id, r.student_id, r.offering_id, o.status as before, r.status)
    insert into registration_history (registration_id, student_id, offering_id, actor_id, impersonator_id, action, from_status, to_status)
    select id, student_id, offering_id, ${ctx.actor?.user_id ?? null}::int, ${ctx.actor?.impersonator_id ?? null}::int, 'attempt',
      before, status from changed returning registration_id as id, student_id`.execute(tx)
  if (!rows.length) return
  await computeRegistrationGrades(
    tx,
    rows.map((row) => row.id),
  )
  await followRecords(ctx, tx, [...new Set(rows.map((row) => row.student_id))])
}

/** Later registrations of the courses whose results have changed in this transaction become the attempt that they are now. */
export const followAttempts = (ctx: Ctx, tx: Tx): Promise<void> => followNow(ctx, tx, attemptBasis)

export const attempts = serveBasis(attemptBasis, {
  from: 'registrations r join students s on s.id = r.student_id join courses c on c.id = r.course_id',
  id: 'r.id',
  student: 'r.student_id',
  named: `json_build_object('code', c.code, 'name', c.name, 'name_local', c.name_local)`,
  link: `'/students/' || r.student_id`,
  scope: (ctx) => studentReach(ctx, 's'),
  derived: true,
  follow: becomeAttempts,
})
