import { sql } from 'kysely'
import { insertRows } from '#db/bulk.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { MAX_ENTRIES, accessReasons, freeName, keyOfName, moveReasons, reordered } from '../archive.rules.ts'
import type { AccessLine } from '../archive.rules.ts'
import {
  entriesBelow,
  archiveEntriesOf,
  findEntries,
  findEntry,
  lastPlace,
  lockArchive,
  newIds,
  seesAll,
  takenNames,
  targetFolder,
} from '../entries.server.ts'
import type { ArchiveEntry } from '../entries.server.ts'
import { ROOT } from '../entry.contract.ts'
import { treeCalls } from './tree.contract.ts'

const me = (ctx: Ctx): number | null => ctx.actor?.user_id ?? null
const all = (reasons: ConstructorParameters<typeof Refusal>[1], status = 409): void => {
  if (reasons.length) throw new Refusal(status, reasons)
}
const around = async (tx: Tx, id: number): Promise<number[]> =>
  (await sql<{ id: number }>`select id from archive_up(${id})`.execute(tx)).rows.map((row) => row.id)

/** Writes who sees a folder. Who does it stays among those who change it. */
async function setAccess(tx: Tx, id: number, lines: readonly AccessLine[]): Promise<void> {
  all(accessReasons(lines, true), 422)
  await sql`delete from archive_access where entry_id = ${id}`.execute(tx)
  await insertRows(
    tx,
    'archive_access',
    lines.map(({ user_id, role_id, level }) => ({
      entry_id: id,
      user_id: user_id ?? null,
      role_id: role_id ?? null,
      level,
    })),
  )
}
type Change = {
  name?: string | undefined
  name_local?: string | null | undefined
  short_name?: string | null | undefined
  inherits?: boolean | undefined
  access?: readonly AccessLine[] | undefined
  removed?: false | undefined
  version?: number | undefined
}

/** The one way in which an entry is changed in place. */
async function change(ctx: Ctx, tx: Tx, id: number, given: Change): Promise<{ id: number; version: number }> {
  await lockArchive(tx)
  const entry = await findEntry(ctx, tx, id, { edit: true, removed: given.removed === false })
  if (id === ROOT) throw refuse(409, 'archive_root')
  if (given.version !== undefined && given.version !== entry.version) throw refuse(409, 'changed_meanwhile')
  // Who says who sees a folder limits it thereby.
  const inherits = given.inherits ?? (given.access ? false : undefined)
  if (inherits === false && entry.kind !== 'folder') throw refuse(409, 'archive_only_folders_limited')
  if (inherits === false && given.access) await setAccess(tx, id, given.access)
  if (given.removed === false && entry.removed_at) {
    if (entry.removed_with !== id) throw refuse(409, 'archive_folder_removed')
    await sql`update archive_entries set removed_at = null, removed_by = null, removed_with = null
      where removed_with = ${id}`.execute(tx)
  }
  const set = <T>(value: T | undefined, column: string) => (value === undefined ? sql.ref(column) : sql`${value}`)
  const { rows } = await sql<{ version: number }>`update archive_entries set
      name = ${set(given.name, 'name')}, name_local = ${set(given.name_local, 'name_local')},
      short_name = ${set(given.short_name, 'short_name')}, inherits = ${set(inherits, 'inherits')}, updated_by = ${me(ctx)}
    where id = ${id} returning version`.execute(tx)
  if (inherits === true) await sql`delete from archive_access where entry_id = ${id}`.execute(tx)
  if (inherits === false) {
    const { rows: mine } = await sql<{
      may_edit: boolean
    }>`select x.may_edit from ${archiveEntriesOf(ctx)} where t.id = ${id}`.execute(tx)
    all(accessReasons([], seesAll(ctx) || mine[0]?.may_edit === true), 422)
  }
  return { id, version: firstRow(rows).version }
}

/** Copies of entries, with what lies in them, in a folder. What the reader does not see is not copied. */
async function paste(
  ctx: Ctx,
  tx: Tx,
  folder: ArchiveEntry,
  ids: readonly number[],
): Promise<{ id: number; name: string }[]> {
  const below = await entriesBelow(ctx, tx, ids)
  const copies = new Map((await newIds(tx, below.length)).map((to, i) => [below[i]!.id, to]))
  const taken = await takenNames(tx, folder)
  const { rows: last } = await sql<{ place: number }>`select ${lastPlace(folder.id)} as place`.execute(tx)
  const made: { id: number; name: string }[] = []
  const rows = below.map(({ id, parent_id, kind, name, name_local, inherits, file_id, route }, i) => {
    const copy = { id: copies.get(id)!, kind, name_local, inherits, file_id, created_by: me(ctx), updated_by: me(ctx) }
    if (route.length > 1) return { ...copy, name, parent_id: copies.get(parent_id!)!, position: i }
    const free = freeName(name, taken)
    taken.add(keyOfName(free))
    made.push({ id: copy.id, name: free })
    return { ...copy, name: free, parent_id: folder.id, position: last[0]!.place + i }
  })
  await insertRows(tx, 'archive_entries', rows)
  const pairs = JSON.stringify([...copies].map(([from, to]) => ({ from, to })))
  const pair = sql`jsonb_to_recordset(${pairs}::jsonb) as c ("from" int, "to" int)`
  await sql`insert into archive_pages (entry_id, language, body)
    select c."to", p.language, p.body from ${pair} join archive_pages p on p.entry_id = c."from"`.execute(tx)
  await sql`insert into archive_versions (entry_id, number, file_id, created_by)
    select c."to", 1, e.file_id, ${me(ctx)} from ${pair} join archive_entries e on e.id = c."from" where e.file_id is not null`.execute(
    tx,
  )
  // A copy of what is limited is limited alike, and is the copier's to change.
  await sql`insert into archive_access (entry_id, user_id, role_id, level)
    select c."to", a.user_id, a.role_id, a.level from ${pair} join archive_access a on a.entry_id = c."from"
    where a.user_id is distinct from ${me(ctx)}::int
    union all
    select c."to", ${me(ctx)}::int, null, 'edit' from ${pair} join archive_entries e on e.id = c."from"
    where not e.inherits and ${me(ctx)}::int is not null`.execute(tx)
  return made
}

