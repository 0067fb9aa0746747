/** The canonical form of a grade sheet and of a link of its chain: what is hashed, and nothing else. */
import { createHash } from 'node:crypto'

/** A row of a sheet: numbers of records and what stands there; no name, so that the chain knows nobody. */
export type SheetRow = readonly [
  registration_id: number,
  student_id: number,
  status: string,
  credit_hours: string,
  total: string | null,
  maximum: number | null,
  letter: string | null,
  points: string | null,
  passed: boolean | null,
  counts_in_gpa: boolean | null,
  counts_in_attempted_hours: boolean | null,
  /** Of each category of the scheme, by its id: decimal text, `A` for absent. */
  marks: readonly (readonly [offering_mark_id: number, mark: string])[],
]

/** What the places of a row are called in a finding. */
export const SHEET_FIELDS = [
  'registration_id',
  'student_id',
  'status',
  'credit_hours',
  'total',
  'maximum',
  'letter',
  'points',
  'passed',
  'counts_in_gpa',
  'counts_in_attempted_hours',
] as const

/** SQL of a row of the sheet; the registration is `r`. */
export const SHEET_ROW = `json_build_array(r.id, r.student_id, r.status::text, trim_scale(r.credit_hours)::text, trim_scale(r.total)::text,
  r.maximum, r.letter, trim_scale(r.points)::text, r.passed, r.counts_in_gpa, r.counts_in_attempted_hours,
  coalesce((select json_agg(json_build_array(m.offering_mark_id, case when m.absent then 'A' else trim_scale(m.mark)::text end)
    order by m.offering_mark_id) from registration_marks m where m.registration_id = r.id), '[]'))`

/** SQL of the scheme of the offering `o`. */
export const SHEET_SCHEME = `coalesce((select json_agg(json_build_array(m.id, m.mark_category_id, trim_scale(m.max)::text) order by m.id)
  from offering_marks m where m.offering_id = o.id), '[]')`

/** Statuses in which a sheet is signed. */
export const SIGNED_SHEET = ['Approved', 'Published', 'Frozen'] as const

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The text of a row or scheme: without a space, whatever printed it. */
export const canonical = (value: unknown): string => JSON.stringify(value)

/** The hash of a row; of one that left the sheet, that of its number. */
export const rowHash = (registration_id: number, content: string | null): string =>
  sha256(`${registration_id}:${content ?? ''}`)

/** The hash of a sheet, from those of its rows. */
export const sheetHash = (rows: ReadonlyMap<number, string>): string =>
  sha256(
    [...rows]
      .sort(([a], [b]) => a - b)
      .map(([id, hash]) => `${id}:${hash}\n`)
      .join(''),
  )

/** A link of the chain as it is kept, but for its own hash and seal. */
export interface LinkBody {
  readonly number: number
  /** null: it seals records alone. */
  readonly offering_id: number | null
  readonly cause: string
  readonly actor_id: number | null
  readonly impersonator_id: number | null
  readonly reason: string | null
  /** An instant with milliseconds, as ISO 8601 writes it. */
  readonly at: string
  readonly scheme: string
  readonly students: number | null
  readonly sheet_hash: string | null
  readonly previous: string | null
  /** Over the records that it seals beside the sheet; null: none. */
  readonly records_hash: string | null
}

export const linkHash = (link: LinkBody): string =>
  sha256(
    canonical([
      link.number,
      link.offering_id,
      link.cause,
      link.actor_id,
      link.impersonator_id,
      link.reason,
      link.at,
      link.scheme,
      link.students,
      link.sheet_hash,
      link.previous,
      // As links were hashed before there were records beside sheets.
      ...(link.records_hash === null ? [] : [link.records_hash]),
    ]),
  )

/** SQL of the columns of a link `l`, as its body wants them. */
export const LINK = `l.number::float8 as number, l.offering_id, l.cause, l.actor_id, l.impersonator_id, l.reason,
  to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, l.scheme, l.students, l.sheet_hash, l.previous, l.records_hash, l.hash, l.seal`
