/** Sends invoices to the addresses of sponsors, with the paper and the sheet. */
import { shownAmount } from '#areas/money/ledger/statements/statement.rules.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { readSponsorInvoice, sponsorInvoiceFile } from './paper.server.ts'

/** Repeated while the mail server refuses it; known again by its number, should it be sent twice. */
export const sponsorMailJob = defineJob<{ readonly invoice_id: number }, { readonly sent: boolean }>({
  name: 'sponsor-invoice-mail',
  retries: 20,
  run: async (ctx, { invoice_id }) => {
    const one = await readSponsorInvoice(ctx, invoice_id, null)
    const { email, language: lang } = one.sponsor
    if (email === null || one.reversed) return { sent: false }
    const head = await universityHead(ctx)
    const files = [await sponsorInvoiceFile(ctx, one, 'pdf', lang), await sponsorInvoiceFile(ctx, one, 'xlsx', lang)]
    await ctx.services.mail.send({
      to: email,
      lang,
      key: 'sponsor_invoice',
      id: `sponsor-invoice-${one.number}-${one.charged}`,
      data: {
        name: lang === 'ar' ? one.sponsor.name_local : one.sponsor.name,
        university: lang === 'ar' ? head.name_local : head.name,
        number: one.number,
        amount: `${shownAmount(one.charged - one.settled, one.digits)} ${one.currency}`,
        day: one.due_date,
        students: one.lines.filter((line) => line.amount > 0).length,
      },
      attachments: files.map(({ name, content }) => ({ filename: name, content: Buffer.from(content as Uint8Array) })),
    })
    return { sent: true }
  },
})