/** What changes names, places and who sees what. */
export const changeHandlers = [
  handle(
    treeCalls.putArchive,
    async (ctx, { body: { id, parent_id = ROOT, kind = 'folder', name, name_local, short_name } }) => ({
      data: await ctx.write(async (tx) => {
        if (id !== undefined) return change(ctx, tx, id, { name, name_local, short_name })
        const folder = await targetFolder(ctx, tx, parent_id)
        const { rows } = await sql<{ id: number; version: number }>`
        insert into archive_entries (parent_id, kind, name, name_local, short_name, position, created_by, updated_by)
        values (${folder.id}, ${kind}, ${name}, ${name_local ?? null}, ${short_name ?? null}, ${lastPlace(folder.id)}, ${me(ctx)}, ${me(ctx)})
        returning id, version`.execute(tx)
        return firstRow(rows)
      }),
    }),
  ),

  handle(treeCalls.updateArchive, async (ctx, { params, body }) => ({
    data: await ctx.write((tx) => change(ctx, tx, params.id, body)),
  })),

  handle(treeCalls.restoreArchive, async (ctx, { params: { id } }) => ({
    data: await ctx.write((tx) => change(ctx, tx, id, { removed: false })),
  })),

  handle(treeCalls.removeArchive, async (ctx, { params: { id } }) => ({
    data: await ctx.write(async (tx) => {
      await lockArchive(tx)
      const entry = await findEntry(ctx, tx, id, { edit: true })
      if (id === ROOT) throw refuse(409, 'archive_root')
      // All that lies in it goes along, also what is limited to others: it comes back with it.
      const { rows } = await sql<{ id: number }>`
        with recursive below as (
          select ${id}::int as id
          union all
          select e.id from below b join archive_entries e on e.parent_id = b.id where e.removed_at is null
        )
        update archive_entries set removed_at = now(), removed_by = ${me(ctx)}, removed_with = ${id}
        where id in (select id from below) returning id`.execute(tx)
      if (rows.length > MAX_ENTRIES) throw refuse(409, 'archive_many', { max: MAX_ENTRIES })
      const seen = await sql<{ count: number }>`select count(*)::int as count from ${archiveEntriesOf(ctx)}
        where t.id = any(${rows.map((row) => row.id)}::int[])`.execute(tx)
      return { id, version: entry.version + 1, count: firstRow(seen.rows).count }
    }),
  })),

  handle(treeCalls.orderArchive, async (ctx, { body: { parent_id, ids } }) => ({
    data: await ctx.write(async (tx) => {
      await targetFolder(ctx, tx, parent_id)
      const { rows } = await sql<{ id: number; seen: boolean }>`select e.id,
          exists (select from ${archiveEntriesOf(ctx)} where t.id = e.id) as seen
        from archive_entries e where e.parent_id = ${parent_id} and e.removed_at is null order by e.position, e.id`.execute(
        tx,
      )
      const seen = new Set(rows.filter((row) => row.seen).map((row) => row.id))
      if (ids.some((one) => !seen.has(one))) throw refuse(404, 'not_found')
      const order = reordered(
        rows.map((row) => row.id),
        ids,
      )
      await sql`update archive_entries e set position = o.position from (
          select id::int, position::int from unnest(${order}::int[]) with ordinality as o (id, position)
        ) o where o.id = e.id and e.position <> o.position`.execute(tx)
      return order.filter((one) => seen.has(one))
    }),
  })),

  handle(treeCalls.moveArchive, async (ctx, { params: { id }, body: { ids } }) => ({
    data: await ctx.write(async (tx) => {
      const folder = await targetFolder(ctx, tx, id)
      const moved = await findEntries(ctx, tx, ids, { edit: true })
      all(moveReasons(ids, await around(tx, folder.id)))
      await sql`update archive_entries e set parent_id = ${folder.id}, updated_by = ${me(ctx)},
          position = ${lastPlace(folder.id)} + o.place
        from (select id::int, place::int from unnest(${ids}::int[]) with ordinality as o (id, place)) o
        where o.id = e.id and e.parent_id <> ${folder.id}`.execute(tx)
      return moved.map(({ id: one, name }) => ({ id: one, name }))
    }),
  })),

  handle(treeCalls.pasteArchive, async (ctx, { params: { id }, body: { ids } }) => ({
    data: await ctx.write(async (tx) => {
      const folder = await targetFolder(ctx, tx, id)
      const sources = await findEntries(ctx, tx, ids)
      all(moveReasons(ids, await around(tx, folder.id)))
      return paste(
        ctx,
        tx,
        folder,
        sources.map((source) => source.id),
      )
    }),
  })),
]
