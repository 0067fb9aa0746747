import { payingOfWorker } from '#areas/money/ledger/outlets.contract.ts'
import { area, screen } from '#kit/contract/index.ts'
import { listedCalls } from '#kit/contract/workflow.ts'
import { accountCalls } from './account/account.contract.ts'
import { depositsPart } from './deposits/deposit.contract.ts'
import { deskCalls } from './desk/desk.contract.ts'
import { transactionCalls } from './moves/transaction.contract.ts'
import { slip, slipCalls, slipSteps } from './slips/slip.contract.ts'
import { providersPart } from './providers/providers.contract.ts'
import { refundsPart } from './refunds/refund.contract.ts'
import { taxReceiptsPart } from './tax-receipts/tax-receipt.contract.ts'
import { transactionStates } from './owners.contract.ts'

/** Transactions. */
export const transactionsArea = area({
  name: 'transactions',
  label: ['Transactions', 'المعاملات المالية'],
  owners: [transactionStates],
  fills: [payingOfWorker],
  calls: [
    providersPart.calls,
    refundsPart.calls,
    depositsPart.calls,
    taxReceiptsPart.calls,
    transactionCalls,
    accountCalls,
    deskCalls,
    slipCalls,
    listedCalls(slip, slipSteps),
  ],
  screens: [
    ...providersPart.screens,
    ...refundsPart.screens,
    ...depositsPart.screens,
    ...taxReceiptsPart.screens,
    screen('/transactions', {
      permission: 'access_transaction',
      title: ['Transactions', 'المعاملات المالية'],
      menu: {
        group: 'finance',
        order: 120,
        icon: 'arrows-exchange',
        notFor: [3],
        block: 'invoices',
        subject: 'transactions',
      },
    }),
    screen('/transaction/:id', {
      finds: 'transaction',
      permission: 'access_transaction',
      title: ['Transaction', 'معاملة مالية'],
      parent: '/transactions',
      parentOfType: { 3: '/student-payments' },
    }),
    screen('/cashier', {
      permission: 'take_payment',
      title: ['Cashier’s desk', 'شباك الخزينة'],
      menu: { group: 'finance', order: 5, icon: 'cash-register', block: 'desk' },
    }),
    screen('/payments-slips', {
      permission: 'access_slip',
      title: ['Bank slips', 'الإيصالات البنكية'],
      menu: { group: 'finance', order: 15, icon: 'receipt', notFor: [3], block: 'desk' },
    }),
    screen('/payment-slip/:id', {
      permission: 'access_slip',
      title: ['Bank slip', 'إيصال بنكي'],
      parent: '/payments-slips',
      parentOfType: { 3: '/student-payments' },
    }),
    screen('/cashier/shifts', {
      permission: 'review_shift',
      title: ['Cashiers’ drawers', 'ورديات الخزينة'],
      menu: { group: 'finance', order: 10, icon: 'archive', block: 'desk' },
    }),
    screen('/cashier/shifts/:id', {
      permission: 'review_shift',
      title: ['Drawer', 'وردية'],
      parent: '/cashier/shifts',
    }),
    screen('/credits', {
      permission: 'access_transaction',
      title: ['Wallets', 'المحافظ'],
      menu: { group: 'finance', order: 115, icon: 'wallet', notFor: [3], block: 'invoices', subject: 'wallets' },
    }),
    screen('/credit/:id', { permission: 'access_transaction', title: ['Wallet', 'محفظة'], parent: '/credits' }),
    screen('/student-payments', {
      permission: 'pay_online',
      of: ['student'],
      title: ['My account', 'حسابي المالي'],
      offline: true,
      menu: { group: 'money', order: 10, icon: 'wallet' },
    }),
  ],
  noticeGroup: 'money',
  notices: {
    ...providersPart.notices,
    ...refundsPart.notices,
    ...depositsPart.notices,
    notice_slip_accepted: {
      title: ['Bank slip accepted', 'قبول إيصال بنكي'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_slip_rejected: {
      title: ['Bank slip rejected', 'رفض إيصال بنكي'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
  },
  errors: {
    ...providersPart.errors,
    ...refundsPart.errors,
    ...depositsPart.errors,
    ...taxReceiptsPart.errors,
    shift_not_closed: ['The drawer is open still.', 'الوردية لا تزال مفتوحة.'],
    shift_no_difference: ['The count does not differ: there is nothing to review.', 'الجرد مطابق: لا شيء للمراجعة.'],
    shift_review_stays: ['This drawer was reviewed already.', 'رُوجعت هذه الوردية من قبل.'],
    shift_review_own: ['It is your own drawer: somebody else reviews it.', 'هذه ورديتك: يراجعها شخص آخر.'],
    shift_review_closed: ['The drawer is open still.', 'الوردية لا تزال مفتوحة.'],
    slip_reversed: ['The invoice was reversed: nothing is to be paid.', 'عُكست الفاتورة: لا يُستحق سداد.'],
    slip_checked: [
      'Slip {number} was handed in for this and is being checked: wait for the answer.',
      'سُلّم الإيصال {number} لهذا المبلغ وهو قيد المراجعة، فانتظر الرد.',
    ],
    slip_live: [
      'Slip {number} is out for this already: pay with it, or cancel it.',
      'صدر الإيصال {number} لهذا المبلغ: ادفع به أو ألغه.',
    ],
    slip_no_account: [
      'There is no bank account in {currency} to pay into. Pay another way, or ask the finance office.',
      'لا يوجد حساب بنكي بعملة {currency} للسداد. ادفع بطريقة أخرى أو راجع الشؤون المالية.',
    ],
    slip_other_account: [
      'This invoice is not paid into this account: choose another.',
      'لا تُسدد هذه الفاتورة في هذا الحساب: اختر حسابًا آخر.',
    ],
    slip_decided: ['This slip was decided on already.', 'اتُّخذ القرار في هذا الإيصال من قبل.'],
    slip_future: ['This day has not come yet.', 'هذا التاريخ لم يأت بعد.'],
    slip_before: [
      'The slip was issued on {date}: the stamp cannot be older.',
      'صدر الإيصال في {date}: لا يكون الختم أقدم منه.',
    ],
    slip_expired: [
      'The slip was to be paid until {date}. Issue a new one, or take this one to the finance office.',
      'كان سداد الإيصال حتى {date}. أصدر إيصالًا جديدًا أو راجع الشؤون المالية به.',
    ],
    slip_not_booked: ['A slip is accepted when its money is booked.', 'يُقبل الإيصال عند قيد مبلغه.'],
    bank_reference_used: [
      'A payment with this bank reference was booked already.',
      'قُيّدت دفعة بهذا الرقم المرجعي للبنك من قبل.',
    ],
    transaction_bank_reference: ['A bank reference needs its bank.', 'الرقم المرجعي يلزمه تحديد البنك.'],
    slip_came: [
      'The bank file {number} brought this money already, and it was booked.',
      'ورد هذا المبلغ في الملف البنكي {number} وقُيّد.',
    ],
    slip_in_file: [
      'The bank file {number} has this money, and nobody has claimed it: say there whose it is, and the slip is accepted.',
      'ورد هذا المبلغ في الملف البنكي {number} ولم يُحدد صاحبه: حدده هناك فيُقبل الإيصال.',
    ],
    slip_currency: ['This account is in {currency}.', 'عملة هذا الحساب {currency}.'],
    slip_invoice_of_other: [
      'This invoice is not of this student, or not in this currency, or it was reversed.',
      'هذه الفاتورة ليست لهذا الطالب أو ليست بهذه العملة أو عُكست.',
    ],
    receipt_not_booked: ['There is a receipt once it is paid.', 'يصدر الإيصال بعد السداد.'],
    cash_shift_none: ['Open your drawer first.', 'افتح ورديتك أولًا.'],
    cash_drawer_short: ['The drawer does not hold so much: {holds} are in it.', 'لا يكفي ما في الخزينة: فيها {holds}.'],
    cash_drawer_empty: ['The drawer does not hold so much.', 'لا يكفي ما في الخزينة.'],
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
    cancel_own_drawer: ['You took it yourself: a colleague cancels it.', 'استلمتها بنفسك: يلغيها زميل لك.'],
    cancel_shift_closed: ['Its drawer is closed: give it back by a refund.', 'أُغلقت ورديته: ردّه بالاسترداد.'],
    cancel_batch: ['It came with a bank file: delete that.', 'وردت مع ملف بنكي: احذف الملف.'],
    cash_shift_open: ['You have an open drawer already.', 'لديك وردية مفتوحة بالفعل.'],
    transaction_provider_twice: [
      'This payment of the provider is known already.',
      'عملية مزود الدفع هذه مسجلة بالفعل.',
    ],
    transaction_booked_stays: ['What was booked stays: cancel it with a reason.', 'ما قُيّد لا يتغير: ألغه مع ذكر السبب.'],
    transaction_refunded: ['{number} was paid back: cancel that first.', 'رُدّت {number}: ألغِ الرد أولًا.'],
    transaction_ended: ['The transaction has ended and does not begin again.', 'انتهت المعاملة ولا تبدأ من جديد.'],
  },
})
