import { PoolError, WorkerPool } from '#kit/server/workers/pool.ts'
import { carriedIn } from '../verify/carrier.server.ts'
import { elmoIn } from '../elmo/signature.server.ts'

/** What reading a PDF of strangers may cost: its thread is ended when it takes more. */
const LIMITS = { size: 1, timeMs: 10_000, heapMb: 256, queue: 20 } as const
const open = () => new WorkerPool<Uint8Array, Uint8Array[]>(new URL('./attached.worker.ts', import.meta.url), LIMITS)
let pool: ReturnType<typeof open> | undefined

export const isPdf = (content: Uint8Array): boolean =>
  Buffer.from(content.subarray(0, 5)).toString('latin1') === '%PDF-'

/** The credential or ELMO that a PDF carries, a credential before ELMO; null where there is none, or none that can be read in time. */
export async function recordInPdf(content: Uint8Array): Promise<Uint8Array | null> {
  try {
    const files = await (pool ??= open()).run(content)
    return files.find(isSigned) ?? files.find((file) => elmoIn(Buffer.from(file).toString('utf8')) !== null) ?? null
  } catch (error) {
    if (error instanceof PoolError) return null
    throw error
  }
}
/** Any JSON would do for a credential that only lacks everything: a PDF carries records of its own beside it. */
function isSigned(file: Uint8Array): boolean {
  const carried = carriedIn(file)
  return (
    carried !== null && ('text' in carried || 'proof' in carried.document || 'verifiableCredential' in carried.document)
  )
}
