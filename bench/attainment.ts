import { sql } from 'kysely'
import { attainmentFigures } from '#areas/quality/specifications/attainment/attainment.server.ts'
import { firstRow } from '#db/rows.ts'
import { most, type Result } from './report.ts'
import type { Bench } from './setup.ts'

const COURSES = 40
const YEARS = 5
/** Offerings of a course in a year, students of each. */
const OFFERINGS = 2
const STUDENTS = 40

/** A program over five years: 400 offerings of 40 courses, 40 students in each, marks in every part of the scheme. */
export async function attainment(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_attainment', 4)
  const { rows } = await sql<{ id: number }>`select p.id from programs p join program_courses c on c.program_id = p.id
    where p.removed_at is null group by p.id having count(*) >= ${COURSES} order by p.id limit 1`.execute(db)
  const program = firstRow(rows).id
  const specification = await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`create temporary table bench_years on commit drop as
      with made as (insert into years (code, name, name_local, start_date, end_date)
        select 'BY' || n, 'Bench ' || n, 'Bench ' || n, university_today() - 366 * n, university_today() - 366 * n + 360
        from generate_series(${YEARS}::int, 1, -1) n returning id, start_date),
      term as (insert into terms (year_id, code, name, name_local, term_type, start_date, end_date)
        select id, 'BT' || id, 'Bench', 'Bench', 'fall', start_date, start_date + 120 from made returning id, year_id)
      select m.id, t.id as term_id, row_number() over (order by m.start_date) as n from made m join term t on t.year_id = m.id`.execute(
      tx,
    )
    // The years of the demo are later than these: what is measured are the last five.
    await sql`update years set removed_at = now() where id not in (select id from bench_years)`.execute(tx)
    // So are its specifications, which would be in force in the later ones.
    await sql`update specifications set removed_at = now()`.execute(tx)
    await sql`create temporary table bench_courses on commit drop as
      select course_id from program_courses where program_id = ${program} order by course_id limit ${COURSES}`.execute(
      tx,
    )
    await sql`insert into specifications (course_id, year_id, revision, status, approved_on)
      select course_id, (select id from bench_years where n = 1), 1, 'approved', university_today() from bench_courses`.execute(
      tx,
    )
    const { rows: made } = await sql<{
      id: number
    }>`insert into specifications (program_id, year_id, revision, status, approved_on)
      select ${program}, id, 1, 'approved', university_today() from bench_years where n = 1 returning id`.execute(tx)
    const of_program = firstRow(made).id
    await sql`insert into specification_outcomes (specification_id, position, code, domain, level, text, text_local)
      select s.id, k, 'O' || k, 'skills', 3, 'Outcome ' || k, 'ناتج' from specifications s cross join generate_series(1, 6) k
      where s.year_id = (select id from bench_years where n = 1)`.execute(tx)
    await sql`insert into specification_assessments (specification_id, position, text, text_local, weight, mark_category_id)
      select s.id, k.n, 'Part ' || k.n, 'بند', 33, k.id from specifications s
        cross join (select id, row_number() over (order by id) as n from mark_categories order by id limit 3) k
      where s.year_id = (select id from bench_years where n = 1) and s.course_id is not null`.execute(tx)
    await sql`insert into outcome_assessments (specification_id, outcome_id, assessment_id)
      select o.specification_id, o.id, a.id from specification_outcomes o join specification_assessments a on a.specification_id = o.specification_id
        join specifications s on s.id = o.specification_id and s.year_id = (select id from bench_years where n = 1)
      where (o.position + a.position) % 3 > 0`.execute(tx)
    await sql`insert into outcome_contributions (specification_id, outcome_id, program_id, code)
      select o.specification_id, o.id, ${program}, o.code from specification_outcomes o join specifications s on s.id = o.specification_id
      where s.year_id = (select id from bench_years where n = 1) and s.course_id is not null`.execute(tx)
    await sql`insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, level, entry_term_id)
      select 'BENCH' || n, 'Student ' || n, 'طالب', p.faculty_id, p.id, p.bylaw_id, 1, (select term_id from bench_years where n = 1)
      from programs p cross join generate_series(1, ${OFFERINGS * STUDENTS}::int) n where p.id = ${program}`.execute(tx)
    await sql`insert into offerings (term_id, course_id, code, control_status)
      select y.term_id, c.course_id, 'B' || k, 'Published' from bench_years y cross join bench_courses c
        cross join generate_series(1, ${OFFERINGS}::int) k`.execute(tx)
    await sql`insert into offering_marks (offering_id, mark_category_id, max, position)
      select o.id, k.id, 33, k.n from offerings o cross join (select id, row_number() over (order by id) as n from mark_categories order by id limit 3) k
      where o.term_id in (select term_id from bench_years)`.execute(tx)
    await sql`insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours, total, letter, points, passed)
      select s.id, o.id, o.term_id, o.course_id, 262144 + 16, 3, 70, 'C', 2, true from offerings o
        join (select id, row_number() over (order by id) - 1 as n from students where code like 'BENCH%') s
          on s.n / ${STUDENTS}::int = right(o.code, 1)::int - 1
      where o.term_id in (select term_id from bench_years)`.execute(tx)
    await sql`insert into registration_marks (registration_id, offering_mark_id, mark)
      select r.id, m.id, (r.id * 7 + m.id * 3) % 34 from registrations r join offering_marks m on m.offering_id = r.offering_id
      where r.term_id in (select term_id from bench_years)`.execute(tx)
    // Of one part in three the marks by question are known, and sum to it.
    await sql`insert into assessment_questions (offering_mark_id, position, label, max, outcomes)
      select m.id, k, k::text, 11, array['O' || k, 'O' || k + 3] from offering_marks m join offerings o on o.id = m.offering_id
        cross join generate_series(1, 3) k
      where m.position = 3 and o.term_id in (select term_id from bench_years)`.execute(tx)
    await sql`insert into question_marks (registration_id, question_id, mark)
      select m.registration_id, q.id, least(greatest(m.mark - 11 * (q.position - 1), 0), 11) from assessment_questions q
        join registration_marks m on m.offering_mark_id = q.offering_mark_id
        join offering_marks om on om.id = m.offering_mark_id join offerings o on o.id = om.offering_id
      where o.term_id in (select term_id from bench_years)`.execute(tx)
    return of_program
  })
  await sql`analyze`.execute(db)
  const { rows: sizes } = await sql<{
    offerings: number
    marks: number
  }>`select count(distinct o.id)::int as offerings, count(m.*)::int as marks
    from offerings o join registrations r on r.offering_id = o.id join registration_marks m on m.registration_id = r.id
    where o.code in ('B1', 'B2') and o.control_status = 'Published'`.execute(db)
  const { offerings, marks } = firstRow(sizes)
  if (offerings < COURSES * YEARS * OFFERINGS) throw new Error(`only ${offerings} offerings have marks`)
  const { rows: by_question } = await sql<{ n: number }>`select count(*)::int as n from question_marks`.execute(db)
  const { figures } = await attainmentFigures(db, { course_id: null, program_id: program }, null)
  if (figures.length !== 6 * YEARS) throw new Error(`${figures.length} figures, not ${6 * YEARS}`)
  const server = await bench.server(url)
  const token = await bench.signIn(pool, 'root@canopus.example.edu')
  const took: number[] = []
  for (let i = 0; i < 7; i++) {
    const started = performance.now()
    await server.send(token, 'GET', `/specifications/attainment/${specification}`)
    took.push((performance.now() - started) / 1000)
  }
  await server.stop()
  const worst = Math.max(...took.slice(1))
  return {
    name: 'attainment',
    title: `attainment of a program over ${YEARS} years`,
    lines: [
      most(`${offerings} offerings, the slowest of six`, worst, 1, 's'),
      { what: 'marks that were read', value: marks.toLocaleString('en') },
      { what: 'and marks by question', value: firstRow(by_question).n.toLocaleString('en') },
    ],
  }
}
