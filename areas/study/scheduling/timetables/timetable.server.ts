import { firstRow } from '#db/rows.ts'
import type { Absent } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { RawBuilder } from 'kysely'
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, FileResult, Handled } from '#kit/server/base/context.ts'
import { meetingType } from '#kit/contract/week.ts'
import type { MeetingType } from '#kit/contract/week.ts'
import { inLanguage } from '#kit/contract/index.ts'
import type { Ref } from '#kit/contract/index.ts'
import { offeringReach, taughtBy } from '#areas/common/academics/offering-reach.server.ts'
import { instructors } from '#areas/people/people/instructors/instructor.server.ts'
import { loadMask } from '#areas/common/academics/status.rules.ts'
import { opensTo, shownLevel } from '#areas/common/academics/window-reach.server.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { nameIn } from '#kit/server/base/fields.ts'
import { etagOf, writeCalendar } from '#kit/server/calendar/ical.ts'
import { readOptions } from '#kit/server/resource/options.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref, refPairs } from '#kit/server/base/sql.ts'
import { calendarDayJson, concerning } from '../calendars/calendar.server.ts'
import type { CalendarOf } from '../calendars/calendar.server.ts'
import type { CalendarDay } from '../calendars/calendar.contract.ts'
import { examWeekDays, weeksOf } from '../exam-weeks/exam-week.server.ts'
import { examEvent, meetingEvents, spanEvent } from '../feeds/events.server.ts'
import { officeHoursJson } from '../office-hours/office-hour.server.ts'
import type { ShownHour } from '../office-hours/office-hour.contract.ts'
import { examsJson } from './exams.server.ts'
import type { ShownExam } from './exams.contract.ts'
import { scheduleStage, timetableCalls } from './timetable.contract.ts'
import type { MeetingPlace, TimetableType } from './timetable.contract.ts'

/** Columns of a named record. */
const named = (alias: string, as: string): string =>
  `${alias}.id as ${as}_id, ${alias}.name as ${as}_name, ${alias}.name_local as ${as}_name_local, ${alias}.code as ${as}_code`

