/** Beds, what keeps them from being free, and who waits for them, as the rules read them. */
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { sql } from 'kysely'
import { House, type Bed, type Busy, type BedWaiter } from './fit.rules.ts'

/** Who gives beds comes before or after whoever else does. */
export const holdBeds = (tx: Tx): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtext('hotel beds'))`.execute(tx)

/** States in which a reservation holds its bed. */
export const HOLDING = sql`('confirmed', 'checked_in', 'checked_out')`

/** All beds, and what is in the way in them on some days, in one statement. */
export async function houseOf(db: Db | Tx, from: string, until: string): Promise<House> {
  const { rows } = await sql<{ beds: Bed[]; busy: Busy[] }>`
    select coalesce((select json_agg(json_build_object('id', b.id, 'room_id', b.room_id, 'hostel_id', r.hostel_id, 'kind_id', r.kind_id,
          'gender', r.gender, 'audience', r.audience, 'faculty_id', r.faculty_id, 'level', r.level)
          order by h.code, r.floor, r.code, b.code, b.id)
        from hostel_beds b join hostel_rooms r on r.id = b.room_id join hostels h on h.id = r.hostel_id
        where r.removed_at is null and h.removed_at is null), '[]') as beds,
      coalesce((select json_agg(x) from (
          select s.bed_id, s.from_day, s.until_day, s.student_id, s.id as reservation_id from hotel_reservations s
          where s.bed_id is not null and s.removed_at is null and s.status in ${HOLDING} and s.period && daterange(${from}::date, ${until}::date)
          union all
          select b.id, c.from_day, c.until_day, null, null from bed_closings c join hostel_beds b on b.room_id = c.room_id
            and b.id = coalesce(c.bed_id, b.id)
          where c.removed_at is null and c.period && daterange(${from}::date, ${until}::date)) x), '[]') as busy`.execute(
    db,
  )
  const { beds, busy } = firstRow(rows)
  return new House(beds, busy)
}

/** SQL of the students whom the reservation `t` wishes for and who wish for its student, on days that meet. */
const MUTUAL = sql`array(select m.student_id from bed_mates m where m.reservation_id = t.id and exists (
  select from bed_mates o join hotel_reservations x on x.id = o.reservation_id
  where x.student_id = m.student_id and o.student_id = t.student_id and x.removed_at is null
    and x.status in ('requested', 'confirmed', 'checked_in') and x.period && t.period) order by m.student_id)`

/** SQL of the gender of the reservation `t`; of a place of a group that nobody was given, that of its room. */
const GENDER_OF = sql`coalesce(t.gender::int, case when num_nonnulls(t.student_id, t.staff_id, t.guest_id, t.guest_name) = 0 then (
  select case r.gender when 'men' then 1 when 'women' then 2 end from hostel_beds b join hostel_rooms r on r.id = b.room_id
  where b.id = t.bed_id) end)`

/** Those who wait for a bed; those alone whose ids are given. */
export async function waitingOf(db: Db | Tx, ids: readonly number[] | null = null): Promise<BedWaiter[]> {
  const { rows } =
    await sql<BedWaiter>`select t.id, t.student_id, ${GENDER_OF} as gender, t.audience, s.faculty_id, s.level, t.kind_id, t.hostel_id,
      t.from_day, t.until_day, t.priority, t.distance_km, to_char(t.asked_at at time zone 'UTC', 'YYYYMMDDHH24MISSUS') as asked_at,
      ${MUTUAL} as mates
    from hotel_reservations t left join students s on s.id = t.student_id
    where t.removed_at is null and ${
      ids ? sql`t.id = any(${[...ids]}::int[])` : sql`t.status = 'requested' and t.until_day > university_today()`
    } and (t.student_id is null or ${ids ? sql`true` : sql`s.status = 'studying' and s.removed_at is null`})
    order by t.priority, t.distance_km desc nulls last, t.asked_at, t.id`.execute(db)
  return rows
}

/** From the first to the last day of some stays. */
export const spanOf = (
  stays: readonly { readonly from_day: string; readonly until_day: string }[],
): readonly [from: string, until: string] => [
  stays.reduce((least, one) => (one.from_day < least ? one.from_day : least), stays[0]?.from_day ?? '0001-01-01'),
  stays.reduce((most, one) => (one.until_day > most ? one.until_day : most), stays[0]?.until_day ?? '0001-01-02'),
]
