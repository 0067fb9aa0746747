/** Permissions of this area. A subject has the eight verbs of a plain resource; a right stands for itself. Data only. */
export const fees = {
  subjects: {
    feeItem: ['Fee items', 'بنود الرسوم'],
    nationalityGroup: ['Nationality groups', 'مجموعات الجنسيات'],
    scholarship: ['Scholarships', 'المنح والخصومات'],
    family: ['Families of students', 'أسر الطلاب'],
  },
  rights: {
    access_payment_setting: ['See payment settings of years', 'الاطلاع على إعدادات الرسوم للأعوام'],
    edit_payment_setting: ['Change payment settings of years', 'تعديل إعدادات الرسوم للأعوام'],
    grant_scholarship: ['Grant and remove scholarships of students', 'منح الطلاب المنح والخصومات وإلغاؤها'],
  },
} as const
