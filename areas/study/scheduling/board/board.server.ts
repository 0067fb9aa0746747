/** The whole week of a term, as the rule of moves judges it. */
import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import { offeringReach } from '#areas/common/academics/offering-reach.server.ts'
import { loadMask } from '#areas/common/academics/status.rules.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import type { BoardAnswer } from './board.contract.ts'

const minutes = (column: string) => sql.raw(`(extract(epoch from ${column}) / 60)::int`)

/**
 * Everything of a term in one round trip; without one, of the current. Who attends what is told by numbers that hold in
 * this answer only: `students` keeps whom they stand for.
 */
export async function readMeetingBoard(
  ctx: Ctx,
  db: Db | Tx,
  term_id: number | undefined,
): Promise<{ board: BoardAnswer; students: number[] }> {
  const { rows } = await sql<{ board: BoardAnswer }>`
    with term as materialized (select t.* from terms t where t.id = coalesce(${term_id ?? null}::int, ${currentTermId()})),
    attending as materialized (
      select rs.offering_slot_id, json_agg(r.student_id order by r.student_id) as students from registrations r
      join registration_slots rs on rs.registration_id = r.id
      where r.term_id = (select id from term) and r.status & ${String(loadMask)}::bigint <> 0 group by 1)
    select json_build_object(
      'term', (select json_build_object('id', id, 'name', name, 'name_local', name_local, 'code', code, 'start_date', start_date,
        'end_date', end_date, 'over', end_date < (now() at time zone university_zone())::date) from term),
      'is_ramadan', coalesce((select is_ramadan from ramadan_status where kind = 'slots'), false),
      'periods', (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'name_local', name_local, 'from', ${minutes('start_time')},
        'to', ${minutes('end_time')}, 'ramadan_from', ${minutes('ramadan_start_time')}, 'ramadan_to', ${minutes('ramadan_end_time')})
        order by start_time, id), '[]') from slots where removed_at is null),
      'rooms', (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'name_local', name_local, 'code', code, 'capacity', capacity,
        'online', location_type = 'online') order by code), '[]') from locations where removed_at is null),
      'instructors', (select coalesce(json_agg(json_build_object('id', i.id, 'name', i.name, 'name_local', i.name_local)), '[]')
        from instructors i where i.id in (select si.instructor_id from offering_slot_instructors si
          join offering_slots s on s.id = si.offering_slot_id where s.term_id = (select id from term))),
      'meetings', (select coalesce(json_agg(json_build_object('id', s.id, 'version', s.version, 'offering_id', s.offering_id,
        'course_id', o.course_id, 'name', c.code || ' (' || o.code || ')',
        'course', json_build_object('name', c.name, 'name_local', c.name_local), 'group', g.number, 'type', s.type,
        'section', s.section, 'day', s.day, 'slot_id', s.slot_id, 'location_id', s.location_id,
        'instructors', array(select si.instructor_id from offering_slot_instructors si where si.offering_slot_id = s.id order by 1),
        'seats', s.quota + s.over_quota, 'taken', s.taken, 'students', coalesce(a.students, '[]'),
        'movable', o.control_status = 'Draft' and ${scopeCondition(ctx, 'edit_offering_slots', offeringReach(ctx, 'o'))})
        order by s.id), '[]')
        from offering_slots s join offerings o on o.id = s.offering_id and o.removed_at is null join courses c on c.id = o.course_id
          join offering_groups g on g.id = s.group_id left join attending a on a.offering_slot_id = s.id
        where s.term_id = (select id from term))) as board`.execute(db)
  const { board } = firstRow(rows)
  const known = new Map<number, number>()
  for (const meeting of board.meetings)
    meeting.students = meeting.students.map((id) => {
      let number = known.get(id)
      if (number === undefined) known.set(id, (number = known.size))
      return number
    })
  if (board.term?.over) for (const meeting of board.meetings) meeting.movable = false
  return { board, students: [...known.keys()] }
}
