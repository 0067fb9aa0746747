import { parseHundredths, type Hundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse, type Reason } from '#kit/server/base/errors.ts'
import { serveResource } from '#kit/server/resource/resource.ts'
import { reachesAll, scopeCondition } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'
import { checkScheme } from '../grading.rules.ts'
import { mark, markCategory, type SchemeItem } from './mark.contract.ts'

/** What is for every bylaw is changed by who reaches all of them; what is for one, by who reaches that one. */
async function requireBylaw(ctx: Ctx, tx: Tx, key: PermissionKey, bylaw_id: number | null): Promise<void> {
  if (reachesAll(ctx, key)) return
  if (bylaw_id === null) throw refuse(403, 'bylaw_not_reached', undefined, 'bylaw_id')
  const { rows } = await sql`select from bylaws b where b.id = ${bylaw_id}
    and ${scopeCondition(ctx, key, { faculty: sql`b.faculty_id`, bylaw: sql`b.id` })}`.execute(tx)
  if (!rows.length) throw refuse(403, 'bylaw_not_reached', undefined, 'bylaw_id')
}

const bylawId = (values: Readonly<Record<string, unknown>> | null): number | null =>
  (values?.bylaw_id as number | null | undefined) ?? null

/** Checks that who writes a row reaches the bylaw it is for, before and after. */
const guarded = (
  table: 'marks' | 'mark_categories',
  edit: PermissionKey,
  add: PermissionKey,
  remove: PermissionKey,
) => ({
  async beforeWrite(ctx: Ctx, tx: Tx, merged: Record<string, unknown>, current: Record<string, unknown> | null) {
    if (current) await requireBylaw(ctx, tx, edit, bylawId(current))
    await requireBylaw(ctx, tx, current ? edit : add, bylawId(merged))
  },
  async beforeRemove(ctx: Ctx, tx: Tx, id: number) {
    const { rows } = await sql<{
      bylaw_id: number | null
    }>`select bylaw_id from ${sql.table(table)} where id = ${id}`.execute(tx)
    await requireBylaw(ctx, tx, remove, bylawId(rows[0] ?? null))
  },
})

const categoryGuard = guarded('mark_categories', 'edit_markCategory', 'add_markCategory', 'remove_markCategory')
const markGuard = guarded('marks', 'edit_mark', 'add_mark', 'remove_mark')

/**
 * The categories of a scheme as the tables hold them, checked: they exist, are of this bylaw or of all, appear once, one
 * is the final exam, and the maxima sum exactly. All that is wrong is said together.
 *
 * @param bylaws of whom the scheme is for; null: for every bylaw
 * @param whole what the maxima must sum to
 */
export async function checkItems(
  tx: Tx,
  items: readonly SchemeItem[],
  bylaws: readonly number[] | null,
  whole: Hundredths = 10000,
): Promise<void> {
  const { rows } = await sql<{ id: number; code: string; bylaw_id: number | null; is_final_exam: boolean }>`
    select id, code, bylaw_id, is_final_exam from mark_categories
    where id = any(${items.map((item) => item.mark_category_id)}::int[]) and removed_at is null`.execute(tx)
  const known = new Map(rows.map((row) => [row.id, row]))
  const reasons: Reason[] = items.flatMap((item, i): Reason[] => {
    const field = `items.${i}.mark_category_id`
    const category = known.get(item.mark_category_id)
    if (!category) return [{ field, code: 'scheme_category_unknown' }]
    const fits = category.bylaw_id === null || (bylaws !== null && bylaws.includes(category.bylaw_id))
    return fits ? [] : [{ field, code: 'scheme_category_bylaw', data: { category: category.code } }]
  })
  const categories = items.map((item) => ({
    id: item.mark_category_id,
    maximum: parseHundredths(item.max) ?? Number.NaN,
    final_exam: known.get(item.mark_category_id)?.is_final_exam ?? false,
  }))
  const problems = checkScheme({ categories }, whole)
  for (const problem of problems) {
    reasons.push({
      ...problem,
      field: problem.field?.replace(/^categories/, 'items').replace(/maximum$/, 'max') ?? 'items',
    })
  }
  if (reasons.length) throw new Refusal(422, reasons)
}

const itemsJson = `coalesce((select json_agg(json_build_object('mark_category_id', k.id, 'max', i.max::text,
    'category', json_build_object('id', k.id, 'name', k.name, 'name_local', k.name_local, 'code', k.code, 'is_final_exam', k.is_final_exam))
    order by i.position, k.id)
  from mark_items i join mark_categories k on k.id = i.mark_category_id where i.mark_id = t.id), '[]')`

export const markHandlers = [
  ...serveResource(markCategory, categoryGuard),
  ...serveResource(mark, {
    ...markGuard,
    computed: {
      items: itemsJson,
      offerings: '(select count(*)::int from offerings o where o.mark_id = t.id and o.removed_at is null)',
    },
    async beforeWrite(ctx, tx, merged, current) {
      await markGuard.beforeWrite(ctx, tx, merged, current)
      const items = merged.items as SchemeItem[] | undefined
      const bylaw_id = bylawId(merged)
      if (items) await checkItems(tx, items, bylaw_id === null ? [] : [bylaw_id])
      // A scheme that moves to another bylaw takes its categories along: they must fit there as well.
      else if (current && bylaw_id !== bylawId(current))
        await checkItems(tx, await itemsOf(tx, current.id), bylaw_id === null ? [] : [bylaw_id])
      // The version tells a change of the categories too.
      return items && current ? { updated_at: sql`now()` } : undefined
    },
    async afterWrite(_ctx, tx, id, merged) {
      const items = merged.items as SchemeItem[] | undefined
      if (!items) return
      const rows = JSON.stringify(
        items.map(({ mark_category_id, max }, position) => ({ mark_category_id, max, position })),
      )
      await sql`delete from mark_items where mark_id = ${id}
        and mark_category_id <> all (${items.map((item) => item.mark_category_id)}::int[])`.execute(tx)
      await sql`insert into mark_items (mark_id, mark_category_id, max, position)
        select ${id}::int, mark_category_id, max, position
        from jsonb_to_recordset(${rows}::jsonb) as n(mark_category_id int, max numeric, position int)
        on conflict (mark_id, mark_category_id) do update set max = excluded.max, position = excluded.position
          where (mark_items.max, mark_items.position) is distinct from (excluded.max, excluded.position)`.execute(tx)
    },
  }),
]

async function itemsOf(tx: Tx, mark_id: number): Promise<SchemeItem[]> {
  const { rows } =
    await sql<SchemeItem>`select mark_category_id, max::text as max from mark_items where mark_id = ${mark_id}
    order by position, mark_category_id`.execute(tx)
  return rows
}
