import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { actionsFrom, stateData, wayFrom } from '#kit/contract/workflow.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import type { LookupSource } from '#kit/server/base/registry.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { calledPairs, refText } from '#kit/server/base/sql.ts'
import { serveWorkflow } from '#kit/server/workflow/workflow.ts'
import { attachFiles, filesOfMessage, linked } from '../messages.server.ts'
import type { SaidMessage, StoredFile } from '../messages.server.ts'
import { LARGEST_FILE } from '../limits.contract.ts'
import { ticketFlow, ticketSteps } from './ticket.contract.ts'
import type { TicketDetail, TicketFacts, TicketMessage, TicketRow } from './ticket.contract.ts'

const me = (ctx: Ctx) => ctx.actor?.user_id ?? null
const isMember = (ctx: Ctx) =>
  sql`exists (select from ticket_group_members gm where gm.group_id = t.group_id and gm.user_id = ${me(ctx)})`
/** Whether the reader answers the ticket `t`: as a member of its group, or with the right for all. */
export const handles = (ctx: Ctx): RawBuilder<unknown> => scopeCondition(ctx, 'handle_ticket', { own: isMember(ctx) })
/** Tickets found by number or subject, by those who answer them. */
export const ticketLookup: LookupSource = {
  name: 'ticket',
  table: 'tickets',
  label: { name: 'r.subject', code: 'r.number' },
  search: 'r.search_text',
  where: 'r.removed_at is null',
  order: 'r.id desc',
  permission: 'handle_ticket',
  scope: (ctx) => ({ own: isMember(ctx) }),
}
/** Whether the reader asked it. */
export const asked = (ctx: Ctx): RawBuilder<unknown> =>
  sql`(t.asker_id = ${me(ctx)} and ${scopeCondition(ctx, 'ask_ticket', { own: sql`true` })})`
/** Whether internal notes are for the reader: never for who asked, whatever else he or she may do. */
const readsNotes = (ctx: Ctx): RawBuilder<unknown> => sql`(t.asker_id is distinct from ${me(ctx)} and ${handles(ctx)})`

/** Whoever acts is not told what he or she did. */
const OTHERS = `array_remove(array[t.asker_id], (nullif(current_setting('ems.actor', true), '')::jsonb ->> 'actor_id')::int)`

/** Members of the groups of tickets, except one person. */
async function membersOf(tx: Tx, ticket_id: number, except: number | null): Promise<number[]> {
  const { rows } = await sql<{
    user_id: number
  }>`select m.user_id from tickets t join ticket_group_members m on m.group_id = t.group_id
    where t.id = ${ticket_id} and m.user_id is distinct from ${except} and m.user_id <> t.asker_id`.execute(tx)
  return rows.map((row) => row.user_id)
}

/** The way of tickets, as it is served. */
export const servedTickets = serveWorkflow(ticketFlow, ticketSteps, {
  table: 'tickets',
  scope: (ctx) => ({ own: sql`(t.asker_id = ${me(ctx)} or ${isMember(ctx)})` }),
  nameOf: 't.number',
  own: (people) => sql`t.asker_id = any(${people})`,
  facts: async (_ctx, tx, ids) => {
    const { rows } = await sql<TicketFacts & { id: number }>`select t.id, i.number as merged from tickets t
      left join tickets i on i.id = t.merged_into_id where t.id = any(${[...ids]}::int[])`.execute(tx)
    return new Map(rows.map((row) => [row.id, row]))
  },
  effect: async (ctx, tx, moved) => {
    const over = moved.filter(({ to }) => to === 'resolved' || to === 'closed').map(({ id }) => id)
    if (over.length)
      await sql`update tickets set resolved_at = coalesce(resolved_at, now()) where id = any(${over}::int[])`.execute(
        tx,
      )
    const again = moved.filter(({ action }) => action === 'reopen')
    if (!again.length) return
    await sql`update tickets set resolved_at = null where id = any(${again.map(({ id }) => id)}::int[])`.execute(tx)
    for (const { id, name } of again)
      await notify(tx, await membersOf(tx, id, me(ctx)), {
        key: 'conversation.notice_ticket_reopened',
        data: { name },
        link: `/tickets/${id}`,
      })
  },
  tells: { users: OTHERS, data: `json_build_object('area', 'conversation')`, link: (id) => `/my-tickets/${id}` },
})

