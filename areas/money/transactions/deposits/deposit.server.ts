/** Deposits: listed, and given back when a student has left, once. */
import { universitySettingsOf } from '#areas/common/settings/university/university.server.ts'
import { refuseOwn } from '#areas/money/ledger/own.server.ts'
import { holdPayers, samePayers } from '#areas/money/ledger/post.server.ts'
import { PAYER_SEARCH, otherPayer, payerJoins, reachedPayer } from '#areas/money/ledger/reach.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { ListQuery } from '#kit/contract/index.ts'
import { moneyText } from '#kit/contract/money.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem } from '#kit/server/base/errors.ts'
import { columnsOf, serverField } from '#kit/server/base/fields.ts'
import { pagedList } from '#kit/server/resource/list.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { sql } from 'kysely'
import { bookTransactions } from '../book.server.ts'
import { studentReached } from '../hold.server.ts'
import { depositFields, depositsPart, type DepositRow } from './deposit.contract.ts'
import { checkReturn, depositState, type DepositFacts } from './deposit.rules.ts'

const { calls } = depositsPart

const dismissedToo = async (of: Pick<Ctx, 'db'> | { readonly db: Db | Tx }): Promise<boolean> =>
  (await universitySettingsOf(of, ['deposit_back_dismissed'])).deposit_back_dismissed === 'true'

/** SQL: deposits that are held, or were given back; `b` is the balance of a payer. */
const FROM = sql`payer_balances b join payers p on p.id = b.payer_id left join students s on s.id = p.student_id ${payerJoins()}
  left join faculties f on f.id = coalesce(s.faculty_id, pw.faculty_id, pt.faculty_id)
  left join lateral (select sum(t.amount)::bigint as amount from transactions t
    where t.payer_id = b.payer_id and t.currency = b.currency and t.way = 'deposit' and t.status = 'paid') r on true`
const stateOf = (dismissed: boolean) => `case when b.deposit = 0 then 'given_back'
  when s.status in ('graduated', 'withdrawn', 'transferred'${dismissed ? `, 'dismissed'` : ''}) then 'to_return' else 'held' end`

async function list(ctx: Ctx, query: ListQuery) {
  const dismissed = await dismissedToo(ctx)
  const columns = {
    student_id: 's.id',
    faculty_id: 'f.id',
    currency: 'b.currency',
    state: `(${stateOf(dismissed)})`,
    held: 'b.deposit',
    returned: 'r.amount',
    owed: 'b.owed',
  }
  const { data, meta } = await pagedList<
    Omit<DepositRow, 'abilities' | 'state'> & { status: string | null; may: boolean }
  >(
    ctx,
    {
      from: FROM,
      select: sql`b.payer_id as id, ${refOrNull('s')} as student, ${otherPayer()} as payer, ${refOrNull('f')} as faculty, b.currency, b.deposit::float8 as held,
        coalesce(r.amount, 0)::float8 as returned, b.owed::float8 as owed, s.status, ${reachedPayer(ctx, 'return_deposit')} as may`,
      where: [reachedPayer(ctx, 'access_deposit'), sql`(b.deposit > 0 or r.amount is not null)`],
      search: PAYER_SEARCH,
      sort: { ...columns, student_id: 's.name' },
      order: ['held', 'desc'],
      filters: Object.fromEntries(
        columnsOf(depositFields, columns).map((column) => [
          column.name,
          (value: unknown) => serverField(column.field).filter(column, value),
        ]),
      ),
      key: '(b.payer_id::text || b.currency)',
    },
    query,
  )
  return {
    data: data.map(({ status, may, ...row }): DepositRow => {
      const state = depositState({ held: row.held, status, back_to_dismissed: dismissed })
      return { ...row, state, abilities: may && state === 'to_return' ? ['return'] : [] }
    }),
    meta,
  }
}

