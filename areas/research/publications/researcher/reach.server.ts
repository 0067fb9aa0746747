/** How researchers are bound to the university. */
import type { Ctx } from '#kit/server/base/context.ts'
import { isId } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'

/** The account is `u`: the own, or somebody's of the units that the reader reaches. */
export const researcherReach = (ctx: Ctx) => ({
  faculty: sql`coalesce((select i.faculty_id from instructors i where i.user_id = u.id), u.faculty_id)`,
  department: sql`coalesce((select i.department_id from instructors i where i.user_id = u.id), u.department_id)`,
  own: isId(sql`u.id`, ctx.actor?.user_id),
})
