/** How publications are bound to the university: by where their members belonged when they were named. */
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { scopeCondition, type ScopeParts } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'

const among = (unit: 'faculty' | 'department') => (ids: readonly number[]) =>
  sql`exists (select from publication_members rm where rm.publication_id = t.id and rm.${sql.ref(`${unit}_id`)} = any(${[...ids]}::int[]))`
/** SQL of the unit of the first member of the university of the publication `t`. */
export const unitOfFirst = (unit: 'faculty' | 'department'): string =>
  `(select fm.${unit}_id from publication_members fm where fm.publication_id = t.id and fm.${unit}_id is not null order by fm.position limit 1)`

/** The publication is `t`; the own are those that the person entered, or is a member of. */
export function publicationReach(ctx: Ctx): Required<Pick<ScopeParts, 'faculty' | 'department' | 'own'>> {
  const person = ctx.actor?.user_id ?? null
  return {
    faculty: among('faculty'),
    department: among('department'),
    own:
      person === null
        ? sql`false`
        : sql`(coalesce(t.created_by = ${person}, false) or exists (select from publication_members om
            where om.publication_id = t.id and om.user_id = ${person}))`,
  }
}

/** Holds a publication in which something is changed, within reach. @throws {Refusal} 404; 409 where it was merged or removed */
export async function holdPublication(
  ctx: Ctx,
  tx: Tx,
  id: number,
  key: PermissionKey = 'edit_publication',
): Promise<{ status: string; title: string }> {
  await sql`select from publications where id = ${id} for update`.execute(tx)
  const { rows } = await sql<{ status: string; title: string; removed: boolean; merged_into_id: number | null }>`
    select t.status, coalesce(t.title, t.title_local) as title, t.removed_at is not null as removed, t.merged_into_id
    from publications t where t.id = ${id} and ${scopeCondition(ctx, key, publicationReach(ctx))}`.execute(tx)
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  if (row.merged_into_id !== null) throw refuse(409, 'publication_merged')
  if (row.removed) throw refuse(409, 'removed_record')
  return row
}

/** Publications within reach, held in the order of their ids: two who change the same wait for each other. */
export async function findPublication(
  ctx: Ctx,
  db: Db | Tx,
  id: number,
  key: PermissionKey | readonly PermissionKey[] = 'show_publication',
): Promise<{ writes: boolean }> {
  const { rows } = await sql<{ writes: boolean }>`
    select ${scopeCondition(ctx, 'edit_publication', publicationReach(ctx))} as writes from publications t
    where t.id = ${id} and ${scopeCondition(ctx, key, publicationReach(ctx))}`.execute(db)
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  return row
}
