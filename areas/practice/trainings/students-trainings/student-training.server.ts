/** Trainings of students: asked for, given a place, reported on, assessed, and counted. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { resourceCalls } from '#kit/contract/index.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import type { Values } from '#kit/server/resource/served.ts'
import { serveRequest } from '#kit/server/workflow/requests.ts'
import { sql } from 'kysely'
import {
  checkTrainingAccepted,
  checkTrainingApproved,
  checkTrainingAsked,
  checkTrainingReport,
  type StudentTrainingFacts,
  type TrainingAsked,
} from '../places/training.rules.ts'
import {
  studentTraining,
  studentTrainingFlow,
  trainingCalls as calls,
  type StudentTrainingDetail,
} from './student-training.contract.ts'

/** SQL of the days and weeks of a request `t` whose training is `y`. */
const STARTS = sql.raw(`coalesce(y.starts_on, t.own_starts_on)`)
const ENDS = sql.raw(`coalesce(y.ends_on, t.own_ends_on)`)
const WEEKS = sql.raw(`coalesce(y.weeks, t.own_weeks)`)

/** Judges what is asked for: a training that is offered, or a place with all that is to be known of it. */
async function judge(ctx: Ctx, tx: Tx, merged: Values): Promise<void> {
  await sql`select from students where id = ${Number(merged.student_id)} for no key update`.execute(tx)
  const own = [merged.own_organisation, merged.own_starts_on, merged.own_ends_on, merged.own_weeks]
  const offered = merged.training_id != null
  if (offered ? own.some((one) => one != null && one !== '') : own.some((one) => one == null || one === ''))
    throw refuse(422, offered ? 'training_one_place' : 'training_place_missing', undefined, 'training_id')
  if (!offered && String(merged.own_ends_on) < String(merged.own_starts_on))
    throw refuse(422, 'training_days', undefined, 'own_ends_on')
  const { rows } = await sql<TrainingAsked & { mine: boolean; offered: boolean }>`
    select university_today()::text as today, coalesce(y.opens_on::text, '') as opens_on, coalesce(y.closes_on::text, '') as closes_on,
      y.removed_at is not null as removed,
      (select json_build_object('name', f.name, 'name_local', f.name_local) from faculties f where f.id = y.faculty_id) as faculty,
      (select json_build_object('name', p.name, 'name_local', p.name_local) from programs p where p.id = y.program_id) as program,
      coalesce(s.faculty_id = y.faculty_id, false) as in_faculty, coalesce(s.program_id = y.program_id, false) as in_program, y.min_level, h.level, y.min_gpa::text, h.gpa::text,
      y.min_hours::text, h.passed_hours::text as hours, coalesce(y.cv_required, false) as cv_required, ${merged.cv_file_id ?? null}::int is not null as cv,
      s.status = 'studying' as studying, y.id is not null as offered,
      ${merged.cv_file_id ?? null}::int is null or exists (select from files f where f.id = ${merged.cv_file_id ?? null}::int
        and f.created_by = ${ctx.actor?.user_id ?? null}::int) as mine
    from students s join shown_standing h on h.student_id = s.id left join trainings y on y.id = ${offered ? Number(merged.training_id) : null}::int
    where s.id = ${Number(merged.student_id)}`.execute(tx)
  const [of] = rows
  if (!of) throw refuse(422, 'reference_missing', undefined, 'student_id')
  if (!of.mine) throw refuse(422, 'reference_missing', undefined, 'cv_file_id')
  if (offered && !of.offered) throw refuse(422, 'reference_missing', undefined, 'training_id')
  const reasons = offered ? checkTrainingAsked(of) : of.studying ? [] : [{ code: 'training_not_studying' }]
  if (reasons.length) throw new Refusal(409, reasons)
}

/**
 * What decisions look at. Who gives a place holds the training and the students, so that the last place is given once,
 * and nobody is given two at the same time.
 */
