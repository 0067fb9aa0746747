import { ATTEMPTS } from '#areas/common/academics/registration-words.contract.ts'
import { decisionBasis, fact } from '#kit/contract/index.ts'

/** The result of a registration, as it is published. */
export const resultFact = fact({ name: 'result' })
/** The result of a registration, as control has approved it. */
export const approvedFact = fact({ name: 'approved' })
/** Figures of a student as they stand: GPA, hours passed, level. */
export const figuresFact = fact({ name: 'figures' })

/** Which attempt a registration is. */
export const attemptFact = fact({
  name: 'attempt',
  words: Object.fromEntries(ATTEMPTS.map((one) => [one.value, one.label])),
})
export const attemptBasis = decisionBasis({
  kind: 'attempt',
  one: ['Attempt', 'نوع التسجيل'],
  many: ['Attempts', 'أنواع التسجيل'],
  why: ['A result before it has changed.', 'تغيّرت نتيجة سابقة للمقرر.'],
  becomes: 'follows',
  sees: 'access_control',
})

/** Rows of finished terms that are being revised. */
export const termRowBasis = decisionBasis({
  kind: 'term_row',
  one: ['Row of a finished term', 'نتيجة فصل منتهٍ'],
  many: ['Rows of finished terms', 'نتائج فصول منتهية'],
  why: [
    'A result of the term, or of one before it, has changed: it is computed again once control has approved it.',
    'تغيّرت نتيجة في الفصل أو في فصل سابق، ويُعاد حسابها بعد اعتماد الكنترول.',
  ],
  becomes: 'follows',
  sees: 'finish_term',
})

/** Whether a student may graduate, as it was found when the last term was finished. */
export const eligibilityBasis = decisionBasis({
  kind: 'eligibility',
  one: ['Eligibility for graduation', 'أهلية التخرج'],
  many: ['Eligibilities for graduation', 'أهلية التخرج'],
  why: [
    'Requirements, exceptions, credited courses or training have changed since the term was finished. Finish it again.',
    'تغيّرت المتطلبات أو الاستثناءات أو المعادلات أو التدريب بعد إنهاء الفصل. أعد إنهاءه.',
  ],
  becomes: 'waits',
  sees: 'finish_term',
  decides: 'finish_term',
})
