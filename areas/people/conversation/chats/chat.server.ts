import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { taughtBy } from '#areas/common/academics/offering-reach.server.ts'
import { flag, loadMask } from '#areas/common/academics/status.rules.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { actorOf } from '#kit/server/identity/auth.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { pagedList, searchCondition } from '#kit/server/resource/list.ts'
import { calledPairs, calledText } from '#kit/server/base/sql.ts'
import { asActor } from '#kit/server/unit/request.ts'
import { holds, scopeCondition } from '#kit/server/base/scope.ts'
import { LARGEST_FILE } from '../limits.contract.ts'
import { attachFiles, filesOfMessage, linked } from '../messages.server.ts'
import type { StoredFile } from '../messages.server.ts'
import { MOST_MEMBERS, MOST_UNREAD, chatCalls } from './chat.contract.ts'
import type { ChatDetail, ChatMessage, ChatRead, ChatRow, ChatSaid, ChatTyping } from './chat.contract.ts'

const me = (ctx: Ctx): number => ctx.actor!.user_id
const worksHere = (ctx: Ctx): boolean => ctx.actor!.type === 1 || ctx.actor!.type === 2

/** SQL: the registration `r` in the term `e` is one whose course is taught now, or not yet marked. */
const TAUGHT_NOW = sql.raw(
  `((r.status & ${loadMask} <> 0 and e.end_date >= university_today()) or r.status & ${flag.Incomplete} <> 0)`,
)
/**
 * SQL: whether the reader may write to the user `u`. Who works here writes to everybody who works here, and to the students
 * within reach; a student to the advisor and to who teaches him or her now.
 */
function mayWriteTo(ctx: Ctx): RawBuilder<unknown> {
  const there = sql`u.id <> ${me(ctx)} and u.removed_at is null and u.blocked_at is null`
  if (worksHere(ctx))
    return sql`${there} and (u.type in (1, 2) or exists (select from students t where t.user_id = u.id and t.removed_at is null
      and ${scopeCondition(ctx, ['access_students', 'show_students'], studentReach(ctx))}))`
  const student = ctx.actor!.student_id
  return sql`${there} and exists (select from instructors i where i.user_id = u.id and i.removed_at is null and (
    i.id = (select s.advisor_id from students s where s.id = ${student})
    or exists (select from registrations r join terms e on e.id = r.term_id join offerings o on o.id = r.offering_id
      where r.student_id = ${student} and ${TAUGHT_NOW} and ${taughtBy(sql`i.id`, 'o')})))`
}
/**
 * Whether a conversation of two goes on: one of them may write to the other, who answers. It ends with what bound them, with
 * an account that is blocked, and is read on.
 */
async function goesOn(ctx: Ctx, other: number): Promise<boolean> {
  const may = async (who: Ctx, whom: number) =>
    (await sql`select from users u where u.id = ${whom} and ${mayWriteTo(who)}`.execute(ctx.db)).rows.length > 0
  if (await may(ctx, other)) return true
  const actor = await actorOf(ctx.services.pool, other)
  if (!actor) return false
  const them = asActor(ctx.services, actor)
  return holds(them, 'use_chat') && may(them, me(ctx))
}
async function requirePeople(ctx: Ctx, tx: Tx, ids: readonly number[]): Promise<void> {
  const { rows } = await sql`select from users u where u.id = any(${[...ids]}::int[]) and ${mayWriteTo(ctx)}`.execute(
    tx,
  )
  if (rows.length < ids.length) throw refuse(403, 'chat_not_with', undefined, 'user_ids')
}

/** A person as one is called every day. */
const person = (alias: string) => `json_build_object(${calledPairs(alias)})`
/** People of the conversation `t` who take part now, except the reader. */
const others = (ctx: Ctx) => sql`chat_members o join users u on u.id = o.user_id
  where o.chat_id = t.id and o.user_id <> ${me(ctx)} and (o.left_at is null or t.kind = 'direct')`
