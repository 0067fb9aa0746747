import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Bench } from './setup.ts'
import { cpu } from './measure.ts'
import { most } from './report.ts'
import type { Line, Result } from './report.ts'
import { generateStudents } from './students.ts'

const COURSES = 5

/** The control term with so many students by credit hours, and published results of each. */
export async function fillTerm(
  bench: Bench,
  db: Awaited<ReturnType<Bench['database']>>['db'],
  students: number,
  courses = COURSES,
): Promise<{ term_id: number; first: number }> {
  const term = bench.demo.terms.find((t) => t.state === 'control')!
  const first = await generateStudents(db, bench.demo, students, { byHours: true })
  const control = (status: string) =>
    sql`update offerings set control_status = ${status} where term_id = ${term.id}`.execute(db)
  // Nobody is enrolled into what control holds.
  await control('Draft')
  await sql`delete from registration_slots where registration_id in (select id from registrations where term_id = ${term.id})`.execute(
    db,
  )
  await sql`
    with o as (select id, course_id, row_number() over (order by id) - 1 as n, count(*) over () as total from (
      select distinct on (course_id) id, course_id from offerings where term_id = ${term.id} order by course_id, id) x)
    insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours, total, letter, points, passed,
      counts_in_gpa, counts_in_attempted_hours)
    select s.id, o.id, ${term.id}, o.course_id, 262144 + 16, 3, 80, 'B', 3.0, true, true, true
    from students s cross join generate_series(0, ${courses - 1}::int) k
    join o on o.n = (s.id + k * 7) % o.total
    where s.id >= ${first}
    on conflict do nothing`.execute(db)
  await control('Published')
  // Whoever entered later has nothing to finish in it.
  await sql`update students set entry_term_id = ${bench.demo.terms[0]!.id} where id >= ${first}`.execute(db)
  await sql`analyze`.execute(db)
  return { term_id: term.id, first }
}

/** Finishing a term as the head of control does: one call, followed to its end. */
export async function finishTerm(bench: Bench): Promise<Result> {
  const lines: Line[] = []
  const took: number[] = []
  const worked: number[] = []
  for (const [students, target] of [
    [20_000, 20],
    [100_000, 100],
  ] as const) {
    const { url, pool, db } = await bench.database(`bench_finish_${students}`, 4)
    const { term_id, first } = await fillTerm(bench, db, students)
    // The demo university has a head of control for each faculty; here one finishes for all.
    const head = 'control.head@canopus.example.edu'
    await pool.query(
      `update role_assignments set scope_type = null, scope_id = null
       where user_id = (select id from users where email = $1) and scope_type is not null`,
      [head],
    )
    const server = await bench.server(url)
    const token = await bench.signIn(pool, head)
    const before = cpu(server.pid, bench.postmaster)
    const started = performance.now()
    const answer = JSON.parse(await server.send(token, 'POST', '/control/students/finish', { term_id })) as {
      data?: { job_id?: string | null } | null
      job_id?: string | null
    }
    const job = answer.job_id ?? answer.data?.job_id
    for (let state = job ? 'queued' : 'done'; state !== 'done';) {
      await sleep(100)
      ;({ state } = (JSON.parse(await server.send(token, 'GET', `/jobs/${job}`)) as { data: { state: string } }).data)
      if (state === 'failed' || state === 'cancelled') throw new Error(`finishing ended ${state}`)
    }
    const seconds = (performance.now() - started) / 1000
    const after = cpu(server.pid, bench.postmaster)
    const [ours, theirs] = [(after.server - before.server) / 1000, (after.database - before.database) / 1000]
    worked.push(ours + theirs)
    const { rows } = await pool.query<{ asked: number; finished: number; courses: number }>(
      `select count(*)::int as courses, count(distinct r.student_id)::int as asked,
         (select count(*)::int from student_terms where term_id = $1) as finished
       from registrations r where r.term_id = $1`,
      [term_id],
    )
    const { asked, finished, courses } = rows[0]!
    if (finished < students - first) throw new Error(`only ${finished} of ${asked} are finished`)
    took.push(seconds)
    lines.push(most(`${students.toLocaleString('en')} students`, seconds, target, 's'), {
      what: 'finished',
      value: `${finished.toLocaleString('en')} students, ${courses.toLocaleString('en')} courses`,
    })
    lines.push({ what: 'CPU of server and database', value: `${ours.toFixed(1)} s and ${theirs.toFixed(1)} s` })
    await server.stop()
  }
  lines.push(most('100,000 against 20,000', took[1]! / took[0]!, 6, 'times'))
  // What else the machine does is in the time, and hardly in the work.
  lines.push(most('the same by CPU', worked[1]! / worked[0]!, 6, 'times'))
  return { name: 'finish', title: `a term is finished, ${COURSES} courses a student`, lines }
}
