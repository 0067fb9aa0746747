import { sql } from 'kysely'
import type { Bench } from './setup.ts'
import { most } from './report.ts'
import type { Result } from './report.ts'
import { generateStudents } from './students.ts'

const STUDENTS = 5000
const COURSES = 12

/**
 * The result of a level of 5,000 students with twelve courses each, with grace marks: worked out and kept as a preview.
 * Beside it the same rows read by bare SQL: every registration of the year with its final exam.
 */
export async function levelPreview(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_levels', 4)
  const { rows: last } = await sql<{ id: number }>`select max(id) as id from students`.execute(db)
  const first = last[0]!.id
  await generateStudents(db, bench.demo, STUDENTS + first)
  const { rows: found } = await sql<{ bylaw_id: number; program_id: number; year_id: number; term_id: number }>`
    select b.id as bylaw_id, p.id as program_id, g.year_id, (select min(id) from terms where year_id = g.year_id) as term_id
    from bylaws b join programs p on p.bylaw_id = b.id join grace_rules g on g.bylaw_id = b.id
    where b.program_type in ('term', 'annual') order by g.year_id desc limit 1`.execute(db)
  const { bylaw_id, program_id, year_id, term_id } = found[0]!
  await sql`delete from student_years where year_id = ${year_id}`.execute(db)
  await sql`update students set bylaw_id = ${bylaw_id}, program_id = ${program_id},
    faculty_id = (select faculty_id from programs where id = ${program_id}) where id > ${first}`.execute(db)
  await sql`insert into student_years (student_id, year_id, bylaw_id, program_id, level, enrolment)
    select id, ${year_id}, ${bylaw_id}, ${program_id}, 1, 'new' from students where id > ${first} limit ${STUDENTS}`.execute(
    db,
  )
  // Twelve courses that everybody has sat, with marks around the pass.
  await sql`delete from program_courses where program_id = ${program_id}`.execute(db)
  await sql`insert into program_courses (program_id, course_id, level, semester, kind)
    select ${program_id}, id, 1, 1, 'mandatory' from courses order by id limit ${COURSES}`.execute(db)
  await sql`insert into offerings (term_id, course_id, code, is_open)
    select ${term_id}, course_id, 'bench', false from program_courses where program_id = ${program_id}`.execute(db)
  await sql`insert into offering_marks (offering_id, mark_category_id, max, position)
    select o.id, k.id, 100, 0 from offerings o cross join lateral (select id from mark_categories where is_final_exam limit 1) k
    where o.code = 'bench'`.execute(db)
  await sql`insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours, total, maximum, letter, passed,
      counts_in_gpa, counts_in_attempted_hours)
    select y.student_id, o.id, o.term_id, o.course_id, 262144 + 16, 3, n.total, 100, case when n.total >= 50 then 'P' else 'W' end, n.total >= 50, true, true
    from student_years y cross join offerings o
    cross join lateral (select 44 + (y.student_id * 7 + o.id * 13) % 40 as total) n
    where y.year_id = ${year_id} and o.code = 'bench'`.execute(db)
  await sql`insert into registration_marks (registration_id, offering_mark_id, mark)
    select r.id, m.id, r.total from registrations r join offerings o on o.id = r.offering_id and o.code = 'bench'
    join offering_marks m on m.offering_id = o.id`.execute(db)
  await sql`update offerings set control_status = 'Published' where code = 'bench'`.execute(db)
  await sql`analyze`.execute(db)
  const head = 'control.head@canopus.example.edu'
  await pool.query(
    `update role_assignments set scope_type = null, scope_id = null
     where user_id = (select id from users where email = $1) and scope_type is not null`,
    [head],
  )
  const server = await bench.server(url)
  const token = await bench.signIn(pool, head)
  const took: number[] = []
  let students = 0
  for (let i = 0; i < 3; i++) {
    const started = performance.now()
    const answer = JSON.parse(
      await server.send(token, 'POST', '/control/levels/preview', { bylaw_id, year_id, level: 1 }),
    ) as { data?: { students: number } }
    took.push((performance.now() - started) / 1000)
    students = answer.data?.students ?? 0
  }
  if (students !== STUDENTS) throw new Error(`${students} of ${STUDENTS} were worked out`)
  const begun = performance.now()
  await pool.query(
    `select r.student_id, r.course_id, r.total, r.passed, m.mark from registrations r join offerings o on o.id = r.offering_id
     join registration_marks m on m.registration_id = r.id where o.code = 'bench' order by 1, 2`,
  )
  const bare = (performance.now() - begun) / 1000
  const { rows: grace } = await pool.query<{ turned: number }>(
    'select count(*) filter (where grace > 0)::int as turned from level_result_students where level_result_id = (select max(id) from level_results)',
  )
  await server.stop()
  const best = Math.min(...took)
  return {
    name: 'levels',
    title: `the result of a level is worked out, ${STUDENTS.toLocaleString('en')} students, ${COURSES} courses each`,
    lines: [
      most('grace marks of a level: preview', best, 10, 's'),
      { what: 'against reading its marks by bare SQL', value: `${(best / bare).toFixed(1)} times` },
      { what: 'with grace marks', value: grace[0]!.turned.toLocaleString('en') },
    ],
  }
}
