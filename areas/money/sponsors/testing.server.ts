/** Random actions of sponsors, beside those of the ledger's model: what they take over, are invoiced, pay, and give back. */
import { sql } from 'kysely'
import { holdInvoice, reverseInvoice } from '#areas/money/invoices/issue.server.ts'
import { holdPayers } from '#areas/money/ledger/post.server.ts'
import type { MoneyAction, MoneyModel, World } from '#areas/money/ledger/testing.server.ts'
import type { Tx } from '#db/connect.ts'
import { addDays } from '#kit/contract/day.ts'
import type { Ctx, Services } from '#kit/server/base/context.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { billSponsor } from './billing/bill.server.ts'
import { creditBilled, setShare, type NamedSponsor } from './shares/follow.server.ts'
import { universityToday } from './today.server.ts'
import { withdraw } from './sponsorships/withdraw.server.ts'

interface Stand {
  readonly id: number
  readonly payer: number
  readonly charged: number
  readonly settled: number
  readonly reversed: boolean
  readonly currency: string
}
interface Standing {
  readonly invoices: readonly Stand[]
  readonly wallets: readonly { readonly key: string; readonly wallet: number }[]
  readonly sponsored: number
}
async function standing(tx: Tx, payers: readonly number[]): Promise<Standing> {
  const ids = sql`${[...payers]}::int[]`
  const { rows: invoices } =
    await sql<Stand>`select i.id, i.payer_id as payer, b.charged::float8 as charged, b.settled::float8 as settled,
    i.reversed_at is not null as reversed, i.currency
    from invoices i join invoice_balances b on b.invoice_id = i.id where i.payer_id = any(${ids})`.execute(tx)
  const { rows: wallets } = await sql<{
    key: string
    wallet: number
  }>`select payer_id || ' ' || currency as key, wallet::float8 as wallet
    from payer_balances where payer_id = any(${ids})`.execute(tx)
  const { rows } = await sql<{
    sum: number
  }>`select coalesce(sum(p.amount), 0)::float8 as sum from ledger_postings p join ledger_accounts a on a.id = p.account_id
    where a.role = 'sponsored' and p.payer_id = any(${ids})`.execute(tx)
  return { invoices, wallets, sponsored: rows[0]!.sum }
}

/**
 * Does something with the money of these payers, who are held, and tells the model what became of it. What students and sponsors owe
 * together, and what is not invoiced yet, stays the same: nothing is lost, and nothing is charged twice.
 *
 * @param work answers how much is charged no more, if anything
 */
const observed = (
  services: Services,
  theirs: ReadonlySet<number>,
  payers: readonly number[],
  work: (ctx: Ctx, tx: Tx) => Promise<void | number>,
) => {
  const ctx = asSystem(services, 'test')
  return ctx.write(async (tx) => {
    await holdPayers(tx, sql`select unnest(${[...payers]}::int[])`)
    const before = await standing(tx, payers)
    const gone = (await work(ctx, tx)) ?? 0
    const after = await standing(tx, payers)
    // Who only issues an invoice holds nobody: what is new and not of a sponsor came beside.
    const known = new Set(before.invoices.map((one) => one.id))
    const counts = (one: Stand) => known.has(one.id) || theirs.has(one.payer)
    const owed = ({ invoices, sponsored }: Standing) =>
      invoices.reduce((sum, one) => sum + (counts(one) ? one.charged : 0), sponsored)
    if (owed(before) - gone !== owed(after))
      throw new Error(`${owed(before)} was owed, ${gone} of it is charged no more, and ${owed(after)} is owed`)
    return (model: MoneyModel) => {
      for (const one of after.invoices.filter(counts)) {
        const was = before.invoices.find((each) => each.id === one.id)
        const told = model.invoices.get(one.id)
        if (told) {
          told.charged += one.charged - (was?.charged ?? 0)
          told.settled += one.settled - (was?.settled ?? 0)
          told.reversed = one.reversed
        } else if (!was || one.charged !== was.charged || one.settled !== was.settled)
          // Steps at once are told in the order of their plans: what changed an invoice may be told before what made it.
          model.invoices.set(one.id, {
            payer: one.payer,
            currency: one.currency,
            charged: one.charged - (was?.charged ?? 0),
            settled: one.settled - (was?.settled ?? 0),
            reversed: one.reversed,
          })
      }
      for (const { key, wallet } of after.wallets) {
        const change = wallet - (before.wallets.find((one) => one.key === key)?.wallet ?? 0)
        if (change) model.wallets.set(key, (model.wallets.get(key) ?? 0) + change)
      }
    }
  })
}

