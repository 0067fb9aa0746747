import type pg from 'pg'
import { most, type Result } from './report.ts'
import type { Bench } from './setup.ts'

const INTERNS = 1200
const PERIODS = 13
const HOSPITALS = 6

/** A year of 1,200 interns, each with thirteen rotations of four weeks: it began eight weeks ago. */
export async function fillInternshipYear(pool: pg.Pool): Promise<number> {
  const client = await pool.connect()
  const q = (text: string, values: unknown[] = []) => client.query<{ id: number }>(text, values)
  try {
    await q('begin')
    await q('set local session_replication_role = replica')
    const { rows: programs } = await q('select min(id) as id from programs where removed_at is null')
    const program = programs[0]!.id
    const { rows: years } = await q(
      `insert into emtyaz_years (code, name, name_local, faculty_id, starts_on, periods, period_weeks, electives)
       select 'BENCH', 'Internship year', 'سنة الامتياز', faculty_id, university_today() - 56, ${PERIODS}, 4, 2 from programs where id = $1 returning id`,
      [program],
    )
    const year = years[0]!.id
    await q(
      `with c as (insert into emtyaz_courses (code, name, name_local, faculty_id, is_elective)
         select 'BC' || n, 'Course ' || n, 'مقرر', p.faculty_id, n > 11 from programs p, generate_series(1, 23) n where p.id = $1 returning id, code, name, name_local)
       insert into emtyaz_training_types (code, name, name_local, course_id, weeks) select replace(code, 'BC', 'T'), name, name_local, id, 4 from c`,
      [program],
    )
    await q(
      `insert into emtyaz_hospitals (code, name, name_local) select 'BH' || n, 'Hospital ' || n, 'مستشفى' from generate_series(1, ${HOSPITALS}) n`,
    )
    await q(
      `insert into emtyaz_trainings (code, name, name_local, year_id, type_id, hospital_id, places)
       select t.code || h.code, t.name || ', ' || h.name, t.name_local, $1, t.id, h.id, case when c.is_elective then 6 else 17 end
       from emtyaz_training_types t join emtyaz_courses c on c.id = t.course_id cross join emtyaz_hospitals h where t.code ~ '^T[0-9]+$' and h.code like 'BH%'`,
      [year],
    )
    await q(
      `with s as (insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, level)
         select 'BENCH' || n, 'Intern number ' || n, 'طبيب رقم ' || n, p.faculty_id, p.id, p.bylaw_id, 6
         from programs p cross join generate_series(1, ${INTERNS}) n where p.id = $1 returning id)
       insert into emtyaz_interns (year_id, student_id, joined_on) select $2, s.id, university_today() - 56 from s`,
      [program, year],
    )
    await q(
      `insert into emtyaz_wishes (intern_id, position, type_id)
       select i.id, k, (select id from emtyaz_training_types where code = 'T' || (12 + (i.id * 5 + k * 5) % 12)) from emtyaz_interns i, generate_series(1, 4) k
       where i.year_id = $1`,
      [year],
    )
    // Everybody goes round: obligatory ones in a circle, the electives between them.
    await q(
      `create temporary table bench_plan on commit drop as
       select x.student_id, t.id as training_id, t.type_id, y.starts_on + x.period * 28 as starts_on, x.period from (
         select i.student_id, i.n, k, (k + i.n) % ${PERIODS} as period,
           case when k < 11 then 'T' || (k + 1) else 'T' || (12 + (i.n / 13 + (k - 11) * 6) % 12) end as type
         from (select student_id, (row_number() over (order by id) - 1)::int as n from emtyaz_interns where year_id = $1) i, generate_series(0, 12) k) x
         join emtyaz_training_types p on p.code = x.type join emtyaz_hospitals h on h.code = 'BH' || (1 + (x.n / 13) % ${HOSPITALS})
         join emtyaz_trainings t on t.type_id = p.id and t.hospital_id = h.id and t.year_id = $1 join emtyaz_years y on y.id = $1`,
      [year],
    )
    await q(
      `insert into emtyaz_offerings (training_id, starts_on, ends_on) select distinct training_id, starts_on, starts_on + 27 from bench_plan`,
    )
    await q(
      `insert into emtyaz_rotations (student_id, year_id, training_id, type_id, offering_id, starts_on, ends_on, status, outcome, mark, max_mark, pass_mark)
       select b.student_id, $1, b.training_id, b.type_id, o.id, b.starts_on, b.starts_on + 27, 'accepted',
         case when b.period < 2 then 'passed' end, case when b.period < 2 then 80 end, case when b.period < 2 then 100 end, case when b.period < 2 then 60 end
       from bench_plan b join emtyaz_offerings o on o.training_id = b.training_id and o.starts_on = b.starts_on`,
      [year],
    )
    await q('commit')
    await q('analyze')
    return year
  } finally {
    client.release()
  }
}

/** The bare statement beside which the call is measured: the rows that the board shows, and nothing made of them. */
const BARE = `select r.id, r.student_id, r.training_id, r.starts_on, r.ends_on, r.status, r.outcome from emtyaz_rotations r
  where r.year_id = $1 and r.removed_at is null order by r.student_id, r.starts_on`

const half = (took: readonly number[]): number => took.toSorted((a, b) => a - b)[Math.floor(took.length / 2)]!

/** The board of 1,200 interns over 52 weeks: the call beside its rows alone. */
export async function rotations(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_rotations', 4)
  const year = await fillInternshipYear(pool)
  const server = await bench.server(url)
  const root = await bench.signIn(pool, 'root@canopus.example.edu')
  await server.send(root, 'POST', '/hotels/lookups', {})
  const [took, bare]: [number[], number[]] = [[], []]
  let size = 0
  let shown = 0
  for (let i = 0; i < 12; i++) {
    let begun = performance.now()
    const text = await server.send(root, 'GET', `/emtyaz/board/${year}`)
    took.push(performance.now() - begun)
    size = text.length
    shown = (JSON.parse(text) as { data: { rotations: unknown[] } }).data.rotations.length
    begun = performance.now()
    await pool.query(BARE, [year])
    bare.push(performance.now() - begun)
  }
  await server.stop()
  await db.destroy()
  await pool.end()
  return {
    name: 'rotations',
    title: `${INTERNS} interns over ${PERIODS * 4} weeks with ${shown} rotations`,
    lines: [
      most('board, the first time', took[0]!, 600, 'ms'),
      most('board, half of all', half(took.slice(2)), 400, 'ms'),
      most('times its rows alone', half(took.slice(2)) / half(bare.slice(2)), 4, '×'),
      { what: 'its rows alone', value: `${half(bare.slice(2)).toFixed(0)} ms` },
      { what: 'size before compression', value: `${Math.round(size / 1024)} KB` },
    ],
  }
}
