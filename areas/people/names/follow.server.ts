import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Values } from '#kit/server/served.ts'
import { NAME_PARTS, realignParts } from './name.rules.ts'
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
export const partsOf = (row: Values, local: boolean): Parts | null =>
  row[partColumn('given', local)] == null
    ? null
    : (Object.fromEntries(
        NAME_PARTS.map((part) => [part, (row[partColumn(part, local)] as string | null) ?? null]),
      ) as Parts)

/** What becomes of the known parts when somebody writes the full name anew: columns to write beside it. */
export async function partsFollow(
  tx: Tx,
  table: NamedTable,
  next: Values,
  current: (Values & { id: number }) | null,
): Promise<Values> {
  if (!current) return {}
  const changed = ([false, true] as const).filter((local) => {
    const column = local ? 'name_local' : 'name'
    return next[column] !== current[column]
  })
  if (!changed.length) return {}
  const { rows } = await sql<Values>`select * from ${sql.table(table)} where id = ${current.id}`.execute(tx)
  return Object.assign(
    {},
    ...changed.map((local) => {
      const known = partsOf(rows[0]!, local)
      return known ? partColumns(realignParts(known, String(next[local ? 'name_local' : 'name'])), local) : {}
    }),
  ) as Values
}