/** Sponsors of a world, and what they do. */
export async function sponsorActions(
  services: Services,
  world: World,
  term_id: number,
): Promise<readonly MoneyAction[]> {
  const sponsors = await world.write(async (tx) => {
    const { rows } = await sql<NamedSponsor>`
      with made as (insert into sponsors (code, name, name_local, kind, currency, spread, is_active)
        select 'MODEL-' || n, 'Model ' || n, 'نموذج ' || n, 'company', 'EGP', case when n = 1 then 'oldest' else 'share' end, true
        from generate_series(1, 2) n returning id, name, name_local)
      select id, name, name_local, 0 as payer_id from made order by id`.execute(tx)
    return rows
  })
  const named: NamedSponsor[] = []
  for (const one of sponsors) {
    const { rows } = await sql<{ id: number }>`select id from payers where sponsor_id = ${one.id}`.execute(services.db)
    named.push({ ...one, payer_id: rows[0]!.id })
  }
  const theirs = new Set(named.map((one) => one.payer_id))
  const all = [...world.students.map((one) => one.payer), ...theirs]
  /** A sponsorship that runs: the same again, or a new one. */
  const running = async (tx: Tx, sponsor_id: number, student_id: number): Promise<number> => {
    const { rows } = await sql<{
      id: number
    }>`select id from sponsorships where sponsor_id = ${sponsor_id} and student_id = ${student_id} and status = 'active'`.execute(
      tx,
    )
    if (rows[0]) return rows[0].id
    const { rows: made } = await sql<{
      id: number
    }>`insert into sponsorships (sponsor_id, student_id, from_term_id, percent, status)
      values (${sponsor_id}, ${student_id}, ${term_id}, 50, 'active') returning id`.execute(tx)
    return made[0]!.id
  }
  const take: MoneyAction = {
    name: 'sponsor takes',
    weight: 6,
    plan: (of) => {
      const found = of.pick(
        [...of.model.invoices].filter(([, one]) => !one.reversed && one.currency === 'EGP' && !theirs.has(one.payer)),
      )
      const sponsor = of.pick(named)
      if (!found || !sponsor) return null
      const [invoice_id, { payer }] = found
      const student = of.students.find((one) => one.payer === payer)!
      const share = of.int(0, 100)
      return {
        foreseen: null,
        run: () =>
          observed(services, theirs, [payer, sponsor.payer_id], async (ctx, tx) => {
            const sponsorship_id = await running(tx, sponsor.id, student.id)
            const { rows } = await sql<{ taken: number; charged: number }>`
              select coalesce((select amount from sponsor_shares where sponsorship_id = ${sponsorship_id} and invoice_id = ${invoice_id}), 0)::float8 as taken,
                charged::float8 as charged from invoice_balances where invoice_id = ${invoice_id}`.execute(tx)
            const { taken, charged } = rows[0]!
            const amount = Math.floor(((taken + charged) * share) / 100)
            await setShare(ctx, tx, { invoice_id, sponsorship_id, sponsor, taken, amount })
            await creditBilled(ctx, tx, sql`h.sponsorship_id = ${sponsorship_id}`)
          }),
      }
    },
  }
  const bill: MoneyAction = {
    name: 'sponsor invoiced',
    weight: 3,
    plan: (of) => {
      const sponsor = of.pick(named)!
      return {
        foreseen: null,
        run: () =>
          observed(services, theirs, [sponsor.payer_id], async (ctx, tx) => {
            await billSponsor(ctx, tx, { sponsor_id: sponsor.id, term_id: null })
          }),
      }
    },
  }
  const pay: MoneyAction = {
    name: 'sponsor pays',
    weight: 4,
    plan: (of) => {
      const { payer_id } = of.pick(named)!
      const amount = of.int(1, 6_000)
      return {
        foreseen: null,
        run: async () => {
          const { rows } = await sql<{
            id: number
          }>`insert into transactions (payer_id, way, purpose, currency, amount, status)
            values (${payer_id}, 'bank', 'payment', 'EGP', ${amount}, 'pending') returning id`.execute(services.db)
          const [booked] = await of.book([rows[0]!.id])
          const { id, allocations, rest } = booked!
          return (model) => {
            // The invoice may be told to the model later.
            for (const one of allocations) {
              const known = model.invoices.get(one.invoice_id) ?? {
                payer: payer_id,
                currency: 'EGP',
                charged: 0,
                settled: 0,
                reversed: false,
              }
              known.settled += one.amount
              model.invoices.set(one.invoice_id, known)
            }
            model.wallets.set(`${payer_id} EGP`, (model.wallets.get(`${payer_id} EGP`) ?? 0) + rest)
            model.payments.set(id, { payer: payer_id, currency: 'EGP', allocations, rest })
          }
        },
      }
    },
  }
  const goes: MoneyAction = {
    name: 'sponsor withdraws',
    weight: 3,
    plan: (of) => {
      const sponsor = of.pick(named)!
      const student = of.pick(of.students)!
      return {
        foreseen: null,
        run: () =>
          observed(services, theirs, all, async (ctx, tx) => {
            const { rows } =
              await sql`select from sponsorships where sponsor_id = ${sponsor.id} and student_id = ${student.id} and status = 'active'`.execute(
                tx,
              )
            const today = await universityToday(tx)
            if (rows.length)
              await withdraw(ctx, tx, {
                sponsor_id: sponsor.id,
                which: sql`s.student_id = ${student.id}`,
                day: today,
                due_on: addDays(today, 30),
                reason: 'Test',
              })
          }),
      }
    },
  }
  const reversed: MoneyAction = {
    name: 'sponsored invoice reversed',
    weight: 2,
    plan: (of) => {
      const found = of.pick([...of.model.invoices].filter(([, one]) => !one.reversed && !theirs.has(one.payer)))
      if (!found) return null
      const [invoice_id, { payer }] = found
      return {
        foreseen: null,
        run: () =>
          observed(services, theirs, [payer, ...theirs], async (ctx, tx) => {
            const { rows } = await sql<{ gross: number }>`
              select (b.charged + coalesce((select sum(h.amount) from sponsor_shares h where h.invoice_id = b.invoice_id), 0))::float8 as gross
              from invoice_balances b where b.invoice_id = ${invoice_id}`.execute(tx)
            await reverseInvoice(ctx, tx, await holdInvoice(tx, invoice_id), 'Test')
            return rows[0]!.gross
          }),
      }
    },
  }
  return [take, bill, pay, goes, reversed]
}
