/** The puzzle of forms that anybody may open: what the browser looks for and the server checks. */

/** The most zeros that are asked for: a minute of work on a phone. */
export const MOST_BITS = 20

/** The same in a browser and on the server. */
const { crypto, TextEncoder } = globalThis as unknown as {
  readonly crypto: { readonly subtle: { digest(name: string, data: Uint8Array): Promise<ArrayBuffer> } }
  readonly TextEncoder: new () => { encode(text: string): Uint8Array }
}

/** What must begin with zeros: SHA-256 of the challenge and the number that was found. */
export const puzzleHash = async (challenge: string, nonce: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${challenge}:${nonce}`)))

/** Zero bits at the beginning. */
export function leadingZeros(bytes: Uint8Array): number {
  let zeros = 0
  for (const byte of bytes) {
    if (byte === 0) {
      zeros += 8
      continue
    }
    return zeros + Math.clz32(byte) - 24
  }
  return zeros
}

/** Finds a number that solves a puzzle; many are tried at once, and others get their turn between. */
export async function solvePuzzle(challenge: string, bits: number): Promise<string> {
  const many = 256
  for (let from = 0; ; from += many) {
    const found = await Promise.all(
      Array.from({ length: many }, async (_, i) => leadingZeros(await puzzleHash(challenge, String(from + i))) >= bits),
    )
    const at = found.indexOf(true)
    if (at >= 0) return String(from + at)
  }
}
