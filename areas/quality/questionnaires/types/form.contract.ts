import { safeText } from '#kit/contract/index.ts'
import { z } from 'zod'

/** Kinds of questions. */
export const QUESTION_KINDS = [
  { value: 'rating', label: ['Rating', 'تقييم'] },
  { value: 'single', label: ['One of several', 'اختيار واحد'] },
  { value: 'several', label: ['Several', 'اختيارات متعددة'] },
  { value: 'grid', label: ['Grid of ratings', 'جدول تقييم'] },
  { value: 'number', label: ['Number', 'رقم'] },
  { value: 'text', label: ['Text', 'نص'] },
  { value: 'ranking', label: ['Ranking', 'ترتيب'] },
] as const
export type QuestionKind = (typeof QUESTION_KINDS)[number]['value']

/** How an earlier answer is compared: a rating, a number, or the place of the option that was chosen. */
export const CONDITIONS = [
  { value: 'below', label: ['is below', 'أقل من'] },
  { value: 'above', label: ['is above', 'أكثر من'] },
  { value: 'equal', label: ['is', 'يساوي'] },
] as const
export type ConditionKind = (typeof CONDITIONS)[number]['value']

/** What learning outcomes are about. */
export const OUTCOME_DOMAINS = [
  { value: 'knowledge', label: ['Knowledge and understanding', 'المعرفة والفهم'] },
  { value: 'skills', label: ['Skills', 'المهارات'] },
  { value: 'competences', label: ['Competences and values', 'الكفايات والقيم'] },
] as const
export type OutcomeDomain = (typeof OUTCOME_DOMAINS)[number]['value']

/** Longest comment: letters, and bytes of UTF-8 (an envelope has room for so many). */
export const COMMENT_LETTERS = 1000
export const COMMENT_BYTES = 2000

/** A text of a form in five languages; the English one where there is none. */
export const formWords = z.object({
  name: z.string(),
  name_local: z.string(),
  de: z.string().nullish(),
  fr: z.string().nullish(),
  pt: z.string().nullish(),
})
export type QuestionnaireWords = z.output<typeof formWords>

/** A question as it was when the questionnaire was opened. `key` tells it among the questions of the form. */
export const formQuestion = z.object({
  key: z.string(),
  /** Which version of the question in the bank it is. */
  revision: z.int(),
  section: formWords.nullable(),
  text: formWords,
  kind: z.enum(['rating', 'single', 'several', 'grid', 'number', 'text', 'ranking']),
  /** Of ratings and grids: 1 … points. */
  points: z.int().nullable(),
  /** Words of the points, or what can be chosen; empty: numbers alone. */
  options: z.array(formWords),
  /** Rows of a grid. */
  rows: z.array(formWords),
  required: z.boolean(),
  min: z.int().nullable(),
  max: z.int().nullable(),
  /** Of ratings and grids: which outcomes are asked about. */
  domain: z.enum(OUTCOME_DOMAINS.map((one) => one.value)).nullish(),
  /** It is asked only where an earlier question was answered so. */
  condition: z.object({ key: z.string(), is: z.enum(['below', 'above', 'equal']), value: z.int() }).nullable(),
})
export type FormQuestion = z.output<typeof formQuestion>
/** A questionnaire as it is filled in. */
export const questionForm = z.array(formQuestion)
export type QuestionForm = readonly FormQuestion[]

const point = z.int().min(0).max(1_000_000_000)
/**
 * One answer: a point, an option (counted from 1) or a number; several of these; of a grid a point for each row (null: none);
 * of a ranking the options from the first to the last; or a text.
 */
export const formAnswer = z.union([
  z.int().min(-1_000_000_000).max(1_000_000_000),
  safeText(COMMENT_LETTERS),
  z.array(point.nullable()).max(60),
  z.null(),
])
export type FormAnswer = z.output<typeof formAnswer>
/** Answers by key of the question. */
export const formAnswers = z.record(z.string().max(20), formAnswer)
export type FormAnswers = Readonly<Record<string, FormAnswer>>
