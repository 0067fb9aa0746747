/** Permissions of this area. A subject has the eight verbs of a plain resource, e.g. `edit_faculty`; a right stands for itself. Data only. */
export const placementTests = {
  subjects: {
    placementTest: ['Placement tests', 'اختبارات تحديد المستوى'],
    placementResult: ['Results of placement tests', 'نتائج اختبارات تحديد المستوى', 'advised'],
  },
} as const
