/** The board of an internship year: one statement, whatever it shows. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { BOARD_STATES, rotationBoardCalls, type RotationBoard } from './board.contract.ts'

/** SQL: which of the states a rotation `r` is in, by its place. */
const STATE = sql.raw(
  `case ${BOARD_STATES.map((state, i) => {
    const is = {
      passed: `r.outcome = 'passed'`,
      failed: `r.outcome = 'failed'`,
      interrupted: `r.outcome = 'interrupted'`,
      requested: `r.status = 'requested'`,
      added: `r.status = 'added'`,
      begun: `r.status = 'accepted' and r.outcome is null and r.starts_on <= university_today()`,
      accepted: `r.status = 'accepted' and r.outcome is null and r.starts_on > university_today()`,
    }[state]
    return `when ${is} then ${i}`
  }).join(' ')} end`,
)

/** SQL: the reader may look at the year `y`: its faculty, or an intern of it. */
const looked = (ctx: Ctx) =>
  sql`(${scopeCondition(ctx, 'access_emtyazIntern', { faculty: sql`y.faculty_id` })} or exists (select from emtyaz_interns i
    join students s on s.id = i.student_id where i.year_id = y.id and i.removed_at is null and ${scopeCondition(ctx, 'access_emtyazIntern', studentReach(ctx, 's'))}))`

async function readBoard(ctx: Ctx, id: number): Promise<RotationBoard> {
  const { rows } = await sql<RotationBoard>`
    with shown as materialized (select i.id, i.student_id, i.joined_on, i.completed_on, s.code, s.name, s.name_local
      from emtyaz_interns i join students s on s.id = i.student_id
      where i.year_id = ${id} and i.removed_at is null and ${scopeCondition(ctx, 'access_emtyazIntern', studentReach(ctx, 's'))})
    select json_build_object('id', y.id, 'name', y.name, 'name_local', y.name_local, 'code', y.code, 'starts_on', y.starts_on,
        'weeks', y.periods * y.period_weeks, 'period_weeks', y.period_weeks, 'is_closed', y.is_closed) as year,
      university_today()::text as today,
      (select json_agg(${ref('x')} order by x.starts_on desc, x.id) from emtyaz_years x where x.removed_at is null and (x.id = y.id
        or ${scopeCondition(ctx, 'access_emtyazIntern', { faculty: sql`x.faculty_id` })})) as years,
      coalesce((select json_agg(json_build_object('id', c.id, 'name', c.name, 'name_local', c.name_local, 'code', c.code, 'is_elective', c.is_elective)
          order by c.is_elective, c.code, c.id) from emtyaz_courses c where exists (select from emtyaz_training_types p
          join emtyaz_trainings t on t.type_id = p.id where p.course_id = c.id and t.year_id = y.id and t.removed_at is null)), '[]') as courses,
      coalesce((select json_agg(json_build_object('id', p.id, 'name', p.name, 'name_local', p.name_local, 'code', p.code, 'course_id', p.course_id) order by p.id)
        from emtyaz_training_types p where exists (select from emtyaz_trainings t where t.type_id = p.id and t.year_id = y.id and t.removed_at is null)), '[]') as types,
      coalesce((select json_agg(${ref('h')} order by h.code, h.id) from emtyaz_hospitals h
        where exists (select from emtyaz_trainings t where t.hospital_id = h.id and t.year_id = y.id and t.removed_at is null)), '[]') as hospitals,
      coalesce((select json_agg(json_build_object('id', t.id, 'name', t.name, 'name_local', t.name_local, 'code', t.code, 'type_id', t.type_id,
          'hospital_id', t.hospital_id, 'places', t.places, 'withdrawn_from', t.withdrawn_from, 'days', coalesce((select json_agg(json_build_object(
            'starts_on', d.starts_on, 'ends_on', d.ends_on, 'places', d.places) order by d.starts_on) from emtyaz_training_places d where d.training_id = t.id), '[]')) order by t.id)
        from emtyaz_trainings t where t.year_id = y.id and t.removed_at is null), '[]') as trainings,
      coalesce((select json_agg(json_build_object('id', s.student_id, 'name', s.name, 'name_local', s.name_local, 'code', s.code, 'intern_id', s.id,
          'joined_on', s.joined_on, 'completed', s.completed_on is not null) order by s.code, s.id) from shown s), '[]') as interns,
      coalesce((select json_agg(json_build_array(r.id, r.student_id, r.training_id, r.starts_on - y.starts_on,
          greatest(1, coalesce(r.interrupted_on, r.ends_on) - r.starts_on + 1), ${STATE}, r.is_locked) order by r.student_id, r.starts_on, r.id)
        from emtyaz_rotations r join shown s on s.student_id = r.student_id
        where r.year_id = y.id and r.removed_at is null and r.status in ('requested', 'added', 'accepted')), '[]') as rotations,
      coalesce((select json_agg(json_build_array(r.training_id, r.starts_on - y.starts_on,
          greatest(1, coalesce(r.interrupted_on, r.ends_on) - r.starts_on + 1)) order by r.training_id, r.starts_on)
        from emtyaz_rotations r where r.year_id = y.id and r.removed_at is null and r.status = 'accepted'
          and not exists (select from shown s where s.student_id = r.student_id)), '[]') as others,
      coalesce((select json_agg(json_build_array(s.student_id, l.starts_on - y.starts_on, l.ends_on - l.starts_on + 1) order by s.student_id, l.starts_on)
        from emtyaz_leaves l join shown s on s.id = l.intern_id), '[]') as leaves,
      ${scopeCondition(ctx, 'plan_rotation', { faculty: sql`y.faculty_id` })} as plans
    from emtyaz_years y where y.id = ${id} and y.removed_at is null and ${looked(ctx)}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}

export const rotationBoardHandlers: readonly Handled[] = [
  handle(rotationBoardCalls.rotationBoard, async (ctx, { params: { id } }) => ({ data: await readBoard(ctx, id) })),
]
