/** Reads an internship year as it is planned: one statement. */
import type { Db, Tx } from '#db/connect.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { sql } from 'kysely'
import type { PlannedYear } from './year.rules.ts'

/** @throws {Refusal} 404 */
export async function readPlannedYear(db: Db | Tx, year_id: number): Promise<PlannedYear> {
  const { rows } = await sql<{ year: PlannedYear }>`
    select json_build_object('today', university_today(), 'starts_on', y.starts_on, 'periods', y.periods, 'period_weeks', y.period_weeks,
      'electives', y.electives, 'leave_days', y.leave_days,
      'types', (select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name, 'name_local', p.name_local, 'is_elective', c.is_elective,
          'weeks', p.weeks, 'bylaw_id', c.bylaw_id) order by p.id), '[]')
        from emtyaz_training_types p join emtyaz_courses c on c.id = p.course_id
        where c.faculty_id = y.faculty_id and p.removed_at is null and c.removed_at is null),
      'trainings', (select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'name_local', t.name_local, 'type_id', t.type_id,
          'hospital_id', t.hospital_id, 'places', t.places, 'withdrawn_from', t.withdrawn_from,
          'days', coalesce((select json_agg(json_build_object('starts_on', d.starts_on, 'ends_on', d.ends_on, 'places', d.places) order by d.starts_on)
            from emtyaz_training_places d where d.training_id = t.id), '[]')) order by t.id), '[]')
        from emtyaz_trainings t where t.year_id = y.id and t.removed_at is null),
      'interns', (select coalesce(json_agg(json_build_object('student_id', i.student_id, 'name', s.name, 'name_local', s.name_local,
          'bylaw_id', s.bylaw_id, 'joined_on', i.joined_on, 'with_student_id', i.with_student_id,
          'wishes', coalesce((select json_agg(w.type_id order by w.position) from emtyaz_wishes w where w.intern_id = i.id), '[]'),
          'leaves', coalesce((select json_agg(json_build_object('starts_on', l.starts_on, 'ends_on', l.ends_on) order by l.starts_on)
            from emtyaz_leaves l where l.intern_id = i.id), '[]')) order by i.student_id), '[]')
        from emtyaz_interns i join students s on s.id = i.student_id
        where i.year_id = y.id and i.removed_at is null and i.completed_on is null),
      'rotations', (select coalesce(json_agg(json_build_object('id', r.id, 'student_id', r.student_id, 'training_id', r.training_id,
          'type_id', r.type_id, 'starts_on', r.starts_on, 'ends_on', r.ends_on, 'interrupted_on', r.interrupted_on, 'status', r.status,
          'outcome', r.outcome, 'is_makeup', r.is_makeup, 'is_locked', r.is_locked) order by r.id), '[]')
        from emtyaz_rotations r where r.year_id = y.id and r.removed_at is null and r.status in ('requested', 'added', 'accepted'))
    ) as year from emtyaz_years y where y.id = ${year_id}`.execute(db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0].year
}
