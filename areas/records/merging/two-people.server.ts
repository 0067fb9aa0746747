/** Records that look like one person's and are two people's: said with a reason, listed, taken back. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { candidates, mergeReach } from './facts.server.ts'
import { mergeCalls } from './merge.contract.ts'
import type { MergeKind, MergedMark } from './merge.contract.ts'
import { TABLES } from './pointers.rules.ts'
import { markProblems } from './two-people.rules.ts'
import type { PersonClues } from './two-people.rules.ts'

const PAGE = 25

/** SQL: two ids as one pair, in the order in which they are kept, of records as they are known today. */
const pairOf = (kind: RawBuilder<unknown>, one: RawBuilder<unknown>, other: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(least(merged_into(${kind}, ${one}), merged_into(${kind}, ${other})), greatest(merged_into(${kind}, ${one}), merged_into(${kind}, ${other})))`

/** SQL of rows `one`, `other`: the pairs of a kind of which it was said. */
export const saidPairs = (kind: MergeKind): RawBuilder<unknown> =>
  sql`select least(x.a, x.b) as one, greatest(x.a, x.b) as other from (
    select merged_into(n.kind, n.one_id) as a, merged_into(n.kind, n.other_id) as b from not_doubles n where n.kind = ${kind}) x`

/** What was said of two records, or of the accounts that one of them would close: that two people are behind them. */
export async function saidOf(db: Db | Tx, kind: MergeKind, one: number, other: number): Promise<PersonClues | null> {
  const ids = sql`n.kind = ${kind} and ${pairOf(sql`n.kind`, sql`n.one_id`, sql`n.other_id`)} = ${pairOf(sql`n.kind`, sql`${one}::int`, sql`${other}::int`)}`
  const accounts =
    kind === 'user'
      ? sql`false`
      : sql`n.kind = 'user' and exists (select from ${sql.table(TABLES[kind])} a, ${sql.table(TABLES[kind])} b
          where a.id = ${one} and b.id = ${other}
            and ${pairOf(sql`n.kind`, sql`n.one_id`, sql`n.other_id`)} = ${pairOf(sql`n.kind`, sql`a.user_id`, sql`b.user_id`)})`
  const { rows } =
    await sql<PersonClues>`select n.reason, coalesce(u.name, '–') as by, coalesce(u.name_local, '–') as by_local
    from not_doubles n left join users u on u.id = n.marked_by where ${ids} or ${accounts} order by n.id limit 1`.execute(
      db,
    )
  return rows[0] ?? null
}

const marked = handle(mergeCalls.notDoubles, async (ctx, { body: { kind, page } }) => {
  const { rows, total } = await marksOf(ctx, kind, sql`true`, page)
  return { data: rows, meta: { count: total } }
})

async function marksOf(ctx: Ctx, kind: MergeKind, where: RawBuilder<unknown>, page = 1) {
  const record = (id: RawBuilder<unknown>) => sql`lateral (
    select json_build_object('id', t.id, 'code', ${kind === 'user' ? sql`t.email` : sql`t.code`}, 'name', t.name, 'name_local', t.name_local) as shown
    from ${sql.table(TABLES[kind])} t where t.id = merged_into(n.kind, ${id}) and ${mergeReach(ctx, kind)})`
  const { rows } = await sql<MergedMark & { total: number }>`
    select n.id, n.kind, a.shown as one, b.shown as other, n.reason, n.marked_at as at, count(*) over ()::int as total,
      case when u.id is not null then json_build_object('name', u.name, 'name_local', u.name_local) end as by
    from not_doubles n join ${record(sql`n.one_id`)} a on true join ${record(sql`n.other_id`)} b on true
      left join users u on u.id = n.marked_by
    where n.kind = ${kind} and ${where} order by n.id desc limit ${PAGE} offset ${(page - 1) * PAGE}`.execute(ctx.db)
  return { rows: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0 }
}

/** Both records are held in the order in which merging holds them: whoever comes second sees what the first has done. */
const mark = handle(mergeCalls.markNotDouble, (ctx, { body: { kind, one_id, other_id, reason } }) =>
  ctx.write(
    async (tx) => {
      await sql`select from ${sql.table(TABLES[kind])} where id = any(${[one_id, other_id]}::int[]) order by id for update`.execute(
        tx,
      )
      const [one, other] = await candidates(ctx, tx, kind, one_id, other_id)
      const problems = markProblems(one, other, await saidOf(tx, kind, one_id, other_id))
      if (problems.length) throw new Refusal(409, problems)
      const { rows } = await sql<{ id: number }>`insert into not_doubles (kind, one_id, other_id, reason, marked_by)
        values (${kind}, ${Math.min(one_id, other_id)}, ${Math.max(one_id, other_id)}, ${reason}, ${ctx.actor?.user_id ?? null})
        returning id`.execute(tx)
      return { data: firstRow(rows) }
    },
    { reason },
  ),
)

const takeBack = handle(mergeCalls.unmarkNotDouble, (ctx, { params: { id } }) =>
  ctx.write(async (tx) => {
    const { rows } = await sql<{
      kind: MergeKind
      one_id: number
      other_id: number
    }>`select kind, one_id, other_id from not_doubles
      where id = ${id} for update`.execute(tx)
    const [row] = rows
    if (!row) throw refuse(404, 'not_found')
    const { rows: ids } = await sql<{
      one: number
      other: number
    }>`select merged_into(${row.kind}, ${row.one_id}) as one,
      merged_into(${row.kind}, ${row.other_id}) as other`.execute(tx)
    // Within reach of both, as who said it was.
    const both = await candidates(ctx, tx, row.kind, ids[0]!.one, ids[0]!.other)
    const own = both.find((one) => one.own)
    if (own) throw refuse(409, 'not_double_own', { who: own.code })
    await sql`delete from not_doubles where id = ${id}`.execute(tx)
    return { data: { id } }
  }),
)

export const twoPeopleHandlers: readonly Handled[] = [marked, mark, takeBack]
