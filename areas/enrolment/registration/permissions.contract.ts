/** Permissions of this area. A subject has the eight verbs of a plain resource, e.g. `edit_faculty`; a right stands for itself. Data only. */
export const registration = {
  subjects: {
    registration: ['Registrations', 'التسجيلات', 'own', 'taught', 'advised'],
    windowException: ['Window exceptions', 'استثناءات المراحل'],
  },
  rights: {
    access_my_advising: ['Open own advised students', 'فتح طلاب الإرشاد', 'only own'],
    access_advising: ['Open advising', 'فتح الإرشاد الأكاديمي', 'advised'],
    edit_advising: ['Assign academic advisors', 'توزيع المرشدين الأكاديميين'],
    request_registration: ['Request registration for a student', 'طلب تسجيل لطالب', 'advised'],
    accept_registration: ['Accept or reject requests', 'قبول أو رفض الطلبات', 'advised'],
    withdraw_registration: ['Withdraw a student from a course', 'سحب طالب من مقرر', 'advised'],
    undo_registration: ['Return a registration to registered', 'إعادة التسجيل إلى مسجل'],
    update_registration_status: ['Set the status of a registration', 'ضبط حالة التسجيل'],
    enroll_students: ['Enrol many students', 'تسجيل مجموعة طلاب'],
    exempt_students: ['Exempt students', 'إعفاء طلاب'],
    override_registration_rule: ['Override a registration rule', 'تجاوز قاعدة تسجيل', 'advised'],
    use_over_quota: ['Use places above the quota', 'استخدام الأماكن الإضافية'],
  },
} as const
