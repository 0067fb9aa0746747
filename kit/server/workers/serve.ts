import { parentPort } from 'node:worker_threads'
import type { TaskAnswer } from './pool.ts'

/**
 * The thread's side of a `WorkerPool`: answers each request with what `work` returns, or with the message, `code` and
 * `data` of what it throws.
 */
export function serveTasks<Request>(work: (request: Request) => unknown): void {
  const port = parentPort
  if (!port) throw new Error('serveTasks is for a worker thread')
  port.on('message', (request: Request) => {
    void (async () => {
      try {
        port.postMessage({ reply: await work(request) } satisfies TaskAnswer)
      } catch (error) {
        const { message, code, data } = error as Error & {
          code?: unknown
          data?: Record<string, unknown>
        }
        port.postMessage({
          failure: {
            message,
            ...(typeof code === 'string' && { code }),
            ...(data && { data }),
          },
        } satisfies TaskAnswer)
      }
    })()
  })
}
