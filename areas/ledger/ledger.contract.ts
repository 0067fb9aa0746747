import { area } from '#kit/contract/index.ts'
import { ledgerAccount } from './accounts/account.contract.ts'

/** What payers owe, have paid and hold as credit: postings that nobody changes, and what proves them. */
export const ledgerArea = area({
  name: 'ledger',
  label: ['Ledger', 'دفتر الأستاذ'],
  resources: [ledgerAccount],
  errors: {
    ledger_unbalanced: ['The two sides of the entry differ.', 'المدين لا يساوي الدائن.'],
    ledger_source_differs: ['This was booked already, and differently.', 'قُيّد هذا من قبل بصورة مختلفة.'],
    ledger_reversed_twice: ['This was reversed already.', 'عُكس هذا القيد من قبل.'],
    ledger_reversal_of_reversal: ['A reversal is not reversed: book it again.', 'القيد العكسي لا يُعكس: قيّده من جديد.'],
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
