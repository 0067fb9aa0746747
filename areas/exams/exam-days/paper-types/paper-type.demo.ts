import { demoLookup } from '#demo/part.ts'
import { paperType } from './paper-type.contract.ts'

export default demoLookup(paperType, [
  ['BOOK16', 'Answer booklet of 16 pages', 'كراسة إجابة 16 صفحة', { pages: 16, is_machine_read: false }],
  ['BOOK8', 'Answer booklet of 8 pages', 'كراسة إجابة 8 صفحات', { pages: 8, is_machine_read: false }],
  ['BUBBLE', 'Multiple choice sheet', 'ورقة إجابة إلكترونية', { pages: 1, is_machine_read: true }],
  ['DRAW', 'Drawing sheet A2', 'لوحة رسم A2', { pages: 1, is_machine_read: false }],
])
