import { cpu, memoryOf } from './measure.ts'
import type { Bench } from './setup.ts'
import { most } from './report.ts'
import type { Result } from './report.ts'

/** A thousand transcripts of the student with the most courses, one after the other, in both languages by turns. */
export async function transcripts(bench: Bench): Promise<Result> {
  const { url, pool } = await bench.database('bench_transcripts', 4)
  const { rows } = await pool.query<{ id: number; courses: number }>(
    'select student_id as id, count(*)::int as courses from registrations group by 1 order by 2 desc, 1 limit 1',
  )
  const { id, courses } = rows[0]!
  const server = await bench.server(url)
  const token = await bench.signIn(pool, 'registrar@canopus.example.edu')
  const print = async (n: number): Promise<void> => {
    const answer = await server.ask(token, 'POST', `/students/${id}/transcript/${n % 2 ? 'ar' : 'en'}`, { all: true })
    if (answer.status !== 200 || answer.body.subarray(0, 4).toString() !== '%PDF')
      throw new Error(`transcript: ${answer.status}`)
  }
  for (let n = 0; n < 50; n++) await print(n)
  const before = cpu(server.pid, bench.postmaster)
  const memory: number[] = []
  const COUNT = 1000
  for (let n = 0; n < COUNT; n++) {
    await print(n)
    if (n % 250 === 249) memory.push(memoryOf(server.pid))
  }
  const after = cpu(server.pid, bench.postmaster)
  // Issued: with a number, a QR code, a hash, its file kept, and what it stands on.
  const ISSUED = 200
  const issue = async (n: number): Promise<void> =>
    void (await server.send(token, 'POST', `/students/${id}/papers`, { kind: 'transcript', lang: n % 2 ? 'ar' : 'en' }))
  for (let n = 0; n < 20; n++) await issue(n)
  const first = cpu(server.pid, bench.postmaster)
  for (let n = 0; n < ISSUED; n++) await issue(n)
  const last = cpu(server.pid, bench.postmaster)
  await server.stop()
  return {
    name: 'transcript',
    title: `transcript PDF of ${courses} courses, ${COUNT} of them`,
    lines: [
      most('CPU of the server', (after.server - before.server) / COUNT, 80, 'ms'),
      { what: 'CPU of the database', value: `${((after.database - before.database) / COUNT).toFixed(2)} ms` },
      most('issued with QR, number and hash: CPU of the server', (last.server - first.server) / ISSUED, 50, 'ms'),
      {
        what: 'the same, of the database',
        value: `${((last.database - first.database) / ISSUED).toFixed(2)} ms`,
      },
      most('memory grown', Math.max(0, memory.at(-1)! - memory[0]!), 30, 'MB'),
      { what: 'memory', value: memory.map((m) => `${Math.round(m)} MB`).join(', ') },
    ],
  }
}
