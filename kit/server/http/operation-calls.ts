import { sql } from 'kysely'
import type { z } from 'zod'
import { operationCalls } from '#kit/contract/operations.contract.ts'
import type { operationRow } from '#kit/contract/operations.contract.ts'
import { handle } from '../base/context.ts'
import type { Ctx, Handled } from '../base/context.ts'
import { mayUndo, operationKind, operationKinds } from '../unit/operations.ts'
import type { Operation } from '../unit/operations.ts'
import { reachesAll } from '../base/scope.ts'
import { undoOperation } from '../unit/undo.ts'

type Shown = z.output<typeof operationRow>
const PAGE = 20

/** Own operations, and those of others where the reader holds their permission for the whole university. */
async function list(
  ctx: Ctx,
  kind: string | undefined,
  page: number,
): Promise<{ data: Shown[]; meta: { count: number } }> {
  const all = operationKinds().flatMap((one) => (reachesAll(ctx, one.permission) ? [one.kind] : []))
  const { rows } = await sql<Operation & Pick<Shown, 'by' | 'undone_by' | 'undone'> & { total: number; open: boolean }>`
    select o.id, o.kind, o.facts, o.counts, o.actor_id, o.at, o.expires_at, o.undone_at, o.undone, o.expires_at > now() as open, count(*) over ()::int as total,
      case when u.id is not null then json_build_object('name', u.name, 'name_local', u.name_local) end as by,
      case when b.id is not null then json_build_object('name', b.name, 'name_local', b.name_local) end as undone_by
    from operations o left join users u on u.id = o.actor_id left join users b on b.id = o.undone_by
    where (o.actor_id = ${ctx.actor?.user_id ?? null} or o.kind = any(${all})) and o.kind = any(${operationKinds().map((one) => one.kind)})
      ${kind === undefined ? sql`` : sql`and o.kind = ${kind}`}
    order by o.id desc limit ${PAGE} offset ${(page - 1) * PAGE}`.execute(ctx.db)
  return {
    data: rows.map(({ total: _total, open, actor_id, ...row }) => ({
      ...row,
      label: [...operationKind(row.kind)!.label],
      abilities: row.undone_at === null && open && mayUndo(ctx, { kind: row.kind, actor_id }) ? ['undo'] : [],
    })) as Shown[],
    meta: { count: rows[0]?.total ?? 0 },
  }
}

/** The calls about operations. */
export const operationHandlers: readonly Handled[] = [
  handle(operationCalls.listOperations, (ctx, { body }) => list(ctx, body.kind, body.page ?? 1)),
  handle(operationCalls.previewUndo, async (ctx, { params }) => ({
    data: (await undoOperation(ctx, params.id, true)) as never,
  })),
  handle(operationCalls.undoOperation, async (ctx, { params }) => ({
    data: (await undoOperation(ctx, params.id)) as never,
  })),
]
