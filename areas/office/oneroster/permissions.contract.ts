/** Permissions of this area. A subject has the eight verbs of a plain resource, e.g. `edit_faculty`; a right stands for itself. Data only. */
export const oneroster = {
  rights: {
    import_oneroster: ['Import a university from OneRoster files', 'استيراد جامعة من ملفات OneRoster', 'university'],
  },
} as const
