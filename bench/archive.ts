import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import type pg from 'pg'
import { PART_BYTES } from '#areas/office/archive/archive.rules.ts'
import { openStorage } from '#kit/server/storage/index.ts'
import { openS3 } from '#tests/s3.ts'
import { cpu } from './measure.ts'
import { most } from './report.ts'
import type { Line, Result } from './report.ts'
import type { Bench, Server } from './setup.ts'

const FILES = 2000
/** Megabytes that a server may hold more than before while it does this. */
const FLAT_MB = 120

/** What a process holds resident, in megabytes: now, and at the most since `forget`. */
const memory = (pid: number, field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** The bytes of a large paper, the same each time without being kept. */
const PIECE = randomBytes(PART_BYTES)
const HEAD = Buffer.from('%PDF-1.7\n')
const partAt = (at: number, size: number): Buffer => {
  const bytes = Buffer.from(PIECE.subarray(0, Math.min(PART_BYTES, size - at)))
  if (at === 0) HEAD.copy(bytes)
  else bytes.writeUInt32BE(at / PART_BYTES)
  return bytes
}

async function sendPart(server: Server, token: string, key: string, offset: number, content: Buffer, breaks = false) {
  const form = new FormData()
  form.append('key', key)
  form.append('offset', String(offset))
  form.append('file', new Blob([content as Uint8Array<ArrayBuffer>]), 'part')
  const encoded = new Response(form)
  const body = Buffer.from(await encoded.arrayBuffer())
  // The line is cut in the middle of a part.
  const half = async function* () {
    yield body.subarray(0, body.length / 2)
    throw new Error('cut')
  }
  return fetch(`${server.origin}/api/archive/upload/part`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': encoded.headers.get('content-type')! },
    body: breaks ? Readable.toWeb(Readable.from(half())) : body,
    ...(breaks && { duplex: 'half' }),
  } as RequestInit)
}

/** An upload in parts with three breaks: it goes on where it stood. */
async function upload(server: Server, token: string, size: number, what: string): Promise<Line[]> {
  const call = async (suffix: string, body: object): Promise<any> =>
    JSON.parse(await server.send(token, 'POST', `/archive/upload/${suffix}`, body)).data
  const before = memory(server.pid)
  const from = cpu(server.pid, server.pid)
  const began = performance.now()
  const whole = createHash('sha256')
  const { key } = (await call('begin', { name: `${what}.pdf`, size })).upload
  const breaks = [0.25, 0.5, 0.75].map((share) => Math.floor((size * share) / PART_BYTES) * PART_BYTES)
  let top = before
  let broken = 0
  for (let at = 0; at < size;) {
    const content = partAt(at, size)
    if (breaks.includes(at) && broken <= breaks.indexOf(at)) {
      broken++
      await sendPart(server, token, key, at, content, true).catch(() => null)
      at = (await call('state', { key })).upload.received
      continue
    }
    const answer = await sendPart(server, token, key, at, content)
    if (!answer.ok) throw new Error(`part ${at}: ${answer.status} ${await answer.text()}`)
    whole.update(content)
    at = ((await answer.json()) as any).data.upload.received
    top = Math.max(top, memory(server.pid))
  }
  const sampler = setInterval(() => (top = Math.max(top, memory(server.pid))), 100)
  const { id } = (await call('finish', { key })).entry
  const seconds = (performance.now() - began) / 1000
  const back = createHash('sha256')
  const answer = await fetch(`${server.origin}/api/archive/download/${id}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  for await (const chunk of answer.body!) back.update(chunk as Uint8Array)
  clearInterval(sampler)
  const same = back.digest('hex') === whole.digest('hex')
  const to = cpu(server.pid, server.pid)
  return [
    {
      what: `${what}: ${size / 1e6} MB in parts, ${broken} breaks`,
      value: `${seconds.toFixed(1)} s, ${(size / 1e6 / seconds).toFixed(0)} MB/s, ${((to.server - from.server) / 1000).toFixed(1)} s CPU; ${same ? 'read back the same' : 'read back otherwise'}`,
      target: 'the same',
      met: same,
    },
    most(`${what}: memory above what the server held before (${before.toFixed(0)} MB)`, top - before, FLAT_MB, 'MB'),
  ]
}

/** A ZIP of a folder, written while it is read. */
async function zip(server: Server, token: string, folder: number, what: string): Promise<Line[]> {
  const before = memory(server.pid)
  let top = before
  const sampler = setInterval(() => (top = Math.max(top, memory(server.pid))), 50)
  const began = performance.now()
  const answer = await fetch(`${server.origin}/api/archive/download_files/${folder}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  })
  let bytes = 0
  let first = 0
  for await (const chunk of answer.body!) {
    first ||= performance.now() - began
    bytes += (chunk as Uint8Array).byteLength
  }
  clearInterval(sampler)
  const seconds = (performance.now() - began) / 1000
  return [
    {
      what: `${what}: ZIP of ${FILES} files, ${(bytes / 1e6).toFixed(0)} MB`,
      value: `${seconds.toFixed(1)} s, first byte after ${first.toFixed(0)} ms`,
    },
    most(`${what}: memory above what the server held before (${before.toFixed(0)} MB)`, top - before, FLAT_MB, 'MB'),
  ]
}

/** A folder of so many papers, past the calls. */
async function fill(pool: pg.Pool, storageUrl: string, bytes: number): Promise<number> {
  const storage = openStorage(storageUrl)
  const { rows } = await pool.query<{ id: number }>(
    `insert into archive_entries (parent_id, kind, name) values (1, 'folder', 'Two thousand') returning id`,
  )
  const folder = rows[0]!.id
  for (let i = 0; i < FILES; i++) {
    const content = randomBytes(bytes)
    HEAD.copy(content)
    const { hash } = await storage.put(content)
    await pool.query(
      `with f as (insert into files (hash, name, ext, mime, size) values ($1, $2, 'pdf', 'application/pdf', $3) returning id),
        e as (insert into archive_entries (parent_id, kind, name, file_id, position) select $4, 'file', $2, id, $5 from f returning id, file_id)
       insert into archive_versions (entry_id, number, file_id) select id, 1, file_id from e`,
      [hash, `Paper ${i}.pdf`, bytes, folder, i],
    )
  }
  return folder
}

/** Large files and many files, on a folder and on an S3-compatible store. */
export async function archive(bench: Bench): Promise<Result> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ems-bench-store-'))
  const s3 = await openS3()
  const lines: Line[] = []
  try {
    for (const [what, storageUrl, size, each] of [
      ['folder', pathToFileURL(folder).href, 1_000_000_000, 200_000],
      ['S3', s3.url, 300_000_000, 20_000],
    ] as const) {
      const { url, pool } = await bench.database(`bench_archive_${what.toLowerCase()}`, 4)
      const inside = await fill(pool, storageUrl, each)
      const server = await bench.server(url, {
        STORAGE_URL: storageUrl,
        UPLOADS_PER_DAY: '10000',
        UPLOAD_MB_PER_DAY: '10000',
      })
      const token = await bench.signIn(pool, 'root@canopus.example.edu')
      await server.send(token, 'POST', '/archive', { parent_id: inside })
      lines.push(...(await zip(server, token, inside, what)))
      lines.push(...(await upload(server, token, size, what)))
      await server.stop()
    }
  } finally {
    await s3.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { name: 'archive', title: 'the archive: a large upload with breaks, a ZIP of many files', lines }
}
