/** Permissions of this area. A subject has the eight verbs of a plain resource, e.g. `edit_faculty`; a right stands for itself. Data only. */
export const settings = {
  lookups: {
    school: ['Schools', 'المدارس'],
    otherUniversity: ['Universities', 'الجامعات'],
    universityFaculty: ['Faculties of other universities', 'كليات الجامعات الأخرى'],
  },
  subjects: { hijri_month: ['Corrected Hijri months', 'تصحيحات الشهور الهجرية', 'university'] },
  rights: {
    admin_system: ['Open the admin dashboard', 'فتح لوحة الإدارة'],
    access_logs: ['Read the log of changes', 'قراءة سجل التغييرات'],
    access_security_log: ['Read the security log', 'قراءة سجل الأمان', 'university'],
    edit_university: ['Change settings of the university', 'تعديل إعدادات الجامعة', 'university'],
    edit_enrollment_setting: ['Change settings of certificates of enrolment', 'تعديل إعدادات شهادات القيد'],
    edit_graduation_certificate_setting: ['Change settings of graduation certificates', 'تعديل إعدادات شهادات التخرج'],
    work_in_maintenance: [
      'Work while the system is closed for maintenance',
      'العمل أثناء إغلاق النظام للصيانة',
      'university',
    ],
    access_deployment: ['See the state of the installation and try it', 'عرض حالة تشغيل النظام وتجربتها', 'university'],
    access_development: ['Open the page for developers', 'فتح صفحة المطورين', 'university'],
    edit_retention: ['Set how long data is kept', 'تحديد مدد الاحتفاظ بالبيانات', 'university'],
    access_management: ['Open management', 'فتح الإدارة'],
  },
} as const
