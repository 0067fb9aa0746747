import type { ExamPlacement } from './problem.contract.ts'
import type { Model } from './model.rules.ts'
import { NEVER_AGAIN } from './model.rules.ts'
import { SeatingSearch } from './seating.rules.ts'

/**
 * A plan under change. For every unit and slot it keeps what the unit would cost there (`at`) and how many neighbours
 * would be there at the same time (`clash`), so that a move is judged by two look-ups; only what is accepted is paid for.
 */
export class Plan {
  readonly model: Model
  readonly seating: SeatingSearch
  /** -1: has no place. */
  readonly slotOf: Int32Array
  /** S × U: units in each slot, the first `count[slot]` of its row. */
  readonly inside: Int32Array
  readonly count: Int32Array
  private readonly placeOf: Int32Array
  /** U × S. */
  readonly at: Int32Array
  /** U × S. */
  readonly clash: Int32Array
  /** S × S: pairs of a student's exams in both slots. */
  readonly between: Int32Array
  /** Units without a place: the first `unplaced` of `waiting`. */
  readonly waiting: Int32Array
  unplaced: number
  private readonly waitingAt: Int32Array
  /** Slots and pairs; halls are `seating.cost`. */
  cost = 0
  private readonly changed: Int32Array
  private readonly by: Int32Array

  constructor(model: Model) {
    const { U, S } = model
    this.model = model
    this.seating = new SeatingSearch(model)
    this.slotOf = new Int32Array(U).fill(-1)
    this.inside = new Int32Array(S * U)
    this.count = new Int32Array(S)
    this.placeOf = new Int32Array(U)
    this.at = Int32Array.from(model.base)
    this.clash = new Int32Array(U * S)
    this.between = new Int32Array(S * S)
    this.waiting = Int32Array.from({ length: U }, (_, unit) => unit)
    this.waitingAt = Int32Array.from(this.waiting)
    this.unplaced = U
    this.changed = new Int32Array(S)
    this.by = new Int32Array(S)
  }

  /** Tells the neighbours that the unit left slot `a` for slot `b`; -1 is no slot. */
  private tell(unit: number, a: number, b: number): void {
    const { S, pair, nearFrom, near, common, overlapping, anyOverlap } = this.model
    const { at, clash, between, changed, by, slotOf } = this
    let n = 0
    for (let slot = 0; slot < S; slot += 1) {
      const difference = (b < 0 ? 0 : pair[b * S + slot]!) - (a < 0 ? 0 : pair[a * S + slot]!)
      if (difference === 0) continue
      changed[n] = slot
      by[n] = difference
      n += 1
    }
    const end = nearFrom[unit + 1]!
    for (let k = nearFrom[unit]!; k < end; k += 1) {
      const other = near[k]!
      const row = other * S
      if (a >= 0) clash[row + a]! -= 1
      if (b >= 0) clash[row + b]! += 1
      if (anyOverlap) {
        if (a >= 0) for (const slot of overlapping[a]!) clash[row + slot]! -= 1
        if (b >= 0) for (const slot of overlapping[b]!) clash[row + slot]! += 1
      }
      const students = common[k]!
      if (students === 0) continue
      for (let i = 0; i < n; i += 1) at[row + changed[i]!]! += students * by[i]!
      const there = slotOf[other]!
      if (there < 0) continue
      if (a >= 0) {
        between[a * S + there]! -= students
        if (a !== there) between[there * S + a]! -= students
      }
      if (b >= 0) {
        between[b * S + there]! += students
        if (b !== there) between[there * S + b]! += students
      }
    }
  }

  /** Moves a unit, halls aside; from or to nowhere is -1. */
  move(unit: number, to: number): void {
    const { S, U } = this.model
    const { slotOf, inside, count, placeOf, at } = this
    const from = slotOf[unit]!
    if (from === to) return
    if (from >= 0) {
      this.cost -= at[unit * S + from]!
      const last = inside[from * U + count[from]! - 1]!
      inside[from * U + placeOf[unit]!] = last
      placeOf[last] = placeOf[unit]!
      count[from]! -= 1
    } else {
      const last = this.waiting[this.unplaced - 1]!
      this.waiting[this.waitingAt[unit]!] = last
      this.waitingAt[last] = this.waitingAt[unit]!
      this.unplaced -= 1
    }
    if (to >= 0) {
      this.cost += at[unit * S + to]!
      inside[to * U + count[to]!] = unit
      placeOf[unit] = count[to]!
      count[to]! += 1
    } else {
      this.waiting[this.unplaced] = unit
      this.waitingAt[unit] = this.unplaced
      this.unplaced += 1
    }
    this.tell(unit, from, to)
    slotOf[unit] = to
  }

