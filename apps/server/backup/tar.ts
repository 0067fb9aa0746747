/** Archives as `tar` reads and writes them (POSIX ustar), as streams. */

const BLOCK = 512

/** One file of an archive. */
export interface Entry {
  readonly name: string
  readonly size: number
  /** Must be read to its end before the next entry is asked for. */
  readonly content: AsyncIterable<Buffer>
}

const octal = (value: number, length: number): string => value.toString(8).padStart(length - 1, '0')

/** The block that stands before a file of `size` bytes. */
export function tarHeader(name: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK)
  if (Buffer.byteLength(name) > 100) throw new Error(`The name is too long for an archive: ${name}`)
  block.write(name, 0)
  block.write(octal(0o600, 8), 100)
  block.write(octal(0, 8), 108)
  block.write(octal(0, 8), 116)
  block.write(octal(size, 12), 124)
  block.write(octal(Math.floor(Date.now() / 1000), 12), 136)
  block.write('        0', 148)
  block.write('ustar\x0000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${octal(sum, 7)}\0 `, 148)
  return block
}

/** What follows a file of `size` bytes, so that the next begins at a whole block. */
export const tarPadding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)

/** What ends an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK)

/** Reads an archive. @throws {Error} when it is damaged or cut off */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const chunks = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  /** At most so many bytes; at least one. */
  const some = async (most: number): Promise<Buffer> => {
    while (rest.length === 0) {
      const next = await chunks.next()
      if (next.done) throw new Error('The archive is cut off.')
      rest = next.value
    }
    const part = rest.subarray(0, most)
    rest = rest.subarray(part.length)
    return part
  }
  const exactly = async (length: number): Promise<Buffer> => {
    const parts: Buffer[] = []
    for (let left = length; left > 0;) {
      const part = await some(left)
      parts.push(part)
      left -= part.length
    }
    return Buffer.concat(parts)
  }
  async function* content(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0;) {
      const part = await some(left)
      left -= part.length
      yield part
    }
  }
  for (;;) {
    const header = await exactly(BLOCK)
    if (header.every((byte) => byte === 0)) break
    const field = (from: number, length: number): string =>
      header
        .subarray(from, from + length)
        .toString()
        .replace(/[\0 ].*$/s, '')
    const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
    if (parseInt(field(148, 8), 8) !== sum) throw new Error('The archive is damaged.')
    const size = parseInt(field(124, 12), 8)
    yield { name: field(0, 100), size, content: content(size) }
    await exactly(tarPadding(size).length)
  }
  // To the very end, so that what is compressed is checked as a whole.
  while (!(await chunks.next()).done);
}
