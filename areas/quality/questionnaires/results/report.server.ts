/** Results as a sheet and on paper, in Arabic or English. */
import { fileURLToPath } from 'node:url'
import { dayOf } from '#kit/contract/day.ts'
import { inLanguage, type Label, type PaperLanguage } from '#kit/contract/index.ts'
import type { Ctx, FileResult } from '#kit/server/base/context.ts'
import { registerTemplate } from '#kit/server/documents/index.ts'
import { fileName } from '#kit/server/base/file-name.ts'
import type { UniversityHead } from '#kit/server/base/university.ts'
import { renderPaper } from '#kit/server/papers/papers.ts'
import { tableFile, type ExportColumn } from '#kit/server/resource/transfer.ts'
import type { FormQuestion } from '../types/form.contract.ts'
import { atomKey, answersOf, partOf, type Figures } from './compare.rules.ts'
import type { AllResults, SetResult } from './all.server.ts'
import type { QuestionnaireResult, ResultFigure } from './results.contract.ts'
import type { ResultNamed } from './results.server.ts'

registerTemplate('questionnaire-results', fileURLToPath(new URL('./results.typ', import.meta.url)))

const WORDS = {
  title: ['Results', 'نتائج'],
  term: ['Term', 'الفصل الدراسي'],
  course: ['Course', 'المقرر'],
  code: ['Code', 'الكود'],
  instructor: ['Instructor', 'عضو هيئة التدريس'],
  asked: ['Asked', 'المستهدفون'],
  answered: ['Answered', 'من أجابوا'],
  rate: ['Response rate', 'نسبة المشاركة'],
  made: ['Made on', 'تاريخ الإعداد'],
  all: ['All together', 'الجميع معًا'],
  small: ['Small ones together', 'المجموعات الصغيرة مجتمعة'],
  question: ['Question', 'السؤال'],
  answers: ['Answers', 'عدد الإجابات'],
  mean: ['Mean', 'المتوسط'],
  deviation: ['Standard deviation', 'الانحراف المعياري'],
  low: ['95% interval from', 'فترة ثقة 95% من'],
  high: ['95% interval to', 'فترة ثقة 95% إلى'],
  department: ['Mean of the department', 'متوسط القسم'],
  faculty: ['Mean of the faculty', 'متوسط الكلية'],
  before: ['Mean of terms before', 'متوسط الفصول السابقة'],
  each: ['How often each answer was given', 'تكرار كل إجابة'],
  strengths: ['Strengths', 'نقاط القوة'],
  weaknesses: ['Weaknesses', 'نقاط الضعف'],
  compared: ['Against the other offerings of the faculty', 'مقارنة بمقررات الكلية الأخرى'],
  few: ['few answers: chance may explain it', 'إجابات قليلة وقد يكون الفرق مصادفة'],
  same: [
    'Everybody who was asked said the same, so it is not kept what.',
    'أجاب كل المستهدفين بالإجابة نفسها فلم تُحفظ.',
  ],
  comments: ['Comments', 'التعليقات'],
  rule: [
    'No figure rests on fewer than five answers. Names in comments are masked.',
    'لا رقم مبني على أقل من خمس إجابات، والأسماء في التعليقات محجوبة.',
  ],
} as const satisfies Record<string, Label>
type Word = keyof typeof WORDS

/** What a report or a sheet is about. */
export interface Reported extends Omit<Figures, 'figures'>, Pick<QuestionnaireResult, 'asked' | 'answered'> {
  readonly figures: readonly ResultFigure[]
  readonly course: ResultNamed | null
  readonly instructor: ResultNamed | null
  readonly pooled: boolean
  /** Comments that are shown, by the question's key. */
  readonly comments: (question: string) => readonly string[]
}
export interface ReportHead extends Pick<AllResults, 'type' | 'term' | 'questions'> {
  readonly university: UniversityHead
}

const namedIn = (lang: PaperLanguage) => (one: { name: string; name_local?: string | null | undefined }) =>
  lang === 'ar' ? one.name_local || one.name : one.name
const saidIn = (lang: PaperLanguage) => (word: Word) => inLanguage(WORDS[word], lang)

