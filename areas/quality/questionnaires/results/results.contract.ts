import { cutAnswer, cutQuery } from '#kit/contract/cut.ts'
import { call, id, ref, safeText } from '#kit/contract/index.ts'
import { z } from 'zod'
import { COMMENT_LETTERS, formQuestion } from '../types/form.contract.ts'

const moments = z.object({
  n: z.int(),
  mean: z.number(),
  deviation: z.number().nullable(),
  interval: z.tuple([z.number(), z.number()]).nullable(),
})
const figure = z.object({
  question: z.string(),
  part: z.int(),
  n: z.int(),
  /** How often each answer was given; null: all who were asked said the same, so it is not kept. */
  counts: z.record(z.string(), z.int()).nullable(),
  moments: moments.nullable(),
  /** Means of the other offerings of the department and faculty, and of the same course in terms before; null: too few of them. */
  department: z.number().nullable(),
  faculty: z.number().nullable(),
  before: z.number().nullable(),
})
export type ResultFigure = z.output<typeof figure>
const judged = z.array(z.object({ key: z.string(), effect: z.number(), few: z.boolean() }))

const result = z.object({
  id,
  type: ref,
  course: ref.nullable(),
  instructor: ref.nullable(),
  /** The small sets together. */
  pooled: z.boolean(),
  asked: z.int(),
  answered: z.int(),
  /** Why there are no figures: not counted yet, marks first, or too few answered. */
  withheld: z.enum(['results_not_counted', 'results_marks_first', 'results_others', 'results_small']).nullable(),
  questions: z.array(formQuestion),
  figures: z.array(figure),
  strong: judged,
  weak: judged,
})
export type QuestionnaireResult = z.output<typeof result>

const set = z.object({
  id,
  course: ref.nullable(),
  instructor: ref.nullable(),
  pooled: z.boolean(),
  asked: z.int(),
  answered: z.int(),
  small: z.boolean(),
})
const comment = z.object({
  id: z.uuid(),
  question: z.string(),
  text: z.string(),
  proposed: z.string().nullable(),
  state: z.string(),
})

export const resultCalls = {
  stats: call('POST', '/questionnaires/stats/{id}', {
    permission: ['results_questionnaire', 'show_questionnaire'],
    summary: [
      'Results of a questionnaire: of one offering or instructor, or together',
      'نتائج استبيان لمقرر أو لعضو هيئة تدريس أو مجتمعة',
    ],
    body: z.strictObject({ set_id: id.optional() }).optional(),
    response: z.object({ data: result }),
    reads: true,
  }),
  sets: call('GET', '/questionnaires/sets/{id}', {
    permission: ['results_questionnaire', 'show_questionnaire'],
    summary: ['What a questionnaire is about, with its response', 'موضوعات استبيان ونسبة المشاركة في كل منها'],
    query: cutQuery,
    response: cutAnswer(set),
  }),
  /** What was said of the own teaching: once it is counted, and marks are published. */
  taught: call('GET', '/questionnaires/taught', {
    permission: 'results_questionnaire',
    summary: ['Results of my own teaching', 'نتائج تدريسي'],
    query: cutQuery,
    response: cutAnswer(
      z.object({
        id,
        questionnaire_id: id,
        type: ref,
        course: ref,
        instructor: ref.nullable(),
        term: ref.nullable(),
        asked: z.int(),
        answered: z.int(),
        small: z.boolean(),
      }),
    ),
  }),
  comments: call('POST', '/questionnaires/comments/{id}', {
    permission: ['results_questionnaire', 'mask_questionnaire'],
    summary: ['Comments, in an order of chance', 'التعليقات بترتيب عشوائي'],
    query: cutQuery,
    body: z.strictObject({ set_id: id.optional(), search: z.string().trim().max(200).default('') }),
    response: cutAnswer(comment).extend({ waiting: z.int() }),
    reads: true,
  }),
  mask: call('PUT', '/questionnaires/comments/mask/{id}', {
    permission: 'mask_questionnaire',
    summary: ['Show a comment with the names in it masked, or withhold it', 'إتاحة تعليق بعد إخفاء الأسماء أو حجبه'],
    params: z.object({ id: z.uuid() }),
    body: z.strictObject({ text: safeText(COMMENT_LETTERS, 1), show: z.boolean() }),
    response: z.object({ state: z.string() }),
  }),
}
