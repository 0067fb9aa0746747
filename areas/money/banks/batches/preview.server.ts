/** Reads the file of a batch and says, line by line, whose it is and what of it is new. */
import { sql } from 'kysely'
import { insertRows } from '#db/bulk.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import type { Reason } from '#kit/server/base/errors.ts'
import type { Progress } from '#kit/server/jobs/jobs.ts'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { readBankFile } from '../files/file.server.ts'
import type { TableFormat } from '../files/columns.rules.ts'
import { machineAccount } from '../files/statement.rules.ts'
import type { ReadFile, BankStatementLine } from '../files/statement.rules.ts'
import { fromLearned, payerKeys, type LearnedProposal } from './learn.rules.ts'
import { debtsOf, othersNamed, payersByIban } from './debtors.server.ts'
import { learnedBy } from './learn.server.ts'
import { decideMatch, guesser, lineKey, nameWords, numberKeys } from './match.rules.ts'
import type { NamedByLine, Proposal } from './match.rules.ts'

export interface BatchBank {
  readonly id: number
  readonly currency: string
  readonly iban: string | null
  readonly account_number: string
  readonly format: TableFormat | null
}
const AT_ONCE = 5000

/** Whether a statement is of this account: by its IBAN, or by its number, with or without what stands before it. */
export function isOfBank(account: string | null, bank: Pick<BatchBank, 'iban' | 'account_number'>): boolean {
  if (account === null) return true
  const own = machineAccount(bank.account_number)!
  const bare = (text: string) => text.replace(/^0+/, '')
  return (
    account === bank.iban ||
    bare(account) === bare(own) ||
    (account.length >= 8 && (bank.iban?.endsWith(account) ?? false)) ||
    (own.length >= 8 && account.endsWith(own))
  )
}

/** Why a line is not booked though it can be read; null: it is money that came into this account. */
function leftOut(line: BankStatementLine, file: ReadFile, bank: BatchBank): Reason | null {
  const { account } = file.statements[line.statement]!
  if (!isOfBank(account, bank)) return { code: 'batch_other_account', data: { account } }
  if (line.pending) return { code: 'batch_pending' }
  if (line.currency !== null && line.currency !== bank.currency)
    return { code: 'batch_currency', data: { currency: line.currency, wanted: bank.currency } }
  if (line.reversal) return { code: 'batch_reversal' }
  if (line.direction === 'out') return { code: 'batch_outgoing' }
  return null
}
/** Reasons for which a line is none of this account's movements. */
export const NOT_COUNTED = ['batch_other_account', 'batch_pending', 'batch_currency']

/** A line as it is kept. */
interface NewLine {
  readonly line: BankStatementLine
  readonly fingerprint: string
  ordinal: number
  state: 'matched' | 'proposed' | 'unmatched' | 'duplicate' | 'not_booked' | 'wrong'
  why: Reason | null
  match_by: string | null
  payer_id: number | null
  invoice_id: number | null
  transaction_id: number | null
  duplicate_of: number | null
  proposals: readonly (Proposal | LearnedProposal)[]
}

/** A number of ours as `numberKey` writes it. */
const KEY = (column: string) => sql.raw(`lower(regexp_replace(${column}, '[^[:alnum:]]', '', 'g'))`)

/** Whether a line that counts tells of the transaction `t`. */
const TOLD = sql`exists (select from batch_lines l where l.transaction_id = t.id and l.live)`

