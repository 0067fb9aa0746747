/** Permissions of this area. A right stands for itself. Results are entered by `enter_applicant_result`. Data only. */
export const entranceExams = {
  rights: {
    access_entrance_exam: [
      'See appointments of entrance exams and who comes',
      'الاطلاع على مواعيد اختبارات القبول ومن يحضرها',
    ],
    manage_entrance_exam: [
      'Set up appointments of entrance exams and place applicants',
      'إعداد مواعيد اختبارات القبول وتوزيع المتقدمين عليها',
    ],
  },
} as const
