/** How far the ledger is seen: all of it, or what concerns students within reach. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Access } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { reachesAll, scopeCondition } from '#kit/server/base/scope.ts'
import { sql, type RawBuilder } from 'kysely'

/** SQL: whether the student `alias` is within reach; of a payer without student, whether everything is. */
export const reachedStudent = (ctx: Ctx, access: Access, alias = 's'): RawBuilder<unknown> =>
  scopeCondition(ctx, access, studentReach(ctx, alias))

/** SQL: whether the entry `entry` concerns somebody within reach. */
export const reachedEntry = (ctx: Ctx, access: Access, entry: string): RawBuilder<unknown> =>
  reachesAll(ctx, access)
    ? sql`true`
    : sql`exists (select from ledger_postings rp join payers ry on ry.id = rp.payer_id join students rs on rs.id = ry.student_id
        where rp.entry_id = ${sql.ref(entry)} and ${reachedStudent(ctx, access, 'rs')})`

/** Books are the whole university's: a right over a part of it does not open them. @throws {Refusal} 403 */
export const requireWhole = (ctx: Ctx, key: PermissionKey): void => {
  if (!reachesAll(ctx, key)) throw refuse(403, 'not_allowed')
}
