import { sql } from 'kysely'
import { verifyLedger } from '#areas/money/ledger/proof/verify.server.ts'
import type { Bench } from './setup.ts'
import { most } from './report.ts'
import type { Result } from './report.ts'

const INVOICES = Number(process.env.BENCH_LEDGER_INVOICES ?? 200_000)

/**
 * A ledger of 1,000,000 postings is proven: 200,000 invoices, half of them with a credit note, each paid in one part. Then
 * one posting is changed behind the program and found. Beside it bare SQL that reads the same postings and adds them up once.
 */
export async function proveLedger(bench: Bench): Promise<Result> {
  const { db } = await bench.database('bench_ledger', 4)
  let started = performance.now()
  await fill(db)
  await sql`vacuum analyze`.execute(db)
  const filling = (performance.now() - started) / 1000
  const clean = await verifyLedger(db)
  started = performance.now()
  await sql`select e.kind, p.currency, p.account_id, count(*), sum(p.amount) from ledger_postings p join ledger_entries e on e.id = p.entry_id
    group by 1, 2, 3`.execute(db)
  const bare = (performance.now() - started) / 1000
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`update ledger_postings set amount = amount - 1 where id = (select max(id) from ledger_postings where invoice_id is not null)`.execute(
      tx,
    )
  })
  const { findings, count } = await verifyLedger(db)
  if (clean.count || !findings.some((finding) => finding.kind === 'unbalanced'))
    throw new Error(`one posting was changed, found: ${clean.count}, ${count} ${JSON.stringify(findings.slice(0, 3))}`)
  return {
    name: 'ledger',
    title: `a ledger of ${clean.postings.toLocaleString('en')} postings in ${clean.entries.toLocaleString('en')} entries is proven`,
    lines: [
      most('everything that is proven', clean.seconds, 10, 's'),
      {
        what: 'against reading the same postings once by bare SQL',
        value: `${(clean.seconds / bare).toFixed(1)} times`,
      },
      { what: 'findings after one posting was changed', value: String(count) },
      { what: 'written by the owner, to begin with', value: `${filling.toFixed(1)} s` },
    ],
  }
}

/** Invoices, notes, payments and their entries, straight into the tables, as many rows as a statement each. */
async function fill(db: Awaited<ReturnType<Bench['database']>>['db']): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    const steps = [
      sql`truncate ledger_postings, ledger_entries, payer_balances, invoice_balances, transaction_allocations, invoice_lines, installments,
        invoice_notes, transactions, invoices cascade`,
      sql`create temp table made on commit drop as
        select n, (array(select id from payers order by id))[1 + n % (select count(*) from payers)::int] as payer_id,
          10000 + (n % 977) * 100 as amount, case when n % 2 = 0 then 1000 else 0 end as credit,
          university_today() - (n % 1500)::int as on_day from generate_series(1, ${INVOICES}::int) n`,
      sql`insert into invoices (id, number, payer_id, type, currency, issued_on) overriding system value
        select n, 'B-' || n, payer_id, 'extra', 'EGP', on_day from made`,
      sql`insert into invoice_notes (id, invoice_id, number, kind, amount, reason, issued_on) overriding system value
        select n, n, 'N-' || n, 'credit', credit, 'Benchmark', on_day from made where credit > 0`,
      sql`insert into invoice_lines (invoice_id, note_id, position, account, item, name, name_local, unit_amount, amount)
        select n, null::int, 1, 'tuition', 'x', 'x', 'x', amount, amount from made
        union all select n, n, 1, 'tuition', 'x', 'x', 'x', -credit, -credit from made where credit > 0`,
      sql`insert into installments (invoice_id, position, amount, due_date) select n, 1, amount - credit, on_day + 30 from made`,
      sql`insert into ledger_entries (id, kind, source, currency, booked_on, settles, digest) overriding system value
        select n * 3, 'invoice', 'invoice:' || n, 'EGP', on_day, false, '' from made
        union all select n * 3 + 1, 'credit_note', 'note:' || n, 'EGP', on_day, false, '' from made where credit > 0
        union all select n * 3 + 2, 'payment', 'transaction:' || n, 'EGP', on_day, true, '' from made`,
      sql`insert into ledger_postings (entry_id, account_id, payer_id, invoice_id, amount, currency)
        select p.entry_id, a.id, case when a.per_payer then p.payer_id end, case when a.per_payer then p.invoice_id end, p.amount, 'EGP' from (
          select n * 3 as entry_id, 'receivable' as role, payer_id, n as invoice_id, amount from made
          union all select n * 3, 'tuition', payer_id, n, -amount from made
          union all select n * 3 + 1, 'tuition', payer_id, n, credit from made where credit > 0
          union all select n * 3 + 1, 'receivable', payer_id, n, -credit from made where credit > 0
          union all select n * 3 + 2, case when n % 3 = 0 then 'card' else 'bank' end, payer_id, n, amount - credit from made
          union all select n * 3 + 2, 'receivable', payer_id, n, credit - amount from made) p
        join ledger_accounts a on a.role = p.role order by p.entry_id`,
      sql`insert into transactions (id, payer_id, way, currency, amount, status, booked_on, paid_at, entry_id) overriding system value
        select n, payer_id, case when n % 3 = 0 then 'card' else 'bank' end, 'EGP', amount - credit, 'paid', on_day, now(), n * 3 + 2 from made`,
      sql`insert into transaction_allocations (transaction_id, invoice_id, amount) select n, n, amount - credit from made`,
      sql`insert into payer_balances (payer_id, currency) select distinct payer_id, 'EGP' from made`,
      sql`insert into invoice_balances (invoice_id, currency, charged, settled) select n, 'EGP', amount - credit, amount - credit from made`,
    ]
    for (const step of steps) await step.execute(tx)
  })
}
