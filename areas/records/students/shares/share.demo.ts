import { sql } from 'kysely'
import { demoPart } from '#demo/part.ts'

/** Some students let a parent see parts of their study; one of them has ended it. */
export default demoPart(['record_shares'], ['students'], async (tx) => {
  await sql`insert into record_shares (student_id, name, email, language, parts, last_day, ended_at, ended_why)
    select s.id, 'والدتي', 'parent' || s.id || '@mail.example', 'ar',
      case s.id % 3 when 0 then array['timetable'] when 1 then array['timetable', 'grades'] else array['registration', 'grades'] end,
      university_today() + 90, case when s.id % 120 = 1 then now() end, case when s.id % 120 = 1 then 'student' end
    from students s where s.id % 40 = 1 and s.status = 'studying' and s.blocked_at is null and s.removed_at is null order by s.id`.execute(
    tx,
  )
})
