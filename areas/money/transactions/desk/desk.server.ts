/** The cashier's desk: who pays is found, a payment is taken, the drawer is opened and counted. */
import { holdOtherPayer, workplaceText } from '#areas/money/ledger/others.server.ts'
import { otherPayer, reachedPayer } from '#areas/money/ledger/reach.server.ts'
import { writtenDocument } from '#areas/people/people/guests/guest.rules.ts'
import type { NamedPayer } from '#areas/money/ledger/payer.contract.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { moneyText } from '#kit/contract/money.ts'
import { handle, peopleOf, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { searchCondition } from '#kit/server/resource/list.ts'
import { reachesAll, scopeCondition } from '#kit/server/base/scope.ts'
import { paperLang } from '#kit/server/resource/transfer.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { sql, type RawBuilder } from 'kysely'
import { bookTransactions } from '../book.server.ts'
import { holdApplicantPayer, holdPayer, takeCash } from '../moves/move.server.ts'
import { MOST_PAYERS, deskCalls as calls, type Payer } from './desk.contract.ts'
import { sheetOf } from './sheet.server.ts'
import { closeShift, openShift, reviewShift, shiftsOf, showShift } from './shift.server.ts'

/** SQL: what the payers `p` of whom `of` is true hold as credit and owe, the oldest first. */
const standing = (of: RawBuilder<unknown>) => sql`
      coalesce((select json_agg(json_build_object('currency', b.currency, 'wallet', b.wallet) order by b.currency)
        from payer_balances b join payers p on p.id = b.payer_id where ${of} and b.wallet > 0), '[]') as wallets,
      coalesce((select json_agg(json_build_object('id', x.id, 'number', x.number, 'type', x.type, 'currency', x.currency, 'open', x.open, 'charged', x.charged,
          'due_date', x.due_date, 'overdue', x.plan_id is null and x.due_date < university_today()) order by x.due_date, x.id)
        from (select i.id, i.number, i.type, i.currency, i.plan_id, b.charged - b.settled as open, b.charged,
            coalesce((select min(n.due_date) from (select n.due_date, sum(n.amount) over (order by n.position) as until from installments n
              where n.invoice_id = i.id) n where n.until > b.settled), i.issued_on) as due_date
          from invoices i join payers p on p.id = i.payer_id join invoice_balances b on b.invoice_id = i.id and b.settled < b.charged
          where ${of} and i.reversed_at is null) x), '[]') as invoices`

/** Students by code, national id, the number of an invoice or receipt, or name; each with what is owed, the oldest first. */
async function find(ctx: Ctx, text: string): Promise<Payer[]> {
  // A scanned code may be the address of the invoice.
  const number = /(INV-\d{4}-\d+)/i.exec(text)?.[1]?.toUpperCase() ?? text
  const within = scopeCondition(ctx, 'take_payment', studentReach(ctx, 's'))
  const { rows } = await sql<Payer>`
    with found as (
      select s.id, 0 as rank from students s where s.code = ${text} or s.national_id = ${text}
      union select p.student_id, 0 from invoices i join payers p on p.id = i.payer_id where i.number = ${number}
      union select p.student_id, 0 from transactions t join payers p on p.id = t.payer_id where t.receipt = ${number} or t.reference = ${text}
      union (select s.id, 1 from students s where ${searchCondition(text, ['s.search_text']) ?? sql`false`} and s.removed_at is null order by s.code limit ${MOST_PAYERS})
    )
    select ${ref('s')} as student, null::json as payer, ${ref('f')} as faculty, ${standing(sql`p.student_id = s.id`)}
    from (select id, min(rank) as rank from found group by id) k join students s on s.id = k.id join faculties f on f.id = s.faculty_id
    where s.removed_at is null and ${within} order by k.rank, s.code limit ${MOST_PAYERS}`.execute(ctx.db)
  const found = [
    ...rows,
    ...(await applicantsFound(ctx, text, number)),
    ...(await othersFound(ctx, text, number)),
  ].slice(0, MOST_PAYERS)
  // Who was named exactly is meant alone.
  const exact = found.filter((row) => (row.student ?? row.payer)?.code === text)
  return exact.length ? exact : found
}

/** Applicants who were charged something, found by the same; whoever has become a student is found as one as well. */
async function applicantsFound(ctx: Ctx, text: string, number: string): Promise<Payer[]> {
  const { rows } = await sql<Payer>`
    with found as (
      select q.id, 0 as rank from applicants q where q.code = ${text} or q.national_id = ${text} or q.passport_number = ${text}
      union select p.applicant_id, 0 from invoices i join payers p on p.id = i.payer_id where i.number = ${number}
      union select p.applicant_id, 0 from transactions t join payers p on p.id = t.payer_id where t.receipt = ${number} or t.reference = ${text}
      union (select q.id, 1 from applicants q where ${searchCondition(text, ['q.search_text']) ?? sql`false`} and q.removed_at is null
        and exists (select from payers p where p.applicant_id = q.id) order by q.code limit ${MOST_PAYERS})
    )
    select null::json as student, ${otherPayer()} as payer, null::json as faculty, ${standing(sql`p.applicant_id = q.id`)}
    from (select id, min(rank) as rank from found group by id) k join applicants q on q.id = k.id join payers p on p.applicant_id = q.id
      left join students s on s.id = p.student_id
    where q.removed_at is null and ${reachedPayer(ctx, 'take_payment')} order by k.rank, q.code limit ${MOST_PAYERS}`.execute(
    ctx.db,
  )
  return rows
}

/** Who works here and was charged something, and guests, found by the same, and by the number of a document. */
async function othersFound(ctx: Ctx, text: string, number: string): Promise<Payer[]> {
  const named = (columns: string[]) => searchCondition(text, columns) ?? sql`false`
  const { rows } = await sql<Payer>`
    with found as (
      select m.id, 0 as rank from payers m join users u on u.id = m.user_id left join instructors i on i.user_id = u.id and i.removed_at is null
        where u.code = ${text} or i.code = ${text} or i.national_id = ${text}
      union select m.id, 0 from payers m join guests g on g.id = m.guest_id where upper(${text}) = g.code or g.document_number = ${writtenDocument(text)}
      union select i.payer_id, 0 from invoices i where i.number = ${number}
      union select t.payer_id, 0 from transactions t where t.receipt = ${number} or t.reference = ${text}
      union (select m.id, 1 from payers m join users u on u.id = m.user_id where ${named(['u.search_text'])} and u.removed_at is null
        order by u.name limit ${MOST_PAYERS})
      union (select m.id, 1 from payers m join guests g on g.id = m.guest_id where ${named(['g.search_text'])} and g.removed_at is null
        order by g.id desc limit ${MOST_PAYERS})
    )
    select null::json as student, ${otherPayer('m')} as payer, ${refOrNull('f')} as faculty,
      ${standing(sql`(p.user_id = m.user_id or p.guest_id = m.guest_id)`)}
    from (select main.id, min(k.rank) as rank from found k join payers one on one.id = k.id
        join payers main on main.main and (main.user_id = one.user_id or main.guest_id = one.guest_id) group by main.id) k
      join payers m on m.id = k.id left join students s on s.id = m.student_id left join users w on w.id = m.user_id
      left join guests v on v.id = m.guest_id left join faculties f on f.id = ${sql.raw(workplaceText('w'))}
    where coalesce(w.removed_at, v.removed_at) is null and ${reachedPayer(ctx, 'take_payment', 's', 'm')}
    order by k.rank, coalesce(w.name, v.name), m.id limit ${MOST_PAYERS}`.execute(ctx.db)
  return rows
}

/** What is still open of everything that whoever pays owes in a currency: the sum of what the desk lists. */
async function owedBy(tx: Tx, payer_id: number, student_id: number | undefined, currency: string): Promise<number> {
  const whose = (column: 'user_id' | 'guest_id') =>
    sql`p.${sql.ref(column)} = (select w.${sql.ref(column)} from payers w where w.id = ${payer_id})`
  const of =
    student_id === undefined
      ? sql`(p.id = ${payer_id} or ${whose('user_id')} or ${whose('guest_id')})`
      : sql`p.student_id = ${student_id}`
  const { rows } = await sql<{ owed: number }>`select coalesce(sum(b.charged - b.settled), 0)::float8 as owed
    from payers p join invoices i on i.payer_id = p.id and i.currency = ${currency} and i.reversed_at is null
      join invoice_balances b on b.invoice_id = i.id and b.settled < b.charged
    where ${of}`.execute(tx)
  return firstRow(rows).owed
}

/** The payer whose money is taken, held: one of those that may be named. */
function takenFromPayer(
  ctx: Ctx,
  tx: Tx,
  body: { student_id?: number | undefined; applicant_id?: number | undefined } & NamedPayer,
) {
  const { student_id, applicant_id, staff_id, guest_id } = body
  if ([student_id, applicant_id, staff_id, guest_id].filter((one) => one !== undefined).length !== 1)
    throw refuse(422, 'required', {}, 'student_id')
  if (student_id !== undefined) return holdPayer(ctx, tx, student_id, 'take_payment')
  if (applicant_id !== undefined) return holdApplicantPayer(ctx, tx, applicant_id, 'take_payment')
  return holdOtherPayer(ctx, tx, { staff_id, guest_id }, 'take_payment')
}

/** A drawer takes from students of every faculty: who looks after one of them alone sees none. */
const requireAll = (ctx: Ctx): void => {
  if (!reachesAll(ctx, 'review_shift')) throw refuse(403, 'not_allowed')
}
const own = (ctx: Ctx) => sql`h.cashier_id = ${ctx.actor?.user_id ?? null} and h.closed_at is null`

/** Drawers whose count differed wait for somebody else than who opened and counted them. Who reviews does so for the whole university. */
export const deskWork: readonly WorkSource[] = [
  {
    permissions: ['review_shift'],
    waiting: (ctx) => sql`
      select 'transactions.work_drawers', jsonb_build_object('count', count(*)), '/cashier/shifts', min(h.closed_at), null::timestamptz
      from cash_shifts h where h.closed_at is not null and h.reviewed_at is null and ${reachesAll(ctx, 'review_shift') ? sql`true` : sql`false`}
        and not (array[h.cashier_id, h.really_opened_by, h.really_closed_by] && ${peopleOf(ctx)}::int[])
        and exists (select from cash_counts c where c.shift_id = h.id and c.counted <> c.expected) having count(*) > 0`,
  },
]

export const deskHandlers: readonly Handled[] = [
  handle(calls.shift, async (ctx) => ({ data: (await shiftsOf(ctx.db, own(ctx)))[0] ?? null })),
  handle(calls.receipts, async (ctx) => {
    const [mine] = await shiftsOf(ctx.db, own(ctx))
    return { data: mine ? (await showShift(ctx, mine.id)).receipts.toReversed() : [] }
  }),
  handle(calls.open, (ctx, { body }) =>
    ctx.write(async (tx) => {
      const id = await openShift(ctx, tx, body.opening)
      return { data: (await shiftsOf(tx, sql`h.id = ${id}`))[0]! }
    }),
  ),
  handle(calls.close, (ctx, { body }) =>
    ctx.write(async (tx) => {
      const id = await closeShift(ctx, tx, body.counted, body.note ?? null)
      return { data: (await shiftsOf(tx, sql`h.id = ${id}`))[0]! }
    }),
  ),
  handle(calls.showShift, async (ctx, { params }) => {
    requireAll(ctx)
    return { data: await showShift(ctx, params.id) }
  }),
  handle(calls.sheet, async (ctx, { params, query }) => {
    requireAll(ctx)
    return sheetOf(ctx, await showShift(ctx, params.id), query.lang ?? paperLang(ctx))
  }),
  handle(calls.review, async (ctx, { params, body }) => {
    requireAll(ctx)
    return { data: await reviewShift(ctx, params.id, body.note) }
  }),
  handle(calls.shifts, async (ctx, { body }) => {
    requireAll(ctx)
    const where = body.open === undefined ? sql`true` : sql`(h.closed_at is null) = ${body.open}`
    const { rows } = await sql<{
      count: number
    }>`select count(*)::int as count from cash_shifts h where ${where}`.execute(ctx.db)
    return { data: await shiftsOf(ctx.db, where, body.page), meta: { count: firstRow(rows).count } }
  }),
  handle(calls.find, async (ctx, { body }) => ({ data: await find(ctx, body.text) })),
  handle(calls.take, (ctx, { body }) =>
    ctx.write(async (tx) => {
      const payer_id = await takenFromPayer(ctx, tx, body)
      const reference = `desk:${body.key}`
      const owed = () => owedBy(tx, payer_id, body.student_id, body.currency)
      const { rows: there } = await sql<{
        id: number
        number: string
        receipt: string
        currency: string
        amount: number
        payer_id: number
        wallet: number
        settled: { invoice_id: number; amount: number }[]
      }>`
        select t.id, t.number, t.receipt, t.currency, t.amount::float8 as amount, t.payer_id,
          coalesce((select json_agg(json_build_object('invoice_id', a.invoice_id, 'amount', a.amount) order by a.id) from transaction_allocations a where a.transaction_id = t.id), '[]') as settled,
          (t.amount - coalesce((select sum(a.amount) from transaction_allocations a where a.transaction_id = t.id), 0))::float8 as wallet
        from transactions t where t.reference = ${reference}`.execute(tx)
      const [before] = there
      if (before) {
        if (before.payer_id !== payer_id || before.amount !== body.amount || before.currency !== body.currency)
          throw refuse(409, 'payment_key_used')
        return {
          data: {
            id: before.id,
            number: before.number,
            receipt: before.receipt,
            settled: before.settled,
            wallet: before.wallet,
            owed: await owed(),
          },
        }
      }
      const made = await takeCash(ctx, tx, {
        payer_id,
        currency: body.currency,
        amount: body.amount,
        purpose: 'payment',
        reference,
        note: body.note ?? null,
      })
      const [booked] = await bookTransactions(ctx, tx, [made.id], {
        prefer: new Map([[made.id, body.invoice_ids.map((invoice_id) => ({ invoice_id }))]]),
      })
      // Somebody else took a part of it meanwhile, or more was typed than is owed: nobody's money goes where nobody meant it.
      if (booked!.rest > 0 && !body.to_wallet)
        throw refuse(409, 'payment_more_than_owed', {
          open: moneyText(body.amount - booked!.rest, body.currency),
        })
      return { data: { ...made, settled: [...booked!.allocations], wallet: booked!.rest, owed: await owed() } }
    }),
  ),
]
