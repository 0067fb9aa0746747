/** A specification as the parts of a national template: the same for paper and sheet. */
import { OUTCOME_DOMAINS } from '#areas/quality/questionnaires/types/form.contract.ts'
import { inLanguage, type Label, type PaperLanguage } from '#kit/contract/index.ts'
import type { SpecificationSheet } from '../matrix/matrix.contract.ts'
import { OUTCOME_LEVELS, REFERENCE_KINDS } from '../spec/words.contract.ts'

export interface SpecificationPart {
  readonly title?: string
  readonly text?: string
  readonly columns: readonly { readonly label: string; readonly align: 'start' | 'center'; readonly weight: number }[]
  readonly rows: readonly (readonly string[])[]
}
export interface SpecificationChapter {
  readonly title: string
  readonly parts: readonly SpecificationPart[]
}

export const PAPER_WORDS = {
  course: ['Course specification', 'توصيف مقرر'],
  program: ['Program specification', 'توصيف برنامج'],
  aims: ['Aims', 'الأهداف'],
  outcomes: ['Intended learning outcomes', 'نواتج التعلم المستهدفة'],
  code: ['Code', 'الكود'],
  outcome: ['On completion, the student is able to', 'بانتهاء الدراسة يكون الطالب قادرًا على أن'],
  level: ['Level', 'المستوى'],
  serves: ['Outcomes of programs', 'نواتج البرامج'],
  topics: ['Content', 'المحتوى'],
  topic: ['Topic', 'الموضوع'],
  weeks: ['Weeks', 'الأسابيع'],
  hours: ['Hours', 'الساعات'],
  methods: ['Teaching and learning methods', 'أساليب التعليم والتعلم'],
  method: ['Method', 'الأسلوب'],
  assessments: ['Student assessment', 'تقويم الطلاب'],
  assessment: ['Assessment', 'أسلوب التقويم'],
  week: ['Week', 'الأسبوع'],
  weight: ['Weight (%)', 'الوزن (%)'],
  counts_as: ['Part of the marks', 'بند الدرجات'],
  total: ['Total', 'المجموع'],
  references: ['References', 'المراجع'],
  kind: ['Kind', 'النوع'],
  reference: ['Cited work', 'المرجع'],
  matrix: ['Matrices', 'المصفوفات'],
  outcome_topics: ['Outcomes and topics', 'النواتج والموضوعات'],
  outcome_methods: ['Outcomes and methods', 'النواتج وأساليب التدريس'],
  outcome_assessments: ['Outcomes and assessments', 'النواتج وأساليب التقويم'],
  courses: ['Courses and outcomes', 'المقررات والنواتج'],
  course_name: ['Course', 'المقرر'],
} as const satisfies Record<string, Label>

// In both faces of papers.
const MARK = '×'
type Column = readonly [label: string, align: 'start' | 'center', weight: number]
const table = (
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  title?: string,
): SpecificationPart => ({
  ...(title !== undefined && { title }),
  columns: columns.map(([label, align, weight]) => ({ label, align, weight })),
  rows,
})

