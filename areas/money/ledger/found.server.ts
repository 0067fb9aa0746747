import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import type { LookupSource } from '#kit/server/base/registry.ts'
import type { ScopeParts } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'
import { payerReach } from './reach.server.ts'

/** How rows `t` with a payer are bound to the university: as the payer is. */
const ofPayer = (ctx: Ctx): ScopeParts => {
  const within = (condition: unknown) =>
    sql`exists (select from payers p left join students s on s.id = p.student_id where p.id = t.payer_id and ${condition})`
  return Object.fromEntries(
    Object.entries(payerReach(ctx)).map(([kind, part]) => [
      kind,
      typeof part === 'function' ? (ids: readonly number[]) => within(part(ids)) : within(part),
    ]),
  )
}

/** SQL: a name of the payer of `r`. */
const payer = (column: 'name' | 'name_local') =>
  `(select coalesce(s.${column}, o.${column}, a.${column}, a.code, w.${column}, g.${column}) from payers p left join students s on s.id = p.student_id
    left join sponsors o on o.id = p.sponsor_id left join applicants a on a.id = p.applicant_id left join users w on w.id = p.user_id
    left join guests g on g.id = p.guest_id where p.id = r.payer_id)`

/** What is found by its number, and named by who pays: an invoice, a transaction. */
export const foundByNumber = (name: string, table: string, permission: PermissionKey): LookupSource => ({
  name,
  table,
  label: { name: payer('name'), name_local: payer('name_local'), code: 'r.number' },
  search: 'r.search_text',
  order: 'r.id desc',
  permission,
  scope: ofPayer,
})
