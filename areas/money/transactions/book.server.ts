/** Books transactions into the ledger: what came settles what is owed, what is over goes into the wallet; each exactly once. */
import { followDebts, tellAccounts } from '#areas/money/invoices/holds.server.ts'
import {
  postEntries,
  samePayers,
  type AccountRole,
  type LedgerEntry,
  type Posting,
} from '#areas/money/ledger/post.server.ts'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { sql } from 'kysely'
import { holdTransactions } from './cancel.server.ts'
import { allocate, type Allocation, type OpenInvoice, type Preference } from './allocate.rules.ts'

export type PaidWay = 'cash' | 'slip' | 'bank' | 'card' | 'mobile' | 'wallet' | 'deposit'

/** Where money of a way lies until the bank has it. */
const ACCOUNT_OF: Readonly<Record<PaidWay, AccountRole>> = {
  cash: 'cash',
  slip: 'bank',
  bank: 'bank',
  card: 'card',
  mobile: 'mobile',
  wallet: 'wallet',
  deposit: 'deposit',
}

interface Held {
  readonly id: number
  readonly payer_id: number
  readonly direction: 'in' | 'out'
  readonly way: PaidWay
  readonly purpose: 'payment' | 'charge' | 'refund' | 'cash_back' | 'direct_cash_back'
  readonly currency: string
  readonly amount: number
  readonly status: string
  readonly entry_id: string | null
  readonly invoice_id: number | null
  readonly account_id: number | null
  readonly refund_of: number | null
  /** Who it is, whichever of the payers: two records that became one are two payers of one person. */
  readonly person: string
}

export interface BookOptions {
  /** What each transaction settles first, by its id; without it the invoice that it was made for. */
  readonly prefer?: ReadonlyMap<number, readonly Preference[]> | undefined
  /** Nothing else is settled; the rest goes into the wallet. */
  readonly only?: boolean | undefined
  /** The university's day on which the money came, of all or by id; today unless told. */
  readonly booked_on?: string | ReadonlyMap<number, string> | undefined
}
export interface BookedTransaction {
  readonly id: number
  readonly payer_id: number
  /** False: it was booked before, and stays as it is. */
  readonly booked: boolean
  readonly allocations: readonly Allocation[]
  /** What went into the wallet. */
  readonly rest: number
}

/**
 * Books money that came (`direction` in): transactions that are new, pending, failed or expired become paid; one that is paid
 * already stays (`booked: false`); rejected and cancelled ones are not booked either. Holds the payers, then its rows, in one
 * order: whoever books for the same payer comes before or after. Holds on students are lifted in the same transaction.
 *
 * @param ids transactions; read and written in one statement each, however many
 */
export async function bookTransactions(
  ctx: Ctx,
  tx: Tx,
  ids: readonly number[],
  options: BookOptions = {},
): Promise<BookedTransaction[]> {
  if (!ids.length) return []
  await holdTransactions(tx, ids)
  const { rows: held } = await sql<Held>`
    select t.id, t.payer_id, t.direction, t.way, t.purpose, t.currency, t.amount::float8 as amount, t.status, t.entry_id, t.invoice_id,
      b.ledger_account_id as account_id, t.refund_of, ${PERSON} as person
    from transactions t join payers p on p.id = t.payer_id left join banks b on b.id = t.bank_id
    where t.id = any(${[...ids]}::int[]) and t.direction = 'in' order by t.id`.execute(tx)
  const fresh = held.filter((one) => one.entry_id === null && !['rejected', 'cancelled'].includes(one.status))
  const open = await openInvoices(
    tx,
    fresh.map((one) => one.payer_id),
  )
  const key = (one: { readonly person: string; readonly currency: string }) => `${one.person} ${one.currency}`
  const byPerson = Map.groupBy(open, key)
  const owners = new Map(open.map((one) => [one.id, one.payer_id]))
  const booked: (BookedTransaction & { entry: LedgerEntry })[] = []
  for (const one of fresh) {
    const of = key(one)
    const prefer = options.prefer?.get(one.id) ?? (one.invoice_id === null ? [] : [{ invoice_id: one.invoice_id }])
    const { allocations, rest } =
      one.purpose === 'charge'
        ? { allocations: [], rest: one.amount }
        : allocate(one.amount, byPerson.get(of) ?? [], { prefer, only: options.only })
    // What this one settled is not open to the next.
    const taken = new Map(allocations.map((a) => [a.invoice_id, a.amount]))
    byPerson.set(
      of,
      (byPerson.get(of) ?? []).map((invoice) => ({ ...invoice, open: invoice.open - (taken.get(invoice.id) ?? 0) })),
    )
    booked.push({
      id: one.id,
      payer_id: one.payer_id,
      booked: true,
      allocations,
      rest,
      entry: entryOf(one, allocations, rest, owners, options),
    })
  }
  const entries = await postEntries(
    tx,
    booked.map((one) => one.entry),
  )
  await sql`
    update transactions t set status = 'paid', entry_id = x.entry_id, paid_at = now(), version = version + 1,
      booked_on = coalesce(x.booked_on, university_today())
    from unnest(${booked.map((one) => one.id)}::int[], ${entries.map((one) => one.entry_id)}::bigint[],
      ${booked.map((one) => dayOf(one.id, options) ?? null)}::date[]) x (id, entry_id, booked_on)
    where t.id = x.id`.execute(tx)
  await writeAllocations(tx, booked)
  const payers = [...new Set(booked.map((one) => one.payer_id))]
  await followDebts(ctx, tx, payers)
  await tellAccounts(ctx, tx, payers)
  const done = new Map(booked.map(({ entry: _entry, ...one }) => [one.id, one]))
  return held.map(
    (one) => done.get(one.id) ?? { id: one.id, payer_id: one.payer_id, booked: false, allocations: [], rest: 0 },
  )
}