interface Kind {
  /** Where the name of the owner stands. */
  readonly of: string
  /** Which owners the reader may see, the row being `t`; `university`: all, to everybody who sees timetables. */
  readonly reach: 'university' | ((ctx: Ctx) => RawBuilder<unknown>)
  /** The meetings of all owners within reach. */
  all(ctx: Ctx): RawBuilder<unknown>
  /** Meetings (`s`, of the offering `o`) of one owner. */
  meetings(id: number, ctx: Ctx): RawBuilder<unknown>
  /** Of where its meetings are held (`h`), what concerns it; absent: all. */
  held?(id: number): RawBuilder<unknown>
  /** Stages (`x`, of the kind `k`, for the group `g`) that concern one owner; absent: none does. */
  stages?(id: number): RawBuilder<unknown>
  /** SQL of the instructors whose office hours stand beside it; absent: nobody's. */
  hours?(id: number): RawBuilder<unknown>
  /** SQL of the faculties by whose calendar one owner goes. */
  faculties(id: number): RawBuilder<unknown>
  /** SQL of the offerings by whose exam weeks one owner goes. */
  offerings(id: number): RawBuilder<unknown>
}
/** What is open to students, in their own words; mark entry and control are not theirs. */
const STAGES_OF_STUDENTS = ['register', 'add_drop', 'withdraw', 'excuse', 'questionnaire', 'exam', 'results', 'recheck']
/** What who teaches plans by: until when the list of students changes, and when marks are due. */
const STAGES_OF_TEACHING = ['add_drop', 'grade_entry', 'exam', 'results', 'recheck']
/** Offerings whose timetable the reader sees. */
const offeringsSeen = (ctx: Ctx, alias: string) => scopeCondition(ctx, 'access_schedule', offeringReach(ctx, alias))
const instructorsSeen = (ctx: Ctx) => instructors.scope(ctx, 'access_schedule')
const studentsSeen = (ctx: Ctx) => scopeCondition(ctx, ['access_students', 'show_students'], studentReach(ctx))
const KINDS: Record<TimetableType, Kind> = {
  offering: {
    of: `select t.id, c.name, c.name_local, c.code || ' ' || t.code as code from offerings t join courses c on c.id = t.course_id`,
    reach: (ctx) => offeringsSeen(ctx, 't'),
    all: (ctx) => offeringsSeen(ctx, 'o'),
    // A linked offering meets with the one it is linked to.
    faculties: (id) => sql`select faculty_id from offerings where id = ${id}`,
    offerings: (id) => sql`select coalesce(linked_offering_id, id) from offerings where id = ${id}`,
    meetings: (id) => sql`s.offering_id = (select coalesce(linked_offering_id, id) from offerings where id = ${id})`,
  },
  // A course belongs to the whole catalogue; where it is taught is shown as far as the reader sees offerings.
  course: {
    of: 'select id, name, name_local, code from courses t',
    reach: 'university',
    all: (ctx) => offeringsSeen(ctx, 'o'),
    faculties: (id) => sql`select faculty_id from courses where id = ${id}`,
    offerings: (id) => sql`select id from offerings where course_id = ${id}`,
    meetings: (id, ctx) => sql`o.course_id = ${id} and ${offeringsSeen(ctx, 'o')}`,
  },
  instructor: {
    of: 'select id, name, name_local, code from instructors t',
    reach: instructorsSeen,
    all: (ctx) => sql`exists (select from offering_slot_instructors i join instructors t on t.id = i.instructor_id
      where i.offering_slot_id = s.id and ${instructorsSeen(ctx)})`,
    faculties: (id) => sql`select faculty_id from instructors where id = ${id}`,
    offerings: (
      id,
    ) => sql`select xs.offering_id from offering_slot_instructors xi join offering_slots xs on xs.id = xi.offering_slot_id
      where xi.instructor_id = ${id}`,
    hours: (id) => sql`select ${id}::integer`,
    meetings: (id) =>
      sql`exists (select from offering_slot_instructors i where i.offering_slot_id = s.id and i.instructor_id = ${id})`,
    // Mark entry is set for all or for the faculty of an offering (see grading); others for who is not bound more closely.
    stages: (id) => sql`k.code = any(${STAGES_OF_TEACHING}::text[]) and (g.id is null or (
      (k.code = 'grade_entry' or (g.removed_at is null and num_nonnulls(g.bylaw_id, g.program_id, g.level) = 0))
      and (g.faculty_id is null or g.faculty_id in (
        select o.faculty_id from offerings o where o.term_id = (select id from term) and o.removed_at is null and ${taughtBy(id, 'o')}))))`,
  },
  student: {
    of: 'select id, name, name_local, code from students t',
    // The week of a student is for those who may see the student, as everywhere.
    reach: studentsSeen,
    all: (ctx) => sql`exists (select from registration_slots rs join registrations r on r.id = rs.registration_id
        join students t on t.id = r.student_id
      where rs.offering_slot_id = s.id and r.status & ${String(loadMask)}::bigint <> 0 and ${studentsSeen(ctx)})`,
    faculties: (id) => sql`select faculty_id from students where id = ${id}`,
    offerings: (
      id,
    ) => sql`select coalesce(xo.linked_offering_id, xo.id) from registrations xr join offerings xo on xo.id = xr.offering_id
      where xr.student_id = ${id} and xr.term_id = (select id from term) and xr.status & ${String(loadMask)}::bigint <> 0`,
    // Of who teaches the courses that are taken.
    hours: (id) => sql`select oi.instructor_id from registrations r join offerings o on o.id = r.offering_id
        join offering_instructors oi on oi.offering_id in (o.id, o.linked_offering_id)
      where r.student_id = ${id} and r.term_id = (select id from term) and r.status & ${String(loadMask)}::bigint <> 0
      union select si.instructor_id from registrations r join registration_slots rs on rs.registration_id = r.id
        join offering_slot_instructors si on si.offering_slot_id = rs.offering_slot_id
      where r.student_id = ${id} and r.term_id = (select id from term) and r.status & ${String(loadMask)}::bigint <> 0`,
    // Who has withdrawn keeps the seat, and does not come any more.
    meetings: (id) => sql`s.id = any(array(select rs.offering_slot_id from registrations r
      join registration_slots rs on rs.registration_id = r.id
      where r.student_id = ${id} and r.term_id = (select id from term) and r.status & ${String(loadMask)}::bigint <> 0))`,
    stages: (id) => sql`k.code = any(${STAGES_OF_STUDENTS}::text[]) and exists (select from students st
      where st.id = ${id} and ${opensTo({ student: 'st', window: 'x', group: 'g', level: shownLevel('st') })})`,
  },
  // Rooms are shared: who looks for a free hour must see it taken, whoever took it.
  location: {
    of: 'select id, name, name_local, code from locations t',
    reach: 'university',
    all: () => sql`s.location_id is not null`,
    faculties: () => sql`select null::integer`,
    offerings: (id) => sql`select xs.offering_id from offering_slots xs where xs.location_id = ${id}`,
    // What was, or is on a day, held in it comes beside what is in it every week.
    meetings: (id) => sql`(s.location_id = ${id}
      or s.id in (select v.meeting_id from meeting_moves v where v.location_id = ${id})
      or s.id in (select c.offering_slot_id from meeting_occurrences c
        where c.location_id = ${id} and c.makes_up_id is not null and c.cancelled_at is null))`,
    held: (id) => sql`h.location_id = ${id}`,
  },
}

