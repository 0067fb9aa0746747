/**
 * The catalogue of permissions. Keys of the documents are used verbatim, misspelt ones included; new ones follow
 * `verb_subject`. A call or a screen can only name a key that stands here: anything else does not compile.
 */
type Label = readonly [en: string, ar: string]

/** Verbs of a plain resource and how they are called in the matrix of rights. */
export const VERBS = {
  access: ['List', 'عرض القائمة'],
  show: ['Open', 'فتح السجل'],
  add: ['Add', 'إضافة'],
  edit: ['Change', 'تعديل'],
  remove: ['Remove', 'حذف'],
  restore: ['Restore', 'استعادة'],
  export: ['Export', 'تصدير'],
  import: ['Import', 'استيراد'],
} as const satisfies Record<string, Label>
export type CrudVerb = keyof typeof VERBS

/** Plain resources: each has the eight verbs above, e.g. `edit_faculty`. */
export const SUBJECTS = {
  faculty: { area: 'catalogue', label: ['Faculties', 'الكليات'] },
  department: { area: 'catalogue', label: ['Departments', 'الأقسام'] },
  course: { area: 'catalogue', label: ['Courses', 'المقررات'] },
  program: { area: 'catalogue', label: ['Programs', 'البرامج'] },
  bylaw: { area: 'catalogue', label: ['Bylaws', 'اللوائح'] },
  year: { area: 'terms', label: ['Academic years', 'الأعوام الدراسية'] },
  term: { area: 'terms', label: ['Terms', 'الفصول الدراسية'] },
  stage: { area: 'terms', label: ['Stages', 'المراحل'] },
  stageGroup: { area: 'terms', label: ['Stage groups', 'مجموعات المراحل'] },
  slot: { area: 'scheduling', label: ['Time slots', 'الفترات الزمنية'] },
  building: { area: 'scheduling', label: ['Buildings', 'المباني'] },
  location: { area: 'scheduling', label: ['Locations', 'القاعات'] },
  // `access_student` is the key of student self-service in the documents, so the staff's keys are plural.
  students: { area: 'students', label: ['Students', 'الطلاب'] },
  instructor: { area: 'people', label: ['Instructors', 'أعضاء هيئة التدريس'] },
  employee: { area: 'people', label: ['Employees', 'الموظفون'] },
  offering: { area: 'offerings', label: ['Offerings', 'المقررات المطروحة'] },
  registration: { area: 'registration', label: ['Registrations', 'التسجيلات'] },
  mark: { area: 'grading', label: ['Marks', 'الدرجات'] },
  markCategory: { area: 'grading', label: ['Mark categories', 'بنود الدرجات'] },
} as const satisfies Record<string, { area: string; label: Label }>
export type Subject = keyof typeof SUBJECTS

