/** What undoing needs to know of the tables it touches, read from the database itself. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'

/** An audited table, and how the trail records its rows. */
export interface AuditedTable {
  readonly name: string
  /** Columns by which the trail knows a row, with their types. */
  readonly keys: readonly { readonly name: string; readonly type: string }[]
  /** Columns that the trail keeps in full. */
  readonly columns: readonly string[]
  /** Columns of which the trail keeps only that they have a value. They are never written back. */
  readonly secrets: readonly string[]
}

/** `child`'s columns point to `parent`'s, in the same order. */
export interface ForeignKey {
  readonly child: string
  readonly parent: string
  readonly child_columns: readonly string[]
  readonly parent_columns: readonly string[]
  /** Its rows go with the row they point to, and the trail does not keep them: what a table has for itself. */
  readonly carried: boolean
}

/**
 * The audited tables that an operation touched. The arguments of a table's audit trigger say what the trail records of
 * a row; a table whose trigger has no arguments is identified by its key, and a not-null column missing from a whole
 * row is one that the trail omits.
 */
export async function auditedTables(
  tx: Tx,
  names: readonly string[],
  operation: { readonly id: number; readonly at: string },
): Promise<Map<string, AuditedTable>> {
  const { rows } = await sql<{
    name: string
    keys: string[]
    excluded: string[] | null
    columns: { name: string; type: string; generated: boolean; filled: boolean }[]
    whole: string[] | null
  }>`
    select c.relname as name, coalesce(a.args[1]::text[], (
        select case when bool_or(k.attname = 'id') then '{id}' else array_agg(k.attname::text order by i.place) end
        from pg_index x cross join unnest(x.indkey) with ordinality as i (num, place)
          join pg_attribute k on k.attrelid = x.indrelid and k.attnum = i.num
        where x.indrelid = c.oid and x.indisprimary)) as keys,
      a.args[2]::text[] as excluded, (
        select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod),
          'generated', attgenerated <> '', 'filled', attnotnull) order by attnum)
        from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns,
      case when a.args[2] is null then (select array(select jsonb_object_keys(coalesce(l.new, l.old))) from audit_log l
        where l.at = ${operation.at} and l.operation_id = ${operation.id} and l.table_name = c.relname
          and l.action <> 'update' limit 1) end as whole
    from pg_trigger g join pg_class c on c.oid = g.tgrelid
      cross join lateral (select string_to_array(encode(g.tgargs, 'escape'), '\\000') as args) a
    where g.tgname = 'audit_delete' and c.relname = any(${names})`.execute(tx)
  const secret = /(password|secret|token)/
  return new Map(
    rows.map(({ name, keys, excluded, columns, whole }) => {
      const left = (c: (typeof columns)[number]): boolean =>
        c.generated || (excluded ? excluded.includes(c.name) : whole !== null && c.filled && !whole.includes(c.name))
      return [
        name,
        {
          name,
          keys: keys.map((key) => ({ name: key, type: columns.find((c) => c.name === key)?.type ?? 'text' })),
          columns: columns.filter((c) => !left(c) && !secret.test(c.name)).map((c) => c.name),
          secrets: columns.filter((c) => secret.test(c.name)).map((c) => c.name),
        },
      ]
    }),
  )
}

/** Every foreign key that points to one of the tables. */
export async function foreignKeys(tx: Tx, parents: readonly string[]): Promise<ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    select child.relname as child, parent.relname as parent,
      (select json_agg(a.attname order by k.place) from unnest(c.conkey) with ordinality as k (num, place)
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.num) as child_columns,
      (select json_agg(a.attname order by k.place) from unnest(c.confkey) with ordinality as k (num, place)
        join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.num) as parent_columns,
      c.confdeltype = 'c' and not exists (select from pg_trigger g where g.tgrelid = c.conrelid and g.tgname = 'audit_delete') as carried
    from pg_constraint c join pg_class child on child.oid = c.conrelid join pg_class parent on parent.oid = c.confrelid
    where c.contype = 'f' and c.conparentid = 0 and parent.relname = any(${parents})`.execute(tx)
  return rows
}

/** The tables with those that others point to first; tables that point to each other come as they were given. */
export function parentsFirst(names: readonly string[], keys: readonly ForeignKey[]): string[] {
  const out: string[] = []
  const begun = new Set<string>()
  const visit = (name: string): void => {
    if (begun.has(name)) return
    begun.add(name)
    for (const key of keys) if (key.child === name && names.includes(key.parent)) visit(key.parent)
    out.push(name)
  }
  for (const name of names) visit(name)
  return out
}
