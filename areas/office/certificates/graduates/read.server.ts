/** Requests of graduates as whoever has their key follows them. */
import { waysOffered, underWay, type OnlinePayer } from '#areas/money/transactions/providers/pay.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { ref } from '#kit/server/base/sql.ts'
import { addressLimit, attempt } from '#kit/server/identity/attempts.ts'
import { hashToken } from '#kit/server/identity/sessions.ts'
import { asProgram } from '#kit/server/unit/request.ts'
import { sql } from 'kysely'
import type { GraduateShown } from './ask.contract.ts'
import { graduateLine } from './graduate.rules.ts'

interface Who {
  readonly id: number
  readonly key: string
}
/** A request that was opened by its key. */
export interface OpenedGraduate {
  readonly id: number
  readonly code: string
  readonly status: GraduateShown['status']
  readonly language: string
  readonly student_id: number | null
  readonly certificate_id: number | null
  readonly proof_file_id: number | null
}

/** @throws {Refusal} 404 `graduate_unknown` whatever is wrong: nobody is told which requests there are */
async function openRequest(db: Db | Tx, { id, key }: Who, lock = false): Promise<OpenedGraduate> {
  const { rows } = await sql<OpenedGraduate>`
    select t.id, t.code, t.status, t.language, t.student_id, t.certificate_id, t.proof_file_id from graduate_requests t
    where t.id = ${id} and t.key_hash = ${hashToken(key)} and t.removed_at is null ${lock ? sql`for no key update of t` : sql``}`.execute(
    db,
  )
  if (!rows[0]) throw refuse(404, 'graduate_unknown')
  return rows[0]
}
/** What is done for whoever has the key is done by the program: the trail names the request. */
const forRequest = (ctx: Ctx, { code }: OpenedGraduate): Ctx => asProgram(ctx, `request ${code}`)

/**
 * The request of a key, and the context in which whoever has it acts. Keys are not guessed: strangers are stopped.
 *
 * @throws {Refusal} 404 `graduate_unknown`; 429
 */
export async function openGraduate(ctx: Ctx, who: Who): Promise<{ opened: OpenedGraduate; program: Ctx }> {
  const right = await attempt(ctx.pool, [addressLimit('certificate key', ctx.ip)])
  const opened = await openRequest(ctx.db, who)
  await right()
  return { opened, program: forRequest(ctx, opened) }
}
/** The same, with the request held while the work lasts. */
export async function withGraduate<T>(
  ctx: Ctx,
  who: Who,
  work: (opened: OpenedGraduate, program: Ctx, tx: Tx) => Promise<T>,
): Promise<T> {
  const { program } = await openGraduate(ctx, who)
  return program.write(async (tx) => work(await openRequest(tx, who, true), program, tx))
}

/** Whoever pays for the certificate that a request has become: the student whose it is. */
export const graduatePayer = ({ student_id, language }: OpenedGraduate): OnlinePayer => ({
  within: student_id === null ? sql`false` : sql`p.student_id = ${student_id}::int`,
  lang: language === 'ar' ? 'ar' : 'en',
})

interface Bill {
  readonly invoice_id: number
  readonly number: string
  readonly currency: string
  readonly amount: number
  readonly open: number
  readonly due_date: string | null
  readonly receipts: NonNullable<GraduateShown['fee']>['receipts']
}
/** What is to be paid for the certificate of a request; undefined: nothing. A receipt that tells of other invoices is not given. */
export async function graduateBill(ctx: Ctx, certificate_id: number): Promise<Bill | undefined> {
  const { rows } = await sql<Bill>`
    select i.id as invoice_id, i.number, i.currency, coalesce(b.charged, 0)::float8 as amount,
      greatest(0, coalesce(b.charged, 0) - coalesce(b.settled, 0))::float8 as open,
      (select min(n.due_date)::text from installments n where n.invoice_id = i.id) as due_date,
      coalesce((select json_agg(json_build_object('id', x.id, 'number', coalesce(x.receipt, x.number), 'on', x.booked_on::text) order by x.id)
        from transactions x where x.direction = 'in' and x.status = 'paid' and x.booked_on is not null
          and exists (select from transaction_allocations a where a.transaction_id = x.id and a.invoice_id = i.id)
          and not exists (select from transaction_allocations a where a.transaction_id = x.id and a.invoice_id <> i.id)), '[]') as receipts
    from request_fees f join invoices i on i.id = f.invoice_id left join invoice_balances b on b.invoice_id = i.id
    where f.workflow = 'certificate' and f.record_id = ${certificate_id} and f.taken_back_at is null`.execute(ctx.db)
  return rows[0]
}

type Row = Omit<GraduateShown, 'line' | 'fee' | 'can_send_proof' | 'can_withdraw'>
/** A request as whoever has its key sees it: nothing of a record that was not given. */
export async function showGraduate(ctx: Ctx, opened: OpenedGraduate): Promise<GraduateShown> {
  const { rows } = await sql<Row>`
    select t.id, t.code, (select ${ref('y')} from certificate_settings y where y.id = t.type_id) as type, t.name, t.email, t.lang, t.copies, t.speed,
      t.delivery, coalesce(c.address, t.address) as address, t.created_at, t.status, c.status as certificate_status, c.promised_on::text as promised_on,
      (select h.reason from step_history h where h.to_state in ('rejected', 'Rejected') and (h.workflow = 'graduate_request' and h.record_id = t.id
        or h.workflow = 'certificate' and h.record_id = c.id) order by h.id desc limit 1) as reason,
      (select json_build_object('name', f.name, 'size', f.size) from files f where f.id = t.proof_file_id) as proof,
      coalesce((select json_agg(json_build_object('id', q.id, 'serial', q.serial, 'lang', q.lang, 'verify', '/qr_code/' || q.code) order by q.id)
        from certificate_papers k join papers q on q.id = k.paper_id
        where k.certificate_id = c.id and c.status = 'Delivered' and q.revoked_at is null and q.replaced_by is null), '[]') as papers
    from graduate_requests t left join certificates c on c.id = t.certificate_id where t.id = ${opened.id}`.execute(
    ctx.db,
  )
  const [row] = rows
  if (!row) throw refuse(404, 'graduate_unknown')
  const { certificate_id } = opened
  const bill = certificate_id === null ? undefined : await graduateBill(ctx, certificate_id)
  const payable = bill !== undefined && bill.open > 0 && row.certificate_status === 'fee_due'
  return {
    ...row,
    line: graduateLine(row.status, row.certificate_status, certificate_id === null ? null : bill !== undefined),
    can_send_proof: row.status === 'to_check',
    can_withdraw: row.status === 'to_check' || row.certificate_status === 'fee_due' || row.certificate_status === 'New',
    fee: bill
      ? {
          number: bill.number,
          currency: bill.currency,
          amount: bill.amount,
          open: bill.open,
          due_date: bill.due_date,
          receipts: bill.receipts,
          ways: payable ? await waysOffered(ctx, bill.currency) : [],
          under_way: payable ? await underWay(ctx, graduatePayer(opened), bill.invoice_id) : [],
        }
      : null,
  }
}
