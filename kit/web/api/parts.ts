import { ApiError } from './error.ts'

/** How much of a file the server has, and how large a part it takes: bytes. */
export interface Standing {
  readonly received: number
  readonly part: number
}

/** Milliseconds between two tries at most. */
const LONGEST_WAIT_MS = 30_000

/** Until a line may be there again: some time, or the moment at which the browser says so. */
const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      removeEventListener('online', done)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    addEventListener('online', done)
    signal?.addEventListener('abort', done)
  })

const received = (problem: unknown): number | undefined => {
  const told = problem instanceof ApiError ? problem.errors[0]?.data?.received : undefined
  return typeof told === 'number' ? told : undefined
}
const isBreak = (problem: unknown): boolean =>
  problem instanceof ApiError && [0, 502, 503, 504].includes(problem.status)

/**
 * Sends a file in parts from where it stands. Where the line breaks it is tried again; where the server says that it has more, or
 * less, it goes on there.
 *
 * @param how.send sends one part and answers how much is there then
 * @param how.tries failures in a row after which it is given up
 * @throws {ApiError}
 */
export async function sendInParts(
  file: File,
  from: Standing,
  how: {
    readonly send: (part: File, offset: number) => Promise<number>
    readonly tries: number
    readonly onProgress?: (percent: number) => void
    readonly signal?: AbortSignal
  },
): Promise<void> {
  let offset = from.received
  for (let failures = 0; offset < file.size;) {
    how.onProgress?.(Math.round((offset / file.size) * 100))
    try {
      offset = await how.send(new File([file.slice(offset, offset + from.part)], 'part'), offset)
      failures = 0
    } catch (problem) {
      const there = received(problem)
      if (how.signal?.aborted || (there === undefined && !isBreak(problem)) || ++failures > how.tries) throw problem
      offset = there ?? offset
      if (isBreak(problem)) await pause(Math.min(LONGEST_WAIT_MS, 1000 * 2 ** failures), how.signal)
    }
  }
  how.onProgress?.(100)
}

/** SHA-256 of a file, in hexadecimal. null: a page without a secure line has no means to reckon it. */
export async function digestOf(file: Blob): Promise<string | null> {
  if (!globalThis.crypto?.subtle) return null
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
