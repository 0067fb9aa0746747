import type { Model, Random } from './model.rules.ts'
import { NEVER_AGAIN } from './model.rules.ts'
import { Loads } from './loads.rules.ts'
import type { Plan } from './plan.rules.ts'

/** What an exam without a place costs the search: more than any wish. */
export const UNPLACED = 100_000_000

/** How the proposals are mixed: of each 1024, so many are of the kind; what is left are chains. */
export interface Mix {
  readonly slots: number
  readonly halls: number
  readonly swaps: number
}

/**
 * Proposals on a plan. Each is judged against what it may cost at most (`limit`), drawn beforehand, so that one that
 * costs more is given up as soon as that is known. Returns whether it was taken.
 */
export class PlacementSearch {
  private readonly plan: Plan
  private readonly model: Model
  private readonly random: Random
  private readonly loads: Loads | undefined
  private readonly mix: Mix
  // The units of a proposal and where they go; `next` is `slotOf` with these moved.
  private n = 0
  private readonly moved: Int32Array
  private readonly to: Int32Array
  private readonly next: Int32Array
  private readonly mark: Int32Array
  private stamp = 0
  private readonly hasOrders: boolean
  private readonly hasHalls: boolean
  private readonly lifted: Int32Array
  // The best plan met.
  private isAtBest = false
  bestCost = Infinity
  private readonly bestSlots: Int32Array
  private readonly bestHalls: Int32Array
  private readonly bestHall: Int32Array
  private readonly bestTaken: Int32Array

  constructor(plan: Plan, random: Random, mix: Mix) {
    const { U, E, K } = plan.model
    this.plan = plan
    this.model = plan.model
    this.random = random
    this.mix = mix
    this.loads = this.model.problem.weights.worst > 0 ? new Loads(plan) : undefined
    this.moved = new Int32Array(U)
    this.to = new Int32Array(U)
    this.next = Int32Array.from(plan.slotOf)
    this.mark = new Int32Array(U)
    this.hasOrders = this.model.ordered.length > 0
    this.hasHalls = this.model.R > 0
    this.lifted = new Int32Array(E)
    this.bestSlots = new Int32Array(U)
    this.bestHalls = new Int32Array(E)
    this.bestHall = new Int32Array(E * K)
    this.bestTaken = new Int32Array(E * K)
    this.meet()
    this.save()
  }

  /** What the plan costs now. */
  cost(): number {
    const { cost, seating, unplaced } = this.plan
    return cost + seating.cost + unplaced * UNPLACED + (this.loads?.cost ?? 0)
  }

  propose(limit: number): boolean {
    const { random, plan, mix, model } = this
    let kind = random.bits() & 1023
    if (plan.unplaced > 0 && (kind & 15) === 0) return this.insert(limit)
    if ((kind -= mix.slots) < 0) return kind & 1 ? this.exchangeSlots(limit) : this.shiftSlots(limit)
    if ((kind -= mix.halls) < 0) return this.changeHalls(limit)
    const unit = random.below(model.U)
    if (model.locked[unit] || plan.slotOf[unit]! < 0) return false
    if ((kind -= mix.swaps) < 0) return this.swap(unit, random.below(model.U), limit)
    const slots = model.slotsOf[unit]!
    return this.chain(unit, slots[random.below(slots.length)]!, limit)
  }

  /** Moves a unit to a slot, those it clashes with to the slot it comes from, and so on (Kempe chain). */
  private chain(unit: number, b: number, limit: number): boolean {
    const { S, U, base, link, pair } = this.model
    const { slotOf, at, clash, inside, count } = this.plan
    const a = slotOf[unit]!
    if (a === b) return false
    const { moved, to, mark } = this
    let delta = at[unit * S + b]! - at[unit * S + a]!
    if (clash[unit * S + b] === 0) {
      if (delta > limit) return false
      moved[0] = unit
      to[0] = b
      this.n = 1
      return this.attempt(delta, limit)
    }
    const stamp = (this.stamp += 1)
    let n = 1
    let across = 0
    moved[0] = unit
    mark[unit] = stamp
    for (let i = 0; i < n; i += 1) {
      const one = moved[i]!
      const fromA = slotOf[one] === a
      const there = fromA ? b : a
      to[i] = there
      if (i > 0) {
        if (base[one * S + there] === NEVER_AGAIN) return false
        delta += at[one * S + there]! - at[one * S + (fromA ? a : b)]!
      }
      if (clash[one * S + there] === 0) continue
      const row = one * U
      const end = there * U + count[there]!
      for (let k = there * U; k < end; k += 1) {
        const other = inside[k]!
        const linked = link[row + other]!
        if (linked === 0) continue
        if (fromA) across += linked - 1
        if (mark[other] !== stamp) {
          mark[other] = stamp
          moved[n] = other
          n += 1
        }
      }
    }
    // What each pair across the slots was counted to save, it does not: they only change sides.
    delta += 2 * pair[a * S + b]! * across
    if (delta > limit) return false
    this.n = n
    return this.attempt(delta, limit)
  }

