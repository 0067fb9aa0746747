/** What waits for instructors and control: marks that are missing, offerings that wait for the next step. */
import { sql } from 'kysely'
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import { groupOfOffering } from '#areas/common/academics/window-reach.server.ts'
import { offeringReach, taughtBy } from '#areas/common/academics/offering-reach.server.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { listedMains, maskOf } from '../grades/grades.rules.ts'
import { control } from './flow.contract.ts'

const controlTerm = sql`coalesce(${currentTermId('current_control_term')}, ${currentTermId()})`
/** Marks that are submitted wait for these, each in the state it is taken from. */
const FORWARD = [
  ['review', 'Submitted'],
  ['approve', 'Reviewed'],
  ['publish', 'Approved'],
] as const

export const gradingWork: readonly WorkSource[] = [
  {
    permissions: ['enter_marks'],
    // Marks are entered while their stage is open, for the faculty where one is set for it.
    waiting: (ctx) => sql`
      select 'grading.work_marks', jsonb_build_object('course', c.name, 'course_local', c.name_local, 'count', m.missing),
        '/offerings/grades/' || o.id, w.starts_at, w.ends_at
      from offerings o join courses c on c.id = o.course_id
        cross join lateral (select x.starts_at, x.ends_at from term_stages x join stage_codes k on k.id = x.stage_code_id and k.code = 'grade_entry'
            left join stage_groups g on g.id = x.stage_group_id
          where x.term_id = o.term_id and x.removed_at is null and now() >= x.starts_at and now() < x.ends_at
            and ${sql.raw(groupOfOffering('g', 'o'))} order by x.ends_at desc limit 1) w
        cross join lateral (select count(*) as missing from registrations r
          where r.offering_id = o.id and r.letter is null and r.status & ${sql.raw(maskOf(listedMains))} <> 0) m
      where o.removed_at is null and o.control_status = 'Draft' and ${taughtBy(ctx.actor?.instructor_id ?? null, 'o')} and m.missing > 0`,
  },
  ...FORWARD.map(([action, from]): WorkSource => {
    const { permission } = control.actions[action]
    return {
      permissions: [permission].flat(),
      waiting: (ctx) => sql`
        select ${`grading.work_${action}`}::text, jsonb_build_object('count', count(*)),
          '/control/offerings?filters=' || ${encodeURIComponent(JSON.stringify({ control_status: [from] }))}::text,
          min((select max(h.at) from step_history h where h.workflow = ${control.name} and h.record_id = o.id)), null::timestamptz
        from offerings o where o.term_id = ${controlTerm} and o.removed_at is null and o.control_status = ${from}
          and ${scopeCondition(ctx, permission, offeringReach(ctx, 'o'))} having count(*) > 0`,
    }
  }),
]
