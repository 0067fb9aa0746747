/** What a move into or out of a study by marks does to the level in which a student is, and to the year. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { entryInto } from '../equivalence/entry.rules.ts'
import { targetOf } from '../equivalence/target.server.ts'

/** SQL: years `v` of the student that run in the term, or come after it, and are not decided; `y` is the student's year. */
const OPEN_YEAR = (term_id: number) => sql`y.year_id = v.id
  and v.end_date >= (select start_date from terms where id = ${term_id}::int)
  and not exists (select from level_result_students l where l.student_year_id = y.id and l.applied)`

/**
 * The student has moved into a program. By marks he or she is in the level that the credited courses open, for the year that
 * runs, without GPA and warnings. By credit hours the year of a level that runs is over with it.
 * @returns whether the program works by marks: then there are no terms to compute
 */
export async function enterProgram(
  tx: Tx,
  { student_id, program_id, term_id }: { student_id: number; program_id: number; term_id: number },
): Promise<boolean> {
  const { plan, bylaw } = await targetOf(tx, { kind: 'internal', student_id: null, program_id })
  if (!bylaw.marks) {
    await sql`delete from student_years y using years v where y.student_id = ${student_id} and ${OPEN_YEAR(term_id)}`.execute(
      tx,
    )
    return false
  }
  const { rows } = await sql<{ course_id: number }>`
    select course_id from course_credits where student_id = ${student_id} and former_study_id is null`.execute(tx)
  const { level, carried } = entryInto(plan, bylaw.marks, new Set(rows.map((row) => row.course_id)))
  await sql`update students s set gpa = null, warnings = 0, level = ${level}, passed_hours = k.hours,
      entry_standing = jsonb_build_object('gpa', null, 'passed_hours', k.hours, 'warnings', 0, 'level', ${level}::int,
        'after_term_id', s.study_after_term_id)
    from (select coalesce(sum(credit_hours), 0) as hours from course_credits where student_id = ${student_id} and former_study_id is null) k
    where s.id = ${student_id}`.execute(tx)
  const enrolment = carried.length ? 'carried' : 'new'
  const { rows: moved } = await sql`
    update student_years y set bylaw_id = ${bylaw.id}, program_id = ${program_id}, level = ${level}, enrolment = ${enrolment}
    from years v where y.student_id = ${student_id} and ${OPEN_YEAR(term_id)} returning y.id`.execute(tx)
  if (!moved.length)
    await sql`insert into student_years (student_id, year_id, bylaw_id, program_id, level, enrolment)
      select ${student_id}, t.year_id, ${bylaw.id}, ${program_id}, ${level}, ${enrolment} from terms t where t.id = ${term_id}
      on conflict do nothing`.execute(tx)
  return true
}

/** SQL: the last year of the student `s` in a level that is over is not decided. */
export const LEVEL_OPEN = (term_id: ReturnType<typeof sql>) => sql`coalesce((
  select y.chances_used = 1 and not exists (select from level_result_students l where l.student_year_id = y.id and l.applied)
  from student_years y join years v on v.id = y.year_id
  where y.student_id = s.id and y.bylaw_id = s.bylaw_id and v.end_date < (select start_date from terms where id = ${term_id})
  order by v.start_date desc limit 1), false)`
