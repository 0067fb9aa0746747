import { sql } from 'kysely'
import type { z } from 'zod'
import type { RawBuilder } from 'kysely'
import { currentTermId } from '#areas/academics/current-term.server.ts'
import { handle } from '#kit/server/context.ts'
import type { Ctx, FileResult, Handled } from '#kit/server/context.ts'
import { addDays, weekPlace } from '#kit/contract/day.ts'
import { meetingType } from '#kit/contract/week.ts'
import type { MeetingType } from '#kit/contract/week.ts'
import { inLanguage } from '#kit/contract/index.ts'
import type { Ref } from '#kit/contract/index.ts'
import { offeringReach, taughtBy } from '#areas/academics/offering-reach.server.ts'
import { instructors } from '#areas/people/instructors/instructor.server.ts'
import { loadMask } from '#areas/academics/status.rules.ts'
import { opensTo, shownLevel } from '#areas/academics/window-reach.server.ts'
import { studentReach } from '#areas/academics/student-reach.server.ts'
import { refuse } from '#kit/server/errors.ts'
import { nameIn } from '#kit/server/fields.ts'
import { etagOf, writeCalendar } from '#kit/server/ical.ts'
import { readOptions } from '#kit/server/options.ts'
import { scopeCondition } from '#kit/server/scope.ts'
import { ref } from '#kit/server/sql.ts'
import { scheduleStage, timetableCalls } from './timetable.contract.ts'
import type { TimetableType } from './timetable.contract.ts'

/** Columns of a named record. */
const named = (alias: string, as: string): string =>
  `${alias}.id as ${as}_id, ${alias}.name as ${as}_name, ${alias}.name_local as ${as}_name_local, ${alias}.code as ${as}_code`

interface Kind {
  /** Where the name of the owner stands. */
  readonly of: string
  /** Which owners the reader may see, the row being `t`; `university`: all, to everybody who sees timetables. */
  readonly reach: 'university' | ((ctx: Ctx) => RawBuilder<unknown>)
  /** Meetings (`s`, of the offering `o`) of one owner. */
  meetings(id: number, ctx: Ctx): RawBuilder<unknown>
  /** Stages (`x`, of the kind `k`, for the group `g`) that concern one owner; absent: none does. */
  stages?(id: number): RawBuilder<unknown>
}
/** What is open to students, in their own words; mark entry and control are not theirs. */
const STAGES_OF_STUDENTS = ['register', 'add_drop', 'withdraw', 'excuse', 'questionnaire', 'exam', 'results', 'recheck']
/** What who teaches plans by: until when the list of students changes, and when marks are due. */
const STAGES_OF_TEACHING = ['add_drop', 'grade_entry', 'exam', 'results', 'recheck']
/** Offerings whose timetable the reader sees. */
const offeringsSeen = (ctx: Ctx, alias: string) => scopeCondition(ctx, 'access_schedule', offeringReach(ctx, alias))
const KINDS: Record<TimetableType, Kind> = {
  offering: {
    of: `select t.id, c.name, c.name_local, c.code || ' ' || t.code as code from offerings t join courses c on c.id = t.course_id`,
    reach: (ctx) => offeringsSeen(ctx, 't'),
    // A linked offering meets with the one it is linked to.
    meetings: (id) => sql`s.offering_id = (select coalesce(linked_offering_id, id) from offerings where id = ${id})`,
  },
  // A course belongs to the whole catalogue; where it is taught is shown as far as the reader sees offerings.
  course: {
    of: 'select id, name, name_local, code from courses t',
    reach: 'university',
    meetings: (id, ctx) => sql`o.course_id = ${id} and ${offeringsSeen(ctx, 'o')}`,
  },
  instructor: {
    of: 'select id, name, name_local, code from instructors t',
    reach: (ctx) => instructors.scope(ctx, 'access_schedule'),
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
    reach: (ctx) => scopeCondition(ctx, ['access_students', 'show_students'], studentReach(ctx)),
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
    meetings: (id) => sql`s.location_id = ${id}`,
  },
}

