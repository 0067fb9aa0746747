/** Transactions: listed, shown, given back, cancelled; and the wallets of payers. */
import { studentReach } from '#areas/academics/student-reach.server.ts'
import { followDebts, tellAccounts } from '#areas/invoices/holds.server.ts'
import { payersOf, postEntries, type Posting } from '#areas/ledger/post.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Tx } from '#db/connect.ts'
import { inLanguage, type ListQuery } from '#kit/contract/index.ts'
import { handle, type Ctx, type Handled } from '#kit/server/context.ts'
import { Refusal, refuse } from '#kit/server/errors.ts'
import { columnsOf, serverField } from '#kit/server/fields.ts'
import { pagedList, type ListSource } from '#kit/server/list.ts'
import { scopeCondition } from '#kit/server/scope.ts'
import { takeSerial } from '#kit/server/serials.ts'
import { ref, refOrNull } from '#kit/server/sql.ts'
import { EXPORT_LIMIT, paperLang, tableFile } from '#kit/server/transfer.ts'
import { sql, type RawBuilder } from 'kysely'
import { bookTransactions, type Way } from '../book.server.ts'
import { holdShift } from '../desk/shift.server.ts'
import { refundAtProvider } from '../providers/pay.server.ts'
import { checkCancel, checkRefund, takenFrom } from './back.rules.ts'
import {
  PURPOSES,
  TRANSACTION_STATES,
  WAYS,
  creditFields,
  receiptNumbers,
  transactionCalls as calls,
  transactionFields,
  type CreditRow,
  type TransactionDetail,
  type TransactionRow,
} from './transaction.contract.ts'

const FROM = sql`transactions t join payers p on p.id = t.payer_id left join students s on s.id = p.student_id`
const reached = (ctx: Ctx, key: PermissionKey): RawBuilder<unknown> => scopeCondition(ctx, key, studentReach(ctx, 's'))
const SIGNED = `case when t.direction = 'out' then -t.amount else t.amount end`
const SELECT = sql`t.id, t.number, t.receipt, ${refOrNull('s')} as student, t.direction, t.way, t.purpose, t.currency,
  (${sql.raw(SIGNED)})::float8 as amount, t.status, to_char(t.booked_on, 'YYYY-MM-DD') as booked_on, t.created_at`
const COLUMNS = {
  number: 't.id',
  student_id: 's.id',
  way: 't.way',
  purpose: 't.purpose',
  status: 't.status',
  currency: 't.currency',
  amount: SIGNED,
  booked_on: 't.booked_on',
  faculty_id: 's.faculty_id',
  invoice_id: 't.invoice_id',
}
const filtersOf = (fields: Parameters<typeof columnsOf>[0], columns: Record<string, string>) =>
  Object.fromEntries(
    columnsOf(fields, columns).map((column) => [
      column.name,
      (value: unknown) => serverField(column.field).filter(column, value),
    ]),
  )
const filters = filtersOf(transactionFields, COLUMNS)
const source = (ctx: Ctx, key: PermissionKey): ListSource => ({
  from: FROM,
  select: SELECT,
  where: [reached(ctx, key)],
  search: ['t.search_text', 's.search_text'],
  sort: { ...COLUMNS, student_id: 's.name' },
  order: ['number', 'desc'],
  filters,
})
const abilitiesOf = (ctx: Ctx, one: Pick<TransactionRow, 'status' | 'direction' | 'way'>): string[] => [
  ...(one.status === 'paid' && one.direction === 'in' && one.way !== 'wallet' && ctx.can('refund_payment')
    ? ['refund']
    : []),
  ...(['paid', 'new', 'pending'].includes(one.status) &&
  !(one.status === 'paid' && (one.way === 'card' || one.way === 'mobile')) &&
  ctx.can('cancel_transaction')
    ? ['cancel']
    : []),
]
async function list(ctx: Ctx, query: ListQuery) {
  const { data, meta } = await pagedList<Omit<TransactionRow, 'abilities'>>(
    ctx,
    source(ctx, 'access_transaction'),
    query,
  )
  return { data: data.map((one) => ({ ...one, abilities: abilitiesOf(ctx, one) })), meta }
}
const REFUNDED = `coalesce((select sum(r.amount) from transactions r where r.refund_of = t.id and r.status in ('new', 'pending', 'paid')), 0)::float8`

