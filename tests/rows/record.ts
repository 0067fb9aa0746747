import { isMainThread } from 'node:worker_threads'

/**
 * Loaded before everything else (`NODE_OPTIONS=--import`) by every process of a test run; see `recorder.ts`. Threads of a process
 * ask the database nothing, and begin as fast as they do otherwise.
 */
if (isMainThread && process.env.ROWS_SEEN) await import('./recorder.ts')
