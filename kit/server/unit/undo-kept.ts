import { CompiledQuery, sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Label, Problem } from '#kit/contract/index.ts'
import { quoted } from '../base/field-filters.ts'
import { hasText, toProblem } from '../base/errors.ts'
import { namesOfRows } from './operations.ts'
import { lookupSource, servedResources, tableName } from '../base/registry.ts'
import type { AuditedTable } from './undo-tables.ts'

/** Something that undoing left as it is. */
export interface Kept {
  readonly table: string
  /** What kind of record it is, and its name; null where it has none. */
  readonly what: Label | null
  readonly id: number | null
  readonly name: string | null
  readonly name_local: string | null
  readonly code: string | null
  /** The field, in the words of the screens; null: the whole record. */
  readonly field: Label | null
  readonly problem: Problem
  /** Who changed it since, and when. */
  readonly by: { readonly name: string; readonly name_local: string } | null
  readonly at: string | null
}

/** What is told of what was left. */
const MOST = 200

interface Named {
  id: number
  name: string
  name_local: string | null
  code: string | null
}
interface Row {
  table_name: string
  record_id: number | null
  field: string | null
  code: string
  data: Record<string, unknown> | null
  written: Record<string, unknown>
  by: { name: string; name_local: string } | null
  at: string | null
}

/** The first rows and fields that undoing left, with who changed them since. */
export async function keptRows(tx: Tx, tables: ReadonlyMap<string, AuditedTable>): Promise<Kept[]> {
  const { rows } = await sql<Row>`
    with kept as (
      select n, field, code, null::jsonb as data from undo_kept
      union all
      select n, null, code, data from undo_rows where state = 'kept' and code is not null
      order by n, field limit ${MOST})
    select u.table_name, u.record_id, k.field, k.code, k.data, u.after as written, a.at,
      case when p.id is not null then json_build_object('name', p.name, 'name_local', p.name_local) end as by
    from kept k join undo_rows u using (n)
      left join lateral (
        select l.at, coalesce(l.impersonator_id, l.actor_id) as by from audit_log l
        where l.table_name = u.table_name and l.record_id = u.record_id and l.id > u.last_id and l.at <= now()
          and (k.field is null or l.new ? k.field)
        order by l.at desc, l.id desc limit 1) a on k.code <> 'undo_in_use'
      left join users p on p.id = a.by
    order by k.n, k.field`.execute(tx)

  const known = new Map(servedResources().map((def) => [def.table, def]))
  const names = new Map<string, { name: string | null; name_local: string | null; code: string | null }>()
  for (const table of new Set(rows.map((row) => row.table_name))) {
    const def = known.get(table)
    const source = def && lookupSource(def.name)
    const ids = rows.flatMap((row) => (row.table_name === table && row.record_id !== null ? [row.record_id] : []))
    const own = namesOfRows(table)
    if (own) {
      const { rows: found } = await tx.executeQuery<Named>(CompiledQuery.raw(own.select, [ids]))
      for (const one of found) names.set(`${table} ${one.id}`, one)
      continue
    }
    if (!source || source.table !== table || !tables.has(table)) continue
    const { rows: found } = await sql<Named>`
      select r.id, ${sql.raw(source.label.name)} as name, ${sql.raw(source.label.name_local ?? 'null')} as name_local,
        ${sql.raw(source.label.code ?? 'null')} as code
      from ${sql.raw(quoted(table))} r where r.id = any(${ids}::int[])`.execute(tx)
    for (const one of found) names.set(`${table} ${one.id}`, one)
  }
  /** What stands against putting a row back; who refers to it is told as people call it. */
  const reasonOf = ({ code, data }: Row, held: Readonly<Record<string, string>> = {}): Pick<Row, 'code' | 'data'> => {
    if (code !== 'undo_in_use') return { code, data }
    const by = String(data?.by ?? '')
    if (held[by]) return { code: held[by], data: null }
    const words = tableName(by)
    return { code, data: { by: words?.[0] ?? by, by_local: words?.[1] ?? by } }
  }
  return rows.map((row) => {
    const def = known.get(row.table_name)
    const own = namesOfRows(row.table_name)
    const name = names.get(`${row.table_name} ${row.record_id}`)
    const called = own?.called === undefined ? undefined : row.written[own.called]
    const { code, data } = reasonOf(row, own?.held)
    return {
      table: row.table_name,
      what: own?.what ?? def?.one ?? tableName(row.table_name) ?? null,
      id: row.record_id,
      name: typeof called === 'string' ? called : (name?.name ?? null),
      name_local: typeof called === 'string' ? null : (name?.name_local ?? null),
      code: name?.code ?? null,
      field:
        row.field === null
          ? null
          : (own?.fields?.[row.field] ?? def?.fields[row.field]?.label ?? [row.field, row.field]),
      problem: toProblem({ code: hasText(code) ? code : 'check_failed', ...(data && { data }) }),
      by: row.by,
      at: row.at,
    }
  })
}