/** Chapters of a specification in one language; what is empty is left out. */
export function specificationChapters(
  sheet: SpecificationSheet,
  aims: { readonly aims: string | null; readonly aims_local: string | null },
  lang: PaperLanguage,
): SpecificationChapter[] {
  const say = (word: keyof typeof PAPER_WORDS) => inLanguage(PAPER_WORDS[word], lang)
  const text = (row: { text: string; text_local: string }) => (lang === 'ar' ? row.text_local : row.text)
  const named = (row: { name: string; name_local?: string | null | undefined }) =>
    lang === 'ar' ? (row.name_local ?? row.name) : row.name
  const word = (list: readonly { value: unknown; label: Label }[], value: unknown) => {
    const found = list.find((one) => one.value === value)
    return found ? inLanguage(found.label, lang) : ''
  }
  const aim = lang === 'ar' ? (aims.aims_local ?? aims.aims) : (aims.aims ?? aims.aims_local)
  const programs = new Map(sheet.program_outcomes.map(({ program }) => [program.id, program.code ?? named(program)]))
  const served = (row: SpecificationSheet['outcomes'][number]) =>
    row.serves.map(({ program_id, code }) => `${programs.get(program_id) ?? program_id} ${code}`).join(', ')
  const course = sheet.of === 'course'
  const outcomes = OUTCOME_DOMAINS.flatMap(({ value, label }) => {
    const rows = sheet.outcomes.filter(({ domain }) => domain === value)
    const columns: Column[] = [
      [say('code'), 'center', 1],
      [say('outcome'), 'start', 6],
      [say('level'), 'center', 1.6],
      ...(course ? [[say('serves'), 'start', 2] as const] : []),
    ]
    return rows.length
      ? [
          table(
            columns,
            rows.map((row) => [row.code, text(row), word(OUTCOME_LEVELS, row.level), ...(course ? [served(row)] : [])]),
            inLanguage(label, lang),
          ),
        ]
      : []
  })
  const grid = (
    title: string,
    first: string,
    rows: readonly { id: number; text: string; text_local: string }[],
    of: 'topics' | 'methods' | 'assessments',
  ): SpecificationPart[] =>
    rows.length && sheet.outcomes.length
      ? [
          table(
            [[first, 'start', 4], ...sheet.outcomes.map(({ code }): Column => [code, 'center', 1])],
            rows.map((row) => [text(row), ...sheet.outcomes.map((one) => (one[of].includes(row.id) ? MARK : ''))]),
            title,
          ),
        ]
      : []
  const sum = sheet.assessments.reduce((all, { weight }) => all + Math.round(Number(weight ?? 0) * 100), 0) / 100
  const chapters: SpecificationChapter[] = [
    { title: say('aims'), parts: aim ? [{ text: aim, columns: [], rows: [] }] : [] },
    { title: say('outcomes'), parts: outcomes },
    {
      title: say('topics'),
      parts: sheet.topics.length
        ? [
            table(
              [
                [say('topic'), 'start', 6],
                [say('weeks'), 'center', 1],
                [say('hours'), 'center', 1],
              ],
              sheet.topics.map((row) => [
                text(row),
                row.weeks?.toString() ?? '',
                row.hours === null ? '' : String(Number(row.hours)),
              ]),
            ),
          ]
        : [],
    },
    {
      title: say('methods'),
      parts: sheet.methods.length
        ? [
            table(
              [[say('method'), 'start', 1]],
              sheet.methods.map((row) => [text(row)]),
            ),
          ]
        : [],
    },
    {
      title: say('assessments'),
      parts: sheet.assessments.length
        ? [
            table(
              [
                [say('assessment'), 'start', 4],
                [say('counts_as'), 'start', 2],
                [say('week'), 'center', 1],
                [say('weight'), 'center', 1],
              ],
              [
                ...sheet.assessments.map((row) => [
                  text(row),
                  row.mark_category ? named(row.mark_category) : '',
                  row.week?.toString() ?? '',
                  row.weight === null ? '' : String(Number(row.weight)),
                ]),
                [say('total'), '', '', String(sum)],
              ],
            ),
          ]
        : [],
    },
    {
      title: say('references'),
      parts: sheet.references.length
        ? [
            table(
              [
                [say('kind'), 'start', 1],
                [say('reference'), 'start', 4],
              ],
              sheet.references.map((row) => [word(REFERENCE_KINDS, row.kind), row.text]),
            ),
          ]
        : [],
    },
    {
      title: say('matrix'),
      parts: [
        ...grid(say('outcome_topics'), say('topic'), sheet.topics, 'topics'),
        ...grid(say('outcome_methods'), say('method'), sheet.methods, 'methods'),
        ...grid(say('outcome_assessments'), say('assessment'), sheet.assessments, 'assessments'),
        ...(sheet.of === 'program' && sheet.outcomes.length && sheet.courses.length
          ? [
              table(
                [[say('course_name'), 'start', 4], ...sheet.outcomes.map(({ code }): Column => [code, 'center', 1])],
                sheet.courses.map((one) => [
                  `${one.code ?? ''} ${named(one)}`.trim(),
                  ...sheet.outcomes.map(({ code }) => (one.serves.includes(code) ? MARK : '')),
                ]),
                say('courses'),
              ),
            ]
          : []),
      ],
    },
  ]
  return chapters.filter(({ parts }) => parts.length)
}