const person = (alias: string) => `json_build_object(${calledPairs(alias)})`
/** Tables of a list of tickets. */
export const TICKETS = sql`tickets t join ticket_groups g on g.id = t.group_id join users a on a.id = t.asker_id`
const response = `working_minutes(t.created_at, coalesce(t.responded_at, t.resolved_at, now()), g.opens, g.closes, g.week)`
const resolution = `working_minutes(t.created_at, coalesce(t.resolved_at, now()), g.opens, g.closes, g.week)`
/** SQL: whether the group has not kept, or does not keep, what it promises. */
export const LATE = `(${response} > g.response_hours * 60 or ${resolution} > g.resolution_hours * 60)`
/** Columns of a row. */
export const rowColumns = (ctx: Ctx): RawBuilder<unknown> => sql`t.id, t.version, t.number, t.type, t.subject, t.status,
  ${sql.raw(refText('g'))} as "group", ${sql.raw(person('a'))} as asker, t.created_at, t.responded_at, t.resolved_at,
  ${sql.raw(response)} as response_minutes, ${sql.raw(resolution)} as resolution_minutes, ${sql.raw(LATE)} as late, t.score,
  ${servedTickets.column(ctx)} as __steps`

type Stored<R> = Omit<R, 'abilities' | 'refused'> & { __steps: Parameters<typeof servedTickets.open>[2] }
/** A row as it is answered: with what the reader can do. */
export function opened<R extends Stored<TicketRow>>(ctx: Ctx, { __steps, ...row }: R) {
  const { abilities, refused } = servedTickets.open(ctx, row.status, __steps)
  return {
    ...row,
    abilities: abilities.filter((ability) => ability !== 'answer') as string[],
    ...(Object.keys(refused).length && { refused }),
  }
}

interface StoredDetail extends Stored<Omit<TicketDetail, 'messages'>> {
  messages: (Omit<TicketMessage, 'files'> & { files: StoredFile[] })[]
  reads_notes: boolean
  mine: boolean
}
/** A ticket with what was said, as far as it is for the reader. @throws {Refusal} 404 */
export async function readTicket(ctx: Ctx, id: number): Promise<TicketDetail> {
  const { rows } = await sql<StoredDetail>`
    select ${rowColumns(ctx)}, t.score_comment, ${readsNotes(ctx)} as reads_notes, t.asker_id = ${me(ctx)} as mine,
      case when ${readsNotes(ctx)} then (
        select json_build_object('id', s.id, 'name', s.name, 'name_local', s.name_local, 'code', s.code, 'level', s.level, 'program', ${sql.raw(refText('p'))})
        from students s join programs p on p.id = s.program_id where s.user_id = t.asker_id and s.removed_at is null
        order by s.status <> 'studying', s.id limit 1) end as student,
      (select json_build_object('id', i.id, 'number', i.number) from tickets i where i.id = t.merged_into_id) as merged_into,
      json_build_object('response', g.response_hours, 'resolution', g.resolution_hours) as targets,
      coalesce((select json_agg(json_build_object('id', m.id, 'author', ${sql.raw(person('w'))}, 'by_asker', m.author_id = t.asker_id,
          'internal', m.internal, 'body', m.body, 'created_at', m.created_at, 'files', ${sql.raw(filesOfMessage('ticket_files'))}) order by m.created_at, m.id)
        from ticket_messages m join users w on w.id = m.author_id
        where m.ticket_id = t.id and (not m.internal or ${readsNotes(ctx)})), '[]') as messages
    from ${TICKETS} where t.id = ${id} and t.removed_at is null and (${handles(ctx)} or ${asked(ctx)})`.execute(ctx.db)
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  const { reads_notes, mine, messages, ...ticket } = row
  const shown = opened(ctx, ticket)
  const abilities = [
    ...shown.abilities,
    ...(ticket.merged_into ? [] : ['reply', ...(reads_notes ? ['note', 'route', 'merge'] : [])]),
    ...(mine && !ticket.merged_into && (ticket.status === 'resolved' || ticket.status === 'closed') ? ['rate'] : []),
  ]
  return {
    ...shown,
    abilities: ticket.merged_into ? abilities.filter((ability) => ability !== 'reopen') : abilities,
    messages: messages.map((message) => ({ ...message, files: linked(ctx, message.files) })),
  }
}

