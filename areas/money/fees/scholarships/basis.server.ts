import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { serveBasis } from '#kit/server/workflow/basis-registry.ts'
import { scholarshipBasis } from './basis.contract.ts'
import { judgeAgain } from './by-rule.server.ts'

/** Scholarships given by a rule whose results have changed. */
export const grantBasis = serveBasis(scholarshipBasis, {
  from: `scholarship_grants t join students gs on gs.id = t.student_id join scholarships gh on gh.id = t.scholarship_id
    join years gy on gy.id = t.year_id`,
  where: `t.status = 'applied'`,
  student: 't.student_id',
  named: `json_build_object('code', gh.code, 'name', gh.name || ' · ' || gy.name, 'name_local', gh.name_local || ' · ' || gy.name_local)`,
  link: `'/students/' || t.student_id`,
  scope: (ctx) => studentReach(ctx, 'gs'),
  renew: judgeAgain,
})
