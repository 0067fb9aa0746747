/** Permissions of this area. A subject has the eight verbs of a plain resource; a right stands for itself. Data only. */
export const theses = {
  subjects: {
    // `supervised`: of somebody on the team. `own`: of the student.
    thesis: ['Theses', 'الرسائل العلمية', 'own', 'supervised'],
    // `own`: those that the supervisor offers.
    thesisSubject: ['Subjects of theses', 'موضوعات الرسائل', 'own'],
    thesisRule: ['Rules of theses', 'قواعد الرسائل'],
  },
  lookups: {
    externalExaminer: ['External examiners', 'الممتحنون الخارجيون'],
  },
  rights: {
    register_thesis: ['Register a thesis, ask for its change', 'تسجيل رسالة وطلب تعديلها', 'own', 'supervised'],
    supervise_thesis: ['Report on theses and confirm changes', 'تقارير الإشراف واعتماد التصويبات', 'supervised'],
    write_thesis: ['Hand in manuscripts and proofs', 'تقديم مخطوط الرسالة والإثباتات', 'own'],
    approve_thesis: ['Record decisions on theses', 'تسجيل قرارات المجالس بشأن الرسائل'],
    discuss_thesis: ['Schedule and record discussions', 'جدولة المناقشات وتسجيل نتائجها'],
    deposit_thesis: ['Deposit theses and withdraw them', 'إيداع الرسائل وسحبها'],
    wish_thesis: ['Wish for a subject', 'اختيار موضوع رسالة', 'only own'],
  },
} as const
