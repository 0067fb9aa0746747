import { z } from 'zod'
import { call, id, idParam } from '#kit/contract/index.ts'

/** What automatic placement weighs: each a whole number, 0 where nobody minds. */
export const WEIGHTS = [
  'spread',
  'twoInRow',
  'twoInDay',
  'early',
  'slots',
  'halls',
  'mixed',
  'split',
  'invigilators',
  'ways',
  'worst',
] as const
export type WeightName = (typeof WEIGHTS)[number]
export const DEFAULT_WEIGHTS: Readonly<Record<WeightName, number>> = {
  spread: 1,
  twoInRow: 8,
  twoInDay: 3,
  early: 1,
  slots: 1,
  halls: 1,
  mixed: 1,
  split: 2,
  invigilators: 1,
  ways: 4,
  worst: 5,
}
const weight = z.int().min(0).max(100)
const weights = z.strictObject(
  Object.fromEntries(WEIGHTS.map((name) => [name, weight.optional()])) as Record<
    WeightName,
    z.ZodOptional<typeof weight>
  >,
)

/** Figures of a plan: rules that are broken, what each wish costs, how hard the student has it who has it hardest. */
const figures = z.object({
  broken: z.int(),
  unplaced: z.int(),
  clashes: z.int(),
  total: z.number(),
  worstLoad: z.number(),
  parts: z.record(z.string(), z.number()),
  /** Invigilators: how many are needed and lack, and how many duties who has most and who has fewest. */
  invigilators: z.object({ needed: z.int(), lacking: z.int(), most: z.int(), least: z.int() }).optional(),
})
export type PlacementFigures = z.output<typeof figures>

export const PLACEMENT_STATES = ['running', 'proposed', 'taken', 'discarded', 'failed'] as const
const at = z.object({ on_date: z.string(), exam_slot_id: id }).nullable()
const change = z.object({ id, name: z.string(), from: at, to: at })
const run = z.object({
  id,
  exam_id: id,
  kind: z.enum(['place', 'repair']),
  state: z.enum(PLACEMENT_STATES),
  progress: z.int(),
  seconds: z.int(),
  job_id: z.string().nullable(),
  weights: z.record(z.string(), z.number()),
  cost: figures.nullable(),
  present: figures.nullable(),
  /** Exams that the plan puts elsewhere. */
  changes: z.array(change),
  /** Why something has no place. */
  reasons: z.array(
    z.object({ code: z.string(), en: z.string(), ar: z.string(), data: z.record(z.string(), z.unknown()).optional() }),
  ),
})
export type PlacementRun = z.output<typeof run>
const answer = z.object({ data: run })
/** How the duties of an exam lie on those who may invigilate, and where they are too few. */
const invigilators = z.object({
  people: z.array(z.object({ id, name: z.string(), name_local: z.string(), duties: z.int() })),
  needed: z.int(),
  lacking: z.array(
    z.object({ on_date: z.string(), exam_slot_id: id, starts: z.string(), needed: z.int(), lacking: z.int() }),
  ),
})
export type Invigilators = z.output<typeof invigilators>

export const examPlacementCalls = {
  place: call('POST', '/exam-schedules/place', {
    permission: 'place_exam',
    summary: ['Place the exams of an exam automatically', 'توزيع مواعيد امتحان تلقائيًا'],
    body: z.strictObject({ exam_id: id, seconds: z.int().min(1).max(600).default(30), weights: weights.default({}) }),
    response: answer,
    example: { exam_id: 2, seconds: 1 },
  }),
  /** The last run of an exam. */
  last: call('GET', '/exam-schedules/placements/of/{id}', {
    permission: ['place_exam', 'access_examSchedule'],
    summary: ['Show the last automatic placement of an exam', 'عرض آخر توزيع تلقائي لامتحان'],
    params: z.object({ id: idParam }),
    response: z.object({ data: run.nullable() }),
  }),
  stop: call('POST', '/exam-schedules/placements/stop/{id}', {
    permission: 'place_exam',
    summary: ['Stop looking and keep the best plan so far', 'إيقاف البحث والاحتفاظ بأفضل توزيع'],
    response: answer,
  }),
  discard: call('POST', '/exam-schedules/placements/discard/{id}', {
    permission: 'place_exam',
    summary: ['Discard a run of automatic placement', 'تجاهل توزيع تلقائي'],
    response: answer,
  }),
  take: call('POST', '/exam-schedules/placements/take/{id}', {
    permission: 'place_exam',
    summary: ['Take the plan of automatic placement', 'اعتماد التوزيع التلقائي'],
    body: z.strictObject({
      /** Exams that have no place in it stay without one. */
      incomplete: z.boolean().default(false),
    }),
    response: answer,
  }),
  repair: call('POST', '/exam-schedules/repair', {
    permission: 'place_exam',
    summary: ['Propose the smallest change that makes a plan right', 'اقتراح أقل تغيير يصحح التوزيع'],
    body: z.strictObject({
      exam_id: id,
      /** Schedules that must go elsewhere. */
      must_move: z.array(id).max(50).default([]),
    }),
    response: answer,
    example: { exam_id: 2 },
  }),
  invigilators: call('GET', '/exam-schedules/invigilators/{id}', {
    permission: 'access_examSchedule',
    summary: ['Who invigilates how often in an exam', 'توزيع المراقبة على أعضاء هيئة التدريس في امتحان'],
    params: z.object({ id: idParam }),
    response: z.object({ data: invigilators }),
  }),
  assign: call('POST', '/exam-schedules/invigilators/assign/{id}', {
    permission: 'edit_examSchedule',
    summary: [
      'Assign invigilators to halls that lack them, evenly',
      'توزيع المراقبين على القاعات التي ينقصها مراقبون بالتساوي',
    ],
    params: z.object({ id: idParam }),
    body: z.strictObject({}),
    response: z.object({ data: invigilators.extend({ added: z.int() }) }),
    example: {},
  }),
}