/** What lines may name of ours: by key, as `numberKeys` writes them. */
export async function namedBy(db: Db | Tx, keys: readonly string[]): Promise<Map<string, NamedByLine[]>> {
  const { rows } = await sql<{ key: string; named: NamedByLine }>`
    with k as materialized (select distinct key from unnest(${[...new Set(keys)]}::text[]) as k (key)),
    slips as (select * from transactions where direction = 'in' and way = 'slip')
    select k.key, json_build_object('kind', 'invoice', 'payer_id', i.payer_id, 'invoice_id', i.id, 'currency', i.currency,
        'open', b.charged - b.settled) as named
      from k join invoices i on ${KEY('i.number')} = k.key and i.reversed_at is null join invoice_balances b on b.invoice_id = i.id
    union all
    select k.key, json_build_object('kind', 'slip', 'payer_id', t.payer_id, 'transaction_id', t.id, 'currency', t.currency,
        'amount', t.amount, 'status', t.status, 'told', ${TOLD})
      from k join (select t.*, ${KEY('t.number')} as key from slips t union select t.*, ${KEY('t.reference')} from slips t
        where t.reference is not null) t on t.key = k.key
    union all
    select k.key, json_build_object('kind', 'slip', 'payer_id', t.payer_id, 'transaction_id', t.id, 'currency', t.currency,
        'amount', t.amount, 'status', t.status, 'claimed_at', t.bank_id, 'told', ${TOLD})
      from k join transactions t on t.bank_reference_key = k.key and t.direction = 'in' and t.status not in ('rejected', 'cancelled')
    union all
    select k.key, json_build_object('kind', 'student', 'payer_id', p.id)
      from k join students s on ${KEY('s.code')} = k.key and s.removed_at is null join payers p on p.student_id = s.id and p.main
    union all
    select k.key, json_build_object('kind', 'student', 'payer_id', p.id)
      from k join sponsors o on ${KEY('o.code')} = k.key and o.removed_at is null join payers p on p.sponsor_id = o.id
    union all
    select k.key, json_build_object('kind', 'student', 'payer_id', p.id)
      from k join applicants q on ${KEY('q.code')} = k.key and q.removed_at is null join payers p on p.applicant_id = q.id
    ${othersNamed(KEY)}`.execute(db)
  const out = new Map<string, NamedByLine[]>()
  for (const { key, named } of rows) {
    const list = out.get(key)
    if (list) list.push(named)
    else out.set(key, [named])
  }
  return out
}

type Judged = Pick<
  NewLine,
  'line' | 'state' | 'why' | 'match_by' | 'payer_id' | 'invoice_id' | 'transaction_id' | 'proposals'
>

/**
 * Says of lines that came in whose they are: by what they name, else by amount, name and account. A transaction that waits is paid
 * by one of them: who paid it twice has paid something else as well.
 *
 * @param paid transactions that other lines of the file pay
 */
export async function judgeBatch(
  db: Db | Tx,
  { id: bank_id, currency }: Pick<BatchBank, 'id' | 'currency'>,
  lines: readonly Judged[],
  { tell, paid = [] }: { tell?: Progress | undefined; paid?: readonly number[] } = {},
): Promise<void> {
  const keys = lines.map(({ line }) => numberKeys(line))
  const named = new Map<string, NamedByLine[]>()
  const all = [...new Set(keys.flat())]
  for (let at = 0; at < all.length; at += 100_000)
    for (const [key, list] of await namedBy(db, all.slice(at, at + 100_000))) named.set(key, list)
  await tell?.(60)
  const unknown: Judged[] = []
  const taken = new Set(paid)
  for (const [i, one] of lines.entries()) {
    const found = decideMatch(
      one.line.amount,
      currency,
      keys[i]!.flatMap((key) => named.get(key) ?? [])
        // What another bank calls so is another payment.
        .filter((each) => each.kind !== 'slip' || each.claimed_at === undefined || each.claimed_at === bank_id)
        .map((each) => (each.kind === 'slip' && taken.has(each.transaction_id) ? { ...each, told: true } : each)),
    )
    one.state = found.state
    one.why = found.state === 'not_booked' ? found.why : null
    one.match_by = found.state === 'matched' ? found.by : null
    one.payer_id = found.state === 'matched' ? found.payer_id : null
    one.invoice_id = found.state === 'matched' ? found.invoice_id : null
    one.transaction_id = found.state === 'matched' || found.state === 'not_booked' ? found.transaction_id : null
    if (found.state === 'matched' && found.transaction_id !== null && taken.has(found.transaction_id))
      one.transaction_id = null
    if (one.transaction_id !== null) taken.add(one.transaction_id)
    one.proposals = found.state === 'proposed' ? found.proposals : []
    if (found.state === 'unmatched') unknown.push(one)
  }
  await tell?.(70)
  const guess = guesser(
    await debtsOf(
      db,
      currency,
      unknown.map(({ line }) => line.amount),
    ),
  )
  const byIban = await payersByIban(
    db,
    unknown.flatMap(({ line }) => line.iban ?? []),
  )
  const learned = await learnedBy(
    db,
    currency,
    unknown.flatMap(({ line }) => payerKeys(line)),
  )
  for (const one of unknown) {
    const said = fromLearned(payerKeys(one.line).flatMap((key) => learned.get(key) ?? []))
    if (said.decided) {
      one.state = 'matched'
      one.match_by = 'learned'
      one.payer_id = said.decided.payer_id
      one.proposals = [said.decided]
      continue
    }
    const words = nameWords(
      `${one.line.counterparty ?? ''} ${one.line.counterparty ? '' : (one.line.description ?? '')}`,
    )
    const before = (one.line.iban ? (byIban.get(one.line.iban) ?? []) : []).map((payer_id) => ({
      payer_id,
      invoice_id: null,
      why: 'iban' as const,
    }))
    const guessed = guess(one.line.amount, words)
    const known = new Set(said.proposals.map((proposal) => proposal.payer_id))
    const others = [...before.filter((b) => !guessed.some((g) => g.payer_id === b.payer_id)), ...guessed]
    one.proposals = [...said.proposals, ...others.filter((proposal) => !known.has(proposal.payer_id))].slice(0, 5)
    if (one.proposals.length) one.state = 'proposed'
  }
}

