import { sql } from 'kysely'
import { SEAL, signSheets, signWhatIsNot } from '#areas/records/grading/signing/sign.server.ts'
import { verifyGrades } from '#areas/records/grading/signing/verify.server.ts'
import { readConfig } from '#kit/server/base/config.ts'
import { sealOf } from '#kit/server/identity/sealed.ts'
import { fillTerm } from './finish.ts'
import type { Bench } from './setup.ts'
import { most } from './report.ts'
import type { Result } from './report.ts'

const STUDENTS = 20_000

/**
 * Signed grade sheets of 100,000 registrations, each with all of its marks and its history, and rows of 20,000 finished terms,
 * verified against their chain; then one cell is
 * changed behind the program and found. Beside it bare SQL that reads the same marks and results, and hashes nothing.
 */
export async function verifyMarks(bench: Bench): Promise<Result> {
  const { pool, db } = await bench.database('bench_verify_grades', 4)
  const { term_id } = await fillTerm(bench, db, STUDENTS)
  await db.transaction().execute(async (tx) => {
    await sql`set local ems.authority = 'load'`.execute(tx)
    await sql`insert into registration_marks (registration_id, offering_mark_id, mark)
      select r.id, m.id, trunc(m.max * 0.8, 2) from registrations r join offering_marks m on m.offering_id = r.offering_id
      where r.term_id = ${term_id} on conflict do nothing`.execute(tx)
  })
  // Each of them was asked for and accepted, and each student has a row of the finished term.
  await sql`insert into registration_history (registration_id, student_id, offering_id, action, to_status, reason)
    select r.id, r.student_id, r.offering_id, x, r.status, 'benchmark' from registrations r cross join unnest(array['request', 'accept']) x
    where r.term_id = ${term_id}`.execute(db)
  await sql`insert into student_terms (student_id, term_id, registered_hours, attempted_hours, passed_hours, term_points, gpa,
      cumulative_hours, cumulative_passed_hours, cumulative_points, cumulative_gpa, level, warnings, standing)
    select s.id, ${term_id}, 15, 15, 15, 45, 3, s.passed_hours, s.passed_hours, 100, s.gpa, s.level, s.warnings, 'good'
    from students s where exists (select from registrations r where r.student_id = s.id and r.term_id = ${term_id})
      and not exists (select from student_terms t where t.student_id = s.id)`.execute(db)
  await sql`analyze`.execute(db)
  const seal = await sealOf({ pool, config: readConfig(process.env) }, SEAL)
  const { rows: offerings } = await sql<{ id: number }>`select id from offerings where term_id = ${term_id}`.execute(db)
  const ids = offerings.map(({ id }) => id)
  let started = performance.now()
  await db.transaction().execute(async (tx) => {
    const signer = { cause: 'begin', actor_id: null, impersonator_id: null, reason: 'benchmark', seal }
    await signSheets(tx, ids, signer)
    await signWhatIsNot(tx, signer)
  })
  const signing = (performance.now() - started) / 1000
  await sql`analyze`.execute(db)
  started = performance.now()
  const clean = await verifyGrades(db, { seal })
  const verifying = (performance.now() - started) / 1000
  started = performance.now()
  await sql`select count(*), sum(r.total), sum(m.mark) from registrations r
    left join registration_marks m on m.registration_id = r.id`.execute(db)
  const bare = (performance.now() - started) / 1000
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`update registration_marks set mark = mark - 0.25 where (registration_id, offering_mark_id) = (
      select registration_id, offering_mark_id from registration_marks m join registrations r on r.id = m.registration_id
      where r.term_id = ${term_id} order by 1 desc limit 1)`.execute(tx)
  })
  const { findings, count } = await verifyGrades(db, { seal })
  if (clean.count || count !== 1 || findings[0]?.kind !== 'cell')
    throw new Error(
      `one cell was changed, found: ${clean.count}, ${count} ${JSON.stringify([clean.findings[0], findings[0]])}`,
    )
  return {
    name: 'verify-grades',
    title: `${clean.registrations.toLocaleString('en')} registrations on ${clean.sheets} signed sheets, and ${clean.records.toLocaleString('en')} records beside them, are verified`,
    lines: [
      most('every cell against what was signed', verifying, 30, 's'),
      { what: 'against reading the same rows by bare SQL', value: `${(verifying / bare).toFixed(1)} times` },
      { what: 'signed, once', value: `${signing.toFixed(1)} s` },
    ],
  }
}
