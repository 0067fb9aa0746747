/** Permissions of this area. A subject has the eight verbs of a plain resource, e.g. `edit_faculty`; a right stands for itself. Data only. */
export const grading = {
  subjects: {
    mark: ['Marks', 'الدرجات'],
    markCategory: ['Mark categories', 'بنود الدرجات'],
  },
  rights: {
    enter_marks: ['Enter marks', 'إدخال الدرجات'],
    import_grades: ['Import marks', 'استيراد الدرجات'],
    export_grades: ['Export marks', 'تصدير الدرجات'],
    submit_control: ['Submit marks', 'تسليم الدرجات'],
    access_control: ['Open control', 'فتح الكنترول'],
    review_control: ['Review marks', 'مراجعة الدرجات'],
    approve_control: ['Approve marks', 'اعتماد الدرجات'],
    publish_control: ['Publish marks', 'إعلان الدرجات'],
    freeze_control: ['Freeze marks', 'تجميد الدرجات'],
    undo_control: ['Take a control step back', 'الرجوع خطوة في الكنترول'],
    unfreeze_control: ['Unfreeze marks', 'إلغاء تجميد الدرجات'],
    finish_term: ['Finish a term', 'إنهاء فصل دراسي'],
    edit_term_grades: ['Change marks of one student', 'تعديل درجات طالب'],
  },
} as const
