/** What time does to course files: who teaches is reminded a week before they are due, and told when they are overdue; each once. */
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { remindOnce } from '#kit/server/workflow/reminders.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'
import { OPEN_STATES } from './course-file.rules.ts'
import { courseFiles } from './flow.server.ts'
import { courseFileReach, TEAM } from './reach.server.ts'

/** Of every term: those of the last one are handed in now. */
const listed = (status: readonly string[]) =>
  `/courseFile?filters=${encodeURIComponent(JSON.stringify({ status, term_id: 0 }))}`

/** Days before it is due. */
const AHEAD = 7
interface Due {
  readonly id: number
  readonly course: string
  readonly course_local: string
  readonly day: string
  readonly users: number[] | null
}
export const courseFileClock = defineJob<Record<string, never>, { reminded: number; told: number }>({
  name: 'course-files-clock',
  cron: '25 5 * * *',
  run: async ({ services }) => {
    const ctx = asSystem(services, 'Course files')
    const send = (mark: 'reminded_on' | 'told_on', days: number, key: string) =>
      remindOnce<Due>(ctx, {
        table: 'course_files',
        mark,
        waits: (limit) => sql<Due>`
          select t.id, c.name as course, c.name_local as course_local, t.due_on::text as day, ${sql.raw(TEAM)} as users
          from course_files t join offerings o on o.id = t.offering_id join courses c on c.id = o.course_id
          where t.status = 'draft' and t.removed_at is null and t.due_on is not null and t.due_on < university_today() + ${days}::int
            and t.${sql.raw(mark)} is null order by t.due_on, t.id limit ${limit} for update of t skip locked`,
        says: ({ users: _users, id, ...data }) => ({ key, data: { ...data }, link: `/courseFile/${id}` }),
      })
    const told = await send('told_on', 0, 'course-files.notice_late')
    const reminded = await send('reminded_on', AHEAD + 1, 'course-files.notice_due')
    return { reminded, told }
  },
})

/** Course files that wait for the reader: to be handed in by who teaches, to be decided on by others. */
export const courseFileWork: readonly WorkSource[] = [
  {
    permissions: ['fill_courseFile'],
    waiting: (ctx) => sql`
      select 'course-files.work_fill', jsonb_build_object('count', count(*)), ${listed([...OPEN_STATES])}::text, min(t.created_at), day_ends(min(t.due_on))
      from course_files t where t.removed_at is null and t.status = any(${[...OPEN_STATES]}) and (t.status <> 'draft' or t.due_on is not null)
        and ${scopeCondition(ctx, 'fill_courseFile', { taught: courseFileReach(ctx).taught })} having count(*) > 0`,
  },
  {
    permissions: ['accept_courseFile', 'approve_courseFile'],
    waiting: (ctx) => sql`
      select 'course-files.work_decide', jsonb_build_object('count', count(*)), ${listed(['submitted', 'accepted'])}::text, min(t.updated_at), null::timestamptz
      from course_files t where t.removed_at is null and t.status in ('submitted', 'accepted') and ${courseFiles.waiting(ctx)} having count(*) > 0`,
  },
]
