/** A sponsor withdraws, of some students or all: what it has not paid goes back to their invoices, what it has paid stays. */
import { holdersSql } from '#access/holders.server.ts'
import { holdInvoice } from '#areas/money/invoices/issue.server.ts'
import { holdPayers } from '#areas/money/ledger/post.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { moneyText } from '#kit/contract/money.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal } from '#kit/server/base/errors.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { sql, type RawBuilder } from 'kysely'
import { universityToday } from '../today.server.ts'
import { paidByShare } from '../billing/paid.server.ts'
import { creditBilled, followShares, setShare, type NamedSponsor } from '../shares/follow.server.ts'
import { checkWithdrawal, goesBack, partsWithBack } from '../shares/share.rules.ts'

/** What a sponsor has taken over of an invoice and is looked at when it withdraws. */
interface Concerned {
  readonly sponsorship_id: number
  readonly share_id: number
  readonly invoice_id: number
  readonly student_id: number
  readonly taken: number
  readonly end_date: string | null
}
export interface Withdrawal {
  readonly sponsorships: number
  readonly students: number
  readonly invoices: number
  /** What goes back to students; what was paid and stays; what of terms that are over the sponsor owes still. */
  readonly back: number
  readonly kept: number
  readonly owed: number
  readonly currency: string
}

const running = (sponsor_id: number, which: RawBuilder<unknown>) =>
  sql`select s.id from sponsorships s where s.sponsor_id = ${sponsor_id} and s.status in ('offered', 'active') and s.removed_at is null and ${which}`

async function consider(db: Db | Tx, sponsor_id: number, day: string, ids: readonly number[]) {
  const { rows } = await sql<Concerned>`
    select s.id as sponsorship_id, h.id as share_id, h.invoice_id, s.student_id, h.amount::float8 as taken, w.end_date::text as end_date
    from sponsorships s join sponsor_shares h on h.sponsorship_id = s.id and h.closed_at is null join invoices i on i.id = h.invoice_id and i.reversed_at is null
      left join terms w on w.id = i.term_id where s.id = any(${[...ids]}::int[]) order by i.payer_id, i.id, h.id`.execute(
    db,
  )
  const paid = await paidByShare(db, sponsor_id)
  return rows.map((row) => {
    const kept = Math.min(row.taken, paid.get(row.share_id)?.paid ?? 0)
    const back = goesBack(row.end_date === null ? null : { end_date: row.end_date }, day)
    return { ...row, back, kept: back ? kept : row.taken, open: row.taken - kept }
  })
}
const summed = (
  of: Awaited<ReturnType<typeof consider>>,
  sponsorships: number,
  students: number,
  currency: string,
): Withdrawal => {
  const back = of.filter((one) => one.back && one.open > 0)
  const sum = (some: typeof of, by: (one: (typeof of)[number]) => number) => some.reduce((all, one) => all + by(one), 0)
  return {
    sponsorships,
    students,
    invoices: new Set(back.map((one) => one.invoice_id)).size,
    back: sum(back, (one) => one.open),
    kept: sum(of, (one) => one.taken - one.open),
    owed: sum(
      of.filter((one) => !one.back),
      (one) => one.open,
    ),
    currency,
  }
}

interface WithdrawalAsked {
  readonly sponsor_id: number
  /** SQL of the sponsorships `s` that are meant. */
  readonly which: RawBuilder<unknown>
  readonly day: string
  readonly due_on: string
}
async function sponsorOf(db: Db | Tx, id: number): Promise<NamedSponsor & { readonly currency: string }> {
  const { rows } = await sql<NamedSponsor & { currency: string }>`
    select o.id, p.id as payer_id, o.name, o.name_local, o.currency from sponsors o join payers p on p.sponsor_id = o.id where o.id = ${id}`.execute(
    db,
  )
  return firstRow(rows)
}
const studentsOf = async (db: Db | Tx, ids: readonly number[]): Promise<number[]> =>
  (
    await sql<{
      student_id: number
    }>`select distinct student_id from sponsorships where id = any(${[...ids]}::int[])`.execute(db)
  ).rows.map((row) => row.student_id)

