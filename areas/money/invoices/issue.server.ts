/** Issues invoices, writes notes and reverses: the only places where what is charged changes. */
import type { LedgerEntry, Posting } from '#areas/money/ledger/post.server.ts'
import { holdPayers, postEntries } from '#areas/money/ledger/post.server.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse, Refusal } from '#kit/server/base/errors.ts'
import { takeSerial, takeSerials } from '#kit/server/unit/serials.ts'
import { sql } from 'kysely'
import { chargesChanged, chargesFall } from './charges.server.ts'
import { invoiceGone } from './gone.server.ts'
import { followDebts, tellAccounts } from './holds.server.ts'
import {
  changeInstalments,
  checkNote,
  checkReverse,
  type DraftLine,
  type Instalment,
  type LineAccount,
  type NoteFacts,
} from './invoice.rules.ts'
import { tellStudents, type InvoiceTold } from './notices.server.ts'
import { releaseToWallet } from './release.server.ts'
import { creditNotes, debitNotes, invoiceNumbers } from './series.contract.ts'

export interface DraftInvoice {
  readonly payer_id: number
  readonly year_id: number | null
  readonly term_id: number | null
  readonly type:
    | 'tuition'
    | 'hours'
    | 'summer'
    | 'certificates'
    | 'services'
    | 'exams'
    | 'extra'
    | 'sponsor'
    | 'admission'
  readonly currency: string
  readonly faculty_id: number | null
  readonly program_id: number | null
  readonly level: number | null
  readonly setting_version_id?: number | null
  readonly basis?: Readonly<Record<string, unknown>>
  readonly note?: string | null
  /** The university's day; today unless told. What was issued on an earlier day tells nobody. */
  readonly issued_on?: string | undefined
  /** Whoever asks for it tells the student. */
  readonly told?: boolean
  readonly lines: readonly DraftLine[]
  /** Together what the lines charge. */
  readonly installments: readonly Instalment[]
}
export interface Issued {
  readonly id: number
  readonly number: string
  readonly payer_id: number
}

/** Postings of lines: what is receivable against the accounts of the lines, one each. */
function postingsOf(payer_id: number, invoice_id: number, lines: readonly DraftLine[]): Posting[] {
  const by = new Map<string, { role: LineAccount; payer_id?: number; amount: number }>()
  let total = 0
  for (const { account, payer_id: said, amount } of lines) {
    // A deposit is held for whoever is charged.
    const whose = said ?? (account === 'deposit' ? payer_id : undefined)
    const key = `${account} ${whose ?? ''}`
    const before = by.get(key)?.amount ?? 0
    by.set(key, { role: account, ...(whose != null && { payer_id: whose }), amount: before - amount })
    total += amount
  }
  return [
    ...(total === 0 ? [] : [{ role: 'receivable' as const, payer_id, invoice_id, amount: total }]),
    ...[...by.values()].filter(({ amount }) => amount !== 0),
  ]
}

const insertLines = (
  tx: Tx,
  lines: readonly (DraftLine & { invoice_id: number; note_id: number | null; position: number })[],
) =>
  sql`insert into invoice_lines (invoice_id, note_id, position, account, item, name, name_local, rule, quantity, unit_amount, amount, registration_id, grant_id, share_id)
    select invoice_id, note_id, position, account, item, name, name_local, coalesce(rule, '{}'), coalesce(quantity, 100) / 100.0, unit_amount, amount,
      registration_id, grant_id, share_id
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) x (invoice_id int, note_id int, position int, account text, item text, name text, name_local text,
      rule jsonb, quantity numeric, unit_amount bigint, amount bigint, registration_id int, grant_id int, share_id int)`.execute(
    tx,
  )

