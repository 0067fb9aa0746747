import type { Label } from '#kit/contract/index.ts'
import type { Settings } from './settings.contract.ts'

/** In which tab, and under which heading, a setting of a bylaw is changed. */
export interface Place {
  readonly tab: 'grades' | 'levels' | 'rules'
  readonly title: Label
}
const at = (tab: Place['tab'], title: Label, ...keys: readonly (keyof Settings)[]): [string, Place][] =>
  keys.map((key) => [key, { tab, title }])

const PLACES: ReadonlyMap<string, Place> = new Map([
  ...at('grades', ['Passing and ratings', 'النجاح والتقديرات'], 'pass_share', 'ratings', 'later_sitting_capped'),
  ...at('grades', ['Grades', 'التقديرات'], 'grade_types'),
  ...at('grades', ['Special grades', 'تقديرات خاصة'], 'special_grades'),
  ...at('grades', ['Between points and marks', 'بين النقاط والدرجات'], 'conversions'),
  ...at('grades', ['What students see', 'ما يراه الطلاب'], 'grades_visibility'),
  ...at('levels', ['Levels', 'المستويات'], 'levels'),
  ...at('levels', ['Classification', 'التقدير العام'], 'gpa_ranges'),
  ...at('levels', ['Load', 'العبء الدراسي'], 'load_ranges'),
])
const RULES: ReadonlyMap<string, Place> = new Map([
  ...at('rules', ['Course result', 'نتيجة المقرر'], 'min_percentage_final_exam', 'total_places'),
  ...at(
    'rules',
    ['Academic warnings', 'الإنذارات الأكاديمية'],
    'warning_type',
    'warning_count',
    'warning_gpa',
    'max_warnings',
    'warning_in_summer',
    'warning_max_ch_value',
  ),
  ...at(
    'rules',
    ['Repeated courses', 'إعادة المقررات'],
    'repeat_rule',
    'repeat_max_points',
    'max_repeats',
    'improve_max_points',
    'max_improvements',
    'improve_letters',
  ),
  ...at(
    'rules',
    ['Withdrawn and excused courses', 'المقررات المنسحب منها والتي قُبل عذرها'],
    'withdrawal_charge',
    'withdrawal_steps',
    'excuse_charge',
  ),
  ...at(
    'rules',
    ['Absence', 'الغياب'],
    'absence_warn_share',
    'absence_ban_share',
    'excused_absence_counts',
    'lates_per_absence',
  ),
  ...at(
    'rules',
    ['Graduation', 'التخرج'],
    'graduation_hours',
    'graduation_gpa',
    'graduating_extra_hours',
    'graduating_extra_courses',
    'min_training_weeks',
    'program_type',
    'in_admission',
  ),
  ...at(
    'rules',
    ['Promotion', 'الانتقال بين المستويات'],
    'max_carried',
    'carried_from_final_level',
    'second_session',
    'max_chances',
    'honours_rating',
    'carried_courses',
  ),
  ...at(
    'rules',
    ['Grace marks', 'درجات الرأفة'],
    'grace_order',
    'grace_per_course',
    'grace_in_all',
    'grace_share',
    'grace_on_transcript',
  ),
])

/** What a regulation by marks has among its ratings. */
const BY_MARKS = new Set(['min_percentage_final_exam', 'total_places'])

/** Where a setting, or a part of one (`levels.2.name`), is changed. */
export const placeOf = (field: string | null, byMarks = false): Place | undefined => {
  const key = field?.split('.')[0] ?? ''
  return byMarks && BY_MARKS.has(key) ? PLACES.get('ratings') : (PLACES.get(key) ?? RULES.get(key))
}
/** The part of an address that shows a heading. */
export const anchorOf = (title: Label): string => `part-${title[0].toLowerCase().replaceAll(/\W+/g, '-')}`
