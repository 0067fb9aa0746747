import { firstRow } from '#db/rows.ts'
import { eraseIn, registerSweep } from '#kit/server/jobs/retention.ts'
import type { Due } from '#kit/server/jobs/retention.ts'
import { sql } from 'kysely'

/** Rows that are erased together. */
const AT_ONCE = 500

/** What was said so long ago, and risks that ended so long ago; of nobody who is held. */
const contacts = (days: number) => sql`from risk_contacts t join students s on s.id = t.student_id
  where t.updated_at < now() - make_interval(days => ${days}::int) and not coalesce(is_held(s.user_id), false)`
const risks = (days: number) => sql`from student_risks t join students s on s.id = t.student_id
  where t.ended_at < now() - make_interval(days => ${days}::int) and not coalesce(is_held(s.user_id), false)`

registerSweep('early_warning', {
  async due(ctx, days) {
    const { rows } = await sql<Due>`select count(*)::int as count, min(x.at) as oldest from (
      select t.updated_at as at ${contacts(days)} union all select t.ended_at ${risks(days)}) x`.execute(ctx.db)
    return firstRow(rows)
  },
  erase: (ctx, days) =>
    eraseIn(ctx, async (tx) => {
      const { rows } = await sql<{ count: number }>`
        with said as (select t.id ${contacts(days)} order by t.id limit ${AT_ONCE} for update of t skip locked),
          stood as (select t.id ${risks(days)} order by t.id limit ${AT_ONCE} for update of t skip locked),
          one as (delete from risk_contacts where id in (select id from said) returning 1),
          other as (delete from student_risks where id in (select id from stood) returning 1)
        select ((select count(*) from one) + (select count(*) from other))::int as count`.execute(tx)
      return firstRow(rows)
    }),
})
