import { call, f, lookup } from '#kit/contract/index.ts'
import { mergeAnswer, mergeBody } from '../universities-list/merge.contract.ts'

/** Faculties and schools of other universities. */
export const universityFaculty = lookup('universityFaculty', {
  path: '/university-faculties',
  one: ['Faculty of another university', 'كلية بجامعة أخرى'],
  many: ['Faculties of other universities', 'كليات الجامعات الأخرى'],
  adding: ['Add a faculty of another university', 'إضافة كلية بجامعة أخرى'],
  editing: ['Edit a faculty of another university', 'تعديل كلية بجامعة أخرى'],
  fields: { university_id: f.lookup(['University', 'الجامعة'], 'otherUniversity', { required: true }) },
  parent: '/management',
  plain: false,
})

export const universityFacultyMerge = call('POST', '/university-faculties/merge/{id}', {
  permission: 'edit_universityFaculty',
  summary: ['Merge a faculty of another university that stands there twice', 'دمج كلية مكررة بجامعة أخرى'],
  body: mergeBody,
  response: mergeAnswer,
})
