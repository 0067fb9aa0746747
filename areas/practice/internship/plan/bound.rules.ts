/**
 * What no plan can be better than, and why there may be none at all.
 *
 * Places of departments are given prices (a Lagrangian of the capacities of the whole year); at any prices, the cheapest
 * departments of all electives, less what the places are worth, is a bound, and good prices make it a good one. Of two who would
 * be together: the periods that they cannot share, and what sharing an elective saves or costs at these prices.
 */
import { NOT_WISHED, NOWHERE, type RotationModel, type Trainee } from './instance.rules.ts'
import { RowPricer } from './row.rules.ts'

/** So many rounds of prices by department; each is one pass over all electives. */
const ROUNDS = 3000
const STEP = 0.02

/** Places of each department in the whole year that obligatory blocks leave. */
function leftOver({ periods, departments, capacity, trainees }: RotationModel): Float64Array {
  const left = Float64Array.from(departments, (_, d) => {
    let sum = 0
    for (let p = 0; p < periods; p++) sum += capacity[d * periods + p]!
    return sum
  })
  for (const { obligatory, departments: of, lengths } of trainees)
    for (let b = 0; b < obligatory; b++) left[of[b]!]! -= lengths[b]!
  return left
}

interface Elective {
  readonly trainee: Trainee
  readonly wishes: readonly number[]
  readonly length: number
}
/** What an elective costs in a department at these prices. */
const costIn = ({ wishes, length, trainee }: Elective, d: number, prices: Float64Array): number => {
  if (trainee.isObligatory[d]) return Infinity
  const place = wishes.indexOf(d)
  return (place < 0 ? NOT_WISHED : place) + prices[d]! * length
}

/** Two electives of two who would be together, and the departments that both wish for. */
interface Common {
  readonly one: number
  readonly other: number
  /** Periods that they share at most. */
  readonly periods: number
  readonly departments: readonly number[]
}
/** Two who would be together: how many periods they are apart at least beside their electives, and what electives may share. */
interface Pair {
  readonly apart: number
  readonly common: readonly Common[]
}
/** `first`: by trainee the place of the first elective among all. */
function pairsOf({ trainees, names, periods }: RotationModel, first: readonly number[]): Pair[] {
  return trainees.flatMap((one, i) => {
    const [mate, ...more] = one.mates
    if (mate === undefined || more.length || names[i]! > names[mate]!) return []
    const other = trainees[mate]!
    // Of three who would be together nothing is said.
    if (other.mates.length > 1) return []
    let both = -Math.max(0, one.free) - Math.max(0, other.free)
    for (let p = 0; p < periods; p++) if (!one.leave[p] && !other.leave[p]) both++
    let together = 0
    for (let b = 0; b < one.obligatory; b++) {
      const same = other.departments.indexOf(one.departments[b]!)
      // What is obligatory for one alone may be an elective of the other.
      together += same < 0 ? one.lengths[b]! : Math.min(one.lengths[b]!, other.lengths[same]!)
    }
    for (let b = 0; b < other.obligatory; b++)
      if (!one.departments.includes(other.departments[b]!)) together += other.lengths[b]!
    const common = one.wishes.flatMap((wishes, e) =>
      other.wishes.map((theirs, f) => ({
        one: first[i]! + e,
        other: first[mate]! + f,
        periods: Math.min(one.lengths[one.obligatory + e]!, other.lengths[other.obligatory + f]!),
        departments: wishes.filter((d) => theirs.includes(d) && !one.isObligatory[d] && !other.isObligatory[d]),
      })),
    )
    return [{ apart: Math.max(0, both - together), common }]
  })
}

/** Prices of departments, and what they lead to. */
class Pricing {
  readonly prices: Float64Array
  private readonly wanted: Float64Array
  private readonly cheapest: Float64Array
  private readonly at: Int32Array
  private readonly left: Float64Array
  private readonly electives: readonly Elective[]
  private readonly pairs: readonly Pair[]
  private readonly periods: number

  constructor(model: RotationModel) {
    this.left = leftOver(model)
    const first: number[] = []
    const electives: Elective[] = []
    for (const trainee of model.trainees) {
      first.push(electives.length)
      for (const [e, wishes] of trainee.wishes.entries())
        electives.push({ wishes, length: trainee.lengths[trainee.obligatory + e]!, trainee })
    }
    this.electives = electives
    this.pairs = pairsOf(model, first)
    this.periods = model.periods
    this.prices = new Float64Array(this.left.length)
    this.wanted = new Float64Array(this.left.length)
    this.cheapest = new Float64Array(electives.length)
    this.at = new Int32Array(electives.length)
  }

