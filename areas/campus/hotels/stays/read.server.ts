/** Reservations as lists and screens show them. */
import { staffCodeText } from '#areas/money/ledger/reach.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { ListQuery } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { columnsOf, serverField } from '#kit/server/base/fields.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref, refOrNull, refText } from '#kit/server/base/sql.ts'
import { pagedList, type ListSource } from '#kit/server/resource/list.ts'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { inBedOrder } from './fit.rules.ts'
import { reservations } from './flow.server.ts'
import { waitingOf } from './house.server.ts'
import { stayReach } from './reach.server.ts'
import { stayFields, type StayDetail, type StayRow } from './stay.contract.ts'

type Held = Parameters<typeof reservations.open>[2]
type Stored = Omit<StayRow, 'abilities' | 'refused'> & { __steps: Held; __edits: boolean; __removes: boolean }

const FROM = sql`hotel_reservations t left join students s on s.id = t.student_id left join users su on su.id = t.staff_id
  left join guests sg on sg.id = t.guest_id left join hostel_beds b on b.id = t.bed_id
  left join hostel_rooms r on r.id = b.room_id left join hostels h on h.id = coalesce(r.hostel_id, t.hostel_id)
  left join room_kinds k on k.id = coalesce(r.kind_id, t.kind_id) left join bed_groups g on g.id = t.group_id`

/** SQL of who sleeps there by a record, and is no student: who works here `su`, or the guest `sg`. */
export const GUEST: RawBuilder<unknown> =
  sql.raw(`case when su.id is not null then json_build_object('id', su.id, 'code', ${staffCodeText('su')},
    'name', su.name, 'name_local', su.name_local, 'kind', 'staff')
  when sg.id is not null then json_build_object('id', sg.id, 'code', sg.code, 'name', sg.name, 'name_local', sg.name_local, 'kind', 'guest') end`)

const columnsFor = (ctx: Ctx): RawBuilder<unknown> => sql`t.id, t.version, t.removed_at is not null as removed, t.code,
  ${refOrNull('s')} as student, ${GUEST} as guest, t.guest_name, t.status, ${refOrNull('h')} as hostel, r.code as room, b.code as bed, t.bed_id,
  ${refOrNull('k')} as kind, t.from_day, t.until_day, t.unit, t.priority,
  case when g.id is not null then json_build_object('id', g.id, 'name', g.name) end as "group", t.asked_at,
  ${scopeCondition(ctx, 'edit_hotel', stayReach(ctx))} as __edits, ${scopeCondition(ctx, 'remove_hotel', stayReach(ctx))} as __removes,
  ${reservations.column(ctx)} as __steps`

const HOLDS: ReadonlySet<string> = new Set(['confirmed', 'checked_in'])
const opened = (ctx: Ctx, { __steps, __edits, __removes, ...row }: Stored): StayRow => {
  if (row.removed) return { ...row, abilities: [] }
  const { abilities, refused } = reservations.open(ctx, row.status, __steps)
  return {
    ...row,
    abilities: [
      ...abilities,
      ...(__edits && HOLDS.has(row.status) ? ['move'] : []),
      ...(__edits && row.status === 'requested' ? ['edit'] : []),
      ...(__removes && !HOLDS.has(row.status) ? ['remove'] : []),
    ],
    refused: refused,
  }
}

const columns = columnsOf(stayFields, { hostel_id: 'h.id', kind_id: 'k.id' })
const filters = Object.fromEntries(
  columns.map((column) => [column.name, (value: unknown) => serverField(column.field).filter(column, value)]),
)
const seen = (ctx: Ctx): RawBuilder<unknown> => scopeCondition(ctx, 'access_hotel', stayReach(ctx))
const source = (ctx: Ctx, query: ListQuery): ListSource => ({
  from: FROM,
  select: columnsFor(ctx),
  where: [seen(ctx), query.removed ? sql`t.removed_at is not null` : sql`t.removed_at is null`],
  search: ['t.search_text', 's.search_text', 'su.search_text', 'sg.search_text', 'g.search_text'],
  sort: {
    from_day: 't.from_day',
    until_day: 't.until_day',
    asked_at: 't.asked_at',
    student_id: `coalesce(s.name, su.name, sg.name, t.guest_name, g.name)`,
    hostel_id: 'h.name',
    priority: 't.priority',
    status: `array_position(array['requested', 'confirmed', 'checked_in', 'checked_out', 'cancelled', 'no_show'], t.status)`,
  },
  order: ['from_day', 'desc'],
  filters,
})