  /** Takes a unit out of its slot and halls. */
  drop(unit: number): void {
    const slot = this.slotOf[unit]!
    if (slot < 0) return
    if (this.model.R > 0) for (const exam of this.model.examsOf[unit]!) this.seating.take(exam, slot)
    this.move(unit, -1)
  }

  /** Whether the unit keeps its order to the others in the slot, and no student still writes; `slotOf` may be another than the plan's. */
  inOrder(unit: number, slot: number, slotOf: Int32Array = this.slotOf): boolean {
    const { S, before, behind, once, tied } = this.model
    for (const other of before[unit]!) {
      const there = slotOf[other]!
      if (there >= 0 && (there >= slot || once[there * S + slot])) return false
    }
    for (const other of behind[unit]!) {
      const there = slotOf[other]!
      if (there >= 0 && (there <= slot || once[there * S + slot])) return false
    }
    for (const { unit: other, wrong } of tied[unit]!) {
      const there = slotOf[other]!
      if (there >= 0 && wrong[slot * S + there]) return false
    }
    return true
  }

  /** Whether the unit may be put into the slot as it is, halls aside. */
  allows(unit: number, slot: number): boolean {
    const { S, base, before, behind, tied } = this.model
    if (base[unit * S + slot] === NEVER_AGAIN || this.clash[unit * S + slot]! > 0) return false
    return before[unit]!.length + behind[unit]!.length + tied[unit]!.length === 0 || this.inOrder(unit, slot)
  }

  /** Puts a unit that waits into a slot, with halls; false, and nothing done, when there are none for it. */
  put(unit: number, slot: number): boolean {
    const { R, examsOf, problem } = this.model
    if (R > 0) {
      const exams = examsOf[unit]!
      for (let i = 0; i < exams.length; i += 1) {
        const exam = exams[i]!
        const fixed = problem.exams[exam]!.fixed
        if (fixed?.halls && fixed.slot === slot) {
          for (const { hall, seats } of fixed.halls) this.seating.put(exam, slot, hall, seats)
          continue
        }
        if (this.seating.seat(exam, slot)) continue
        for (let j = 0; j < i; j += 1) this.seating.take(exams[j]!, slot)
        return false
      }
    }
    this.move(unit, slot)
    return true
  }

  /**
   * Takes over what of a plan given keeps the rules; the rest waits. What is locked comes first, as it is, then what may stay in
   * its halls; what needs others takes what those leave.
   */
  take(placements: readonly ExamPlacement[]): void {
    this.takeOver(placements, false)
    if (this.unplaced > 0 && this.model.R > 0) this.takeOver(placements, true)
  }

  private takeOver(placements: readonly ExamPlacement[], otherHalls: boolean): void {
    const { U, R, K, S, examsOf, base, locked, problem, size, most } = this.model
    const order = Array.from({ length: U }, (_, unit) => unit).toSorted((a, b) => locked[b]! - locked[a]!)
    for (const unit of order) {
      const exams = examsOf[unit]!
      const slot = locked[unit]
        ? Math.max(...Array.from(exams, (exam) => problem.exams[exam]!.fixed?.slot ?? -1))
        : (placements[exams[0]!]?.slot ?? -1)
      if (slot < 0 || slot >= S || base[unit * S + slot] === NEVER_AGAIN || this.slotOf[unit]! >= 0) continue
      if (!locked[unit] && !this.allows(unit, slot)) continue
      const as = Array.from(exams, (exam) => problem.exams[exam]!.fixed?.halls ?? placements[exam]?.halls ?? [])
      const fits =
        R === 0 ||
        exams.every((exam, i) => {
          const halls = as[i]!
          const seats = halls.reduce((all, one) => all + one.seats, 0)
          const isRight =
            placements[exam]?.slot === slot &&
            seats === size[exam] &&
            halls.length <= Math.min(K, most[exam]!) &&
            halls.length > 0 &&
            halls.every(
              ({ hall, seats: taken }) =>
                this.seating.free[slot * R + hall]! >= taken && this.seating.may(exam, slot, hall),
            )
          if (isRight || problem.exams[exam]!.fixed?.halls)
            for (const { hall, seats: taken } of halls) this.seating.put(exam, slot, hall, taken)
          else if (!otherHalls || !this.seating.seat(exam, slot)) return false
          return true
        })
      if (fits) this.move(unit, slot)
      else for (const exam of exams) if (this.seating.halls[exam]! > 0) this.seating.take(exam, slot)
    }
  }

  placements(): ExamPlacement[] {
    const { E, K, unitOf } = this.model
    return Array.from({ length: E }, (_, exam) => ({
      slot: this.slotOf[unitOf[exam]!]!,
      halls: Array.from({ length: this.seating.halls[exam]! }, (__, k) => ({
        hall: this.seating.hall[exam * K + k]!,
        seats: this.seating.taken[exam * K + k]!,
      })),
    }))
  }
}
