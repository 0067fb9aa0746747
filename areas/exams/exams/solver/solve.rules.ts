import { construct, Repairer } from './construct.rules.ts'
import { evaluatePlacement } from './evaluate.rules.ts'
import { compile, Random } from './model.rules.ts'
import type { Model } from './model.rules.ts'
import { Plan } from './plan.rules.ts'
import type { ExamProblem, ExamPlacement, Solution, SolveProgress } from './problem.contract.ts'
import { PlacementSearch } from './search.rules.ts'
import type { Mix } from './search.rules.ts'
import { assignStaff } from './staff.rules.ts'
import { shortenWays } from './ways.rules.ts'

/** How a problem is to be solved. */
export interface SolveOptions {
  /** How long the whole run may take; after `done`, what is left of it. */
  readonly seconds?: number
  /** How many proposals are tried instead, whatever time that takes: the same seed then gives the same plan. */
  readonly iterations?: number
  readonly seed?: number
  /** A plan to go on from; what it lacks or breaks is placed anew. */
  readonly from?: readonly ExamPlacement[]
  /** How far the run that left `from` was (0 to 1): it goes on from there, as cool as that one was. */
  readonly done?: number
  /** What each exam costs the search that leaves its slot in `from`. */
  readonly stay?: number
  /** Asked many times a second: true ends the run, with the best plan so far. */
  readonly stop?: () => boolean
  /** Told about every half second how far it is; `best` makes the plan. */
  readonly onProgress?: (progress: SolveProgress, best: () => ExamPlacement[]) => void
  /** A clock in milliseconds. */
  readonly now?: () => number
  /** For trying: other temperatures than the problem's own. */
  readonly heat?: { readonly first?: number; readonly last?: number; readonly mix?: Mix }
}

/** A part of a run: it ends at a share of the time, and begins as cool as a share of the cooling has left it. */
interface Leg {
  readonly ends: number
  readonly cool: number
}
const ONE: readonly Leg[] = [{ ends: 1, cool: 0 }]
/**
 * A long run begins anew twice, since what is decided while it is hot decides how good a plan can become, and no longer
 * cooling mends that; then it warms up the best plan twice, the second time less.
 */
const SEVERAL: readonly Leg[] = [
  { ends: 0.2, cool: 0 },
  { ends: 0.4, cool: 0 },
  { ends: 0.6, cool: 0 },
  { ends: 0.8, cool: 0.25 },
  { ends: 1, cool: 0.4 },
]
/** Seconds from which on a run is long. */
const LONG = 120

const CHECK = 512
/** Milliseconds between two reports. */
const REPORT = 500

/**
 * Solves by construction in the order of saturation, repair of what finds no place, and simulated annealing over chains
 * of moves between two slots, cooled over the time given. See the README beside this file for the sources.
 */
