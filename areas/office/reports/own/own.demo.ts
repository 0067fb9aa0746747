import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { EVERYTHING, demoPart } from '#demo/part.ts'
import { sql } from 'kysely'
import type { OwnAsked } from './choices.rules.ts'
import { dayOfWeekFrom, nextMailOn } from './schedule.rules.ts'
import type { PinLooks } from './own.contract.ts'

interface Sent {
  readonly weekday: number
  readonly hour: number
  readonly file: 'pdf' | 'xlsx'
  readonly ended?: 'person' | 'account' | 'right' | 'report'
  /** What became of the mails of the last weeks, the latest first. */
  readonly mails?: readonly ('sent' | 'failed' | 'withheld')[]
}
interface Made {
  readonly by: string
  readonly name: string
  readonly asked: OwnAsked
  readonly shown?: 'both' | 'table' | 'chart'
  readonly roles?: readonly string[]
  readonly pinned?: PinLooks
  readonly sent?: Sent
  readonly removed?: true
}
/** Monday, where a week begins on Saturday. */
const MONDAY = 2

/** Reports of people with different rights; some are shared, on the overview, sent every week in every state. */
const reports = (october: readonly string[]): readonly Made[] => [
  {
    by: 'registrar',
    name: 'Which courses lost most students',
    asked: { measures: ['dropped', 'withdrawn', 'lost_share'], rows: ['course'], columns: [], largest: true },
    roles: ['dean', 'president'],
    pinned: 'chart',
    sent: { weekday: MONDAY, hour: 7, file: 'pdf', mails: ['sent', 'sent', 'sent'] },
  },
  {
    by: 'registrar',
    name: 'الطلاب حسب الحالة في أول أكتوبر',
    asked: { measures: ['people_then'], rows: ['status'], columns: ['as_of'], days: october },
    roles: ['dean'],
  },
  {
    by: 'registrar',
    name: 'Load by faculty beside last term',
    asked: { measures: ['registered_students', 'load'], rows: ['faculty'], columns: [], compare: 'term_before' },
    shown: 'table',
    sent: { weekday: 1, hour: 6, file: 'xlsx', mails: ['failed', 'sent'] },
  },
  {
    by: 'registrar',
    name: 'Men and women by faculty and level',
    asked: { measures: ['students'], rows: ['faculty', 'level'], columns: ['gender'], compare: 'share' },
    shown: 'table',
    pinned: 'number',
  },
  {
    by: 'registrar',
    name: 'Seats on Tuesdays',
    asked: { measures: ['occupancy', 'free'], rows: ['slot'], columns: [], filters: { weekday: [3] } },
    removed: true,
  },
  {
    by: 'dean',
    name: 'Results of my faculty',
    asked: { measures: ['passed', 'failed', 'pass_share'], rows: ['program', 'level'], columns: [] },
    pinned: 'number',
    sent: { weekday: MONDAY, hour: 8, file: 'pdf', ended: 'person', mails: ['sent'] },
  },
  {
    by: 'dean',
    name: 'Retention by cohort and gender',
    asked: { measures: ['entered', 'retention'], rows: ['cohort'], columns: ['gender'] },
    shown: 'chart',
    roles: ['president'],
    sent: { weekday: 5, hour: 7, file: 'pdf', mails: [] },
  },
  {
    by: 'president',
    name: 'Foreign students in dollars',
    asked: { measures: ['usd_charged', 'usd_paid', 'usd_open'], rows: ['faculty'], columns: [] },
    sent: { weekday: MONDAY, hour: 9, file: 'xlsx', ended: 'right', mails: ['withheld', 'sent'] },
  },
  {
    by: 'president',
    name: 'Graduates in time',
    asked: { measures: ['graduates', 'in_time_share'], rows: ['graduation_year'], columns: [] },
    pinned: 'chart',
    sent: { weekday: 0, hour: 10, file: 'pdf', ended: 'report', mails: ['withheld'] },
  },
]

/** Somebody of a role, with the name of it in the address of the account. */
async function holder(tx: Tx, role: string): Promise<number | null> {
  const { rows } = await sql<{
    id: number
  }>`select u.id from users u join role_assignments a on a.user_id = u.id join roles r on r.id = a.role_id
    where r.key = ${role} and u.removed_at is null and u.blocked_at is null order by u.id limit 1`.execute(tx)
  return rows[0]?.id ?? null
}

export default demoPart(
  [
    'own_reports',
    'own_report_roles',
    'own_report_people',
    'own_report_pins',
    'own_report_schedules',
    'own_report_mails',
    'student_standings',
  ],
  ['earlier_cohorts', EVERYTHING],
  async (tx, demo) => {
    // Loaded at once, students stood so since they came: what is kept of them elsewhere says how it was.
    await sql`select restate_standings()`.execute(tx)
    const { today } = demo
    const year = Number(today.slice(0, 4)) - (today.slice(5) < '10-01' ? 1 : 0)
    const october = [4, 3, 2, 1, 0].map((back) => `${year - back}-10-01`)
    for (const made of reports(october)) {
      const user = await holder(tx, made.by)
      if (user === null) throw new Error(`nobody of the demo university is ${made.by}`)
      const { rows } = await sql<{ id: number }>`
        insert into own_reports (user_id, name, asked, shown, removed_at, created_at)
        values (${user}, ${made.name}, ${JSON.stringify(made.asked)}::jsonb, ${made.shown ?? 'both'}, ${made.removed ? sql`now()` : null},
          now() - interval '40 days') returning id`.execute(tx)
      const { id } = firstRow(rows)
      if (made.roles)
        await sql`insert into own_report_roles (report_id, role_id) select ${id}, id from roles where key = any(${[...made.roles]}::text[])`.execute(
          tx,
        )
      if (made.pinned)
        await sql`insert into own_report_pins (user_id, report_id, looks) values (${user}, ${id}, ${made.pinned})`.execute(
          tx,
        )
      if (made.sent) await schedule(tx, id, user, made.sent, today)
    }
    // One goes to a person alone.
    await sql`insert into own_report_people (report_id, user_id) select id, ${await holder(tx, 'vice_president')} from own_reports
      where name = 'Which courses lost most students'`.execute(tx)
    // The dean has looked at what the registrar shares.
    await sql`insert into own_report_pins (user_id, report_id, looks) select ${await holder(tx, 'dean')}, id, 'chart' from own_reports
      where name = 'Which courses lost most students'`.execute(tx)
  },
)

/** A schedule with the mails of the last weeks. */
async function schedule(tx: Tx, report: number, user: number, sent: Sent, today: string): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    insert into own_report_schedules (report_id, user_id, weekday, hour, file, next_on, ended_at, ended_why, created_at)
    values (${report}, ${user}, ${sent.weekday}, ${sent.hour}, ${sent.file}, ${nextMailOn(today, sent.weekday)}::date,
      ${sent.ended ? sql`now() - interval '2 days'` : null}, ${sent.ended ?? null}, now() - interval '30 days') returning id`.execute(
    tx,
  )
  const { id } = firstRow(rows)
  for (const [weeks, state] of (sent.mails ?? []).entries())
    await sql`insert into own_report_mails (schedule_id, day, state, failures, ended_at)
      select ${id}, d, ${state}, ${state === 'failed' ? 5 : 0}, (d + make_interval(hours => ${sent.hour})) at time zone university_zone() + interval '1 minute'
      from (select ${dayOfWeekFrom(today, sent.weekday)}::date - 7 * ${weeks + 1} as d) x`.execute(tx)
}
