/** Drives random actions on money beside a model in memory: for property tests of whatever books. */
import { sql } from 'kysely'
import { moneyWorld } from '#areas/money/invoices/testing.server.ts'
import { bookTransactions } from '#areas/money/transactions/book.server.ts'
import type { Tx } from '#db/connect.ts'
import type { Services } from '#kit/server/base/context.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { postEntries, type LedgerEntry } from './post.server.ts'
import { verifyLedger } from './proof/verify.server.ts'
import type { Proven } from './proof/proof.contract.ts'

interface KnownInvoice {
  readonly payer: number
  readonly currency: string
  charged: number
  settled: number
  reversed: boolean
}
interface KnownPayment {
  readonly payer: number
  readonly currency: string
  readonly allocations: readonly { readonly invoice_id: number; readonly amount: number }[]
  readonly rest: number
}
/** What should stand, in minor units. */
export interface MoneyModel {
  readonly invoices: Map<number, KnownInvoice>
  /** What came, is paid and was not cancelled. */
  readonly payments: Map<number, KnownPayment>
  /** By payer and currency. */
  readonly wallets: Map<string, number>
}
/** What an action that went well changes of the model; such changes may come in any order. */
type Change = (model: MoneyModel) => void
interface Plan {
  /** Does it, and answers what it changed. Throws what the database or the program refuses. */
  run(): Promise<Change>
  /** What refuses it when nobody else acts; null: it is done. */
  readonly foreseen: string | null
}
export interface MoneyAction {
  readonly name: string
  /** How often it is tried beside others; 1 unless told. */
  readonly weight?: number
  /** What it would do as things stand in the model; null: nothing. */
  plan(world: World): Plan | null
}

export interface World {
  readonly model: MoneyModel
  readonly students: readonly { readonly id: number; readonly payer: number }[]
  readonly money: ReturnType<typeof moneyWorld>
  /** A whole number of these, both included. */
  int(from: number, to: number): number
  pick<T>(of: readonly T[]): T | undefined
  /** Writes as the program does, for the system. */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Books transactions of money that came. */
  book(ids: readonly number[]): ReturnType<typeof bookTransactions>
  wallet(payer: number, currency: string): number
  serial(): number
}

const addToWallet = (model: MoneyModel, payer: number, currency: string, amount: number): void => {
  const key = `${payer} ${currency}`
  model.wallets.set(key, (model.wallets.get(key) ?? 0) + amount)
}

/** An invoice of the model; what settles it may be known before what it charges. */
export function modelledInvoice(model: MoneyModel, id: number, payer: number, currency: string): KnownInvoice {
  let known = model.invoices.get(id)
  if (!known) model.invoices.set(id, (known = { payer, currency, charged: 0, settled: 0, reversed: false }))
  return known
}

