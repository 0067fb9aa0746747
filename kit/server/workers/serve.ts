import { parentPort } from 'node:worker_threads'
import type { TaskAnswer } from './pool.ts'

/**
 * The thread's side of a `WorkerPool`: answers each request with what `work` returns, or with the message, `code` and
 * `data` of what it throws. `moved`: buffers of the answer that go over as they are instead of being copied.
 */
export function serveTasks<Request, Reply>(
  work: (request: Request) => Reply,
  moved: (reply: Awaited<Reply>) => ArrayBuffer[] = () => [],
): void {
  const port = parentPort
  if (!port) throw new Error('serveTasks is for a worker thread')
  port.on('message', (request: Request) => {
    void (async () => {
      try {
        const reply = await work(request)
        port.postMessage({ reply } satisfies TaskAnswer, moved(reply))
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
