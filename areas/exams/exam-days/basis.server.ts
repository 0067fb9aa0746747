/** Printed lists that nobody should go by any more, as they are shown with everything that is outdated. */
import { sql } from 'kysely'
import { serveBasis } from '#kit/server/workflow/basis-registry.ts'
import { printBasis } from './basis.contract.ts'
import { wholeExam } from './reach.server.ts'

export const printBases = serveBasis(printBasis, {
  from: `exam_prints x join exam_schedules s on s.id = x.exam_schedule_id join exams e on e.id = s.exam_id and e.removed_at is null
    join offerings f on f.id = s.offering_id join courses c on c.id = f.course_id join locations h on h.id = x.location_id`,
  id: 'x.id',
  where: 'greatest(upper(x.held), upper(s.during)) > now() at time zone university_zone()',
  named: `json_build_object('code', c.code, 'name', c.name || ' · ' || h.name, 'name_local', c.name_local || ' · ' || h.name_local)`,
  link: `'/exams_seats?exam_id=' || e.id`,
  scope: () => wholeExam(),
  outdated: sql`select id as decision_id, printed_at as since from exam_prints_outdated`,
  // The home has a line of its own for them.
  silent: true,
})
