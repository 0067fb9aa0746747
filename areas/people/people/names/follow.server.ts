import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Values } from '#kit/server/resource/served.ts'
import { Refusal } from '#kit/server/base/errors.ts'
import type { Reason } from '#kit/server/base/errors.ts'
import {
  NAME_PARTS,
  joinName,
  partBeside,
  partsAfter,
  partsProblem,
  realignParts,
  tidyPersonName,
} from './name.rules.ts'
import type { Parts } from './name.rules.ts'

/** Tables whose rows bear a name in parts. */
export type NamedTable = 'students' | 'instructors' | 'users'
/** Columns of the parts of a script: Arabic ones end in `_local`, as everywhere. */
export const partColumn = (part: (typeof NAME_PARTS)[number], local: boolean): string =>
  `${part}_name${local ? '_local' : ''}`

/** Every column by which a person is named, the same of records and accounts. */
export const NAME_COLUMNS = [
  'name',
  'name_local',
  ...[false, true].flatMap((local) => NAME_PARTS.map((part) => partColumn(part, local))),
  'used_name',
  'used_name_local',
]

/** The columns of parts, of a script that is known or not. */
export const partColumns = (parts: Parts | null, local: boolean): Values =>
  Object.fromEntries(NAME_PARTS.map((part) => [partColumn(part, local), parts?.[part] ?? null]))

/** Parts as a row keeps them; null where they are not known. */
export const namePartsOf = (row: Values, local: boolean): Parts | null =>
  row[partColumn('given', local)] == null
    ? null
    : (Object.fromEntries(
        NAME_PARTS.map((part) => [part, (row[partColumn(part, local)] as string | null) ?? null]),
      ) as Parts)

/** Longest full name. */
export const LONGEST_NAME = 200

const nameColumn = (local: boolean): string => (local ? 'name_local' : 'name')
const empty = (value: unknown): boolean => value === null || value === undefined || value === ''

/** Parts of a script that stand in values which may have some, and differ from what is stored. */
const writtenParts = (values: Values, local: boolean, current: Values | null): Partial<Parts> =>
  Object.fromEntries(
    NAME_PARTS.flatMap((part) => {
      const column = partColumn(part, local)
      const value = values[column]
      const was = current?.[column]
      if (!(column in values) || value === was || (empty(value) && empty(was))) return []
      return [[part, empty(value) ? null : tidyPersonName(value as string)]]
    }),
  )

/** What is wrong with parts of a name beside the full name, where that was written too. */
function partProblems(parts: Parts, full: string | null, local: boolean): Reason[] {
  const lacking = partsProblem(parts)
  if (lacking) return [{ field: partColumn(lacking, local), code: 'name_part_needed' }]
  if (joinName(parts).length > LONGEST_NAME)
    return [{ field: partColumn('family', local), code: 'too_long', data: { max: LONGEST_NAME } }]
  const beside = full === null ? null : partBeside(parts, full)
  return beside
    ? [{ field: partColumn(beside, local), code: 'name_part_beside', data: { part: parts[beside] ?? '–', name: full } }]
    : []
}

/** What a row of a sheet says of a name that cannot be true at once: parts that do not make the full name beside them. */
export const nameLineProblems = (said: Values, current: Values | null): Reason[] =>
  ([false, true] as const).flatMap((local) => {
    const written = writtenParts(said, local, null)
    const full = said[nameColumn(local)]
    if (!Object.keys(written).length) return []
    const name = typeof full === 'string' ? full : null
    return partProblems(partsAfter(current && namePartsOf(current, local), written, name), name, local)
  })

/**
 * What becomes of the parts of a name when a person is written: columns to write beside it. Written parts make the full name
 * (`merged`), or agree with the one that is written too; where only the full name is, the known ones follow it.
 *
 * @throws {Refusal} 422 where they do not go together
 */
export async function partsFollow(
  tx: Tx,
  table: NamedTable,
  merged: Values,
  current: (Values & { id: number }) | null,
): Promise<Values> {
  const reasons: Reason[] = []
  const out: Record<string, unknown> = {}
  const follows: boolean[] = []
  for (const local of [false, true]) {
    const column = nameColumn(local)
    const full = !current || merged[column] !== current[column] ? (merged[column] as string) : null
    const written = writtenParts(merged, local, current)
    if (!Object.keys(written).length) {
      if (current && full !== null) follows.push(local)
      continue
    }
    const parts = partsAfter(current && namePartsOf(current, local), written, full)
    // The last part may be taken away: only the full name is known then.
    if (full === null && !joinName(parts)) continue
    const wrong = partProblems(parts, full, local)
    reasons.push(...wrong)
    if (wrong.length) continue
    merged[column] = joinName(parts)
    Object.assign(out, partColumns(parts, local))
  }
  if (reasons.length) throw new Refusal(422, reasons)
  if (!follows.length || !current) return out
  const { rows } = await sql<Values>`select * from ${sql.table(table)} where id = ${current.id}`.execute(tx)
  for (const local of follows) {
    const known = namePartsOf(firstRow(rows), local)
    if (known) Object.assign(out, partColumns(realignParts(known, String(merged[nameColumn(local)])), local))
  }
  return out
}
