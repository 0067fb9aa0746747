/**
 * Looks for a good plan: each trainee's year is taken out and laid anew as the cheapest of all there are, where a place that is
 * taken has a price. Places that stay contested become dearer from round to round, the others cheaper again, until nobody needs more
 * places than there are; then it goes on from there, and the best plan without a broken rule is kept.
 */
import { judgeRotations, servedWishes, type Judgement } from './judge.rules.ts'
import { LOST, NOWHERE, type RotationModel } from './instance.rules.ts'
import { RowPricer, type RowTerms } from './row.rules.ts'

/** Price of a contested place at first, what it grows by in a round, and how it falls. */
const PRICE = { first: 0.3, grows: 0.1, falls: 0.999, least: 0.02 }
/** So many of those who have what they want are laid anew in a round, to make room. */
const SHAKEN = 0.05
/**
 * Every so many rounds the plan is closed: contested places become so dear that nobody stays on them, for so many rounds; what
 * comes out may be worse, but holds.
 */
const CLOSING = { every: 12, rounds: 40, factor: 1.6, most: 1e4, after: 2 }
/** After so many rounds without a better plan some are laid anyhow: so many, with up to so much of chance in each price. */
const KICK = { after: 25, share: 0.02, least: 2, most: 1.5 }
/** So often two who would be together are laid anew together in a round. */
const TOGETHER = 2

export interface SearchOptions {
  readonly seconds: number
  /** Another run; the same one gives the same plan for the same number of rounds. */
  readonly seed?: number
  /** So many rounds instead of a time. */
  readonly rounds?: number
  /** A plan as it was: the new one moves as few periods as possible, then costs as little as possible. */
  readonly before?: readonly Int32Array[]
  /** By trainee, periods of the plan as it was whose place is lost: they move anyway, and so before all others. */
  readonly lost?: readonly (readonly boolean[])[]
  /** Milliseconds of a clock; of the machine unless told. */
  readonly now?: () => number
  /** Cost below which nothing better is looked for. */
  readonly enough?: number
  /** Asked often: whether it is to end with the best so far. */
  readonly stop?: () => boolean
  /** Told each plan that is better than the one before. */
  readonly better?: (found: FoundRotations) => void
}
export interface FoundRotations {
  readonly rows: readonly Int32Array[]
  readonly judgement: Judgement
  /** Periods that are others than before, without those that were lost. */
  readonly moved: number
}
export interface SearchResult {
  /** Null: none was found. `nearest` then is the plan with the fewest places too many. */
  readonly found: FoundRotations | null
  readonly nearest: FoundRotations
  readonly rounds: number
}

/** Numbers of chance between 0 and 1, the same for a seed. */
function chance(seed: number): () => number {
  let state = seed || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 4_294_967_296
  }
}

/** A plan in the making. */
class Board {
  readonly rows: Int32Array[]
  readonly use: Int32Array
  readonly prices: Float64Array
  /** Running sums of what a further trainee pays, by department. */
  readonly sums: Float64Array
  over = 0
  /** While it is closed: how much dearer contested places are. */
  factor = 1
  private readonly model: RotationModel
  private readonly stale: number[] = []
  private readonly isStale: Uint8Array

  constructor(model: RotationModel) {
    const { capacity, departments, periods, trainees } = model
    this.model = model
    this.rows = trainees.map(() => new Int32Array(periods).fill(NOWHERE))
    this.use = new Int32Array(capacity.length)
    this.prices = new Float64Array(capacity.length).fill(PRICE.first)
    this.sums = new Float64Array(departments.length * (periods + 1))
    this.isStale = new Uint8Array(departments.length)
    for (let d = 0; d < departments.length; d++) this.sum(d)
  }
  private sum(d: number): void {
    const { periods, capacity } = this.model
    let sum = 0
    for (let p = 0; p < periods; p++) {
      const cell = d * periods + p
      this.sums[d * (periods + 1) + p] = sum
      const over = this.use[cell]! - capacity[cell]! + 1
      if (over > 0) sum += this.prices[cell]! * over * this.factor
    }
    this.sums[d * (periods + 1) + periods] = sum
  }
  /** Sums again where somebody came or went. */
  refresh(): void {
    for (const d of this.stale) {
      this.sum(d)
      this.isStale[d] = 0
    }
    this.stale.length = 0
  }
  private change(t: number, by: 1 | -1): void {
    const { periods, capacity } = this.model
    const row = this.rows[t]!
    for (let p = 0; p < periods; p++) {
      const d = row[p]!
      if (d === NOWHERE) continue
      const cell = d * periods + p
      if (by === 1 ? this.use[cell]! >= capacity[cell]! : this.use[cell]! > capacity[cell]!) this.over += by
      this.use[cell]! += by
      if (this.isStale[d]) continue
      this.isStale[d] = 1
      this.stale.push(d)
    }
  }
  take(t: number): void {
    this.change(t, -1)
    this.refresh()
  }
  lay(t: number, row: Int32Array): void {
    this.rows[t]!.set(row)
    this.change(t, 1)
    this.refresh()
  }
  /** What a year would pay for its places, while the trainee is not on the board. */
  paid(row: Int32Array): number {
    const { periods } = this.model
    let sum = 0
    for (let p = 0; p < periods; p++)
      if (row[p] !== NOWHERE) {
        const at = row[p]! * (periods + 1) + p
        sum += this.sums[at + 1]! - this.sums[at]!
      }
    return sum
  }
  isOver(t: number): boolean {
    const { periods, capacity } = this.model
    return this.rows[t]!.some((d, p) => d !== NOWHERE && this.use[d * periods + p]! > capacity[d * periods + p]!)
  }
  close(factor: number): void {
    this.factor = factor
    for (let d = 0; d < this.model.departments.length; d++) this.sum(d)
  }
  /** Contested places become dearer, the others cheaper. */
  reprice(): void {
    const { capacity, departments } = this.model
    for (let cell = 0; cell < capacity.length; cell++) {
      const over = this.use[cell]! - capacity[cell]!
      this.prices[cell] =
        over > 0 ? this.prices[cell]! + PRICE.grows * over : Math.max(PRICE.least, this.prices[cell]! * PRICE.falls)
    }
    for (let d = 0; d < departments.length; d++) this.sum(d)
  }
}

