import { area, screen } from '#kit/contract/index.ts'
import { bankInfo, bankInfoCalls } from './bank-info/bank-info.contract.ts'
import { bank } from './banks/bank.contract.ts'
import { currency } from './currencies/currency.contract.ts'

/** Bank accounts, currencies, what payers are told, and files of banks. */
export const banksArea = area({
  name: 'banks',
  label: ['Banks', 'البنوك'],
  resources: [bank, currency, bankInfo],
  calls: [bankInfoCalls],
  screens: [
    screen('/bank-settings', {
      permission: 'access_bank',
      title: ['Bank settings', 'إعدادات البنوك'],
      menu: { group: 'finance', order: 90, icon: 'building-bank' },
    }),
  ],
  // Some are named like the constraints of the tables that guard them.
  errors: {
    bank_iban_shape: [
      'An IBAN begins with two letters and two digits, e.g. EG38 0019 0005 0000 0000 2631 8000 2.',
      'يبدأ الآيبان بحرفين ورقمين، مثل EG38 0019 0005 0000 0000 2631 8000 2.',
    ],
    bank_iban_length: [
      'An IBAN of {country} has {length} characters; this one has {found}.',
      'آيبان {country} مكون من {length} خانة، وهذا مكون من {found}.',
    ],
    bank_iban_check: [
      'The check digits of this IBAN are not right: a character was mistyped.',
      'رقما التحقق في هذا الآيبان غير صحيحين: كُتب حرف أو رقم خطأ.',
    ],
    bank_iban_taken: ['Another bank has this IBAN.', 'هذا الآيبان مسجل لبنك آخر.'],
    bank_account_number: [
      'An account number has digits and letters, at least three.',
      'رقم الحساب أرقام وحروف لاتينية، ثلاثة على الأقل.',
    ],
    bank_swift_shape: [
      'A SWIFT code has 8 or 11 characters, e.g. NBEGEGCX.',
      'رمز سويفت مكون من 8 أو 11 خانة، مثل NBEGEGCX.',
    ],
    bank_swift_country: [
      'The SWIFT code is of {swift}, the IBAN of {iban}.',
      'رمز سويفت لدولة {swift} والآيبان لدولة {iban}.',
    ],
    currency_code_shape: [
      'The code of a currency has three capital letters, e.g. EUR.',
      'كود العملة ثلاثة أحرف لاتينية كبيرة، مثل EUR.',
    ],
    currency_unknown: ['There is no currency {code}.', 'لا توجد عملة {code}.'],
  },
})
