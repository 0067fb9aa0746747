/** Proves the ledger: what is kept beside the postings is what they add up to, and nothing stands there without its cause. */
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { sql, type RawBuilder } from 'kysely'
import type { LedgerFound, Proven } from './proof.contract.ts'

/** Findings that are told in full, of each kind and of all. */
const MOST_TOLD = 200

export interface VerifyingLedger {
  readonly progress?: (percent: number) => Promise<void>
}

type Row = LedgerFound & { readonly count: number }

/** Of an entry: its sides, and whether it has postings, all of its currency. Sums are kept for what follows. */
const entries = sql`
  select * from (
    select 'empty' as kind, e.id, e.source as name, e.currency, null::bigint as expected, 0::bigint as found from ledger_entries e
      where not exists (select from ledger_postings p where p.entry_id = e.id)
    union all
    select 'unbalanced', e.id, e.source, e.currency, 0, s.sum from (
      select entry_id, sum(amount)::bigint as sum from ledger_postings group by entry_id having sum(amount) <> 0) s join ledger_entries e on e.id = s.entry_id
    union all
    select 'currency', p.entry_id, e.source, p.currency, null, p.amount from ledger_postings p left join ledger_entries e on e.id = p.entry_id
      where e.currency is distinct from p.currency
    union all
    -- A minute of grace: what waited for a closing that was taken back began before it.
    select distinct 'closed', e.id, e.source, e.currency, null::bigint, null::bigint from ledger_closings c join ledger_entries e
        on e.booked_on <= c.closed_through and e.created_at > c.closed_at
      where c.reopened_at is null or e.created_at < c.reopened_at - interval '1 minute'
  ) x order by id`

/** A reversal is what it reverses with the other sign, line for line. */
const mirrors = sql`
  select 'mirror' as kind, r.id, r.source as name, r.currency, null::bigint as expected, coalesce(sum(abs(d.amount)), 0)::bigint as found
  from ledger_entries r join ledger_entries o on o.id = r.reversal_of
    left join lateral (
      select sum(p.amount) as amount from ledger_postings p where p.entry_id in (r.id, o.id)
      group by p.account_id, p.payer_id, p.invoice_id having sum(p.amount) <> 0) d on true
  where r.reversal_of is not null
  group by r.id, o.currency, o.settles having count(d.amount) > 0 or r.currency <> o.currency or r.settles <> o.settles
  order by r.id`

/** What a payer owes and holds. */
const payers = sql`
  with stands as materialized (
    select p.payer_id, p.currency, coalesce(sum(p.amount) filter (where a.role = 'receivable'), 0)::bigint as owed,
      coalesce(-sum(p.amount) filter (where a.role = 'wallet'), 0)::bigint as wallet,
      coalesce(-sum(p.amount) filter (where a.role = 'deposit'), 0)::bigint as deposit
    from ledger_postings p join ledger_accounts a on a.id = p.account_id and a.per_payer group by 1, 2
  ), both_sides as (
    select coalesce(s.payer_id, b.payer_id) as id, coalesce(s.currency, b.currency) as currency, coalesce(s.owed, 0) as owed,
      coalesce(s.wallet, 0) as wallet, coalesce(b.owed, 0) as kept_owed, coalesce(b.wallet, 0) as kept_wallet,
      coalesce(s.deposit, 0) as deposit, coalesce(b.deposit, 0) as kept_deposit
    from stands s full join payer_balances b on b.payer_id = s.payer_id and b.currency = s.currency
  )
  select * from (
    select 'owed' as kind, id, null::text as name, currency, owed as expected, kept_owed as found from both_sides where owed <> kept_owed
    union all
    select 'wallet', id, null, currency, wallet, kept_wallet from both_sides where wallet <> kept_wallet
    union all
    select 'wallet_negative', id, null, currency, null, wallet from both_sides where wallet < 0
    union all
    select 'deposit', id, null, currency, deposit, kept_deposit from both_sides where deposit <> kept_deposit
  ) x order by id, kind`

