import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const registrationTold: TablesTold = {
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
  },
  registration_exchanges: {
    one: ['Course in exchange for a request', 'مقرر مقابل طلب'],
    many: ['Courses in exchange for requests', 'مقررات مقابل طلبات'],
  },
}
