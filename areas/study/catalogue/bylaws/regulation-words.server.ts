import { inLanguage, type Label, type PaperLanguage } from '#kit/contract/index.ts'
import { nameIn } from '#kit/server/base/fields.ts'

const WORDS = {
  regulation: ['Bylaw', 'اللائحة'],
  printed: ['Printed', 'تاريخ الطباعة'],
  code: ['Code', 'الكود'],
  faculty: ['Faculty', 'الكلية'],
  program_type: ['Program type', 'نظام الدراسة'],
  in_admission: ['Open for admission', 'متاحة للقبول'],
  training: ['Training weeks', 'أسابيع التدريب'],
  yes: ['Yes', 'نعم'],
  no: ['No', 'لا'],
  none: ['No limit', 'بلا حد'],
  never: ['Never', 'لا تظهر'],
  grades: ['Grades', 'التقديرات'],
  letter: ['Letter', 'الرمز'],
  name: ['Name', 'الاسم'],
  from_percent: ['From %', 'من %'],
  to_percent: ['To %', 'إلى %'],
  points: ['Points', 'النقاط'],
  success: ['Success', 'نجاح'],
  special: ['Special grades', 'تقديرات خاصة'],
  status: ['Status', 'الحالة'],
  in_gpa: ['In GPA', 'في المعدل'],
  in_attempted: ['In attempted hours', 'في الساعات المسجلة'],
  final_exam: ['Minimum of the final exam (%)', 'الحد الأدنى للاختبار النهائي (%)'],
  places: ['Decimal places of the total', 'المنازل العشرية للمجموع'],
  levels: ['Levels', 'المستويات'],
  level: ['Level', 'المستوى'],
  opens: ['Passed hours that open it', 'الساعات المجتازة للانتقال إليه'],
  chances: ['Years allowed', 'سنوات البقاء'],
  counts: ['In the cumulative rating', 'في التقدير التراكمي'],
  classification: ['Classification', 'التقدير العام'],
  from_gpa: ['From GPA', 'من معدل'],
  to_gpa: ['To GPA', 'إلى معدل'],
  load: ['Load', 'العبء الدراسي'],
  hours: ['Credit hours', 'الساعات المعتمدة'],
  summer: ['In summer', 'في الصيف'],
  courses: ['Courses', 'المقررات'],
  warnings: ['Academic warnings', 'الإنذارات الأكاديمية'],
  warning_max: ['Maximum of warnings', 'الحد الأقصى للإنذارات'],
  warning_gpa: ['Warned below GPA', 'الإنذار عند معدل أقل من'],
  warning_type: ['Which GPA', 'أي معدل'],
  warning_count: ['How they are counted', 'طريقة الاحتساب'],
  warning_hours: ['Credit hours under warning', 'الساعات المعتمدة للطالب المنذَر'],
  warning_summer: ['Summer terms can earn a warning', 'يُحتسب الإنذار في الفصل الصيفي'],
  no_warnings: ['This bylaw has no warnings.', 'لا إنذارات في هذه اللائحة.'],
  by_load: ['As the load range says', 'بحسب مدى العبء'],
  repeats: ['Repeated courses', 'إعادة المقررات'],
  repeat_rule: ['Which attempt counts', 'المحاولة المحتسبة'],
  repeat_points: ['Most points after failing', 'أقصى نقاط بعد الرسوب'],
  repeat_times: ['Repeats allowed', 'عدد مرات الإعادة'],
  improve_points: ['Most points after improving', 'أقصى نقاط عند التحسين'],
  improvements: ['Improvements allowed', 'عدد مرات التحسين'],
  improve_letters: ['Grades that may be improved', 'التقديرات القابلة للتحسين'],
  all: ['All', 'جميعها'],
  withdrawal_steps: ['Withdrawn courses', 'المقررات المنسحب منها'],
  through_day: ['Through day of the term', 'حتى اليوم من بدء الفصل'],
  charged: ['Charged (%)', 'المحتسب (%)'],
  summer_term: ['Summer term', 'فصل صيفي'],
  withdrawn_charge: ['Charged of a withdrawn course (%)', 'المحتسب من رسوم المقرر المنسحب منه (%)'],
  excused_charge: ['Charged of an excused course (%)', 'المحتسب من رسوم المقرر الذي قُبل عذره (%)'],
  graduation: ['Graduation', 'التخرج'],
  gpa: ['Minimum GPA', 'الحد الأدنى للمعدل'],
  extra_hours: ['Extra credit hours in the last term', 'ساعات إضافية في فصل التخرج'],
  extra_courses: ['Extra courses in the last term', 'مقررات إضافية في فصل التخرج'],
  ratings: ['Ratings', 'التقديرات العامة'],
  conversions: ['Between points and marks', 'بين النقاط والدرجات'],
  to_share: ['To % of the maximum', 'إلى % من النهاية العظمى'],
  from_points: ['From points', 'من نقاط'],
  to_points: ['To points', 'إلى نقاط'],
  from_share: ['From % of the maximum', 'من % من النهاية العظمى'],
  promotion: ['Promotion', 'الانتقال بين المستويات'],
  pass_share: ['Passed from (% of the maximum)', 'النجاح من (% من النهاية العظمى)'],
  max_carried: ['Failed courses carried', 'مقررات التخلف'],
  carried_final: ['Also from the final level', 'ومن المستوى النهائي'],
  second_session: ['Second session', 'الدور الثاني'],
  capped: ['A later sitting earns at most a pass', 'لا يتجاوز النجاح في دور لاحق درجة النجاح'],
  max_chances: ['Years in all', 'مجموع السنوات'],
  exceptions: ['Exceptions from carrying courses', 'استثناءات مقررات التخلف'],
  exception: ['Exception', 'الاستثناء'],
  honours: ['Honours from rating', 'مرتبة الشرف من تقدير'],
  no_honours: ['None', 'لا توجد'],
  grace: ['Grace marks', 'درجات الرأفة'],
  grace_course: ['Most in one course', 'الحد الأقصى للمقرر'],
  grace_all: ['Most in all', 'الحد الأقصى للمجموع'],
  grace_share: ['Most of the level’s maximum (%)', 'الحد الأقصى من مجموع المستوى (%)'],
  grace_order: ['Used, in this order, for', 'تُصرف بهذا الترتيب لـ'],
  grace_shown: ['Shown on the transcript', 'تظهر في بيان الدرجات'],
  no_grace: ['This bylaw gives no grace marks.', 'لا درجات رأفة في هذه اللائحة.'],
  seen: ['What students see', 'ما يراه الطلاب'],
  marks: ['Marks', 'الدرجات'],
  gpa_seen: ['GPA', 'المعدل'],
  requirements: ['Requirements', 'المتطلبات'],
  university: ['University requirements', 'متطلبات الجامعة'],
  faculty_list: ['Faculty requirements', 'متطلبات الكلية'],
  course: ['Course', 'المقرر'],
  programs: ['Programs', 'البرامج'],
  degree: ['Degree', 'الدرجة العلمية'],
  study_level: ['Study level', 'المرحلة الدراسية'],
  semesters: ['Semesters', 'عدد الفصول الدراسية'],
  general: ['General program', 'برنامج عام'],
  plan: ['Study plan', 'الخطة الدراسية'],
  semester: ['Semester', 'الفصل'],
  kind: ['Kind', 'النوع'],
  requires: ['Requires', 'المتطلبات السابقة'],
  pools: ['Elective pools', 'المجموعات الاختيارية'],
  take: ['Hours a student takes', 'الساعات التي يدرسها الطالب'],
  research: ['Research plan', 'الخطة البحثية'],
  stage: ['Milestone', 'المرحلة'],
  times: ['How often', 'عدد المرات'],
  earliest: ['Earliest semester', 'أول فصل'],
  latest: ['Latest semester', 'آخر فصل'],
  dean: ['Dean', 'عميد الكلية'],
  registrar: ['Registrar', 'المسجل العام'],
} as const satisfies Record<string, Label>
type Word = keyof typeof WORDS

