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
      select k.email, coalesce(${sql.ref(`t.name${local}`)}, p.own_organisation) as training,
        coalesce(g.contact_name, ${sql.ref(`g.name${local}`)}) as contact,
        (coalesce(t.ends_on, p.own_ends_on) + ${TRAINING_LINK_DAYS}::int)::text as until
      from training_asks k left join trainings t on t.id = k.training_id left join students_trainings p on p.id = k.student_training_id
        join training_organisations g on g.id = coalesce(t.organisation_id, p.organisation_id)
      where k.id = ${ask_id} and k.ended_at is null and coalesce(t.removed_at, p.removed_at) is null`.execute(ctx.db)
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

/** What an organisation is asked about: all students of its training, or one who found the place. */
export type OrganisationAsked = { readonly training_id: number } | { readonly student_training_id: number }
/** SQL: the question `k` is about this. */
const about = (of: OrganisationAsked) =>
  'training_id' in of ? sql`k.training_id = ${of.training_id}` : sql`k.student_training_id = ${of.student_training_id}`

/** Asks the organisation of what is held; a question of before ends, with its link. */
export async function startOrganisationAsk(ctx: Ctx, tx: Tx, of: OrganisationAsked): Promise<void> {
  await endOrganisationAsk(tx, of)
  const by = ctx.actor?.user_id ?? null
  const { rows } = await (
    'training_id' in of
      ? sql<{ id: number }>`insert into training_asks (training_id, email, asked_by)
        select t.id, g.email, ${by}::int from trainings t join training_organisations g on g.id = t.organisation_id
        where t.id = ${of.training_id} returning id`
      : sql<{ id: number }>`insert into training_asks (student_training_id, email, asked_by)
        select t.id, g.email, ${by}::int from students_trainings t join training_organisations g on g.id = t.organisation_id
        where t.id = ${of.student_training_id} returning id`
  ).execute(tx)
  await ctx.services.jobs.send(
    tx,
    askTrainingOrganisationJob,
    { ask_id: firstRow(rows).id, lang: ctx.lang },
    { actor: null },
  )
}

/** Takes the question back, and its links with it. @returns whether there was one */
export async function endOrganisationAsk(tx: Tx, of: OrganisationAsked): Promise<boolean> {
  await sql`delete from training_links l using training_asks k where k.id = l.ask_id and ${about(of)}`.execute(tx)
  const { rows } =
    await sql`update training_asks k set ended_at = now() where ${about(of)} and k.ended_at is null returning k.id`.execute(
      tx,
    )
  return rows.length > 0
}
