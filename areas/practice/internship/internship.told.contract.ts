import { f } from '#kit/contract/index.ts'
import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const internshipTold: TablesTold = {
  emtyaz_criteria: { one: ['Criterion', 'معيار تقييم'], many: ['Criteria', 'معايير التقييم'] },
  emtyaz_training_places: { one: ['Number of places', 'عدد أماكن'], many: ['Numbers of places', 'أعداد الأماكن'] },
  emtyaz_leaves: {
    one: ['Leave of an intern', 'إجازة طبيب امتياز'],
    many: ['Leaves of interns', 'إجازات أطباء الامتياز'],
  },
  emtyaz_wishes: {
    one: ['Wish for an elective', 'رغبة تدريب اختياري'],
    many: ['Wishes for electives', 'رغبات التدريب الاختياري'],
  },
  emtyaz_training_instructors: {
    one: ['Supervisor of a training', 'مشرف على تدريب'],
    many: ['Supervisors of trainings', 'المشرفون على التدريبات'],
    fields: {
      starts_on: f.date(['From', 'من']),
      ends_on: f.date(['Until', 'حتى']),
    },
    untold: ['id'],
  },
  emtyaz_rotations: {
    fields: {
      interrupted_on: f.date(['Last day there', 'آخر يوم في الدورة']),
      max_mark: f.decimal(['Maximum mark', 'الدرجة العظمى'], { places: 2 }),
      pass_mark: f.decimal(['Mark to pass', 'درجة النجاح'], { places: 2 }),
      note: f.longText(['Note', 'ملاحظة']),
      graded_by: f.lookup(['Marked by', 'قدّر الدرجة'], 'user'),
      graded_at: f.instant(['Marked at', 'وقت تقدير الدرجة']),
      is_locked: f.flag(['Locked: plans leave it where it is', 'مثبتة: لا تغيرها الخطط']),
    },
    untold: ['offering_id'],
  },
  emtyaz_marks: {
    one: ['Mark by a criterion', 'درجة بمعيار'],
    many: ['Marks by criteria', 'درجات بمعايير'],
    fields: { points: f.decimal(['Points', 'الدرجة'], { places: 2 }) },
    untold: ['criterion_id'],
  },
}