/** Issues invoices, in a statement of each kind however many they are. Numbers have no gaps. */
export async function issueInvoices(ctx: Ctx, tx: Tx, drafts: readonly DraftInvoice[]): Promise<Issued[]> {
  if (!drafts.length) return []
  // Whoever books for these payers comes before or after.
  await holdPayers(tx, sql`select unnest(${drafts.map((draft) => draft.payer_id)}::int[])`)
  const numbers = await takeSerials(tx, invoiceNumbers, drafts.length)
  const { rows: issued } = await sql<Issued>`
    insert into invoices (number, payer_id, year_id, term_id, type, currency, issued_on, faculty_id, program_id, level, setting_version_id, basis, note)
    select number, payer_id, year_id, term_id, type, currency, coalesce(issued_on, university_today()), faculty_id, program_id, level, setting_version_id,
      coalesce(basis, '{}'), note
    from jsonb_to_recordset(${JSON.stringify(
      drafts.map(({ lines: _lines, installments: _parts, ...one }, i) => ({ ...one, i, number: numbers[i]!.text })),
    )}::jsonb) x (i int, number text, payer_id int, year_id int, term_id int, type text, currency text, faculty_id int, program_id int, level int,
      setting_version_id int, basis jsonb, note text, issued_on date) order by i
    returning id, number, payer_id`.execute(tx)
  const byNumber = new Map(issued.map((one) => [one.number, one]))
  const made = drafts.map((_, i) => byNumber.get(numbers[i]!.text)!)
  await insertLines(
    tx,
    drafts.flatMap(({ lines }, i) =>
      lines.map((line, at) => ({ ...line, invoice_id: made[i]!.id, note_id: null, position: at + 1 })),
    ),
  )
  await writeInstalments(
    tx,
    drafts.flatMap(({ installments }, i) =>
      installments.map((part, at) => ({ ...part, invoice_id: made[i]!.id, position: at + 1 })),
    ),
  )
  await postEntries(
    tx,
    drafts.flatMap(({ payer_id, currency, lines, issued_on }, i): LedgerEntry[] => {
      const postings = postingsOf(payer_id, made[i]!.id, lines)
      return postings.length
        ? [
            {
              kind: 'invoice',
              source: `invoice:${made[i]!.id}`,
              currency,
              settles: false,
              booked_on: issued_on,
              postings,
            },
          ]
        : []
    }),
  )
  const payers = [...new Set(drafts.map((draft) => draft.payer_id))]
  await followDebts(ctx, tx, payers)
  await tellAccounts(ctx, tx, payers)
  await tellStudents(
    tx,
    drafts.flatMap(({ payer_id, currency, lines, installments, issued_on, told }, i): InvoiceTold[] => {
      const amount = lines.reduce((sum, one) => sum + one.amount, 0)
      return told || issued_on !== undefined || amount === 0
        ? []
        : [
            {
              key: 'notice_invoice',
              payer_id,
              invoice_id: made[i]!.id,
              amount,
              currency,
              data: { number: made[i]!.number, day: installments[0]!.due_date },
            },
          ]
    }),
  )
  await chargesChanged(
    ctx,
    tx,
    made.map((one) => one.id),
  )
  return made
}

const writeInstalments = (tx: Tx, parts: readonly (Instalment & { invoice_id: number; position: number })[]) =>
  sql`insert into installments (invoice_id, position, amount, due_date)
    select * from unnest(${parts.map((one) => one.invoice_id)}::int[], ${parts.map((one) => one.position)}::smallint[],
      ${parts.map((one) => one.amount)}::bigint[], ${parts.map((one) => one.due_date)}::date[])`.execute(tx)

/** An invoice, held, after its payer: who books, writes a note or splits it comes before or after. */
export interface HeldInvoice extends Omit<NoteFacts, 'change'> {
  readonly id: number
  readonly number: string
  readonly version: number
  readonly payer_id: number
  readonly currency: string
  readonly type: string
  /** The plan that runs over it: its instalments are the parts of that. */
  readonly plan_id: number | null
  readonly installments: readonly (Instalment & { readonly id: number })[]
}
export async function holdInvoice(tx: Tx, id: number): Promise<HeldInvoice> {
  await holdPayers(tx, sql`select payer_id from invoices where id = ${id}`)
  const { rows } = await sql<HeldInvoice>`
    select i.id, i.number, i.version, i.payer_id, i.currency, i.type, i.plan_id, i.reversed_at is not null as reversed,
      coalesce(b.charged, 0)::float8 as charged, coalesce(b.settled, 0)::float8 as settled,
      (select json_agg(json_build_object('id', n.id, 'amount', n.amount, 'due_date', n.due_date) order by n.position)
        from installments n where n.invoice_id = i.id) as installments
    from invoices i left join invoice_balances b on b.invoice_id = i.id where i.id = ${id} for no key update of i`.execute(
    tx,
  )
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}

/** What is paid of an invoice and no longer charged goes to the payer's wallet. */
const release = async (
  tx: Tx,
  invoice: HeldInvoice,
  amount: number,
  reason: string,
  told: string,
): Promise<LedgerEntry> =>
  (await releaseToWallet(tx, { ...invoice, invoice_id: invoice.id, amount, reason, told })).entry
/** Marks what `release` made as booked. */
const released = (tx: Tx, source: string, entry_id: number) =>
  sql`update transactions set status = 'paid', entry_id = ${entry_id}, booked_on = university_today(), paid_at = now()
    where id = ${Number(source.slice('transaction:'.length))}`.execute(tx)

