/** The question to an issuer: when it began, until when an answer is expected, and the mail with its link. */
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { newToken } from '#kit/server/identity/sessions.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { sql } from 'kysely'
import { ELSEWHERE_KINDS } from './external.contract.ts'

/** Days until an answer is expected, unless the university says otherwise; and those for which a link opens the question. */
export const ANSWER_DAYS = 14
const LINK_DAYS = 60

/** Sends the question to the office of the issuer. The token is made when the mail is written, and only its hash is kept. */
export const askIssuerJob = defineJob<{ readonly ask_id: number }, { readonly sent: boolean }>({
  name: 'ask-issuer',
  retries: 20,
  run: async (ctx, { ask_id }) => {
    const { rows } = await sql<{ email: string; person: string; kind: string; number: string | null; issuer: string }>`
      select q.email, coalesce(t.person_name, s.name, a.name, a.name_local, a.code) as person, t.kind, t.number, i.name as issuer
      from external_paper_asks q join external_papers t on t.id = q.paper_id join paper_issuers i on i.id = t.issuer_id
        left join students s on s.id = t.student_id left join applicants a on a.id = t.applicant_id
      where q.id = ${ask_id} and q.ended_at is null and t.removed_at is null`.execute(ctx.db)
    const [one] = rows
    // Ended meanwhile: nobody is asked.
    if (!one) return { sent: false }
    const { token, hash } = newToken()
    await sql`insert into external_paper_links (token_hash, ask_id, expires_at)
      values (${hash}, ${ask_id}, now() + make_interval(days => ${LINK_DAYS}))`.execute(ctx.db)
    const head = await universityHead(ctx)
    await ctx.services.mail.send({
      to: one.email,
      lang: 'en',
      key: 'external_paper',
      data: {
        university: head.name,
        issuer: one.issuer,
        person: one.person,
        kind: ELSEWHERE_KINDS.find(({ value }) => value === one.kind)!.label[0],
        number: one.number ?? '–',
        days: LINK_DAYS,
        link: `${ctx.services.config.publicUrl}/external-answer?token=${token}`,
      },
    })
    return { sent: true }
  },
})

/** Begins a question; the mail is sent when the unit of work commits. */
export async function startAsk(ctx: Ctx, tx: Tx, paper_id: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    insert into external_paper_asks (paper_id, email, asked_by, due_on)
    select t.id, i.email, ${ctx.actor?.user_id ?? null}::int, university_today() + coalesce((select (value #>> '{}')::int from settings
      where key = 'external_answer_days'), ${ANSWER_DAYS})
    from external_papers t join paper_issuers i on i.id = t.issuer_id where t.id = ${paper_id} returning id`.execute(tx)
  await ctx.services.jobs.send(tx, askIssuerJob, { ask_id: firstRow(rows).id }, { actor: null })
}
/** A question is over, and its links with it. */
export async function endAsk(tx: Tx, paper_id: number): Promise<void> {
  await sql`delete from external_paper_links l using external_paper_asks q where q.id = l.ask_id and q.paper_id = ${paper_id}`.execute(
    tx,
  )
  await sql`update external_paper_asks set ended_at = now() where paper_id = ${paper_id} and ended_at is null`.execute(
    tx,
  )
}
