/** Looks for a plan of a year: departments and periods by the search, hospitals after it, both proven. Pure; runs in a thread. */
import type { Reason } from '#kit/contract/issues.ts'
import { rotationBound, whyNoPlan } from './bound.rules.ts'
import { NOWHERE, rotationModel, type RotationModel } from './instance.rules.ts'
import { judgeRotations } from './judge.rules.ts'
import {
  lackReasons,
  noPlanReasons,
  overfullPlaces,
  placedIn,
  planFigures,
  type PlanFigures,
  type PlannedRotation,
} from './plan.rules.ts'
import { searchRotations, type FoundRotations } from './search.rules.ts'
import { yearProblem, type PlannedYear, type PlanOptions, type YearProblem } from './year.rules.ts'

export interface PlanTask {
  readonly year: PlannedYear
  readonly options: PlanOptions
  readonly seconds: number
  readonly seed: number
}
/** How far it is: of the time, and what the best so far costs; null: none yet. */
export interface PlanTold {
  readonly percent: number
  readonly cost: number | null
}
/** A plan with its figures, or why there is none. */
export interface PlanSolution {
  readonly planned: PlannedRotation[] | null
  readonly figures: PlanFigures | null
  readonly present: PlanFigures
  readonly reasons: Reason[]
}

/** So often the search goes on with fewer places, where hospitals could not be given. */
const TRIES = 4
const TELL_EVERY = 500

const rowsOf = (model: RotationModel, { before }: YearProblem): Int32Array[] =>
  before.map((row) => Int32Array.from(row, (id) => (id === null ? NOWHERE : model.departments.indexOf(id))))

/** What today's plan costs, where it holds. */
function presentCost(model: RotationModel, rows: readonly Int32Array[]): number | null {
  const { broken, overfull, cost } = judgeRotations(model, rows)
  return broken.length || overfull.length ? null : cost.total
}

/** Looks for a plan, or for the smallest repair of today's. */
export function solvePlan(
  { year, options, seconds, seed }: PlanTask,
  tell: (told: PlanTold) => void = () => {},
  stopped: () => boolean = () => false,
): PlanSolution {
  const accepted = year.rotations.filter(({ status }) => status === 'accepted')
  const problem = yearProblem(year, options)
  const presentAt = (cost: number | null) => planFigures(year, accepted, { cost, bound: null })
  // Who has more than can be planned makes no instance.
  if (problem.reasons.length)
    return { planned: null, figures: null, present: presentAt(null), reasons: [...problem.reasons] }
  const model = rotationModel(problem.instance)
  const rows = rowsOf(model, problem)
  const present = presentAt(presentCost(model, rows))
  const none = (reasons: Reason[]): PlanSolution => ({ planned: null, figures: null, present, reasons })
  const why = noPlanReasons(year, model, whyNoPlan(model))
  if (why.length) return none(why)
  const bound = rotationBound(model)
  const begun = Date.now()
  const took = () => (Date.now() - begun) / 1000
  let told = 0
  let best: FoundRotations | null = null
  const stop = (): boolean => {
    if (Date.now() - told >= TELL_EVERY) {
      told = Date.now()
      const cost = best?.judgement.cost.total ?? null
      tell({ percent: Math.min(99, Math.floor((100 * took()) / seconds)), cost })
    }
    return stopped()
  }
  let lacking: Reason[] = []
  for (let tries = 0; tries < TRIES; tries++) {
    const repairs = options.kind === 'repair'
    const { found, nearest } = searchRotations(model, {
      seconds: Math.max(0.5, seconds - took()),
      seed: seed + tries,
      stop,
      // A repair is as good as it gets where nothing moves.
      ...(repairs ? { before: rows, lost: problem.lost } : { enough: bound }),
      better: (plan) => {
        best = plan
      },
    })
    if (!found) {
      return none([
        ...(lacking.length ? lacking : lackReasons(year, overfullPlaces(model, nearest.judgement.overfull))),
        { code: 'emtyaz_plan_not_found', data: { seconds: Math.round(took()) } },
      ])
    }
    const placed = placedIn(year, problem, model, found.rows)
    if (placed.planned) {
      const cost = found.judgement.cost.total
      const figures = planFigures(year, [...problem.stays, ...placed.planned], { cost, bound })
      return { planned: placed.planned, figures, present, reasons: [] }
    }
    // Places that no hospital has in one piece: the next plan does without them.
    lacking = lackReasons(year, placed.lacking)
    for (const { type_id, period, places } of placed.lacking) {
      const cell = model.departments.indexOf(String(type_id)) * model.periods + period
      model.capacity[cell] = Math.max(0, model.capacity[cell]! - places)
    }
    if (stopped() || took() >= seconds) break
  }
  return none([...lacking, { code: 'emtyaz_plan_not_found', data: { seconds: Math.round(took()) } }])
}
