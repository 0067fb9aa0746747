/** Permissions of this area. A lookup has the eight verbs of a plain resource; a right stands for itself. Data only. */
export const invoices = {
  rights: {
    access_payment: ['See invoices', 'الاطلاع على الفواتير', 'own', 'advised'],
    issue_invoice: ['Issue invoices', 'إصدار الفواتير'],
    edit_invoice: ['Correct invoices and their instalments', 'تصحيح الفواتير وأقساطها'],
    reverse_invoice: ['Reverse invoices', 'عكس الفواتير'],
    export_payment: ['Export invoices', 'تصدير الفواتير'],
  },
} as const
