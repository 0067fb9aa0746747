import { inflateRawSync } from 'node:zlib'
import { SheetError } from './error.ts'

export interface ArchiveEntry {
  name: string
  method: number
  compressed: number
  unzipped: number
  offset: number
}

/** `unzipped`: bytes of all entries together. `ratio`: most times an entry larger than a megabyte may grow. */
export const sheetLimits = { bytes: 30_000_000, entries: 1_000, unzipped: 64_000_000, ratio: 300 } as const

const broken = (reason: string): SheetError => new SheetError('sheet_broken', { reason })

/**
 * The directory of a ZIP, checked before anything is unzipped: the declared sizes are summed and compared with what is
 * there, so a bomb is refused for the price of reading its directory. What a spreadsheet program never writes (ZIP64,
 * sizes kept back, two entries of one name, entries sharing bytes) is refused, because there readers differ.
 */
export function readDirectory(bytes: Uint8Array): ArchiveEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let end = bytes.length - 22
  const stop = Math.max(0, bytes.length - 65_557)
  while (end >= stop && view.getUint32(end, true) !== 0x06054b50) end -= 1
  if (end < stop) throw broken('no directory')

  const count = view.getUint16(end + 10, true)
  const start = view.getUint32(end + 16, true)
  if (count === 0xffff || start === 0xffffffff) throw broken('zip64')
  if (count > sheetLimits.entries)
    throw new SheetError('sheet_too_large', { what: 'entries', limit: sheetLimits.entries })

  const entries: ArchiveEntry[] = []
  const names = new Set<string>()
  let at = start
  let total = 0
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > end || view.getUint32(at, true) !== 0x02014b50) throw broken('directory')
    const flags = view.getUint16(at + 8, true)
    const nameLength = view.getUint16(at + 28, true)
    const entry: ArchiveEntry = {
      name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)),
      method: view.getUint16(at + 10, true),
      compressed: view.getUint32(at + 20, true),
      unzipped: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    }
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    if (flags & 1) throw new SheetError('sheet_encrypted')
    if (entry.method !== 0 && entry.method !== 8) throw broken('compression')
    if (entry.compressed === 0xffffffff || entry.unzipped === 0xffffffff) throw broken('zip64')
    if (names.has(entry.name)) throw broken('two entries of one name')
    if (entry.unzipped === 0 ? entry.compressed > 2 : entry.compressed === 0) throw broken('sizes')
    if (entry.method === 0 && entry.compressed !== entry.unzipped) throw broken('sizes')
    names.add(entry.name)
    total += entry.unzipped
    if (
      total > sheetLimits.unzipped ||
      (entry.unzipped > 1_000_000 && entry.unzipped / entry.compressed > sheetLimits.ratio)
    ) {
      throw new SheetError('sheet_too_large', { what: 'unzipped', limit: sheetLimits.unzipped })
    }
    entries.push(entry)
  }

  let free = 0
  for (const entry of entries.toSorted((a, b) => a.offset - b.offset)) {
    const data = dataStart(bytes, view, entry)
    if (entry.offset < free || data + entry.compressed > start) throw broken('entries share bytes')
    free = data + entry.compressed
  }
  return entries
}

function dataStart(bytes: Uint8Array, view: DataView, entry: ArchiveEntry): number {
  if (entry.offset + 30 > bytes.length || view.getUint32(entry.offset, true) !== 0x04034b50) throw broken('entry')
  return entry.offset + 30 + view.getUint16(entry.offset + 26, true) + view.getUint16(entry.offset + 28, true)
}

/** One entry's content; an entry that holds more than it declared is broken. */
export function unzipEntry(bytes: Uint8Array, entry: ArchiveEntry): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const start = dataStart(bytes, view, entry)
  const data = bytes.subarray(start, start + entry.compressed)
  if (entry.method === 0 || entry.unzipped === 0) return data.subarray(0, entry.unzipped)
  try {
    return inflateRawSync(data, { maxOutputLength: entry.unzipped })
  } catch (cause) {
    throw new SheetError('sheet_broken', { reason: `unzip ${entry.name}` }, { cause })
  }
}
