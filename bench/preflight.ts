import { sql } from 'kysely'
import { fillTerm } from './finish.ts'
import { cpu, load } from './measure.ts'
import { most } from './report.ts'
import type { Result } from './report.ts'
import type { Bench } from './setup.ts'

const STUDENTS = 20_000

/** What stands against the registration of one student, asked by the registrar, and of a faculty of 20,000 as a list. */
export async function preflight(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_preflight', 4)
  const { first } = await fillTerm(bench, db, STUDENTS)
  const term = bench.demo.terms.at(-1)!
  await sql`insert into term_stages (term_id, stage_code_id, starts_at, ends_at)
    select ${term.id}, id, now() + interval '3 days', now() + interval '10 days' from stage_codes where code = 'register'`.execute(
    db,
  )
  await sql`insert into student_holds (student_id, kind, note) select id, 'unpaid_invoice', 'INV-' || id from students
    where id >= ${first} and id % 20 = 0`.execute(db)
  await sql`analyze`.execute(db)
  const server = await bench.server(url)
  const token = await bench.signIn(pool, 'root@canopus.example.edu')
  const one = (n: number) =>
    server.send(token, 'GET', `/registrations/students/preflight/${first + (n % STUDENTS)}`).then(() => undefined)
  await load((loop, n) => one(loop * 500 + n), { loops: 4, seconds: 2 })
  const before = cpu(server.pid, bench.postmaster)
  const run = await load((loop, n) => one(loop * 2000 + n), { loops: 4, seconds: 8 })
  const after = cpu(server.pid, bench.postmaster)
  const body = { page: 1, perPage: 10, filters: { blocked: true } }
  await server.send(token, 'POST', '/registrations/preflight', body)
  const begun = cpu(server.pid, bench.postmaster)
  const at = performance.now()
  const { meta } = JSON.parse(await server.send(token, 'POST', '/registrations/preflight', body)) as {
    meta: { details: { students: number; blocked: number } }
  }
  const seconds = (performance.now() - at) / 1000
  const ended = cpu(server.pid, bench.postmaster)
  await server.stop()
  // Not all of them study: some of the demo university among them have left.
  if (meta.details.students < 0.99 * STUDENTS) throw new Error(`only ${meta.details.students} were looked at`)
  return {
    name: 'preflight',
    title: 'before registration',
    lines: [
      most('one student: CPU of the server', (after.server - before.server) / run.count, 10, 'ms'),
      { what: 'CPU of the database', value: `${((after.database - before.database) / run.count).toFixed(2)} ms` },
      { what: 'answers', value: `${Math.round(run.perSecond)} a second, half within ${run.p50.toFixed(0)} ms` },
      {
        what: `${meta.details.students.toLocaleString('en')} students as a list, ${meta.details.blocked.toLocaleString('en')} of them blocked`,
        value: `${seconds.toFixed(1)} s; server ${ended.server - begun.server} ms, database ${ended.database - begun.database} ms CPU`,
      },
    ],
  }
}
