import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')
export const hmacSha512 = (secret: string, text: string): string =>
  createHmac('sha512', secret).update(text, 'utf8').digest('hex')

/** Whether a signature, hexadecimal, is the one that is right. Takes as long wherever they differ. */
export function sameSignature(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given.toLowerCase(), 'latin1'), Buffer.from(right, 'latin1')]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Values of a body that is stored or signed; more is not from a provider. */
const MOST_DEPTH = 24

/** A JSON object with its numbers as they were written, so that an amount is never a float; null when it is none. */
export function readWritten(text: string): Readonly<Record<string, unknown>> | null {
  let body: unknown
  try {
    body = JSON.parse(text, (key, value: unknown, context?: { source?: string }) => {
      if (key === '__proto__') throw new SyntaxError(key)
      return typeof value === 'number' ? (context?.source ?? String(value)) : value
    })
  } catch {
    return null
  }
  return typeof body === 'object' && body !== null && !Array.isArray(body) && depthOf(body) <= MOST_DEPTH
    ? (body as Record<string, unknown>)
    : null
}

const depthOf = (value: unknown, most = MOST_DEPTH + 1): number =>
  typeof value === 'object' && value !== null && most > 0
    ? 1 + Math.max(0, ...Object.values(value).map((inner) => depthOf(inner, most - 1)))
    : 0
