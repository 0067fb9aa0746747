import { firstRow } from '#db/rows.ts'
import { sql } from 'kysely'
import { handle } from '#kit/server/base/context.ts'
import type { Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import type { Reason } from '#kit/server/base/errors.ts'
import { pagedList } from '#kit/server/resource/list.ts'
import type { LookupSource } from '#kit/server/base/registry.ts'
import { workings } from '#kit/server/resource/resource.ts'
import type { Values } from '#kit/server/resource/resource.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import { listQuery } from '#kit/contract/index.ts'
import { groupCalls, ticketGroup } from './group.contract.ts'

const groups = workings(ticketGroup, {
  beforeWrite: async (_ctx, tx, merged, current) => {
    const reasons: Reason[] = []
    if (String(merged.opens) >= String(merged.closes)) reasons.push({ field: 'closes', code: 'ticket_group_hours' })
    // Two levels are enough, and no group stands beneath itself.
    if (merged.parent_id) {
      const { rows } = await sql<{ nested: boolean; has_children: boolean }>`
        select p.parent_id is not null or p.id = ${current?.id ?? null}::int as nested,
          exists (select from ticket_groups c where c.parent_id = ${current?.id ?? null} and c.removed_at is null) as has_children
        from ticket_groups p where p.id = ${merged.parent_id} and p.removed_at is null for update of p`.execute(tx)
      if (!rows[0]) reasons.push({ field: 'parent_id', code: 'reference_missing' })
      else if (rows[0].nested || rows[0].has_children) reasons.push({ field: 'parent_id', code: 'ticket_group_levels' })
    }
    const members = (merged.members ?? []) as number[]
    if (members.length) {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from users
        where id = any(${members}::int[]) and type in (1, 2) and removed_at is null`.execute(tx)
      if (firstRow(rows).count < new Set(members).size)
        reasons.push({ field: 'members', code: 'ticket_member_works_here' })
    }
    if (reasons.length) throw new Refusal(422, reasons)
  },
  beforeRemove: async (_ctx, tx, id) => {
    const { rows } = await sql`select from tickets where group_id = ${id} limit 1`.execute(tx)
    if (rows.length) throw refuse(409, 'ticket_group_has_tickets')
  },
})

/** People who can be members: everybody who works here. */
export const memberLookup: LookupSource = {
  name: 'ticketMember',
  table: 'users',
  label: { name: 'r.name', name_local: 'r.name_local' },
  search: 'r.search_text',
  where: 'r.type in (1, 2) and r.removed_at is null',
  order: 'r.name, r.id',
  permission: ['add_ticketGroup', 'edit_ticketGroup', 'access_ticketGroup', 'show_ticketGroup'],
  scope: 'university',
}

export const groupHandlers: readonly Handled[] = [
  ...groups.handlers,
  handle(
    groupCalls.groupsToAsk,
    (ctx) =>
      pagedList(
        ctx,
        {
          from: sql`ticket_groups t left join ticket_groups p on p.id = t.parent_id`,
          select: sql`t.id, t.name, t.name_local, t.code, ${refOrNull('p')} as parent`,
          where: [
            sql`t.removed_at is null`,
            // Who nobody would answer is not asked.
            sql`exists (select from ticket_group_members m where m.group_id = t.id)`,
          ],
          sort: { name: 't.name' },
          order: ['name', 'asc'],
        },
        listQuery.parse({ perPage: 500 }),
      ) as never,
  ),
  handle(groupCalls.changeGroup, (ctx, { params: { id }, body }) =>
    ctx.write(async (tx) => {
      await groups.update(ctx, tx, id, body as Values)
      return { data: await groups.get(ctx, tx, id, 'public') }
    }),
  ),
]
