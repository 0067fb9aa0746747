/** Questionnaires as they are planned, opened, paused and closed. */
import { offeringReach } from '#areas/common/academics/offering-reach.server.ts'
import type { Tx } from '#db/connect.ts'
import { dayOf } from '#kit/contract/day.ts'
import { cutRows } from '#kit/server/base/cut.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { sql } from 'kysely'
import { countJob } from '../counting/count.server.ts'
import { ballotKeyFor } from '../counting/keys.server.ts'
import { inviteJob } from '../inviting/invite.server.ts'
import { formOfType } from '../types/question.server.ts'
import { QUESTIONNAIRE_KINDS } from '../types/type.contract.ts'
import {
  QUESTIONNAIRE_STATES,
  questionnaire,
  questionnaireCalls,
  type QuestionnaireState,
} from './questionnaire.contract.ts'
import {
  checkQuestionnaire,
  nextQuestionnaireState,
  type QuestionnaireSaid,
  type QuestionnaireTypeFacts,
} from './questionnaire.rules.ts'

const ANYBODY = { term_id: null, faculty_id: null, program_id: null, graduation_year_id: null }

const questionnaires = workings(questionnaire, {
  scope: { faculty: () => sql`t.faculty_id` },
  common: sql`t.faculty_id is null`,
  search: [],
  async beforeWrite(_ctx, tx, merged, current) {
    const { rows } = await sql<
      Pick<QuestionnaireTypeFacts, 'about' | 'kind' | 'outsiders'>
    >`select about, kind, (select count(*)::int from questionnaire_outsiders o where o.questionnaire_id = ${current?.id ?? null}) as outsiders
      from questionnaire_types where id = ${Number(merged.type_id)} and removed_at is null for share`.execute(tx)
    const [type] = rows
    if (!type) throw refuse(422, 'reference_missing', {}, 'type_id')
    const before = current && {
      ...(current as unknown as QuestionnaireSaid),
      status: String(current.status) as QuestionnaireState,
    }
    const reasons = checkQuestionnaire({ ...ANYBODY, ...merged } as unknown as QuestionnaireSaid, type, before, dayOf())
    if (reasons.length) throw new Refusal(before ? 409 : 422, reasons)
  },
  async beforeRemove(_ctx, tx, id) {
    const { rows } = await sql<{
      status: string
    }>`select status from questionnaires where id = ${id} for no key update`.execute(tx)
    if (rows[0] && rows[0].status !== 'planned') throw refuse(409, 'questionnaire_begun')
  },
})
/** SQL: the questionnaires `t` that the reader reaches. */
export const questionnaireScope = questionnaires.scope
/** A questionnaire within reach, held. */
export async function heldQuestionnaire(ctx: Ctx, tx: Tx, id: number) {
  const { rows } = await sql<
    { id: number; status: QuestionnaireState; closes_on: string; type_id: number } & Pick<
      QuestionnaireTypeFacts,
      'about' | 'kind' | 'outsiders'
    >
  >`
    select t.id, t.status, t.closes_on, t.type_id, y.about, y.kind,
      (select count(*)::int from questionnaire_outsiders o where o.questionnaire_id = t.id) as outsiders from questionnaires t join questionnaire_types y on y.id = t.type_id
    where t.id = ${id} and t.removed_at is null and ${questionnaires.scope(ctx, ['edit_questionnaire'])} for no key update of t`.execute(
    tx,
  )
  const [found] = rows
  if (!found) throw refuse(404, 'not_found')
  return found
}

/** What it asks is kept as it is now, whom it asks is told by rule, and a new pair of keys takes the answers. */
async function begin(ctx: Ctx, tx: Tx, id: number, form: readonly unknown[]): Promise<void> {
  await sql`update questionnaires set form = ${JSON.stringify(form)}::jsonb, status = 'open' where id = ${id}`.execute(
    tx,
  )
  await sql`select make_questionnaire_sets(${id})`.execute(tx)
  await ballotKeyFor(ctx, tx, id)
  await ctx.services.jobs.send(tx, inviteJob, { id }, { actor: null })
}

/** Graduates without an account, and outsiders, take part by their link. */
const LINKED = sql`(select count(*)::int from questionnaire_invitations i left join students s on s.id = i.student_id
  where i.questionnaire_id = t.id and s.user_id is null)`
const ASKED = sql`(select count(distinct p.user_id)::int + ${LINKED} from (select a.user_id, a.set_id from questionnaire_asked(t.id) a
  union select p.user_id, p.set_id from questionnaire_participations p where p.set_id in (select x.id from questionnaire_sets x where x.questionnaire_id = t.id)) p
  where p.set_id = x.id)`
/** How many are asked of a set `x` of the questionnaire `t`, and have answered: live while it is open, as counted afterwards. */
const RATE = sql`coalesce(x.asked, ${ASKED}) as asked,
  coalesce(x.answered, (select count(*)::int from questionnaire_participations p where p.set_id = x.id)
    + (select count(*)::int from questionnaire_invitations i left join students s on s.id = i.student_id
      where i.questionnaire_id = t.id and s.user_id is null and i.answered_on is not null)) as answered`

