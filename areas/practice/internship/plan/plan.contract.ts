import { z } from 'zod'
import { call, id, idParam } from '#kit/contract/index.ts'

/** How long a plan is looked for unless told otherwise, and a repair; seconds. */
export const PLAN_SECONDS = { plan: 60, repair: 5 } as const

const called = z.object({ name: z.string(), name_local: z.string() })
/** Figures of a plan: who has everything, which wishes were served, how far it is from what no plan can be better than. */
const figures = z.object({
  interns: z.int(),
  complete: z.int(),
  /** Electives by the place of the wish that was served; the one before the last: a later wish, the last: none of them. */
  wishes: z.array(z.int()),
  worst: called.extend({ wish: z.int().nullable() }).nullable(),
  /** Weeks that two who would be together are in different trainings. */
  apart: z.int(),
  places: z.int(),
  used: z.int(),
  overfull: z.int(),
  cost: z.number().nullable(),
  bound: z.number().nullable(),
})
export type RotationPlanFigures = z.output<typeof figures>

/** Rotations that a plan changes. */
const changes = z.object({
  kept: z.int(),
  accepted: z.int(),
  added: z.int(),
  removed: z.int(),
  /** Interns for whom something changes. */
  interns: z.int(),
})
const run = z.object({
  id,
  year_id: id,
  kind: z.enum(['plan', 'repair']),
  keep: z.boolean(),
  /** `none`: there is no plan, or none was found; the reasons say why. */
  state: z.enum(['running', 'proposed', 'none', 'taken', 'discarded', 'failed']),
  progress: z.int(),
  seconds: z.int(),
  job_id: z.string().nullable(),
  figures: figures.nullable(),
  present: figures.nullable(),
  changes: changes.nullable(),
  reasons: z.array(
    z.object({ code: z.string(), en: z.string(), ar: z.string(), data: z.record(z.string(), z.unknown()).optional() }),
  ),
})
export type RotationPlanRun = z.output<typeof run>
const answer = z.object({ data: run })
const plans = { permission: 'plan_rotation', response: answer } as const
const planned = z.object({
  /** Student, training, first and last day: of all rotations beside those that stay. */
  rotations: z.array(z.tuple([id, id, z.string(), z.string()])),
  /** Rotations that it takes away. */
  removed: z.array(id),
})
export type PlannedRotations = z.output<typeof planned>

export const rotationPlanCalls = {
  plan: call('POST', '/emtyaz/plans', {
    ...plans,
    summary: ['RotationLook for a plan of the rotations of a year', 'البحث عن خطة لدورات سنة الامتياز'],
    body: z.strictObject({
      year_id: id,
      seconds: z.int().min(1).max(600).default(PLAN_SECONDS.plan),
      /** What is accepted stays, and only the rest is planned. */
      keep: z.boolean().default(false),
    }),
    example: { year_id: 1, seconds: 1 },
  }),
  repair: call('POST', '/emtyaz/plans/repair', {
    ...plans,
    summary: ['RotationLook for the smallest change that makes a plan right', 'البحث عن أقل تغيير يصحح خطة الدورات'],
    body: z.strictObject({ year_id: id, seconds: z.int().min(1).max(600).default(PLAN_SECONDS.repair) }),
    example: { year_id: 1, seconds: 1 },
  }),
  /** The last one of a year. */
  last: call('GET', '/emtyaz/plans/of/{id}', {
    permission: 'plan_rotation',
    summary: ['Show the last plan that was looked for in a year', 'عرض آخر خطة جرى البحث عنها لسنة'],
    params: z.object({ id: idParam }),
    response: z.object({ data: run.nullable() }),
  }),
  planned: call('GET', '/emtyaz/plans/planned/{id}', {
    permission: 'plan_rotation',
    summary: ['Show the rotations of a plan', 'عرض دورات خطة'],
    params: z.object({ id: idParam }),
    response: z.object({ data: planned }),
  }),
  stop: call('POST', '/emtyaz/plans/stop/{id}', {
    ...plans,
    summary: ['Stop looking and keep the best plan so far', 'إيقاف البحث والاحتفاظ بأفضل خطة للدورات'],
  }),
  discard: call('POST', '/emtyaz/plans/discard/{id}', {
    ...plans,
    summary: ['Discard a plan of rotations', 'تجاهل خطة دورات'],
  }),
  take: call('POST', '/emtyaz/plans/take/{id}', {
    ...plans,
    summary: ['Take a plan of rotations', 'اعتماد خطة دورات'],
  }),
  lock: call('PUT', '/emtyaz/plans/lock', {
    permission: 'plan_rotation',
    summary: ['Lock rotations, so that plans leave them where they are', 'تثبيت دورات لا تغيرها الخطط'],
    body: z.strictObject({ ids: z.array(id).min(1).max(500), locked: z.boolean() }),
    response: z.object({ data: z.object({ changed: z.int() }) }),
    example: { ids: [1], locked: true },
  }),
}
