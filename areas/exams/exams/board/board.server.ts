/** The board of an exam in one round trip. */
import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { reachesAll, scopeCondition } from '#kit/server/base/scope.ts'
import { refPairs } from '#kit/server/base/sql.ts'
import { examReach } from '../exams/exam.server.ts'
import { busyMeetingsAt } from '../schedules/facts.server.ts'
import { schedules } from '../schedules/schedule.server.ts'
import { examBoardCalls, type ExamBoardAnswer } from './board.contract.ts'

/** Whether an exam lies within reach; one of the university is read by everybody who reads exams. */
export const examWithin = (ctx: Ctx, access: 'access_examSchedule' | 'edit_examSchedule' | 'place_exam') =>
  access === 'access_examSchedule'
    ? sql`(t.faculty_id is null or ${scopeCondition(ctx, access, examReach())})`
    : reachesAll(ctx, access)
      ? sql`true`
      : scopeCondition(ctx, access, examReach())

const sitters = (offering: string) =>
  sql.raw(`coalesce((select json_agg(r.student_id order by r.student_id) from registrations r
    where r.offering_id = ${offering} and sits_exam(r.status)), '[]')`)
const halls = (schedule: string) =>
  sql.raw(`coalesce((select json_agg(json_build_object('location_id', l.location_id, 'seats', l.seats, 'building_id', p.building_id,
      'extra', l.extra, 'own_room', l.own_room) order by l.location_id)
    from exam_schedule_locations l join locations p on p.id = l.location_id where l.exam_schedule_id = ${schedule}), '[]')`)