  /** Two units change slots. */
  private swap(unit: number, other: number, limit: number): boolean {
    const { S, U, base, link, locked, pair } = this.model
    const { slotOf, at, clash } = this.plan
    const a = slotOf[unit]!
    const b = slotOf[other]!
    if (a === b || b < 0 || locked[other]) return false
    const linked = link[unit * U + other]!
    const own = linked > 0 ? 1 : 0
    if (clash[unit * S + b] !== own || clash[other * S + a] !== own) return false
    if (base[unit * S + b] === NEVER_AGAIN || base[other * S + a] === NEVER_AGAIN) return false
    let delta = at[unit * S + b]! - at[unit * S + a]! + at[other * S + a]! - at[other * S + b]!
    if (linked > 1) delta += 2 * pair[a * S + b]! * (linked - 1)
    if (delta > limit) return false
    this.moved[0] = unit
    this.to[0] = b
    this.moved[1] = other
    this.to[1] = a
    this.n = 2
    return this.attempt(delta, limit)
  }

  /** Puts a unit that waits where it clashes with nobody. */
  private insert(limit: number): boolean {
    const { plan, random, model } = this
    const unit = plan.waiting[random.below(plan.unplaced)]!
    const slots = model.slotsOf[unit]!
    if (slots.length === 0) return false
    const slot = slots[random.below(slots.length)]!
    if (plan.clash[unit * model.S + slot]! > 0) return false
    this.moved[0] = unit
    this.to[0] = slot
    this.n = 1
    return this.attempt(plan.at[unit * model.S + slot]! - UNPLACED, limit)
  }

  /** Judges the units of the proposal with orders, halls and loads, and moves them or not. */
  private attempt(delta: number, limit: number): boolean {
    const { n, moved, to, next, plan, loads } = this
    if (n > 1 || this.hasOrders || this.hasHalls || this.model.anyOverlap || loads) {
      for (let i = 0; i < n; i += 1) next[moved[i]!] = to[i]!
      const total = this.trial(delta, limit)
      if (Number.isNaN(total)) {
        for (let i = 0; i < n; i += 1) next[moved[i]!] = plan.slotOf[moved[i]!]!
        return false
      }
      this.leave(total)
      if (this.hasHalls) plan.seating.keep()
      loads?.keep()
    } else {
      next[moved[0]!] = to[0]!
      this.leave(delta)
    }
    for (let i = 0; i < n; i += 1) plan.move(moved[i]!, to[i]!)
    this.meet()
    return true
  }

  /** What the proposal costs in all, or NaN when it may not be; then everything is as it was. */
  private trial(delta: number, limit: number): number {
    const { n, moved, next, plan, loads, model } = this
    if (model.anyOverlap) for (let i = 0; i < n; i += 1) if (this.clashesNext(moved[i]!)) return Number.NaN
    if (this.hasOrders) {
      for (let i = 0; i < n; i += 1) if (!plan.inOrder(moved[i]!, next[moved[i]!]!, next)) return Number.NaN
    }
    let total = delta
    if (this.hasHalls) {
      const { seating } = plan
      const lifted = this.lift()
      let isSeated = delta + seating.cost - this.seatedCost <= limit
      for (let i = 0; isSeated && i < lifted; i += 1) {
        const exam = this.lifted[i]!
        isSeated = seating.seat(exam, next[model.unitOf[exam]!]!) && delta + seating.cost - this.seatedCost <= limit
      }
      if (!isSeated) {
        seating.undo((exam) => next[model.unitOf[exam]!]!)
        return Number.NaN
      }
      total += seating.cost - this.seatedCost
    }
    if (loads) {
      total += loads.change(moved, n, next)
      if (total > limit) {
        if (this.hasHalls) plan.seating.undo((exam) => next[model.unitOf[exam]!]!)
        return Number.NaN
      }
    }
    return total
  }

  private seatedCost = 0

  /** Takes the exams of the proposal out of their halls; returns how many, the largest first in `lifted`. */
  private lift(): number {
    const { n, moved, lifted, plan, model } = this
    const { seating } = plan
    this.seatedCost = seating.cost
    seating.begin()
    let count = 0
    for (let i = 0; i < n; i += 1) {
      const unit = moved[i]!
      for (const exam of model.examsOf[unit]!) {
        seating.lift(exam, plan.slotOf[unit]!)
        let at = count
        while (at > 0 && model.size[lifted[at - 1]!]! < model.size[exam]!) {
          lifted[at] = lifted[at - 1]!
          at -= 1
        }
        lifted[at] = exam
        count += 1
      }
    }
    return count
  }

