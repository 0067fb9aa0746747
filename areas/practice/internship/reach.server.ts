/** How what belongs to an internship year is bound to the university: by the faculty of the year, the intern, and who supervises. */
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'

/** SQL: the faculty of an internship year. */
export const facultyOfYear = (year: RawBuilder<unknown>) =>
  sql`(select y.faculty_id from emtyaz_years y where y.id = ${year})`
/** SQL: the reader is an intern of the year. */
const intern = (ctx: Ctx, year: RawBuilder<unknown>) =>
  ctx.actor?.student_id == null
    ? sql`false`
    : sql`exists (select from emtyaz_interns i where i.year_id = ${year} and i.student_id = ${ctx.actor.student_id} and i.removed_at is null)`
/** SQL: the reader supervises the training, on some of these days where they are told. */
const supervises = (ctx: Ctx, training: RawBuilder<unknown>, days: RawBuilder<unknown> = sql``) =>
  ctx.actor?.instructor_id == null
    ? sql`false`
    : sql`exists (select from emtyaz_training_instructors m where m.training_id = ${training} and m.instructor_id = ${ctx.actor.instructor_id}${days})`

/** The training is `t`. */
export const trainingReach = (ctx: Ctx) => ({
  faculty: facultyOfYear(sql`t.year_id`),
  own: intern(ctx, sql`t.year_id`),
  supervised: supervises(ctx, sql`t.id`),
})
/** The group of a rotation is `t`: of who supervises on one of its days. */
export const groupReach = (ctx: Ctx) => ({
  faculty: facultyOfYear(sql`(select r.year_id from emtyaz_trainings r where r.id = t.training_id)`),
  supervised: supervises(
    ctx,
    sql`t.training_id`,
    sql` and daterange(m.starts_on, m.ends_on, '[]') && daterange(t.starts_on, t.ends_on, '[]')`,
  ),
})

/** The same of a record's year, as it is written. @throws {Refusal} 422 where it is not within reach; 409 it is closed */
export async function holdYearOf(ctx: Ctx, tx: Tx, id: number, ...keys: PermissionKey[]): Promise<void> {
  try {
    await holdYear(ctx, tx, id, ...keys)
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) throw refuse(422, 'reference_missing', undefined, 'year_id')
    throw error
  }
}
/** A year within reach, held. @throws {Refusal} 404; 409 it is closed */
export async function holdYear(ctx: Ctx, tx: Tx, id: number, ...keys: PermissionKey[]): Promise<void> {
  const { rows } = await sql<{ is_closed: boolean }>`select t.is_closed from emtyaz_years t
    where t.id = ${id} and t.removed_at is null and ${scopeCondition(ctx, keys, { faculty: sql`t.faculty_id` })} for share`.execute(
    tx,
  )
  if (!rows[0]) throw refuse(404, 'not_found')
  if (rows[0].is_closed) throw refuse(409, 'emtyaz_closed')
}