/** A transaction, what it settled and what of it went back. */
export async function showTransaction(ctx: Ctx, id: number): Promise<TransactionDetail> {
  const { rows } = await sql<Omit<TransactionDetail, 'abilities'>>`
    select ${SELECT}, t.reference, t.provider, t.provider_reference, t.reason, t.note, u.name as by,
      (select json_build_object('id', o.id, 'number', o.number) from transactions o where o.id = t.refund_of) as refund_of,
      ${sql.raw(REFUNDED)} as refunded,
      coalesce((select json_agg(json_build_object('invoice_id', i.id, 'number', i.number, 'amount', a.amount) order by a.id)
        from transaction_allocations a join invoices i on i.id = a.invoice_id where a.transaction_id = t.id), '[]') as allocations,
      coalesce((select json_agg(json_build_object('id', r.id, 'number', coalesce(r.receipt, r.number), 'amount', r.amount, 'booked_on', r.booked_on) order by r.id)
        from transactions r where r.refund_of = t.id), '[]') as refunds
    from ${FROM} left join users u on u.id = t.created_by where t.id = ${id} and ${reached(ctx, 'access_transaction')}`.execute(
    ctx.db,
  )
  if (!rows[0]) throw refuse(404, 'not_found')
  return { ...rows[0], abilities: abilitiesOf(ctx, rows[0]) }
}

interface Held {
  readonly id: number
  readonly payer_id: number
  readonly way: Way
  readonly purpose: string
  readonly direction: 'in' | 'out'
  readonly currency: string
  readonly amount: number
  readonly status: string
  readonly entry_id: string | null
  readonly refunded: number
  readonly wallet: number
  readonly settles: readonly { invoice_id: number; amount: number }[]
  readonly account_id: number | null
  readonly shift_closed: boolean
  readonly batch: boolean
}
/** A transaction, its payer held before it: what it settles still, and what of it went back. */
async function hold(ctx: Ctx, tx: Tx, id: number, key: PermissionKey): Promise<Held> {
  const { rows: found } = await sql<{
    payer_id: number
  }>`select t.payer_id from ${FROM} where t.id = ${id} and ${reached(ctx, key)}`.execute(tx)
  if (!found[0]) throw refuse(404, 'not_found')
  await sql`select from payers where id = ${found[0].payer_id} for no key update`.execute(tx)
  const { rows } = await sql<Held>`
    select t.id, t.payer_id, t.way, t.purpose, t.direction, t.currency, t.amount::float8 as amount, t.status, t.entry_id, ${sql.raw(REFUNDED)} as refunded,
      coalesce((select b.wallet from payer_balances b where b.payer_id = t.payer_id and b.currency = t.currency), 0)::float8 as wallet,
      coalesce((select json_agg(json_build_object('invoice_id', x.invoice_id, 'amount', x.amount) order by x.first) from (
        select a.invoice_id, sum(a.amount)::float8 as amount, min(a.id) as first from transaction_allocations a
          join transactions o on o.id = a.transaction_id and o.status = 'paid'
        where o.id = t.id or o.refund_of = t.id group by a.invoice_id having sum(a.amount) > 0) x), '[]') as settles,
      k.ledger_account_id as account_id, coalesce(h.closed_at is not null, false) as shift_closed,
      exists (select from ledger_entries e where e.id = t.entry_id and e.kind = 'batch') as batch
    from transactions t left join banks k on k.id = t.bank_id left join cash_shifts h on h.id = t.shift_id
    where t.id = ${id} for no key update of t`.execute(tx)
  return rows[0]!
}
const ACCOUNT = { cash: 'cash', slip: 'bank', bank: 'bank', card: 'card', mobile: 'mobile', wallet: 'wallet' } as const

