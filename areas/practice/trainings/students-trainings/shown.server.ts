/** A training of a student as its reader sees it, and as it is held while it is changed. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse, toProblem } from '#kit/server/base/errors.ts'
import { isId, scopeCondition } from '#kit/server/base/scope.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { checkOrganisationAsked, checkTrainingApproved, TRAINING_LINK_DAYS } from '../places/training.rules.ts'
import { ENDS, STARTS, WEEKS, trainingFactsOf } from './facts.server.ts'
import type { organisationAsk, StudentTrainingDetail, TrainingAssessment } from './student-training.contract.ts'

/** SQL: the reader reaches the student of the request `t` by one of these rights. */
export const reachedTraining = (ctx: Ctx, keys: readonly PermissionKey[]) =>
  sql<boolean>`exists (select from students s where s.id = t.student_id and ${scopeCondition(ctx, keys, studentReach(ctx, 's'))})`
/** SQL: the request `t` is the reader's own. */
const ownTraining = (ctx: Ctx) => isId(sql`t.student_id`, ctx.actor?.student_id)

interface Held {
  readonly id: number
  readonly version: number
  readonly status: string
  readonly training_id: number | null
  readonly starts_on: string
  readonly ends_on: string
  readonly today: string
}
/** A request within reach, held; with `own` only the own one. @throws {Refusal} 404 */
export async function heldTraining(ctx: Ctx, tx: Tx, id: number, key: PermissionKey, own = false): Promise<Held> {
  await sql`select from students_trainings where id = ${id} for update`.execute(tx)
  const { rows } =
    await sql<Held>`select t.id, t.version, t.status, t.training_id, ${STARTS}::text as starts_on, ${ENDS}::text as ends_on,
      university_today()::text as today
    from students_trainings t left join trainings y on y.id = t.training_id
    where t.id = ${id} and t.removed_at is null and ${reachedTraining(ctx, [key])} and ${own ? ownTraining(ctx) : sql`true`}`.execute(
      tx,
    )
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}

/** SQL of what the organisation of the request `t` advises: what it said last. */
export const ADVICE =
  sql.raw(`(select json_build_object('says', w.says, 'reason', w.reason, 'said_by', w.said_by, 'at', w.at)
  from training_answers w where w.student_training_id = t.id order by w.id desc limit 1)`)

