/**
 * The two bylaws: one by credit hours, one by term marks. Points and GPA limits are decimals written as
 * text; a range includes its lower limit and excludes its upper one, but for the highest.
 */

export type GradeRange = {
  letter: string
  name: string
  name_local: string
  /** Percent, `from` included, `to` excluded (100 included): the ranges tile 0 to 100. */
  from_percent: string
  to_percent: string
  points: string
  success: boolean
}

export type SpecialGrade = {
  letter: string
  name: string
  name_local: string
  /** The main status flag that gives this grade. */
  status: 'Absent' | 'Banned' | 'Punished' | 'Withdrawn' | 'ForcedWithdrawn' | 'Excused' | 'Incomplete'
  points: string
  counts_in_gpa: boolean
  counts_in_attempted_hours: boolean
}

export type GpaRange = { from_gpa: string; to_gpa: string; name: string; name_local: string }

export type LoadRange = {
  from_gpa: string
  to_gpa: string
  max_ch_value: number
  max_summer_ch_value: number
  max_courses: number
}

export type BylawEntry = {
  code: string
  name: string
  name_local: string
  program_type: 'credit_hours' | 'term'
  /** Passed hours that open each level. */
  levels: { level: number; name: string; name_local: string; passed_hours: number }[]
  grade_ranges: GradeRange[]
  special_grades: SpecialGrade[]
  gpa_ranges: GpaRange[]
  load_ranges: LoadRange[]
  warning_type: 'term' | 'cumulative'
  warning_count: 'consecutive' | 'total'
  warning_gpa: string
  /** 0 switches warnings off. */
  max_warnings: number
  /** Percent of the final exam under which the course is failed whatever the total. */
  min_percentage_final_exam: string
  /** Places the total is rounded to, half away from zero. */
  total_places: number
  repeat_rule: 'last' | 'best' | 'average'
  /** Highest points a repeated course can earn. */
  repeat_max_points: string
  max_improvements: number
  improve_letters: string[]
  graduation_hours: number
  graduation_gpa: string
  min_training_weeks: number
  start_year: number
  in_admission: boolean
  /** From which control status on a student sees each part of a result. */
  grades_visibility: Record<'marks' | 'letter' | 'points' | 'gpa', 'Approved' | 'Published' | 'Frozen' | null>
}

const grade = (
  letter: string,
  name: string,
  name_local: string,
  from: number,
  to: number,
  points: string,
): GradeRange => ({
  letter,
  name,
  name_local,
  from_percent: `${from}`,
  to_percent: `${to}`,
  points,
  success: Number(points) > 0,
})

const special = (
  letter: string,
  name: string,
  name_local: string,
  status: SpecialGrade['status'],
  counts: boolean,
): SpecialGrade => ({
  letter,
  name,
  name_local,
  status,
  points: '0.00',
  counts_in_gpa: counts,
  counts_in_attempted_hours: counts,
})

const SPECIAL_GRADES = [
  special('Abs', 'Absent', 'غائب', 'Absent', true),
  special('Ban', 'Barred from the exam', 'محروم', 'Banned', true),
  special('Pun', 'Punished', 'معاقب', 'Punished', true),
  special('W', 'Withdrawn', 'منسحب', 'Withdrawn', false),
  special('FW', 'Forced withdrawal', 'منسحب إجباريًا', 'ForcedWithdrawn', false),
  special('Exc', 'Excused', 'معتذر', 'Excused', false),
  special('I', 'Incomplete', 'غير مكتمل', 'Incomplete', false),
]

const LEVEL_NAMES = [
  ['First level', 'المستوى الأول'],
  ['Second level', 'المستوى الثاني'],
  ['Third level', 'المستوى الثالث'],
  ['Fourth level', 'المستوى الرابع'],
] as const

const levels = (hours: number[]) =>
  hours.map((passed_hours, i) => ({
    level: i + 1,
    name: LEVEL_NAMES[i]![0],
    name_local: LEVEL_NAMES[i]![1],
    passed_hours,
  }))

