/** What a stay costs: charged when a bed is given, changed with it, and settled when the guest leaves. Money moves by the wing of money alone. */
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import type { DraftLine } from '#areas/money/invoices/invoice.rules.ts'
import {
  holdInvoice,
  issueInvoices,
  reverseInvoice,
  writeNote,
  type DraftInvoice,
} from '#areas/money/invoices/issue.server.ts'
import { askedDraft, priceAsked } from '#areas/money/invoices/requests/asked.server.ts'
import { chargedPayer, priceForPayer } from '#areas/money/invoices/requests/payer.server.ts'
import type { FeeItem } from '#areas/money/fees/pricing.rules.ts'
import type { NamedPayer } from '#areas/money/ledger/payer.contract.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { sql } from 'kysely'
import { stayUnits } from './stay.rules.ts'

/** Days until a stay is to be paid where the university says nothing else. */
const DAYS = 7
const DAMAGE = 'bed_damage'

interface Charged {
  readonly student_id: number | null
  readonly staff_id: number | null
  readonly guest_id: number | null
  readonly unit: 'night' | 'month' | 'term'
  readonly from_day: string
  readonly until_day: string
  readonly invoice_id: number | null
  readonly fee_id: number | null
  readonly deposit_id: number | null
  readonly prices: boolean
}
/** A reservation, which is held, with the fees of the kind of its room. */
async function chargedOf(tx: Tx, id: number): Promise<Charged> {
  // Of a guest who changed beds, from the first night in the first of them.
  const { rows } = await sql<Charged>`with recursive stays as (
      select id, continues_id, from_day from hotel_reservations where id = ${id}
      union all select p.id, p.continues_id, p.from_day from hotel_reservations p join stays c on p.id = c.continues_id)
    select t.student_id, t.staff_id, t.guest_id, t.unit, (select min(from_day) from stays) as from_day, t.until_day, t.invoice_id,
      case t.unit when 'night' then k.night_item_id when 'month' then k.month_item_id else k.term_item_id end as fee_id,
      k.deposit_item_id as deposit_id, exists (select from fee_versions) as prices
    from hotel_reservations t left join hostel_beds b on b.id = t.bed_id left join hostel_rooms r on r.id = b.room_id
      left join room_kinds k on k.id = r.kind_id where t.id = ${id}`.execute(tx)
  return firstRow(rows)
}

const sum = (lines: readonly DraftLine[]): number => lines.reduce((all, one) => all + one.amount, 0)
const itemOf = (line: DraftLine): unknown => line.rule?.item_id

/** Who works here or a guest, where the stay is one of theirs. */
const otherOf = ({ staff_id, guest_id }: Charged): NamedPayer | null =>
  staff_id !== null ? { staff_id } : guest_id !== null ? { guest_id } : null

/** The draft of what a stay costs by the prices of the year; null: nothing. */
async function draftOf(tx: Tx, of: Charged, deposit: boolean, pay_days: number): Promise<DraftInvoice | null> {
  const other = otherOf(of)
  if ((of.student_id === null && !other) || !of.prices) return null
  const quantity = stayUnits(of.unit, of.from_day, of.until_day)
  const choose = (items: readonly FeeItem[]) =>
    items.flatMap(({ id }) => [
      ...(id === of.fee_id ? [{ item_id: id, quantity }] : []),
      ...(deposit && id === of.deposit_id && id !== of.fee_id ? [{ item_id: id, quantity: 1 }] : []),
    ])
  const asked = other
    ? await priceForPayer(tx, await chargedPayer(tx, other), choose)
    : await priceAsked(tx, of.student_id ?? 0, choose)
  const { priced, items } = asked
  if (!items.length) return null
  if (priced.reasons.length) throw new Refusal(409, priced.reasons)
  if (priced.currency === null) return null
  const draft = askedDraft(asked, { type: 'services', installments: [] })
  // A deposit is held, not earned: no scholarship takes it.
  const lines = draft.lines.flatMap((line): DraftLine[] =>
    itemOf(line) === of.deposit_id && of.deposit_id !== of.fee_id
      ? line.account === 'scholarships'
        ? []
        : [{ ...line, account: 'deposit' }]
      : [line],
  )
  const amount = sum(lines)
  return amount === 0
    ? null
    : { ...draft, lines, installments: [{ amount, due_date: addDays(dayOf(), pay_days || DAYS) }] }
}

/** Charges a stay that is confirmed, with its deposit; whoever has a name alone, as members of groups, is not charged. */
export async function chargeStay(ctx: Ctx, tx: Tx, id: number, pay_days: number): Promise<void> {
  const draft = await draftOf(tx, await chargedOf(tx, id), true, pay_days)
  if (!draft) return
  const [issued] = await issueInvoices(ctx, tx, [draft])
  await sql`update hotel_reservations set invoice_id = ${issued!.id} where id = ${id}`.execute(tx)
}

interface Lined {
  readonly account: DraftLine['account']
  readonly item: string
  readonly amount: number
}
const linesOf = async (tx: Tx, invoice_id: number): Promise<Lined[]> =>
  (
    await sql<Lined>`select account, item, amount::float8 as amount from invoice_lines where invoice_id = ${invoice_id} order by id`.execute(
      tx,
    )
  ).rows

