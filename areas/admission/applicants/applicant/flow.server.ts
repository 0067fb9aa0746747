/** The way of an application: who is reached, what a step looks at, and who is told. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Language } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { hear } from '#kit/server/base/hears.ts'
import type { ScopeParts } from '#kit/server/base/scope.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { serveWorkflow } from '#kit/server/workflow/workflow.ts'
import { applicantSettled } from '#areas/enrolment/transfers/external/settled.server.ts'
import type { ApplicantStatus } from '../words.contract.ts'
import { applicantFlow, applicantSteps } from './flow.contract.ts'
import { applicantsMoved, type ApplicantMove } from './moved.server.ts'
import { studentOfApplicant } from './student-of.server.ts'
import type { ApplicantWayFacts } from './way.rules.ts'

/** Whoever wishes for a program of a part of the university is of that part. */
export const wishing = (kind: 'faculty_id' | 'department_id' | 'bylaw_id' | 'id') => () => (ids: readonly number[]) =>
  sql`exists (select from applicant_preferences w join programs p on p.id = w.program_id
    where w.applicant_id = t.id and ${sql.ref(`p.${kind}`)} = any(${[...ids]}::int[]))`

/** Tells an applicant what became of the application. Nobody but the applicant has its key, so the mail names the page. */
export const sendApplicantStatus = defineJob({
  name: 'send-applicant-status',
  retries: 5,
  async run(ctx, { id, status, reason }: { id: number; status: ApplicantStatus; reason: string | null }) {
    const { rows } = await sql<{
      email: string | null
      language: Language
      code: string
      program: string
      comments: string[]
    }>`
      select t.email, t.language, t.code,
      coalesce((select case when t.language = 'ar' then p.name_local else p.name end from programs p where p.id = t.program_id), '') as program, array(select c.text from applicant_comments c where c.applicant_id = t.id and c.settled_at is null
        order by c.id) as comments from applicants t where t.id = ${id}`.execute(ctx.db)
    const [to] = rows
    // Whom the ministry has nominated has no address before the application is taken up.
    if (!to?.email) return
    const head = await universityHead(ctx)
    const arabic = to.language === 'ar'
    const key = {
      FEEDBACK: 'application_sent_back',
      REJECTED: 'application_on_hold',
      CANCELLED: 'application_cancelled',
      EXAM_FAILS: 'application_exam_failed',
      FINAL_FEES_REQUIRED: 'application_offer',
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
          : { reason: reason ?? '', program: to.program }),
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
const TOLD: readonly ApplicantStatus[] = ['FEEDBACK', 'REJECTED', 'CANCELLED', 'EXAM_FAILS', 'FINAL_FEES_REQUIRED']

/** Writes to applicants whose application came to where that concerns them. */
const tellApplicants = async (ctx: Ctx, tx: Tx, moved: readonly ApplicantMove[]): Promise<void> => {
  for (const { id, to, reason } of moved)
    if (TOLD.includes(to))
      await ctx.services.jobs.send(tx, sendApplicantStatus, { id, status: to, reason }, { actor: null })
}
export const applicantMails = hear(applicantsMoved, tellApplicants)

export const applicantWorkflow = serveWorkflow(applicantFlow, applicantSteps, {
  table: 'applicants',
  scope: reach,
  seen: ['show_applicant'],
  nameOf: 't.code',
  facts: async (_ctx, tx, ids) => {
    const { rows } = await sql<ApplicantWayFacts & { id: number }>`select t.id, t.status,
        (select count(*)::int from applicant_comments c where c.applicant_id = t.id and c.settled_at is null) as comments,
        a.applicant_type = 3 as transfer, ${EQUIVALENT} as equivalent, a.has_exam, a.has_interview,
        ${feeStanding('exam', 't.exam_attempt')} as exam_fee, ${feeStanding('final', '1')} as final_fee,
        (coalesce(a.min_exam, 0) * 100)::int as min_exam, (t.exam_result * 100)::int as exam_result, t.interview_passed,
        t.program_id is not null as assigned,
        array_remove(array[case when t.email is null then 'email' end, case when t.name is null then 'name' end, case when t.name_local is null then 'name_local' end,
          case when t.gender is null then 'gender' end, case when t.birth_date is null then 'birth_date' end,
          case when t.nationality_id is null then 'nationality_id' end,
          case when t.national_id is null and t.passport_number is null then 'national_id' end], null) as missing
      from applicants t join admissions a on a.id = t.admission_id where t.id = any(${[...ids]}::int[])`.execute(tx)
    return new Map(rows.map(({ id, ...facts }) => [id, facts]))
  },
  state: {
    read: 't.status',
    write: async (ctx, tx, moved) => {
      for (const { id, to } of moved.filter((one) => one.to === 'accepted'))
        await sql`update applicants set status = ${to}, student_id = ${await studentOfApplicant(ctx, tx, id)} where id = ${id}`.execute(
          tx,
        )
      const others = moved.filter(({ to }) => to !== 'accepted')
      if (others.length)
        await sql`update applicants t set status = x."to" from jsonb_to_recordset(${JSON.stringify(others)}::jsonb) as x (id int, "to" text)
          where t.id = x.id`.execute(tx)
    },
  },
  effect: async (ctx, tx, moved) => {
    const failed = moved.filter(({ action }) => action === 'fail_exam').map(({ id }) => id)
    if (failed.length)
      await sql`update applicants set exam_attempt = exam_attempt + 1 where id = any(${failed}::int[])`.execute(tx)
    // The attempt that had failed is under way again, with what it came to.
    const back = moved
      .filter(({ action, from }) => action === 'correct_exam' && from === 'EXAM_FAILS')
      .map(({ id }) => id)
    if (back.length)
      await sql`update applicants set exam_attempt = exam_attempt - 1 where id = any(${back}::int[])`.execute(tx)
    // An attempt begins without a result.
    const again = moved.filter(({ action, from }) => action === 'ask_exam' && from === 'EXAM_FAILS').map(({ id }) => id)
    if (again.length)
      await sql`update applicants set exam_result = null, interview_passed = null where id = any(${again}::int[])`.execute(
        tx,
      )
    await applicantsMoved(ctx, tx, moved)
  },
})

/** SQL: what the applicant `t` passed elsewhere is settled for the program that was given; whoever passed nothing there brings nothing. */
const EQUIVALENT = sql`((coalesce(t.previous_hours = 0, false) or exists (select from external_transfers x
    where x.applicant_id = t.id and x.program_id = t.program_id and x.status = 'executed'))
  and not exists (select from external_transfers x where x.applicant_id = t.id and x.program_id = t.program_id and x.status = 'entered'))`

/** The faculty has settled what a transfer brings: the application goes on, unless it was further already. */
export const applicantEquivalences = hear(applicantSettled, async (ctx, tx, id) => {
  const { rows } = await sql<{ ready: boolean }>`select t.status = 'DISTRIBUATION_REQUIRED' and ${EQUIVALENT} as ready
    from applicants t where t.id = ${id} and t.removed_at is null`.execute(tx)
  if (rows[0]?.ready)
    await applicantWorkflow.take(
      asSystem(ctx.services, 'Courses from elsewhere were settled', ctx.lang),
      id,
      'equivalence',
    )
})

/** SQL of how a fee of the applicant `t` of the admission `a` stands. */
export const feeStanding = (fee: 'application' | 'exam' | 'final', attempt: string) => sql`case
  when exists (select from applicant_fees f where f.applicant_id = t.id and f.fee = ${sql.lit(fee)} and f.attempt = ${sql.raw(attempt)}
    and f.taken_back_at is null and f.settled) then 'paid'
  when exists (select from admission_fees f where f.admission_id = a.id and f.fee = ${sql.lit(fee)}
    and not (f.fee = 'final' and t.full_scholarship_id is not null)
    and (f.asked_of = 'all' or (f.asked_of = 'egyptian') = (t.nationality_id is not distinct from 64))) then 'due'
  else 'none' end`
