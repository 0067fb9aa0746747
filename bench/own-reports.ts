import { sql } from 'kysely'
import { flag } from '#areas/common/academics/status.rules.ts'
import type { OwnAsked } from '#areas/office/reports/own/choices.rules.ts'
import { readOwn } from '#areas/office/reports/own/read.server.ts'
import type { Db } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { most, type Line, type Result } from './report.ts'
import type { Bench } from './setup.ts'
import { copyStudents } from './students.ts'

const STUDENTS = Number(process.env.BENCH_OWN_STUDENTS ?? 200_000)
const COURSES = 5
const TIMES = 5
/** Milliseconds within which three dimensions together are told. */
const TARGET = 2_000
const [DROPPED, REGISTERED] = [flag.Fresh + flag.Dropped, flag.Fresh + flag.Registered].map(String)

const ASKED: readonly (readonly [what: string, asked: OwnAsked])[] = [
  [
    'students by faculty and level, by gender',
    { measures: ['students'], rows: ['faculty', 'level'], columns: ['gender'] },
  ],
  [
    'students and GPA by program and level, by gender',
    { measures: ['students', 'mean_gpa'], rows: ['program', 'level'], columns: ['gender'] },
  ],
  [
    'students by nationality and program, by gender',
    { measures: ['people'], rows: ['nationality', 'program'], columns: ['gender'] },
  ],
  [
    'registered of the term by faculty and level, by gender',
    { measures: ['registered'], rows: ['faculty', 'level'], columns: ['gender'] },
  ],
  [
    'registered of the term by course and level, by gender',
    { measures: ['registered'], rows: ['course', 'level'], columns: ['gender'] },
  ],
]

/** Own reports with three dimensions of 200,000 students, each registered in five courses of the term: read anew each time. */
export async function ownReports(bench: Bench): Promise<Result> {
  const { db } = await bench.database('bench_own_reports', 4)
  const started = performance.now()
  await copyStudents(db, bench.demo, STUDENTS)
  await fill(db)
  await sql`vacuum analyze`.execute(db)
  console.log(`filled in ${Math.round((performance.now() - started) / 1000)} s`)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from registrations`.execute(db)
  const ctx = {
    db,
    system: 'benchmark',
    actor: null,
    http: null,
    inUnit: false,
    lang: 'en',
    can: () => true,
    write: (work: (tx: Db) => Promise<unknown>) => db.transaction().execute(work),
  } as unknown as Ctx
  const lines: Line[] = []
  for (const [what, asked] of ASKED) {
    const taken: number[] = []
    let told = 0
    for (let n = 0; n < TIMES; n++) {
      const begun = performance.now()
      const report = await readOwn(ctx, asked, true)
      taken.push(performance.now() - begun)
      told = report.rows.length
    }
    if (!told) throw new Error(`${what}: nothing was told`)
    lines.push(most(what, taken.toSorted((a, b) => a - b)[Math.floor(TIMES / 2)]!, TARGET, 'ms'))
  }
  return {
    name: 'own-reports',
    title: `own reports with three dimensions of ${STUDENTS.toLocaleString('en')} students and ${firstRow(rows).count.toLocaleString('en')} registrations`,
    lines,
  }
}

/** Straight into the tables: offerings of the current term, and five courses for each student. */
async function fill(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    const steps = [
      sql`insert into offerings (term_id, course_id, code, control_status)
        select t.term_id, c.id, 'BENCH', 'Draft' from current_terms t cross join (select id from courses where removed_at is null order by id limit 600) c
        where t.key = 'current_term'`,
      sql`create temp table bench_offerings on commit drop as
        select id, term_id, course_id, (row_number() over (order by id) - 1)::int as n, (count(*) over ())::int as of from offerings where code = 'BENCH'`,
      sql`create index on bench_offerings (n)`,
      sql`analyze bench_offerings`,
      sql`insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours)
        select s.id, o.id, o.term_id, o.course_id, case when (s.id * 7 + k * 3) % 31 = 0 then ${DROPPED}::bigint else ${REGISTERED}::bigint end, 3
        from students s cross join generate_series(0, ${COURSES - 1}::int) k
          join bench_offerings o on o.n = (s.program_id * 37 + k * 17 + s.id % 3) % o.of
        where s.removed_at is null on conflict do nothing`,
    ]
    for (const step of steps) await step.execute(tx)
  })
}
