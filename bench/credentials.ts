import { cpu } from './measure.ts'
import type { Bench } from './setup.ts'
import { most } from './report.ts'
import type { Result } from './report.ts'

/** A thousand papers, each taken as a credential for the first time; then the list of revocations with a hundred of them revoked. */
export async function issuedCredentials(bench: Bench): Promise<Result> {
  const { url, pool } = await bench.database('bench_credentials', 4)
  const COUNT = 1000
  const { rows } = await pool.query<{ id: number; courses: number }>(
    'select student_id as id, count(*)::int as courses from registrations group by 1 order by 2 desc, 1 limit 1',
  )
  const { id, courses } = rows[0]!
  const server = await bench.server(url)
  const token = await bench.signIn(pool, 'registrar@canopus.example.edu')
  const issued = await server.ask(token, 'POST', `/students/${id}/papers`, { kind: 'transcript', lang: 'en' })
  if (issued.status !== 200) throw new Error(`paper: ${issued.status}`)
  // The same paper again and again: what takes long in issuing one is measured elsewhere.
  const made = await pool.query<{ id: number }>(
    `with first as (select * from papers order by id desc limit 1), more as (
       insert into papers (kind, subject, subject_id, lang, serial, code, title, title_local, holder, holder_local, facts, disclosure, file_id, sha256)
       select kind, subject, subject_id, lang, 'BENCH-' || n, upper(lpad(to_hex(n), 20, '0')), title, title_local, holder, holder_local, facts,
         'everything', file_id, sha256 from first, generate_series(1, $1::int) n returning id)
     select id from more`,
    [COUNT],
  )
  await pool.query(
    `insert into paper_data (paper_id, data) select p, (select data from paper_data order by paper_id desc limit 1) from unnest($1::int[]) p`,
    [made.rows.map((row) => row.id)],
  )
  const take = async (paper: number): Promise<number> => {
    const answer = await server.ask(token, 'POST', `/students/${id}/papers/${paper}/credential`)
    if (answer.status !== 200) throw new Error(`credential: ${answer.status}`)
    return answer.body.byteLength
  }
  let bytes = 0
  const before = cpu(server.pid, bench.postmaster)
  const started = performance.now()
  for (const row of made.rows) bytes = await take(row.id)
  const seconds = (performance.now() - started) / 1000
  const after = cpu(server.pid, bench.postmaster)
  await pool.query(
    `update papers set revoked_at = now(), revoked_reason = 'bench' where serial like 'BENCH-%' and id % 10 = 0`,
  )
  const list = performance.now()
  const answer = await server.ask(token, 'GET', '/credential-lists/1')
  const listed = performance.now() - list
  if (answer.status !== 200) throw new Error(`list: ${answer.status}`)
  await server.stop()
  return {
    name: 'credentials',
    title: `credentials of ${courses} courses, ${COUNT} of them, one after the other`,
    lines: [
      { what: 'together', value: `${seconds.toFixed(1)} s` },
      most('CPU of the server', (after.server - before.server) / COUNT, 60, 'ms'),
      { what: 'CPU of the database', value: `${((after.database - before.database) / COUNT).toFixed(2)} ms` },
      { what: 'one credential', value: `${(bytes / 1000).toFixed(1)} kB` },
      most('the list of revocations, made and signed', listed, 500, 'ms'),
    ],
  }
}
