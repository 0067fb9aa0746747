/** Mails about fees, in the applicant's language. Nobody but the applicant has the key of the application, so they name the page. */
import { sql } from 'kysely'
import type { Language } from '#kit/contract/index.ts'
import { moneyText } from '#kit/contract/money.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'

/** Tells an applicant that a fee is asked for, or that it was received; nothing where that is not so any more. */
export const sendApplicantFee = defineJob({
  name: 'send-applicant-fee',
  retries: 5,
  async run(ctx, { invoice_id, received }: { invoice_id: number; received: boolean }) {
    const { rows } = await sql<{
      email: string | null
      language: Language
      code: string
      number: string
      currency: string
      amount: number
      settled: boolean
      what: string
      what_local: string
      until: string
    }>`select t.email, t.language, t.code, i.number, i.currency, (case when ${received} then b.charged else b.charged - b.settled end)::float8 as amount,
        b.settled >= b.charged as settled, l.name as what, l.name_local as what_local, n.due_date::text as until
      from applicant_fees f join applicants t on t.id = f.applicant_id join invoices i on i.id = f.invoice_id
        join invoice_balances b on b.invoice_id = i.id join invoice_lines l on l.invoice_id = i.id and l.position = 1 and l.note_id is null
        join installments n on n.invoice_id = i.id and n.position = 1
      where f.invoice_id = ${invoice_id} and f.taken_back_at is null`.execute(ctx.db)
    const [to] = rows
    // Whom the ministry has nominated has no address before the application is taken up.
    if (!to?.email || to.settled !== received) return
    const head = await universityHead(ctx)
    const arabic = to.language === 'ar'
    await ctx.services.mail.send({
      to: to.email,
      lang: to.language,
      key: received ? 'application_fee_received' : 'application_fee_asked',
      data: {
        number: to.code,
        invoice: to.number,
        what: arabic ? to.what_local : to.what,
        amount: moneyText(to.amount, to.currency),
        day: to.until,
        university: arabic ? head.name_local : head.name,
        link: `${ctx.services.config.publicUrl}/apply`,
      },
    })
  },
})
