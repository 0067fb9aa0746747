import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const examDaysTold: TablesTold = {
  exam_absences: {
    one: ['Exam absence', 'غياب عن امتحان'],
    many: ['Exam absences', 'غياب الامتحانات'],
    title: ['registration_id'],
  },
  exam_cases: {
    one: ['Exam investigation', 'تحقيق امتحان'],
    many: ['Exam investigations', 'تحقيقات الامتحانات'],
    title: ['registration_id'],
  },
  exam_deliveries: {
    one: ['Exam papers of a hall', 'أوراق امتحان قاعة'],
    many: ['Exam papers by hall', 'أوراق الامتحانات حسب القاعة'],
    title: ['exam_schedule_id', 'location_id'],
  },
  exam_seatings: {
    one: ['Seats of an exam', 'مقاعد امتحان'],
    many: ['Seats of exams', 'مقاعد الامتحانات'],
  },
}
