import { sql } from 'kysely'
import { demoPart } from '#demo/part.ts'

/** Egyptians pay in pounds; everybody else belongs to the group that is there for them. */
export default demoPart(['nationality_group_countries'], ['students'], async (tx) => {
  await sql`insert into nationality_group_countries (nationality_group_id, country_id)
    select g.id, c.id from nationality_groups g, countries c where g.code = 'EG' and c.id = 64 on conflict do nothing`.execute(
    tx,
  )
})
