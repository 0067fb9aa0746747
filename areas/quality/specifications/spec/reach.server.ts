/** How specifications are bound to the university. */
import { taughtBy } from '#areas/common/academics/offering-reach.server.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import type { ScopeParts } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'

/** SQL of the faculty and the department to which the specification `t` belongs: where its course or program is now. */
const unitOf = (unit: 'faculty' | 'department'): string =>
  `coalesce((select uc.${unit}_id from courses uc where uc.id = t.course_id), (select up.${unit}_id from programs up where up.id = t.program_id))`
export const FACULTY_OF = unitOf('faculty')
export const DEPARTMENT_OF = unitOf('department')

/**
 * By faculty and department, by the program or a program with the course in its plan, to who teaches the course (in the year, the
 * one before it, or later) and who heads the department, and to the latter alone (`own`).
 */
export function specificationReach(
  ctx: Ctx,
): Required<Pick<ScopeParts, 'faculty' | 'department' | 'program' | 'taught' | 'own'>> {
  const instructor = ctx.actor?.instructor_id ?? null
  const heads =
    instructor === null
      ? sql`false`
      : sql`exists (select from departments hd where hd.id = ${sql.raw(DEPARTMENT_OF)} and hd.head_id = ${instructor})`
  return {
    faculty: sql.raw(FACULTY_OF),
    department: sql.raw(DEPARTMENT_OF),
    program: (ids) => sql`(coalesce(t.program_id = any(${ids}::int[]), false) or exists (select from program_courses pc
      where pc.course_id = t.course_id and pc.program_id = any(${ids}::int[])))`,
    taught:
      instructor === null
        ? sql`false`
        : sql`(exists (select from offerings o join terms w on w.id = o.term_id join years y on y.id = t.year_id
            where o.course_id = t.course_id and o.removed_at is null and w.end_date >= y.start_date - 365
              and ${taughtBy(instructor, 'o')}) or ${heads})`,
    own: heads,
  }
}
