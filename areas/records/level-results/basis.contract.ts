import { decisionBasis } from '#kit/contract/basis.ts'

/** The decided year of a student: it stands on the results of the courses that decided it. */
export const levelBasis = decisionBasis({
  kind: 'level_result',
  one: ['Result of a level', 'نتيجة مستوى'],
  many: ['Results of levels', 'نتائج مستويات'],
  why: ['A result that decided the year is another one now.', 'تغيرت نتيجة مقرر حُسم بها العام.'],
  becomes: 'waits',
  sees: 'access_level_result',
  decides: 'apply_level_result',
  renew: {
    label: ['Decide again', 'حسم النتيجة من جديد'],
    consequence: [
      'The year of this student alone is decided again, on the marks as they are now: grace marks, outcome and level of the next year follow, and the student is told where the result is announced.',
      'يُحسم عام هذا الطالب وحده من جديد على الدرجات الحالية: تتبعه درجات الرأفة والنتيجة ومستوى العام التالي، ويُبلَّغ الطالب إن كانت النتيجة معلنة.',
    ],
  },
  keep: {
    label: ['Keep the result', 'إبقاء النتيجة'],
    consequence: [
      'The result of the level stays as it was decided. The reason is kept with it.',
      'تبقى نتيجة المستوى كما حُسمت، ويُحفظ السبب معها.',
    ],
  },
  refusal: 'level_result_outdated',
})
