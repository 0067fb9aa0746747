/** What a transcript says under a regulation by marks: marks out of maxima and ratings in place of letters and points. */
import { sql } from 'kysely'
import { parseHundredths, trimHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { REGISTRATION_STATES } from '#areas/common/academics/registration-words.contract.ts'
import { OUTCOMES } from '#areas/records/level-results/words.contract.ts'
import { inLanguage } from '#kit/contract/index.ts'
import type { Label, PaperLanguage } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { nameIn } from '#kit/server/base/fields.ts'
import { levelsOf, levelSumOf } from '../record/levels.server.ts'
import type { LevelOfYear } from '../record/levels.server.ts'
import type { Taken } from '../record/academic-record.server.ts'

const WORDS = {
  course_code: ['Code', 'الكود'],
  course: ['Course', 'المقرر'],
  maximum: ['Out of', 'النهاية العظمى'],
  mark: ['Mark', 'الدرجة'],
  rating: ['Rating', 'التقدير'],
  note: ['Note', 'ملاحظة'],
  sum: ['Sum of marks', 'المجموع'],
  level_rating: ['Rating of the level', 'تقدير المستوى'],
  result: ['Result', 'النتيجة'],
  cumulative: ['Cumulative rating', 'التقدير العام التراكمي'],
  honours: ['Honours', 'مرتبة الشرف'],
  with_honours: ['with honours', 'مع مرتبة الشرف'],
  share: ['Percent of the maximum', 'النسبة من النهاية العظمى'],
  level: ['Level', 'المستوى'],
} as const satisfies Record<string, Label>

interface Named {
  name: string
  name_local: string
}

/** Rows of terms, the facts at the end and the legend. `signs`: what stands in the column of notes of a course. */
export async function marksTranscript(
  ctx: Ctx,
  student: { readonly id: number; readonly bylaw_id: number },
  shown: readonly Taken[],
  {
    lang,
    all,
    signs,
    ...of
  }: {
    lang: PaperLanguage
    all: boolean
    signs: (one: Taken) => string
    name: (courses: readonly Taken[]) => string
    /** Of a term by credit hours, before the student came to marks. */
    figures: (courses: readonly Taken[]) => { label: string; value: string }[] | null
  },
) {
  const say = (word: keyof typeof WORDS): string => inLanguage(WORDS[word], lang)
  const levels = await levelsOf(ctx, student.id, all)
  const { rows: ratings } = await sql<Named & { code: string; from: string; to: string | null }>`
    select code, name, name_local, trim_scale(from_share)::text as "from",
      trim_scale(lead(from_share) over (order by from_share))::text as "to"
    from bylaw_ratings where bylaw_id = ${student.bylaw_id} order by from_share desc`.execute(ctx.db)
  const grace = new Map(
    levels.flatMap((one) =>
      Object.entries(one.by_registration).map(
        ([id, marks]) => [Number(id), { marks, apart: one.on_transcript }] as const,
      ),
    ),
  )
  /** The mark that counts; grace marks stand apart only where the decision says so. */
  const markOf = (one: Taken): string => {
    const total = one.total === null ? null : parseHundredths(one.total)
    if (total === null) return ''
    const added = grace.get(one.registration_id)
    if (!added) return trimHundredths(total)
    return added.apart
      ? `${trimHundredths(total)} + ${trimHundredths(added.marks)}`
      : trimHundredths(total + added.marks)
  }
  const groups = [...Map.groupBy(shown, (one) => one.term.id).values()]
  const figures = (one: LevelOfYear) => {
    const { marks, maximum, share } = levelSumOf(one)
    const outcome = OUTCOMES.find((known) => known.value === one.outcome)
    return [
      { label: say('level'), value: nameIn(one.level, lang) ?? '' },
      { label: say('sum'), value: `${marks} / ${maximum}` },
      ...(share === null ? [] : [{ label: '%', value: share }]),
      ...(one.rating ? [{ label: say('level_rating'), value: nameIn(one.rating, lang) ?? '' }] : []),
      ...(outcome ? [{ label: say('result'), value: inLanguage(outcome.label, lang) }] : []),
    ]
  }
  const terms = groups.map((courses, i) => {
    // The result of a level closes the last term of its year.
    const closing = levels.find(
      (one) =>
        one.terms.includes(courses[0]!.term.id) &&
        !groups.slice(i + 1).some((later) => one.terms.includes(later[0]!.term.id)),
    )
    return {
      name: of.name(courses),
      unsettled: '',
      rows: courses.map((one) => {
        const state = REGISTRATION_STATES.find((known) => known.value === one.main)!
        return [
          one.course.code ?? '',
          nameIn(one.course, lang) ?? '',
          one.maximum === null ? '' : String(one.maximum),
          markOf(one),
          nameIn(one.rating, lang) ?? one.letter ?? inLanguage(state.label, lang),
          signs(one),
        ]
      }),
      figures: closing ? figures(closing) : (of.figures(courses) ?? []),
    }
  })
  const degree = levels.findLast((one) => one.degree)?.degree
  return {
    columns: (['course_code', 'course', 'maximum', 'mark', 'rating', 'note'] as const).map(say),
    terms,
    items: [
      ...levels.flatMap((one) =>
        one.rating ? [{ label: nameIn(one.level, lang) ?? '', value: nameIn(one.rating, lang) ?? '' }] : [],
      ),
      ...(degree?.rating
        ? [
            {
              label: say('cumulative'),
              value: `${nameIn(degree.rating, lang) ?? ''} (${degree.share} %)`,
            },
          ]
        : []),
      ...(degree?.honours ? [{ label: say('honours'), value: say('with_honours') }] : []),
    ],
    legend: {
      columns: [say('rating'), say('share'), ''],
      rows: ratings.map((one) => [
        nameIn(one, lang) ?? one.code,
        `${one.from} – ${one.to === null ? '100' : `< ${one.to}`}`,
        '',
      ]),
    },
  }
}