/**
 * Gives a payment, or a part of it, back: the way it came, or in cash. What of it is in the wallet goes first, then what it settled
 * last: those invoices are open again.
 */
const giveBack = async (ctx: Ctx, id: number, asked: number | undefined, reason: string, direct: boolean) => {
  const made = await ctx.write(
    async (tx) => {
      const of = await hold(ctx, tx, id, 'refund_payment')
      const amount = asked ?? of.amount - of.refunded
      // What settled invoices by a correction may have gone into the wallet since: it is no longer settled by this payment.
      const reasons = amount <= 0 ? [{ code: 'refund_too_much', data: { left: 0 } }] : checkRefund(of, amount)
      if (reasons.length) throw new Refusal(409, reasons)
      const from = takenFrom(of, amount)!
      const way: Way = direct ? 'cash' : of.way
      const shift = way === 'cash' ? await holdShift(ctx, tx) : null
      const receipt = way === 'cash' ? (await takeSerial(tx, receiptNumbers)).text : null
      const { rows } = await sql<{ id: number; number: string }>`
        insert into transactions (payer_id, direction, way, purpose, currency, amount, status, refund_of, reason, shift_id, receipt, provider, created_by)
        values (${of.payer_id}, 'out', ${way}, ${direct ? 'direct_cash_back' : 'refund'}, ${of.currency}, ${amount}, 'new', ${id}, ${reason},
          ${shift?.id ?? null}, ${receipt}, null, ${ctx.actor?.user_id ?? null}) returning id, number`.execute(tx)
      const refund = rows[0]!
      const to: Posting =
        way !== 'cash' && of.account_id !== null
          ? { account_id: of.account_id, amount: -amount }
          : { role: ACCOUNT[way], amount: -amount }
      const postings: Posting[] = [
        ...(from.wallet ? [{ role: 'wallet' as const, payer_id: of.payer_id, amount: from.wallet }] : []),
        ...from.allocations.map((a) => ({
          role: 'receivable' as const,
          payer_id: of.payer_id,
          invoice_id: a.invoice_id,
          amount: a.amount,
        })),
        to,
      ]
      const [entry] = await postEntries(tx, [
        {
          kind: direct ? 'cash_back' : 'refund',
          source: `transaction:${refund.id}`,
          currency: of.currency,
          settles: true,
          reason,
          postings,
        },
      ])
      await sql`insert into transaction_allocations (transaction_id, invoice_id, amount)
        select ${refund.id}, x.invoice_id, -x.amount from unnest(${from.allocations.map((a) => a.invoice_id)}::int[], ${from.allocations.map((a) => a.amount)}::bigint[]) x (invoice_id, amount)`.execute(
        tx,
      )
      await sql`update transactions set status = 'paid', entry_id = ${entry!.entry_id}, booked_on = university_today(), paid_at = now() where id = ${refund.id}`.execute(
        tx,
      )
      await followDebts(ctx, tx, [of.payer_id])
      await tellAccounts(ctx, tx, [of.payer_id])
      return { id: refund.id, number: refund.number, receipt, amount, way, at: of }
    },
    { reason },
  )
  return made
}
/** A refund by a provider is asked of it first: what it does not take is not booked. */
const refund = async (ctx: Ctx, id: number, amount: number | undefined, reason: string) => {
  const made = await giveBack(ctx, id, amount, reason, false)
  if (made.way === 'card' || made.way === 'mobile')
    await refundAtProvider(ctx, { payment: id, refund: made.id, amount: made.amount, reason }).catch(
      async (error: unknown) => {
        await undo(ctx, made.id, 'The provider did not take the refund')
        throw error
      },
    )
  return { data: { id: made.id, number: made.number, receipt: made.receipt } }
}

