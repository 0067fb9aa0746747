/** Reports by mail: each of its day once, figured with the rights that its reader has when it is sent. */
import { firstRow } from '#db/rows.ts'
import { inLanguage, type Language } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal } from '#kit/server/base/errors.ts'
import { holds } from '#kit/server/base/scope.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { actorOf } from '#kit/server/identity/auth.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { asActor } from '#kit/server/unit/request.ts'
import { sql } from 'kysely'
import { rightOfMeasure, type OwnAsked } from './choices.rules.ts'
import { ownAsked, type SCHEDULE_ENDS } from './own.contract.ts'
import { ownReportFile } from './own.server.ts'
import { sharedWith } from './saved.server.ts'
import { nextMailOn } from './schedule.rules.ts'

/** Seconds to wait after the n-th failure; after the last one the mail of this day is given up. */
const WAITS = [60, 300, 1800, 7200, 21_600]

/** Puts a mail in line for every schedule whose hour has come. The key of a mail is its schedule and its day: there is no second one. */
export async function planOwnMails(ctx: Ctx): Promise<number> {
  return ctx.write(async (tx) => {
    const { rows } = await sql<{ id: number; weekday: number; next_on: string; today: string }>`
      select s.id, s.weekday, s.next_on::text as next_on, university_today()::text as today from own_report_schedules s
      where s.ended_at is null and s.next_on + make_interval(hours => s.hour) <= now() at time zone university_zone()
      order by s.id limit 500 for update skip locked`.execute(tx)
    for (const row of rows) {
      await sql`insert into own_report_mails (schedule_id, day) values (${row.id}, ${row.next_on}::date) on conflict do nothing`.execute(
        tx,
      )
      await sql`update own_report_schedules set next_on = ${nextMailOn(row.today, row.weekday)}::date where id = ${row.id}`.execute(
        tx,
      )
    }
    return rows.length
  })
}

interface Due {
  readonly schedule_id: number
  readonly day: string
  readonly failures: number
  readonly report_id: number
  readonly user_id: number
  readonly file: 'pdf' | 'xlsx'
  readonly ended: boolean
  readonly name: string
  readonly asked: OwnAsked
  /** The report is there, and of the reader or shared with one of the reader's roles. */
  readonly readable: boolean
  readonly email: string | null
  readonly reader: string
  readonly reader_local: string
  readonly language: Language | null
}
type Ends = Exclude<keyof typeof SCHEDULE_ENDS, 'person'>

/** What is in line, of one mail; locked, so that whoever else sends takes another one. */
async function nextDue(tx: Ctx['db']): Promise<Due | undefined> {
  const { rows: locked } = await sql<{ schedule_id: number; day: string }>`
    select m.schedule_id, m.day::text as day from own_report_mails m
    where m.state = 'waiting' and m.next_at <= now() order by m.next_at, m.schedule_id limit 1 for update skip locked`.execute(
    tx,
  )
  const [mail] = locked
  if (!mail) return undefined
  const { rows: owners } = await sql<{ user_id: number }>`
    select user_id from own_report_schedules where id = ${mail.schedule_id} for no key update`.execute(tx)
  const { rows } = await sql<Due>`
    select m.schedule_id, m.day::text as day, m.failures, s.report_id, s.user_id, s.file, s.ended_at is not null as ended, r.name, r.asked,
      r.removed_at is null and (r.user_id = s.user_id or ${sharedWith(firstRow(owners).user_id)}) as readable,
      u.email, u.name as reader, u.name_local as reader_local, u.language
    from own_report_mails m join own_report_schedules s on s.id = m.schedule_id join own_reports r on r.id = s.report_id
      join users u on u.id = s.user_id
    where m.schedule_id = ${mail.schedule_id} and m.day = ${mail.day}::date`.execute(tx)
  return rows[0]
}

/** The schedule ends, and its reader is told once; who left is told nothing. */
async function endFor(tx: Parameters<Parameters<Ctx['write']>[0]>[0], due: Due, why: Ends): Promise<void> {
  const { rows } = await sql`update own_report_schedules set ended_at = now(), ended_why = ${why}
    where id = ${due.schedule_id} and ended_at is null returning id`.execute(tx)
  if (!rows.length || why === 'account') return
  await notify(tx, [due.user_id], {
    key: why === 'right' ? 'reports.notice_own_right' : 'reports.notice_own_gone',
    data: { name: due.name },
    link: '/reports/own',
  })
}

/** Sends the next mail; false where none is due. */
async function sendNext(ctx: Ctx): Promise<boolean> {
  return ctx.write(async (tx) => {
    const due = await nextDue(tx)
    if (!due) return false
    const close = (state: 'sent' | 'withheld' | 'failed') =>
      sql`update own_report_mails set state = ${state}, ended_at = now() where schedule_id = ${due.schedule_id} and day = ${due.day}::date`.execute(
        tx,
      )
    const actor = await actorOf(ctx.services.pool, due.user_id)
    const lang = due.language ?? 'ar'
    const reader = actor && asActor(ctx.services, actor, undefined, lang)
    const why: Ends | null =
      !reader || due.email === null
        ? 'account'
        : !due.readable || !ownAsked.safeParse(due.asked).success
          ? 'report'
          : holds(reader, rightOfMeasure(due.asked.measures[0]!))
            ? null
            : 'right'
    if (why !== null || due.ended) {
      if (why !== null) await endFor(tx, due, why)
      await close('withheld')
      return true
    }
    try {
      await ctx.attempt(() => send(ctx, reader!, due, lang))
      await close('sent')
    } catch (error) {
      // What its maker may not ask any more, or cannot: it will not be otherwise in an hour.
      if (error instanceof Refusal && error.status < 500) {
        await endFor(tx, due, error.status === 403 ? 'right' : 'report')
        await close('withheld')
        return true
      }
      const wait = WAITS[due.failures]
      if (wait === undefined) await close('failed')
      else
        await sql`update own_report_mails set failures = failures + 1, next_at = now() + make_interval(secs => ${wait})
            where schedule_id = ${due.schedule_id} and day = ${due.day}::date`.execute(tx)
    }
    return true
  })
}

/** Figures the report with the rights of its reader, and hands it to the mail server. */
async function send(ctx: Ctx, reader: Ctx, due: Due, lang: Language): Promise<void> {
  const paper = { lang: lang === 'ar' ? ('ar' as const) : ('en' as const), type: due.file }
  const file = await ownReportFile(reader, paper, due)
  const head = await universityHead(ctx)
  const said = lang === 'ar' ? 'ar' : 'en'
  await ctx.services.mail.send({
    to: due.email!,
    lang,
    key: 'own_report',
    id: `own-report-${due.schedule_id}-${due.day}`,
    data: {
      name: inLanguage([due.reader, due.reader_local], said),
      university: inLanguage([head.name, head.name_local], said),
      report: due.name,
      link: `${ctx.services.config.publicUrl}/reports/own/${due.report_id}`,
      list: `${ctx.services.config.publicUrl}/reports/own`,
    },
    attachments: [{ filename: file.name, content: Buffer.from(file.content as Uint8Array) }],
  })
}

/** Every minute: what is due is put in line and sent, one mail a transaction. */
export const ownReportMails = defineJob({
  name: 'own-report-mails',
  cron: '* * * * *',
  async run(ctx, _payload: object, progress) {
    while ((await planOwnMails(ctx)) > 0) progress.signal.throwIfAborted()
    while (!progress.signal.aborted && (await sendNext(ctx))) continue
  },
})
