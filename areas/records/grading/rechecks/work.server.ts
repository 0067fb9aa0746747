/** What waits of rechecks on home pages. */
import { scopeCondition } from '#kit/server/base/scope.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { sql } from 'kysely'
import { recheckReach } from './recheck.server.ts'

const WAITS = [
  ['review_recheck', 'requested'],
  ['decide_recheck', 'under_review'],
] as const
/** Requests that wait for who looks at them, and for who decides. */
export const recheckWork: readonly WorkSource[] = WAITS.map(([permission, status]) => ({
  permissions: [permission],
  waiting: (ctx) => sql`
    select ${`grading.work_${status}`}::text, jsonb_build_object('count', count(*)), '/control/grades_recheck'::text, min(t.created_at), null::timestamptz
    from grade_rechecks t where t.status = ${status} and t.removed_at is null
      and (${status}::text <> 'under_review' or t.new_mark is not null)
      and ${scopeCondition(ctx, permission, recheckReach(ctx))} having count(*) > 0`,
}))
