/** Steps of the control status: one at a time, with every reason why one cannot be taken. */
import type { PermissionKey } from '#access/permissions.contract.ts'
import { offeringReach } from '#areas/offerings/reach.server.ts'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/context.ts'
import { Refusal, refuse, type Reason } from '#kit/server/errors.ts'
import { notify } from '#kit/server/notifications.ts'
import { scopeCondition } from '#kit/server/scope.ts'
import { sql, type RawBuilder } from 'kysely'
import {
  checkControl,
  controlActionsFrom,
  controlStep,
  controlSteps,
  reached,
  type ControlAction,
  type ControlStatus,
  type ControlStep,
} from '../control.rules.ts'
import { checkScheme } from '../grading.rules.ts'
import { actOn } from '../guard.server.ts'
import { computeGrades, computeRegistrationGrades, schemesOf } from '../grades/compute.server.ts'
import { listedMains, maskOf } from '../grades/grades.rules.ts'
import { followRecords, settleStanding } from '../terms/record.server.ts'

/** Keys of all steps. */
export const STEP_KEYS: readonly PermissionKey[] = [...new Set(controlSteps.map((step) => step.permission))]

/** SQL of a JSON object that says for each key whether the reader holds it for the offering `alias`. */
export const heldJson = (ctx: Ctx, keys: readonly PermissionKey[], alias: string): RawBuilder<unknown> =>
  sql`json_build_object(${sql.join(
    keys.flatMap((key) => [sql.lit(key), scopeCondition(ctx, key, offeringReach(ctx, alias))]),
  )})`

export type Held = Readonly<Partial<Record<PermissionKey, boolean>>>
/** The steps a reader may take with an offering now. */
export const stepsOpen = (status: ControlStatus, held: Held): ControlAction[] =>
  controlActionsFrom(status).filter((action) => held[controlStep(status, action)!.permission])

/** Students of an offering whose result is missing, with the categories that have no mark. */
export interface MissingMarks {
  registration_id: number
  student: { id: number; code: string; name: string; name_local: string }
  bylaw: string
  categories: { code: string; name: string; name_local: string }[]
}
const MOST_NAMED = 100

async function missingMarks(tx: Tx, offering_id: number): Promise<MissingMarks[]> {
  const { rows } = await sql<MissingMarks>`
    select r.id as registration_id, json_build_object('id', s.id, 'code', s.code, 'name', s.name, 'name_local', s.name_local) as student,
      b.code as bylaw,
      coalesce((select json_agg(json_build_object('code', k.code, 'name', k.name, 'name_local', k.name_local) order by o.position)
        from offering_marks o join mark_categories k on k.id = o.mark_category_id
        where o.offering_id = r.offering_id and not exists (
          select from registration_marks m where m.registration_id = r.id and m.offering_mark_id = o.id)), '[]') as categories
    from registrations r join students s on s.id = r.student_id join bylaws b on b.id = s.bylaw_id
    where r.offering_id = ${offering_id} and r.letter is null and r.status & ${sql.raw(maskOf(listedMains))} <> 0
    order by s.code`.execute(tx)
  return rows
}

interface Locked {
  id: number
  version: number
  control_status: ControlStatus
  removed: boolean
  held: Held
}

/** What a step came to. */
export interface Stepped {
  id: number
  version: number
  control_status: ControlStatus
}

/**
 * Takes a step with one offering: locks it, computes its grades anew, checks everything the step needs, keeps the step in
 * the history and tells whom it concerns.
 *
 * @throws {Refusal} 404 out of reach; 403 without the permission here; 409 the status, marks or scheme do not permit it
 * (the students whose marks are missing are named); 422 without the reason it needs
 */
export async function takeStep(
  ctx: Ctx,
  tx: Tx,
  offering_id: number,
  action: ControlAction,
  { reason = null, version }: { reason?: string | null; version?: number } = {},
): Promise<Stepped> {
  const { rows } = await sql<Locked>`
    select o.id, o.version, o.control_status, o.removed_at is not null as removed, ${heldJson(ctx, STEP_KEYS, 'o')} as held
    from offerings o where o.id = ${offering_id}
      and ${scopeCondition(ctx, [...STEP_KEYS, 'access_control'], offeringReach(ctx, 'o'))} for update of o`.execute(tx)
  const offering = rows[0]
  if (!offering) throw refuse(404, 'not_found')
  if (offering.removed) throw refuse(409, 'removed_record')
  if (version !== undefined && version !== offering.version && controlStep(offering.control_status, action)) {
    throw refuse(409, 'changed_meanwhile', { version: offering.version, control_status: offering.control_status })
  }
  const wanted = controlStep(offering.control_status, action)
  const forward = wanted !== null && action !== 'undo'
  await actOn(tx, 'step')
  if (forward && offering.control_status !== 'Published') await computeGrades(tx, [offering.id])
  const missing = wanted?.needs.includes('marks') ? await missingMarks(tx, offering.id) : []
  const categories = (await schemesOf(tx, [offering.id])).get(offering.id) ?? []
  const { step, problems } = checkControl({
    status: offering.control_status,
    action,
    may: (key) => offering.held[key] === true,
    missing_marks: missing
      .filter((one) => one.categories.length > 0 || categories.length === 0)
      .map((one) => one.registration_id),
    scheme_valid: checkScheme({ categories }).length === 0,
    reason,
  })
  // All marks are there and yet no result: the bylaw has no grade for it.
  const ungraded = categories.length ? missing.filter((one) => one.categories.length === 0).map((one) => one.bylaw) : []
  const reasons: Reason[] = [
    ...problems.map((problem) =>
      problem.code === 'control_marks'
        ? { ...problem, data: { ...problem.data, students: missing.slice(0, MOST_NAMED) } }
        : problem,
    ),
    ...[...new Set(ungraded)].map((bylaw) => ({ code: 'grade_ranges_missing', data: { bylaw } })),
  ]
  if (!step || reasons.length) {
    const codes = new Set(reasons.map(({ code }) => code))
    throw new Refusal(
      codes.has('control_permission') ? 403 : codes.size === 1 && codes.has('control_reason') ? 422 : 409,
      reasons,
    )
  }
  return move(ctx, tx, offering.id, step, reason)
}

