/** What publishing an exam would do: to whom, what stands against it, and what lacks. */
import { sql } from 'kysely'
import { handle, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { examWithin } from '../board/board.server.ts'
import { seated, sitting } from '../exams/exam.server.ts'
import { dutiesNeeded } from '../solver/evaluate.rules.ts'
import { lackingStaff } from '../placement/placement.rules.ts'
import { readExamPlan } from '../placement/problem.server.ts'
import { NAMED, publishingCalls, type Publishing } from './publishing.contract.ts'

export const publishingHandlers: readonly Handled[] = [
  handle(publishingCalls.publishing, async (ctx, { params: { id } }) => {
    const { rows } = await sql<Omit<Publishing, 'invigilators' | 'totals'> & { totals: Publishing['totals'] }>`
      with e as (select t.id from exams t where t.id = ${id} and t.removed_at is null and ${examWithin(ctx, 'access_examSchedule')}),
      s as materialized (select s.id, s.offering_id, s.during, s.on_date, c.code || ' (' || o.code || ')' as name,
          ${sql.raw(sitting('s'))} as sits, ${sql.raw(seated('s'))} as seats
        from exam_schedules s join e on e.id = s.exam_id join offerings o on o.id = s.offering_id join courses c on c.id = o.course_id
        where s.removed_at is null),
      unplaced as (select s.id, s.name, s.sits as count from s where s.during is null),
      unseated as (select s.id, s.name, s.sits - s.seats as count from s where s.during is not null and s.sits > s.seats),
      beside as materialized (select b.* from e cross join lateral exams_beside_meetings(array[e.id]) b),
      taught as (select s.id, s.name, count(*)::int as count from s join beside b on b.exam_schedule_id = s.id and b.what = 'hall' group by s.id, s.name),
      lectures as (select s.id, s.name, c.code || ' (' || o.code || ')' as other, sum(b.count)::int as count
        from s join beside b on b.exam_schedule_id = s.id and b.what = 'students' join offering_slots m on m.id = b.meeting_id
          join offerings o on o.id = m.offering_id join courses c on c.id = o.course_id group by s.id, s.name, 3),
      clashes as (select s.id, s.name, c.code || ' (' || o.code || ')' as other, count(*)::int as count
        from exam_clashes x join s on s.id = x.exam_schedule_id join exam_schedules q on q.id = x.other_schedule_id
          join offerings o on o.id = q.offering_id join courses c on c.id = o.course_id
        -- A pair within the plan is one pair.
        where x.exam_id = ${id} and (q.exam_id <> x.exam_id or x.exam_schedule_id < x.other_schedule_id) group by s.id, s.name, 3),
      granted as (select s.id, s.name, count(distinct b.registration_id)::int as count
        from e cross join lateral exams_against_accommodations(array[e.id]) b join s on s.id = b.exam_schedule_id group by s.id, s.name),
      people as materialized (select distinct r.student_id, u.user_id from s join registrations r on r.offering_id = s.offering_id and sits_exam(r.status)
        join students u on u.id = r.student_id),
      watching as (select distinct i.id, i.user_id from s join exam_schedule_instructors v on v.exam_schedule_id = s.id
        join instructors i on i.id = v.instructor_id)
      select (select count(*)::int from s) as exams, (select count(*)::int from s where during is not null) as placed,
        (select count(*)::int from people) as students, (select coalesce(sum(sits), 0)::int from s) as sittings,
        (select min(on_date)::text from s) as first_day, (select max(on_date)::text from s) as last_day,
        (select count(*)::int from (select distinct l.location_id, l.during from exam_schedule_locations l join s on s.id = l.exam_schedule_id) h) as halls,
        (select coalesce(json_agg(x order by x.count desc, x.name), '[]') from (select * from unplaced order by count desc, name limit ${NAMED}) x) as unplaced,
        (select coalesce(json_agg(x order by x.count desc, x.name), '[]') from (select * from unseated order by count desc, name limit ${NAMED}) x) as unseated,
        (select coalesce(json_agg(x order by x.count desc, x.name), '[]') from (select * from taught order by count desc, name limit ${NAMED}) x) as taught,
        (select coalesce(json_agg(x order by x.count desc, x.name), '[]') from (select * from clashes order by count desc, name limit ${NAMED}) x) as clashes,
        (select coalesce(json_agg(x order by x.count desc, x.name), '[]') from (select * from lectures order by count desc, name limit ${NAMED}) x) as lectures,
        (select coalesce(json_agg(x order by x.count desc, x.name), '[]') from (select * from granted order by count desc, name limit ${NAMED}) x) as accommodations,
        json_build_object('accommodations', (select coalesce(sum(count), 0) from granted), 'unplaced', (select count(*) from unplaced), 'unseated', (select coalesce(sum(count), 0) from unseated),
          'taught', (select count(*) from taught), 'lectures', (select coalesce(sum(count), 0) from lectures), 'clashes', (select coalesce(sum(count), 0) from clashes)) as totals,
        json_build_object('students', (select count(*) from people where user_id is not null),
          'invigilators', (select count(*) from watching where user_id is not null),
          'silent', (select count(*) from people where user_id is null) + (select count(*) from watching where user_id is null)) as told
      from e`.execute(ctx.db)
    const [found] = rows
    if (!found) throw refuse(404, 'not_found')
    const plan = await readExamPlan(ctx.db, id, {})
    const needed = dutiesNeeded(plan.staffed, plan.present)
    return {
      data: {
        ...found,
        invigilators: {
          needed: needed.reduce((sum, one) => sum + one.count, 0),
          lacking: lackingStaff(plan, needed, plan.duties).reduce((sum, one) => sum + one.lacking, 0),
        },
      },
    }
  }),
]
