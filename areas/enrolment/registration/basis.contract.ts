import { decisionBasis } from '#kit/contract/index.ts'

/** A registration that runs though its prerequisite is passed no more. */
export const prerequisiteBasis = decisionBasis({
  kind: 'prerequisite',
  one: ['Registration without its prerequisite', 'تسجيل فقد متطلبه السابق'],
  many: ['Registrations without their prerequisite', 'تسجيلات فقدت متطلباتها السابقة'],
  why: ['The course runs, and what it asks for is not passed any more.', 'المقرر جارٍ، ولم يعد متطلبه السابق مجتازًا.'],
  becomes: 'waits',
  sees: ['access_registration', 'access_student', 'access_advising'],
  decides: 'override_registration_rule',
  renew: {
    label: ['Take out of the course', 'إخراج من المقرر'],
    consequence: ['The registration is taken back and its seats are free again.', 'يُسحب التسجيل وتعود مقاعده شاغرة.'],
  },
  keep: {
    label: ['Leave in the course', 'الإبقاء في المقرر'],
    consequence: [
      'The prerequisite is set aside for this registration, with your reason.',
      'يُتجاوز المتطلب السابق لهذا التسجيل مع بيان السبب.',
    ],
  },
  notice: 'registration.notice_prerequisite',
})