/** mulberry32: the same seed gives the same numbers. */
function seeded(seed: number): () => number {
  let a = seed
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A world for students that are there already. */
export async function moneyToDrive(services: Services, students: readonly number[], seed: number): Promise<World> {
  const money = moneyWorld(services.db)
  const random = seeded(seed)
  const model: MoneyModel = { invoices: new Map(), payments: new Map(), wallets: new Map() }
  const ctx = asSystem(services, 'test')
  let serial = 0
  const int = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
  return {
    model,
    money,
    students: await Promise.all(students.map(async (id) => ({ id, payer: await money.payerOf(id) }))),
    int,
    pick: (of) => of[int(0, of.length - 1)],
    write: (work) => asSystem(services, 'test').write(work),
    book: (ids) => ctx.write((tx) => bookTransactions(ctx, tx, ids)),
    wallet: (payer, currency) => model.wallets.get(`${payer} ${currency}`) ?? 0,
    serial: () => ++serial,
  }
}

/** The name of what refused: a constraint, a refusal of the program, else the error itself. */
const refusedBy = (error: unknown): string => {
  const { constraint, code, reasons } = error as { constraint?: string; code?: string; reasons?: { code: string }[] }
  return constraint ?? reasons?.[0]?.code ?? code ?? String(error)
}

/**
 * Takes steps, each an action chosen by its weight. Alone it ends as the model foresees. `together`: that many at once, of which
 * each is done or refused by one of `guards`, and nothing else (no deadlock). After each step what stands is compared.
 *
 * @returns how often what was done and refused, by action
 */
export async function drive(
  world: World,
  actions: readonly MoneyAction[],
  { steps, together = 1, guards = [] }: { steps: number; together?: number; guards?: readonly string[] },
): Promise<Record<string, { done: number; refused: number }>> {
  const drawn = actions.flatMap((action) => Array.from({ length: action.weight ?? 1 }, () => action))
  const said: Record<string, { done: number; refused: number }> = Object.fromEntries(
    actions.map(({ name }) => [name, { done: 0, refused: 0 }]),
  )
  for (let step = 0; step < steps; step++) {
    const plans = Array.from({ length: together }, () => world.pick(drawn)!).flatMap((action) => {
      const plan = action.plan(world)
      return plan ? [{ action, plan }] : []
    })
    const ends = await Promise.allSettled(plans.map(({ plan }) => plan.run()))
    for (const [i, end] of ends.entries()) {
      const { action, plan } = plans[i]!
      const by = end.status === 'rejected' ? refusedBy(end.reason) : null
      const right = plans.length === 1 ? by === plan.foreseen : by === null || guards.includes(by)
      if (!right)
        throw new Error(
          `step ${step}: ${action.name} should have ended with ${plan.foreseen ?? 'done'}, not ${by ?? 'done'}`,
          {
            cause: end.status === 'rejected' ? end.reason : undefined,
          },
        )
      said[action.name]![by === null ? 'done' : 'refused']++
      if (end.status === 'fulfilled') end.value(world.model)
    }
    const differs = await compare(world)
    if (differs.length)
      throw new Error(`step ${step} (${plans.map(({ action }) => action.name).join(', ')}): ${differs.join('; ')}`)
  }
  return said
}

/** Where what stands is not what the model says. */
export async function compare({ model, write }: World): Promise<string[]> {
  const [invoices, wallets] = await write(async (tx) => [
    (
      await sql<{ id: number; charged: number; settled: number }>`
        select invoice_id as id, charged::float8 as charged, settled::float8 as settled from invoice_balances
        where invoice_id = any(${[...model.invoices.keys()]}::int[])`.execute(tx)
    ).rows,
    (
      await sql<{ key: string; wallet: number }>`
        select payer_id || ' ' || currency as key, wallet::float8 as wallet from payer_balances`.execute(tx)
    ).rows,
  ])
  const stands = new Map(wallets.map((one) => [one.key, one.wallet]))
  return [
    ...invoices.flatMap(({ id, charged, settled }) => {
      const known = model.invoices.get(id)!
      return charged === known.charged && settled === known.settled
        ? []
        : [`invoice ${id}: ${settled} of ${charged}, not ${known.settled} of ${known.charged}`]
    }),
    ...[...model.wallets].flatMap(([key, amount]) =>
      (stands.get(key) ?? 0) === amount ? [] : [`wallet ${key}: ${stands.get(key) ?? 0}, not ${amount}`],
    ),
  ]
}

/** What the proof says of everything that was done. */
export const proofOf = (services: Services): Promise<Proven> => verifyLedger(services.db)

// --- Actions --------------------------------------------------------------------------------------------------------

const CURRENCIES = ['EGP', 'EGP', 'USD'] as const
const someone = (world: World) => ({ ...world.pick(world.students)!, currency: world.pick(CURRENCIES)! })
const openOf = (model: MoneyModel, payer: number, currency: string): number =>
  [...model.invoices.values()].reduce(
    (sum, one) =>
      one.payer === payer && one.currency === currency && !one.reversed ? sum + one.charged - one.settled : sum,
    0,
  )
const someInvoice = (world: World) => world.pick([...world.model.invoices].filter(([, one]) => !one.reversed))

/** Whoever books for a payer holds the payer first, in one order. */
const hold = (tx: Tx, payer: number) => sql`select from payers where id = ${payer} for no key update`.execute(tx)

/** An invoice with one to three instalments. */
export const issue: MoneyAction = {
  name: 'invoice',
  weight: 3,
  plan: (world) => {
    const { id, payer, currency } = someone(world)
    const parts = Array.from({ length: world.int(1, 3) }, (_, i) => [world.int(1, 5000), i * 30 - 20] as const)
    return {
      foreseen: null,
      run: async () => {
        const invoice = await world.money.invoice(id, parts, currency)
        const charged = parts.reduce((sum, [amount]) => sum + amount, 0)
        return (model) => {
          modelledInvoice(model, invoice, payer, currency).charged += charged
        }
      },
    }
  },
}

/** Money that comes: settles what is open, the rest into the wallet. From the wallet it takes as much out of it. */
const payment = (
  name: string,
  weight: number,
  of: (world: World) => { way: string; purpose: string },
): MoneyAction => ({
  name,
  weight,
  plan: (world) => {
    const { id, payer, currency } = someone(world)
    const { way, purpose } = of(world)
    const open = openOf(world.model, payer, currency)
    if (way === 'wallet' && open === 0) return null
    const amount = way === 'wallet' ? world.int(1, Math.min(open, 4000)) : world.int(1, 6000)
    return {
      foreseen: way === 'wallet' && amount > world.wallet(payer, currency) ? 'wallet_negative' : null,
      run: async () => {
        const transaction = await world.money.transaction(id, amount, { way, purpose, currency })
        const [booked] = await world.book([transaction])
        const { allocations, rest } = booked!
        const settled = allocations.reduce((sum, one) => sum + one.amount, 0)
        if (settled + rest !== amount) throw new Error(`${settled} settled and ${rest} left of ${amount}`)
        return (model) => {
          for (const one of allocations) modelledInvoice(model, one.invoice_id, payer, currency).settled += one.amount
          addToWallet(model, payer, currency, way === 'wallet' ? -settled : rest)
          model.payments.set(transaction, {
            payer,
            currency,
            allocations,
            rest: way === 'wallet' ? -settled : rest,
          })
        }
      },
    }
  },
})
export const payInvoice = payment('payment', 4, (world) => ({
  way: world.pick(['bank', 'card', 'mobile', 'slip'])!,
  purpose: 'payment',
}))
export const charge = payment('charge', 2, (world) => ({ way: world.pick(['bank', 'card'])!, purpose: 'charge' }))
export const spend = payment('from wallet', 3, () => ({ way: 'wallet', purpose: 'payment' }))

/** The last transaction once more: nothing is booked twice. */
export const payAgain: MoneyAction = {
  name: 'payment again',
  plan: (world) => {
    const id = world.pick([...world.model.payments.keys()])
    if (id === undefined) return null
    return {
      foreseen: null,
      run: async () => {
        const booked = await world.book([id])
        if (booked.some((one) => one.booked)) throw new Error(`transaction ${id} was booked twice`)
        return () => {}
      },
    }
  },
}

/** What came is cancelled: booked back, from invoices and wallet alike. */
export const cancel: MoneyAction = {
  name: 'cancel',
  plan: (world) => {
    const found = world.pick([...world.model.payments])
    if (!found) return null
    const [id, one] = found
    const left = world.wallet(one.payer, one.currency) - one.rest
    const under = one.allocations.some((a) => world.model.invoices.get(a.invoice_id)!.settled < a.amount)
    return {
      foreseen: left < 0 ? 'wallet_negative' : under ? 'invoice_overpaid' : null,
      run: async () => {
        await world.write(async (tx) => {
          await hold(tx, one.payer)
          const { rows } = await sql<{ entry_id: string }>`
            update transactions set status = 'cancelled', reason = 'Test', version = version + 1 where id = ${id} and status = 'paid'
            returning entry_id`.execute(tx)
          if (!rows[0]) throw Object.assign(new Error('It is cancelled already'), { constraint: 'transaction_ended' })
          await postEntries(tx, [
            { source: `transaction:${id}:cancelled`, reversal_of: Number(rows[0].entry_id), reason: 'Test' },
          ])
        })
        return (model) => {
          for (const a of one.allocations) model.invoices.get(a.invoice_id)!.settled -= a.amount
          addToWallet(model, one.payer, one.currency, -one.rest)
          model.payments.delete(id)
        }
      },
    }
  },
}

/** A debit or a credit note; what its instalments are together follows. */
export const debitOrCreditNote: MoneyAction = {
  name: 'note',
  weight: 3,
  plan: (world) => {
    const found = someInvoice(world)
    if (!found) return null
    const [id, { payer, currency, charged, settled }] = found
    const change = world.int(0, 1) ? world.int(1, 2000) : -world.int(1, Math.max(charged, 1))
    return {
      foreseen:
        charged + change < 0 ? 'invoice_charged_negative' : charged + change < settled ? 'invoice_overpaid' : null,
      run: async () => {
        await world.write(async (tx) => {
          await hold(tx, payer)
          const { rows } = await sql<{ id: number }>`
            insert into invoice_notes (invoice_id, number, kind, amount, reason, issued_on)
            values (${id}, ${`TEST-N${world.serial()}`}, ${change > 0 ? 'debit' : 'credit'}, ${Math.abs(change)}, 'Test', university_today())
            returning id`.execute(tx)
          const of = rows[0]!.id
          await sql`insert into invoice_lines (invoice_id, note_id, position, account, item, name, name_local, unit_amount, amount)
            values (${id}, ${of}, 1, 'tuition', 'test', 'Test', 'اختبار', ${change}, ${change})`.execute(tx)
          await postEntries(tx, [
            {
              kind: change > 0 ? 'debit_note' : 'credit_note',
              source: `note:${of}`,
              currency,
              settles: false,
              postings: [
                { role: 'receivable', payer_id: payer, invoice_id: id, amount: change },
                { role: 'tuition', amount: -change },
              ],
            },
          ])
          // More is added to the last instalment, less taken from the last that has some.
          await sql`update installments n set amount = x.amount from (
              select id, case when ${change}::bigint > 0 then amount + case when later = 0 then ${change}::bigint else 0 end
                else amount - greatest(0, least(amount, ${-change}::bigint - later)) end as amount
              from (select id, amount, coalesce(sum(amount) over (order by position desc rows between unbounded preceding and 1 preceding), 0) as later
                from installments where invoice_id = ${id}) i) x
            where x.id = n.id and ${change}::bigint < 0`.execute(tx)
          if (change > 0)
            await sql`update installments set amount = amount + ${change} where id = (
              select id from installments where invoice_id = ${id} order by position desc limit 1)`.execute(tx)
        })
        return ({ invoices }) => {
          invoices.get(id)!.charged += change
        }
      },
    }
  },
}

/** Money that goes: back from an invoice (to the wallet, or to where it came from), or out of the wallet. */
const giveBack = (
  name: string,
  weight: number,
  {
    from,
    way,
    kind,
    purpose,
  }: { from: 'invoice' | 'wallet'; way: 'bank' | 'wallet'; kind: LedgerEntry['kind']; purpose: string },
): MoneyAction => ({
  name,
  weight,
  plan: (world) => {
    const found = from === 'invoice' ? someInvoice(world) : undefined
    if (from === 'invoice' && (!found || found[1].settled === 0)) return null
    const { payer, currency } = found?.[1] ?? someone(world)
    const most = found ? found[1].settled : world.wallet(payer, currency)
    const amount = world.int(1, most + 200)
    const invoice_id = found?.[0]
    return {
      foreseen: amount <= most ? null : from === 'invoice' ? 'invoice_overpaid' : 'wallet_negative',
      run: async () => {
        await world.write(async (tx) => {
          await hold(tx, payer)
          const { rows } = await sql<{ id: number }>`
            insert into transactions (payer_id, direction, way, purpose, currency, amount, invoice_id)
            values (${payer}, 'out', ${way}, ${purpose}, ${currency}, ${amount}, ${invoice_id ?? null}) returning id`.execute(
            tx,
          )
          const { id } = rows[0]!
          const [entry] = await postEntries(tx, [
            {
              kind,
              source: `transaction:${id}`,
              currency,
              settles: true,
              postings: [
                invoice_id === undefined
                  ? { role: 'wallet', payer_id: payer, amount }
                  : { role: 'receivable', payer_id: payer, invoice_id, amount },
                way === 'wallet'
                  ? { role: 'wallet', payer_id: payer, amount: -amount }
                  : { role: 'bank', amount: -amount },
              ],
            },
          ])
          await sql`update transactions set status = 'paid', entry_id = ${entry!.entry_id}, booked_on = university_today(), paid_at = now()
            where id = ${id}`.execute(tx)
          if (invoice_id !== undefined)
            await sql`insert into transaction_allocations (transaction_id, invoice_id, amount) values (${id}, ${invoice_id}, ${-amount})`.execute(
              tx,
            )
        })
        return (model) => {
          if (invoice_id !== undefined) model.invoices.get(invoice_id)!.settled -= amount
          if (from === 'wallet') addToWallet(model, payer, currency, -amount)
          if (way === 'wallet') addToWallet(model, payer, currency, amount)
        }
      },
    }
  },
})
export const toWallet = giveBack('to wallet', 2, { from: 'invoice', way: 'wallet', kind: 'wallet', purpose: 'refund' })
export const refund = giveBack('refund', 2, { from: 'invoice', way: 'bank', kind: 'refund', purpose: 'refund' })
export const cashBack = giveBack('cash back', 2, {
  from: 'wallet',
  way: 'bank',
  kind: 'cash_back',
  purpose: 'cash_back',
})

/** An invoice is reversed: it and its notes are booked back. What was settled has to leave it first. */
export const reverse: MoneyAction = {
  name: 'reverse invoice',
  plan: (world) => {
    const found = someInvoice(world)
    if (!found) return null
    const [id, { payer, settled }] = found
    return {
      foreseen: settled > 0 ? 'invoice_overpaid' : null,
      run: async () => {
        const charged = await world.write(async (tx) => {
          await hold(tx, payer)
          const { rows } = await sql<{ id: string; source: string }>`
            select distinct e.id, e.source from ledger_entries e join ledger_postings p on p.entry_id = e.id and p.invoice_id = ${id}
            where not e.settles and e.kind <> 'reversal' and not exists (select from ledger_entries r where r.reversal_of = e.id) order by e.id`.execute(
            tx,
          )
          const { rows: before } = await sql<{ charged: number }>`
            update invoices i set reversed_at = now(), reversed_reason = 'Test' from invoice_balances b
            where i.id = ${id} and b.invoice_id = i.id and i.reversed_at is null returning b.charged::float8 as charged`.execute(
            tx,
          )
          if (!before[0])
            throw Object.assign(new Error('It is reversed already'), { constraint: 'invoice_is_reversed' })
          await sql`update installments set amount = 0 where invoice_id = ${id}`.execute(tx)
          await postEntries(
            tx,
            rows.map((one) => ({ source: `${one.source}:reversed`, reversal_of: Number(one.id), reason: 'Test' })),
          )
          return before[0].charged
        })
        return ({ invoices }) => {
          const known = invoices.get(id)!
          known.charged -= charged
          known.reversed = true
        }
      },
    }
  },
}

/** Everything above, and the names of what may refuse when several act at once. */
export const MONEY_ACTIONS: readonly MoneyAction[] = [
  issue,
  payInvoice,
  charge,
  spend,
  payAgain,
  cancel,
  debitOrCreditNote,
  toWallet,
  refund,
  cashBack,
  reverse,
]
export const MONEY_GUARDS: readonly string[] = [
  'wallet_negative',
  'invoice_overpaid',
  'invoice_charged_negative',
  'transaction_ended',
  'ledger_reversed_twice',
  'invoice_is_reversed',
]