export function solve(problem: ExamProblem, options: SolveOptions = {}): Solution {
  const now = options.now ?? Date.now
  const begun = now()
  const stay = options.stay && options.from ? { from: options.from, cost: options.stay } : undefined
  const model = compile(problem, stay)
  const random = new Random(options.seed ?? 1)
  const plan = new Plan(model)
  const begin = Math.min(Math.max(options.done ?? 0, 0), 1)
  const allowed = (options.seconds ?? (options.iterations === undefined ? 10 : Infinity)) * 1000 * (1 - begin)
  const stop = options.stop ?? (() => false)
  const timeLeft = () => allowed - (now() - begun)

  let reported = begun
  plan.take(options.from ?? problem.exams.map(() => ({ slot: -1, halls: [] })))
  construct(plan, random)
  const repairer = new Repairer(plan, random)
  // That everything has a place matters more than how good its place is: half of the time, if it takes that long.
  if (plan.unplaced > 0)
    repairer.run(options.iterations ?? Infinity, () => {
      if (options.onProgress && now() - reported >= REPORT) {
        reported = now()
        const placements = plan.placements()
        const fraction = begin + (1 - begin) * Math.min(1, (now() - begun) / allowed)
        options.onProgress({ fraction, iterations: 0, cost: evaluatePlacement(problem, placements) }, () => placements)
      }
      return stop() || timeLeft() < allowed * 0.5
    })

  const mix = options.heat?.mix ?? { slots: model.R > 0 ? 2 : 12, halls: model.R > 1 ? 200 : 0, swaps: 150 }
  let search = new PlacementSearch(plan, random, mix)
  let best = { cost: search.bestCost, placements: toPlacements(model, search) }
  const keep = () => {
    if (search.bestCost < best.cost) best = { cost: search.bestCost, placements: toPlacements(model, search) }
  }
  const heat = temperatures(model, options)
  const most = (options.iterations ?? Infinity) * (begin < 1 ? 1 - begin : 0)
  const share = (iterations: number): number => {
    if (begin >= 1) return 1
    const spent = Math.max(most === Infinity ? 0 : iterations / most, (now() - begun) / allowed)
    return begin + (1 - begin) * Math.min(1, spent)
  }
  let iterations = 0
  let fraction = share(0)
  const legs = (options.seconds ?? 0) >= LONG ? SEVERAL : ONE
  let leg = 0
  const isOver = () => fraction >= legs[leg]!.ends && leg < legs.length - 1
  while (isOver()) leg += 1
  const ratio = heat.last / heat.first
  const temperatureNow = (): number => {
    const begins = legs[leg - 1]?.ends ?? 0
    const { ends, cool } = legs[leg]!
    return heat.first * ratio ** (cool + ((1 - cool) * (fraction - begins)) / (ends - begins))
  }
  let temperature = temperatureNow()
  // Minus the logarithm of chance, by table: what a proposal may cost at most is drawn before it is judged.
  const chances = Float64Array.from({ length: 4096 }, (_, i) => -Math.log((i + 0.5) / 4096))
  const tell = () => {
    keep()
    const { placements } = best
    const cost = evaluatePlacement(problem, placements)
    options.onProgress?.({ fraction, iterations, cost }, () => [...placements])
  }
  if (options.onProgress) tell()
  while (iterations < most) {
    for (let i = 0; i < CHECK; i += 1) search.propose(temperature * chances[random.bits() >>> 20]!)
    iterations += CHECK
    fraction = share(iterations)
    if (fraction >= 1 || stop()) break
    if (isOver()) {
      keep()
      while (isOver()) leg += 1
      if (legs[leg]!.cool > 0) {
        for (let unit = 0; unit < model.U; unit += 1) plan.drop(unit)
        plan.take(best.placements)
      }
      search = new PlacementSearch(plan, random, mix)
    }
    temperature = temperatureNow()
    if (options.onProgress && now() - reported >= REPORT) {
      reported = now()
      tell()
    }
  }
  const last = now() + 2000
  keep()
  const placements = shortenWays(problem, best.placements, () => now() > last || stop())
  const duties = assignStaff(problem, placements, options.seed ?? 1)
  const solution = { placements, duties, cost: evaluatePlacement(problem, placements, duties) }
  options.onProgress?.({ fraction, iterations, cost: solution.cost }, () => placements)
  return solution
}

/**
 * From how hot to how cool. Measured on the public instances: to begin thirty times as hot as the dearest wish of one
 * student costs, where even slots change places freely, and to end where the cheapest is seldom given up. Twice as cool
 * at the start is worse, and so is an end at which small wishes are not yet settled.
 */
function temperatures(model: Model, options: SolveOptions): { first: number; last: number } {
  const { spread, spreadWithin = 0, twoInRow, twoInDay, slots, halls, mixed, early, split } = model.problem.weights
  const ofPairs = [...spread, spreadWithin, twoInRow, twoInDay].filter((weight) => weight > 0)
  const wishes =
    ofPairs.length > 0 ? ofPairs : [slots, halls, mixed, early.weight, split].filter((weight) => weight > 0)
  const first = options.heat?.first ?? 30 * Math.max(1, ...wishes)
  const last = options.heat?.last ?? 0.5 * Math.max(1, Math.min(...wishes, first))
  return { first, last: Math.min(first, last) }
}

function toPlacements(model: Model, search: PlacementSearch): ExamPlacement[] {
  const { slotOf, halls, hall, taken } = search.best()
  return Array.from({ length: model.E }, (_, exam) => {
    const slot = slotOf[model.unitOf[exam]!]!
    const used = slot < 0 ? 0 : halls[exam]!
    return {
      slot,
      halls: Array.from({ length: used }, (__, k) => ({
        hall: hall[exam * model.K + k]!,
        seats: taken[exam * model.K + k]!,
      })),
    }
  })
}
