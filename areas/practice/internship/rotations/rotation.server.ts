/** Rotations: asked for or added, given a place, ended early. */
import type { PermissionKey } from '#access/permissions.contract.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { addDays } from '#kit/contract/day.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem, asRefusal } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import type { Values } from '#kit/server/resource/served.ts'
import { serveRequest } from '#kit/server/workflow/requests.ts'
import type { Taken } from '#kit/server/workflow/workflow.ts'
import { sql } from 'kysely'
import { rotationFacts, rotationsById } from './facts.server.ts'
import { rotation, rotationCalls as calls } from './rotation.contract.ts'
import { checkInterrupted, checkRotationAccepted, checkRotationAsked } from './rotation.rules.ts'

/** The group of those who are in a training for the same days; made where it is the first. */
export async function groupOf(tx: Tx, training_id: number, starts_on: string, ends_on: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`insert into emtyaz_offerings (training_id, starts_on, ends_on)
    values (${training_id}, ${starts_on}::date, ${ends_on}::date)
    on conflict (training_id, starts_on, ends_on) do update set training_id = excluded.training_id returning id`.execute(
    tx,
  )
  return firstRow(rows).id
}

/** Judges what is asked for, and says of it what the training says: its year, its type, and how long it takes. */
async function judge(ctx: Ctx, tx: Tx, merged: Values): Promise<Values> {
  const student_id = Number(merged.student_id)
  const training_id = Number(merged.training_id)
  const starts_on = String(merged.starts_on)
  const { rows } = await sql<{ year_id: number; type_id: number; weeks: number }>`select t.year_id, t.type_id, p.weeks
    from emtyaz_trainings t join emtyaz_training_types p on p.id = t.type_id where t.id = ${training_id} and t.removed_at is null`.execute(
    tx,
  )
  const [training] = rows
  if (!training) throw refuse(422, 'reference_missing', undefined, 'training_id')
  const { year_id, type_id, weeks } = training
  const { rows: interns } =
    await sql`select from emtyaz_interns where year_id = ${year_id} and student_id = ${student_id} and removed_at is null
    for no key update`.execute(tx)
  if (!interns.length) throw refuse(422, 'rotation_no_intern', undefined, 'student_id')
  const ends_on = merged.ends_on ? String(merged.ends_on) : addDays(starts_on, weeks * 7 - 1)
  if (ends_on < starts_on) throw refuse(422, 'rotation_days', undefined, 'ends_on')
  const is_makeup = merged.is_makeup === true
  const own = ctx.actor?.student_id === student_id
  // Instead of what was failed the office says when and for how long.
  if (own && is_makeup) throw refuse(403, 'rotation_makeup_office', undefined, 'is_makeup')
  const facts = await rotationFacts(
    tx,
    sql`select null::int as id, 'requested' as status, null::text as outcome, ${student_id}::int as student_id, ${year_id}::int as year_id,
      ${training_id}::int as training_id, ${type_id}::int as type_id, ${starts_on}::date as starts_on, ${ends_on}::date as ends_on, ${is_makeup}::boolean as is_makeup`,
    own,
  )
  const of = facts.get(0)
  const reasons = of ? checkRotationAsked(of) : []
  if (reasons.length) throw new Refusal(409, reasons)
  merged.ends_on = ends_on
  return { year_id, type_id, offering_id: await groupOf(tx, training_id, starts_on, ends_on) }
}

/** Holds trainings and interns of rotations: the last place is given once, and nobody is given two at one time. */
async function holdAll(tx: Tx, ids: readonly number[]): Promise<void> {
  await sql`select from emtyaz_trainings where id in (select training_id from emtyaz_rotations where id = any(${[...ids]}::int[]))
    order by id for no key update`.execute(tx)
  await sql`select from emtyaz_interns i where exists (select from emtyaz_rotations r where r.id = any(${[...ids]}::int[])
    and r.year_id = i.year_id and r.student_id = i.student_id) order by id for no key update`.execute(tx)
}

