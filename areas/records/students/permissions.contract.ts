/** Permissions of this area. A subject has the eight verbs of a plain resource, e.g. `edit_faculty`; a right stands for itself. Data only. */
export const students = {
  subjects: {
    // `access_student` is the key of student self-service in the documents, so the staff’s keys are plural.
    students: ['Students', 'الطلاب', 'own', 'taught', 'advised'],
  },
  rights: {
    access_student: ['Use student self-service', 'استخدام الخدمات الذاتية للطالب', 'only own'],
    edit_student_notes: ['Write notes about a student', 'كتابة ملاحظات عن طالب', 'advised'],
    show_student_private: [
      'See private data of a student: identity, family, school, contact',
      'عرض البيانات الخاصة للطالب: الهوية والأسرة والمؤهل والاتصال',
      'advised',
    ],
    change_student_status: ['Change the status of a student by decision', 'تغيير حالة الطالب بقرار'],
    override_hold: ['Set holds of results and certificates aside', 'تجاوز حجب النتائج والشهادات'],
    block_student: ['Block a student', 'إيقاف طالب'],
    show_student_record: ['See the academic record of a student', 'عرض السجل الأكاديمي لطالب', 'taught', 'advised'],
    print_transcript: ['Print a transcript', 'طباعة بيان الدرجات', 'advised'],
    issue_paper: ['Issue official papers of a student', 'إصدار وثائق رسمية لطالب'],
    revoke_paper: ['Revoke an issued paper', 'إلغاء وثيقة صادرة'],
  },
} as const
