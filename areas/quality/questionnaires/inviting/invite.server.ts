/** Graduates are invited by a link, of which only the digest is kept (docs/decisions/0047-anonymous-answers.md). */
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { newToken } from '#kit/server/identity/sessions.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { universityHead } from '#kit/server/base/university.ts'
import type { Language } from '#kit/contract/index.ts'
import { sql } from 'kysely'

interface Invited {
  readonly questionnaire_id: number
  readonly student_id: number
}

/** Writes to one graduate. A mail that is not taken is written anew, with another link; the one before it is dead then. */
export const inviteGraduate = defineJob<Invited, void>({
  name: 'questionnaire-invitation',
  retries: 5,
  async run(ctx, { questionnaire_id, student_id }) {
    const { rows } = await sql<{
      email: string
      language: Language | null
      name: string
      name_local: string
      type: string
      type_local: string
      closes_on: string
    }>`
      select g.email, u.language, s.name, s.name_local, y.name as type, y.name_local as type_local, q.closes_on::text as closes_on
      from questionnaire_invitations i join questionnaires q on q.id = i.questionnaire_id and q.status = 'open' and q.removed_at is null
        join questionnaire_types y on y.id = q.type_id join questionnaire_graduates(q.id) g on g.student_id = i.student_id
        join students s on s.id = i.student_id left join users u on u.id = s.user_id
      where i.questionnaire_id = ${questionnaire_id} and i.student_id = ${student_id} and i.answered_on is null and g.email is not null
        and not exists (select from questionnaire_participations p where p.set_id = g.set_id and p.user_id = g.user_id)`.execute(
      ctx.db,
    )
    const [found] = rows
    // Closed or answered meanwhile, or without an address.
    if (!found) return
    const { token, hash } = newToken()
    await ctx.write((tx) =>
      sql`update questionnaire_invitations set token_hash = ${hash}, sent_on = university_today()
        where questionnaire_id = ${questionnaire_id} and student_id = ${student_id}`.execute(tx),
    )
    const head = await universityHead(ctx)
    const arabic = (found.language ?? 'ar') === 'ar'
    await ctx.services.mail.send({
      to: found.email,
      lang: found.language,
      key: 'questionnaire_link',
      data: {
        university: arabic ? head.name_local : head.name,
        name: arabic ? found.name_local : found.name,
        questionnaire: arabic ? found.type_local : found.type,
        day: found.closes_on,
        link: `${ctx.services.config.publicUrl}/questionnaire-invited?token=${token}`,
      },
    })
  },
})

/** Invites the graduates of an open questionnaire that are not invited yet. @returns how many */
export const inviteGraduates = (ctx: Ctx, id: number): Promise<number> =>
  ctx.write(async (tx) => {
    const { rows } = await sql<{
      student_id: number
    }>`insert into questionnaire_invitations (questionnaire_id, student_id)
      select q.id, g.student_id from questionnaires q cross join lateral questionnaire_graduates(q.id) g
      where q.id = ${id} and q.status = 'open' and q.removed_at is null and university_today() between q.opens_on and q.closes_on
        and g.email is not null
      order by g.student_id on conflict do nothing returning student_id`.execute(tx)
    for (const { student_id } of rows)
      await ctx.services.jobs.send(tx, inviteGraduate, { questionnaire_id: id, student_id }, { actor: null })
    return rows.length
  })
/** The same as a job, for whoever opens the questionnaire. */
export const inviteJob = defineJob<{ id: number }, { invited: number }>({
  name: 'questionnaire-invitations',
  retries: 5,
  run: async (ctx, { id }) => ({ invited: await inviteGraduates(ctx, id) }),
})
