import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { RowsOf } from '#kit/contract/index.ts'
import { Refusal } from '../base/errors.ts'
import { columnsOf, sameRow, serverField } from '../base/fields.ts'
import { quoted } from '../base/field-filters.ts'
import type { ChildValues } from '../base/fields.ts'

/** Rows that carry an id which is not one of those that are stored, or the same twice. */
function requireKnown(field: string, current: readonly ChildValues[], next: readonly ChildValues[]): void {
  const known = new Set(current.map((row) => row.id))
  const strange = next.flatMap((row, i) =>
    row.id !== undefined && !known.delete(row.id) ? [{ field: `${field}.${i}.id`, code: 'row_unknown' }] : [],
  )
  if (strange.length) throw new Refusal(422, strange)
}

/**
 * Makes the stored child rows of a record those of `next`: what went is deleted, what changed or moved is updated, what is
 * new is inserted, each in one statement. The record must be locked, so that no other writes them meanwhile.
 *
 * @param field name under which they travel, for refusals
 * @param current the rows as they are stored
 * @returns the ids, in the order of `next`
 * @throws {Refusal} 422 when a row carries an id that is not one of its record's
 */
export async function syncRows(
  tx: Tx,
  field: string,
  rows: RowsOf,
  record: number,
  current: readonly ChildValues[],
  next: readonly ChildValues[],
): Promise<number[]> {
  requireKnown(field, current, next)
  const table = sql.raw(quoted(rows.table))
  const columns = columnsOf(rows.fields)
  const names = [...columns.map((c) => c.name), ...(rows.position ? [rows.position] : [])]
  const list = (prefix: string) => sql.raw(names.map((name) => `${prefix}${quoted(name)}`).join(', '))
  const stored = new Map(current.map((row, i) => [row.id, { row, i }]))
  const written = next.map((row, i) => ({
    id: row.id,
    ...Object.fromEntries(columns.map((c) => [c.name, serverField(c.field).store?.(row[c.name] ?? null, c) ?? null])),
    ...(rows.position && { [rows.position]: i }),
  }))
  const kept = new Set(next.map((row) => row.id))
  const gone = current.filter((row) => !kept.has(row.id)).map((row) => row.id)
  const moved = (id: number | undefined, i: number) => rows.position !== undefined && stored.get(id)?.i !== i
  const changed = written.filter(({ id }, i) => {
    const before = stored.get(id)
    return before && (moved(id, i) || gone.length > 0 || !sameRow(rows, next[i]!, before.row))
  })
  const fresh = written.filter(({ id }) => id === undefined)
  const given = (values: readonly object[]) =>
    sql`jsonb_populate_recordset(null::${table}, ${JSON.stringify(values)}::jsonb) n`
  if (gone.length) await sql`delete from ${table} where id = any(${gone}::int[])`.execute(tx)
  if (changed.length) {
    const set = sql.raw(names.map((name) => `${quoted(name)} = n.${quoted(name)}`).join(', '))
    const differs = sql`(${list('c.')}) is distinct from (${list('n.')})`
    await sql`update ${table} c set ${set} from ${given(changed)} where c.id = n.id and ${differs}`.execute(tx)
  }
  if (!fresh.length) return next.map((row) => row.id!)
  const parent = sql.raw(quoted(rows.parent))
  const { rows: inserted } = await sql<{ id: number }>`insert into ${table} (${parent}, ${list('')})
    select ${record}::int, ${list('n.')} from ${given(fresh)} returning id`.execute(tx)
  const ids = inserted.map((row) => row.id)
  return next.map((row) => row.id ?? ids.shift()!)
}
