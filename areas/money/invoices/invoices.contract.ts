import { invoiceBasis } from './basis.contract.ts'
import { area, screen } from '#kit/contract/index.ts'
import { invoiceCalls } from './invoices/invoice.contract.ts'
import { nextCalls } from './next/next.contract.ts'
import { scholarshipCalls } from './next/scholarship.contract.ts'
import { priceBasis } from './prices.contract.ts'
import { invoiceStates } from './owners.contract.ts'

/** Invoices. */
export const invoicesArea = area({
  name: 'invoices',
  label: ['Invoices', 'الفواتير'],
  owners: [invoiceStates],
  calls: [invoiceCalls, nextCalls, scholarshipCalls],
  basis: [invoiceBasis, priceBasis],
  noticeGroup: 'money',
  notices: {
    notice_invoice: {
      title: ['Invoices that are issued', 'إصدار فواتير'],
      audience: [1, 2, 3],
      app: 'always',
      mail: 'now',
    },
    notice_debit: { title: ['Debit notes', 'إشعارات مدينة'], audience: [1, 2, 3], app: 'always', mail: 'now' },
    notice_credit: { title: ['Credit notes', 'إشعارات دائنة'], audience: [1, 2, 3], app: 'always', mail: 'now' },
    notice_scholarship: {
      title: ['Scholarships taken off an invoice', 'خصم منحة من فاتورة'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_fine: { title: ['Late fines', 'غرامات التأخير'], audience: [3], app: 'always', mail: 'now' },
    notice_sponsor: {
      title: ['Shares that a sponsor takes over', 'حصص تتحملها جهة راعية'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_sponsor_back: {
      title: ['Shares that a sponsor does not pay any more', 'حصص لم تعد تتحملها جهة راعية'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_reversed: {
      title: ['Invoices that are reversed', 'عكس فواتير'],
      audience: [1, 2, 3],
      app: 'always',
      mail: 'now',
    },
    notice_hold: {
      title: ['Blocks because of unpaid invoices', 'حجب بسبب فواتير غير مسددة'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_hold_lifted: { title: ['Blocks that are lifted', 'رفع الحجب'], audience: [3], app: 'on', mail: 'off' },
  },
  screens: [
    screen('/payments', {
      permission: 'access_payment',
      title: ['Invoices', 'الفواتير'],
      menu: {
        group: 'finance',
        order: 105,
        icon: 'file-invoice',
        notFor: [3],
        block: 'invoices',
        also: ['Issue invoices, invoice', 'إصدار الفواتير، فاتورة، فواتير'],
      },
    }),
    screen('/payments/:id', {
      finds: 'invoice',
      permission: 'access_payment',
      title: ['Invoice', 'فاتورة'],
      parent: '/payments',
    }),
    screen('/payments/history/:id', {
      permission: 'access_payment',
      title: ['History of an invoice', 'سجل فاتورة'],
      parent: '/payments',
    }),
    screen('/payments/items/:id', {
      permission: 'access_payment',
      title: ['Items of an invoice', 'بنود فاتورة'],
      parent: '/payments',
    }),
  ],
  errors: {
    invoice_there: ['There is an invoice of this term: {number}.', 'توجد فاتورة لهذا الفصل: {number}.'],
    fee_charged_already: ['The fee of this request is charged already.', 'سبق أن احتُسب رسم هذا الطلب.'],
    invoice_no_settings: ['The academic year has no prices yet.', 'لا توجد أسعار للعام الدراسي بعد.'],
    invoice_no_due_date: [
      'The payment settings have no due date for this.',
      'لا يوجد تاريخ استحقاق لهذا في إعدادات الرسوم.',
    ],
    installment_day_over: ['{day} is over. Choose {today} or a later day.', 'مضى {day}. اختر {today} أو تاريخًا لاحقًا.'],
    installment_day_of_paid: [
      'The instalment due on {day} is paid: its day stays.',
      'القسط المستحق في {day} مسدد، فيبقى موعده.',
    ],
    extra_one_of: ['Choose items, or write lines: one of them.', 'اختر بنودًا أو اكتبها: أحدهما.'],
    extra_priced: [
      'What is chosen from the items costs what the year says: no amount and no currency is typed.',
      'ما يُختار من البنود يُحسب بسعر العام، فلا يُكتب له مبلغ ولا عملة.',
    ],
    invoice_not_priced: [
      'At the prices of today the invoice cannot be computed: correct it by a note.',
      'لا يمكن حساب الفاتورة بأسعار اليوم: صحّحها بإشعار.',
    ],
    invoice_nothing_due: ['Nothing is to be charged.', 'لا يوجد ما يُفوتر.'],
    invoice_no_term: ['Choose a term first.', 'اختر الفصل الدراسي أولًا.'],
    invoice_is_reversed: [
      'The invoice was reversed: nothing of it changes any more.',
      'الفاتورة معكوسة، فلا يتغير منها شيء.',
    ],
    invoice_deposit_back: ['Its deposit was given back: cancel that first.', 'رُد تأمينها بالفعل: ألغِ الرد أولًا.'],
    invoice_line_other: ['This is no line of the invoice.', 'هذا البند ليس من الفاتورة.'],
    invoice_settled: ['Nothing of the invoice is open.', 'لا يتبقى شيء من الفاتورة.'],
    scholarship_not_priced: [
      'The invoice was not computed from prices: correct it by a note.',
      'لم تُحسب الفاتورة من الأسعار: صحّحها بإشعار.',
    ],
    scholarship_not_for_invoice: [
      'The scholarship is for nothing that the invoice charges.',
      'المنحة لا تخص شيئًا من بنود الفاتورة.',
    ],
    scholarship_currency: [
      'The scholarship is in {currency}, the invoice is not.',
      'المنحة بعملة {currency} والفاتورة بغيرها.',
    ],
    scholarship_capped: [
      'All scholarships together take off {cap}% at most, and that is reached.',
      'مجموع المنح لا يتجاوز {cap}%، وقد بلغته.',
    ],
    scholarship_takes_nothing: ['The scholarship takes nothing off.', 'المنحة لا تخصم شيئًا.'],
    note_nothing: ['Nothing would change.', 'لا يتغير شيء.'],
    note_too_much: [
      'The invoice charges {charged}: no more can be taken off.',
      'قيمة الفاتورة {charged}، فلا يُخصم أكثر منها.',
    ],
    installments_count: ['An invoice has one to {most} instalments.', 'للفاتورة قسط واحد إلى {most} أقساط.'],
    installment_nothing: ['An instalment has an amount.', 'لا بد للقسط من مبلغ.'],
    installments_order: ['Each instalment is due later than the one before.', 'يُستحق كل قسط بعد سابقه.'],
    installment_same: ['Nothing would change.', 'لا يتغير شيء.'],
    installment_in_plan: [
      'A payment plan runs over the invoice: its parts are those of the plan. End the plan first.',
      'تسري على الفاتورة خطة سداد، وأقساطها هي أقساط الخطة. أنهِ الخطة أولًا.',
    ],
    installment_paid: [
      'The instalment due on {day} is paid: it stays as it is.',
      'القسط المستحق في {day} مسدد، فيبقى كما هو.',
    ],
    installment_before_paid: [
      'The instalment due on {day} is paid: no other one comes before it.',
      'القسط المستحق في {day} مسدد، فلا يسبقه قسط آخر.',
    ],
    installment_over: [
      '{day} is over: nothing more is asked for then. Choose another day first.',
      'مضى {day}، فلا يُطلب المزيد فيه. اختر موعدًا آخر أولًا.',
    ],
    installment_most: [
      'At most {most}: more would take another instalment away. Remove that one to join them.',
      'الحد الأقصى {most}، فما زاد يلغي قسطًا آخر. احذف ذلك القسط لضمهما.',
    ],
    installment_least: [
      'At least {least}: that much is paid of it, or it would be nothing.',
      'الحد الأدنى {least}، وهو المسدد منه أو أقل قسط ممكن.',
    ],
    installment_rest: [
      '{rest} would be left and no other instalment can take it. Say by when it is due.',
      'يتبقى {rest} ولا قسط آخر يتحمله. حدد تاريخ استحقاقه.',
    ],
    installment_no_heir: [
      'No other instalment can take its amount: their days are over, or they are paid.',
      'لا قسط آخر يتحمل مبلغه، فقد مضت مواعيدها أو سُددت.',
    ],
    installment_last: ['An invoice keeps one instalment.', 'يبقى للفاتورة قسط واحد على الأقل.'],
    installments_differ: [
      'The instalments together are not what the invoice charges.',
      'مجموع الأقساط لا يساوي قيمة الفاتورة.',
    ],
    invoice_twice: ['There is an invoice for this already.', 'توجد فاتورة لهذا بالفعل.'],
  },
})
