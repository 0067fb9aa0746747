import { randomUUID } from 'node:crypto'
import { open, unlink, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzipSync } from 'node:zlib'

/** Rows that were set aside. */
export interface Aside<T> {
  readonly count: number
  /** The rows, many at a time. */
  pieces(): AsyncGenerator<T[]>
}

/** Characters that are packed together. */
const TOGETHER = 256_000
const unpack = promisify(gunzip)

/** Lines as a packed piece, after its length. At once, in some milliseconds: what waits for a promise holds the text as long. */
function packed(lines: readonly string[]): Buffer {
  const piece = gzipSync(lines.join('\n'), { level: 1 })
  const length = Buffer.alloc(4)
  length.writeUInt32BE(piece.length)
  return Buffer.concat([length, piece])
}

/** Writes lines in packed pieces. */
function writerOf(file: FileHandle) {
  let lines: string[] = []
  let size = 0
  const flush = async (): Promise<void> => {
    if (!lines.length) return
    const piece = packed(lines)
    lines = []
    size = 0
    await file.appendFile(piece)
  }
  return {
    flush,
    async rows(rows: readonly unknown[]): Promise<void> {
      for (const row of rows) {
        // A line break within a text is written as two signs.
        const text = JSON.stringify(row)
        lines.push(text)
        size += text.length
        if (size >= TOGETHER) await flush()
      }
    },
  }
}
/** Bytes of a place in the file; fewer at its end. */
async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/**
 * Rows are set aside on the disk as they come, packed, and read from there: the database is done with them before what is made
 * of them takes its time. The file has no name, so that nothing is left of it, also of a process that is killed.
 *
 * Rows go in and come out many at a time: a promise for each row is what the collector of garbage takes for still in use, and
 * memory then grows with the rows.
 *
 * @param fill hands in the rows as JSON can hold them
 * @param use what is made of them; afterwards they are gone
 */
export async function withRowsAside<T, R>(
  fill: (keep: (rows: readonly T[]) => Promise<void>) => Promise<void>,
  use: (aside: Aside<T>) => Promise<R>,
): Promise<R> {
  const name = path.join(tmpdir(), `ems-rows-${randomUUID()}`)
  const file = await open(name, 'ax+', 0o600)
  try {
    await unlink(name)
    const writer = writerOf(file)
    let count = 0
    await fill(async (rows) => {
      count += rows.length
      await writer.rows(rows)
    })
    await writer.flush()
    return await use({
      count,
      async *pieces() {
        for (let at = 0; ;) {
          const head = await bytesAt(file, at, 4)
          if (head.length < 4) return
          const length = head.readUInt32BE()
          const piece = await unpack(await bytesAt(file, at + 4, length))
          at += 4 + length
          yield piece
            .toString('utf8')
            .split('\n')
            .map((line) => JSON.parse(line) as T)
        }
      },
    })
  } finally {
    await file.close()
  }
}
