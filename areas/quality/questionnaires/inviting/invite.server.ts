/** Graduates and outsiders are invited by a link, of which only the digest is kept (docs/decisions/0047-anonymous-answers.md, 0057). */
import type { Tx } from '#db/connect.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { newToken } from '#kit/server/identity/sessions.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { universityHead } from '#kit/server/base/university.ts'
import type { Language } from '#kit/contract/index.ts'
import { sql, type RawBuilder } from 'kysely'
import { refusalOf, refusedAmong, refusedOf } from './refusal.server.ts'

interface Invited {
  readonly questionnaire_id: number
  /** A graduate, or somebody of the list of outsiders. */
  readonly student_id?: number | null
  readonly outsider_id?: number | null
  /** Who was written to before is reminded. */
  readonly again?: boolean
}

/** SQL: whom the invitation `i` of the questionnaire `q` is to, as long as he or she is asked. */
export const linkedOf =
  (): RawBuilder<unknown> => sql`(select l.* from questionnaire_linked(q.id) l where l.student_id = i.student_id
  union all select l.* from questionnaire_linked(q.id) l where l.outsider_id = i.outsider_id)`
/** SQL: the invitation `i` of one person. */
const invitationOf = ({ questionnaire_id, student_id = null, outsider_id = null }: Invited): RawBuilder<unknown> =>
  sql`i.questionnaire_id = ${questionnaire_id} and (i.student_id = ${student_id}::int or i.outsider_id = ${outsider_id}::int)`
/** SQL: whoever is linked (`g`) took part signed in. */
const TOOK_PART = sql`exists (select from questionnaire_participations p where p.set_id = g.set_id and p.user_id = g.user_id)`

/**
 * Writes to one person. A mail that is not taken, and a reminder, is written anew with another link; the one before it is dead
 * then. Who does not want such mails gets none.
 */
export const inviteByLink = defineJob<Invited, void>({
  name: 'questionnaire-invitation',
  retries: 5,
  async run(ctx, invited) {
    const { rows } = await sql<{
      email: string
      language: Language | null
      name: string
      name_local: string
      outside: boolean
      type: string
      type_local: string
      closes_on: string
    }>`
      select g.email, coalesce(o.language, u.language) as language, coalesce(o.name, s.name) as name, coalesce(o.name, s.name_local) as name_local,
        o.id is not null as outside, y.name as type, y.name_local as type_local, q.closes_on::text as closes_on
      from questionnaire_invitations i join questionnaires q on q.id = i.questionnaire_id and q.status = 'open' and q.removed_at is null
        join questionnaire_types y on y.id = q.type_id cross join lateral ${linkedOf()} g
        left join students s on s.id = i.student_id left join users u on u.id = s.user_id left join questionnaire_outsiders o on o.id = i.outsider_id
      where ${invitationOf(invited)} and i.answered_on is null and g.email is not null and not ${TOOK_PART}`.execute(
      ctx.db,
    )
    const [found] = rows
    // Closed or answered meanwhile, or without an address to which one may write.
    if (!found) return
    // Or said meanwhile that no mails are wanted.
    if ((await refusedAmong(ctx.services, ctx.db, [found.email])).size) return
    const { token, hash } = newToken()
    await ctx.write((tx) =>
      sql`update questionnaire_invitations i set token_hash = ${hash}, sent_on = university_today()
        where ${invitationOf(invited)} and i.answered_on is null`.execute(tx),
    )
    const head = await universityHead(ctx)
    const arabic = (found.language ?? 'ar') === 'ar'
    const page = `${ctx.services.config.publicUrl}/questionnaire-invited`
    const stop = `${page}?stop=${await refusalOf(ctx.pool, found.email)}`
    await ctx.services.mail.send({
      to: found.email,
      lang: found.language,
      key: invited.again ? 'questionnaire_reminder' : found.outside ? 'questionnaire_outsider' : 'questionnaire_link',
      unsubscribe: stop,
      data: {
        university: arabic ? head.name_local : head.name,
        name: arabic ? found.name_local : found.name,
        questionnaire: arabic ? found.type_local : found.type,
        day: found.closes_on,
        link: `${page}?token=${token}`,
        stop,
      },
    })
  },
})

/** Invites those of an open questionnaire who are asked by a link and are not invited yet. @returns how many */
export const inviteLinked = (ctx: Ctx, id: number): Promise<number> =>
  ctx.write(async (tx) => {
    const refused = await refusedOf(ctx, tx, id)
    const { rows } = await sql<{
      student_id: number | null
      outsider_id: number | null
    }>`insert into questionnaire_invitations (questionnaire_id, student_id, outsider_id)
      select q.id, g.student_id, g.outsider_id from questionnaires q cross join lateral questionnaire_linked(q.id) g
      where q.id = ${id} and q.status = 'open' and q.removed_at is null and university_today() between q.opens_on and q.closes_on
        and g.email is not null and not g.email = any(${refused}::text[])
      order by g.student_id, g.outsider_id on conflict do nothing returning student_id, outsider_id`.execute(tx)
    for (const one of rows)
      await ctx.services.jobs.send(tx, inviteByLink, { questionnaire_id: id, ...one }, { actor: null })
    return rows.length
  })
/** The same as a job, for whoever opens the questionnaire. */
export const inviteJob = defineJob<{ id: number }, { invited: number }>({
  name: 'questionnaire-invitations',
  retries: 5,
  run: async (ctx, { id }) => ({ invited: await inviteLinked(ctx, id) }),
})

/** Reminds those who have no account, were written to before today, and have not answered. @returns how many */
export async function remindLinked(ctx: Ctx, tx: Tx, id: number): Promise<number> {
  const refused = await refusedOf(ctx, tx, id)
  const { rows } = await sql<{ student_id: number | null; outsider_id: number | null }>`
    select i.student_id, i.outsider_id from questionnaire_invitations i
      join questionnaires q on q.id = i.questionnaire_id cross join lateral ${linkedOf()} g
    where i.questionnaire_id = ${id} and i.answered_on is null and i.sent_on < university_today() and g.user_id is null
      and g.email is not null and not g.email = any(${refused}::text[])
    order by i.student_id, i.outsider_id`.execute(tx)
  for (const one of rows)
    await ctx.services.jobs.send(tx, inviteByLink, { questionnaire_id: id, ...one, again: true }, { actor: null })
  return rows.length
}
