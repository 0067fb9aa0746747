/** What people said of lines, read again for the next lines and for who looks what the program learned; and what is forgotten. */
import { requireWhole } from '#areas/money/ledger/reach.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Handled } from '#kit/server/base/context.ts'
import { reachesAll } from '#kit/server/base/scope.ts'
import { pagedList } from '#kit/server/resource/list.ts'
import { sql } from 'kysely'
import { batchCalls, type LearnedRow } from './batch.contract.ts'
import { ENOUGH, type Learned } from './learn.rules.ts'
import { payerOf } from './rows.server.ts'

/**
 * SQL: what people said of lines, by key and payer. A line counts while its payment stands, and until what its key says was
 * forgotten.
 */
const SAID = sql.raw(`select k.key, l.payer_id, count(*)::int as times, max(l.booked_on) as last_on
  from batch_lines l join transactions t on t.id = l.transaction_id and t.status = 'paid' cross join lateral unnest(l.payer_keys) k (key)
  where l.live and l.match_by = 'person' and l.payer_id is not null
    and not exists (select from forgotten_matches f where f.key = k.key and f.forgotten_at >= l.matched_at)`)

/** What was learned of these keys, by key. */
export async function learnedBy(
  db: Db | Tx,
  currency: string,
  keys: readonly string[],
): Promise<Map<string, Learned[]>> {
  const asked = [...new Set(keys)]
  if (!asked.length) return new Map()
  const { rows } = await sql<Learned>`
    select s.key, s.payer_id, s.times, s.last_on::text as last_on, exists (select from invoices i join invoice_balances b on b.invoice_id = i.id
        and b.settled < b.charged where i.payer_id = s.payer_id and i.currency = ${currency} and i.reversed_at is null) as owes
    from (${SAID} and l.payer_keys && ${asked}::text[] and k.key = any(${asked}::text[]) group by k.key, l.payer_id) s
    order by s.key, s.times desc, s.payer_id`.execute(db)
  return Map.groupBy(rows, (row) => row.key)
}

export const learnHandlers: readonly Handled[] = [
  handle(batchCalls.learned, async (ctx, { body }) => {
    requireWhole(ctx, 'access_batch')
    const abilities: LearnedRow['abilities'] = reachesAll(ctx, 'save_batch') ? ['forget'] : []
    const { data, meta } = await pagedList<Omit<LearnedRow, 'abilities'>>(
      ctx,
      {
        from: sql`(select key as id, key, sum(times)::int as times, max(last_on) as last_on, count(*)::int as payers,
            array_agg(payer_id order by times desc, payer_id) as all_payers
          from (${SAID} group by k.key, l.payer_id) s group by key) t left join payers p on p.id = t.all_payers[1]
          left join students w on w.id = p.student_id left join sponsors g on g.id = p.sponsor_id
          left join applicants q on q.id = p.applicant_id left join users u on u.id = p.user_id left join guests v on v.id = p.guest_id`,
        select: sql`t.id, split_part(t.key, ' ', 1) as "by", substr(t.key, strpos(t.key, ' ') + 1) as what, t.times,
          t.last_on::text as last_on, (select json_agg(${sql.raw(payerOf('x'))}) from unnest(t.all_payers[1:3]) x) as payers, t.payers as payers_count,
          case when t.payers = 1 and t.times >= ${sql.lit(ENOUGH)} and t.key like 'account %' then 'decides' else 'proposes' end as effect`,
        where: [],
        search: [
          "fold_text(concat_ws(' ', t.key, w.name, w.name_local, w.code, g.name, g.name_local, g.code, q.name, q.name_local, q.code, u.name, u.name_local, u.code, v.name, v.name_local, v.code))",
        ],
        sort: { times: sql`t.times`, last_on: sql`t.last_on`, id: sql`t.id` },
        order: ['last_on', 'desc'],
        filters: {},
      },
      body,
    )
    return {
      data: data.map((row) => ({ ...row, abilities })),
      meta,
    }
  }),
  handle(batchCalls.forget, (ctx, { body: { key, reason } }) =>
    ctx.write(
      async (tx) => {
        requireWhole(ctx, 'save_batch')
        const { rows } = await sql<{
          n: number
        }>`select count(*)::int as n from (${SAID} and k.key = ${key} group by 1, 2) s`.execute(tx)
        // Of what nobody said, or what is forgotten already, nothing is to be forgotten.
        if (!firstRow(rows).n) return { data: { key } }
        await sql`insert into forgotten_matches (key, reason, forgotten_by) values (${key}, ${reason}, ${ctx.actor?.user_id ?? null})`.execute(
          tx,
        )
        return { data: { key } }
      },
      { reason },
    ),
  ),
]