export const BYLAWS: BylawEntry[] = [
  {
    code: 'FEC2023',
    name: 'Bylaw of the Faculty of Engineering and Computing 2023 (credit hours)',
    name_local: 'لائحة كلية الهندسة والحوسبة 2023 (نظام الساعات المعتمدة)',
    program_type: 'credit_hours',
    levels: levels([0, 27, 60, 92]),
    grade_ranges: [
      grade('A+', 'Excellent', 'ممتاز', 97, 100, '4.00'),
      grade('A', 'Excellent', 'ممتاز', 93, 97, '4.00'),
      grade('A-', 'Excellent', 'ممتاز', 89, 93, '3.70'),
      grade('B+', 'Very good', 'جيد جدًا', 84, 89, '3.30'),
      grade('B', 'Very good', 'جيد جدًا', 80, 84, '3.00'),
      grade('B-', 'Good', 'جيد', 76, 80, '2.70'),
      grade('C+', 'Good', 'جيد', 73, 76, '2.30'),
      grade('C', 'Satisfactory', 'مقبول', 70, 73, '2.00'),
      grade('C-', 'Satisfactory', 'مقبول', 67, 70, '1.70'),
      grade('D+', 'Sufficient', 'كافٍ', 64, 67, '1.30'),
      grade('D', 'Sufficient', 'كافٍ', 60, 64, '1.00'),
      grade('F', 'Fail', 'راسب', 0, 60, '0.00'),
    ],
    special_grades: SPECIAL_GRADES,
    gpa_ranges: [
      { from_gpa: '3.50', to_gpa: '4.00', name: 'Excellent', name_local: 'ممتاز' },
      { from_gpa: '3.00', to_gpa: '3.50', name: 'Very good', name_local: 'جيد جدًا' },
      { from_gpa: '2.50', to_gpa: '3.00', name: 'Good', name_local: 'جيد' },
      { from_gpa: '2.00', to_gpa: '2.50', name: 'Satisfactory', name_local: 'مقبول' },
      { from_gpa: '0.00', to_gpa: '2.00', name: 'Weak', name_local: 'ضعيف' },
    ],
    load_ranges: [
      { from_gpa: '0.00', to_gpa: '2.00', max_ch_value: 14, max_summer_ch_value: 6, max_courses: 5 },
      { from_gpa: '2.00', to_gpa: '3.00', max_ch_value: 19, max_summer_ch_value: 6, max_courses: 7 },
      { from_gpa: '3.00', to_gpa: '4.00', max_ch_value: 21, max_summer_ch_value: 9, max_courses: 8 },
    ],
    warning_type: 'cumulative',
    warning_count: 'consecutive',
    warning_gpa: '2.00',
    max_warnings: 4,
    min_percentage_final_exam: '30.00',
    total_places: 0,
    repeat_rule: 'best',
    repeat_max_points: '3.30',
    max_improvements: 5,
    improve_letters: ['C', 'C-', 'D+', 'D'],
    graduation_hours: 136,
    graduation_gpa: '2.00',
    min_training_weeks: 8,
    start_year: 2023,
    in_admission: true,
    grades_visibility: { marks: 'Published', letter: 'Published', points: 'Published', gpa: 'Published' },
  },
  {
    code: 'FCO2023',
    name: 'Bylaw of the Faculty of Commerce 2023 (term marks)',
    name_local: 'لائحة كلية التجارة 2023 (نظام الفصلين الدراسيين)',
    program_type: 'term',
    levels: levels([0, 27, 60, 92]),
    grade_ranges: [
      grade('Ex', 'Excellent', 'ممتاز', 85, 100, '4.00'),
      grade('VG', 'Very good', 'جيد جدًا', 75, 85, '3.30'),
      grade('G', 'Good', 'جيد', 65, 75, '2.60'),
      grade('P', 'Pass', 'مقبول', 50, 65, '2.00'),
      grade('W1', 'Weak', 'ضعيف', 30, 50, '0.00'),
      grade('W2', 'Very weak', 'ضعيف جدًا', 0, 30, '0.00'),
    ],
    special_grades: SPECIAL_GRADES,
    gpa_ranges: [
      { from_gpa: '3.60', to_gpa: '4.00', name: 'Excellent', name_local: 'ممتاز' },
      { from_gpa: '3.00', to_gpa: '3.60', name: 'Very good', name_local: 'جيد جدًا' },
      { from_gpa: '2.40', to_gpa: '3.00', name: 'Good', name_local: 'جيد' },
      { from_gpa: '1.60', to_gpa: '2.40', name: 'Pass', name_local: 'مقبول' },
      { from_gpa: '0.00', to_gpa: '1.60', name: 'Weak', name_local: 'ضعيف' },
    ],
    load_ranges: [{ from_gpa: '0.00', to_gpa: '4.00', max_ch_value: 24, max_summer_ch_value: 0, max_courses: 8 }],
    warning_type: 'term',
    warning_count: 'consecutive',
    warning_gpa: '1.00',
    max_warnings: 0,
    min_percentage_final_exam: '30.00',
    total_places: 0,
    repeat_rule: 'last',
    repeat_max_points: '2.00',
    max_improvements: 0,
    improve_letters: [],
    graduation_hours: 138,
    graduation_gpa: '1.60',
    min_training_weeks: 4,
    start_year: 2023,
    in_admission: true,
    grades_visibility: { marks: 'Frozen', letter: 'Published', points: 'Published', gpa: 'Published' },
  },
]

