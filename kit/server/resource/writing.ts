/**
 * The write path of a resource: a row is locked within reach, judged, written with what is joined to it, and stays
 * within reach.
 */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Access, Resource } from '#kit/contract/index.ts'
import type { Ctx } from '../base/context.ts'
import { Refusal, refuse } from '../base/errors.ts'
import type { Reason } from '../base/errors.ts'
import { sameValue, serverField } from '../base/fields.ts'
import type { ChildValues } from '../base/fields.ts'
import { quoted } from '../base/field-filters.ts'
import { reasonOf } from './abilities.ts'
import type { Abilities } from './abilities.ts'
import type { FieldReaders } from './field-readers.ts'
import type { Planned } from './planned.ts'
import type { Reach } from './reach.ts'
import type { Reading } from './reading.ts'
import { syncRows } from './rows.ts'
import type { Served, Values } from './served.ts'

/** `insert` and `update` for rows that were checked by the schema of their call, and the lock that both begin with. */
export function writingOf<R extends Resource>(
  { def, options, written, table, from }: Planned<R>,
  { conditions, requireChange, staysWithin }: Reach,
  { requireReadable }: FieldReaders<R>,
  { possibleOf }: Abilities<R>,
  { stored, find }: Reading<R>,
) {
  const p = def.permissions
  const requireAbility = async (ctx: Ctx, tx: Tx, id: number, ability: string | undefined): Promise<void> => {
    const possible = ability === undefined ? undefined : possibleOf.get(ability)
    if (!possible) return
    const row = await find(ctx, tx, id, 'public')
    const answer = row && possible(row, ctx)
    if (answer !== true) throw new Refusal(409, [answer ? reasonOf(answer) : { code: 'state_not_allowed' }])
  }
  const storedRows: Served['stored'] = async (tx, list) => {
    if (!list.length) return []
    const { rows } = await sql<Values & { id: number; version: number }>`select ${sql.raw(stored())} from ${from}
      where t.id = any(${[...list]}::int[])`.execute(tx)
    return rows
  }
  const lock: Served['lock'] = async (ctx, tx, id, { access, ability, removed = false }) => {
    requireChange(ctx, access)
    const where = [sql`t.id = ${id}`, ...conditions(ctx, access)]
    const { rows } = await sql<Values & { id: number; version: number }>`select ${sql.raw(stored())} from ${from}
      where ${sql.join(where, sql` and `)} for update of t`.execute(tx)
    const [row] = rows
    if (!row) throw refuse(404, 'not_found')
    if (row.removed && !removed) throw refuse(409, 'removed_record')
    await requireAbility(ctx, tx, id, ability)
    return row
  }
  const missing = (merged: Values): Reason[] =>
    written
      .filter(
        ({ name, field }) => field.required && !field.readOnly && field.kind !== 'flag' && (merged[name] ?? '') === '',
      )
      .map(({ name }) => ({ field: name, code: 'required' }))
  /** What is kept in tables of its own: joined records and child rows. */
  const keepJoined = async (tx: Tx, id: number, values: Values, current: Values | null): Promise<void> => {
    for (const { name, field } of written) {
      if (field.kind === 'rows' && field.rows && values[name] !== undefined) {
        const before = (current?.[name] ?? []) as ChildValues[]
        await syncRows(tx, name, field.rows, id, before, (values[name] ?? []) as ChildValues[])
      }
      if (field.kind !== 'lookups' || values[name] === undefined || !field.through) continue
      const [joining, mine, theirs] = [field.through.table, field.through.from, field.through.to].map((part) =>
        sql.raw(quoted(part)),
      )
      const ids = [...new Set((values[name] ?? []) as number[])]
      await sql`delete from ${joining} where ${mine} = ${id} and ${theirs} <> all(${ids}::int[])`.execute(tx)
      if (ids.length) {
        await sql`insert into ${joining} (${mine}, ${theirs}) select ${id}::int, new_id from unnest(${ids}::int[]) as new_id
          where not exists (select from ${joining} where ${mine} = ${id} and ${theirs} = new_id)`.execute(tx)
      }
    }
  }
  /** Column and value of everything that is kept in the table itself. */
  const storable = (values: Values, extra: Values): [string, unknown][] => [
    ...written.flatMap((c): [string, unknown][] => {
      const { store } = serverField(c.field)
      return store && values[c.name] !== undefined && !(c.name in extra) ? [[c.name, store(values[c.name], c)]] : []
    }),
    ...Object.entries(extra),
  ]
  const insert: Served['insert'] = async (ctx, tx, input, access = p.add as Access) => {
    requireChange(ctx, access)
    const merged = { ...input }
    const extra = (await options.beforeWrite?.(ctx, tx, merged, null)) ?? {}
    const lacking = missing({ ...merged, ...extra })
    if (lacking.length) throw new Refusal(422, lacking)
    const values = storable(merged, extra)
    const { rows } = await (
      values.length
        ? sql<{ id: number }>`insert into ${sql.raw(table)} (${sql.join(values.map(([name]) => sql.raw(quoted(name))))})
          values (${sql.join(values.map(([, value]) => sql`${value}`))}) returning id`
        : sql<{ id: number }>`insert into ${sql.raw(table)} default values returning id`
    ).execute(tx)
    const { id } = rows[0] as { id: number }
    await keepJoined(tx, id, merged, null)
    await staysWithin(ctx, tx, id, access)
    await requireReadable(ctx, tx, id, namesIn(input))
    await options.afterWrite?.(ctx, tx, id, merged, null)
    return id
  }
  const update: Served['update'] = async (ctx, tx, id, { version, ...input }, access = p.edit as Access) => {
    const current = await lock(ctx, tx, id, { access, ability: 'edit' })
    await requireReadable(ctx, tx, id, namesIn(input))
    if (version !== undefined && version !== current.version) throw await changedMeanwhile(tx, def, id, input, current)
    const merged: Values = { ...current, ...input }
    const extra = (await options.beforeWrite?.(ctx, tx, merged, current)) ?? {}
    const lacking = missing(merged)
    if (lacking.length) throw new Refusal(422, lacking)
    const changed: Values = {}
    for (const { name, field } of written)
      if (!sameValue(field, merged[name], current[name])) changed[name] = merged[name]
    const values = storable(changed, extra)
    if (Object.keys(changed).length || values.length) {
      // Where only joined records changed, the row is written as it is, so that its version tells.
      const set = values.length
        ? values.map(([name, value]) => sql`${sql.raw(quoted(name))} = ${value}`)
        : [sql`version = version`]
      await sql`update ${sql.raw(table)} set ${sql.join(set)} where id = ${id}`.execute(tx)
      await keepJoined(tx, id, changed, current)
    }
    await staysWithin(ctx, tx, id, access)
    await options.afterWrite?.(ctx, tx, id, merged, current)
  }
  return { storedRows, lock, insert, update }
}

/** Fields that are written. */
const namesIn = (input: Values): string[] => Object.keys(input).filter((name) => input[name] !== undefined)

/** Says what somebody else changed since the reader loaded the row: field by field, with who and when. */
async function changedMeanwhile(tx: Tx, def: Resource, id: number, input: Values, current: Values): Promise<Refusal> {
  const changed = Object.entries(def.fields)
    .filter(([name, field]) => input[name] !== undefined && !sameValue(field, input[name], current[name]))
    .map(([field]) => ({ field, yours: input[field] ?? null, theirs: current[field] ?? null }))
  const { rows } = await sql<{ at: string; name: string | null; name_local: string | null }>`
    select a.at, u.name, u.name_local from audit_log a left join users u on u.id = coalesce(a.impersonator_id, a.actor_id)
    where a.table_name = ${def.table} and a.record_id = ${id} order by a.at desc, a.id desc limit 1`.execute(tx)
  const [last] = rows
  return refuse(409, 'changed_meanwhile', {
    changed,
    version: current.version,
    by: last ? { name: last.name, name_local: last.name_local } : null,
    at: last?.at ?? null,
  })
}
