/** Books what a saved file says, and takes it back when the file is deleted. */
import { sql } from 'kysely'
import { postEntries } from '#areas/money/ledger/post.server.ts'
import { bookTransactions } from '#areas/money/transactions/book.server.ts'
import { cancelTransactions } from '#areas/money/transactions/cancel.server.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { markDuplicates, NOT_COUNTED } from './preview.server.ts'
import type { KnownAgain } from './preview.server.ts'
import { numberKeys } from './match.rules.ts'
import type { LineTexts, SaveFacts } from './match.rules.ts'

/** Whether a line counts among what the bank said of the account; the line is `t`. */
const COUNTED = sql`(t.state not in ('wrong', 'duplicate') and t.booked_on is not null
  and coalesce(t.why ->> 'code', '') <> all (${[...NOT_COUNTED]}::text[]) and t.why -> 'unread' is null)`

/** Lines that are booked by the thousand: the transactions and entries tell of them in the audit trail. */
async function many<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await sql`select set_config('ems.booking_lines', 'on', true)`.execute(tx)
  const done = await work()
  await sql`select set_config('ems.booking_lines', '', true)`.execute(tx)
  return done
}

/** What is looked at before files are saved. Brings what came in another file meanwhile up to date: holds their banks. */
export async function saveFacts(tx: Tx, ids: readonly number[]): Promise<Map<number, SaveFacts>> {
  // One file of a bank after the other, whoever saves them: what both hold is booked once.
  const { rows: held } = await sql<{
    id: number
    bank_id: number
  }>`select x.id, x.bank_id from batches x join banks k on k.id = x.bank_id
    where x.id = any(${[...ids]}::int[]) order by k.id, x.id for no key update of k`.execute(tx)
  for (const { id, bank_id } of held) {
    const { rows } = await sql<KnownAgain & { id: number }>`select t.id, t.fingerprint, t.ordinal, t.entry_reference,
        t.booked_on::text as booked_on, t.direction, t.part, case when t.part = 0 then t.amount
          else sum(t.amount) over (partition by t.line, t.part > 0) end::float8 as whole
      from batch_lines t where t.batch_id = ${id} and not t.live and ${COUNTED}`.execute(tx)
    const earlier = await markDuplicates(tx, bank_id, rows)
    const again = rows.flatMap((row) => {
      const before = earlier.get(`${row.fingerprint} ${row.ordinal}`)
      return before === undefined ? [] : [{ id: row.id, before }]
    })
    if (again.length)
      await sql`update batch_lines t set state = 'duplicate', duplicate_of = x.before, why = null
        from unnest(${again.map((one) => one.id)}::int[], ${again.map((one) => one.before)}::int[]) as x (id, before) where t.id = x.id`.execute(
        tx,
      )
  }
  const { rows } = await sql<SaveFacts & { id: number }>`
    select x.id, count(*) filter (where t.state = 'wrong')::int as wrong,
      count(*) filter (where t.state in ('matched', 'proposed', 'unmatched'))::int as fresh,
      count(*) filter (where ${COUNTED})::int as counted
    from batches x left join batch_lines t on t.batch_id = x.id where x.id = any(${[...ids]}::int[]) group by x.id`.execute(
    tx,
  )
  return new Map(rows.map(({ id, ...facts }) => [id, facts]))
}

/** Books a file, in one transaction: known payers' money to them, other money as unexplained. */
export const saveBatch = (ctx: Ctx, tx: Tx, id: number): Promise<void> => many(tx, () => bookBatch(ctx, tx, id))
async function bookBatch(ctx: Ctx, tx: Tx, id: number): Promise<void> {
  // A slip that somebody took, refused or cancelled meanwhile.
  await sql`update batch_lines t set state = 'not_booked', why = '{"code": "batch_paid_already"}', match_by = null, payer_id = null, invoice_id = null
    from transactions n where t.batch_id = ${id} and t.state = 'matched' and n.id = t.transaction_id and n.status = 'paid'
      and not exists (select from batch_lines o where o.transaction_id = n.id and o.live)`.execute(tx)
  // One that another file has paid meanwhile was paid at the bank twice: this money is the payer's as well.
  await sql`update batch_lines t set transaction_id = null from transactions n
    where t.batch_id = ${id} and t.state = 'matched' and n.id = t.transaction_id and n.status in ('rejected', 'cancelled', 'paid')`.execute(
    tx,
  )
  await leaveBooked(tx, id)
  await payLines(ctx, tx, sql`t.batch_id = ${id} and t.state = 'matched'`)
  const { rows: unknown } = await sql<{
    id: number
    amount: number
    currency: string
    booked_on: string
    account_id: number
  }>`
    select t.id, t.amount::float8 as amount, t.currency, t.booked_on::text as booked_on, k.ledger_account_id as account_id
    from batch_lines t join banks k on k.id = t.bank_id
    where t.batch_id = ${id} and t.state in ('proposed', 'unmatched') order by t.id`.execute(tx)
  const entries = await postEntries(
    tx,
    unknown.map((one) => ({
      kind: 'batch',
      source: `batch_line:${one.id}`,
      currency: one.currency,
      booked_on: one.booked_on,
      settles: true,
      postings: [
        { account_id: one.account_id, amount: one.amount },
        { role: 'suspense', amount: -one.amount },
      ],
    })),
  )
  // Once: each of the many rows is written a single time.
  await sql`update batch_lines t set entry_id = x.entry_id, live = true from unnest(${unknown.map((one) => one.id)}::int[],
    ${entries.map((entry) => entry.entry_id)}::bigint[]) as x (id, entry_id) where t.id = x.id`.execute(tx)
  await sql`update batch_lines t set live = true where t.batch_id = ${id} and not t.live and ${COUNTED}`.execute(tx)
  // How its tables are written is remembered with the bank.
  await sql`insert into bank_formats (id, format) select bank_id, table_format from batches where id = ${id} and table_format is not null
    on conflict (id) do update set format = excluded.format where bank_formats.format is distinct from excluded.format`.execute(
    tx,
  )
}

