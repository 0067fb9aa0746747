import { performance } from 'node:perf_hooks'
import type pg from 'pg'
import { newToken } from '#kit/server/identity/sessions.ts'
import { compare } from './measure.ts'
import { figures } from './report.ts'
import type { Line, Result } from './report.ts'
import type { Bench, Server } from './setup.ts'
import { moreStudents } from './students.ts'

const STUDENTS = 90_000
/** Loops beside each other: students at one moment. */
const AT_ONCE = 32
/** Courses a student of the first half asks for, each at another time of the week. */
const COURSES = 4

interface World {
  /** Tokens of students, each signed in. */
  tokens: string[]
  /** Offerings by column (time of the week), one for each loop, and one that everybody wants. */
  columns: { offering: number; slot: number }[][]
  hot: { offering: number; slot: number }
  /** 500 seats. */
  scarce: { offering: number; slot: number }
}

/** Adds so many students to the demo university, all signed in. Answers their tokens and the first one's id. */
export async function signedInStudents(
  bench: Bench,
  pool: pg.Pool,
  db: Parameters<typeof moreStudents>[0],
  students: number,
): Promise<{ tokens: string[]; first: number }> {
  const first = await moreStudents(db, bench.demo, students)
  const secrets = Array.from({ length: students }, () => newToken())
  await pool.query(`update students set gpa = 3.2, level = 1, passed_hours = 30, warnings = 0 where id >= $1`, [first])
  // Second records of one person become people of their own: everybody here signs in for himself.
  await pool.query(
    `update students s set national_id = null where id >= $1
       and exists (select from students x where x.id <> s.id and x.national_id = s.national_id)`,
    [first],
  )
  await pool.query(
    `insert into users (type, name, name_local, email) select 3, name, name_local, code || '@bench.example' from students where id >= $1 order by id`,
    [first],
  )
  await pool.query(
    `update students s set user_id = u.id from users u where u.email = s.code || '@bench.example' and s.id >= $1`,
    [first],
  )
  // What they had to hand in is waived: nothing holds them.
  await pool.query(
    `insert into student_documents (student_id, kind_id, status)
     select student_id, document_kind_id, 'waived' from student_holds
     where document_kind_id is not null and lifted_at is null and student_id >= $1 order by 1, 2`,
    [first],
  )
  await pool.query(
    `insert into sessions (token_hash, id, user_id, expires_at)
     select t.hash, gen_random_uuid(), s.user_id, now() + interval '1 day'
     from unnest($1::bytea[]) with ordinality t(hash, n) join students s on s.id = $2::int + t.n - 1`,
    [secrets.map((s) => s.hash), first],
  )
  return { tokens: secrets.map((s) => s.token), first }
}

/** The term in which the demo university registers, with the window for it open. */
export async function openTerm(pool: pg.Pool): Promise<number> {
  const { rows: terms } = await pool.query<{ id: number }>(
    `select term_id as id from offerings o join terms t on t.id = o.term_id where o.is_open order by t.start_date desc limit 1`,
  )
  const term = terms[0]!.id
  await pool.query(
    `insert into term_stages (term_id, stage_code_id, starts_at, ends_at)
     select $1, id, now() - interval '1 day', now() + interval '1 day' from stage_codes where code = 'register'`,
    [term],
  )
  return term
}

/** The demo university with more students, all signed in, and courses that all of them may take. */
export async function openWorld(bench: Bench, pool: pg.Pool, db: Parameters<typeof moreStudents>[0]): Promise<World> {
  const { tokens } = await signedInStudents(bench, pool, db, STUDENTS)
  const term = await openTerm(pool)
  const count = COURSES * AT_ONCE + 2
  await pool.query(
    `with made as (
       insert into courses (code, name, name_local, credit_hours)
       select 'BENCH' || n, 'Bench ' || n, 'قياس ' || n, 3 from generate_series(1, $1::int) n returning id, code),
     offered as (
       insert into offerings (term_id, course_id, code, is_open) select $2, id, code, true from made returning id, code),
     open as (insert into offering_programs (offering_id, program_id) select o.id, p.id from offered o cross join programs p),
     grouped as (insert into offering_groups (offering_id, number) select id, 1 from offered returning id, offering_id)
     select 1`,
    [count, term],
  )
  const { rows } = await pool.query<{ offering: number; slot: number; n: number }>(
    `insert into offering_slots (offering_id, term_id, group_id, type, day, slot_id, quota)
     select o.id, o.term_id, g.id, 'Lecture', case when n <= $1::int * $2::int then (n - 1) % $1::int else $1::int end, (select min(id) from slots), 1000000
     from offerings o join offering_groups g on g.offering_id = o.id cross join lateral (select substr(o.code, 6)::int as n) x
     where o.code like 'BENCH%' order by o.id
     returning offering_id as offering, id as slot`,
    [COURSES, AT_ONCE],
  )
  const slots = rows.map((row) => ({ ...row, day: 0 }))
  const { rows: days } = await pool.query<{ id: number; day: number }>(
    'select id, day from offering_slots where id = any($1)',
    [slots.map((s) => s.slot)],
  )
  const day = new Map(days.map((row) => [row.id, row.day]))
  const scarce = slots.pop()!
  const hot = slots.pop()!
  await pool.query('update offering_slots set quota = 500 where id = $1', [scarce.slot])
  await pool.query('vacuum analyze')
  return {
    tokens,
    columns: Array.from({ length: COURSES }, (_, c) => slots.filter((s) => day.get(s.slot) === c)),
    hot,
    scarce,
  }
}

