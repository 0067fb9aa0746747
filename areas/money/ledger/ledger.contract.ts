import { area, screen } from '#kit/contract/index.ts'
import { ledgerAccount } from './accounts/account.contract.ts'
import { entryCalls } from './entries/entry.contract.ts'
import { proofCalls } from './proof/proof.contract.ts'
import { statementCalls } from './statements/statement.contract.ts'

/** What payers owe, have paid and hold as credit: postings that nobody changes, and what proves them. */
export const ledgerArea = area({
  name: 'ledger',
  label: ['Ledger', 'دفتر الأستاذ'],
  resources: [ledgerAccount],
  calls: [proofCalls, entryCalls, statementCalls],
  screens: [
    screen('/ledger', {
      permission: ['access_ledger', 'verify_ledger'],
      title: ['Ledger', 'دفتر الأستاذ'],
      menu: { group: 'finance', order: 310, icon: 'scale', block: 'books' },
    }),
    screen('/ledger/entries', {
      permission: 'access_ledger',
      title: ['Entries of the ledger', 'قيود دفتر الأستاذ'],
      parent: '/ledger',
    }),
    screen('/ledger/entries/:id', {
      permission: 'access_ledger',
      title: ['Entry of the ledger', 'قيد'],
      parent: '/ledger/entries',
    }),
    screen('/ledger/statements/:student_id', {
      permission: 'show_statement',
      title: ['Statement of account', 'كشف حساب'],
      parent: '/ledger',
      parentOfType: { 3: '/my_statement' },
    }),
    screen('/my_statement', {
      permission: 'show_statement',
      of: ['student'],
      title: ['My statement of account', 'كشف حسابي'],
      menu: { group: 'money', order: 20, icon: 'report-money' },
    }),
  ],
  noticeGroup: 'money',
  notices: {
    notice_findings: {
      title: ['Proof of the ledger', 'التحقق من دفتر الأستاذ'],
      audience: [2],
      app: 'always',
      mail: 'now',
    },
  },
  errors: {
    statement_days: ['The last day comes before the first.', 'آخر يوم يسبق أول يوم.'],
    ledger_unbalanced: ['The two sides of the entry differ.', 'المدين لا يساوي الدائن.'],
    ledger_source_differs: ['This was booked already, and differently.', 'قُيّد هذا من قبل بصورة مختلفة.'],
    ledger_reversed_twice: ['This was reversed already.', 'عُكس هذا القيد من قبل.'],
    ledger_reversal_of_reversal: ['A reversal is not reversed: book it again.', 'القيد العكسي لا يُعكس: قيّده من جديد.'],
    own_money: ['It is your own money: a colleague does this.', 'هذه أموالك: يقوم بذلك زميل لك.'],
    wallet_negative: ['The wallet does not hold so much.', 'رصيد المحفظة لا يكفي.'],
    invoice_overpaid: [
      'The invoice has changed meanwhile: less is open now. Look again.',
      'تغيّرت الفاتورة: المتبقي الآن أقل. راجعها من جديد.',
    ],
    invoice_charged_negative: ['An invoice never charges less than nothing.', 'لا تقل قيمة الفاتورة عن صفر.'],
    invoice_currency: ['An invoice has one currency.', 'للفاتورة عملة واحدة.'],
    ledger_account_needed: ['The program books to this account: it stays.', 'يقيّد النظام في هذا الحساب، فلا يُحذف.'],
  },
})
