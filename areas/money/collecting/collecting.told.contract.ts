import type { TablesTold } from '#kit/contract/telling.ts'
import { planFields } from './plans/plan.contract.ts'
import { promiseFields } from './promises/promise.contract.ts'

/** What the log of changes says of its tables. */
export const collectingTold: TablesTold = {
  payment_plans: {
    one: ['Payment plan', 'خطة سداد'],
    many: ['Payment plans', 'خطط السداد'],
    fields: {
      invoice_id: planFields.invoice_id,
      parts_asked: planFields.parts_asked,
      first_day: planFields.first_day,
      why: planFields.why,
      state: planFields.state,
      reason: planFields.reason,
    },
  },
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
