import type { FileHandle } from 'node:fs/promises'
import { Readable, pipeline } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { refuse } from '#kit/server/base/errors.ts'
import { MAX_ENTRIES } from '../archive.rules.ts'
import type { ZipEntry } from './zip.rules.ts'

/** An entry and where its bytes begin. */
export interface PlacedEntry extends ZipEntry {
  readonly offset: number
  readonly crc: number
}
/** Bytes of a directory that are read: five thousand entries need a few hundred thousand. */
const MAX_DIRECTORY = 8_000_000
const END_BYTES = 22
const [END, ENTRY, LOCAL] = [0x06054b50, 0x02014b50, 0x04034b50]
const [LONG_END, LOCATOR, MORE] = [0x06064b50, 0x07064b50, 0xffff]
const UNIX = 3
const DIRECTORY_OR_FILE = new Set([0, 0o040000, 0o100000])

const broken = () => refuse(422, 'archive_zip_broken', {}, 'file')

async function read(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, at)
  if (bytesRead < length) throw broken()
  return buffer
}

/** The number of entries where it stands elsewhere, because there are more than a number of two bytes tells. */
async function longCount(file: FileHandle, end: number): Promise<number> {
  if (end < 20) throw broken()
  const locator = await read(file, end - 20, 20)
  if (locator.readUInt32LE(0) !== LOCATOR) return MORE
  const long = await read(file, Number(locator.readBigUInt64LE(8)), 56)
  if (long.readUInt32LE(0) !== LONG_END) throw broken()
  return Number(long.readBigUInt64LE(32))
}

/** Names are UTF-8, as every program writes them today; what is not is read as Latin letters. */
function nameIn(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/**
 * The directory of a ZIP on the disk. Entries that share bytes, or lie where the directory lies, are refused: readers
 * would differ on what is in it.
 *
 * @throws {Refusal} 422 `archive_zip_broken`
 */
export async function readZipDirectory(file: FileHandle): Promise<PlacedEntry[]> {
  const { size } = await file.stat()
  if (size < END_BYTES) throw broken()
  const tail = await read(file, Math.max(0, size - 65_557), Math.min(size, 65_557))
  let at = tail.length - END_BYTES
  while (at >= 0 && tail.readUInt32LE(at) !== END) at--
  if (at < 0) throw broken()
  const count = tail.readUInt16LE(at + 10)
  if (count === MORE)
    throw refuse(
      422,
      'archive_zip_entries',
      { max: MAX_ENTRIES, found: await longCount(file, size - tail.length + at) },
      'file',
    )
  const length = tail.readUInt32LE(at + 12)
  const start = tail.readUInt32LE(at + 16)
  if (start === 0xffffffff || length > MAX_DIRECTORY || start + length > size) throw broken()
  const directory = await read(file, start, length)
  const entries: PlacedEntry[] = []
  for (let place = 0, i = 0; i < count; i++) {
    if (place + 46 > length || directory.readUInt32LE(place) !== ENTRY) throw broken()
    const flags = directory.readUInt16LE(place + 8)
    const named = directory.readUInt16LE(place + 28)
    if (place + 46 + named > length) throw broken()
    const system = directory.readUInt16LE(place + 4) >> 8
    const mode = (directory.readUInt32LE(place + 38) >>> 16) & 0o170000
    entries.push({
      name: nameIn(directory.subarray(place + 46, place + 46 + named)),
      method: directory.readUInt16LE(place + 10),
      crc: directory.readUInt32LE(place + 16),
      compressed: directory.readUInt32LE(place + 20),
      size: directory.readUInt32LE(place + 24),
      offset: directory.readUInt32LE(place + 42),
      encrypted: (flags & 1) !== 0,
      special: system === UNIX && !DIRECTORY_OR_FILE.has(mode),
    })
    place += 46 + named + directory.readUInt16LE(place + 30) + directory.readUInt16LE(place + 32)
  }
  let free = 0
  for (const entry of entries.toSorted((a, b) => a.offset - b.offset)) {
    if (entry.offset < free || entry.offset + 30 + entry.compressed > start) throw broken()
    free = entry.offset + 30 + entry.compressed
  }
  return entries
}

/** The bytes of an entry, as many as the directory named and no more. @throws {Refusal} 422 where they are others */
export async function* entryBytes(file: FileHandle, entry: PlacedEntry): AsyncGenerator<Uint8Array> {
  const local = await read(file, entry.offset, 30)
  if (local.readUInt32LE(0) !== LOCAL) throw broken()
  const start = entry.offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28)
  const raw = pieces(file, start, entry.compressed)
  let size = 0
  try {
    // A source that fails ends the other with it; what it says is told by the loop.
    for await (const chunk of entry.method === 8 ? pipeline(Readable.from(raw), createInflateRaw(), () => {}) : raw) {
      size += (chunk as Uint8Array).byteLength
      if (size > entry.size) throw broken()
      yield chunk as Uint8Array
    }
  } catch (error) {
    // What zlib says of damaged bytes.
    throw (error as NodeJS.ErrnoException).code?.startsWith('Z_') ? broken() : error
  }
  if (size !== entry.size) throw broken()
}

const PIECE = 262_144
async function* pieces(file: FileHandle, start: number, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < length; at += PIECE) yield await read(file, start + at, Math.min(PIECE, length - at))
}