/** Whose timetable is the reader's own, without naming anybody. */
function ownId(ctx: Ctx, type: TimetableType): number {
  const id = type === 'student' ? ctx.actor?.student_id : type === 'instructor' ? ctx.actor?.instructor_id : null
  if (!id) throw refuse(404, 'not_found')
  return id
}

/** Everybody sees the own week; the weeks of others need the right to see timetables, and `reach`. */
function mayRead(ctx: Ctx, type: TimetableType, id: number): boolean {
  return ctx.can('access_schedule') || isOwn(ctx, type, id)
}
const isOwn = (ctx: Ctx, type: TimetableType, id: number): boolean =>
  (type === 'student' && ctx.actor?.student_id === id) || (type === 'instructor' && ctx.actor?.instructor_id === id)

/** A named record that may be missing, among the columns of a row. */
type Named<As extends string> = Record<`${As}_id`, number | null> &
  Record<`${As}_name` | `${As}_name_local` | `${As}_code`, string>
/** A meeting beside what is told of the whole week; its columns are empty where there is none. */
type Line = Named<'owner'> &
  Named<'term'> &
  Named<'course'> &
  Named<'slot'> &
  Named<'location'> & {
    start_date: string
    end_date: string
    stages: z.output<typeof scheduleStage>[]
    is_ramadan: boolean
    id: number | null
    offering_id: number
    type: MeetingType
    day: number | null
    group: number
    quota: number
    taken: number
    start_time: string
    end_time: string
    ramadan_start_time: string
    ramadan_end_time: string
    instructors: Ref[] | null
  }
const minutes = (time: string): string => time.slice(0, 5)