/** The newest message that is for the member `k`. */
const NEWEST = `coalesce(k.left_after, t.last_message_id)`
/** Messages `m` of the conversation `t` that are for the reader. */
const readable = (ctx: Ctx) => sql`readable_chat_messages m where m.chat_id = t.id and m.user_id = ${me(ctx)}`
const rowColumns = (
  ctx: Ctx,
  most: number,
): RawBuilder<unknown> => sql`t.id, t.kind, t.name, k.muted, k.left_at is not null as left,
  coalesce((select json_agg(x.person) from (select ${sql.raw(person('u'))} as person from ${others(ctx)} order by o.joined_at, o.user_id limit ${most}) x), '[]') as people,
  (select count(*)::int from ${others(ctx)}) as count,
  (select count(*)::int from (select from ${readable(ctx)} and m.id > k.read_to and m.author_id <> ${me(ctx)} limit ${MOST_UNREAD}) x) as unread,
  (select json_build_object('id', m.id, 'body', left(m.body, 200), 'at', m.created_at, 'author', ${sql.raw(person('w'))},
      'files', (select count(*) from chat_files j where j.message_id = m.id))
    from (select * from ${readable(ctx)} order by m.id desc limit 1) m join users w on w.id = m.author_id) as last`
const mine = (ctx: Ctx) => sql`chats t join chat_members k on k.chat_id = t.id and k.user_id = ${me(ctx)}`
const LISTED = 5

const shownMessages = (
  ctx: Ctx,
): RawBuilder<unknown> => sql`json_build_object('id', m.id, 'author', ${sql.raw(person('w'))},
  'own', m.author_id = ${me(ctx)}, 'body', m.body, 'created_at', m.created_at, 'files', ${sql.raw(filesOfMessage('chat_files'))})`
type StoredMessage = Omit<ChatMessage, 'files'> & { files: StoredFile[] }
const told = (ctx: Ctx, message: StoredMessage): ChatMessage => ({ ...message, files: linked(ctx, message.files) })

/** The reader in a conversation that is locked: whatever is written in it is written one after the other. */
interface Member {
  readonly kind: 'direct' | 'group'
  readonly last: number
  readonly left: boolean
  /** The reader has made it. */
  readonly made: boolean
  /** Users who take part now. */
  readonly here: readonly number[]
}
const HERE = sql`array(select h.user_id from chat_members h where h.chat_id = t.id and h.left_at is null)`
async function lockChat(ctx: Ctx, tx: Tx, id: number): Promise<Member> {
  const { rows } = await sql<Member>`select t.kind, t.last_message_id as last, k.left_at is not null as left,
      t.created_by = ${me(ctx)} as made, ${HERE} as here
    from ${mine(ctx)} where t.id = ${id} for update of t`.execute(tx)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}
const requireHere = ({ left }: Member): void => {
  if (left) throw refuse(409, 'chat_left')
}
/** The person keeps what was said until now. */
const leaves = (tx: Tx, id: number, user_id: number, { last }: Member) =>
  sql`update chat_members set left_at = now(), left_after = ${last} where chat_id = ${id} and user_id = ${user_id}`.execute(
    tx,
  )
const otherOf = (ctx: Ctx, here: readonly number[]): number => here.find((one) => one !== me(ctx))!

/** Tells people of a conversation, in one notice for all of them, when the transaction commits. */
const publish = (
  ctx: Ctx,
  tx: Tx | undefined,
  to: readonly number[],
  type: string,
  data: ChatSaid | ChatRead | ChatTyping,
) => (to.length ? ctx.services.events.publish(to, { type, data, personal: true }, tx) : Promise.resolve())
/**
 * What was said goes with the event where it is short, so that two hundred browsers need not ask for it at once. Addresses
 * of files are each reader's own.
 */