async function move(ctx: Ctx, tx: Tx, offering_id: number, step: ControlStep, reason: string | null): Promise<Stepped> {
  const { rows } = await sql<Stepped>`
    with moved as (
      update offerings set control_status = ${step.to} where id = ${offering_id} returning id, version, control_status),
    kept as (
      insert into control_history (offering_id, actor_id, action, from_status, to_status, reason)
      select id, ${ctx.actor?.user_id ?? null}::int, ${step.action}, ${step.from}, ${step.to}, ${reason} from moved)
    select id, version, control_status from moved`.execute(tx)
  await follow(ctx, tx, offering_id, step)
  if (step.action === 'publish' || step.to === 'Draft') await tell(tx, offering_id, step, reason)
  return rows[0]!
}

/**
 * What stands on the results of an offering follows its step: rows of finished terms that were being revised, the attempts
 * that later registrations of the course are, and dismissals, which take effect with the publication.
 */
async function follow(ctx: Ctx, tx: Tx, offering_id: number, step: ControlStep): Promise<void> {
  if (!reached(step.from, 'Approved') && !reached(step.to, 'Approved')) return
  const { rows } = await sql<{ id: number }>`select distinct student_id as id from registrations
    where offering_id = ${offering_id}`.execute(tx)
  const ids = rows.map((row) => row.id)
  if (step.action !== 'undo') await followRecords(tx, ids, ctx.actor?.user_id ?? null)
  await followAttempts(tx, offering_id)
  await settleStanding(tx, ids)
}

/** Later registrations of the course become the attempt that they are by the results now out; their grades follow. */
async function followAttempts(tx: Tx, offering_id: number): Promise<void> {
  await actOn(tx, 'step')
  const { rows } = await sql<{ id: number }>`
    with later as (
      select r.id, attempt_by_results(r.student_id, r.course_id, r.term_id) as attempt
      from registrations mine join registrations r on r.student_id = mine.student_id and r.id <> mine.id
          and (r.course_id = mine.course_id or r.course_id in (select equal_course_id from course_equals where course_id = mine.course_id))
        join terms a on a.id = mine.term_id join terms b on b.id = r.term_id and (b.start_date, b.id) > (a.start_date, a.id)
      where mine.offering_id = ${offering_id})
    update registrations r set status = (r.status & ~112::bigint) | l.attempt from later l
    where r.id = l.id and r.status & 112 <> l.attempt returning r.id`.execute(tx)
  if (!rows.length) return
  await computeRegistrationGrades(
    tx,
    rows.map((row) => row.id),
  )
}

/** Students hear that results are out; the team hears that, and that marks came back to it. */
async function tell(tx: Tx, offering_id: number, step: ControlStep, reason: string | null): Promise<void> {
  const { rows } = await sql<{ course: string; name: string; name_local: string; team: number[]; students: number[] }>`
    select c.code as course, c.name, c.name_local,
      array(select i.user_id from offering_instructors oi join instructors i on i.id = oi.instructor_id
        where oi.offering_id = o.id and i.user_id is not null) as team,
      array(select s.user_id from registrations r join students s on s.id = r.student_id
        where r.offering_id = o.id and r.letter is not null and s.user_id is not null) as students
    from offerings o join courses c on c.id = o.course_id where o.id = ${offering_id}`.execute(tx)
  const { course, name, name_local, team, students } = rows[0]!
  const data = { course, name, name_local, ...(reason && { reason }) }
  if (step.action === 'publish') {
    await notify(tx, students, { key: 'grading.notice_published', data, link: `/myCourses/${offering_id}` })
    await notify(tx, team, { key: 'grading.notice_published_team', data, link: `/offerings/grades/${offering_id}` })
  } else
    await notify(tx, team, {
      key: 'grading.notice_returned',
      data: { ...data, reason: reason ?? '' },
      link: `/offerings/grades/${offering_id}`,
    })
}
