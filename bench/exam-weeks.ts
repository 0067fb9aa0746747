import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../apps/demo/random.ts'
import { most } from './report.ts'
import type { Result } from './report.ts'
import type { Bench } from './setup.ts'
import { moreStudents } from './students.ts'

/** Days of the exam, the last of them outside its exam week, and slots of a day: 20 in all. */
const DAYS = 5
const SLOTS = [
  ['08:00', '10:00'],
  ['10:30', '12:30'],
  ['13:00', '15:00'],
  ['17:00', '19:00'],
] as const
const SECONDS = 40

/** Who takes which class: the enrolments of a OneRoster folder (`BENCH_TERM`), or a term that is made. */
function enrolments(): readonly (readonly [student: number, course: number])[] {
  const folder = process.env.BENCH_TERM
  const pairs = new Map<string, readonly [number, number]>()
  const numbers = (known: Map<string, number>, name: string) => {
    if (!known.has(name)) known.set(name, known.size)
    return known.get(name)!
  }
  if (folder) {
    const [head, ...lines] = readFileSync(path.join(folder, 'enrollments.csv'), 'utf8').trim().split(/\r?\n/)
    const columns = head!.split(',')
    const [of, by, as] = ['classSourcedId', 'userSourcedId', 'role'].map((name) => columns.indexOf(name))
    const [students, courses] = [new Map<string, number>(), new Map<string, number>()]
    for (const line of lines) {
      const cells = line.split(',')
      if (cells[as!] !== 'student') continue
      const pair = [numbers(students, cells[by!]!), numbers(courses, cells[of!]!)] as const
      pairs.set(pair.join(' '), pair)
    }
    return [...pairs.values()]
  }
  const random = seededRandom(11)
  for (let student = 0; student < 5000; student++)
    for (let i = 0; i < 4; i++) {
      const course = (student % 40) * 11 + random.int(0, 10)
      pairs.set(`${student} ${course}`, [student, course])
    }
  return [...pairs.values()]
}

