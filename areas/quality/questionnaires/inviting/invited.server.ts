/** Answering by the link in the mail: whoever has the mailbox is who is asked. */
import { addressLimit, attempt } from '#kit/server/identity/attempts.ts'
import { hashToken } from '#kit/server/identity/sessions.ts'
import { handle, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { sql } from 'kysely'
import { sealBallot } from '../counting/envelope.server.ts'
import { ballotKeyFor } from '../counting/keys.server.ts'
import { checkAnswers, countedAnswers, envelopeBytes } from '../filling/answers.rules.ts'
import { questionForm, type QuestionnaireWords } from '../types/form.contract.ts'
import { INTRODUCTION } from '../types/question.server.ts'
import { linkedOf } from './invite.server.ts'
import { invitedCalls } from './invited.contract.ts'
import { keepRefusal, refusalOf, refusedBy } from './refusal.server.ts'

/** SQL: the invitation `i` of a token, with its open questionnaire `q`, type `y` and whoever is asked now (`g`). */
const invited = (
  token: string,
) => sql`questionnaire_invitations i join questionnaires q on q.id = i.questionnaire_id and q.status = 'open'
    and q.removed_at is null and university_today() between q.opens_on and q.closes_on
  join questionnaire_types y on y.id = q.type_id cross join lateral ${linkedOf()} g
  where i.token_hash = ${hashToken(token)}`
/** SQL: who is asked has answered, by the link or signed in. */
const ANSWERED = sql`(i.answered_on is not null
  or exists (select from questionnaire_participations p where p.set_id = g.set_id and p.user_id = g.user_id))`

export const invitedHandlers: readonly Handled[] = [
  handle(invitedCalls.questions, async (ctx, { body }) => {
    const right = await attempt(ctx.pool, [addressLimit('questionnaire token', ctx.ip)])
    const { rows } = await sql<{
      type: { name: string; name_local: string }
      introduction: QuestionnaireWords | null
      closes_on: string
      form: unknown
      answered: boolean
      email: string | null
    }>`select json_build_object('name', y.name, 'name_local', y.name_local) as type, ${INTRODUCTION} as introduction,
        q.closes_on::text as closes_on, q.form, ${ANSWERED} as answered, g.email
      from ${invited(body.token)}`.execute(ctx.db)
    const [found] = rows
    if (!found) throw refuse(403, 'questionnaire_link_over')
    await right()
    const { form, answered, email, ...data } = found
    if (answered) throw refuse(409, 'questionnaire_answered')
    const stop = email === null ? null : await refusalOf(ctx.pool, email)
    return { data: { ...data, stop, questions: questionForm.parse(form) } }
  }),
  handle(invitedCalls.submit, async (ctx, { body }) => {
    const right = await attempt(ctx.pool, [addressLimit('questionnaire token', ctx.ip)])
    const own = asSystem(ctx.services, 'Answers by the link in a mail', ctx.lang)
    await own.write(async (tx) => {
      // Two windows at once: the second waits here, and then sees that the first has answered.
      await sql`select from questionnaire_invitations where token_hash = ${hashToken(body.token)} for update`.execute(
        tx,
      )
      const { rows } = await sql<{
        id: number
        user_id: number | null
        set_id: number
        form: unknown
        answered: boolean
      }>`select q.id, g.user_id, g.set_id, q.form, ${ANSWERED} as answered from ${invited(body.token)}`.execute(tx)
      const [found] = rows
      if (!found) throw refuse(403, 'questionnaire_link_over')
      if (found.answered) throw refuse(409, 'questionnaire_answered')
      const form = questionForm.parse(found.form)
      const reasons = checkAnswers(form, body.answers)
      if (reasons.length) throw new Refusal(422, reasons)
      const key = await ballotKeyFor(own, tx, found.id)
      const sealed = sealBallot(countedAnswers(form, body.answers), key, envelopeBytes(form))
      if (found.user_id !== null) {
        const { rows: took } = await sql<{ set_id: number }>`insert into questionnaire_participations (set_id, user_id)
          values (${found.set_id}, ${found.user_id}) on conflict do nothing returning set_id`.execute(tx)
        // Signed in elsewhere, the same person was quicker.
        if (!took.length) throw refuse(409, 'questionnaire_answered')
      }
      await sql`update questionnaire_invitations set answered_on = university_today()
        where token_hash = ${hashToken(body.token)}`.execute(tx)
      await sql`insert into questionnaire_ballots (set_id, sealed) values (${found.set_id}, ${sealed})`.execute(tx)
    })
    await right()
    return { answered: true as const }
  }),
  handle(invitedCalls.refuse, async (ctx, { body }) => {
    const right = await attempt(ctx.pool, [addressLimit('questionnaire token', ctx.ip)])
    const plain = await refusedBy(ctx.pool, body.stop)
    if (!plain) throw refuse(403, 'questionnaire_stop_link')
    const own = asSystem(ctx.services, 'Refuses mails by the link in one', ctx.lang)
    await own.write((tx) => keepRefusal(own, tx, plain, body.refused))
    await right()
    return { refused: body.refused }
  }),
]