/** A ticket that is locked for a change. */
interface Locked {
  readonly id: number
  readonly version: number
  readonly number: string
  readonly status: TicketRow['status']
  readonly group_id: number
  readonly asker_id: number
  readonly merged_into_id: number | null
  readonly group_name: string
  readonly mine: boolean
  readonly handled: boolean
}
/** Locks tickets within reach, in one order. @throws {Refusal} 404 when one is not there for the person */
export async function lockTickets(ctx: Ctx, tx: Tx, ids: readonly number[]): Promise<Map<number, Locked>> {
  const { rows } =
    await sql<Locked>`select t.id, t.version, t.number, t.status, t.group_id, t.asker_id, t.merged_into_id,
      g.name as group_name, t.asker_id = ${me(ctx)} as mine, ${handles(ctx)} as handled
    from tickets t join ticket_groups g on g.id = t.group_id
    where t.id = any(${[...ids]}::int[]) and t.removed_at is null and (${handles(ctx)} or ${asked(ctx)})
    order by t.id for update of t`.execute(tx)
  if (rows.length < new Set(ids).size) throw refuse(404, 'not_found')
  return new Map(rows.map((row) => [row.id, row]))
}
/** The same for one who answers it: nobody answers the own. */
export async function lockHandled(ctx: Ctx, tx: Tx, ids: readonly number[]): Promise<Map<number, Locked>> {
  const found = await lockTickets(ctx, tx, ids)
  for (const ticket of found.values()) {
    if (ticket.mine) throw refuse(403, 'step_own')
    if (!ticket.handled) throw refuse(404, 'not_found')
    if (ticket.merged_into_id) throw refuse(409, 'ticket_merged', { number: await numberOf(tx, ticket.merged_into_id) })
  }
  return found
}
const numberOf = async (tx: Tx, id: number): Promise<string> =>
  firstRow((await sql<{ number: string }>`select number from tickets where id = ${id}`.execute(tx)).rows).number

/** Stores what was said, with its files; null: it is stored already, and was sent again. */
export async function storeMessage(
  ctx: Ctx,
  tx: Tx,
  ticket_id: number,
  { body, file_ids, key }: SaidMessage,
  internal = false,
): Promise<number | null> {
  const author = ctx.actor!.user_id
  const { rows } = await sql<{
    id: number
  }>`insert into ticket_messages (ticket_id, author_id, internal, body, client_key)
    values (${ticket_id}, ${author}, ${internal}, ${body}, ${key}) on conflict (author_id, client_key) do nothing returning id`.execute(
    tx,
  )
  const [stored] = rows
  if (stored) {
    await attachFiles(ctx, tx, 'ticket_files', stored.id, file_ids, LARGEST_FILE)
    return stored.id
  }
  const { rows: before } = await sql`select from ticket_messages where author_id = ${author} and client_key = ${key}
    and ticket_id = ${ticket_id} and internal = ${internal}`.execute(tx)
  if (!before.length) throw refuse(409, 'message_key_used')
  return null
}

/** A reply, or a note that stays among who answers. */
export const speak = (ctx: Ctx, id: number, said: SaidMessage, internal: boolean): Promise<TicketDetail> =>
  ctx.write(async (tx) => {
    const ticket = (await lockTickets(ctx, tx, [id])).get(id)!
    if (internal && ticket.mine) throw refuse(403, 'step_own')
    if (internal && !ticket.handled) throw refuse(404, 'not_found')
    if (ticket.merged_into_id) throw refuse(409, 'ticket_merged', { number: await numberOf(tx, ticket.merged_into_id) })
    if (!internal && ticket.status === 'closed') {
      // Sent again after it was closed: it stands there already.
      const { rows } =
        await sql`select from ticket_messages where author_id = ${me(ctx)} and client_key = ${said.key} and ticket_id = ${id}`.execute(
          tx,
        )
      if (!rows.length) throw refuse(409, 'ticket_closed')
    }
    if ((await storeMessage(ctx, tx, id, said, internal)) !== null) {
      const data = { name: ticket.number }
      if (internal) {
        const key = 'conversation.notice_ticket_note'
        await notify(tx, await membersOf(tx, id, me(ctx)), { key, data, link: `/tickets/${id}` })
      } else if (ticket.mine) {
        if (ticket.status === 'waiting') await servedTickets.take(ctx, id, 'answer')
        const key = 'conversation.notice_ticket_asked'
        if (ticket.status === 'resolved') await servedTickets.take(ctx, id, 'reopen')
        else await notify(tx, await membersOf(tx, id, me(ctx)), { key, data, link: `/tickets/${id}` })
      } else {
        await sql`update tickets set responded_at = now() where id = ${id} and responded_at is null`.execute(tx)
        if (ticket.status === 'open' || ticket.status === 'reopened') await servedTickets.take(ctx, id, 'start')
        const key = 'conversation.notice_ticket_reply'
        await notify(tx, [ticket.asker_id], { key, data, link: `/my-tickets/${id}` })
      }
    }
    return readTicket(ctx, id)
  })

