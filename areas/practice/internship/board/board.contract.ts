import { call, id, idParam, ref } from '#kit/contract/index.ts'
import { z } from 'zod'

/** What a rotation is on the board, in this order on the wire. */
export const BOARD_STATES = ['requested', 'added', 'accepted', 'begun', 'passed', 'failed', 'interrupted'] as const
export type RotationBoardState = (typeof BOARD_STATES)[number]

const board = z.object({
  year: ref.extend({
    starts_on: z.string(),
    weeks: z.int(),
    period_weeks: z.int(),
    is_closed: z.boolean(),
  }),
  today: z.string(),
  /** Years that the reader may look at. */
  years: z.array(ref),
  courses: z.array(ref.extend({ is_elective: z.boolean() })),
  types: z.array(ref.extend({ course_id: id })),
  hospitals: z.array(ref),
  trainings: z.array(
    ref.extend({
      type_id: id,
      hospital_id: id,
      places: z.int(),
      withdrawn_from: z.string().nullable(),
      days: z.array(z.object({ starts_on: z.string(), ends_on: z.string(), places: z.int() })),
    }),
  ),
  interns: z.array(ref.extend({ intern_id: id, joined_on: z.string(), completed: z.boolean() })),
  /** Rotation, student, training, days after the year began, how many days, state, locked: many, so without names. */
  rotations: z.array(z.tuple([id, id, id, z.int(), z.int(), z.int(), z.boolean()])),
  /** Training, days after the year began, how many days: of interns whom the reader does not see, so that places are counted whole. */
  others: z.array(z.tuple([id, z.int(), z.int()])),
  /** Student, days after the year began, how many days. */
  leaves: z.array(z.tuple([id, z.int(), z.int()])),
  /** Whether the reader plans this year. */
  plans: z.boolean(),
})
export type RotationBoard = z.output<typeof board>

export const rotationBoardCalls = {
  rotationBoard: call('GET', '/emtyaz/board/{id}', {
    permission: 'access_emtyazIntern',
    summary: ['Interns and weeks of a year, with who is where', 'لوحة الأطباء وأسابيع السنة ومواقع الدورات'],
    params: z.object({ id: idParam }),
    response: z.object({ data: board }),
  }),
}
