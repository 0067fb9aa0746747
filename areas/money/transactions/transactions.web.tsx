import { payingOfWorker } from '#areas/money/ledger/outlets.contract.ts'
import { ahead, defineAreaWeb, fill } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'transactions',
  screens: {
    '/cashier': () => import('./desk/desk.web.tsx'),
    '/cashier/shifts': () => import('./desk/shifts.web.tsx'),
    '/cashier/shifts/:id': () => import('./desk/shift.web.tsx'),
    '/transactions': () => import('./moves/list.web.tsx'),
    '/transaction/:id': () => import('./moves/detail.web.tsx'),
    '/payments-slips': () => import('./slips/list.web.tsx'),
    '/payment-slip/:id': () => import('./slips/detail.web.tsx'),
    '/tax-receipts': () => import('./tax-receipts/list.web.tsx'),
    '/deposits': () => import('./deposits/list.web.tsx'),
    '/credits': () => import('./moves/credits.web.tsx'),
    '/credit/:id': () => import('./moves/credit.web.tsx'),
    '/student-payments': () => import('./account/account.web.tsx'),
    '/payments/paid/:id': () => import('./providers/paid.web.tsx'),
    '/payments/refunds': () => import('./refunds/list.web.tsx'),
    '/payments/refunds/unanswered': () => import('./refunds/unanswered.web.tsx'),
    '/transactions/provider-events': () => import('./providers/provider-events.web.tsx'),
  },
  fills: [fill(payingOfWorker, async () => (await import('./providers/own-open.web.tsx')).OwnOpen)],
  ahead: async ({ user }) => {
    const { accountCalls } = await import('./account/account.contract.ts')
    return user.student_id === null ? [] : [ahead(accountCalls.account, { params: { id: user.student_id } })]
  },
})
