/** Refunds that another person approves: listed, decided on, paid out; and those that a provider has not answered. */
import { PAYER_SEARCH, otherPayer, payerJoins, reachedPayer } from '#areas/money/ledger/reach.server.ts'
import { refuseOwn } from '#areas/money/ledger/own.server.ts'
import { holdPayers } from '#areas/money/ledger/post.server.ts'
import { tellAccounts } from '#areas/money/invoices/holds.server.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, peopleOf, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { columnsOf, serverField } from '#kit/server/base/fields.ts'
import { pagedList } from '#kit/server/resource/list.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { reachesAll } from '#kit/server/base/scope.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { sql, type RawBuilder } from 'kysely'
import type { PaidWay } from '../book.server.ts'
import { holdTransaction } from '../hold.server.ts'
import { checkDecide, checkPayOut, checkRefund, checkWithdraw } from '../moves/back.rules.ts'
import { decimalOf } from '../providers/amounts.rules.ts'
import { askedAtProvider, refundDone, refundRefused, tellPaidBack } from '../providers/refund.server.ts'
import { byProvider, payBack, payWallet, type PayBackKind, type PaidBack } from './pay-back.server.ts'
import { refundCalls as calls, refundFields, type RefundRow, type UnansweredRefund } from './refund.contract.ts'

const LOOKS = ['approve_refund', 'refund_payment', 'pay_out_wallet'] as const
const reach = (ctx: Ctx): RawBuilder<unknown> => reachedPayer(ctx, LOOKS)
const FROM = sql`refund_requests t join payers p on p.id = t.payer_id left join students s on s.id = p.student_id
  ${payerJoins()} left join transactions m on m.id = t.payment_id left join transactions o on o.id = t.transaction_id
  join (select id, name, name_local, null::text as code from users) a on a.id = t.asked_by
  left join (select id, name, name_local, null::text as code from users) d on d.id = t.decided_by`
const SELECT = sql`t.id, t.number, ${refOrNull('s')} as student, ${otherPayer()} as payer, t.kind, t.way, t.currency, t.amount::float8 as amount, t.reason, t.status,
  case when m.id is not null then json_build_object('id', m.id, 'number', m.number, 'amount', m.amount) end as payment,
  ${ref('a')} as asked_by, ${refOrNull('d')} as decided_by, t.decided_at, t.decision_reason,
  case when o.id is not null then json_build_object('id', o.id, 'number', coalesce(o.receipt, o.number), 'status', o.status) end as transaction,
  t.created_at, t.version, coalesce(s.user_id, p.user_id) as student_user_id, t.really_asked_by`
const COLUMNS = {
  number: 't.id',
  student_id: 's.id',
  kind: 't.kind',
  way: 't.way',
  status: 't.status',
  currency: 't.currency',
  amount: 't.amount',
  created_at: 't.created_at',
}
const filters = Object.fromEntries(
  columnsOf(refundFields, COLUMNS).map((column) => [
    column.name,
    (value: unknown) => serverField(column.field).filter(column, value),
  ]),
)

type Stored = Omit<RefundRow, 'abilities'> & { student_user_id: number | null; really_asked_by: number | null }
/** What pays it out: cash from a drawer, by the bank as who gives payments back says. */
const payer = (way: string) => (way === 'cash' ? 'pay_out_wallet' : 'refund_payment')
function shownOf(ctx: Ctx, { student_user_id, really_asked_by, ...one }: Stored): RefundRow {
  const facts = { status: one.status, asked_by: one.asked_by.id, really_asked_by, student_user_id }
  const people = peopleOf(ctx)
  const may = (reasons: readonly Reason[], held: boolean) => held && !reasons.length
  const decides = may(checkDecide(facts, people), ctx.can('approve_refund'))
  return {
    ...one,
    abilities: [
      ...(decides ? (['approve', 'reject'] as const) : []),
      ...(may(checkPayOut(facts, people), ctx.can(payer(one.way))) ? (['pay_out'] as const) : []),
      ...(may(checkWithdraw(facts, people), true) ? (['withdraw'] as const) : []),
    ],
  }
}

