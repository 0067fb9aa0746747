/** Debts hold students: an invoice of which something is past its due date puts a hold on its student, and lifts it once that is settled. */
import { samePayers } from '#areas/money/ledger/post.server.ts'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { tells } from '#kit/server/base/hears.ts'
import { notifyEach } from '#kit/server/mail/notifications.ts'
import { sql } from 'kysely'

/** The job that tells requests what was paid for them. */
export const feesTold = 'request-fees'
/** What applicants owe, or what settles it, may have changed in this transaction; their payers are held. */
export const applicantDebts = tells<[ctx: Ctx, tx: Tx]>('invoice.applicant_debts')
/** The job that says what becomes of plans to pay. */
const plansJudged = 'payment-plans'

/**
 * Brings the holds of payers to what they owe today, and tells the open pages of their students. Where reminders say from which
 * one on a debt holds (`hold_waits`), it does so from then on, else from the first day. Whoever changes what an invoice
 * charges, what settles it or by when it is due calls it in the same transaction.
 *
 * @param payers null: of everybody, as the clock does
 */
export async function followDebts(ctx: Ctx, tx: Tx, payers: readonly number[] | null): Promise<void> {
  if (payers && !payers.length) return
  // Money of one record may settle what the other one owes.
  const them = samePayers(sql`select unnest(${[...(payers ?? [])]}::int[])`)
  const { rows } = await sql<{
    user_id: number | null
    student_id: number | null
    invoice_id: number | null
    number: string | null
    held: boolean | null
  }>`
    with wanted as (
      select i.id, p.student_id, i.number, o.since from invoices i join invoice_balances b on b.invoice_id = i.id and b.settled < b.charged
        join payers p on p.id = i.payer_id cross join lateral invoice_overdue(i.id, university_today()) o
      where i.reversed_at is null and p.student_id is not null and not hold_waits(i.id, i.faculty_id) and (${payers === null} or i.payer_id in (${them}))
    ), added as (
      insert into student_holds (student_id, kind, note, note_local, since, invoice_id)
      select student_id, 'unpaid_invoice', number, number, since, id from wanted order by id
      on conflict (invoice_id) where lifted_at is null and invoice_id is not null do nothing
      returning student_id, invoice_id, true as held
    ), lifted as (
      update student_holds h set lifted_at = now() from invoices i
      where i.id = h.invoice_id and h.lifted_at is null and h.id in (
        select k.id from student_holds k join invoices j on j.id = k.invoice_id
        where k.lifted_at is null and (${payers === null} or j.payer_id in (${them}))
          and not exists (select from wanted w where w.id = k.invoice_id) order by k.id for no key update of k)
      returning h.student_id, h.invoice_id, false as held
    )
    select s.user_id, c.student_id, c.invoice_id, i.number, c.held from (select * from added union all select * from lifted) c
      join students s on s.id = c.student_id join invoices i on i.id = c.invoice_id
    union all select null, null, null, 'fees', null where exists (select from request_fees_untold f where ${payers === null} or f.payer_id in (${them}))
    union all select null, null, null, 'applicants', null where exists (select from payers p where p.applicant_id is not null and p.id in (${them}))
    union all select null, null, null, 'plans', null where ${payers !== null} and exists (select from invoices i where i.plan_id is not null and i.payer_id in (${them})
      and not exists (select from invoices o join invoice_balances b on b.invoice_id = o.id and b.settled < b.charged where o.plan_id = i.plan_id))`.execute(
    tx,
  )
  // Requests are told later: whoever decides on one holds it before its payer, and here the payers are held.
  const sends = (what: string) => rows.some(({ held, number }) => held === null && number === what)
  if (sends('fees')) await ctx.services.jobs.send(tx, feesTold, {}, { actor: null })
  if (sends('applicants')) await applicantDebts(ctx, tx)
  // A plan of which nothing is owed any more is kept from now on, not from tomorrow on.
  if (sends('plans')) await ctx.services.jobs.send(tx, plansJudged, {}, { actor: null })
  await notifyEach(
    tx,
    rows.flatMap(({ user_id, student_id, invoice_id, number, held }) =>
      held === null
        ? []
        : [
            {
              user_id,
              key: held ? 'invoices.notice_hold' : 'invoices.notice_hold_lifted',
              data: { number },
              link: `/payments/${invoice_id}`,
              records: [student_id!],
            },
          ],
    ),
  )
  const told = [...new Set(rows.flatMap(({ user_id }) => (user_id === null ? [] : [user_id])))]
  if (told.length) await ctx.services.events.publish(told, { type: 'holds' }, tx)
}

/** Tells the open pages of the payers' students, and of who works here, that their account changed. */
export async function tellAccounts(ctx: Ctx, tx: Tx, payers: readonly number[]): Promise<void> {
  const { rows } = await sql<{
    user_id: number
  }>`select distinct coalesce(s.user_id, p.user_id) as user_id from payers p left join students s on s.id = p.student_id
    where p.id = any(${[...payers]}::int[]) and coalesce(s.user_id, p.user_id) is not null`.execute(tx)
  if (rows.length)
    await ctx.services.events.publish(
      rows.map((row) => row.user_id),
      { type: 'account' },
      tx,
    )
}
