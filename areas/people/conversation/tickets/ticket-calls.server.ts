import { firstRow } from '#db/rows.ts'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { ListQuery } from '#kit/contract/index.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { parse, refuse } from '#kit/server/base/errors.ts'
import { columnsOf, serverField } from '#kit/server/base/fields.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { pagedList, wholeList } from '#kit/server/resource/list.ts'
import type { ListSource } from '#kit/server/resource/list.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { takeSerial } from '#kit/server/unit/serials.ts'
import { EXPORT_LIMIT, paperLang, tableFile } from '#kit/server/resource/transfer.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { id as idSchema, inLanguage, listQuery } from '#kit/contract/index.ts'
import { ticketCalls, ticketFields, ticketNumbers } from './ticket.contract.ts'
import { ticketStatistics } from './statistics.server.ts'
import {
  LATE,
  TICKETS,
  asked,
  handles,
  lockTickets,
  mergeTickets,
  opened,
  readTicket,
  route,
  rowColumns,
  servedTickets,
  setStatus,
  speak,
  storeMessage,
} from './ticket.server.ts'

const columns = columnsOf(ticketFields, { late: LATE })
const filters = Object.fromEntries(
  columns
    .filter(({ name }) => name !== 'number' && name !== 'subject')
    .map((column) => [column.name, (value: unknown) => serverField(column.field).filter(column, value)]),
)
const source = (ctx: Ctx, where: RawBuilder<unknown>): ListSource => ({
  from: TICKETS,
  select: rowColumns(ctx),
  where: [sql`t.removed_at is null`, where],
  search: ['t.search_text'],
  sort: {
    number: 't.id',
    created_at: 't.created_at',
    status: `array_position(array['reopened', 'open', 'in_progress', 'waiting', 'resolved', 'closed'], t.status)`,
    group_id: 'g.name',
  },
  order: ['created_at', 'desc'],
  filters: { ...filters, asker_id: (value) => sql`t.asker_id = ${parse(idSchema, value, ['filters', 'asker_id'])}` },
})
type Raw = Parameters<typeof opened>[1]
const list = async (ctx: Ctx, where: RawBuilder<unknown>, query: ListQuery) => {
  const { data, meta } = await pagedList<Raw>(ctx, source(ctx, where), query)
  return { data: data.map((row) => opened(ctx, row)), meta }
}

