import { sql } from 'kysely'
import { demoPart } from '#demo/part.ts'

/** What the councils decided on grace marks in the year before the current one. */
export default demoPart(['grace_rules'], ['bylaws', 'terms', 'student_years'], async (tx) => {
  await sql`
    insert into grace_rules (bylaw_id, year_id, decided_by, decision_number, decided_on, first_for, then_for, last_for, per_course, in_all)
    select b.id, y.id, 'مجلس الكلية', (40 + row_number() over (order by b.id))::text || '/' || extract(year from y.end_date)::int, y.end_date - 60,
      'promote', 'pass_course', 'next_rating', 5, 10
    from bylaws b cross join (select * from years order by start_date desc offset 1 limit 1) y
    where b.program_type in ('term', 'annual')`.execute(tx)
})