/** Turns the entry of a transaction round and marks it as cancelled. */
const undo = (ctx: Ctx, id: number, reason: string) =>
  ctx.write(
    async (tx) => {
      const { rows } = await sql<{
        payer_id: number
        entry_id: string | null
      }>`select payer_id, entry_id from transactions where id = ${id} for no key update`.execute(tx)
      const [one] = rows
      if (one?.entry_id)
        await postEntries(tx, [{ source: `reversal:transaction:${id}`, reversal_of: Number(one.entry_id), reason }])
      await sql`update transactions set status = 'cancelled', reason = ${reason}, decided_by = ${ctx.actor?.user_id ?? null}, version = version + 1 where id = ${id}`.execute(
        tx,
      )
      await followDebts(ctx, tx, [one!.payer_id])
      await tellAccounts(ctx, tx, [one!.payer_id])
    },
    { reason },
  )
const cancel = (ctx: Ctx, id: number, reason: string) =>
  ctx.write(
    async (tx) => {
      const of = await hold(ctx, tx, id, 'cancel_transaction')
      const reasons = checkCancel(of)
      if (reasons.length) throw new Refusal(409, reasons)
      await undo(ctx, id, reason)
      const { rows } = await sql<{
        number: string
        receipt: string | null
      }>`select number, receipt from transactions where id = ${id}`.execute(tx)
      return { data: { id, ...rows[0]! } }
    },
    { reason },
  )

/** A student within reach, with the payer, held. */
export async function holdPayer(ctx: Ctx, tx: Tx, student: number, key: PermissionKey): Promise<number> {
  const { rows } =
    await sql`select from students s where s.id = ${student} and s.removed_at is null and ${reached(ctx, key)}`.execute(
      tx,
    )
  const payer = (await payersOf(tx, [student])).get(student)
  if (!rows.length || payer === undefined) throw refuse(404, 'not_found')
  await sql`select from payers where id = ${payer} for no key update`.execute(tx)
  return payer
}
const cashBack = (ctx: Ctx, student: number, amount: number, currency: string, reason: string) =>
  ctx.write(
    async (tx) => {
      const payer_id = await holdPayer(ctx, tx, student, 'pay_out_wallet')
      const shift = await holdShift(ctx, tx)
      const { text: receipt } = await takeSerial(tx, receiptNumbers)
      const { rows } = await sql<{ id: number; number: string }>`
        insert into transactions (payer_id, direction, way, purpose, currency, amount, reason, shift_id, receipt, created_by)
        values (${payer_id}, 'out', 'cash', 'cash_back', ${currency}, ${amount}, ${reason}, ${shift.id}, ${receipt}, ${ctx.actor?.user_id ?? null})
        returning id, number`.execute(tx)
      const [entry] = await postEntries(tx, [
        {
          kind: 'cash_back',
          source: `transaction:${rows[0]!.id}`,
          currency,
          settles: true,
          reason,
          postings: [
            { role: 'wallet', payer_id, amount },
            { role: 'cash', amount: -amount },
          ],
        },
      ])
      await sql`update transactions set status = 'paid', entry_id = ${entry!.entry_id}, booked_on = university_today(), paid_at = now() where id = ${rows[0]!.id}`.execute(
        tx,
      )
      await tellAccounts(ctx, tx, [payer_id])
      return { data: { ...rows[0]!, receipt } }
    },
    { reason },
  )

/** Cash that comes in at the desk of whoever takes it: a transaction with a receipt, booked at once. */
export async function takeCash(
  ctx: Ctx,
  tx: Tx,
  of: {
    payer_id: number
    currency: string
    amount: number
    purpose: 'payment' | 'charge'
    reference?: string | null
    note?: string | null
  },
): Promise<{ id: number; number: string; receipt: string }> {
  const shift = await holdShift(ctx, tx)
  const { text: receipt } = await takeSerial(tx, receiptNumbers)
  const { rows } = await sql<{ id: number; number: string }>`
    insert into transactions (payer_id, way, purpose, currency, amount, shift_id, receipt, reference, note, created_by)
    values (${of.payer_id}, 'cash', ${of.purpose}, ${of.currency}, ${of.amount}, ${shift.id}, ${receipt}, ${of.reference ?? null}, ${of.note ?? null},
      ${ctx.actor?.user_id ?? null}) returning id, number`.execute(tx)
  return { ...rows[0]!, receipt }
}

