import { sql } from 'kysely'
import { demoPart } from '#demo/part.ts'

/** What the councils decided on grace marks in the year before the current one, and in that before it, on ratings alone. */
export default demoPart(['grace_rules'], ['bylaws', 'terms', 'student_years'], async (tx) => {
  await sql`
    insert into grace_rules (bylaw_id, year_id, decided_by, decision_number, decided_on, first_for, then_for, last_for, per_course, in_all)
    select b.id, y.id, 'مجلس الكلية', (40 + row_number() over (partition by y.id order by b.id))::text || '/' || extract(year from y.end_date)::int,
      y.end_date - 60, case when y.n = 2 then 'promote' else 'next_rating' end, case when y.n = 2 then 'pass_course' end,
      case when y.n = 2 then 'next_rating' end, 5, 10
    from bylaws b cross join (select *, row_number() over (order by start_date desc) as n from years order by start_date desc offset 1 limit 2) y
    where b.program_type in ('term', 'annual')`.execute(tx)
})
