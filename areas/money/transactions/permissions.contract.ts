/** Permissions of this area. A lookup has the eight verbs of a plain resource; a right stands for itself. Data only. */
export const transactions = {
  rights: {
    access_transaction: ['See transactions and wallets', 'الاطلاع على المعاملات والمحافظ', 'own'],
    export_transaction: ['Export transactions', 'تصدير المعاملات المالية'],
    take_payment: ['Take payments at the cashier', 'استلام المدفوعات في الخزينة'],
    pay_out_wallet: ['Pay out of wallets in cash', 'الصرف النقدي من المحافظ'],
    access_deposit: ['See deposits of students', 'الاطلاع على تأمينات الطلاب'],
    return_deposit: ['Give deposits back', 'رد التأمينات'],
    access_tax_receipt: ['See receipts to the tax authority', 'الاطلاع على الإيصالات الإلكترونية للضرائب'],
    send_tax_receipt: ['Send rejected receipts to the tax authority again', 'إعادة إرسال الإيصالات الإلكترونية المرفوضة'],
    refund_payment: ['Give payments back', 'رد المدفوعات'],
    approve_refund: ['Approve refunds that others asked for', 'اعتماد الاستردادات التي طلبها آخرون'],
    cancel_transaction: ['Cancel transactions', 'إلغاء المعاملات'],
    review_shift: ['See the drawers of all cashiers', 'الاطلاع على ورديات الخزينة'],
    pay_online: ['Pay invoices by a payment provider', 'دفع الفواتير عبر مزود الدفع', 'own'],
    access_slip: ['See bank slips', 'الاطلاع على الإيصالات البنكية', 'own'],
    decide_slip: ['Accept and reject bank slips', 'قبول الإيصالات البنكية ورفضها'],
    enter_payment: ['Enter payments into bank accounts by hand', 'تسجيل المدفوعات البنكية يدويًا'],
    decide_provider_event: ['Decide on messages of payment providers', 'البت في رسائل مزودي الدفع'],
  },
} as const
