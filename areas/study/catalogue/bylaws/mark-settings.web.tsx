/** What a regulation by marks says, on the page of its bylaw: ratings, promotion, chances and grace marks. */
import { ActionIcon, Select } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { Code } from '#kit/web/feedback/index.ts'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import css from '../catalogue.module.css'
import { CARRIED_KINDS, GRACE_PURPOSES } from '../words.contract.ts'
import type { Settings } from './settings.contract.ts'
import { movePass } from './settings.rules.ts'
import { Section, inputs, wrongIn } from './section.web.tsx'
import { SetTable, type SetColumn } from './set-table.web.tsx'
import { Strip } from './strip.web.tsx'

const NAMES: readonly SetColumn[] = [
  { key: 'name', label: ['English name', 'الاسم بالإنجليزية'], kind: 'text' },
  { key: 'name_local', label: ['Arabic name', 'الاسم بالعربية'], kind: 'text' },
]
const RATING_COLUMNS: readonly SetColumn[] = [
  { key: 'code', label: ['Symbol', 'الرمز'], kind: 'code' },
  { key: 'from_share', label: ['From %', 'من %'], kind: 'decimal' },
  ...NAMES,
]

/** Each rating holds up to the next higher one, for the picture of the scale. */
const asRanges = (ratings: Settings['ratings']) => {
  const sorted = ratings.toSorted((a, b) => Number(b.from_share) - Number(a.from_share))
  return sorted.map((one, i) => ({ ...one, to: sorted[i - 1]?.from_share ?? '100' }))
}

const RATING_KEYS = [
  'pass_share',
  'min_percentage_final_exam',
  'total_places',
  'later_sitting_capped',
  'ratings',
] as const

/** When a course is passed, and how marks are rated. */
export function Ratings() {
  const say = useLabel()
  return (
    <Section
      title={['Passing and ratings', 'النجاح والتقديرات']}
      text={[
        'Each rating holds from its share of the maximum up to the next one.',
        'يبدأ كل تقدير من نسبته من النهاية العظمى وينتهي عند بداية التقدير الأعلى.',
      ]}
      keys={RATING_KEYS}
    >
      {(draft) => {
        const { value, set, problem } = draft
        // The rating that began at the share that passes follows it.
        const following: typeof draft = { ...draft, set: set && ((patch) => set(movePass(value, patch))) }
        const put = inputs(following, say)
        return (
          <>
            <div className={css.fields}>
              {put.decimal(
                'pass_share',
                ['Passed from (%)', 'نسبة النجاح (%)'],
                ['Of the maximum of the course.', 'من النهاية العظمى للمقرر.'],
              )}
              {put.decimal(
                'min_percentage_final_exam',
                ['Minimum of the written exam (%)', 'الحد الأدنى للاختبار التحريري (%)'],
                ['Under it the course is failed, whatever the total.', 'دونه يرسب الطالب مهما كان المجموع.'],
              )}
              {put.number('total_places', ['Decimal places of the total', 'المنازل العشرية للمجموع'], {
                max: 2,
                help: ['Halves are rounded up, once.', 'يُجبر النصف إلى أعلى مرة واحدة.'],
              })}
              {put.flag('later_sitting_capped', [
                'A later sitting counts as a pass, no more',
                'النجاح في دور تالٍ بتقدير مقبول',
              ])}
            </div>
            <Strip
              top={100}
              ranges={asRanges(value.ratings).map((one) => ({
                from: one.from_share,
                to: one.to,
                label: say([one.name, one.name_local]),
                tone: Number(one.from_share) >= Number(value.pass_share) ? 'done' : 'refused',
              }))}
            />
            <SetTable
              caption={say(['Ratings', 'التقديرات'])}
              columns={RATING_COLUMNS}
              rows={value.ratings}
              onChange={set ? (rows) => set({ ratings: rows as Settings['ratings'] }) : undefined}
              fresh={() => ({ code: '', from_share: '', name: '', name_local: '' })}
              problems={wrongIn(problem, 'ratings')}
            />
          </>
        )
      }}
    </Section>
  )
}

const LEVEL_COLUMNS: readonly SetColumn[] = [
  { key: 'level', label: ['Level', 'المستوى'], kind: 'integer' },
  { key: 'chances', label: ['Years at most', 'أقصى عدد سنوات'], kind: 'integer' },
  { key: 'counts_for_graduation', label: ['In the cumulative rating', 'في التقدير التراكمي'], kind: 'flag' },
  ...NAMES,
]

/** Levels of a regulation by marks: how many years each may take, and whether it counts for graduation. */
export function MarkLevels() {
  const say = useLabel()
  return (
    <Section
      title={['Levels', 'المستويات']}
      text={[
        'How many years may be spent in each; empty: any number.',
        'عدد السنوات المسموح بها في كل مستوى، واتركه فارغًا لعدم التقييد.',
      ]}
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
            passed_hours: 0,
            chances: 2,
            counts_for_graduation: true,
            name: '',
            name_local: '',
          })}
          problems={wrongIn(problem, 'levels')}
        />
      )}
    </Section>
  )
}

