import { insertRows, followIds } from '#db/bulk.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '#db/connect.ts'
import { query } from '#db/connect.ts'
import { seededRandom } from '../apps/demo/random.ts'
import { personMaker } from '../apps/demo/people.ts'
import type { DemoUniversity } from '../apps/demo/index.ts'
import { compare } from './measure.ts'
import type { Bench } from './setup.ts'
import { figures } from './report.ts'
import type { Result } from './report.ts'

/**
 * Adds students to a demo university until there are so many, spread over its programs, or over those by credit hours.
 * Answers the id of the first.
 */
export async function generateStudents(
  db: Db,
  demo: DemoUniversity,
  total: number,
  { byHours = false } = {},
): Promise<number> {
  const person = personMaker(seededRandom(7))
  const random = seededRandom(8)
  // Parts of the demo bring students of their own.
  const { rows: last } = await sql<{ id: number }>`select max(id) as id from students`.execute(db)
  const first = last[0]!.id + 1
  const hours = new Set(demo.bylaws.filter((bylaw) => bylaw.program_type === 'credit_hours').map((bylaw) => bylaw.id))
  const models = byHours ? demo.students.filter((student) => hours.has(student.bylaw_id)) : demo.students
  await db.transaction().execute(async (tx) => {
    for (let from = first; from <= total; from += 10_000) {
      const rows = Array.from({ length: Math.min(10_000, total - from + 1) }, (_, i) => {
        const id = from + i
        const like = models[random.int(0, models.length - 1)]!
        const entered = demo.students[random.int(0, demo.students.length - 1)]!.entry_term_id
        const who = person({ born: ['2001-01-01', '2008-12-31'], email: `g${id}` })
        return {
          id,
          code: `G${String(id).padStart(7, '0')}`,
          name: who.name,
          name_local: who.name_local,
          faculty_id: like.faculty_id,
          program_id: like.program_id,
          bylaw_id: like.bylaw_id,
          entry_term_id: entered,
          level: random.int(0, 4),
          gender: who.gender,
          birth_date: who.birth_date,
          nationality_id: who.nationality_id,
          email: who.email,
          phone: who.phone,
          address: who.address_local,
          gpa: (random.int(100, 400) / 100).toFixed(2),
          passed_hours: random.int(0, 140),
        }
      })
      await insertRows(tx, 'students', rows)
    }
    await followIds(tx, 'students')
  })
  return first
}

/** Students that are made one by one; the others are copies of them. */
const MADE = 10_000

/**
 * The same many students in seconds: ten thousand are made, the others are copies of them. No trigger runs for copies, so what
 * follows from a student (turns, documents, families, the log) is not there: for benches that read students alone.
 */
export async function copyStudents(db: Db, demo: DemoUniversity, total: number): Promise<void> {
  const { rows: had } = await sql<{
    made: boolean
  }>`select exists (select from students where code like 'G0%') as made`.execute(db)
  if (!had[0]!.made) await moreStudents(db, demo, MADE)
  const { rows } = await sql<{ count: number; columns: string }>`
    select (select count(*)::int from students where removed_at is null) as count, string_agg(quote_ident(column_name), ', ') as columns
    from information_schema.columns where table_schema = 'public' and table_name = 'students' and is_generated = 'NEVER'
      and is_identity = 'NO' and column_name not in ('id', 'code', 'user_id', 'email', 'national_id', 'passport_number')`.execute(
    db,
  )
  const { count, columns } = rows[0]!
  if (count >= total) return
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`insert into students (code, ${sql.raw(columns)})
      with models as (select s.*, row_number() over (order by id) - 1 as place, count(*) over () as of from students s where code like 'G0%')
      select 'K' || lpad(n::text, 7, '0'), ${sql.raw(columns)} from generate_series(${count + 1}::int, ${total}::int) n
        join models m on m.place = n % m.of`.execute(tx)
  })
  await sql`vacuum analyze students`.execute(db)
}

/** Adds so many students, whatever the demo university has brought. Answers the id of the first; the others follow it. */
export async function moreStudents(db: Db, demo: DemoUniversity, count: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`select max(id) as id from students`.execute(db)
  return generateStudents(db, demo, rows[0]!.id + count)
}

/** What people type to find somebody: part of a name in Arabic or English. */
async function searches(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; name_local: string }>(
    'select name, name_local from students where id % 97 = 0',
  )
  const random = seededRandom(9)
  return rows.map((row) => {
    const words = (random.chance(0.5) ? row.name : row.name_local).split(' ')
    const [one, two] = [words[0]!, words.at(-1)!]
    return random.pick([
      // The family name; its beginning; the first name and the beginning of the next; first and family name.
      two,
      two.slice(0, 5),
      `${one} ${words[1]!.slice(0, 3)}`,
      `${one} ${two}`,
      `${words[1]} ${words[2]}`,
    ])
  })
}

