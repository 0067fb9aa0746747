import { defineAreaServer } from '#kit/server/http/area.ts'
import { studentAccountHandlers, accountWork } from './account/account.server.ts'
import { callbackProtocol } from './providers/callbacks.server.ts'
import { depositHandlers, depositWork } from './deposits/deposit.server.ts'
import { deskHandlers, deskWork } from './desk/desk.server.ts'
import { walletMoveHandlers } from './moves/move.server.ts'
import { receiptHandlers } from './moves/receipt.server.ts'
import { payHandlers } from './providers/pay.server.ts'
import { providerEventHandlers, providerEventWork } from './providers/provider-events.server.ts'
import { askJob, settleJob } from './providers/settle.server.ts'
import { askRefundsJob } from './providers/refund.server.ts'
import { refundHandlers, refundWork } from './refunds/refund.server.ts'
import { slipPaperHandlers } from './slips/paper.server.ts'
import { slipHandlers, slipWork } from './slips/slip.server.ts'
import { taxReceiptsJob } from './tax-receipts/issue.server.ts'
import { taxReceiptHandlers, taxReceiptWork } from './tax-receipts/tax-receipt.server.ts'
import { foundByNumber } from '#areas/money/ledger/found.server.ts'
import { transactionsArea } from './transactions.contract.ts'
import { transactionsTold } from './transactions.told.contract.ts'

export const transactionsServer = defineAreaServer({
  area: transactionsArea,
  told: transactionsTold,
  handlers: [
    studentAccountHandlers,
    payHandlers,
    refundHandlers,
    providerEventHandlers,
    walletMoveHandlers,
    receiptHandlers,
    depositHandlers,
    taxReceiptHandlers,
    deskHandlers,
    slipHandlers,
    slipPaperHandlers,
  ],
  lookups: [foundByNumber('transaction', 'transactions', 'access_transaction')],
  jobs: [settleJob, askJob, askRefundsJob, taxReceiptsJob],
  work: [
    ...accountWork,
    ...deskWork,
    ...providerEventWork,
    ...refundWork,
    ...slipWork,
    ...depositWork,
    ...taxReceiptWork,
  ],
  protocols: [callbackProtocol],
})
