import { call, f, lookup } from '#kit/contract/index.ts'
import { mergeAnswer, mergeBody } from './merge.contract.ts'

/** Universities that students come from and go to. */
export const otherUniversity = lookup('otherUniversity', {
  path: '/universities-list',
  one: ['University', 'جامعة'],
  many: ['Universities', 'الجامعات'],
  adding: ['Add university', 'إضافة جامعة'],
  editing: ['Edit university', 'تعديل جامعة'],
  fields: { country_id: f.lookup(['Country', 'الدولة'], 'country') },
  parent: '/management',
  plain: false,
})

export const universityMerge = call('POST', '/universities-list/merge/{id}', {
  permission: 'edit_otherUniversity',
  summary: ['Merge a university that stands there twice', 'دمج جامعة مكررة'],
  body: mergeBody,
  response: mergeAnswer,
})
