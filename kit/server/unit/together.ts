/** Work that arrives while the same kind of work is under way is done together with the next. */

import type { Services } from '../base/context.ts'

export type TogetherOptions<In> = {
  /** Most items of one run. */
  most: number
  /** Runs at the same time; of several kinds of work, where they share their lanes. */
  lanes: number | Lanes
  /** Items with the same key are never in one run. */
  apart: (item: In) => unknown
}

/**
 * Lanes that several kinds of work share and use in turns. While one kind runs, the others collect items: runs are
 * fewer and larger than in separate lanes, and the fixed cost of a run is paid less often.
 */
export class Lanes {
  private free: number
  private next = 0
  /** Each starts a run, where something of its kind waits. */
  private readonly kinds: (() => Promise<void> | undefined)[] = []

  constructor(count: number) {
    this.free = count
  }

  join(kind: () => Promise<void> | undefined): void {
    this.kinds.push(kind)
  }

  /** Starts what waits, as far as lanes are free. */
  go(): void {
    for (let idle = 0; this.free > 0 && idle < this.kinds.length; this.next = (this.next + 1) % this.kinds.length) {
      const run = this.kinds[this.next]!()
      if (!run) {
        idle++
        continue
      }
      idle = 0
      this.free--
      void run.finally(() => {
        this.free++
        this.go()
      })
    }
  }
}

/**
 * Makes a function of one item out of one that handles many at once and answers in their order. A single caller is
 * served at once. Under load, waiting callers share a statement and a commit, and so do callers that arrive in the
 * same turn of the event loop. When a run fails, each of its items is done alone, so that no caller suffers from
 * another's failure.
 */
export function together<In, Out>(
  run: (items: readonly In[]) => Promise<readonly Out[]>,
  { most, lanes, apart }: TogetherOptions<In>,
): (item: In) => Promise<Out> {
  type Waiting = { item: In; done: (out: Out) => void; failed: (error: unknown) => void }
  let waiting: Waiting[] = []
  let called = false

  const start = (): Promise<void> | undefined => {
    if (waiting.length === 0) return undefined
    const keys = new Set<unknown>()
    const batch: Waiting[] = []
    const rest: Waiting[] = []
    for (const one of waiting) {
      const key = apart(one.item)
      if (batch.length < most && !keys.has(key)) {
        keys.add(key)
        batch.push(one)
      } else rest.push(one)
    }
    waiting = rest
    return serve(batch)
  }
  const shared = typeof lanes === 'number' ? new Lanes(lanes) : lanes
  shared.join(start)

  const serve = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const out = await run(batch.map((one) => one.item))
      batch.forEach((one, i) => one.done(out[i] as Out))
    } catch (error) {
      if (batch.length === 1) batch[0]?.failed(error)
      else await Promise.all(batch.map((one) => serve([one])))
    }
  }

  return (item) =>
    new Promise<Out>((done, failed) => {
      waiting.push({ item, done, failed })
      if (called) return
      called = true
      setImmediate(() => {
        called = false
        shared.go()
      })
    })
}

/** What is made once for the services of a process: in tests several stand beside each other. */
export function perServices<Made>(make: (services: Services) => Made): (services: Services) => Made {
  const known = new WeakMap<Services, Made>()
  return (services) => {
    const before = known.get(services)
    if (before !== undefined) return before
    const made = make(services)
    known.set(services, made)
    return made
  }
}
