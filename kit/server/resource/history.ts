import { sql } from 'kysely'
import type { z } from 'zod'
import type { Resource, historyEntry } from '#kit/contract/index.ts'
import { HISTORY_MOST } from '#kit/contract/resource.ts'
import type { Ctx } from '../base/context.ts'
import { PLAIN } from './table-words.ts'
import { tell } from './telling.ts'
import type { Kept } from './telling.ts'

type Entry = z.output<typeof historyEntry>

/**
 * The changes of a record, newest first, in words: see `tell`. `unread`: fields whose changes, with their reasons, are
 * hidden from the reader.
 */
export async function historyOf(
  ctx: Ctx,
  def: Resource,
  id: number,
  unread: ReadonlySet<string> = new Set(),
): Promise<{ data: Entry[]; older: boolean }> {
  const { entries, older } = await trailOf(ctx, def, id, unread)
  return {
    data: entries.map(({ id: _id, ip: _ip, request_id: _request, withheld: _withheld, ...entry }) => entry),
    older,
  }
}

/** An entry of the log: with where it came from, and how many fields are kept from the reader. */
export interface TrailEntry extends Entry {
  readonly id: number
  readonly ip: string | null
  readonly request_id: string | null
  readonly withheld: number
}

/** The same for the log screen: of the record, of its child rows, and of what was joined to it. */
export async function trailOf(
  ctx: Ctx,
  def: Resource,
  id: number,
  unread: ReadonlySet<string> = new Set(),
): Promise<{ entries: TrailEntry[]; older: boolean }> {
  const fields = def.fields
  /** Tables whose rows are the values of a field. */
  const inner = new Map(
    Object.entries(fields).flatMap(([name, field]) => {
      const table =
        field.kind === 'lookups' ? field.through?.table : field.kind === 'rows' ? field.rows?.table : undefined
      return table ? [[table, name] as const] : []
    }),
  )
  const { rows: found } = await sql<
    Kept & {
      id: number
      ip: string | null
      request_id: string | null
      at: string
      by: string | null
      by_local: string | null
      as: string | null
      as_local: string | null
      reason: string | null
    }
  >`
    select l.id::float8 as id, host(l.ip) as ip, l.request_id, l.at, l.action, l.table_name, l.record_id, l.reason, l.old, l.new,
      coalesce(i.name, u.name) as by, coalesce(i.name_local, u.name_local) as by_local,
      case when i.id is not null then u.name end as as, case when i.id is not null then u.name_local end as as_local
    from audit_log l left join users u on u.id = l.actor_id left join users i on i.id = l.impersonator_id
    where l.table_name = any(${[def.table, ...inner.keys()]}) and l.record_id = ${id}
    order by l.at desc, l.id desc limit ${HISTORY_MOST + 1}`.execute(ctx.db)

  const rows = found.slice(0, HISTORY_MOST)
  // A column that is no field has no readers of its own: it is for those who read the whole record.
  const hides = (table: string) => {
    const field = inner.get(table)
    if (field !== undefined) return () => unread.has(field)
    return (name: string): boolean => unread.has(name) || (unread.size > 0 && !(name in fields) && !PLAIN.has(name))
  }
  const told = await tell(ctx, rows, hides, def)
  const entries = rows.flatMap((row, i): TrailEntry[] => {
    const { action, record, changes, withheld } = told[i]!
    const { at, by, by_local, as, as_local } = row
    if (inner.has(row.table_name) && unread.has(inner.get(row.table_name)!)) return []
    // That others moved up or down is no news of theirs.
    if (!changes.length && row.action === 'update' && ['update', 'leave', 'enter'].includes(action) && !withheld)
      return []
    const where = { id: row.id, ip: row.ip, request_id: row.request_id, at, by, by_local, as, as_local }
    // A reason may tell what the fields would.
    return [{ ...where, withheld, reason: withheld ? null : row.reason, action, record, changes }]
  })
  return { entries, older: found.length > HISTORY_MOST }
}