async function fromWallet(ctx: Ctx, invoice: number, asked: number | undefined) {
  return ctx.write(async (tx) => {
    const { rows } = await sql<{ payer_id: number; currency: string }>`
      select i.payer_id, i.currency from invoices i join payers p on p.id = i.payer_id join students s on s.id = p.student_id
      where i.id = ${invoice} and i.reversed_at is null and ${reached(ctx, 'pay_online')}`.execute(tx)
    if (!rows[0]) throw refuse(404, 'not_found')
    const { payer_id, currency } = rows[0]
    await sql`select from payers where id = ${payer_id} for no key update`.execute(tx)
    const { rows: stand } = await sql<{ open: number; wallet: number }>`
      select (b.charged - b.settled)::float8 as open, coalesce((select w.wallet from payer_balances w where w.payer_id = ${payer_id} and w.currency = ${currency}), 0)::float8 as wallet
      from invoice_balances b where b.invoice_id = ${invoice}`.execute(tx)
    const { open = 0, wallet = 0 } = stand[0] ?? {}
    const amount = asked ?? Math.min(open, wallet)
    if (open <= 0) throw refuse(409, 'invoice_nothing_open')
    if (amount > open) throw refuse(409, 'payment_more_than_owed', { open: open / 100 })
    if (amount <= 0 || amount > wallet) throw refuse(409, 'wallet_negative')
    const { rows: made } = await sql<{ id: number; number: string }>`
      insert into transactions (payer_id, way, currency, amount, invoice_id, created_by)
      values (${payer_id}, 'wallet', ${currency}, ${amount}, ${invoice}, ${ctx.actor?.user_id ?? null}) returning id, number`.execute(
      tx,
    )
    await bookTransactions(ctx, tx, [made[0]!.id], { only: true })
    return { data: { ...made[0]!, receipt: null } }
  })
}

const word = (
  choices: readonly { value: string; label: readonly [string, string] }[],
  value: string,
  lang: 'ar' | 'en',
) => inLanguage(choices.find((one) => one.value === value)?.label ?? [value, value], lang)
async function exported(ctx: Ctx, query: ListQuery & { ids?: number[] | undefined; lang?: 'ar' | 'en' | undefined }) {
  const lang = query.lang ?? paperLang(ctx)
  const of = source(ctx, 'export_transaction')
  const { data } = await pagedList<TransactionRow>(
    ctx,
    query.ids?.length ? { ...of, where: [...of.where, sql`t.id = any(${query.ids}::int[])`] } : of,
    { ...query, page: 1, perPage: EXPORT_LIMIT + 1 },
  )
  if (data.length > EXPORT_LIMIT) throw refuse(422, 'export_limit')
  if (!data.length) throw refuse(422, 'no_rows')
  const label = (key: keyof typeof transactionFields) => inLanguage(transactionFields[key].label, lang)
  return tableFile(
    ctx,
    {
      title: inLanguage(['Transactions', 'المعاملات المالية'], lang),
      name: 'Transactions',
      lang,
      columns: [
        { header: label('number'), type: 'text', text: (one) => one.receipt ?? one.number },
        {
          header: inLanguage(['Student code', 'كود الطالب'], lang),
          type: 'text',
          text: (one) => one.student?.code ?? null,
        },
        {
          header: label('student_id'),
          type: 'text',
          text: (one) =>
            one.student ? (lang === 'ar' ? (one.student.name_local ?? one.student.name) : one.student.name) : null,
        },
        { header: label('way'), type: 'text', text: (one) => word(WAYS, one.way, lang) },
        { header: label('purpose'), type: 'text', text: (one) => word(PURPOSES, one.purpose, lang) },
        { header: label('amount'), type: 'decimal', text: (one) => (one.amount / 100).toFixed(2) },
        { header: label('currency'), type: 'text', text: (one) => one.currency },
        { header: label('status'), type: 'text', text: (one) => word(TRANSACTION_STATES, one.status, lang) },
        { header: label('booked_on'), type: 'date', text: (one) => one.booked_on },
      ],
      rows: data,
    },
    'xlsx',
  )
}

