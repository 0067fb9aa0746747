/** Payers without a record of a student: who works here, and guests; found, and held for whoever moves their money. */
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import type { LookupSource } from '#kit/server/base/registry.ts'
import { isId, reachesAll, scopeCondition, type ScopeParts } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'
import { refuseOwn } from './own.server.ts'
import { holdPayers, payerOfGuest, payerOfStaff } from './post.server.ts'
import { reachedPayer, staffCodeText } from './reach.server.ts'
import type { NamedPayer } from './payer.contract.ts'

/** Text of SQL: in which faculty, or department, the account `user` works; null: for the whole university. */
export const workplaceText = (user: string, unit: 'faculty_id' | 'department_id' = 'faculty_id'): string =>
  `coalesce(${user}.${unit}, (select wi.${unit} from instructors wi where wi.user_id = ${user}.id and wi.removed_at is null))`

/** How who works here is bound to the university: to the faculty and department of the work, and to himself or herself. */
export const workerReach = (ctx: Ctx, user = 'u'): ScopeParts => ({
  faculty: sql.raw(workplaceText(user)),
  department: sql.raw(workplaceText(user, 'department_id')),
  own: isId(sql.ref(`${user}.id`), ctx.actor?.user_id),
})

/** Who works here, chosen by who charges or asks for something on behalf of him or her. */
export const staffLookup: LookupSource = {
  name: 'staff',
  table: 'users',
  label: { name: 'r.name', name_local: 'r.name_local', code: staffCodeText('r') },
  search: 'r.search_text',
  where: 'r.type in (1, 2) and r.removed_at is null',
  permission: ['issue_invoice', 'add_hotel', 'edit_hotel', 'add_service', 'add_certificate', 'edit_certificateSetting'],
  scope: (ctx) => workerReach(ctx, 't'),
}

/**
 * The payer that somebody who works here or a guest is, within reach of a right, for an invoice that is issued now; with the faculty
 * in which he or she works.
 *
 * @throws {Refusal} 404 for who is not within reach; 403 `own_money`
 */
export async function otherPayerFor(
  ctx: Ctx,
  tx: Tx,
  { staff_id, guest_id }: NamedPayer,
  key: PermissionKey,
): Promise<{ payer_id: number; faculty_id: number | null }> {
  if (staff_id != null) {
    const { rows } = await sql<{
      faculty_id: number | null
    }>`select ${sql.raw(workplaceText('u'))} as faculty_id from users u
      where u.id = ${staff_id} and u.type in (1, 2) and u.removed_at is null and ${scopeCondition(ctx, key, workerReach(ctx))}`.execute(
      tx,
    )
    if (!rows[0]) throw refuse(404, 'not_found')
    const payer_id = await payerOfStaff(tx, staff_id)
    await refuseOwn(ctx, tx, sql`${payer_id}::int`)
    return { payer_id, faculty_id: rows[0].faculty_id }
  }
  const { rows } = await sql`select from guests where id = ${guest_id ?? null}::int and removed_at is null`.execute(tx)
  if (!rows.length || guest_id == null || !reachesAll(ctx, key)) throw refuse(404, 'not_found')
  return { payer_id: await payerOfGuest(tx, guest_id), faculty_id: null }
}

/**
 * The same of who is a payer already, held: for whoever moves the money at a desk.
 *
 * @throws {Refusal} 404 for who was never charged or is not within reach; 403 `own_money`
 */
export async function holdOtherPayer(ctx: Ctx, tx: Tx, named: NamedPayer, key: PermissionKey): Promise<number> {
  const { rows } = await sql<{ id: number }>`select p.id from payers p left join students s on s.id = p.student_id
    where p.main and (p.user_id = ${named.staff_id ?? null}::int or p.guest_id = ${named.guest_id ?? null}::int) and ${reachedPayer(ctx, key)}`.execute(
    tx,
  )
  const [found] = rows
  if (!found) throw refuse(404, 'not_found')
  await refuseOwn(ctx, tx, sql`${found.id}::int`)
  await holdPayers(tx, sql`${found.id}::int`)
  return found.id
}