/** The one row to which all meetings stand, where the week is nobody's in particular. */
const NOBODY = sql`select null::integer as id, null::text as name, null::text as name_local, null::text as code`

/** Whose timetable is the reader's own, without naming anybody; null: the reader has none of this kind. */
const ownOf = (ctx: Ctx, type: TimetableType): number | null =>
  (type === 'student' ? ctx.actor?.student_id : type === 'instructor' ? ctx.actor?.instructor_id : null) ?? null
function ownId(ctx: Ctx, type: TimetableType): number {
  const id = ownOf(ctx, type)
  if (id === null) throw refuse(404, 'not_found')
  return id
}

/** Everybody sees the own week; the weeks of others need the right to see timetables, and `reach`. */
function mayRead(ctx: Ctx, type: TimetableType, id: number): boolean {
  return ctx.can('access_schedule') || isOwn(ctx, type, id)
}
const isOwn = (ctx: Ctx, type: TimetableType, id: number): boolean =>
  (type === 'student' && ctx.actor?.student_id === id) || (type === 'instructor' && ctx.actor?.instructor_id === id)

/** A named record that may be missing, among the columns of a row. */
type Named<As extends string> = Record<`${As}_id`, number> &
  Record<`${As}_name` | `${As}_name_local` | `${As}_code`, string>
/** The term; there may be none. */
type Days = Named<'term'> & { start_date: string; end_date: string }
/** What is told once, and stands in each row. */
type Whole = (Named<'owner'> | Absent<Named<'owner'>>) &
  (Days | Absent<Days>) & {
    stages: z.output<typeof scheduleStage>[]
    is_ramadan: boolean
    days: CalendarDay[]
    office_hours: ShownHour[]
    exams: ShownExam[]
  }