/** What is held of a payer within reach, the payer held with all that are the same person. */
async function holdDeposit(ctx: Ctx, tx: Tx, payer_id: number, currency: string) {
  const { rows: reached } = await sql`select from payers p join students s on s.id = p.student_id
    where p.id = ${payer_id} and ${studentReached(ctx, 'return_deposit')}`.execute(tx)
  if (!reached.length) throw refuse(404, 'not_found')
  await refuseOwn(ctx, tx, sql`${payer_id}::int`)
  await holdPayers(tx, sql`${payer_id}::int`)
  const { rows } = await sql<Pick<DepositFacts, 'held' | 'owed' | 'status'> & { user_id: number | null }>`
    select s.status, s.user_id, coalesce((select b.deposit from payer_balances b where b.payer_id = p.id and b.currency = ${currency}), 0)::float8 as held,
      coalesce((select sum(b.owed) from payer_balances b where b.currency = ${currency} and b.payer_id in (${samePayers(sql`${payer_id}::int`)})), 0)::float8 as owed
    from payers p join students s on s.id = p.student_id where p.id = ${payer_id} for share of s`.execute(tx)
  return firstRow(rows)
}

/**
 * Gives what is held of a payer back: what is owed is settled with it, the rest is in the wallet from then on, out of which it is
 * paid. Whoever comes at the same moment finds nothing held any more.
 */
async function giveDepositBack(
  ctx: Ctx,
  tx: Tx,
  payer_id: number,
  { currency, set_off, reason }: { currency: 'EGP' | 'USD'; set_off: boolean; reason: string },
) {
  const of = await holdDeposit(ctx, tx, payer_id, currency)
  const reasons = checkReturn({ ...of, currency, back_to_dismissed: await dismissedToo({ db: tx }) }, { set_off })
  if (reasons.length) throw new Refusal(409, reasons)
  const { rows } = await sql<{ id: number }>`
    insert into transactions (payer_id, way, currency, amount, status, reason, created_by)
    values (${payer_id}, 'deposit', ${currency}, ${of.held}, 'new', ${reason}, ${ctx.actor?.user_id ?? null}) returning id`.execute(
    tx,
  )
  const { id } = firstRow(rows)
  const [booked] = await bookTransactions(ctx, tx, [id])
  const to_wallet = booked?.rest ?? 0
  if (of.user_id !== null)
    await notify(tx, [of.user_id], {
      key: 'transactions.notice_deposit_back',
      data: { amount: moneyText(of.held, currency), wallet: moneyText(to_wallet, currency) },
      link: '/student-payments',
    })
  return { id: payer_id, transaction_id: id, set_off: of.held - to_wallet, to_wallet }
}

export const depositHandlers: readonly Handled[] = [
  handle(calls.deposits, (ctx, { body }) => list(ctx, body)),
  handle(calls.returnDeposits, async (ctx, { body: { ids, ...of } }) => {
    const done: Awaited<ReturnType<typeof giveDepositBack>>[] = []
    const failed = []
    for (const id of new Set(ids))
      try {
        done.push(await ctx.write((tx) => giveDepositBack(ctx, tx, id, of), { reason: of.reason }))
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        failed.push({ id, errors: error.reasons.map((reason) => toProblem(reason)) })
      }
    return { data: { done, failed } }
  }),
]

/** Students who have left, and whose deposit is held still. */
export const depositWork: readonly WorkSource[] = [
  {
    permissions: ['return_deposit'],
    waiting: (ctx) => sql`
      select 'transactions.work_deposits', jsonb_build_object('count', count(*)), '/deposits?state=to_return', min(d.at), null::timestamptz
      from payer_balances b join payers p on p.id = b.payer_id join students s on s.id = p.student_id
        left join lateral (select day_begins(max(d.decided_on)) as at from student_status_decisions d where d.student_id = s.id) d on true
      where b.deposit > 0 and ${studentReached(ctx, 'return_deposit')} and s.status in ('graduated', 'withdrawn', 'transferred')
      having count(*) > 0`,
  },
]
