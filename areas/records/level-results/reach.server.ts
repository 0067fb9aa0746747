import { sql } from 'kysely'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'

/** The condition on levels: they are bound to the bylaw, which stands under `alias`. */
export const levelScope = (ctx: Ctx, access: PermissionKey, alias = 'b') =>
  scopeCondition(ctx, access, { faculty: sql.ref(`${alias}.faculty_id`), bylaw: sql.ref(`${alias}.id`) })
