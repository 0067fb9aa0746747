import type { Label } from '#kit/contract/index.ts'

/** Words that papers about trainings print. */
export const TRAINING_WORDS = {
  student: ['Student', 'الطالب'],
  code: ['Student code', 'كود الطالب'],
  program: ['Program', 'البرنامج'],
  training: ['Training', 'التدريب'],
  organisation: ['Organisation', 'الجهة'],
  from: ['From', 'من'],
  until: ['Until', 'حتى'],
  weeks: ['Weeks', 'الأسابيع'],
  score: ['Mark of 100', 'الدرجة من 100'],
  issued: ['Issued on', 'تاريخ الإصدار'],
  letter: [
    'We send you this student for the training named here, and ask you to receive him or her, to name who looks after the work, and to tell us afterwards how it was done.',
    'نرسل إليكم الطالب الموضح اسمه للتدريب المبين أدناه، ونرجو التكرم باستقباله وتحديد من يشرف على عمله وموافاتنا بتقييمه بعد انتهاء التدريب.',
  ],
  certificate: [
    'The university certifies that this student has done the training named here, and that it was approved.',
    'تشهد الجامعة بأن الطالب الموضح اسمه قد أتم التدريب المبين أدناه وتم اعتماده.',
  ],
  done: [
    'The university certifies that this student has done the trainings named here, and that they were approved.',
    'تشهد الجامعة بأن الطالب الموضح اسمه قد أتم التدريبات المبينة أدناه وتم اعتمادها.',
  ],
  supervisor: ['Supervisor of trainings', 'مشرف التدريب'],
  dean: ['Dean', 'عميد الكلية'],
  verify: ['Verify this paper by its code', 'تحقق من هذه الوثيقة برمزها'],
} as const satisfies Record<string, Label>
