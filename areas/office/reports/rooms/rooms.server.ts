/** Use of rooms in a term: what is there and what of it is used, from weekly meetings on the days on which they take place. */
import type { Db } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refOrNull, refText } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { roomUseCalls, USUAL_TIMES, type RoomUse, type RoomUseAsked } from './rooms.contract.ts'
import { roomUseFile } from './rooms-file.server.ts'

/** Minutes since midnight. */
const minutesOf = (time: string) => sql.raw(`(extract(hour from ${time}) * 60 + extract(minute from ${time}))::int`)
/** SQL: nothing is held on `d.on_date` for offerings of this faculty and level, as `days_without_meetings` says it for one offering. */
const LOST = (faculty: string, level: string) =>
  sql.raw(`(exists (select from calendar_events e where e.removed_at is null and e.no_teaching
      and d.on_date between e.start_date and e.end_date and (e.faculty_id is null or e.faculty_id = ${faculty}))
    or exists (select from exam_weeks w, term t where w.term_id = t.id and w.removed_at is null and d.on_date between w.start_date and w.end_date
      and (w.faculty_id is null or w.faculty_id = ${faculty}) and (w.level is null or w.level = ${level})))`)

/**
 * One statement. Each meeting has its places in the order of time, as `meeting_places` tells them for one; the days of each are counted once for
 * all meetings of a faculty and level on a weekday, without days on which nothing is taught and exam weeks. What was cancelled is taken out, and
 * what is made up is added where it is held.
 */
