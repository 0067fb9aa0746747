import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { taughtBy } from './offering-reach.server.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { isId } from '#kit/server/base/scope.ts'
import type { ScopeParts } from '#kit/server/base/scope.ts'

/** Columns by their names: who reaches what is asked several times in most calls, and the same columns each time. */
const columns = new Map<string, RawBuilder<unknown>>()
function columnOf(name: string): RawBuilder<unknown> {
  let column = columns.get(name)
  if (!column) columns.set(name, (column = sql.ref(name)))
  return column
}

/**
 * How students are bound to the university, for queries of any area in which the student stands under `alias`: by faculty,
 * bylaw and program, by the department of the program, as the person's own record, by the advisor, and to whoever teaches
 * one of the student's offerings.
 *
 * @example scopeCondition(ctx, 'finish_term', studentReach(ctx, 's'))
 */
export function studentReach(ctx: Ctx, alias = 't'): Required<Omit<ScopeParts, 'supervised'>> {
  const s = (column: string) => columnOf(`${alias}.${column}`)
  const { student_id = null, instructor_id = null } = ctx.actor ?? {}
  return {
    faculty: s('faculty_id'),
    department: sql`(select pr.department_id from programs pr where pr.id = ${s('program_id')})`,
    bylaw: s('bylaw_id'),
    program: s('program_id'),
    own: isId(s('id'), student_id),
    advised: isId(s('advisor_id'), instructor_id),
    taught: sql`exists (select from registrations tr join offerings tof on tof.id = tr.offering_id
      where tr.student_id = ${s('id')} and ${taughtBy(instructor_id, 'tof')})`,
  }
}
