/** What a course is called where it is printed: in what was approved as it was called then, elsewhere as it is called now. */

/**
 * Text of SQL that joins the course of an offering as `alias`, with the words of the approval where there is one. Its
 * `search_text` finds it by what it was called and by what it is called now. Whatever shows results, records, or offerings of
 * the past joins courses by this alone.
 *
 * @param course SQL of the number of the course
 * @param offering SQL of the number of the offering
 */
export const joinCourse = (course: string, offering: string, alias = 'c'): string =>
  `join lateral (select k.id, coalesce(w.code, k.code) as code, coalesce(w.name, k.name) as name,
      coalesce(w.name_local, k.name_local) as name_local, coalesce(w.credit_hours, k.credit_hours) as credit_hours, k.grade_kind,
      case when w.offering_id is null then k.search_text else k.search_text || ' ' || w.search_text end as search_text
    from courses k left join offering_words w on w.offering_id = ${offering} where k.id = ${course}) ${alias} on true`

/** Text of SQL: one word of the course of an offering, where a subquery of its own is cheaper. */
export const courseWord = (
  word: 'code' | 'name' | 'name_local' | 'search_text',
  course: string,
  offering: string,
): string => `(select cw.${word} from (select 1) one ${joinCourse(course, offering, 'cw')})`

/** The same for the lookup of a course in rows `t` of a resource. */
export const courseCalled = (offering: string) => ({
  name: courseWord('name', 't.course_id', offering),
  name_local: courseWord('name_local', 't.course_id', offering),
  code: courseWord('code', 't.course_id', offering),
})
