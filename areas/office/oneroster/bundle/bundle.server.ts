import { PoolError, TaskError, WorkerPool } from '#kit/server/workers/pool.ts'
import { refuse } from '#kit/server/base/errors.ts'
import type { Bundle, Checked, Correction } from './bundle.rules.ts'
import { readManifest, unpackManifest, ArchiveError } from './read.server.ts'
import type { BundleFiles } from './read.server.ts'

export type { BundleFiles }

export interface BundleTask {
  readonly zip?: Uint8Array
  readonly files?: BundleFiles
  readonly corrections?: readonly Correction[]
  /** Only looks for errors: rows are counted, and not handed over. */
  readonly check?: boolean
  /** The ZIP of the last import from the same system, which a delta is laid over. */
  readonly last?: Uint8Array | undefined
  /** Also gives the whole bundle back, for the next delta. */
  readonly keep?: boolean
}
/** A bundle as its thread hands it over: rows as JSON, which goes to the database as it is. */
export interface ReadBundle extends Omit<Checked, 'bundle'> {
  readonly rows: Readonly<Record<keyof Bundle, { count: number; batches: readonly Uint8Array[] }>> | null
  /** The whole bundle as a ZIP, where it was asked for and has no errors. */
  readonly kept?: Uint8Array
}

/**
 * From which system a bundle comes, and whether it tells only what changed.
 *
 * @throws {Refusal} when it is no ZIP
 */
export function bundleManifest(task: Pick<BundleTask, 'zip' | 'files'>): {
  readonly source: string
  readonly delta: boolean
} {
  try {
    return readManifest(task.files ?? unpackManifest(task.zip!))
  } catch (error) {
    if (error instanceof ArchiveError) throw refuse(422, error.code, error.data, 'file')
    throw error
  }
}

/** What reading a bundle may cost: its thread is ended when it takes more, and the server goes on. */
const LIMITS = { size: 1, timeMs: 120_000, heapMb: 1024, youngMb: 8, queue: 8, tasksPerThread: 1 } as const
const open = () => new WorkerPool<BundleTask, ReadBundle>(new URL('./bundle.worker.ts', import.meta.url), LIMITS)
let pool: ReturnType<typeof open> | undefined

/**
 * Reads and checks a bundle in a thread of its own, with limits of time and memory.
 *
 * @throws {Refusal} when it is no ZIP, unpacks to too much, or needs more time or memory than there is
 */
export async function readBundle(task: BundleTask): Promise<ReadBundle> {
  try {
    return await (pool ??= open()).run(task)
  } catch (error) {
    if (error instanceof TaskError && error.code) throw refuse(422, error.code, error.data, 'file')
    if (error instanceof PoolError) {
      if (error.reason === 'memory' || error.reason === 'time') throw refuse(422, 'roster_too_large', {}, 'file')
      if (error.reason === 'busy') throw refuse(503, 'maintenance')
    }
    throw error
  }
}