/** What an invoice charges and what settled it: by the postings, by what is kept, by its lines, by what paid transactions settled. */
const invoices = sql`
  with posted as materialized (
    select p.invoice_id as id, sum(p.amount) filter (where not e.settles) as charged, -sum(p.amount) filter (where e.settles) as settled
    from ledger_postings p join ledger_entries e on e.id = p.entry_id where p.invoice_id is not null group by 1
  ), lines as materialized (
    select invoice_id as id, sum(amount) as charged from invoice_lines group by 1
  ), allocated as materialized (
    select a.invoice_id as id, sum(a.amount) as settled from transaction_allocations a join transactions t on t.id = a.transaction_id
    where t.status = 'paid' or (t.status = 'pending' and t.entry_id is not null) group by 1
  ), parts as materialized (
    select invoice_id as id, sum(amount) as charged from installments group by 1
  ), stands as materialized (
    select i.id, i.number, i.currency, coalesce(p.charged, 0)::bigint as charged, coalesce(p.settled, 0)::bigint as settled,
      b.charged as kept_charged, b.settled as kept_settled,
      case when i.reversed_at is null then coalesce(l.charged, 0) else 0 end::bigint as by_lines, coalesce(a.settled, 0)::bigint as by_allocations,
      coalesce(n.charged, 0)::bigint as by_parts
    from invoices i left join posted p using (id) left join invoice_balances b on b.invoice_id = i.id left join lines l using (id)
      left join allocated a using (id) left join parts n using (id)
  )
  select * from (
    select 'balance_charged' as kind, id, number as name, currency, charged as expected, coalesce(kept_charged, 0) as found
      from stands where charged <> coalesce(kept_charged, 0)
    union all
    select 'balance_settled', id, number, currency, settled, coalesce(kept_settled, 0) from stands where settled <> coalesce(kept_settled, 0)
    union all
    select 'charged', id, number, currency, by_lines, charged from stands where by_lines <> charged
    union all
    select 'settled', id, number, currency, by_allocations, settled from stands where by_allocations <> settled
    union all
    select 'installments', id, number, currency, charged, by_parts from stands where kept_charged is not null and charged <> by_parts
  ) x order by id, kind`

/**
 * A paid transaction is booked: its entry moves exactly its amount, by the account of its way, and settles what its allocations
 * say; one that was cancelled is booked back.
 */
const transactions = sql`
  with booked as materialized (
    select t.id, t.number, t.status, t.currency, t.amount, t.entry_id, case when t.direction = 'in' then t.amount else -t.amount end as moves,
      case when t.way in ('wallet', 'deposit') then w.id else coalesce(b.ledger_account_id, w.id) end as account_id
    from transactions t left join banks b on b.id = t.bank_id
      left join ledger_accounts w on w.role = case when t.way in ('slip', 'bank') then 'bank' else t.way end
    where t.status = 'paid' or t.entry_id is not null
  ), moved as materialized (
    select t.id, sum(p.amount) filter (where p.amount > 0) as debit, 
      coalesce(sum(p.amount) filter (where p.account_id = t.account_id and sign(p.amount) = sign(t.moves)), 0) as by_way
    from booked t join ledger_postings p on p.entry_id = t.entry_id group by 1
  ), settles as materialized (
    select id, sum(allocated) as allocated, sum(posted) as posted from (
      select coalesce(s.id, a.transaction_id) as id, coalesce(a.amount, 0) as allocated, coalesce(s.amount, 0) as posted
      from (select t.id, p.invoice_id, -sum(p.amount) as amount from booked t join ledger_postings p on p.entry_id = t.entry_id and p.invoice_id is not null
          group by 1, 2) s
        full join transaction_allocations a on a.transaction_id = s.id and a.invoice_id = s.invoice_id
      where s.amount is distinct from a.amount) d
    group by 1
  )
  select * from (
    select 'unbooked' as kind, t.id, t.number as name, t.currency, t.amount as expected, null::bigint as found from booked t
      left join ledger_entries e on e.id = t.entry_id where t.status = 'paid' and e.id is null
    union all
    select 'amount', t.id, t.number, t.currency, t.amount, coalesce(m.debit, 0)::bigint from booked t join ledger_entries e on e.id = t.entry_id
      left join moved m on m.id = t.id where coalesce(m.debit, 0) <> t.amount or e.currency <> t.currency
    union all
    select 'account', t.id, t.number, t.currency, t.moves, m.by_way::bigint from booked t join moved m on m.id = t.id where m.by_way <> t.moves
    union all
    select 'allocation', t.id, t.number, t.currency, s.posted::bigint, s.allocated::bigint from settles s join transactions t on t.id = s.id
      where t.status in ('pending', 'paid')
    union all
    select 'standing', t.id, t.number, t.currency, 0, t.moves from booked t where t.status = 'cancelled'
      and not exists (select from ledger_entries r where r.reversal_of = t.entry_id)
    union all
    select 'reversed', t.id, t.number, t.currency, t.moves, 0 from booked t join ledger_entries r on r.reversal_of = t.entry_id
      where t.status in ('pending', 'paid')
  ) x order by id, kind`

