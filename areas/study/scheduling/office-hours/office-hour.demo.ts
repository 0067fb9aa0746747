import { sql } from 'kysely'
import { insertNew, demoPart } from '#demo/part.ts'

/** Two office hours a week of some who teach, when they have no meeting. */
export default demoPart(['office_hours'], ['instructors', 'offering_slots', 'terms'], async (tx) => {
  const { rows } = await sql<{ id: number; day: number; n: number }>`
    select i.id, d.day, row_number() over (order by i.id, d.day)::int as n from (select id from instructors order by id limit 30) i
    cross join lateral (select day from generate_series(0, 4) as day where not exists (
      select from offering_slot_instructors si join offering_slots s on s.id = si.offering_slot_id
        join current_terms k on k.key = 'current_term' and k.term_id = s.term_id
      where si.instructor_id = i.id and s.day = day) order by day limit 2) d`.execute(tx)
  await insertNew(
    tx,
    'office_hours',
    rows.map(({ id, day, n }) => ({
      instructor_id: id,
      day,
      start_time: n % 2 ? '10:00' : '12:00',
      end_time: n % 2 ? '11:00' : '13:30',
      location_id: null,
      place: `Office ${100 + id}`,
      place_local: `مكتب ${100 + id}`,
    })),
  )
})
