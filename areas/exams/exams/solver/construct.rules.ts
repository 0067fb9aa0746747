import type { Plan } from './plan.rules.ts'
import type { Random } from './model.rules.ts'
import { NEVER_AGAIN } from './model.rules.ts'

/**
 * Puts what waits into the plan in the order of saturation: first the unit with fewest slots left, of equal ones that
 * with most neighbours; each into the slot that costs least. What finds no slot goes on waiting.
 */
export function construct(plan: Plan, random: Random): void {
  const { S, U, nearFrom, base, size, examsOf } = plan.model
  const writers = Int32Array.from({ length: U }, (_, unit) =>
    examsOf[unit]!.reduce((all, exam) => all + size[exam]!, 0),
  )
  const left = Array.from(plan.waiting.subarray(0, plan.unplaced))
  random.shuffle(left)
  while (left.length > 0) {
    let best = 0
    let fewest = Infinity
    let most = -1
    for (let i = 0; i < left.length; i += 1) {
      const unit = left[i]!
      let free = 0
      for (let slot = 0; slot < S; slot += 1)
        if (plan.clash[unit * S + slot] === 0 && base[unit * S + slot] !== NEVER_AGAIN) free += 1
      const degree = nearFrom[unit + 1]! - nearFrom[unit]! + writers[unit]! / 1000
      if (free < fewest || (free === fewest && degree > most)) {
        best = i
        fewest = free
        most = degree
      }
    }
    const unit = left[best]!
    left[best] = left[left.length - 1]!
    left.pop()
    const open = Array.from({ length: S }, (_, slot) => slot).filter((slot) => plan.allows(unit, slot))
    open.sort((a, b) => plan.at[unit * S + a]! - plan.at[unit * S + b]!)
    for (const slot of open) if (plan.put(unit, slot)) break
  }
}

/**
 * Places what still waits by pushing others out (partial colouring with tabu): a unit goes where those it pushes out
 * weigh least, and what was pushed out may not come back soon. A unit that waits again and again grows heavier.
 * Ends when nothing waits, `steps` are done or `stop` says so; the plan is then the one with least waiting that was met.
 */
export class Repairer {
  private readonly plan: Plan
  private readonly random: Random
  private readonly weight: Float64Array
  private readonly tabu: Int32Array
  private step = 0

  constructor(plan: Plan, random: Random) {
    this.plan = plan
    this.random = random
    this.weight = new Float64Array(plan.model.U).fill(1)
    this.tabu = new Int32Array(plan.model.U * plan.model.S)
  }

  run(steps: number, stop: () => boolean): void {
    const { plan } = this
    let fewest = plan.unplaced
    let kept = plan.placements()
    for (let i = 0; i < steps && plan.unplaced > 0; i += 1) {
      if ((i & 255) === 255 && stop()) break
      this.insert()
      if (plan.unplaced < fewest) {
        fewest = plan.unplaced
        kept = plan.placements()
      }
    }
    if (plan.unplaced <= fewest) return
    for (let unit = 0; unit < plan.model.U; unit += 1) plan.drop(unit)
    plan.take(kept)
  }

  private insert(): void {
    const { plan, random, weight, tabu } = this
    const { S, U, base, link, locked, inside, overlapping } = { ...plan.model, inside: plan.inside }
    this.step += 1
    const unit = plan.waiting[random.below(plan.unplaced)]!
    let best = -1
    let bestWeight = Infinity
    let ties = 0
    const pushes = (slot: number): number => {
      let sum = 0
      for (let k = 0; k < plan.count[slot]!; k += 1) {
        const other = inside[slot * U + k]!
        if (link[unit * U + other]) sum += locked[other] ? Infinity : weight[other]!
      }
      return sum
    }
    for (const slot of plan.model.slotsOf[unit]!) {
      if (base[unit * S + slot] === NEVER_AGAIN || tabu[unit * S + slot]! > this.step) continue
      let sum = plan.clash[unit * S + slot] === 0 ? 0 : pushes(slot)
      for (const other of overlapping[slot]!) sum += pushes(other)
      sum += this.disorder(unit, slot)
      if (sum < Infinity && plan.model.R > 0 && !this.hasRoom(unit, slot)) sum += 0.5
      if (sum > bestWeight || sum === Infinity) continue
      ties = sum < bestWeight ? 1 : ties + 1
      if (ties === 1 || random.below(ties) === 0) best = slot
      bestWeight = sum
    }
    weight[unit]! += 0.05
    if (best < 0) return
    const push = (other: number) => {
      const from = plan.slotOf[other]!
      plan.drop(other)
      tabu[other * S + from] = this.step + 8 + random.below(10) + Math.floor(plan.unplaced / 2)
    }
    for (const slot of [best, ...overlapping[best]!])
      for (let k = plan.count[slot]! - 1; k >= 0; k -= 1)
        if (link[unit * U + inside[slot * U + k]!]) push(inside[slot * U + k]!)
    for (const other of plan.model.before[unit]!)
      if (plan.slotOf[other]! >= 0 && !plan.inOrder(other, plan.slotOf[other]!, this.as(unit, best))) push(other)
    for (const other of plan.model.behind[unit]!)
      if (plan.slotOf[other]! >= 0 && !plan.inOrder(other, plan.slotOf[other]!, this.as(unit, best))) push(other)
    for (const { unit: other, wrong } of plan.model.tied[unit]!)
      if (plan.slotOf[other]! >= 0 && wrong[best * S + plan.slotOf[other]!]) push(other)
    // Halls: others go, whichever, until there is room.
    while (!plan.put(unit, best)) {
      const others: number[] = []
      for (const slot of [best, ...overlapping[best]!])
        for (let k = 0; k < plan.count[slot]!; k += 1)
          if (!locked[inside[slot * U + k]!]) others.push(inside[slot * U + k]!)
      if (others.length === 0) return
      // Of three the lightest: what is hard to place stays rather.
      let chosen = others[random.below(others.length)]!
      for (let i = 0; i < 2; i += 1) {
        const other = others[random.below(others.length)]!
        if (weight[other]! < weight[chosen]!) chosen = other
      }
      push(chosen)
    }
  }

  /** The slots as they would be with the unit in one. */
  private as(unit: number, slot: number): Int32Array {
    const slots = Int32Array.from(this.plan.slotOf)
    slots[unit] = slot
    return slots
  }

  private disorder(unit: number, slot: number): number {
    const { before, behind, locked, once, S, tied } = this.plan.model
    let sum = 0
    const judge = (other: number, isEarlier: boolean) => {
      const there = this.plan.slotOf[other]!
      // Those at the same time are pushed out as neighbours.
      if (there < 0 || there === slot || once[there * S + slot]) return
      if (isEarlier ? there > slot : there < slot) sum += locked[other] ? Infinity : this.weight[other]!
    }
    for (const other of before[unit]!) judge(other, true)
    for (const other of behind[unit]!) judge(other, false)
    for (const { unit: other, wrong } of tied[unit]!) {
      const there = this.plan.slotOf[other]!
      if (there >= 0 && wrong[slot * S + there]) sum += locked[other] ? Infinity : this.weight[other]!
    }
    return sum
  }

  /** Whether the largest exam of the unit finds a hall, or halls, as the slot is. */
  private hasRoom(unit: number, slot: number): boolean {
    const { seating, model } = this.plan
    const exam = model.examsOf[unit]![0]!
    const cost = seating.cost
    if (!seating.seat(exam, slot)) return false
    seating.take(exam, slot)
    seating.cost = cost
    return true
  }
}