  private clashesNext(unit: number): boolean {
    const { S, nearFrom, near, once } = this.model
    const { next } = this
    const slot = next[unit]!
    for (let k = nearFrom[unit]!; k < nearFrom[unit + 1]!; k += 1) {
      const there = next[near[k]!]!
      if (there >= 0 && once[slot * S + there]) return true
    }
    return false
  }

  /** One exam goes to another hall of its slot, or two change halls. */
  private changeHalls(limit: number): boolean {
    const { model, plan, random } = this
    const { seating, slotOf } = plan
    const { R, K } = model
    const exam = random.below(model.E)
    const slot = slotOf[model.unitOf[exam]!]!
    const mine = model.hallsOf[exam]!
    if (slot < 0 || model.problem.exams[exam]!.fixed?.halls || mine.length === 0) return false
    const parts = seating.halls[exam]!
    if (parts === 0) return false
    const from = seating.hall[exam * K + (parts > 1 ? random.below(parts) : 0)]!
    const to = mine[random.below(mine.length)]!
    if (from === to) return false
    if (parts === 1 && seating.free[slot * R + to]! < model.size[exam]!)
      return this.swapHalls(exam, slot, from, to, limit)
    if (parts === 1) {
      if (!model.open[slot * R + to]) return false
      const before = seating.cost
      seating.begin()
      seating.lift(exam, slot)
      if (!seating.may(exam, slot, to)) return this.giveUp(slot)
      seating.put(exam, slot, to, model.size[exam]!)
      return this.settle(seating.cost - before, limit, slot)
    }
    return this.shiftPart(exam, slot, from, to, limit)
  }

  /** The part of a split exam in one hall goes to another, where it may have a part already. */
  private shiftPart(exam: number, slot: number, from: number, to: number, limit: number): boolean {
    const { model, plan } = this
    const { seating } = plan
    const { R, K } = model
    const parts = seating.halls[exam]!
    const hall: number[] = []
    const taken: number[] = []
    for (let k = 0; k < parts; k += 1) {
      hall.push(seating.hall[exam * K + k]!)
      taken.push(seating.taken[exam * K + k]!)
    }
    const at = hall.indexOf(from)
    const there = hall.indexOf(to)
    const room = seating.free[slot * R + to]!
    if (room < taken[at]!) return false
    const before = seating.cost
    seating.begin()
    seating.lift(exam, slot)
    if (there >= 0) {
      taken[there]! += taken[at]!
      hall.splice(at, 1)
      taken.splice(at, 1)
    } else hall[at] = to
    for (const [k, one] of hall.entries()) {
      if (!seating.may(exam, slot, one)) return this.giveUp(slot)
      seating.put(exam, slot, one, taken[k]!)
    }
    return this.settle(seating.cost - before, limit, slot)
  }

  private swapHalls(exam: number, slot: number, from: number, to: number, limit: number): boolean {
    const { model, plan, random } = this
    const { seating, count, inside } = plan
    const { R, K, U, size } = model
    const unit = inside[slot * U + random.below(count[slot]!)]!
    const others = model.examsOf[unit]!
    const other = others[others.length > 1 ? random.below(others.length) : 0]!
    if (other === exam || seating.halls[other] !== 1 || model.problem.exams[other]!.fixed?.halls) return false
    const there = seating.hall[other * K]!
    if (there !== to) {
      // Whoever it is, its hall serves as well as the one drawn.
      if (there === from || !model.mayUse[exam * R + there]) return false
    }
    if (seating.free[slot * R + there]! + size[other]! < size[exam]!) return false
    if (seating.free[slot * R + from]! + size[exam]! < size[other]!) return false
    const before = seating.cost
    seating.begin()
    seating.lift(exam, slot)
    seating.lift(other, slot)
    if (!seating.may(exam, slot, there)) return this.giveUp(slot)
    seating.put(exam, slot, there, size[exam]!)
    if (!seating.may(other, slot, from)) return this.giveUp(slot)
    seating.put(other, slot, from, size[other]!)
    return this.settle(seating.cost - before, limit, slot)
  }

  private giveUp(slot: number): false {
    this.plan.seating.undo(() => slot)
    return false
  }

  private settle(delta: number, limit: number, slot: number): boolean {
    if (delta > limit) return this.giveUp(slot)
    this.leave(delta)
    this.plan.seating.keep()
    this.meet()
    return true
  }

