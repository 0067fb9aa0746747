/** Fees follow applications, and applications go on when fees are settled. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { hear } from '#kit/server/base/hears.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { applicantWorkflow } from '#areas/admission/applicants/applicant/flow.server.ts'
import { applicantsMoved, type ApplicantMove } from '#areas/admission/applicants/applicant/moved.server.ts'
import type { ApplicantStatus } from '#areas/admission/applicants/words.contract.ts'
import { applicantDebts } from '#areas/money/invoices/holds.server.ts'
import { invoiceGone } from '#areas/money/invoices/gone.server.ts'
import { reachedPayer } from '#areas/money/ledger/reach.server.ts'
import { chargeApplicant, chargesOf, takeBackCharge } from './charge.server.ts'
import { feeOfStatus, isTakenBack, stepOfSettled, type FeeKind } from './fee.rules.ts'
import { sendApplicantFee } from './mail.server.ts'

/** The job that tells applications what was paid for them. */
const feesTold = 'applicant-fees'
const REASON = 'The application was put on hold or cancelled'

/** A step led applications on: what is asked for there is charged, what is not asked any more is taken back. They are held. */
async function charge(ctx: Ctx, tx: Tx, moved: readonly ApplicantMove[]): Promise<void> {
  for (const { id, from, to, reason } of moved) {
    if (to === 'REJECTED' || to === 'CANCELLED')
      for (const { exam_attempt, ...one } of await chargesOf(tx, id))
        if (isTakenBack({ from, to }, one, exam_attempt))
          await takeBackCharge(ctx, tx, one.invoice_id, reason ?? REASON)
    const fee = feeOfStatus(to)
    const charged = fee && (await chargeApplicant(ctx, tx, id, fee))
    if (charged && !charged.settled)
      await ctx.services.jobs.send(
        tx,
        sendApplicantFee,
        { invoice_id: charged.invoice_id, received: false },
        { actor: null },
      )
    // What was paid before it was put on hold leads it on again.
    if (charged) await ctx.services.jobs.send(tx, feesTold, {}, { actor: null })
  }
}

/** Finance reversed an invoice by hand: the fee is not settled by it, and can be charged again. */
async function reversed(_ctx: Ctx, tx: Tx, invoice_id: number): Promise<void> {
  await sql`update applicant_fees f set taken_back_at = now(), settled = false, unsettled_at = case when f.settled then now() end
    from invoices i where f.invoice_id = ${invoice_id} and i.id = f.invoice_id and i.reversed_at is not null and f.taken_back_at is null`.execute(
    tx,
  )
}

export const applicantFeesHeard = [
  hear(applicantsMoved, charge),
  hear(invoiceGone, reversed),
  // Applications are told later: a step holds one before its payer, and here the payers are held.
  hear(applicantDebts, async (ctx, tx) => void (await ctx.services.jobs.send(tx, feesTold, {}, { actor: null }))),
]

interface Untold {
  readonly invoice_id: number
  readonly applicant_id: number
  readonly fee: FeeKind
  readonly attempt: number
  readonly settled: boolean
  readonly told: boolean
}

/** Notes how a fee stands now, and tells the applicant what was received; in a unit of work that holds the application first. */
const note = (ctx: Ctx, { invoice_id, applicant_id, fee, attempt }: Untold) =>
  ctx.write(async (tx) => {
    await sql`select from applicants where id = ${applicant_id} for no key update`.execute(tx)
    // Another process may have been quicker.
    const { rows } = await sql<{ settled: boolean }>`select settled from applicant_fees_untold
      where invoice_id = ${invoice_id} and settled <> told`.execute(tx)
    const [now] = rows
    if (!now) return
    await sql`update applicant_fees set settled = ${now.settled}, unsettled_at = case when ${now.settled} then null else now() end
      where invoice_id = ${invoice_id}`.execute(tx)
    if (!now.settled) return
    await sql`update applicant_fees set unsettled_at = null where applicant_id = ${applicant_id} and fee = ${fee} and attempt = ${attempt}`.execute(
      tx,
    )
    await ctx.services.jobs.send(tx, sendApplicantFee, { invoice_id, received: true }, { actor: null })
  })

/** Leads an application on for which a fee is settled. */
const lead = (ctx: Ctx, { invoice_id, applicant_id, fee, attempt }: Untold): Promise<boolean> =>
  ctx.write(async (tx) => {
    const { rows } = await sql<{
      status: ApplicantStatus
      exam_attempt: number
    }>`select t.status, t.exam_attempt::int as exam_attempt
      from applicants t where t.id = ${applicant_id} and t.removed_at is null
        and exists (select from applicant_fees_untold u where u.invoice_id = ${invoice_id} and u.settled)
      for no key update of t`.execute(tx)
    const step = rows[0] && stepOfSettled(fee, attempt, rows[0])
    if (!step) return false
    await applicantWorkflow.take(ctx, applicant_id, step, { reason: 'The fee is settled' })
    return true
  })

/** Tells applications what became of their fees: sent when something was paid or cancelled, and by the clock for what was missed. */
export async function followApplicantFees(ctx: Ctx): Promise<{ noted: number; led: number }> {
  const { rows } = await sql<Untold>`select invoice_id, applicant_id, fee, attempt::int as attempt, settled, told
    from applicant_fees_untold order by invoice_id`.execute(ctx.db)
  const done = { noted: 0, led: 0 }
  const failures: Error[] = []
  for (const one of rows) {
    try {
      if (one.settled !== one.told) {
        await note(ctx, one)
        done.noted++
      }
      if (one.settled && (await lead(ctx, one))) done.led++
    } catch (error) {
      // An application that cannot go on keeps none of the others waiting.
      failures.push(error as Error)
    }
  }
  if (failures[0]) throw failures[0]
  return done
}
export const applicantFeesJob = defineJob<Record<string, never>, { noted: number; led: number }>({
  name: feesTold,
  cron: '* * * * *',
  run: ({ services }) => followApplicantFees(asSystem(services, 'Fees of applicants')),
})

const KEY = 'access_admission_payment'
/** What waits for a person: fees that were settled and are not any more, and money of applications that ended. */
export const admissionPaymentWork: readonly WorkSource[] = [
  {
    permissions: [KEY],
    waiting: (ctx) => sql`
      select 'admission-payments.work_lost', jsonb_build_object('count', count(*)),
        '/admission-payments?filters=%7B%22state%22%3A%5B%22unsettled%22%5D%7D', min(f.unsettled_at), null::timestamptz
      from applicant_fees f join payers p on p.applicant_id = f.applicant_id left join students s on s.id = p.student_id
      where f.unsettled_at is not null and ${reachedPayer(ctx, KEY)} having count(*) > 0`,
  },
  {
    permissions: ['refund_payment'],
    waiting: (ctx) => sql`
      select 'admission-payments.work_left', jsonb_build_object('count', count(*)), '/credits', min(t.updated_at), null::timestamptz
      from applicants t join payers p on p.applicant_id = t.id left join students s on s.id = p.student_id
      where t.status = 'CANCELLED' and exists (select from payer_balances b where b.payer_id = p.id and b.wallet > 0)
        and ${reachedPayer(ctx, 'refund_payment')} having count(*) > 0`,
  },
]
