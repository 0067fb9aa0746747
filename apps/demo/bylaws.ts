/** The two bylaws: one by credit hours, one by term marks. Points and GPA limits are decimals written as text. */

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
  flag: 'Absent' | 'Banned' | 'Punished' | 'Withdrawn' | 'ForcedWithdrawn' | 'Excused' | 'Incomplete'
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
  levels: { number: number; name: string; name_local: string; from_hours: number }[]
  grade_ranges: GradeRange[]
  special_grades: SpecialGrade[]
  gpa_ranges: GpaRange[]
  load_ranges: LoadRange[]
  /** Load of a student in his or her first term, when there is no GPA yet. */
  first_term_max_ch_value: number
  warning: {
    type: 'cumulative' | 'term'
    min_gpa: string
    max_consecutive: number
    max_total: number
  }
  /** Percent of the final exam under which the course is failed whatever the total. */
  min_percentage_final_exam: number
  /** Places the total is rounded to, half away from zero. */
  total_places: number
  repeat_rule: {
    counts: 'last' | 'best' | 'average'
    max_letter: string
    max_improvements: number
    improvable_letters: string[]
  }
  graduation: { min_gpa: string; min_training_weeks: number }
  /** From which control status on a student sees each part of a result. */
  grades_visibility: Record<'marks' | 'letter' | 'points' | 'gpa', 'Approved' | 'Published' | 'Frozen' | null>
  /** Share of absences, in percent, from which a student may be banned from the final exam. */
  ban_absence_percentage: number
  /** Courses a student of a term-mark bylaw may carry into the next level. */
  max_carried_courses: number | null
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
  flag: SpecialGrade['flag'],
  counts: boolean,
): SpecialGrade => ({ letter, name, name_local, flag, counts_in_gpa: counts, counts_in_attempted_hours: counts })

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

const levels = (fromHours: number[]) =>
  fromHours.map((from_hours, i) => ({
    number: i + 1,
    name: LEVEL_NAMES[i]![0],
    name_local: LEVEL_NAMES[i]![1],
    from_hours,
  }))

export const BYLAWS: BylawEntry[] = [
  {
    code: 'FEC2023',
    name: 'Bylaw of the Faculty of Engineering and Computing 2023 (credit hours)',
    name_local: 'لائحة كلية الهندسة والحوسبة 2023 (نظام الساعات المعتمدة)',
    program_type: 'credit_hours',
    levels: levels([0, 30, 64, 98]),
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
      { from_gpa: '3.00', to_gpa: '3.49', name: 'Very good', name_local: 'جيد جدًا' },
      { from_gpa: '2.50', to_gpa: '2.99', name: 'Good', name_local: 'جيد' },
      { from_gpa: '2.00', to_gpa: '2.49', name: 'Satisfactory', name_local: 'مقبول' },
      { from_gpa: '0.00', to_gpa: '1.99', name: 'Weak', name_local: 'ضعيف' },
    ],
    load_ranges: [
      { from_gpa: '0.00', to_gpa: '1.99', max_ch_value: 14, max_summer_ch_value: 6, max_courses: 5 },
      { from_gpa: '2.00', to_gpa: '2.99', max_ch_value: 19, max_summer_ch_value: 6, max_courses: 7 },
      { from_gpa: '3.00', to_gpa: '4.00', max_ch_value: 21, max_summer_ch_value: 9, max_courses: 8 },
    ],
    first_term_max_ch_value: 19,
    warning: { type: 'cumulative', min_gpa: '2.00', max_consecutive: 4, max_total: 6 },
    min_percentage_final_exam: 30,
    total_places: 0,
    repeat_rule: {
      counts: 'best',
      max_letter: 'B+',
      max_improvements: 5,
      improvable_letters: ['C', 'C-', 'D+', 'D'],
    },
    graduation: { min_gpa: '2.00', min_training_weeks: 8 },
    grades_visibility: { marks: 'Published', letter: 'Published', points: 'Published', gpa: 'Published' },
    ban_absence_percentage: 25,
    max_carried_courses: null,
  },
  {
    code: 'FCO2023',
    name: 'Bylaw of the Faculty of Commerce 2023 (term marks)',
    name_local: 'لائحة كلية التجارة 2023 (نظام الفصلين الدراسيين)',
    program_type: 'term',
    levels: levels([0, 32, 66, 102]),
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
      { from_gpa: '3.00', to_gpa: '3.59', name: 'Very good', name_local: 'جيد جدًا' },
      { from_gpa: '2.40', to_gpa: '2.99', name: 'Good', name_local: 'جيد' },
      { from_gpa: '1.60', to_gpa: '2.39', name: 'Pass', name_local: 'مقبول' },
      { from_gpa: '0.00', to_gpa: '1.59', name: 'Weak', name_local: 'ضعيف' },
    ],
    load_ranges: [{ from_gpa: '0.00', to_gpa: '4.00', max_ch_value: 24, max_summer_ch_value: 0, max_courses: 8 }],
    first_term_max_ch_value: 24,
    // A maximum of 0 switches warnings off.
    warning: { type: 'term', min_gpa: '1.00', max_consecutive: 0, max_total: 0 },
    min_percentage_final_exam: 30,
    total_places: 0,
    repeat_rule: { counts: 'last', max_letter: 'P', max_improvements: 0, improvable_letters: [] },
    graduation: { min_gpa: '1.60', min_training_weeks: 4 },
    grades_visibility: { marks: 'Frozen', letter: 'Published', points: 'Published', gpa: 'Published' },
    ban_absence_percentage: 25,
    max_carried_courses: 2,
  },
]

/** Mark categories; `final` marks the final exam. */
export const MARK_CATEGORIES = [
  { code: 'YW', name: 'Year work', name_local: 'أعمال السنة', final: false },
  { code: 'MID', name: 'Midterm exam', name_local: 'امتحان منتصف الفصل', final: false },
  { code: 'PRA', name: 'Practical exam', name_local: 'الامتحان العملي', final: false },
  { code: 'ORA', name: 'Oral exam', name_local: 'الامتحان الشفوي', final: false },
  { code: 'FIN', name: 'Final exam', name_local: 'الامتحان النهائي', final: true },
] as const

/** Mark schemes: maxima per category, summing to 100. */
export const MARK_SCHEMES = [
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
