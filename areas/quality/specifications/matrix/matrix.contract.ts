import { call, id, problem, ref, safeText } from '#kit/contract/index.ts'
import { z } from 'zod'
import { partRows } from '../parts/parts.contract.ts'

/** With what an outcome is joined. */
export const MATRIX_WITH = ['topics', 'methods', 'assessments', 'program_outcomes'] as const

const gap = z.object({ blocks: z.boolean(), problem })
const cell = z.strictObject({
  outcome_id: id,
  with: z.enum(MATRIX_WITH),
  /** Of a topic, method or assessment: which. */
  to_id: id.optional(),
  /** Of an outcome of a program: whose, and its code. */
  program_id: id.optional(),
  code: safeText(12, 1).optional(),
  on: z.boolean(),
})
export type MatrixCell = z.output<typeof cell>
const programOutcome = z.object({
  program: ref,
  code: z.string(),
  text: z.string(),
  text_local: z.string(),
})
const sheet = z.object({
  id,
  version: z.int(),
  of: z.enum(['course', 'program']),
  /** Whether the reader may change its parts now. */
  changes: z.boolean(),
  ...partRows,
  program_outcomes: z.array(programOutcome),
  /** Of a program: courses of its plan with the codes of outcomes that each serves. */
  courses: z.array(ref.extend({ serves: z.array(z.string()) })),
  gaps: z.array(gap),
})
export type SpecificationSheet = z.output<typeof sheet>
export type ShownGap = z.output<typeof gap>

export const matrixCalls = {
  sheet: call('GET', '/specifications/sheet/{id}', {
    permission: 'show_specification',
    summary: ['A specification with its parts, matrices and what it lacks', 'توصيف بعناصره ومصفوفاته وما ينقصه'],
    response: z.object({ data: sheet }),
  }),
  join: call('PUT', '/specifications/matrix/{id}', {
    permission: 'edit_specification',
    summary: ['Fill cells of the matrices of a specification', 'تعبئة خلايا مصفوفات توصيف'],
    body: z.strictObject({ cells: z.array(cell).min(1).max(500) }),
    response: z.object({ data: z.object({ gaps: z.array(gap) }) }),
    example: { cells: [{ outcome_id: 1, with: 'topics', to_id: 1, on: true }] },
  }),
}
