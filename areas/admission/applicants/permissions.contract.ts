/** Permissions of this area. A right stands for itself. Data only. */
export const applicants = {
  rights: {
    access_applicant: ['See applicants', 'الاطلاع على المتقدمين'],
    show_applicant: ['See the data of an applicant', 'عرض بيانات متقدم'],
    edit_applicant: ['Correct the data of an applicant', 'تصحيح بيانات متقدم'],
    review_applicant: [
      'Review applicants, send them back and put them on hold',
      'مراجعة المتقدمين وإعادة طلباتهم وإيقافها',
    ],
    enter_applicant_result: ['Enter results of entrance exams', 'تسجيل نتائج اختبارات القبول'],
    assign_applicant: ['Give applicants seats', 'تخصيص مقاعد للمتقدمين'],
    cancel_applicant: ['Cancel applications', 'إلغاء طلبات التقديم'],
    export_applicant: ['Export applicants', 'تصدير المتقدمين'],
  },
} as const
