import { call, f, lookup } from '#kit/contract/index.ts'
import { mergeAnswer, mergeBody } from '../universities-list/merge.contract.ts'

/** Schools that students come from. */
export const school = lookup('school', {
  path: '/schools-list',
  one: ['School', 'مدرسة'],
  many: ['Schools', 'المدارس'],
  adding: ['Add school', 'إضافة مدرسة'],
  editing: ['Edit school', 'تعديل مدرسة'],
  fields: { country_id: f.lookup(['Country', 'الدولة'], 'country') },
  parent: '/management',
  plain: false,
})

export const schoolMerge = call('POST', '/schools-list/merge/{id}', {
  permission: 'edit_school',
  summary: ['Merge a school that stands there twice', 'دمج مدرسة مكررة'],
  body: mergeBody,
  response: mergeAnswer,
})
