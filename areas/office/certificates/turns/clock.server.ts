/** What time does to certificates: whose turn it is is reminded once, who stands above is told later, and an empty position is reported. */
import { ASKERS } from '#areas/money/ledger/askers.server.ts'
import { firstRow } from '#db/rows.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { remindOnce } from '#kit/server/workflow/reminders.ts'
import { sql, type RawBuilder } from 'kysely'
import { TURN_NAMES, type CertificateTurn } from './turn.contract.ts'
import { ASKED_FROM, UNPAID } from '../requests/chain.server.ts'

interface Wait {
  id: number
  certificate_id: number
  kind: CertificateTurn['kind']
  what: string
  what_local: string
  name: string
  name_local: string
  position: string | null
  position_local: string | null
  due: string | null
  users: number[] | null
}
type Mark = 'reminded_on' | 'told_on' | 'vacant_on'

/** SQL of the waits `g` of certificates `t` that are not marked. What is held by who works on it now waits for the next run. */
const waits = (mark: Mark, which: RawBuilder<unknown>, users: string) => (limit: number) =>
  sql<Wait>`
  select g.id, t.id as certificate_id, g.kind, y.name as what, y.name_local as what_local, coalesce(s.name, w.name) as name, coalesce(s.name_local, w.name_local) as name_local,
    p.name as position, p.name_local as position_local, g.due_on::text as due,
    (select array_agg(h.id) from ${sql.raw(users)} h) as users
  from certificate_turns g join certificates t on t.id = g.certificate_id join certificate_settings y on y.id = t.type_id
    ${ASKERS} left join signatory_positions p on p.id = g.position_id
  where g.done_at is null and t.removed_at is null and g.${sql.raw(mark)} is null and ${which}
    and exists (select from ${sql.raw(users)} h)
  order by g.due_on, g.id limit ${limit} for update of t, g skip locked`

/** SQL: it is late by more than so many days, and nothing but the wait itself stands against it: a debt or a payment that was lost is not the office's. */
const late = (over: number) => sql`g.due_on + ${over}::int < university_today()
  and (g.kind not in ('issue', 'deliver') or (${sql.raw(UNPAID)} is null and (g.kind = 'deliver' or not coalesce(certificates_held(t.student_id), false))))`
const VACANT = sql`g.kind = 'sign' and signing_holder(g.position_id, ${sql.raw(ASKED_FROM)}) is null`
const ADMINISTRATORS = 'signing_administrators(t.id)'

export const certificateClock = defineJob<Record<string, never>, { reminded: number; told: number; vacant: number }>({
  name: 'certificates-clock',
  cron: '50 4 * * *',
  run: async ({ services }) => {
    const ctx = asSystem(services, 'Days of certificates')
    const { rows: set } = await sql<{ days: number }>`select coalesce((select (value #>> '{}')::int from settings
      where key = 'certificate_escalation_days'), 3) as days`.execute(ctx.db)
    const { days } = firstRow(set)
    const send = (mark: Mark, key: string, which: RawBuilder<unknown>, users: string) =>
      remindOnce(ctx, {
        table: 'certificate_turns',
        mark,
        waits: waits(mark, which, users),
        says: ({ users: _users, id: _id, certificate_id, kind, position, position_local, ...data }) => {
          const [step, step_local] = TURN_NAMES[kind]
          return {
            key,
            data: {
              ...data,
              step: position === null ? step : `${step}: ${position}`,
              step_local: position === null ? step_local : `${step_local}: ${position_local}`,
            },
            link: `/certificates/show/${certificate_id}`,
          }
        },
      })
    const vacant = await send('vacant_on', 'certificates.notice_vacant', VACANT, ADMINISTRATORS)
    const reminded = await send('reminded_on', 'certificates.notice_overdue', late(0), 'certificate_turn_holders(g.id)')
    const told = await send('told_on', 'certificates.notice_late', late(days), 'certificate_turn_above(g.id)')
    return { reminded, told, vacant }
  },
})
