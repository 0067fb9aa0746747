/** Permissions of this area. A subject has the eight verbs of a plain resource; a right stands for itself. Data only. */
export const collecting = {
  subjects: {
    reminderStep: ['Steps of reminders', 'مراحل التذكير'],
  },
  rights: {
    access_reminder: ['See reminders that were sent', 'الاطلاع على التذكيرات المرسلة', 'own'],
    export_reminder: ['Export reminders and promises', 'تصدير التذكيرات ووعود السداد'],
    send_reminder: ['Send reminders now', 'إرسال التذكيرات الآن'],
    access_promise: ['See promises to pay', 'الاطلاع على وعود السداد', 'own'],
    access_plan: ['See payment plans', 'الاطلاع على خطط السداد', 'own'],
    ask_plan: ['Ask for payment plans', 'طلب خطط السداد', 'own'],
    decide_plan: ['Decide on payment plans', 'البت في خطط السداد'],
    note_promise: ['Note promises to pay', 'تسجيل وعود السداد'],
  },
} as const