/** Looks for a plan until the time is over. */
export function searchRotations(model: RotationModel, options: SearchOptions): SearchResult {
  const {
    seconds,
    seed = 1,
    rounds: most = Infinity,
    before,
    lost = [],
    enough = -1,
    better,
    now: clock = Date.now,
    stop,
  } = options
  const { periods, trainees, names } = model
  const random = chance(seed)
  const until = clock() + seconds * 1000
  const pricer = new RowPricer(model)
  const board = new Board(model)
  // What is wanted beside the wishes counts less than a wish where a plan is made, and more where one is repaired.
  const apart = 1 / periods
  const change = before ? 100 : 0
  /** The plan as it was, as far as it is to stay. */
  const stays = before?.map((row, t) => row.map((d, p) => (lost[t]?.[p] ? LOST : d)))
  const own = new Float64Array(trainees.length).fill(Infinity)
  const termsOf = (t: number, without = NOWHERE): RowTerms => ({
    mates: trainees[t]!.mates.filter((mate) => mate !== without).map((mate) => board.rows[mate]!),
    apart,
    ...(stays && { before: { row: stays[t]!, change } }),
  })
  const wishesOf = (t: number, row: Int32Array): number =>
    servedWishes(trainees[t]!, row)?.reduce((sum, place) => sum + place, 0) ?? Infinity
  /** The cheapest year, in `pricer.row`; departments that nobody wished for where it cannot be otherwise. */
  const cheapest = (t: number, sums: Float64Array, terms: RowTerms): boolean => {
    const trainee = trainees[t]!
    if (!before && board.factor === 1 && pricer.solve(trainee, sums, terms) !== null) return true
    pricer.priceUnwished(sums, trainee)
    const cost = pricer.solve(trainee, sums, terms)
    pricer.forgetUnwished()
    return cost !== null
  }
  /** Whose year was not whole before: who came late, say. */
  const loses = lost.map((periodsLost) => periodsLost.includes(true))
  const lacks = new Set(before && judgeRotations(model, before).broken.map(({ trainee }) => trainee))
  const layAnew = (t: number): void => {
    board.take(t)
    if (cheapest(t, board.sums, termsOf(t))) {
      lacks.delete(t)
      board.lay(t, pricer.row)
      own[t] = wishesOf(t, pricer.row)
    } else board.lay(t, board.rows[t]!.slice())
  }
  const movedOf = (t: number): number => {
    if (!stays) return 0
    let moved = 0
    for (let p = 0; p < periods; p++) if (stays[t]![p] !== LOST && board.rows[t]![p] !== stays[t]![p]) moved++
    return moved
  }
  const apartOf = (one: Int32Array, other: Int32Array): number => {
    let sum = 0
    for (let p = 0; p < periods; p++)
      if (one[p] !== NOWHERE && other[p] !== NOWHERE && one[p] !== other[p]) sum += apart
    return sum
  }
  /** Sums in which the departments of a trainee cost something more, by chance. */
  const noisyFor = (t: number, most: number): Float64Array => {
    const noisy = board.sums.slice()
    for (const d of new Set([...trainees[t]!.departments, ...trainees[t]!.wishes.flat()])) {
      if (d === NOWHERE) continue
      let sum = 0
      for (let p = 0; p <= periods; p++) {
        noisy[d * (periods + 1) + p]! += sum
        sum += random() * most
      }
    }
    return noisy
  }
  const kick = (): void => {
    const count = Math.min(trainees.length, Math.max(KICK.least, Math.round(KICK.share * trainees.length)))
    for (let i = 0; i < count; i++) {
      const t = Math.floor(random() * trainees.length)
      board.take(t)
      if (cheapest(t, noisyFor(t, KICK.most), termsOf(t))) {
        board.lay(t, pricer.row)
        own[t] = wishesOf(t, pricer.row)
      } else board.lay(t, board.rows[t]!.slice())
    }
  }
  /** Two who would be together change together: one goes anywhere, the other follows. Kept where both cost less. */
  const layTogether = (t: number, mate: number): void => {
    const was = [board.rows[t]!.slice(), board.rows[mate]!.slice()] as const
    board.take(t)
    board.take(mate)
    const costOf = (one: Int32Array, other: Int32Array): number =>
      wishesOf(t, one) + wishesOf(mate, other) + board.paid(one) + board.paid(other) + apartOf(one, other)
    const noisy = noisyFor(t, 0.2)
    const old = costOf(...was)
    let [one, other] = was
    if (cheapest(t, noisy, termsOf(t, mate))) {
      const led = pricer.row.slice()
      const alone = trainees[mate]!.mates.filter((third) => third !== t).map((third) => board.rows[third]!)
      if (cheapest(mate, board.sums, { ...termsOf(mate), mates: [...alone, led] })) {
        const followed = pricer.row.slice()
        if (costOf(led, followed) <= old + 1e-9) [one, other] = [led, followed]
      }
    }
    board.lay(t, one)
    board.lay(mate, other)
    own[t] = wishesOf(t, one)
    own[mate] = wishesOf(mate, other)
  }
  if (before)
    for (const [t, row] of before.entries()) {
      board.lay(t, row)
      own[t] = wishesOf(t, row)
    }
  const pairs = before
    ? []
    : trainees.flatMap(({ mates }, t) =>
        mates.filter((mate) => names[t]! < names[mate]!).map((mate) => [t, mate] as const),
      )

  const now = (): FoundRotations => ({
    rows: board.rows.map((row) => row.slice()),
    judgement: judgeRotations(model, board.rows),
    moved: trainees.reduce((sum, _, t) => sum + movedOf(t), 0),
  })
  const worth = ({ judgement, moved }: FoundRotations): number => judgement.cost.total + change * moved
  const tooMany = ({ judgement: { broken, overfull } }: FoundRotations): number =>
    1000 * broken.length + overfull.reduce((sum, { over }) => sum + over, 0)
  let found: FoundRotations | null = null
  let nearest: FoundRotations | null = null
  let least = Infinity
  let round = 0
  /** Rounds since a plan was better. */
  let since = 0
  const isOver = () => clock() > until || stop?.() === true
  /** Keeps the plan where it holds and is better. */
  const keep = (): void => {
    if (board.over > 0 || own.includes(Infinity)) {
      if (found || board.over >= least) return
      least = board.over
      nearest = now()
      return
    }
    const plan = now()
    if (plan.judgement.broken.length > 0 || worth(plan) >= (found ? worth(found) - 1e-9 : Infinity)) return
    found = plan
    since = 0
    better?.(plan)
  }
  const done = (): boolean => found !== null && worth(found) <= enough + 1e-9
  const shuffled = (order: number[]): number[] => {
    for (let i = order.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1))
      ;[order[i], order[j]] = [order[j]!, order[i]!]
    }
    // Who has lost a place leaves first: of those who stay as many can.
    return lost.length ? order.toSorted((a, b) => Number(!loses[a]) - Number(!loses[b])) : order
  }
  /** Moves everybody off the contested places, at any price; then what can be had without a new contest. */
  const close = (): void => {
    for (let i = 0, factor = 2; board.over > 0 && i < CLOSING.rounds && !isOver(); i++) {
      board.close(Math.min(CLOSING.most, (factor *= CLOSING.factor)))
      for (const t of shuffled(trainees.flatMap((_, one) => (board.isOver(one) ? [one] : [])))) {
        if (board.isOver(t)) layAnew(t)
        if (board.over === 0) break
      }
    }
    if (board.over === 0) {
      board.close(CLOSING.most)
      keep()
      for (let i = 0; i < CLOSING.after && !isOver(); i++)
        for (const t of shuffled(trainees.flatMap((_, one) => (own[one]! > 0 || movedOf(one) > 0 ? [one] : []))))
          layAnew(t)
    }
    keep()
    board.close(1)
  }
  while (round < most && !done()) {
    const order = trainees.flatMap((_, t) => {
      if (round === 0 && !before) return [t]
      if (board.isOver(t) || lacks.has(t)) return [t]
      // In a repair whoever is where he or she was rests.
      const content = before ? movedOf(t) === 0 : own[t] === 0 && trainees[t]!.mates.length === 0
      return !content || (!before && random() < SHAKEN) ? [t] : []
    })
    for (const t of shuffled(order)) {
      if (before && movedOf(t) === 0 && !board.isOver(t) && !lacks.has(t)) continue
      layAnew(t)
      if (round > 0 && isOver()) break
    }
    for (const [t, mate] of pairs) for (let i = 0; i < TOGETHER; i++) layTogether(t, mate)
    round++
    keep()
    if (isOver()) break
    if (round % CLOSING.every === 0 && board.over > 0) close()
    board.reprice()
    if (!before && found && ++since >= KICK.after) {
      since = 0
      kick()
    }
  }
  const last = nearest ?? now()
  return { found, nearest: found ?? (tooMany(last) <= tooMany(now()) ? last : now()), rounds: round }
}
