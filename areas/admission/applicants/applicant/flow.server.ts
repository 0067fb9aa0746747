/** The way of an application: who is reached, what a step looks at, and who is told. */
import { sql } from 'kysely'
import type { Language } from '#kit/contract/index.ts'
import type { ScopeParts } from '#kit/server/base/scope.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { serveWorkflow } from '#kit/server/workflow/workflow.ts'
import type { ApplicantStatus } from '../words.contract.ts'
import { applicantFlow, applicantSteps, type ApplicantReviewFacts } from './flow.contract.ts'

/** Whoever wishes for a program of a part of the university is of that part. */
export const wishing = (kind: 'faculty_id' | 'department_id' | 'bylaw_id' | 'id') => () => (ids: readonly number[]) =>
  sql`exists (select from applicant_preferences w join programs p on p.id = w.program_id
    where w.applicant_id = t.id and ${sql.ref(`p.${kind}`)} = any(${[...ids]}::int[]))`

/** Tells an applicant what became of the application. Nobody but the applicant has its key, so the mail names the page. */
export const sendApplicantStatus = defineJob({
  name: 'send-applicant-status',
  retries: 5,
  async run(ctx, { id, status, reason }: { id: number; status: ApplicantStatus; reason: string | null }) {
    const { rows } = await sql<{ email: string; language: Language; code: string; comments: string[] }>`
      select t.email, t.language, t.code, array(select c.text from applicant_comments c where c.applicant_id = t.id and c.settled_at is null
        order by c.id) as comments from applicants t where t.id = ${id}`.execute(ctx.db)
    const [to] = rows
    if (!to) return
    const head = await universityHead(ctx)
    const arabic = to.language === 'ar'
    const key = {
      FEEDBACK: 'application_sent_back',
      REJECTED: 'application_on_hold',
      CANCELLED: 'application_cancelled',
    }[status as 'FEEDBACK']
    await ctx.services.mail.send({
      to: to.email,
      lang: to.language,
      key,
      data: {
        number: to.code,
        university: arabic ? head.name_local : head.name,
        ...(status === 'FEEDBACK'
          ? { comments: to.comments.map((text) => `• ${text}`).join('\n') }
          : { reason: reason ?? '' }),
        link: `${ctx.services.config.publicUrl}/apply`,
      },
    })
  },
})

const reach = (): ScopeParts => ({
  faculty: wishing('faculty_id')(),
  department: wishing('department_id')(),
  bylaw: wishing('bylaw_id')(),
  program: wishing('id')(),
})
const TOLD: readonly ApplicantStatus[] = ['FEEDBACK', 'REJECTED', 'CANCELLED']

export const applicantWorkflow = serveWorkflow(applicantFlow, applicantSteps, {
  table: 'applicants',
  scope: reach,
  seen: ['show_applicant'],
  nameOf: 't.code',
  facts: async (_ctx, tx, ids) => {
    const { rows } = await sql<
      ApplicantReviewFacts & { id: number }
    >`select t.id, (select count(*)::int from applicant_comments c
        where c.applicant_id = t.id and c.settled_at is null) as comments
      from applicants t where t.id = any(${[...ids]}::int[])`.execute(tx)
    return new Map(rows.map(({ id, ...facts }) => [id, facts]))
  },
  effect: async (ctx, tx, moved) => {
    for (const { id, to, reason } of moved)
      if (TOLD.includes(to))
        await ctx.services.jobs.send(tx, sendApplicantStatus, { id, status: to, reason }, { actor: null })
  },
})
