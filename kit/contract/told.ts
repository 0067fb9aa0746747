import { z } from 'zod'

const named = z.object({ name: z.string(), name_local: z.string().nullish() })
/** A record by which another one is called. */
export const toldPart = named.extend({ of: z.string(), code: z.string().nullish() })
export type ToldPart = z.output<typeof toldPart>

/** A change of one field: what stood there and what stands there now, as stored; a record by its names. */
export const toldChange = z.object({
  field: z.string(),
  old: z.unknown(),
  new: z.unknown(),
  /** What the field is called. */
  label: named.optional(),
  /** Kind of the field; `year`: a number that is a year; `json`: what has a shape of its own, of which only the change is told. */
  kind: z.string().optional(),
  places: z.int().optional(),
  /** Values of a fixed set in words, by the value. */
  words: z.record(z.string(), named).optional(),
})
export type ToldChange = z.output<typeof toldChange>

/** What a change concerned: `one` is what such a record is called, `parts` are what this one is called by. */
export const toldRecord = z.object({
  one: named.nullable(),
  parts: z.array(toldPart),
  /** Of rows that belong to a record, and are called by it: what that is called. */
  within: named.optional(),
  /** A sentence of its own, where its area has one for this change. */
  says: named.optional(),
  /** Of a row that is added: the column that it is said by. */
  says_by: z.string().optional(),
  /** Where the record is shown. */
  path: z.string().nullable(),
})
export type ToldRecord = z.output<typeof toldRecord>
