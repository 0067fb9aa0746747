/** Office hours: the instructor is free then, and so is the room. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import type { Handled } from '#kit/server/base/context.ts'
import { Refusal } from '#kit/server/base/errors.ts'
import type { Reason } from '#kit/server/base/errors.ts'
import { serveResource } from '#kit/server/resource/resource.ts'
import { isId } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { officeHour } from './office-hour.contract.ts'

/** JSON of the office hours (`h`) of some instructors, in the order of the week; `term` is that of which days are left out. */
export const officeHoursJson = (instructors: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select coalesce(json_agg(json_build_object('id', h.id, 'version', h.version, 'instructor', ${ref('hi')}, 'day', h.day,
      'start_time', to_char(h.start_time, 'HH24:MI'), 'end_time', to_char(h.end_time, 'HH24:MI'),
      'location', case when hl.id is not null then ${ref('hl')} end, 'place', h.place, 'place_local', h.place_local,
      'except', (select coalesce(json_agg(d order by d), '[]') from days_without_teaching(hi.faculty_id, t.start_date, t.end_date) d
        where week_place(d) = h.day)) order by h.day, h.start_time, h.id), '[]')
  from office_hours h join instructors hi on hi.id = h.instructor_id and hi.removed_at is null left join locations hl on hl.id = h.location_id
  where h.removed_at is null and h.instructor_id in (${instructors}))`

export const officeHourHandlers: readonly Handled[] = serveResource(officeHour, {
  scope: {
    faculty: () => sql`(select i.faculty_id from instructors i where i.id = t.instructor_id)`,
    own: (ctx) => isId(sql`t.instructor_id`, ctx.actor?.instructor_id),
  },
  beforeWrite: async (_ctx, tx, merged) => {
    // Two rows of one instructor are told apart by the table; meetings of the term are looked at here.
    await sql`select from instructors where id = ${merged.instructor_id ?? null} for share`.execute(tx)
    const { rows } = await sql<{ course: string; own: boolean; room: string | null; room_local: string | null }>`
      select c.code || ' (' || o.code || ')' as course, l.name as room, l.name_local as room_local,
        exists (select from offering_slot_instructors i where i.offering_slot_id = s.id and i.instructor_id = ${merged.instructor_id ?? null}) as own
      from offering_slots s join offerings o on o.id = s.offering_id and o.removed_at is null join courses c on c.id = o.course_id
        join slots p on p.id = s.slot_id left join locations l on l.id = s.location_id and l.location_type <> 'online'
      where s.term_id = ${currentTermId()} and s.day = ${merged.day ?? null}
        and ((p.start_time, p.end_time) overlaps (${merged.start_time ?? null}::time, ${merged.end_time ?? null}::time))
        and (l.id = ${merged.location_id ?? null} or exists (select from offering_slot_instructors i
          where i.offering_slot_id = s.id and i.instructor_id = ${merged.instructor_id ?? null}))
      order by s.id`.execute(tx)
    const reasons: Reason[] = rows.map(({ course, own, room, room_local }) =>
      own
        ? { field: 'start_time', code: 'office_hour_teaching', data: { course } }
        : {
            field: 'location_id',
            code: 'office_hour_room',
            data: { course, room: room ?? '', room_local: room_local ?? '' },
          },
    )
    if (reasons.length) throw new Refusal(409, reasons)
  },
})
