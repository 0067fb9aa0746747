/** The question to an organisation: the mail with its link, and its end. */
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Language } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { newToken } from '#kit/server/identity/sessions.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { sql } from 'kysely'
import { TRAINING_LINK_DAYS } from '../places/training.rules.ts'

/** Sends the link. Its secret is made when the mail is written, and only its hash is kept. */
export const askTrainingOrganisationJob = defineJob<
  { readonly ask_id: number; readonly lang: Language },
  { readonly sent: boolean }
>({
  name: 'ask-training-organisation',
  retries: 20,
  run: async (ctx, { ask_id, lang }) => {
    const local = lang === 'ar' ? '_local' : ''
    const { rows } = await sql<{ email: string; training: string; contact: string; until: string }>`
      select k.email, ${sql.ref(`t.name${local}`)} as training, coalesce(g.contact_name, ${sql.ref(`g.name${local}`)}) as contact,
        (t.ends_on + ${TRAINING_LINK_DAYS}::int)::text as until
      from training_asks k join trainings t on t.id = k.training_id join training_organisations g on g.id = t.organisation_id
      where k.id = ${ask_id} and k.ended_at is null and t.removed_at is null`.execute(ctx.db)
    const [one] = rows
    // Taken back meanwhile: nobody is asked.
    if (!one) return { sent: false }
    const { token, hash } = newToken()
    await sql`insert into training_links (token_hash, ask_id) values (${hash}, ${ask_id})`.execute(ctx.db)
    const head = await universityHead(ctx)
    await ctx.services.mail.send({
      to: one.email,
      lang,
      key: 'training_organisation',
      data: {
        university: lang === 'ar' ? head.name_local : head.name,
        contact: one.contact,
        training: one.training,
        until: one.until,
        link: `${ctx.services.config.publicUrl}/training-answer?token=${token}`,
      },
    })
    return { sent: true }
  },
})

/** Asks the organisation of a training that is held; a question of before ends, with its link. */
export async function startOrganisationAsk(ctx: Ctx, tx: Tx, training_id: number): Promise<void> {
  await endOrganisationAsk(tx, training_id)
  const { rows } = await sql<{ id: number }>`insert into training_asks (training_id, email, asked_by)
    select t.id, g.email, ${ctx.actor?.user_id ?? null}::int from trainings t join training_organisations g on g.id = t.organisation_id
    where t.id = ${training_id} returning id`.execute(tx)
  await ctx.services.jobs.send(
    tx,
    askTrainingOrganisationJob,
    { ask_id: firstRow(rows).id, lang: ctx.lang },
    { actor: null },
  )
}

/** Takes the question back, and its links with it. @returns whether there was one */
export async function endOrganisationAsk(tx: Tx, training_id: number): Promise<boolean> {
  await sql`delete from training_links l using training_asks k where k.id = l.ask_id and k.training_id = ${training_id}`.execute(
    tx,
  )
  const { rows } =
    await sql`update training_asks set ended_at = now() where training_id = ${training_id} and ended_at is null returning id`.execute(
      tx,
    )
  return rows.length > 0
}
