import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { eraseIn, registerSweep } from '#kit/server/jobs/retention.ts'
import type { Due } from '#kit/server/jobs/retention.ts'

/** Tickets, or messages of chats, that are erased together. */
const AT_ONCE = 500

/** Tickets that ended so long ago, with all that was merged into them; of nobody who is held. The ticket is `t`. */
const endedTickets = (days: number) => sql`
  with recursive whole as (
    select t.id as root, t.id, t.asker_id, t.status, t.updated_at from tickets t
    where t.merged_into_id is null and t.status in ('resolved', 'closed')
      and t.updated_at < now() - make_interval(days => ${days}::int)
    union all
    select w.root, t.id, t.asker_id, t.status, t.updated_at from whole w join tickets t on t.merged_into_id = w.id
  ),
  over as (
    select w.root, max(w.updated_at) as at from whole w
    group by w.root
    having not bool_or(is_held(w.asker_id)
      or exists (select from ticket_messages m where m.ticket_id = w.id
        and (m.created_at >= now() - make_interval(days => ${days}::int) or is_held(m.author_id))))
  )`

/** What was said in a chat so long ago; while one of its people is held it stays. The message is `m`. */
const oldMessages = (days: number) => sql`from chat_messages m
  where m.created_at < now() - make_interval(days => ${days}::int) and not is_held(m.author_id)
    and not exists (select from chat_members k where k.chat_id = m.chat_id and is_held(k.user_id))`

/** Takes the files of messages that go: their hashes. A file that somebody also uses elsewhere stays. */
async function takeFiles(
  tx: Tx,
  joining: 'ticket_files' | 'chat_files',
  messages: readonly number[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ file_id: number }>`delete from ${sql.table(joining)}
    where message_id = any(${messages}::int[]) returning file_id`.execute(tx)
  if (!rows.length) return []
  const { rows: gone } = await sql<{ hash: string }>`delete from files f
    where f.id = any(${rows.map(({ file_id }) => file_id)}::int[])
      and not exists (select from users u where u.photo_file_id = f.id) returning f.hash`.execute(tx)
  return gone.map(({ hash }) => hash)
}

registerSweep('tickets', {
  async due(ctx, days) {
    const { rows } = await sql<Due>`${endedTickets(days)} select
      (select count(*) from whole join over using (root))::int as count, min(at) as oldest from over`.execute(ctx.db)
    return firstRow(rows)
  },
  erase: (ctx, days) =>
    eraseIn(ctx, async (tx) => {
      const { rows: roots } = await sql<{ id: number }>`${endedTickets(days)}
        select t.id from tickets t join over on over.root = t.id order by t.id limit ${AT_ONCE} for update of t skip locked`.execute(
        tx,
      )
      const { rows: tickets } = await sql<{ id: number }>`with recursive whole as (
          select unnest(${roots.map(({ id }) => id)}::int[]) as id
          union all select t.id from whole w join tickets t on t.merged_into_id = w.id)
        select id from whole`.execute(tx)
      const ids = tickets.map(({ id }) => id)
      const { rows: messages } = await sql<{ id: number }>`select id from ticket_messages
        where ticket_id = any(${ids}::int[])`.execute(tx)
      const hashes = await takeFiles(
        tx,
        'ticket_files',
        messages.map(({ id }) => id),
      )
      await sql`delete from ticket_messages where ticket_id = any(${ids}::int[])`.execute(tx)
      await sql`delete from tickets where id = any(${ids}::int[])`.execute(tx)
      return { count: ids.length, hashes }
    }),
})

registerSweep('chats', {
  async due(ctx, days) {
    const { rows } =
      await sql<Due>`select count(*)::int as count, min(m.created_at) as oldest ${oldMessages(days)}`.execute(ctx.db)
    return firstRow(rows)
  },
  erase: (ctx, days) =>
    eraseIn(ctx, async (tx) => {
      const { rows } = await sql<{
        id: number
      }>`select m.id ${oldMessages(days)} order by m.id limit ${AT_ONCE}`.execute(tx)
      const ids = rows.map(({ id }) => id)
      const hashes = await takeFiles(tx, 'chat_files', ids)
      await sql`delete from chat_messages where id = any(${ids}::int[])`.execute(tx)
      return { count: ids.length, hashes }
    }),
})
