import { evaluatePlacement } from './evaluate.rules.ts'
import { compile } from './model.rules.ts'
import type { Model } from './model.rules.ts'
import { Plan } from './plan.rules.ts'
import type { ExamProblem, ExamPlacement, Solution } from './problem.contract.ts'
import { solve } from './solve.rules.ts'
import { assignStaff } from './staff.rules.ts'

/** A smallest change that makes a plan right again. */
export interface Repair extends Solution {
  /** Exams (places in the list) whose slot is another. */
  readonly moved: readonly number[]
  /** Exams whose slot is the same and whose halls are not. */
  readonly rehoused: readonly number[]
}

interface RepairOptions {
  readonly seconds?: number
  readonly seed?: number
  /** Exams that must go to another slot than the present one. */
  readonly mustMove?: readonly number[]
  readonly now?: () => number
}

/**
 * Finds the plan nearest to the present one that keeps all rules: with fewest exams in another slot, of these with fewest
 * in other halls, of these the one that costs least. What is right stays where it is; what is not is put into every slot
 * in turn, and whatever it pushes out likewise, to ever greater depth: first exam by exam, then all at once with fewer
 * moves, as far as time goes; so with few exams the answer is the best there is among greedy choices of halls. When none
 * is found, the search of `solve` finds one, near the plan.
 */
export function repair(problem: ExamProblem, present: readonly ExamPlacement[], options: RepairOptions = {}): Repair {
  const now = options.now ?? Date.now
  const end = now() + (options.seconds ?? 5) * 1000
  const barred = bar(problem, present, options.mustMove ?? [])
  const model = compile(barred)
  const begun = new Plan(model)
  begun.take(present)
  // One after the other first: what is lost in many slots at once is mended slot by slot.
  const half = now() + (end - now()) / 2
  const greedy = oneByOne(model, present, () => now() > half)
  const finder = new Finder(model, begun, present, () => now() > end)
  const most = greedy ? Math.min(6, movedOf(model, greedy, present) - 1) : 6
  for (let depth = 0; depth <= most && !finder.best && now() < end; depth += 1) finder.find(depth)
  const placements =
    better(model, present, finder.best, greedy) ??
    fallBack(barred, present, options, Math.max(0.5, (end - now()) / 1000))
  const duties = assignStaff(problem, placements, options.seed ?? 1)
  const moved: number[] = []
  const rehoused: number[] = []
  for (const [exam, { slot, halls }] of placements.entries()) {
    const before = present[exam]
    if (before?.slot !== slot) moved.push(exam)
    else if (!sameHalls(before.halls, halls)) rehoused.push(exam)
  }
  return { placements, duties, cost: evaluatePlacement(problem, placements, duties), moved, rehoused }
}

const sameHalls = (a: ExamPlacement['halls'], b: ExamPlacement['halls']): boolean =>
  a.length === b.length && a.every((one) => b.some((other) => other.hall === one.hall && other.seats === one.seats))

/** The problem in which those that must move may be anywhere but where they are. */
function bar(problem: ExamProblem, present: readonly ExamPlacement[], mustMove: readonly number[]): ExamProblem {
  const must = new Set(mustMove)
  const all = [...problem.slots.keys()]
  return {
    ...problem,
    exams: problem.exams.map((exam, index) =>
      must.has(index) ? { ...exam, slots: (exam.slots ?? all).filter((slot) => slot !== present[index]?.slot) } : exam,
    ),
  }
}

/** Units whose slot is another. */
const movedOf = (model: Model, plan: readonly ExamPlacement[], present: readonly ExamPlacement[]): number =>
  model.examsOf.reduce(
    (all, exams) => (plan[exams[0]!]!.slot === (present[exams[0]!]?.slot ?? -1) ? all : all + exams.length),
    0,
  )

/** Of two plans the one that moves fewer exams. */
function better(
  model: Model,
  present: readonly ExamPlacement[],
  a: readonly ExamPlacement[] | undefined,
  b: readonly ExamPlacement[] | undefined,
): readonly ExamPlacement[] | undefined {
  if (!a || !b) return a ?? b
  return movedOf(model, b, present) < movedOf(model, a, present) ? b : a
}

/** Mends exam by exam, the hardest first, each with the smallest change that gives it a place; undefined where one finds none. */
function oneByOne(
  model: Model,
  present: readonly ExamPlacement[],
  isLate: () => boolean,
): readonly ExamPlacement[] | undefined {
  let now: readonly ExamPlacement[] = present
  for (let slot = 0; slot < model.S && model.R > 0 && !isLate(); slot += 1)
    now = relieve(model, now, present, slot) ?? now
  for (;;) {
    const plan = new Plan(model)
    plan.take(now)
    if (plan.unplaced === 0) return plan.placements()
    const waiting = Array.from(plan.waiting.subarray(0, plan.unplaced))
    const free = (unit: number) =>
      model.slotsOf[unit]!.reduce((all, slot) => (plan.clash[unit * model.S + slot] === 0 ? all + 1 : all), 0)
    const [unit] = waiting.toSorted((a, b) => free(a) - free(b) || a - b)
    const postponed = new Set(waiting.filter((one) => one !== unit))
    const finder = new Finder(model, plan, present, isLate, postponed)
    for (let depth = 0; depth <= 4 && !finder.best && !isLate(); depth += 1) finder.find(depth)
    if (!finder.best) return undefined
    now = finder.best
  }
}

