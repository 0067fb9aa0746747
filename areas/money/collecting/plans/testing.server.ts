/** Random actions of plans to pay in parts, beside those of the ledger's model: they move no money, and late is only what stands in none. */
import { sql } from 'kysely'
import { holdInvoice, reverseInvoice } from '#areas/money/invoices/issue.server.ts'
import { holdPayers } from '#areas/money/ledger/post.server.ts'
import { modelledInvoice, type MoneyAction } from '#areas/money/ledger/testing.server.ts'
import { addDays } from '#kit/contract/day.ts'
import type { Services } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { dayToday } from '../reminders/remind.server.ts'
import { coveredBy, planSettings } from './facts.server.ts'
import { applyPlan, judgePlans, leavePlan } from './judge.server.ts'
import { planOutcome, spreadPlan } from './plan.rules.ts'

/** What has to stand whatever was done; each sentence is one that does not. */
export async function plansStand(services: Services): Promise<string[]> {
  const { rows } = await sql<{ said: string }>`
    select 'invoice ' || i.id || ' is in a plan and late' as said from invoices i cross join lateral invoice_overdue(i.id, university_today()) o
      where i.plan_id is not null
    union all
    select 'plan ' || v.plan_id || ' runs and covers other money than its parts' from payment_plan_invoices v join payment_plans p on p.id = v.plan_id
      join invoices i on i.id = v.invoice_id join payers q on q.id = i.payer_id join payers r on r.id = p.payer_id
      where i.currency <> p.currency or q.student_id <> r.student_id
    union all
    select 'invoice ' || n.invoice_id || ': the days of its parts are not in order' from installments n join installments m
        on m.invoice_id = n.invoice_id and m.position > n.position and m.due_date <= n.due_date and n.amount > 0 and m.amount > 0
      join payment_plan_invoices v on v.invoice_id = n.invoice_id`.execute(services.db)
  return rows.map((row) => row.said)
}

