/** Permissions of this area. A subject has the eight verbs of a plain resource, e.g. `edit_faculty`; a right stands for itself. Data only. */
export const terms = {
  subjects: {
    year: ['Academic years', 'الأعوام الدراسية'],
    term: ['Terms', 'الفصول الدراسية'],
    stage: ['Stages', 'المراحل'],
    stageGroup: ['Stage groups', 'مجموعات المراحل'],
  },
  rights: {
    set_current_terms: ['Choose the current terms', 'تحديد الفصول الحالية', 'university'],
  },
} as const
