import { query } from '#db/connect.ts'
import { compare } from './measure.ts'
import { figures } from './report.ts'
import type { Result } from './report.ts'
import type { Bench } from './setup.ts'
import { bareList, generateStudents } from './students.ts'

const registrarOf = (bench: Bench): string => bench.demo.accounts.find((a) => a.role === 'registrar')!.email

/** Students of the demo university with courses in the current term, as many as are asked for. */
async function learners(pool: Awaited<ReturnType<Bench['database']>>['pool'], count: number) {
  const { rows } = await pool.query<{ id: number; user_id: number; email: string; term_id: number }>(
    `select s.id, s.user_id, u.email, min(o.term_id) as term_id from students s join users u on u.id = s.user_id
       join registrations r on r.student_id = s.id join offerings o on o.id = r.offering_id
       join registration_slots rs on rs.registration_id = r.id
     where o.term_id = (select term_id from current_terms where key = 'current_term')
     group by s.id, u.id order by count(*) desc, s.id limit $1`,
    [count],
  )
  if (!rows.length) throw new Error('nobody has courses in the current term')
  return rows
}

/** A student's own week. */
export async function week(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_week')
  const people = await learners(pool, 100)
  const tokens: string[] = []
  for (const { email } of people) tokens.push(await bench.signIn(pool, email))
  await pool.query('vacuum analyze')
  const server = await bench.server(url)
  const pick = (loop: number, n: number) => (loop * 31 + n) % people.length
  const found = await compare(
    { server: server.pid, postmaster: bench.postmaster },
    async (loop, n) => void (await server.send(tokens[pick(loop, n)]!, 'POST', '/offering-schedules/student', {})),
    async (loop, n) => {
      const one = people[pick(loop, n)]!
      const rows = await query(
        pool,
        'bare_week',
        `select s.id, s.type, s.day, s.quota, s.taken, g.number, p.start_time, p.end_time, p.name as slot, c.code, c.name, c.name_local,
           l.code as location, l.name as location_name, (select json_agg(i.name) from offering_slot_instructors si
             join instructors i on i.id = si.instructor_id where si.offering_slot_id = s.id) as instructors
         from registrations r join registration_slots rs on rs.registration_id = r.id join offering_slots s on s.id = rs.offering_slot_id
           join offering_groups g on g.id = s.group_id join courses c on c.id = r.course_id left join slots p on p.id = s.slot_id
           left join locations l on l.id = s.location_id
         where r.student_id = $1 and r.term_id = $2 order by s.day, p.start_time`,
        [one.id, one.term_id],
      )
      if (!rows.length) throw new Error('an empty week')
    },
  )
  await server.stop()
  await db.destroy()
  return figures('week', "A student's own week", found, { server: 0.3, database: 0.5 })
}

/** 500 of 100,000 students in one list, with the names of what they refer to and the count. */
export async function longList(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_long_list')
  const total = Number(process.env.BENCH_STUDENTS ?? 100_000)
  await generateStudents(db, bench.demo, total)
  await pool.query('vacuum analyze students')
  const server = await bench.server(url)
  const token = await bench.signIn(pool, registrarOf(bench))
  const pages = Math.floor(total / 500) - 1
  const found = await compare(
    { server: server.pid, postmaster: bench.postmaster },
    async (loop, n) => {
      const page = 1 + ((loop * 7 + n) % Math.min(pages, 10))
      await server.send(token, 'POST', '/students', { page, perPage: 500, order_by: 'code', order_direction: 'asc' })
    },
    async (loop, n) => {
      const page = (loop * 7 + n) % Math.min(pages, 10)
      const rows = await query(pool, `bare_long_list_${page}`, bareList('code', `500 offset ${page * 500}`, false), [])
      if (rows.length !== 500) throw new Error('not 500 rows')
    },
    { loops: 8 },
  )
  await server.stop()
  await db.destroy()
  return figures('list500', 'A page of 500 of 100,000 students, with the count', found, { server: 4, database: 5 })
}

/** A student at a glance, as the registrar opens it: the person, the record, the courses, what may be done. */
export async function dashboard(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_dashboard')
  const people = await learners(pool, 200)
  await pool.query('vacuum analyze')
  const server = await bench.server(url)
  const token = await bench.signIn(pool, registrarOf(bench))
  const pick = (loop: number, n: number) => people[(loop * 31 + n) % people.length]!.id
  const found = await compare(
    { server: server.pid, postmaster: bench.postmaster },
    async (loop, n) => void (await server.send(token, 'POST', `/students/dashboard/${pick(loop, n)}`, {})),
    async (loop, n) => {
      const rows = await query(
        pool,
        'bare_dashboard',
        `select t.*, f.name as faculty, p.name as program, b.name as bylaw, i.name as advisor,
           (select json_agg(x) from (select r.id, r.status, r.total, r.letter, r.points, c.code, c.name, c.name_local, r.credit_hours, r.term_id
             from registrations r join courses c on c.id = r.course_id where r.student_id = t.id) x) as courses,
           (select json_agg(x) from student_terms x where x.student_id = t.id) as terms
         from students t join faculties f on f.id = t.faculty_id join programs p on p.id = t.program_id
           join bylaws b on b.id = t.bylaw_id left join instructors i on i.id = t.advisor_id where t.id = $1`,
        [pick(loop, n)],
      )
      if (rows.length !== 1) throw new Error('no such student')
    },
  )
  await server.stop()
  await db.destroy()
  return figures('dashboard', 'A student at a glance', found, { server: 0.4, database: 0.7 })
}