/** What it is about, in one line. */
function aboutOf(of: Reported, lang: PaperLanguage): string {
  const name = namedIn(lang)
  if (of.pooled) return saidIn(lang)('small')
  return [of.course, of.instructor].flatMap((one) => (one ? [name(one)] : [])).join(' · ') || saidIn(lang)('all')
}
const rateOf = ({ asked, answered }: Reported): string => (asked ? `${Math.round((100 * answered) / asked)}%` : '–')
const rounded = (value: number | null | undefined): string => (value == null ? '' : value.toFixed(2))

/** A question with the row it is about. */
function titleOf(question: FormQuestion, part: number, lang: PaperLanguage): string {
  const name = namedIn(lang)
  const row = partOf(question, part)
  return row ? `${name(question.text)} · ${name(row)}` : name(question.text)
}
/** How an answer is called: the words of a point, an option, a place, or a number. */
const answerName = (question: FormQuestion, value: number, lang: PaperLanguage): string => {
  const option = question.kind === 'number' || question.kind === 'ranking' ? undefined : question.options[value - 1]
  return option ? namedIn(lang)(option) : String(value)
}

/** What the template draws of one report. */
function sheetOf({ type, term, questions }: ReportHead, of: Reported, lang: PaperLanguage) {
  const say = saidIn(lang)
  const name = namedIn(lang)
  const byKey = new Map(questions.map((question) => [question.key, question]))
  const judged = (title: Word, all: Reported['strong']) => ({
    title: say(title),
    items: all.flatMap(({ key, few }) => {
      const [question = '', part = '0'] = key.split(' ')
      const found = byKey.get(question)
      return found ? [`${titleOf(found, Number(part), lang)}${few ? ` (${say('few')})` : ''}`] : []
    }),
  })
  const figure = (one: ResultFigure, question: FormQuestion) => {
    const { moments, counts } = one
    const rows = counts
      ? answersOf(question, counts).map((value) => ({ value, times: counts[String(value)] ?? 0 }))
      : []
    const facts: readonly (readonly [Word, string])[] = [
      ['answers', String(one.n)],
      ['mean', rounded(moments?.mean)],
      ['low', rounded(moments?.interval?.[0])],
      ['high', rounded(moments?.interval?.[1])],
      ['department', rounded(one.department)],
      ['faculty', rounded(one.faculty)],
      ['before', rounded(one.before)],
    ]
    return {
      title: titleOf(question, one.part, lang),
      facts: facts.filter(([, value]) => value !== '').map(([word, value]) => ({ label: say(word), value })),
      note: counts ? '' : say('same'),
      rows: rows.map(({ value, times }) => ({
        label: answerName(question, value, lang),
        share: one.n ? times / one.n : 0,
        value: `${times} (${one.n ? Math.round((100 * times) / one.n) : 0}%)`,
      })),
    }
  }
  return {
    title: `${say('title')}: ${name(type)}`,
    below: aboutOf(of, lang),
    facts: [
      ...(term ? [{ label: say('term'), value: name(term) }] : []),
      { label: say('asked'), value: String(of.asked) },
      { label: say('answered'), value: String(of.answered) },
      { label: say('rate'), value: rateOf(of) },
      { label: say('made'), value: dayOf() },
    ],
    compared: say('compared'),
    judged: [judged('strengths', of.strong), judged('weaknesses', of.weak)].filter(({ items }) => items.length > 0),
    figures: of.figures.flatMap((one) => {
      const question = byKey.get(one.question)
      return question ? [figure(one, question)] : []
    }),
    comments: questions.flatMap((question) => {
      const items = of.comments(question.key)
      return items.length ? [{ title: `${say('comments')}: ${name(question.text)}`, items }] : []
    }),
  }
}

/** The report of one offering or instructor, or of all together. */
export const reportPdf = (head: ReportHead, of: Reported, lang: PaperLanguage): Promise<Uint8Array> =>
  renderPaper({
    template: 'questionnaire-results',
    data: {
      lang,
      title: `${saidIn(lang)('title')}: ${namedIn(lang)(head.type)}`,
      note: saidIn(lang)('rule'),
      university: head.university,
      sheet: sheetOf(head, of, lang),
    },
    created: new Date(),
  })
/** Of all reports together. */
export const reportsName = ({ type, term }: Pick<ReportHead, 'type' | 'term'>, lang: PaperLanguage): string =>
  fileName('zip', saidIn(lang)('title'), namedIn(lang)(type), term && namedIn(lang)(term), dayOf())
