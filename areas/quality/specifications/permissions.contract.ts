/** Permissions of this area. A subject has the eight verbs of a plain resource; a right stands for itself. Data only. */
export const specifications = {
  subjects: {
    // `own`: of the department that the person heads.
    specification: ['Specifications', 'توصيفات البرامج والمقررات', 'taught', 'own'],
    qualityFinding: ['Improvement actions', 'إجراءات التحسين', 'taught', 'own'],
  },
  rights: {
    approve_specification: ['Approve and return specifications', 'اعتماد التوصيفات وإعادتها', 'own'],
  },
} as const
