/** For whom a service is asked: a student, or who works here. */
import { askerReach, workerReach } from '#areas/money/ledger/others.server.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'

/** One of the two: a student, or the account of who works here. */
export interface ServiceAsker {
  readonly student_id: number | null
  readonly staff_id: number | null
}
/** By which keys somebody asks: for others within reach, or as a member of staff for himself or herself. */
export const SERVICE_ASKS: readonly PermissionKey[] = ['add_service', 'ask_service_as_staff']

/** SQL: who asked for the request `t`: the student `s`, or the account `w`. */
export const SERVICE_ASKERS = sql.raw(
  'left join students s on s.id = t.student_id left join users w on w.id = t.staff_id',
)
/** SQL of the account of who asked. */
export const SERVICE_ACCOUNT = sql.raw('coalesce(s.user_id, w.id)')
/** Text of SQL: whether somebody works here, by the account `user`. */
export const WORK_STATUS = (user: string): string =>
  `case when ${user}.removed_at is null and ${user}.blocked_at is null and ${user}.type in (1, 2) then 'working' else 'left' end`

/** SQL: whether who asked for a request is within reach of a right. */
export const reachedAsker = (ctx: Ctx, keys: PermissionKey | readonly PermissionKey[]) =>
  scopeCondition(ctx, keys, askerReach(ctx, 's', 'w'))

/** Who is told, or the person who asks: as a student, else as a member of staff. */
export function serviceAskerFor(
  ctx: Ctx,
  { student_id, staff_id }: { readonly student_id?: number | undefined; readonly staff_id?: number | undefined },
): ServiceAsker {
  if (student_id !== undefined || staff_id !== undefined)
    return { student_id: student_id ?? null, staff_id: staff_id ?? null }
  const own = ctx.actor?.student_id ?? null
  return {
    student_id: own,
    staff_id: own === null && ctx.can('ask_service_as_staff') ? (ctx.actor?.user_id ?? null) : null,
  }
}

/**
 * Holds who asks: two requests at the same moment come one after the other.
 *
 * @throws {Refusal} 422 where it is not said who asks, or nobody is known so; 403 for whom the reader may not ask
 */
export async function holdAsker(ctx: Ctx, tx: Tx, { student_id, staff_id }: ServiceAsker): Promise<void> {
  if (student_id === null && staff_id === null) throw refuse(422, 'required', undefined, 'student_id')
  if (student_id !== null && staff_id !== null) throw refuse(422, 'service_whose', undefined, 'staff_id')
  const { rows } =
    student_id === null
      ? await sql`select from users w where w.id = ${staff_id} and w.removed_at is null and w.type in (1, 2)
          and ${scopeCondition(ctx, SERVICE_ASKS, workerReach(ctx, 'w'))} for no key update of w`.execute(tx)
      : await sql`select from students s where s.id = ${student_id} and s.removed_at is null
          and ${scopeCondition(ctx, 'add_service', studentReach(ctx, 's'))} for no key update of s`.execute(tx)
  if (rows.length) return
  const { rows: known } =
    student_id === null
      ? await sql`select from users where id = ${staff_id} and type in (1, 2)`.execute(tx)
      : await sql`select from students where id = ${student_id}`.execute(tx)
  throw known.length
    ? refuse(403, 'not_allowed')
    : refuse(422, 'reference_missing', undefined, student_id === null ? 'staff_id' : 'student_id')
}
