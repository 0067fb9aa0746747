import { randomBytes } from 'node:crypto'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { zipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { entryBytes, readZipDirectory } from './zip-in.server.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'ems-zip-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function within<T>(content: Uint8Array, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const name = path.join(folder, randomBytes(6).toString('hex'))
  await writeFile(name, content)
  const file = await open(name)
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}
/** Two files, one of them as it is, and where their directory and its end stand. */
const whole = Buffer.from(
  zipSync({
    'a.txt': [Buffer.from('alpha'), { level: 0 }],
    'b/ب.txt': [Buffer.from('beta '.repeat(50)), { level: 6 }],
  }),
)
const END = whole.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
const FIRST = whole.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
const SECOND = whole.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]))
function changed(change: (zip: Buffer) => void): Buffer {
  const zip = Buffer.from(whole)
  change(zip)
  return zip
}
const contents = (zip: Uint8Array) =>
  within(zip, async (file) => {
    const out: [string, string][] = []
    for (const entry of await readZipDirectory(file)) {
      const parts: Uint8Array[] = []
      for await (const part of entryBytes(file, entry)) parts.push(part)
      out.push([entry.name, Buffer.concat(parts).toString()])
    }
    return out
  })
const BROKEN = { status: 422, reasons: [{ field: 'file', code: 'archive_zip_broken' }] }

test('a ZIP is what was put in, and may stand behind something else or before a remark', async () => {
  const files = [
    ['a.txt', 'alpha'],
    ['b/ب.txt', 'beta '.repeat(50)],
  ]
  expect(await contents(whole)).toEqual(files)
  const remark = changed((zip) => zip.writeUInt16LE(5, END + 20))
  expect(await contents(Buffer.concat([remark, Buffer.from('hello')]))).toEqual(files)
  expect(await contents(zipSync({}))).toEqual([])
})

test.each<[string, Uint8Array]>([
  ['too short to be one', whole.subarray(0, 20)],
  ['without its end', whole.subarray(0, END)],
  ['whose directory lies behind its end', changed((zip) => zip.writeUInt32LE(zip.length, END + 16))],
  ['whose directory is longer than it', changed((zip) => zip.writeUInt32LE(zip.length, END + 12))],
  ['that says where its directory is elsewhere', changed((zip) => zip.writeUInt32LE(0xffffffff, END + 16))],
  ['with more entries than its directory has', changed((zip) => zip.writeUInt16LE(3, END + 10))],
  ['with an entry that is none', changed((zip) => zip.writeUInt32LE(0, SECOND))],
  ['with a name that goes beyond the directory', changed((zip) => zip.writeUInt16LE(60_000, SECOND + 28))],
  ['whose entries share bytes', changed((zip) => zip.writeUInt32LE(0, SECOND + 42))],
  ['whose entry reaches into the directory', changed((zip) => zip.writeUInt32LE(FIRST, SECOND + 20))],
  ['whose entry lies where nothing does', changed((zip) => zip.writeUInt32LE(zip.length, SECOND + 42))],
])('one %s is broken', async (_, zip) => {
  await expect(within(zip, readZipDirectory)).rejects.toMatchObject(BROKEN)
})

test.each<[string, Uint8Array]>([
  ['that does not begin where it should', changed((zip) => zip.writeUInt32LE(0, 0))],
  ['that is larger than it says', changed((zip) => zip.writeUInt32LE(2, FIRST + 24))],
  ['that is smaller than it says', changed((zip) => zip.writeUInt32LE(50, FIRST + 24))],
  ['that unpacks to more', changed((zip) => zip.writeUInt32LE(10, SECOND + 24))],
  ['that does not unpack', changed((zip) => zip.writeUInt32LE(0xffffffff, whole.indexOf('txt', 40) + 3))],
])('a file of one %s is broken', async (_, zip) => {
  await expect(contents(zip)).rejects.toMatchObject(BROKEN)
})

test('more entries than a short number tells are counted where that stands', async () => {
  const many = changed((zip) => zip.writeUInt16LE(0xffff, END + 10))
  await expect(within(many, readZipDirectory)).rejects.toMatchObject({
    reasons: [{ field: 'file', code: 'archive_zip_entries', data: { found: 0xffff } }],
  })
  // Before the end stands where the longer end is, and there the number.
  const longer = (mark: number): Buffer => {
    const long = Buffer.alloc(56)
    long.writeUInt32LE(mark, 0)
    long.writeBigUInt64LE(70_000n, 32)
    const where = Buffer.alloc(20)
    where.writeUInt32LE(0x07064b50, 0)
    where.writeBigUInt64LE(BigInt(END), 8)
    return Buffer.concat([many.subarray(0, END), long, where, many.subarray(END)])
  }
  await expect(within(longer(0x06064b50), readZipDirectory)).rejects.toMatchObject({
    reasons: [{ code: 'archive_zip_entries', data: { found: 70_000 } }],
  })
  await expect(within(longer(0), readZipDirectory)).rejects.toMatchObject(BROKEN)
  await expect(within(many.subarray(END), readZipDirectory)).rejects.toMatchObject(BROKEN)
})
