import { tagging } from '#areas/people/tags/tagging.contract.ts'

/** Students can have tags. */
export const studentTags = tagging('student', {
  permission: 'attach_tag',
  attach: ['/tags/attach', ['Put tags on students', 'إضافة وسوم إلى طلاب']],
  remove: ['/tags/remove-student/tags', ['Take tags off students', 'إزالة وسوم عن طلاب']],
})