const ORDERS = ['code', 'name', 'name_local', 'level', 'gpa'] as const
const COLUMNS = [
  'id',
  'code',
  'name',
  'name_local',
  'faculty_id',
  'program_id',
  'bylaw_id',
  'level',
  'status',
  'gpa',
  'passed_hours',
  'warnings',
  'advisor_id',
  'entry_term_id',
  'gender',
  'birth_date',
  'birth_place',
  'nationality_id',
  'national_id',
  'passport_number',
  'military_status',
  'email',
  'phone',
  'address',
  'parent_name',
  'parent_relation',
  'parent_phone',
  'parent_job',
  'school_certificate',
  'school_name',
  'school_year',
  'school_percentage',
  'previous_university',
  'previous_program',
  'missing_documents',
  'version',
  'removed_at',
]
const JOINS = `join faculties f on f.id = t.faculty_id join programs p on p.id = t.program_id join bylaws b on b.id = t.bylaw_id
  left join instructors i on i.id = t.advisor_id left join terms e on e.id = t.entry_term_id left join countries c on c.id = t.nationality_id`
const NAMES = ['f', 'p', 'b', 'i', 'e', 'c']
  .map((a) => `${a}.name as ${a}_name, ${a}.name_local as ${a}_name_local, ${a}.code as ${a}_code`)
  .join(', ')

/**
 * The list as somebody writes it who knows what will be asked: one statement, prepared once, rows with the names they
 * refer to, and the count of all.
 */
export const bareList = (order: string, limit = '10', search = true) => {
  const found = `removed_at is null ${search ? 'and search_text like $1 and search_text like $2' : ''}`
  return `select (select count(*)::int from students where ${found}) as total,
     ${COLUMNS.map((c) => `t.${c}`).join(', ')}, ${NAMES}
   from (select * from students where ${found}
     order by ${order === 'name_local' ? 'name_local collate "ar-x-icu"' : order} ${order === 'gpa' ? 'nulls last' : ''}, id limit ${limit}) t
   ${JOINS} order by t.${order === 'name_local' ? 'name_local collate "ar-x-icu"' : order}, t.id`
}

/** A page of 10 of 100,000 students, found by part of a name, sorted, with the count. */
export async function studentList(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_students')
  await generateStudents(db, bench.demo, Number(process.env.BENCH_STUDENTS ?? 100_000))
  await pool.query('vacuum analyze students')
  const typed = await searches(pool)
  const folded = await pool.query<{ words: string[] }>(
    `select array(select search_pattern(w) from regexp_split_to_table(s, ' ') w) as words from unnest($1::text[]) with ordinality x(s, n) order by n`,
    [typed],
  )
  const patterns = folded.rows.map(({ words }) => [words[0]!, words[1] ?? '%'])
  const server = await bench.server(url)
  const token = await bench.signIn(pool, bench.demo.accounts.find((a) => a.role === 'registrar')!.email)
  const pick = (loop: number, n: number) => (loop * 131 + n) % typed.length
  let rows = 0
  const found = await compare(
    { server: server.pid, postmaster: bench.postmaster },
    async (loop, n) => {
      const i = pick(loop, n)
      await server.send(token, 'POST', '/students', {
        page: 1,
        perPage: 10,
        search: typed[i],
        order_by: ORDERS[i % ORDERS.length],
        order_direction: 'asc',
      })
    },
    async (loop, n) => {
      const i = pick(loop, n)
      const order = ORDERS[i % ORDERS.length]!
      rows += (await query(pool, `bare_list_${order}`, bareList(order), patterns[i])).length
    },
  )
  if (!rows) throw new Error('nothing was found')
  await server.stop()
  await db.destroy()
  return figures('list', '100,000 students: search, sort, page of 10, count', found, {
    ratio: 0.5,
    server: 1.5,
    database: 5,
  })
}

/** One student by id, with the names of what the record refers to. */
export async function oneStudent(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_student')
  await generateStudents(db, bench.demo, Number(process.env.BENCH_STUDENTS ?? 100_000))
  await pool.query('vacuum analyze students')
  const server = await bench.server(url)
  const token = await bench.signIn(pool, bench.demo.accounts.find((a) => a.role === 'registrar')!.email)
  const total = Number(process.env.BENCH_STUDENTS ?? 100_000)
  const pick = (loop: number, n: number) => 1 + ((loop * 3121 + n * 17) % total)
  const text = `select ${COLUMNS.map((c) => `t.${c}`).join(', ')}, t.notes, t.blocked_at, t.blocked_reason, ${NAMES} from students t ${JOINS} where t.id = $1 and t.removed_at is null`
  const found = await compare(
    { server: server.pid, postmaster: bench.postmaster },
    async (loop, n) => void (await server.send(token, 'GET', `/students/${pick(loop, n)}`)),
    async (loop, n) => {
      const rows = await query(pool, 'bare_student', text, [pick(loop, n)])
      if (rows.length !== 1) throw new Error('no such student')
    },
  )
  await server.stop()
  await db.destroy()
  return figures('student', 'One student by id', found, { ratio: 0.35 })
}
