import { demoPart } from '#demo/part.ts'
import { sql } from 'kysely'

/** Final exams whose questions are known: in several faculties, all of it entered, part of it, and none yet. */
const EXAMS = 12

export default demoPart(
  ['assessment_questions', 'question_marks'],
  ['specifications', 'registration_marks'],
  async (tx) => {
    await sql`create temporary table demo_exams on commit drop as
      select e.id, e.max, row_number() over (order by e.place, e.faculty_id, e.id)::int as n, e.codes from (
        select m.id, m.max, o.faculty_id, row_number() over (partition by o.faculty_id 
            order by exists (select from registration_marks r where r.offering_mark_id = m.id) desc, o.id)::int as place,
          array(select u.code from specification_outcomes u where u.specification_id = s.id order by u.position limit 4) as codes
        from offering_marks m join mark_categories k on k.id = m.mark_category_id and k.is_final_exam
          join offerings o on o.id = m.offering_id and o.removed_at is null and o.control_status <> 'Frozen' and not names_are_closed(o.id)
          join terms w on w.id = o.term_id
          join specifications s on s.id = specification_in_force(o.course_id, null, w.year_id) and s.status = 'approved'
        where m.max = trunc(m.max) and exists (select from specification_outcomes u where u.specification_id = s.id)) e
      where e.place <= 3 order by 3 limit ${EXAMS}`.execute(tx)
    await sql`insert into assessment_questions (offering_mark_id, position, label, max, outcomes)
      select e.id, k as position, k::text as label, e.max / 4, array[e.codes[1 + (k - 1) % cardinality(e.codes)]]
      from demo_exams e cross join generate_series(1, 4) k order by e.n, position`.execute(tx)
    // Of every third exam nothing is entered yet, of every third but one a question is still to come.
    await sql`insert into question_marks (registration_id, question_id, mark)
      select p.registration_id, q.id, case q.position when 1 then p.quarter + p.more when 2 then p.quarter - p.more when 3 then p.quarter
          else p.mark - 3 * p.quarter end
      from (select m.registration_id, e.id, e.n, m.mark, trunc(m.mark / 4, 2) as quarter,
          trunc(least(m.mark / 4, e.max / 4 - m.mark / 4) * (0.3 + 0.1 * (m.registration_id % 4)), 2) as more
        from demo_exams e join registration_marks m on m.offering_mark_id = e.id and m.mark is not null
        where e.n % 3 > 0) p
        join assessment_questions q on q.offering_mark_id = p.id and (p.n % 3 = 1 or q.position < 4)`.execute(tx)
  },
)