/** A line as far as it is known again in another file. */
export interface KnownAgain {
  readonly fingerprint: string
  readonly ordinal: number
  /** What the bank calls the entry; null where it has no name. */
  readonly entry_reference: string | null
  readonly booked_on: string | null
  readonly direction: 'in' | 'out'
  /** 0: the line is the whole entry. */
  readonly part: number
  /** What the entry is worth, of which the line is all or a part. */
  readonly whole: number
}

/**
 * Lines that stand in earlier files that are saved, by fingerprint and ordinal: as they are; or as a whole entry where this file
 * tells its parts, or the other way round, as statements (camt.053) and notifications (camt.054) of one day do.
 */
export async function markDuplicates(
  db: Db | Tx,
  bank_id: number,
  lines: readonly KnownAgain[],
): Promise<Map<string, number>> {
  const out = new Map<string, number>()
  const entries = lines.filter((one) => one.entry_reference !== null && one.booked_on !== null)
  for (let at = 0; at < entries.length; at += 20_000) {
    const some = entries.slice(at, at + 20_000)
    const { rows } = await sql<{ fingerprint: string; ordinal: number; id: number }>`
      select x.fingerprint, x.ordinal, o.id
      from unnest(${some.map((l) => l.fingerprint)}::text[], ${some.map((l) => l.ordinal)}::int[], ${some.map((l) => l.entry_reference)}::text[],
        ${some.map((l) => l.booked_on)}::date[], ${some.map((l) => l.direction)}::text[], ${some.map((l) => l.part > 0)}::bool[],
        ${some.map((l) => l.whole)}::bigint[]) as x (fingerprint, ordinal, reference, booked_on, direction, is_part, whole)
      cross join lateral (
        select min(l.id) as id from batch_lines l
        where l.bank_id = ${bank_id} and l.live and l.entry_reference = x.reference and l.booked_on = x.booked_on
          and l.direction = x.direction and (l.part = 0) = x.is_part
        group by l.batch_id, l.line having sum(l.amount) = x.whole order by 1 limit 1) o`.execute(db)
    for (const row of rows) out.set(`${row.fingerprint} ${row.ordinal}`, row.id)
  }
  for (let at = 0; at < lines.length; at += 20_000) {
    const some = lines.slice(at, at + 20_000)
    const { rows } = await sql<{ fingerprint: string; ordinal: number; id: number }>`
      select l.fingerprint, l.ordinal, l.id from unnest(${some.map((l) => l.fingerprint)}::text[], ${some.map((l) => l.ordinal)}::int[]) as x (fingerprint, ordinal)
      join batch_lines l on l.bank_id = ${bank_id} and l.fingerprint = x.fingerprint and l.ordinal = x.ordinal and l.live`.execute(
      db,
    )
    for (const row of rows) out.set(`${row.fingerprint} ${row.ordinal}`, row.id)
  }
  return out
}

/** The account of a batch, and how its tables are written. */
export async function bankOf(db: Db | Tx, bank_id: number): Promise<BatchBank> {
  const { rows } = await sql<BatchBank>`select b.id, c.code as currency, b.iban, b.account_number, f.format
    from banks b join currencies c on c.id = b.currency_id left join bank_formats f on f.id = b.id where b.id = ${bank_id}`.execute(
    db,
  )
  return firstRow(rows)
}

interface Reading {
  readonly id: number
  readonly bank_id: number
  readonly file_id: number
  readonly hash: string
}

/**
 * Reads the file of a batch and keeps what it says. What waits to be named stays a question (`columns`).
 *
 * @param said what a person said of its columns
 */
