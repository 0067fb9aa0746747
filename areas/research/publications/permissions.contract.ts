/** Permissions of this area. A subject has the eight verbs of a plain resource; a right stands for itself. Data only. */
export const publications = {
  subjects: {
    // `own`: what the person entered or is a member of.
    publication: ['Publications', 'المنشورات العلمية', 'own'],
    rankedJournal: ['Ranked journals', 'الدوريات المصنفة'],
  },
  rights: {
    edit_researcher: ['Change a researcher’s page and identifiers', 'تعديل صفحة الباحث ومعرفاته', 'own'],
  },
} as const
