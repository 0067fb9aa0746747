import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type pg from 'pg'
import { openStorage, type Storage } from '#kit/server/storage/index.ts'
import { cpu, memoryOf } from './measure.ts'
import { most, type Line, type Result } from './report.ts'
import type { Bench, Server } from './setup.ts'

/** Files of the pack, and bytes of each. */
const FILES = 30
const EACH = Number(process.env.BENCH_PACK_MB ?? 3000) * (1_000_000 / FILES)
/** Megabytes that a server may hold more than before while it packs; papers are typeset meanwhile. */
const FLAT_MB = 200

const PIECE = randomBytes(1_000_000)
/** A scan of so many bytes, the like of which there is no other. */
async function* scan(n: number, size: number): AsyncGenerator<Uint8Array> {
  for (let left = size; left > 0; left -= PIECE.length) {
    PIECE.writeUInt32BE(n)
    PIECE.writeUInt32BE(left % 0xffff_ffff, 4)
    yield Buffer.from(PIECE.subarray(0, Math.min(left, PIECE.length)))
  }
}

/** Course files of one program, accepted, with so many scans: a program and years that hold them. */
async function fill(pool: pg.Pool, storage: Storage): Promise<{ program_id: number; year: number }> {
  const { rows } = await pool.query<{ program_id: number; year: number; ids: number[] }>(
    `select c.program_id, w.year_id as year, array_agg(t.id order by t.id) as ids
     from course_files t join offerings o on o.id = t.offering_id join terms w on w.id = o.term_id
       join program_courses c on c.course_id = o.course_id
     where t.removed_at is null group by 1, 2 order by count(*) desc, 1 limit 1`,
  )
  const { program_id, year, ids } = rows[0]!
  await pool.query(`update course_files set status = 'accepted' where id = any($1)`, [ids])
  for (let n = 0; n < FILES; n++) {
    const { hash, size } = await storage.put(Readable.from(scan(n, EACH)))
    await pool.query(
      `with f as (insert into files (hash, name, ext, mime, size) values ($1, $2, 'pdf', 'application/pdf', $3) returning id)
       insert into course_file_documents (course_file_id, part_id, file_id)
       select $4, (select id from course_file_parts order by id limit 1), id from f`,
      [hash, `Scan ${n}.pdf`, size, ids[n % ids.length]],
    )
  }
  return { program_id, year }
}
interface Job {
  readonly state: string
  readonly progress: number
  readonly result: { id: number; name: string; url: string; files: number } | null
  readonly error: unknown
}
const jobOf = async (server: Server, token: string, id: string): Promise<Job> =>
  JSON.parse(await server.send(token, 'GET', `/jobs/${id}`)).data
/** Follows a job until it is as far as told. @returns the most memory meanwhile */
async function follow(server: Server, token: string, id: string, until: (job: Job) => boolean) {
  for (let top = 0; ;) {
    top = Math.max(top, memoryOf(server.pid))
    const job = await jobOf(server, token, id)
    if (job.state === 'failed') throw new Error(`the pack failed: ${JSON.stringify(job.error)}`)
    if (until(job)) return { job, top }
    await sleep(100)
  }
}

/** An accreditation pack of 3 GB: packed by a job, whose process is killed on the way, then fetched. */
export async function pack(bench: Bench): Promise<Result> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ems-bench-pack-'))
  const lines: Line[] = []
  try {
    const storageUrl = pathToFileURL(folder).href
    const { url, pool } = await bench.database('bench_pack', 4)
    const { program_id, year } = await fill(pool, openStorage(storageUrl))
    const first = await bench.server(url, { STORAGE_URL: storageUrl })
    const token = await bench.signIn(pool, 'root@canopus.example.edu')
    const ask = { program_id, from_year_id: year, to_year_id: year, lang: 'en' }
    const job = JSON.parse(await first.send(token, 'POST', '/courseFile/pack', ask)).job_id as string
    await follow(first, token, job, ({ progress }) => progress >= 30)
    await first.kill()

    const server = await bench.server(url, { STORAGE_URL: storageUrl })
    await server.send(token, 'GET', '/courseFile/parts').catch(() => null)
    const before = memoryOf(server.pid)
    const from = cpu(server.pid, bench.postmaster)
    const broken = performance.now()
    let taken = 0
    const done = await follow(server, token, job, ({ state }) => {
      if (state === 'running') taken ||= performance.now()
      return state === 'done'
    })
    const ended = performance.now()
    const to = cpu(server.pid, bench.postmaster)
    const { result } = done.job
    const answer = await fetch(`${server.origin}${result!.url}`, { headers: { authorization: `Bearer ${token}` } })
    let bytes = 0
    let top = 0
    for await (const chunk of answer.body!) {
      bytes += (chunk as Uint8Array).byteLength
      if (bytes % 50 === 0) top = Math.max(top, memoryOf(server.pid))
    }
    top = Math.max(top, memoryOf(server.pid))
    // What the killed process had half written is cleared with what else is left aside.
    const aside = await readdir(path.join(folder, 'incoming'))
    // All of its parts, each with its head, and the directory at the end.
    const { rows } = await pool.query<{ size: number }>(
      `select sum(i.size + 76 + 2 * octet_length(i.path))::float8 + 22 as size from course_file_pack_items i where i.pack_id = $1`,
      [result!.id],
    )
    await server.stop()
    lines.push(
      {
        what: 'files and bytes of the pack',
        value: `${result!.files}, ${(bytes / 1e9).toFixed(2)} GB`,
        target: 'as noted',
        met: bytes === rows[0]?.size && bytes > FILES * EACH,
      },
      {
        what: 'after its process was killed',
        value: `done in ${((ended - broken) / 1000).toFixed(0)} s by another; ${((to.server - from.server) / 1000).toFixed(0)} s CPU`,
      },
      most(`memory above before (${before.toFixed(0)} MB), packing`, done.top - before, FLAT_MB, 'MB'),
      most('the same, while it is fetched', top - before, FLAT_MB, 'MB'),
      { what: 'left aside by the killed process', value: `${aside.length} file, cleared after a day` },
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return { name: 'pack', title: `an accreditation pack of ${(FILES * EACH) / 1e9} GB`, lines }
}
