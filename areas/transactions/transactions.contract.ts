import { area, screen } from '#kit/contract/index.ts'
import { deskCalls } from './desk/desk.contract.ts'
import { transactionCalls } from './moves/transaction.contract.ts'
import { providersPart } from './providers/providers.contract.ts'
import { refundsPart } from './refunds/refund.contract.ts'

/** Transactions. */
export const transactionsArea = area({
  name: 'transactions',
  label: ['Transactions', 'المعاملات المالية'],
  calls: [providersPart.calls, refundsPart.calls, transactionCalls, deskCalls],
  screens: [
    ...providersPart.screens,
    ...refundsPart.screens,
    screen('/transactions', {
      permission: 'access_transaction',
      title: ['Transactions', 'المعاملات المالية'],
      menu: { group: 'finance', order: 20, icon: 'arrows-exchange', notFor: [3] },
    }),
    screen('/transaction/:id', {
      permission: 'access_transaction',
      title: ['Transaction', 'معاملة مالية'],
      parent: '/transactions',
      parentOfType: { 3: '/student-payments' },
    }),
    screen('/cashier', {
      permission: 'take_payment',
      title: ['Cashier’s desk', 'شباك الخزينة'],
      menu: { group: 'finance', order: 5, icon: 'cash-register' },
    }),
    screen('/credits', {
      permission: 'access_transaction',
      title: ['Wallets', 'المحافظ'],
      menu: { group: 'finance', order: 30, icon: 'wallet', notFor: [3] },
    }),
    screen('/credit/:id', { permission: 'access_transaction', title: ['Wallet', 'محفظة'], parent: '/credits' }),
    screen('/student-payments', {
      permission: 'pay_online',
      of: ['student'],
      title: ['My account', 'حسابي المالي'],
      menu: { group: 'my', order: 45, icon: 'wallet' },
    }),
  ],
  notices: { ...providersPart.notices, ...refundsPart.notices },
  tables: {
    transactions: ['Transactions', 'المعاملات المالية'],
    transaction_allocations: ['What transactions settled', 'ما سددته المعاملات'],
    refund_requests: ['Refunds asked for', 'طلبات الاسترداد'],
    cash_shifts: ['Cashier shifts', 'ورديات الخزينة'],
    cash_counts: ['Counts of cash drawers', 'جرد الخزائن'],
  },
  errors: {
    ...providersPart.errors,
    ...refundsPart.errors,
    receipt_not_booked: ['There is a receipt once it is paid.', 'يصدر الإيصال بعد السداد.'],
    cash_shift_none: ['Open your drawer first.', 'افتح ورديتك أولًا.'],
    cash_not_counted: ['Count {currencies} as well.', 'أدخل جرد {currencies} أيضًا.'],
    cash_difference_why: ['The count differs: say why.', 'الجرد مختلف: اذكر السبب.'],
    payment_more_than_owed: ['Only {open} are open.', 'المتبقي {open} فقط.'],
    payment_key_used: ['This payment was taken already, and differently.', 'استُلمت هذه الدفعة من قبل بصورة مختلفة.'],
    refund_not_paid: ['Only a payment that came goes back.', 'لا يُرد إلا ما دُفع.'],
    refund_too_much: ['Of this payment {left} can still go back.', 'يمكن رد {left} من هذه الدفعة.'],
    refund_spent: ['A part of it was spent from the wallet already.', 'أُنفق جزء منها من المحفظة بالفعل.'],
    cancel_refunded: ['A part of it went back already.', 'رُد جزء منها بالفعل.'],
    cancel_by_refund: [
      'The provider has the money: give it back by a refund.',
      'المبلغ لدى مزود الدفع: ردّه بالاسترداد.',
    ],
    cancel_shift_closed: ['Its drawer is closed: give it back by a refund.', 'أُغلقت ورديته: ردّه بالاسترداد.'],
    cancel_batch: ['It came with a bank file: delete that.', 'وردت مع ملف بنكي: احذف الملف.'],
    cash_shift_open: ['You have an open shift already.', 'لديك وردية مفتوحة بالفعل.'],
    transaction_provider_twice: [
      'This payment of the provider is known already.',
      'عملية مزود الدفع هذه مسجلة بالفعل.',
    ],
    transaction_booked_stays: ['What was booked stays: cancel it with a reason.', 'ما قُيّد لا يتغير: ألغه مع ذكر السبب.'],
    transaction_refunded: ['{number} was paid back: cancel that first.', 'رُدّت {number}: ألغِ الرد أولًا.'],
    transaction_ended: ['The transaction has ended and does not begin again.', 'انتهت المعاملة ولا تبدأ من جديد.'],
  },
})
