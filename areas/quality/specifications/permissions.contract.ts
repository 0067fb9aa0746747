/** Permissions of this area. A subject has the eight verbs of a plain resource; a right stands for itself. Data only. */
export const specifications = {
  subjects: {
    // `own`: of the department that the person heads.
    specification: ['Specifications', 'توصيفات البرامج والمقررات', 'taught', 'own'],
    qualityFinding: ['Improvement actions', 'إجراءات التحسين', 'taught', 'own'],
  },
  rights: {
    show_questionMarks: ['See marks by question', 'عرض درجات الأسئلة', 'taught'],
    enter_questionMarks: [
      'Set up questions of assessments, and enter marks by question',
      'إعداد أسئلة التقويم وإدخال درجاتها',
      'taught',
    ],
    approve_specification: ['Approve and return specifications', 'اعتماد التوصيفات وإعادتها', 'own'],
  },
} as const