const SHORT = 3000
const saidNow = (chat_id: number, { own: _own, ...message }: StoredMessage): ChatSaid =>
  message.files.length || Buffer.byteLength(message.body) > SHORT
    ? { chat_id }
    : { chat_id, message: { ...message, files: [] } }

const start = (ctx: Ctx, given: readonly number[], name: string | null): Promise<{ data: { id: number } }> =>
  ctx.write(async (tx) => {
    const ids = [...new Set(given)].filter((one) => one !== me(ctx))
    if (!ids.length) throw refuse(422, 'chat_with_oneself', undefined, 'user_ids')
    const isGroup = ids.length > 1 || name !== null
    if (isGroup && !name) throw refuse(422, 'required', undefined, 'name')
    if (isGroup && !worksHere(ctx)) throw refuse(403, 'chat_groups_by_staff')
    const key = isGroup ? null : [me(ctx), ids[0]!].toSorted((a, b) => a - b).join(':')
    if (key !== null) {
      const { rows } = await sql<{ id: number }>`select id from chats where direct_key = ${key}`.execute(tx)
      if (rows[0]) return { data: rows[0] }
    }
    await requirePeople(ctx, tx, ids)
    // Both begin at the same moment: one conversation.
    const { rows } = await sql<{ id: number }>`insert into chats (kind, name, direct_key, created_by)
      values (${isGroup ? 'group' : 'direct'}, ${isGroup ? name : null}, ${key}, ${me(ctx)})
      on conflict (direct_key) do update set version = chats.version returning id`.execute(tx)
    const { id } = firstRow(rows)
    await sql`insert into chat_members (chat_id, user_id) select ${id}::int, unnest(${[me(ctx), ...ids]}::int[]) on conflict do nothing`.execute(
      tx,
    )
    if (isGroup) await publish(ctx, tx, ids, 'chat', { chat_id: id })
    return { data: { id } }
  })

