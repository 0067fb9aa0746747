import { z } from 'zod'

/** The shallow shape by which schemas are constrained: deep constraints make hundreds of calls slow to type-check. */
export interface Schema<Out = unknown, In = unknown> {
  _zod: { output: Out; input: In }
}
export type Output<S> = S extends { _zod: { output: infer O } } ? O : undefined
export type Input<S> = S extends { _zod: { input: infer I } } ? I : undefined

/** Of two bounds the same schema each time: thousands of fields have a few dozen of them. */
export function sameOnce<S>(make: (one: number, other: number) => S): (one: number, other: number) => S {
  const made = new Map<string, S>()
  return (one, other) => {
    const key = `${one} ${other}`
    const known = made.get(key)
    if (known !== undefined) return known
    const schema = make(one, other)
    made.set(key, schema)
    return schema
  }
}

/** A Zod refinement whose failure carries a code of the error catalogue and the data its text needs. */
export const failing = (code: string, data: Record<string, unknown> = {}) => ({ params: { code, data } })

const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFEFF\u200B]/
const BIDI = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/
const HTML = /<[a-z/!?]/i
/** What a spreadsheet would take for a formula. */
export const FORMULA = /^\s*[=@]|^\s*[+-](?=[^\d\s]*\()/

/**
 * Text a person typed. Refuses what could deceive a later reader or program: control characters, bidirectional controls
 * (they reorder what others see), HTML, and what a spreadsheet would take for a formula.
 */
export const safeText = (max: number, min = 0) => safeTextOf(max, min)
const safeTextOf = sameOnce((max: number, min: number) =>
  z
    .string()
    .trim()
    .min(min)
    .max(max)
    .refine((s) => !CONTROL.test(s), failing('text_control_characters'))
    .refine((s) => !BIDI.test(s), failing('text_direction_controls'))
    .refine((s) => !HTML.test(s), failing('text_html'))
    .refine((s) => !FORMULA.test(s), failing('text_formula')),
)

/** Database id of a row: a positive 32-bit integer. */
export const id = z.int().min(1).max(2_147_483_647)
/** An id in a path or a query, where everything arrives as text. */
export const idParam = z
  .string()
  .regex(/^[1-9]\d{0,9}$/)
  .transform(Number)
  .pipe(id)
/** A whole number of 32 bits, as in the database. */
export const integer = z.int().min(-2_147_483_648).max(2_147_483_647)
/** Years in which anything can lie that a university keeps; the database and calendars know no year 0. */
const inReach = (text: string): boolean => text >= '1000'
/** `YYYY-MM-DD`, a day that exists. */
export const date = z.iso.date().refine(inReach, failing('date_not_valid'))
/** ISO 8601 with a zone that there is. */
export const instant = z.iso
  .datetime({ offset: true })
  .refine((text) => inReach(text) && /(?:Z|[+-](?:0\d|1[0-4]):?\d\d)$/.test(text), failing('date_not_valid'))
/** A decimal as text, at most `places` after the point, within bounds given in the same unit. */
export const decimal = (places: number, min = 0, max = 1_000_000) =>
  z
    .string()
    .trim()
    .regex(new RegExp(`^-?\\d{1,9}(\\.\\d{1,${places}})?$`))
    .refine((s) => Number(s) >= min && Number(s) <= max, failing('out_of_range', { min, max }))
/**
 * A number with at most `places` decimal places that travels as a JSON number (credit hours: 1.5, 7.25). It is exact
 * as long as nobody adds in binary fractions: add in SQL, or in whole hundredths. A value that must keep its zeros
 * (`3.00`) is a `decimal`.
 */
export const number = (places: number, min = 0, max = 1_000_000) =>
  z
    .number()
    .min(min)
    .max(max)
    .multipleOf(10 ** -places)
/** A 64-bit set of flags as a decimal text: 2^61 and its sums do not fit a JavaScript number. */
export const flags = z
  .string()
  .regex(/^\d{1,19}$/)
  .refine(
    (text) => /^\d{1,19}$/.test(text) && BigInt(text) < 2n ** 63n,
    failing('out_of_range', { min: 0, max: '2^63 - 1' }),
  )
/** Code of a record: no spaces, no special characters (letters of any script, digits, `-`, `_`, `.`, `/`). */
export const code = (max = 40) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((s) => /^[\p{L}\p{N}][\p{L}\p{N}\-_./]*$/u.test(s), failing('code_special_characters'))
/** Language of a paper in a path. */
export const paperLanguage = z.enum(['ar', 'en'])

/** Body of every list call. `filters` is checked against the resource. */
export const listQuery = z.strictObject({
  page: z.int().min(1).max(1_000_000).default(1),
  perPage: z.int().min(1).max(500).default(10),
  search: z.string().trim().max(200).default(''),
  order_by: z.string().max(60).optional(),
  order_direction: z.enum(['asc', 'desc']).default('asc'),
  filters: z.record(z.string(), z.unknown()).default({}),
  /** true: only removed rows. */
  removed: z.boolean().default(false),
})
export type ListQuery = z.output<typeof listQuery>

/** Body of every export: the query of the list, and what to include in the file. */
export const exportQuery = listQuery.extend({
  columns: z.array(z.string()).max(100).optional(),
  ids: z.array(id).max(5000).optional(),
  lang: z.enum(['ar', 'en']).optional(),
})

/** Colours of the chips that mark records. */
export const CHIP_COLOURS = ['grey', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'violet', 'pink'] as const
export type ChipColour = (typeof CHIP_COLOURS)[number]
const colour = z.enum(CHIP_COLOURS).optional()

/** An option of a lookup, with both names. */
export const option = z.object({
  id: z.union([z.int(), z.string()]),
  name: z.string(),
  name_local: z.string().nullish(),
  code: z.string().nullish(),
  colour,
})
export type Option = z.output<typeof option>

/** The answer of every list call. `abilities` of a row name the actions the reader may take on it. */
export const listOf = <S extends z.ZodType>(row: S) =>
  z.object({
    data: z.array(row),
    meta: z.object({
      count: z.int(),
      lookup: z.record(z.string(), z.array(option)).default({}),
      details: z.record(z.string(), z.unknown()).optional(),
    }),
  })

/** A nested reference in a row: enough to show and to open it. */
export const ref = z.object({
  id,
  name: z.string(),
  name_local: z.string().nullish(),
  code: z.string().nullish(),
  /** Of what has one: it is shown as a chip. */
  colour,
})
export type Ref = z.output<typeof ref>

/** Answer of a change that returns only the row's id. */
export const saved = z.object({ id, version: z.int().optional() })
/** Result per row of a bulk change. */
export const bulkResult = z.object({
  done: z.array(z.int()),
  failed: z.array(z.object({ id: z.int(), name: z.string().optional(), errors: z.array(z.lazy(() => problem)) })),
})
/** One reason of a refusal, as in every error answer. */
export const problem = z.object({
  field: z.string().nullable(),
  code: z.string(),
  en: z.string(),
  ar: z.string(),
  data: z.record(z.string(), z.unknown()).optional(),
})
export type Problem = z.output<typeof problem>
/** A job that was started: follow it by `GET /jobs/{id}` or live events. */
export const jobStarted = z.object({ job_id: z.string() })
