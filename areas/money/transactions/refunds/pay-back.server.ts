/** Money that goes back: out of a payment or out of a wallet, booked; what another person has to approve is asked for instead. */
import { followDebts, tellAccounts } from '#areas/money/invoices/holds.server.ts'
import { postEntries, type Posting } from '#areas/money/ledger/post.server.ts'
import { parseHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { universitySettingsOf } from '#areas/common/settings/university/university.server.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { takeSerial } from '#kit/server/unit/serials.ts'
import { sql } from 'kysely'
import type { PaidWay } from '../book.server.ts'
import { holdDrawer } from '../desk/shift.server.ts'
import type { HeldWallet } from '../hold.server.ts'
import { checkRefund, needsSecondPerson, takenFrom } from '../moves/back.rules.ts'
import { providerNamed } from '../providers/offered.server.ts'
import { receiptNumbers, type Gone } from '../moves/transaction.contract.ts'

const ACCOUNT = {
  cash: 'cash',
  slip: 'bank',
  bank: 'bank',
  card: 'card',
  mobile: 'mobile',
  wallet: 'wallet',
  deposit: 'deposit',
} as const
export type PayBackKind = 'refund' | 'direct_cash_back' | 'cash_back'

/** Given back by a provider: it is asked after it is booked, and it is paid once it said so. */
export const byProvider = (way: PaidWay): boolean => way === 'card' || way === 'mobile'

export interface PaidBack {
  readonly id: number
  readonly number: string
  readonly receipt: string | null
  /** A provider is to be asked for it. */
  readonly pending: boolean
}

/**
 * Gives a payment that is held, or a part of it, back: the way it came, or in cash from the own drawer. What of it is in the wallet
 * goes first, then what it settled last: those invoices are open again. By a provider it is booked and pending until it answered.
 *
 * @throws {Refusal} every reason of `checkRefund`
 */
export async function payBack(
  ctx: Ctx,
  tx: Tx,
  of: HeldWallet,
  { amount, direct, reason }: { amount: number; direct: boolean; reason: string },
): Promise<PaidBack> {
  const reasons = checkRefund(of, amount)
  if (reasons.length) throw new Refusal(409, reasons)
  const from = takenFrom(of, amount)!
  const way: PaidWay = direct ? 'cash' : of.way
  const pending = byProvider(way)
  if (pending && (of.provider_reference === null || !providerNamed(ctx.services, of.provider ?? '')))
    throw refuse(409, 'refund_no_provider')
  if (pending && of.unanswered) throw refuse(409, 'refund_not_answered')
  const shift = way === 'cash' ? await holdDrawer(ctx, tx, { currency: of.currency, amount }) : null
  const receipt = way === 'cash' ? (await takeSerial(tx, receiptNumbers)).text : null
  const { rows } = await sql<{ id: number; number: string }>`
    insert into transactions (payer_id, direction, way, purpose, currency, amount, status, refund_of, reason, shift_id, bank_id, receipt, provider, created_by)
    values (${of.payer_id}, 'out', ${way}, ${direct ? 'direct_cash_back' : 'refund'}, ${of.currency}, ${amount}, 'new', ${of.id}, ${reason},
      ${shift?.id ?? null}, ${way === 'cash' ? null : of.bank_id}, ${receipt}, null, ${ctx.actor?.user_id ?? null}) returning id, number`.execute(
    tx,
  )
  const refund = firstRow(rows)
  const { rows: owned } = await sql<{ id: number; payer_id: number }>`select id, payer_id from invoices
    where id = any(${from.allocations.map((a) => a.invoice_id)}::int[])`.execute(tx)
  const owners = new Map(owned.map((one) => [one.id, one.payer_id]))
  const to: Posting =
    way !== 'cash' && of.account_id !== null
      ? { account_id: of.account_id, amount: -amount }
      : way === 'wallet'
        ? { role: 'wallet', payer_id: of.payer_id, amount: -amount }
        : { role: ACCOUNT[way], amount: -amount }
  const [entry] = await postEntries(tx, [
    {
      kind: direct ? 'cash_back' : 'refund',
      source: `transaction:${refund.id}`,
      currency: of.currency,
      settles: true,
      reason,
      postings: [
        ...(from.wallet ? [{ role: 'wallet' as const, payer_id: of.payer_id, amount: from.wallet }] : []),
        ...from.allocations.map((a) => ({
          role: 'receivable' as const,
          payer_id: owners.get(a.invoice_id)!,
          invoice_id: a.invoice_id,
          amount: a.amount,
        })),
        to,
      ],
    },
  ])
  await sql`insert into transaction_allocations (transaction_id, invoice_id, amount)
    select ${refund.id}, x.invoice_id, -x.amount from unnest(${from.allocations.map((a) => a.invoice_id)}::int[], ${from.allocations.map((a) => a.amount)}::bigint[]) x (invoice_id, amount)`.execute(
    tx,
  )
  await sql`update transactions set status = ${pending ? 'pending' : 'paid'}, entry_id = ${entry!.entry_id}, booked_on = university_today(),
    paid_at = ${pending ? null : sql`now()`} where id = ${refund.id}`.execute(tx)
  // Here before the provider hears of it: whoever stops in between, the clock goes on.
  if (pending)
    await sql`insert into provider_refunds (provider, payment_id, refund_id, amount, reason, next_check_at)
      select provider, id, ${refund.id}, ${amount}, ${reason}, now() + interval '1 minute' from transactions where id = ${of.id}`.execute(
      tx,
    )
  await followDebts(ctx, tx, [of.payer_id])
  await tellAccounts(ctx, tx, [of.payer_id])
  return { ...refund, receipt, pending }
}

/** Pays out of a wallet, its payer held, in cash from the own drawer. */
export async function payWallet(
  ctx: Ctx,
  tx: Tx,
  { payer_id, amount, currency, reason }: { payer_id: number; amount: number; currency: string; reason: string },
): Promise<PaidBack> {
  const shift = await holdDrawer(ctx, tx, { currency, amount })
  const { text: receipt } = await takeSerial(tx, receiptNumbers)
  const { rows } = await sql<{ id: number; number: string }>`
    insert into transactions (payer_id, direction, way, purpose, currency, amount, reason, shift_id, receipt, created_by)
    values (${payer_id}, 'out', 'cash', 'cash_back', ${currency}, ${amount}, ${reason}, ${shift.id}, ${receipt}, ${ctx.actor?.user_id ?? null})
    returning id, number`.execute(tx)
  const [entry] = await postEntries(tx, [
    {
      kind: 'cash_back',
      source: `transaction:${firstRow(rows).id}`,
      currency,
      settles: true,
      reason,
      postings: [
        { role: 'wallet', payer_id, amount },
        { role: 'cash', amount: -amount },
      ],
    },
  ])
  await sql`update transactions set status = 'paid', entry_id = ${entry!.entry_id}, booked_on = university_today(), paid_at = now() where id = ${firstRow(rows).id}`.execute(
    tx,
  )
  await tellAccounts(ctx, tx, [payer_id])
  return { ...firstRow(rows), receipt, pending: false }
}

/** What one person gives back alone, in minor units; null: everything. */
async function limitOf(tx: Tx, currency: string): Promise<number | null> {
  const name = currency === 'USD' ? 'refund_limit_usd' : 'refund_limit_egp'
  const limit = (await universitySettingsOf({ db: tx }, [name]))[name]
  return limit === '' ? null : parseHundredths(limit)
}

/** Of a payment that is held: whether so much of it is first asked of another person. */
export async function isAskedFirst(tx: Tx, of: HeldWallet, way: PaidWay, amount: number): Promise<boolean> {
  // What goes into the wallet does not leave the university.
  if (way === 'wallet') return false
  return needsSecondPerson(await limitOf(tx, of.currency), of.refunded + of.asked, amount)
}

/** Of a wallet whose payer is held: what went out of it in the last 30 days counts, not what an invoice put into it. */
export async function isWalletAskedFirst(tx: Tx, payer_id: number, currency: string, amount: number): Promise<boolean> {
  const limit = await limitOf(tx, currency)
  if (limit === null) return false
  const { rows } = await sql<{ before: number }>`
    select (coalesce((select sum(t.amount) from transactions t where t.payer_id = ${payer_id} and t.currency = ${currency} and t.purpose = 'cash_back'
        and t.way <> 'wallet' and t.status = 'paid' and t.booked_on > university_today() - 30), 0)
      + coalesce((select sum(q.amount) from refund_requests q where q.payer_id = ${payer_id} and q.currency = ${currency} and q.kind = 'cash_back'
        and q.status in ('asked', 'approved')), 0))::float8 as before`.execute(tx)
  return needsSecondPerson(limit, firstRow(rows).before, amount)
}

/** Asks another person for what one does not give back alone: it stays where it is until then. */
export async function askForRefund(
  ctx: Ctx,
  tx: Tx,
  of: {
    payer_id: number
    kind: PayBackKind
    payment_id: number | null
    way: PaidWay
    currency: string
    amount: number
    from_wallet: number
    reason: string
  },
): Promise<Gone> {
  const { rows } = await sql<{ id: number; number: string }>`
    insert into refund_requests (payer_id, kind, payment_id, way, currency, amount, from_wallet, reason, asked_by, really_asked_by)
    values (${of.payer_id}, ${of.kind}, ${of.payment_id}, ${of.way}, ${of.currency}, ${of.amount}, ${of.from_wallet}, ${of.reason},
      ${ctx.actor?.user_id ?? null}, ${ctx.actor?.impersonator_id ?? null}) returning id, number`.execute(tx)
  await tellAccounts(ctx, tx, [of.payer_id])
  return { id: null, number: firstRow(rows).number, receipt: null, state: 'asked', request_id: firstRow(rows).id }
}
