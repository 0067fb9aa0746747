import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '../base/context.ts'
import { asRefusal, refuse } from '../base/errors.ts'
import type { Reason } from '../base/errors.ts'
import { quoted } from '../base/field-filters.ts'
import { mayUndo, operationKind, undoOfTable } from './operations.ts'
import type { Operation, OperationKind, UndoneRow } from './operations.ts'
import { servedResources } from '../base/registry.ts'
import { reachesAll } from '../base/scope.ts'
import { auditedTables, foreignKeys, parentsFirst } from './undo-tables.ts'
import type { AuditedTable, ForeignKey } from './undo-tables.ts'
import { keptRows } from './undo-kept.ts'
import type { Kept } from './undo-kept.ts'

/** What became of an operation that was undone. */
export interface UndoResult {
  /** Rows put back to what they were, removed again, brought back. */
  readonly changed: number
  readonly removed: number
  readonly restored: number
  /** What could not be put back and was left: the first of them, and how many there are. */
  readonly kept: readonly Kept[]
  readonly kept_count: number
}

/** Statements that may fail before the rest of a table is given up: rows that cannot be put back are found by halving. */
const MOST_FAILURES = 400
/** How often what failed is tried again after other rows were put back (a code that was free again only then). */
const MOST_PASSES = 4
const TAKEN_BACK = Symbol('taken back')

const id = (name: string): RawBuilder<unknown> => sql.raw(quoted(name))
/** The row of `t` that a row `u` of `undo_rows` is about. */
const sameRow = (table: AuditedTable): RawBuilder<unknown> =>
  sql.raw(table.keys.map(({ name, type }) => `t.${quoted(name)} = (u.pk ->> ${literal(name)})::${type}`).join(' and '))
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
const texts = (values: readonly string[]): RawBuilder<unknown> =>
  sql.raw(`array[${values.map(literal).join(', ')}]::text[]`)

/**
 * Undoes an operation in one transaction, as far as its values are unchanged; see `OperationKind`. `preview` only
 * reports what would happen.
 *
 * @throws {Refusal} 403; 409 when it does not exist, is too old, was undone already, or nothing of it can be restored
 */
export async function undoOperation(ctx: Ctx, operation_id: number, preview = false): Promise<UndoResult> {
  const seen = await readOperation(ctx, ctx.db as unknown as Tx, operation_id)
  let result: UndoResult | undefined
  await ctx
    .write(
      async (tx) => {
        const operation = await readOperation(ctx, tx, operation_id, sql`for update`)
        const kind = requireUndoable(operation)
        await kind.before?.(ctx, tx, operation)
        result = await putBack(ctx, tx, operation, kind)
        if (preview) throw TAKEN_BACK
        const { changed, removed, restored, kept_count: kept } = result
        if (changed + removed + restored === 0) throw refuse(409, 'undo_nothing')
        await kind.after?.(ctx, tx, operation)
        await sql`update operations set undone_at = now(), undone_by = ${ctx.actor?.user_id ?? null},
          undone = ${JSON.stringify({ changed, removed, restored, kept })}::jsonb where id = ${operation_id}`.execute(
          tx,
        )
      },
      { reason: `undo of ${seen.kind} ${operation_id}` },
    )
    .catch((error: unknown) => {
      if (error !== TAKEN_BACK) throw error
    })
  return result as UndoResult
}

/** Whether it is too late is for the database's clock to say. */
type Read = Operation & { readonly expired: boolean }

async function readOperation(ctx: Ctx, tx: Tx, operation_id: number, lock = sql``): Promise<Read> {
  const { rows } =
    await sql<Read>`select id, kind, facts, counts, actor_id, at, expires_at, undone_at, expires_at <= now() as expired
    from operations where id = ${operation_id} ${lock}`.execute(tx)
  const [operation] = rows
  if (!operation) throw refuse(409, 'undo_none')
  if (!mayUndo(ctx, operation)) throw refuse(403, 'not_allowed')
  return operation
}