export async function readBatch(
  ctx: Ctx,
  id: number,
  said: Partial<TableFormat> | null = null,
  progress?: Progress,
): Promise<void> {
  const { rows: found } = await sql<Reading>`select id, bank_id, file_id, hash from batches where id = ${id}`.execute(
    ctx.db,
  )
  const [reading] = found
  if (!reading) throw refuse(404, 'not_found')
  const bank = await bankOf(ctx.db, reading.bank_id)
  const { content } = await ctx.services.files.read(reading.file_id)
  const bytes = content instanceof Readable ? await buffer(content) : content
  const file = await readBankFile(new Uint8Array(bytes), { currency: bank.currency, remembered: bank.format, said })
  await progress?.(30)
  if ('unread' in file) {
    await ctx.write(async (tx) => {
      await stillUnsaved(tx, id)
      await sql`delete from batch_lines where batch_id = ${id}`.execute(tx)
      await sql`update batches set status = 'columns', asks = ${JSON.stringify(file.unread)}::jsonb, problem = null where id = ${id}`.execute(
        tx,
      )
    })
    return
  }
  const ofOurs = file.statements.some(({ account }) => isOfBank(account, bank))
  if (!ofOurs)
    throw new Refusal(422, [
      { field: 'file', code: 'batch_file_of_other', data: { account: file.statements[0]?.account ?? '' } },
    ])
  if (!file.lines.length) throw refuse(422, 'batch_no_lines', {}, 'file')

  const ordinals = new Map<string, number>()
  const lines = file.lines.map((line): NewLine => {
    const left = line.wrong ? null : leftOut(line, file, bank)
    const fingerprint = lineKey(line)
    const counted = !line.wrong && (!left || !NOT_COUNTED.includes(left.code))
    const ordinal = counted ? (ordinals.get(fingerprint) ?? 0) + 1 : 1
    if (counted) ordinals.set(fingerprint, ordinal)
    return {
      line,
      fingerprint,
      ordinal,
      state: line.wrong ? 'wrong' : left ? 'not_booked' : 'unmatched',
      why: line.wrong ?? left,
      match_by: null,
      payer_id: null,
      invoice_id: null,
      transaction_id: null,
      duplicate_of: null,
      proposals: [],
    }
  })
  /** What entries of several parts are worth. */
  const wholes = new Map<number, number>()
  for (const { line, part, amount } of file.lines) if (part > 0) wholes.set(line, (wholes.get(line) ?? 0) + amount)
  const earlier = await markDuplicates(
    ctx.db,
    bank.id,
    lines
      .filter(({ state, why }) => state !== 'wrong' && !NOT_COUNTED.includes(why?.code ?? ''))
      .map(({ line, fingerprint, ordinal }) => ({
        fingerprint,
        ordinal,
        entry_reference: line.entry_reference ?? null,
        booked_on: line.booked_on,
        direction: line.direction,
        part: line.part,
        whole: wholes.get(line.line) ?? line.amount,
      })),
  )
  for (const one of lines) {
    const before = NOT_COUNTED.includes(one.why?.code ?? '')
      ? undefined
      : earlier.get(`${one.fingerprint} ${one.ordinal}`)
    if (before === undefined || one.state === 'wrong') continue
    one.state = 'duplicate'
    one.duplicate_of = before
    one.why = null
  }
  await progress?.(40)
  await judgeBatch(
    ctx.db,
    bank,
    lines.filter(({ state }) => state === 'unmatched'),
    { tell: progress },
  )
  const notes: { line: number | null; code: string; data?: Readonly<Record<string, unknown>> | undefined }[] = [
    ...file.notes,
  ].slice(0, 100)
  const { rows: same } = await sql<{ number: string; status: string }>`select number, status from batches
    where hash = ${reading.hash} and bank_id = ${bank.id} and id <> ${id} and status in ('previewed', 'saved') order by status = 'saved' desc, id limit 1`.execute(
    ctx.db,
  )
  if (same[0])
    notes.unshift({
      line: null,
      code: same[0].status === 'saved' ? 'batch_same_file' : 'batch_same_file_waits',
      data: { number: same[0].number },
    })

  await ctx.write(
    async (tx) => {
      await stillUnsaved(tx, id)
      await sql`delete from batch_lines where batch_id = ${id}`.execute(tx)
      for (let at = 0; at < lines.length; at += AT_ONCE) {
        await insertLines(tx, id, bank.id, lines.slice(at, at + AT_ONCE))
        await progress?.(75 + Math.floor((20 * at) / lines.length))
      }
      const { table } = file
      // What it was read by can be said otherwise while nothing is saved.
      const asks = table && {
        lacking: [],
        headings: table.headings,
        proposed: table.format.columns,
        first: table.first,
      }
      await sql`update batches set status = 'previewed', format = ${file.format}, asks = ${asks && JSON.stringify(asks)}::jsonb, problem = null,
        table_format = ${table && JSON.stringify(table.format)}::jsonb, notes = ${JSON.stringify(notes)}::jsonb,
        statements = ${JSON.stringify(file.statements.map(({ account, number, currency, opening, closing }) => ({ account, number, currency, opening: opening?.amount ?? null, closing: closing?.amount ?? null })))}::jsonb
        where id = ${id}`.execute(tx)
      if (said && table)
        await sql`insert into bank_formats (id, format) values (${bank.id}, ${JSON.stringify(table.format)}::jsonb)
          on conflict (id) do update set format = excluded.format where bank_formats.format is distinct from excluded.format`.execute(
          tx,
        )
    },
    { patience: 60_000 },
  )
}

