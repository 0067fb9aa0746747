import { decisionBasis } from '#kit/contract/basis.ts'

/** A scholarship that a rule gave for the GPA or the place: it stands on the results that counted then. */
export const scholarshipBasis = decisionBasis({
  kind: 'scholarship',
  one: ['Scholarship by a rule', 'منحة بقاعدة'],
  many: ['Scholarships by rules', 'منح بقواعد'],
  why: ['A result that counted for it is another one now.', 'تغيرت نتيجة احتُسبت لها.'],
  becomes: 'waits',
  sees: ['access_scholarship', 'grant_scholarship'],
  decides: 'grant_scholarship',
  renew: {
    label: ['Judge again', 'إعادة التقييم'],
    consequence: [
      'The rule is applied to the figures as they are now: who deserves the scholarship keeps it, who does not loses it, and invoices follow.',
      'تُطبق القاعدة على الأرقام الحالية: من يستحق المنحة يحتفظ بها، ومن لا يستحقها يفقدها، وتتبع ذلك الفواتير.',
    ],
  },
  keep: {
    label: ['Keep the scholarship', 'إبقاء المنحة'],
    consequence: [
      'The scholarship stays as it was granted. The reason is kept with it.',
      'تبقى المنحة كما مُنحت، ويُحفظ السبب معها.',
    ],
  },
})
