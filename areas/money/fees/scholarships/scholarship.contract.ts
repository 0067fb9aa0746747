import { f, lookup } from '#kit/contract/index.ts'
import { CURRENCY_CHOICES, TYPE_CHOICES } from '../words.contract.ts'

/** By what somebody has a scholarship: given by hand, or by what is known of a student. */
export const BASES = [
  { value: 'manual', label: ['By hand', 'يدوي'] },
  { value: 'percentage', label: ['School percentage', 'النسبة المئوية للثانوية'] },
  { value: 'gpa', label: ['GPA', 'المعدل'] },
  { value: 'rank', label: ['Rank within program and level', 'الترتيب في البرنامج والمستوى'] },
  { value: 'sibling', label: ['Siblings at the university', 'إخوة بالجامعة'] },
] as const

/** A scholarship or discount: who has it, what it reduces, and in which order. What was granted keeps the terms of then. */
export const scholarship = lookup('scholarship', {
  path: '/scholarships',
  one: ['Scholarship', 'منحة أو خصم'],
  many: ['Scholarships and discounts', 'المنح والخصومات'],
  adding: ['Add scholarship', 'إضافة منحة'],
  editing: ['Edit scholarship', 'تعديل منحة'],
  fields: {
    basis: f.choice(['By', 'الأساس'], BASES, { required: true }),
    from_value: f.decimal(['From', 'من'], {
      places: 2,
      min: 0,
      max: 1000,
      help: [
        'The lowest percentage or GPA, the best place in the rank, or which child of the family; none by hand.',
        'أقل نسبة أو معدل، أو أفضل ترتيب، أو رقم الابن في الأسرة، ولا شيء لليدوي.',
      ],
    }),
    to_value: f.decimal(['To', 'إلى'], { places: 2, min: 0, max: 1000 }),
    percent: f.decimal(['Percent', 'النسبة %'], { places: 2, min: 0.01, max: 100 }),
    amount: f.money(['Amount', 'المبلغ']),
    currency: f.choice(['Currency', 'العملة'], CURRENCY_CHOICES),
    types: f.choices(['Reduces', 'تخفض'], TYPE_CHOICES, { required: true }),
    items: f.lookups(['Of these only', 'من هذه البنود فقط'], 'feeItem', {
      through: { table: 'scholarship_items', from: 'scholarship_id', to: 'fee_item_id' },
    }),
    priority: f.integer(['Order', 'الترتيب'], {
      min: 1,
      max: 1000,
      help: ['Lower ones are taken off first.', 'يُخصم الأقل رقمًا أولًا.'],
    }),
    year_id: f.lookup(['Academic year', 'العام الدراسي'], 'year'),
    bylaw_id: f.lookup(['Bylaw', 'اللائحة'], 'bylaw'),
    faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty'),
    level: f.integer(['Level', 'المستوى'], { min: 0, max: 12 }),
    is_active: f.flag(['Active', 'نشط']),
  },
  list: {
    columns: [
      'code',
      'name',
      'name_local',
      'basis',
      'from_value',
      'percent',
      'amount',
      'currency',
      'year_id',
      'bylaw_id',
      'is_active',
    ],
    sort: ['code', 'name', 'name_local', 'priority'],
    filters: ['basis', 'year_id', 'bylaw_id', 'faculty_id', 'is_active'],
  },
  screens: {
    list: '/scholarships/kinds',
    show: '/scholarships/kinds/:id',
    add: '/scholarships/kinds/add',
    edit: '/scholarships/kinds/edit/:id',
  },
  menu: { group: 'finance', order: 71, icon: 'award', setup: true },
})