/** Rights beyond the eight verbs, and those whose key the documents give. */
export const SPECIAL_PERMISSIONS = {
  // Documents
  admin_system: { area: 'settings', label: ['Open the admin dashboard', 'فتح لوحة الإدارة'] },
  access_student: { area: 'students', label: ['Use student self-service', 'استخدام الخدمات الذاتية للطالب'] },
  access_users: { area: 'people', label: ['List users', 'عرض المستخدمين'] },
  user_access_users: { area: 'people', label: ['Set the access of a user', 'ضبط صلاحيات مستخدم'] },
  reset_password: {
    area: 'people',
    label: ['Send a person a link for a new password', 'إرسال رابط كلمة مرور جديدة لمستخدم'],
  },
  end_sessions: { area: 'people', label: ['Sign a person out everywhere', 'تسجيل خروج مستخدم من كل الأجهزة'] },
  login_as_user: { area: 'people', label: ['Log in as another user', 'الدخول كمستخدم آخر'] },
  login_as_student: { area: 'people', label: ['Log in as a student', 'الدخول كطالب'] },
  change_as_other: {
    area: 'people',
    label: ['Change data while logged in as another person', 'تعديل البيانات أثناء الدخول كشخص آخر'],
  },
  access_reports: { area: 'reports', label: ['Open reports', 'فتح التقارير'] },
  accessScheduleSettings_administration: {
    area: 'scheduling',
    label: ['Open schedule settings', 'فتح إعدادات الجداول'],
  },
  // Catalogue
  edit_bylaw_settings: { area: 'catalogue', label: ['Change settings of a bylaw', 'تعديل إعدادات اللائحة'] },
  edit_study_plan: { area: 'catalogue', label: ['Change study plans', 'تعديل الخطط الدراسية'] },
  // Terms and time
  set_current_terms: { area: 'terms', label: ['Choose the current terms', 'تحديد الفصول الحالية'] },
  change_ramadan_time: { area: 'scheduling', label: ['Switch Ramadan time', 'تبديل توقيت رمضان'] },
  // Students
  edit_student_notes: { area: 'students', label: ['Write notes about a student', 'كتابة ملاحظات عن طالب'] },
  show_student_private: {
    area: 'students',
    label: [
      'See private data of a student: identity, family, school, contact',
      'عرض البيانات الخاصة للطالب: الهوية والأسرة والمؤهل والاتصال',
    ],
  },
  block_student: { area: 'students', label: ['Block a student', 'إيقاف طالب'] },
  show_student_record: {
    area: 'students',
    label: ['See the academic record of a student', 'عرض السجل الأكاديمي لطالب'],
  },
  print_transcript: { area: 'students', label: ['Print a transcript', 'طباعة بيان الدرجات'] },
  // Offerings
  edit_offering_team: { area: 'offerings', label: ['Change instructors of an offering', 'تعديل فريق تدريس المقرر'] },
  edit_offering_slots: {
    area: 'offerings',
    label: ['Change groups and meetings of an offering', 'تعديل مجموعات ومواعيد المقرر'],
  },
  link_offerings: { area: 'offerings', label: ['Link offerings', 'ربط المقررات المطروحة'] },
  access_my_offerings: { area: 'offerings', label: ['Open own offerings', 'فتح مقرراتي التدريسية'] },
  // Registration and advising
  access_my_advising: { area: 'registration', label: ['Open own advised students', 'فتح طلاب الإرشاد'] },
  access_advising: { area: 'registration', label: ['Open advising', 'فتح الإرشاد الأكاديمي'] },
  edit_advising: { area: 'registration', label: ['Assign academic advisors', 'توزيع المرشدين الأكاديميين'] },
  request_registration: { area: 'registration', label: ['Request registration for a student', 'طلب تسجيل لطالب'] },
  accept_registration: { area: 'registration', label: ['Accept or reject requests', 'قبول أو رفض الطلبات'] },
  withdraw_registration: { area: 'registration', label: ['Withdraw a student from a course', 'سحب طالب من مقرر'] },
  undo_registration: { area: 'registration', label: ['Return a registration to registered', 'إعادة التسجيل إلى مسجل'] },
  update_registration_status: { area: 'registration', label: ['Set the status of a registration', 'ضبط حالة التسجيل'] },
  enroll_students: { area: 'registration', label: ['Enrol many students', 'تسجيل مجموعة طلاب'] },
  exempt_students: { area: 'registration', label: ['Exempt students', 'إعفاء طلاب'] },
  override_registration_rule: { area: 'registration', label: ['Override a registration rule', 'تجاوز قاعدة تسجيل'] },
  use_over_quota: { area: 'registration', label: ['Use places above the quota', 'استخدام الأماكن الإضافية'] },
  // Marks and control
  enter_marks: { area: 'grading', label: ['Enter marks', 'إدخال الدرجات'] },
  import_grades: { area: 'grading', label: ['Import marks', 'استيراد الدرجات'] },
  export_grades: { area: 'grading', label: ['Export marks', 'تصدير الدرجات'] },
  submit_control: { area: 'grading', label: ['Submit marks', 'تسليم الدرجات'] },
  access_control: { area: 'grading', label: ['Open control', 'فتح الكنترول'] },
  review_control: { area: 'grading', label: ['Review marks', 'مراجعة الدرجات'] },
  approve_control: { area: 'grading', label: ['Approve marks', 'اعتماد الدرجات'] },
  publish_control: { area: 'grading', label: ['Publish marks', 'إعلان الدرجات'] },
  freeze_control: { area: 'grading', label: ['Freeze marks', 'تجميد الدرجات'] },
  undo_control: { area: 'grading', label: ['Take a control step back', 'الرجوع خطوة في الكنترول'] },
  unfreeze_control: { area: 'grading', label: ['Unfreeze marks', 'إلغاء تجميد الدرجات'] },
  finish_term: { area: 'grading', label: ['Finish a term', 'إنهاء فصل دراسي'] },
  edit_term_grades: { area: 'grading', label: ['Change marks of one student', 'تعديل درجات طالب'] },
  // Timetables
  access_schedule: { area: 'scheduling', label: ['See timetables', 'عرض الجداول'] },
  show_my_schedule: { area: 'scheduling', label: ['See own timetable', 'عرض جدولي'] },
  // Administration
  import_oneroster: {
    area: 'settings',
    label: ['Import a university from OneRoster files', 'استيراد جامعة من ملفات OneRoster'],
  },
  access_logs: { area: 'settings', label: ['Read the log of changes', 'قراءة سجل التغييرات'] },
  access_security_log: { area: 'settings', label: ['Read the security log', 'قراءة سجل الأمان'] },
  edit_university: { area: 'settings', label: ['Change settings of the university', 'تعديل إعدادات الجامعة'] },
  access_management: { area: 'settings', label: ['Open management', 'فتح الإدارة'] },
  assign_super_admin: { area: 'settings', label: ['Assign the super admin role', 'تعيين دور المدير الأعلى'] },
} as const satisfies Record<string, { area: string; label: Label }>

export type PermissionKey = `${CrudVerb}_${Subject}` | keyof typeof SPECIAL_PERMISSIONS

/** Every key of the catalogue. */
export const PERMISSION_KEYS: readonly PermissionKey[] = [
  ...(Object.keys(SUBJECTS) as Subject[]).flatMap((s) =>
    (Object.keys(VERBS) as CrudVerb[]).map((v) => `${v}_${s}` as PermissionKey),
  ),
  ...(Object.keys(SPECIAL_PERMISSIONS) as PermissionKey[]),
]

export { crud } from './crud.contract.ts'
