/** Holding a cancelled meeting on another day: told what stands against it before anything is saved, with who. */
import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem } from '#kit/server/base/errors.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import type { Ref } from '#kit/contract/index.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { holdCounting, settleAbsences } from '../absences/shares.server.ts'
import { attendanceCalls as calls } from '../attendance.calls.contract.ts'
import { checkMakeUp, insistedReasons, mayBeWanted } from './make-up.rules.ts'
import type { OtherEvent, MakeUpFacts } from './make-up.rules.ts'
import { comes, holdOccurrence, readMeeting } from './meeting.server.ts'
import { concerned } from './sheet.server.ts'

/** Where a meeting would be held instead. */
interface Wanted {
  readonly id: number
  readonly date: string
  readonly on: string
  readonly slot_id: number | null
  readonly location_id: number | null
}
type Found = OtherEvent & { who: number[] }

const TAKES = ['take_attendance'] as const
/** How many students who are in the way are named. */
const NAMED = 10

/** In SQL: whether two periods share a minute, in either time. */
const MEET = sql.raw(`(q.start_time < p.end_time and p.start_time < q.end_time
  or q.ramadan_start_time < p.ramadan_end_time and p.ramadan_start_time < q.ramadan_end_time)`)
/** In SQL: the time of an exam `x.during` and the period `p`. */
const EXAM_MEETS = sql.raw(`(x.during && tsrange(x.on_date + p.start_time, x.on_date + p.end_time)
  or x.during && tsrange(x.on_date + p.ramadan_start_time, x.on_date + p.ramadan_end_time))`)
/** In SQL: students who come to a meeting. */
const comingTo = (
  id: number,
) => sql`select r.student_id from registration_slots rs join registrations r on r.id = rs.registration_id
  where rs.offering_slot_id = ${id} and ${comes('r')}`

/** What is known of the meeting, the day and the room, and what else is held there and then. */
async function factsOf(
  ctx: Ctx,
  db: Db | Tx,
  { id, date, on, slot_id, location_id }: Wanted,
): Promise<{ facts: MakeUpFacts; who: Found[] }> {
  const meeting = await readMeeting(ctx, db, id, date, TAKES)
  const { rows } = await sql<{
    term: MakeUpFacts['term']
    no_teaching: boolean
    exam_week: MakeUpFacts['exam_week']
    seats: number
    room: MakeUpFacts['room']
    period: boolean
    beside: Found[] | null
  }>`
    with coming as materialized (${comingTo(id)}), p as materialized (select * from slots where id = ${slot_id}::int and removed_at is null),
    found as (
      select oc.code || ' (' || f.code || ')' as name, coalesce(h.location_id = ${location_id}::int, false) as room,
        array(select si.instructor_id from offering_slot_instructors si where si.offering_slot_id = h.meeting_id) as teaches,
        array(select rs.student_id from (${sql`select r.student_id from registration_slots rs join registrations r on r.id = rs.registration_id
          where rs.offering_slot_id = h.meeting_id and ${comes('r')}`}) rs where rs.student_id in (select student_id from coming) limit 2000) as who
      from held_beside(${id}, ${on}::date, ${location_id}::int) h join slots q on q.id = h.slot_id cross join p
        join offering_slots s on s.id = h.meeting_id join offerings f on f.id = s.offering_id join courses oc on oc.id = f.course_id
      where ${MEET}
      union all
      -- Exams of these students, and those that are sat in the room.
      select oc.code, exists (select from exam_schedule_locations l where l.exam_schedule_id = x.id and l.location_id = ${location_id}::int),
        array(select i.instructor_id from exam_schedule_instructors i where i.exam_schedule_id = x.id),
        array(select r.student_id from registrations r where r.offering_id = x.offering_id and sits_exam(r.status)
          and r.student_id in (select student_id from coming) limit 2000)
      from exam_schedules x join exams e on e.id = x.exam_id and e.status = 'published' join offerings f on f.id = x.offering_id
        join courses oc on oc.id = f.course_id cross join p
      where x.on_date = ${on}::date and x.removed_at is null and x.during is not null and ${EXAM_MEETS})
    select json_build_object('start', t.start_date, 'end', t.end_date) as term,
      exists (select from days_without_teaching(o.faculty_id, ${on}::date, ${on}::date)) as no_teaching,
      (select json_build_object('from', min(w.start_date), 'to', max(w.end_date)) from exam_weeks w where w.removed_at is null and w.term_id = o.term_id
        and ${on}::date between w.start_date and w.end_date and (w.faculty_id is null or w.faculty_id = o.faculty_id)
        and (w.level is null or w.level = o.level) having count(*) > 0) as exam_week,
      (select count(*)::int from coming) as seats, exists (select from p) as period,
      (select json_build_object('name', l.name, 'name_local', l.name_local, 'capacity', l.capacity, 'online', l.location_type = 'online')
        from locations l where l.id = ${location_id}::int and l.removed_at is null) as room,
      (select json_agg(json_build_object('name', g.name, 'room', g.room, 'who', g.who, 'students', cardinality(g.who), 'instructors',
          (select coalesce(json_agg(json_build_object('name', i.name, 'name_local', i.name_local)), '[]') from instructors i
            where i.id = any (g.teaches) and i.id in (select si.instructor_id from offering_slot_instructors si where si.offering_slot_id = m.id))))
        from found g) as beside
    from offering_slots m join offerings o on o.id = m.offering_id join terms t on t.id = o.term_id where m.id = ${id}`.execute(
    db,
  )
  const row = firstRow(rows)
  if (slot_id !== null && !row.period) throw refuse(404, 'not_found', undefined, 'slot_id')
  if (location_id !== null && !row.room) throw refuse(404, 'not_found', undefined, 'location_id')
  const who = row.beside ?? []
  const { cancelled, dates, known, today, submitted, made_up, makes_up } = meeting
  return {
    who,
    facts: {
      cancelled,
      dates,
      known,
      today,
      submitted,
      made_up,
      date,
      on,
      is_make_up: makes_up !== null,
      term: row.term,
      no_teaching: row.no_teaching,
      exam_week: row.exam_week,
      seats: row.seats,
      room: row.room,
      beside: who,
    },
  }
}