/** A stay was moved: what it costs more, or less, is charged by a note. */
export async function rechargeStay(ctx: Ctx, tx: Tx, id: number, reason: string): Promise<void> {
  const of = await chargedOf(tx, id)
  if (of.invoice_id === null) return
  const draft = await draftOf(tx, of, false, 0)
  const invoice = await holdInvoice(tx, of.invoice_id)
  if (invoice.reversed) return
  const before = (await linesOf(tx, invoice.id)).filter(({ account, item }) => account !== 'deposit' && item !== DAMAGE)
  const change = (draft ? sum(draft.lines) : 0) - before.reduce((all, one) => all + one.amount, 0)
  if (change === 0) return
  await writeNote(
    ctx,
    tx,
    invoice,
    [
      {
        account: 'services',
        item: 'bed_moved',
        name: 'Change of the stay',
        name_local: 'تعديل الإقامة',
        unit_amount: change,
        amount: change,
      },
    ],
    { reason, reason_local: 'تعديل الإقامة' },
  )
}

/** Gives the deposit of a stay back: it is not charged any more, and what was paid of it is the guest's again. */
async function giveDepositBack(ctx: Ctx, tx: Tx, invoice_id: number, reason: string): Promise<void> {
  const invoice = await holdInvoice(tx, invoice_id)
  if (invoice.reversed) return
  const charged = (await linesOf(tx, invoice_id)).reduce(
    (all, { account, amount }) => all + (account === 'deposit' ? amount : 0),
    0,
  )
  const { rows } = await sql<{ held: number }>`select coalesce(sum(b.deposit), 0)::float8 as held from payer_balances b
    where b.payer_id = ${invoice.payer_id} and b.currency = ${invoice.currency}`.execute(tx)
  // What finance gave back already is not given back twice.
  const back = Math.min(charged, firstRow(rows).held)
  if (back <= 0) return
  await writeNote(
    ctx,
    tx,
    invoice,
    [
      {
        account: 'deposit',
        item: 'bed_deposit_back',
        name: 'Deposit given back',
        name_local: 'رد التأمين',
        unit_amount: -back,
        amount: -back,
      },
    ],
    { reason, reason_local: 'رد التأمين' },
  )
}

/** A stay is cancelled, or nobody came: all that was charged is taken back, or the deposit alone. */
export async function takeBackStay(
  ctx: Ctx,
  tx: Tx,
  invoice_id: number,
  what: 'all' | 'deposit',
  reason: string,
): Promise<void> {
  if (what === 'deposit') return giveDepositBack(ctx, tx, invoice_id, reason)
  const invoice = await holdInvoice(tx, invoice_id)
  if (!invoice.reversed) await reverseInvoice(ctx, tx, invoice, reason)
}

interface Damage {
  readonly name: string
  readonly name_local: string
  readonly amount: number
}
/**
 * The guest leaves: what was noted as damage is charged first, then the deposit is given back, so that it settles the damage and the rest is the
 * guest's.
 */
export async function settleStay(ctx: Ctx, tx: Tx, id: number, reason: string): Promise<void> {
  const of = await chargedOf(tx, id)
  const { rows: damages } = await sql<Damage>`select name, name_local, amount::float8 as amount from bed_damages
    where reservation_id = ${id} order by id`.execute(tx)
  if (damages.length) await chargeDamages(ctx, tx, id, of, damages)
  const { invoice_id } = await chargedOf(tx, id)
  if (invoice_id !== null) await giveDepositBack(ctx, tx, invoice_id, reason)
}

async function chargeDamages(ctx: Ctx, tx: Tx, id: number, of: Charged, damages: readonly Damage[]): Promise<void> {
  const other = otherOf(of)
  // Of a name alone nobody could be asked for it: the office says first who that is.
  if (of.student_id === null && !other) throw refuse(409, 'stay_whose')
  const lines = damages.map(({ name, name_local, amount }): DraftLine => ({
    account: 'other_income',
    item: DAMAGE,
    name,
    name_local,
    unit_amount: amount,
    amount,
  }))
  const invoice = of.invoice_id === null ? null : await holdInvoice(tx, of.invoice_id)
  // Prices of what stands in a room are in pounds.
  if (invoice && !invoice.reversed && invoice.currency === 'EGP') {
    await writeNote(ctx, tx, invoice, lines, { reason: 'Damage to the room', reason_local: 'تلفيات الغرفة' })
    return
  }
  const whose = other ? await standingOfPayer(tx, other) : await standingOfStudent(tx, of.student_id ?? 0)
  const amount = sum(lines)
  const [issued] = await issueInvoices(ctx, tx, [
    {
      ...whose,
      type: 'services',
      currency: 'EGP',
      note: 'Damage to the room',
      lines,
      installments: [{ amount, due_date: addDays(dayOf(), DAYS) }],
    },
  ])
  if (of.invoice_id === null)
    await sql`update hotel_reservations set invoice_id = ${issued!.id} where id = ${id}`.execute(tx)
}

type Whose = Pick<DraftInvoice, 'payer_id' | 'faculty_id' | 'program_id' | 'level' | 'term_id' | 'year_id'>

async function standingOfStudent(tx: Tx, student_id: number): Promise<Whose> {
  const { rows } =
    await sql<Whose>`select p.id as payer_id, s.faculty_id, s.program_id, s.level, t.id as term_id, t.year_id
    from payers p join students s on s.id = p.student_id left join terms t on t.id = ${currentTermId()}
    where s.id = ${student_id} and p.main`.execute(tx)
  return firstRow(rows)
}

async function standingOfPayer(tx: Tx, other: NamedPayer): Promise<Whose> {
  const { payer_id, faculty_id } = await chargedPayer(tx, other)
  const { rows } = await sql<Pick<Whose, 'term_id' | 'year_id'>>`select t.id as term_id, t.year_id
    from (values (1)) one left join terms t on t.id = ${currentTermId()}`.execute(tx)
  return { ...firstRow(rows), payer_id, faculty_id, program_id: null, level: null }
}
