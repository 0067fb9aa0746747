import { evaluate } from './evaluate.rules.ts'
import { compile } from './model.rules.ts'
import type { Model } from './model.rules.ts'
import { Plan } from './plan.rules.ts'
import type { ExamProblem, Placement, Solution } from './problem.contract.ts'
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
 * in turn, and whatever it pushes out likewise, to ever greater depth; so with few exams the answer is the best there is
 * among greedy choices of halls. When time runs out before any is found, the search of `solve` finds one, near the plan.
 */
export function repair(problem: ExamProblem, present: readonly Placement[], options: RepairOptions = {}): Repair {
  const now = options.now ?? Date.now
  const end = now() + (options.seconds ?? 5) * 1000
  const barred = bar(problem, present, options.mustMove ?? [])
  const model = compile(barred)
  const begun = new Plan(model)
  begun.take(present)
  const finder = new Finder(model, begun, present, () => now() > end)
  for (let depth = 0; depth <= 6 && !finder.best && now() < end; depth += 1) finder.find(depth)
  const placements = finder.best ?? fallBack(barred, present, options, Math.max(0.5, (end - now()) / 1000))
  const duties = assignStaff(problem, placements, options.seed ?? 1)
  const moved: number[] = []
  const rehoused: number[] = []
  for (const [exam, { slot, halls }] of placements.entries()) {
    const before = present[exam]
    if (before?.slot !== slot) moved.push(exam)
    else if (!sameHalls(before.halls, halls)) rehoused.push(exam)
  }
  return { placements, duties, cost: evaluate(problem, placements, duties), moved, rehoused }
}

const sameHalls = (a: Placement['halls'], b: Placement['halls']): boolean =>
  a.length === b.length && a.every((one) => b.some((other) => other.hall === one.hall && other.seats === one.seats))

/** The problem in which those that must move may be anywhere but where they are. */
function bar(problem: ExamProblem, present: readonly Placement[], mustMove: readonly number[]): ExamProblem {
  const must = new Set(mustMove)
  const all = [...problem.slots.keys()]
  return {
    ...problem,
    exams: problem.exams.map((exam, index) =>
      must.has(index) ? { ...exam, slots: (exam.slots ?? all).filter((slot) => slot !== present[index]?.slot) } : exam,
    ),
  }
}

class Finder {
  private readonly model: Model
  private readonly plan: Plan
  private readonly isLate: () => boolean
  private readonly slotBefore: Int32Array
  private readonly present: readonly Placement[]
  private steps = 0
  private bestRank: readonly number[] = []
  best: readonly Placement[] | undefined

  constructor(model: Model, plan: Plan, present: readonly Placement[], isLate: () => boolean) {
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
    if (plan.unplaced === 0) {
      this.judge()
      return
    }
    if (plan.unplaced - this.mayStay() > left) return
    if ((this.steps += 1) % 64 === 0 && this.isLate()) return
    // The hardest first.
    let unit = -1
    let fewest = Infinity
    for (let i = 0; i < plan.unplaced; i += 1) {
      const one = plan.waiting[i]!
      const free = model.slotsOf[one]!.filter((slot) => plan.clash[one * model.S + slot] === 0).length
      if (free < fewest) [unit, fewest] = [one, free]
    }
    for (const slot of model.slotsOf[unit]!) {
      const isMoved = slot !== this.slotBefore[unit]
      if (isMoved && left === 0) continue
      this.into(unit, slot, isMoved ? left - 1 : left, touched)
    }
  }

  /** Of the units that wait, those that might go back to their slots. */
  private mayStay(): number {
    const { plan, model } = this
    let count = 0
    for (let i = 0; i < plan.unplaced; i += 1) {
      const unit = plan.waiting[i]!
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
        (model.behind[unit]!.includes(other) && there <= slot)
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
  present: readonly Placement[],
  options: RepairOptions,
  seconds: number,
): readonly Placement[] {
  const heat = { first: STAY / 10 }
  return solve(problem, { seconds, seed: options.seed, from: present, stay: STAY, heat, now: options.now }).placements
}
