/** Permissions of this area. A subject has the eight verbs of a plain resource; a right stands for itself. Data only. */
export const logbook = {
  subjects: {
    logbookType: ['Procedures and cases of logbooks', 'مهارات السجل وحالاته'],
    dutyKind: ['Kinds of duty', 'أنواع النوبتجيات'],
  },
  rights: {
    // `own`: the own logbook. `supervised`: of those who are in a training while the instructor supervises it.
    access_logbook: ['See logbooks of interns', 'عرض سجلات أطباء الامتياز', 'own', 'supervised'],
    export_logbook: ['Export logbooks of interns', 'تصدير سجلات أطباء الامتياز', 'own', 'supervised'],
    write_logbook: ['Write the own logbook', 'تسجيل المهارات في السجل الخاص', 'only own'],
    confirm_logbook: ['Confirm what stands in logbooks', 'تأكيد قيود سجلات المهارات', 'supervised'],
    access_roster: ['See duty rosters', 'عرض جداول النوبتجيات', 'own', 'supervised'],
    plan_roster: ['Draw and publish duty rosters', 'إعداد جداول النوبتجيات ونشرها', 'supervised'],
    wish_duty: ['See the own duties and wish for free days', 'عرض النوبتجيات الخاصة وطلب أيام راحة', 'only own'],
    ask_dutySwap: ['Ask others to swap duties', 'طلب تبديل النوبتجيات', 'only own'],
    agree_dutySwap: ['Agree to swap duties', 'الموافقة على تبديل النوبتجيات', 'only own'],
    approve_dutySwap: ['Approve swaps of duties', 'اعتماد تبديل النوبتجيات', 'supervised'],
  },
} as const