/** Asks for a seat; answers whether it was given. */
async function ask(
  server: Server,
  token: string,
  { offering, slot }: { offering: number; slot: number },
): Promise<boolean> {
  const { status, body } = await server.ask(token, 'PUT', '/registrations/students/request-offering', {
    offerings: [{ offering_id: offering, offering_slot_ids: [slot] }],
  })
  if (status === 200) return true
  const text = body.toString()
  if (status === 409 && text.includes('"slot_full"')) return false
  throw new Error(`${status} ${text.slice(0, 600)}`)
}

/** The seat alone, in the way of the books: nothing is judged, nothing is audited. */
async function bareSeat(pool: pg.Pool, student: number, slot: number): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rowCount } = await client.query({
      name: 'bare_take',
      text: 'update bare_slots set taken = taken + 1 where id = $1 and taken < quota',
      values: [slot],
    })
    if (rowCount !== 1) throw new Error('full')
    await client.query({
      name: 'bare_register',
      text: 'insert into bare_registrations (student_id, slot_id) values ($1, $2)',
      values: [student, slot],
    })
    await client.query('commit')
  } finally {
    client.release()
  }
}

/** A request for a course with all its rules, against a bare transaction that takes a seat: 32 students at a time. */
export async function registration(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_registration')
  const world = await openWorld(bench, pool, db)
  await pool.query(`
    create table bare_slots (id integer primary key, quota integer not null, taken integer not null default 0);
    create table bare_registrations (id bigint generated always as identity primary key, student_id integer not null, slot_id integer not null, unique (student_id, slot_id));
    insert into bare_slots (id, quota) select n, 1000000000 from generate_series(0, ${AT_ONCE}) n`)
  const server = await bench.server(url)
  const pids = { server: server.pid, postmaster: bench.postmaster }
  const half = STUDENTS / 4
  let given = 0
  let bareStudent = 0

  // Distinct slots: each loop has offerings of its own; a student asks for one after the other.
  const distinctAsked = new Uint32Array(AT_ONCE)
  const distinct = await compare(
    pids,
    async (loop) => {
      const n = distinctAsked[loop]!++
      const student = loop + AT_ONCE * Math.floor(n / COURSES)
      if (student >= half) throw new Error('more students are needed')
      const column = world.columns[n % COURSES]!
      if (await ask(server, world.tokens[student]!, column[loop % column.length]!)) given++
    },
    (loop) => bareSeat(pool, ++bareStudent, loop),
    { rounds: 5, seconds: 3 },
  )
  // One slot that everybody wants.
  let next = half
  let hotGiven = 0
  const same = await compare(
    pids,
    async () => {
      const student = next++
      if (student >= STUDENTS - 2000) throw new Error('more students are needed')
      if (await ask(server, world.tokens[student]!, world.hot)) hotGiven++
    },
    () => bareSeat(pool, ++bareStudent, AT_ONCE),
    { rounds: 5, seconds: 3 },
  )

  // The last seats: 500 for 1,500 students.
  let scarceGiven = 0
  let refused = 0
  let asked = STUDENTS - 1500
  const started = performance.now()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (asked < STUDENTS) {
        if (await ask(server, world.tokens[asked++]!, world.scarce)) scarceGiven++
        else refused++
      }
    }),
  )
  const rush = performance.now() - started
  const { rows } = await pool.query<{ id: number; taken: number; held: number; quota: number }>(
    `select s.id, s.taken, s.quota, (select count(*)::int from registration_slots r where r.offering_slot_id = s.id) as held from offering_slots s`,
  )
  const wrong = rows.filter((row) => row.taken !== row.held || row.taken > row.quota)
  const taken = (slot: number) => rows.find((row) => row.id === slot)!.taken
  const stored = world.columns.flat().reduce((sum, { slot }) => sum + taken(slot), 0)
  const right = (what: string, is: unknown, should: unknown): Line => ({
    what,
    value: String(is),
    target: String(should),
    met: is === should,
  })
  await server.stop()
  await db.destroy()

  const lines = (title: string, c: typeof distinct): Line[] =>
    figures('', '', c, { ratio: 0.35 }).lines.map((line) => ({ ...line, what: `${title}: ${line.what}` }))
  return {
    name: 'registration',
    title: `A request with all rules, ${AT_ONCE} students at a time, against a bare seat`,
    lines: [
      ...lines('distinct', distinct),
      ...lines('same slot', same),
      right('registrations answered', given + hotGiven, stored + taken(world.hot.slot)),
      right('slots above quota', wrong.length, 0),
      right('500 seats, 1500 asked', `${scarceGiven} given, ${refused} refused`, '500 given, 1000 refused'),
      { what: 'that rush', value: `${(1500 / (rush / 1000)).toFixed(0)} answers per second` },
    ],
  }
}
