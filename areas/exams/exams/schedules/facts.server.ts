/** What the rules of a schedule look at: other exams of its students, free seats, what invigilators have to do. */
import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import type { BusyInvigilator, Closed, Filling, BusyMeeting, Taught } from './clash.rules.ts'

/** When something would be held. */
export interface At {
  readonly on_date: string
  readonly exam_slot_id: number
  readonly duration: number | null
}
/** Of how many students the names are told. */
const NAMED = 10
export const time = ({ on_date, exam_slot_id, duration }: At) =>
  sql`exam_time(${on_date}::date, ${exam_slot_id}::int, ${duration}::int)`

/** Other exams that students of an offering have on the day. `but`: schedules that are not looked at. */
export async function busyMeetingsAt(
  ctx: Ctx,
  db: Db | Tx,
  offering_id: number,
  at: At,
  but: readonly number[],
): Promise<BusyMeeting[]> {
  const { rows } = await sql<BusyMeeting>`
    with shared as materialized (
      select s.id, r.student_id, s.during && ${time(at)} as same_time
      from registrations r
        join registrations q on q.student_id = r.student_id and q.term_id = r.term_id and q.offering_id <> r.offering_id and sits_exam(q.status)
        join exam_schedules s on s.offering_id = q.offering_id and s.removed_at is null and s.on_date = ${at.on_date}::date
      where r.offering_id = ${offering_id} and sits_exam(r.status) and s.id <> all(${but}::int[]))
    select c.code || ' (' || o.code || ')' as course, b.same_time, count(*)::int as count,
      coalesce((array_agg(n.code || ' ' || n.name order by n.code) filter (where n.id is not null))[1:${NAMED}], '{}') as students,
      coalesce((array_agg(n.code || ' ' || n.name_local order by n.code) filter (where n.id is not null))[1:${NAMED}], '{}') as students_local
    from shared b join exam_schedules s on s.id = b.id join offerings o on o.id = s.offering_id join courses c on c.id = o.course_id
      left join lateral (select t.id, t.code, t.name, t.name_local from students t where t.id = b.student_id
        and ${scopeCondition(ctx, ['access_students', 'show_students'], studentReach(ctx))}) n on true
    group by s.id, c.code, o.code, b.same_time order by b.same_time desc, count(*) desc, 1`.execute(db)
  return rows
}

/** How full halls are then, and how many more would sit there. */
export async function fillingsAt(
  db: Db | Tx,
  exam_id: number,
  at: At,
  halls: readonly { location_id: number; seats: number }[],
  but: readonly number[],
): Promise<Filling[]> {
  const { rows } = await sql<Filling>`
    select l.name as hall, l.name_local as hall_local, least(h.seats, case when l.location_type = 'online' then h.seats else l.capacity end) as seats,
      coalesce((select sum(x.seats)::int from exam_schedule_locations x where x.location_id = l.id and x.during && ${time(at)}
        and x.exam_schedule_id <> all(${but}::int[])), 0) as taken, w.seats as wanted
    from jsonb_to_recordset(${JSON.stringify(halls)}::jsonb) as w (location_id int, seats int)
      join locations l on l.id = w.location_id join exam_halls h on h.exam_id = ${exam_id} and h.location_id = l.id
    order by l.code`.execute(db)
  return rows
}

/** Invigilators who have an exam of their own course then, teach, or are not available. */
export async function busyAt(
  db: Db | Tx,
  exam_id: number,
  offering_id: number,
  at: At,
  people: readonly number[],
): Promise<BusyInvigilator[]> {
  const { rows } = await sql<BusyInvigilator>`
    with taught as materialized (select * from meetings_at(${time(at)}))
    select distinct i.id, i.name as instructor, i.name_local as instructor_local, x.by, x.course
    from instructors i cross join lateral (
      select 'own_exam' as by, c.code || ' (' || o.code || ')' as course
        from offering_instructors t join offerings o on o.id = t.offering_id join courses c on c.id = o.course_id
          join exam_schedules s on s.offering_id = o.id and s.removed_at is null and s.during && ${time(at)}
        where t.instructor_id = i.id and o.id <> ${offering_id}
      union all
      select 'teaching', c.code || ' (' || o.code || ')'
        from taught m join offering_slot_instructors t on t.offering_slot_id = m.meeting_id and t.instructor_id = i.id
          join offerings o on o.id = m.offering_id join courses c on c.id = o.course_id
      union all
      select 'away', '' from exam_closures k where k.exam_id = ${exam_id} and k.instructor_id = i.id and (k.on_date is null or k.on_date = ${at.on_date}::date)
        and (k.exam_slot_id is null or k.exam_slot_id = ${at.exam_slot_id})
    ) x where i.id = any(${people}::int[]) order by 2, 4, 5`.execute(db)
  return rows
}

