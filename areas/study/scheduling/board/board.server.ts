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
        'course_id', o.course_id, 'name', c.code || ' (' || o.code || ')', 'faculty_id', o.faculty_id, 'level', o.level,
        'course', json_build_object('name', c.name, 'name_local', c.name_local), 'group', g.number, 'type', s.type,
        'section', s.section, 'day', s.day, 'slot_id', s.slot_id, 'location_id', s.location_id,
        'instructors', array(select si.instructor_id from offering_slot_instructors si where si.offering_slot_id = s.id order by 1),
        'seats', s.quota + s.over_quota, 'taken', s.taken, 'students', coalesce(a.students, '[]'),
        'movable', o.control_status = 'Draft' and ${scopeCondition(ctx, 'edit_offering_slots', offeringReach(ctx, 'o'))})
        order by s.id), '[]')
        from offering_slots s join offerings o on o.id = s.offering_id and o.removed_at is null join courses c on c.id = o.course_id
          join offering_groups g on g.id = s.group_id left join attending a on a.offering_slot_id = s.id
        where s.term_id = (select id from term)),
      'exam_weeks', (select coalesce(json_agg(json_build_object('from', w.start_date, 'to', w.end_date, 'faculty_id', w.faculty_id, 'level', w.level)), '[]')
        from exam_weeks w where w.term_id = (select id from term) and w.removed_at is null),
      'exams', (select coalesce(json_agg(json_build_object('name', c.code || ' (' || o.code || ')', 'on_date', x.on_date, 'day', week_place(x.on_date),
          'from', ${minutes('lower(x.during)::time')}, 'to', ${minutes('upper(x.during)::time')},
          'ramadan', exists (select from ramadan_status z where z.kind = 'slots' and z.is_ramadan)
            and (exists (select from calendar_events k where k.layer = 'ramadan' and k.removed_at is null and x.on_date between k.start_date and k.end_date)
              or not exists (select from calendar_events k where k.layer = 'ramadan' and k.removed_at is null)),
          'rooms', array(select l.location_id from exam_schedule_locations l where l.exam_schedule_id = x.id),
          'instructors', array(select distinct v.instructor_id from exam_schedule_instructors v where v.exam_schedule_id = x.id),
          'students', array(select r.student_id from registrations r where r.offering_id = x.offering_id and sits_exam(r.status))) order by x.during, x.id), '[]')
        from exam_schedules x join exams e on e.id = x.exam_id and e.status = 'published' and e.removed_at is null
          join offerings o on o.id = x.offering_id join courses c on c.id = o.course_id
        where x.removed_at is null and lower(x.during) > now() at time zone university_zone()
          and x.on_date between (select start_date from term) and (select end_date from term)
          -- Where an exam week of all covers it, no meeting stands beside it.
          and not exists (select from exam_weeks w where w.term_id = (select id from term) and w.removed_at is null
            and x.on_date between w.start_date and w.end_date and w.faculty_id is null and w.level is null))) as board`.execute(
    db,
  )
  const { board } = firstRow(rows)
  const known = new Map<number, number>()
  for (const list of [board.meetings, board.exams])
    for (const one of list)
      one.students = one.students.map((id) => {
        let number = known.get(id)
        if (number === undefined) known.set(id, (number = known.size))
        return number
      })
  if (board.term?.over) for (const meeting of board.meetings) meeting.movable = false
  return { board, students: [...known.keys()] }
}
