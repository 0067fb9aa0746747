/** Rows of finished terms, as far as what they stand on has changed: kept with the rows, and shown with everything that is outdated. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { basisSql } from '#areas/records/degree-audit/audits/basis.server.ts'
import { serveBasis } from '#kit/server/workflow/basis-registry.ts'
import { sql } from 'kysely'
import { eligibilityBasis, termRowBasis } from '../basis.contract.ts'

const ofStudent = {
  from: 'students s',
  id: 's.id',
  where: 's.removed_at is null',
  student: 's.id',
  named: `json_build_object('code', s.code, 'name', s.name, 'name_local', s.name_local)`,
  link: `'/students/' || s.id`,
  scope: (ctx: Parameters<typeof studentReach>[0]) => studentReach(ctx, 's'),
}

export const termRows = serveBasis(termRowBasis, {
  ...ofStudent,
  outdated: sql`select student_id as decision_id, min(revised_since) as since from student_terms where revised_since is not null group by 1`,
})
export const eligibilities = serveBasis(eligibilityBasis, {
  ...ofStudent,
  outdated: sql.raw(`select t.id as decision_id, x.finished_at as since from students t cross join lateral (
      select y.* from student_terms y join terms w on w.id = y.term_id where y.student_id = t.id order by w.start_date desc, w.id desc limit 1) x
    where x.revised_since is null and t.status in ('studying', 'suspended') and x.graduation_basis is not null
      and x.graduation_basis <> ${basisSql('t')}`),
  // Finding all of them would compute each: the list of a term tells them, and the record of a student.
  ofOne: true,
})
