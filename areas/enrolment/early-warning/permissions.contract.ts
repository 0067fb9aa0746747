/** Permissions of this area. A lookup has the eight verbs of a plain resource; a right stands for itself. Data only. */
export const earlyWarning = {
  lookups: {
    riskRule: ['Rules of early warning', 'قواعد الإنذار المبكر'],
  },
  rights: {
    access_early_warning: ['See whose term stands out, and why', 'عرض الطلاب المحتاجين إلى متابعة وأسبابها', 'advised'],
    note_early_warning: ['Note contacts with students', 'تسجيل التواصل مع الطلاب', 'advised'],
    manage_early_warning: ['Count risks and fit models', 'حساب المخاطر وبناء النماذج'],
  },
} as const
