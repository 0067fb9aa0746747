/** Places on the pages of applications that later areas fill. */
import { outlet } from '#kit/contract/outlet.ts'

/** What an application costs, what of it is paid, and how it is paid; `onPaid`: something of it has changed. */
export const paymentOfApplication = outlet<{
  readonly id: number
  readonly secret: string
  readonly onPaid: () => void
}>('application.payment')
