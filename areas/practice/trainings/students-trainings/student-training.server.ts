/** Trainings of students: asked for, given a place, reported on, assessed, and counted. */
import { followGraduation } from '#areas/records/grading/terms/record.server.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { resourceCalls } from '#kit/contract/index.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { serveRequest } from '#kit/server/workflow/requests.ts'
import type { Moved } from '#kit/server/workflow/workflow.ts'
import { sql } from 'kysely'
import { checkOrganisationAsked, checkTrainingReport, othersOf, TRAINING_LINK_DAYS } from '../places/training.rules.ts'
import { endOrganisationAsk, startOrganisationAsk } from '../organisations/ask.server.ts'
import { servedOrganisations } from '../organisations/organisation.server.ts'
import { revokeTrainingPapers } from './paper.server.ts'
import { trainingFactsOf, judgeAsked, keepPlaces } from './facts.server.ts'
import { heldTraining, reachedTraining, shownTraining } from './shown.server.ts'
import { studentTraining, studentTrainingFlow, trainingCalls as calls } from './student-training.contract.ts'

const CALLED = (column: 'name' | 'name_local') =>
  `coalesce((select y.${column} from trainings y where y.id = t.training_id), t.own_organisation)`

/** Weeks that count, or count no more: what stands against the degree of who still studies is computed again. */
async function followDegree(tx: Tx, ids: readonly number[]): Promise<void> {
  if (!ids.length) return
  const { rows } = await sql<{
    id: number
  }>`select distinct s.id from students_trainings t join students s on s.id = t.student_id
    where t.id = any(${[...ids]}::int[]) and s.status in ('studying', 'suspended') order by 1`.execute(tx)
  if (rows.length)
    await followGraduation(
      tx,
      rows.map(({ id }) => id),
    )
}

async function follow(ctx: Ctx, tx: Tx, moved: readonly Moved[]): Promise<void> {
  // Many at once are judged by what was before them; and a place that is given back may be somebody else's by now.
  const placed = moved.filter(({ from, to }) => to === 'accepted' && from !== 'approved').map(({ id }) => id)
  if (placed.length) await keepPlaces(tx, placed)
  // Weeks that a degree stands on are not taken from under it.
  const taken = moved.filter(({ from }) => from === 'approved').map(({ id }) => id)
  const { rows: left } = await sql`select from students_trainings t join students s on s.id = t.student_id
    where t.id = any(${taken}::int[]) and s.status <> 'studying'`.execute(tx)
  if (left.length) throw refuse(409, 'training_not_studying')
  for (const { id, action, to } of moved) {
    // Who comes to nothing is nobody's question any more.
    if (to !== 'requested' && to !== 'accepted' && to !== 'approved')
      await endOrganisationAsk(tx, { student_training_id: id })
    // An interview that is not needed any more is free for others.
    if (to === 'cancelled' || (action === 'disapprove' && to === 'disapproved'))
      await sql`update training_interviews set student_training_id = null
        where student_training_id = ${id} and starts_at > now()`.execute(tx)
  }
  await revokeTrainingPapers(ctx, tx, moved)
  await followDegree(
    tx,
    moved.filter(({ from, to }) => from === 'approved' || to === 'approved').map(({ id }) => id),
  )
}

