import { Button, Select } from '@mantine/core'
import type { Label } from '#kit/contract/index.ts'
import { useLabel, useT } from '#kit/web/i18n/index.ts'
import { controlStatuses, controlStatusTexts } from '#areas/common/academics/control.rules.ts'
import css from '../catalogue.module.css'
import { worksByMarks } from '../mark-regulation.rules.ts'
import { SPECIAL_GRADES } from '../words.contract.ts'
import { Conversions } from './conversion-settings.web.tsx'
import { MarkLevels, Ratings } from './mark-settings.web.tsx'
import { Section, SettingsOf, wrongIn } from './section.web.tsx'
import { SPECIAL_STATUSES, type Settings } from './settings.contract.ts'
import { gpaRanges, percentRanges } from './settings.rules.ts'
import { SetTable, type SetRow, type SetColumn } from './set-table.web.tsx'
import { Strip } from './strip.web.tsx'

// --- Grades ---------------------------------------------------------------------------------------------------------

const NAME: SetColumn = { key: 'name', label: ['English name', 'الاسم بالإنجليزية'], kind: 'text' }
const NAME_LOCAL: SetColumn = { key: 'name_local', label: ['Arabic name', 'الاسم بالعربية'], kind: 'text' }
const RANGE_COLUMNS: readonly SetColumn[] = [
  { key: 'letter', label: ['Letter', 'الرمز'], kind: 'code' },
  { key: 'from_percent', label: ['From %', 'من %'], kind: 'decimal' },
  { key: 'to_percent', label: ['To %', 'إلى %'], kind: 'decimal' },
  { key: 'points', label: ['Points', 'النقاط'], kind: 'decimal' },
  { key: 'success', label: ['Success', 'نجاح'], kind: 'flag' },
  NAME,
  NAME_LOCAL,
]
const TYPE_NAMES: Readonly<Record<'letter' | 'pass_fail', Label>> = {
  letter: ['Letter grades', 'تقديرات'],
  pass_fail: ['Pass or fail', 'ناجح أو راسب'],
}
const range = (
  letter: string,
  from: string,
  to: string,
  points: string,
  success: boolean,
  name: string,
  name_local: string,
) => ({ letter, from_percent: from, to_percent: to, points, success, name, name_local })
/** What a bylaw without grades may begin with. */
const USUAL = {
  letter: () => [
    range('A', '90', '100', '4', true, 'Excellent', 'ممتاز'),
    range('B', '80', '90', '3', true, 'Very good', 'جيد جدًا'),
    range('C', '70', '80', '2', true, 'Good', 'جيد'),
    range('D', '60', '70', '1', true, 'Pass', 'مقبول'),
    range('F', '0', '60', '0', false, 'Fail', 'راسب'),
  ],
  pass_fail: () => [
    range('P', '60', '100', '0', true, 'Pass', 'ناجح'),
    range('NP', '0', '60', '0', false, 'Not passed', 'راسب'),
  ],
}