/** The students in the way whom the reader may see. */
async function named(ctx: Ctx, ids: readonly number[]): Promise<Ref[]> {
  if (!ids.length) return []
  const { rows } = await sql<{
    one: Ref
  }>`select ${ref('t')} as one from students t where t.id = any(${[...ids]}::int[])
    and ${scopeCondition(ctx, ['access_students', 'show_students', ...TAKES], studentReach(ctx))} order by t.code limit ${NAMED}`.execute(
    ctx.db,
  )
  return rows.map((row) => row.one)
}

async function preview(ctx: Ctx, wanted: Wanted) {
  const { facts, who } = await factsOf(ctx, ctx.db, wanted)
  const { rows } = await sql<{
    periods: { id: number; name: string; name_local: string; start: string; end: string }[]
    rooms: (Ref & { capacity: number; taken: string | null })[]
  }>`
    with m as (select * from offering_slots where id = ${wanted.id}),
    p as materialized (select * from slots where id = ${wanted.slot_id}::int),
    -- One pass over what is held that day, whatever the room.
    busy as materialized (
      select b.location_id, min(b.name) as name from (
        select h.location_id, oc.code as name from offering_slots s join m on s.term_id = m.term_id join offerings f on f.id = s.offering_id and f.removed_at is null
          join courses oc on oc.id = f.course_id cross join meeting_places(s.id) h join slots q on q.id = h.slot_id cross join p
          where s.day is not null and h.location_id is not null and h.day = week_place(${wanted.on}::date)
            and ${wanted.on}::date between h.from_date and h.until_date and ${MEET}
            and not exists (select from days_without_meetings(s.offering_id, ${wanted.on}::date, ${wanted.on}::date))
            and not exists (select from meeting_occurrences x where x.offering_slot_id = s.id and x.date = ${wanted.on}::date and x.cancelled_at is not null)
        union all
        select x.location_id, oc.code from meeting_occurrences x join offerings f on f.id = x.offering_id join courses oc on oc.id = f.course_id
          join slots q on q.id = x.slot_id cross join p
          where x.date = ${wanted.on}::date and x.makes_up_id is not null and x.cancelled_at is null and ${MEET}
        union all
        select l.location_id, oc.code from exam_schedule_locations l join exam_schedules x on x.id = l.exam_schedule_id
          join offerings f on f.id = x.offering_id join courses oc on oc.id = f.course_id cross join p
          where x.on_date = ${wanted.on}::date and x.removed_at is null and x.during is not null and ${EXAM_MEETS}) b
      where b.location_id is not null group by 1)
    select
      coalesce((select json_agg(json_build_object('id', x.id, 'name', x.name, 'name_local', x.name_local,
          'start', to_char(case when rs.is_ramadan then x.ramadan_start_time else x.start_time end, 'HH24:MI'),
          'end', to_char(case when rs.is_ramadan then x.ramadan_end_time else x.end_time end, 'HH24:MI')) order by x.start_time, x.id)
        from slots x left join ramadan_status rs on rs.kind = 'slots' where x.removed_at is null), '[]') as periods,
      coalesce((select json_agg(${ref('l')}::jsonb || jsonb_build_object('capacity', l.capacity, 'taken', b.name)
          order by b.name is not null, l.id = m.location_id desc, l.code)
        from m cross join locations l left join busy b on b.location_id = l.id and l.location_type <> 'online'
        where l.removed_at is null), '[]') as rooms`.execute(ctx.db)
  const problems = checkMakeUp(facts)
  const told = await concerned(ctx.db, wanted.id)
  return {
    data: {
      ...firstRow(rows),
      problems: await Promise.all(
        problems.map(async (reason) => ({
          ...toProblem(reason),
          who:
            reason.code === 'make_up_students_busy'
              ? await named(ctx, who.find((one) => one.name === reason.data?.['by'])?.who ?? [])
              : [],
        })),
      ),
      may_insist: mayBeWanted(problems),
      told: told.filter(({ user_id }) => user_id !== null && user_id !== ctx.actor?.user_id).length,
    },
  }
}

