/** Days before the window opens, everybody who would be refused then is told so, once for a term. */
import { sql } from 'kysely'
import type { Ctx } from '#kit/server/base/context.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { notifyEach } from '#kit/server/mail/notifications.ts'
import { preflightFactsOf, preflightTermOf } from './facts.server.ts'
import { judgeAll } from './preflight.server.ts'
import { windowOf } from './preflight.rules.ts'

/** How many are told in one transaction. */
const SOME = 500

/**
 * Tells those whose window opens within the days that the university has set, and who are blocked.
 * @returns how many were told
 */
export async function tellBlocked(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{ term_id: number; days: number }>`
    with n as (select coalesce((select (value #>> '{}')::int from settings
      where key = 'registration_notice_days' and removed_at is null), 7) as days)
    select distinct w.term_id, n.days from n join stage_windows w on w.removed_at is null and w.starts_at > now()
      and w.starts_at <= now() + make_interval(days => n.days)
    join stage_codes c on c.id = w.stage_code_id and c.code in ('register', 'add_drop') order by 1`.execute(ctx.db)
  let told = 0
  for (const { term_id, days } of rows) {
    const found = await preflightFactsOf(
      ctx,
      preflightTermOf(term_id),
      sql`s.status in ('studying', 'suspended') and s.user_id is not null
        and not exists (select from preflight_notices x where x.student_id = s.id and x.term_id = ${term_id})`,
    )
    const until = Date.parse(found.now) + days * 86_400_000
    const soon = (await judgeAll(ctx, found)).filter(({ facts, blocked }) => {
      const window = windowOf(
        (facts.windows ?? []).map(([code, from, to]) => ({ code, from, to })),
        found.now,
      )
      return blocked && window !== null && !window.open && Date.parse(window.from) <= until
    })
    for (let i = 0; i < soon.length; i += SOME) {
      const some = soon.slice(i, i + SOME)
      told += await ctx.write(async (tx) => {
        const { rows: fresh } = await sql<{ student_id: number }>`
          insert into preflight_notices (student_id, term_id)
          select s, ${term_id} from unnest(${some.map((one) => one.facts.id)}::int[]) s order by 1
          on conflict do nothing returning student_id`.execute(tx)
        const ids = new Set(fresh.map((row) => row.student_id))
        const now = some.filter((one) => ids.has(one.facts.id))
        await notifyEach(
          tx,
          now.map(({ facts, lines }) => ({
            user_id: facts.user_id,
            key: 'registration.notice_preflight',
            data: {
              count: lines.filter((line) => line.blocks).length,
              term: found.term?.name ?? '',
              term_local: found.term?.name_local ?? '',
            },
            link: '/offering/preflight',
          })),
        )
        return now.length
      })
    }
  }
  return told
}

/** Once a day, in the morning. */
export const preflightClock = defineJob<Record<string, never>, { told: number }>({
  name: 'registration-preflight',
  cron: '15 5 * * *',
  run: async (ctx) => ({ told: await tellBlocked(ctx) }),
})