/** Exams of a whole term placed by the server beside its weekly meetings: in the exam week they are off, on the last day they are held. */
export async function examWeeks(bench: Bench): Promise<Result> {
  const pairs = enrolments()
  const [students, courses] = [0, 1].map((side) => Math.max(...pairs.map((pair) => pair[side]!)) + 1) as [
    number,
    number,
  ]
  const { url, pool, db } = await bench.database('bench_exam_weeks', 4)
  const first = await moreStudents(db, bench.demo, students)
  const one = async (text: string, values: unknown[] = []): Promise<number> =>
    (await pool.query<{ id: number }>(text, values)).rows[0]!.id
  // The first Saturday after a week: exams of five days from then on.
  const start = `(university_today() + 7 + (7 - week_place(university_today() + 7)) % 7)`
  const term = await one(
    `insert into terms (year_id, code, name, name_local, term_type, start_date, end_date)
     select max(id), 'BENCH', 'Bench', 'Bench', 'summer', university_today() - 20, university_today() + 60 from years returning id`,
  )
  await pool.query(
    `insert into exam_weeks (term_id, kind, start_date, end_date) select $1, 'final', ${start}, ${start} + $2::int`,
    [term, DAYS - 2],
  )
  for (const [i, [from, to]] of SLOTS.entries())
    await pool.query(
      `insert into exam_slots (code, name, name_local, start_time, end_time, ramadan_start_time, ramadan_end_time) values ($1, $1, $1, $2, $3, $2, $3)`,
      [`BENCH${i}`, from, to],
    )
  const exam = await one(
    `insert into exams (code, name, name_local, term_id, kind) values ('BENCH', 'Bench', 'Bench', $1, 'final') returning id`,
    [term],
  )
  await pool.query(
    `insert into exam_days (exam_id, on_date) select $1, ${start} + d from generate_series(0, $2 - 1) d`,
    [exam, DAYS],
  )
  await pool.query(
    `insert into exam_times (exam_id, exam_slot_id) select $1, id from exam_slots where code like 'BENCH%'`,
    [exam],
  )
  await pool.query(
    `with h as (insert into locations (building_id, code, name, name_local, location_type, sectors, capacity)
       select min(b.id), 'B' || n, 'Bench hall ' || n, 'Bench hall ' || n, 'hall', 1, case when n < 8 then 250 else 60 end
       from buildings b, generate_series(0, 79) n group by n returning id, capacity)
     insert into exam_halls (exam_id, location_id, seats) select $1, id, capacity from h`,
    [exam],
  )
  await pool.query(
    `with c as (insert into courses (code, name, name_local, credit_hours) select 'BENCH' || n, 'Bench ' || n, 'Bench ' || n, 3 from generate_series(0, $2 - 1) n returning id, code),
       o as (insert into offerings (term_id, course_id, faculty_id, code) select $1, id, 1, 'B' from c returning id, course_id),
       g as (insert into offering_groups (offering_id, number) select id, 1 from o returning id)
     select count(*) from g`,
    [term, courses],
  )
  await pool.query(
    `insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours)
     select $1 + s, o.id, o.term_id, o.course_id, 262160, 3 from unnest($2::int[], $3::int[]) as p (s, c)
       join courses c on c.code = 'BENCH' || p.c join offerings o on o.course_id = c.id`,
    [first, pairs.map((pair) => pair[0]), pairs.map((pair) => pair[1])],
  )
  // Every class meets on the first four days, every eighth on the fifth as well, in the morning; in halls of the exam.
  await pool.query(
    `with n as (select o.id, o.term_id, g.id as group_id, substr(c.code, 6)::int as n from offerings o join courses c on c.id = o.course_id
         join offering_groups g on g.offering_id = o.id where c.code like 'BENCH%'),
       p as (select id, row_number() over (order by start_time) - 1 as at, count(*) over () as many from slots where removed_at is null),
       h as (select id, row_number() over (order by id) - 1 as at from locations where code ~ '^B\\d+$')
     insert into offering_slots (offering_id, term_id, group_id, type, day, slot_id, location_id, quota)
     select n.id, n.term_id, n.group_id, 'Lecture', n.n % 4, p.id, h.id, 2000 from n join p on p.at = n.n / 4 % p.many join h on h.at = n.n / 4 / p.many
     union all
     select n.id, n.term_id, n.group_id, 'Tutorial', 4, p.id, h.id, 2000 from n join p on p.at = n.n / 8 % 2 join h on h.at = n.n / 16 where n.n % 8 = 0`,
  )
  await pool.query(
    `insert into registration_slots (registration_id, offering_slot_id) select r.id, m.id from registrations r join offering_slots m on m.offering_id = r.offering_id
     where r.term_id = $1`,
    [term],
  )
  await pool.query(
    'insert into exam_schedules (exam_id, offering_id) select $1, id from offerings where term_id = $2 order by id',
    [exam, term],
  )
  await pool.query('vacuum analyze')
  const server = await bench.server(url)
  const token = await bench.signIn(pool, 'root@canopus.example.edu')
  type Run = { data: { id: number; state: string; cost: { unplaced: number; clashes: number } | null } }
  const send = async <T>(method: 'GET' | 'POST', at: string, body?: unknown) =>
    JSON.parse(await server.send(token, method, at, body)) as T
  const begun = performance.now()
  const since = () => (performance.now() - begun) / 1000
  let run = await send<Run>('POST', '/exam-schedules/place', { exam_id: exam, seconds: SECONDS })
  const asked = since()
  while (run.data.state === 'running') {
    await sleep(200)
    run = await send<Run>('GET', `/exam-schedules/placements/of/${exam}`)
  }
  const proposed = since()
  await send('POST', `/exam-schedules/placements/take/${run.data.id}`, { incomplete: true })
  const taken = since()
  const board = performance.now()
  await send('POST', '/exam-schedules/board', { exam_id: exam })
  const boardMs = performance.now() - board
  await server.stop()
  const { rows } = await pool.query<{ placed: number; outside: number; meetings: number; beside: number; two: number }>(
    `select (select count(*)::int from exam_schedules where exam_id = $1 and during is not null) as placed,
       (select count(*)::int from exam_schedules where exam_id = $1 and on_date = ${start} + $2::int) as outside,
       (select count(*)::int from weekly_meetings_on(${start} + $2::int)) as meetings,
       (select count(*)::int from exams_beside_meetings(array[$1::int])) as beside,
       (select count(*)::int from exam_clashes where exam_id = $1) as two`,
    [exam, DAYS - 1],
  )
  const { placed, outside, meetings, beside, two } = rows[0]!
  return {
    name: 'exam-weeks',
    title: `${courses} exams of ${students.toLocaleString('en')} students (${pairs.length.toLocaleString('en')} registrations) in ${DAYS * SLOTS.length} slots, ${meetings} meetings on the day outside the exam week`,
    lines: [
      most('placed and taken', taken, 60, 's'),
      most('exams beside a meeting, in halls, people or students', beside, 0, ''),
      most('students with two exams at once', two, 0, ''),
      most('exams without a place', courses - placed, 0, ''),
      { what: 'exams on the day outside the exam week', value: String(outside) },
      { what: 'asked, with the term read', value: `${asked.toFixed(2)} s` },
      { what: 'proposed', value: `${proposed.toFixed(2)} s` },
      { what: 'the board', value: `${boardMs.toFixed(0)} ms` },
    ],
  }
}
