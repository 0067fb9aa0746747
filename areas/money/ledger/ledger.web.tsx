import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'ledger',
  screens: {
    '/ledger': () => import('./entries/balances.web.tsx'),
    '/ledger/entries': () => import('./entries/list.web.tsx'),
    '/ledger/entries/:id': () => import('./entries/entry.web.tsx'),
    '/ledger/periods': () => import('./periods/periods.web.tsx'),
    '/ledger/statements/:student_id': () => import('./statements/statement.web.tsx'),
    '/ledger/payer-statements/:kind/:id': () => import('./statements/of-payer.web.tsx'),
    '/my_money': () => import('./statements/own-staff.web.tsx'),
    '/my_statement': () => import('./statements/own.web.tsx'),
  },
})
