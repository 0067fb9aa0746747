import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { zipSync } from 'fflate'
import { sampleBundle, sampleBytes } from '#areas/office/oneroster/sample.server.ts'
import { cpu } from './measure.ts'
import type { Bench } from './setup.ts'
import { most } from './report.ts'
import type { Line, Result } from './report.ts'

const STUDENTS = 21_266
const ENROLLED = 58_979
/** What an import fills, by the rows that it adds. */
const TABLES = [
  'users',
  'role_assignments',
  'students',
  'external_ids',
  'offerings',
  'registrations',
  'registration_slots',
  'registration_history',
] as const

/** Most that a process has ever held resident, in megabytes. */
const peakOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** A university of another system, uploaded as a ZIP and imported by a server, once new and once the same again. */
export async function universityImport(bench: Bench): Promise<Result> {
  const files = sampleBundle({ students: STUDENTS, courses: 1200, load: 3 })
  let students = 0
  files.enrollments = files
    .enrollments!.split('\r\n')
    .filter((line) => !line.includes(',student,') || students++ < ENROLLED)
    .join('\r\n')
  const zip = zipSync(sampleBytes(files))
  const { url, pool } = await bench.database('bench_import', 4)
  const { rows: before } = await pool.query<{ name: string; n: number }>(
    TABLES.map((name) => `select '${name}' as name, count(*)::int as n from ${name}`).join(' union all '),
  )
  const server = await bench.server(url)
  const token = await bench.signIn(pool, 'root@canopus.example.edu')
  const resting = peakOf(server.pid)
  const lines: Line[] = []
  for (const [what, target] of [
    [`${STUDENTS} students and ${ENROLLED} enrolments, new`, 10],
    ['the same again', 5],
  ] as const) {
    const from = cpu(server.pid, bench.postmaster)
    const started = performance.now()
    const form = new FormData()
    form.append('file', new Blob([zip as Uint8Array<ArrayBuffer>]), 'bundle.zip')
    const answer = await fetch(`${server.origin}/api/oneroster/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    })
    if (!answer.ok) throw new Error(`import: ${answer.status} ${await answer.text()}`)
    const { job_id } = (await answer.json()) as { job_id: string }
    for (let state = 'queued'; state !== 'done';) {
      await sleep(100)
      const job = (JSON.parse(await server.send(token, 'GET', `/jobs/${job_id}`)) as { data: { state: string } }).data
      ;({ state } = job)
      if (state === 'failed' || state === 'cancelled') throw new Error(`import ended ${JSON.stringify(job)}`)
    }
    const seconds = (performance.now() - started) / 1000
    const to = cpu(server.pid, bench.postmaster)
    lines.push(most(what, seconds, target, 's'), {
      what: 'CPU of server and database',
      value: `${((to.server - from.server) / 1000).toFixed(1)} s and ${((to.database - from.database) / 1000).toFixed(1)} s`,
    })
    if (target === 10) {
      const began = performance.now()
      for (const { name, n } of before) {
        await pool.query(`create table bare_${name} (like ${name} including all)`)
        const columns = await plainColumns(pool, name)
        await pool.query(
          `insert into bare_${name} (${columns}) overriding system value select ${columns} from ${name} offset ${n}`,
        )
      }
      const bare = (performance.now() - began) / 1000
      lines.push({
        what: 'of bare inserts of the same rows',
        value: `${(seconds / bare).toFixed(2)} times as long (${bare.toFixed(1)} s)`,
      })
    }
  }
  lines.push(most('most resident memory of the server', peakOf(server.pid), 300, 'MB'), {
    what: 'of it before the import',
    value: `${resting.toFixed(0)} MB`,
  })
  await server.stop()
  return { name: 'import', title: 'Import of a university', lines }
}

/** Columns of a table that are written, not generated. */
async function plainColumns(pool: Awaited<ReturnType<Bench['database']>>['pool'], table: string): Promise<string> {
  const { rows } = await pool.query<{ names: string }>(
    `select string_agg(attname, ', ' order by attnum) as names from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  )
  return rows[0]!.names
}
