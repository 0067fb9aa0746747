import { f } from '#kit/contract/index.ts'

/** The sets of a bylaw as child rows: which table keeps them, and what an entry is made of. */
const percent = f.decimal(['Percentage', 'النسبة'], { places: 2, min: 0, max: 100, required: true })
const gpa = f.decimal(['GPA', 'المعدل'], { places: 2, min: 0, max: 4, required: true })
const count = f.integer(['Number', 'العدد'], { required: true })
const name = f.text(['English name', 'الاسم بالإنجليزية'], { required: true, max: 100 })
const name_local = f.text(['Arabic name', 'الاسم بالعربية'], { required: true, max: 100 })
const letter = f.text(['Letter', 'التقدير'], { required: true, max: 5 })
const word = f.text(['Kind', 'النوع'], { required: true })
const flag = f.flag(['Yes', 'نعم'])
const limit = f.integer(['Number', 'العدد'])

const LABEL = ['Bylaw', 'اللائحة'] as const
const ofBylaw = { parent: 'bylaw_id' } as const

export const SETS = {
  levels: f.rows(
    LABEL,
    { level: count, name, name_local, passed_hours: count, chances: limit, counts_for_graduation: flag },
    { ...ofBylaw, table: 'bylaw_levels', by: 'c.level' },
  ).rows!,
  grade_types: f.rows(LABEL, { kind: word, name, name_local }, { ...ofBylaw, table: 'grade_types', by: 'c.kind' })
    .rows!,
  grade_ranges: f.rows(
    LABEL,
    { from_percent: percent, to_percent: percent, letter, name, name_local, points: gpa, success: flag },
    { parent: 'grade_type_id', table: 'grade_ranges', by: 'c.from_percent desc' },
  ).rows!,
  special_grades: f.rows(
    LABEL,
    { status: word, letter, name, name_local, points: gpa, counts_in_gpa: flag, counts_in_attempted_hours: flag },
    { ...ofBylaw, table: 'special_grades' },
  ).rows!,
  gpa_ranges: f.rows(
    LABEL,
    { from_gpa: gpa, to_gpa: gpa, name, name_local },
    { ...ofBylaw, table: 'gpa_ranges', by: 'c.from_gpa desc' },
  ).rows!,
  load_ranges: f.rows(
    LABEL,
    { from_gpa: gpa, to_gpa: gpa, max_ch_value: count, max_summer_ch_value: count, max_courses: count },
    { ...ofBylaw, table: 'load_ranges', by: 'c.from_gpa desc' },
  ).rows!,
  ratings: f.rows(
    LABEL,
    { code: letter, name, name_local, from_share: percent },
    { ...ofBylaw, table: 'bylaw_ratings', by: 'c.from_share desc' },
  ).rows!,
  conversions: f.rows(
    LABEL,
    { from_share: percent, to_share: percent, from_points: gpa, to_points: gpa },
    { ...ofBylaw, table: 'bylaw_conversions', by: 'c.from_share desc' },
  ).rows!,
  withdrawal_steps: f.rows(
    LABEL,
    { summer: flag, days: count, percent },
    { ...ofBylaw, table: 'bylaw_withdrawal_steps', by: 'c.summer, c.days' },
  ).rows!,
  carried_courses: f.rows(
    LABEL,
    { course_id: f.lookup(['Course', 'المقرر'], 'course', { required: true }), kind: word },
    { ...ofBylaw, table: 'bylaw_carried_courses' },
  ).rows!,
}
