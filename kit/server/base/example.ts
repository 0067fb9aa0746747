import { sql } from 'kysely'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { isId, scopeCondition } from '#kit/server/base/scope.ts'
import { refOrNull } from '#kit/server/base/sql.ts'

/** A student with the advisor, if the caller reaches the student. */
export async function advisorOf(ctx: Ctx, id: number) {
  const reached = scopeCondition(ctx, 'show_students', {
    faculty: sql`t.faculty_id`,
    own: isId(sql`t.user_id`, ctx.actor?.user_id),
  })
  const { rows } = await sql<{ name: string; advisor: unknown }>`
    select t.name, ${refOrNull('i')} as advisor from students t left join instructors i on i.id = t.advisor_id
    where t.id = ${id} and ${reached}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}
