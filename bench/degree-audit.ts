import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { toHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { requiredBy, withFacts } from '#areas/records/degree-audit/audits/required.server.ts'
import { fillTerm } from './finish.ts'
import { memoryOf } from './measure.ts'
import { most } from './report.ts'
import type { Line, Result } from './report.ts'
import type { Bench } from './setup.ts'

const STUDENTS = 20_000
const COURSES = 20

/** One student with 60 courses against each program of the demo, and a faculty of 20,000 students as a job. */
export async function degreeAudit(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_degree_audit', 4)
  const lines: Line[] = []
  const { rows: courses } = await sql<{ id: number; credit_hours: number }>`
    select id, credit_hours::float8 as credit_hours from courses where removed_at is null order by id limit 60`.execute(
    db,
  )
  for (const program of bench.demo.programs.slice(0, 3)) {
    const required = await requiredBy(db, { program_id: program.id, courses: 'all' })
    const student = {
      courses: courses.map((course, i) =>
        withFacts(required, {
          course_id: course.id,
          credit_hours: toHundredths(course.credit_hours),
          state: i % 9 === 8 ? ('in_progress' as const) : ('passed' as const),
          equal_ids: [],
          points: 170 + ((i * 37) % 230),
          counts_in_gpa: true,
          semester: 1 + Math.floor(i / 8),
        }),
      ),
      gpa: 260,
      training_weeks: 0,
      exceptions: [],
    }
    const times = 200
    const once = () => required.auditor.evaluator.audit(student)
    for (let i = 0; i < 20; i++) once()
    const before = process.cpuUsage()
    for (let i = 0; i < times; i++) once()
    const { user, system } = process.cpuUsage(before)
    lines.push(
      most(`one student, ${courses.length} courses, ${program.code}: CPU`, (user + system) / 1000 / times, 10, 'ms'),
    )
  }

  const { first } = await fillTerm(bench, db, STUDENTS, COURSES)
  const faculty_id = bench.demo.programs[0]!.faculty_id
  const head = 'root@canopus.example.edu'
  const server = await bench.server(url)
  const token = await bench.signIn(pool, head)
  const held = memoryOf(server.pid)
  const started = performance.now()
  const { job_id, data } = JSON.parse(await server.send(token, 'POST', '/degree-audits', { faculty_id })) as {
    job_id: string
    data: { id: number }
  }
  let top = held
  let steps = new Set<number>()
  for (let state = 'queued'; state !== 'done';) {
    await sleep(100)
    top = Math.max(top, memoryOf(server.pid))
    const job = (
      JSON.parse(await server.send(token, 'GET', `/jobs/${job_id}`)) as { data: { state: string; progress: number } }
    ).data
    state = job.state
    steps = steps.add(job.progress)
    if (state === 'failed' || state === 'cancelled') throw new Error(`the audit ended ${state}`)
  }
  const seconds = (performance.now() - started) / 1000
  const { rows } = await pool.query<{ students: number }>(
    'select count(*)::int as students from degree_audit_results where run_id = $1',
    [data.id],
  )
  const { students } = rows[0]!
  if (students < STUDENTS - first) throw new Error(`only ${students} were audited`)
  const begun = performance.now()
  await pool.query(
    `select r.student_id, r.course_id, r.credit_hours, r.points, r.passed from registrations r join students s on s.id = r.student_id
     where s.faculty_id = $1 order by 1, 2`,
    [faculty_id],
  )
  const bare = (performance.now() - begun) / 1000
  await server.stop()
  lines.push(
    most(`${students.toLocaleString('en')} students of a faculty as a job`, seconds, 60, 's'),
    { what: 'against reading their courses by bare SQL', value: `${(seconds / bare).toFixed(1)} times` },
    { what: 'states of progress that were told', value: String(steps.size) },
    { what: 'memory of the server', value: `${Math.round(top)} MB, ${Math.round(top - held)} above before` },
  )
  return { name: 'degree-audit', title: 'degree audit', lines }
}
