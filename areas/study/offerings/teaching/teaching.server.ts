import { sql } from 'kysely'
import { flag, loadMask } from '#areas/common/academics/status.rules.ts'
import { groupOfOffering } from '#areas/common/academics/window-reach.server.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { ref, refPairs } from '#kit/server/base/sql.ts'
import { taughtBy } from '../offering.server.ts'
import { namedTermOf } from '../named-term.server.ts'
import { teachingCalls } from './teaching.contract.ts'
import type { TaughtOffering } from './teaching.contract.ts'
import { nextMeeting } from './teaching.rules.ts'

const requests = flag.RegisterRequest | flag.AddRequest

/** The reader's own offerings of a term, with own meetings, students and progress of marks, in one round trip. */
async function mine(ctx: Ctx, term_id: number | undefined) {
  const instructor = ctx.actor?.instructor_id ?? null
  const term = await namedTermOf(ctx.db, term_id)
  const count = (mask: bigint) =>
    sql.raw(`(select count(*)::int from registrations r where r.offering_id = t.id and r.status & ${mask} <> 0)`)
  type Found = Omit<TaughtOffering, 'next' | 'abilities' | 'marks'> & {
    starts: string
    ends: string
    marked: number
    items: number
    entry: boolean
  }
  const [{ rows }, { rows: terms }] = await Promise.all([
    sql<Found>`select t.id, t.code, t.control_status, t.is_open, x.start_date as starts, x.end_date as ends,
        json_build_object(${sql.raw(refPairs('c'))}, 'credit_hours', c.credit_hours) as course, ${ref('x')} as term,
        (select oi.role from offering_instructors oi where oi.offering_id in (t.id, t.linked_offering_id) and oi.instructor_id = ${instructor} order by oi.offering_id = t.id desc limit 1) as role,
        (select c2.code || ' (' || o2.code || ')' from offerings o2 join courses c2 on c2.id = o2.course_id where o2.id = t.linked_offering_id) as seats_from,
        ${count(loadMask & ~requests)} as registered, ${count(requests)} as requested,
        (select count(*)::int from offering_groups g where g.offering_id = coalesce(t.linked_offering_id, t.id)) as groups,
        (select count(*)::int from offering_marks m where m.offering_id = t.id) as items,
        (select count(*)::int from registration_marks m join registrations r on r.id = m.registration_id where r.offering_id = t.id and r.status & ${String(loadMask & ~requests)}::bigint <> 0) as marked,
        coalesce((select min(w.starts_at) <= now() from term_stages w join stage_codes sc on sc.id = w.stage_code_id left join stage_groups sg on sg.id = w.stage_group_id
          where w.term_id = t.term_id and sc.code = 'grade_entry' and w.removed_at is null and ${sql.raw(groupOfOffering('sg', 't'))}),
          x.end_date < university_today()) as entry,
        coalesce((select json_agg(json_build_object('id', s.id, 'group', g.number, 'type', s.type, 'section', s.section, 'day', s.day,
            'slot', case when p.id is not null then json_build_object(${sql.raw(refPairs('p'))}, 'start', to_char(case when rs.is_ramadan then p.ramadan_start_time else p.start_time end, 'HH24:MI'),
              'end', to_char(case when rs.is_ramadan then p.ramadan_end_time else p.end_time end, 'HH24:MI')) end,
            'location', case when l.id is not null then json_build_object(${sql.raw(refPairs('l'))}, 'capacity', l.capacity) end,
            'quota', s.quota, 'over_quota', s.over_quota, 'taken', s.taken) order by s.day, p.start_time, s.id)
          from offering_slot_instructors si join offering_slots s on s.id = si.offering_slot_id join offering_groups g on g.id = s.group_id
            left join slots p on p.id = s.slot_id left join locations l on l.id = s.location_id left join ramadan_status rs on rs.kind = 'slots'
          where si.instructor_id = ${instructor} and s.offering_id = coalesce(t.linked_offering_id, t.id)), '[]') as meetings
      from offerings t join courses c on c.id = t.course_id join terms x on x.id = t.term_id
      where t.removed_at is null and t.term_id = ${term?.id ?? 0} and ${taughtBy(instructor)}
      order by c.code, t.code`.execute(ctx.db),
    sql<{
      id: number
      name: string
      name_local: string
      code: string
    }>`select x.id, x.name, x.name_local, x.code from terms x where x.removed_at is null
      and exists (select from offerings t where t.term_id = x.id and t.removed_at is null and ${taughtBy(instructor)}) order by x.start_date desc`.execute(
      ctx.db,
    ),
  ])
  const clock = new Date()
  const two = (n: number) => String(n).padStart(2, '0')
  const now = {
    date: `${clock.getFullYear()}-${two(clock.getMonth() + 1)}-${two(clock.getDate())}`,
    time: `${two(clock.getHours())}:${two(clock.getMinutes())}`,
  }
  const data = rows.map(({ starts, ends, marked, items, entry, ...row }): TaughtOffering => ({
    ...row,
    marks: { expected: row.registered * items, entered: marked, due: marked > 0 || entry },
    next: nextMeeting(row.meetings, now, { start: starts, end: ends }),
    abilities: [
      ...(ctx.can('enter_marks') && row.control_status === 'Draft' ? ['marks'] : []),
      ...(ctx.can('access_registration') ? ['students'] : []),
    ],
  }))
  return { data, meta: { count: data.length, lookup: {} }, term, terms }
}

export const teachingHandlers: readonly Handled[] = [
  handle(teachingCalls.mine, (ctx, { body }) => mine(ctx, body.term_id)),
  handle(teachingCalls.staff, (ctx, { body }) => mine(ctx, body.term_id)),
]
