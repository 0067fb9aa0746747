import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Resource } from '#kit/contract/index.ts'
import type { Refusal } from '../../base/errors.ts'
import { Refusal as Refused } from '../../base/errors.ts'

/** Who changed a field, and when. */
export interface Since {
  readonly by: { name: string; name_local: string } | null
  readonly at: string
}

/**
 * Fields of records that were changed after a time, by `id field`: who did it last. A minute more than asked, for
 * changes that were under way when the sheet was written.
 */
export async function changedSince(
  tx: Tx,
  def: Resource,
  records: readonly { id: number; at: string }[],
): Promise<Map<string, Since>> {
  if (!records.length) return new Map()
  const joined = Object.entries(def.fields).flatMap(([name, { through }]) => (through ? [[through.table, name]] : []))
  const { rows } = await sql<Since & { record_id: number; field: string }>`
    select distinct on (l.record_id, f.field) l.record_id, f.field, l.at,
      case when u.id is not null then json_build_object('name', u.name, 'name_local', u.name_local) end as by
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as e (id int, at timestamptz)
      join audit_log l on l.record_id = e.id and l.at > e.at - interval '1 minute'
        and l.table_name = any(${[def.table, ...joined.map(([table]) => table)]})
        and not (l.table_name = ${def.table} and l.action = 'insert')
      cross join lateral (
        select case when l.table_name = ${def.table} then key else ${JSON.stringify(Object.fromEntries(joined))}::jsonb ->> l.table_name end as field
        from jsonb_object_keys(coalesce(l.new, l.old)) as key) f
      left join users u on u.id = coalesce(l.impersonator_id, l.actor_id)
    order by l.record_id, f.field, l.at desc, l.id desc`.execute(tx)
  return new Map(rows.map(({ record_id, field, by, at }) => [`${record_id} ${field}`, { by, at }]))
}

/** The refusal when records changed between preview and save: each row, with the person and the time. */
export async function changedRows(
  tx: Tx,
  def: Resource,
  lines: readonly { row: number; record_id: number | null }[],
): Promise<Refusal> {
  const { rows } = await sql<{ id: number; at: string | null; name: string | null; name_local: string | null }>`
    select e.id, a.at, u.name, u.name_local from unnest(${lines.map((line) => line.record_id)}::int[]) as e (id)
      left join lateral (select l.at, coalesce(l.impersonator_id, l.actor_id) as by from audit_log l
        where l.table_name = ${def.table} and l.record_id = e.id order by l.at desc, l.id desc limit 1) a on true
      left join users u on u.id = a.by`.execute(tx)
  const last = new Map(rows.map((row) => [row.id, row]))
  return new Refused(
    409,
    lines.map(({ row, record_id }) => {
      const { name = null, name_local = null, at = null } = last.get(record_id ?? 0) ?? {}
      return {
        field: `rows.${row}`,
        code: name === null ? 'import_row_changed' : 'import_row_changed_by',
        data: { row, by: name, by_local: name_local, at },
      }
    }),
  )
}
