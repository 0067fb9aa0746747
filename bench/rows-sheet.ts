import { setTimeout as sleep } from 'node:timers/promises'
import { memoryOf } from './measure.ts'
import { most, print, type Line, type Result } from './report.ts'
import type { Bench, Server } from './setup.ts'
import { copyStudents } from './students.ts'

const SIZES = (process.env.BENCH_SHEET_ROWS ?? '100000,500000').split(',').map(Number)
/** Megabytes that a server may hold more than before while it makes a sheet, however long that is. */
const FLAT_MB = 150

interface Job {
  readonly state: string
  readonly result: { rows: number } | null
  readonly error: unknown
}

/** All students as one sheet, of two sizes, each by a server of its own: the most memory meanwhile, and how long a transaction was open. */
export async function rowsSheet(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_rows_sheet', 4)
  const lines: Line[] = []
  for (const size of SIZES) {
    const begun = performance.now()
    await copyStudents(db, bench.demo, size)
    console.log(
      `${size.toLocaleString('en')} students were there after ${Math.round((performance.now() - begun) / 1000)} s`,
    )
    const server = await bench.server(url)
    try {
      const some = await made(bench, server, pool, size)
      lines.push(...some)
      // Each at once: whoever ends the next size has this one.
      print({ name: 'rows-sheet', title: `${size.toLocaleString('en')} rows`, lines: some })
    } finally {
      await server.stop()
    }
  }
  return { name: 'rows-sheet', title: 'all rows behind a figure as one sheet', lines }
}

async function made(bench: Bench, server: Server, pool: import('pg').Pool, size: number): Promise<Line[]> {
  const token = await bench.signIn(pool, 'root@canopus.example.edu')
  const asked = { measure: 'people', lang: 'en' }
  // What is fetched once by a process is fetched before.
  await server.send(token, 'POST', '/reports/students/rows', { measure: 'people', filters: { level: [9] } })
  const before = memoryOf(server.pid)
  const begun = performance.now()
  const { job_id } = JSON.parse(await server.send(token, 'POST', '/reports/students/rows/xlsx', asked)) as {
    job_id: string
  }
  let top = before
  let open = 0
  for (;;) {
    top = Math.max(top, memoryOf(server.pid))
    const { rows } = await pool.query<{ seconds: number }>(
      `select coalesce(max(extract(epoch from now() - xact_start)), 0)::float8 as seconds from pg_stat_activity
       where datname = current_database() and query ilike '%report_rows%' and pid <> pg_backend_pid()`,
    )
    open = Math.max(open, rows[0]!.seconds)
    const job = JSON.parse(await server.send(token, 'GET', `/jobs/${job_id}`)).data as Job
    if (job.state === 'failed') throw new Error(`the sheet failed: ${JSON.stringify(job.error)}`)
    if (job.state === 'done') {
      const took = (performance.now() - begun) / 1000
      const rowsMade = job.result!.rows.toLocaleString('en')
      return [
        { what: `${size.toLocaleString('en')} students`, value: `${rowsMade} rows in ${took.toFixed(1)} s` },
        most(`… memory above before (${before.toFixed(0)} MB)`, top - before, FLAT_MB, 'MB'),
        { what: '… longest open transaction', value: `${open.toFixed(1)} s` },
      ]
    }
    await sleep(50)
  }
}
