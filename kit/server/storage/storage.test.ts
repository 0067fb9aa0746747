import { spawnSync } from 'node:child_process'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openS3 } from '#tests/s3.ts'
import type { S3 } from '#tests/s3.ts'
import { closeSheets, writeSheet } from '../sheets/index.ts'
import { StoreError, checkBytes, checkFile, openStorage, tryStorage } from './index.ts'
import type { FileError, Storage } from './index.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: FileError) => error.code,
  )
const bytesOf = async (storage: Storage, hash: string) => Buffer.concat(await (await storage.get(hash)).toArray())

/** Signature version 4 computed from its specification, so that the client's signing is checked and not assumed. */
function signature(request: IncomingMessage, secret: string): string {
  const found = /Credential=[^/]+\/(\d+)\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+)/.exec(
    request.headers.authorization ?? '',
  )
  if (!found) return ''
  const [, day, region, signed] = found as unknown as [string, string, string, string]
  const url = new URL(request.url!, 'http://x')
  const canonical = [
    request.method,
    url.pathname,
    url.search.slice(1),
    ...signed.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}`),
    '',
    signed,
    request.headers['x-amz-content-sha256'],
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(utf8(canonical))].join('\n')
  const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`)
  return hmac(key, text).toString('hex')
}

const objects = new Map<string, Buffer>()
let server: Server
let folder: string
let s3: S3
const stores: Record<string, () => Storage> = {
  folder: () => openStorage(pathToFileURL(folder).href),
  object: () =>
    openStorage(`s3+http://KEY:SE%2FCRET@127.0.0.1:${(server.address() as AddressInfo).port}/files/deep/er`),
  // Another program than ours, which says by itself what the protocol is.
  'S3-compatible server': () => openStorage(s3.url),
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storage-'))
  s3 = await openS3()
  server = createServer(async (request, response) => {
    const end = (status: number, body?: Buffer | string) => response.writeHead(status).end(body)
    const body = Buffer.concat(await request.toArray())
    if (!request.headers.authorization?.endsWith(`Signature=${signature(request, 'SE/CRET')}`)) {
      return end(403, '<Error><Code>SignatureDoesNotMatch</Code></Error>')
    }
    const path = new URL(request.url!, 'http://x').pathname
    if (!path.startsWith('/files')) return end(404)
    if (path === '/files' || path === '/files/') return end(200)
    if (request.method === 'PUT') {
      // Amazon's asks for the length before the content.
      if (Number(request.headers['content-length'] ?? NaN) !== body.length) return end(411)
      const sum = request.headers['x-amz-checksum-sha256']
      if (sum !== createHash('sha256').update(body).digest('base64')) return end(400)
      objects.set(path, body)
      return end(200)
    }
    if (request.method === 'DELETE') {
      objects.delete(path)
      return end(204)
    }
    const found = objects.get(path)
    return found ? end(200, request.method === 'HEAD' ? undefined : found) : end(404)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await s3.close()
  await closeSheets()
  await rm(folder, { recursive: true })
})

describe.each(Object.keys(stores))('a store in a %s', (kind) => {
  it('gives back what it was given, from memory and from a stream', async () => {
    const storage = stores[kind]!()
    await storage.ready()
    for (const bytes of [utf8('hello'), new Uint8Array(0), randomBytes(3_000_000)]) {
      const stored = await storage.put(bytes)
      expect(stored).toEqual({ hash: sha256(bytes), size: bytes.length })
      expect(
        await storage.put(Readable.from([bytes.subarray(0, 3), bytes.subarray(3)], { objectMode: false })),
      ).toEqual(stored)
      expect((await bytesOf(storage, stored.hash)).equals(bytes)).toBe(true)
      expect(await storage.has(stored.hash)).toBe(true)
    }
  })

  it('takes the same content many times at once', async () => {
    const storage = stores[kind]!()
    const bytes = randomBytes(200_000)
    const all = await Promise.all(Array.from({ length: 20 }, () => storage.put(bytes)))
    expect(new Set(all.map((stored) => stored.hash)).size).toBe(1)
    expect((await bytesOf(storage, all[0]!.hash)).equals(bytes)).toBe(true)
  })

  it('forgets what is removed and reaches nothing by another name', async () => {
    const storage = stores[kind]!()
    const { hash } = await storage.put(utf8('short-lived'))
    await storage.remove(hash)
    await storage.remove(hash)
    expect(await storage.has(hash)).toBe(false)
    expect(await code(storage.get(hash))).toBe('file_not_found')
    for (const name of ['../../etc/passwd', '', hash.toUpperCase(), `${hash}/..`, 'a'.repeat(63)]) {
      expect(await code(storage.get(name))).toBe('file_not_found')
      expect(await code(storage.remove(name))).toBe('file_not_found')
    }
  })

  it('keeps nothing of a content that is too large or breaks off', async () => {
    const storage = stores[kind]!()
    const before = objects.size
    // Others may work in the same place: what counts is what is left of ours.
    const mine = async () => (await readdir(tmpdir())).filter((name) => /^ems-[0-9a-f]{8}-/.test(name))
    const there = await mine()
    expect(await code(storage.put(randomBytes(1_001), { maxBytes: 1_000 }))).toBe('file_too_large')
    async function* broken() {
      yield utf8('first')
      throw new Error('connection lost')
    }
    await expect(storage.put(broken())).rejects.toThrow('connection lost')
    expect(objects.size).toBe(before)
    expect(await mine()).toEqual(there)
    if (kind === 'folder') expect(await readdir(join(folder, 'incoming'))).toEqual([])
  })
})

it('clears what a killed process left behind, but not what another is writing', async () => {
  const old = join(folder, 'incoming', 'old')
  const fresh = join(folder, 'incoming', 'fresh')
  await writeFile(old, 'x')
  await writeFile(fresh, 'x')
  await utimes(old, new Date(0), new Date(0))
  await stores['folder']!().ready()
  await expect(stat(old)).rejects.toMatchObject({ code: 'ENOENT' })
  expect((await stat(fresh)).size).toBe(1)
})

it('says that it is full, keeps nothing half, and goes on when there is room again', async () => {
  // A disk of its own, where this is possible: it takes the rights of root.
  const disk = await mkdtemp(join(tmpdir(), 'storage-disk-'))
  const mounted =
    process.platform === 'linux' && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', disk]).status === 0
  try {
    if (!mounted) return
    const storage = openStorage(pathToFileURL(disk).href)
    const first = await storage.put(randomBytes(1_500_000))
    await expect(storage.put(randomBytes(2_500_000))).rejects.toMatchObject({ name: 'StoreError', full: true })
    expect(await readdir(join(disk, 'incoming'))).toEqual([])
    expect((await bytesOf(storage, first.hash)).length).toBe(1_500_000)
    await storage.remove(first.hash)
    expect((await storage.put(randomBytes(2_500_000))).size).toBe(2_500_000)
    await expect(storage.ready()).rejects.toMatchObject({ full: true })
  } finally {
    if (mounted) spawnSync('umount', ['-l', disk])
    await rm(disk, { recursive: true, force: true })
  }
})

it('refuses wrong keys, missing buckets and unknown addresses', async () => {
  const { port } = server.address() as AddressInfo
  await expect(openStorage(`s3+http://KEY:wrong@127.0.0.1:${port}/files`).put(utf8('x'))).rejects.toThrow('403')
  await expect(openStorage(`s3+http://KEY:SE%2FCRET@127.0.0.1:${port}/none`).ready()).rejects.toThrow('No bucket none')
  expect(() => openStorage('ftp://host/files')).toThrow('unknown kind')
  expect(() => openStorage('s3+http://KEY:x@host')).toThrow('no bucket')
})

describe('checkFile', () => {
  /** A ZIP of one deflated entry; only its local header matters here. */
  function zipOf(name: string, content: string): Uint8Array {
    const data = deflateRawSync(utf8(content))
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(8, 8)
    head.writeUInt32LE(data.length, 18)
    head.writeUInt32LE(content.length, 22)
    head.writeUInt16LE(name.length, 26)
    const end = Buffer.alloc(22)
    end.writeUInt32LE(0x06054b50, 0)
    return Buffer.concat([head, Buffer.from(name), data, end])
  }
  const everything = ['pdf', 'jpg', 'jpeg', 'png', 'zip', 'rar', 'csv', 'xlsx'] as const
  const pdf = utf8('%PDF-1.7\n%âãÏÓ\n1 0 obj')
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )

  it('tells each kind by its content', async () => {
    const xlsx = await writeSheet({
      sheets: [{ name: 'A', direction: 'ltr', columns: [{ header: 'h', key: 'k', type: 'text' }], rows: [{ k: 'v' }] }],
    })
    const samples: [Uint8Array, string, string][] = [
      [pdf, 'a.pdf', 'pdf'],
      [png, 'a.jpg', 'png'],
      [Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'), 'a.JPEG', 'jpg'],
      [zipOf('a.txt', 'text'), 'a.zip', 'zip'],
      [Buffer.from('526172211a0701003392b5e50a01050600050101', 'hex'), 'a', 'rar'],
      [xlsx, 'a.xlsx', 'xlsx'],
      [utf8('\uFEFFكود,اسم\n1,منى\n'), 'a.CSV', 'csv'],
    ]
    for (const [bytes, name, ext] of samples) expect(await checkFile(bytes, name, everything)).toMatchObject({ ext })
    expect(await checkFile(png, 'x', ['png'])).toEqual({ ext: 'png', mime: 'image/png' })
  })

  it('refuses other content under an accepted name', async () => {
    const others: Uint8Array[] = [
      utf8('<html><script>alert(1)</script></html>'),
      utf8('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
      utf8('#!/bin/sh\nrm -rf ~'),
      utf8('MZ\u0090\u0000\u0003'),
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.from('474946383961', 'hex'),
      new Uint8Array(0),
      new Uint8Array(100),
    ]
    for (const bytes of others) {
      for (const name of ['a.pdf', 'a.png', 'a.xlsx', 'a.csv']) {
        expect(await code(checkFile(bytes, name, everything))).toBe('file_type_error')
      }
    }
    expect(await code(checkFile(utf8('a,b'), 'a.pdf', everything))).toBe('file_type_error')
    expect(await code(checkFile(pdf, 'a.png', ['png', 'jpg']))).toBe('file_type_error')
    expect(await code(checkFile(zipOf('word/document.xml', '<w/>'), 'a.zip', ['pdf']))).toBe('file_type_error')
  })

  it('accepts the head of a longer text even where a letter is cut', async () => {
    const text = utf8(`x${'ب'.repeat(checkBytes)}`)
    expect(await checkFile(text.subarray(0, checkBytes), 'a.csv', ['csv'], { size: text.length })).toMatchObject({
      ext: 'csv',
    })
  })

  it('refuses what is too large', async () => {
    await expect(checkFile(pdf, 'a.pdf', ['pdf'], { size: 30_000_001 })).rejects.toMatchObject({
      code: 'file_too_large',
      data: { limit: 30_000_000 },
    })
    expect(await code(checkFile(pdf, 'a.pdf', ['pdf'], { maxBytes: 5 }))).toBe('file_too_large')
  })
})

it('is no store where what was written is read back changed, and what was tried is removed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ems-storage-'))
  const store = openStorage(pathToFileURL(folder).href)
  await tryStorage(store)
  const removed: string[] = []
  const lying: Storage = {
    ...store,
    get: async () => Readable.from([Buffer.from('something else')]),
    remove: async (hash) => {
      removed.push(hash)
      await store.remove(hash)
    },
  }
  await expect(tryStorage(lying)).rejects.toBeInstanceOf(StoreError)
  expect([removed.length, await store.has(removed[0]!)]).toEqual([1, false])
  await rm(folder, { recursive: true })
})
