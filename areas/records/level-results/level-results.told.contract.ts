import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const levelResultsTold: TablesTold = {
  grace_marks: {
    one: ['Grace marks on a course', 'درجات رأفة على مقرر'],
    many: ['Grace marks on courses', 'درجات الرأفة على المقررات'],
  },
  level_results: {
    one: ['Result of a level', 'نتيجة مستوى'],
    many: ['Results of levels', 'نتائج المستويات'],
  },
  second_sessions: {
    one: ['Second session', 'دور ثانٍ'],
    many: ['Second sessions', 'الأدوار الثانية'],
  },
}
