/** Contracts that end: who is told, and what of them waits for who keeps the records. */
import { sql } from 'kysely'
import { holdersSql } from '#access/holders.server.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { notifyEach } from '#kit/server/mail/notifications.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { ORDINARY, employeeReach } from './employee.server.ts'
import { CONTRACT_TOLD_DAYS } from './employee.rules.ts'

/** What ends soon, or ended without another contract: so many days after its end nobody is asked any more. */
const ASKED_DAYS = 90

interface Ending {
  id: number
  name: string
  name_local: string
  day: string
  keepers: number[]
}

/**
 * Before a contract ends, and on its last day, the employee and who keeps the record are told, once each; not where another
 * contract follows. The day itself wins: what was entered late is told once.
 */
export const contractsJob = defineJob<Record<string, never>, { before: number; ended: number }>({
  name: 'contracts-end',
  cron: '40 4 * * *',
  run: async ({ services }) => {
    const ctx = asSystem(services, 'Contracts that end')
    return ctx.write(async (tx) => {
      const told = async (columns: readonly string[], key: string, due: ReturnType<typeof sql>) => {
        const { rows } = await sql<Ending>`
          with due as (
            update employee_contracts c set ${sql.join(columns.map((column) => sql`${sql.ref(column)} = c.to_date`))} from users t
            where t.id = c.employee_id and t.removed_at is null and t.type = 2 and c.${sql.ref(columns[0]!)} is distinct from c.to_date and ${due}
              and not exists (select from employee_contracts o where o.employee_id = c.employee_id and o.from_date > c.from_date)
            returning c.employee_id, c.to_date)
          select t.id, t.name, t.name_local, d.to_date::text as day,
            coalesce((select json_agg(h.id) from (${holdersSql(['edit_employee'], {
              faculty: sql`t.faculty_id`,
              department: sql`t.department_id`,
            })}) h where h.id <> t.id), '[]') as keepers
          from due d join users t on t.id = d.employee_id order by t.id`.execute(tx)
        await notifyEach(
          tx,
          rows.flatMap(({ id, keepers, name, name_local, day }) => {
            const link = `/employees/${id}`
            return [
              { user_id: id, key: `people.${key}`, data: { day }, link },
              ...keepers.map((user_id) => ({
                user_id,
                key: `people.${key}_of`,
                data: { who: name, who_local: name_local, day },
                link,
              })),
            ]
          }),
        )
        return rows.length
      }
      const ended = await told(
        ['told_ended', 'told_of'],
        'notice_contract_ended',
        sql`c.to_date between university_today() - ${ASKED_DAYS}::int and university_today()`,
      )
      const before = await told(
        ['told_of'],
        'notice_contract_ends',
        sql`c.to_date between university_today() + 1 and university_today() + ${CONTRACT_TOLD_DAYS}::int`,
      )
      return { before, ended }
    })
  },
})

const first = sql`min(contract_ends_on(t.id))`
const endings = (condition: ReturnType<typeof sql>, key: string, filter: string, ended = false): WorkSource => ({
  permissions: ['edit_employee'],
  waiting: (ctx) => sql`
    select ${key}::text, jsonb_build_object('count', count(*)), ${`/employees?filters=${encodeURIComponent(JSON.stringify({ contract: [filter] }))}`}::text,
      ${ended ? sql`day_begins(${first})` : sql`null::timestamptz`}, ${ended ? sql`null::timestamptz` : sql`day_ends(${first})`}
    from users t where ${ORDINARY} and t.removed_at is null and t.id in (select c.employee_id from employee_contracts c
        where c.to_date between university_today() - ${ASKED_DAYS}::int and university_today() + ${CONTRACT_TOLD_DAYS}::int)
      and ${condition} and ${scopeCondition(ctx, 'edit_employee', employeeReach(ctx))} having count(*) > 0`,
})

/** On the home of who keeps the records. */
export const contractWork: readonly WorkSource[] = [
  endings(
    sql`contract_ends_on(t.id) between university_today() and university_today() + ${CONTRACT_TOLD_DAYS}::int`,
    'people.work_contracts_end',
    'ends_soon',
  ),
  endings(
    sql`contract_ends_on(t.id) between university_today() - ${ASKED_DAYS}::int and university_today() - 1`,
    'people.work_contracts_ended',
    'ended',
    true,
  ),
]
