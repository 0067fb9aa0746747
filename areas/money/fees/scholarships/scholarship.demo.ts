import { demoLookup } from '#demo/part.ts'
import { scholarship } from './scholarship.contract.ts'

const STUDIES = ['tuition', 'hours']
const NOTHING = {
  from_value: null,
  to_value: null,
  level: null,
  percent: null,
  amount: null,
  currency: null,
  types: STUDIES,
  is_active: true,
}
/** By marks, by siblings, and by hand. */
export default demoLookup(scholarship, [
  [
    'FULL',
    'Full scholarship of the university',
    'منحة الجامعة الكاملة',
    { ...NOTHING, basis: 'manual', percent: 100, priority: 10 },
  ],
  [
    'RANK1',
    'First of the program and level',
    'الأول على البرنامج والمستوى',
    { ...NOTHING, basis: 'rank', from_value: 1, to_value: 1, percent: 50, priority: 20 },
  ],
  [
    'MERIT95',
    'School certificate of 95% and more',
    'الثانوية 95% فأكثر',
    { ...NOTHING, basis: 'percentage', from_value: 95, level: 1, percent: 25, priority: 30 },
  ],
  [
    'HONOUR',
    'Honour: GPA of 3.7 and more',
    'التفوق: معدل 3.7 فأكثر',
    { ...NOTHING, basis: 'gpa', from_value: 3.7, percent: 30, priority: 40 },
  ],
  [
    'SIBLING',
    'Sibling at the university',
    'خصم الإخوة',
    { ...NOTHING, basis: 'sibling', from_value: 2, percent: 10, types: [...STUDIES, 'summer'], priority: 50 },
  ],
  ['STAFF', 'Children of employees', 'أبناء العاملين', { ...NOTHING, basis: 'manual', percent: 50, priority: 60 }],
  [
    'HARDSHIP',
    'Support in hardship',
    'الدعم الاجتماعي',
    { ...NOTHING, basis: 'manual', amount: 500_000, currency: 'EGP', priority: 90 },
  ],
])
