/** How rows follow a record into another, and how what ends with an account is ended. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { quoted } from '#kit/server/base/field-filters.ts'
import type { MergeKind, MergePart } from './merge.contract.ts'
import { ending, movingOf } from './pointers.rules.ts'

const name = (text: string): RawBuilder<unknown> => sql.raw(quoted(text))

/** Rows that followed and are not in the audit trail, by `table.column`: the values of the columns that know them again. */
export type Remembered = Readonly<Record<string, readonly Readonly<Record<string, string | number>>[]>>

const following = (one: ReturnType<typeof movingOf>[number], from: number, into: number): RawBuilder<unknown> =>
  sql`r.${name(one.column)} = ${from}::int ${one.only ? sql`and ${sql.raw(one.only.replaceAll(':into', String(into)))}` : sql``}`

/** How many rows follow, by what they are. `except`: pointers that are settled otherwise. */
export async function countMoving(
  db: Db | Tx,
  kind: MergeKind,
  from: number,
  into: number,
  except: readonly string[] = [],
): Promise<Map<MergePart, number>> {
  const asked = movingOf(kind).filter((one) => !except.includes(`${one.table}.${one.column}`))
  const { rows } = await sql<{ part: MergePart; count: number }>`select m.part, m.count from (${sql.join(
    asked.map(
      (one) => sql`select ${one.part}::text as part, count(*)::int as count from ${name(one.table)} r
        where ${following(one, from, into)}`,
    ),
    sql` union all `,
  )}) m`.execute(db)
  return new Map(rows.filter((row) => row.count).map((row) => [row.part, row.count]))
}

/** Does something that stands in the audit trail, but is no part of the operation: undoing leaves it alone. */
async function apart(tx: Tx, work: () => Promise<void>): Promise<void> {
  const { rows } = await sql<{ now: string | null }>`select current_setting('ems.operation', true) as now`.execute(tx)
  await sql`select set_config('ems.operation', '', true)`.execute(tx)
  await work()
  await sql`select set_config('ems.operation', ${rows[0]?.now ?? ''}, true)`.execute(tx)
}

/** Has every row that follows refer to the record that stays. */
export async function moveRows(
  tx: Tx,
  kind: MergeKind,
  from: number,
  into: number,
  except: readonly string[] = [],
): Promise<{ moved: Record<string, number>; remembered: Remembered }> {
  const moved: Record<string, number> = {}
  const remembered: Record<string, Record<string, string | number>[]> = {}
  for (const one of movingOf(kind)) {
    const pointer = `${one.table}.${one.column}`
    if (except.includes(pointer)) continue
    const [table, column] = [name(one.table), name(one.column)]
    const which = following(one, from, into)
    if (one.remembered) {
      const { rows } = await sql<
        Record<string, string | number>
      >`select ${sql.join(one.remembered.map(name))} from ${table} r
        where ${which}`.execute(tx)
      if (rows.length) remembered[pointer] = rows
    }
    let count: bigint | undefined
    if (one.fate === 'moves') {
      const move = async () => {
        ;({ numAffectedRows: count } = await sql`update ${table} r set ${column} = ${into}::int where ${which}`.execute(
          tx,
        ))
      }
      await (one.remembered ? apart(tx, move) : move())
    } else {
      // The key of the row changes: the trail has it as one that came and one that went.
      const { rows } = await sql<{ name: string }>`select attname as name from pg_attribute
        where attrelid = ${one.table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`.execute(
        tx,
      )
      const columns = rows.map((row) => row.name)
      await sql`insert into ${table} (${sql.join(columns.map(name))})
        select ${sql.join(columns.map((c) => (c === one.column ? sql`${into}::int` : sql`r.${name(c)}`)))} from ${table} r
        where ${which} on conflict do nothing`.execute(tx)
      ;({ numAffectedRows: count } = await sql`delete from ${table} r where ${which}`.execute(tx))
    }
    moved[one.part] = (moved[one.part] ?? 0) + Number(count ?? 0)
  }
  return { moved, remembered }
}

/** Gives rows that the operation remembers, and that are still those of the record that stayed, back to the one that went. */
export async function giveBack(tx: Tx, remembered: Remembered, from: number, into: number): Promise<void> {
  for (const [pointer, rows] of Object.entries(remembered)) {
    const [table, column] = pointer.split('.') as [string, string]
    const keys = Object.keys(rows[0] ?? {})
    if (!keys.length) continue
    await sql`update ${name(table)} r set ${name(column)} = ${from}::int
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x (${sql.join(keys.map((key) => sql`${name(key)} text`))})
      where r.${name(column)} = ${into}::int and ${sql.join(
        keys.map((key) => sql`r.${name(key)}::text = x.${name(key)}`),
        sql` and `,
      )}`.execute(tx)
  }
}

/** How many ways in, sessions and rights end with an account. */
export async function countEnding(db: Db | Tx, user_id: number): Promise<Map<MergePart, number>> {
  const { rows } = await sql<{ ways_in: number; sessions: number; rights: number }>`select
      ((select count(*) from identities where user_id = ${user_id}) + (select count(*) from passkeys where user_id = ${user_id})
        + (select count(*) from totp_secrets where user_id = ${user_id} and secret is not null)
        + (select count(*) from users where id = ${user_id} and password_hash is not null))::int as ways_in,
      (select count(*) from sessions where user_id = ${user_id} and expires_at > now())::int as sessions,
      ((select count(*) from role_assignments where user_id = ${user_id}) + (select count(*) from access_entries where user_id = ${user_id})
        + (select count(*) from user_permissions where user_id = ${user_id}))::int as rights`.execute(db)
  return new Map((Object.entries(firstRow(rows)) as [MergePart, number][]).filter(([, count]) => count))
}

/**
 * Ends every way into an account, and what was begun on it. Not a part of the operation: undoing gives none of it back,
 * the person sets a new password by a link.
 */
export async function endWaysIn(tx: Tx, user_id: number): Promise<void> {
  await apart(tx, async () => {
    for (const [table, column] of ending())
      await sql`delete from ${name(table)} where ${name(column)} = ${user_id}`.execute(tx)
    await sql`update users set password_hash = null where id = ${user_id} and password_hash is not null`.execute(tx)
  })
}
