/** The degree of who passed the final level: rating over the levels that count, honours or why not. */
import { sql } from 'kysely'
import { divideRounded, printHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { listedMains, maskOf } from '#areas/records/grading/grades/grades.rules.ts'
import type { Tx } from '#db/connect.ts'
import type { GatheredLevel, LevelKey, Regulation } from './gather.server.ts'
import { degreeResult, type PassedLevel } from './rating.rules.ts'
import type { StudentResult } from './result.rules.ts'

/** A degree as it is kept with a result. */
export interface Degree {
  readonly rating: string | null
  readonly marks: string
  readonly maximum: string
  /** In hundredths of a percent as a decimal text. */
  readonly share: string
  readonly honours: boolean
  readonly problems: readonly { readonly code: string; readonly data: Readonly<Record<string, unknown>> }[]
}

/** The degrees of students who have passed everything, with the grace marks that this result gives. */
export async function degreesOf(
  tx: Tx,
  { level, year_id }: LevelKey,
  worked: readonly { readonly one: GatheredLevel; readonly result: StudentResult }[],
  { rules }: Regulation,
): Promise<Map<number, Degree>> {
  if (!worked.length) return new Map()
  const { rows } = await sql<{ student_id: number; level: number; marks: number; maximum: number; failed: string[] }>`
    with tried as (
      select r.student_id, pc.level, r.course_id, c.code, r.passed, r.status,
        (coalesce(r.total, 0) * 100)::int + coalesce((g.marks * 100)::int, 0) as mark,
        coalesce(r.maximum, pc.max_mark, c.max_mark) * 100 as maximum, t.start_date, r.id, g.registration_id is not null as lifted
      from registrations r join students s on s.id = r.student_id join terms t on t.id = r.term_id
        and t.start_date <= (select end_date from years where id = ${year_id})
      join courses c on c.id = r.course_id join program_courses pc on pc.program_id = s.program_id and pc.course_id = r.course_id
      left join grace_marks g on g.registration_id = r.id
      where r.student_id = any(${worked.map(({ one }) => one.student_id)}::int[]) and r.status & ${sql.raw(maskOf(listedMains))} <> 0
        and term_after(r.term_id, s.study_after_term_id)),
    counted as (
      select * from (select distinct on (student_id, course_id) student_id, level, mark, maximum from tried
        order by student_id, course_id, passed desc nulls last, start_date desc, id desc) own
      union all
      -- What a transfer credited with a mark.
      select k.student_id, pc.level, (k.mark * 100)::int, k.maximum * 100 from course_credits k join students s on s.id = k.student_id
      join program_courses pc on pc.program_id = s.program_id and pc.course_id = k.course_id
      where k.student_id = any(${worked.map(({ one }) => one.student_id)}::int[]) and k.former_study_id is null and k.mark is not null),
    failed as (
      select student_id, level, array_agg(distinct code order by code) as codes from tried
      where passed = false or lifted group by 1, 2),
    extra as (
      select l.student_id, y.level, sum(l.grace_on_sum * 100)::int as marks from level_result_students l
      join student_years y on y.id = l.student_year_id where l.applied and l.student_id = any(${worked.map(({ one }) => one.student_id)}::int[])
      group by 1, 2)
    select c.student_id, c.level, (sum(c.mark) + coalesce(max(e.marks), 0))::int as marks, sum(c.maximum)::int as maximum,
      coalesce(max(f.codes), '{}') as failed
    from counted c left join failed f using (student_id, level) left join extra e using (student_id, level)
    group by c.student_id, c.level order by 1, 2`.execute(tx)
  const levels = Map.groupBy(rows, (row) => row.student_id)
  return new Map(
    worked.map(({ one, result: { grace } }) => {
      const lifted = new Map(grace.courses.map((lift) => [lift.course_id, lift.marks]))
      const earlier = (levels.get(one.student_id) ?? []).map((row): PassedLevel => {
        const added = one.courses.reduce(
          (sum, course) => sum + (course.level === row.level ? (lifted.get(course.course_id) ?? 0) : 0),
          row.level === level ? grace.sum : 0,
        )
        return { ...row, marks: row.marks + added }
      })
      const degree = degreeResult(earlier, {
        named: rules.levels.filter((row) => row.counts_for_graduation).map((row) => row.level),
        scale: rules.ratings,
        honours: rules.honours_rating,
      })
      return [
        one.student_id,
        {
          rating: degree.rating,
          marks: printHundredths(degree.marks),
          maximum: printHundredths(degree.maximum),
          share: printHundredths(degree.maximum ? divideRounded(degree.marks * 10_000, degree.maximum) : 0),
          honours: degree.honours,
          problems: degree.problems,
        },
      ]
    }),
  )
}