/** Holds a cancelled meeting on another day. @throws {Refusal} 409 with everything that stands against it */
function makeUp(ctx: Ctx, wanted: Wanted & { slot_id: number }, insist: boolean, reason: string | null) {
  return ctx.write(
    async (tx) => {
      const { offering } = await readMeeting(ctx, tx, wanted.id, wanted.date, TAKES)
      // One at a time of a day: no room and nobody is given away twice in one moment.
      await sql`select pg_advisory_xact_lock(hashtextextended('make-up', ${wanted.on}::date - date '2000-01-01'))`.execute(
        tx,
      )
      await holdCounting(tx, offering.id)
      const { facts } = await factsOf(ctx, tx, wanted)
      const problems = checkMakeUp(facts)
      const left = insist ? insistedReasons(problems) : problems
      if (left.length) throw new Refusal(409, left)
      if (insist && problems.length && !reason?.trim()) throw refuse(422, 'required', undefined, 'reason')
      const of = await holdOccurrence(tx, wanted.id, wanted.date)
      // A make-up of that day that was given up before is taken up again.
      const { rows } = await sql<{ id: number }>`
        insert into meeting_occurrences as x (offering_id, offering_slot_id, date, makes_up_id, slot_id, location_id)
        select m.offering_id, m.id, ${wanted.on}::date, ${of}::int, ${wanted.slot_id}::int, ${wanted.location_id}::int from offering_slots m where m.id = ${wanted.id}
        on conflict (offering_slot_id, date) do update set makes_up_id = excluded.makes_up_id, slot_id = excluded.slot_id,
          location_id = excluded.location_id, cancelled_at = null, cancelled_reason = null
        where x.makes_up_id is not null and x.cancelled_at is not null returning id`.execute(tx)
      if (!rows.length) throw refuse(409, 'make_up_same_day', { date: wanted.on })
      const people = await concerned(tx, wanted.id)
      const users = people.flatMap(({ user_id }) =>
        user_id === null || user_id === ctx.actor?.user_id ? [] : [user_id],
      )
      const at = await readMeeting(ctx, tx, wanted.id, wanted.on, TAKES)
      await notify(tx, users, {
        key: 'attendance.notice_made_up',
        data: {
          course: offering.course.name,
          course_local: offering.course.name_local,
          date: wanted.date,
          on: wanted.on,
          time: at.meeting.start ?? '',
          place: at.meeting.location?.name ?? '–',
          place_local: at.meeting.location?.name_local ?? '–',
        },
        link: '/offerings/my_schedule',
        records: people.flatMap((person) => person.student_id ?? []),
      })
      await settleAbsences(
        ctx,
        tx,
        offering.id,
        people.flatMap((person) => person.student_id ?? []),
      )
      await ctx.services.events.publish('all', { type: 'timetable', data: { meetings: [wanted.id] } }, tx)
      return { data: { told: users.length } }
    },
    reason ? { reason } : {},
  )
}

/** Handlers of meetings that are made up. */
export const makeUpHandlers: readonly Handled[] = [
  handle(calls.makeUpPreview, (ctx, { params, body: { on, slot_id = null, location_id = null } }) =>
    preview(ctx, { ...params, on, slot_id, location_id }),
  ),
  handle(calls.makeUp, (ctx, { params, body: { on, slot_id, location_id = null, insist, reason = null } }) =>
    makeUp(ctx, { ...params, on, slot_id, location_id }, insist, reason),
  ),
]