async function factsOf(
  _ctx: Ctx,
  tx: Tx,
  ids: readonly number[],
  action: string,
): Promise<Map<number, StudentTrainingFacts>> {
  if (action === 'accept') {
    await sql`select from trainings where id in (select training_id from students_trainings where id = any(${[...ids]}::int[]))
      order by id for update`.execute(tx)
    await sql`select from students where id in (select student_id from students_trainings where id = any(${[...ids]}::int[]))
      order by id for no key update`.execute(tx)
  }
  const { rows } = await sql<StudentTrainingFacts & { id: number }>`
    select t.id, university_today()::text as today, ${ENDS}::text as ends_on, s.status = 'studying' as studying, y.places,
      (select count(*)::int from students_trainings a where a.training_id = t.training_id and a.removed_at is null and a.id <> t.id
        and a.status in ('accepted', 'approved')) as taken,
      g.agreement_until::text, coalesce(y.has_interview, false) as needs_interview,
      exists (select from training_interviews v where v.student_training_id = t.id and v.starts_at <= now()) as interviewed,
      (select json_build_object('name', coalesce(o.name, a.own_organisation), 'name_local', coalesce(o.name_local, a.own_organisation))
        from students_trainings a left join trainings o on o.id = a.training_id
        where a.student_id = t.student_id and a.id <> t.id and a.removed_at is null and a.status in ('accepted', 'approved')
          and daterange(coalesce(o.starts_on, a.own_starts_on), coalesce(o.ends_on, a.own_ends_on), '[]') && daterange(${STARTS}, ${ENDS}, '[]')
        order by a.id limit 1) as meanwhile,
      coalesce(y.min_reports, 0) as min_reports, (select count(*)::int from training_reports r where r.student_training_id = t.id) as reports,
      t.assessed_at is not null as assessed
    from students_trainings t join students s on s.id = t.student_id left join trainings y on y.id = t.training_id
      left join training_organisations g on g.id = y.organisation_id
    where t.id = any(${[...ids]}::int[])`.execute(tx)
  return new Map(rows.map(({ id, ...facts }) => [id, facts]))
}

/** @throws {Refusal} 409 where places were judged one by one that cannot all be had */
async function keepPlaces(ctx: Ctx, tx: Tx, ids: readonly number[]): Promise<void> {
  const facts = await factsOf(ctx, tx, ids, 'accept')
  for (const id of ids) {
    const of = facts.get(id)
    const reasons = of ? checkTrainingAccepted(of) : []
    if (reasons.length) throw new Refusal(409, reasons)
  }
}

const CALLED = (column: 'name' | 'name_local') =>
  `coalesce((select y.${column} from trainings y where y.id = t.training_id), t.own_organisation)`
const served = serveRequest(studentTraining, {
  before: judge,
  facts: (ctx, tx, ids, action) => factsOf(ctx, tx, ids, action),
  told: { what: [CALLED('name'), CALLED('name_local')], link: (id) => `/students-trainings?view=all&id=${id}` },
  effect: async (ctx, tx, moved) => {
    // Many at once are judged by what was before them; and a place that is given back may be somebody else's by now.
    const placed = moved.filter(({ from, to }) => to === 'accepted' && from !== 'approved').map(({ id }) => id)
    if (placed.length) await keepPlaces(ctx, tx, placed)
    // Weeks that a degree stands on are not taken from under it.
    const taken = moved.filter(({ from }) => from === 'approved').map(({ id }) => id)
    const { rows: left } = await sql`select from students_trainings t join students s on s.id = t.student_id
      where t.id = any(${taken}::int[]) and s.status <> 'studying'`.execute(tx)
    if (left.length) throw refuse(409, 'training_not_studying')
    for (const { id, action, to } of moved) {
      // An interview that is not needed any more is free for others.
      if (to === 'cancelled' || (action === 'disapprove' && to === 'disapproved'))
        await sql`update training_interviews set student_training_id = null
          where student_training_id = ${id} and starts_at > now()`.execute(tx)
    }
  },
  state: {
    read: 't.status',
    write: async (_ctx, tx, moved) => {
      for (const { id, to } of moved)
        await sql`update students_trainings t set status = ${to}, weeks = case when ${to} = 'approved'
            then coalesce((select y.weeks from trainings y where y.id = t.training_id), t.own_weeks) end where t.id = ${id}`.execute(
          tx,
        )
    },
  },
})
export const studentTrainingWork = served.work

/** SQL: the reader reaches the student of the request `t` by one of these rights. */
const reached = (ctx: Ctx, keys: readonly PermissionKey[]) =>
  sql<boolean>`exists (select from students s where s.id = t.student_id and ${scopeCondition(ctx, keys, studentReach(ctx, 's'))})`
