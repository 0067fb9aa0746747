/** A ZIP of contents that are known by size and checksum: written while it is read, and the same bytes each time. */
import { crc32 } from 'node:zlib'

/** What a ZIP holds: where, how much, its checksum, and the bytes when it is their turn. */
export interface KnownItem {
  readonly path: string
  readonly size: number
  readonly crc: number
  readonly bytes: () => Promise<AsyncIterable<Uint8Array>>
}

/** Size and checksum of a content, read once. */
export async function sizeAndChecksum(content: AsyncIterable<Uint8Array>): Promise<{ size: number; crc: number }> {
  let size = 0
  let crc = 0
  for await (const chunk of content) {
    size += chunk.byteLength
    crc = crc32(chunk, crc)
  }
  return { size, crc }
}

/** An instant as ZIP has it: two seconds are its smallest step, and there is no zone. */
function dosTime(at: Date): { time: number; date: number } {
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  }
}

/** Names are UTF-8, contents are stored as they are. */
const FLAGS = 0x0800
const VERSION = 20

/** What stands before the bytes of an item, and once more with its place at the end of the ZIP (`offset`). */
function headOf(item: KnownItem, at: Date, offset: number | null): Buffer {
  const name = Buffer.from(item.path)
  const { time, date } = dosTime(at)
  const head = Buffer.alloc(offset === null ? 30 : 46)
  let place = head.writeUInt32LE(offset === null ? 0x04034b50 : 0x02014b50, 0)
  if (offset !== null) place = head.writeUInt16LE(VERSION, place)
  for (const value of [VERSION, FLAGS, 0, time, date]) place = head.writeUInt16LE(value, place)
  for (const value of [item.crc, item.size, item.size]) place = head.writeUInt32LE(value, place)
  place = head.writeUInt16LE(name.byteLength, place)
  // No extra fields, no comment, the first disk, no attributes.
  if (offset !== null) head.writeUInt32LE(offset, head.byteLength - 4)
  return Buffer.concat([head, name])
}

/**
 * The ZIP of these items.
 *
 * @param at the time of every file in it
 * @throws where a content is not of the size that is known: the ZIP would be broken, and nobody would be told
 */
export async function* knownZip(items: readonly KnownItem[], at: Date): AsyncGenerator<Uint8Array> {
  const offsets: number[] = []
  let place = 0
  for (const item of items) {
    offsets.push(place)
    const head = headOf(item, at, null)
    yield head
    let size = 0
    for await (const chunk of await item.bytes()) {
      size += chunk.byteLength
      yield chunk
    }
    if (size !== item.size) throw new Error(`A content of a pack has ${size} bytes, not ${item.size}`)
    place += head.byteLength + size
  }
  const directory = items.map((item, i) => headOf(item, at, offsets[i] ?? 0))
  yield* directory
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(items.length, 8)
  end.writeUInt16LE(items.length, 10)
  end.writeUInt32LE(
    directory.reduce((sum, { byteLength }) => sum + byteLength, 0),
    12,
  )
  end.writeUInt32LE(place, 16)
  yield end
}
