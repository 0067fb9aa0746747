import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

/** Rows that were set aside. */
export interface Aside<T> {
  readonly count: number
  rows(): AsyncGenerator<T>
}

/**
 * Rows are set aside on the disk as they come, packed, and read from there: the database is done with them before what is made
 * of them takes its time. The file has no name, so that nothing is left of it, also of a process that is killed.
 *
 * @param fill hands in the rows, each as JSON can hold it
 * @param use what is made of them; afterwards they are gone
 */
export async function withRowsAside<T, R>(
  fill: (keep: (row: T) => Promise<void>) => Promise<void>,
  use: (aside: Aside<T>) => Promise<R>,
): Promise<R> {
  const name = path.join(tmpdir(), `ems-rows-${randomUUID()}`)
  const file = await open(name, 'wx+', 0o600)
  try {
    await unlink(name)
    const packed = createGzip({ level: 1 })
    const written = pipeline(packed, createWriteStream('', { fd: file.fd, autoClose: false, start: 0 }))
    // What goes wrong is met where it is waited for.
    written.catch(() => {})
    let count = 0
    try {
      await fill(async (row) => {
        count += 1
        if (!packed.write(`${JSON.stringify(row)}\n`)) await Promise.race([once(packed, 'drain'), written])
      })
    } catch (error) {
      packed.destroy()
      throw error
    }
    packed.end()
    await written
    return await use({
      count,
      async *rows() {
        const plain = createGunzip()
        const done = pipeline(createReadStream('', { fd: file.fd, autoClose: false, start: 0 }), plain)
        done.catch(() => {})
        for await (const line of createInterface({ input: plain, crlfDelay: Infinity })) yield JSON.parse(line) as T
        await done
      },
    })
  } finally {
    await file.close()
  }
}
