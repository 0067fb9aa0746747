/** Transactions: listed, shown, given back, cancelled; and the wallets of payers. */
import { refuseOwn } from '#areas/money/ledger/own.server.ts'
import { holdOtherPayer } from '#areas/money/ledger/others.server.ts'
import type { NamedPayer } from '#areas/money/ledger/payer.contract.ts'
import { holdPayers, payersOf, walletPayer } from '#areas/money/ledger/post.server.ts'
import { PAYER_SEARCH, otherPayer, payerJoins, reachedPayer } from '#areas/money/ledger/reach.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { inLanguage, type ListQuery } from '#kit/contract/index.ts'
import { moneyText } from '#kit/contract/money.ts'
import { handle, peopleOf, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { columnsOf, serverField } from '#kit/server/base/fields.ts'
import { pagedList, type ListSource } from '#kit/server/resource/list.ts'
import { takeSerial } from '#kit/server/unit/serials.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import { EXPORT_LIMIT, paperLang, tableFile } from '#kit/server/resource/transfer.ts'
import { sql } from 'kysely'
import { bookTransactions } from '../book.server.ts'
import { cancelTransactions } from '../cancel.server.ts'
import { holdShift, keepsDrawer } from '../desk/shift.server.ts'
import { ASKED, REFUNDED, holdTransaction, studentReached } from '../hold.server.ts'
import { askedAtProvider } from '../providers/refund.server.ts'
import {
  askForRefund,
  isAskedFirst,
  isWalletAskedFirst,
  payBack,
  payWallet,
  type PaidBack,
} from '../refunds/pay-back.server.ts'
import { once } from './once.server.ts'
import { shownWallet, type WalletRead } from './wallet.rules.ts'
import { checkCancel, checkRefund, takenFrom } from './back.rules.ts'
import {
  PURPOSES,
  TRANSACTION_STATES,
  PAYMENT_WAYS,
  creditFields,
  receiptNumbers,
  transactionCalls as calls,
  transactionFields,
  type CreditRow,
  type Gone,
  type TransactionDetail,
  type TransactionRow,
} from './transaction.contract.ts'

const FROM = sql`transactions t join payers p on p.id = t.payer_id left join students s on s.id = p.student_id ${payerJoins()}`
const SIGNED = `case when t.direction = 'out' then -t.amount else t.amount end`
const SELECT = sql`t.id, t.number, t.receipt, ${refOrNull('s')} as student, ${otherPayer()} as payer, t.direction, t.way, t.purpose, t.currency,
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
  where: [reachedPayer(ctx, key)],
  search: ['t.search_text', ...PAYER_SEARCH],
  sort: { ...COLUMNS, student_id: 's.name' },
  order: ['number', 'desc'],
  filters,
})
const abilitiesOf = (ctx: Ctx, one: Pick<TransactionRow, 'status' | 'direction' | 'way'>): string[] => [
  ...(one.status === 'paid' &&
  one.direction === 'in' &&
  one.way !== 'wallet' &&
  one.way !== 'deposit' &&
  ctx.can('refund_payment')
    ? ['refund']
    : []),
  ...(['paid', 'new', 'pending'].includes(one.status) &&
  !(one.status === 'paid' && (one.way === 'card' || one.way === 'mobile')) &&
  !(one.status === 'pending' && one.direction === 'out') &&
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
/** A transaction, what it settled and what of it went back. */
export async function showTransaction(ctx: Ctx, id: number): Promise<TransactionDetail> {
  const { rows } = await sql<Omit<TransactionDetail, 'abilities'>>`
    select ${SELECT}, t.reference, t.provider, t.provider_reference, t.expires_at, (select c.number from provider_charges c
        where c.transaction_id = t.id and c.answered_at is not null order by c.id desc limit 1) as pay_number, t.reason, t.note, case when u.id is not null then json_build_object('name', u.name, 'name_local', u.name_local) end as by,
      (select json_build_object('id', o.id, 'number', o.number) from transactions o where o.id = t.refund_of) as refund_of,
      ${sql.raw(REFUNDED)} as refunded, ${sql.raw(ASKED)} as asked,
      coalesce((select json_agg(json_build_object('invoice_id', i.id, 'number', i.number, 'amount', a.amount) order by a.id)
        from transaction_allocations a join invoices i on i.id = a.invoice_id where a.transaction_id = t.id), '[]') as allocations,
      coalesce((select json_agg(json_build_object('id', r.id, 'number', coalesce(r.receipt, r.number), 'amount', r.amount, 'status', r.status, 'booked_on', r.booked_on) order by r.id)
        from transactions r where r.refund_of = t.id), '[]') as refunds
    from ${FROM} left join users u on u.id = t.created_by where t.id = ${id} and ${reachedPayer(ctx, 'access_transaction')}`.execute(
    ctx.db,
  )
  if (!rows[0]) throw refuse(404, 'not_found')
  return { ...rows[0], abilities: abilitiesOf(ctx, rows[0]) }
}

const goneBy = ({ id, number, receipt, pending }: PaidBack): Gone => ({
  id,
  number,
  receipt,
  state: pending ? 'pending' : 'paid',
  request_id: null,
})

/**
 * Gives a payment, or a part of it, back: the way it came, or in cash; above what one person gives back alone it is asked of another
 * one. A provider is asked once it is booked.
 */
async function giveBack(
  ctx: Ctx,
  id: number,
  { amount: asked, reason, key }: { amount?: number | undefined; reason: string; key?: string | undefined },
  direct: boolean,
) {
  const made = await ctx.write(
    async (tx) => {
      const of = await holdTransaction(ctx, tx, id, 'refund_payment')
      await refuseOwn(ctx, tx, sql`${of.payer_id}::int`)
      const kind = direct ? 'direct_cash_back' : 'refund'
      return once(tx, key, of.payer_id, { what: kind, id, amount: asked ?? null, reason }, async () => {
        const amount = asked ?? of.amount - of.refunded - of.asked
        const way = direct ? 'cash' : of.way
        const reasons = checkRefund(of, amount)
        if (reasons.length) throw new Refusal(409, reasons)
        // Who gives back in cash and keeps no drawer asks for it: a cashier pays it out.
        if ((way === 'cash' && !(await keepsDrawer(ctx, tx))) || (await isAskedFirst(tx, of, way, amount)))
          return askForRefund(ctx, tx, {
            payer_id: of.payer_id,
            kind,
            payment_id: id,
            way,
            currency: of.currency,
            amount,
            from_wallet: takenFrom(of, amount)!.wallet,
            reason,
          })
        return goneBy(await payBack(ctx, tx, of, { amount, direct, reason }))
      })
    },
    { reason },
  )
  return { data: await askedAtProvider(ctx, made) }
}

const cancel = (ctx: Ctx, id: number, reason: string) =>
  ctx.write(
    async (tx) => {
      const of = await holdTransaction(ctx, tx, id, 'cancel_transaction')
      await refuseOwn(ctx, tx, sql`${of.payer_id}::int`)
      const own_drawer = of.cashier_id !== null && peopleOf(ctx).includes(of.cashier_id)
      const reasons = checkCancel({ ...of, own_drawer })
      if (reasons.length) throw new Refusal(409, reasons)
      const to_wallet = await cancelTransactions(ctx, tx, [id], reason)
      const { rows } = await sql<{
        number: string
        receipt: string | null
      }>`select number, receipt from transactions where id = ${id}`.execute(tx)
      return { data: { id, ...firstRow(rows), to_wallet } }
    },
    { reason },
  )

/** A student within reach, with the payer, held: for whoever moves money of it at a desk. */
export async function holdPayer(ctx: Ctx, tx: Tx, student: number, key: PermissionKey): Promise<number> {
  const { rows } =
    await sql`select from students s where s.id = ${student} and s.removed_at is null and ${studentReached(ctx, key)}`.execute(
      tx,
    )
  const payer = (await payersOf(tx, [student])).get(student)
  if (!rows.length || payer === undefined) throw refuse(404, 'not_found')
  await refuseOwn(ctx, tx, sql`${payer}::int`)
  await holdPayers(tx, sql`${payer}::int`)
  return payer
}
/** The same of an applicant, who is a payer once something was charged. */
export async function holdApplicantPayer(ctx: Ctx, tx: Tx, applicant: number, key: PermissionKey): Promise<number> {
  const { rows } = await sql<{ id: number }>`select p.id from payers p left join students s on s.id = p.student_id
    where p.applicant_id = ${applicant} and ${reachedPayer(ctx, key)}`.execute(tx)
  if (!rows[0]) throw refuse(404, 'not_found')
  await holdPayers(tx, sql`${rows[0].id}::int`)
  return rows[0].id
}
/** Cash out of a wallet: as much as it holds, and not while money is overdue that it could settle. */
async function refuseCashBack(
  tx: Tx,
  payer: number,
  { payer_id, amount, currency }: { payer_id: number; amount: number; currency: string },
): Promise<void> {
  const { rows } = await sql<{ wallet: number; overdue: number }>`
    select coalesce((select w.wallet from payer_balances w where w.payer_id = ${payer_id} and w.currency = ${currency}), 0)::float8 as wallet,
      coalesce((select sum(greatest(0, n.due - b.settled)) from invoices i join invoice_balances b on b.invoice_id = i.id and b.settled < b.charged
        cross join lateral (select coalesce(sum(p.amount), 0) as due from installments p where p.invoice_id = i.id and p.due_date < university_today()) n
        where i.payer_id = any(array[${payer}::int, ${payer_id}::int]) and i.currency = ${currency} and i.reversed_at is null and i.plan_id is null), 0)::float8 as overdue`.execute(
    tx,
  )
  const { wallet = 0, overdue = 0 } = rows[0] ?? {}
  if (amount > wallet) throw refuse(422, 'wallet_negative')
  if (overdue > 0) throw refuse(409, 'wallet_overdue', { overdue: moneyText(overdue, currency) })
}
/** The payer whose wallet is meant, held: of a student, of who works here, or of a guest. */
function holdWallet(
  ctx: Ctx,
  tx: Tx,
  whose: { readonly student_id: number } | NamedPayer,
  key: PermissionKey,
): Promise<number> {
  if ('student_id' in whose) return holdPayer(ctx, tx, whose.student_id, key)
  if ((whose.staff_id === undefined) === (whose.guest_id === undefined))
    throw refuse(422, 'required', {}, whose.staff_id === undefined ? 'staff_id' : 'guest_id')
  return holdOtherPayer(ctx, tx, whose, key)
}
const cashBack = (
  ctx: Ctx,
  whose: { readonly student_id: number } | NamedPayer,
  { key, ...asked }: { amount: number; currency: 'EGP' | 'USD'; reason: string; key?: string | undefined },
) =>
  ctx.write(
    async (tx) => {
      const payer_id = await holdWallet(ctx, tx, whose, 'pay_out_wallet')
      const { amount, currency } = asked
      const data = await once(tx, key, payer_id, { what: 'cash_back', ...asked }, async () => {
        const of = { ...asked, payer_id: await walletPayer(tx, payer_id, currency) }
        await refuseCashBack(tx, payer_id, of)
        if (await isWalletAskedFirst(tx, of.payer_id, currency, amount))
          return askForRefund(ctx, tx, {
            ...of,
            kind: 'cash_back',
            payment_id: null,
            way: 'cash',
            from_wallet: amount,
          })
        return goneBy(await payWallet(ctx, tx, of))
      })
      return { data }
    },
    { reason: asked.reason },
  )
const chargeWallet = (
  ctx: Ctx,
  whose: { readonly student_id: number } | NamedPayer,
  { amount, currency, key }: { amount: number; currency: 'EGP' | 'USD'; key?: string | undefined },
) =>
  ctx.write(async (tx) => {
    const payer_id = await holdWallet(ctx, tx, whose, 'take_payment')
    const data = await once(tx, key, payer_id, { what: 'charge', amount, currency }, async () => {
      const made = await takeCash(ctx, tx, { payer_id, currency, amount, purpose: 'charge' })
      await bookTransactions(ctx, tx, [made.id])
      return made
    })
    return { data }
  })

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
  return { ...firstRow(rows), receipt }
}

async function fromWallet(ctx: Ctx, invoice: number, asked: number | undefined) {
  return ctx.write(async (tx) => {
    const { rows } = await sql<{ payer_id: number; currency: string }>`
      select i.payer_id, i.currency from invoices i join payers p on p.id = i.payer_id join students s on s.id = p.student_id
      where i.id = ${invoice} and i.reversed_at is null and ${studentReached(ctx, 'pay_online')}`.execute(tx)
    if (!rows[0]) throw refuse(404, 'not_found')
    const { currency } = rows[0]
    await holdPayers(tx, sql`${rows[0].payer_id}::int`)
    const payer_id = await walletPayer(tx, rows[0].payer_id, currency)
    const { rows: stand } = await sql<{ open: number; wallet: number }>`
      select (b.charged - b.settled)::float8 as open, coalesce((select w.wallet from payer_balances w where w.payer_id = ${payer_id} and w.currency = ${currency}), 0)::float8 as wallet
      from invoice_balances b where b.invoice_id = ${invoice}`.execute(tx)
    const { open = 0, wallet = 0 } = stand[0] ?? {}
    const amount = asked ?? Math.min(open, wallet)
    if (open <= 0) throw refuse(409, 'invoice_nothing_open')
    if (amount > open) throw refuse(409, 'payment_more_than_owed', { open: moneyText(open, currency) })
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
  const { data } = await pagedList<Omit<TransactionRow, 'abilities'>>(
    ctx,
    query.ids?.length ? { ...of, where: [...of.where, sql`t.id = any(${query.ids}::int[])`] } : of,
    { ...query, page: 1, perPage: EXPORT_LIMIT + 1 },
  )
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
          text: (one) => one.student?.code ?? one.payer?.code ?? null,
        },
        {
          header: label('student_id'),
          type: 'text',
          text: (one) => {
            const who = one.student ?? one.payer
            return who ? (lang === 'ar' ? (who.name_local ?? who.name) : who.name) : null
          },
        },
        { header: label('way'), type: 'text', text: (one) => word(PAYMENT_WAYS, one.way, lang) },
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
      from: sql`payer_balances b join payers p on p.id = b.payer_id left join students s on s.id = p.student_id ${payerJoins()}`,
      select: sql`p.id, ${refOrNull('s')} as student, ${otherPayer()} as payer, b.currency, b.wallet::float8 as wallet, b.owed::float8 as owed`,
      // Sponsors have an account of their own.
      where: [sql`p.sponsor_id is null`, reachedPayer(ctx, 'access_transaction')],
      search: PAYER_SEARCH,
      sort: { ...CREDIT, student_id: 's.name' },
      order: ['wallet', 'desc'],
      filters: creditFilters,
      key: '(b.payer_id::text || b.currency)',
    },
    query,
  )
/** SQL: payers that the student `s` is, as `q.ids`: two records that became one are two. */
export const PAYERS = sql`cross join lateral (select array_agg(p.id) as ids from payers p where p.student_id = s.id) q`
/** SQL: the wallet of the payers `q.ids`, who are the student `s`, as `shownWallet` takes it. */
export const WALLET = sql`${ref('s')} as student,
      coalesce((select json_agg(json_build_object('currency', b.currency, 'wallet', b.wallet, 'owed', b.owed, 'deposit', b.deposit))
        from payer_balances b where b.payer_id = any(q.ids)), '[]') as balances,
      coalesce((select json_agg(json_build_object('id', e.id, 'at', e.created_at, 'kind', e.kind, 'currency', e.currency, 'amount', -o.amount,
          'number', (select coalesce(x.receipt, x.number) from transactions x
            where x.id = case when e.source ~ '^transaction:[0-9]+$' then substr(e.source, 13)::int end)))
        from ledger_postings o join ledger_entries e on e.id = o.entry_id
        where o.payer_id = any(q.ids) and o.account_id = (select id from ledger_accounts where role = 'wallet')), '[]') as moves`
async function credit(ctx: Ctx, student: number) {
  const { rows } = await sql<WalletRead>`select ${WALLET}
    from students s ${PAYERS} where s.id = ${student} and ${studentReached(ctx, 'access_transaction')}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return { data: shownWallet(rows[0]) }
}

