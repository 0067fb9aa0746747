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
  const search = new PlacementSearch(plan, random, mix)
  const heat = temperatures(model, options)
  const most = (options.iterations ?? Infinity) * (begin < 1 ? 1 - begin : 0)
  const share = (iterations: number): number => {
    if (begin >= 1) return 1
    const spent = Math.max(most === Infinity ? 0 : iterations / most, (now() - begun) / allowed)
    return begin + (1 - begin) * Math.min(1, spent)
  }
  let iterations = 0
  let fraction = share(0)
  const ratio = heat.last / heat.first
  let temperature = heat.first * ratio ** fraction
  // Minus the logarithm of chance, by table: what a proposal may cost at most is drawn before it is judged.
  const chances = Float64Array.from({ length: 4096 }, (_, i) => -Math.log((i + 0.5) / 4096))
  const tell = () =>
    options.onProgress?.(report(problem, model, search, fraction, iterations), () => toPlacements(model, search))
  tell()
  while (iterations < most) {
    for (let i = 0; i < CHECK; i += 1) search.propose(temperature * chances[random.bits() >>> 20]!)
    iterations += CHECK
    fraction = share(iterations)
    if (fraction >= 1 || stop()) break
    temperature = heat.first * ratio ** fraction
    if (options.onProgress && now() - reported >= REPORT) {
      reported = now()
      tell()
    }
  }
  const last = now() + 2000
  const placements = shortenWays(problem, toPlacements(model, search), () => now() > last || stop())
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

function report(
  problem: ExamProblem,
  model: Model,
  search: PlacementSearch,
  fraction: number,
  iterations: number,
): SolveProgress {
  return { fraction, iterations, cost: evaluatePlacement(problem, toPlacements(model, search)) }
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
