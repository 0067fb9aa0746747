import { decisionBasis } from '#kit/contract/index.ts'

/** The place of an exam: a day and slot at which nothing is taught in its halls, by its invigilators or to its students. */
export const placeBasis = decisionBasis({
  kind: 'exam_place',
  one: ['Place of an exam', 'موعد امتحان ومكانه'],
  many: ['Places of exams', 'مواعيد امتحانات وأماكنها'],
  why: [
    'A meeting is held then in its hall, by its invigilator or for its students. Move the exam, or enter an exam week.',
    'يُعقد حينها موعد دراسي في قاعته أو لمراقبه أو لطلابه. انقل الامتحان أو أدخل أسبوع امتحانات.',
  ],
  becomes: 'waits',
  sees: 'access_examSchedule',
  decides: 'edit_examSchedule',
})