/** Meetings that are held then to students of an offering. What is cancelled on that day, or lies in an exam week, is not held. */
export async function taughtAt(ctx: Ctx, db: Db | Tx, offering_id: number, at: At): Promise<Taught[]> {
  const { rows } = await sql<Taught>`
    with shared as materialized (
      select distinct m.meeting_id, m.offering_id, q.student_id from meetings_at(${time(at)}) m
        join registration_slots rs on rs.offering_slot_id = m.meeting_id join registrations q on q.id = rs.registration_id and sits_exam(q.status)
        join registrations r on r.student_id = q.student_id and r.offering_id = ${offering_id} and sits_exam(r.status))
    select c.code || ' (' || o.code || ')' as course, count(distinct b.student_id)::int as count,
      to_char(lower(meeting_time(${at.on_date}::date, w.slot_id)), 'HH24:MI') as starts,
      coalesce((array_agg(distinct n.code || ' ' || n.name) filter (where n.id is not null))[1:${NAMED}], '{}') as students,
      coalesce((array_agg(distinct n.code || ' ' || n.name_local) filter (where n.id is not null))[1:${NAMED}], '{}') as students_local
    from shared b join offering_slots w on w.id = b.meeting_id join offerings o on o.id = b.offering_id join courses c on c.id = o.course_id
      left join lateral (select t.id, t.code, t.name, t.name_local from students t where t.id = b.student_id
        and ${scopeCondition(ctx, ['access_students', 'show_students'], studentReach(ctx))}) n on true
    group by b.meeting_id, w.slot_id, c.code, o.code order by count(*) desc, 1`.execute(db)
  return rows
}

/** Of some halls, those that are not to be had then: closed, or it is taught there. */
export async function closedAt(
  db: Db | Tx,
  exam_id: number,
  { on_date, exam_slot_id }: At,
  halls: readonly number[],
): Promise<Closed[]> {
  if (!halls.length) return []
  const { rows } =
    await sql<Closed>`select l.name as hall, l.name_local as hall_local, x.course, x.by, x.by_local from locations l
    cross join lateral (
      select null as course, '' as by, '' as by_local from exam_closures k where k.exam_id = ${exam_id} and k.location_id = l.id
        and (k.on_date is null or k.on_date = ${on_date}::date) and (k.exam_slot_id is null or k.exam_slot_id = ${exam_slot_id})
      union
      select c.code || ' (' || o.code || ')', coalesce(string_agg(i.name, ', ' order by i.name), '–'), coalesce(string_agg(i.name_local, '، ' order by i.name), '–')
      from meetings_at(exam_time(${on_date}::date, ${exam_slot_id}::int, null)) m
        join offerings o on o.id = m.offering_id join courses c on c.id = o.course_id
        left join offering_slot_instructors t on t.offering_slot_id = m.meeting_id left join instructors i on i.id = t.instructor_id
      where m.location_id = l.id and l.location_type <> 'online' group by m.meeting_id, c.code, o.code) x
    where l.id = any(${halls}::int[]) order by l.code, x.course nulls first`.execute(db)
  return rows
}

/** Of some people, those who invigilate elsewhere then. */
export async function elsewhereAt(
  db: Db | Tx,
  at: At,
  people: readonly number[],
  but: readonly number[],
  /** Minutes for which the last of the students write longer. */
  extra = 0,
): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`select distinct v.instructor_id as id from exam_schedule_instructors v
      cross join (select ${time(at)} as held) h
    where v.instructor_id = any(${people}::int[]) and v.during && tsrange(lower(h.held), upper(h.held) + make_interval(mins => ${extra}::int)) and v.exam_schedule_id <> all(${but}::int[])`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}

/** The exam and slot of a schedule as the rules need them. */
export interface Frame {
  readonly status: string
  readonly same_part: boolean
  readonly minutes: number | null
  readonly closed: boolean
}
export async function frameOf(
  tx: Db | Tx,
  exam_id: number,
  offering_id: number,
  on_date: string | null,
  exam_slot_id: number | null,
): Promise<Frame | undefined> {
  const { rows } = await sql<Frame>`
    select e.status, o.term_id = e.term_id and (e.faculty_id is null or o.faculty_id is null or o.faculty_id = e.faculty_id) as same_part,
      (select extract(epoch from upper(t) - lower(t))::int / 60 from exam_time(${on_date}::date, ${exam_slot_id}::int, null) t) as minutes,
      exists (select from exam_closures k where k.exam_id = e.id and k.on_date = ${on_date}::date
        and (k.exam_slot_id is null or k.exam_slot_id = ${exam_slot_id}::int) and k.location_id is null and k.instructor_id is null) as closed
    from exams e join offerings o on o.id = ${offering_id} and o.removed_at is null
    where e.id = ${exam_id} and e.removed_at is null`.execute(tx)
  return rows[0]
}