const dayOf = (id: number, { booked_on }: BookOptions): string | undefined =>
  typeof booked_on === 'object' ? booked_on.get(id) : booked_on

function entryOf(
  one: Held,
  allocations: readonly Allocation[],
  rest: number,
  owners: ReadonlyMap<number, number>,
  options: BookOptions,
): LedgerEntry {
  const { payer_id, amount } = one
  const from: Posting =
    one.way === 'wallet' || one.way === 'deposit'
      ? { role: one.way, payer_id, amount }
      : one.account_id !== null && one.account_id !== undefined
        ? { account_id: one.account_id, amount }
        : { role: ACCOUNT_OF[one.way], amount }
  return {
    kind: one.purpose === 'charge' ? 'charge' : one.way === 'wallet' ? 'wallet' : 'payment',
    source: `transaction:${one.id}`,
    currency: one.currency,
    settles: true,
    booked_on: dayOf(one.id, options),
    postings: [
      from,
      ...allocations.map((a) => ({
        role: 'receivable' as const,
        payer_id: owners.get(a.invoice_id)!,
        invoice_id: a.invoice_id,
        amount: -a.amount,
      })),
      ...(rest > 0 ? [{ role: 'wallet' as const, payer_id, amount: -rest }] : []),
    ],
  }
}

const writeAllocations = (
  tx: Tx,
  of: readonly { readonly id: number; readonly allocations: readonly Allocation[] }[],
) => {
  const lines = of.flatMap(({ id, allocations }) => allocations.map((a) => ({ id, ...a })))
  return sql`insert into transaction_allocations (transaction_id, invoice_id, amount)
    select * from unnest(${lines.map((one) => one.id)}::int[], ${lines.map((one) => one.invoice_id)}::int[],
      ${lines.map((one) => one.amount)}::bigint[])`.execute(tx)
}

/** SQL: who the payer `p` is. */
const PERSON = sql`coalesce('s' || p.student_id, 'u' || p.user_id, 'p' || p.id)`
/** What is open of the invoices of payers, who are held, and of others that are the same person. */
async function openInvoices(
  tx: Tx,
  payers: readonly number[],
): Promise<(OpenInvoice & { payer_id: number; currency: string; person: string })[]> {
  const ids = [...new Set(payers)]
  const { rows } = await sql<OpenInvoice & { payer_id: number; currency: string; person: string }>`
    select i.id, i.payer_id, ${PERSON} as person, i.currency, (b.charged - b.settled)::float8 as open,
      coalesce((select min(n.due_date) from (select n.due_date, sum(n.amount) over (order by n.position) as until from installments n
        where n.invoice_id = i.id) n where n.until > b.settled), i.issued_on)::text as due_date
    from invoices i join invoice_balances b on b.invoice_id = i.id and b.settled < b.charged join payers p on p.id = i.payer_id
    where i.payer_id in (${samePayers(sql`select unnest(${ids}::int[])`)}) and i.reversed_at is null order by i.id`.execute(
    tx,
  )
  return rows
}
