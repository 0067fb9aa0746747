/** Published exams, as timetables, calendars and the home of who sits and who invigilates show them. */
import { taughtBy } from '#areas/common/academics/offering-reach.server.ts'
import { ref } from '#kit/server/base/sql.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#kit/server/base/context.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import type { ShownExam } from './exams.contract.ts'
import type { TimetableType } from './timetable.contract.ts'

/** Exams `s` of offerings `o` that are somebody's in a way: which, in which halls, and on which seat. */
interface Way {
  readonly as: ShownExam['as']
  readonly mine: RawBuilder<unknown>
  /** Halls `l` that are shown, of all of the exam. */
  readonly halls?: RawBuilder<unknown>
  readonly seat?: RawBuilder<unknown>
  /** When it ends for them: later for who has more time, or looks after a hall in which somebody has. */
  readonly end?: RawBuilder<unknown>
}
/** `own`: told to the student, who knows of more time; nobody else does. */
const sits = (student: number | null, own: boolean): Way => {
  const seat = sql`from exam_seats z join registrations r on r.id = z.registration_id
    where z.exam_schedule_id = s.id and r.student_id = ${student}::int`
  return {
    as: 'sits',
    mine: sql`s.offering_id in (select r.offering_id from registrations r where r.student_id = ${student}::int and sits_exam(r.status))`,
    halls: sql`(l.location_id in (select z.location_id ${seat}) or not exists (select ${seat}))`,
    seat: sql`(select z.seat ${seat} limit 1)`,
    ...(own && { end: sql`exam_end(s.id, ${student}::int)` }),
  }
}
const invigilates = (instructor: number | null): Way => {
  const own = sql`exam_schedule_instructors v where v.instructor_id = ${instructor}::int`
  return {
    as: 'invigilates',
    mine: sql`s.id in (select v.exam_schedule_id from ${own})`,
    halls: sql`exists (select from ${own} and v.exam_schedule_id = s.id and v.location_id = l.location_id)`,
    end: sql`(select max(upper(v.during)) from ${own} and v.exam_schedule_id = s.id)`,
  }
}
const WAYS: Partial<Record<TimetableType, (id: number, own: boolean) => readonly Way[]>> = {
  student: (id, own) => [sits(id, own)],
  instructor: (id) => [invigilates(id), { as: 'teaches', mine: taughtBy(id, 'o') }],
  offering: (id) => [{ as: 'held', mine: sql`o.id = ${id}` }],
  location: (id) => [
    {
      as: 'held',
      mine: sql`s.id in (select x.exam_schedule_id from exam_schedule_locations x where x.location_id = ${id})`,
      halls: sql`l.location_id = ${id}`,
    },
  ],
}

/** An exam is known once it is published; one that is opened again was known at the time that was told. */
const KNOWN = sql`e.status = 'published' and s.removed_at is null and s.during is not null`
const halls = ({
  halls: which = sql`true`,
}: Way) => sql`from exam_schedule_locations l join locations p on p.id = l.location_id
  where l.exam_schedule_id = s.id and ${which}`

/** JSON of the exams of one owner in a term; with those that were published and are planned anew where they are asked for. */
export function examsJson(
  type: TimetableType,
  id: number,
  term: RawBuilder<unknown>,
  cancelled: boolean,
  /** It is the timetable of who asks. */
  own: boolean,
) {
  const ways = WAYS[type]?.(id, own) ?? []
  if (!ways.length) return sql`'[]'::json`
  const rows = ways.map(
    (
      way,
    ) => sql`select w.at, ${way.as}::text as as_, json_build_object('id', s.id, 'version', s.version, 'as', ${way.as}::text,
        'kind', e.kind, 'offering_id', o.id, 'course', ${ref('c')}, 'on_date', to_char(lower(w.at), 'YYYY-MM-DD'),
        'from', to_char(lower(w.at), 'HH24:MI'), 'to', to_char(case when w.known then coalesce(${way.end ?? sql`null::timestamp`}, upper(w.at)) else upper(w.at) end, 'HH24:MI'),
        'halls', coalesce((select json_agg(${ref('p')} order by p.code) ${halls(way)}), '[]'),
        'seat', ${way.seat ?? sql`null::int`}, 'cancelled', not w.known) as line
      from exams e join exam_schedules s on s.exam_id = e.id join offerings o on o.id = s.offering_id join courses c on c.id = o.course_id
        cross join lateral (select ${KNOWN} as known, case when ${KNOWN} then s.during else s.told end as at) w
      where e.term_id = ${term} and e.removed_at is null and w.at is not null and ${cancelled ? sql`true` : sql`w.known`} and ${way.mine}`,
  )
  return sql`(select coalesce(json_agg(x.line order by x.at, x.as_), '[]') from (${sql.join(rows, sql` union all `)}) x)`
}

/** Days before an exam from which the home names it. */
const SOON = 14
const PLACE = (way: Way) => sql`jsonb_build_object('course', c.name, 'course_local', c.name_local,
  'place', coalesce((select string_agg(p.name, ', ' order by p.code) ${halls(way)}), '–'),
  'place_local', coalesce((select string_agg(p.name_local, '، ' order by p.code) ${halls(way)}), '–'), 'seat', ${way.seat ?? sql`null::int`})`
const OF = sql`exam_schedules s join exams e on e.id = s.exam_id and e.removed_at is null join offerings o on o.id = s.offering_id
  join courses c on c.id = o.course_id`

/** The exams of the day, and the next one after it, of who sits (with the seat) or invigilates. */
const source = (key: string, of: (ctx: Ctx) => Way): WorkSource => {
  const named = (prefix: string, { seat }: Way) =>
    sql`${`scheduling.${prefix}_${key}`}::text || ${seat ? sql`case when ${seat} is null then '' else '_seat' end` : sql`''`}`
  return {
    permissions: ['show_my_schedule'],
    today: (ctx) => {
      const way = of(ctx)
      return sql`select ${named('work', way)}, ${PLACE(way)}, '/my_exams', to_char(lower(s.during), 'HH24:MI'),
          to_char(coalesce(${way.end ?? sql`null::timestamp`}, upper(s.during)), 'HH24:MI')
        from ${OF} where ${KNOWN} and s.on_date = university_today() and ${way.mine}`
    },
    waiting: (ctx) => {
      const way = of(ctx)
      return sql`select ${named('next', way)}, ${PLACE(way)}, '/my_exams', null::timestamptz, lower(s.during) at time zone university_zone()
        from ${OF} where ${KNOWN} and s.on_date > university_today() and s.on_date <= university_today() + ${SOON}::int and ${way.mine}
        order by s.during, s.id limit 1`
    },
  }
}
export const examWork: readonly WorkSource[] = [
  source('exam', (ctx) => sits(ctx.actor?.student_id ?? null, true)),
  source('duty', (ctx) => invigilates(ctx.actor?.instructor_id ?? null)),
]
