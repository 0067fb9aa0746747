import { z } from 'zod'
import type { SettingDefinition } from './kinds.contract.ts'

/** Settings of service requests and certificates: when who stands above hears of what is late. */
export const SERVICE_SETTINGS = {
  service_escalation_days: {
    label: [
      'Days over the time of an office after which who manages services is told',
      'عدد أيام تأخر المكتب التي يُبلغ بعدها مسؤول الخدمات',
    ],
    group: 'services',
    schema: z.string().regex(/^[1-9]\d?$/),
    public: false,
    initial: '3',
  },
  certificate_escalation_days: {
    label: [
      'Days over the time of a step of a certificate after which who stands above is told',
      'عدد أيام تأخر خطوة الشهادة التي يُبلغ بعدها الرئيس',
    ],
    group: 'services',
    schema: z.string().regex(/^[1-9]\d?$/),
    public: false,
    initial: '3',
  },
  external_answer_days: {
    label: [
      'Days until an issuer is expected to answer whether a paper is genuine',
      'عدد الأيام المتوقعة لرد جهة الإصدار على صحة وثيقة',
    ],
    group: 'services',
    schema: z.string().regex(/^[1-9]\d?$/),
    public: false,
    initial: '14',
  },
} as const satisfies Record<string, SettingDefinition>
