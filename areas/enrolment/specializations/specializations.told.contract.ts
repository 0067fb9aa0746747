import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const specializationsTold: TablesTold = {
  specialization_courses: {
    one: ['Course condition of a specialisation', 'شرط مقرر لتشعيب'],
    many: ['Course conditions of specialisations', 'شروط المقررات للتشعيب'],
  },
  specialization_preferences: {
    one: ['Wishes of a student', 'رغبات طالب'],
    many: ['Wishes of students', 'رغبات الطلاب'],
  },
  specialization_seats: {
    one: ['Places of a specialisation window', 'أماكن فترة تشعيب'],
    many: ['Places of specialisation windows', 'أماكن فترات التشعيب'],
  },
  student_specializations: {
    one: ['Specialisation of a student', 'تشعيب طالب'],
    many: ['Specialisations of students', 'تشعيبات الطلاب'],
  },
}
