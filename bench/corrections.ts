import { sql } from 'kysely'
import { computeRegistrationGrades } from '#areas/records/grading/grades/compute.server.ts'
import { actOn } from '#areas/records/grading/guard.server.ts'
import type { Bench } from './setup.ts'
import { cpu } from './measure.ts'
import { most } from './report.ts'
import type { Line, Result } from './report.ts'
import { generateStudents } from './students.ts'

interface Took {
  readonly seconds: number
  /** Milliseconds of CPU of the program and of the database. */
  readonly server: number
  readonly database: number
}
/** As many students at most in one class; the marks of a class are corrected in one call. */
const CLASS = 200
/** Courses of each student in the term that runs. */
const RUNNING = 5

/**
 * Marks of a past term corrected class by class, as a job does it, each class in a transaction with its results: what decisions
 * stand on not looked at, then looked at without a decision, then with five upon each: a level, a scholarship, a
 * transcript, a credited course (as far as they are kept) and a running course that asks for the one that is corrected.
 */
export async function corrections(bench: Bench): Promise<Result> {
  const count = Number(process.env.BENCH_CORRECTIONS ?? 10_000)
  const { pool, db } = await bench.database('bench_corrections', 4)
  const { rows: last } = await sql<{ id: number }>`select max(id) as id from students`.execute(db)
  const first = await generateStudents(db, bench.demo, last[0]!.id + count, { byHours: true })
  const past = bench.demo.terms.find((one) => one.state === 'control')!.id
  const current = bench.demo.terms.find((one) => one.state === 'current')!.id
  // Courses of their own, with the scheme of one mark and nothing to ask for.
  const { rows: made } = await sql<{
    id: number
  }>`insert into courses (code, name, name_local, faculty_id, credit_hours)
    select 'BENCH' || n, 'Bench ' || n, 'مقرر', (select min(id) from faculties), 3 from generate_series(0, ${RUNNING}::int) n
    returning id`.execute(db)
  const [corrected, asking] = made.map((one) => one.id)
  await sql`update courses set prerequisites = ${JSON.stringify({ course: corrected })}::jsonb where id = ${asking}`.execute(
    db,
  )
  const classes = Math.ceil(count / CLASS)
  const offer = (term: number, course: number, many: number) =>
    sql`
    insert into offerings (term_id, course_id, code, is_open) select ${term}::int, ${course}::int, 'bench' || n, false
    from generate_series(1, ${many}::int) n`.execute(db)
  await offer(past, corrected!, classes)
  for (const { id } of made.slice(1)) await offer(current, id, 1)
  await sql`insert into offering_marks (offering_id, mark_category_id, max, position)
    select o.id, k.id, 100, 0 from offerings o cross join lateral (select id from mark_categories where is_final_exam limit 1) k
    where o.code like 'bench%'`.execute(db)
  await sql`update students set entry_term_id = ${bench.demo.terms[0]!.id} where id >= ${first}`.execute(db)
  await sql`with o as (select id, row_number() over (order by id) - 1 as n from offerings where code like 'bench%' and term_id = ${past})
    insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours, total, letter, points, passed,
      counts_in_gpa, counts_in_attempted_hours)
    select s.id, o.id, ${past}, ${corrected}, 262144 + 16, 3, 80, 'B', 3.0, true, true, true
    from students s join o on o.n = (s.id - ${first}) / ${CLASS} where s.id >= ${first}`.execute(db)
  await sql`insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours)
    select s.id, o.id, o.term_id, o.course_id, 262144 + 16, 3 from students s
    join offerings o on o.code like 'bench%' and o.term_id = ${current} where s.id >= ${first}`.execute(db)
  await sql`insert into registration_marks (registration_id, offering_mark_id, mark)
    select r.id, m.id, 80 from registrations r join offering_marks m on m.offering_id = r.offering_id where r.course_id = ${corrected}`.execute(
    db,
  )
  await sql`update offerings set control_status = 'Published' where code like 'bench%' and term_id = ${past}`.execute(
    db,
  )
  await sql`analyze`.execute(db)
  const { rows: found } = await sql<{ ids: number[] }>`select array_agg(id order by id) as ids from registrations
    where course_id = ${corrected!} group by offering_id order by offering_id`.execute(db)

  /** Every mark becomes this one, class by class. */
  async function correct(mark: number): Promise<Took> {
    const before = cpu(process.pid, bench.postmaster)
    const started = performance.now()
    for (const { ids } of found)
      await db.transaction().execute(async (tx) => {
        await actOn(tx, 'correction')
        await sql`update registration_marks set mark = ${mark} where registration_id = any(${ids}::int[])`.execute(tx)
        await computeRegistrationGrades(tx, ids)
      })
    const seconds = (performance.now() - started) / 1000
    const after = cpu(process.pid, bench.postmaster)
    const { rows: done } = await pool.query<{ n: number }>(
      'select count(*)::int as n from registrations where course_id = $1 and total = $2',
      [corrected, mark],
    )
    if (done[0]!.n !== count) throw new Error(`${done[0]!.n} of ${count} marks were corrected`)
    return { seconds, server: after.server - before.server, database: after.database - before.database }
  }
  const looks = async (on: boolean): Promise<void> => {
    const { rows } = await pool.query<{ source: string }>(
      `select pg_get_functiondef('results_changed(integer[], jsonb[])'::regprocedure) as source`,
    )
    whole ??= rows[0]!.source
    await pool.query(
      on
        ? whole
        : `create or replace function results_changed(ids integer[], was jsonb[]) returns void language plpgsql as 'begin end'`,
    )
  }
  let whole: string | undefined
  await correct(79)
  await looks(false)
  const off = await correct(78)
  await looks(true)
  const none = await correct(80)
  for (const [kind, fact] of [
    ['level_result', 'approved'],
    ['scholarship', 'result'],
    ['paper_student', 'result'],
    ['credit', 'result'],
  ])
    await pool.query(
      `select keep_basis($1, array_agg(-r.id), jsonb_agg(jsonb_build_object('decision_id', -r.id, 'fact', $2::text, 'fact_id', r.id)))
       from registrations r where r.course_id = $3`,
      [kind, fact, corrected],
    )
  await sql`analyze`.execute(db)
  const five = await correct(20)
  const { rows: told } = await pool.query<{ kind: string; n: number }>(
    `select kind, count(*)::int as n from decision_facts where now is not null group by 1 order by 1`,
  )
  const outdated = told.filter(({ n }) => n >= count).map((one) => one.kind)
  if (outdated.length !== 5) throw new Error(`outdated: ${JSON.stringify(told)}`)
  const back = await correct(80)
  const line = (what: string, one: Took): Line => ({
    what,
    value: `${one.seconds.toFixed(1)} s; CPU of server and database ${(one.server / 1000).toFixed(1)} and ${(one.database / 1000).toFixed(1)} s`,
  })
  const more = (one: Took): number => (one.server + one.database - off.server - off.database) / 1000
  return {
    name: 'corrections',
    title: `${count.toLocaleString('en')} marks are corrected, ${RUNNING} courses of each student run`,
    lines: [
      line('nothing looks at what decisions stand on', off),
      line('looked at, no decision', none),
      line('five decisions upon each become outdated', five),
      line('and are right again', back),
      most('more than without, five decisions', five.seconds - off.seconds, (60 * count) / 10_000, 's'),
      most('the same by CPU', more(five), (60 * count) / 10_000, 's'),
      most('more than without, right again, by CPU', more(back), (60 * count) / 10_000, 's'),
    ],
  }
}
