/** Placed exams beside which a meeting stands since, as they are shown with everything that is outdated. */
import { sql } from 'kysely'
import { serveBasis } from '#kit/server/workflow/basis-registry.ts'
import { placeBasis } from './basis.contract.ts'
import { scheduleReach } from './schedules/schedule.server.ts'

export const placeBases = serveBasis(placeBasis, {
  from: `exam_schedules t join exams e on e.id = t.exam_id and e.removed_at is null join offerings f on f.id = t.offering_id
    join courses c on c.id = f.course_id`,
  where: `t.removed_at is null and lower(t.during) > now() at time zone university_zone()`,
  named: `json_build_object('code', c.code || ' (' || f.code || ')', 'name', c.name || ' · ' || e.name, 'name_local', c.name_local || ' · ' || e.name_local)`,
  link: `'/exams/' || e.id`,
  scope: () => scheduleReach(),
  // What was changed last of that on which it rests: the exam itself, exam weeks of the term, or the meeting.
  outdated: sql`select b.exam_schedule_id as decision_id, max(greatest(s.updated_at,
      (select max(v.moved_at) from meeting_moves v where v.meeting_id = b.meeting_id),
      (select max(w.updated_at) from exam_weeks w where w.term_id = e.term_id))) as since
    from exams_beside_meetings(array(select x.id from exams x where x.removed_at is null
        and exists (select from exam_days d where d.exam_id = x.id and d.on_date >= university_today()))) b
      join exam_schedules s on s.id = b.exam_schedule_id join exams e on e.id = s.exam_id group by 1`,
})
