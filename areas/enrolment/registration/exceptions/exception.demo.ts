import { sql } from 'kysely'
import { demoPart } from '#demo/part.ts'

/** Two students who came back from abroad late still register. */
export default demoPart(
  ['window_exceptions', 'window_exception_students'],
  ['students', 'term_stages'],
  async (tx, demo) => {
    const term = demo.current_terms.current_term
    await sql`
      with made as (
        insert into window_exceptions (faculty_id, term_id, stage_code_id, reason, starts_at, ends_at)
        select f.faculty_id, ${term}, k.id, f.reason, now() - interval '2 days', now() + interval '12 days'
        from stage_codes k cross join (values (1, 'Back from study abroad after registration had closed'),
          (2, 'Registration fees were credited late by the bank')) as f (faculty_id, reason)
        where k.code = 'add_drop' returning id, faculty_id)
      insert into window_exception_students (window_exception_id, student_id)
      select m.id, s.id from made m cross join lateral (select s.id from students s where s.faculty_id = m.faculty_id
        and s.status = 'studying' and s.removed_at is null and s.email not like 'student%' order by s.id desc limit 2) s`.execute(
      tx,
    )
  },
)
