import { demoLookup } from '#demo/part.ts'
import { tag } from './tag.contract.ts'

export default demoLookup(tag, [
  ['AID', 'Financial aid', 'إعانة مالية', { colour: 'green' }],
  ['ATHLETE', 'Athlete', 'لاعب رياضي', { colour: 'blue' }],
  ['FOLLOW', 'Needs follow-up', 'يحتاج إلى متابعة', { colour: 'red' }],
  ['HONOUR', 'Honours track', 'مسار التفوق', { colour: 'violet' }],
  ['VISA', 'Residence permit expires', 'إقامة تنتهي قريبًا', { colour: 'orange' }],
  ['EXCH', 'Exchange student', 'طالب تبادل', { colour: 'teal' }],
])
