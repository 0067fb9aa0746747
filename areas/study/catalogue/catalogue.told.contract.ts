import { z } from 'zod'
import { f } from '#kit/contract/index.ts'
import { REPEAT_RULES, WARNING_COUNTS, WARNING_TYPES } from './words.contract.ts'
import type { TablesTold } from '#kit/contract/telling.ts'
import { FORMER_NAME_FIELDS } from './units/unit.contract.ts'
import { SUCCESSION_KINDS } from './units/unit.rules.ts'

/** A value of many parts: the log tells that it changed. */
const any = z.unknown()

/** What the log of changes says of its tables. */
export const catalogueTold: TablesTold = {
  bylaws: {
    fields: {
      min_training_weeks: f.integer(['Training weeks', 'أسابيع التدريب']),
      min_percentage_final_exam: f.decimal(['Minimum of the final exam (%)', 'الحد الأدنى للاختبار النهائي (%)'], {
        places: 2,
      }),
      total_places: f.integer(['Decimal places of the total', 'المنازل العشرية للمجموع']),
      warning_type: f.choice(['Which GPA', 'أي معدل'], WARNING_TYPES),
      warning_count: f.choice(['How they are counted', 'طريقة الاحتساب'], WARNING_COUNTS),
      warning_gpa: f.decimal(['Warned below GPA', 'الإنذار عند معدل أقل من'], { places: 2 }),
      max_warnings: f.integer(['Maximum of warnings', 'الحد الأقصى للإنذارات']),
      warning_max_ch_value: f.integer(['Credit hours under warning', 'الساعات المعتمدة للطالب المنذَر']),
      warning_in_summer: f.flag(['Summer terms can earn a warning', 'يُحتسب الإنذار في الفصل الصيفي']),
      repeat_rule: f.choice(['Which attempt counts', 'المحاولة المحتسبة'], REPEAT_RULES),
      repeat_max_points: f.decimal(['Most points after failing', 'أقصى نقاط بعد الرسوب'], { places: 2 }),
      improve_max_points: f.decimal(['Most points after improving', 'أقصى نقاط عند التحسين'], { places: 2 }),
      max_repeats: f.integer(['Repeats allowed', 'عدد مرات الإعادة']),
      graduating_extra_hours: f.integer(['Extra credit hours in the last term', 'ساعات إضافية في فصل التخرج']),
      graduating_extra_courses: f.integer(['Extra courses in the last term', 'مقررات إضافية في فصل التخرج']),
      withdrawal_charge: f.decimal(['Charged of a withdrawn course (%)', 'المحتسب من رسوم المقرر المنسحب منه (%)'], {
        places: 2,
      }),
      excuse_charge: f.decimal(['Charged of an excused course (%)', 'المحتسب من رسوم المقرر الذي قُبل عذره (%)'], {
        places: 2,
      }),
      absence_warn_share: f.decimal(['Warned when absent from (%)', 'الإنذار عند غياب بنسبة (%)'], { places: 2 }),
      absence_ban_share: f.decimal(['Ban proposed when absent from (%)', 'اقتراح الحرمان عند غياب بنسبة (%)'], {
        places: 2,
      }),
      lates_per_absence: f.integer(['Times late that are one absence', 'مرات التأخر المساوية لغياب']),
      excused_absence_counts: f.flag(['Excused absences count', 'يُحتسب الغياب بعذر']),
      max_improvements: f.integer(['Improvements allowed', 'عدد مرات التحسين']),
      improve_letters: f.json(['Grades that may be improved', 'التقديرات القابلة للتحسين'], any),
      pass_share: f.decimal(['Passed from (%)', 'نسبة النجاح (%)'], { places: 2 }),
      later_sitting_capped: f.flag(['A later sitting counts as a pass, no more', 'النجاح في دور تالٍ بتقدير مقبول']),
      max_carried: f.integer(['Failed courses carried at most', 'أقصى عدد مواد محمولة']),
      carried_from_final_level: f.flag(['The final level can carry courses too', 'يجوز الحمل في المستوى الأخير']),
      second_session: f.flag(['There is a second session', 'يوجد دور ثانٍ']),
      max_chances: f.integer(['Years in all', 'أقصى عدد سنوات للدراسة']),
      honours_rating: f.text(['Honours from the rating', 'مرتبة الشرف من تقدير']),
      grace_order: f.json(['Grace marks', 'درجات الرأفة'], any),
      grace_per_course: f.decimal(['For a course at most', 'الحد الأقصى للمقرر'], { places: 2 }),
      grace_in_all: f.decimal(['In all at most', 'الحد الأقصى الإجمالي'], { places: 2 }),
      grace_share: f.decimal(['In all, share of the level (%)', 'الحد الإجمالي كنسبة من المستوى (%)'], { places: 2 }),
      grace_on_transcript: f.flag(['Shown on the transcript', 'تظهر في بيان الدرجات']),
      graduation_hours: f.integer(['Credit hours', 'الساعات المعتمدة']),
      graduation_gpa: f.decimal(['Minimum GPA', 'الحد الأدنى للمعدل'], { places: 2 }),
      grades_visibility: f.json(['What students see', 'ما يراه الطلاب'], any),
      programs_tree: f.json(['Programs', 'البرامج'], any),
    },
  },
  bylaw_carried_courses: {
    one: ['Course carried to the next level', 'مقرر تخلف في لائحة'],
    many: ['Courses carried to the next level, by bylaw', 'مقررات التخلف في اللوائح'],
  },
  bylaw_conversions: {
    one: ['Line of a conversion of points', 'سطر تحويل نقاط'],
    many: ['Conversions between points and marks', 'تحويل النقاط والدرجات في اللوائح'],
  },
  bylaw_editions: {
    one: ['Edition of a bylaw', 'إصدار لائحة'],
    many: ['Earlier settings of bylaws', 'إعدادات سابقة للوائح'],
  },
  bylaw_withdrawal_steps: {
    one: ['Charge of a withdrawal by its day', 'شريحة رسوم الانسحاب'],
    many: ['Charges of withdrawals by day', 'شرائح رسوم الانسحاب في اللوائح'],
    fields: {
      summer: f.flag(['Summer term', 'فصل صيفي']),
      days: f.integer(['Through day of the term', 'حتى اليوم من بدء الفصل']),
      percent: f.decimal(['Charged (%)', 'المحتسب (%)'], { places: 2 }),
    },
  },
  bylaw_levels: {
    one: ['Level of a bylaw', 'مستوى في لائحة'],
    many: ['Levels of bylaws', 'مستويات اللوائح'],
  },
  bylaw_ratings: {
    one: ['Rating of a bylaw', 'تقدير عام في لائحة'],
    many: ['Ratings of bylaws', 'تقديرات اللوائح'],
  },
  bylaw_requirements: {
    one: ['Requirement of a bylaw', 'متطلب لائحة'],
    many: ['Requirement lists of bylaws', 'قوائم متطلبات اللوائح'],
  },
  course_corequisites: {
    one: ['Co-requisite', 'متطلب متزامن'],
    many: ['Co-requisites of courses', 'المقررات المصاحبة'],
  },
  course_departments: {
    one: ['Department of a course', 'قسم مقرر'],
    many: ['Departments of courses', 'أقسام المقررات'],
  },
  course_equals: {
    one: ['Equal course', 'مقرر معادل'],
    many: ['Equal courses', 'المقررات المتكافئة'],
  },
  course_prerequisites: {
    one: ['Prerequisite', 'متطلب سابق'],
    many: ['Prerequisites of courses', 'متطلبات المقررات'],
  },
  course_tags: {
    one: ['Tag of a course', 'وسم مقرر'],
    many: ['Tags of courses', 'وسوم المقررات'],
  },
  gpa_ranges: {
    one: ['Range of the GPA', 'نطاق معدل'],
    many: ['Classifications of GPA', 'تقديرات المعدل'],
  },
  grade_ranges: {
    one: ['Range of a grade', 'نطاق تقدير'],
    many: ['Grade ranges', 'مدى الدرجات'],
  },
  grade_types: {
    one: ['Kind of grades', 'نوع تقديرات'],
    many: ['Grade types', 'أنواع التقديرات'],
  },
  load_ranges: {
    one: ['Range of the load', 'نطاق عبء دراسي'],
    many: ['Load limits', 'حدود العبء الدراسي'],
  },
  program_courses: {
    one: ['Course of a study plan', 'مقرر في خطة دراسية'],
    many: ['Courses of study plans', 'مقررات الخطط الدراسية'],
  },
  program_pools: {
    one: ['Pool of a study plan', 'مجموعة اختيارية في خطة'],
    many: ['Elective pools', 'مجموعات المقررات الاختيارية'],
  },
  program_requirements: {
    one: ['Requirement of a program', 'متطلب برنامج'],
    many: ['Requirement lists of programs', 'قوائم متطلبات البرامج'],
  },
  program_stages: {
    one: ['Stage of a program', 'مرحلة برنامج'],
    many: ['Stages of research plans', 'مراحل الخطط البحثية'],
  },
  special_grades: {
    one: ['Special grade', 'تقدير خاص'],
    many: ['Special grades', 'التقديرات الخاصة'],
  },
  unit_names: {
    one: ['Former name', 'اسم سابق'],
    many: ['Former names of faculties, departments and programs', 'أسماء سابقة لكليات وأقسام وبرامج'],
    title: ['name', 'name_local'],
    fields: FORMER_NAME_FIELDS,
  },
  unit_successions: {
    one: ['What a faculty, department or program became', 'مآل كلية أو قسم أو برنامج'],
    many: ['What faculties, departments and programs became', 'مآل كليات وأقسام وبرامج'],
    fields: {
      on_day: f.date(['Day', 'اليوم']),
      kind: f.choice(['What happened', 'ما الذي حدث'], SUCCESSION_KINDS),
      note: f.text(['Note', 'ملاحظة']),
    },
  },
  withdrawal_charges: {
    one: ['Charge of a course that was left', 'المحتسب من رسوم مقرر تُرك'],
    many: ['Charges of courses that were left', 'المحتسب من رسوم المقررات التي تُركت'],
  },
  student_years: {
    one: ['Year of a student', 'سنة دراسية لطالب'],
    many: ['Years of students', 'السنوات الدراسية للطلاب'],
  },
}
