/** How course files are bound to the university: as their offerings are. */
import { offeringReach } from '#areas/common/academics/offering-reach.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { scopeCondition, type UnitPart } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { OPEN_STATES } from './course-file.rules.ts'

const of = (column: string) => sql`(select o.${sql.raw(column)} from offerings o where o.id = t.offering_id)`
const within = (condition: RawBuilder<unknown>) =>
  sql`exists (select from offerings o where o.id = t.offering_id and ${condition})`

/** The course file is `t`. */
export const courseFileReach = (ctx: Ctx) => {
  const parts = offeringReach(ctx, 'o')
  const among = (part: UnitPart) => (ids: readonly number[]) =>
    within(typeof part === 'function' ? part(ids) : sql`${part} = any(${[...ids]}::int[])`)
  return {
    faculty: of('faculty_id'),
    department: of('department_id'),
    program: among(parts.program),
    bylaw: among(parts.bylaw),
    taught: within(parts.taught),
  }
}

/** SQL of the accounts of the team of the offering of a course file `t`. */
export const TEAM = `array(select distinct i.user_id from offering_instructors m join instructors i on i.id = m.instructor_id
  where m.offering_id = t.offering_id and i.user_id is not null)`

/** A course file within reach. @throws {Refusal} 404 */
export async function findCourseFile(
  ctx: Ctx,
  db: Db | Tx,
  id: number,
  keys: PermissionKey | readonly PermissionKey[] = 'access_courseFile',
): Promise<{ offering_id: number; status: string; mine: boolean }> {
  const { rows } = await sql<{ offering_id: number; status: string; mine: boolean }>`
    select t.offering_id, t.status, ${scopeCondition(ctx, 'fill_courseFile', courseFileReach(ctx))} as mine
    from course_files t where t.id = ${id} and t.removed_at is null and ${scopeCondition(ctx, keys, courseFileReach(ctx))}`.execute(
    db,
  )
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  return row
}

/**
 * Holds a course file in which something is changed: what is handed in waits, and nobody decides meanwhile.
 * @throws {Refusal} 404; 409 where it is handed in
 */
export async function holdToFill(ctx: Ctx, tx: Tx, id: number): Promise<{ offering_id: number }> {
  await sql`select from course_files where id = ${id} for update`.execute(tx)
  const { offering_id, status } = await findCourseFile(ctx, tx, id, 'fill_courseFile')
  if (!OPEN_STATES.has(status)) throw refuse(409, 'course_file_closed')
  return { offering_id }
}
