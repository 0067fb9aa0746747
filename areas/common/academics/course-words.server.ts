/** What a course is called where it is printed: in what was approved as it was called then, elsewhere as it is called now. */

import { refText } from '#kit/server/base/sql.ts'

/**
 * Text of SQL that joins the course of an offering as `alias`, with the words of the approval where there is one. Its
 * `search_text` finds it by what it was called and by what it is called now. Whatever shows results, records, or offerings of
 * the past joins courses by this alone.
 *
 * @param course SQL of the number of the course
 * @param offering SQL of the number of the offering
 */
export const joinCourse = (course: string, offering: string, alias = 'c'): string =>
  `join lateral (select the_course.id, coalesce(its_words.code, the_course.code) as code, coalesce(its_words.name, the_course.name) as name,
      coalesce(its_words.name_local, the_course.name_local) as name_local,
      coalesce(its_words.credit_hours, the_course.credit_hours) as credit_hours, the_course.grade_kind, the_course.description,
      the_course.lecture_hours, the_course.tutorial_hours, the_course.laboratory_hours, the_course.clinical_hours,
      case when its_words.offering_id is null then the_course.search_text else the_course.search_text || ' ' || its_words.search_text end as search_text
    from courses the_course left join offering_words its_words on its_words.offering_id = ${offering}
    where the_course.id = ${course}) ${alias} on true`

/** Text of SQL: one word of the course of an offering, where a subquery of its own is cheaper. */
export const courseWord = (
  word: 'code' | 'name' | 'name_local' | 'search_text',
  course: string,
  offering: string,
): string => `(select cw.${word} from (select) one ${joinCourse(course, offering, 'cw')})`

/** The lookup of a course in rows `t` of a resource, as an object. */
export const courseCalled = (offering: string): string =>
  `(select ${refText('cw')} from (select) one ${joinCourse('t.course_id', offering, 'cw')})`