export interface Note {
  readonly id: number
  readonly number: string
  /** What went into the wallet because it was paid and is not charged any more. */
  readonly released: number
}
/**
 * Writes a note to an invoice that is held: lines that are charged more or less. Instalments follow; what was paid beyond what is
 * charged now goes into the wallet.
 *
 * @param installments instead of those that follow by themselves
 */
export async function writeNote(
  ctx: Ctx,
  tx: Tx,
  held: HeldInvoice,
  lines: readonly DraftLine[],
  {
    reason,
    reason_local = null,
    kind,
    installments,
  }: {
    reason: string
    reason_local?: string | null
    kind?: 'scholarship' | 'fine' | 'sponsor'
    installments?: readonly (Instalment & { readonly id?: number | undefined })[]
  },
): Promise<Note> {
  const change = lines.reduce((sum, one) => sum + one.amount, 0)
  const fell = kind !== 'sponsor' && change < 0 && (await chargesFall(ctx, tx, held.id, lines))
  const invoice = fell ? await holdInvoice(tx, held.id) : held
  const reasons = checkNote({ ...invoice, change })
  if (reasons.length) throw new Refusal(409, reasons)
  const { text: number } = await takeSerial(tx, change > 0 ? debitNotes : creditNotes)
  const { rows } = await sql<{ id: number }>`
    insert into invoice_notes (invoice_id, number, kind, amount, reason, reason_local, issued_on, created_by)
    values (${invoice.id}, ${number}, ${kind ?? (change > 0 ? 'debit' : 'credit')}, ${Math.abs(change)}, ${reason}, ${reason_local},
      university_today(), ${ctx.actor?.user_id ?? null}) returning id`.execute(tx)
  const { id } = firstRow(rows)
  await insertLines(
    tx,
    lines.map((line, at) => ({ ...line, invoice_id: invoice.id, note_id: id, position: at + 1 })),
  )
  const charged = invoice.charged + change
  const over = Math.max(0, invoice.settled - charged)
  const back = over > 0 ? await release(tx, invoice, over, reason, number) : null
  const entries = await postEntries(tx, [
    {
      kind: kind ?? (change > 0 ? 'debit_note' : 'credit_note'),
      source: `note:${id}`,
      currency: invoice.currency,
      settles: false,
      reason,
      postings: postingsOf(invoice.payer_id, invoice.id, lines),
    },
    ...(back ? [back] : []),
  ])
  if (back) await released(tx, back.source, entries[1]!.entry_id)
  await setInstalments(ctx, tx, invoice, installments ?? changeInstalments(invoice.installments, change), {
    kind: 'note',
    reason,
    note_id: id,
  })
  await sql`update invoices set version = version + 1 where id = ${invoice.id}`.execute(tx)
  // What a sponsor takes over is still owed: nothing that hung on it goes.
  if (charged === 0 && kind !== 'sponsor') await invoiceGone(ctx, tx, invoice.id, reason)
  await followDebts(ctx, tx, [invoice.payer_id])
  await tellAccounts(ctx, tx, [invoice.payer_id])
  await tellStudents(tx, [
    {
      key:
        kind === 'sponsor' && change > 0
          ? 'notice_sponsor_back'
          : `notice_${kind ?? (change > 0 ? 'debit' : 'credit')}`,
      payer_id: invoice.payer_id,
      invoice_id: invoice.id,
      amount: change,
      currency: invoice.currency,
      data: {
        number,
        invoice: invoice.number,
        reason,
        // Words of the program are said in the reader's language; what a person wrote stays as it was written.
        ...(reason_local !== null && { reason_local, area: 'invoices' }),
      },
    },
  ])
  if (kind !== 'sponsor') await chargesChanged(ctx, tx, [invoice.id])
  return { id, number, released: over }
}

/** How instalments came to change: by hand, by a note, by a plan to pay, or with the invoice that was reversed. */
export type PartsKind = 'due_date' | 'split' | 'edited' | 'removed' | 'note' | 'reversed' | 'plan'
const plain = (parts: readonly Instalment[]) =>
  JSON.stringify(parts.map(({ amount, due_date }) => ({ amount, due_date })))
