import { parentPort, Worker, workerData } from 'node:worker_threads'

/** What a thread says: how far it is, and in the end its result. */
type Said<Told, Result> = { readonly told: Told } | { readonly result: Result }
interface Given<Task> {
  readonly task: Task
  readonly flag: SharedArrayBuffer
}

/** A search in a thread of its own, which may take minutes. */
export interface ThreadRun<Result> {
  /** What it found; undefined when it was cancelled. Rejects when the thread dies. */
  readonly result: Promise<Result | undefined>
  /** Ends it with the best so far. */
  stop(): void
  /** Ends it with nothing. */
  cancel(): void
}

/** Starts a search in a thread of its own, which runs `file`; `onTold` hears how far it is. */
export function startRun<Told, Result>(
  file: URL,
  task: object,
  onTold: (told: Told) => void = () => {},
): ThreadRun<Result> {
  const flag = new SharedArrayBuffer(4)
  const worker = new Worker(file, {
    workerData: { task, flag } satisfies Given<object>,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 32 },
  })
  let isCancelled = false
  const result = new Promise<Result | undefined>((resolve, reject) => {
    worker.on('message', (said: Said<Told, Result>) => {
      if (isCancelled) return
      if ('result' in said) resolve(said.result)
      else onTold(said.told)
    })
    worker.on('error', reject)
    worker.on('exit', (code) => {
      if (isCancelled) resolve(undefined)
      else reject(new Error(`the thread of a search ended with ${code}`))
    })
  })
  return {
    result,
    stop: () => void Atomics.store(new Int32Array(flag), 0, 1),
    cancel: () => {
      isCancelled = true
      void worker.terminate()
    },
  }
}

/** Waits for a search, which ends with nothing when the signal says so. */
export async function untilAborted<Result>(run: ThreadRun<Result>, signal: AbortSignal): Promise<Result | undefined> {
  const cancel = () => run.cancel()
  signal.addEventListener('abort', cancel)
  if (signal.aborted) cancel()
  return await run.result.finally(() => signal.removeEventListener('abort', cancel))
}

/** The thread's side of `startRun`: searches, tells how far it is, and looks whether it is to stop with the best so far. */
export function serveRun<Task, Told, Result>(
  search: (task: Task, tell: (told: Told) => void, stopped: () => boolean) => Result,
): void {
  const port = parentPort
  if (!port) throw new Error('serveRun is for a worker thread')
  const { task, flag } = workerData as Given<Task>
  const stop = new Int32Array(flag)
  const say = (said: Said<Told, Result>) => port.postMessage(said)
  const result = search(
    task,
    (told) => say({ told }),
    () => Atomics.load(stop, 0) === 1,
  )
  say({ result })
}