export const chatHandlers: readonly Handled[] = [
  handle(chatCalls.listChats, (ctx, { body }) =>
    pagedList<ChatRow>(
      ctx,
      {
        from: mine(ctx),
        select: rowColumns(ctx, LISTED),
        // Who is written to sees it once something is said.
        where: [sql`(t.last_message_id > 0 or t.created_by = ${me(ctx)} or t.kind = 'group')`],
        search: [
          `(coalesce(fold_text(t.name), '') || ' ' || coalesce((select string_agg(u.search_text, ' ') from chat_members o
            join users u on u.id = o.user_id where o.chat_id = t.id), ''))`,
        ],
        sort: { last: NEWEST },
        order: ['last', 'desc'],
      },
      body,
    ),
  ),
  handle(chatCalls.startChat, (ctx, { body }) => start(ctx, body.user_ids, body.name?.trim() || null)),
  handle(chatCalls.messages, async (ctx, { params: { id }, body: { before, search, limit } }) => {
    const found = search ? searchCondition(search, ['m.search_text']) : undefined
    const { rows } = await sql<
      Omit<ChatDetail, 'messages' | 'more' | 'abilities'> & { messages: StoredMessage[]; made: boolean }
    >`
      select ${rowColumns(ctx, MOST_MEMBERS)}, t.created_by = ${me(ctx)} as made,
        coalesce((select json_agg(json_build_object('user_id', o.user_id, 'to', o.read_to)) from ${others(ctx)}), '[]') as read,
        coalesce((select json_agg(x.message order by x.id desc) from (
          select m.id, ${shownMessages(ctx)} as message from (select * from ${readable(ctx)} ${before ? sql`and m.id < ${before}` : sql``} ${found ? sql`and ${found}` : sql``}
            order by m.id desc limit ${limit + 1}) m join users w on w.id = m.author_id) x), '[]') as messages
      from ${mine(ctx)} where t.id = ${id}`.execute(ctx.db)
    if (!rows[0]) throw refuse(404, 'not_found')
    const { made, ...row } = rows[0]
    const messages = row.messages.slice(0, limit).toReversed()
    const open = !row.left && (row.kind === 'group' || (await goesOn(ctx, row.people[0]!.id)))
    const abilities = row.left
      ? []
      : [
          ...(open ? ['send'] : []),
          'mute',
          ...(row.kind === 'group' ? ['leave', ...(worksHere(ctx) ? ['add'] : []), ...(made ? ['take_out'] : [])] : []),
        ]
    return {
      data: { ...row, messages: messages.map((one) => told(ctx, one)), more: row.messages.length > limit, abilities },
    }
  }),
  handle(chatCalls.send, (ctx, { params: { id }, body: { body, file_ids, key } }) =>
    ctx.write(async (tx) => {
      const chat = await lockChat(ctx, tx, id)
      const author = me(ctx)
      const stored = async (message_id: number) => {
        const { rows } = await sql<{
          message: StoredMessage
        }>`select ${shownMessages(ctx)} as message from chat_messages m
          join users w on w.id = m.author_id where m.id = ${message_id}`.execute(tx)
        return firstRow(rows).message
      }
      // Sent again by a retry: it stands there already.
      const { rows: sent } = await sql<{ id: number; chat_id: number; body: string }>`select id, chat_id, body
        from chat_messages where author_id = ${author} and client_key = ${key}`.execute(tx)
      if (sent[0] && (sent[0].chat_id !== id || sent[0].body !== body)) throw refuse(409, 'message_key_used')
      if (sent[0]) return { data: told(ctx, await stored(sent[0].id)) }
      requireHere(chat)
      if (chat.kind === 'direct' && !(await goesOn(ctx, otherOf(ctx, chat.here)))) throw refuse(409, 'chat_ended')
      const { rows } = await sql<{ id: number }>`insert into chat_messages (chat_id, author_id, body, client_key)
        values (${id}, ${author}, ${body}, ${key}) returning id`.execute(tx)
      const message_id = firstRow(rows).id
      await attachFiles(ctx, tx, 'chat_files', message_id, file_ids, LARGEST_FILE)
      await sql`with said as (update chats set last_message_id = ${message_id} where id = ${id})
        update chat_members set read_to = ${message_id} where chat_id = ${id} and user_id = ${author}`.execute(tx)
      const message = await stored(message_id)
      await publish(ctx, tx, chat.here, 'chat_message', saidNow(id, message))
      return { data: told(ctx, message) }
    }),
  ),
  handle(chatCalls.read, async (ctx, { params: { id }, body: { message_id } }) => {
    // In a group all read what one says: one statement each, which waits for no disk (a mark that is lost is made again),
    // and who wrote what was read hears of it, not everybody.
    const { rows } = await sql<{ to: number | null; authors: number[] }>`
      with quick as materialized (select set_config('synchronous_commit', 'off', true)),
        was as materialized (select k.read_to as before, least(${message_id}::int, ${sql.raw(NEWEST)}) as to from quick, ${mine(ctx)}
          where t.id = ${id} for update of k), done as (
        update chat_members k set read_to = was.to from was
        where k.chat_id = ${id} and k.user_id = ${me(ctx)} and was.before < was.to returning k.read_to)
      select (select read_to from done) as to, array(select distinct m.author_id from readable_chat_messages m
        where m.chat_id = ${id} and m.user_id = ${me(ctx)} and m.id > was.before and m.id <= was.to) as authors
      from was`.execute(ctx.db)
    const [row] = rows
    if (!row) throw refuse(404, 'not_found')
    if (row.to !== null)
      await publish(ctx, undefined, [...new Set([me(ctx), ...row.authors])], 'chat_read', {
        chat_id: id,
        user_id: me(ctx),
        to: row.to,
      })
    return { data: { id } }
  }),
  handle(chatCalls.typing, async (ctx, { params: { id } }) => {
    const { rows } = await sql<{ here: number[] }>`select ${HERE} as here from ${mine(ctx)}
      where t.id = ${id} and k.left_at is null`.execute(ctx.db)
    const [row] = rows
    if (!row) throw refuse(404, 'not_found')
    const rest = row.here.filter((one) => one !== me(ctx))
    await publish(ctx, undefined, rest, 'chat_typing', { chat_id: id, user_id: me(ctx) })
    return { data: { id } }
  }),
  handle(chatCalls.mute, (ctx, { params: { id }, body: { muted } }) =>
    ctx.write(async (tx) => {
      const { rows } =
        await sql`update chat_members set muted = ${muted} where chat_id = ${id} and user_id = ${me(ctx)} returning chat_id`.execute(
          tx,
        )
      if (!rows.length) throw refuse(404, 'not_found')
      return { data: { id } }
    }),
  ),
  handle(chatCalls.addPeople, (ctx, { params: { id }, body: { user_ids } }) =>
    ctx.write(async (tx) => {
      const chat = await lockChat(ctx, tx, id)
      requireHere(chat)
      if (chat.kind !== 'group') throw refuse(409, 'chat_of_two')
      if (!worksHere(ctx)) throw refuse(403, 'chat_groups_by_staff')
      const ids = [...new Set(user_ids)].filter((one) => one !== me(ctx))
      await requirePeople(ctx, tx, ids)
      await sql`insert into chat_members as k (chat_id, user_id, joined_after, read_to)
        select ${id}::int, unnest(${ids}::int[]), ${chat.last}::int, ${chat.last}::int
        on conflict (chat_id, user_id) do update set left_at = null, left_after = null,
          missed = k.missed + int4multirange(int4range(k.left_after, ${chat.last}::int, '(]')),
          read_to = greatest(k.read_to, ${chat.last}::int) where k.left_at is not null`.execute(tx)
      const here = [...new Set([...chat.here, ...ids])]
      if (here.length > MOST_MEMBERS) throw refuse(422, 'chat_too_many', { max: MOST_MEMBERS }, 'user_ids')
      await publish(ctx, tx, here, 'chat', { chat_id: id })
      return { data: { id } }
    }),
  ),
  handle(chatCalls.leave, (ctx, { params: { id } }) =>
    ctx.write(async (tx) => {
      const chat = await lockChat(ctx, tx, id)
      requireHere(chat)
      if (chat.kind !== 'group') throw refuse(409, 'chat_of_two')
      await leaves(tx, id, me(ctx), chat)
      await publish(ctx, tx, chat.here, 'chat', { chat_id: id })
      return { data: { id } }
    }),
  ),
  handle(chatCalls.takeOut, (ctx, { params: { id }, body: { user_id } }) =>
    ctx.write(async (tx) => {
      const chat = await lockChat(ctx, tx, id)
      requireHere(chat)
      if (chat.kind !== 'group') throw refuse(409, 'chat_of_two')
      if (!chat.made) throw refuse(403, 'chat_not_made')
      if (user_id === me(ctx)) throw refuse(409, 'chat_take_out_self', undefined, 'user_id')
      if (!chat.here.includes(user_id)) throw refuse(409, 'chat_not_in', undefined, 'user_id')
      await leaves(tx, id, user_id, chat)
      await publish(ctx, tx, chat.here, 'chat', { chat_id: id })
      return { data: { id } }
    }),
  ),
  handle(chatCalls.people, async (ctx, { body: { search, limit } }) => {
    const found = searchCondition(search, ['u.search_text'])
    const { rows } = await sql<{ id: number; name: string; name_local: string; type: number }>`
      select u.id, ${sql.raw(calledText('u'))} as name, ${sql.raw(calledText('u', true))} as name_local, u.type from users u where ${mayWriteTo(ctx)} ${found ? sql`and ${found}` : sql``}
      order by u.type in (3, 4), name, u.id limit ${limit}`.execute(ctx.db)
    return { data: rows }
  }),
]
