/** Hostels, rooms and closed times: what may be changed while people sleep there. */
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse, type Reason } from '#kit/server/base/errors.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { guestName } from '../stays/flow.server.ts'
import { facultyOfHostel } from '../stays/reach.server.ts'
import type { OtherStay } from '../stays/stay.rules.ts'
import { bedClosing, hostel, hostelRoom } from './hostel.contract.ts'

/** Stays that hold beds, told by name: those that meet a condition on the stay `s`, its bed `b` and its room `r`. */
async function staysIn(tx: Tx, condition: RawBuilder<unknown>): Promise<OtherStay[]> {
  const { rows } =
    await sql<OtherStay>`select ${sql.raw(guestName('s'))} as name, ${sql.raw(guestName('s', true))} as name_local, s.from_day, s.until_day
    from hotel_reservations s join hostel_beds b on b.id = s.bed_id join hostel_rooms r on r.id = b.room_id
    where s.status in ('confirmed', 'checked_in') and s.removed_at is null and ${condition} order by s.from_day, s.id`.execute(
      tx,
    )
  return rows
}
const told = (stays: readonly OtherStay[], code: string, field?: string): Reason[] =>
  stays.map(({ name, name_local, from_day, until_day }) => ({
    ...(field && { field }),
    code,
    data: { name, name_local, from: from_day, until: until_day },
  }))
/** Who gives a bed in a room meanwhile is waited for, or waits. */
const holdRoom = (tx: Tx, id: number) => sql`select from hostel_rooms where id = ${id} for no key update`.execute(tx)

const hostels = workings(hostel, {
  scope: { faculty: () => facultyOfHostel(sql`t.id`) },
  computed: {
    beds: `(select count(*)::int from hostel_beds b join hostel_rooms r on r.id = b.room_id where r.hostel_id = t.id and r.removed_at is null)`,
  },
})

const rooms = workings(hostelRoom, {
  scope: { faculty: () => facultyOfHostel(sql`t.hostel_id`) },
  async beforeWrite(_ctx, tx, merged, current) {
    if (!current) return
    await holdRoom(tx, current.id)
    const kept = ((merged.beds ?? []) as { id?: number }[]).flatMap(({ id }) => (id === undefined ? [] : [id]))
    const others = { men: 1, women: 2 }[String(merged.gender)]
    const reasons = [
      ...(merged.gender !== current.gender && others !== undefined
        ? told(
            await staysIn(tx, sql`r.id = ${current.id} and s.gender is not null and s.gender <> ${others}`),
            'room_stays_other',
            'gender',
          )
        : []),
      ...told(await staysIn(tx, sql`r.id = ${current.id} and not b.id = any(${kept}::int[])`), 'bed_has_stay', 'beds'),
    ]
    if (reasons.length) throw new Refusal(409, reasons)
  },
  async beforeRemove(_ctx, tx, id) {
    await holdRoom(tx, id)
    const reasons = told(await staysIn(tx, sql`r.id = ${id}`), 'bed_has_stay')
    if (reasons.length) throw new Refusal(409, reasons)
  },
})

/** A closed time is within the reach of who enters it: its room is. */
async function checkClosing(ctx: Ctx, tx: Tx, merged: Readonly<Record<string, unknown>>): Promise<void> {
  const { room_id, bed_id = null, from_day, until_day } = merged
  if (String(until_day) <= String(from_day)) throw refuse(422, 'stay_days', {}, 'until_day')
  await holdRoom(tx, Number(room_id))
  const { rows } = await sql<{
    there: boolean
    reached: boolean
  }>`select ${bed_id}::int is null or exists (select from hostel_beds b
      where b.id = ${bed_id}::int and b.room_id = t.id) as there, ${rooms.scope(ctx, ['add_hostel', 'edit_hostel'])} as reached
    from hostel_rooms t where t.id = ${Number(room_id)}`.execute(tx)
  if (!rows[0]?.reached) throw refuse(422, 'reference_missing', {}, 'room_id')
  if (!rows[0].there) throw refuse(422, 'closing_elsewhere', {}, 'bed_id')
  const reasons = told(
    await staysIn(
      tx,
      sql`r.id = ${Number(room_id)} and (${bed_id}::int is null or b.id = ${bed_id}::int)
        and s.period && daterange(${from_day}::date, ${until_day}::date)`,
    ),
    'closing_has_stay',
    'from_day',
  )
  if (reasons.length) throw new Refusal(409, reasons)
}

const closings = workings(bedClosing, {
  scope: { faculty: () => facultyOfHostel(sql`(select r.hostel_id from hostel_rooms r where r.id = t.room_id)`) },
  beforeWrite: (ctx, tx, merged) => checkClosing(ctx, tx, merged),
})

export const hostelHandlers = [hostels.handlers, rooms.handlers, closings.handlers]