type Meeting = Named<'course'> & {
  id: number
  version: number
  offering_id: number
  type: MeetingType
  group: number
  quota: number
  taken: number
  instructors: Ref[] | null
  places: MeetingPlace[] | null
}
/** When it is, once it has a place in the week. */
type Time = Named<'slot'> & {
  day: number
  start_time: string
  end_time: string
  ramadan_start_time: string
  ramadan_end_time: string
}
/** Somebody may have no meeting at all, a meeting no time, a time no hall. */
type Line = Whole &
  ((Meeting & (Time | (Absent<Omit<Time, 'day'>> & { day: number | null }))) | (Absent<Meeting> & Absent<Time>)) &
  (Named<'location'> | Absent<Named<'location'>>)
const minutes = (time: string): string => time.slice(0, 5)

/** By whose calendar an owner goes. */
const calendarOf = (type: TimetableType, id: number | null): CalendarOf => ({
  faculties: id === null ? sql`select null::integer` : KINDS[type].faculties(id),
  studies: type === 'student',
  works: type === 'instructor',
})

const clock = (column: string) => `to_char(${column}, 'HH24:MI')`
/** Where a meeting `s` of the offering `o` is held from when to when, and on which days of these it is not: no lectures, or cancelled. */
const PLACES =
  sql.raw(`(select json_agg(json_build_object('current', h.place is null, 'day', h.day, 'from', h.from_date, 'to', h.until_date,
    'regular_time', json_build_object('from', ${clock('q.start_time')}, 'to', ${clock('q.end_time')}),
    'ramadan_time', json_build_object('from', ${clock('q.ramadan_start_time')}, 'to', ${clock('q.ramadan_end_time')}),
    'location', case when y.id is not null then json_build_object(${refPairs('y')}) end,
    'except', (select coalesce(json_agg(x.d order by x.d), '[]') from (
      select d from days_without_meetings(o.id, h.from_date, h.until_date) d where week_place(d) = h.day
      union select c.date from meeting_occurrences c where c.offering_slot_id = s.id and c.cancelled_at is not null
        and c.date between h.from_date and h.until_date) x),
    'instead_of', h.instead_of) order by h.from_date, h.instead_of nulls first)
  from (select place, day, slot_id, location_id, from_date, until_date, null::date as instead_of from meeting_places(s.id)
    union all select c.id, week_place(c.date), c.slot_id, c.location_id, c.date, c.date, m.date
      from meeting_occurrences c join meeting_occurrences m on m.id = c.makes_up_id
      where c.offering_slot_id = s.id and c.cancelled_at is null) h join slots q on q.id = h.slot_id left join locations y on y.id = h.location_id`)

/** A week in one round trip. Without a term: the current one. */
async function readTimetable(ctx: Ctx, type: TimetableType, id: number, term_id: number | undefined) {
  if (!mayRead(ctx, type, id)) throw refuse(404, 'not_found')
  const { reach } = KINDS[type]
  return await readWeek(
    ctx,
    type,
    id,
    term_id,
    reach === 'university' || isOwn(ctx, type, id) ? {} : { limit: sql` where ${reach(ctx)}` },
  )
}

