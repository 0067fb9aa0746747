import { sql } from 'kysely'
import { demoPart } from '#demo/part.ts'

/** A student of computing who has begun commerce besides: two records of one account. */
export default demoPart(
  ['second_records'],
  ['students', 'programs', 'registrations', 'student_terms'],
  async (tx, demo) => {
    await sql`
    insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, entry_term_id, level, gender, birth_date,
      nationality_id, national_id, passport_number, email, phone, user_id, is_second_record)
    select (select (max(x.code::bigint) + 1)::text from students x where x.code ~ '^[0-9]+$'), s.name, s.name_local, p.faculty_id, p.id, p.bylaw_id,
      ${demo.current_terms.current_term}::int, 1, s.gender, s.birth_date, s.nationality_id, s.national_id, s.passport_number, s.email, s.phone,
      s.user_id, true
    from (select * from students where faculty_id = 1 and status = 'studying' and user_id is not null and id > 120 and id % 40 = 7
        and removed_at is null and blocked_at is null order by id limit 1) s,
      (select * from programs where faculty_id = 2 and removed_at is null order by id limit 1) p`.execute(tx)
  },
)
