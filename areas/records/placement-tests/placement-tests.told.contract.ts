import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const placementTestsTold: TablesTold = {
  placement_courses: {
    one: ['Course of a placement level', 'مقرر مستوى تحديد'],
    many: ['Courses of placement levels', 'مقررات مستويات تحديد المستوى'],
  },
  placement_levels: {
    one: ['Level of a placement test', 'مستوى اختبار تحديد'],
    many: ['Levels of placement tests', 'مستويات اختبارات تحديد المستوى'],
  },
}
