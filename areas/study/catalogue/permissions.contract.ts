/** Permissions of this area. A subject has the eight verbs of a plain resource, e.g. `edit_faculty`; a right stands for itself. Data only. */
export const catalogue = {
  subjects: {
    faculty: ['Faculties', 'الكليات'],
    department: ['Departments', 'الأقسام'],
    course: ['Courses', 'المقررات'],
    program: ['Programs', 'البرامج'],
    bylaw: ['Bylaws', 'اللوائح'],
  },
  rights: {
    edit_bylaw_settings: ['Change settings of a bylaw', 'تعديل إعدادات اللائحة'],
    edit_study_plan: ['Change study plans', 'تعديل الخطط الدراسية'],
  },
} as const
