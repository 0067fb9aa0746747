/** Permissions of this area. A subject has the eight verbs of a plain resource, e.g. `edit_faculty`; a right stands for itself. Data only. */
export const examDays = {
  lookups: {
    examPapersType: ['Exam paper types', 'أنواع أوراق الامتحان'],
  },
  rights: {
    access_examSeat: ['Open seats of exams', 'فتح مقاعد الامتحانات', 'taught'],
    assign_examSeat: ['Assign seats of exams', 'تخصيص مقاعد الامتحانات'],
    access_examAbsence: ['Open exam absences', 'فتح غياب الامتحانات'],
    edit_examAbsence: ['Record exam absences', 'تسجيل غياب الامتحانات'],
    access_examPunishment: ['Open exam investigations and punishments', 'فتح تحقيقات الامتحانات وعقوباتها'],
    open_examInvestigation: ['Open an exam investigation', 'فتح تحقيق في امتحان'],
    decide_examPunishment: ['Decide on exam punishments', 'البت في عقوبات الامتحانات'],
    access_examDelivery: ['Open exam deliveries', 'فتح تسليم أوراق الامتحانات'],
    edit_examDelivery: ['Hand out and take back exam papers', 'تسليم أوراق الامتحان واستلامها'],
  },
} as const