const list = handle(calls.refunds, async (ctx, { body }) => {
  const { data, meta } = await pagedList<Stored>(
    ctx,
    {
      from: FROM,
      select: SELECT,
      where: [reach(ctx)],
      search: ['t.search_text', ...PAYER_SEARCH],
      sort: { ...COLUMNS, student_id: 's.name' },
      order: ['number', 'desc'],
      filters,
    },
    body,
  )
  return { data: data.map((one) => shownOf(ctx, one)), meta }
})

async function show(ctx: Ctx, id: number): Promise<RefundRow> {
  const { rows } = await sql<Stored>`select ${SELECT} from ${FROM} where t.id = ${id} and ${reach(ctx)}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return shownOf(ctx, rows[0])
}

const one = handle(calls.refund, async (ctx, { params }) => ({ data: await show(ctx, params.id) }))

interface Request {
  readonly id: number
  readonly number: string
  readonly payer_id: number
  readonly student_id: number | null
  readonly kind: PayBackKind
  readonly payment_id: number | null
  readonly way: PaidWay
  readonly currency: string
  readonly amount: number
  readonly reason: string
  readonly status: string
  readonly asked_by: number
  readonly really_asked_by: number | null
  readonly student_user_id: number | null
  readonly version: number
}
/** A request within the reach of one of these rights, its payer held before it. */
async function holdRequest(
  ctx: Ctx,
  tx: Tx,
  id: number,
  key: 'approve_refund' | 'refund_payment' | 'pay_out_wallet' | null,
  version: number | undefined,
): Promise<Request> {
  const within = key === null ? reach(ctx) : reachedPayer(ctx, key)
  const { rows: found } = await sql<{
    payer_id: number
  }>`select t.payer_id from ${FROM} where t.id = ${id} and ${within}`.execute(tx)
  if (!found[0]) throw refuse(404, 'not_found')
  await holdPayers(tx, sql`${found[0].payer_id}::int`)
  const { rows } = await sql<Request>`
    select t.id, t.number, t.payer_id, p.student_id, t.kind, t.payment_id, t.way, t.currency, t.amount::float8 as amount, t.reason, t.status, t.asked_by, t.really_asked_by,
      coalesce(s.user_id, p.user_id) as student_user_id, t.version
    from refund_requests t join payers p on p.id = t.payer_id left join students s on s.id = p.student_id where t.id = ${id} for no key update of t`.execute(
    tx,
  )
  const of = firstRow(rows)
  if (version !== undefined && version !== of.version) throw refuse(409, 'changed_meanwhile')
  return of
}
const demand = (reasons: readonly Reason[]): void => {
  if (reasons.length) throw new Refusal(409, [...reasons])
}
const move = (ctx: Ctx, tx: Tx, id: number, status: string, why: string | null, decides: boolean) =>
  sql`update refund_requests set status = ${status}, decision_reason = coalesce(${why}, decision_reason), version = version + 1,
    decided_by = case when ${decides} then ${ctx.actor?.user_id ?? null}::int else decided_by end,
    decided_at = case when ${decides} then now() else decided_at end where id = ${id}`.execute(tx)
const tell = (tx: Tx, of: Request, key: 'approved' | 'rejected', why: string | null) =>
  notify(tx, [of.asked_by], {
    key: `transactions.notice_refund_${key}`,
    data: { number: of.number, amount: `${decimalOf(of.amount)} ${of.currency}`, reason: why ?? '' },
    link: '/payments/refunds',
  })

/** Tells the student that money waits: at the desk, or on its way by the bank. A provider gives it back at once. */
const tellStudent = (tx: Tx, of: Request) =>
  byProvider(of.way)
    ? null
    : notify(tx, [of.student_user_id], {
        key: `transactions.notice_refund_${of.way === 'cash' ? 'at_desk' : 'by_bank'}`,
        data: { number: of.number, amount: `${decimalOf(of.amount)} ${of.currency}` },
        link: '/student-payments',
        ...(of.student_id !== null && { records: [of.student_id] }),
      })

/** Whether it could be paid out now, as it stands under locks: what was refunded, spent or cancelled meanwhile refuses it. */
async function checkNow(ctx: Ctx, tx: Tx, of: Request, key: 'approve_refund' | 'refund_payment' | 'pay_out_wallet') {
  if (of.payment_id === null) {
    const { rows } = await sql<{
      wallet: number
    }>`select coalesce((select b.wallet from payer_balances b where b.payer_id = ${of.payer_id}
      and b.currency = ${of.currency}), 0)::float8 as wallet`.execute(tx)
    if (firstRow(rows).wallet < of.amount) throw refuse(409, 'wallet_negative')
    return null
  }
  const held = await holdTransaction(ctx, tx, of.payment_id, key, of.id)
  demand(checkRefund(held, of.amount))
  return held
}

/** Pays out what was approved. From here on it is not asked for any more, and what was kept for it goes. */
async function payOut(
  ctx: Ctx,
  tx: Tx,
  of: Request,
  key: 'approve_refund' | 'refund_payment' | 'pay_out_wallet',
): Promise<PaidBack> {
  const held = await checkNow(ctx, tx, of, key)
  await move(ctx, tx, of.id, 'paid_out', null, false)
  const made = held
    ? await payBack(ctx, tx, held, { amount: of.amount, direct: of.kind === 'direct_cash_back', reason: of.reason })
    : await payWallet(ctx, tx, of)
  await sql`update refund_requests set transaction_id = ${made.id} where id = ${of.id}`.execute(tx)
  if (!made.pending) await tellPaidBack(tx, made.id)
  return made
}
const asked = (ctx: Ctx, made: PaidBack | null) =>
  made?.pending
    ? askedAtProvider(ctx, { id: made.id, number: made.number, receipt: null, state: 'pending', request_id: null })
    : null

/** By a provider it goes at once; in cash and by the bank somebody pays it out. */
const approve = handle(calls.approve, async (ctx, { params: { id }, body }) => {
  const made = await ctx.write(async (tx) => {
    const of = await holdRequest(ctx, tx, id, 'approve_refund', body.version)
    demand(checkDecide(of, peopleOf(ctx)))
    await checkNow(ctx, tx, of, 'approve_refund')
    await move(ctx, tx, id, 'approved', null, true)
    await tell(tx, of, 'approved', null)
    await tellStudent(tx, of)
    await tellAccounts(ctx, tx, [of.payer_id])
    return byProvider(of.way) ? payOut(ctx, tx, { ...of, status: 'approved' }, 'approve_refund') : null
  })
  await asked(ctx, made)
  return { data: await show(ctx, id) }
})
const reject = handle(calls.reject, async (ctx, { params: { id }, body }) => {
  await ctx.write(
    async (tx) => {
      const of = await holdRequest(ctx, tx, id, 'approve_refund', body.version)
      demand(checkDecide(of, peopleOf(ctx)))
      await move(ctx, tx, id, 'rejected', body.reason, true)
      await tell(tx, of, 'rejected', body.reason)
      await tellAccounts(ctx, tx, [of.payer_id])
    },
    { reason: body.reason },
  )
  return { data: await show(ctx, id) }
})
const withdraw = handle(calls.withdraw, async (ctx, { params: { id }, body }) => {
  await ctx.write(async (tx) => {
    const of = await holdRequest(ctx, tx, id, null, body.version)
    demand(checkWithdraw(of, peopleOf(ctx)))
    await sql`update refund_requests set status = 'withdrawn', decided_by = null, decided_at = null, version = version + 1 where id = ${id}`.execute(
      tx,
    )
    await tellAccounts(ctx, tx, [of.payer_id])
  })
  return { data: await show(ctx, id) }
})
const payOutNow = handle(calls.payOut, async (ctx, { params: { id }, body }) => {
  await ctx.write(async (tx) => {
    const { way } = await show(ctx, id)
    const key = payer(way)
    if (!ctx.can(key)) throw refuse(403, 'not_allowed')
    const of = await holdRequest(ctx, tx, id, key, body.version)
    demand(checkPayOut(of, peopleOf(ctx)))
    await payOut(ctx, tx, of, key)
  })
  return { data: await show(ctx, id) }
})

// --- What a provider has not answered -----------------------------------------------------------------------------

const DECIDES = 'decide_provider_event'
const decidable = (ctx: Ctx): RawBuilder<unknown> => (reachesAll(ctx, DECIDES) ? sql`true` : reachedPayer(ctx, DECIDES))
const UNANSWERED = sql`provider_refunds t join transactions o on o.id = t.refund_id join payers p on p.id = o.payer_id
  left join students s on s.id = p.student_id ${payerJoins()}`
const unanswered = handle(calls.unanswered, (ctx, { body }) =>
  pagedList<UnansweredRefund>(
    ctx,
    {
      from: UNANSWERED,
      select: sql`t.id, o.id as transaction_id, o.number, ${refOrNull('s')} as student, ${otherPayer()} as payer, t.provider, o.currency, t.amount::float8 as amount,
        t.created_at as since, t.checks as tries, t.next_check_at as next_at, t.error, t.version`,
      where: [sql`t.status = 'asked'`, decidable(ctx)],
      search: ['o.search_text', ...PAYER_SEARCH],
      sort: { since: 't.created_at', amount: 't.amount' },
      neverNull: new Set(['since']),
      order: ['since', 'asc'],
      filters: {},
    },
    body,
  ),
)
const settleUnanswered = handle(calls.settleUnanswered, (ctx, { params: { id }, body }) =>
  ctx.write(
    async (tx) => {
      const { rows } = await sql<{
        refund_id: number
      }>`select t.refund_id from ${UNANSWERED} where t.id = ${id} and ${decidable(ctx)}`.execute(tx)
      if (!rows[0]) throw refuse(404, 'not_found')
      const { refund_id } = rows[0]
      await refuseOwn(ctx, tx, sql`select payer_id from transactions where id = ${refund_id}`)
      await holdPayers(tx, sql`select payer_id from transactions where id = ${refund_id}`)
      const { rows: now } = await sql<{
        status: string
        version: number
      }>`select status, version from provider_refunds where id = ${id} for no key update`.execute(tx)
      if (now[0]!.status !== 'asked') throw refuse(409, 'refund_request_ended')
      if (body.version !== undefined && body.version !== now[0]!.version) throw refuse(409, 'changed_meanwhile')
      await sql`update provider_refunds set decided_by = ${ctx.actor!.user_id}, decision_reason = ${body.reason} where id = ${id}`.execute(
        tx,
      )
      if (body.happened) await refundDone(ctx, tx, refund_id, null)
      else await refundRefused(ctx, tx, refund_id, body.reason)
      return { data: { id, status: body.happened ? ('done' as const) : ('refused' as const) } }
    },
    { reason: body.reason },
  ),
)

export const refundHandlers: readonly Handled[] = [
  list,
  one,
  approve,
  reject,
  withdraw,
  payOutNow,
  unanswered,
  settleUnanswered,
]

/** Hours after which somebody looks where a provider does not answer. */
const SILENT_HOURS = 3
export const refundWork: readonly WorkSource[] = [
  {
    permissions: ['approve_refund'],
    waiting: (ctx) => sql`
      select 'transactions.work_refunds', jsonb_build_object('count', count(*)), '/payments/refunds', min(t.created_at), null::timestamptz
      from ${FROM} where t.status = 'asked' and not (array[t.asked_by, t.really_asked_by] && ${peopleOf(ctx)}::int[])
        and ${reachedPayer(ctx, 'approve_refund')} having count(*) > 0`,
  },
  {
    permissions: ['pay_out_wallet'],
    waiting: (ctx) => sql`
      select 'transactions.work_pay_out', jsonb_build_object('count', count(*)), '/payments/refunds', min(t.decided_at), null::timestamptz
      from ${FROM} where t.status = 'approved' and t.way = 'cash' and ${reachedPayer(ctx, 'pay_out_wallet')} having count(*) > 0`,
  },
  {
    permissions: ['refund_payment'],
    waiting: (ctx) => sql`
      select 'transactions.work_transfer_back', jsonb_build_object('count', count(*)), '/payments/refunds', min(t.decided_at), null::timestamptz
      from ${FROM} where t.status = 'approved' and t.way <> 'cash' and ${reachedPayer(ctx, 'refund_payment')} having count(*) > 0`,
  },
  {
    permissions: [DECIDES],
    waiting: (ctx) => sql`
      select 'transactions.work_refunds_unanswered', jsonb_build_object('count', count(*)), '/payments/refunds/unanswered', min(t.created_at), null::timestamptz
      from ${UNANSWERED} where t.status = 'asked' and t.created_at < now() - make_interval(hours => ${SILENT_HOURS}) and ${decidable(ctx)} having count(*) > 0`,
  },
]
