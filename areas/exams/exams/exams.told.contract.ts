import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const examsTold: TablesTold = {
  exam_days: {
    one: ['Day of an exam', 'يوم امتحان'],
    many: ['Days of exams', 'أيام الامتحانات'],
  },
  exam_times: {
    one: ['Slot of an exam', 'فترة امتحان مستخدمة'],
    many: ['Slots of exams', 'فترات الامتحانات المستخدمة'],
  },
  exam_halls: {
    one: ['Hall of an exam', 'قاعة امتحان'],
    many: ['Halls of exams', 'قاعات الامتحانات'],
  },
  exam_closures: {
    one: ['What is not available to an exam', 'غير المتاح لامتحان'],
    many: ['What is not available to exams', 'غير المتاح للامتحانات'],
  },
  exam_relations: {
    one: ['Order of exams', 'ترتيب امتحانات'],
    many: ['Order of exams', 'ترتيب الامتحانات'],
  },
  exam_schedule_locations: {
    one: ['Hall of an exam schedule', 'قاعة موعد امتحان'],
    many: ['Halls of exam schedules', 'قاعات مواعيد الامتحانات'],
    title: ['exam_schedule_id', 'location_id'],
  },
  exam_schedule_instructors: {
    one: ['Invigilator', 'مراقب'],
    many: ['Invigilators', 'المراقبون'],
    title: ['exam_schedule_id', 'instructor_id'],
  },
}