/** A week in one round trip. Without a term: the current one. */
async function readTimetable(ctx: Ctx, type: TimetableType, id: number, term_id: number | undefined) {
  if (!mayRead(ctx, type, id)) throw refuse(404, 'not_found')
  const { of, meetings, stages, reach } = KINDS[type]
  const limit = reach === 'university' || isOwn(ctx, type, id) ? sql`` : sql` where ${reach(ctx)}`
  const { rows } = await sql<Line>`
    with term as (
      select t.id, t.name, t.name_local, t.code, t.start_date, t.end_date from terms t
      where t.id = coalesce(${term_id ?? null}::integer, ${
        type === 'offering' ? sql`(select term_id from offerings where id = ${id})` : currentTermId()
      })
    )
    select ${sql.raw(named('w', 'owner'))}, ${sql.raw(named('t', 'term'))}, t.start_date, t.end_date, meeting.*,
      ${
        stages
          ? sql`(select coalesce(json_agg(json_build_object('id', x.id, 'kind', k.code, 'name', k.name, 'name_local', k.name_local,
              'starts_at', to_char(x.starts_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'ends_at', to_char(x.ends_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
              order by x.starts_at, x.ends_at, x.id), '[]')
            from term_stages x join stage_codes k on k.id = x.stage_code_id left join stage_groups g on g.id = x.stage_group_id
            where x.term_id = (select id from term) and x.removed_at is null and ${stages(id)})`
          : sql`'[]'::json`
      } as stages,
      coalesce((select is_ramadan from ramadan_status where kind = 'slots'), false) as is_ramadan
    from (${sql.raw(of)}${limit}) w left join term t on true left join (
      select s.id, s.offering_id, s.type, s.day, s.quota, s.taken, g.number as "group", p.start_time, p.end_time,
        p.ramadan_start_time, p.ramadan_end_time,
        ${sql.raw(named('c', 'course'))}, ${sql.raw(named('p', 'slot'))}, ${sql.raw(named('l', 'location'))},
        (select json_agg(${ref('i')} order by i.name)
          from offering_slot_instructors si join instructors i on i.id = si.instructor_id where si.offering_slot_id = s.id) as instructors
      from offering_slots s join offerings o on o.id = s.offering_id and o.removed_at is null
        join offering_groups g on g.id = s.group_id join courses c on c.id = o.course_id
        left join slots p on p.id = s.slot_id left join locations l on l.id = s.location_id
      where s.term_id = (select id from term) and ${meetings(id, ctx)}
    ) meeting on true
    where w.id = ${id} order by meeting.day, meeting.start_time, meeting.id`.execute(ctx.db)
  const [first] = rows
  if (!first) throw refuse(404, 'not_found')
  const data = rows.flatMap((row) => {
    const { id, day, slot_id } = row
    // One without a place in the week is only counted.
    if (id === null || day === null || slot_id === null) return []
    return {
      id,
      offering_id: row.offering_id,
      type: row.type,
      day,
      regular_time: { from: minutes(row.start_time), to: minutes(row.end_time) },
      ramadan_time: { from: minutes(row.ramadan_start_time), to: minutes(row.ramadan_end_time) },
      group: row.group,
      course: {
        id: row.course_id as number,
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
      quota: row.quota,
      taken: row.taken,
    }
  })
  return {
    data,
    meta: {
      count: data.length,
      details: {
        of: {
          id: first.owner_id as number,
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
        is_ramadan: first.is_ramadan,
        unplaced: rows.filter((row) => row.id !== null && row.day === null).length,
      },
    },
  }
}

/** The reader's own week of the current term, as calendars of other programs read it: every meeting from its first to its last day. */
async function ownCalendar(ctx: Ctx, type: TimetableType): Promise<FileResult> {
  const { data, meta } = await readTimetable(ctx, type, ownId(ctx, type), undefined)
  const { term, is_ramadan, of } = meta.details
  const { rows } = await sql<{ zone: string; today: string }>`
    select university_zone() as zone, (now() at time zone university_zone())::date as today`.execute(ctx.db)
  const { zone, today } = rows[0]!
  const lang = ctx.lang === 'ar' ? 'ar' : 'en'
  const host = new URL(ctx.services.config.publicUrl).hostname
  const content = writeCalendar({
    name: [nameIn(of, lang), term && nameIn(term, lang)].filter(Boolean).join(' · '),
    zone,
    stamp: new Date(`${today}T00:00:00Z`),
    events: term
      ? data.flatMap((one) => {
          const first = firstDay(term.start_date, one.day)
          if (first > term.end_date) return []
          const { from, to } = is_ramadan ? one.ramadan_time : one.regular_time
          return [
            {
              uid: `meeting-${one.id}@${host}`,
              start: `${first}T${from}`,
              end: `${first}T${to}`,
              weekly: { until: term.end_date },
              summary: `${nameIn(one.course, lang)} · ${inLanguage(meetingType(one.type), lang)}`,
              location: nameIn(one.location, lang),
              description: [one.course.code, ...one.instructors.map((person) => nameIn(person, lang))].join('\n'),
            },
          ]
        })
      : [],
  })
  ctx.http?.reply.header('etag', etagOf(content))
  return { name: 'timetable.ics', type: 'ics', content }
}

/** The first day from `start` on that is this day of the week (0 Saturday). */
const firstDay = (start: string, day: number): string => addDays(start, (day - weekPlace(start) + 7) % 7)

/** Handlers of the weekly timetables. */
export const timetableHandlers: readonly Handled[] = [
  handle(timetableCalls.listOwnEvents, (ctx, { params, body }) =>
    readTimetable(ctx, params.type, ownId(ctx, params.type), body.term_id),
  ),
  handle(timetableCalls.listEvents, (ctx, { params, body }) =>
    readTimetable(ctx, params.type, params.id, body.term_id),
  ),
  handle(timetableCalls.ownCalendar, (ctx, { params }) => ownCalendar(ctx, params.type)),
  handle(timetableCalls.timetableLookups, async (ctx, { params, query }) => ({
    data: (await readOptions(ctx, { name: params.q, search: query.search ?? '', limit: 50 })).data,
  })),
]