/** A page of the reservations that the reader sees, with the names by which they are narrowed. */
export async function listStays(ctx: Ctx, query: ListQuery) {
  const { data, meta } = await pagedList<Stored>(ctx, source(ctx, query), query)
  const { rows } = await sql<{ id: number; name: string; name_local: string; code: string }>`
    select h.id, h.name, h.name_local, h.code from hostels h where h.removed_at is null order by h.code`.execute(ctx.db)
  return { data: data.map((row) => opened(ctx, row)), meta: { ...meta, lookup: { hostel_id: rows } } }
}

/** A reservation that the reader sees. @throws {Refusal} 404 */
export async function readStay(ctx: Ctx, id: number, db: Db | Tx = ctx.db): Promise<StayDetail> {
  const { rows } = await sql<Stored & Omit<StayDetail, keyof StayRow | 'place'>>`
    select ${columnsFor(ctx)}, coalesce(sg.phone, su.phone, t.guest_phone) as guest_phone, t.audience, t.gender, t.distance_km, t.note, r.floor,
      (select ${ref('w')} from terms w where w.id = t.term_id) as term,
      coalesce((select json_agg(json_build_object('id', ms.id, 'name', ms.name, 'name_local', ms.name_local, 'code', ms.code, 'mutual', exists (
          select from bed_mates o join hotel_reservations x on x.id = o.reservation_id
          where x.student_id = ms.id and o.student_id = t.student_id and x.removed_at is null
            and x.status in ('requested', 'confirmed', 'checked_in') and x.period && t.period)) order by ms.code)
        from bed_mates m join students ms on ms.id = m.student_id where m.reservation_id = t.id), '[]') as mates,
      (select json_build_object('id', c.id, 'code', c.code) from hotel_reservations c where c.id = t.continues_id) as continues,
      (select json_build_object('id', i.id, 'number', i.number, 'currency', i.currency, 'charged', coalesce(ib.charged, 0), 'settled',
          coalesce(ib.settled, 0), 'reversed', i.reversed_at is not null)
        from invoices i left join invoice_balances ib on ib.invoice_id = i.id where i.id = t.invoice_id) as invoice,
      coalesce((select json_agg(json_build_object('id', x.id, 'name', x.name, 'name_local', x.name_local, 'price', x.price) order by x.position)
        from room_kind_items x where x.room_kind_id = r.kind_id), '[]') as items,
      coalesce((select json_agg(json_build_object('id', x.id, 'name', x.name, 'name_local', x.name_local, 'amount', x.amount) order by x.id)
        from bed_damages x where x.reservation_id = t.id), '[]') as damages,
      (t.student_id is not null and (s.status <> 'studying' or s.removed_at is not null)
        or su.removed_at is not null) as left
    from ${FROM} where t.id = ${id} and ${scopeCondition(ctx, ['show_hotel', 'ask_hotel'], stayReach(ctx))}`.execute(db)
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  return {
    ...row,
    ...opened(ctx, row),
    place: row.status === 'requested' && !row.removed ? await queuePlaceOf(db, id) : null,
  }
}

/** Where somebody stands among those who wait, from 1. */
async function queuePlaceOf(db: Db | Tx, id: number): Promise<number | null> {
  const place = (await waitingOf(db)).toSorted(inBedOrder).findIndex((one) => one.id === id)
  return place < 0 ? null : place + 1
}

/** What a reservation is chosen from. */
export async function hotelLookups(ctx: Ctx) {
  const { rows } = await sql<{
    hostels: { id: number; name: string; name_local: string; code: string; gender: string }[]
    kinds: { id: number; name: string; name_local: string; code: string }[]
    terms: { id: number; name: string; name_local: string; code: string; start_date: string; end_date: string }[]
  }>`select
    coalesce((select json_agg(json_build_object('id', h.id, 'name', h.name, 'name_local', h.name_local, 'code', h.code, 'gender', h.gender)
      order by h.code) from hostels h where h.removed_at is null), '[]') as hostels,
    coalesce((select json_agg(${sql.raw(refText('k'))} order by k.code) from room_kinds k where k.removed_at is null), '[]') as kinds,
    coalesce((select json_agg(json_build_object('id', w.id, 'name', w.name, 'name_local', w.name_local, 'code', w.code,
        'start_date', w.start_date, 'end_date', w.end_date) order by w.start_date)
      from terms w where w.removed_at is null and w.end_date > university_today()), '[]') as terms`.execute(ctx.db)
  return firstRow(rows)
}
