/** Permissions of this area. Data only. */
export const degreeAudit = {
  rights: {
    show_requirements: ['See requirements of programs and bylaws', 'عرض متطلبات البرامج واللوائح'],
    edit_requirements: ['Change requirements of programs and bylaws', 'تعديل متطلبات البرامج واللوائح'],
    grant_exception: [
      'Except a student from a requirement, or settle by hand for what a course counts',
      'استثناء طالب من متطلب أو تحديد ما يُحسب له المقرر يدويًا',
      'advised',
    ],
    access_degree_audits: [
      'See the degree audits of all students of a program',
      'عرض الموقف من متطلبات الدرجة لجميع طلاب البرنامج',
      'advised',
    ],
  },
} as const
