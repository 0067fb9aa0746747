import { TagsInput } from '@mantine/core'
import { useLabel } from '#kit/web/i18n/index.ts'
import css from '../catalogue.module.css'
import { worksByMarks } from '../mark-regulation.rules.ts'
import { PROGRAM_TYPES, REPEAT_RULES, WARNING_COUNTS, WARNING_TYPES } from '../words.contract.ts'
import { GraceSettings, Promotion } from './mark-settings.web.tsx'
import { WhoseStanding } from '../standing.web.tsx'
import { Section, SettingsOf, inputs, wrongIn } from './section.web.tsx'
import { SetTable, type SetColumn } from './set-table.web.tsx'
import type { Settings } from './settings.contract.ts'

const WITHDRAWAL_COLUMNS: readonly SetColumn[] = [
  { key: 'days', label: ['Through day of the term', 'حتى اليوم من بدء الفصل'], kind: 'integer' },
  { key: 'percent', label: ['Charged (%)', 'المحتسب (%)'], kind: 'decimal' },
  { key: 'summer', label: ['Summer term', 'فصل صيفي'], kind: 'flag' },
]

/** What of the settings decides on graduation and differs from what is stored; null: nothing, or no number. */
function graduationEdit(
  saved: Pick<Settings, 'graduation_hours' | 'graduation_gpa' | 'min_training_weeks'>,
  draft: typeof saved,
) {
  const gpa = Number(draft.graduation_gpa)
  const edit = {
    ...(draft.graduation_hours !== saved.graduation_hours && { hours: draft.graduation_hours }),
    ...(gpa !== Number(saved.graduation_gpa) && gpa >= 0 && gpa <= 4 && { gpa: Math.round(gpa * 100) / 100 }),
    ...(draft.min_training_weeks !== saved.min_training_weeks && { training_weeks: draft.min_training_weeks }),
  }
  return Object.keys(edit).length ? edit : null
}

/** Exams, warnings, repeated courses and graduation. */
export function Rules({ row }: { row: { id: number } }) {
  return (
    <SettingsOf id={row.id}>
      {(saved) => {
        const letters = saved.grade_types.find((type) => type.kind === 'letter')?.ranges.map((r) => r.letter) ?? []
        return (
          <>
            {worksByMarks(saved.program_type) ? (
              <>
                <Promotion />
                <GraceSettings />
              </>
            ) : (
              <>
                <CourseResult />
                <Warnings />
                <Repeats letters={letters} />
              </>
            )}
            <LeftCourses />
            <Absence />
            <Graduation id={row.id} saved={saved} />
          </>
        )
      }}
    </SettingsOf>
  )
}

/** What a course needs besides its total. */
function CourseResult() {
  const say = useLabel()
  return (
    <Section title={['Course result', 'نتيجة المقرر']} keys={['min_percentage_final_exam', 'total_places']}>
      {(draft) => {
        const put = inputs(draft, say)
        return (
          <div className={css.fields}>
            {put.decimal(
              'min_percentage_final_exam',
              ['Minimum of the final exam (%)', 'الحد الأدنى للاختبار النهائي (%)'],
              [
                '0 to 30. Under it the course is failed, whatever the total.',
                'من 0 إلى 30. دونه يرسب الطالب مهما كان المجموع.',
              ],
            )}
            {put.number('total_places', ['Decimal places of the total', 'المنازل العشرية للمجموع'], {
              max: 2,
              help: ['Halves are rounded up, once.', 'يُجبر النصف إلى أعلى مرة واحدة.'],
            })}
          </div>
        )
      }}
    </Section>
  )
}

