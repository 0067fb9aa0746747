import { area, screen } from '#kit/contract/index.ts'
import { ledgerAccount } from './accounts/account.contract.ts'
import { entryCalls } from './entries/entry.contract.ts'
import { journalCalls } from './journal/journal.contract.ts'
import { periodCalls } from './periods/period.contract.ts'
import { proofCalls } from './proof/proof.contract.ts'
import { statementCalls } from './statements/statement.contract.ts'

/** What payers owe, have paid and hold as credit: postings that nobody changes, and what proves them. */
export const ledgerArea = area({
  name: 'ledger',
  label: ['Ledger', 'دفتر الأستاذ'],
  resources: [ledgerAccount],
  calls: [proofCalls, entryCalls, statementCalls, periodCalls, journalCalls],
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
    screen('/ledger/periods', {
      permission: ['close_ledger', 'access_ledger'],
      title: ['Periods of the books', 'فترات الدفاتر'],
      parent: '/ledger',
    }),
    screen('/ledger/statements/:student_id', {
      permission: 'show_statement',
      title: ['Statement of account', 'كشف حساب'],
      parent: '/ledger',
      parentOfType: { 3: '/my_statement' },
    }),
    screen('/ledger/payer-statements/:kind/:id', {
      permission: 'show_statement',
      title: ['Statement of account', 'كشف حساب'],
      parent: '/ledger',
    }),
    screen('/my_money', {
      permission: 'see_own_money',
      title: ['My account as a member of staff', 'حسابي المالي كعامل بالجامعة'],
      parent: '/home',
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
    ledger_closing_day: ['Only a day that is over can be closed.', 'لا يُقفل إلا يوم انقضى.'],
    ledger_closed_already: ['The books are closed through {day} already.', 'الدفاتر مقفلة بالفعل حتى {day}.'],
    ledger_drawer_open: [
      '{count} drawers of the period are not counted and closed: {drawers}.',
      'ورديات من الفترة لم تُجرد وتُقفل، وعددها {count}: {drawers}.',
    ],
    ledger_not_proven: [
      'The ledger was not proven since that day. Prove it first.',
      'لم يُتحقق من دفتر الأستاذ منذ ذلك اليوم. تحقق منه أولًا.',
    ],
    ledger_with_findings: [
      'The last proof of the ledger found {count} things. Mend them first.',
      'وجد آخر تحقق من دفتر الأستاذ {count} ملاحظات. عالجها أولًا.',
    ],
    ledger_closing_stays: ['That closing was taken back already.', 'سبق التراجع عن هذا الإقفال.'],
    ledger_closed_later: [
      'The books are closed through {day}: take back the last closing first.',
      'الدفاتر مقفلة حتى {day}: تراجع عن آخر إقفال أولًا.',
    ],
    ledger_unmapped: [
      '{count} accounts have no code of the general ledger: {accounts}. Enter it at the account.',
      'حسابات بلا رمز في الأستاذ العام، وعددها {count}: {accounts}. أدخل الرمز في الحساب.',
    ],
    ledger_journal_days: ['Choose days in their order, at most 366.', 'اختر أيامًا بترتيبها، وبحد أقصى 366 يومًا.'],
    ledger_account_needed: ['The program books to this account: it stays.', 'يقيّد النظام في هذا الحساب، فلا يُحذف.'],
  },
})
