/** The meetings of the day, for the home of who teaches and of who studies. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { loadMask } from '#areas/common/academics/status.rules.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'

/**
 * Meetings `m` that take place today, within a condition: where they are held today, whatever is planned from tomorrow on; none on
 * a day without lectures, and none that was cancelled; those that are made up today at their time and in their room of today.
 */
const today = (mine: RawBuilder<unknown>, link: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select 'scheduling.work_' || lower(m.type), jsonb_build_object('course', c.name, 'course_local', c.name_local,
      'place', coalesce(l.name, '–'), 'place_local', coalesce(l.name_local, '–')), (${link})::text,
    to_char(case when rs.is_ramadan then p.ramadan_start_time else p.start_time end, 'HH24:MI'),
    to_char(case when rs.is_ramadan then p.ramadan_end_time else p.end_time end, 'HH24:MI')
  from offering_slots m join offerings o on o.id = m.offering_id join courses c on c.id = o.course_id join terms x on x.id = o.term_id
    cross join (select university_today() as day) now
    cross join lateral (
      select w.slot_id, w.location_id from meeting_places(m.id) w
        where w.day = week_place(now.day) and now.day between w.from_date and w.until_date
          and not exists (select from days_without_meetings(o.id, now.day, now.day))
          and not exists (select from meeting_occurrences y where y.offering_slot_id = m.id and y.date = now.day and y.cancelled_at is not null)
      union all
      select y.slot_id, y.location_id from meeting_occurrences y
        where y.offering_slot_id = m.id and y.date = now.day and y.makes_up_id is not null and y.cancelled_at is null) h
    join slots p on p.id = h.slot_id left join locations l on l.id = h.location_id left join ramadan_status rs on rs.kind = 'slots'
  where o.removed_at is null and now.day between x.start_date and x.end_date and ${mine}`

const OWN_WEEK = sql`'/offerings/my_schedule'`

export const timetableWork: readonly WorkSource[] = [
  {
    permissions: ['show_my_schedule'],
    today: (ctx) =>
      today(
        sql`exists (select from offering_slot_instructors i where i.offering_slot_id = m.id and i.instructor_id = ${ctx.actor?.instructor_id ?? null})`,
        // One tap from taking attendance, where that is open to the reader; the sheet opens at the meeting and the day.
        ctx.can('take_attendance')
          ? sql`'/offerings/attendance/' || m.offering_id || '?meeting=' || m.id || '&date=' || now.day`
          : OWN_WEEK,
      ),
  },
  {
    permissions: ['show_my_schedule'],
    today: (ctx) =>
      today(
        sql`m.id in (select rs2.offering_slot_id from registration_slots rs2 join registrations r on r.id = rs2.registration_id
          where r.student_id = ${ctx.actor?.student_id ?? null} and r.status & ${String(loadMask)}::bigint <> 0)`,
        OWN_WEEK,
      ),
  },
]
