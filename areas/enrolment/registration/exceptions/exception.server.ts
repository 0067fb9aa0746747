import { sql } from 'kysely'
import { Refusal } from '#kit/server/base/errors.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { serveResource } from '#kit/server/resource/resource.ts'
import { windowException } from './exception.contract.ts'
import { checkException } from './exception.rules.ts'
import type { ExceptionInput } from './exception.rules.ts'

/** Windows for single students. Each of them is told when one opens. */
export const windowExceptionHandlers = serveResource(windowException, {
  scope: { faculty: () => sql`t.faculty_id` },
  lookups: ['stage_code_id'],
  beforeWrite: async (_ctx, tx, merged) => {
    const { rows } = await sql<
      Omit<ExceptionInput, 'starts_at' | 'ends_at' | 'code' | 'term_ends'> & {
        code: string | null
        term_ends: string | null
      }
    >`
      select (select k.code from stage_codes k where k.id = ${merged.stage_code_id}) as code, now() as now,
        (select m.end_date from terms m where m.id = ${merged.term_id}) as term_ends,
        coalesce((select json_agg(json_build_object('code', s.code, 'studying', s.status = 'studying' and s.removed_at is null,
            'of_faculty', s.faculty_id = ${merged.faculty_id}::int) order by s.code)
          from students s where s.id = any(${merged.students ?? []}::int[])), '[]') as students`.execute(tx)
    const [found] = rows
    if (!found?.code || !found.term_ends) return
    const problems = checkException({
      ...found,
      code: found.code,
      term_ends: found.term_ends,
      starts_at: String(merged.starts_at),
      ends_at: String(merged.ends_at),
    })
    if (problems.length) throw new Refusal(422, problems)
  },
  afterWrite: async (_ctx, tx, id, merged, current) => {
    const before = new Set((current?.students as number[] | undefined) ?? [])
    const fresh = ((merged.students as number[] | undefined) ?? []).filter((student) => !before.has(student))
    if (!fresh.length) return
    const { rows } = await sql<{ user_id: number; stage: string; stage_local: string; until: string }>`
      select s.user_id, k.name as stage, k.name_local as stage_local,
        (e.ends_at at time zone university_zone())::date as until
      from window_exceptions e join stage_codes k on k.id = e.stage_code_id join students s on s.id = any(${fresh}::int[])
      where e.id = ${id} and s.user_id is not null`.execute(tx)
    const [one] = rows
    if (one)
      await notify(
        tx,
        rows.map((row) => row.user_id),
        {
          key: 'registration.notice_exception',
          data: { stage: one.stage, stage_local: one.stage_local, until: one.until },
          link: '/offering/registration',
          records: fresh,
        },
      )
  },
})