function GradeTypes() {
  const t = useT('catalogue')
  const say = useLabel()
  return (
    <Section
      title={['Grades', 'التقديرات']}
      text={[
        'Ranges tile 0 to 100: each holds its lower bound and all below its upper one.',
        'تغطي المديات من 0 إلى 100: يشمل كل مدى حده الأدنى وما دون حده الأعلى.',
      ]}
      keys={['grade_types']}
    >
      {({ value, set, problem }) => (
        <>
          {value.grade_types.map((type, i) => {
            const ranges = (next: SetRow[]) =>
              set!({
                grade_types: value.grade_types.map((gradeType, j) =>
                  j === i ? { ...gradeType, ranges: next as typeof type.ranges } : gradeType,
                ),
              })
            return (
              <div key={type.kind}>
                <div className={css.head}>
                  <h3 className={css.subheading}>{say(TYPE_NAMES[type.kind])}</h3>
                  {set && (
                    <Button
                      size="compact-xs"
                      variant="subtle"
                      color="gray"
                      onClick={() => set({ grade_types: value.grade_types.filter((_, j) => j !== i) })}
                    >
                      {t('remove_grade_type')}
                    </Button>
                  )}
                </div>
                <Strip
                  top={100}
                  ranges={type.ranges.map((r) => ({
                    from: r.from_percent,
                    to: r.to_percent,
                    label: r.letter,
                    tone: r.success ? 'done' : 'refused',
                  }))}
                />
                <SetTable
                  caption={say(TYPE_NAMES[type.kind])}
                  columns={RANGE_COLUMNS}
                  rows={type.ranges}
                  onChange={set ? ranges : undefined}
                  onLeave={(index, before) => {
                    // The ranges that shared a boundary with it follow.
                    const now = type.ranges[index]!
                    ranges(
                      percentRanges.move(
                        type.ranges.map((r, j) => (j === index ? (before as typeof r) : r)),
                        index,
                        now,
                      ),
                    )
                  }}
                  fresh={() => ({
                    letter: '',
                    from_percent: '',
                    to_percent: '',
                    points: '',
                    success: true,
                    name: '',
                    name_local: '',
                  })}
                  problems={wrongIn(problem, `grade_types.${i}.ranges`)}
                />
              </div>
            )
          })}
          {set &&
            (['letter', 'pass_fail'] as const)
              .filter((kind) => !value.grade_types.some((type) => type.kind === kind))
              .map((kind) => (
                <Button
                  key={kind}
                  mt="sm"
                  me="sm"
                  size="compact-sm"
                  variant="default"
                  onClick={() =>
                    set({
                      grade_types: [
                        ...value.grade_types,
                        { kind, name: TYPE_NAMES[kind][0], name_local: TYPE_NAMES[kind][1], ranges: USUAL[kind]() },
                      ],
                    })
                  }
                >
                  {t('add_grade_type', { name: say(TYPE_NAMES[kind]) })}
                </Button>
              ))}
        </>
      )}
    </Section>
  )
}

const SPECIAL_COLUMNS: readonly SetColumn[] = [
  {
    key: 'status',
    label: ['Status', 'الحالة'],
    kind: 'choice',
    choices: SPECIAL_STATUSES.map((value) => ({ value, label: SPECIAL_GRADES[value] })),
  },
  { key: 'letter', label: ['Letter', 'الرمز'], kind: 'code' },
  { key: 'points', label: ['Points', 'النقاط'], kind: 'decimal' },
  { key: 'counts_in_gpa', label: ['In GPA', 'في المعدل'], kind: 'flag' },
  { key: 'counts_in_attempted_hours', label: ['In attempted hours', 'في الساعات المسجلة'], kind: 'flag' },
  NAME,
  NAME_LOCAL,
]

/** What speaks of points and GPA, which a regulation by marks does not know. */
const GPA_KEYS: ReadonlySet<string> = new Set(['points', 'counts_in_gpa', 'counts_in_attempted_hours', 'gpa'])

function SpecialGrades({ byMarks }: { byMarks: boolean }) {
  const say = useLabel()
  return (
    <Section
      title={['Special grades', 'تقديرات خاصة']}
      text={['Given by a status of the registration, not by a percentage.', 'تُمنح بحسب حالة التسجيل لا بحسب النسبة.']}
      keys={['special_grades']}
    >
      {({ value, set, problem }) => (
        <SetTable
          caption={say(['Special grades', 'تقديرات خاصة'])}
          columns={byMarks ? SPECIAL_COLUMNS.filter((column) => !GPA_KEYS.has(column.key)) : SPECIAL_COLUMNS}
          rows={value.special_grades}
          onChange={set ? (rows) => set({ special_grades: rows as Settings['special_grades'] }) : undefined}
          fresh={() => {
            const status = SPECIAL_STATUSES.find(
              (specialStatus) => !value.special_grades.some((grade) => grade.status === specialStatus),
            )
            return status
              ? {
                  status,
                  letter: '',
                  points: '0',
                  counts_in_gpa: false,
                  counts_in_attempted_hours: false,
                  name: SPECIAL_GRADES[status][0],
                  name_local: SPECIAL_GRADES[status][1],
                }
              : null
          }}
          problems={wrongIn(problem, 'special_grades')}
        />
      )}
    </Section>
  )
}