const CALLED = (column: 'name' | 'name_local') =>
  `(select y.${column} from emtyaz_trainings y where y.id = t.training_id)`
const served = serveRequest(rotation, {
  // The office plans: what it enters it may also accept.
  enteredByOfficer: true,
  before: judge,
  facts: async (_ctx, tx, ids, action) => {
    if (action === 'accept') await holdAll(tx, ids)
    return rotationFacts(tx, rotationsById(ids))
  },
  told: { what: [CALLED('name'), CALLED('name_local')], link: (id) => `/emtyaz-rotations?view=all&id=${id}` },
  effect: async (_ctx, tx, moved) => {
    // Many at once are judged by what was before them.
    const placed = moved.filter(({ to }) => to === 'accepted').map(({ id }) => id)
    const after = placed.length ? await rotationFacts(tx, rotationsById(placed)) : new Map()
    for (const id of placed) {
      const of = after.get(id)
      const reasons = of ? checkRotationAccepted(of) : []
      if (reasons.length) throw new Refusal(409, reasons)
    }
  },
})
export const rotationWork = served.work
export const rotationManyJob = served.flow.manyJob

/** SQL: the reader reaches the intern of the rotation `t` by one of these rights. */
export const reachedRotation = (ctx: Ctx, ...keys: PermissionKey[]) =>
  sql<boolean>`exists (select from students s where s.id = t.student_id and ${scopeCondition(ctx, keys, studentReach(ctx, 's'))})`

/** The rotation within reach, held, as it is judged. @throws {Refusal} 404; 409 where another version was seen */
async function held(ctx: Ctx, tx: Tx, id: number, version?: number) {
  await sql`select from emtyaz_rotations where id = ${id} for update`.execute(tx)
  await holdAll(tx, [id])
  const { rows } = await sql<{ version: number }>`select t.version from emtyaz_rotations t
    where t.id = ${id} and t.removed_at is null and ${reachedRotation(ctx, 'decide_rotation')}`.execute(tx)
  if (!rows[0]) throw refuse(404, 'not_found')
  if (version !== undefined && rows[0].version !== version) throw refuse(409, 'changed_meanwhile')
  const of = (await rotationFacts(tx, rotationsById([id]))).get(id)
  if (!of) throw refuse(404, 'not_found')
  return of
}
/** Tells the intern, and who supervises there, that a rotation ends on another day. */
async function tellDays(
  tx: Tx,
  id: number,
  key: 'internship.notice_interrupted' | 'internship.notice_resumed',
  reason: string,
) {
  const { rows } = await sql<{
    intern: number[]
    supervisors: number[]
    student_id: number
    offering_id: number
    data: Record<string, string>
  }>`
    select array(select s.user_id from students s where s.id = t.student_id and s.user_id is not null) as intern,
      array(select distinct i.user_id from emtyaz_training_instructors m join instructors i on i.id = m.instructor_id
          where m.training_id = t.training_id and i.user_id is not null and daterange(m.starts_on, m.ends_on, '[]') && daterange(t.starts_on, t.ends_on, '[]')) as supervisors,
      t.student_id, t.offering_id, json_build_object('training', x.name, 'training_local', x.name_local, 'name', s.name, 'name_local', s.name_local,
        'day', coalesce(t.interrupted_on, t.ends_on)) as data
    from emtyaz_rotations t join emtyaz_trainings x on x.id = t.training_id join students s on s.id = t.student_id where t.id = ${id}`.execute(
    tx,
  )
  const { intern, supervisors, student_id, offering_id, data } = firstRow(rows)
  const told = { key, data: { ...data, reason }, records: [student_id] }
  await notify(tx, intern, { ...told, link: '/emtyaz/mine' })
  await notify(tx, supervisors, { ...told, link: `/emtyaz/offerings/${offering_id}` })
}