export const questionnaireHandlers: readonly Handled[] = [
  ...questionnaires.handlers,
  handle(questionnaireCalls.show, async (ctx, { params }) => {
    const { rows } = await sql<{
      id: number
      type: { id: number; name: string }
      kind: string
      about: string
      status: string
      opens_on: string
      closes_on: string
      counted_on: string | null
      sets: number
      asked: number
      answered: number
    }>`select t.id, ${ref('y')} as type, y.kind, y.about, t.status, t.opens_on, t.closes_on, t.counted_on,
        r.sets, r.asked, r.answered
      from questionnaires t join questionnaire_types y on y.id = t.type_id
        cross join lateral (select count(*)::int as sets, coalesce(sum(s.asked), 0)::int as asked, coalesce(sum(s.answered), 0)::int as answered
          from (select ${RATE} from questionnaire_sets x where x.questionnaire_id = t.id and not x.pooled) s) r
      where t.id = ${params.id} and (t.faculty_id is null or ${questionnaires.scope(ctx, ['show_questionnaire'])})`.execute(
      ctx.db,
    )
    const [data] = rows
    if (!data) throw refuse(404, 'not_found')
    return { data }
  }),
  handle(questionnaireCalls.toggle, (ctx, { params }) =>
    ctx.write(async (tx) => {
      const held = await heldQuestionnaire(ctx, tx, params.id)
      const form = held.status === 'planned' ? await formOfType(tx, held.type_id) : []
      const next = nextQuestionnaireState(
        { ...held, questions: form.length, key: ctx.services.config.secretsKey !== null },
        dayOf(),
      )
      if ('reasons' in next) throw new Refusal(409, next.reasons)
      if (held.status === 'planned') await begin(ctx, tx, held.id, form)
      else {
        await sql`update questionnaires set status = ${next.to} where id = ${held.id}`.execute(tx)
        if (next.to === 'open') await sql`select make_questionnaire_sets(${held.id})`.execute(tx)
      }
      return { data: { id: held.id, status: next.to } }
    }),
  ),
  handle(questionnaireCalls.close, (ctx, { params }) =>
    ctx.write(async (tx) => {
      const { id, status } = await heldQuestionnaire(ctx, tx, params.id)
      if (status === 'closed') throw refuse(409, 'questionnaire_closed')
      if (status === 'planned') throw refuse(409, 'questionnaire_not_begun')
      await sql`update questionnaires set status = 'closed' where id = ${id}`.execute(tx)
      await ctx.services.jobs.send(tx, countJob, { id }, { actor: null })
      return { id }
    }),
  ),
  handle(questionnaireCalls.participants, async (ctx, { params, query }) => {
    const { rows } = await sql<{ counted: boolean; asked: number; answered: number }>`
      select t.counted_on is not null as counted, r.asked, r.answered from questionnaires t
        cross join lateral (select coalesce(sum(s.asked), 0)::int as asked, coalesce(sum(s.answered), 0)::int as answered
          from (select ${RATE} from questionnaire_sets x where x.questionnaire_id = t.id and not x.pooled) s) r
      where t.id = ${params.id} and ${questionnaires.scope(ctx, ['show_questionnaire'])}`.execute(ctx.db)
    const [rate] = rows
    if (!rate) throw refuse(404, 'not_found')
    // Once it is counted nobody is named: who took part is kept no more.
    const people = await cutRows<{
      id: number
      name: string
      name_local: string
      answered: boolean
      day: string | null
    }>(
      ctx.db,
      sql`select u.id, u.name, u.name_local, bool_and(p.user_id is not null) as answered, max(p.day)::text as day
        from questionnaires t join questionnaire_asked(t.id) a on t.counted_on is null and t.status <> 'closed'
          join users u on u.id = a.user_id
          left join questionnaire_participations p on p.set_id = a.set_id and p.user_id = a.user_id
        where t.id = ${params.id} group by u.id order by bool_and(p.user_id is not null), u.name, u.id`,
      query.most,
    )
    return { ...people, ...rate }
  }),
  handle(questionnaireCalls.ofOffering, async (ctx, { body }) => {
    const { rows } = await sql<{
      id: number
      set_id: number
      type: { id: number; name: string }
      status: string
      instructor: { id: number; name: string } | null
      asked: number
      answered: number
      counted: boolean
    }>`select t.id, x.id as set_id, ${ref('y')} as type, t.status, ${refOrNull('i')} as instructor, ${RATE}, t.counted_on is not null as counted
      from questionnaire_sets x join questionnaires t on t.id = x.questionnaire_id and t.removed_at is null
        join questionnaire_types y on y.id = t.type_id join offerings o on o.id = x.offering_id left join instructors i on i.id = x.instructor_id
      where x.offering_id = ${body.offering_id}
        and ${scopeCondition(ctx, ['results_questionnaire', 'show_questionnaire'], offeringReach(ctx, 'o'))}
      order by t.closes_on desc, t.id, i.name, x.id`.execute(ctx.db)
    return { data: rows }
  }),
  handle(questionnaireCalls.lookups, async (ctx) => {
    const { rows: types } = await sql<{
      one: { id: number; name: string }
    }>`select ${ref('y')} as one from questionnaire_types y where y.removed_at is null order by y.code`.execute(ctx.db)
    const { rows: terms } = await sql<{
      one: { id: number; name: string }
    }>`select ${ref('t')} as one from terms t where t.removed_at is null order by t.id desc`.execute(ctx.db)
    return {
      data: {
        questionnaire_types: types.map(({ one }) => one),
        terms: terms.map(({ one }) => one),
        kinds: QUESTIONNAIRE_KINDS.map(({ value }) => value),
        states: QUESTIONNAIRE_STATES.map(({ value }) => value),
      },
    }
  }),
]