const STEPS = [
  { value: '', label: ['Never', 'لا تظهر'] as Label },
  ...controlStatuses.map((value) => ({
    value,
    label: [controlStatusTexts[value].en, controlStatusTexts[value].ar] as Label,
  })),
]
const RATING: Label = ['Rating', 'التقدير']
const PARTS: Readonly<Record<keyof Settings['grades_visibility'], Label>> = {
  marks: ['Marks', 'الدرجات'],
  letter: ['Letter', 'التقدير'],
  points: ['Points', 'النقاط'],
  gpa: ['GPA', 'المعدل'],
}

function Visibility({ byMarks }: { byMarks: boolean }) {
  const say = useLabel()
  return (
    <Section
      title={['What students see', 'ما يراه الطلاب']}
      text={[
        'From which control status a student sees each part of a result.',
        'الحالة التي يظهر منها كل جزء من النتيجة للطالب.',
      ]}
      keys={['grades_visibility']}
    >
      {({ value, set, problem }) => (
        <div className={css.fields}>
          {(Object.keys(PARTS) as (keyof typeof PARTS)[])
            .filter((part) => !byMarks || !GPA_KEYS.has(part))
            .map((part) => (
              <Select
                key={part}
                label={say(byMarks && part === 'letter' ? RATING : PARTS[part])}
                data={STEPS.map((step) => ({ value: step.value, label: say(step.label) }))}
                value={value.grades_visibility[part] ?? ''}
                error={problem(`grades_visibility.${part}`)}
                disabled={!set}
                allowDeselect={false}
                onChange={(status) =>
                  set!({ grades_visibility: { ...value.grades_visibility, [part]: (status || null) as never } })
                }
              />
            ))}
        </div>
      )}
    </Section>
  )
}

/** Grades of a bylaw: schemes with their ranges, special grades, and when students see them. */
export const BylawGrades = ({ row }: { row: { id: number } }) => (
  <SettingsOf id={row.id}>
    {(saved) => {
      const byMarks = worksByMarks(saved.program_type)
      return (
        <>
          {byMarks ? <Ratings /> : <GradeTypes />}
          <SpecialGrades byMarks={byMarks} />
          <Conversions saved={saved} />
          <Visibility byMarks={byMarks} />
        </>
      )
    }}
  </SettingsOf>
)

// --- Levels and loads -----------------------------------------------------------------------------------------------

const LEVEL_COLUMNS: readonly SetColumn[] = [
  { key: 'level', label: ['Level', 'المستوى'], kind: 'integer' },
  { key: 'passed_hours', label: ['Passed hours', 'الساعات المجتازة'], kind: 'integer' },
  NAME,
  NAME_LOCAL,
]
const FROM: SetColumn = { key: 'from_gpa', label: ['From GPA', 'من معدل'], kind: 'decimal' }
const TO: SetColumn = { key: 'to_gpa', label: ['To GPA', 'إلى معدل'], kind: 'decimal' }
const GPA_COLUMNS: readonly SetColumn[] = [FROM, TO, NAME, NAME_LOCAL]
const LOAD_COLUMNS: readonly SetColumn[] = [
  FROM,
  TO,
  { key: 'max_ch_value', label: ['Credit hours', 'الساعات المعتمدة'], kind: 'integer' },
  { key: 'max_summer_ch_value', label: ['In summer', 'في الصيف'], kind: 'integer' },
  { key: 'max_courses', label: ['Courses', 'المقررات'], kind: 'integer' },
]

