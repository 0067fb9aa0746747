import { decisionBasis } from '#kit/contract/basis.ts'

/** A transcript or certificate that was issued: it stands on the results, or figures, that are printed on it. */
export const paperBasis = decisionBasis({
  kind: 'paper_student',
  one: ['Issued paper', 'وثيقة صادرة'],
  many: ['Issued papers', 'وثائق صادرة'],
  why: ['A result that is printed on it is another one now.', 'تغيرت نتيجة مطبوعة فيها.'],
  becomes: 'waits',
  sees: ['show_student_record', 'revoke_paper'],
  decides: 'revoke_paper',
  keep: {
    label: ['Keep it valid', 'إبقاؤها سارية'],
    consequence: [
      'The paper stays valid as it was issued, and is verified as such. To replace it, revoke it among the papers of the student and issue it anew.',
      'تبقى الوثيقة سارية كما صدرت ويُتحقق منها على ذلك. لاستبدالها ألغها من وثائق الطالب وأصدر غيرها.',
    ],
  },
})
