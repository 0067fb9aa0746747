/** Permissions of this area. A subject has the eight verbs of a plain resource, e.g. `edit_faculty`; a right stands for itself. Data only. */
export const people = {
  subjects: {
    instructor: ['Instructors', 'أعضاء هيئة التدريس', 'own'],
    employee: ['Employees', 'الموظفون'],
  },
} as const
