import { defineAreaServer } from '#kit/server/http/area.ts'
import { invoiceBases } from './basis.server.ts'
import { dailyJob } from './clock.server.ts'
import { invoiceHandlers } from './invoices/invoice.server.ts'
import { payerInvoiceHandlers } from './invoices/payer.server.ts'
import { printHandlers } from './invoices/print.server.ts'
import { nextHandlers, nextInvoicesJob, repriceJob } from './next/next.server.ts'
import { comparePricesJob, priceBases, pricesHeard } from './prices.server.ts'
import { requestFees, requestFeesJob } from './requests/fee.server.ts'
import { nextScholarshipHandlers } from './next/scholarship.server.ts'
import { foundByNumber } from '#areas/money/ledger/found.server.ts'
import { invoicesArea } from './invoices.contract.ts'
import { invoicesTold } from './invoices.told.contract.ts'

export const invoicesServer = defineAreaServer({
  area: invoicesArea,
  told: invoicesTold,
  handlers: [
    ...invoiceHandlers,
    ...payerInvoiceHandlers,
    ...printHandlers,
    ...nextHandlers,
    ...nextScholarshipHandlers,
  ],
  lookups: [foundByNumber('invoice', 'invoices', 'access_payment')],
  basis: [invoiceBases, priceBases],
  hears: [...requestFees, pricesHeard],
  jobs: [comparePricesJob, nextInvoicesJob, repriceJob, dailyJob, requestFeesJob],
})
