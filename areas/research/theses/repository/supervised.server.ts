/** Theses on the public page of who supervised them. */
import { thesesOfResearcher } from '#areas/research/publications/researcher/more.server.ts'
import type { ShownSupervised } from '#areas/research/publications/researcher/researcher.contract.ts'
import { hear } from '#kit/server/base/hears.ts'
import { sql } from 'kysely'

/** Granted theses, the newest first. What was withdrawn from the repository is not named; what is there is linked. */
export const supervisedHeard = hear(thesesOfResearcher, async (db, user_id) => {
  const { rows } = await sql<ShownSupervised>`
    select t.title, t.title_local, t.degree, extract(year from t.granted_on)::int as year, d.handle
    from theses t left join thesis_deposits d on d.thesis_id = t.id
    where t.status = 'granted' and t.removed_at is null and d.withdrawn_at is null
      and exists (select from thesis_members m join instructors i on i.id = m.instructor_id
        where m.thesis_id = t.id and m.until_date is null and m.job in ('leader', 'member') and i.user_id = ${user_id})
    order by t.granted_on desc, t.id desc limit 300`.execute(db)
  return rows
})