/** Plans that are tried for a slot. */
const TRIES = 24

/**
 * A slot in which there are too few seats: as few exams as make up for them go to other slots where they are in nobody's way, the
 * smallest that do; the others stay. Undefined where nothing is wrong in the slot, or that does not help.
 */
function relieve(
  model: Model,
  now: readonly ExamPlacement[],
  present: readonly ExamPlacement[],
  slot: number,
): readonly ExamPlacement[] | undefined {
  const { S, R, U, open, size, locked } = model
  const plan = new Plan(model)
  plan.take(now)
  const seatsOf = (unit: number) => model.examsOf[unit]!.reduce((all, exam) => all + size[exam]!, 0)
  const isOf = (unit: number) =>
    (present[model.examsOf[unit]![0]!]?.slot ?? -1) === slot && model.slotsOf[unit]!.includes(slot)
  const staying = Array.from(plan.waiting.subarray(0, plan.unplaced))
    .filter((unit) => isOf(unit) && plan.clash[unit * S + slot] === 0)
    .toSorted((a, b) => seatsOf(b) - seatsOf(a) || a - b)
  if (staying.length === 0) return undefined
  let lack = staying.reduce((all, unit) => all + seatsOf(unit), 0)
  for (let hall = 0; hall < R; hall += 1) if (open[slot * R + hall]) lack -= plan.seating.free[slot * R + hall]!
  const ways = (unit: number) =>
    Array.from(model.slotsOf[unit]!)
      .filter((to) => to !== slot && plan.allows(unit, to))
      .toSorted((a, b) => plan.at[unit * S + a]! - plan.at[unit * S + b]!)
  const movable = [...Array.from(plan.inside.subarray(slot * U, slot * U + plan.count[slot]!)), ...staying]
    .filter((unit) => !locked[unit] && ways(unit).length > 0)
    .toSorted((a, b) => seatsOf(a) - seatsOf(b) || a - b)
  const sum = (units: readonly number[]) => units.reduce((all, unit) => all + seatsOf(unit), 0)
  let many = lack > 0 ? 1 : 0
  while (many <= movable.length && sum(movable.slice(movable.length - many)) < lack) many += 1
  let tries = 0
  // One more than need be, where the fewest find no place.
  for (const few of [many, many + 1])
    for (let from = 0; from + few <= movable.length && tries < TRIES; from += 1) {
      const going = movable.slice(from, from + few)
      if (sum(going) < lack) continue
      tries += 1
      const trial = new Plan(model)
      trial.take(now)
      for (const unit of going) if (trial.slotOf[unit]! >= 0) trial.drop(unit)
      const stay = staying.filter((unit) => !going.includes(unit))
      const isPlaced =
        going.toReversed().every((unit) => ways(unit).some((to) => trial.allows(unit, to) && trial.put(unit, to))) &&
        stay.every((unit) => trial.allows(unit, slot) && trial.put(unit, slot))
      if (isPlaced) return trial.placements()
    }
  return undefined
}

class Finder {
  private readonly model: Model
  private readonly plan: Plan
  private readonly isLate: () => boolean
  private readonly slotBefore: Int32Array
  private readonly present: readonly ExamPlacement[]
  private steps = 0
  private bestRank: readonly number[] = []
  best: readonly ExamPlacement[] | undefined

  /** Units that wait and are not looked at. */
  private readonly postponed: ReadonlySet<number>

  constructor(
    model: Model,
    plan: Plan,
    present: readonly ExamPlacement[],
    isLate: () => boolean,
    postponed: ReadonlySet<number> = new Set(),
  ) {
    this.postponed = postponed
    this.model = model
    this.plan = plan
    this.isLate = isLate
    this.present = present
    this.slotBefore = Int32Array.from(model.examsOf, (exams) => present[exams[0]!]?.slot ?? -1)
  }

  find(depth: number): void {
    this.place(depth, new Set())
  }

  /** Places what waits, with at most `left` units out of their slots beyond those that are. */
  private place(left: number, touched: Set<number>): void {
    const { plan, model } = this
    const { postponed } = this
    const waits = plan.unplaced - postponed.size
    if (waits === 0) {
      this.judge()
      return
    }
    if (waits - this.mayStay() > left) return
    if ((this.steps += 1) % 64 === 0 && this.isLate()) return
    // The hardest first.
    let unit = -1
    let fewest = Infinity
    for (let i = 0; i < plan.unplaced; i += 1) {
      const one = plan.waiting[i]!
      if (postponed.has(one)) continue
      const free = model.slotsOf[one]!.filter((slot) => plan.clash[one * model.S + slot] === 0).length
      if (free < fewest) [unit, fewest] = [one, free]
    }
    for (const slot of model.slotsOf[unit]!) {
      const isMoved = slot !== this.slotBefore[unit]
      const rest = isMoved ? left - 1 : left
      // Whoever is met has to move too.
      if (plan.clash[unit * model.S + slot]! > rest || rest < 0) continue
      this.into(unit, slot, rest, touched)
    }
  }