const refuseUnlessPossible = async (db: Db | Tx, { day, due_on }: WithdrawalAsked, many: number): Promise<void> => {
  const reasons = checkWithdrawal({ day, due_on }, { today: await universityToday(db), running: many })
  if (reasons.length) throw new Refusal(reasons.some((one) => one.field) ? 422 : 409, reasons)
}

/** What would happen, and to how many; nothing is written. */
export async function previewWithdrawal(db: Db | Tx, asked: WithdrawalAsked): Promise<Withdrawal> {
  const { rows } = await sql<{ id: number }>`${running(asked.sponsor_id, asked.which)}`.execute(db)
  const ids = rows.map((row) => row.id)
  await refuseUnlessPossible(db, asked, ids.length)
  const { currency } = await sponsorOf(db, asked.sponsor_id)
  return summed(
    await consider(db, asked.sponsor_id, asked.day, ids),
    ids.length,
    (await studentsOf(db, ids)).length,
    currency,
  )
}

/** Withdraws. Whoever issues an invoice for one of the students at this moment comes before, and it is looked at; or after, and is without. */
export async function withdraw(
  ctx: Ctx,
  tx: Tx,
  asked: WithdrawalAsked & { readonly reason: string },
): Promise<Withdrawal> {
  const { sponsor_id, day, due_on, reason } = asked
  await holdPayers(
    tx,
    sql`select p.id from payers p where p.student_id in (select student_id from sponsorships where id in (${running(sponsor_id, asked.which)}))`,
  )
  const { rows: held } = await sql<{ id: number }>`
    select s.id from sponsorships s where s.id in (${running(sponsor_id, asked.which)}) order by s.id for no key update`.execute(
    tx,
  )
  const ids = held.map((row) => row.id)
  await refuseUnlessPossible(tx, asked, ids.length)
  const students = await studentsOf(tx, ids)
  // All sponsors of these students: another one may take over what this one gives back.
  await holdPayers(
    tx,
    sql`select p.id from payers p join sponsorships s on s.sponsor_id = p.sponsor_id where s.student_id = any(${students}::int[]) or s.id = any(${ids}::int[])`,
  )
  const sponsor = await sponsorOf(tx, sponsor_id)
  const of = await consider(tx, sponsor_id, day, ids)
  await sql`update sponsorships set status = 'withdrawn', withdrawn_on = ${day}::date, withdrawn_reason = ${reason} where id = any(${ids}::int[])`.execute(
    tx,
  )
  const why = {
    reason: `${sponsor.name} withdrew from ${day} on; due on ${due_on}`,
    reason_local: `انسحبت ${sponsor.name_local} اعتبارًا من ${day}، وتُستحق في ${due_on}`,
  }
  for (const one of of) {
    if (!one.back) continue
    if (one.open > 0) {
      const invoice = await holdInvoice(tx, one.invoice_id)
      await setShare(ctx, tx, {
        invoice_id: one.invoice_id,
        sponsorship_id: one.sponsorship_id,
        sponsor,
        taken: one.taken,
        amount: one.kept,
        // The parts of a plan to pay stay as they were agreed, and what comes back is one more.
        installments: partsWithBack(
          invoice.installments,
          one.open,
          due_on,
          invoice.plan_id === null ? undefined : invoice.installments.length + 1,
        ),
        why,
      })
    }
    await sql`update sponsor_shares set closed_at = now() where id = ${one.share_id}`.execute(tx)
  }
  await creditBilled(ctx, tx, sql`h.sponsorship_id = any(${ids}::int[])`)
  await followShares(
    ctx,
    tx,
    of.filter((one) => one.back).map((one) => one.invoice_id),
  )
  const done = summed(of, ids.length, students.length, sponsor.currency)
  const { rows: finance } = await sql<{
    id: number
  }>`select h.id from (${holdersSql(['withdraw_sponsor'], {})}) h`.execute(tx)
  await notify(
    tx,
    finance.map((row) => row.id),
    {
      key: 'sponsors.notice_withdrawn',
      data: {
        name: sponsor.name,
        name_local: sponsor.name_local,
        day,
        students: done.students,
        amount: moneyText(done.back, sponsor.currency),
      },
      link: `/sponsors/${sponsor_id}`,
    },
  )
  return done
}
