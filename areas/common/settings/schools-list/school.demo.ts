import { demoLookup } from '#demo/part.ts'
import { school } from './school.contract.ts'

export default demoLookup(school, [
  ['S1', 'Nile Secondary School', 'مدرسة النيل الثانوية'],
  ['S2', 'El Horreya Secondary School', 'مدرسة الحرية الثانوية'],
  ['S3', 'STEM School October', 'مدرسة المتفوقين بأكتوبر'],
  ['S4', 'Saint Mark School', 'مدرسة القديس مرقس'],
])
