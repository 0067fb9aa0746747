/** Filling in: what a person is asked, and taking the answers (docs/decisions/0047-anonymous-answers.md). */
import { actorIn } from '#kit/server/base/actor.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { sealBallot } from '../counting/envelope.server.ts'
import { ballotKeyFor } from '../counting/keys.server.ts'
import { mayPostpone } from '../planning/questionnaire.rules.ts'
import { questionForm, type QuestionnaireWords } from '../types/form.contract.ts'
import { INTRODUCTION } from '../types/question.server.ts'
import { checkAnswers, countedAnswers, envelopeBytes } from './answers.rules.ts'
import { fillCalls, type DueQuestionnaire } from './fill.contract.ts'

/** SQL: whoever has an account since has answered the questionnaire `q` by the link, without one. */
const answeredByLink = (
  user_id: number,
) => sql`exists (select from questionnaire_invitations v join students s on s.id = v.student_id
  where v.questionnaire_id = q.id and s.user_id = ${user_id} and v.answered_on is not null)`

/** Everything that the person is asked now, and what of it is answered. */
async function dueOf(ctx: Ctx, user_id: number): Promise<DueQuestionnaire[]> {
  const { rows } = await sql<DueQuestionnaire>`
    select x.id, q.id as questionnaire_id, ${ref('y')} as type, y.kind, ${refOrNull('c')} as course, ${refOrNull('i')} as instructor,
      q.closes_on, q.obligatory, (p.user_id is not null or ${answeredByLink(user_id)}) as answered,
      greatest(case when q.obligatory then q.postponements else 0 end - coalesce(w.times, 0), 0)::int as postponements_left,
      q.obligatory and coalesce(w.day = university_today(), false) as put_off
    from questionnaire_asks(${user_id}) a join questionnaire_sets x on x.id = a.set_id
      join questionnaires q on q.id = x.questionnaire_id join questionnaire_types y on y.id = q.type_id
      left join offerings o on o.id = x.offering_id left join courses c on c.id = o.course_id
      left join instructors i on i.id = x.instructor_id
      left join questionnaire_participations p on p.set_id = x.id and p.user_id = ${user_id}
      left join questionnaire_postponements w on w.questionnaire_id = q.id and w.user_id = ${user_id}
    order by p.user_id is not null, not q.obligatory, q.closes_on, c.code, i.name, x.id`.execute(ctx.db)
  return rows
}
const self = (ctx: Ctx): number => actorIn(ctx).user_id

export const fillHandlers: readonly Handled[] = [
  handle(fillCalls.own, async (ctx) => {
    const data = await dueOf(ctx, self(ctx))
    return { data, must: data.some((one) => one.obligatory && !one.answered && one.postponements_left === 0) }
  }),
  handle(fillCalls.questions, async (ctx, { params }) => {
    const due = (await dueOf(ctx, self(ctx))).find((one) => one.id === params.id)
    if (!due) throw refuse(409, 'questionnaire_not_asked')
    const { rows } = await sql<{ introduction: QuestionnaireWords | null; form: unknown }>`
      select ${INTRODUCTION} as introduction, q.form from questionnaires q join questionnaire_types y on y.id = q.type_id
      where q.id = ${due.questionnaire_id}`.execute(ctx.db)
    const [found] = rows
    if (!found) throw refuse(409, 'questionnaire_not_asked')
    return { data: { ...due, introduction: found.introduction, questions: questionForm.parse(found.form) } }
  }),
  handle(fillCalls.submit, (ctx, { params, body }) =>
    ctx.write(async (tx) => {
      const user_id = self(ctx)
      const { rows } = await sql<{ form: unknown; questionnaire_id: number; answered: boolean }>`
        select q.form, q.id as questionnaire_id, exists (select from questionnaire_participations p where p.set_id = x.id and p.user_id = ${user_id})
          or ${answeredByLink(user_id)} as answered
        from questionnaire_sets x join questionnaires q on q.id = x.questionnaire_id
        where x.id = ${params.id} and x.id in (select a.set_id from questionnaire_asks(${user_id}) a)`.execute(tx)
      const [found] = rows
      if (!found) throw refuse(409, 'questionnaire_not_asked')
      if (found.answered) throw refuse(409, 'questionnaire_answered')
      const form = questionForm.parse(found.form)
      const reasons = checkAnswers(form, body.answers)
      if (reasons.length) throw new Refusal(422, reasons)
      const key = await ballotKeyFor(ctx, tx, found.questionnaire_id)
      const sealed = sealBallot(countedAnswers(form, body.answers), key, envelopeBytes(form))
      const { rows: took } = await sql<{ set_id: number }>`insert into questionnaire_participations (set_id, user_id)
        values (${params.id}, ${user_id}) on conflict do nothing returning set_id`.execute(tx)
      // The same person in another window was quicker.
      if (!took.length) throw refuse(409, 'questionnaire_answered')
      await sql`insert into questionnaire_ballots (set_id, sealed) values (${params.id}, ${sealed})`.execute(tx)
      return { answered: true as const }
    }),
  ),
  handle(fillCalls.postpone, (ctx, { params }) =>
    ctx.write(async (tx) => {
      const user_id = self(ctx)
      const { rows: held } = await sql<{ obligatory: boolean; postponements: number }>`
        select q.obligatory, q.postponements::int as postponements from questionnaires q where q.id = ${params.id}
          and exists (select from questionnaire_asks(${user_id}) a join questionnaire_sets x on x.id = a.set_id where x.questionnaire_id = q.id)`.execute(
        tx,
      )
      const [found] = held
      if (!found) throw refuse(409, 'questionnaire_not_asked')
      // The row is held by this statement, so two windows count one after the other.
      const { rows } = await sql<{ times: number; day: string; today: string }>`
        insert into questionnaire_postponements (questionnaire_id, user_id, times, day) values (${params.id}, ${user_id}, 1, university_today())
        on conflict (questionnaire_id, user_id) do update set times = questionnaire_postponements.times + 1, day = university_today()
        returning times::int as times, day::text as day, university_today()::text as today`.execute(tx)
      const times = rows[0]?.times ?? 1
      if (!mayPostpone(found, times - 1)) throw refuse(409, 'questionnaire_postponed', { most: found.postponements })
      return { postponements_left: found.postponements - times }
    }),
  ),
]