export const walletMoveHandlers: readonly Handled[] = [
  handle(calls.list, (ctx, { body }) => list(ctx, body)),
  handle(calls.show, async (ctx, { params }) => ({ data: await showTransaction(ctx, params.id) })),
  handle(calls.export, (ctx, { body }) => exported(ctx, body)),
  handle(calls.cancel, (ctx, { body }) => cancel(ctx, body.id, body.reason)),
  handle(calls.refund, (ctx, { params, body }) => giveBack(ctx, params.id, body, false)),
  handle(calls.refundPlain, (ctx, { body }) => giveBack(ctx, body.id, body, false)),
  handle(calls.directCashBack, (ctx, { params, body }) => giveBack(ctx, params.id, body, true)),
  handle(calls.cashBack, (ctx, { params, body }) => cashBack(ctx, { student_id: params.id }, body)),
  handle(calls.cashBackPayer, (ctx, { body: { staff_id, guest_id, ...asked } }) =>
    cashBack(ctx, { staff_id, guest_id }, asked),
  ),
  handle(calls.chargeCredit, (ctx, { body: { id, ...asked } }) => chargeWallet(ctx, { student_id: id }, asked)),
  handle(calls.chargePayer, (ctx, { body: { staff_id, guest_id, ...asked } }) =>
    chargeWallet(ctx, { staff_id, guest_id }, asked),
  ),
  handle(calls.payFromWallet, (ctx, { params, body }) => fromWallet(ctx, params.id, body.amount)),
  handle(calls.credits, (ctx, { body }) => credits(ctx, body)),
  handle(calls.credit, (ctx, { params }) => credit(ctx, params.id)),
]
