import { z } from 'zod'
import { flagText, type SettingDefinition } from './kinds.contract.ts'

const days = z.string().regex(/^\d{1,2}$/)
/** Settings of beds in hostels. */
export const HOUSING_SETTINGS = {
  bed_no_show_days: {
    label: ['Days after which a guest did not come', 'عدد الأيام التي يُعد النزيل بعدها متخلفًا عن الحضور'],
    group: 'housing',
    schema: z.string().regex(/^[1-9]\d?$/),
    public: false,
    initial: '2',
  },
  bed_cancel_days: {
    label: [
      'Days before arrival until which a cancelled stay costs nothing',
      'عدد الأيام قبل الوصول التي يُلغى خلالها الحجز دون رسوم',
    ],
    group: 'housing',
    schema: days,
    public: false,
    initial: '7',
  },
  bed_pay_days: {
    label: [
      'Days in which a bed that was given is paid, before the next is offered it; 0: any number',
      'عدد الأيام لسداد رسوم السرير المخصص قبل عرضه على التالي، وصفر: بلا حد',
    ],
    group: 'housing',
    schema: days,
    public: false,
    initial: '0',
  },
  bed_paid_first: {
    label: ['A stay is paid before the guest moves in', 'سداد رسوم الإقامة قبل التسكين'],
    group: 'housing',
    schema: flagText,
    public: false,
    initial: 'false',
  },
} as const satisfies Record<string, SettingDefinition>
