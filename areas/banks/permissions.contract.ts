/** Permissions of this area. A subject has the eight verbs of a plain resource; a right stands for itself. Data only. */
export const banks = {
  subjects: {
    bank: ['Banks', 'البنوك'],
  },
  rights: {
    add_currency_bank: ['Add a currency', 'إضافة عملة'],
    edit_currency_bnak: ['Change a currency', 'تعديل عملة'],
    add_bankInfo_bank: ['Add a note for payers', 'إضافة تعليمات للدافعين'],
    edit_bankInfo_bnak: ['Change a note for payers', 'تعديل تعليمات الدافعين'],
  },
} as const
