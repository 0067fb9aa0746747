import { serveBasis } from '#kit/server/workflow/basis-registry.ts'
import { sql } from 'kysely'
import { levelBasis } from './basis.contract.ts'
import { decideAgain } from './results.server.ts'

/** Decided years whose results have changed; the decision is the year of a student. */
export const levelResultBasis = serveBasis(levelBasis, {
  from: `level_result_students t join level_results lr on lr.id = t.level_result_id join bylaws lb on lb.id = lr.bylaw_id
    join years ly on ly.id = lr.year_id`,
  id: 't.student_year_id',
  where: 't.applied',
  student: 't.student_id',
  named: `json_build_object('code', null, 'name', coalesce((select n.name from bylaw_levels n where n.bylaw_id = lr.bylaw_id
      and n.level = lr.level), 'Level ' || lr.level) || ' · ' || ly.name,
    'name_local', coalesce((select n.name_local from bylaw_levels n where n.bylaw_id = lr.bylaw_id
      and n.level = lr.level), 'المستوى ' || lr.level) || ' · ' || ly.name_local)`,
  link: `'/control/levels/' || lr.id`,
  scope: () => ({ faculty: sql.raw('lb.faculty_id'), bylaw: sql.raw('lb.id') }),
  // What the year stands on then is kept where it is decided.
  renew: (ctx, tx, ids) => decideAgain(ctx, tx, ids),
})
