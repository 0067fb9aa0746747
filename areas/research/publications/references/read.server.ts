import { WorkerPool } from '#kit/server/workers/pool.ts'
import type { ReferenceAnswer, ReferenceStyle, ReferenceTask } from './references.worker.ts'

/** Files of strangers are read, and reference lists are set, in threads of their own: 30 MB of entries take some ten seconds. */
const pool = new WorkerPool<ReferenceTask, ReferenceAnswer>(new URL('./references.worker.ts', import.meta.url), {
  size: 1,
  timeMs: 120_000,
  heapMb: 1024,
})

export const readReferences = async (bytes: Uint8Array): Promise<Extract<ReferenceAnswer, { entries: unknown }>> =>
  (await pool.run({ do: 'read', bytes })) as Extract<ReferenceAnswer, { entries: unknown }>

export const referenceList = async (items: readonly object[], style: ReferenceStyle, html = false): Promise<string> =>
  ((await pool.run({ do: 'list', items, style, html })) as { text: string }).text
