/** What students have passed, as the conditions of specialisations on courses read it, and where else they have records. */
import { sql, type RawBuilder } from 'kysely'

/** SQL: courses `k` that count as the course of the condition `c`. */
export const COUNTS_AS: RawBuilder<unknown> = sql`join lateral (select c.course_id
  union select q.equal_course_id from course_equals q where q.course_id = c.course_id) k on true`

/**
 * SQL: the registration `r` in the offering `o` is passed for the student `s` under the bylaw `b`, in the study that goes on,
 * with a result that is out: what a student may not know yet decides nothing about him or her.
 */
export const PASSED_HERE: RawBuilder<unknown> = sql`r.passed and term_after(r.term_id, s.study_after_term_id)
  and result_out(o.control_status, b.grades_visibility ->> 'letter', r.status, r.total)`

/** SQL: a result `r` is as good as the condition `c` asks, by the grades of the bylaw of the student `s`. */
export const GOOD_ENOUGH: RawBuilder<unknown> = sql`(c.min_letter is null or r.letter = c.min_letter or r.points >= (
  select max(gr.points) from grade_ranges gr join grade_types gt on gt.id = gr.grade_type_id
  where gt.bylaw_id = s.bylaw_id and gr.letter = c.min_letter))`

/**
 * SQL: conditions on courses that the student `s` under the bylaw `b` meets, by what was passed here and what transfers
 * credited.
 *
 * @param which of the conditions `c`
 */
export const conditionsMet = (which: RawBuilder<unknown> = sql`true`): RawBuilder<unknown> => sql`array(
  select distinct c.id from specialization_courses c ${COUNTS_AS}
    join lateral (
      select r.letter, r.points from registrations r join offerings o on o.id = r.offering_id
      where r.course_id = k.course_id and r.student_id = s.id and ${PASSED_HERE}
      union all
      select x.letter, x.points from course_credits x
      where x.course_id = k.course_id and x.student_id = s.id and x.former_study_id is null) r on true
  where ${which} and ${GOOD_ENOUGH})`

/** SQL: programs in which the person of the student `s` has another record. */
export const programsElsewhere: RawBuilder<unknown> = sql`array(select o.program_id from students o
  where o.user_id = s.user_id and o.id <> s.id and o.removed_at is null)`