/** What a provider holds for the university: each line is that of a transaction, and together they are what was paid there. */
const providers = sql`
  with lines as materialized (
    select e.id, e.source, e.currency, a.id as account_id, sum(p.amount) as amount, bool_or(t.id is not null or o.id is not null) as known
    from ledger_accounts a join ledger_postings p on p.account_id = a.id join ledger_entries e on e.id = p.entry_id
      left join transactions t on t.entry_id = e.id left join transactions o on o.entry_id = e.reversal_of
    where a.role in ('card', 'mobile') and e.kind not in ('transfer', 'adjustment')
      and not exists (select from ledger_entries m where m.id = e.reversal_of and m.kind in ('transfer', 'adjustment'))
    group by 1, 2, 3, 4
  ), paid as (
    select w.id as account_id, t.currency, sum(case when t.direction = 'in' then t.amount else -t.amount end) as amount
    from transactions t join ledger_accounts w on w.role = t.way where (t.status = 'paid' or (t.status = 'pending' and t.entry_id is not null)) and t.way in ('card', 'mobile') and t.bank_id is null group by 1, 2
  ), held as (select account_id, currency, sum(amount) as amount from lines group by 1, 2)
  select * from (
    select 'provider' as kind, 'entry' as record, id, source as name, currency, 0::bigint as expected, amount::bigint as found from lines where not known
    union all
    select 'provider_total', 'account', a.id, a.code, coalesce(h.currency, p.currency), coalesce(p.amount, 0)::bigint, coalesce(h.amount, 0)::bigint
    from held h full join paid p on p.account_id = h.account_id and p.currency = h.currency
      join ledger_accounts a on a.id = coalesce(h.account_id, p.account_id)
    where coalesce(h.amount, 0) <> coalesce(p.amount, 0)
  ) x order by record, id`

/** What sponsors took over and was not invoiced to them is what lines say; and their share of an invoice is what its lines took off. */
const sponsors = sql`
  with lines as materialized (
    select h.id as share_id, h.amount, p.id as payer_id, i.currency, i.payer_id = p.id as theirs, l.amount as line, i.reversed_at is not null as reversed,
      i.id as invoice_id, i.number
    from invoice_lines l join sponsor_shares h on h.id = l.share_id join sponsorships s on s.id = h.sponsorship_id
      join payers p on p.sponsor_id = s.sponsor_id join invoices i on i.id = l.invoice_id
  ), posted as (
    select p.payer_id, p.currency, sum(p.amount) as amount from ledger_postings p join ledger_accounts a on a.id = p.account_id
    where a.role = 'sponsored' group by 1, 2
  ), said as (select payer_id, currency, -sum(line) as amount from lines where not reversed group by 1, 2)
  select 'sponsored' as kind, 'payer' as record, coalesce(p.payer_id, s.payer_id) as id, null::text as name, coalesce(p.currency, s.currency) as currency,
    coalesce(s.amount, 0)::bigint as expected, coalesce(p.amount, 0)::bigint as found
  from posted p full join said s on s.payer_id = p.payer_id and s.currency = p.currency where coalesce(p.amount, 0) <> coalesce(s.amount, 0)
  union all
  select 'sponsor_share', 'invoice', i.id, i.number, i.currency, coalesce(-l.line, 0)::bigint, h.amount
  from sponsor_shares h join invoices i on i.id = h.invoice_id and i.reversed_at is null
    left join lateral (select sum(l.line) as line from lines l where l.share_id = h.id and not l.theirs) l on true
  where h.amount <> coalesce(-l.line, 0)
  order by 2, 3`

