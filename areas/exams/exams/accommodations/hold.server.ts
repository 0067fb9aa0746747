/** Halls are held as those need it to whom something was granted: longer, or for one alone. */
import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { Reason } from '#kit/contract/issues.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { time, type At } from '../schedules/facts.server.ts'
import {
  arrangeHalls,
  holdReasons,
  type Arranged,
  type BusyLonger,
  type FreeHall,
  type HeldHall,
  type LongerMeeting,
  type Need,
  type NextUse,
} from './accommodation.rules.ts'

interface Facts {
  id: number
  exam_id: number
  students: number
  halls: HeldHall[]
  free: FreeHall[]
  needs: Need[]
  next: (NextUse & { location_id: number; after: number })[]
}

/** Those of schedules of which halls are held for somebody, or are to be. */
async function heldAmong(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select x.exam_schedule_id as id from exam_accommodated x where x.exam_schedule_id = any(${ids}::int[]) and (x.own_room or x.minutes > 0)
    union select l.exam_schedule_id from exam_schedule_locations l
      where l.exam_schedule_id = any(${ids}::int[]) and (l.own_room or l.extra > 0) order by 1`.execute(tx)
  return rows.map(({ id }) => id)
}

/** A schedule that has its time, with its halls and what is granted there; null: it has none. */
async function factsOf(tx: Tx, id: number): Promise<Facts | null> {
  const { rows } = await sql<Facts>`
    with s as materialized (select s.* from exam_schedules s where s.id = ${id} and s.during is not null),
    -- What is held or taught on these days.
    used as materialized (
      select b.exam_schedule_id, b.location_id, tsrange(lower(b.during), upper(b.during)) as held, c.code || ' (' || o.code || ')' as course
        from exam_schedule_locations b join exam_schedules z on z.id = b.exam_schedule_id and z.on_date in (select s.on_date from s)
          join offerings o on o.id = z.offering_id join courses c on c.id = o.course_id
      union all
      select null, m.location_id, m.held, c.code || ' (' || o.code || ')' from (select distinct s.on_date from s) d
        cross join lateral weekly_meetings_on(d.on_date) m join offering_slots w on w.id = m.meeting_id
        join offerings o on o.id = w.offering_id join courses c on c.id = o.course_id where m.location_id is not null),
    -- When a hall is used next after an exam, by what.
    after as materialized (
      select distinct on (s.id, h.location_id) s.id, h.location_id, u.course, to_char(lower(u.held), 'HH24:MI') as starts,
        (extract(epoch from lower(u.held) - upper(s.during)) / 60)::int as minutes
      from s join exam_halls h on h.exam_id = s.exam_id
        join used u on u.location_id = h.location_id and u.exam_schedule_id is distinct from s.id
          and lower(u.held) >= upper(s.during) and lower(u.held)::date = s.on_date
      order by s.id, h.location_id, lower(u.held))
    select s.id, s.exam_id,
      (select count(*)::int from registrations r where r.offering_id = s.offering_id and sits_exam(r.status)) as students,
      coalesce((select json_agg(json_build_object('location_id', l.location_id, 'seats', l.seats, 'extra', l.extra, 'own_room', l.own_room,
          'helper', l.helper, 'alone', not exists (select from used u where u.location_id = l.location_id
            and u.exam_schedule_id is distinct from s.id and u.held && s.during),
          'free_for', coalesce((select a.minutes from after a where a.id = s.id and a.location_id = l.location_id), 1200),
          'long_seated', (select count(*) from exam_seats z join exam_accommodated x on x.registration_id = z.registration_id
            and x.exam_schedule_id = s.id and not x.own_room and x.minutes > 0
            where z.exam_schedule_id = s.id and z.location_id = l.location_id)) order by l.location_id)
        from exam_schedule_locations l where l.exam_schedule_id = s.id), '[]') as halls,
      coalesce((select json_agg(json_build_object('location_id', h.location_id, 'places', p.capacity,
          'free_for', coalesce((select a.minutes from after a where a.id = s.id and a.location_id = h.location_id), 1200)) order by h.location_id)
        from exam_halls h join locations p on p.id = h.location_id and p.location_type <> 'online' and p.removed_at is null
        where h.exam_id = s.exam_id
          and not exists (select from exam_schedule_locations l where l.exam_schedule_id = s.id and l.location_id = h.location_id)
          and not exists (select from used u where u.location_id = h.location_id and u.held && s.during)
          and not exists (select from exam_closures k where k.exam_id = s.exam_id and k.location_id = h.location_id
            and (k.on_date is null or k.on_date = s.on_date) and (k.exam_slot_id is null or k.exam_slot_id = s.exam_slot_id))), '[]') as free,
      coalesce((select json_agg(json_build_object('minutes', x.minutes, 'own_room', x.own_room, 'helper', x.helper) order by x.registration_id)
        from exam_accommodated x where x.exam_schedule_id = s.id), '[]') as needs,
      coalesce((select json_agg(json_build_object('location_id', a.location_id, 'hall', p.name, 'hall_local', p.name_local, 'course', a.course,
          'starts', a.starts, 'after', a.minutes, 'until', to_char(upper(s.during) + make_interval(mins => coalesce((select max(x.minutes)
            from exam_accommodated x where x.exam_schedule_id = s.id and not x.own_room), 0)), 'HH24:MI')) order by p.code)
        from after a join locations p on p.id = a.location_id
          join exam_schedule_locations l on l.exam_schedule_id = s.id and l.location_id = a.location_id where a.id = s.id), '[]') as next
    from s`.execute(tx)
  return rows[0] ?? null
}

/** Invigilators of halls who have a duty elsewhere before the last would have written. */
async function busyLonger(tx: Tx, id: number, halls: Arranged['halls']): Promise<BusyLonger[]> {
  const { rows } = await sql<BusyLonger>`
    select distinct i.name as instructor, i.name_local as instructor_local, to_char(lower(k.during), 'HH24:MI') as starts,
      to_char(upper(s.during) + make_interval(mins => w.extra), 'HH24:MI') as until
    from exam_schedules s cross join jsonb_to_recordset(${JSON.stringify(halls)}::jsonb) as w (location_id int, extra int)
      join exam_schedule_instructors v on v.exam_schedule_id = s.id and v.location_id = w.location_id
      join instructors i on i.id = v.instructor_id
      join exam_schedule_instructors k on k.instructor_id = v.instructor_id and k.location_id <> v.location_id
        and k.during && tsrange(lower(s.during), upper(s.during) + make_interval(mins => w.extra))
    where s.id = ${id} and w.extra > 0 order by 1, 3`.execute(tx)
  return rows
}

async function write(tx: Tx, { id, exam_id, halls: before }: Facts, halls: Arranged['halls']): Promise<void> {
  const now = new Map(halls.map((hall) => [hall.location_id, hall]))
  const gone = before.filter((hall) => !now.has(hall.location_id)).map((hall) => hall.location_id)
  // Whoever gets a room alone leaves the seat that was in another hall.
  await sql`delete from exam_seats z using exam_accommodated x, jsonb_to_recordset(${JSON.stringify(halls)}::jsonb) as w (location_id int, own_room bool)
    where z.exam_schedule_id = ${id} and x.exam_schedule_id = z.exam_schedule_id and x.registration_id = z.registration_id and x.own_room
      and w.location_id = z.location_id and not w.own_room`.execute(tx)
  if (gone.length)
    await sql`delete from exam_schedule_locations where exam_schedule_id = ${id} and location_id = any(${gone}::int[])`.execute(
      tx,
    )
  await sql`update exam_schedule_locations l set seats = w.seats, extra = w.extra, own_room = w.own_room, helper = w.helper
    from jsonb_to_recordset(${JSON.stringify(halls)}::jsonb) as w (location_id int, seats int, extra int, own_room bool, helper text)
    where l.exam_schedule_id = ${id} and l.location_id = w.location_id
      and (l.seats, l.extra, l.own_room, l.helper) is distinct from (w.seats, w.extra, w.own_room, w.helper)`.execute(
    tx,
  )
  const there = new Set(before.map((hall) => hall.location_id))
  const added = halls.filter((hall) => !there.has(hall.location_id))
  if (added.length)
    await sql`insert into exam_schedule_locations (exam_schedule_id, exam_id, location_id, seats, extra, own_room, helper, during)
      select ${id}, ${exam_id}, w.location_id, w.seats, w.extra, w.own_room, w.helper, 'empty'
      from jsonb_to_recordset(${JSON.stringify(added)}::jsonb) as w (location_id int, seats int, extra int, own_room bool, helper text)`.execute(
      tx,
    )
}

/**
 * Holds the halls of schedules for those to whom something was granted, as far as that is possible.
 *
 * @returns every reason why it is not possible wholly, by schedule
 */
export async function holdHalls(tx: Tx, ids: readonly number[]): Promise<Map<number, Reason[]>> {
  const out = new Map<number, Reason[]>()
  // One after the other: who holds a room takes it from the next.
  for (const id of await heldAmong(tx, ids)) {
    const facts = await factsOf(tx, id)
    if (!facts) continue
    const arranged = arrangeHalls(facts.students, facts.halls, facts.free, facts.needs)
    const long = Math.max(0, ...facts.needs.filter((need) => !need.own_room).map((need) => need.minutes))
    const next = facts.next.flatMap(({ location_id: _hall, after, ...told }) => (after < long ? [told] : []))
    const busy = await busyLonger(tx, id, arranged.halls)
    const reasons = holdReasons(arranged, next, busy)
    if (reasons.length) out.set(id, reasons)
    if (!busy.length) await write(tx, facts, arranged.halls)
  }
  return out
}

/** Of how many students the names are told. */
const NAMED = 10
/** Other exams that students with more time could not sit, were this one held then. `but`: schedules that are not looked at. */
export async function longerMeetingsAt(
  ctx: Ctx,
  db: Db | Tx,
  offering_id: number,
  at: At,
  but: readonly number[],
): Promise<LongerMeeting[]> {
  const { rows } = await sql<LongerMeeting>`
    with held as materialized (select ${time(at)} as held),
    shared as materialized (
      select distinct s.id, q.student_id from exam_accommodations a
        join registrations r on r.student_id = a.student_id and r.offering_id = ${offering_id} and sits_exam(r.status)
        join terms t on t.id = r.term_id and a.covers @> t.start_date
        join registrations q on q.student_id = r.student_id and q.term_id = r.term_id and q.offering_id <> r.offering_id and sits_exam(q.status)
        join exam_schedules s on s.offering_id = q.offering_id and s.removed_at is null and s.on_date = ${at.on_date}::date
        cross join held h
      where a.removed_at is null and a.extra_percent is not null and s.id <> all(${but}::int[]) and not s.during && h.held
        and (s.during && exam_longer(h.held, a.extra_percent) or exam_longer(s.during, a.extra_percent) && h.held))
    select c.code || ' (' || o.code || ')' as course, to_char(lower(s.during), 'HH24:MI') as starts, count(*)::int as count,
      coalesce((array_agg(n.code || ' ' || n.name order by n.code) filter (where n.id is not null))[1:${NAMED}], '{}') as students,
      coalesce((array_agg(n.code || ' ' || n.name_local order by n.code) filter (where n.id is not null))[1:${NAMED}], '{}') as students_local
    from shared b join exam_schedules s on s.id = b.id join offerings o on o.id = s.offering_id join courses c on c.id = o.course_id
      -- Whom this concerns is known to whoever knows of what was granted.
      left join lateral (select t.id, t.code, t.name, t.name_local from students t where t.id = b.student_id
        and ${scopeCondition(ctx, 'show_examAccommodation', { faculty: studentReach(ctx).faculty })}) n on true
    group by s.id, c.code, o.code order by 2, 1`.execute(db)
  return rows
}

/** The longest that a student of an offering has more, were its exam held then. */
export async function longestExtra(db: Db | Tx, offering_id: number, at: At): Promise<number> {
  const { rows } = await sql<{ minutes: number }>`
    select coalesce(max(extract(epoch from upper(exam_longer(h.held, a.extra_percent)) - upper(h.held)) / 60), 0)::int as minutes
    from exam_accommodations a join registrations r on r.student_id = a.student_id and r.offering_id = ${offering_id} and sits_exam(r.status)
      join terms t on t.id = r.term_id and a.covers @> t.start_date cross join (select ${time(at)} as held) h
    where a.removed_at is null`.execute(db)
  return rows[0]?.minutes ?? 0
}
