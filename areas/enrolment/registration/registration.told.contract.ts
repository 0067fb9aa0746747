import { f } from '#kit/contract/field.ts'
import type { TablesTold } from '#kit/contract/telling.ts'
import { ATTEMPTS, AUDITED, REGISTRATION_STATES } from '#areas/common/academics/registration-words.contract.ts'
import { flag } from '#areas/common/academics/status.rules.ts'
import { END_REASONS } from './swap/end-reasons.contract.ts'

/** What the log of changes says of its tables. */
export const registrationTold: TablesTold = {
  registrations: {
    fields: {
      status: f.flags(
        ['Status', 'الحالة'],
        {},
        [...REGISTRATION_STATES, ...ATTEMPTS, { value: 'Audit', label: AUDITED } as const].map(({ value, label }) => ({
          value: String(flag[value]),
          label,
        })),
      ),
    },
  },
  window_exception_students: {
    one: ['Student of a window exception', 'طالب في استثناء مرحلة'],
    many: ['Students of window exceptions', 'طلاب استثناءات المراحل'],
  },
  preflight_notices: {
    one: ['Notice before registration', 'إشعار ما قبل التسجيل'],
    many: ['Notices before registration', 'إشعارات ما قبل التسجيل'],
  },
  wait_list: {
    one: ['Place in a queue', 'مكان في قائمة انتظار'],
    many: ['Places in queues', 'أماكن قوائم الانتظار'],
    fields: { end_reason: f.choice(['Reason of the end', 'سبب الانتهاء'], END_REASONS) },
  },
  registration_exchanges: {
    one: ['Course in exchange for a request', 'مقرر مقابل طلب'],
    many: ['Courses in exchange for requests', 'مقررات مقابل طلبات'],
  },
}