/** When a student is warned, and what follows. */
function Warnings() {
  const say = useLabel()
  return (
    <Section
      title={['Academic warnings', 'الإنذارات الأكاديمية']}
      keys={[
        'warning_type',
        'warning_count',
        'warning_gpa',
        'max_warnings',
        'warning_in_summer',
        'warning_max_ch_value',
      ]}
    >
      {(draft) => {
        const put = inputs(draft, say)
        return (
          <div className={css.fields}>
            {put.number('max_warnings', ['Maximum of warnings', 'الحد الأقصى للإنذارات'], {
              max: 20,
              help: ['0 switches warnings off.', 'الصفر يوقف الإنذارات.'],
            })}
            {put.decimal('warning_gpa', ['Warned below GPA', 'الإنذار عند معدل أقل من'])}
            {put.choice('warning_type', ['Which GPA', 'أي معدل'], WARNING_TYPES)}
            {put.choice('warning_count', ['How they are counted', 'طريقة الاحتساب'], WARNING_COUNTS)}
            {put.number('warning_max_ch_value', ['Credit hours under warning', 'الساعات المعتمدة للطالب المنذَر'], {
              max: 300,
              empty: true,
              help: ['Empty: as the load range says.', 'اتركها فارغة ليسري مدى العبء.'],
            })}
            {put.flag('warning_in_summer', ['Summer terms can earn a warning', 'يُحتسب الإنذار في الفصل الصيفي'])}
          </div>
        )
      }}
    </Section>
  )
}

/** What a course taken again counts. */
function Repeats({ letters }: { letters: string[] }) {
  const say = useLabel()
  return (
    <Section
      title={['Repeated courses', 'إعادة المقررات']}
      keys={[
        'repeat_rule',
        'repeat_max_points',
        'max_repeats',
        'improve_max_points',
        'max_improvements',
        'improve_letters',
      ]}
    >
      {(draft) => {
        const put = inputs(draft, say)
        return (
          <div className={css.fields}>
            {put.choice('repeat_rule', ['Which attempt counts', 'المحاولة المحتسبة'], REPEAT_RULES)}
            {put.decimal(
              'repeat_max_points',
              ['Most points after failing', 'أقصى نقاط بعد الرسوب'],
              ['Empty: no limit.', 'اتركها فارغة لعدم التقييد.'],
              true,
            )}
            {put.number('max_repeats', ['Repeats allowed', 'عدد مرات الإعادة'], {
              max: 30,
              empty: true,
              help: ['Empty: no limit.', 'اتركها فارغة لعدم التقييد.'],
            })}
            {put.decimal(
              'improve_max_points',
              ['Most points after improving', 'أقصى نقاط عند التحسين'],
              ['Empty: no limit.', 'اتركها فارغة لعدم التقييد.'],
              true,
            )}
            {put.number('max_improvements', ['Improvements allowed', 'عدد مرات التحسين'], { max: 30 })}
            <TagsInput
              label={say(['Grades that may be improved', 'التقديرات القابلة للتحسين'])}
              description={say(['None: all of them.', 'إذا تُركت فارغة فجميعها.'])}
              classNames={{ pill: css.ltr }}
              data={letters}
              disabled={!draft.set}
              value={draft.value.improve_letters}
              error={draft.value.improve_letters.map((_, i) => draft.problem(`improve_letters.${i}`)).find(Boolean)}
              onChange={(improve_letters) => draft.set!({ improve_letters })}
            />
          </div>
        )
      }}
    </Section>
  )
}

/** What is charged of courses that were left. */
function LeftCourses() {
  const say = useLabel()
  return (
    <Section
      title={['Withdrawn and excused courses', 'المقررات المنسحب منها والتي قُبل عذرها']}
      keys={['withdrawal_steps', 'withdrawal_charge', 'excuse_charge']}
    >
      {(draft) => {
        const put = inputs(draft, say)
        return (
          <>
            <SetTable
              caption={say(['Charged by the day of withdrawal', 'المحتسب بحسب يوم الانسحاب'])}
              columns={WITHDRAWAL_COLUMNS}
              rows={draft.value.withdrawal_steps}
              onChange={
                draft.set ? (rows) => draft.set!({ withdrawal_steps: rows as Settings['withdrawal_steps'] }) : undefined
              }
              fresh={() => ({ summer: false, days: null, percent: '' })}
              problems={wrongIn(draft.problem, 'withdrawal_steps')}
            />
            <div className={css.fields}>
              {put.decimal(
                'withdrawal_charge',
                ['Charged of a withdrawn course (%)', 'المحتسب من رسوم المقرر المنسحب منه (%)'],
                [
                  'Of its fees, after the days above; decided by the day on which the student asked.',
                  'من رسومه بعد الأيام المذكورة أعلاه، ويُحدد بيوم تقديم الطلب.',
                ],
              )}
              {put.decimal(
                'excuse_charge',
                ['Charged of an excused course (%)', 'المحتسب من رسوم المقرر الذي قُبل عذره (%)'],
                ['Of its fees; decided when the excuse is accepted.', 'من رسومه، ويُحدد عند قبول العذر.'],
              )}
            </div>
          </>
        )
      }}
    </Section>
  )
}

