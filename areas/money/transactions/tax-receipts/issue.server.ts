/**
 * Receipts to the tax authority: made of what was paid and given back, sent in batches, and asked about. Whatever stops in between,
 * the next run goes on: what was made is there once, and what may have been sent is asked for by its UUID before it is sent again.
 */
import { universitySettingsOf } from '#areas/common/settings/university/university.server.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { series } from '#kit/contract/index.ts'
import { Refusal } from '#kit/server/base/errors.ts'
import type { Ctx, Services } from '#kit/server/base/context.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { takeSerial } from '#kit/server/unit/serials.ts'
import { sql } from 'kysely'
import { ProviderDown } from '../providers/provider.server.ts'
import { sha256 } from '../providers/signing.server.ts'
import { taxAuthority, type TaxAuthority, type TaxReason, type TaxSettings } from './authority.server.ts'
import {
  canonicalText,
  checkTaxSale,
  retryAfter,
  taxDocument,
  type TaxLine,
  type TaxSale,
} from './tax-document.rules.ts'

export const taxReceiptNumbers = series('tax_receipts', { per: 'year', format: 'TR-{period}-{n}' })

/** Receipts that are sent together. */
const BATCH = 100
/** Receipts that one run makes. */
const MOST_MADE = 500

/** The authority of a configuration, with its token. */
const made = new WeakMap<object, TaxAuthority>()
export function authorityOf({ config: { taxReceipts } }: Pick<Services, 'config'>): TaxAuthority | null {
  if (!taxReceipts) return null
  const known = made.get(taxReceipts) ?? taxAuthority(taxReceipts)
  made.set(taxReceipts, known)
  return known
}

/** Whether the university has switched it on, and the pounds for a dollar; null: not set. */
export async function taxSettingsOf(
  of: Parameters<typeof universitySettingsOf>[0],
): Promise<{ on: boolean; rate: number | null }> {
  const set = await universitySettingsOf(of, ['tax_receipts', 'tax_rate_usd'])
  return { on: set.tax_receipts === 'true', rate: set.tax_rate_usd ? Number(set.tax_rate_usd) : null }
}

interface Candidate {
  readonly transaction_id: number
  readonly kind: 'S' | 'R'
  readonly reference_id: number | null
  readonly reference: string | null
  readonly way: string
  readonly currency: string
  readonly amount: number
  readonly at: string
  readonly name: string
  readonly national_id: string | null
  readonly lines: TaxLine[]
}

/** SQL: of a transaction `t` what it settled as lines, and the rest. */
const LINES = sql`(select coalesce(json_agg(json_build_object('code', x.code, 'description', x.description, 'amount', x.amount) order by x.code), '[]') from (
  select i.number as code, case when num_nonnulls(p.user_id, p.guest_id) = 0 then 'رسوم دراسية، فاتورة ' else 'فاتورة ' end
      || i.number as description, abs(a.amount)::float8 as amount
    from transaction_allocations a join invoices i on i.id = a.invoice_id where a.transaction_id = t.id and a.amount <> 0
  union all
  select 'WALLET', case when num_nonnulls(p.user_id, p.guest_id) = 0 then 'رصيد لحساب الطالب' else 'رصيد لحساب الدافع' end, r.rest from (select (t.amount - coalesce((select sum(abs(a.amount)) from transaction_allocations a
    where a.transaction_id = t.id), 0))::float8 as rest) r where r.rest > 0) x)`
const PAYER = sql`join payers p on p.id = t.payer_id left join students s on s.id = p.student_id left join sponsors o on o.id = p.sponsor_id
  left join applicants q on q.id = p.applicant_id left join users w on w.id = p.user_id left join instructors wi on wi.user_id = w.id and wi.removed_at is null
  left join guests v on v.id = p.guest_id`
