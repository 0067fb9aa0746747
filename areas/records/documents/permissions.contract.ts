/** Permissions of this area. A lookup has the eight verbs of a plain resource; a right stands for itself. Data only. */
export const documents = {
  requests: {
    studentDocument: ['Documents of students', 'مستندات الطلاب'],
  },
  lookups: {
    documentKind: ['Kinds of documents', 'أنواع المستندات'],
  },
  // As of requests, without the students that an advisor follows; registrars do not decide on the papers of who works here.
  rights: {
    access_employeeDocument: ['List: Documents of employees', 'عرض القائمة: مستندات الموظفين', 'own'],
    show_employeeDocument: ['Show: Documents of employees', 'فتح السجل: مستندات الموظفين', 'own'],
    add_employeeDocument: ['Hand in: Documents of employees', 'تسليم: مستندات الموظفين', 'own'],
    decide_employeeDocument: ['Decide: Documents of employees', 'البت في: مستندات الموظفين'],
    export_employeeDocument: ['Export: Documents of employees', 'تصدير: مستندات الموظفين', 'own'],
    access_instructorDocument: ['List: Documents of instructors', 'عرض القائمة: مستندات أعضاء هيئة التدريس', 'own'],
    show_instructorDocument: ['Show: Documents of instructors', 'فتح السجل: مستندات أعضاء هيئة التدريس', 'own'],
    add_instructorDocument: ['Hand in: Documents of instructors', 'تسليم: مستندات أعضاء هيئة التدريس', 'own'],
    decide_instructorDocument: ['Decide: Documents of instructors', 'البت في: مستندات أعضاء هيئة التدريس'],
    export_instructorDocument: ['Export: Documents of instructors', 'تصدير: مستندات أعضاء هيئة التدريس', 'own'],
  },
} as const