/** Plans that are agreed on, judged and ended, and invoices of them that are reversed. */
export function planActions(services: Services): readonly MoneyAction[] {
  const ctx = () => asSystem(services, 'test')
  const agreed: MoneyAction = {
    name: 'plan agreed',
    weight: 5,
    plan: (world) => {
      const { payer } = world.pick(world.students)!
      const currency = world.pick(['EGP', 'USD'])!
      const parts = world.int(1, 4)
      const first = world.int(-25, 20)
      const open = [...world.model.invoices].filter(
        ([, one]) => one.payer === payer && one.currency === currency && !one.reversed && one.charged > one.settled,
      )
      const invoice_id = world.int(0, 1) ? (world.pick(open)?.[0] ?? null) : null
      // What runs already is in no other: the model does not know, the rule does.
      return {
        foreseen: null,
        run: async () => {
          await ctx().write(async (tx) => {
            await holdPayers(tx, sql`select ${payer}::int`)
            const today = await dayToday(tx)
            const { rows } = await sql<{ id: number }>`
              insert into payment_plans (payer_id, invoice_id, currency, parts_asked, first_day, why)
              values (${payer}, ${invoice_id}, ${currency}, ${parts}, ${addDays(today, first)}, 'Test') returning id`.execute(
              tx,
            )
            const { id } = rows[0]!
            const covers = await coveredBy(tx, id)
            const sum = covers.reduce((all, one) => all + one.open, 0)
            if (sum < parts * 100) {
              await sql`update payment_plans set state = 'withdrawn', ended_at = now() where id = ${id}`.execute(tx)
              return
            }
            await applyPlan(
              ctx(),
              tx,
              { id, payer_id: payer, why: 'Test' },
              covers,
              spreadPlan(sum, parts, addDays(today, first)),
            )
          })
          return () => {}
        },
      }
    },
  }
  const judged: MoneyAction = {
    name: 'plans judged',
    weight: 3,
    plan: () => ({
      foreseen: null,
      run: async () => {
        await judgePlans(ctx())
        return () => {}
      },
    }),
  }
  /** All that is open of a plan comes in, invoice by invoice. */
  const paid: MoneyAction = {
    name: 'plan paid',
    weight: 2,
    plan: (world) => {
      const place = world.int(0, 1)
      return {
        foreseen: null,
        run: async () => {
          const { rows } = await sql<{ id: number; student_id: number; payer_id: number; currency: string }>`
            select t.id, t.payer_id, p.student_id, t.currency from payment_plans t join payers p on p.id = t.payer_id where t.state = 'running'
            order by t.id offset ${place} limit 1`.execute(services.db)
          const [plan] = rows
          const came: { id: number; rest: number; allocations: readonly { invoice_id: number; amount: number }[] }[] =
            []
          for (const one of plan ? await coveredBy(services.db, plan.id) : []) {
            if (one.open <= 0) continue
            const id = await world.money.transaction(plan!.student_id, one.open, {
              invoice: one.id,
              currency: plan!.currency,
            })
            const [booked] = await world.book([id])
            came.push(booked!)
          }
          return (model) => {
            for (const { id, rest, allocations } of came) {
              const { payer_id: payer, currency } = plan!
              for (const one of allocations)
                modelledInvoice(model, one.invoice_id, payer, currency).settled += one.amount
              model.wallets.set(`${payer} ${currency}`, (model.wallets.get(`${payer} ${currency}`) ?? 0) + rest)
              model.payments.set(id, { payer, currency, allocations, rest })
            }
          }
        },
      }
    },
  }
  const ended: MoneyAction = {
    name: 'plan ended',
    plan: (world) => {
      const place = world.int(0, 1)
      return {
        foreseen: null,
        run: async () => {
          await ctx().write(async (tx) => {
            const { rows } = await sql<{ id: number; payer_id: number; student_id: number }>`
              select t.id, t.payer_id, p.student_id from payment_plans t join payers p on p.id = t.payer_id where t.state = 'running'
              order by t.id offset ${place} limit 1`.execute(tx)
            const [plan] = rows
            if (!plan) return
            await holdPayers(tx, sql`select ${plan.payer_id}::int`)
            const { rows: still } =
              await sql`select from payment_plans where id = ${plan.id} and state = 'running' for no key update`.execute(
                tx,
              )
            if (still.length) await leavePlan(ctx(), tx, { ...plan, user_id: null, decided_by: null }, 'Test')
          })
          return () => {}
        },
      }
    },
  }
  const reversed: MoneyAction = {
    name: 'invoice reversed',
    plan: (world) => {
      const found = world.pick([...world.model.invoices].filter(([, one]) => !one.reversed))
      if (!found) return null
      const [id, { payer, currency }] = found
      return {
        foreseen: null,
        run: async () => {
          const { charged, settled } = await ctx().write(async (tx) => {
            const invoice = await holdInvoice(tx, id)
            if (invoice.reversed) throw refuse(409, 'invoice_is_reversed')
            await reverseInvoice(ctx(), tx, invoice, 'Test')
            return invoice
          })
          return ({ invoices, wallets }) => {
            const known = invoices.get(id)!
            known.charged -= charged
            known.settled -= settled
            known.reversed = true
            if (settled > 0) wallets.set(`${payer} ${currency}`, (wallets.get(`${payer} ${currency}`) ?? 0) + settled)
          }
        },
      }
    },
  }
  return [agreed, judged, paid, ended, reversed]
}

/** Of plans that were just judged, those that are not what the rule says of them. */
export async function wrongOutcomes(services: Services): Promise<number[]> {
  const { grace } = await planSettings({ db: services.db })
  const today = await dayToday(services.db)
  const { rows } = await sql<{ id: number }>`select id from payment_plans where state = 'running'`.execute(services.db)
  const wrong: number[] = []
  for (const { id } of rows)
    if (planOutcome(await coveredBy(services.db, id), { today, grace }) !== null) wrong.push(id)
  return wrong
}
