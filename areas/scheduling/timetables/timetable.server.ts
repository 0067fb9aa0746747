import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { handle } from '#kit/server/context.ts'
import type { Ctx, Handled } from '#kit/server/context.ts'
import { students } from '#areas/students/student/student.server.ts'
import { refuse } from '#kit/server/errors.ts'
import { readOptions } from '#kit/server/options.ts'
import { timetableCalls } from './timetable.contract.ts'
import type { TimetableType } from './timetable.contract.ts'

/** A named record as JSON. */
const named = (alias: string): string =>
  `json_build_object('id', ${alias}.id, 'name', ${alias}.name, 'name_local', ${alias}.name_local, 'code', ${alias}.code)`

interface Kind {
  /** Where the name of the owner stands. */
  readonly of: string
  /** Which owners the reader may see, the row being `t`; absent: teaching is no secret in the house. */
  readonly reach?: (ctx: Ctx) => RawBuilder<unknown>
  /** Meetings of one owner. */
  meetings(id: number): RawBuilder<unknown>
}
const KINDS: Record<TimetableType, Kind> = {
  offering: {
    of: `select o.id, c.name, c.name_local, c.code || ' ' || o.code as code from offerings o join courses c on c.id = o.course_id`,
    // A linked offering meets with the one it is linked to.
    meetings: (id) => sql`s.offering_id = (select coalesce(linked_offering_id, id) from offerings where id = ${id})`,
  },
  course: { of: 'select id, name, name_local, code from courses', meetings: (id) => sql`o.course_id = ${id}` },
  instructor: {
    of: 'select id, name, name_local, code from instructors',
    meetings: (id) =>
      sql`exists (select from offering_slot_instructors i where i.offering_slot_id = s.id and i.instructor_id = ${id})`,
  },
  student: {
    of: 'select id, name, name_local, code from students t',
    // The week of a student is for those who may see the student, as everywhere.
    reach: (ctx) => students.scope(ctx, ['access_students', 'show_students']),
    meetings: (id) => sql`s.id in (select rs.offering_slot_id from registration_slots rs
      join registrations r on r.id = rs.registration_id where r.student_id = ${id})`,
  },
  location: { of: 'select id, name, name_local, code from locations', meetings: (id) => sql`s.location_id = ${id}` },
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

interface Event {
  id: number
  offering_id: number
  type: 'Lecture' | 'Lab' | 'Tutorial' | 'Clinic'
  day: number
  regular_time: { from: string; to: string }
  ramadan_time: { from: string; to: string }
  group: number
  course: { id: number; name: string; name_local: string; code: string }
  slot: Event['course']
  location: Event['course'] | null
  instructors: Event['course'][]
  quota: number
  taken: number
}

/** A week in one round trip. Without a term: the current one. */
async function readTimetable(ctx: Ctx, type: TimetableType, id: number, term_id: number | undefined) {
  if (!mayRead(ctx, type, id)) throw refuse(404, 'not_found')
  const { of, meetings, reach } = KINDS[type]
  const limit = reach && !isOwn(ctx, type, id) ? sql` where ${reach(ctx)}` : sql``
  const { rows } = await sql<{
    of: Event['course'] | null
    term: Event['course'] | null
    is_ramadan: boolean
    unplaced: number
    events: Event[]
  }>`
    with term as (
      select t.* from terms t
      where t.id = coalesce(${term_id ?? null}::integer, ${
        type === 'offering'
          ? sql`(select term_id from offerings where id = ${id})`
          : sql`(select term_id from current_terms where key = 'current_term')`
      })
    ), meeting as (
      select s.*, o.course_id, g.number from offering_slots s
      join offerings o on o.id = s.offering_id and o.removed_at is null
      join offering_groups g on g.id = s.group_id
      where s.term_id = (select id from term) and ${meetings(id)}
    )
    select (select ${sql.raw(named('w'))} from (${sql.raw(of)}${limit}) w where w.id = ${id}) as of,
      (select ${sql.raw(named('t'))} from term t) as term,
      coalesce((select is_ramadan from ramadan_status where kind = 'slots'), false) as is_ramadan,
      (select count(*)::int from meeting where day is null) as unplaced,
      coalesce((select json_agg(json_build_object(
        'id', m.id, 'offering_id', m.offering_id, 'type', m.type, 'day', m.day, 'group', m.number,
        'quota', m.quota, 'taken', m.taken,
        'regular_time', json_build_object('from', to_char(p.start_time, 'HH24:MI'), 'to', to_char(p.end_time, 'HH24:MI')),
        'ramadan_time', json_build_object('from', to_char(p.ramadan_start_time, 'HH24:MI'), 'to', to_char(p.ramadan_end_time, 'HH24:MI')),
        'course', ${sql.raw(named('c'))}, 'slot', ${sql.raw(named('p'))},
        'location', case when l.id is null then null else ${sql.raw(named('l'))} end,
        'instructors', (select coalesce(json_agg(${sql.raw(named('i'))} order by i.name), '[]') from offering_slot_instructors si
          join instructors i on i.id = si.instructor_id where si.offering_slot_id = m.id)
      ) order by m.day, p.start_time, m.id)
      from meeting m join slots p on p.id = m.slot_id join courses c on c.id = m.course_id
      left join locations l on l.id = m.location_id), '[]') as events`.execute(ctx.db)
  const row = rows[0]!
  if (!row.of) throw refuse(404, 'not_found')
  return {
    data: row.events,
    meta: {
      count: row.events.length,
      details: { of: row.of, term: row.term, is_ramadan: row.is_ramadan, unplaced: row.unplaced },
    },
  }
}

/** Handlers of the weekly timetables. */
export const timetableHandlers: readonly Handled[] = [
  handle(timetableCalls.listOwnEvents, (ctx, { params, body }) =>
    readTimetable(ctx, params.type, ownId(ctx, params.type), body.term_id),
  ),
  handle(timetableCalls.listEvents, (ctx, { params, body }) =>
    readTimetable(ctx, params.type, params.id, body.term_id),
  ),
  handle(timetableCalls.timetableLookups, async (ctx, { params, query }) => ({
    data: (await readOptions(ctx, { name: params.q, search: query.search ?? '', limit: 50 })).data,
  })),
]