/** How often one may be absent. */
function Absence() {
  const say = useLabel()
  return (
    <Section
      title={['Absence', 'الغياب']}
      keys={['absence_warn_share', 'absence_ban_share', 'excused_absence_counts', 'lates_per_absence']}
    >
      {(draft) => {
        const put = inputs(draft, say)
        return (
          <div className={css.fields}>
            {put.decimal(
              'absence_warn_share',
              ['Warned when absent from (%)', 'الإنذار عند غياب بنسبة (%)'],
              ['Of the meetings of the term. Empty: no warning.', 'من مواعيد الفصل. اتركها فارغة لعدم الإنذار.'],
              true,
            )}
            {put.decimal(
              'absence_ban_share',
              ['Ban proposed when absent from (%)', 'اقتراح الحرمان عند غياب بنسبة (%)'],
              [
                'The exam office or control decides. Empty: nobody is banned.',
                'والقرار لشؤون الامتحانات أو الكنترول. اتركها فارغة لعدم الحرمان.',
              ],
              true,
            )}
            {put.number('lates_per_absence', ['Times late that are one absence', 'مرات التأخر المساوية لغياب'], {
              max: 20,
              help: ['0: being late is no absence.', 'الصفر: التأخر ليس غيابًا.'],
            })}
            {put.flag('excused_absence_counts', ['Excused absences count', 'يُحتسب الغياب بعذر'])}
          </div>
        )
      }}
    </Section>
  )
}

/** What a degree needs. */
function Graduation({ id, saved }: { id: number; saved: Settings }) {
  const say = useLabel()
  const byMarks = worksByMarks(saved.program_type)
  return (
    <Section
      title={['Graduation', 'التخرج']}
      keys={[
        'graduation_hours',
        'graduation_gpa',
        'graduating_extra_hours',
        'graduating_extra_courses',
        'min_training_weeks',
        'program_type',
        'in_admission',
      ]}
    >
      {(draft) => {
        const put = inputs(draft, say)
        return (
          <>
            <div className={css.fields}>
              {!byMarks && (
                <>
                  {put.number('graduation_hours', ['Credit hours', 'الساعات المعتمدة'], { max: 300 })}
                  {put.decimal('graduation_gpa', ['Minimum GPA', 'الحد الأدنى للمعدل'])}
                  {put.number(
                    'graduating_extra_hours',
                    ['Extra credit hours in the last term', 'ساعات إضافية في فصل التخرج'],
                    {
                      max: 30,
                      help: ['For whoever can complete the degree with them.', 'لمن يستكمل بها متطلبات الدرجة.'],
                    },
                  )}
                  {put.number(
                    'graduating_extra_courses',
                    ['Extra courses in the last term', 'مقررات إضافية في فصل التخرج'],
                    { max: 10 },
                  )}
                </>
              )}
              {put.number('min_training_weeks', ['Training weeks', 'أسابيع التدريب'], { max: 300 })}
              {put.choice('program_type', ['Program type', 'نظام الدراسة'], PROGRAM_TYPES)}
              {put.flag('in_admission', ['Open for admission', 'متاحة للقبول'])}
            </div>
            <WhoseStanding of="bylaw" id={id} edit={graduationEdit(saved, draft.value)} />
          </>
        )
      }}
    </Section>
  )
}
