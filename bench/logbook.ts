import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../apps/demo/random.ts'
import { cpu, median } from './measure.ts'
import { signedInStudents } from './registration.ts'
import { most } from './report.ts'
import type { Result } from './report.ts'
import type { Bench } from './setup.ts'

const PHONES = Number(process.env.BENCH_STUDENTS ?? 500)
const ENTRIES = 40
const SECONDS = Number(process.env.BENCH_SECONDS ?? 60)
/** Who works meanwhile, each asking again as soon as an answer came. */
const OTHERS = 10

/** Entries of many phones come within a minute at two processes, some of them twice at once; others work meanwhile. */
export async function logbook(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_logbook', 4)
  const { tokens, first } = await signedInStudents(bench, pool, db, PHONES)
  const { rows } = await pool.query<{ type: number; rotation: number; student: number }>(
    `with f as (select id from faculties order by id limit 1),
     y as (insert into emtyaz_years (code, name, name_local, faculty_id, starts_on, periods, period_weeks)
       select 'BENCH', 'Bench', 'قياس', f.id, university_today() - 28, 12, 4 from f returning id, faculty_id, starts_on),
     c as (insert into emtyaz_courses (code, name, name_local, faculty_id) select 'BENCH', 'Bench', 'قياس', faculty_id from y returning id),
     t as (insert into emtyaz_training_types (code, name, name_local, course_id, weeks) select 'BENCH', 'Bench', 'قياس', id, 8 from c returning id),
     h as (insert into emtyaz_hospitals (code, name, name_local) values ('BENCH', 'Bench', 'قياس') returning id),
     x as (insert into emtyaz_trainings (code, name, name_local, year_id, type_id, hospital_id, places)
       select 'BENCH', 'Bench', 'قياس', y.id, t.id, h.id, 2000 from y, t, h returning id, year_id, type_id),
     p as (insert into logbook_types (code, name, name_local, course_id, kind, min_done) select 'BENCH', 'Bench', 'قياس', id, 'procedure', 40 from c returning id)
     select p.id as type, x.id as rotation, y.id as student from p, x, y`,
  )
  const { type, rotation: training, student: year } = rows[0]!
  await pool.query(
    `insert into emtyaz_interns (year_id, student_id, joined_on) select $1, s.id, university_today() - 28 from students s
     where s.id between $2 and $2 + $3 - 1`,
    [year, first, PHONES],
  )
  const { rows: rotations } = await pool.query<{ id: number; student_id: number }>(
    `with o as (insert into emtyaz_offerings (training_id, starts_on, ends_on)
       values ($1, university_today() - 28, university_today() + 27) returning id, starts_on, ends_on)
     insert into emtyaz_rotations (student_id, year_id, training_id, type_id, offering_id, starts_on, ends_on, status)
     select i.student_id, i.year_id, $1, (select type_id from emtyaz_trainings where id = $1), o.id, o.starts_on, o.ends_on, 'accepted'
     from emtyaz_interns i, o where i.year_id = $2 order by i.student_id returning id, student_id`,
    [training, year],
  )
  await pool.query('vacuum analyze')
  const servers = await Promise.all([bench.server(url), bench.server(url)])
  const office = await bench.signIn(pool, 'root@canopus.example.edu')
  const random = seededRandom(11)
  const answers = new Map<number, number>()
  const times: number[] = []
  const others: number[] = []
  let over = false
  const work = Array.from({ length: OTHERS }, async (_, i) => {
    while (!over) {
      const begun = performance.now()
      const server = servers[i % 2]!
      await (i % 3
        ? server.send(office, 'POST', '/students', { perPage: 20 })
        : server.send(office, 'GET', '/emtyaz/logbook/interns'))
      others.push(performance.now() - begun)
      await sleep(200)
    }
  })
  const before = servers.map((one) => cpu(one.pid, bench.postmaster))
  let wrong = 0
  const began = performance.now()
  await Promise.all(
    tokens.map(async (token, i) => {
      const phone = random.next() * SECONDS * 1000
      const entries = Array.from({ length: ENTRIES }, (_, n) => ({
        uuid: randomUUID(),
        revision: 1,
        rotation_id: rotations[i]!.id,
        type_id: type,
        role: ['done', 'assisted', 'observed'][n % 3],
        done_at: new Date(Date.now() - 3_600_000 * (n + 1)).toISOString(),
        phone_at: new Date().toISOString(),
        note: n % 2 ? 'First pass, BP 120/80, no complications.' : 'تمت تحت إشراف مباشر، ضغط ١٢٠/٨٠',
      }))
      await sleep(phone)
      const send = async () => {
        const begun = performance.now()
        const { status } = await servers[i % 2]!.ask(token, 'POST', '/emtyaz/logbook/sync', {
          phone_now: new Date().toISOString(),
          entries,
        })
        times.push(performance.now() - begun)
        answers.set(status, (answers.get(status) ?? 0) + 1)
        if (status !== 200) wrong += 1
      }
      // Every fifth sends the same twice at once, as where an answer was lost.
      await Promise.all(i % 5 === 0 ? [send(), send()] : [send()])
    }),
  )
  const took = (performance.now() - began) / 1000
  over = true
  await Promise.all(work)
  const after = servers.map((one) => cpu(one.pid, bench.postmaster))
  const used =
    after.reduce((sum, one, i) => sum + one.server - before[i]!.server, 0) + after[0]!.database - before[0]!.database
  const { rows: stored } = await pool.query<{ n: number; distinct: number }>(
    `select count(*)::int as n, count(distinct uuid)::int as distinct from logbook_entries where type_id = $1`,
    [type],
  )
  await Promise.all(servers.map((one) => one.stop()))
  await db.destroy()
  const share = (list: readonly number[], of: number) =>
    list.toSorted((a, b) => a - b)[Math.floor(list.length * of)] ?? 0
  return {
    name: 'logbook',
    title: `${PHONES * ENTRIES} entries of ${PHONES} phones within ${SECONDS} s, ${OTHERS} people work meanwhile`,
    lines: [
      most('stored twice, or not at all', wrong + Math.abs(stored[0]!.n - PHONES * ENTRIES), 0, ''),
      most('others meanwhile, the slowest answer', Math.max(...others), 2000, 'ms'),
      {
        what: 'others meanwhile',
        value: `half within ${median(others).toFixed(0)} ms, 99 of 100 within ${share(others, 0.99).toFixed(0)} ms (${others.length} answers)`,
      },
      {
        what: `a call with ${ENTRIES} entries`,
        value: `half within ${median(times).toFixed(0)} ms, 95 of 100 within ${share(times, 0.95).toFixed(0)} ms`,
      },
      { what: 'all stored after', value: `${took.toFixed(1)} s` },
      { what: 'answers', value: [...answers].map(([status, n]) => `${n} × ${status}`).join(', ') },
      { what: 'CPU of an entry, server and database', value: `${(used / (times.length * ENTRIES)).toFixed(2)} ms` },
    ],
  }
}