interface Held {
  readonly id: number
  readonly status: string
  readonly training_id: number | null
  readonly starts_on: string
  readonly ends_on: string
  readonly today: string
}
/** A request within reach, held. @throws {Refusal} 404 */
async function held(ctx: Ctx, tx: Tx, id: number, key: PermissionKey): Promise<Held> {
  await sql`select from students_trainings where id = ${id} for update`.execute(tx)
  const { rows } =
    await sql<Held>`select t.id, t.status, t.training_id, ${STARTS}::text as starts_on, ${ENDS}::text as ends_on,
      university_today()::text as today
    from students_trainings t left join trainings y on y.id = t.training_id
    where t.id = ${id} and t.removed_at is null and ${reached(ctx, [key])}`.execute(tx)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}

async function shown(ctx: Ctx, id: number): Promise<StudentTrainingDetail> {
  const { rows } = await sql<Omit<StudentTrainingDetail, 'missing' | 'reports_now'> & { own: boolean }>`
    select t.id, t.version, t.status, ${ref('s')} as student, ${refOrNull('y')} as training, coalesce(t.own_organisation, g.name) as organisation,
      ${STARTS}::text as starts_on, ${ENDS}::text as ends_on, ${WEEKS} as weeks, coalesce(y.min_reports, 0) as min_reports,
      coalesce((select json_agg(json_build_object('id', r.id, 'week', r.week, 'text', r.text, 'at', r.created_at) order by r.week)
        from training_reports r where r.student_training_id = t.id), '[]') as reports,
      coalesce(y.has_interview, false) as has_interview,
      (select json_build_object('id', v.id, 'starts_at', v.starts_at, 'minutes', v.minutes, 'place', v.place)
        from training_interviews v where v.student_training_id = t.id) as interview,
      case when t.status = 'requested' and not exists (select from training_interviews v where v.student_training_id = t.id and v.starts_at > now())
        then coalesce((select json_agg(json_build_object('id', v.id, 'starts_at', v.starts_at, 'minutes', v.minutes, 'place', v.place) order by v.starts_at, v.id)
          from (select * from training_interviews v where v.training_id = t.training_id and v.student_training_id is null and v.starts_at > now()
            order by v.starts_at, v.id limit 40) v), '[]') else '[]'::json end as free,
      case when t.assessed_at is not null then json_build_object('score', t.score, 'text', t.assessment, 'visited_on', t.visited_on, 'at', t.assessed_at,
        'by', (select json_build_object('name', u.name, 'name_local', u.name_local) from users u where u.id = t.assessed_by)) end as assessment,
      ${reached(ctx, ['approve_studentTraining'])} and t.status = 'accepted' as assesses,
      ${reached(ctx, ['add_studentTraining'])} as own
    from students_trainings t join students s on s.id = t.student_id left join trainings y on y.id = t.training_id
      left join training_organisations g on g.id = y.organisation_id
    where t.id = ${id} and t.removed_at is null and ${reached(ctx, ['show_studentTraining'])}`.execute(ctx.db)
  const [found] = rows
  if (!found) throw refuse(404, 'not_found')
  const { own, ...row } = found
  const facts = (await factsOf(ctx, ctx.db as Tx, [id], 'read')).get(id)
  return {
    ...row,
    reports_now: own && row.status === 'accepted' && (facts?.today ?? '') >= row.starts_on,
    missing: row.status === 'accepted' && facts ? checkTrainingApproved(facts).map(toProblem) : [],
  }
}

const TO = {
  requested: 'reopen',
  accepted: 'accept',
  approved: 'approve',
  disapproved: 'disapprove',
  final_disapproved: 'disapprove_finally',
  cancelled: 'cancel',
} as const
/** Back to accepted or disapproved leads the step that takes a decision back. */
const actionTo = (from: string, to: keyof typeof TO): string =>
  (to === 'accepted' && from === 'approved') || (to === 'disapproved' && from === 'final_disapproved')
    ? 'reopen'
    : TO[to]
async function standing(tx: Tx, id: number) {
  const { rows } = await sql<{ id: number; version: number; status: string }>`
    select id, version, status from students_trainings where id = ${id}`.execute(tx)
  return { data: firstRow(rows) }
}