/** What was accepted by a slip or entered by hand since the file was read, by what the bank calls it: the bank only says that it came. */
async function leaveBooked(tx: Tx, id: number): Promise<void> {
  const { rows } = await sql<LineTexts & { id: number; transaction_id: number; key: string }>`
    select t.id, t.reference, t.description, t.bank_reference, null as counterparty, n.id as transaction_id, n.bank_reference_key as key
    from batch_lines t join batches x on x.id = t.batch_id join transactions n on n.bank_id = t.bank_id and n.amount = t.amount and n.currency = t.currency
      and n.status = 'paid' and n.direction = 'in' and n.bank_reference_key is not null and n.paid_at >= x.created_at
      and not exists (select from batch_lines o where o.transaction_id = n.id and o.live)
    where t.batch_id = ${id} and t.state in ('matched', 'proposed', 'unmatched') and t.direction = 'in'`.execute(tx)
  for (const { id: line, transaction_id, key, ...texts } of rows)
    if (numberKeys(texts).includes(key))
      await sql`update batch_lines set state = 'not_booked', why = '{"code": "batch_paid_already"}', match_by = null, payer_id = null, invoice_id = null,
        transaction_id = ${transaction_id} where id = ${line}`.execute(tx)
}

/** Makes transactions of lines whose payer is known, and books them on the days on which the bank did. */
async function payLines(ctx: Ctx, tx: Tx, where: ReturnType<typeof sql>): Promise<void> {
  // What waits for the money already is booked as what it is; its day and account are the bank's.
  await sql`update transactions n set bank_id = coalesce(n.bank_id, t.bank_id) from batch_lines t
    where ${where} and n.id = t.transaction_id and n.bank_id is null`.execute(tx)
  await sql`
    with made as (
      insert into transactions (payer_id, way, currency, amount, status, provider, provider_reference, bank_id, invoice_id, note, created_by)
      select t.payer_id, 'bank', t.currency, t.amount, 'pending', 'bank', 'line:' || t.id || ':' || t.version, t.bank_id, t.invoice_id,
        left(concat_ws(' · ', t.reference, t.counterparty, t.description), 500), ${ctx.actor?.user_id ?? null}
      from batch_lines t where ${where} and t.transaction_id is null order by t.id
      returning id, split_part(provider_reference, ':', 2)::int as line_id)
    update batch_lines t set transaction_id = made.id, live = true from made where t.id = made.line_id`.execute(tx)
  const { rows } = await sql<{
    transaction_id: number
    booked_on: string
  }>`select t.transaction_id, t.booked_on::text as booked_on
    from batch_lines t where ${where} order by t.transaction_id`.execute(tx)
  const booked = await bookTransactions(
    ctx,
    tx,
    rows.map((row) => row.transaction_id),
    { booked_on: new Map(rows.map((row) => [row.transaction_id, row.booked_on])) },
  )
  if (booked.length !== rows.length || booked.some((one) => !one.booked)) throw refuse(409, 'batch_changed_meanwhile')
}

/** Says of a line of a saved file whose it is: what was unexplained is booked to the payer, on the day on which it came. */
export async function explainLine(ctx: Ctx, tx: Tx, id: number, slip: number | null = null): Promise<void> {
  const { rows } = await sql<{ entry_id: string | null; booked_on: string; reversed: boolean }>`
    select t.entry_id, t.booked_on::text as booked_on, exists (select from ledger_entries r where r.reversal_of = t.entry_id) as reversed
    from batch_lines t where t.id = ${id}`.execute(tx)
  const { entry_id, booked_on, reversed } = firstRow(rows)
  if (entry_id !== null && !reversed)
    await postEntries(tx, [
      { source: `batch_line:${id}:explained`, reversal_of: Number(entry_id), booked_on, reason: 'The payer is known' },
    ])
  await sql`update batch_lines set transaction_id = ${slip} where id = ${id}`.execute(tx)
  await payLines(ctx, tx, sql`t.id = ${id}`)
}

/** Reverses everything that was booked of a file; of one that was not saved only the lines go. */
export async function deleteBatch(ctx: Ctx, tx: Tx, id: number, reason: string, saved: boolean): Promise<void> {
  if (!saved) {
    await sql`delete from batch_lines where batch_id = ${id}`.execute(tx)
    return
  }
  await sql`select from banks where id = (select bank_id from batches where id = ${id}) for no key update`.execute(tx)
  const { rows: paid } = await sql<{ transaction_id: number }>`select t.transaction_id from batch_lines t
    where t.batch_id = ${id} and t.transaction_id is not null and t.state <> 'not_booked' order by 1`.execute(tx)
  await cancelTransactions(
    ctx,
    tx,
    paid.map((one) => one.transaction_id),
    reason,
  )
  const { rows: open } = await sql<{ id: number; entry_id: string }>`select t.id, t.entry_id from batch_lines t
    where t.batch_id = ${id} and t.entry_id is not null and not exists (select from ledger_entries r where r.reversal_of = t.entry_id) order by t.id`.execute(
    tx,
  )
  await postEntries(
    tx,
    open.map((one) => ({ source: `batch_line:${one.id}:deleted`, reversal_of: Number(one.entry_id), reason })),
  )
  await many(tx, () => sql`update batch_lines set live = false where batch_id = ${id} and live`.execute(tx))
}
