import { f, lookup } from '#kit/contract/index.ts'

/** What kinds of school certificates there are: places are reserved and limited by them. */
export const CERTIFICATE_GROUPS = [
  { value: 'general', label: ['General secondary', 'ثانوية عامة'] },
  { value: 'azhar', label: ['Azhar secondary', 'ثانوية أزهرية'] },
  { value: 'stem', label: ['STEM schools', 'مدارس المتفوقين (STEM)'] },
  { value: 'arab', label: ['Arab certificates', 'شهادات عربية معادلة'] },
  { value: 'international', label: ['International certificates', 'شهادات دولية معادلة'] },
  { value: 'technical', label: ['Technical certificates', 'شهادات فنية'] },
] as const
export type CertificateGroup = (typeof CERTIFICATE_GROUPS)[number]['value']

/** Certificates with which people apply: what their totals and subjects are out of. */
export const certificateType = lookup('certificateType', {
  path: '/certificate-types',
  one: ['Certificate type', 'نوع شهادة'],
  many: ['Certificate types', 'أنواع الشهادات'],
  adding: ['Add certificate type', 'إضافة نوع شهادة'],
  editing: ['Edit certificate type', 'تعديل نوع شهادة'],
  fields: {
    certificate_group: f.choice(['Group of certificates', 'مجموعة الشهادات'], CERTIFICATE_GROUPS, { required: true }),
    country_id: f.lookup(['Country', 'الدولة'], 'country', { help: ['Empty: of any country', 'فارغ: لأي دولة'] }),
    max_total: f.decimal(['Total is out of', 'المجموع الكلي من'], { places: 2, min: 1, max: 10_000, required: true }),
    is_active: f.flag(['Can be chosen', 'متاحة للاختيار']),
    subjects: f.rows(
      ['Subjects', 'المواد'],
      {
        certificate_subject_id: f.lookup(['Subject', 'المادة'], 'certificateSubject', { required: true }),
        max_mark: f.decimal(['Out of', 'الدرجة من'], { places: 2, min: 1, max: 10_000, required: true }),
        is_required: f.flag(['Asked of everybody', 'تُطلب من الجميع']),
        is_counted: f.flag(['Counts in the total', 'تضاف للمجموع']),
      },
      {
        table: 'certificate_type_subjects',
        parent: 'certificate_type_id',
        position: 'position',
        max: 40,
        detailOnly: true,
        help: [
          'Applicants type these marks. Those that count add up to the total.',
          'يكتب المتقدم هذه الدرجات، ومجموع ما يضاف منها هو المجموع الكلي.',
        ],
      },
    ),
  },
  examples: [
    {
      code: 'ZZ1',
      name: 'Certificate of a neighbour',
      name_local: 'شهادة دولة مجاورة',
      certificate_group: 'arab',
      max_total: '100',
      is_active: true,
      subjects: [],
    },
    {
      code: 'ZZ2',
      name: 'Certificate of another neighbour',
      name_local: 'شهادة دولة مجاورة أخرى',
      certificate_group: 'arab',
      max_total: '700',
      is_active: false,
      subjects: [],
    },
  ],
  menu: { group: 'admission', order: 31, icon: 'certificate', setup: true },
})
