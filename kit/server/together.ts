/** Work that arrives while the same kind of work is under way is done together with the next. */

export type TogetherOptions<In> = {
  /** Most items of one run. */
  most: number
  /** Runs at the same time. */
  lanes: number
  /** Items with the same key are never in one run. */
  apart: (item: In) => unknown
}

/**
 * Makes a function of one item out of one that does many at once and answers in their order. Somebody who comes alone is
 * served at once; in a rush, what waits meanwhile shares a statement and a commit, and so does what arrives in the same
 * turn of the event loop: a run that began with the first of them would leave the others to the next. When a run fails,
 * each of its items is done alone, so that nobody suffers from a neighbour.
 */
export function together<In, Out>(
  run: (items: readonly In[]) => Promise<readonly Out[]>,
  { most, lanes, apart }: TogetherOptions<In>,
): (item: In) => Promise<Out> {
  type Waiting = { item: In; done: (out: Out) => void; failed: (error: unknown) => void }
  let waiting: Waiting[] = []
  let running = 0
  let called = false

  const next = (): void => {
    while (running < lanes && waiting.length > 0) {
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
      running++
      void serve(batch).finally(() => {
        running--
        next()
      })
    }
  }

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
        next()
      })
    })
}