  /** Of the units that wait, those that might go back to their slots. */
  private mayStay(): number {
    const { plan, model } = this
    let count = 0
    for (let i = 0; i < plan.unplaced; i += 1) {
      const unit = plan.waiting[i]!
      if (this.postponed.has(unit)) continue
      const before = this.slotBefore[unit]!
      if (before >= 0 && model.slotsOf[unit]!.includes(before)) count += 1
    }
    return count
  }

  /** Puts a unit into a slot and pushes out whom it clashes with, at most as many as may still move. */
  private into(unit: number, slot: number, left: number, touched: Set<number>): void {
    const { plan, model } = this
    const { U, S, link, locked, once } = model
    const out: number[] = []
    for (let other = 0; other < U; other += 1) {
      const there = plan.slotOf[other]!
      if (there < 0 || other === unit) continue
      const clashes = link[unit * U + other]! > 0 && once[there * S + slot]
      const wrong =
        clashes ||
        (model.before[unit]!.includes(other) && there >= slot) ||
        (model.behind[unit]!.includes(other) && there <= slot) ||
        model.tied[unit]!.some((tie) => tie.unit === other && tie.wrong[slot * S + there] === 1)
      if (!wrong) continue
      if (locked[other] || touched.has(other) || out.length === left) return
      out.push(other)
    }
    const kept = out.map((other) => this.keep(other))
    for (const other of out) plan.drop(other)
    touched.add(unit)
    this.seat(unit, slot, left - out.length, left, touched)
    touched.delete(unit)
    for (const one of kept.toReversed()) this.restore(one)
  }

  /** Finds the unit halls as they are, or by pushing one or two others out of theirs (who may find others there). */
  private seat(unit: number, slot: number, room: number, left: number, touched: Set<number>): void {
    const { plan, model } = this
    if (plan.put(unit, slot)) {
      this.place(left, touched)
      plan.drop(unit)
      return
    }
    const { U, locked } = model
    const others = Array.from(plan.inside.subarray(slot * U, slot * U + plan.count[slot]!)).filter(
      (other) => !locked[other] && !touched.has(other),
    )
    for (const other of others) {
      if (this.isLate()) return
      const one = this.keep(other)
      plan.drop(other)
      if (plan.put(unit, slot)) {
        touched.add(other)
        // Perhaps the other finds a hall of the same slot; otherwise it moves on.
        if (plan.put(other, slot)) {
          this.place(left, touched)
          plan.drop(other)
        } else if (room > 0) this.place(left, touched)
        touched.delete(other)
        plan.drop(unit)
      }
      this.restore(one)
    }
  }

  private keep(unit: number) {
    const { model, plan } = this
    const { K } = model
    const slot = plan.slotOf[unit]!
    const halls = Array.from(model.examsOf[unit]!, (exam) =>
      Array.from({ length: plan.seating.halls[exam]! }, (_, k) => ({
        exam,
        hall: plan.seating.hall[exam * K + k]!,
        seats: plan.seating.taken[exam * K + k]!,
      })),
    ).flat()
    return { unit, slot, halls }
  }

  private restore({ unit, slot, halls }: ReturnType<Finder['keep']>): void {
    for (const { exam, hall, seats } of halls) this.plan.seating.put(exam, slot, hall, seats)
    this.plan.move(unit, slot)
  }

  private judge(): void {
    const { plan, model } = this
    let moved = 0
    let rehoused = 0
    for (const [unit, exams] of model.examsOf.entries()) {
      if (plan.slotOf[unit] !== this.slotBefore[unit]) moved += exams.length
      else for (const exam of exams) if (!this.isHousedAsBefore(exam)) rehoused += 1
    }
    const rank = [moved, rehoused, plan.cost + plan.seating.cost]
    if (this.best && !isLess(rank, this.bestRank)) return
    this.best = plan.placements()
    this.bestRank = rank
  }

  private isHousedAsBefore(exam: number): boolean {
    const { plan, model, present } = this
    const before = present[exam]?.halls ?? []
    const halls = plan.seating.halls[exam]!
    if (before.length !== halls) return false
    for (let k = 0; k < halls; k += 1) {
      const hall = plan.seating.hall[exam * model.K + k]!
      const seats = plan.seating.taken[exam * model.K + k]!
      if (!before.some((one) => one.hall === hall && one.seats === seats)) return false
    }
    return true
  }
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  for (const [i, one] of a.entries()) if (one !== b[i]) return one < b[i]!
  return false
}

/** What an exam costs the search that leaves its slot: more than wishes commonly do. */
const STAY = 100_000

/** The search, held near the plan. */
function fallBack(
  problem: ExamProblem,
  present: readonly ExamPlacement[],
  options: RepairOptions,
  seconds: number,
): readonly ExamPlacement[] {
  const heat = { first: STAY / 10 }
  return solve(problem, { seconds, seed: options.seed, from: present, stay: STAY, heat, now: options.now }).placements
}