/** Mark categories. */
export const MARK_CATEGORIES = [
  { code: 'YW', name: 'Year work', name_local: 'أعمال السنة', is_final_exam: false, exam_kind: null },
  { code: 'MID', name: 'Midterm exam', name_local: 'امتحان منتصف الفصل', is_final_exam: false, exam_kind: 'midterm' },
  { code: 'PRA', name: 'Practical exam', name_local: 'الامتحان العملي', is_final_exam: false, exam_kind: 'practical' },
  { code: 'ORA', name: 'Oral exam', name_local: 'الامتحان الشفوي', is_final_exam: false, exam_kind: 'oral' },
  { code: 'FIN', name: 'Final exam', name_local: 'الامتحان النهائي', is_final_exam: true, exam_kind: null },
] as const

/** Mark schemes: the maximum of each category, summing to 100. */
export const MARKS = [
  {
    code: 'CHT',
    bylaw: 'FEC2023',
    kind: 'theory',
    name: 'Theoretical course',
    name_local: 'مقرر نظري',
    items: { YW: 20, MID: 20, FIN: 60 },
  },
  {
    code: 'CHL',
    bylaw: 'FEC2023',
    kind: 'laboratory',
    name: 'Course with laboratory',
    name_local: 'مقرر له معمل',
    items: { YW: 15, MID: 20, PRA: 15, FIN: 50 },
  },
  {
    code: 'CHP',
    bylaw: 'FEC2023',
    kind: 'project',
    name: 'Graduation project',
    name_local: 'مشروع تخرج',
    items: { YW: 40, ORA: 20, FIN: 40 },
  },
  {
    code: 'TMT',
    bylaw: 'FCO2023',
    kind: 'theory',
    name: 'Term course',
    name_local: 'مقرر فصلي',
    items: { YW: 15, MID: 15, FIN: 70 },
  },
  {
    code: 'TML',
    bylaw: 'FCO2023',
    kind: 'laboratory',
    name: 'Term course with practical work',
    name_local: 'مقرر فصلي له تطبيق عملي',
    items: { YW: 20, PRA: 20, FIN: 60 },
  },
  {
    code: 'TMP',
    bylaw: 'FCO2023',
    kind: 'project',
    name: 'Graduation project (Commerce)',
    name_local: 'مشروع تخرج (تجارة)',
    items: { YW: 40, ORA: 20, FIN: 40 },
  },
] as const
