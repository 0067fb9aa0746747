/** Files of instances and results: opened, read piece by piece, and written whole or not at all. */
import {
  closeSync,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { JsonProblem, JsonReader } from './json.server.ts'

/** A file that cannot be used, with every reason that was found. */
export class InstanceProblem extends Error {
  readonly file: string
  readonly reasons: readonly string[]
  /** How many there are, where not all are told. */
  readonly count: number
  constructor(file: string, reasons: readonly string[], count = reasons.length) {
    super(reasons[0] ?? '')
    this.file = file
    this.reasons = reasons
    this.count = count
  }
}

/** Reasons that are told one by one. */
const MOST_REASONS = 50

/** Collects what is wrong with a file. */
export class Complaints {
  count = 0
  readonly reasons: string[] = []
  /** `what` is a function, because a million reasons are counted and not told. */
  add(what: () => string): void {
    if (this.count++ < MOST_REASONS) this.reasons.push(what())
  }
}

const SYSTEM: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file.',
  EACCES: 'This file must not be read or written by whoever runs the command.',
  EPERM: 'This file must not be read or written by whoever runs the command.',
  EISDIR: 'This is a folder.',
  ENOTDIR: 'A part of this path is no folder.',
  ENOSPC: 'There is no room left.',
  EROFS: 'Nothing can be written there.',
}

/** What the system says about a file, in words. Errors of another kind are thrown on. */
function systemProblem(file: string, error: unknown): InstanceProblem {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  if (code === undefined || !/^E[A-Z]+$/.test(code)) throw error
  return new InstanceProblem(file, [SYSTEM[code] ?? `The system says: ${(error as Error).message}`])
}

/** Told while a long file is read: bytes so far, and of how many (0 where nobody knows). */
export type Reading = (bytes: number, of: number) => void

/** What a command prints, tells beside it, and how it follows the reading of a long file. */
export interface CommandVoice {
  print(line: string): void
  tell(line: string): void
  reading(file: string): Reading
}

/** Tells how long something took. */
export const tookSince = (begun: number): string => `in ${((performance.now() - begun) / 1000).toFixed(2)} s`

/**
 * Reads a file as JSON. `read` reports what it does not accept and goes on; the file is refused when it ends.
 * @throws {InstanceProblem} with every reason
 */
export function readJsonFile<T>(
  file: string,
  read: (reader: JsonReader, complaints: Complaints) => T,
  onRead: Reading = () => undefined,
): T {
  const complaints = new Complaints()
  let fd: number | undefined
  try {
    fd = openSync(file, 'r')
    const { size } = fstatSync(fd)
    let bytes = 0
    const reader = new JsonReader((room) => {
      const count = readSync(fd!, room)
      bytes += count
      onRead(bytes, size)
      return count
    }, 1 << 20)
    const result = read(reader, complaints)
    if (complaints.count) throw new InstanceProblem(file, complaints.reasons, complaints.count)
    return result
  } catch (error) {
    if (error instanceof InstanceProblem) throw error
    if (!(error instanceof JsonProblem)) throw systemProblem(file, error)
    // What was found before is told as well.
    complaints.add(() => `${error.place}: ${error.message}`)
    throw new InstanceProblem(file, complaints.reasons, complaints.count)
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

/** Refuses to write over what is read. @throws {InstanceProblem} */
export function refuseSameFile(read: string, written: string): void {
  const real = (file: string): string | null => {
    try {
      return realpathSync(file)
    } catch {
      return null
    }
  }
  const there = real(written)
  if (there !== null && there === real(read))
    throw new InstanceProblem(written, ['The result would be written over the instance.'])
}

/**
 * Writes a file piece by piece. A file that was there stays as it was until the new one is whole.
 * @throws {InstanceProblem}
 */
export function writeFileWhole(file: string, write: (put: (bytes: Uint8Array) => void) => void): void {
  let fd: number | undefined
  let target = file
  try {
    // A device or a pipe is written to, never replaced.
    const replaced = statSync(file, { throwIfNoEntry: false })?.isFile() ?? true
    target = replaced ? `${file}.${process.pid}.part` : file
    fd = openSync(target, 'w')
    const room = Buffer.allocUnsafe(1 << 20)
    let used = 0
    const flush = (): void => {
      for (let from = 0; from < used;) from += writeSync(fd!, room, from, used - from)
      used = 0
    }
    write((bytes) => {
      for (let from = 0; from < bytes.length;) {
        if (used === room.length) flush()
        const count = Math.min(bytes.length - from, room.length - used)
        room.set(bytes.subarray(from, from + count), used)
        used += count
        from += count
      }
    })
    flush()
    closeSync(fd)
    fd = undefined
    if (replaced) renameSync(target, file)
  } catch (error) {
    if (fd !== undefined) closeSync(fd)
    if (target !== file) rmSync(target, { force: true })
    throw systemProblem(file, error)
  }
}
