/** What time does to theses: warnings before the latest day, and whose day has passed; each once. */
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { remindOnce } from '#kit/server/workflow/reminders.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { sql } from 'kysely'
import { WARNED } from '../thesis/clock.rules.ts'
import { theses } from '../thesis/flow.server.ts'
import { THESIS_CONCERNED, supervisingReach, thesisReach } from '../thesis/reach.server.ts'

interface Due {
  readonly id: number
  readonly title: string
  readonly title_local: string
  readonly day: string
  readonly days: number
  readonly users: number[] | null
}
const UNDER_WAY = sql.raw(`t.removed_at is null and t.status in ('registered', 'approved', 'changing', 'discussed')`)

/** Suspended theses are not warned: their day moves on with the suspension. */
export const thesisClock = defineJob<Record<string, never>, { warned: number; late: number }>({
  name: 'theses-clock',
  cron: '35 5 * * *',
  run: async ({ services }) => {
    const ctx = asSystem(services, 'Theses')
    const send = (mark: string, days: number, key: string) =>
      remindOnce<Due>(ctx, {
        table: 'theses',
        mark,
        waits: (limit) => sql<Due>`
          select t.id, t.title, t.title_local, t.due_on::text as day, (t.due_on - university_today())::int as days, ${sql.raw(THESIS_CONCERNED)} as users
          from theses t where ${UNDER_WAY} and t.due_on is not null and t.due_on <= university_today() + ${days}::int and t.${sql.raw(mark)} is null
            and (${days}::int < 0 or t.due_on >= university_today())
            and not exists (select from thesis_clock c where c.thesis_id = t.id and c.kind = 'suspension' and university_today() >= c.from_date and university_today() < c.until_date)
          order by t.due_on, t.id limit ${limit} for update of t skip locked`,
        says: ({ users: _users, id, ...data }) => ({ key, data, link: `/theses/${id}` }),
        // One warning says it: the earlier ones are not told any more.
        also: async (tx, waits) => {
          const earlier = WARNED.filter((one) => one > days)
          for (const one of earlier)
            await sql`update theses set ${sql.ref(`told_${one}`)} = university_today() where id = any(${waits.map((wait) => wait.id)}::int[])
              and ${sql.ref(`told_${one}`)} is null`.execute(tx)
        },
      })
    const late = await send('told_late', -1, 'theses.notice_late')
    let warned = 0
    for (const days of [...WARNED].toReversed()) warned += await send(`told_${days}`, days, 'theses.notice_due')
    // The file of an embargo that has ended is open: harvesters hear of it.
    await ctx.write((tx) =>
      sql`update thesis_deposits set stamp = date_trunc('second', now()) where withdrawn_at is null and embargo_until <= university_today()
        and stamp < embargo_until::timestamp at time zone university_zone()`.execute(tx),
    )
    return { warned, late }
  },
})

const listed = (filters: object) => `/theses?filters=${encodeURIComponent(JSON.stringify(filters))}`
/** Theses that wait for the reader: decisions, reports, a day that has passed, a degree that leads to graduation. */
export const thesisWork: readonly WorkSource[] = [
  {
    permissions: ['approve_thesis', 'discuss_thesis'],
    waiting: (ctx) => sql`
      select 'theses.work_decide', jsonb_build_object('count', count(*)), ${listed({ status: ['registered', 'changing', 'discussed'] })}::text, min(t.updated_at), null::timestamptz
      from theses t where t.removed_at is null and t.status in ('registered', 'changing', 'discussed') and ${theses.waiting(ctx)} having count(*) > 0`,
  },
  {
    permissions: ['approve_thesis'],
    waiting: (ctx) => sql`
      select 'theses.work_late', jsonb_build_object('count', count(*)), '/theses'::text, day_begins(min(t.due_on)), null::timestamptz
      from theses t where ${UNDER_WAY} and t.due_on < university_today() and ${scopeCondition(ctx, 'approve_thesis', thesisReach(ctx))} having count(*) > 0`,
  },
  {
    permissions: ['supervise_thesis'],
    waiting: (ctx) => sql`
      select 'theses.work_report', jsonb_build_object('count', count(*)), '/my_theses'::text, day_begins(min(t.registered_on)), null::timestamptz
      from theses t join students s on s.id = t.student_id where t.removed_at is null and t.status in ('registered', 'approved', 'changing')
        and coalesce((select max(r.until_date) from thesis_reports r where r.thesis_id = t.id), t.registered_on)
          + make_interval(months => coalesce((select r.report_months from thesis_rules r where r.bylaw_id = s.bylaw_id), 6)) < university_today()
        and ${scopeCondition(ctx, 'supervise_thesis', { supervised: supervisingReach(ctx).supervised })} having count(*) > 0`,
  },
  {
    // Graduation is decided on where every status of students is.
    permissions: ['change_student_status'],
    waiting: (ctx) => sql`
      select 'theses.work_graduate', jsonb_build_object('count', count(*)), ${listed({ status: ['granted'] })}::text, day_begins(min(t.granted_on)), null::timestamptz
      from theses t join students s on s.id = t.student_id where t.removed_at is null and t.status = 'granted' and s.status = 'studying'
        and ${scopeCondition(ctx, 'change_student_status', { faculty: thesisReach(ctx).faculty, bylaw: thesisReach(ctx).bylaw, program: thesisReach(ctx).program })}
      having count(*) > 0`,
  },
]
