/** What time does to requests: their office is reminded once when its time is over, and later who manages services is told. */
import { ASKERS } from '#areas/money/ledger/askers.server.ts'
import { firstRow } from '#db/rows.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { remindOnce } from '#kit/server/workflow/reminders.ts'
import { sql } from 'kysely'

interface Late {
  id: number
  service_id: number
  what: string
  what_local: string
  name: string
  name_local: string
  office: string
  office_local: string
  due: string
  days: number
  users: number[] | null
}
type Kept = 'reminded_on' | 'told_on'

export const serviceClock = defineJob<Record<string, never>, { reminded: number; told: number }>({
  name: 'services-clock',
  cron: '40 4 * * *',
  run: async ({ services }) => {
    const ctx = asSystem(services, 'Days of service requests')
    const { rows: set } = await sql<{ days: number }>`select coalesce((select (value #>> '{}')::int from settings
      where key = 'service_escalation_days'), 3) as days`.execute(ctx.db)
    const { days } = firstRow(set)
    const send = (mark: Kept, over: number, key: string, whom: 'service_holders' | 'service_managers') =>
      remindOnce(ctx, {
        table: 'service_steps',
        mark,
        // What is held by who works on it now waits until tomorrow.
        waits: (
          limit,
        ) => sql<Late>`select g.id, t.id as service_id, y.name as what, y.name_local as what_local, coalesce(s.name, w.name) as name, coalesce(s.name_local, w.name_local) as name_local,
            g.name as office, g.name_local as office_local, g.due_on::text as due, university_today() - g.due_on as days,
            (select array_agg(h.id) from ${sql.raw(whom)}(t.id) h) as users
          from service_steps g join services t on t.id = g.service_id and t.step = g.position
            ${ASKERS} join service_kinds y on y.id = t.kind_id
          where t.status in ('New', 'in review') and t.removed_at is null and g.done_at is null
            and g.due_on + ${over}::int < university_today() and g.${sql.raw(mark)} is null
          order by g.due_on, g.id limit ${limit} for update of t, g skip locked`,
        says: ({ users: _users, id: _id, service_id, ...data }) => ({
          key,
          data: { ...data },
          link: `/services?id=${service_id}`,
        }),
      })
    const reminded = await send('reminded_on', 0, 'services.notice_overdue', 'service_holders')
    const told = await send('told_on', days, 'services.notice_late', 'service_managers')
    return { reminded, told }
  },
})
