import type pg from 'pg'
import { compare } from './measure.ts'
import { figures } from './report.ts'
import type { Line, Result } from './report.ts'
import type { Bench } from './setup.ts'

const OFFERINGS = 8
const CLASS = 200
const TERM = 'current'

interface Offering {
  id: number
  /** The category whose marks are entered: the last that is missing in nobody's row. */
  final: number
  registrations: number[]
  /** By registration: the version of the mark last seen. */
  versions: Map<number, number>
}

/** Offerings of one instructor, each with a scheme of three categories and a class in which every mark stands. */
async function openClasses(bench: Bench, pool: pg.Pool, email: string): Promise<Offering[]> {
  const term = bench.demo.terms.find((t) => t.state === TERM)!.id
  await pool.query(
    `insert into term_stages (term_id, stage_code_id, starts_at, ends_at)
     select $1, id, now() - interval '1 day', now() + interval '1 day' from stage_codes where code = 'grade_entry'`,
    [term],
  )
  const { rows } = await pool.query<{ id: number; final: number; registrations: number[]; versions: number[] }>(
    `with made as (
       insert into courses (code, name, name_local, credit_hours)
       select 'CLASS' || n, 'Class ' || n, 'مقرر ' || n, 3 from generate_series(1, $2::int) n returning id, code),
     offered as (insert into offerings (term_id, course_id, code) select $1, id, code from made returning id, course_id),
     team as (
       insert into offering_instructors (offering_id, instructor_id, role)
       select o.id, i.id, 'leader' from offered o, instructors i join users u on u.id = i.user_id where u.email = $4),
     kinds as (select id, row_number() over (order by is_final_exam, id) as n, is_final_exam from (
       (select id, is_final_exam from mark_categories where is_final_exam order by id limit 1)
       union all (select id, is_final_exam from mark_categories where not is_final_exam order by id limit 2)) k),
     scheme as (
       insert into offering_marks (offering_id, mark_category_id, max, position)
       select o.id, k.id, case when k.is_final_exam then 60 else 20 end, k.n from offered o cross join kinds k
       returning id, offering_id, max),
     class as (
       insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours)
       select s.id, o.id, $1, o.course_id, 262144 + 16, 3 from offered o cross join (
         select id from students where status = 'studying' and removed_at is null order by id limit $3) s
       returning id, offering_id),
     marks as (
       insert into registration_marks (registration_id, offering_mark_id, mark)
       select c.id, m.id, case when m.max = 60 then 20 else 10 + c.id % 10 end from class c join scheme m using (offering_id)
       returning registration_id, offering_mark_id, version)
     select o.id, (select id from scheme m where m.offering_id = o.id and m.max = 60) as final,
       array_agg(c.id order by c.id) as registrations, array_agg(v.version order by c.id) as versions
     from offered o join class c on c.offering_id = o.id
       join scheme f on f.offering_id = o.id and f.max = 60
       join marks v on v.registration_id = c.id and v.offering_mark_id = f.id
     group by o.id order by o.id`,
    [term, OFFERINGS, CLASS, email],
  )
  await pool.query('vacuum analyze')
  return rows.map(({ id, final, registrations, versions }) => ({
    id,
    final,
    registrations,
    versions: new Map(registrations.map((registration, i) => [registration, versions[i]!])),
  }))
}

interface Saved {
  saved: number
  rows: { registration_id: number; marks: Record<string, { version: number }>; letter: string | null }[]
}

/** Entering marks: one at a time, and a whole class, by eight editors of eight offerings. Each changes a result. */
export async function marks(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_marks')
  const { email } = bench.demo.accounts.find((a) => a.role === 'instructor')!
  const classes = await openClasses(bench, pool, email)
  await pool.query(`create table bare_marks (registration_id int, offering_mark_id int, mark numeric(5, 2), primary key (registration_id, offering_mark_id));
    create table bare_results (id int primary key, total numeric(5, 2), letter text);
    insert into bare_marks select registration_id, offering_mark_id, mark from registration_marks;
    insert into bare_results select id, 50, 'D' from registrations`)
  const server = await bench.server(url)
  const pids = { server: server.pid, postmaster: bench.postmaster }
  const token = await bench.signIn(pool, email)

  const enter = async (one: Offering, registrations: readonly number[], mark: string): Promise<void> => {
    const answer = JSON.parse(
      await server.send(token, 'PUT', '/offerings/offering-students-grades/update', {
        offering_id: one.id,
        cells: registrations.map((registration_id) => ({
          registration_id,
          offering_mark_id: one.final,
          mark,
          version: one.versions.get(registration_id),
        })),
      }),
    ) as Saved
    if (answer.saved !== registrations.length) throw new Error(`${answer.saved} of ${registrations.length} marks saved`)
    for (const row of answer.rows) {
      if (!row.letter) throw new Error('no result')
      one.versions.set(row.registration_id, row.marks[one.final]!.version)
    }
  }
  const bare = async (one: Offering, registrations: readonly number[], mark: string): Promise<void> => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query({
        name: 'bare_mark',
        text: 'update bare_marks set mark = $3 where registration_id = any($1::int[]) and offering_mark_id = $2',
        values: [registrations, one.final, mark],
      })
      await client.query({
        name: 'bare_result',
        text: `update bare_results r set total = m.total, letter = 'C' from (
            select registration_id as id, sum(mark) as total from bare_marks where registration_id = any($1::int[]) group by 1) m
          where m.id = r.id`,
        values: [registrations],
      })
      await client.query('commit')
    } finally {
      client.release()
    }
  }
  // A mark that each time differs from the last: every answer writes.
  const next = (n: number): string => String(21 + (n % 39))
  let counter = 0
  const pick = (loop: number, n: number): [Offering, number] => {
    const one = classes[loop % OFFERINGS]!
    return [one, one.registrations[n % CLASS]!]
  }
  const turns = new Map<number, number>()
  const turn = (loop: number): number => {
    const n = (turns.get(loop) ?? 0) + 1
    turns.set(loop, n)
    return n
  }
  const single = await compare(
    pids,
    async (loop) => {
      const n = turn(loop)
      const [one, registration] = pick(loop, n)
      await enter(one, [registration], next(n + Math.floor(n / CLASS)))
    },
    async (loop, n) => {
      const [one, registration] = pick(loop, n)
      await bare(one, [registration], next(++counter))
    },
    { loops: OFFERINGS, rounds: 5, seconds: 3 },
  )
  const whole = await compare(
    pids,
    async (loop) => {
      const one = classes[loop % OFFERINGS]!
      await enter(one, one.registrations, `${next(turn(loop))}.5`)
    },
    async (loop) => {
      const one = classes[loop % OFFERINGS]!
      await bare(one, one.registrations, next(++counter))
    },
    { loops: OFFERINGS, rounds: 3, seconds: 4 },
  )
  await server.stop()
  await db.destroy()
  const lines = (title: string, c: typeof single, target: { server: number; database: number }): Line[] =>
    figures('', '', c, target).lines.map((line) => ({ ...line, what: `${title}: ${line.what}` }))
  return {
    name: 'marks',
    title: 'Marks entered, each with the result that comes of it',
    lines: [
      ...lines('one mark', single, { server: 0.5, database: 1 }),
      ...lines(`a class of ${CLASS}`, whole, { server: 5, database: 10 }),
    ],
  }
}