function requireUndoable(operation: Read): OperationKind {
  const kind = operationKind(operation.kind)
  if (!kind) throw refuse(404, 'not_found')
  if (operation.undone_at) throw refuse(409, 'undo_done')
  if (operation.expired) throw refuse(409, 'undo_expired')
  return kind
}

/** Everything that stands for one undo. */
interface Work {
  readonly ctx: Ctx
  readonly tx: Tx
  readonly tables: ReadonlyMap<string, AuditedTable>
  readonly keys: readonly ForeignKey[]
  failures: number
}

async function putBack(ctx: Ctx, tx: Tx, operation: Operation, kind: OperationKind): Promise<UndoResult> {
  const { rows: named } = await sql<{ name: string }>`select distinct table_name as name from audit_log
    where at = ${operation.at} and operation_id = ${operation.id}`.execute(tx)
  const names = named.map((row) => row.name).toSorted()
  const tables = await auditedTables(tx, names, operation)
  const keys = await foreignKeys(tx, names)
  const order = parentsFirst(names, keys).filter((name) => tables.has(name))
  await collect(tx, operation, tables)
  for (const name of [...order].toSorted()) await compare(ctx, tx, tables.get(name)!, kind)

  const work: Work = { ctx, tx, tables, keys, failures: 0 }
  for (let pass = 0, last = -1; pass < MOST_PASSES; pass++) {
    for (const name of order) await run(work, tables.get(name)!, 'restore')
    for (const name of order) await run(work, tables.get(name)!, 'change')
    for (const name of order.toReversed()) {
      await keepReferred(work, tables.get(name)!)
      await run(work, tables.get(name)!, 'remove')
    }
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from undo_rows where state = 'waiting'`.execute(
      tx,
    )
    const left = firstRow(rows).n
    if (left === 0 || left === last) break
    last = left
    await sql`update undo_rows set code = null, data = null where state = 'waiting' and ${pass < MOST_PASSES - 1}`.execute(
      tx,
    )
  }
  // What still waits was refused in its last try, and has the reason of that.
  await sql`update undo_rows set state = 'kept' where state = 'waiting'`.execute(tx)
  await touchOwners(tx, tables)

  const { rows: counts } = await sql<{ changed: number; removed: number; restored: number; kept: number }>`
    select count(*) filter (where state = 'done' and action = 'change')::int as changed,
      count(*) filter (where state = 'done' and action = 'remove')::int as removed,
      count(*) filter (where state = 'done' and action = 'restore')::int as restored,
      (select count(*)::int from undo_kept) + count(*) filter (where state = 'kept' and code is not null)::int as kept
    from undo_rows`.execute(tx)
  const { kept: kept_count, ...done } = counts[0]!
  return { ...done, kept: kept_count ? await keptRows(tx, tables) : [], kept_count }
}

/**
 * What the operation did to each row as a whole, in a table of the transaction: `undo_rows`. Of several changes of one
 * row the first old and the last new value count.
 */
async function collect(tx: Tx, operation: Operation, tables: ReadonlyMap<string, AuditedTable>): Promise<void> {
  const keys = Object.fromEntries([...tables.values()].map((t) => [t.name, t.keys.map((key) => key.name)]))
  const secrets = Object.fromEntries([...tables.values()].map((t) => [t.name, t.secrets]))
  await sql`create temporary table undo_rows on commit drop as
    with known as (
      select k.key as table_name, array(select jsonb_array_elements_text(k.value)) as keys,
        array(select jsonb_array_elements_text(${JSON.stringify(secrets)}::jsonb -> k.key)) as secrets
      from jsonb_each(${JSON.stringify(keys)}::jsonb) k),
    entries as (
      select l.id, l.action, l.table_name, l.record_id, l.old, l.new, k.secrets,
        case when cardinality(k.keys) = 1
          then jsonb_build_object(k.keys[1], coalesce(to_jsonb(l.record_id), coalesce(l.new, l.old) -> k.keys[1]))
          else (select jsonb_object_agg(key, coalesce(l.new, l.old) -> key) from unnest(k.keys) as key) end as pk
      from audit_log l join known k using (table_name)
      where l.at = ${operation.at} and l.operation_id = ${operation.id}),
    marked as (
      select e.*, coalesce(min(id) filter (where action = 'delete') over w, 9223372036854775807) as first_delete,
        coalesce(max(id) filter (where action = 'insert') over w, 0) as last_insert
      from entries e window w as (partition by table_name, pk)),
    whole as (
      select table_name, pk, min(record_id) as record_id, max(id) as last_id,
        (array_agg(action order by id))[1] as first_action, (array_agg(action order by id desc))[1] as last_action,
        coalesce(merge_objects(old order by id desc) filter (where old is not null and id <= first_delete), '{}') as before,
        coalesce(merge_objects(new order by id) filter (where new is not null and id >= last_insert), '{}') as after,
        min(secrets) as secrets
      from marked group by table_name, pk)
    select row_number() over (order by table_name, record_id, pk)::int as n, table_name, pk, record_id, last_id,
      case when first_action = 'insert' then 'remove' when last_action = 'delete' then 'restore' else 'change' end as action,
      before - secrets as before, after - secrets as after,
      (select coalesce(array_agg(s), '{}') from unnest(secrets) s where before ? s) as lost,
      (select coalesce(array_agg(s), '{}') from unnest(secrets) s where after ? s or before ? s) as masked,
      null::jsonb as put, 'waiting' as state, null::text as code, null::jsonb as data
    from whole where not (first_action = 'insert' and last_action = 'delete')`.execute(tx)
  await sql`create index on undo_rows (n)`.execute(tx)
  await sql`create temporary table undo_kept (n int, field text, code text, theirs jsonb) on commit drop`.execute(tx)
  await sql`analyze undo_rows`.execute(tx)
}

/** Locks the rows of a table and finds what somebody changed since; the rest is what will be put back. */
async function compare(ctx: Ctx, tx: Tx, table: AuditedTable, kind: OperationKind): Promise<void> {
  const t = id(table.name)
  const derived = kind.derived?.[table.name] ?? []
  const compared = table.columns.filter((c) => !derived.includes(c) && !table.keys.some((key) => key.name === c))
  const mine = sql`u.table_name = ${table.name}`
  await sql`select count(*) from (select 1 from undo_rows u join ${t} t on ${sameRow(table)}
    where ${mine} order by ${sql.raw(table.keys.map((key) => `t.${quoted(key.name)}`).join(', '))} for update of t) locked`.execute(
    tx,
  )
  // Gone: somebody removed it. There: somebody made it anew.
  await sql`update undo_rows u set state = 'kept', code = case action when 'restore' then 'undo_there' when 'change' then 'undo_gone' end
    where ${mine} and (u.action = 'restore') = exists (select from ${t} t where ${sameRow(table)})`.execute(tx)
  if (kind.reach?.table === table.name && !reachesAll(ctx, kind.permission)) {
    await sql`update undo_rows u set state = 'kept', code = 'not_allowed' where ${mine} and state = 'waiting' and action <> 'restore'
      and not exists (select from ${t} t where ${sameRow(table)} and ${kind.reach.where(ctx)})`.execute(tx)
  }
  // Field by field; values are compared as the table keeps them, so that 3 and 3.00 are the same.
  const value = (line: string) => sql`to_jsonb(jsonb_populate_record(null::${t}, ${sql.raw(line)}))`
  // Who did it last goes with what was done.
  const told = compared.filter((column) => !column.endsWith('_by'))
  const mayDiffer = sql`f.field = any(${texts(told)}) and line.now -> f.field is distinct from line.written -> f.field`
  await sql`insert into undo_kept (n, field, code, theirs)
    select u.n, f.field, 'undo_changed', nullif(line.now -> f.field, 'null')
    from undo_rows u join ${t} t on ${sameRow(table)}
      cross join lateral (select to_jsonb(t) as now, ${value('u.after')} as written offset 0) line
      cross join lateral (
        select jsonb_object_keys(case when u.action = 'remove' then line.now else u.before || u.after end) as field) f
    where ${mine} and u.state = 'waiting' and u.action <> 'restore' and ${mayDiffer}`.execute(tx)
  if (table.secrets.length) {
    // The trail does not tell a secret, so it cannot be put back, and only a later entry shows that it was changed.
    await sql`insert into undo_kept (n, field, code)
      select u.n, unnest(u.lost), 'undo_secret' from undo_rows u where ${mine} and u.state = 'waiting' and u.action <> 'remove'
      union all
      select u.n, s.field, 'undo_changed' from undo_rows u cross join unnest(${texts(table.secrets)}) as s (field)
      where ${mine} and u.state = 'waiting' and u.action = 'remove' and exists (select from audit_log a
        where a.table_name = u.table_name and a.record_id = u.record_id and a.id > u.last_id and a.new ? s.field)`.execute(
      tx,
    )
  }
  // A row that was added stays whole when somebody changed any of it; of a changed row the other fields are put back.
  await sql`update undo_rows u set state = 'kept' where ${mine} and state = 'waiting' and action = 'remove'
    and exists (select from undo_kept k where k.n = u.n)`.execute(tx)
  await sql`update undo_rows u set put = coalesce((
      select jsonb_object_agg(f.field, coalesce(u.before -> f.field, 'null')) from jsonb_object_keys(u.before || u.after) as f (field)
      where f.field = any(${texts(compared)}) and not exists (select from undo_kept k where k.n = u.n and k.field = f.field)), '{}')
    where ${mine} and state = 'waiting' and action = 'change'`.execute(tx)
  await sql`update undo_rows u set state = 'kept' where ${mine} and state = 'waiting' and action = 'change' and put = '{}'`.execute(
    tx,
  )
}

/** Keeps added rows that something still refers to: other than what goes with them or is removed with them. */
async function keepReferred({ tx, keys, tables }: Work, table: AuditedTable): Promise<void> {
  const pointing = keys.filter((key) => key.parent === table.name && !key.carried)
  if (!pointing.length) return
  const mine = sql`u.table_name = ${table.name} and u.state = 'waiting' and u.action = 'remove'`
  await sql`update undo_rows u set code = null, data = null where ${mine} and code = 'undo_in_use'`.execute(tx)
  for (let again = true; again;) {
    again = false
    for (const key of pointing) {
      const joins = sql.raw(
        key.child_columns.map((c, i) => `c.${quoted(c)} = t.${quoted(key.parent_columns[i]!)}`).join(' and '),
      )
      // A table that refers to itself: rows that go together do not hold each other.
      const own = key.child === table.name ? tables.get(key.child) : undefined
      const going = own
        ? sql`and not exists (select from undo_rows v where v.table_name = ${table.name} and v.state = 'waiting' and v.action = 'remove' and v.code is null
            and ${sql.raw(own.keys.map(({ name, type }) => `c.${quoted(name)} = (v.pk ->> ${literal(name)})::${type}`).join(' and '))})`
        : sql``
      const { numAffectedRows } = await sql`update undo_rows u
        set code = 'undo_in_use', data = jsonb_build_object('by', ${key.child}::text)
        from ${id(table.name)} t where ${mine} and u.code is null and ${sameRow(table)}
          and exists (select from ${id(key.child)} c where ${joins} ${going})`.execute(tx)
      if (own && numAffectedRows) again = true
    }
  }
}

/** Puts back the rows of a table that wait for one action: all in one statement, or those of them that can be. */
async function run(work: Work, table: AuditedTable, action: UndoneRow['action']): Promise<void> {
  const { rows } = await sql<{
    n: number
  }>`select n from undo_rows u where u.table_name = ${table.name} and u.action = ${action}
    and u.state = 'waiting' and u.code is null order by n`.execute(work.tx)
  if (rows.length)
    await attempt(
      work,
      table,
      action,
      rows.map((row) => row.n),
    )
}

async function attempt(
  work: Work,
  table: AuditedTable,
  action: UndoneRow['action'],
  ns: readonly number[],
): Promise<void> {
  const { ctx, tx } = work
  let reason: Reason
  try {
    await ctx.attempt(async () => {
      await writeRows(work, table, action, ns)
      await sql`update undo_rows set state = 'done' where n = any(${ns}::int[])`.execute(tx)
    })
    return
  } catch (error) {
    const refusal = asRefusal(error)
    if (!refusal || refusal.status === 503) throw error
    reason = refusal.reasons[0]!
  }
  if (ns.length === 1 || ++work.failures > MOST_FAILURES) {
    await sql`update undo_rows set code = ${reason.code}, data = ${JSON.stringify(reason.data ?? {})}::jsonb
      where n = any(${ns}::int[])`.execute(tx)
    return
  }
  const half = Math.ceil(ns.length / 2)
  await attempt(work, table, action, ns.slice(0, half))
  await attempt(work, table, action, ns.slice(half))
}

async function writeRows(
  { ctx, tx }: Work,
  table: AuditedTable,
  action: UndoneRow['action'],
  ns: readonly number[],
): Promise<void> {
  const t = id(table.name)
  const mine = sql`u.n = any(${ns}::int[])`
  const write = async (): Promise<void> => {
    if (action === 'restore') {
      const columns = sql.raw(table.columns.map(quoted).join(', '))
      await sql`insert into ${t} (${columns}) overriding system value
        select ${sql.raw(table.columns.map((c) => `r.${quoted(c)}`).join(', '))} from undo_rows u
          cross join lateral jsonb_populate_record(null::${t}, u.before) r where ${mine} order by u.n`.execute(tx)
    } else if (action === 'remove') {
      await sql`delete from ${t} t using undo_rows u where ${mine} and ${sameRow(table)}`.execute(tx)
    } else {
      const { rows } = await sql<{
        name: string
      }>`select distinct jsonb_object_keys(u.put) as name from undo_rows u where ${mine}`.execute(tx)
      const set = rows.map(
        ({ name }) =>
          `${quoted(name)} = case when u.put ? ${literal(name)} then r.${quoted(name)} else t.${quoted(name)} end`,
      )
      await sql`update ${t} t set ${sql.raw(set.join(', '))} from undo_rows u
          cross join lateral jsonb_populate_record(null::${t}, u.put) r where ${mine} and ${sameRow(table)}`.execute(tx)
    }
  }
  const own = undoOfTable(table.name)
  if (!own) return write()
  const { rows } =
    await sql<UndoneRow>`select u.record_id, u.action, case when u.action = 'change' then u.put else u.before end as before, u.after
    from undo_rows u where ${mine} order by u.n`.execute(tx)
  await own(ctx, tx, rows, write)
}

/** A record whose joined rows were put back has another version, so that whoever looks at it is told. */
async function touchOwners(tx: Tx, tables: ReadonlyMap<string, AuditedTable>): Promise<void> {
  for (const def of servedResources()) {
    for (const { through } of Object.values(def.fields)) {
      if (!through || !tables.has(through.table)) continue
      await sql`update ${id(def.table)} t set version = version where t.id in (
        select ((u.before || u.after) ->> ${through.from})::int from undo_rows u where u.table_name = ${through.table} and u.state = 'done')`.execute(
        tx,
      )
    }
  }
}
