/** Places on the screens of invoices that later areas fill. */
import { outlet } from '#kit/contract/outlet.ts'

/** How an invoice is collected: of what its student was reminded, and what was promised. */
export const collectingOfInvoice = outlet<{
  readonly invoice: { readonly id: number; readonly number: string; readonly currency: string; readonly open: number }
}>('invoice.collecting')