/** What is held of a payer as a deposit is what lines of invoices charged for it, less what was given back. */
const deposits = sql`
  with posted as (
    select p.payer_id, p.currency, -sum(p.amount) as amount from ledger_postings p join ledger_accounts a on a.id = p.account_id
    where a.role = 'deposit' group by 1, 2
  ), said as (
    select payer_id, currency, sum(amount) as amount from (
      select i.payer_id, i.currency, l.amount from invoice_lines l join invoices i on i.id = l.invoice_id and i.reversed_at is null
        where l.account = 'deposit'
      union all
      select t.payer_id, t.currency, -t.amount from transactions t where t.way = 'deposit' and t.status = 'paid') x
    group by 1, 2)
  select 'deposit_held' as kind, coalesce(p.payer_id, s.payer_id) as id, null::text as name, coalesce(p.currency, s.currency) as currency,
    coalesce(s.amount, 0)::bigint as expected, coalesce(p.amount, 0)::bigint as found
  from posted p full join said s on s.payer_id = p.payer_id and s.currency = p.currency where coalesce(p.amount, 0) <> coalesce(s.amount, 0)
  order by 2`

/** An invoice that is in a plan to pay is in one that runs over it, and is not late for that reason alone; and what runs covers something. */
const plans = sql`
  select 'plan' as kind, i.id, i.number as name, i.currency, null::bigint as expected, i.plan_id::bigint as found from invoices i
    join payment_plans p on p.id = i.plan_id
  where p.state <> 'running' or i.reversed_at is not null or i.currency <> p.currency
    or not exists (select from payment_plan_invoices v where v.plan_id = p.id and v.invoice_id = i.id)
  union all
  select 'plan', v.invoice_id, i.number, i.currency, p.id::bigint, null from payment_plans p
    join payment_plan_invoices v on v.plan_id = p.id join invoices i on i.id = v.invoice_id
  where p.state = 'running' and not exists (select from invoices o where o.plan_id = p.id)
  order by 2`

const CHECKS: readonly { readonly record: LedgerFound['record'] | null; readonly query: RawBuilder<unknown> }[] = [
  { record: 'entry', query: entries },
  { record: 'entry', query: mirrors },
  { record: 'payer', query: payers },
  { record: 'invoice', query: invoices },
  { record: 'transaction', query: transactions },
  { record: null, query: providers },
  { record: null, query: sponsors },
  { record: 'payer', query: deposits },
  { record: 'invoice', query: plans },
]

/**
 * Everything that is found, of the whole ledger, in one snapshot: what is booked meanwhile is seen whole or not at all.
 */
export async function verifyLedger(db: Db, { progress }: VerifyingLedger = {}): Promise<Proven> {
  const started = performance.now()
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      // Sums over every posting: room to do them in memory.
      await sql`set local work_mem = '64MB'`.execute(tx)
      const { totals, entries: many, postings } = await sumUp(tx)
      const findings: LedgerFound[] = totals
        .filter((one) => one.debit !== one.credit)
        .map((one) => ({
          kind: 'total',
          record: 'ledger',
          id: null,
          name: null,
          currency: one.currency,
          expected: one.debit,
          found: one.credit,
        }))
      let count = findings.length
      await progress?.(10)
      for (const [done, { record, query }] of CHECKS.entries()) {
        const { rows } = await sql<Row>`
          select kind, ${record === null ? sql`record` : sql.lit(record)} as record, id::float8 as id, name, currency, expected::float8 as expected,
            found::float8 as found, count(*) over ()::int as count
          from (${query}) f limit ${MOST_TOLD}`.execute(tx)
        count += rows[0]?.count ?? 0
        for (const { count: _count, ...one } of rows) if (findings.length < MOST_TOLD) findings.push(one)
        await progress?.(10 + Math.round(((done + 1) * 90) / CHECKS.length))
      }
      return {
        entries: many,
        postings,
        totals,
        findings,
        count,
        seconds: Math.round((performance.now() - started) / 10) / 100,
      }
    })
}

async function sumUp(tx: Tx): Promise<Pick<Proven, 'totals' | 'entries' | 'postings'>> {
  const { rows } = await sql<{ totals: Proven['totals'] | null; entries: number; postings: number }>`
    with sums as materialized (
      select currency, coalesce(sum(amount) filter (where amount > 0), 0) as debit, coalesce(-sum(amount) filter (where amount < 0), 0) as credit,
        count(*) as postings from ledger_postings group by 1)
    select (select json_agg(json_build_object('currency', currency, 'debit', debit, 'credit', credit) order by currency) from sums) as totals,
      coalesce((select sum(postings) from sums), 0)::float8 as postings, (select count(*) from ledger_entries)::float8 as entries`.execute(
    tx,
  )
  const { totals, ...counts } = firstRow(rows)
  return { totals: totals ?? [], ...counts }
}
