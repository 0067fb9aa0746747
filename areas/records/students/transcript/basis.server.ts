import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { serveBasis } from '#kit/server/workflow/basis-registry.ts'
import { paperBasis } from './basis.contract.ts'
import { studentPapers } from './transcript.contract.ts'

/** Valid papers of students on which something stands that has changed. */
export const studentPaperBasis = serveBasis(paperBasis, {
  from: 'papers t join students ps on ps.id = t.subject_id',
  where: `t.subject = '${studentPapers.subject}' and t.revoked_at is null`,
  student: 't.subject_id',
  named: `json_build_object('code', t.serial, 'name', t.title, 'name_local', t.title_local)`,
  link: `'/students/' || t.subject_id || '?tab=papers'`,
  scope: (ctx) => studentReach(ctx, 'ps'),
})
