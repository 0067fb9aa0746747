import { area } from '#kit/contract/index.ts'
import { providersPart } from './providers/providers.contract.ts'

/** Transactions. */
export const transactionsArea = area({
  name: 'transactions',
  label: ['Transactions', 'المعاملات المالية'],
  calls: { ...providersPart.calls },
  screens: [...providersPart.screens],
  notices: { ...providersPart.notices },
  tables: {
    transactions: ['Transactions', 'المعاملات المالية'],
    transaction_allocations: ['What transactions settled', 'ما سددته المعاملات'],
    cash_shifts: ['Cashier shifts', 'ورديات الخزينة'],
    cash_counts: ['Counts of cash drawers', 'جرد الخزائن'],
  },
  errors: {
    ...providersPart.errors,
    cash_shift_open: ['You have an open shift already.', 'لديك وردية مفتوحة بالفعل.'],
    transaction_provider_twice: [
      'This payment of the provider is known already.',
      'عملية مزود الدفع هذه مسجلة بالفعل.',
    ],
    transaction_booked_stays: ['What was booked stays: cancel it with a reason.', 'ما قُيّد لا يتغير: ألغه مع ذكر السبب.'],
    transaction_ended: ['The transaction has ended and does not begin again.', 'انتهت المعاملة ولا تبدأ من جديد.'],
  },
})
