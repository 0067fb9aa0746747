/** Steps of the control status: one at a time, with every reason why one cannot be taken. */
import type { PermissionKey } from '#access/permissions.contract.ts'
import { offeringReach } from '#areas/offerings/reach.server.ts'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/context.ts'
import { Refusal, refuse, type Reason } from '#kit/server/errors.ts'
import { notifyEach, type Notification } from '#kit/server/notifications.ts'
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
import { checkScheme, type MarkCategory } from '../grading.rules.ts'
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

/** A student whose result is missing, with the categories that have no mark. */
export interface MissingMarks {
  registration_id: number
  student: { id: number; code: string; name: string; name_local: string }
  bylaw: string
  categories: { code: string; name: string; name_local: string }[]
}
const MOST_NAMED = 100

/** By offering. */
async function missingMarks(tx: Tx, offering_ids: readonly number[]): Promise<Map<number, MissingMarks[]>> {
  if (!offering_ids.length) return new Map()
  const { rows } = await sql<MissingMarks & { offering_id: number }>`
    select r.offering_id, r.id as registration_id, json_build_object('id', s.id, 'code', s.code, 'name', s.name, 'name_local', s.name_local) as student,
      b.code as bylaw,
      coalesce((select json_agg(json_build_object('code', k.code, 'name', k.name, 'name_local', k.name_local) order by o.position)
        from offering_marks o join mark_categories k on k.id = o.mark_category_id
        where o.offering_id = r.offering_id and not exists (
          select from registration_marks m where m.registration_id = r.id and m.offering_mark_id = o.id)), '[]') as categories
    from registrations r join students s on s.id = r.student_id join bylaws b on b.id = s.bylaw_id
    where r.offering_id = any(${offering_ids}::int[]) and r.letter is null and r.status & ${sql.raw(maskOf(listedMains))} <> 0
    order by s.code`.execute(tx)
  const by = new Map<number, MissingMarks[]>()
  for (const { offering_id, ...one } of rows) {
    const known = by.get(offering_id)
    if (known) known.push(one)
    else by.set(offering_id, [one])
  }
  return by
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

/** A step that is taken. */
interface Move {
  readonly offering_id: number
  readonly step: ControlStep
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
  options: { reason?: string | null; version?: number } = {},
): Promise<Stepped> {
  const outcome = (await takeSteps(ctx, tx, [offering_id], action, options)).get(offering_id)!
  if (outcome instanceof Refusal) throw outcome
  return outcome
}

/**
 * The same with many offerings of one transaction: each is judged by itself, and refused without holding up the others;
 * what all of them need is read, and what follows from all that move is written, once.
 */
export async function takeSteps(
  ctx: Ctx,
  tx: Tx,
  offering_ids: readonly number[],
  action: ControlAction,
  { reason = null, version }: { reason?: string | null; version?: number } = {},
): Promise<Map<number, Stepped | Refusal>> {
  const { rows } = await sql<Locked>`
    select o.id, o.version, o.control_status, o.removed_at is not null as removed, ${heldJson(ctx, STEP_KEYS, 'o')} as held
    from offerings o where o.id = any(${offering_ids}::int[])
      and ${scopeCondition(ctx, [...STEP_KEYS, 'access_control'], offeringReach(ctx, 'o'))} order by o.id for update of o`.execute(
    tx,
  )
  const outcome = new Map<number, Stepped | Refusal>(offering_ids.map((id) => [id, refuse(404, 'not_found')]))
  const open: { offering: Locked; wanted: ControlStep | null }[] = []
  for (const offering of rows) {
    const wanted = controlStep(offering.control_status, action)
    if (offering.removed) outcome.set(offering.id, refuse(409, 'removed_record'))
    else if (wanted && version !== undefined && version !== offering.version) {
      const { version: found, control_status } = offering
      outcome.set(offering.id, refuse(409, 'changed_meanwhile', { version: found, control_status }))
    } else open.push({ offering, wanted })
  }
  const which = (test: (wanted: ControlStep, held: Held) => boolean): number[] =>
    open.flatMap(({ offering, wanted }) => (wanted && test(wanted, offering.held) ? [offering.id] : []))
  await actOn(tx, 'step')
  const graded = which((wanted, held) => action !== 'undo' && wanted.from !== 'Published' && !!held[wanted.permission])
  if (graded.length) await computeGrades(tx, graded)
  const missing = await missingMarks(
    tx,
    which((wanted) => wanted.needs.includes('marks')),
  )
  const judged = which((wanted) => wanted.needs.includes('scheme') || wanted.needs.includes('marks'))
  const schemes = judged.length ? await schemesOf(tx, judged) : new Map<number, MarkCategory[]>()
  const moves: Move[] = []
  for (const { offering, wanted } of open) {
    const categories = schemes.get(offering.id) ?? []
    const refused = refusalOf(offering, action, reason, missing.get(offering.id) ?? [], categories)
    if (refused) outcome.set(offering.id, refused)
    else if (wanted) moves.push({ offering_id: offering.id, step: wanted })
  }
  for (const moved of await move(ctx, tx, moves, reason)) outcome.set(moved.id, moved)
  return outcome
}

/** Every reason why a step cannot be taken; undefined when it can. */
function refusalOf(
  offering: Locked,
  action: ControlAction,
  reason: string | null,
  missing: readonly MissingMarks[],
  categories: MarkCategory[],
): Refusal | undefined {
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
  if (step && !reasons.length) return undefined
  const codes = new Set(reasons.map(({ code }) => code))
  return new Refusal(
    codes.has('control_permission') ? 403 : codes.size === 1 && codes.has('control_reason') ? 422 : 409,
    reasons,
  )
}

async function move(ctx: Ctx, tx: Tx, moves: readonly Move[], reason: string | null): Promise<Stepped[]> {
  if (!moves.length) return []
  const { rows } = await sql<Stepped>`
    with wanted as (
      select * from unnest(${moves.map((one) => one.offering_id)}::int[], ${moves.map(({ step }) => step.action)}::text[],
        ${moves.map(({ step }) => step.from)}::text[], ${moves.map(({ step }) => step.to)}::text[])
        as n (id, action, from_status, to_status)),
    moved as (
      update offerings o set control_status = n.to_status from wanted n where o.id = n.id
      returning o.id, o.version, o.control_status),
    kept as (
      insert into control_history (offering_id, actor_id, action, from_status, to_status, reason)
      select id, ${ctx.actor?.user_id ?? null}::int, action, from_status, to_status, ${reason} from wanted)
    select id, version, control_status from moved`.execute(tx)
  await follow(ctx, tx, moves)
  const told = moves.filter(({ step }) => step.action === 'publish' || step.to === 'Draft')
  if (told.length) await tell(tx, told, reason)
  return rows
}

/**
 * What stands on the results of offerings follows their step: the attempts that later registrations of the courses are,
 * rows of finished terms that were being revised, and dismissals, which take effect with the publication.
 */
async function follow(ctx: Ctx, tx: Tx, moves: readonly Move[]): Promise<void> {
  const settled = moves.filter(({ step }) => reached(step.from, 'Approved') || reached(step.to, 'Approved'))
  if (!settled.length) return
  const offering_ids = settled.map((one) => one.offering_id)
  // Nothing but courses stands on the results of who has finished no term.
  const { rows } = await sql<{ id: number }>`select distinct r.student_id as id from registrations r
    where r.offering_id = any(${offering_ids}::int[])
      and exists (select from student_terms t where t.student_id = r.student_id)`.execute(tx)
  const ids = rows.map((row) => row.id)
  await followAttempts(tx, offering_ids)
  if (ids.length && settled.some(({ step }) => step.action !== 'undo'))
    await followRecords(tx, ids, ctx.actor?.user_id ?? null)
  await settleStanding(tx, ids)
}

/**
 * Later registrations of the courses become the attempt that they are by the results now out; their grades follow. Begun
 * with the later terms in which anybody is registered: mostly there is none.
 */
async function followAttempts(tx: Tx, offering_ids: readonly number[]): Promise<void> {
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
          and (r.course_id = mine.course_id or r.course_id in (select equal_course_id from course_equals where course_id = mine.course_id)))
    update registrations r set status = (r.status & ~112::bigint) | l.attempt from later l
    where r.id = l.id and r.status & 112 <> l.attempt returning r.id`.execute(tx)
  if (!rows.length) return
  await computeRegistrationGrades(
    tx,
    rows.map((row) => row.id),
  )
}

/** Students hear that results are out; the team hears that, and that marks came back to it. */
async function tell(tx: Tx, moves: readonly Move[], reason: string | null): Promise<void> {
  const { rows } = await sql<{
    id: number
    course: string
    name: string
    name_local: string
    team: number[]
    students: number[]
  }>`
    select o.id, c.code as course, c.name, c.name_local,
      array(select distinct i.user_id from offering_instructors oi join instructors i on i.id = oi.instructor_id
        where oi.offering_id = o.id and i.user_id is not null) as team,
      array(select distinct s.user_id from registrations r join students s on s.id = r.student_id
        where r.offering_id = o.id and r.letter is not null and s.user_id is not null) as students
    from offerings o join courses c on c.id = o.course_id
    where o.id = any(${moves.map((one) => one.offering_id)}::int[])`.execute(tx)
  const published = new Set(moves.filter(({ step }) => step.action === 'publish').map((one) => one.offering_id))
  await notifyEach(
    tx,
    rows.flatMap(({ id, course, name, name_local, team, students }) => {
      const data = { course, name, name_local, ...(reason && { reason }) }
      const to = (users: readonly number[], notice: Notification) => users.map((user_id) => ({ user_id, ...notice }))
      const link = `/offerings/grades/${id}`
      return published.has(id)
        ? [
            ...to(students, { key: 'grading.notice_published', data, link: `/myCourses/${id}` }),
            ...to(team, { key: 'grading.notice_published_team', data, link }),
          ]
        : to(team, { key: 'grading.notice_returned', data: { ...data, reason: reason ?? '' }, link })
    }),
  )
}
