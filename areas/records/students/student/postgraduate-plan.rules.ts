/** So many entered each year. */
export const COHORT = 4

/** Letter, names, percent from and to, points. What passes a bachelor passes no master. */
export const LETTERS = [
  ['A', 'Excellent', 'ممتاز', 90, 100, '4.00'],
  ['A-', 'Excellent', 'ممتاز', 85, 90, '3.70'],
  ['B+', 'Very good', 'جيد جدًا', 80, 85, '3.30'],
  ['B', 'Very good', 'جيد جدًا', 75, 80, '3.00'],
  ['C+', 'Good', 'جيد', 70, 75, '2.70'],
  ['C', 'Good', 'جيد', 65, 70, '2.30'],
  ['F', 'Fail', 'راسب', 0, 65, '0.00'],
] as const
export const CLASSES = [
  ['3.50', '4.00', 'Excellent', 'ممتاز'],
  ['3.00', '3.50', 'Very good', 'جيد جدًا'],
  ['2.30', '3.00', 'Good', 'جيد'],
  ['0.00', '2.30', 'Weak', 'ضعيف'],
] as const
/** Share of each part of the mark: of a course with an exam, and of a thesis. */
export const SCHEMES = [
  ['PGT', 'Postgraduate course', 'مقرر دراسات عليا', { YW: 20, MID: 20, FIN: 60 }],
  ['PGP', 'Seminar and thesis', 'حلقة بحث ورسالة', { YW: 40, ORA: 20, FIN: 40 }],
] as const

export interface PlannedStep {
  readonly semester: number
  readonly code: string
  readonly name: string
  readonly name_local: string
  readonly hours: number
  readonly needs?: string
  readonly elective?: true
  /** Seminars and the thesis. */
  readonly research?: true
}
/** Two semesters of courses, one of electives and a seminar, then the thesis: 37.5 hours. */
export const PLAN: readonly PlannedStep[] = [
  { semester: 1, code: 'CSC701', name: 'Advanced Algorithms', name_local: 'خوارزميات متقدمة', hours: 3 },
  {
    semester: 1,
    code: 'CSC702',
    name: 'Research Methods in Computing',
    name_local: 'مناهج البحث في الحوسبة',
    hours: 3,
  },
  { semester: 1, code: 'CSC703', name: 'Advanced Database Systems', name_local: 'نظم قواعد بيانات متقدمة', hours: 3 },
  {
    semester: 2,
    code: 'CSC704',
    name: 'Statistical Machine Learning',
    name_local: 'تعلم الآلة الإحصائي',
    hours: 3,
    needs: 'CSC701',
  },
  { semester: 2, code: 'CSC705', name: 'Distributed Systems Theory', name_local: 'نظرية النظم الموزعة', hours: 3 },
  {
    semester: 2,
    code: 'CSC721',
    name: 'Arabic Language Processing',
    name_local: 'معالجة اللغة العربية',
    hours: 3,
    elective: true,
  },
  {
    semester: 2,
    code: 'CSC723',
    name: 'Computer Vision in Depth',
    name_local: 'موضوعات متعمقة في الرؤية بالحاسب',
    hours: 3,
    elective: true,
  },
  {
    semester: 3,
    code: 'CSC706',
    name: 'Software Architecture and Evolution',
    name_local: 'معمارية البرمجيات وتطورها',
    hours: 3,
  },
  {
    semester: 3,
    code: 'CSC722',
    name: 'Retrieval from Large Collections',
    name_local: 'الاسترجاع من المجموعات الكبيرة',
    hours: 3,
    elective: true,
  },
  {
    semester: 3,
    code: 'CSC724',
    name: 'Privacy and Applied Cryptography',
    name_local: 'الخصوصية والتشفير التطبيقي',
    hours: 3,
    elective: true,
  },
  {
    semester: 3,
    code: 'CSC790',
    name: 'Research Seminar',
    name_local: 'حلقة بحث',
    hours: 1.5,
    needs: 'CSC702',
    research: true,
  },
  {
    semester: 4,
    code: 'CSC798',
    name: 'Master Thesis I',
    name_local: 'رسالة الماجستير 1',
    hours: 6,
    needs: 'CSC790',
    research: true,
  },
  {
    semester: 5,
    code: 'CSC799',
    name: 'Master Thesis II',
    name_local: 'رسالة الماجستير 2',
    hours: 6,
    needs: 'CSC798',
    research: true,
  },
]
/** One elective in each of these semesters. */
export const ELECTIVES = [2, 3]