/** The instalments of an invoice as they are from now on; those that have an id keep it. The history of the invoice keeps both. */
export async function setInstalments(
  ctx: Ctx,
  tx: Tx,
  invoice: HeldInvoice,
  parts: readonly (Instalment & { readonly id?: number | undefined })[],
  why: { readonly kind: PartsKind; readonly reason: string; readonly note_id?: number },
): Promise<void> {
  const [before, after] = [plain(invoice.installments), plain(parts)]
  if (before === after) return
  await sql`insert into installment_changes (invoice_id, kind, note_id, parts_before, parts_after, reason, created_by)
    values (${invoice.id}, ${why.kind}, ${why.note_id ?? null}, ${before}::jsonb, ${after}::jsonb, ${why.reason}, ${ctx.actor?.user_id ?? null})`.execute(
    tx,
  )
  const kept = parts.flatMap(({ id }) => (id === undefined ? [] : [id]))
  await sql`set constraints installments_place deferred`.execute(tx)
  await sql`delete from installments where invoice_id = ${invoice.id} and not id = any(${kept}::int[])`.execute(tx)
  const of = parts.map((part, i) => ({ ...part, position: i + 1 }))
  await sql`update installments n set position = x.position, amount = x.amount, due_date = x.due_date, version = n.version + 1
    from jsonb_to_recordset(${JSON.stringify(of.filter((one) => one.id !== undefined))}::jsonb) x (id int, position smallint, amount bigint, due_date date)
    where n.id = x.id and (n.position, n.amount, n.due_date) is distinct from (x.position, x.amount, x.due_date)`.execute(
    tx,
  )
  await writeInstalments(
    tx,
    of
      .filter((one) => one.id === undefined)
      .map(({ amount, due_date, position }) => ({ amount, due_date, position, invoice_id: invoice.id })),
  )
}

/**
 * Reverses an invoice that is held: it charges nothing any more, what was paid goes into the wallet. Its entries are turned
 * round, the invoice itself, its lines and notes stay readable.
 */
export async function reverseInvoice(
  ctx: Ctx,
  tx: Tx,
  invoice: HeldInvoice,
  reason: string,
): Promise<{ released: number }> {
  const { rows: held } = await sql<{ charged: number; held: number }>`
    select coalesce(sum(l.amount), 0)::float8 as charged,
      coalesce((select b.deposit from payer_balances b where b.payer_id = ${invoice.payer_id} and b.currency = ${invoice.currency}), 0)::float8 as held
    from invoice_lines l where l.invoice_id = ${invoice.id} and l.account = 'deposit'`.execute(tx)
  const reasons = checkReverse({ ...invoice, deposit: firstRow(held) })
  if (reasons.length) throw new Refusal(409, reasons)
  const back = invoice.settled > 0 ? await release(tx, invoice, invoice.settled, reason, invoice.number) : null
  const { rows } = await sql<{ id: string; source: string }>`
    select e.id, e.source from ledger_entries e where e.source = ${`invoice:${invoice.id}`}
      or e.source in (select 'note:' || n.id from invoice_notes n where n.invoice_id = ${invoice.id}) order by e.id`.execute(
    tx,
  )
  const entries = await postEntries(tx, [
    ...(back ? [back] : []),
    ...rows.map((row) => ({ source: `reversal:${row.source}`, reversal_of: Number(row.id), reason })),
  ])
  if (back) await released(tx, back.source, entries[0]!.entry_id)
  await setInstalments(
    ctx,
    tx,
    invoice,
    invoice.installments.slice(0, 1).map((installment) => ({ ...installment, amount: 0 })),
    { kind: 'reversed', reason },
  )
  await sql`update invoices set reversed_at = now(), reversed_reason = ${reason}, version = version + 1 where id = ${invoice.id}`.execute(
    tx,
  )
  // Of somebody whose two records became one, another invoice may charge the same term: it is what is left.
  await sql`insert into outdated_invoices (invoice_id) select i.id from invoices o join payers p on p.id = o.payer_id
      join payers q on q.student_id = p.student_id join invoices i on i.payer_id = q.id and i.term_id = o.term_id and i.id <> o.id
    where o.id = ${invoice.id} and i.reversed_at is null and i.type in ('tuition', 'hours', 'summer') on conflict do nothing`.execute(
    tx,
  )
  await chargesChanged(ctx, tx, [invoice.id])
  await invoiceGone(ctx, tx, invoice.id, reason)
  await followDebts(ctx, tx, [invoice.payer_id])
  await tellAccounts(ctx, tx, [invoice.payer_id])
  await tellStudents(tx, [
    {
      key: 'notice_reversed',
      payer_id: invoice.payer_id,
      invoice_id: invoice.id,
      amount: invoice.settled,
      currency: invoice.currency,
      data: { number: invoice.number, reason },
    },
  ])
  return { released: invoice.settled }
}
