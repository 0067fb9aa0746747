/**
 * Sends reminders. Payers are held while it is decided, and what is told is written with the row that says so: nobody who has
 * paid meanwhile is told, and what two processes send, or one that was killed and begins again, is told once.
 */
import { followDebts } from '#areas/money/invoices/holds.server.ts'
import { holdPayers } from '#areas/money/ledger/post.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { addDays } from '#kit/contract/day.ts'
import { moneyText } from '#kit/contract/money.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal } from '#kit/server/base/errors.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { notifyEach, waysTold } from '#kit/server/mail/notifications.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { askFee } from '#kit/server/workflow/fees.ts'
import { sql } from 'kysely'
import { activeSteps, type StepSet } from '../steps/step.server.ts'
import { openParts, type OpenPart } from './facts.server.ts'
import { reminderOf, stepsOf, type KeptBack, type LeveledStep } from './reminder.rules.ts'

/** What the fees of reminders hang on among the fees of requests. */
export const REMINDER = 'reminder'
const FEE_WORDS = ['Reminder of a late payment', 'تذكير بسداد متأخر'] as const
/** So many payers are held at once. */
const TOGETHER = 250

export interface Judged {
  readonly part: OpenPart
  readonly step: LeveledStep<StepSet> | null
  readonly kept: KeptBack | null
}
/** What is told today of parts, by the steps of their faculties. */
export function judge(parts: readonly OpenPart[], steps: readonly StepSet[], today: string): Judged[] {
  const byFaculty = new Map<number | null, LeveledStep<StepSet>[]>()
  return parts.map((part) => {
    let own = byFaculty.get(part.faculty_id)
    if (!own) byFaculty.set(part.faculty_id, (own = stepsOf(steps, part.faculty_id)))
    return { part, ...reminderOf(part, own, today) }
  })
}
/** Until which day parts are looked at: the farthest step before a day. */
export const lookAhead = (steps: readonly StepSet[], today: string): string =>
  addDays(today, Math.max(0, ...steps.map((one) => (one.moment === 'before' ? one.days : 0))))

export const dayToday = async (db: Db | Tx): Promise<string> =>
  firstRow((await sql<{ today: string }>`select university_today()::text as today`.execute(db)).rows).today

const keyOf = (step: LeveledStep<StepSet>): string =>
  step.moment === 'before' ? 'collecting.notice_due' : 'collecting.notice_overdue'

/** Writes what goes out, and tells it. What somebody else wrote in between is not told again. */
async function send(ctx: Ctx, tx: Tx, due: readonly (Judged & { readonly step: LeveledStep<StepSet> })[]) {
  const ways = await waysTold(
    tx,
    due.map(({ part, step }) => ({ user_id: part.user_id, key: keyOf(step) })),
  )
  const { rows: written } = await sql<{ id: number; installment_id: number }>`
    insert into reminders (invoice_id, installment_id, due_date, amount, step_id, moment, days, level, in_app, by_mail, holds)
    select * from jsonb_to_recordset(${JSON.stringify(
      due.map(({ part, step }, i) => ({
        invoice_id: part.invoice_id,
        installment_id: part.installment_id,
        due_date: part.due_date,
        amount: part.open,
        step_id: step.id,
        moment: step.moment,
        days: step.days,
        level: step.level,
        in_app: ways[i]!.in_app,
        by_mail: ways[i]!.mail === 'off' ? 'none' : ways[i]!.mail,
        holds: step.holds,
      })),
    )}::jsonb) x (invoice_id int, installment_id int, due_date date, amount bigint, step_id int, moment text, days smallint, level smallint,
      in_app boolean, by_mail text, holds boolean)
    on conflict do nothing returning id, installment_id`.execute(tx)
  const ids = new Map(written.map((row) => [row.installment_id, row.id]))
  const sent = due.filter(({ part }) => ids.has(part.installment_id))
  await notifyEach(
    tx,
    sent.map(({ part, step }) => ({
      user_id: part.user_id,
      key: keyOf(step),
      data: {
        number: part.number,
        amount: moneyText(part.open, part.currency),
        day: part.due_date,
        text: step.said ?? '',
      },
      link: `/payments/${part.invoice_id}`,
      records: [part.student_id],
    })),
  )
  for (const { part, step } of sent)
    if (step.fee !== null && !part.is_fee) await charge(ctx, tx, ids.get(part.installment_id)!, part, step.fee)
  const held = [...new Set(sent.flatMap(({ part, step }) => (step.holds ? [part.payer_id] : [])))]
  await followDebts(ctx, tx, held)
  return sent
}

/** Charges what a reminder costs. What has no price for somebody is said with the reminder, and keeps nobody else waiting. */
async function charge(ctx: Ctx, tx: Tx, id: number, part: OpenPart, fee: string): Promise<void> {
  try {
    await ctx.attempt(() =>
      askFee(ctx, tx, {
        workflow: REMINDER,
        id,
        student_id: part.student_id,
        user_id: part.user_id,
        fee,
        what: FEE_WORDS,
        area: 'collecting',
      }),
    )
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await sql`update reminders set fee_problem = ${error.reasons[0]?.code ?? error.message} where id = ${id}`.execute(
      tx,
    )
  }
}

/** What one run of the job sent. */
export interface RemindersSent {
  readonly sent: number
  readonly people: number
}
/**
 * Sends what is due today.
 *
 * @param options.after called when a part of it is written; what it throws ends the run
 * @param options.together how many payers are held at once
 */
export async function remind(
  ctx: Ctx,
  {
    after = () => {},
    together = TOGETHER,
  }: { readonly after?: (sent: number) => void | Promise<void>; readonly together?: number } = {},
): Promise<RemindersSent> {
  const steps = await activeSteps(ctx.db)
  if (!steps.length) return { sent: 0, people: 0 }
  const today = await dayToday(ctx.db)
  const until = lookAhead(steps, today)
  // Looked at without holding anybody: who is told nothing waits for nothing.
  const payers = [
    ...new Set(
      judge(await openParts(ctx.db, sql`true`, until), steps, today).flatMap(({ part, step }) =>
        step ? [part.payer_id] : [],
      ),
    ),
  ]
  let sent = 0
  const people = new Set<number>()
  for (let at = 0; at < payers.length; at += together) {
    const some = payers.slice(at, at + together)
    const done = await ctx.write(
      async (tx) => {
        await holdPayers(tx, sql`select unnest(${some}::int[])`)
        const judged = judge(await openParts(tx, sql`i.payer_id = any(${some}::int[])`, until), steps, today)
        const due = judged.flatMap((one) => (one.step ? [{ ...one, step: one.step }] : []))
        return due.length ? send(ctx, tx, due) : []
      },
      { patience: 60_000 },
    )
    for (const { part } of done) people.add(part.student_id)
    sent += done.length
    await after(sent)
  }
  return { sent, people: people.size }
}

/** Every morning, after fines and holds. */
export const reminderJob = defineJob<Record<string, never>, RemindersSent>({
  name: 'reminders',
  cron: '20 5 * * *',
  retries: 2,
  run: ({ services }, _payload, progress) =>
    remind(asSystem(services, 'Reminders'), { after: () => progress.signal.throwIfAborted() }),
})
