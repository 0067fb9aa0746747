import type { TablesTold } from '#kit/contract/telling.ts'
import { promiseFields } from './promises/promise.contract.ts'

/** What the log of changes says of its tables. */
export const collectingTold: TablesTold = {
  payment_promises: {
    one: ['Promise to pay', 'وعد بالسداد'],
    many: ['Promises to pay', 'وعود السداد'],
    fields: {
      invoice_id: promiseFields.invoice_id,
      amount: promiseFields.amount,
      promised_on: promiseFields.promised_on,
      state: promiseFields.state,
    },
  },
}