export const ticketHandlers: readonly Handled[] = [
  ...servedTickets.handlers,
  handle(ticketCalls.listTickets, (ctx, { body }) => list(ctx, handles(ctx), body)),
  handle(ticketCalls.myTickets, (ctx, { body }) => list(ctx, asked(ctx), body)),
  handle(ticketCalls.exportTickets, async (ctx, { body }) => {
    const base = source(ctx, handles(ctx))
    const query = body.ids ? { ...base, where: [...base.where, sql`t.id = any(${body.ids}::int[])`] } : base
    const rows = await wholeList<Raw>(ctx, query, body, EXPORT_LIMIT + 1)
    const lang = body.lang ?? paperLang(ctx)
    const title = inLanguage(['Tickets', 'التذاكر'], lang)
    const shown = columns.filter(({ name }) => !body.columns?.length || body.columns.includes(name))
    return tableFile(
      ctx,
      {
        title,
        name: `${title}.xlsx`,
        lang,
        columns: shown.map((column) => ({
          header: inLanguage(column.field.label, lang),
          type: serverField(column.field).sheet ?? 'text',
          text: (row: Raw) => serverField(column.field).text(row, column, lang),
        })),
        rows,
      },
      'xlsx',
    )
  }),
  handle(ticketCalls.getTicket, async (ctx, { params: { id } }) => ({ data: await readTicket(ctx, id) })),
  handle(ticketCalls.answerTexts, async (ctx, { params: { id } }) => {
    const { rows: found } = await sql`select from ${TICKETS} where t.id = ${id} and t.removed_at is null
      and t.asker_id <> ${ctx.actor!.user_id} and ${handles(ctx)}`.execute(ctx.db)
    if (!found.length) throw refuse(404, 'not_found')
    return (await pagedList(
      ctx,
      {
        from: sql`answer_texts t`,
        select: sql`t.id, t.name, t.name_local, t.text, t.text_local`,
        where: [
          sql`t.removed_at is null`,
          sql`(t.group_id is null or t.group_id in (select unnest(array[g.id, g.parent_id])
            from tickets k join ticket_groups g on g.id = k.group_id where k.id = ${id}))`,
        ],
        sort: { name: 't.name' },
        order: ['name', 'asc'],
      },
      listQuery.parse({ perPage: 200 }),
    )) as never
  }),
  handle(ticketCalls.openTicket, (ctx, { body: { group_id, type, subject, description, file_ids, key } }) =>
    ctx.write(async (tx) => {
      const asker = ctx.actor!.user_id
      // Sent again by a retry, also at the same moment: it is opened once.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`ticket ${asker} ${key}`}, 0))`.execute(tx)
      const { rows: before } = await sql<{ ticket_id: number }>`select ticket_id from ticket_messages
        where author_id = ${asker} and client_key = ${key}`.execute(tx)
      if (before[0]) return { data: await readTicket(ctx, before[0].ticket_id) }
      const { rows: groups } = await sql`select from ticket_groups g where id = ${group_id} and removed_at is null
        and exists (select from ticket_group_members m where m.group_id = g.id) for key share`.execute(tx)
      if (!groups.length) throw refuse(422, 'reference_missing', undefined, 'group_id')
      const { text } = await takeSerial(tx, ticketNumbers)
      const { rows } = await sql<{ id: number }>`insert into tickets (number, group_id, asker_id, type, subject)
        values (${text}, ${group_id}, ${asker}, ${type}, ${subject}) returning id`.execute(tx)
      const { id } = firstRow(rows)
      await servedTickets.begin(ctx, tx, id, 'open')
      await storeMessage(ctx, tx, id, { body: description, file_ids, key })
      const { rows: members } = await sql<{ user_id: number }>`select user_id from ticket_group_members
        where group_id = ${group_id} and user_id <> ${asker}`.execute(tx)
      await notify(
        tx,
        members.map((member) => member.user_id),
        { key: 'conversation.notice_ticket_asked', data: { name: text }, link: `/tickets/${id}` },
      )
      return { data: await readTicket(ctx, id) }
    }),
  ),
  handle(ticketCalls.say, async (ctx, { params: { id }, body }) => ({ data: await speak(ctx, id, body, false) })),
  handle(ticketCalls.note, async (ctx, { params: { id }, body }) => ({ data: await speak(ctx, id, body, true) })),
  handle(ticketCalls.setStatus, async (ctx, { params: { id }, body: { status, ...options } }) => ({
    data: await setStatus(ctx, id, status, options),
  })),
  handle(ticketCalls.setGroup, async (ctx, { params: { id }, body }) => ({
    data: await route(ctx, id, body.group_id, body.version),
  })),
  handle(ticketCalls.merge, async (ctx, { params: { id }, body }) => ({
    data: await mergeTickets(ctx, id, body.into_id),
  })),
  handle(ticketCalls.rate, (ctx, { params: { id }, body: { score, comment } }) =>
    ctx.write(async (tx) => {
      const ticket = (await lockTickets(ctx, tx, [id])).get(id)!
      if (!ticket.mine) throw refuse(403, 'ticket_rate_asker')
      if (ticket.merged_into_id || (ticket.status !== 'resolved' && ticket.status !== 'closed'))
        throw refuse(409, 'ticket_rate_early')
      await sql`update tickets set score = ${score}, score_comment = ${comment || null} where id = ${id}`.execute(tx)
      return { data: { id, score } }
    }),
  ),
  handle(ticketCalls.statistics, async (ctx, { body }) => ({ data: await ticketStatistics(ctx, body) })),
]

/** Days after which what is resolved is closed, unless who asked says that it is not. */
const CLOSED_AFTER = 7
/** What is resolved and stays so is closed. */
export const closeResolved = defineJob({
  name: 'tickets-close',
  cron: '20 2 * * *',
  run: async (ctx) => {
    const { rows } = await sql<{ id: number }>`select id from tickets where status = 'resolved' and removed_at is null
      and resolved_at < now() - make_interval(days => ${CLOSED_AFTER}) order by id limit 5000`.execute(ctx.db)
    const { done } = await servedTickets.takeEach(
      ctx,
      rows.map((row) => row.id),
      'close',
    )
    return { closed: done.length }
  },
})

/** Tickets that nobody has taken on yet, for the members of their groups. */
export const ticketWork: WorkSource = {
  permissions: ['handle_ticket'],
  waiting: (ctx) => sql`
    select 'conversation.work_tickets', jsonb_build_object('count', count(*)), '/tickets'::text, min(t.created_at), null::timestamptz
    from tickets t where t.status in ('open', 'reopened') and t.removed_at is null and t.asker_id <> ${ctx.actor?.user_id ?? null}
      and exists (select from ticket_group_members m where m.group_id = t.group_id and m.user_id = ${ctx.actor?.user_id ?? null})
    having count(*) > 0`,
}
