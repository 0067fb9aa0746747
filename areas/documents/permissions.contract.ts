/** Permissions of this area. A lookup has the eight verbs of a plain resource; a right stands for itself. Data only. */
export const documents = {
  requests: {
    studentDocument: ['Documents of students', 'مستندات الطلاب'],
  },
  lookups: {
    documentKind: ['Kinds of documents', 'أنواع المستندات'],
  },
} as const
