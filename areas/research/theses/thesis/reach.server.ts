/** How theses are bound to the university: by the student, the department, and who is on the team. */
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { isId, scopeCondition } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'

const ofStudent = (column: string) => sql`(select s.${sql.raw(column)} from students s where s.id = t.student_id)`
const onTeam = (ctx: Ctx, jobs: RawBuilder<unknown>) => {
  const id = ctx.actor?.instructor_id ?? null
  return id === null
    ? sql`false`
    : sql`exists (select from thesis_members m where m.thesis_id = t.id and m.until_date is null and m.instructor_id = ${id}${jobs})`
}
/** The thesis is `t`. */
export const thesisReach = (ctx: Ctx) => ({
  faculty: ofStudent('faculty_id'),
  department: sql`t.department_id`,
  bylaw: ofStudent('bylaw_id'),
  program: ofStudent('program_id'),
  own: isId(sql`t.student_id`, ctx.actor?.student_id),
  supervised: onTeam(ctx, sql``),
})
/** The same for what only those do who supervise: not the committee, nor observers. */
export const supervisingReach = (ctx: Ctx) => ({
  ...thesisReach(ctx),
  supervised: onTeam(ctx, sql` and m.job in ('leader', 'member')`),
})
const SUPERVISING_KEYS: ReadonlySet<string> = new Set<PermissionKey>(['register_thesis', 'supervise_thesis'])
/** How far a right reaches. */
const reachOf = (ctx: Ctx, key: PermissionKey) => (SUPERVISING_KEYS.has(key) ? supervisingReach(ctx) : thesisReach(ctx))
/** SQL: the reader holds one of the rights for the thesis `t`. */
export const mayThesis = (ctx: Ctx, ...keys: PermissionKey[]): RawBuilder<unknown> =>
  sql`(${sql.join(
    keys.map((key) => scopeCondition(ctx, key, reachOf(ctx, key))),
    sql` or `,
  )})`

export interface HeldThesis {
  readonly id: number
  readonly student_id: number
  readonly status: string
  readonly version: number
}
/** A thesis within reach of one of the rights. @throws {Refusal} 404 */
export async function findThesis(ctx: Ctx, db: Db | Tx, id: number, ...keys: PermissionKey[]): Promise<HeldThesis> {
  const { rows } = await sql<HeldThesis>`select t.id, t.student_id, t.status, t.version from theses t
    where t.id = ${id} and t.removed_at is null and ${mayThesis(ctx, ...keys)}`.execute(db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}
/** The same, held: nobody moves it on meanwhile. @throws {Refusal} 404 */
export async function holdThesis(ctx: Ctx, tx: Tx, id: number, ...keys: PermissionKey[]): Promise<HeldThesis> {
  await sql`select from theses where id = ${id} for update`.execute(tx)
  return findThesis(ctx, tx, id, ...keys)
}
/** Who saw it before sees that it is another one now. */
export const touchThesis = (tx: Tx, id: number) =>
  sql`update theses set updated_at = now() where id = ${id}`.execute(tx)

/** SQL of the accounts of the student and of who supervises the thesis `t`. */
export const THESIS_CONCERNED = `array(select s.user_id from students s where s.id = t.student_id and s.user_id is not null
  union select i.user_id from thesis_members m join instructors i on i.id = m.instructor_id
  where m.thesis_id = t.id and m.until_date is null and m.job in ('leader', 'member') and i.user_id is not null)`
