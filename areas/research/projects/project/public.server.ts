/** Projects on the public pages of who works in them. */
import { projectsOfResearcher } from '#areas/research/publications/researcher/more.server.ts'
import type { ShownProject } from '#areas/research/publications/researcher/researcher.contract.ts'
import { hear } from '#kit/server/base/hears.ts'
import { sql } from 'kysely'

/** Those that run or are finished; what is only proposed, or was rejected, is nobody's business. */
export const projectsHeard = hear(projectsOfResearcher, async (db, user_id) => {
  const { rows } = await sql<ShownProject>`
    select t.name, t.name_local, m.job, t.status, extract(year from t.start_date)::int as since,
      extract(year from coalesce(t.finished_on, t.end_date))::int as until
    from projects t join project_members m on m.project_id = t.id and m.user_id = ${user_id}
    where t.status in ('running', 'finished') and t.removed_at is null
    order by t.status = 'finished', t.start_date desc, t.id desc limit 300`.execute(db)
  return rows
})