/** Takes the step that leads to a status, whichever it is. @throws {Refusal} 409 when none does */
export async function setStatus(
  ctx: Ctx,
  id: number,
  status: TicketRow['status'],
  options: { reason?: string | undefined; version?: number | undefined },
): Promise<{ id: number; version: number; status: TicketRow['status'] }> {
  return ctx.write(async (tx) => {
    const ticket = (await lockTickets(ctx, tx, [id])).get(id)!
    const leading = actionsFrom(ticketFlow, ticket.status).filter(
      (one) => wayFrom(ticketFlow, ticket.status, one)!.to === status,
    )
    const action = leading.find((one) => Boolean(ticketFlow.actions[one].byOwner) === ticket.mine) ?? leading[0]
    if (!action) throw refuse(409, 'step_state', { ...stateData(ticketFlow, ticket.status), status: ticket.status })
    const { version } = await servedTickets.take(ctx, id, action, options)
    return { id, version, status }
  })
}

/** Hands a ticket to another group: it stands in the history, and who answers there is told. */
export const route = (
  ctx: Ctx,
  id: number,
  group_id: number,
  version?: number,
): Promise<{ id: number; version: number }> =>
  ctx.write(async (tx) => {
    const ticket = (await lockHandled(ctx, tx, [id])).get(id)!
    if (version !== undefined && version !== ticket.version)
      throw refuse(409, 'changed_meanwhile', { version: ticket.version, status: ticket.status })
    if (ticket.group_id === group_id) throw refuse(409, 'ticket_group_same')
    // Whoever removes the group at this moment waits, or was first.
    const { rows: groups } = await sql<{
      name: string
    }>`select name from ticket_groups where id = ${group_id} and removed_at is null
      for key share`.execute(tx)
    if (!groups[0]) throw refuse(422, 'reference_missing', undefined, 'group_id')
    const { rows } = await sql<{
      version: number
    }>`update tickets set group_id = ${group_id} where id = ${id} returning version`.execute(tx)
    await sql`insert into step_history (workflow, record_id, actor_id, impersonator_id, action, from_state, to_state, reason)
      values ('ticket', ${id}, ${me(ctx)}, ${ctx.actor?.impersonator_id ?? null}, 'route', ${ticket.status}, ${ticket.status},
        ${`${ticket.group_name} → ${groups[0].name}`})`.execute(tx)
    const key = 'conversation.notice_ticket_asked'
    await notify(tx, await membersOf(tx, id, me(ctx)), { key, data: { name: ticket.number }, link: `/tickets/${id}` })
    return { id, version: firstRow(rows).version }
  })

/** Puts what was said in one ticket into another of the same person, and closes the one. */
export const mergeTickets = (ctx: Ctx, id: number, into_id: number): Promise<{ id: number; number: string }> =>
  ctx.write(async (tx) => {
    if (id === into_id) throw refuse(422, 'ticket_merge_itself', undefined, 'into_id')
    const found = await lockHandled(ctx, tx, [id, into_id])
    const [ticket, into] = [found.get(id)!, found.get(into_id)!]
    // What one person wrote is not shown to another.
    if (ticket.asker_id !== into.asker_id) throw refuse(409, 'ticket_merge_other_person')
    if (into.status === 'closed') throw refuse(409, 'ticket_closed')
    await sql`update ticket_messages set ticket_id = ${into_id} where ticket_id = ${id}`.execute(tx)
    await sql`update tickets t set merged_into_id = ${into_id}, status = 'closed', resolved_at = coalesce(resolved_at, now()) where id = ${id}`.execute(
      tx,
    )
    await sql`insert into step_history (workflow, record_id, actor_id, impersonator_id, action, from_state, to_state, reason)
      values ('ticket', ${id}, ${me(ctx)}, ${ctx.actor?.impersonator_id ?? null}, 'merge', ${ticket.status}, 'closed', ${into.number})`.execute(
      tx,
    )
    await sql`update tickets set responded_at = least(responded_at, (select responded_at from tickets where id = ${id})) where id = ${into_id}`.execute(
      tx,
    )
    await notify(tx, [ticket.asker_id], {
      key: 'conversation.notice_ticket_merged',
      data: { name: ticket.number, into: into.number },
      link: `/my-tickets/${into_id}`,
    })
    return { id: into_id, number: into.number }
  })
