import { sql } from 'kysely'
import { firstRow } from '#db/rows.ts'
import { eraseIn, registerSweep } from '#kit/server/jobs/retention.ts'
import type { Due } from '#kit/server/jobs/retention.ts'

/** Requests that are erased together. */
const AT_ONCE = 500

/** Requests that ended so long ago, and of which there still is something to erase; of nobody who is held. */
const ended = (days: number) => sql`from services t left join students s on s.id = t.student_id
  where t.status in ('done', 'Rejected', 'cancelled') and t.updated_at < now() - make_interval(days => ${days}::int)
    and not coalesce(is_held(coalesce(s.user_id, t.staff_id)), false)
    and (t.answers <> '{}' or t.why is not null or t.answer is not null or t.answer_file_id is not null
      or exists (select from service_files k where k.service_id = t.id)
      or exists (select from service_steps g where g.service_id = t.id and g.note is not null))`

registerSweep('services', {
  async due(ctx, days) {
    const { rows } = await sql<Due>`select count(*)::int as count, min(t.updated_at) as oldest ${ended(days)}`.execute(
      ctx.db,
    )
    return firstRow(rows)
  },
  erase: (ctx, days) =>
    eraseIn(ctx, async (tx) => {
      const { rows } = await sql<{
        id: number
      }>`select t.id ${ended(days)} order by t.id limit ${AT_ONCE} for update of t skip locked`.execute(tx)
      const ids = rows.map(({ id }) => id)
      const { rows: files } = await sql<{ file_id: number }>`
        with handed as (delete from service_files where service_id = any(${ids}::int[]) returning file_id)
        select file_id from handed union select answer_file_id from services
          where id = any(${ids}::int[]) and answer_file_id is not null`.execute(tx)
      await sql`update services set answers = '{}', why = null, answer = null, answer_file_id = null where id = any(${ids}::int[])`.execute(
        tx,
      )
      await sql`update service_steps set note = null where service_id = any(${ids}::int[]) and note is not null`.execute(
        tx,
      )
      const { rows: gone } = files.length
        ? await sql<{
            hash: string
          }>`delete from files f where f.id = any(${files.map(({ file_id }) => file_id)}::int[])
            and not exists (select from users u where u.photo_file_id = f.id) returning f.hash`.execute(tx)
        : { rows: [] }
      return { count: ids.length, hashes: gone.map(({ hash }) => hash) }
    }),
})
