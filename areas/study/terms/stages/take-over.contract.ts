import { z } from 'zod'
import { call, id, ref } from '#kit/contract/index.ts'

const permission = 'add_stage'

/** What a term without stages begins with: those of an earlier term, so many days later. */
export const takeOverCalls = {
  earlierStages: call('GET', '/stages/take-over/{id}', {
    permission,
    summary: ['What a term would take over from an earlier one', 'ما سينقله الفصل الدراسي من فصل سابق'],
    response: z.object({
      data: z.object({
        /** The last term of its kind that has stages, else the last one; null: there is none. */
        from: ref.nullable(),
        days: z.int(),
        stages: z.array(
          z.object({
            name: z.string(),
            name_local: z.string(),
            /** null: all students. */
            group: ref.nullable(),
            starts_at: z.string(),
            ends_at: z.string(),
            /** It closes after the term has ended. */
            after: z.boolean(),
          }),
        ),
        /** Stages of that term that are not taken: of groups that are gone, or that the reader does not reach. */
        left: z.int(),
      }),
    }),
  }),
  /** All of them or none. */
  takeOverStages: call('POST', '/stages/take-over/{id}', {
    permission,
    summary: ['Take over the stages of an earlier term', 'نقل مراحل فصل دراسي سابق'],
    body: z.strictObject({ from_id: id }),
    response: z.object({ data: z.object({ taken: z.int(), operation_id: id.nullable() }) }),
    example: { from_id: 1 },
  }),
}
