import { sql } from 'kysely'
import type { z } from 'zod'
import { refName } from '#kit/contract/index.ts'
import type { Resource, historyEntry } from '#kit/contract/index.ts'
import type { Ctx } from '../base/context.ts'
import { quoted } from '../base/field-filters.ts'
import { lookupSource } from '../base/registry.ts'

type Entry = z.output<typeof historyEntry>

/** Keys that the log does not show, as the documents say; the same for values that are empty before and after. */
const HIDDEN = /(?:^|_)(?:ids?|system|latitude|longitude|created_by|search_text|removed)(?:_|$)/i
/** Whether the log does not show a key. */
export const isHidden = (key: string): boolean => HIDDEN.test(key)
const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === ''

/** Columns of every record that say nothing about its subject. */
const KNOWN = new Set(['id', 'version', 'created_at', 'updated_at', 'removed_at', 'search_text'])

/** Entries shown of one record; older ones stand in the log screens. */
const MOST = 500

/**
 * The changes of a record, newest first. A lookup is shown by the names of the records it pointed to (`faculty`
 * instead of `faculty_id`, which the hiding rule would hide). `unread`: fields whose changes, with their reasons, are
 * hidden from the reader.
 */
export async function historyOf(
  ctx: Ctx,
  def: Resource,
  id: number,
  unread: ReadonlySet<string> = new Set(),
): Promise<Entry[]> {
  const entries = await trailOf(ctx, def, id, unread)
  return entries.map(({ id: _id, ip: _ip, request_id: _request, withheld: _withheld, ...entry }) => entry)
}

/** An entry of the log: with where it came from, and how many fields are kept from the reader. */
export interface TrailEntry extends Entry {
  readonly id: number
  readonly ip: string | null
  readonly request_id: string | null
  readonly withheld: number
}

/** The same for the log screen. */
export async function trailOf(
  ctx: Ctx,
  def: Resource,
  id: number,
  unread: ReadonlySet<string> = new Set(),
): Promise<TrailEntry[]> {
  const fields = def.fields
  const joined = Object.entries(fields).flatMap(([name, field]) =>
    field.kind === 'lookups' && field.through ? [{ name, ...field.through }] : [],
  )
  const children = Object.entries(fields).flatMap(([name, field]) =>
    field.kind === 'rows' && field.rows ? [{ name, ...field.rows }] : [],
  )
  const tables = [def.table, ...joined.map((j) => j.table), ...children.map((c) => c.table)]
  const { rows } = await sql<{
    id: number
    ip: string | null
    request_id: string | null
    at: string
    action: string
    table_name: string
    by: string | null
    by_local: string | null
    as: string | null
    as_local: string | null
    reason: string | null
    old: Record<string, unknown> | null
    new: Record<string, unknown> | null
  }>`
    select l.id::float8 as id, host(l.ip) as ip, l.request_id, l.at, l.action, l.table_name, l.reason, l.old, l.new,
      coalesce(i.name, u.name) as by, coalesce(i.name_local, u.name_local) as by_local,
      case when i.id is not null then u.name end as as, case when i.id is not null then u.name_local end as as_local
    from audit_log l left join users u on u.id = l.actor_id left join users i on i.id = l.impersonator_id
    where l.table_name = any(${tables}) and l.record_id = ${id}
    order by l.at desc, l.id desc limit ${MOST}`.execute(ctx.db)

  // Which records do the lookups name? One question per resource.
  const wanted = new Map<string, Set<number>>()
  const want = (to: string | undefined, value: unknown) => {
    if (to && typeof value === 'number') wanted.set(to, (wanted.get(to) ?? new Set()).add(value))
  }
  for (const row of rows) {
    for (const side of [row.old, row.new]) {
      for (const [name, value] of Object.entries(side ?? {})) {
        const child = children.find((c) => c.table === row.table_name)?.fields[name]
        if (child) want(child.to, value)
        else if (row.table_name === def.table)
          want(fields[name]?.kind === 'lookup' ? fields[name].to : undefined, value)
        else for (const j of joined) if (j.table === row.table_name && j.to === name) want(fields[j.name]?.to, value)
      }
    }
  }
  const names = new Map<string, unknown>()
  for (const [to, ids] of wanted) {
    const source = lookupSource(to)
    if (!source) continue
    const { rows: found } = await sql<{ id: number; name: string; name_local: string | null }>`
      select r.id, ${sql.raw(source.label.name)} as name, ${sql.raw(source.label.name_local ?? 'null')} as name_local
      from ${sql.raw(quoted(source.table))} r where r.id = any(${[...ids]}::int[])`.execute(ctx.db)
    for (const one of found) names.set(`${to} ${one.id}`, { id: one.id, name: one.name, name_local: one.name_local })
  }
  const named = (to: string | undefined, value: unknown): unknown =>
    (to && names.get(`${to} ${String(value)}`)) ?? value

  // A column that is no field has no readers of its own: it is for those who read the whole record.
  const hidden = (name: string): boolean =>
    unread.has(name) || (unread.size > 0 && !(name in fields) && !KNOWN.has(name))
  return rows.flatMap((row): TrailEntry[] => {
    const { at, by, by_local, as, as_local } = row
    const where = { id: row.id, ip: row.ip, request_id: row.request_id, withheld: 0, at, by, by_local, as, as_local }
    const told = (names: readonly string[]) => (names.some(hidden) ? null : row.reason)
    const through = joined.find((j) => j.table === row.table_name)
    if (through) {
      if (unread.has(through.name)) return []
      const to = fields[through.name]?.to
      const change = {
        field: through.name,
        old: row.old ? named(to, row.old[through.to]) : null,
        new: row.new ? named(to, row.new[through.to]) : null,
      }
      return [{ ...where, reason: row.reason, action: 'update', changes: [change] }]
    }
    const child = children.find((c) => c.table === row.table_name)
    if (child) {
      if (unread.has(child.name)) return []
      // As in an answer: the values, and the named record beside each lookup.
      const line = (side: Record<string, unknown> | null) =>
        side && [
          Object.fromEntries(
            Object.entries(side).flatMap(([name, value]) => {
              const field = child.fields[name]
              if (!field) return []
              const at = field.kind === 'lookup' ? [[refName(name), named(field.to, value)]] : []
              return [[name, value], ...at] as [string, unknown][]
            }),
          ),
        ]
      const change = { field: child.name, old: line(row.old), new: line(row.new) }
      // That others moved up or down is no news of theirs.
      const only = [change.old, change.new].every((side) => !side || Object.keys(side[0]!).length === 0)
      return only ? [] : [{ ...where, reason: row.reason, action: 'update', changes: [change] }]
    }
    const before = row.old ?? {}
    const after = row.new ?? {}
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    const changes = names.flatMap((name) => {
      if (hidden(name) || (isEmpty(before[name]) && isEmpty(after[name]))) return []
      const field = fields[name]
      if (field?.kind === 'lookup') {
        return [
          {
            field: refName(name),
            old: named(field.to, before[name] ?? null),
            new: named(field.to, after[name] ?? null),
          },
        ]
      }
      return HIDDEN.test(name) ? [] : [{ field: name, old: before[name] ?? null, new: after[name] ?? null }]
    })
    const removal = row.action === 'update' && 'removed_at' in after
    const action = removal ? (after.removed_at === null ? 'restore' : 'remove') : row.action
    return changes.length || removal || row.action !== 'update'
      ? [{ ...where, reason: told(names), action, changes, withheld: names.filter(hidden).length }]
      : []
  })
}