/** Levels, classifications and loads of a bylaw. */
export function Levels({ row }: { row: { id: number } }) {
  const t = useT('catalogue')
  const say = useLabel()
  return (
    <SettingsOf id={row.id}>
      {({ program_type }) =>
        worksByMarks(program_type) ? (
          <MarkLevels />
        ) : (
          <>
            <Section
              title={['Levels', 'المستويات']}
              text={['The passed hours that open each level.', 'الساعات المجتازة التي ينتقل بها الطالب إلى كل مستوى.']}
              keys={['levels']}
            >
              {({ value, set, problem }) => (
                <SetTable
                  caption={say(['Levels', 'المستويات'])}
                  columns={LEVEL_COLUMNS}
                  rows={value.levels}
                  onChange={set ? (rows) => set({ levels: rows as Settings['levels'] }) : undefined}
                  fresh={() => ({
                    level: Math.min(7, 1 + Math.max(0, ...value.levels.map((l) => l.level))),
                    passed_hours: value.levels.length ? null : 0,
                    name: '',
                    name_local: '',
                  })}
                  problems={wrongIn(problem, 'levels')}
                />
              )}
            </Section>
            <Section
              title={['Classification', 'التقدير العام']}
              text={[
                'How a cumulative GPA is called. Below the lowest range there is no classification.',
                'تسمية المعدل التراكمي. لا تقدير دون أدنى مدى.',
              ]}
              keys={['gpa_ranges']}
            >
              {({ value, set, problem }) => (
                <>
                  <Strip
                    top={4}
                    ranges={value.gpa_ranges.map((r) => ({
                      from: r.from_gpa,
                      to: r.to_gpa,
                      label: say([r.name, r.name_local]),
                      tone: 'active',
                    }))}
                  />
                  <SetTable
                    caption={say(['Classification', 'التقدير العام'])}
                    columns={GPA_COLUMNS}
                    rows={value.gpa_ranges}
                    onChange={set ? (rows) => set({ gpa_ranges: rows as Settings['gpa_ranges'] }) : undefined}
                    onLeave={(index, before) =>
                      set!({
                        gpa_ranges: gpaRanges.move(
                          value.gpa_ranges.map((r, j) => (j === index ? (before as typeof r) : r)),
                          index,
                          value.gpa_ranges[index]!,
                        ),
                      })
                    }
                    fresh={() => ({ from_gpa: '', to_gpa: '', name: '', name_local: '' })}
                    problems={wrongIn(problem, 'gpa_ranges')}
                  />
                </>
              )}
            </Section>
            <Section
              title={['Load', 'العبء الدراسي']}
              text={['How much a student may register, by GPA.', 'الحد الأقصى للتسجيل بحسب المعدل.']}
              keys={['load_ranges']}
            >
              {({ value, set, problem }) => (
                <>
                  <Strip
                    top={4}
                    ranges={value.load_ranges.map((r) => ({
                      from: r.from_gpa,
                      to: r.to_gpa,
                      label: t('hours_short', { count: r.max_ch_value || 0 }),
                      tone: 'active',
                    }))}
                  />
                  <SetTable
                    caption={say(['Load', 'العبء الدراسي'])}
                    columns={LOAD_COLUMNS}
                    rows={value.load_ranges}
                    onChange={set ? (rows) => set({ load_ranges: rows as Settings['load_ranges'] }) : undefined}
                    onLeave={(index, before) =>
                      set!({
                        load_ranges: gpaRanges.move(
                          value.load_ranges.map((r, j) => (j === index ? (before as typeof r) : r)),
                          index,
                          value.load_ranges[index]!,
                        ),
                      })
                    }
                    fresh={() => ({
                      from_gpa: '',
                      to_gpa: '',
                      max_ch_value: null,
                      max_summer_ch_value: null,
                      max_courses: null,
                    })}
                    problems={wrongIn(problem, 'load_ranges')}
                  />
                </>
              )}
            </Section>
          </>
        )
      }
    </SettingsOf>
  )
}
