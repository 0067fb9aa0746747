/** What time does to questions: an issuer that does not answer is asked once more, who asked is told, and later who follows certificates. */
import { firstRow } from '#db/rows.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { remindOnce } from '#kit/server/workflow/reminders.ts'
import { sql } from 'kysely'
import { askIssuerJob } from './ask.server.ts'

interface Waiting {
  id: number
  paper_id: number
  name: string
  issuer: string
  issuer_local: string
  due: string
  users: number[] | null
}
export const externalClock = defineJob<Record<string, never>, { reminded: number; told: number }>({
  name: 'external-papers-clock',
  cron: '55 4 * * *',
  run: async ({ services }) => {
    const ctx = asSystem(services, 'Questions to issuers')
    const { rows: set } = await sql<{ days: number }>`select coalesce((select (value #>> '{}')::int from settings
      where key = 'certificate_escalation_days'), 3) as days`.execute(ctx.db)
    const { days } = firstRow(set)
    const send = (mark: 'reminded_on' | 'told_on', over: number, key: string, users: string, again: boolean) =>
      remindOnce<Waiting>(ctx, {
        table: 'external_paper_asks',
        mark,
        waits: (limit) => sql<Waiting>`
          select q.id, t.id as paper_id, coalesce(t.person_name, s.name, a.name, a.code) as name, i.name as issuer, i.name_local as issuer_local,
            q.due_on::text as due, ${sql.raw(users)} as users
          from external_paper_asks q join external_papers t on t.id = q.paper_id join paper_issuers i on i.id = t.issuer_id
            left join students s on s.id = t.student_id left join applicants a on a.id = t.applicant_id
          where q.ended_at is null and t.removed_at is null and q.due_on + ${over}::int < university_today() and q.${sql.raw(mark)} is null
          order by q.due_on, q.id limit ${limit} for update of t, q skip locked`,
        says: ({ users: _users, id: _id, paper_id, ...data }) => ({
          key,
          data: { ...data },
          link: `/certificates/external/${paper_id}`,
        }),
        ...(again && {
          also: async (tx, rows) => {
            for (const { id } of rows) await services.jobs.send(tx, askIssuerJob, { ask_id: id }, { actor: null })
          },
        }),
      })
    const reminded = await send(
      'reminded_on',
      0,
      'certificates.notice_no_answer',
      'array_remove(array[q.asked_by], null)',
      true,
    )
    const told = await send(
      'told_on',
      days,
      'certificates.notice_no_answer',
      `(select array_agg(distinct u.id) from role_permissions k join role_assignments r on r.role_id = k.role_id and r.scope_type is null
        join users u on u.id = r.user_id and u.removed_at is null and u.blocked_at is null
        where k.permission = 'manage_certificate' and k.reach = 'scope' and coalesce(r.valid_from <= university_today(), true)
          and coalesce(r.valid_to >= university_today(), true) and u.id is distinct from q.asked_by)`,
      false,
    )
    return { reminded, told }
  },
})
