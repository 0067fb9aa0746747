import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { registerSweep } from '#kit/server/jobs/retention.ts'
import type { Due } from '#kit/server/jobs/retention.ts'
import { archiveEntriesOf, findEntries, lockArchive } from '../entries.server.ts'
import { treeCalls } from './tree.contract.ts'

/** Entries of the recycle bin that are deleted together. */
const AT_ONCE = 500

/** SQL: the entries with all that lies in them, whatever removed it. */
const below = (ids: readonly number[]) => sql`with recursive below as (
  select id, id as top from archive_entries where id = any(${ids}::int[])
  union
  select e.id, b.top from below b join archive_entries e on e.parent_id = b.id
)`

/** Deletes what lies in the recycle bin, with all that lies in it; hashes of the contents that nobody else has. The lock is taken. */
async function purge(tx: Tx, ids: readonly number[]): Promise<{ count: number; hashes: string[] }> {
  const { rows: files } = await sql<{ id: number }>`${below(ids)}
    select distinct v.file_id as id from below b join archive_versions v on v.entry_id = b.id`.execute(tx)
  const { rows: gone } = await sql<{ id: number }>`${below(ids)}
    delete from archive_entries e using below b where e.id = b.id returning e.id`.execute(tx)
  const { rows: contents } = await sql<{ hash: string }>`delete from files f
    where f.id = any(${files.map(({ id }) => id)}::int[])
      and not exists (select from archive_versions v where v.file_id = f.id)
      and not exists (select from archive_entries e where e.file_id = f.id)
    returning f.hash`.execute(tx)
  return { count: new Set(gone.map(({ id }) => id)).size, hashes: contents.map(({ hash }) => hash) }
}

/** What ends what was removed. Who deletes for good must be allowed to change each single entry that goes. */
export const binHandlers = [
  handle(treeCalls.emptyArchive, async (ctx, { body: { ids } }) => {
    const done = await ctx.write(async (tx) => {
      await lockArchive(tx)
      if (ids)
        for (const entry of await findEntries(ctx, tx, ids, { edit: true, removed: true }))
          if (!entry.removed_at || entry.removed_with !== entry.id) throw refuse(409, 'archive_not_in_bin')
      const { rows: tops } = await sql<{ id: number; name: string }>`select t.id, t.name from ${archiveEntriesOf(ctx)}
        where t.removed_with = t.id and x.may_edit and ${ids ? sql`t.id = any(${ids}::int[])` : sql`true`}
        order by t.removed_at, t.id`.execute(tx)
      const { rows: closed } = await sql<{ top: number }>`${below(tops.map(({ id }) => id))}
        select distinct b.top from below b join archive_entries e on e.id = b.id
        where not exists (select from ${archiveEntriesOf(ctx)} where t.id = e.id and x.may_edit)`.execute(tx)
      const others = new Set(closed.map(({ top }) => top))
      const held = tops.find(({ id }) => others.has(id))
      if (ids && held) throw refuse(409, 'archive_holds_others', { name: held.name })
      const free = tops.filter(({ id }) => !others.has(id)).map(({ id }) => id)
      const gone = await purge(tx, free.slice(0, AT_ONCE))
      return { ...gone, left: Math.max(0, free.length - AT_ONCE) }
    })
    await ctx.services.files.sweep(done.hashes).catch(() => {})
    return { data: { count: done.count, left: done.left } }
  }),
]

/** What has lain in the recycle bin for its time is deleted for good, by night. */
registerSweep('bin', {
  async due(ctx, days) {
    const { rows } = await sql<Due>`select count(*)::int as count, min(removed_at) as oldest from archive_entries
      where removed_with = id and removed_at < now() - ${days} * interval '1 day'`.execute(ctx.db)
    return firstRow(rows)
  },
  async erase(ctx, days) {
    const done = await ctx.write(async (tx) => {
      await lockArchive(tx)
      const { rows } = await sql<{ id: number }>`select id from archive_entries
        where removed_with = id and removed_at < now() - ${days} * interval '1 day' order by id limit ${AT_ONCE}`.execute(
        tx,
      )
      const ids = rows.map(({ id }) => id)
      return { tops: ids.length, hashes: ids.length ? (await purge(tx, ids)).hashes : [] }
    })
    await ctx.services.files.sweep(done.hashes).catch(() => {})
    return done.tops
  },
})
