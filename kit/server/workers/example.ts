import { PoolError, WorkerPool } from '#kit/server/workers/pool.ts'

/** A pool whose threads run `fixtures.worker.ts`: two at once, two seconds and 64 MB for each task. */
const pool = new WorkerPool<{ do: 'double'; value: number }, number>(new URL('./fixtures.worker.ts', import.meta.url), {
  size: 2,
  timeMs: 2_000,
  heapMb: 64,
})

/** Null when the task took too long or too much memory; the process goes on, and the next task gets a new thread. */
export async function doubled(value: number): Promise<number | null> {
  try {
    return await pool.run({ do: 'double', value })
  } catch (error) {
    if (error instanceof PoolError) return null
    throw error
  }
}
