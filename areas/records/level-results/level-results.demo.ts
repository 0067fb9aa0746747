import { sql } from 'kysely'
import { demoPart } from '#demo/part.ts'
import { makePreview } from './preview.server.ts'

/**
 * Results of levels: each bylaw by marks has its first level of the year before last announced, as the students' next year
 * says. None is previewed: everybody has gone on into the next year, so that no preview could be applied.
 */
export default demoPart(
  ['level_results', 'level_result_students'],
  ['grace_rules', 'student_years', 'registrations', 'students', 'bylaws'],
  async (tx) => {
    const { rows: first } = await sql<{ year_id: number; bylaw_id: number; level: number }>`
      select distinct on (y.bylaw_id, y.year_id) y.year_id, y.bylaw_id, y.level
      from student_years y join (select id, row_number() over (order by start_date desc) as n from years) n on n.id = y.year_id
      where n.n = 3 order by y.bylaw_id, y.year_id, y.level`.execute(tx)
    const { rows: heads } = await sql<{ id: number }>`
      select a.user_id as id from role_assignments a join roles r on r.id = a.role_id where r.key = 'control_head' order by 1 limit 1`.execute(
      tx,
    )
    const by = heads[0]?.id ?? null
    for (const key of first) {
      const { id } = await makePreview(tx, key, by)
      await sql`
        update level_result_students l set applied = true, next_year_id = n.id,
          was = jsonb_build_object('status', s.status, 'level', s.level, 'chances_used', y.chances_used)
        from students s, student_years y, student_years n join years a on a.id = n.year_id
        where l.level_result_id = ${id} and s.id = l.student_id and y.id = l.student_year_id and n.student_id = l.student_id
          and a.start_date = (select min(start_date) from years where start_date > (select start_date from years where id = ${key.year_id}))
          and n.level = case when l.outcome in ('promoted', 'carries') then y.level + 1 else y.level end
          and l.outcome in ('promoted', 'carries', 'repeats', 'external')`.execute(tx)
      await sql`update level_results r set status = 'announced', applied_by = ${by}, applied_at = y.end_date - 40, announced_by = ${by},
          announced_at = y.end_date - 38, made_at = y.end_date - 41
        from years y where y.id = r.year_id and r.id = ${id}`.execute(tx)
    }
  },
)