/** What is read again is not saved already, nor deleted. Holds it. */
async function stillUnsaved(tx: Tx, id: number): Promise<void> {
  const { rows } = await sql<{
    status: string
    number: string
  }>`select status, number from batches where id = ${id} for no key update`.execute(tx)
  if (!['reading', 'columns', 'failed', 'previewed'].includes(rows[0]?.status ?? ''))
    throw refuse(409, 'batch_over', { number: rows[0]?.number ?? '' })
}

const insertLines = (tx: Tx, batch_id: number, bank_id: number, lines: readonly NewLine[]) =>
  insertRows(
    tx,
    'batch_lines',
    lines.map(({ line, why, proposals, ...one }) => ({
      batch_id,
      bank_id,
      line: line.line,
      part: line.part,
      booked_on: line.booked_on,
      value_on: line.value_on,
      amount: line.amount,
      currency: line.currency,
      direction: line.direction,
      reference: line.reference,
      counterparty: line.counterparty,
      iban: line.iban,
      description: line.description,
      bank_reference: line.bank_reference,
      entry_reference: line.entry_reference ?? null,
      payer_keys: payerKeys(line),
      why,
      proposals,
      ...one,
    })),
  )

/** A line of a bank, as far as it says what it is the payment of. */
export interface Paying {
  readonly bank_id: number
  readonly amount: number
  readonly currency: string | null
  readonly reference: string | null
  readonly description: string | null
  readonly bank_reference: string | null
}
/** Transactions that other lines of its file pay. */
export async function paidBeside(tx: Db | Tx, { id, batch_id }: { id: number; batch_id: number }): Promise<number[]> {
  const { rows } = await sql<{
    transaction_id: number
  }>`select transaction_id from batch_lines where batch_id = ${batch_id} and id <> ${id} and state = 'matched' and transaction_id is not null`.execute(
    tx,
  )
  return rows.map((row) => row.transaction_id)
}
/**
 * The transaction of a payer that waits for just this money: of a slip that names what the bank does. null: there is none.
 *
 * @param paid transactions that other lines of the file pay
 */
export async function awaitedBy(
  tx: Db | Tx,
  payer_id: number,
  line: Paying,
  paid: readonly number[],
): Promise<number | null> {
  const keys = numberKeys({ ...line, counterparty: null })
  const { rows } = await sql<{
    id: number
  }>`select id from transactions t where t.payer_id = ${payer_id} and t.way = 'slip' and t.direction = 'in'
    and t.status in ('new', 'pending', 'expired', 'failed') and t.amount = ${line.amount} and t.currency = ${line.currency}
    and not t.id = any(${[...paid]}::int[])
    and ((t.bank_id = ${line.bank_id} and t.bank_reference_key = any(${keys}::text[])) or ${KEY('t.reference')} = any(${keys}::text[]))
    order by t.bank_reference_key is null, t.id limit 1`.execute(tx)
  return rows[0]?.id ?? null
}

/** Payers whose uploaded slips name what this line does. */
export async function claimedBy(db: Db | Tx, line: Paying): Promise<number[]> {
  const { rows } = await sql<{ payer_id: number }>`select distinct t.payer_id from transactions t
    where t.bank_reference_key = any(${numberKeys({ ...line, counterparty: null })}::text[]) and t.bank_id = ${line.bank_id} and t.direction = 'in'
      and t.status in ('new', 'pending', 'expired', 'failed') and t.amount = ${line.amount} and t.currency = ${line.currency} order by 1 limit 5`.execute(
    db,
  )
  return rows.map((row) => row.payer_id)
}