/** Everything of an exam. Who sits what is told by numbers that hold in this answer only. */
export async function readExamBoard(ctx: Ctx, db: Db | Tx, exam_id: number): Promise<ExamBoardAnswer> {
  // What was granted to students concerns who plans, and nobody else.
  const plans = sql`${ctx.can('edit_examSchedule')}::boolean`
  const { rows } = await sql<{ board: ExamBoardAnswer }>`
    select json_build_object(
      'exam', json_build_object(${sql.raw(refPairs('t'))}, 'status', t.status,
        'movable', t.status = 'draft' and ${ctx.can('edit_examSchedule')}::boolean and ${examWithin(ctx, 'edit_examSchedule')}),
      'faculties', (select coalesce(json_agg(json_build_object(${sql.raw(refPairs('f'))}) order by f.code), '[]') from faculties f
        where f.id in (select o.faculty_id from exam_schedules s join offerings o on o.id = s.offering_id
          where s.exam_id = t.id and s.removed_at is null)),
      'days', (select coalesce(json_agg(d.on_date order by d.on_date), '[]') from exam_days d where d.exam_id = t.id),
      'slots', (select coalesce(json_agg(json_build_object('id', s.id, 'name', s.name, 'name_local', s.name_local,
          'starts', to_char(s.start_time, 'HH24:MI'), 'ends', to_char(s.end_time, 'HH24:MI')) order by s.start_time, s.id), '[]')
        from exam_times x join exam_slots s on s.id = x.exam_slot_id where x.exam_id = t.id),
      'halls', (select coalesce(json_agg(json_build_object(${sql.raw(refPairs('l'))}, 'building_id', l.building_id,
          'seats', h.seats - exam_reserve(h.seats, t.reserve_percent, t.reserve_seats)) order by l.code), '[]')
        from exam_halls h join locations l on l.id = h.location_id where h.exam_id = t.id),
      'ways', (select coalesce(json_agg(json_build_array(w.building_id, w.other_building_id, w.minutes)), '[]') from building_distances w
        where w.removed_at is null),
      'longer', (select coalesce(json_agg(distinct jsonb_build_array(x.student_id, x.extra_percent)), '[]') from exam_accommodated x
        where x.exam_id = t.id and x.extra_percent is not null and ${plans}),
      'closed', (select coalesce(json_agg(json_build_array(k.on_date, coalesce(k.exam_slot_id, 0))), '[]') from exam_closures k
        where k.exam_id = t.id and k.location_id is null and k.instructor_id is null),
      'closed_halls', (select coalesce(json_agg(json_build_object('location_id', k.location_id, 'on_date', k.on_date, 'exam_slot_id', k.exam_slot_id)), '[]')
        from (select location_id, on_date, exam_slot_id from exam_closures where exam_id = t.id and location_id is not null
          union select location_id, on_date, exam_slot_id from closed_by_meetings(t.id) where location_id is not null) k),
      'taught', (select coalesce(json_agg(json_build_object('name', k.name, 'on_date', k.on_date, 'exam_slot_id', k.exam_slot_id, 'students', k.students)), '[]')
        from (select c.code || ' (' || o.code || ')' as name, x.on_date, x.exam_slot_id, json_agg(distinct x.student_id) as students
          from students_in_meetings(t.id) x join offering_slots m on m.id = x.meeting_id join offerings o on o.id = m.offering_id
            join courses c on c.id = o.course_id group by x.meeting_id, c.code, o.code, x.on_date, x.exam_slot_id) k),
      'exams', (select coalesce(json_agg(json_build_object('id', s.id, 'version', s.version, 'offering_id', s.offering_id,
          'name', c.code || ' (' || o.code || ')', 'course', json_build_object('name', c.name, 'name_local', c.name_local),
          'faculty_id', o.faculty_id, 'on_date', s.on_date, 'exam_slot_id', s.exam_slot_id, 'is_locked', s.is_locked,
          'students', ${sitters('s.offering_id')}, 'halls', ${halls('s.id')}, 'duration', s.duration,
          'needs', coalesce((select json_agg(json_build_object('percent', x.extra_percent, 'own_room', x.own_room)
            order by x.own_room, x.extra_percent) from exam_accommodated x where x.exam_schedule_id = s.id and ${plans}), '[]'))
          order by c.code, o.code), '[]')
        from exam_schedules s join offerings o on o.id = s.offering_id join courses c on c.id = o.course_id
        where s.exam_id = t.id and s.removed_at is null),
      'others', (select coalesce(json_agg(json_build_object('name', c.code || ' (' || o.code || ')', 'on_date', s.on_date,
          'from', extract(epoch from lower(s.during)::time)::int / 60, 'to', extract(epoch from upper(s.during)::time)::int / 60,
          'students', ${sitters('s.offering_id')}, 'halls', ${halls('s.id')})), '[]')
        from exam_schedules s join exams e on e.id = s.exam_id and e.term_id = t.term_id and e.id <> t.id
          join offerings o on o.id = s.offering_id join courses c on c.id = o.course_id
        where s.removed_at is null and s.on_date in (select d.on_date from exam_days d where d.exam_id = t.id))) as board
    from exams t where t.id = ${exam_id} and t.removed_at is null and ${examWithin(ctx, 'access_examSchedule')}`.execute(
    db,
  )
  const board = rows[0]?.board
  if (!board) throw refuse(404, 'not_found')
  const known = new Map<number, number>()
  const number = (id: number): number => {
    const found = known.get(id) ?? known.size
    known.set(id, found)
    return found
  }
  for (const list of [board.exams, board.others, board.taught])
    for (const one of list) one.students = one.students.map(number)
  if (!ctx.can('edit_examSchedule'))
    for (const { halls: some } of [...board.exams, ...board.others])
      for (const hall of some) Object.assign(hall, { extra: 0, own_room: false })
  board.longer = board.longer.map(([student, percent]) => [number(student), percent])
  return board
}

export const boardHandlers: readonly Handled[] = [
  handle(examBoardCalls.board, async (ctx, { body }) => ({ data: await readExamBoard(ctx, ctx.db, body.exam_id) })),
  handle(examBoardCalls.clashes, async (ctx, { body: { exam_schedule_id, ...at } }) => {
    const row = (await schedules.get(ctx, ctx.db, exam_schedule_id, 'access_examSchedule')) as unknown as {
      offering: { id: number }
      duration: number | null
    }
    const meetings = await busyMeetingsAt(ctx, ctx.db, row.offering.id, { ...at, duration: row.duration }, [
      exam_schedule_id,
    ])
    return {
      data: meetings.map((meeting) => ({
        ...meeting,
        students: [...meeting.students],
        students_local: [...meeting.students_local],
      })),
    }
  }),
]
