/** Permissions of this area. A request is asked for, seen and decided; a right stands for itself. Data only. */
export const attendance = {
  requests: {
    excuse: ['Excuses', 'الأعذار'],
  },
  rights: {
    access_attendance: ['See attendance', 'عرض الحضور', 'taught', 'advised'],
    take_attendance: ['Take attendance', 'تسجيل الحضور', 'taught'],
  },
} as const
