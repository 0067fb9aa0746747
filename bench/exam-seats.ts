import { setTimeout as sleep } from 'node:timers/promises'
import { memoryOf } from './measure.ts'
import { most } from './report.ts'
import type { Result } from './report.ts'
import type { Bench } from './setup.ts'
import { moreStudents } from './students.ts'

const STUDENTS = 5000
/** Slots of the exam, ten exams of 100 students in each; two of them share two halls. */
const SLOTS = 20
const EXAMS = 200
const HALLS = 200
const SEATS = 20_000

/** Everybody of an exam gets a seat, and every hall its door list: three jobs, followed to their end as the exam office does. */
export async function examSeats(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_exam_seats', 4)
  const first = await moreStudents(db, bench.demo, STUDENTS)
  const one = async (text: string, values: unknown[] = []): Promise<number> =>
    (await pool.query<{ id: number }>(text, values)).rows[0]!.id
  const term = await one(`select term_id as id from current_terms where key = 'current_term'`)
  const exam = await one(
    `insert into exams (code, name, name_local, term_id, kind) values ('BENCH', 'Bench', 'Bench', $1, 'final') returning id`,
    [term],
  )
  await pool.query(
    `insert into exam_slots (code, name, name_local, start_time, end_time, ramadan_start_time, ramadan_end_time)
     values ('B1', 'B1', 'B1', '06:00', '07:00', '06:00', '07:00'), ('B2', 'B2', 'B2', '21:00', '22:00', '21:00', '22:00')`,
  )
  await pool.query(
    `insert into exam_days (exam_id, on_date) select $1, university_today() + d from generate_series(1, $2) d`,
    [exam, SLOTS / 2],
  )
  await pool.query(
    `insert into exam_times (exam_id, exam_slot_id) select $1, id from exam_slots where code in ('B1', 'B2')`,
    [exam],
  )
  await pool.query(
    `with h as (insert into locations (building_id, code, name, name_local, location_type, sectors, capacity)
       select min(b.id), 'B' || n, 'Bench hall ' || n, 'Bench hall ' || n, 'hall', 1, 100 from buildings b, generate_series(0, $2 - 1) n group by n returning id)
     insert into exam_halls (exam_id, location_id, seats) select $1, id, 100 from h`,
    [exam, HALLS],
  )
  await pool.query(
    `with c as (insert into courses (code, name, name_local, credit_hours) select 'BENCH' || n, 'Bench ' || n, 'Bench ' || n, 3 from generate_series(0, $2 - 1) n returning id, code),
       o as (insert into offerings (term_id, course_id, faculty_id, code) select $1, id, 1, 'B' from c returning id, course_id)
     insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours)
     select $3 + s, o.id, $1, o.course_id, 262160, 3 from generate_series(0, $4 - 1) s cross join generate_series(0, 3) k
       join c on c.code = 'BENCH' || ((s + 5 * k) % $5) + $5 * ((s / $5) % 10) join o on o.course_id = c.id`,
    [term, EXAMS, first, STUDENTS, SLOTS],
  )
  // Exam n is in slot n % 20, and shares two halls with one other.
  await pool.query(
    `with n as (select o.id, substr(c.code, 6)::int as n from offerings o join courses c on c.id = o.course_id where c.code like 'BENCH%')
     insert into exam_schedules (exam_id, offering_id, on_date, exam_slot_id)
     select $1, id, university_today() + 1 + (n % $2) / 2, (select id from exam_slots where code = 'B' || (n % 2 + 1)) from n order by n`,
    [exam, SLOTS],
  )
  await pool.query(
    `with n as (select s.id, substr(c.code, 6)::int as n from exam_schedules s join offerings o on o.id = s.offering_id
         join courses c on c.id = o.course_id where s.exam_id = $1)
     insert into exam_schedule_locations (exam_schedule_id, exam_id, location_id, seats, during)
     select n.id, $1, l.id, 50, 'empty' from n cross join generate_series(0, 1) h
       join locations l on l.code = 'B' || ((n.n % $2) * 10 + (n.n / $2 / 2) * 2 + h)`,
    [exam, SLOTS],
  )
  await pool.query('vacuum analyze')
  const server = await bench.server(url)
  const token = await bench.signIn(pool, 'root@canopus.example.edu')
  const send = async <T>(method: 'GET' | 'POST', at: string, body?: unknown) =>
    JSON.parse(await server.send(token, method, at, body)) as T
  await send('GET', `/exam-seats/${exam}`)
  const before = memoryOf(server.pid)
  let highest = before
  /** Follows a job to its end; answers the seconds that it took, and what it came to. */
  const job = async (at: string, body: unknown): Promise<{ seconds: number; result: unknown }> => {
    const begun = performance.now()
    const { job_id } = await send<{ job_id: string | null }>('POST', at, body)
    for (;;) {
      const { data } = await send<{ data: { state: string; result: unknown; error: unknown } }>(
        'GET',
        `/jobs/${job_id}`,
      )
      highest = Math.max(highest, memoryOf(server.pid))
      if (data.state === 'done') return { seconds: (performance.now() - begun) / 1000, result: data.result }
      if (['failed', 'cancelled'].includes(data.state)) throw new Error(`${at} ended ${JSON.stringify(data)}`)
      await sleep(50)
    }
  }
  const proposed = await job(`/exam-seats/assign/${exam}`, { seed: 7 })
  const { data } = await send<{ data: { proposal: { id: number } } }>('GET', `/exam-seats/${exam}`)
  const taken = await job(`/exam-seats/take/${data.proposal.id}`, {})
  const lists = await job(`/exam-seats/door-lists/${exam}`, { lang: 'ar' })
  const once = highest
  // The same again: what was held is given back.
  await job(`/exam-seats/door-lists/${exam}`, { lang: 'en' })
  const { rows } = await pool.query<{ seats: number; halls: number; neighbours: number }>(
    `with z as (select z.*, x.offering_id from exam_seats z join exam_schedules x on x.id = z.exam_schedule_id where x.exam_id = $1)
     select (select count(*)::int from z) as seats, (select count(distinct location_id)::int from z) as halls,
       (select count(*)::int from z a join z b on b.location_id = a.location_id and b.during = a.during and b.seat = a.seat + 1
         and b.offering_id = a.offering_id) as neighbours`,
    [exam],
  )
  const file = await server.ask(token, 'GET', (lists.result as { url: string }).url.replace(/^\/api/, ''))
  await server.stop()
  const { seats, halls, neighbours } = rows[0]!
  if (seats !== SEATS || halls !== HALLS || file.body.subarray(0, 2).toString() !== 'PK')
    throw new Error(`${seats} seats in ${halls} halls, ${file.status}`)
  return {
    name: 'exam-seats',
    title: `${seats.toLocaleString('en')} seats in ${halls} halls, ${EXAMS} exams; door lists of ${(file.body.length / 1e6).toFixed(1)} MB`,
    lines: [
      most('seats proposed, taken, and all door lists', proposed.seconds + taken.seconds + lists.seconds, 60, 's'),
      { what: 'proposed', value: `${proposed.seconds.toFixed(2)} s` },
      { what: 'taken', value: `${taken.seconds.toFixed(2)} s` },
      { what: 'door lists', value: `${lists.seconds.toFixed(2)} s` },
      most('memory of the server above what it held before', once - before, 700, 'MB'),
      { what: 'the same after the door lists once more', value: `${(highest - before).toFixed(0)} MB` },
      { what: 'seats beside one of the same exam', value: String(neighbours) },
    ],
  }
}
