/** Permissions of this area. A lookup has the eight verbs of a plain resource; a right stands for itself. Data only. */
export const transactions = {
  lookups: {},
  rights: {
    pay_online: ['Pay invoices by a payment provider', 'دفع الفواتير عبر مزود الدفع'],
    decide_provider_event: ['Decide on messages of payment providers', 'البت في رسائل مزودي الدفع'],
  },
} as const
