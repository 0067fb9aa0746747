import { sql } from 'kysely'
import { assign } from '#areas/enrolment/specializations/distribution/assign.rules.ts'
import { readApplicants, readSeats } from '#areas/enrolment/specializations/distribution/inputs.server.ts'
import { makeRun } from '#areas/enrolment/specializations/distribution/run.server.ts'
import { most } from './report.ts'
import type { Result } from './report.ts'
import type { Bench } from './setup.ts'

const seconds = async (work: () => unknown): Promise<number> => {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1000
}

/** Students who are distributed over programs by ten wishes each: the assignment, and with all that is read and kept. */
export async function specialisation({ database }: Bench): Promise<Result> {
  const { db } = await database('bench_specialisation')
  const total = Number(process.env.BENCH_STUDENTS ?? 100_000)
  const general = 90
  await sql`insert into students (code, name, name_local, faculty_id, program_id, bylaw_id)
    select 'X' || n, 'Student ' || n, 'طالب ' || n, 1, ${general}, 1 from generate_series(1, ${total}::int) n`.execute(
    db,
  )
  await sql`insert into programs (code, name, name_local, bylaw_id, faculty_id)
    select 'B' || n, 'Program ' || n, 'برنامج ' || n, 1, 1 from generate_series(1, 20) n`.execute(db)
  await sql`insert into specializations (code, name, name_local, bylaw_id, general_program_id, program_id, capacity, min_gpa)
    select code, name, name_local, 1, ${general}, id, ${Math.round(total / 25)}, case when id % 4 = 0 then 2.5 end from programs where code ~ '^B[0-9]+$'`.execute(
    db,
  )
  await sql`insert into specialization_times (id, bylaw_id, start_date, end_date) overriding system value values (999, 1, '2020-01-01', '2020-01-09')`.execute(
    db,
  )
  await sql`insert into specialization_seats (specialization_time_id, position, specialization_id, capacity)
    select 999, row_number() over (order by id) - 1, id, capacity from specializations where code ~ '^B[0-9]+$'`.execute(
    db,
  )
  await sql`update students set program_id = ${general}, gpa = (id::bigint * 7919 % 301 + 100) / 100.0, passed_hours = id::bigint * 104729 % 90, status = 'studying'
    where code ~ '^X[0-9]+$'`.execute(db)
  await sql`insert into specialization_preferences (specialization_time_id, student_id, choices)
    select 999, s.id, array(select e.specialization_id from specialization_seats e where e.specialization_time_id = 999
      order by md5(e.specialization_id || '-' || s.id) limit 10)
    from students s where s.code ~ '^X[0-9]+$'`.execute(db)
  await sql`analyze`.execute(db)

  const [applicants, seats] = [await readApplicants(db, 999), await readSeats(db, 999)]
  assign(applicants, seats)
  const before = process.cpuUsage()
  const wall = await seconds(() => assign(applicants, seats))
  const { user, system } = process.cpuUsage(before)
  const whole = await seconds(() =>
    db.transaction().execute(async (tx) => void (await makeRun({ actor: null } as never, tx, 999))),
  )
  const bare = await seconds(() =>
    sql`select s.id, p.choices, row_number() over (order by s.gpa desc nulls last, s.passed_hours desc, s.code)
      from specialization_preferences p join students s on s.id = p.student_id where p.specialization_time_id = 999`.execute(
      db,
    ),
  )
  await db.destroy()
  return {
    name: 'specialisation',
    title: `${applicants.length} students with ten wishes each`,
    lines: [
      most('assignment', wall, 2, 's'),
      { what: 'assignment, CPU', value: `${((user + system) / 1e6).toFixed(2)} s` },
      { what: 'with reading and keeping the result', value: `${whole.toFixed(2)} s` },
      {
        what: 'bare SQL that only reads them in order',
        value: `${bare.toFixed(2)} s; the assignment takes ${(wall / bare).toFixed(2)} of it`,
      },
    ],
  }
}
