/** Buildings, halls and laboratories, the teaching day, and the stages of a term. */

export const BUILDINGS = [
  { code: 'A', name: 'Administration Building', name_local: 'مبنى الإدارة', faculty: null },
  { code: 'E', name: 'Engineering and Computing Building', name_local: 'مبنى الهندسة والحوسبة', faculty: 'FEC' },
  { code: 'C', name: 'Commerce Building', name_local: 'مبنى التجارة', faculty: 'FCO' },
  { code: 'L', name: 'Central Laboratories', name_local: 'المعامل المركزية', faculty: null },
] as const

export type LocationType = 'hall' | 'room' | 'lab' | 'clinic'

type LocationEntry = {
  building: string
  floor: number
  code: string
  name: string
  name_local: string
  location_type: LocationType
  capacity: number
}

const rooms = (
  building: string,
  floor: number,
  location_type: LocationType,
  capacity: number,
  name: string,
  name_local: string,
  numbers: number[],
): LocationEntry[] =>
  numbers.map((number) => ({
    building,
    floor,
    code: `${building}${number}`,
    name: `${name} ${building}${number}`,
    // Codes of rooms stand on the doors in digits, so the Arabic name carries the number alone.
    name_local: `${name_local} ${number}`,
    location_type,
    capacity,
  }))

export const LOCATIONS: LocationEntry[] = [
  ...rooms('E', 0, 'hall', 180, 'Lecture Hall', 'مدرج الهندسة', [1, 2]),
  ...rooms('E', 1, 'hall', 120, 'Lecture Hall', 'مدرج الهندسة', [101, 102]),
  ...rooms('E', 2, 'room', 50, 'Classroom', 'قاعة الهندسة', [201, 202, 203, 204]),
  ...rooms('C', 0, 'hall', 250, 'Lecture Hall', 'مدرج التجارة', [1]),
  ...rooms('C', 1, 'hall', 120, 'Lecture Hall', 'مدرج التجارة', [101, 102]),
  ...rooms('C', 2, 'room', 50, 'Classroom', 'قاعة التجارة', [201, 202, 203, 204]),
  ...rooms('C', 3, 'clinic', 40, 'Consulting Clinic', 'عيادة التجارة', [301, 302]),
  ...rooms('L', 0, 'lab', 45, 'Electronics and Physics Laboratory', 'معمل الإلكترونيات والفيزياء', [1, 2, 3]),
  ...rooms('L', 1, 'lab', 45, 'Computer Laboratory', 'معمل الحاسب', [101, 102, 103, 104]),
  ...rooms('L', 2, 'lab', 45, 'Computer Laboratory', 'معمل الحاسب', [201, 202, 203]),
  ...rooms('A', 1, 'room', 30, 'Meeting Room', 'قاعة اجتماعات', [101]),
]

/** The teaching day in periods of ninety minutes; sixty in Ramadan. */
export const TIME_SLOTS = [
  {
    code: 'P1',
    name: 'Period 1',
    name_local: 'الفترة الأولى',
    start: '08:30',
    end: '10:00',
    ramadan: ['09:30', '10:30'],
  },
  {
    code: 'P2',
    name: 'Period 2',
    name_local: 'الفترة الثانية',
    start: '10:15',
    end: '11:45',
    ramadan: ['10:40', '11:40'],
  },
  {
    code: 'P3',
    name: 'Period 3',
    name_local: 'الفترة الثالثة',
    start: '12:00',
    end: '13:30',
    ramadan: ['11:50', '12:50'],
  },
  {
    code: 'P4',
    name: 'Period 4',
    name_local: 'الفترة الرابعة',
    start: '13:45',
    end: '15:15',
    ramadan: ['13:00', '14:00'],
  },
  {
    code: 'P5',
    name: 'Period 5',
    name_local: 'الفترة الخامسة',
    start: '15:30',
    end: '17:00',
    ramadan: ['14:10', '15:10'],
  },
  {
    code: 'P6',
    name: 'Period 6',
    name_local: 'الفترة السادسة',
    start: '17:15',
    end: '18:45',
    ramadan: ['15:20', '16:20'],
  },
] as const

/** Teaching days, 0 is Saturday: Saturday to Thursday. */
export const TEACHING_DAYS = [0, 1, 2, 3, 4, 5] as const

/** Windows of a term. For the current term, days from the load date; for finished ones, days from the term's start. */
export const STAGE_CODES = [
  { code: 'register', name: 'Registration', name_local: 'التسجيل', current: [-7, 21], finished: [-14, 6] },
  { code: 'add_drop', name: 'Add and drop', name_local: 'الحذف والإضافة', current: [-5, 28], finished: [0, 13] },
  { code: 'withdraw', name: 'Withdrawal', name_local: 'الانسحاب', current: [-3, 60], finished: [14, 77] },
  { code: 'excuse', name: 'Excuses', name_local: 'الاعتذارات', current: [-3, 75], finished: [14, 90] },
  { code: 'questionnaire', name: 'Questionnaires', name_local: 'الاستبيانات', current: [0, 85], finished: [70, 95] },
  { code: 'exam', name: 'Final exams', name_local: 'الامتحانات النهائية', current: [86, 104], finished: [96, 112] },
  { code: 'grade_entry', name: 'Grade entry', name_local: 'رصد الدرجات', current: [30, 112], finished: [30, 118] },
  { code: 'control', name: 'Control', name_local: 'الكنترول', current: [86, 120], finished: [96, 124] },
  { code: 'results', name: 'Results', name_local: 'إعلان النتائج', current: [115, 150], finished: [118, 160] },
  { code: 'recheck', name: 'Grade rechecks', name_local: 'التظلمات', current: [116, 130], finished: [119, 133] },
] as const
