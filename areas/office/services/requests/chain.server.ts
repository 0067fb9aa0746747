/** The chain of offices of a request: whose turn it is, since when and until when. */
import { ASKERS, ASKER_STATUS, reachedAsker } from '#areas/money/ledger/askers.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { sql } from 'kysely'
import { serviceAudience, type ServiceFacts } from './service.rules.ts'

/** SQL: it is the turn of this reader's office with the request `t`. */
export const ownTurn = (ctx: Ctx) =>
  sql`exists (select from service_holders(t.id) h where h.id = ${ctx.actor?.user_id ?? null}::int)`
/** SQL: the reader manages services for who asked, the student `s` or the account `w`. */
export const manages = (ctx: Ctx) => reachedAsker(ctx, 'manage_service')

/** SQL: the request `t` waits for this reader: the own office's turn; for who manages services also what is long overdue. */
export const serviceWaits = (
  ctx: Ctx,
) => sql`(${ownTurn(ctx)} or exists (select from (select t.student_id, t.staff_id) t ${ASKERS}
    where ${manages(ctx)}) and exists (select from service_steps g where g.service_id = t.id and g.position = t.step and g.told_on is not null))`

/** What steps with requests look at. */
export async function serviceFacts(ctx: Ctx, db: Db | Tx, ids: readonly number[]): Promise<Map<number, ServiceFacts>> {
  const { rows } = await sql<Omit<ServiceFacts, 'system' | 'left'> & { id: number; status: string }>`
    select t.id, t.prepaid, ${sql.raw(ASKER_STATUS)} as status, coalesce(g.name, '') as office, coalesce(g.name_local, '') as office_local,
      not exists (select from service_steps k where k.service_id = t.id and k.position > t.step) as last,
      (${ownTurn(ctx)} or ${manages(ctx)}) as turn,
      (select i.number from request_fees f join invoices i on i.id = f.invoice_id left join invoice_balances b on b.invoice_id = i.id
        where f.workflow = 'service' and f.record_id = t.id and f.taken_back_at is null
          and coalesce(b.settled, 0) < coalesce(b.charged, 0) order by i.id limit 1) as unpaid
    from services t ${ASKERS}
      left join service_steps g on g.service_id = t.id and g.position = t.step
    where t.id = any(${[...ids]}::int[])`.execute(db)
  return new Map(
    rows.map(({ id, status, ...row }) => [
      id,
      { ...row, system: ctx.system !== null, left: serviceAudience(status) === null },
    ]),
  )
}

/** The chain as its kind says it now. */
export const keepOffices = (tx: Tx, id: number) =>
  sql`insert into service_steps (service_id, position, name, name_local, role_id, user_id, days, note_shown)
    select c.id, row_number() over (order by g.position), g.name, g.name_local, g.role_id, g.user_id, g.days, g.note_shown
    from services c join service_kind_steps g on g.kind_id = c.kind_id where c.id = ${id}`.execute(tx)

/** The time of the office whose turn it is begins. */
export async function startClock(tx: Tx, id: number): Promise<void> {
  await sql`with begun as (
      update service_steps g set since = now(), due_on = university_today() + g.days, done_at = null, done_by = null, reminded_on = null,
        told_on = null from services t where t.id = ${id} and g.service_id = t.id and g.position = t.step returning g.service_id, g.due_on)
    update services t set due_on = b.due_on from begun b where t.id = b.service_id`.execute(tx)
}
/** Nobody's time runs any more. */
export const stopClock = (tx: Tx, id: number) =>
  sql`update service_steps g set due_on = null from services t
    where t.id = ${id} and g.service_id = t.id and g.position = t.step and g.done_at is null and g.due_on is not null`.execute(
    tx,
  )

/** The office whose turn it was has done its part; `on`: the next one has it. */
export async function endTurn(ctx: Ctx, tx: Tx, id: number, on: boolean): Promise<void> {
  await sql`update service_steps g set done_at = now(), since = coalesce(g.since, now()), done_by = ${ctx.actor?.user_id ?? null}::int
    from services t where t.id = ${id} and g.service_id = t.id and g.position = t.step`.execute(tx)
  if (!on) return
  await sql`update services set step = step + 1 where id = ${id}`.execute(tx)
  await startClock(tx, id)
}
