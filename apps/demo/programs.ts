/**
 * Faculties, departments and the five programs of the demo university with their study plans. A plan is eight lines,
 * one per semester; `@POOL` is a place in the plan that one course of the elective pool fills.
 */

export const UNIVERSITY = {
  name: 'Canopus University',
  name_local: 'جامعة كانوب',
  short_name: 'CU',
  city: 'Alexandria',
  city_local: 'الإسكندرية',
  domain: 'canopus.example.edu',
} as const

export const FACULTIES = [
  {
    code: 'FEC',
    name: 'Faculty of Engineering and Computing',
    name_local: 'كلية الهندسة والحوسبة',
    bylaw: 'FEC2023',
  },
  { code: 'FCO', name: 'Faculty of Commerce', name_local: 'كلية التجارة', bylaw: 'FCO2023' },
] as const

export const DEPARTMENTS = [
  { code: 'BAS', faculty: 'FEC', name: 'Basic Sciences', name_local: 'العلوم الأساسية', lecturers: 3, assistants: 2 },
  { code: 'CSC', faculty: 'FEC', name: 'Computer Science', name_local: 'علوم الحاسب', lecturers: 5, assistants: 4 },
  {
    code: 'AID',
    faculty: 'FEC',
    name: 'Artificial Intelligence and Data Science',
    name_local: 'الذكاء الاصطناعي وعلوم البيانات',
    lecturers: 3,
    assistants: 2,
  },
  {
    code: 'CSE',
    faculty: 'FEC',
    name: 'Computer and Systems Engineering',
    name_local: 'هندسة الحاسبات والنظم',
    lecturers: 3,
    assistants: 2,
  },
  { code: 'ACC', faculty: 'FCO', name: 'Accounting', name_local: 'المحاسبة', lecturers: 4, assistants: 2 },
  {
    code: 'BUS',
    faculty: 'FCO',
    name: 'Business Administration',
    name_local: 'إدارة الأعمال',
    lecturers: 4,
    assistants: 2,
  },
  {
    code: 'ECO',
    faculty: 'FCO',
    name: 'Economics and Public Finance',
    name_local: 'الاقتصاد والمالية العامة',
    lecturers: 1,
    assistants: 1,
  },
  {
    code: 'STA',
    faculty: 'FCO',
    name: 'Statistics and Insurance',
    name_local: 'الإحصاء والتأمين',
    lecturers: 1,
    assistants: 1,
  },
  {
    code: 'HUM',
    faculty: 'FCO',
    name: 'Languages and Humanities',
    name_local: 'اللغات والعلوم الإنسانية',
    lecturers: 2,
    assistants: 1,
  },
] as const

export type PoolEntry = {
  code: string
  name: string
  name_local: string
  /** Courses of the pool offered in fall terms (odd semesters), and in spring terms (even semesters). */
  odd: string[]
  even: string[]
}

export type ProgramEntry = {
  code: string
  name: string
  name_local: string
  degree: string
  degree_local: string
  faculty: string
  department: string
  bylaw: string
  program_type: 'credit_hours' | 'term'
  /** Share of all students, the five adding up to 1. */
  share: number
  capacity: number
  min_training_weeks: number
  plan: string[]
  pools: PoolEntry[]
  faculty_requirements: string[]
}

const UNIVERSITY_ELECTIVES: PoolEntry = {
  code: 'UNE',
  name: 'University Electives',
  name_local: 'متطلبات الجامعة الاختيارية',
  odd: ['UNV203', 'UNV204', 'UNV205', 'UNV206'],
  even: [],
}

const COMPUTING_REQUIREMENTS = [
  'MTH101',
  'MTH102',
  'MTH103',
  'MTH104',
  'MTH201',
  'PHY101',
  'CSC101',
  'CSC102',
  'CSE103',
]

const COMMERCE_REQUIREMENTS =
  'ACC101 ACC102 ACC201 ACC202 BUS101 BUS102 BUS103 BUS201 BUS202 BUS203 BUS204 ' +
  'ECO101 ECO102 ECO201 ECO202 STA101 STA102 STA201 STA202'

