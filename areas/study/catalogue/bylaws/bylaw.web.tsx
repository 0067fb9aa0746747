import { IconPrinter } from '@tabler/icons-react'
import { f } from '#kit/contract/field.ts'
import { download } from '#kit/web/api/index.ts'
import { z } from 'zod'
import { useMe } from '#kit/web/auth/index.ts'
import { notify, withOverlay } from '#kit/web/feedback/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { part } from '#kit/web/later.ts'
import { filled } from '#kit/web/router/load.tsx'
import { requirementsOfBylaw } from '../outlets.contract.ts'
import { REPEAT_RULES, WARNING_COUNTS, WARNING_TYPES } from '../words.contract.ts'
import { bylaw } from './bylaw.contract.ts'
import { bylawCalls } from './settings.contract.ts'

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
  form: {
    initial: () => ({ program_type: 'credit_hours', in_admission: false, start_year: new Date().getFullYear() }),
  },
  detail: {
    useActions: () => {
      const t = useT('catalogue')
      const { may } = useMe()
      return (row) =>
        may('export_bylaw')
          ? (['ar', 'en'] as const).map((lang) => ({
              key: `regulation_${lang}`,
              label: t(`regulation_${lang}`),
              icon: <IconPrinter size={16} />,
              onSelect: () =>
                void withOverlay(
                  download(bylawCalls.exportRegulation, { params: { id: row.id }, body: { lang } }),
                ).catch(notify.error),
            }))
          : []
    },
    panels: [
      {
        key: 'grades',
        title: ['Grades', 'التقديرات'],
        Content: part(async () => (await import('./settings.web.tsx')).BylawGrades),
      },
      {
        key: 'levels',
        title: ['Levels and loads', 'المستويات والعبء'],
        Content: part(async () => (await import('./settings.web.tsx')).Levels),
      },
      {
        key: 'rules',
        title: ['Rules', 'القواعد'],
        Content: part(async () => (await import('./rules.web.tsx')).Rules),
      },
      {
        key: 'programs',
        title: ['Programs and requirements', 'البرامج والمتطلبات'],
        Content: part(async () => (await import('./programs.web.tsx')).BylawPrograms),
      },
      {
        key: 'requirements',
        title: ['Requirements', 'المتطلبات'],
        permission: 'show_requirements',
        Content: filled(requirementsOfBylaw),
      },
    ],
  },
})
