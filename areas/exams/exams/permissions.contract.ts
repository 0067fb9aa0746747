/** Permissions of this area. A subject has the eight verbs of a plain resource, e.g. `edit_faculty`; a right stands for itself. Data only. */
export const exams = {
  subjects: {
    exam: ['Exams', 'الامتحانات'],
    examAccommodation: ['Exam accommodations', 'تيسيرات الامتحانات'],
    examSchedule: ['Exam schedules', 'جداول الامتحانات'],
  },
  rights: {
    publish_exam: ['Publish exam schedules', 'نشر جداول الامتحانات'],
    place_exam: ['Place exams automatically', 'التوزيع التلقائي للامتحانات'],
  },
} as const