const COMMERCE_FOUNDATION = [
  'ACC101 BUS101 BUS103 ECO101 STA101 UNV101',
  'ACC102 BUS102 ECO102 STA102 UNV102 UNV103',
  'ACC201 BUS201 BUS203 ECO201 STA201 UNV203',
  'ACC202 BUS202 BUS204 ECO202 STA202 UNV202',
]

export const PROGRAMS: ProgramEntry[] = [
  {
    code: 'CS',
    name: 'Computer Science',
    name_local: 'علوم الحاسب',
    degree: 'Bachelor of Science in Computer Science',
    degree_local: 'بكالوريوس العلوم في علوم الحاسب',
    faculty: 'FEC',
    department: 'CSC',
    bylaw: 'FEC2023',
    program_type: 'credit_hours',
    share: 0.23,
    capacity: 120,
    min_training_weeks: 8,
    plan: [
      'CSC101 MTH101 MTH103 PHY101 UNV101 UNV103',
      'CSC102 CSE103 MTH102 MTH104 UNV102 UNV104',
      'CSC201 CSC202 CSC203 CSE203 MTH201 UNV201',
      'AID201 CSC204 CSC301 CSC308 MTH203 UNV202',
      'AID301 CSC302 CSC303 CSC304 CSC305 @UNE',
      'AID305 CSC306 CSC307 CSC402 MTH301 @CSX',
      'CSC401 CSC406 CSC491 UNV301 @CSX @CSX',
      'CSC403 CSC404 CSC492 UNV302 @CSX @CSX',
    ],
    pools: [
      UNIVERSITY_ELECTIVES,
      {
        code: 'CSX',
        name: 'Computer Science Electives',
        name_local: 'مقررات علوم الحاسب الاختيارية',
        odd: ['CSC405', 'CSC407', 'CSC409', 'AID402', 'CSE403'],
        even: ['CSC205', 'CSC408', 'AID403', 'AID404', 'CSE406'],
      },
    ],
    faculty_requirements: COMPUTING_REQUIREMENTS,
  },
  {
    code: 'AI',
    name: 'Artificial Intelligence and Data Science',
    name_local: 'الذكاء الاصطناعي وعلوم البيانات',
    degree: 'Bachelor of Science in Artificial Intelligence',
    degree_local: 'بكالوريوس العلوم في الذكاء الاصطناعي',
    faculty: 'FEC',
    department: 'AID',
    bylaw: 'FEC2023',
    program_type: 'credit_hours',
    share: 0.22,
    capacity: 110,
    min_training_weeks: 8,
    plan: [
      'CSC101 MTH101 MTH103 PHY101 UNV101 UNV103',
      'CSC102 CSE103 MTH102 MTH104 UNV102 UNV104',
      'AID203 CSC201 CSC202 CSC203 MTH201 UNV201',
      'AID201 AID202 AID304 CSC301 MTH203 UNV202',
      'AID301 AID302 AID306 CSC302 CSC305 @UNE',
      'AID303 AID305 AID401 AID403 MTH301 @AIX',
      'AID402 AID404 AID491 UNV301 @AIX @AIX',
      'AID405 AID408 AID492 UNV302 @AIX @AIX',
    ],
    pools: [
      UNIVERSITY_ELECTIVES,
      {
        code: 'AIX',
        name: 'Artificial Intelligence Electives',
        name_local: 'مقررات الذكاء الاصطناعي الاختيارية',
        odd: ['AID406', 'CSC405', 'CSC407', 'CSC409', 'CSE403'],
        even: ['AID407', 'CSC306', 'CSC307', 'CSC402', 'CSC404'],
      },
    ],
    faculty_requirements: COMPUTING_REQUIREMENTS,
  },
  {
    code: 'CE',
    name: 'Computer Engineering',
    name_local: 'هندسة الحاسبات',
    degree: 'Bachelor of Engineering in Computer Engineering',
    degree_local: 'بكالوريوس الهندسة في هندسة الحاسبات',
    faculty: 'FEC',
    department: 'CSE',
    bylaw: 'FEC2023',
    program_type: 'credit_hours',
    share: 0.16,
    capacity: 80,
    min_training_weeks: 10,
    plan: [
      'CSC101 CSE101 MTH101 PHY101 UNV101 UNV103',
      'CSC102 CSE103 MTH102 MTH103 PHY102 UNV102',
      'CSC202 CSE201 CSE203 MTH104 MTH202 UNV104 UNV201',
      'CSC201 CSE202 CSE204 CSE307 MTH201 UNV202',
      'CSC302 CSC305 CSE301 CSE303 MTH203 @UNE',
      'CSC303 CSE302 CSE304 CSE305 CSE306',
      'CSC306 CSE401 CSE403 CSE409 CSE491 UNV301 @CEX',
      'CSE402 CSE408 CSE492 UNV302 @CEX @CEX',
    ],
    pools: [
      UNIVERSITY_ELECTIVES,
      {
        code: 'CEX',
        name: 'Computer Engineering Electives',
        name_local: 'مقررات هندسة الحاسبات الاختيارية',
        odd: ['CSE404', 'CSE405', 'CSE407'],
        even: ['AID403', 'CSC402', 'CSC404', 'CSE406'],
      },
    ],
    faculty_requirements: COMPUTING_REQUIREMENTS,
  },
  {
    code: 'ACC',
    name: 'Accounting',
    name_local: 'المحاسبة',
    degree: 'Bachelor of Commerce in Accounting',
    degree_local: 'بكالوريوس التجارة في المحاسبة',
    faculty: 'FCO',
    department: 'ACC',
    bylaw: 'FCO2023',
    program_type: 'term',
    share: 0.21,
    capacity: 110,
    min_training_weeks: 4,
    plan: [
      ...COMMERCE_FOUNDATION,
      'ACC301 ACC303 ACC305 ACC307 BUS301 @ACX',
      'ACC302 ACC304 ACC306 ACC308 ECO302 @ACX',
      'ACC401 ACC403 ACC405 ACC407 UNV301 @ACX',
      'ACC402 ACC404 ACC406 ACC408 ACC492 BUS402',
    ],
    pools: [
      {
        code: 'ACX',
        name: 'Accounting Electives',
        name_local: 'مقررات المحاسبة الاختيارية',
        odd: ['ACC311', 'ACC312', 'ACC313', 'ACC409', 'ACC410', 'ACC411'],
        even: ['ACC314', 'STA301', 'BUS312'],
      },
    ],
    faculty_requirements: COMMERCE_REQUIREMENTS.split(' '),
  },
  {
    code: 'BUS',
    name: 'Business Administration',
    name_local: 'إدارة الأعمال',
    degree: 'Bachelor of Commerce in Business Administration',
    degree_local: 'بكالوريوس التجارة في إدارة الأعمال',
    faculty: 'FCO',
    department: 'BUS',
    bylaw: 'FCO2023',
    program_type: 'term',
    share: 0.18,
    capacity: 90,
    min_training_weeks: 4,
    plan: [
      ...COMMERCE_FOUNDATION,
      'BUS301 BUS303 BUS305 BUS307 STA301 @BUX',
      'BUS302 BUS304 BUS306 BUS308 ECO302 @BUX',
      'BUS401 BUS403 BUS404 BUS407 UNV301 @BUX',
      'BUS402 BUS405 BUS406 BUS408 BUS492 UNV302',
    ],
    pools: [
      {
        code: 'BUX',
        name: 'Business Administration Electives',
        name_local: 'مقررات إدارة الأعمال الاختيارية',
        odd: ['BUS311', 'BUS312', 'BUS410', 'BUS411', 'BUS412'],
        even: ['BUS313', 'BUS314'],
      },
    ],
    faculty_requirements: COMMERCE_REQUIREMENTS.split(' '),
  },
]
