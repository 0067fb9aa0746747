import { refuse } from '../base/errors.ts'

/** How much of the server one may have. */
export interface Share {
  /** Calls of a light sort, and of a heavy one, that are answered at once. */
  readonly light: number
  readonly heavy: number
  /** Calls that may wait, of both sorts together; one more is refused. */
  readonly waiting: number
}
export interface PlacesOptions {
  /** Of one person. */
  readonly person: Share
  /** Of an address without a session: behind one may be a whole campus that signs in. */
  readonly address: Share
  /** Of all together. */
  readonly all: Omit<Share, 'waiting'>
}

type Sort = keyof PlacesOptions['all']
const SORTS: readonly Sort[] = ['light', 'heavy']

interface Waiter {
  readonly start: () => void
  /** Nobody listens any more: it gives its turn to the next. */
  readonly gone: (() => boolean) | undefined
}
/** What somebody has and waits for. Kept only while it is not nothing. */
interface Party {
  readonly share: Share
  readonly busy: Record<Sort, number>
  readonly waits: Record<Sort, Waiter[]>
}

/**
 * Places for calls, before they use the database. Each person has a few, so a user who sends three hundred calls at
 * once waits, and nobody else does. Heavy calls (`Call.heavy`) have separate places, fewer than there are connections,
 * so light calls always find a connection. When all places are taken, people are served in turn, each with their
 * oldest call. Each process has its own places, as it has its own connections.
 */
export class Places {
  private readonly options: PlacesOptions
  private readonly busy: Record<Sort, number> = { light: 0, heavy: 0 }
  private readonly parties = new Map<string, Party>()
  /** Who waits for a sort, in the order in which they are served. */
  private readonly queues: Record<Sort, Set<string>> = { light: new Set(), heavy: new Set() }

  constructor(options: PlacesOptions) {
    this.options = options
  }

  /** Calls that wait now, for the metrics. */
  get waiting(): number {
    let count = 0
    for (const { waits } of this.parties.values()) count += waits.light.length + waits.heavy.length
    return count
  }

  /**
   * Takes a place, when it is the turn of who asks. `leave` gives it back.
   *
   * @param who the person, or the address of who is not signed in
   * @param gone tells whether nobody listens any more, of a call that then need not be answered
   * @returns a promise only where one waits; true: the place is taken, false: nobody listens
   * @throws {Refusal} 429 `calls_waiting` when too many calls of theirs wait
   */
  enter(who: string, sort: Sort, kind: 'person' | 'address', gone?: () => boolean): Promise<boolean> | true {
    let party = this.parties.get(who)
    if (!party) {
      party = { share: this.options[kind], busy: { light: 0, heavy: 0 }, waits: { light: [], heavy: [] } }
      this.parties.set(who, party)
    }
    if (party.busy[sort] < party.share[sort] && this.busy[sort] < this.options.all[sort] && !party.waits[sort].length) {
      party.busy[sort]++
      this.busy[sort]++
      return true
    }
    const count = party.waits.light.length + party.waits.heavy.length
    if (count >= party.share.waiting) throw refuse(429, 'calls_waiting', { count, seconds: 2 })
    return this.wait(who, party, sort, gone)
  }

  private async wait(who: string, party: Party, sort: Sort, gone: (() => boolean) | undefined): Promise<boolean> {
    await new Promise<void>((start) => {
      party.waits[sort].push({ start, gone })
      this.queues[sort].add(who)
    })
    if (!gone?.()) return true
    this.leave(who, sort)
    return false
  }

  /** Gives a place back. */
  leave(who: string, sort: Sort): void {
    const party = this.parties.get(who)!
    party.busy[sort]--
    this.busy[sort]--
    if (this.queues[sort].size) this.next(sort)
    if (SORTS.every((one) => !party.busy[one] && !party.waits[one].length)) this.parties.delete(who)
  }

  /** Lets in who may, as long as there are places: whoever was served goes behind everybody else who waits. */
  private next(sort: Sort): void {
    for (const who of this.queues[sort]) {
      if (this.busy[sort] >= this.options.all[sort]) return
      const party = this.parties.get(who)!
      const queue = party.waits[sort]
      if (party.busy[sort] >= party.share[sort]) continue
      const first = queue.shift()
      this.queues[sort].delete(who)
      if (queue.length) this.queues[sort].add(who)
      if (!first) continue
      party.busy[sort]++
      this.busy[sort]++
      first.start()
    }
  }
}
