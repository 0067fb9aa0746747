import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import type { LookupSource } from '#kit/server/base/registry.ts'
import type { ScopeParts } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'

/** How rows `t` with a payer are bound to the university: as the payer's student is; of a sponsor to all of it. */
const payerReach = (ctx: Ctx): ScopeParts =>
  Object.fromEntries(
    Object.entries(studentReach(ctx, 's')).map(([kind, part]) => [
      kind,
      sql`(select ${part} from payers p join students s on s.id = p.student_id where p.id = t.payer_id)`,
    ]),
  )

/** SQL: a name of the payer of `r`. */
const payer = (column: 'name' | 'name_local') =>
  `(select coalesce(s.${column}, o.${column}) from payers p left join students s on s.id = p.student_id left join sponsors o on o.id = p.sponsor_id
    where p.id = r.payer_id)`

/** What is found by its number, and named by who pays: an invoice, a transaction. */
export const foundByNumber = (name: string, table: string, permission: PermissionKey): LookupSource => ({
  name,
  table,
  label: { name: payer('name'), name_local: payer('name_local'), code: 'r.number' },
  search: 'r.search_text',
  order: 'r.id desc',
  permission,
  scope: payerReach,
})
