import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Ctx } from '#kit/server/base/context.ts'
import type { ScopeParts } from '#kit/server/base/scope.ts'

/**
 * How offerings are bound to the university, for queries of any area in which the offering stands under `alias`:
 * by its faculty and department, by the programs it is open to (all whose plan has the course, when none is named), by
 * their bylaws, and to its team (a meeting's instructor counts; so does the team of the offering it is linked to).
 *
 * @example scopeCondition(ctx, 'access_registration', { ...offeringReach(ctx, 'o'), own: sql`…` })
 */
export function offeringReach(
  ctx: Ctx,
  alias = 't',
): Required<Pick<ScopeParts, 'faculty' | 'department' | 'program' | 'bylaw' | 'taught'>> {
  const o = (column: string) => sql.ref(`${alias}.${column}`)
  const openTo = (programs: RawBuilder<unknown>) => sql`(
    exists (select from offering_programs op where op.offering_id = ${o('id')} and op.program_id in (${programs}))
    or (not exists (select from offering_programs op where op.offering_id = ${o('id')})
      and exists (select from program_courses pc where pc.course_id = ${o('course_id')} and pc.program_id in (${programs}))))`
  return {
    faculty: o('faculty_id'),
    department: o('department_id'),
    program: (ids) => openTo(sql`select unnest(${ids}::int[])`),
    bylaw: (ids) => openTo(sql`select p.id from programs p where p.bylaw_id = any(${ids}::int[])`),
    taught: taughtBy(ctx.actor?.instructor_id ?? null, alias),
  }
}

/** Offerings (under `alias`) that an instructor teaches, alone or in a meeting, also as part of the one they are linked to. */
export const taughtBy = (instructor_id: number | null | RawBuilder<unknown>, alias = 't'): RawBuilder<unknown> => {
  if (instructor_id === null) return sql`false`
  const ids = sql`in (${sql.ref(`${alias}.id`)}, ${sql.ref(`${alias}.linked_offering_id`)})`
  return sql`(exists (select from offering_instructors oi where oi.instructor_id = ${instructor_id} and oi.offering_id ${ids})
    or exists (select from offering_slot_instructors si join offering_slots os on os.id = si.offering_slot_id
      where si.instructor_id = ${instructor_id} and os.offering_id ${ids}))`
}
