/** Who asks for something of the university: a student, or who works here by the account. Who asks pays. */
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Unit } from '#access/reach.contract.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { scopeCondition, type ScopeParts, type UnitPart } from '#kit/server/base/scope.ts'
import { sql, type RawBuilder } from 'kysely'
import { workerReach } from './others.server.ts'

/** One of the two: a student, or the account of who works here. */
export interface Asker {
  readonly student_id: number | null
  readonly staff_id: number | null
}

/** SQL: who asked for the record `t`: the student `s`, or the account `w`. */
export const ASKERS = sql.raw('left join students s on s.id = t.student_id left join users w on w.id = t.staff_id')
/** SQL of the account of who asked. */
export const ASKER_ACCOUNT = sql.raw('coalesce(s.user_id, w.id)')
/** SQL of how who asked stands: a student as the record says, who works here `working`, or `left`. */
export const ASKER_STATUS = `case when w.id is null then s.status
  when w.removed_at is null and w.blocked_at is null and w.type in (1, 2) then 'working' else 'left' end`

/** How people are bound to the university of whom some are students and some work here: the student under one name, the account under another. */
export function askerReach(ctx: Ctx, student = 's', staff = 'w'): ScopeParts {
  const first = studentReach(ctx, student)
  const second = workerReach(ctx, staff)
  const part = (one: UnitPart | undefined, ids: readonly number[]) =>
    one === undefined
      ? sql`false`
      : typeof one === 'function'
        ? one(ids)
        : sql`coalesce(${one} = any(${[...ids]}::int[]), false)`
  const both =
    (unit: Unit): UnitPart =>
    (ids) =>
      sql`(${part(first[unit], ids)} or ${part(second[unit], ids)})`
  return {
    ...first,
    faculty: both('faculty'),
    department: both('department'),
    bylaw: both('bylaw'),
    program: both('program'),
    own: sql`(${first.own} or ${second.own ?? sql`false`})`,
  }
}
/** SQL: whether who asked for a record is within reach of a right. */
export const reachedAsker = (ctx: Ctx, keys: Parameters<typeof scopeCondition>[1]): RawBuilder<unknown> =>
  scopeCondition(ctx, keys, askerReach(ctx))

interface Given {
  readonly student_id?: number | null | undefined
  readonly staff_id?: number | null | undefined
}
/** Who is told; else the person who asks: as a student, else as a member of staff where the right `asStaff` is held. */
export function askerFor(ctx: Ctx, { student_id, staff_id }: Given, asStaff: PermissionKey): Asker {
  if (student_id != null || staff_id != null) return { student_id: student_id ?? null, staff_id: staff_id ?? null }
  const own = ctx.actor?.student_id ?? null
  return { student_id: own, staff_id: own === null && ctx.can(asStaff) ? (ctx.actor?.user_id ?? null) : null }
}

/**
 * Holds who asks: two requests at the same moment come one after the other.
 *
 * @param key by which students ask, and others for them; `asStaff`: by which who works here asks
 * @param both code of the refusal where a student and somebody else are named
 * @throws {Refusal} 422 where it is not said who asks, or nobody is known so; 403 for whom the reader may not ask
 */
export async function holdAsker(
  ctx: Ctx,
  tx: Tx,
  { student_id, staff_id }: Asker,
  { key, asStaff, both }: { readonly key: PermissionKey; readonly asStaff: PermissionKey; readonly both: string },
): Promise<void> {
  if (student_id === null && staff_id === null) throw refuse(422, 'required', undefined, 'student_id')
  if (student_id !== null && staff_id !== null) throw refuse(422, both, undefined, 'staff_id')
  const { rows } =
    student_id === null
      ? await sql`select from users w where w.id = ${staff_id} and w.removed_at is null and w.type in (1, 2)
          and ${scopeCondition(ctx, [key, asStaff], workerReach(ctx, 'w'))} for no key update of w`.execute(tx)
      : await sql`select from students s where s.id = ${student_id} and s.removed_at is null
          and ${scopeCondition(ctx, key, studentReach(ctx, 's'))} for no key update of s`.execute(tx)
  if (rows.length) return
  const { rows: known } =
    student_id === null
      ? await sql`select from users where id = ${staff_id} and type in (1, 2)`.execute(tx)
      : await sql`select from students where id = ${student_id}`.execute(tx)
  throw known.length
    ? refuse(403, 'not_allowed')
    : refuse(422, 'reference_missing', undefined, student_id === null ? 'staff_id' : 'student_id')
}