const CREDIT = {
  student_id: 's.id',
  faculty_id: 's.faculty_id',
  currency: 'b.currency',
  wallet: 'b.wallet',
  owed: 'b.owed',
}
const creditFilters = filtersOf(creditFields, CREDIT)
const credits = (ctx: Ctx, query: ListQuery) =>
  pagedList<CreditRow>(
    ctx,
    {
      from: sql`payer_balances b join payers p on p.id = b.payer_id join students s on s.id = p.student_id`,
      select: sql`s.id, ${ref('s')} as student, b.currency, b.wallet::float8 as wallet, b.owed::float8 as owed`,
      where: [reached(ctx, 'access_transaction')],
      search: ['s.search_text'],
      sort: { ...CREDIT, student_id: 's.name' },
      order: ['wallet', 'desc'],
      filters: creditFilters,
      key: '(b.payer_id::text || b.currency)',
    },
    query,
  )
async function credit(ctx: Ctx, student: number) {
  const { rows } = await sql<{ student: TransactionRow['student']; balances: never[]; moves: never[] }>`
    select ${ref('s')} as student,
      coalesce((select json_agg(x order by x.currency) from (select b.currency, sum(b.wallet)::float8 as wallet, sum(b.owed)::float8 as owed
        from payer_balances b join payers p on p.id = b.payer_id where p.student_id = s.id group by b.currency) x), '[]') as balances,
      coalesce((select json_agg(json_build_object('at', m.created_at, 'kind', m.kind, 'number', m.number, 'currency', m.currency, 'amount', m.amount, 'after', m.after)
          order by m.id desc) from (
        select e.id, e.created_at, e.kind, e.currency, -sum(q.amount)::float8 as amount, (-sum(sum(q.amount)) over (partition by e.currency order by e.id))::float8 as after,
          (select coalesce(x.receipt, x.number) from transactions x where e.source = 'transaction:' || x.id) as number
        from ledger_postings q join ledger_accounts a on a.id = q.account_id and a.role = 'wallet' join ledger_entries e on e.id = q.entry_id
          join payers p on p.id = q.payer_id where p.student_id = s.id group by e.id) m), '[]') as moves
    from students s where s.id = ${student} and ${reached(ctx, 'access_transaction')}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return { data: rows[0] as never }
}

export const moveHandlers: readonly Handled[] = [
  handle(calls.list, (ctx, { body }) => list(ctx, body)),
  handle(calls.show, async (ctx, { params }) => ({ data: await showTransaction(ctx, params.id) })),
  handle(calls.export, (ctx, { body }) => exported(ctx, body)),
  handle(calls.cancel, (ctx, { body }) => cancel(ctx, body.id, body.reason)),
  handle(calls.refund, (ctx, { params, body }) => refund(ctx, params.id, body.amount, body.reason)),
  handle(calls.refundPlain, (ctx, { body }) => refund(ctx, body.id, body.amount, body.reason)),
  handle(calls.directCashBack, async (ctx, { params, body }) => {
    const { id, number, receipt } = await giveBack(ctx, params.id, body.amount, body.reason, true)
    return { data: { id, number, receipt } }
  }),
  handle(calls.cashBack, (ctx, { params, body }) => cashBack(ctx, params.id, body.amount, body.currency, body.reason)),
  handle(calls.chargeCredit, (ctx, { body }) =>
    ctx.write(async (tx) => {
      const payer_id = await holdPayer(ctx, tx, body.id, 'take_payment')
      const made = await takeCash(ctx, tx, {
        payer_id,
        currency: body.currency,
        amount: body.amount,
        purpose: 'charge',
      })
      await bookTransactions(ctx, tx, [made.id])
      return { data: made }
    }),
  ),
  handle(calls.payFromWallet, (ctx, { params, body }) => fromWallet(ctx, params.id, body.amount)),
  handle(calls.credits, (ctx, { body }) => credits(ctx, body)),
  handle(calls.credit, (ctx, { params }) => credit(ctx, params.id)),
]
