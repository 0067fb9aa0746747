/** Taking a plan of rotations: everything at once, in one transaction, by statements for all of them. */
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal } from '#kit/server/base/errors.ts'
import { notifyEach } from '#kit/server/mail/notifications.ts'
import { sql, type RawBuilder } from 'kysely'
import { rotationFlow } from '../rotations/rotation.contract.ts'
import { planChanges, planTakeReasons, type PlanBase, type PlanChanges, type PlannedRotation } from './plan.rules.ts'
import { readPlannedYear } from './read.server.ts'
import { yearProblem, type PlanOptions } from './year.rules.ts'

/**
 * Holds everything that a plan stands on, in the order in which others take it: who decides on a rotation holds it, its training
 * and its intern; who changes an intern or a training holds the year after it.
 */
async function holdGround(tx: Tx, year_id: number): Promise<void> {
  await sql`select from emtyaz_rotations where year_id = ${year_id} and removed_at is null
    and status in ('requested', 'added', 'accepted') order by id for update`.execute(tx)
  await sql`select from emtyaz_trainings where year_id = ${year_id} order by id for no key update`.execute(tx)
  await sql`select from emtyaz_interns where year_id = ${year_id} order by id for no key update`.execute(tx)
  await sql`select from emtyaz_years where id = ${year_id} for no key update`.execute(tx)
}

/** Steps of rotations as the workflow writes them. */
const stepped = (ctx: Ctx, action: string, to: string, of: RawBuilder<unknown>) => sql`
  insert into step_history (workflow, record_id, actor_id, impersonator_id, action, from_state, to_state, reason)
  select ${rotationFlow.name}, x.id, ${ctx.actor?.user_id ?? null}::int, ${ctx.actor?.impersonator_id ?? null}::int, ${action}, x."from", ${to}, x.reason
  from (${of}) x order by x.id`

/** Takes rotations that are there to another state. */
async function step(
  ctx: Ctx,
  tx: Tx,
  action: 'accept' | 'remove',
  ids: readonly number[],
  reason: string | null,
): Promise<void> {
  if (!ids.length) return
  const to = action === 'accept' ? 'accepted' : 'removed'
  await stepped(
    ctx,
    action,
    to,
    sql`select id, status as "from", ${reason}::text as reason from emtyaz_rotations where id = any(${[...ids]}::int[])`,
  ).execute(tx)
  await sql`update emtyaz_rotations set status = ${to} where id = any(${[...ids]}::int[])`.execute(tx)
}

/** Rotations that are new, with the groups of those who are there for the same days. */
async function add(ctx: Ctx, tx: Tx, year_id: number, added: readonly PlannedRotation[]): Promise<void> {
  if (!added.length) return
  const given = JSON.stringify(added)
  const rows = sql`jsonb_to_recordset(${given}::jsonb) as x (student_id int, training_id int, type_id int, starts_on date, ends_on date, is_makeup boolean)`
  await sql`insert into emtyaz_offerings (training_id, starts_on, ends_on) select distinct x.training_id, x.starts_on, x.ends_on from ${rows}
    order by 1, 2, 3 on conflict (training_id, starts_on, ends_on) do nothing`.execute(tx)
  const { rows: made } = await sql<{ id: number }>`
    insert into emtyaz_rotations (student_id, year_id, training_id, type_id, offering_id, starts_on, ends_on, is_makeup, status)
    select x.student_id, ${year_id}::int, x.training_id, x.type_id, o.id, x.starts_on, x.ends_on, x.is_makeup, 'accepted'
    from ${rows} join emtyaz_offerings o on o.training_id = x.training_id and o.starts_on = x.starts_on and o.ends_on = x.ends_on
    order by x.training_id, x.starts_on, x.student_id returning id`.execute(tx)
  const ids = made.map(({ id }) => id)
  const from = (state: string | null) =>
    sql`select id, ${state}::text as "from", null::text as reason from unnest(${ids}::int[]) as n (id)`
  await stepped(ctx, 'begin', 'added', from(null)).execute(tx)
  await stepped(ctx, 'accept', 'accepted', from('added')).execute(tx)
}

/** Interns for whom something changes are told once, and who supervises where somebody comes or goes. */
async function tellAll(ctx: Ctx, tx: Tx, year_id: number, { accepted, removed, added }: PlanChanges): Promise<void> {
  const changed = [...accepted, ...removed, ...added]
  if (!changed.length) return
  const students = [...new Set(changed.map(({ student_id }) => student_id))]
  const { rows: interns } = await sql<{ user_id: number; student_id: number; data: Record<string, string> }>`
    select s.user_id, s.id as student_id, json_build_object('year', y.name, 'year_local', y.name_local) as data
    from students s, emtyaz_years y where y.id = ${year_id} and s.id = any(${students}::int[]) and s.user_id is not null`.execute(
    tx,
  )
  const given = JSON.stringify(
    changed.map(({ training_id, starts_on, ends_on }) => ({ training_id, starts_on, ends_on })),
  )
  const { rows: supervisors } = await sql<{ user_id: number; data: Record<string, string | number> }>`
    select i.user_id, json_build_object('year', y.name, 'year_local', y.name_local, 'count', count(distinct (x.training_id, x.starts_on))) as data
    from jsonb_to_recordset(${given}::jsonb) as x (training_id int, starts_on date, ends_on date)
      join emtyaz_training_instructors m on m.training_id = x.training_id and daterange(m.starts_on, m.ends_on, '[]') && daterange(x.starts_on, x.ends_on, '[]')
      join instructors i on i.id = m.instructor_id, emtyaz_years y
    where y.id = ${year_id} and i.user_id is not null group by i.user_id, y.id`.execute(tx)
  await notifyEach(tx, [
    ...interns.map(({ user_id, student_id, data }) => ({
      user_id,
      key: 'internship.notice_plan',
      data,
      link: '/emtyaz/mine',
      records: [student_id],
    })),
    ...supervisors
      .filter(({ user_id }) => user_id !== ctx.actor?.user_id)
      .map(({ user_id, data }) => ({
        user_id,
        key: 'internship.notice_plan_supervised',
        data,
        link: '/emtyaz/training',
      })),
  ])
}

/**
 * Takes a plan.
 *
 * @throws {Refusal} 409 with everything that moved since it was looked for
 */
export async function takePlan(
  ctx: Ctx,
  tx: Tx,
  year_id: number,
  options: PlanOptions,
  { base, planned }: { readonly base: PlanBase; readonly planned: readonly PlannedRotation[] },
  reason: string,
): Promise<void> {
  await holdGround(tx, year_id)
  const year = await readPlannedYear(tx, year_id)
  const problem = yearProblem(year, options)
  const reasons = planTakeReasons(year, problem, base, planned)
  if (reasons.length) throw new Refusal(409, reasons)
  const changes = planChanges(year, problem, planned)
  // What is taken away first makes room.
  await step(
    ctx,
    tx,
    'remove',
    changes.removed.map(({ id }) => id),
    reason,
  )
  await step(
    ctx,
    tx,
    'accept',
    changes.accepted.map(({ id }) => id),
    null,
  )
  await add(ctx, tx, year_id, changes.added)
  await tellAll(ctx, tx, year_id, changes)
}