const WHO = sql`coalesce(s.name_local, o.name_local, q.name_local, q.name, w.name_local, v.name_local, '') as name,
  coalesce(s.national_id, q.national_id, wi.national_id, case v.document_kind when 'national_id' then v.document_number end) as national_id`
const MONEY = sql`t.way in ('cash', 'slip', 'bank', 'card', 'mobile')`

/**
 * What lacks its receipt: payments since the device began, refunds and cancelled payments whose receipt the authority has, and
 * payments that count again because their refund was cancelled.
 */
const lacking = (device: string, rate: number | null, most: number) => sql<Candidate>`
  select * from (
    select t.id as transaction_id, 'S' as kind, null::int as reference_id, null as reference, t.way, t.currency, t.amount::float8 as amount,
      t.paid_at as at, ${WHO}, ${LINES} as lines
    from transactions t ${PAYER} join ledger_entries e on e.id = t.entry_id join tax_devices d on d.serial = ${device}
    where t.direction = 'in' and t.status = 'paid' and ${MONEY} and e.created_at >= d.began_at
      and not exists (select from tax_receipts r where r.transaction_id = t.id and r.kind = 'S')
    union all
    select t.id, 'R', r.id, r.uuid, t.way, t.currency, t.amount::float8, t.paid_at, ${WHO}, ${LINES}
    from transactions t ${PAYER} join tax_receipts r on r.transaction_id = t.refund_of and r.kind = 'S' and r.state in ('sent', 'valid')
    where t.direction = 'out' and t.status = 'paid'
      and not exists (select from tax_receipts x where x.transaction_id = t.id and x.kind = 'R')
    union all
    select t.id, 'R', r.id, r.uuid, t.way, t.currency, t.amount::float8, t.updated_at, ${WHO}, r.lines::json
    from transactions t ${PAYER} join tax_receipts r on r.transaction_id = t.id and r.kind = 'S' and r.state in ('sent', 'valid')
    where t.direction = 'in' and t.status = 'cancelled'
      and not exists (select from tax_receipts x where x.transaction_id = t.id and x.kind = 'R')
    union all
    select t.id, 'S', null, null, t.way, t.currency, t.amount::float8, t.updated_at, ${WHO}, r.lines::json
    from transactions t ${PAYER} join tax_receipts r on r.transaction_id = t.id and r.kind = 'R' and r.state in ('sent', 'valid')
    where t.direction = 'out' and t.status = 'cancelled'
      and not exists (select from tax_receipts x where x.transaction_id = t.id and x.kind = 'S')
  ) l where l.currency = 'EGP' or ${rate}::numeric is not null
  order by l.at, l.transaction_id limit ${most}`

/** To the second, as the authority writes it. */
const second = (at: string | Date): string => `${new Date(at).toISOString().slice(0, 19)}Z`

/** The document of a sale with its UUID in it, as it is sent. */
export function documentOf(sale: TaxSale, seller: TaxSettings['seller']): { uuid: string; text: string } {
  const document = taxDocument(sale, seller)
  const uuid = sha256(canonicalText(document))
  return { uuid, text: JSON.stringify({ ...document, header: { ...document.header, uuid } }) }
}

/** The device, held: receipts are made on it one after the other. */
async function holdDevice(tx: Tx, serial: string): Promise<string> {
  await sql`insert into tax_devices (serial) values (${serial}) on conflict do nothing`.execute(tx)
  const { rows } = await sql<{
    head_uuid: string | null
  }>`select head_uuid from tax_devices where serial = ${serial} for update`.execute(tx)
  return firstRow(rows).head_uuid ?? ''
}

