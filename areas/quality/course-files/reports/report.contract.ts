import { z } from 'zod'
import { call, id, ref, safeText } from '#kit/contract/index.ts'

const figure = z.number().nullable()
const figures = z.object({
  registered: z.int(),
  withdrawn: z.int(),
  marked: z.int(),
  mean: figure,
  deviation: figure,
  median: figure,
  lowest: figure,
  highest: figure,
  passed: figure,
  letters: z.array(z.object({ letter: z.string(), count: z.int() })),
  tens: z.array(z.int()),
  outliers: z.int(),
  planned: z.int(),
  held: z.int(),
  cancelled: z.int(),
  attendance: figure,
  asked: figure,
  answered: figure,
  rated: figure,
  mean_before: figure,
  passed_before: figure,
})
const question = ref.extend({ is_optional: z.boolean(), answer: z.string().nullable() })
const report = z.object({
  /** The course file. */
  id,
  figures: figures.nullable(),
  filled_at: z.string().nullable(),
  filled_by: ref.nullable(),
  /** Figures that are others now. */
  changed: z.array(z.string()),
  /** The marks are published: it can be filled. */
  published: z.boolean(),
  questions: z.array(question),
  /** The reader may fill and answer it now. */
  mine: z.boolean(),
})
export type OfferingReport = z.output<typeof report>
const answer = z.object({ data: report })

const FILL = 'fill_courseFile'
/** `id` is the course file of the offering, everywhere. */
export const offeringReportCalls = {
  fillReport: call('POST', '/quality/offering-report/auto-fill-offering-report/{id}', {
    permission: FILL,
    summary: ['Fill the report of an offering from its marks and lists', 'ملء تقرير المقرر من درجاته وكشوفه'],
    response: answer,
  }),
  reportQuestions: call('POST', '/quality/offering-report/questions', {
    permission: ['access_courseFile'],
    summary: ['The report of an offering, with its questions', 'تقرير المقرر وأسئلته'],
    body: z.strictObject({ id }),
    response: answer,
    reads: true,
    example: { id: 1 },
  }),
  answerReport: call('POST', '/quality/offering-report/answer', {
    permission: FILL,
    summary: ['Answer the questions of the report of an offering', 'الإجابة عن أسئلة تقرير المقرر'],
    body: z.strictObject({
      id,
      answers: z.array(z.strictObject({ question_id: id, answer: safeText(8000).nullable() })).max(100),
    }),
    response: answer,
    example: { id: 1, answers: [] },
  }),
}
