/** Where a person is told of questionnaires that wait: first after signing in, and on the home page. */
import { ledFirst } from '#areas/people/access-and-people/sign-in/first.server.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { hear, type Hearing } from '#kit/server/base/hears.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { sql } from 'kysely'

/** SQL: sets `x` of open questionnaires `q` that ask a person, and that he or she has not answered. */
const unanswered = (
  user_id: number,
) => sql`questionnaire_asks(${user_id}) a join questionnaire_sets x on x.id = a.set_id
  join questionnaires q on q.id = x.questionnaire_id
  where not exists (select from questionnaire_participations p where p.set_id = x.id and p.user_id = ${user_id})
    and not exists (select from questionnaire_invitations v join students s on s.id = v.student_id
      where v.questionnaire_id = q.id and s.user_id = ${user_id} and v.answered_on is not null)`

/** The obligatory questionnaire that closes first, unless it was put off today. */
async function obligatoryFirst(ctx: Ctx, user_id: number): Promise<string | null> {
  const { rows } = await sql<{ id: number }>`select x.id from ${unanswered(user_id)} and q.obligatory
      and not exists (select from questionnaire_postponements w where w.questionnaire_id = q.id and w.user_id = ${user_id}
        and w.day = university_today())
    order by q.closes_on, q.id, x.id limit 1`.execute(ctx.db)
  return rows[0] ? `/questionnaire_form/${rows[0].id}` : null
}
export const ledToQuestionnaire: Hearing = hear(ledFirst, obligatoryFirst)

/** Questionnaires that wait for the reader's answers. */
export const questionnaireWork: readonly WorkSource[] = [
  {
    permissions: 'signed_in',
    waiting: (ctx) => sql`
      select 'questionnaires.work_due', jsonb_build_object('count', count(*)),
        ${ctx.actor?.type === 3 ? '/student_questionnaires' : '/faculty_questionnaires'}, null::timestamptz,
        (min(q.closes_on) + time '23:59') at time zone university_zone()
      from ${unanswered(ctx.actor?.user_id ?? 0)} having count(*) > 0`,
  },
]