  /** All of two slots change places. */
  private exchangeSlots(limit: number): boolean {
    const { S, U, base, pair, anyOverlap } = this.model
    const { plan, random } = this
    const { between, inside, count, seating } = plan
    const a = random.below(S)
    const b = random.below(S)
    if (a === b || anyOverlap || this.model.reached) return false
    let delta = 0
    for (let c = 0; c < S; c += 1) {
      if (c === a || c === b) continue
      delta += (between[a * S + c]! - between[b * S + c]!) * (pair[b * S + c]! - pair[a * S + c]!)
    }
    let n = 0
    for (let side = 0; side < 2; side += 1) {
      const [from, to] = side === 0 ? [a, b] : [b, a]
      for (let k = 0; k < count[from]!; k += 1) {
        const unit = inside[from * U + k]!
        if (base[unit * S + to] === NEVER_AGAIN) return false
        delta += base[unit * S + to]! - base[unit * S + from]!
        this.moved[n] = unit
        this.to[n] = to
        n += 1
      }
    }
    if (delta > limit || (this.hasHalls && !seating.exchangeable(a, b))) return false
    return this.permute(n, delta, limit, () => seating.exchange(a, b))
  }

  /** A slot goes to another place, those between move up by one. */
  private shiftSlots(limit: number): boolean {
    const { S, U, base, pair, anyOverlap } = this.model
    const { plan, random } = this
    const { between, inside, count } = plan
    const from = random.below(S)
    const target = random.below(S)
    if (Math.abs(from - target) < 2 || anyOverlap || this.hasHalls) return false
    const place = (slot: number): number => {
      if (slot === from) return target
      if (from < target) return slot > from && slot <= target ? slot - 1 : slot
      return slot >= target && slot < from ? slot + 1 : slot
    }
    let delta = 0
    for (let c = 0; c < S; c += 1) {
      for (let d = c + 1; d < S; d += 1) {
        const students = between[c * S + d]!
        if (students !== 0) delta += students * (pair[place(c) * S + place(d)]! - pair[c * S + d]!)
      }
    }
    if (delta > limit) return false
    let n = 0
    for (let slot = Math.min(from, target); slot <= Math.max(from, target); slot += 1) {
      const to = place(slot)
      for (let k = 0; k < count[slot]!; k += 1) {
        const unit = inside[slot * U + k]!
        if (base[unit * S + to] === NEVER_AGAIN) return false
        delta += base[unit * S + to]! - base[unit * S + slot]!
        this.moved[n] = unit
        this.to[n] = to
        n += 1
      }
    }
    if (delta > limit) return false
    return this.permute(n, delta, limit, () => {})
  }

  /** Moves many units whose halls go with their slots. */
  private permute(n: number, pairs: number, limit: number, seat: () => void): boolean {
    const { moved, to, next, plan, loads } = this
    let delta = pairs
    for (let i = 0; i < n; i += 1) next[moved[i]!] = to[i]!
    let isGood = true
    if (this.hasOrders) for (let i = 0; isGood && i < n; i += 1) isGood = plan.inOrder(moved[i]!, to[i]!, next)
    if (isGood && loads) {
      delta += loads.change(moved, n, next)
      isGood = delta <= limit
    }
    if (!isGood) {
      for (let i = 0; i < n; i += 1) next[moved[i]!] = plan.slotOf[moved[i]!]!
      return false
    }
    this.leave(delta)
    loads?.keep()
    seat()
    for (let i = 0; i < n; i += 1) plan.move(moved[i]!, to[i]!)
    this.meet()
    return true
  }

  /** Before the plan gets worse: keeps it when it is the best. */
  private leave(delta: number): void {
    if (delta > 0 && this.isAtBest) this.save()
  }

  /** After the plan changed. */
  private meet(): void {
    const cost = this.cost()
    if (cost < this.bestCost) {
      this.bestCost = cost
      this.isAtBest = true
    } else if (cost > this.bestCost) this.isAtBest = false
  }

  private save(): void {
    this.bestSlots.set(this.plan.slotOf)
    if (this.hasHalls) this.plan.seating.copy(this.bestHalls, this.bestHall, this.bestTaken)
    this.isAtBest = false
  }

  /** The best plan met. */
  best(): { slotOf: Int32Array; halls: Int32Array; hall: Int32Array; taken: Int32Array } {
    if (this.isAtBest) {
      this.save()
      this.isAtBest = true
    }
    return { slotOf: this.bestSlots, halls: this.bestHalls, hall: this.bestHall, taken: this.bestTaken }
  }
}
