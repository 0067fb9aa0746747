/** One training in the hands of the office: places by week, its students, the question to its organisation, and calling it off. */
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { cutRows } from '#kit/server/base/cut.ts'
import { asRefusal, Refusal, refuse, toProblem } from '#kit/server/base/errors.ts'
import { ref } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { endOrganisationAsk, startOrganisationAsk } from '../organisations/ask.server.ts'
import { ADVICE, reachedTraining } from '../students-trainings/shown.server.ts'
import { studentTrainingSteps as steps } from '../students-trainings/student-training.server.ts'
import { trainingOverviewCalls as calls, type TrainingAsker, type TrainingOverview } from './overview.contract.ts'
import { checkOrganisationAsked, TRAINING_LINK_DAYS } from './training.rules.ts'

type Found = Omit<TrainingOverview, 'not_asked'> & { over: boolean }
async function overviewOf(ctx: Ctx, id: number): Promise<TrainingOverview> {
  const { rows } = await sql<Found>`
    select t.id, t.name, t.name_local, ${ref('g')} as organisation, t.starts_on::text, t.ends_on::text, t.has_interview,
      case when t.called_off_at is not null then json_build_object('at', t.called_off_at, 'reason', t.called_off_reason) end as called_off,
      coalesce((select json_agg(json_build_object('week', w.week, 'starts_on', t.starts_on + (w.week - 1) * 7,
          'ends_on', least(t.ends_on, t.starts_on + w.week * 7 - 1), 'places', w.places, 'taken', w.taken) order by w.week)
        from training_week_counts(t.id) w), '[]') as weeks,
      g.email, t.ends_on + ${TRAINING_LINK_DAYS}::int < university_today() as over,
      (select json_build_object('email', k.email, 'asked_at', k.asked_at, 'opened_at', k.opened_at, 'ends_on', t.ends_on + ${TRAINING_LINK_DAYS}::int,
          'by', (select json_build_object('name', u.name, 'name_local', u.name_local) from users u where u.id = k.asked_by))
        from training_asks k where k.training_id = t.id and k.ended_at is null) as ask
    from trainings t join training_organisations g on g.id = t.organisation_id
    where t.id = ${id} and t.removed_at is null`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  const { over, ...found } = rows[0]
  const reasons = checkOrganisationAsked({ email: found.email, called_off: found.called_off?.reason ?? null, over })
  return { ...found, not_asked: reasons.map(toProblem) }
}

/** A training that is there, held. @throws {Refusal} 404 */
async function heldOffer(tx: Tx, id: number): Promise<{ called_off: boolean }> {
  const { rows } = await sql<{ called_off: boolean }>`select called_off_at is not null as called_off from trainings
    where id = ${id} and removed_at is null for update`.execute(tx)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}

/** As the organisation advised, of one request that waits. @throws {Refusal} 404; 409 */
async function takeAdvice(ctx: Ctx, tx: Tx, id: number, training_id: number): Promise<void> {
  const { rows } = await sql<{ advice: { says: boolean; reason: string | null } | null }>`select ${ADVICE} as advice
    from students_trainings t where t.id = ${id} and t.training_id = ${training_id} and t.removed_at is null and ${reachedTraining(ctx, ['decide_studentTraining'])}`.execute(
    tx,
  )
  if (!rows[0]) throw refuse(404, 'not_found')
  const { advice } = rows[0]
  if (!advice) throw refuse(409, 'training_no_advice')
  await (advice.says
    ? steps.take(ctx, id, 'accept')
    : steps.take(ctx, id, 'disapprove', { reason: advice.reason ?? undefined }))
}

