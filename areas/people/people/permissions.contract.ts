/** Permissions of this area. A subject has the eight verbs of a plain resource, e.g. `edit_faculty`; a right stands for itself. Data only. */
export const people = {
  lookups: {
    jobTitle: ['Job titles', 'المسميات الوظيفية'],
  },
  subjects: {
    instructor: ['Instructors', 'أعضاء هيئة التدريس', 'own'],
    employee: ['Employees', 'الموظفون', 'own'],
    guest: ['Guests', 'الضيوف'],
  },
} as const
