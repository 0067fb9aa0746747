/** Drawers of cashiers: opened, held while somebody takes or pays out, closed by a count. */
import { postEntries } from '#areas/money/ledger/post.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { series } from '#kit/contract/index.ts'
import { peopleOf, type Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import { otherPayer } from '#areas/money/ledger/reach.server.ts'
import { takeSerial } from '#kit/server/unit/serials.ts'
import { sql } from 'kysely'
import type { Shift, ShiftDetail } from './desk.contract.ts'
import { checkDrawer, checkReview } from './shift.rules.ts'

const shiftNumbers = series('cash_shifts', { per: 'year', format: 'S-{period}-{n}' })

/** Whether somebody pays out in cash at all: has a drawer, or may open one. */
export async function keepsDrawer(ctx: Ctx, tx: Tx): Promise<boolean> {
  if (ctx.can('take_payment')) return true
  const { rows } =
    await sql`select from cash_shifts where cashier_id = ${ctx.actor?.user_id ?? null} and closed_at is null`.execute(
      tx,
    )
  return rows.length > 0
}

/** The own open drawer, held: who closes it waits. @throws {Refusal} 409 `cash_shift_none` */
export async function holdShift(ctx: Ctx, tx: Tx): Promise<{ id: number }> {
  const { rows } = await sql<{ id: number }>`select id from cash_shifts
    where cashier_id = ${ctx.actor?.user_id ?? null} and closed_at is null for share`.execute(tx)
  if (!rows[0]) throw refuse(409, 'cash_shift_none')
  return rows[0]
}

/**
 * The own open drawer, held while so much is paid out of it: of two who pay out at the same moment one waits, also for the other
 * of two tabs. @throws {Refusal} 409 `cash_shift_none`, `cash_drawer_short`
 */
export async function holdDrawer(
  ctx: Ctx,
  tx: Tx,
  { currency, amount }: { currency: string; amount: number },
): Promise<{ id: number }> {
  const shift = await holdShift(ctx, tx)
  await sql`insert into cash_counts (shift_id, currency) values (${shift.id}, ${currency}) on conflict do nothing`.execute(
    tx,
  )
  const { rows } = await sql<{ opening: number }>`select opening::float8 as opening from cash_counts
    where shift_id = ${shift.id} and currency = ${currency} for no key update`.execute(tx)
  const { rows: came } = await sql<{ sum: number }>`
    select coalesce(sum(case direction when 'in' then amount else -amount end), 0)::float8 as sum from transactions
    where shift_id = ${shift.id} and way = 'cash' and status = 'paid' and currency = ${currency}`.execute(tx)
  const reasons = checkDrawer({ holds: firstRow(rows).opening + came[0]!.sum, amount, currency })
  if (reasons.length) throw new Refusal(409, reasons)
  return shift
}

/** Drawers with what was taken and paid out; `where` speaks of the shift `h`. */
export async function shiftsOf(db: Db | Tx, where: ReturnType<typeof sql>, page = 1): Promise<Shift[]> {
  const { rows } = await sql<Shift>`
    select h.id, h.number, json_build_object('name', u.name, 'name_local', u.name_local) as cashier, h.opened_at, h.closed_at, h.note,
      case when h.reviewed_at is not null then json_build_object('by', r.name, 'at', h.reviewed_at, 'note', h.review_note) end as review,
      coalesce((select json_agg(json_build_object('currency', c.currency, 'opening', c.opening, 'taken', x.taken, 'paid_out', x.paid_out,
          'expected', coalesce(c.expected, c.opening + x.taken - x.paid_out), 'counted', c.counted, 'transactions', x.n) order by c.currency)
        from (select k.currency, k.opening, k.counted, k.expected from cash_counts k where k.shift_id = h.id
          union select distinct t.currency, 0::bigint, null::bigint, null::bigint from transactions t where t.shift_id = h.id and t.status = 'paid'
            and not exists (select from cash_counts k where k.shift_id = h.id and k.currency = t.currency)) c
        cross join lateral (select coalesce(sum(t.amount) filter (where t.direction = 'in'), 0) as taken,
          coalesce(sum(t.amount) filter (where t.direction = 'out'), 0) as paid_out, count(*) as n
          from transactions t where t.shift_id = h.id and t.way = 'cash' and t.status = 'paid' and t.currency = c.currency) x), '[]') as drawers
    from cash_shifts h join users u on u.id = h.cashier_id left join users r on r.id = h.reviewed_by where ${where} order by h.id desc limit 20 offset ${(page - 1) * 20}`.execute(
    db,
  )
  return rows
}

export async function openShift(
  ctx: Ctx,
  tx: Tx,
  opening: readonly { currency: string; amount: number }[],
): Promise<number> {
  const { text: number } = await takeSerial(tx, shiftNumbers)
  const { rows } = await sql<{
    id: number
  }>`insert into cash_shifts (number, cashier_id, really_opened_by) values (${number}, ${ctx.actor!.user_id}, ${ctx.actor!.impersonator_id}) returning id`.execute(
    tx,
  )
  const { id } = firstRow(rows)
  for (const one of opening)
    await sql`insert into cash_counts (shift_id, currency, opening) values (${id}, ${one.currency}, ${one.amount})`.execute(
      tx,
    )
  return id
}

/** Closes a drawer by its count: what differs is booked as over or short, and told. Every currency that is in it is counted. */
export async function closeShift(
  ctx: Ctx,
  tx: Tx,
  counted: readonly { currency: string; amount: number }[],
  note: string | null,
): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`select id from cash_shifts where cashier_id = ${ctx.actor?.user_id ?? null} and closed_at is null for no key update`.execute(
    tx,
  )
  if (!rows[0]) throw refuse(409, 'cash_shift_none')
  const { id } = rows[0]
  const [shift] = await shiftsOf(tx, sql`h.id = ${id}`)
  const said = new Map(counted.map((one) => [one.currency as string, one.amount]))
  const missing = shift!.drawers.filter(
    (drawer) => !said.has(drawer.currency) && (drawer.expected !== 0 || drawer.transactions > 0),
  )
  if (missing.length)
    throw refuse(422, 'cash_not_counted', { currencies: missing.map((one) => one.currency).join(', ') }, 'counted')
  const differs = [...said].map(([currency, amount]) => ({
    currency,
    amount,
    expected: shift!.drawers.find((drawer) => drawer.currency === currency)?.expected ?? 0,
  }))
  if (differs.some((differ) => differ.amount !== differ.expected) && !note?.trim())
    throw refuse(422, 'cash_difference_why', undefined, 'note')
  for (const { currency, amount, expected } of differs) {
    const difference = amount - expected
    const [entry] = difference
      ? await postEntries(tx, [
          {
            kind: 'adjustment',
            source: `cash_shift:${id}:${currency}`,
            currency,
            settles: true,
            reason: note ?? undefined,
            postings: [
              { role: 'cash', amount: difference },
              { role: 'cash_difference', amount: -difference },
            ],
          },
        ])
      : []
    await sql`insert into cash_counts (shift_id, currency, counted, expected, entry_id) values (${id}, ${currency}, ${amount}, ${expected}, ${entry?.entry_id ?? null})
      on conflict (shift_id, currency) do update set counted = excluded.counted, expected = excluded.expected, entry_id = excluded.entry_id`.execute(
      tx,
    )
  }
  await sql`update cash_shifts set closed_at = now(), really_closed_by = ${ctx.actor?.impersonator_id ?? null}, note = ${note}, version = version + 1 where id = ${id}`.execute(
    tx,
  )
  return id
}