export const trainingOverviewHandlers: readonly Handled[] = [
  handle(calls.overview, async (ctx, { params: { id } }) => ({ data: await overviewOf(ctx, id) })),
  handle(calls.askers, (ctx, { params: { id }, query: { most } }) =>
    cutRows<TrainingAsker>(
      ctx.db,
      sql`select t.id, t.version, t.status, ${ref('s')} as student, t.wish, t.from_week, t.until_week, ${ADVICE} as advice,
          (select m.score from training_assessments m where m.student_training_id = t.id and m.source = 'organisation' order by m.id desc limit 1) as score
        from students_trainings t join students s on s.id = t.student_id
        where t.training_id = ${id} and t.removed_at is null and t.status in ('requested', 'accepted', 'approved')
          and ${reachedTraining(ctx, ['show_studentTraining'])}
        order by array_position(array['requested', 'accepted', 'approved'], t.status), t.wish, t.created_at, t.id`,
      most,
    ),
  ),
  handle(calls.askOrganisation, (ctx, { params: { id } }) =>
    ctx.write(async (tx) => {
      await heldOffer(tx, id)
      const { rows } = await sql<{ email: string | null; called_off: string | null; over: boolean }>`
        select g.email, t.called_off_reason as called_off, t.ends_on + ${TRAINING_LINK_DAYS}::int < university_today() as over
        from trainings t join training_organisations g on g.id = t.organisation_id where t.id = ${id}`.execute(tx)
      const reasons = checkOrganisationAsked(firstRow(rows))
      if (reasons.length) throw new Refusal(409, reasons)
      await startOrganisationAsk(ctx, tx, { training_id: id })
      return { data: { id } }
    }),
  ),
  handle(calls.endAsk, (ctx, { params: { id } }) =>
    ctx.write(async (tx) => {
      await heldOffer(tx, id)
      if (!(await endOrganisationAsk(tx, { training_id: id }))) throw refuse(409, 'training_not_asked')
      return { data: { id } }
    }),
  ),
  handle(calls.takeOver, (ctx, { params, body: { ids } }) =>
    ctx.write(async (tx) => {
      const done: number[] = []
      const failed: { id: number; name: string; errors: ReturnType<typeof toProblem>[] }[] = []
      for (const id of new Set(ids)) {
        try {
          await ctx.attempt(() => takeAdvice(ctx, tx, id, params.id))
          done.push(id)
        } catch (error) {
          const refusal = asRefusal(error)
          if (!refusal || refusal.status === 404 || refusal.status >= 500) throw error
          const { rows } = await sql<{ code: string }>`select s.code from students_trainings t
            join students s on s.id = t.student_id where t.id = ${id}`.execute(tx)
          failed.push({ id, name: firstRow(rows).code, errors: refusal.reasons.map(toProblem) })
        }
      }
      return { data: { done, failed } }
    }),
  ),
  handle(calls.callOff, (ctx, { params: { id }, body: { reason } }) =>
    ctx.write(
      async (tx) => {
        const { called_off } = await heldOffer(tx, id)
        if (called_off) throw refuse(409, 'training_is_called_off', { reason })
        const { rows } = await sql<{ id: number; reached: boolean }>`
          select t.id, case t.status when 'accepted' then ${reachedTraining(ctx, ['approve_studentTraining'])}
            else ${reachedTraining(ctx, ['decide_studentTraining'])} end as reached
          from students_trainings t where t.training_id = ${id} and t.removed_at is null and t.status in ('requested', 'accepted')
          order by t.id`.execute(tx)
        // Whoever calls it off decides on each of its students.
        const elsewhere = rows.filter(({ reached }) => !reached).length
        if (elsewhere) throw refuse(409, 'training_students_elsewhere', { count: elsewhere })
        await sql`update trainings set called_off_at = now(), called_off_reason = ${reason} where id = ${id}`.execute(
          tx,
        )
        for (const one of rows) await steps.take(ctx, one.id, 'disapprove', { reason })
        await sql`delete from training_interviews where training_id = ${id} and starts_at > now() and student_training_id is null`.execute(
          tx,
        )
        await endOrganisationAsk(tx, { training_id: id })
        return { data: { id, ended: rows.length } }
      },
      { reason },
    ),
  ),
  handle(calls.offerAgain, (ctx, { params: { id } }) =>
    ctx.write(async (tx) => {
      if (!(await heldOffer(tx, id)).called_off) throw refuse(409, 'training_takes_place')
      await sql`update trainings set called_off_at = null, called_off_reason = null where id = ${id}`.execute(tx)
      return { data: { id } }
    }),
  ),
]
