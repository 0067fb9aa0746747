import { amountText, flagText, type SettingDefinition } from './kinds.contract.ts'

/** Settings of the receipts to the tax authority, and of deposits. */
export const TAX_SETTINGS = {
  tax_receipts: {
    label: ['Send receipts to the tax authority', 'إرسال الإيصالات الإلكترونية إلى مصلحة الضرائب'],
    group: 'payment',
    schema: flagText,
    public: false,
    initial: 'false',
  },
  tax_rate_usd: {
    label: ['Pounds for a dollar on receipts to the tax authority', 'سعر الدولار بالجنيه في الإيصالات الإلكترونية'],
    group: 'payment',
    schema: amountText,
    public: false,
    initial: '',
  },
  deposit_back_dismissed: {
    label: ['Give deposits back to students who are dismissed', 'رد التأمين إلى الطلاب المفصولين'],
    group: 'payment',
    schema: flagText,
    public: false,
    initial: 'false',
  },
} as const satisfies Record<string, SettingDefinition>