function CarriedCourses({
  value,
  set,
}: {
  value: Settings['carried_courses']
  set: ((courses: Settings['carried_courses']) => void) | null
}) {
  const t = useT('catalogue')
  const say = useLabel()
  const lang = useLanguage()
  return (
    <div>
      <h3 className={css.subheading}>{say(['Courses that are an exception', 'مقررات مستثناة'])}</h3>
      {value.map((one, i) => (
        <div key={one.id ?? `new ${i}`} className={css.head}>
          <span>
            <Code>{one.course?.code}</Code> {one.course && <bdi>{nameOf(one.course, lang)}</bdi>}
          </span>
          <Select
            size="xs"
            disabled={!set}
            allowDeselect={false}
            aria-label={say(['Exception', 'الاستثناء'])}
            data={CARRIED_KINDS.map((kind) => ({ value: kind.value, label: say(kind.label) }))}
            value={one.kind}
            onChange={(kind) =>
              set?.(value.map((old, j) => (j === i ? { ...old, kind: kind as typeof old.kind } : old)))
            }
          />
          {set && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('remove_entry', { number: i + 1 })}
              onClick={() => set(value.filter((_, j) => j !== i))}
            >
              <IconTrash size={15} />
            </ActionIcon>
          )}
        </div>
      ))}
      {set && (
        <LookupInput
          key={value.length}
          resource="course"
          aria-label={t('add_course')}
          placeholder={t('add_course')}
          defaultValue={null}
          onChange={(id, option) => {
            if (id && !value.some((one) => one.course_id === id))
              set([
                ...value,
                {
                  course_id: id,
                  kind: 'required',
                  ...(option && { course: option as NonNullable<(typeof value)[number]['course']> }),
                },
              ])
          }}
        />
      )}
    </div>
  )
}

/** With what a student goes on, and how long a study may take. */
export function Promotion() {
  const say = useLabel()
  return (
    <Section
      title={['Promotion', 'الانتقال بين المستويات']}
      text={[
        'Decided at the end of the academic year, both terms together.',
        'يُحسم في نهاية العام الجامعي عن الفصلين معًا.',
      ]}
      keys={[
        'max_carried',
        'carried_from_final_level',
        'second_session',
        'max_chances',
        'honours_rating',
        'carried_courses',
      ]}
    >
      {(draft) => {
        const put = inputs(draft, say)
        return (
          <>
            <div className={css.fields}>
              {put.number('max_carried', ['Failed courses carried at most', 'أقصى عدد مواد محمولة'], { max: 30 })}
              {put.number('max_chances', ['Years in all', 'أقصى عدد سنوات للدراسة'], {
                max: 30,
                empty: true,
                help: ['Empty: as many as the levels allow.', 'اتركها فارغة لتسري حدود المستويات.'],
              })}
              {put.text(
                'honours_rating',
                ['Honours from the rating', 'مرتبة الشرف من تقدير'],
                ['Its symbol, in every level; empty: no honours.', 'رمز التقدير في كل مستوى، واتركه فارغًا إن لم تُمنح.'],
              )}
              {put.flag('carried_from_final_level', [
                'The final level can carry courses too',
                'يجوز الحمل في المستوى الأخير',
              ])}
              {put.flag('second_session', ['There is a second session', 'يوجد دور ثانٍ'])}
            </div>
            <CarriedCourses
              value={draft.value.carried_courses}
              set={draft.set && ((carried_courses) => draft.set!({ carried_courses }))}
            />
          </>
        )
      }}
    </Section>
  )
}

/** What the council may give, for what first, and how much. */
export function GraceSettings() {
  const say = useLabel()
  return (
    <Section
      title={['Grace marks', 'درجات الرأفة']}
      text={[
        'Given only where they turn a result, with the fewest marks; kept beside the mark that was earned.',
        'لا تُمنح إلا إذا غيّرت النتيجة وبأقل عدد من الدرجات، وتُحفظ منفصلة عن الدرجة الأصلية.',
      ]}
      keys={['grace_order', 'grace_per_course', 'grace_in_all', 'grace_share', 'grace_on_transcript']}
    >
      {(draft) => {
        const put = inputs(draft, say)
        const { value, set } = draft
        const at = (i: number) => value.grace_order[i] ?? ''
        return (
          <div className={css.fields}>
            {put.decimal(
              'grace_per_course',
              ['For a course at most', 'الحد الأقصى للمقرر'],
              ['0: no grace marks.', 'الصفر: لا توجد درجات رأفة.'],
            )}
            {put.decimal(
              'grace_in_all',
              ['In all at most', 'الحد الأقصى الإجمالي'],
              ['Empty: no limit.', 'اتركها فارغة لعدم التقييد.'],
              true,
            )}
            {put.decimal(
              'grace_share',
              ['In all, share of the level (%)', 'الحد الإجمالي كنسبة من المستوى (%)'],
              ['Empty: no limit.', 'اتركها فارغة لعدم التقييد.'],
              true,
            )}
            {[0, 1, 2].map((i) => (
              <Select
                key={i}
                label={say(ORDER[i]!)}
                disabled={!set || (i > 0 && !at(i - 1))}
                clearable
                error={i === 0 ? draft.problem('grace_order') : undefined}
                data={GRACE_PURPOSES.filter(
                  (purpose) => purpose.value === at(i) || !value.grace_order.includes(purpose.value),
                ).map((purpose) => ({ value: purpose.value, label: say(purpose.label) }))}
                value={at(i) || null}
                onChange={(chosen) =>
                  set?.({
                    grace_order: chosen
                      ? [...value.grace_order.slice(0, i), chosen, ...value.grace_order.slice(i + 1)]
                      : value.grace_order.slice(0, i),
                  })
                }
              />
            ))}
            {put.flag('grace_on_transcript', ['Shown on the transcript', 'تظهر في بيان الدرجات'])}
          </div>
        )
      }}
    </Section>
  )
}
const ORDER = [
  ['First for', 'أولًا'],
  ['Then for', 'ثم'],
  ['Last for', 'أخيرًا'],
] as const
