/** Groups of the menu, in order: what they are called, and the Tabler icon (without prefix) that stands before them. */
export const MENU_GROUPS = {
  home: { label: ['Home', 'الرئيسية'], icon: 'home' },
  my: { label: ['My studies', 'دراستي'], icon: 'books' },
  money: { label: ['My money', 'أموالي'], icon: 'wallet' },
  teaching: { label: ['Teaching', 'التدريس'], icon: 'chalkboard' },
  people: { label: ['Students and staff', 'الطلاب والعاملون'], icon: 'users' },
  study: { label: ['Study', 'الدراسة'], icon: 'book-2' },
  control: { label: ['Control', 'الكنترول'], icon: 'clipboard-check' },
  exams: { label: ['Exams', 'الامتحانات'], icon: 'writing' },
  finance: { label: ['Finance', 'المالية'], icon: 'receipt-2' },
  admission: { label: ['Admission', 'القبول'], icon: 'user-plus' },
  services: { label: ['Services', 'الخدمات'], icon: 'lifebuoy' },
  quality: { label: ['Quality', 'الجودة'], icon: 'rosette-discount-check' },
  research: { label: ['Research', 'البحث العلمي'], icon: 'flask' },
  communication: { label: ['Communication', 'التواصل'], icon: 'messages' },
  catalogue: { label: ['Academic settings', 'الإعدادات الأكاديمية'], icon: 'school' },
  settings: { label: ['Administration', 'الإدارة'], icon: 'settings' },
} as const satisfies Readonly<Record<string, { label: readonly [en: string, ar: string]; icon: string }>>
export type MenuGroup = keyof typeof MENU_GROUPS

/** Headed blocks of groups that are long, in order. */
export const MENU_BLOCKS = {
  desk: ['Desk', 'الشباك'],
  invoices: ['Invoices and students', 'الفواتير والطلاب'],
  bank: ['Bank', 'البنك'],
  books: ['Books and reports', 'الدفاتر والتقارير'],
  students: ['Students', 'الطلاب'],
  staff: ['Staff', 'العاملون'],
  offering: ['Offerings and registration', 'الطرح والتسجيل'],
  teaching: ['Timetables and attendance', 'الجداول والحضور'],
} as const satisfies Readonly<Record<string, readonly [en: string, ar: string]>>
export type MenuBlock = keyof typeof MENU_BLOCKS

/** Screens that are one work: one entry of the menu, with a tab above each of them for each of them. */
export const MENU_SUBJECTS = {
  admission: ['Admission', 'القبول'],
  certificates: ['Certificates', 'الشهادات'],
  collecting: ['Collecting', 'تحصيل المستحقات'],
  scholarships: ['Scholarships', 'المنح'],
  transactions: ['Transactions', 'المعاملات المالية'],
  wallets: ['Wallets and deposits', 'المحافظ والتأمينات'],
  imported_payments: ['Imported payments', 'المدفوعات المستوردة'],
  people: ['People', 'الأفراد'],
  documents: ['Documents handed in', 'المستندات المقدمة'],
  transfers: ['Transfers', 'التحويلات'],
  specialization: ['Specialisation', 'التشعيب'],
  advising: ['Advising', 'الإرشاد الأكاديمي'],
  timetables: ['Timetables', 'الجداول الدراسية'],
  mark_requests: ['Requests about marks', 'طلبات الدرجات'],
  tickets: ['Tickets', 'التذاكر'],
  rights: ['Roles and rights', 'الأدوار والصلاحيات'],
  hotels: ['Housing', 'السكن'],
  trainings: ['Trainings', 'التدريب الميداني'],
  internship: ['Internship year', 'سنة الامتياز'],
  reports: ['Financial reports', 'التقارير المالية'],
  questionnaires: ['Questionnaires', 'الاستبيانات'],
  theses: ['Theses', 'الرسائل العلمية'],
  publications: ['Publications and projects', 'المنشورات والمشروعات البحثية'],
  specifications: ['Specifications and course files', 'التوصيفات وملفات المقررات'],
} as const satisfies Readonly<Record<string, readonly [en: string, ar: string]>>
export type MenuSubject = keyof typeof MENU_SUBJECTS

/** What a subject is called to users of a type (3: students), who see their own there. */
export const MENU_SUBJECTS_OF_TYPE = {
  3: { transfers: ['My transfers', 'تحويلاتي'] },
} as const satisfies Readonly<Record<number, Partial<Readonly<Record<MenuSubject, readonly [en: string, ar: string]>>>>>