/** The same for who is known to see it; `limit` is the reach of who is not; `cancelled`: with exams that were taken back; `own`: for the person whose week it is. */
export async function readWeek(
  ctx: Ctx,
  type: TimetableType,
  /** null: of all within reach. */
  id: number | null,
  term_id: number | undefined,
  {
    limit = sql``,
    cancelled = false,
    own = id !== null && isOwn(ctx, type, id),
  }: { limit?: RawBuilder<unknown>; cancelled?: boolean; own?: boolean } = {},
) {
  const kind = KINDS[type]
  const { of, meetings } = kind
  // What is told of one owner.
  const { held, stages, hours } = id === null ? {} : kind
  const { rows } = await sql<Line>`
    with term as (
      select t.id, t.name, t.name_local, t.code, t.start_date, t.end_date from terms t
      where t.id = coalesce(${term_id ?? null}::integer, ${
        type === 'offering' && id !== null ? sql`(select term_id from offerings where id = ${id})` : currentTermId()
      })
    )
    select ${sql.raw(named('w', 'owner'))}, ${sql.raw(named('t', 'term'))}, t.start_date, t.end_date, meeting.*,
      ${
        stages
          ? sql`(select coalesce(json_agg(json_build_object('id', x.id, 'kind', k.code, 'name', k.name, 'name_local', k.name_local,
              'starts_at', to_char(x.starts_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'ends_at', to_char(x.ends_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
              order by x.starts_at, x.ends_at, x.id), '[]')
            from stage_windows x join stage_codes k on k.id = x.stage_code_id left join stage_groups g on g.id = x.stage_group_id
            where x.term_id = (select id from term) and x.removed_at is null
              and ${type === 'student' ? sql`true` : sql`x.exception_id is null`} and ${stages(id!)})`
          : sql`'[]'::json`
      } as stages,
      (select coalesce(json_agg(x.day order by x.start_date, x.end_date, x.id), '[]') from (
        select ${calendarDayJson} as day, e.start_date, e.end_date, e.id from calendar_events e
          where e.start_date <= t.end_date and e.end_date >= t.start_date and ${concerning(calendarOf(type, id))}
        union all ${examWeekDays(
          sql`t.start_date`,
          sql`t.end_date`,
          sql`w.term_id = t.id and ${weeksOf(id === null ? sql`select null::integer` : kind.offerings(id))}`,
        )}) x) as days,
      ${hours ? officeHoursJson(hours(id!)) : sql`'[]'::json`} as office_hours,
      ${id === null ? sql`'[]'::json` : examsJson(type, id, sql`(select id from term)`, cancelled, own)} as exams,
      coalesce((select is_ramadan from ramadan_status where kind = 'slots'), false) as is_ramadan
    from (${id === null ? NOBODY : sql`${sql.raw(of)}${limit}`}) w left join term t on true left join (
      select s.id, s.version, s.offering_id, s.type, s.day, s.quota, s.taken, g.number as "group", p.start_time, p.end_time,
        p.ramadan_start_time, p.ramadan_end_time,
        ${sql.raw(named('c', 'course'))}, ${sql.raw(named('p', 'slot'))}, ${sql.raw(named('l', 'location'))},
        (select json_agg(${ref('i')} order by i.name)
          from offering_slot_instructors si join instructors i on i.id = si.instructor_id where si.offering_slot_id = s.id) as instructors,
        ${PLACES}${held ? sql` where ${held(id!)}` : sql``}) as places
      from offering_slots s join offerings o on o.id = s.offering_id and o.removed_at is null
        join offering_groups g on g.id = s.group_id join courses c on c.id = o.course_id
        left join slots p on p.id = s.slot_id left join locations l on l.id = s.location_id
      where s.term_id = (select id from term) and ${id === null ? kind.all(ctx) : meetings(id, ctx)}
    ) meeting on true
    where ${id === null ? sql`true` : sql`w.id = ${id}`} order by meeting.day, meeting.start_time, meeting.id`.execute(
    ctx.db,
  )
  const [first] = rows
  if (!first) throw refuse(404, 'not_found')
  const data = rows.flatMap((row) => {
    const { id, day, slot_id } = row
    // One without a place in the week is only counted.
    if (id === null || day === null || slot_id === null) return []
    // Nor has one that was never held where the week is of.
    if (held && !row.places?.length) return []
    return {
      id,
      version: row.version,
      offering_id: row.offering_id,
      type: row.type,
      day,
      regular_time: { from: minutes(row.start_time), to: minutes(row.end_time) },
      ramadan_time: { from: minutes(row.ramadan_start_time), to: minutes(row.ramadan_end_time) },
      group: row.group,
      course: {
        id: row.course_id,
        name: row.course_name,
        name_local: row.course_name_local,
        code: row.course_code,
      },
      slot: { id: slot_id, name: row.slot_name, name_local: row.slot_name_local, code: row.slot_code },
      location:
        row.location_id === null
          ? null
          : {
              id: row.location_id,
              name: row.location_name,
              name_local: row.location_name_local,
              code: row.location_code,
            },
      instructors: row.instructors ?? [],
      places: row.places ?? [],
      quota: row.quota,
      taken: row.taken,
    }
  })
  return {
    data,
    meta: {
      count: data.length,
      details: {
        of:
          first.owner_id === null
            ? null
            : {
                id: first.owner_id,
                name: first.owner_name,
                name_local: first.owner_name_local,
                code: first.owner_code,
              },
        term:
          first.term_id === null
            ? null
            : {
                id: first.term_id,
                name: first.term_name,
                name_local: first.term_name_local,
                code: first.term_code,
                start_date: first.start_date,
                end_date: first.end_date,
              },
        stages: first.stages,
        days: first.days,
        office_hours: first.office_hours,
        exams: first.exams,
        is_ramadan: first.is_ramadan,
        unplaced: rows.filter(
          (row) => row.id !== null && row.day === null && (!held || row.location_id === row.owner_id),
        ).length,
      },
    },
  }
}

/** The reader's own week of the current term, as calendars of other programs read it: every meeting from its first to its last day. */
async function ownCalendar(ctx: Ctx, type: TimetableType): Promise<FileResult> {
  const { data, meta } = await readWeek(ctx, type, ownId(ctx, type), undefined, { cancelled: true })
  const { term, is_ramadan, of, days, exams } = meta.details
  const { rows } = await sql<{ zone: string; today: string }>`
    select university_zone() as zone, (now() at time zone university_zone())::date as today`.execute(ctx.db)
  const { zone, today } = firstRow(rows)
  const lang = ctx.lang === 'ar' ? 'ar' : 'en'
  const host = new URL(ctx.services.config.publicUrl).hostname
  const content = writeCalendar({
    name: [of && nameIn(of, lang), term && nameIn(term, lang)].filter(Boolean).join(' · '),
    zone,
    stamp: new Date(`${today}T00:00:00Z`),
    events: [
      ...data.flatMap((one) =>
        meetingEvents(one, { on: is_ramadan, days: days.filter((day) => day.layer === 'ramadan') }, host, {
          summary: `${nameIn(one.course, lang)} · ${inLanguage(meetingType(one.type), lang)}`,
          description: [one.course.code, ...one.instructors.map((person) => nameIn(person, lang))].join('\n'),
          at: (location) => nameIn(location, lang),
        }),
      ),
      ...exams.map((exam) => examEvent(exam, host, lang)),
      ...days
        .filter((day) => day.layer === 'exams')
        .map((day) => spanEvent({ ...day, kind: 'exams' }, host, nameIn(day, lang)!)),
    ],
  })
  ctx.http?.reply.header('etag', etagOf(content))
  return { name: 'timetable.ics', type: 'ics', content }
}

/** Handlers of the weekly timetables. */
export const timetableHandlers: readonly Handled[] = [
  handle(timetableCalls.listOwnEvents, (ctx, { params, body }) => {
    const own = ownOf(ctx, params.type)
    if (own !== null) return readTimetable(ctx, params.type, own, body.term_id)
    // Who has no week of this kind sees those of others: all within reach.
    if (!ctx.can('access_schedule')) throw refuse(404, 'not_found')
    return readWeek(ctx, params.type, null, body.term_id)
  }),
  handle(timetableCalls.listEvents, (ctx, { params, body }) =>
    readTimetable(ctx, params.type, params.id, body.term_id),
  ),
  handle(timetableCalls.ownCalendar, (ctx, { params }) => ownCalendar(ctx, params.type)),
  handle(timetableCalls.timetableLookups, async (ctx, { params, query }) => ({
    data: (await readOptions(ctx, { name: params.q, search: query.search ?? '', limit: 50 })).data,
  })),
]