/** Whose drawer it is, and who really sat there when it was opened and counted. */
interface Handlers {
  readonly cashier_id: number
  readonly really_opened_by: number | null
  readonly really_closed_by: number | null
}
const reviewFacts = (ctx: Ctx, { cashier_id, really_opened_by, really_closed_by }: Handlers, of: Shift) => ({
  closed: of.closed_at !== null,
  differs: of.drawers.some((one) => one.counted !== null && one.counted !== one.expected),
  reviewed: of.review !== null,
  own: peopleOf(ctx).some((one) => [cashier_id, really_opened_by, really_closed_by].includes(one)),
})

/** A drawer with what went through it, in the order of its receipts. */
export async function showShift(ctx: Ctx, id: number, db: Db | Tx = ctx.db): Promise<ShiftDetail> {
  const [shift] = await shiftsOf(db, sql`h.id = ${id}`)
  if (!shift) throw refuse(404, 'not_found')
  const { rows } = await sql<Pick<ShiftDetail, 'ways' | 'receipts'> & Handlers>`
    select h.cashier_id, h.really_opened_by, h.really_closed_by,
      coalesce((select json_agg(x order by x.currency, x.purpose) from (select t.purpose, t.currency, count(*)::int as transactions,
        sum(case when t.direction = 'out' then -t.amount else t.amount end)::float8 as amount
        from transactions t where t.shift_id = h.id and t.way = 'cash' and t.status = 'paid' group by t.purpose, t.currency) x), '[]') as ways,
      coalesce((select json_agg(json_build_object('id', t.id, 'receipt', t.receipt, 'at', t.created_at, 'student', ${refOrNull('s')}, 'payer', ${otherPayer()}, 'purpose', t.purpose,
          'status', t.status, 'currency', t.currency, 'amount', case when t.direction = 'out' then -t.amount else t.amount end) order by t.id)
        from transactions t join payers p on p.id = t.payer_id left join students s on s.id = p.student_id where t.shift_id = h.id), '[]') as receipts
    from cash_shifts h where h.id = ${id}`.execute(db)
  const { cashier_id, really_opened_by, really_closed_by, ...rest } = firstRow(rows)
  return {
    ...shift,
    ...rest,
    abilities: checkReview(reviewFacts(ctx, { cashier_id, really_opened_by, really_closed_by }, shift)).length
      ? []
      : ['review'],
  }
}

/** Says of a drawer whose count differed what was found, once, by somebody else than who counted it. */
export const reviewShift = (ctx: Ctx, id: number, note: string): Promise<ShiftDetail> =>
  ctx.write(
    async (tx) => {
      const { rows } = await sql<Handlers>`select cashier_id, really_opened_by, really_closed_by from cash_shifts
        where id = ${id} for no key update`.execute(tx)
      if (!rows[0]) throw refuse(404, 'not_found')
      const [shift] = await shiftsOf(tx, sql`h.id = ${id}`)
      const reasons = checkReview(reviewFacts(ctx, rows[0], shift!))
      if (reasons.length) throw new Refusal(409, reasons)
      await sql`update cash_shifts set reviewed_by = ${ctx.actor!.user_id}, reviewed_at = now(), review_note = ${note}, version = version + 1 where id = ${id}`.execute(
        tx,
      )
      return showShift(ctx, id, tx)
    },
    { reason: note },
  )
