import { z } from 'zod'
import { call, id, idParam, ref } from '#kit/contract/index.ts'

const named = z.object({ name: z.string(), name_local: z.string() })
const spell = z.object({
  id,
  /** What is open: registration, mark entry, examinations … */
  what: named,
  /** For whom; null: all students. */
  group: ref.nullable(),
  starts_at: z.string(),
  ends_at: z.string(),
  /** The reader may open it. */
  opens: z.boolean(),
})
export type Spell = z.output<typeof spell>

/** What happens in a term, as far as it concerns the reader: a student's own windows, those within the reach of staff. */
export const timeline = call('GET', '/timeline', {
  permission: 'signed_in',
  summary: ['What happens in a term, and when', 'ما يجري في الفصل الدراسي ومواعيده'],
  query: z.object({ term_id: idParam.optional() }),
  response: z.object({
    data: z.object({
      /** null: no term is current. */
      term: ref.extend({ start_date: z.string(), end_date: z.string() }).nullable(),
      /** Terms of the same year, to go to. */
      terms: z.array(ref),
      spells: z.array(spell),
      /** Of the university's clock. */
      now: z.string(),
    }),
  }),
})
