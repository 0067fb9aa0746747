import { sql } from 'kysely'
import { demoPart } from '#demo/part.ts'

/**
 * Somebody who was entered twice: the second record has another telephone, neither nationality nor number of an identity card, and no
 * registrations. And an instructor who was added again under another code.
 */
export default demoPart(
  [],
  ['students', 'instructors', 'registrations', 'users', 'internal_transfers', 'external_transfers', 'transfers_out'],
  async (tx) => {
    await sql`
    insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, entry_term_id, level, gender, birth_date,
      phone, address)
    select 'D' || s.code, s.name, s.name_local, s.faculty_id, s.program_id, s.bylaw_id, s.entry_term_id, 1, s.gender, s.birth_date,
      '01012345678', s.address
    from students s where s.id = (select min(x.id) from students x where x.id >= 12 and x.status = 'studying'
      and not exists (select from course_credits k where k.student_id = x.id) and not exists (select from internal_transfers k where k.student_id = x.id)
      and not exists (select from external_transfers k where k.student_id = x.id) and not exists (select from transfers_out k where k.student_id = x.id))`.execute(
      tx,
    )
    // Two of one name, who were both here with their papers.
    await sql`
    insert into not_doubles (kind, one_id, other_id, reason, marked_by)
    select 'student', min(id), max(id), 'توأمان حضرا معًا بشهادتي الميلاد', (select min(id) from users where type = 2)
    from (select id from students where status = 'studying' and removed_at is null and code not like 'D%' order by id limit 2) s`.execute(
      tx,
    )
    await sql`
    insert into instructors (code, name, name_local, faculty_id, department_id, academic_title, national_id)
    select 'D' || i.code, i.name, i.name_local, i.faculty_id, i.department_id, i.academic_title, '27501010100152'
    from instructors i where i.id = 9`.execute(tx)
  },
)
