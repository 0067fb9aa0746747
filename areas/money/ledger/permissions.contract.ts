/** Permissions of this area. A lookup has the eight verbs of a plain resource; a right stands for itself. Data only. */
export const ledger = {
  subjects: {
    ledgerAccount: ['Ledger accounts', 'حسابات دفتر الأستاذ'],
  },
  rights: {
    access_ledger: ['See the ledger', 'الاطلاع على دفتر الأستاذ'],
    verify_ledger: ['Verify the ledger', 'التحقق من دفتر الأستاذ'],
    close_ledger: ['Close periods of the books', 'إقفال فترات الدفاتر'],
    export_journal: ['Export entries to the general ledger', 'تصدير القيود إلى الأستاذ العام'],
    see_own_money: ['See what one owes as a member of staff', 'الاطلاع على مستحقات العامل نفسه', 'own'],
    show_statement: ['See statements of payers', 'الاطلاع على كشوف حسابات الدافعين', 'own'],
  },
} as const