export async function readRoomUse(ctx: Ctx, asked: RoomUseAsked, most: number | null = 50): Promise<RoomUse> {
  const { building_id = null, faculty_id = null, location_type = null, day = null, hour = null } = asked
  const within = sql`(${day}::int is null or u.day = ${day}::int) and (${hour}::int is null or u.hour = ${hour}::int)`
  const times = asked.times ?? USUAL_TIMES
  const grouped = (key: string) => sql`select m.${sql.raw(key)} as key, count(distinct m.meeting_id)::int as meetings,
      sum(m.minutes) as minutes, sum(m.seat_minutes) as seat_minutes from of_meetings m group by 1`
  const read = (db: Db) =>
    sql<{ use: RoomUse }>`
    with term as (select * from terms where id = ${asked.term_id ?? currentTermId()} and removed_at is null),
    rooms as materialized (select l.* from locations l where l.removed_at is null and l.location_type <> 'online'
      and (${building_id}::int is null or l.building_id = ${building_id}::int)
      and (${location_type}::text is null or l.location_type = ${location_type}::text)),
    span as (select min(${minutesOf('s.start_time')}) as from_minute, max(${minutesOf('s.end_time')}) as to_minute
      from slots s where s.removed_at is null),
    dates as materialized (select d.on_date, week_place(d.on_date) as day from term t
      cross join lateral (select x.d::date as on_date from generate_series(t.start_date::timestamp, t.end_date, interval '1 day') x (d)) d),
    moved as materialized (select m.* from meeting_moves m join offering_slots s on s.id = m.meeting_id join term t on t.id = s.term_id
      where m.held_from is not null),
    places as materialized (
      select s.id, s.day::int as day, s.slot_id, s.location_id, greatest(t.start_date, v.held_until + 1) as since, t.end_date as until,
          s.offering_id, s.taken, true as now
        from term t join offering_slots s on s.term_id = t.id
          left join (select meeting_id, max(held_until) as held_until from moved group by 1) v on v.meeting_id = s.id
        where s.day is not null
      union all
      select m.meeting_id, m.day, m.slot_id, m.location_id, m.held_from, m.held_until, s.offering_id, s.taken, false
        from moved m join offering_slots s on s.id = m.meeting_id),
    placed as materialized (select p.*, o.faculty_id, o.level, coalesce(o.faculty_id, 0) as of_faculty, coalesce(o.level, -1)::int as of_level from places p join rooms r on r.id = p.location_id
      join offerings o on o.id = p.offering_id and o.removed_at is null
      where ${faculty_id}::int is null or o.faculty_id = ${faculty_id}::int),
    counted as materialized (select k.*, (select count(*)::int from dates d
        where d.day = k.day and d.on_date between k.since and k.until and not ${LOST('k.faculty_id', 'k.level')}) as days
      from (select distinct day, since, until, faculty_id, level, of_faculty, of_level from placed) k),
    cancelled as materialized (select p.id, p.since, count(*)::int as days from placed p
        join meeting_occurrences c on c.offering_slot_id = p.id and c.cancelled_at is not null and c.makes_up_id is null
        join dates d on d.on_date = c.date and d.day = p.day and d.on_date between p.since and p.until
      where not ${LOST('p.faculty_id', 'p.level')} group by 1, 2),
    held as materialized (
      select p.id as meeting_id, p.location_id, p.slot_id, p.day, p.faculty_id, p.taken, k.days - coalesce(c.days, 0) as days
        from placed p join counted k on k.day = p.day and k.since = p.since and k.until = p.until
            and k.of_faculty = p.of_faculty and k.of_level = p.of_level
          left join cancelled c on c.id = p.id and c.since = p.since
      union all
      select x.offering_slot_id, x.location_id, x.slot_id, d.day, o.faculty_id, coalesce(s.taken, 0), 1
        from meeting_occurrences x join dates d on d.on_date = x.date join offerings o on o.id = x.offering_id and o.removed_at is null
          join term t on t.id = o.term_id join rooms r on r.id = x.location_id left join offering_slots s on s.id = x.offering_slot_id
        where x.makes_up_id is not null and x.cancelled_at is null and (${faculty_id}::int is null or o.faculty_id = ${faculty_id}::int)),
    hours as materialized (select s.id as slot_id, h.hour, least(e.till, h.hour * 60 + 60) - greatest(e.since, h.hour * 60) as minutes
      from slots s cross join lateral (select ${minutesOf('s.start_time')} as since, ${minutesOf('s.end_time')} as till) e
        cross join lateral generate_series(e.since / 60, (e.till - 1) / 60) h (hour)),
    uses as materialized (select h.*, r.building_id, q.hour, q.minutes from held h join hours q on q.slot_id = h.slot_id
      join rooms r on r.id = h.location_id where h.days > 0),
    of_meetings as materialized (select u.meeting_id, u.location_id, u.building_id, u.faculty_id, sum(u.minutes * u.days) as minutes,
        sum(u.minutes * u.days * u.taken) as seat_minutes
      from uses u where ${within} group by 1, 2, 3, 4),
    wide as materialized (select p.id, p.offering_id, p.day, p.slot_id, p.location_id, p.taken, r.capacity from placed p
        join rooms r on r.id = p.location_id
      where p.now and r.capacity >= ${times}::int * greatest(p.taken, 1) and (${day}::int is null or p.day = ${day}::int)
        and (${hour}::int is null or exists (select from hours q where q.slot_id = p.slot_id and q.hour = ${hour}::int))),
    by_building as materialized (${grouped('building_id')}), by_room as materialized (${grouped('location_id')}),
    by_faculty as materialized (${grouped('faculty_id')})
    select json_build_object(
      'term', (select ${sql.raw(refText('t'))} from term t),
      'days', (select json_agg(n.days order by n.day) from (select w.day, (select count(*)::int from dates d
        where d.day = w.day and not ${LOST('null', 'null')}) as days from generate_series(0, 6) w (day)) n),
      'from', coalesce(s.from_minute, 0), 'to', coalesce(s.to_minute, 0),
      'rooms', (select count(*)::int from rooms), 'seats', (select coalesce(sum(capacity), 0)::int from rooms),
      'cells', (select coalesce(json_agg(c), '[]') from (select u.day, u.hour, count(distinct u.location_id)::int as rooms,
        sum(u.minutes * u.days) as minutes, sum(u.minutes * u.days * u.taken) as seat_minutes from uses u group by 1, 2 order by 1, 2) c),
      'building', (select coalesce(json_agg(g order by g.of ->> 'code'), '[]') from (select ${refOrNull('b')} as of, r.rooms, r.seats,
          coalesce(g.meetings, 0) as meetings, coalesce(g.minutes, 0) as minutes, coalesce(g.seat_minutes, 0) as seat_minutes
        from (select building_id, count(*)::int as rooms, sum(capacity)::int as seats from rooms group by 1) r
          join buildings b on b.id = r.building_id left join by_building g on g.key = b.id) g),
      'room', (select coalesce(json_agg(g order by g.of ->> 'code'), '[]') from (select ${refOrNull('r')} as of, 1 as rooms, r.capacity as seats,
          coalesce(g.meetings, 0) as meetings, coalesce(g.minutes, 0) as minutes, coalesce(g.seat_minutes, 0) as seat_minutes
        from rooms r left join by_room g on g.key = r.id) g),
      'faculty', (select coalesce(json_agg(g order by g.of ->> 'code'), '[]') from (select ${refOrNull('f')} as of,
          (select count(*)::int from rooms) as rooms, (select coalesce(sum(capacity), 0)::int from rooms) as seats, g.meetings, g.minutes, g.seat_minutes
        from by_faculty g left join faculties f on f.id = g.key) g),
      'wide', json_build_object('count', (select count(*)::int from wide), 'rows', (select coalesce(json_agg(w), '[]') from (
        select v.id, v.offering_id, ${sql.raw(refText('c'))} as course, m.type, n.number as "group", v.day,
          to_char(q.start_time, 'HH24:MI') as "from", to_char(q.end_time, 'HH24:MI') as "to", ${sql.raw(refText('r'))} as room, v.capacity, v.taken
        from (select * from wide order by capacity - taken desc, id limit ${most}) v join offering_slots m on m.id = v.id join offering_groups n on n.id = m.group_id join offerings o on o.id = v.offering_id
          join courses c on c.id = o.course_id join slots q on q.id = v.slot_id join rooms r on r.id = v.location_id
        order by v.capacity - v.taken desc, v.id) w))) as use
    from span s`.execute(db)
  const { rows } = await ctx.write(async (tx) => {
    // Nobody knows how many rows a step of it gives, and a loop over both sides is planned where few are thought of: with tens of
    // thousands of meetings that takes seconds instead of a tenth of one.
    await sql`select set_config('enable_nestloop', 'off', true)`.execute(tx)
    return read(tx)
  })
  return firstRow(rows).use
}

export const roomUseHandlers: readonly Handled[] = [
  handle(roomUseCalls.read, async (ctx, { body: { most, ...asked } }) => ({
    data: await readRoomUse(ctx, asked, most),
  })),
  handle(roomUseCalls.file, async (ctx, { params, body }) => roomUseFile(ctx, params, body, readRoomUse)),
]
