/** Permissions of this area. A subject has the eight verbs of a plain resource; a right stands for itself. Data only. */
export const levelResults = {
  subjects: {
    graceRule: ['Grace marks of a year', 'درجات الرأفة للعام'],
  },
  rights: {
    access_level_result: ['Open results of levels', 'فتح نتائج المستويات'],
    apply_level_result: ['Apply results of levels', 'تطبيق نتائج المستويات'],
  },
} as const
