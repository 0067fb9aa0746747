import { z } from 'zod'
import { call, id, ref } from '#kit/contract/index.ts'

/** Students of one kind: how many there were, how many had a hard term, and how right the model is with them. */
const group = z.object({
  /** A faculty or a nationality; null: of a gender, or all others together. */
  of: ref.nullable(),
  gender: z.int().nullable(),
  rows: z.int(),
  /** Shares, 0 to 1: who had a hard term, what the model says of all on the average. */
  hard: z.number(),
  said: z.number(),
  /** Of those who had none, who was named; of those who had one, who was not; null: there were none. */
  named_wrongly: z.number().nullable(),
  missed: z.number().nullable(),
})
export type ErrorGroup = z.output<typeof group>
export const GROUP_KINDS = ['faculty', 'gender', 'nationality'] as const
export type GroupKind = (typeof GROUP_KINDS)[number]

const fittedModel = z.object({
  id,
  fitted_at: z.string(),
  fitted_by: ref.nullable(),
  terms: z.array(ref),
  rows: z.int(),
  hard: z.int(),
  is_used: z.boolean(),
  /** On students it had not seen. */
  macro_f1: z.number(),
  spread: z.number(),
  precision: z.number(),
  recall: z.number(),
  brier: z.number(),
  calibration_error: z.number(),
  /** What it looks at, what weighs most first. */
  columns: z.array(z.string()),
  groups: z.object({ faculty: z.array(group), gender: z.array(group), nationality: z.array(group) }),
})
export type FittedModel = z.output<typeof fittedModel>

export const riskModelCalls = {
  models: call('GET', '/early-warning/models', {
    permission: 'manage_early_warning',
    summary: ['Models of early warning and how right they are', 'نماذج الإنذار المبكر ودقتها'],
    response: z.object({ data: z.array(fittedModel) }),
  }),
  fit: call('POST', '/early-warning/models/fit', {
    permission: 'manage_early_warning',
    summary: ['Fit a model to the finished terms', 'بناء نموذج من الفصول المنتهية'],
    response: z.object({ job_id: z.string() }),
  }),
  use: call('PUT', '/early-warning/models/use', {
    permission: 'manage_early_warning',
    summary: ['Use a model, or none', 'استخدام نموذج أو إيقافه'],
    body: z.strictObject({ id: id.nullable() }),
    response: z.object({ data: z.object({ id: id.nullable() }) }),
    example: { id: null },
  }),
}