  /** The bound at these prices; what is wanted more than there is then stands in `wanted`. */
  bound(): number {
    const { prices, wanted, left, electives, cheapest, at, pairs } = this
    let bound = 0
    for (let d = 0; d < prices.length; d++) {
      bound -= prices[d]! * left[d]!
      wanted[d] = -left[d]!
    }
    for (const [i, elective] of electives.entries()) {
      let cost = Infinity
      for (const d of elective.wishes) {
        const own = costIn(elective, d, prices)
        if (own < cost) [cost, at[i]] = [own, d]
      }
      if (cost > NOT_WISHED)
        for (let d = 0; d < prices.length; d++) {
          const own = costIn(elective, d, prices)
          if (own < cost) [cost, at[i]] = [own, d]
        }
      if (cost === Infinity) return Infinity
      cheapest[i] = cost
      bound += cost
      wanted[at[i]!]! += elective.length
    }
    let dearest = Infinity
    for (const price of prices) dearest = Math.min(dearest, price)
    for (const pair of pairs) bound += this.costOfPair(pair, dearest)
    return bound
  }

  /** What a pair costs beyond its wishes at least: sharing an elective saves periods apart, and may cost more as wishes. */
  private costOfPair({ apart, common }: Pair, least: number): number {
    const { prices, electives, cheapest, at, wanted, periods } = this
    const best = new Map<number, { gain: number; of: Common; department: number }>()
    const others = new Map<number, number>()
    for (const of of common) {
      const [a, b] = [electives[of.one]!, electives[of.other]!]
      const shared = of.periods / periods
      // Where one of the two does not wish to be.
      let gain = Math.max(
        cheapest[of.one]! - NOT_WISHED - least * a.length + shared,
        cheapest[of.other]! - NOT_WISHED - least * b.length + shared,
      )
      let department = NOWHERE
      for (const d of of.departments) {
        const own = cheapest[of.one]! + cheapest[of.other]! - costIn(a, d, prices) - costIn(b, d, prices) + shared
        if (own > gain) [gain, department] = [own, d]
      }
      if (gain <= 0) continue
      if (gain > (best.get(of.one)?.gain ?? 0)) best.set(of.one, { gain, of, department })
      if (gain > (others.get(of.other) ?? 0)) others.set(of.other, gain)
    }
    let [byOne, byOther] = [0, 0]
    for (const { gain } of best.values()) byOne += gain
    for (const gain of others.values()) byOther += gain
    const gained = Math.min(byOne, byOther)
    if (gained >= apart / periods) {
      // More is not saved than there is.
      return 0
    }
    for (const { of, department } of best.values()) {
      if (department === NOWHERE) continue
      for (const i of [of.one, of.other]) {
        wanted[at[i]!]! -= electives[i]!.length
        wanted[department]! += electives[i]!.length
      }
    }
    return apart / periods - gained
  }

  /** Dearer where more is wanted than there is. */
  step(size: number): void {
    const { prices, wanted } = this
    for (let d = 0; d < prices.length; d++) prices[d] = Math.max(0, prices[d]! + size * wanted[d]!)
  }
}

/** What no plan costs less than. Infinite: there is no plan. */
export function rotationBound(model: RotationModel): number {
  const pricing = new Pricing(model)
  let best = 0
  for (let round = 0; round < ROUNDS; round++) {
    best = Math.max(best, pricing.bound())
    if (best === Infinity) return best
    pricing.step(STEP / (1 + (100 * round) / ROUNDS))
  }
  // A cost is a whole number of parts of the year.
  return Math.max(0, Math.ceil(best * model.periods - 1e-6) / model.periods)
}

/** Why there can be no plan. */
export type NoPlan =
  | { readonly why: 'trainee'; readonly trainee: number }
  | { readonly why: 'department'; readonly department: number; readonly places: number; readonly needed: number }
  | { readonly why: 'period'; readonly period: number; readonly places: number; readonly needed: number }

/** Reasons that can be proven by counting; none of them: there may be a plan. */
export function whyNoPlan(model: RotationModel): readonly NoPlan[] {
  const { trainees, periods, departments, capacity } = model
  const reasons: NoPlan[] = []
  const pricer = new RowPricer(model)
  const sums = new Float64Array(departments.length * (periods + 1))
  for (const [t, trainee] of trainees.entries()) {
    pricer.priceUnwished(sums, trainee)
    if (trainee.free < 0 || pricer.solve(trainee, sums) === null) reasons.push({ why: 'trainee', trainee: t })
  }
  for (let department = 0; department < departments.length; department++) {
    let [places, needed] = [0, 0]
    for (let p = 0; p < periods; p++) places += Math.min(capacity[department * periods + p]!, trainees.length)
    for (const { obligatory, departments: of, lengths } of trainees)
      for (let b = 0; b < obligatory; b++) if (of[b] === department) needed += lengths[b]!
    if (needed > places) reasons.push({ why: 'department', department, places, needed })
  }
  for (let period = 0; period < periods; period++) {
    let places = 0
    for (let d = 0; d < departments.length; d++) places += capacity[d * periods + period]!
    const needed = trainees.filter(({ free, leave }) => free === 0 && !leave[period]).length
    if (needed > places) reasons.push({ why: 'period', period, places, needed })
  }
  return reasons
}