/** Makes receipts of what lacks one, in the order in which it was paid; each names the one before it. */
export async function makeTaxReceipts(ctx: Ctx, set: TaxSettings, rate: number | null): Promise<number> {
  const { seller } = set
  return ctx.write(async (tx) => {
    let previous = await holdDevice(tx, seller.device)
    const { rows } = await lacking(seller.device, rate, MOST_MADE).execute(tx)
    let count = 0
    for (const one of rows) {
      const sale: TaxSale = {
        ...one,
        number: '',
        issued_at: second(one.at),
        previous,
        replaces: null,
        rate,
        payer: { name: one.name, national_id: one.national_id },
      }
      // What cannot be a receipt waits for what it lacks: a rate, an id.
      if (checkTaxSale(sale).length) continue
      const { text: number } = await takeSerial(tx, taxReceiptNumbers)
      const { uuid, text } = documentOf({ ...sale, number }, seller)
      await sql`insert into tax_receipts (transaction_id, kind, reference_id, device, number, uuid, previous_uuid, lines, document, issued_at)
        values (${one.transaction_id}, ${one.kind}, ${one.reference_id}, ${seller.device}, ${number}, ${uuid}, ${previous},
          ${JSON.stringify(one.lines)}::jsonb, ${text}, ${sale.issued_at}::timestamptz)`.execute(tx)
      previous = uuid
      count++
    }
    if (count) await sql`update tax_devices set head_uuid = ${previous} where serial = ${seller.device}`.execute(tx)
    return count
  })
}

interface Due {
  readonly id: number
  readonly uuid: string
  readonly document: string
  readonly tries: number
}
/** Takes those whose time has come in a state; who does the same takes others, and none of them before an answer can have come. */
const takeDue = (ctx: Ctx, state: 'to_send' | 'sent') =>
  ctx.write(async (tx) => {
    const { rows } = await sql<Due>`with due as (
        select id from tax_receipts where state = ${state} and next_try_at <= now() order by id limit ${BATCH} for update skip locked)
      update tax_receipts r set tries = r.tries + 1, next_try_at = now() + interval '5 minutes' from due where r.id = due.id
      returning r.id, r.uuid, r.document, r.tries - 1 as tries`.execute(tx)
    return rows.toSorted((a, b) => a.id - b.id)
  })

type Outcome = {
  readonly state: 'sent' | 'valid' | 'rejected'
  readonly reasons: readonly TaxReason[]
  readonly submission?: string | null
}
/** Writes what became of a receipt. It counts as long as it is the one that was sent. */
const settle = (ctx: Ctx, { id, uuid }: Pick<Due, 'id' | 'uuid'>, { state, reasons, submission = null }: Outcome) =>
  ctx.write((tx) =>
    sql`update tax_receipts set state = ${state}, reasons = ${state === 'rejected' ? JSON.stringify(reasons) : null}::jsonb, trouble = null,
      sent_at = coalesce(sent_at, now()), submission = coalesce(${submission}, submission), tries = 0,
      next_try_at = now() + interval '1 minute', version = version + 1
    where id = ${id} and uuid = ${uuid} and state in ('to_send', 'sent')`.execute(tx),
  )
const postpone = (ctx: Ctx, rows: readonly Due[], trouble: string) =>
  ctx.write(async (tx) => {
    for (const { id, uuid, tries } of rows)
      await sql`update tax_receipts set trouble = ${trouble.slice(0, 300)}, next_try_at = now() + make_interval(secs => ${retryAfter(tries + 1)})
        where id = ${id} and uuid = ${uuid} and state in ('to_send', 'sent')`.execute(tx)
  })

