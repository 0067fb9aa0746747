import { decisionBasis, fact } from '#kit/contract/index.ts'

/** A credited course, where another transfer credits it again. */
export const creditFact = fact({ name: 'credit' })

/** What a course of a transfer that waits was decided to count as. */
export const equivalenceBasis = decisionBasis({
  kind: 'equivalence',
  one: ['Equivalence of a course', 'معادلة مقرر'],
  many: ['Equivalences of courses', 'معادلات المقررات'],
  why: [
    'The result of the course has changed since it was decided what it counts as.',
    'تغيّرت نتيجة المقرر بعد تقرير معادلته.',
  ],
  becomes: 'refused',
  refusal: 'transfer_source_changed',
  sees: 'access_transfer',
  decides: 'edit_equivalence',
})

/** A course that an executed transfer counts as passed. */
export const creditBasis = decisionBasis({
  kind: 'credit',
  one: ['Credited course', 'مقرر محتسب'],
  many: ['Credited courses', 'المقررات المحتسبة'],
  why: ['The result for which the course was credited has changed.', 'تغيّرت النتيجة التي احتُسب المقرر على أساسها.'],
  becomes: 'waits',
  sees: 'access_transfer',
  decides: 'edit_equivalence',
  renew: {
    label: ['Take the new result', 'اعتماد النتيجة الجديدة'],
    consequence: [
      'The credited course gets the grade that the new result has here; where it is not passed any more, the credit ends. Figures and rows of terms follow.',
      'يُحتسب المقرر بالتقدير المقابل للنتيجة الجديدة، وإن لم تعد نجاحًا ينتهي احتسابه. وتتبعه المعدلات ونتائج الفصول.',
    ],
  },
  keep: {
    label: ['Keep as credited', 'الإبقاء على الاحتساب'],
    consequence: ['The course stays credited as it is, with your reason.', 'يبقى المقرر محتسبًا كما هو مع بيان السبب.'],
  },
  notice: 'transfers.notice_credit',
})