export const reportName = (head: Pick<ReportHead, 'type'>, of: Reported, lang: PaperLanguage): string =>
  fileName(
    'pdf',
    saidIn(lang)('title'),
    namedIn(lang)(head.type),
    of.course?.code ?? null,
    aboutOf(of, lang),
    of.pooled || of.course ? null : dayOf(),
  )

/** One set: a line for each question, with how often each answer was given. */
export async function detailSheet(
  ctx: Ctx,
  { type, questions }: Pick<ReportHead, 'type' | 'questions'>,
  of: Reported,
  lang: PaperLanguage,
): Promise<FileResult> {
  const say = saidIn(lang)
  const byKey = new Map(questions.map((question) => [question.key, question]))
  const rows = of.figures.flatMap((figure) => {
    const question = byKey.get(figure.question)
    return question ? [{ figure, question }] : []
  })
  type Row = (typeof rows)[number]
  const figure = (word: Word, value: (row: Row) => number | null | undefined): ExportColumn<Row> => ({
    header: say(word),
    type: 'decimal',
    text: (row) => {
      const found = value(row)
      return found == null ? null : Math.round(found * 100) / 100
    },
  })
  return tableFile(
    ctx,
    {
      title: say('title'),
      name: fileName('xlsx', say('title'), namedIn(lang)(type), of.course?.code ?? null, aboutOf(of, lang)),
      lang,
      columns: [
        {
          header: say('question'),
          type: 'text',
          text: ({ figure: one, question }) => titleOf(question, one.part, lang),
        },
        { header: say('answers'), type: 'number', text: ({ figure: one }) => one.n },
        figure('mean', ({ figure: one }) => one.moments?.mean),
        figure('deviation', ({ figure: one }) => one.moments?.deviation),
        figure('low', ({ figure: one }) => one.moments?.interval?.[0]),
        figure('high', ({ figure: one }) => one.moments?.interval?.[1]),
        figure('department', ({ figure: one }) => one.department),
        figure('faculty', ({ figure: one }) => one.faculty),
        figure('before', ({ figure: one }) => one.before),
        {
          header: say('each'),
          type: 'text',
          text: ({ figure: { counts }, question }) =>
            counts
              ? answersOf(question, counts)
                  .map((value) => `${answerName(question, value, lang)}: ${counts[String(value)] ?? 0}`)
                  .join(' | ')
              : say('same'),
        },
      ],
      rows,
      facts: [],
    },
    'xlsx',
  )
}

/** All sets: a line for each, with the mean of each question. */
export async function overviewSheet(ctx: Ctx, all: AllResults, lang: PaperLanguage): Promise<FileResult> {
  const say = saidIn(lang)
  const name = namedIn(lang)
  const parts = [
    ...new Map(
      all.sets.flatMap(({ figures }) => figures.filter(({ moments }) => moments).map((one) => [atomKey(one), one])),
    ).values(),
  ]
  const byKey = new Map(all.questions.map((question) => [question.key, question]))
  const text = (word: Word, of: (set: SetResult) => string): ExportColumn<SetResult> => ({
    header: say(word),
    type: 'text',
    text: of,
  })
  return tableFile(
    ctx,
    {
      title: say('title'),
      name: fileName('xlsx', say('title'), name(all.type), all.term && name(all.term)),
      lang,
      columns: [
        text('code', ({ course }) => course?.code ?? ''),
        text('course', ({ course, pooled }) => (pooled ? say('small') : course ? name(course) : say('all'))),
        text('instructor', ({ instructor }) => (instructor ? name(instructor) : '')),
        { header: say('asked'), type: 'number', text: ({ asked }) => asked },
        { header: say('answered'), type: 'number', text: ({ answered }) => answered },
        ...parts.flatMap((part): ExportColumn<SetResult>[] => {
          const question = byKey.get(part.question)
          if (!question) return []
          return [
            {
              header: `${say('mean')}: ${titleOf(question, part.part, lang)}`,
              type: 'decimal',
              text: ({ figures }) => {
                const mean = figures.find((one) => atomKey(one) === atomKey(part))?.moments?.mean
                return mean === undefined ? null : Math.round(mean * 100) / 100
              },
            },
          ]
        }),
      ],
      rows: all.sets,
    },
    'xlsx',
  )
}
