/** The one way into the ledger: what is booked is balanced, booked once, and never changed. */
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { sql, type RawBuilder } from 'kysely'

/** Accounts by what they are for; `receivable` and `wallet` are kept for each payer. */
export type AccountRole =
  | 'receivable'
  | 'sponsored'
  | 'deposit'
  | 'wallet'
  | 'cash'
  | 'bank'
  | 'card'
  | 'mobile'
  | 'suspense'
  | 'tuition'
  | 'hours'
  | 'summer'
  | 'certificates'
  | 'services'
  | 'exams'
  | 'fines'
  | 'other_income'
  | 'admission'
  | 'scholarships'
  | 'provider_fees'
  | 'cash_difference'
  | 'rounding'

/** A line of an entry. `amount` in minor units: a debit is positive, a credit negative. */
export interface Posting {
  readonly role?: AccountRole
  /** Instead of a role: an account by its id, such as that of a bank account. */
  readonly account_id?: number
  /** Whose account it is; needed where the account is kept for each payer. */
  readonly payer_id?: number
  /** Of what is receivable: which invoice. */
  readonly invoice_id?: number
  readonly amount: number
}

/** What is booked. The postings add up to nothing; `source` says what it is booked for, and is booked once. */
export interface LedgerEntry {
  readonly kind:
    | 'invoice'
    | 'debit_note'
    | 'credit_note'
    | 'scholarship'
    | 'fine'
    | 'sponsor'
    | 'payment'
    | 'refund'
    | 'cash_back'
    | 'charge'
    | 'wallet'
    | 'batch'
    | 'transfer'
    | 'adjustment'
  readonly source: string
  readonly currency: string
  /** Whether postings to what payers owe settle invoices; otherwise they change what invoices charge. */
  readonly settles: boolean
  /** The university's day; today unless told. */
  readonly booked_on?: string | undefined
  readonly reason?: string | undefined
  readonly postings: readonly Posting[]
}

/** An entry turned round: each posting once more with the other sign. An entry is reversed once, a reversal never. */
export interface Reversal {
  readonly source: string
  readonly reversal_of: number
  readonly booked_on?: string | undefined
  readonly reason: string
}

export interface Booked {
  readonly source: string
  readonly entry_id: number
  /** False: it was booked before, with the same postings. */
  readonly booked: boolean
}

/**
 * Books entries, in their order, all or none. What is there already under its source stays as it is; the same source with
 * other postings is refused (`ledger_source_differs`). A wallet that would be negative (`wallet_negative`) and an invoice that
 * would be settled beyond what it charges (`invoice_overpaid`) are refused by the database, whoever books meanwhile.
 */
export async function postEntries(tx: Db | Tx, entries: readonly (LedgerEntry | Reversal)[]): Promise<Booked[]> {
  if (!entries.length) return []
  const { rows } = await sql<{ source: string; entry_id: string; booked: boolean }>`
    select source, entry_id, booked from ledger_post(${JSON.stringify(entries)}::jsonb)`.execute(tx)
  return rows.map((row) => ({ ...row, entry_id: Number(row.entry_id) }))
}

/** The payer that a student is, by student; a student has one from the beginning. */
export async function payersOf(tx: Db | Tx, students: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ student_id: number; id: number }>`
    select student_id, id from payers where main and student_id = any(${[...students]}::int[])`.execute(tx)
  return new Map(rows.map((row) => [row.student_id, row.id]))
}

/** The payer that somebody who works here is, by the account; made with the first charge. The account is held until the end. */
export async function payerOfStaff(tx: Tx, user_id: number): Promise<number> {
  // A statement of its own: of two who charge at once the second sees the payer that the first made.
  await sql`select from users where id = ${user_id} for no key update`.execute(tx)
  await sql`insert into payers (user_id) select ${user_id}::int
    where not exists (select from payers where user_id = ${user_id} and main)`.execute(tx)
  const { rows } = await sql<{ id: number }>`select id from payers where user_id = ${user_id} and main`.execute(tx)
  return firstRow(rows).id
}

/** The payer that a guest is, from the start. */
export async function payerOfGuest(tx: Db | Tx, guest_id: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`select id from payers where guest_id = ${guest_id}`.execute(tx)
  return firstRow(rows).id
}

/**
 * SQL: all payers that are the same person as one of these: two records of a student that became one, two accounts of who works here
 * that did; and those of them that are nobody else's. What somebody owes as a student and as a member of staff stays apart.
 */
export const samePayers = (ids: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`select q.id from payers p join payers q on q.student_id = p.student_id where p.id in (${ids})
    union select q.id from payers p join payers q on q.user_id = p.user_id where p.id in (${ids})
    union select p.id from payers p where p.student_id is null and p.user_id is null and p.id in (${ids})`

/**
 * Holds payers, with all others that are the same person: in one order, so that whoever moves the money of one person comes
 * before or after, and nobody waits in a ring. Sponsors come after students: what changes what a student owes finds the sponsor later.
 *
 * @param ids SQL: ids of payers
 */
export const holdPayers = (tx: Tx, ids: RawBuilder<unknown>): Promise<unknown> =>
  sql`select from payers where id in (${samePayers(ids)}) order by sponsor_id is not null, id for no key update`.execute(
    tx,
  )

/**
 * Of the payers that are one person, the one whose wallet holds most of a currency; the given one where none holds any.
 *
 * @param payer_id held, as all of them are
 */
export async function walletPayer(tx: Tx, payer_id: number, currency: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`select b.payer_id as id from payer_balances b
    where b.payer_id in (${samePayers(sql`${payer_id}::int`)}) and b.currency = ${currency} and b.wallet > 0
    order by b.wallet desc, b.payer_id limit 1`.execute(tx)
  return rows[0]?.id ?? payer_id
}

/** Adds an account of its own, such as that of a bank account, and returns its id. The code is the next free one of its kind. */
export async function addAccount(
  tx: Tx,
  { kind, name, name_local }: { kind: 'asset' | 'liability' | 'income' | 'expense'; name: string; name_local: string },
): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('ledger_accounts'))`.execute(tx)
  const { rows } = await sql<{ id: number }>`
    insert into ledger_accounts (code, kind, name, name_local)
    select (coalesce(max(code::integer), 0) + 1)::text, ${kind}, ${name}, ${name_local} from ledger_accounts
      where code ~ '^[0-9]{4,8}$' and kind = ${kind} and role is distinct from 'rounding'
    returning id`.execute(tx)
  return firstRow(rows).id
}
