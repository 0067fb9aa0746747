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
    access_batch: ['See bank files', 'الاطلاع على الملفات البنكية'],
    import_batch: ['Import bank files', 'استيراد الملفات البنكية'],
    save_batch: ['Save bank files and explain their lines', 'حفظ الملفات البنكية وتفسير بنودها'],
    delete_batch: ['Delete bank files', 'حذف الملفات البنكية'],
    access_reconciliation: ['See daily reconciliation', 'الاطلاع على المطابقة اليومية'],
  },
} as const