const served = serveRequest(studentTraining, {
  before: judgeAsked,
  facts: (_ctx, tx, ids, action) => trainingFactsOf(tx, ids, action),
  told: { what: [CALLED('name'), CALLED('name_local')], link: (id) => `/students-trainings?view=all&id=${id}` },
  computed: {
    other_requests: `(select count(*)::int from students_trainings a where a.student_id = t.student_id and a.id <> t.id
      and a.status = 'requested' and a.removed_at is null)`,
  },
  effect: follow,
  state: {
    read: 't.status',
    write: async (_ctx, tx, moved) => {
      for (const { id, to } of moved)
        await sql`update students_trainings t set status = ${to}, weeks = case when ${to} = 'approved' then coalesce(
            (select least(t.until_week - t.from_week + 1, y.weeks) from trainings y where y.id = t.training_id), t.own_weeks) end where t.id = ${id}`.execute(
          tx,
        )
    },
  },
})
export const studentTrainingWork = served.work
/** For those who take its steps elsewhere. */
export const studentTrainingSteps = served.flow

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
  handle(calls.student, async (ctx, { params: { id } }) => ({ data: await shownTraining(ctx, id) })),
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
        and ${reachedTraining(ctx, ['decide_studentTraining', 'approve_studentTraining', 'add_studentTraining'])}`.execute(
        tx,
      )
      if (!rows[0]) throw refuse(404, 'not_found')
      await served.flow.take(ctx, id, actionTo(rows[0].status, status), { reason, version })
      return standing(tx, id)
    }),
  ),
  handle(calls.report, (ctx, { params: { id }, body: { week, text } }) =>
    ctx.write(async (tx) => {
      const of = await heldTraining(ctx, tx, id, 'add_studentTraining', true)
      const reasons = checkTrainingReport(of, week)
      if (reasons.length) throw new Refusal(409, reasons)
      const { rows } = await sql<{
        id: number
      }>`insert into training_reports (student_training_id, week, text, created_by)
        values (${id}, ${week}, ${text}, ${ctx.actor?.user_id ?? null}::int) returning id`.execute(tx)
      return { data: firstRow(rows) }
    }),
  ),
  handle(calls.assess, (ctx, { params: { id }, body: { score, text, visited_on = null, version } }) =>
    ctx.write(async (tx) => {
      const of = await heldTraining(ctx, tx, id, 'approve_studentTraining')
      if (of.status !== 'accepted') throw refuse(409, 'training_assessed_late')
      if (of.version !== version) throw refuse(409, 'changed_meanwhile', { version: of.version })
      if (visited_on !== null && (visited_on > of.today || visited_on < of.starts_on))
        throw refuse(422, 'training_visit_day', { from: of.starts_on, until: of.today }, 'visited_on')
      await sql`update students_trainings set score = ${score}, assessment = ${text}, visited_on = ${visited_on}::date,
        assessed_by = ${ctx.actor?.user_id ?? null}::int, assessed_at = now() where id = ${id}`.execute(tx)
      return { data: { id } }
    }),
  ),
  handle(calls.acceptAmong, (ctx, { params: { id }, body: { others: then, reason, version } }) =>
    ctx.write(async (tx) => {
      const { rows } = await sql<{ id: number; wish: number | null; this: boolean }>`
        select a.id, a.wish, a.id = t.id as this from students_trainings t join students_trainings a on a.student_id = t.student_id
        where t.id = ${id} and t.removed_at is null and ${reachedTraining(ctx, ['decide_studentTraining'])}
          and (a.id = t.id or a.status = 'requested' and a.removed_at is null) order by a.wish, a.id`.execute(tx)
      const own = rows.find((one) => one.this)
      if (!own) throw refuse(404, 'not_found')
      const ended = othersOf(
        then,
        own.wish,
        rows.filter((one) => !one.this),
      )
      await served.flow.take(ctx, id, 'accept', { version })
      for (const other of ended) await served.flow.take(ctx, other.id, 'disapprove', { reason })
      return { data: { id, ended: ended.length } }
    }),
  ),
  handle(calls.listOrganisation, (ctx, { params: { id }, body: { organisation_id, ...given } }) =>
    ctx.write(async (tx) => {
      await heldTraining(ctx, tx, id, 'decide_studentTraining')
      const { rows: of } = await sql<{ own: boolean; listed: boolean }>`select own_organisation is not null as own,
        organisation_id is not null as listed from students_trainings where id = ${id}`.execute(tx)
      const { own, listed } = firstRow(of)
      if (!own) throw refuse(409, 'training_of_list')
      if (listed) throw refuse(409, 'training_listed_already')
      const listed_id = organisation_id ?? (await servedOrganisations.insert(ctx, tx, given))
      const { rows } = await sql<{ id: number; name: string; name_local: string; code: string }>`
        select id, name, name_local, code from training_organisations where id = ${listed_id} and removed_at is null`.execute(
        tx,
      )
      if (!rows[0]) throw refuse(422, 'reference_missing', undefined, 'organisation_id')
      await sql`update students_trainings set organisation_id = ${listed_id} where id = ${id}`.execute(tx)
      return { data: rows[0] }
    }),
  ),
  handle(calls.askPlace, (ctx, { params: { id } }) =>
    ctx.write(async (tx) => {
      const of = await heldTraining(ctx, tx, id, 'decide_studentTraining')
      const { rows } = await sql<{ own: boolean; listed: boolean; email: string | null; over: boolean }>`
        select t.own_organisation is not null as own, g.id is not null as listed, g.email,
          coalesce(t.own_ends_on + ${TRAINING_LINK_DAYS}::int < university_today(), false) as over
        from students_trainings t left join training_organisations g on g.id = t.organisation_id where t.id = ${id}`.execute(
        tx,
      )
      const { own, listed, ...facts } = firstRow(rows)
      if (!own) throw refuse(409, 'training_of_list')
      if (!listed) throw refuse(409, 'training_not_listed')
      if (of.status !== 'requested' && of.status !== 'accepted') throw refuse(409, 'training_answered_late')
      const reasons = checkOrganisationAsked({ ...facts, called_off: null })
      if (reasons.length) throw new Refusal(409, reasons)
      await startOrganisationAsk(ctx, tx, { student_training_id: id })
      return { data: { id } }
    }),
  ),
  handle(calls.endPlaceAsk, (ctx, { params: { id } }) =>
    ctx.write(async (tx) => {
      await heldTraining(ctx, tx, id, 'decide_studentTraining')
      if (!(await endOrganisationAsk(tx, { student_training_id: id }))) throw refuse(409, 'training_not_asked')
      return { data: { id } }
    }),
  ),
  handle(calls.book, (ctx, { params: { id }, body: { interview_id } }) =>
    ctx.write(async (tx) => {
      const of = await heldTraining(ctx, tx, id, 'add_studentTraining')
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
