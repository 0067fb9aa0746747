/** Permissions of this area. A subject has the eight verbs of a plain resource; a right stands for itself. Data only. */
export const projects = {
  subjects: {
    // `own`: what the person leads, entered or works in.
    project: ['Research projects', 'المشروعات البحثية', 'own'],
  },
  rights: {
    approve_project: ['Approve research projects', 'اعتماد المشروعات البحثية'],
  },
} as const
