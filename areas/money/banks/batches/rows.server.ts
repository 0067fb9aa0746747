/** What is told of batches and of their lines. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { staffCodeText } from '#areas/money/ledger/reach.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { Problem } from '#kit/contract/index.ts'
import { toProblem } from '#kit/server/base/errors.ts'
import type { Reason } from '#kit/server/base/errors.ts'
import { ref } from '#kit/server/base/sql.ts'
import type { LineRow } from './batch.contract.ts'

/** The payer `p` whose student is `s`, or that is the sponsor `g`, the applicant `q`, who works here `u` or the guest `v`. */
const PAYER = `json_build_object('id', p.id, 'name', coalesce(s.name, g.name, q.name, q.name_local, q.code, u.name, v.name),
  'name_local', coalesce(s.name_local, g.name_local, q.name_local, q.name, u.name_local, v.name_local),
  'code', coalesce(s.code, g.code, q.code, ${staffCodeText('u')}, v.code))`
/** Text of SQL: a payer by the id that the text `of` gives; null where there is none. */
export const payerOf = (of: string): string =>
  `(select ${PAYER} from payers p left join students s on s.id = p.student_id left join sponsors g on g.id = p.sponsor_id
    left join applicants q on q.id = p.applicant_id left join users u on u.id = p.user_id left join guests v on v.id = p.guest_id
    where p.id = ${of})`
export const invoiceOf = (of: string): string =>
  `(select json_build_object('id', i.id, 'number', i.number, 'open', b.charged - b.settled) from invoices i
    join invoice_balances b on b.invoice_id = i.id where i.id = ${of})`

/** What follows `from` where lines are read: the line is `t`. */
export const LINES = sql`batch_lines t join batches x on x.id = t.batch_id join banks k on k.id = t.bank_id
  left join transactions n on n.id = t.transaction_id`
/** Whether money of a line stands in the ledger without a payer. */
export const UNEXPLAINED = `(t.live and t.entry_id is not null and t.transaction_id is null)`

export const LINE_COLUMNS: RawBuilder<unknown> = sql`t.id, t.version, json_build_object('id', x.id, 'number', x.number) as batch, ${ref('k')} as bank,
  t.line, t.part, t.booked_on::text as booked_on, t.value_on::text as value_on, t.amount::float8 as amount, t.currency, t.direction,
  t.reference, t.counterparty, t.iban, t.description, t.state, t.why, t.match_by, ${sql.raw(payerOf('t.payer_id'))} as payer,
  ${sql.raw(invoiceOf('t.invoice_id'))} as invoice,
  (select coalesce(json_agg(json_build_object('payer', ${sql.raw(payerOf("(o ->> 'payer_id')::int"))},
      'invoice', ${sql.raw(invoiceOf("(o ->> 'invoice_id')::int"))}, 'why', o ->> 'why')::jsonb
      || jsonb_strip_nulls(jsonb_build_object('by', o -> 'by', 'times', o -> 'times', 'last_on', o -> 'last_on'))), '[]') from jsonb_array_elements(t.proposals) o) as proposals,
  (select json_build_object('batch_id', d.batch_id, 'number', e.number, 'line', d.line) from batch_lines d join batches e on e.id = d.batch_id
    where d.id = t.duplicate_of) as duplicate_of,
  case when n.id is not null then json_build_object('id', n.id, 'number', n.number) end as transaction,
  ${sql.raw(UNEXPLAINED)} as unexplained, x.status as batch_status, n.status as transaction_status`

export type ReadLine = Omit<LineRow, 'why' | 'abilities'> & {
  readonly why: Reason | null
  readonly batch_status: string
  readonly transaction_status: string | null
}

/** What may be done with a line: before its file is saved, and with what is not explained afterwards. */
export function lineAbilities(
  line: Pick<ReadLine, 'state' | 'direction' | 'match_by' | 'batch_status' | 'transaction_status' | 'unexplained'> & {
    readonly why: { readonly code: string } | null
  },
): LineRow['abilities'] {
  const { state, direction, match_by, batch_status, transaction_status, unexplained, why } = line
  const byHand = match_by === 'person' || why?.code === 'batch_left_by_hand'
  if (batch_status === 'previewed')
    return [
      ...(direction === 'in' && ['matched', 'proposed', 'unmatched'].includes(state) ? (['match'] as const) : []),
      ...(state !== 'not_booked' && state !== 'duplicate' ? (['leave'] as const) : []),
      ...(byHand || state === 'duplicate' ? (['again'] as const) : []),
    ]
  // What was booked to somebody is taken back by cancelling the transaction; then it is nobody's again.
  const open = unexplained || (transaction_status !== null && transaction_status === 'cancelled')
  return batch_status === 'saved' && direction === 'in' && state !== 'not_booked' && open ? ['match'] : []
}

/** A line as it is answered; `may`: who reads may change it. */
export function shownLine(row: ReadLine, may: boolean): LineRow {
  const { batch_status: _status, transaction_status: _paid, ...line } = row
  return {
    ...line,
    why: row.why && toProblem(row.why),
    // Of a payer or invoice that is no more nothing is proposed.
    proposals: row.proposals.filter((proposal) => proposal.payer !== null),
    abilities: may ? lineAbilities(row) : [],
  }
}

export async function readLines(db: Db | Tx, where: RawBuilder<unknown>, most = 100): Promise<ReadLine[]> {
  const { rows } = await sql<ReadLine>`select ${LINE_COLUMNS} from ${LINES} where ${where}
    order by t.line, t.part, t.id limit ${most}`.execute(db)
  return rows
}

export const problemOf = (reason: Reason | null): Problem | null => reason && toProblem(reason)