interface Fact {
  label: string
  value: string
}
export interface RegulationPart {
  title?: string
  facts?: Fact[]
  columns?: { label: string; align: 'start' | 'center' }[]
  rows?: string[][]
}
export interface Chapter {
  title: string
  text?: string
  parts: RegulationPart[]
}

/** What says the same in either language: words, names, figures without needless zeros. */
export function speaker(lang: PaperLanguage) {
  const say = (word: Word): string => inLanguage(WORDS[word], lang)
  return {
    lang,
    say,
    name: (row: Parameters<typeof nameIn>[0]): string => nameIn(row, lang) ?? '',
    number: (value: number | string | null, none: Word = 'none'): string =>
      value === null ? say(none) : String(Number(value)),
    flag: (value: boolean): string => say(value ? 'yes' : 'no'),
    choice: (list: readonly { value: string; label: Label }[], value: string | null): string => {
      const found = list.find((one) => one.value === value)
      return found ? inLanguage(found.label, lang) : '–'
    },
    fact: (word: Word, value: string): Fact => ({ label: say(word), value }),
    /** Words and names stand at the start of their column, figures in the middle. */
    table: (columns: readonly (readonly [Word, 'start' | 'center'])[], rows: string[][]): RegulationPart => ({
      columns: columns.map(([word, align]) => ({ label: say(word), align })),
      rows,
    }),
  }
}
export type Speaker = ReturnType<typeof speaker>