/** What became of rotations that were entered one by one: those that were not have no id yet. */
async function addAll(ctx: Ctx, given: readonly Values[], reason: string | undefined): Promise<Taken> {
  const out: Taken = { done: [], failed: [] }
  for (const values of given) {
    try {
      const id = await ctx.attempt(() =>
        ctx.write(async (tx) => {
          const made = await served.insert(ctx, tx, values, 'add_rotation')
          await served.flow.take(ctx, made, 'add', { reason })
          return made
        }),
      )
      out.done.push(id)
    } catch (error) {
      const refusal = asRefusal(error)
      if (!refusal || refusal.status === 503) throw error
      out.failed.push({ id: Number(values.student_id), errors: refusal.reasons.map(toProblem) })
    }
  }
  return out
}

/** Steps of many, where the documents have them. */
const stepOf = (call: (typeof calls)['accept' | 'reject' | 'remove'], action: string) =>
  handle(call, async (ctx, { body: { ids, reason } }) => ({
    data: await served.flow.takeEach(ctx, ids, action, { reason }),
  }))

/** More than these are accepted by a job. */
const AT_ONCE = 200

export const rotationHandlers: readonly Handled[] = [
  ...served.handlers,
  served.at(calls.list, 'list'),
  stepOf(calls.accept, 'accept'),
  stepOf(calls.reject, 'reject'),
  stepOf(calls.remove, 'remove'),
  handle(calls.add, async (ctx, { body: { ids = [], rotations = [], reason } }) => {
    const entered = await addAll(ctx, rotations as Values[], reason)
    const asked = await served.flow.takeEach(ctx, ids, 'add', { reason })
    return { data: { done: [...entered.done, ...asked.done], failed: [...entered.failed, ...asked.failed] } }
  }),
  handle(calls.acceptAll, async (ctx, { body: { year_id, training_id = null } }) => {
    const { rows } = await sql<{ id: number; since: string }>`select t.id, now()::text as since from emtyaz_rotations t
      where t.year_id = ${year_id} and (${training_id}::int is null or t.training_id = ${training_id}::int) and t.removed_at is null
        and t.status in ('requested', 'added') and ${reachedRotation(ctx, 'decide_rotation')} order by t.created_at, t.id`.execute(
      ctx.db,
    )
    const ids = rows.map(({ id }) => id)
    const [first] = rows
    if (!first || ids.length <= AT_ONCE) return { data: await served.flow.takeEach(ctx, ids, 'accept') }
    const { actor, lang } = ctx
    const job_id = await ctx.write((tx) =>
      ctx.services.jobs.send(
        tx,
        served.flow.manyJob,
        { ids, action: 'accept', reason: null, since: first.since },
        { actor, lang },
      ),
    )
    return { data: { job_id } }
  }),
  handle(calls.interrupt, (ctx, { params: { id }, body: { on, reason, version } }) =>
    ctx.write(
      async (tx) => {
        const of = await held(ctx, tx, id, version)
        const reasons = checkInterrupted(of, on)
        if (reasons.length) throw new Refusal(409, reasons)
        await sql`update emtyaz_rotations set outcome = 'interrupted', interrupted_on = ${on}::date, version = version + 1 where id = ${id}`.execute(
          tx,
        )
        await tellDays(tx, id, 'internship.notice_interrupted', reason)
        return { data: { id } }
      },
      { reason },
    ),
  ),
  handle(calls.resume, (ctx, { params: { id }, body: { reason } }) =>
    ctx.write(
      async (tx) => {
        const of = await held(ctx, tx, id)
        if (of.outcome !== 'interrupted') throw refuse(409, 'rotation_not_interrupted')
        // The place may be somebody else's by now, and the intern elsewhere.
        const reasons = checkRotationAccepted({ ...of, withdrawn_from: null })
        if (reasons.length) throw new Refusal(409, reasons)
        await sql`update emtyaz_rotations set outcome = null, interrupted_on = null, version = version + 1 where id = ${id}`.execute(
          tx,
        )
        await tellDays(tx, id, 'internship.notice_resumed', reason)
        return { data: { id } }
      },
      { reason },
    ),
  ),
]
export { served as servedRotations }
