/** Registrations that run though a prerequisite is passed no more: the registrar leaves the student in the course, or takes him or her out. */
import { sql } from 'kysely'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { serveBasis } from '#kit/server/workflow/basis-registry.ts'
import { prerequisiteBasis } from '../basis.contract.ts'
import { changeRegistrations } from './change.server.ts'

export const prerequisites = serveBasis(prerequisiteBasis, {
  from: 'registrations r join students s on s.id = r.student_id join courses c on c.id = r.course_id',
  id: 'r.id',
  // What has begun with control, was left or dropped meanwhile waits for nobody.
  where: 'running_requisite(r) is not null',
  student: 'r.student_id',
  named: `json_build_object('code', c.code, 'name', c.name, 'name_local', c.name_local)`,
  link: `'/students/' || r.student_id`,
  scope: (ctx) => studentReach(ctx, 's'),
  derived: true,
  renew: async (ctx, _tx, ids) => void (await changeRegistrations(ctx, ids, { action: 'remove' })),
  kept: async (ctx, tx, ids, reason) => {
    await sql`insert into registration_history (registration_id, student_id, offering_id, actor_id, impersonator_id, action, from_status,
        to_status, reason, overrides)
      select r.id, r.student_id, r.offering_id, ${ctx.actor?.user_id ?? null}::int, ${ctx.actor?.impersonator_id ?? null}::int, 'keep',
        r.status, r.status, ${reason}, jsonb_build_array(jsonb_build_object('code', 'prerequisites', 'reason', ${reason}::text))
      from registrations r where r.id = any(${[...ids]}::int[]) order by r.id`.execute(tx)
  },
  tells: {
    users: `array(select u from unnest(array[s.user_id, (select i.user_id from instructors i where i.id = s.advisor_id)]) u where u is not null)`,
    data: `json_build_object('course', c.code, 'name', c.name, 'name_local', c.name_local)`,
    link: `'/outdated-decisions'`,
  },
})