export async function shownTraining(ctx: Ctx, id: number): Promise<StudentTrainingDetail> {
  const { rows } = await sql<
    Omit<StudentTrainingDetail, 'missing' | 'reports_now' | 'assessment' | 'assessments' | 'question'> & {
      /** Of a place that was found and is on the list. */
      question: { email: string | null; over: boolean; ask: z.output<typeof organisationAsk> | null } | null
      own: boolean
      /** Whether the reader is of those who decide or assess. */
      office: boolean
      said: TrainingAssessment[]
    }
  >`
    select t.id, t.version, t.status, ${ref('s')} as student, ${refOrNull('y')} as training, json_build_object('name', coalesce(t.own_organisation, g.name), 'name_local', coalesce(t.own_organisation, g.name_local)) as organisation,
      ${STARTS}::text as starts_on, ${ENDS}::text as ends_on, ${WEEKS} as weeks,
      least(coalesce(y.min_reports, 0), ceil((${ENDS} - ${STARTS} + 1) / 7.0)::int) as min_reports,
      coalesce((select json_agg(json_build_object('id', r.id, 'week', r.week, 'text', r.text, 'at', r.created_at) order by r.week)
        from training_reports r where r.student_training_id = t.id), '[]') as reports,
      coalesce(y.has_interview, false) as has_interview,
      (select json_build_object('id', v.id, 'starts_at', v.starts_at, 'minutes', v.minutes, 'place', v.place)
        from training_interviews v where v.student_training_id = t.id) as interview,
      case when t.status = 'requested' and not exists (select from training_interviews v where v.student_training_id = t.id and v.starts_at > now())
        then coalesce((select json_agg(json_build_object('id', v.id, 'starts_at', v.starts_at, 'minutes', v.minutes, 'place', v.place) order by v.starts_at, v.id)
          from (select * from training_interviews v where v.training_id = t.training_id and v.student_training_id is null and v.starts_at > now()
            order by v.starts_at, v.id limit 40) v), '[]') else '[]'::json end as free,
      coalesce((select json_agg(json_build_object('id', m.id, 'source', m.source, 'score', m.score, 'text', m.text, 'visited_on', m.visited_on,
          'said_by', m.said_by, 'at', m.at, 'by', (select json_build_object('name', u.name, 'name_local', u.name_local) from users u where u.id = m.user_id))
        order by m.id desc) from training_assessments m where m.student_training_id = t.id), '[]') as said,
      ${ADVICE} as advice, ${reachedTraining(ctx, ['decide_studentTraining', 'approve_studentTraining'])} as office,
      case when t.status = 'requested' and ${reachedTraining(ctx, ['decide_studentTraining'])} then coalesce((select json_agg(json_build_object('id', a.id,
          'name', coalesce(o.name, a.own_organisation), 'name_local', coalesce(o.name_local, a.own_organisation), 'wish', a.wish) order by a.wish, a.id)
        from students_trainings a left join trainings o on o.id = a.training_id
        where a.student_id = t.student_id and a.id <> t.id and a.status = 'requested' and a.removed_at is null), '[]') else '[]'::json end as others,
      t.own_organisation is not null and t.organisation_id is null and ${reachedTraining(ctx, ['decide_studentTraining'])} as lists,
      case when t.own_organisation is not null and t.organisation_id is not null and t.status in ('requested', 'accepted')
          and ${reachedTraining(ctx, ['decide_studentTraining'])}
        then (select json_build_object('email', o.email, 'over', t.own_ends_on + ${TRAINING_LINK_DAYS}::int < university_today(),
            'ask', (select json_build_object('email', k.email, 'asked_at', k.asked_at, 'opened_at', k.opened_at, 'ends_on', t.own_ends_on + ${TRAINING_LINK_DAYS}::int,
                'by', (select json_build_object('name', u.name, 'name_local', u.name_local) from users u where u.id = k.asked_by))
              from training_asks k where k.student_training_id = t.id and k.ended_at is null))
          from training_organisations o where o.id = t.organisation_id) end as question,
      ${reachedTraining(ctx, ['approve_studentTraining'])} and t.status = 'accepted' as assesses,
      ${ownTraining(ctx)} as own
    from students_trainings t join students s on s.id = t.student_id left join trainings y on y.id = t.training_id
      left join training_organisations g on g.id = y.organisation_id
    where t.id = ${id} and t.removed_at is null and ${reachedTraining(ctx, ['show_studentTraining'])}`.execute(ctx.db)
  const [found] = rows
  if (!found) throw refuse(404, 'not_found')
  const { own, office, said, lists, advice, question, ...row } = found
  const facts = (await trainingFactsOf(ctx.db as Tx, [id], 'read')).get(id)
  const assessment = said.find((one) => one.source === 'supervisor') ?? null
  return {
    ...row,
    assessment,
    // What an organisation says is advice to the university: the student reads what counts.
    advice: office ? advice : null,
    assessments: office ? said.filter((one) => one !== assessment) : [],
    question: question && {
      email: question.email,
      ask: question.ask,
      not_asked: checkOrganisationAsked({ email: question.email, called_off: null, over: question.over }).map(
        toProblem,
      ),
    },
    lists: lists && ctx.can('add_trainingOrganisation'),
    reports_now: own && row.status === 'accepted' && (facts?.today ?? '') >= row.starts_on,
    missing: row.status === 'accepted' && facts ? checkTrainingApproved(facts).map(toProblem) : [],
  }
}
