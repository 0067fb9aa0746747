import { Worker } from 'node:worker_threads'

/**
 * Why a task of a pool failed, apart from what its own code throws:
 * `time` it ran past the cap, `memory` its heap passed the cap, `crash` the thread died, `busy` the queue is full,
 * `closed` the pool was closed.
 */
export type PoolFailure = 'time' | 'memory' | 'crash' | 'busy' | 'closed'

export class PoolError extends Error {
  readonly reason: PoolFailure
  constructor(reason: PoolFailure, options?: ErrorOptions) {
    super(`Worker pool: ${reason}`, options)
    this.name = 'PoolError'
    this.reason = reason
  }
}

/** What a task threw inside its thread: the message, and the plain `code` and `data` it carried, if any. */
export class TaskError extends Error {
  readonly code: string | undefined
  readonly data: Record<string, unknown> | undefined
  constructor(failure: TaskFailure) {
    super(failure.message)
    this.name = 'TaskError'
    this.code = failure.code
    this.data = failure.data
  }
}

interface TaskFailure {
  message: string
  code?: string
  data?: Record<string, unknown>
}

/** What a thread sends back; written by `serveTasks`. */
export type TaskAnswer = { reply: unknown } | { failure: TaskFailure }

interface Options {
  /** Most threads at once; each runs one task at a time. Threads start when they are first needed. */
  size: number
  /** Milliseconds one task may take before its thread is ended. */
  timeMs: number
  /** Cap on the JavaScript heap of a thread, in MB. Memory outside the heap (buffers, native code) is not counted. */
  heapMb: number
  /** Of the heap, the part for what is young, in MB: little of it keeps a thread small, much makes it fast. Default 32. */
  youngMb?: number
  /** Tasks that may wait; one more is refused with `busy`. */
  queue?: number
  /** Replaces a thread after so many tasks, which bounds what native code may leak. Default: never. */
  tasksPerThread?: number
}

interface Task {
  request: unknown
  resolve: (reply: unknown) => void
  reject: (error: Error) => void
}

interface Thread {
  worker: Worker
  task: Task | null
  timer: NodeJS.Timeout | undefined
  done: number
}

/**
 * Threads for work that would block the event loop or may hang, crash or exhaust memory: a bad task costs its own
 * thread, never the process, and the next task gets a fresh one. Idle threads do not keep the process alive.
 */
export class WorkerPool<Request, Reply> {
  private readonly url: URL
  private readonly options: Options
  private readonly threads = new Set<Thread>()
  private readonly waiting: Task[] = []
  private closed = false

  constructor(url: URL, options: Options) {
    this.url = url
    this.options = options
  }

  /** Runs one task. Throws `PoolError`, or `TaskError` with what the task's own code threw. */
  run(request: Request): Promise<Reply> {
    return new Promise<Reply>((resolve, reject) => {
      if (this.closed) return reject(new PoolError('closed'))
      if (this.waiting.length >= (this.options.queue ?? 1_000)) return reject(new PoolError('busy'))
      this.waiting.push({ request, resolve: (reply) => resolve(reply as Reply), reject })
      this.next()
    })
  }

  /** Ends every thread; running and waiting tasks fail with `closed`. */
  async close(): Promise<void> {
    this.closed = true
    for (const task of this.waiting.splice(0)) task.reject(new PoolError('closed'))
    await Promise.all(
      [...this.threads].map((thread) => {
        this.retire(thread, new PoolError('closed'))
        return thread.worker.terminate()
      }),
    )
  }

  private next(): void {
    while (this.waiting.length > 0) {
      const idle = [...this.threads].find((thread) => thread.task === null)
      if (!idle && this.threads.size >= this.options.size) return
      this.start(idle ?? this.spawn(), this.waiting.shift()!)
    }
  }

  private start(thread: Thread, task: Task): void {
    thread.task = task
    thread.worker.ref()
    thread.timer = setTimeout(() => this.end(thread, new PoolError('time')), this.options.timeMs)
    try {
      thread.worker.postMessage(task.request)
    } catch (cause) {
      this.end(thread, new PoolError('crash', { cause }))
    }
  }

  private spawn(): Thread {
    const worker = new Worker(this.url, {
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: this.options.heapMb,
        maxYoungGenerationSizeMb: this.options.youngMb ?? 32,
      },
    })
    const thread: Thread = { worker, task: null, timer: undefined, done: 0 }
    this.threads.add(thread)
    worker.on('message', (answer: TaskAnswer) => {
      const task = thread.task
      if (!task) return
      clearTimeout(thread.timer)
      thread.task = null
      thread.done += 1
      worker.unref()
      if ('reply' in answer) task.resolve(answer.reply)
      else task.reject(new TaskError(answer.failure))
      if (thread.done >= (this.options.tasksPerThread ?? Infinity)) this.end(thread, new PoolError('closed'))
      else this.next()
    })
    worker.on('error', (cause: Error & { code?: string }) =>
      this.end(thread, new PoolError(cause.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crash', { cause })),
    )
    worker.on('exit', () => this.end(thread, new PoolError('crash')))
    return thread
  }

  private retire(thread: Thread, error: PoolError): void {
    clearTimeout(thread.timer)
    this.threads.delete(thread)
    thread.task?.reject(error)
    thread.task = null
  }

  private end(thread: Thread, error: PoolError): void {
    if (!this.threads.has(thread)) return
    this.retire(thread, error)
    thread.worker.unref()
    void thread.worker.terminate()
    if (!this.closed) this.next()
  }
}
