import type { Call } from '#kit/contract/index.ts'
import { shortened } from '#kit/contract/issues.ts'
import { refuse } from '../base/errors.ts'

/** Bytes of JSON that a call takes when it declares nothing else. */
const MOST_BYTES = 256_000
/** The same where nobody has to sign in, and where nothing is expected. */
const MOST_PUBLIC_BYTES = 16_000
/** Bytes of a body for each value in it (entries of lists and objects): fewer would be a body made of brackets and commas. */
const BYTES_PER_VALUE = 8
/** Lists and objects within each other. */
const MOST_DEPTH = 32

/** How large a body of a call may be, and of how many values. */
export interface BodyLimits {
  readonly bytes: number
  readonly values: number
}

export function bodyLimits({ permission, body, maxBody }: Call): BodyLimits {
  const bytes = maxBody ?? (permission === 'public' || !body ? MOST_PUBLIC_BYTES : MOST_BYTES)
  return { bytes, values: bytes / BYTES_PER_VALUE }
}

const [QUOTE, BACKSLASH, COMMA] = ['"', '\\', ','].map((c) => c.charCodeAt(0)) as [number, number, number]
const [OPENS, OPENS_LIST, CLOSES, CLOSES_LIST] = ['{', '[', '}', ']'].map((c) => c.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
]

/**
 * Refuses a JSON text with too many values or too deep nesting before it is parsed: a parsed body costs many times its
 * text, and each value may cause an error message.
 *
 * @throws {Refusal} 413 `body_too_many_values`, `body_too_deep`
 */
export function checkStructure(text: string, { values }: BodyLimits): void {
  let found = 0
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === QUOTE) {
      for (i++; i < text.length; i++) {
        const inner = text.charCodeAt(i)
        if (inner === BACKSLASH) i++
        else if (inner === QUOTE) break
      }
    } else if (c === COMMA) found++
    else if (c === OPENS || c === OPENS_LIST) {
      found++
      if (++depth > MOST_DEPTH) throw refuse(413, 'body_too_deep', { max: MOST_DEPTH })
    } else if (c === CLOSES || c === CLOSES_LIST) depth--
    else continue
    if (found > values) throw refuse(413, 'body_too_many_values', { max: Math.floor(values) })
  }
}

/** The path of the first text that PostgreSQL cannot keep: with a zero character, or half of a surrogate pair. */
export function brokenText(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const at = path ? `${path}.${shortened(key)}` : shortened(key)
    const found = brokenText(key) === undefined ? brokenText(inner, at) : path
    if (found !== undefined) return found
  }
  return undefined
}

/** What an address may spend on public calls in a minute. A campus shares few addresses, so it is wide. */
const BUDGET = 3000
const PER_MS = BUDGET / 60_000
/** Addresses remembered; when there are more, those that spent nothing lately are forgotten. */
const MOST_ADDRESSES = 20_000
/** A call costs one, and as much again for each so many bytes it sends. */
const BYTES_FOR_ONE = 1000
/**
 * What addresses spend on calls that anybody may send: by size, not by number, so that few large requests are held back
 * like many small ones. It refills evenly.
 */
export class Budget {
  readonly #spent = new Map<string, { amount: number; at: number }>()

  /** @throws {Refusal} 429 `too_many_requests` with the seconds to wait */
  spend(address: string, bytes: number, now = performance.now()): void {
    const amount = this.#after(address, 1 + Math.floor(bytes / BYTES_FOR_ONE), now)
    if (amount > BUDGET) {
      this.#after(address, -1 - Math.floor(bytes / BYTES_FOR_ONE), now)
      throw refuse(429, 'too_many_requests', { seconds: Math.max(1, Math.ceil((amount - BUDGET) / PER_MS / 1000)) })
    }
  }

  /** What was spent is not more than an address may. @throws {Refusal} 429 `too_many_requests` with the seconds to wait */
  demand(address: string, now = performance.now()): void {
    const known = this.#spent.get(address)
    const over = known ? known.amount - (now - known.at) * PER_MS - BUDGET : -1
    if (over > -1)
      throw refuse(429, 'too_many_requests', { seconds: Math.max(1, Math.ceil((over + 1) / PER_MS / 1000)) })
  }

  #after(address: string, cost: number, now: number): number {
    const known = this.#spent.get(address)
    const left = known ? Math.max(0, known.amount - (now - known.at) * PER_MS) : 0
    const amount = left + cost
    if (!known && this.#spent.size >= MOST_ADDRESSES) this.#forget(now)
    this.#spent.set(address, { amount, at: now })
    return amount
  }

  #forget(now: number): void {
    for (const [address, { amount, at }] of this.#spent) {
      if (amount <= (now - at) * PER_MS) this.#spent.delete(address)
    }
    // Somebody plays many addresses: those known longest go, many at once.
    let surplus = this.#spent.size - MOST_ADDRESSES / 2
    for (const address of this.#spent.keys()) if (surplus-- > 0) this.#spent.delete(address)
  }
}
