import { refuse } from '../base/errors.ts'

export interface TurnsOptions {
  /** Works at once. */
  readonly size: number
  /** Works of one person that may wait; one more is refused. */
  readonly waiting: number
}

interface Waiting {
  readonly start: () => void
}

/**
 * Turns for long work (papers, sheets): people are served in turn, each with their oldest request, so a user who asks
 * for a hundred papers waits, and nobody else does. If the same person requests the same unfinished work again, it is
 * done once.
 */
export class Turns {
  private readonly options: TurnsOptions
  private running = 0
  /** People who wait, in the order in which they are served. */
  private readonly queues = new Map<string, Waiting[]>()
  private readonly shared = new Map<string, Promise<unknown>>()

  constructor(options: TurnsOptions) {
    this.options = options
  }

  /**
   * Does the work when it is the person's turn.
   *
   * @param key what the work is, for this person: equal keys mean equal answers
   * @throws {Refusal} 429 `papers_waiting` when too many works of the person wait
   */
  take<T>(person: string, key: string, work: () => Promise<T>): Promise<T> {
    const name = `${person} ${key}`
    const same = this.shared.get(name)
    if (same) return same as Promise<T>
    const mine = this.queues.get(person)?.length ?? 0
    if (mine >= this.options.waiting) return Promise.reject(refuse(429, 'papers_waiting', { count: mine, seconds: 10 }))
    const done = this.turn(person).then(work)
    this.shared.set(name, done)
    const over = () => {
      this.shared.delete(name)
      this.running -= 1
      this.next()
    }
    done.then(over, over)
    return done
  }

  private turn(person: string): Promise<void> {
    if (this.running < this.options.size) {
      this.running += 1
      return Promise.resolve()
    }
    return new Promise((start) => {
      const queue = this.queues.get(person)
      if (queue) queue.push({ start })
      else this.queues.set(person, [{ start }])
    })
  }

  private next(): void {
    const [first] = this.queues
    if (!first || this.running >= this.options.size) return
    const [person, queue] = first
    const waiting = queue.shift()
    // Served: behind everybody else who waits.
    this.queues.delete(person)
    if (queue.length) this.queues.set(person, queue)
    this.running += 1
    waiting?.start()
  }
}
