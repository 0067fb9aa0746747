import { f } from '#kit/contract/field.ts'
import { z } from 'zod'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { part } from '#kit/web/later.ts'
import { REPEAT_RULES, WARNING_COUNTS, WARNING_TYPES } from '../words.contract.ts'
import { bylaw } from './bylaw.contract.ts'

/** A value of many parts: the history tells that it changed. */
const any = z.unknown()

export default resourceWeb(bylaw, {
  history: {
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
    max_improvements: f.integer(['Improvements allowed', 'عدد مرات التحسين']),
    improve_letters: f.json(['Grades that may be improved', 'التقديرات القابلة للتحسين'], any),
    graduation_hours: f.integer(['Credit hours', 'الساعات المعتمدة']),
    graduation_gpa: f.decimal(['Minimum GPA', 'الحد الأدنى للمعدل'], { places: 2 }),
    grades_visibility: f.json(['What students see', 'ما يراه الطلاب'], any),
    programs_tree: f.json(['Programs', 'البرامج'], any),
  },
  form: {
    initial: () => ({ program_type: 'credit_hours', in_admission: false, start_year: new Date().getFullYear() }),
  },
  detail: {
    panels: [
      {
        key: 'grades',
        title: ['Grades', 'التقديرات'],
        Content: part(async () => (await import('./settings.web.tsx')).Grades),
      },
      {
        key: 'levels',
        title: ['Levels and loads', 'المستويات والعبء'],
        Content: part(async () => (await import('./settings.web.tsx')).Levels),
      },
      {
        key: 'rules',
        title: ['Rules', 'القواعد'],
        Content: part(async () => (await import('./settings.web.tsx')).Rules),
      },
      {
        key: 'programs',
        title: ['Programs and requirements', 'البرامج والمتطلبات'],
        Content: part(async () => (await import('./programs.web.tsx')).Programs),
      },
    ],
  },
})
