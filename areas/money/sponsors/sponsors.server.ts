import { chargesChanged, chargesFall } from '#areas/money/invoices/charges.server.ts'
import { defineAreaServer } from '#kit/server/http/area.ts'
import { handle } from '#kit/server/base/context.ts'
import { hear } from '#kit/server/base/hears.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { serveResource } from '#kit/server/resource/resource.ts'
import { paperLang } from '#kit/server/resource/transfer.ts'
import { sponsorAccountCalls } from './account/account.contract.ts'
import { sponsorAccount, sponsorStatement } from './account/account.server.ts'
import { sponsorInvoicesJob } from './billing/bill.server.ts'
import { billingCalls } from './billing/billing.contract.ts'
import { sponsorMailJob } from './billing/mail.server.ts'
import { readSponsorInvoice, sponsorInvoiceFile } from './billing/paper.server.ts'
import { followShares } from './shares/follow.server.ts'
import { sponsor } from './sponsors/sponsor.contract.ts'
import { sponsorsArea } from './sponsors.contract.ts'
import { sponsorsTold } from './sponsors.told.contract.ts'
import { endSponsorshipsJob } from './sponsorships/begin.server.ts'
import { sponsorshipHandlers } from './sponsorships/sponsorship.server.ts'

export const sponsorsServer = defineAreaServer({
  area: sponsorsArea,
  told: sponsorsTold,
  handlers: [
    serveResource(sponsor),
    sponsorshipHandlers,
    handle(billingCalls.issue, async (ctx, { body }) => ({
      job_id: await ctx.write((tx) =>
        ctx.services.jobs.send(tx, sponsorInvoicesJob, body, { actor: ctx.actor, lang: ctx.lang }),
      ),
    })),
    handle(billingCalls.file, async (ctx, { params, body }) =>
      sponsorInvoiceFile(ctx, await readSponsorInvoice(ctx, params.id), body.format, body.lang ?? paperLang(ctx)),
    ),
    handle(billingCalls.mail, async (ctx, { params }) => {
      const one = await readSponsorInvoice(ctx, params.id, 'bill_sponsor')
      const { email } = one.sponsor
      if (email === null) throw refuse(409, 'sponsor_no_email')
      if (one.reversed) throw refuse(409, 'invoice_is_reversed')
      await ctx.write((tx) =>
        ctx.services.jobs.send(tx, sponsorMailJob, { invoice_id: one.id }, { actor: ctx.actor, lang: ctx.lang }),
      )
      return { data: { to: email } }
    }),
    handle(sponsorAccountCalls.account, async (ctx, { params, query }) => ({
      data: await sponsorAccount(ctx, params.id, query.until ?? null),
    })),
    handle(sponsorAccountCalls.statement, (ctx, { params, body }) =>
      sponsorStatement(ctx, params.id, {
        format: body.format,
        lang: body.lang ?? paperLang(ctx),
        until: body.until ?? null,
      }),
    ),
  ],
  hears: [
    hear(chargesChanged, async (ctx, tx, invoices) => void (await followShares(ctx, tx, invoices))),
    hear(chargesFall, (ctx, tx, invoice, lines) => followShares(ctx, tx, [invoice], lines)),
  ],
  jobs: [sponsorInvoicesJob, sponsorMailJob, endSponsorshipsJob],
})
