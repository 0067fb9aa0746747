/** Who is told that meetings were moved: the students who attend them and the instructors, each once. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { loadMask } from '#areas/common/academics/status.rules.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { notifyEach } from '#kit/server/mail/notifications.ts'

/**
 * Tells everybody whom moved meetings concern, in the transaction that moved them: of one meeting where it is now and from
 * which day on, of several how many. Open timetables are read again. @returns how many people are told
 */
export async function tellMoved(ctx: Ctx, tx: Tx, meetings: readonly number[]): Promise<number> {
  if (!meetings.length) return 0
  const { rows } = await sql<{ user_id: number; count: number; data: Record<string, unknown>; records: number[] }>`
    with moved as (
      select s.id, json_build_object('course', c.name, 'course_local', c.name_local, 'place', coalesce(l.name, '–'), 'place_local',
        coalesce(l.name_local, '–'), 'time', to_char(case when r.is_ramadan then p.ramadan_start_time else p.start_time end, 'HH24:MI'),
        'date', (select h.from_date + (h.day - week_place(h.from_date) + 7) % 7 from meeting_places(s.id) h where h.place is null)) as data
      from offering_slots s join offerings o on o.id = s.offering_id join courses c on c.id = o.course_id
        join slots p on p.id = s.slot_id left join locations l on l.id = s.location_id left join ramadan_status r on r.kind = 'slots'
      where s.id = any(${meetings}::int[])),
    concerned as (
      select rs.offering_slot_id as meeting, st.user_id, st.id as student_id from registration_slots rs
        join registrations r on r.id = rs.registration_id and r.status & ${String(loadMask)}::bigint <> 0
        join students st on st.id = r.student_id where rs.offering_slot_id = any(${meetings}::int[])
      union select si.offering_slot_id, i.user_id, null from offering_slot_instructors si join instructors i on i.id = si.instructor_id
        where si.offering_slot_id = any(${meetings}::int[]))
    select x.user_id, count(distinct x.meeting)::int as count, (array_agg(m.data))[1] as data,
      coalesce(array_agg(distinct x.student_id) filter (where x.student_id is not null), '{}') as records from concerned x join moved m on m.id = x.meeting
    where x.user_id is not null and x.user_id <> ${ctx.actor?.user_id ?? 0} group by x.user_id order by x.user_id`.execute(
    tx,
  )
  await notifyEach(
    tx,
    rows.map(({ user_id, count, data, records }) => ({
      user_id,
      records,
      link: '/offerings/my_schedule',
      ...(count === 1
        ? { key: 'scheduling.notice_moved', data }
        : { key: 'scheduling.notice_moved_several', data: { count } }),
    })),
  )
  await ctx.services.events.publish('all', { type: 'timetable', data: { meetings: meetings.slice(0, 200) } }, tx)
  return rows.length
}