/** Sends what waits. What was tried before is asked for first: it may have come. */
async function send(ctx: Ctx, authority: TaxAuthority): Promise<void> {
  for (;;) {
    const due = await takeDue(ctx, 'to_send')
    if (!due.length) return
    const fresh: Due[] = []
    try {
      for (const one of due) {
        const known = one.tries > 0 ? await authority.status(one.uuid) : null
        if (known) await settle(ctx, one, known)
        else fresh.push(one)
      }
      if (!fresh.length) continue
      const answer = await authority.submit(fresh.map(({ uuid, document }) => ({ uuid, text: document })))
      const [accepted, rejected] = [
        new Set(answer.accepted),
        new Map(answer.rejected.map((one) => [one.uuid, one.reasons])),
      ]
      const silent: Due[] = []
      for (const one of fresh)
        if (accepted.has(one.uuid))
          await settle(ctx, one, { state: 'sent', reasons: [], submission: answer.submission })
        else if (rejected.has(one.uuid)) await settle(ctx, one, { state: 'rejected', reasons: rejected.get(one.uuid)! })
        else silent.push(one)
      if (silent.length) await postpone(ctx, silent, 'The tax authority did not say what became of it')
    } catch (error) {
      if (!(error instanceof ProviderDown)) throw error
      await postpone(ctx, due, error.message)
      return
    }
  }
}

/** Asks what became of what was sent. */
async function follow(ctx: Ctx, authority: TaxAuthority): Promise<void> {
  const due = await takeDue(ctx, 'sent')
  try {
    for (const one of due) {
      const known = await authority.status(one.uuid)
      if (known && known.state !== 'sent') await settle(ctx, one, known)
      else await postpone(ctx, [one], known ? 'It is being checked' : 'The tax authority does not know it yet')
    }
  } catch (error) {
    if (!(error instanceof ProviderDown)) throw error
    await postpone(ctx, due, error.message)
  }
}

/** Makes and sends receipts while the university wants it. */
export async function sendTaxReceipts(ctx: Ctx): Promise<{ made: number }> {
  const set = ctx.services.config.taxReceipts
  const authority = authorityOf(ctx.services)
  const { on, rate } = await taxSettingsOf(ctx)
  if (!set || !authority || !on) return { made: 0 }
  let count = 0
  for (;;) {
    const some = await makeTaxReceipts(ctx, set, rate)
    count += some
    await send(ctx, authority)
    if (some < MOST_MADE) break
  }
  await follow(ctx, authority)
  return { made: count }
}
export const taxReceiptsJob = defineJob<Record<string, never>, { made: number }>({
  name: 'tax-receipts',
  cron: '* * * * *',
  run: (ctx) => sendTaxReceipts(ctx),
})

/**
 * Makes a rejected receipt anew from what is known today; it names the one that was rejected, and stays in its place of the chain.
 *
 * @throws {Refusal} 409 with every reason why it cannot be made
 */
export async function makeAgain(tx: Tx, id: number, set: TaxSettings, rate: number | null): Promise<void> {
  const { rows } = await sql<
    Omit<Candidate, 'at' | 'amount'> & {
      number: string
      uuid: string
      previous_uuid: string
      issued_at: string
      again: number
    }
  >`select r.transaction_id, r.kind, r.reference_id, x.uuid as reference, t.way, t.currency, ${WHO}, r.lines, r.number, r.uuid, r.previous_uuid,
      r.issued_at, cardinality(r.old_uuids) as again
    from tax_receipts r join transactions t on t.id = r.transaction_id ${PAYER} left join tax_receipts x on x.id = r.reference_id
    where r.id = ${id}`.execute(tx)
  const one = firstRow(rows)
  const sale: TaxSale = {
    ...one,
    issued_at: second(one.issued_at),
    previous: one.previous_uuid,
    replaces: one.uuid,
    rate,
    payer: { name: one.name, national_id: one.national_id },
  }
  const reasons = checkTaxSale(sale)
  if (reasons.length) throw new Refusal(409, reasons)
  const { uuid, text } = documentOf(sale, set.seller)
  // Where it is the last of the chain, the next one names it as it is now.
  await sql`update tax_devices set head_uuid = ${uuid} where head_uuid = ${one.uuid}`.execute(tx)
  await sql`update tax_receipts set uuid = ${uuid}, document = ${text}, old_uuids = old_uuids || ${one.uuid}::text, state = 'to_send', reasons = null,
    trouble = null, tries = 0, next_try_at = now(), sent_at = null, version = version + 1 where id = ${id}`.execute(tx)
}
