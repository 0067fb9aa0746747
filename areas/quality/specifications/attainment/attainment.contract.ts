import { OUTCOME_DOMAINS } from '#areas/quality/questionnaires/types/form.contract.ts'
import { call, idParam, ref } from '#kit/contract/index.ts'
import { z } from 'zod'

const measured = z.object({ students: z.int(), mean: z.number(), share: z.number() })
const outcome = z.object({
  code: z.string(),
  text: z.string(),
  text_local: z.string(),
  target: z.int(),
  /** By year, as `years`; null: nothing was measured. */
  measured: z.array(measured.nullable()),
  attained: z.boolean().nullable(),
  trend: z.enum(['up', 'down', 'same']).nullable(),
})
const report = z.object({
  of: z.enum(['course', 'program']),
  /** Oldest first: five at most, until the present one. */
  years: z.array(ref),
  /** Years in which students of these results began. */
  cohorts: z.array(ref),
  threshold: z.int(),
  outcomes: z.array(outcome),
  /** What was said of each domain in questionnaires, by year as `years`: answers, and percent of them that say it was reached. */
  said: z.array(
    z.object({
      domain: z.enum(OUTCOME_DOMAINS.map((one) => one.value)),
      years: z.array(z.object({ answers: z.int(), share: z.number() }).nullable()),
    }),
  ),
  /** What the figures of the latest measured year come from: offerings of a course, courses of a program. */
  sources: z.array(
    measured.extend({ code: z.string(), name: z.string(), name_local: z.string(), outcome: z.string() }),
  ),
})
export type AttainmentReport = z.output<typeof report>

export const attainmentCalls = {
  /** Of what the specification is of, from the marks of the parts that are mapped to its outcomes. */
  attainment: call('GET', '/specifications/attainment/{id}', {
    permission: 'show_specification',
    summary: ['How far the outcomes of a course or program were reached', 'مدى تحقق نواتج مقرر أو برنامج'],
    query: z.object({
      /** Only students who began in this year. */
      cohort_id: idParam.optional(),
    }),
    response: z.object({ data: report }),
  }),
}
