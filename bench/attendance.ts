import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../apps/demo/random.ts'
import { cpu, median } from './measure.ts'
import { openTerm, signedInStudents } from './registration.ts'
import { most } from './report.ts'
import type { Result } from './report.ts'
import type { Bench } from './setup.ts'

const STUDENTS = Number(process.env.BENCH_STUDENTS ?? 500)
/** Who tries without sitting there. */
const STRANGERS = 50
const SECONDS = 60

/** A full hall scans within a minute, at two processes; some send again what they sent, and some do not sit there. */
export async function attendance(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_attendance', 4)
  const { tokens, first } = await signedInStudents(bench, pool, db, STUDENTS + STRANGERS)
  const term = await openTerm(pool)
  const { rows } = await pool.query<{ slot: number; today: string }>(
    `with o as (insert into offerings (term_id, course_id, faculty_id, code) select $1, min(id), 1, 'HALL' from courses returning id, term_id, course_id),
     g as (insert into offering_groups (offering_id, number) select id, 1 from o returning id, offering_id),
     m as (insert into offering_slots (offering_id, term_id, group_id, type, day, slot_id, quota)
       select o.id, o.term_id, g.id, 'Lecture', week_place(university_today()), (select min(id) from slots), $2 from o join g on g.offering_id = o.id
       returning id, offering_id, term_id),
     r as (insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours)
       select s.id, o.id, o.term_id, o.course_id, 262160, 3 from o cross join students s where s.id between $3 and $3 + $2 - 1 returning id)
     insert into registration_slots (registration_id, offering_slot_id) select r.id, m.id from r cross join m
     returning offering_slot_id as slot, university_today()::text as today`,
    [term, STUDENTS, first],
  )
  const { slot, today } = rows[0]!
  await pool.query('vacuum analyze')
  const servers = await Promise.all([bench.server(url), bench.server(url)])
  const teacher = await bench.signIn(pool, 'root@canopus.example.edu')
  const at = `/attendance/code/${slot}/${today}`
  const codeIn = (answer: string): string =>
    (JSON.parse(answer) as { data: { url: string } }).data.url.split('/').at(-1)!
  // As the screen of who teaches does, which asks all the while.
  let code = codeIn(await servers[0]!.send(teacher, 'PUT', at, {}))
  let over = false
  const screen = (async () => {
    while (!over) {
      code = codeIn(await servers[0]!.send(teacher, 'GET', at))
      await sleep(1500)
    }
  })()
  const random = seededRandom(7)
  const answers = new Map<number, number>()
  const times: number[] = []
  const before = servers.map((one) => cpu(one.pid, bench.postmaster))
  const scan = async (i: number, text: string): Promise<number> => {
    const begun = performance.now()
    const { status } = await servers[i % 2]!.ask(tokens[i]!, 'POST', '/attendance/scan', { code: text })
    times.push(performance.now() - begun)
    answers.set(status, (answers.get(status) ?? 0) + 1)
    return status
  }
  let wrong = 0
  await Promise.all(
    tokens.map(async (_, i) => {
      await sleep(random.next() * SECONDS * 1000)
      const text = code
      const status = await scan(i, text)
      if (status !== (i < STUDENTS ? 200 : 409)) wrong += 1
      // Every fifth sends the same again, twice at once.
      if (i % 5 === 0)
        for (const again of await Promise.all([scan(i, text), scan(i, text)])) if (again === 200) wrong += 1
    }),
  )
  over = true
  await screen
  const after = servers.map((one) => cpu(one.pid, bench.postmaster))
  const used =
    after.reduce((sum, one, i) => sum + one.server - before[i]!.server, 0) + after[0]!.database - before[0]!.database
  const { rows: counted } = await pool.query<{ n: number; students: number }>(
    `select count(*)::int as n, count(distinct a.student_id)::int as students from attendance a
     join meeting_occurrences x on x.id = a.occurrence_id where x.offering_slot_id = $1`,
    [slot],
  )
  // The same rows by nothing but statements, each its own transaction.
  const bare: number[] = []
  await pool.query(
    `insert into meeting_occurrences (offering_id, offering_slot_id, date) select offering_id, id, university_today() - 7 from offering_slots where id = $1`,
    [slot],
  )
  for (let i = 0; i < STUDENTS; i++) {
    const begun = performance.now()
    await pool.query(
      `insert into attendance (occurrence_id, student_id, state, by_scan)
       select x.id, r.student_id, 'present', true from meeting_occurrences x join registration_slots rs on rs.offering_slot_id = x.offering_slot_id
         join registrations r on r.id = rs.registration_id
       where x.offering_slot_id = $1 and x.date = university_today() - 7 and r.student_id = $2`,
      [slot, first + i],
    )
    bare.push(performance.now() - begun)
  }
  await Promise.all(servers.map((one) => one.stop()))
  await db.destroy()
  const sorted = times.toSorted((a, b) => a - b)
  const p95 = sorted[Math.floor(sorted.length * 0.95)]!
  return {
    name: 'attendance',
    title: `${STUDENTS} students scan within ${SECONDS} s, ${STRANGERS} who do not sit there try as well`,
    lines: [
      most('a scan, 95 of 100', p95, 1000, 'ms'),
      most(
        'counted twice, from elsewhere, or not at all',
        wrong + Math.abs(counted[0]!.n - STUDENTS) + Math.abs(counted[0]!.students - STUDENTS),
        0,
        '',
      ),
      { what: 'answers', value: [...answers].map(([status, n]) => `${n} × ${status}`).join(', ') },
      { what: 'a scan, the middle one', value: `${median(times).toFixed(1)} ms` },
      {
        what: 'bare SQL that only writes the row',
        value: `${median(bare).toFixed(1)} ms; a scan takes ${(median(times) / median(bare)).toFixed(1)} times that`,
      },
      { what: 'CPU of an answer, server and database', value: `${(used / times.length).toFixed(1)} ms` },
    ],
  }
}