export const studentTrainingHandlers: readonly Handled[] = [
  ...served.handlers,
  served.at(calls.students, 'list'),
  handle(calls.lookups, async (ctx) => {
    const { rows } = await sql<{ id: number; name: string; name_local: string; code: string }>`
      select t.id, t.name, t.name_local, t.code from training_organisations t where t.removed_at is null order by t.code`.execute(
      ctx.db,
    )
    const statuses = studentTrainingFlow.states.map(({ value, label }) => ({
      id: value,
      name: label[0],
      name_local: label[1],
    }))
    return { data: { organisations: rows, statuses } }
  }),
  handle(calls.student, async (ctx, { params: { id } }) => ({ data: await shown(ctx, id) })),
  handle(calls.ask, (ctx, { body }) =>
    ctx.write(async (tx) => {
      const create = served.at(resourceCalls(studentTraining).create, 'create')
      const answer = (await create.handler(ctx, { params: {}, query: {}, body, file: null } as never)) as {
        data: { id: number }
      }
      return standing(tx, answer.data.id)
    }),
  ),
  handle(calls.updateStatus, (ctx, { body: { id, status, reason, version } }) =>
    ctx.write(async (tx) => {
      const { rows } = await sql<{
        status: string
      }>`select t.status from students_trainings t where t.id = ${id} and t.removed_at is null
        and ${reached(ctx, ['decide_studentTraining', 'approve_studentTraining', 'add_studentTraining'])}`.execute(tx)
      if (!rows[0]) throw refuse(404, 'not_found')
      await served.flow.take(ctx, id, actionTo(rows[0].status, status), { reason, version })
      return standing(tx, id)
    }),
  ),
  handle(calls.report, (ctx, { params: { id }, body: { week, text } }) =>
    ctx.write(async (tx) => {
      const of = await held(ctx, tx, id, 'add_studentTraining')
      const reasons = checkTrainingReport(of, week)
      if (reasons.length) throw new Refusal(409, reasons)
      const { rows } = await sql<{
        id: number
      }>`insert into training_reports (student_training_id, week, text, created_by)
        values (${id}, ${week}, ${text}, ${ctx.actor?.user_id ?? null}::int) returning id`.execute(tx)
      return { data: firstRow(rows) }
    }),
  ),
  handle(calls.assess, (ctx, { params: { id }, body: { score, text, visited_on = null } }) =>
    ctx.write(async (tx) => {
      const of = await held(ctx, tx, id, 'approve_studentTraining')
      if (of.status !== 'accepted') throw refuse(409, 'training_assessed_late')
      if (visited_on !== null && (visited_on > of.today || visited_on < of.starts_on))
        throw refuse(422, 'training_visit_day', { from: of.starts_on, until: of.today }, 'visited_on')
      await sql`update students_trainings set score = ${score}, assessment = ${text}, visited_on = ${visited_on}::date,
        assessed_by = ${ctx.actor?.user_id ?? null}::int, assessed_at = now() where id = ${id}`.execute(tx)
      return { data: { id } }
    }),
  ),
  handle(calls.book, (ctx, { params: { id }, body: { interview_id } }) =>
    ctx.write(async (tx) => {
      const of = await held(ctx, tx, id, 'add_studentTraining')
      if (of.status !== 'requested') throw refuse(409, 'training_no_booking')
      // Also who missed an interview books another. Of two who book one at a moment the second finds it taken.
      await sql`select from training_interviews where id = ${interview_id} for update`.execute(tx)
      const { rows } = await sql<{
        free: boolean
      }>`select student_training_id is null and starts_at > now() as free from training_interviews
        where id = ${interview_id} and training_id = ${of.training_id}::int`.execute(tx)
      if (!rows[0]) throw refuse(422, 'reference_missing', undefined, 'interview_id')
      if (!rows[0].free) throw refuse(409, 'training_interview_taken', undefined, 'interview_id')
      await sql`update training_interviews set student_training_id = null where student_training_id = ${id}`.execute(tx)
      await sql`update training_interviews set student_training_id = ${id} where id = ${interview_id}`.execute(tx)
      return { data: { id } }
    }),
  ),
]
