import { atOnce, dutiesNeeded } from './evaluate.rules.ts'
import { Random } from './model.rules.ts'
import type { Duty, ExamProblem, ExamPlacement } from './problem.contract.ts'

/**
 * Who invigilates where: each duty goes to whoever has had fewest so far and is neither away nor busy. Slots with fewest people
 * to choose from come first, and every hall has its first invigilator before one has its second, so that too few are
 * spread over all halls. `kept`: who looks after a hall already and stays, as far as he or she is free.
 */
export function assignStaff(
  problem: ExamProblem,
  placements: readonly ExamPlacement[],
  seed: number,
  kept: readonly Duty[] = [],
): Duty[] {
  const people = problem.staff ?? []
  if (people.length === 0) return []
  const random = new Random(seed)
  const { slots } = problem
  const once = slots.map((_, a) => slots.map((__, b) => atOnce(problem, a, b)))
  const isFree = people.map((person) => {
    const busy = [...(person.away ?? []), ...(person.own ?? []).map((exam) => placements[exam]!.slot)]
    return slots.map((_, slot) => !busy.some((other) => other >= 0 && once[slot]![other]))
  })
  const needed = dutiesNeeded(problem, placements)
  const wanted = slots.map((_, slot) => needed.reduce((all, one) => (one.slot === slot ? all + one.count : all), 0))
  const spare = slots.map((_, slot) => isFree.filter((free) => free[slot]).length - wanted[slot]!)
  const load = people.map(() => 0)
  const rank = people.map((_, person) => person)
  random.shuffle(rank)
  const duties = new Map(needed.map((one) => [one, [] as number[]]))
  const give = (one: (typeof needed)[number], person: number) => {
    duties.get(one)!.push(person)
    load[person]! += 1
    for (const at of [one.slot, ...one.reached])
      for (const [slot, isOnce] of once[at]!.entries()) if (isOnce) isFree[person]![slot] = false
  }
  const stays = new Set<string>()
  for (const { slot, hall, staff } of kept) {
    const one = needed.find((duty) => duty.slot === slot && duty.hall === hall)
    for (const person of one ? staff : []) {
      if (!isThere(isFree[person]!, one!)) continue
      give(one!, person)
      stays.add(`${slot} ${hall} ${person}`)
    }
  }
  const order = needed.toSorted((a, b) => spare[a.slot]! - spare[b.slot]! || a.slot - b.slot || a.hall - b.hall)
  const most = needed.reduce((all, one) => Math.max(all, one.count), 0)
  for (let round = 1; round <= most; round += 1)
    for (const one of order) {
      if (one.count < round || duties.get(one)!.length >= round) continue
      let best = -1
      for (const person of rank) {
        if (!isThere(isFree[person]!, one) || load[person]! >= (people[person]!.most ?? Infinity)) continue
        if (best < 0 || load[person]! < load[best]!) best = person
      }
      if (best >= 0) give(one, best)
    }
  level(needed, duties, load, isFree, once, people, stays)
  return needed.map((one) => ({ slot: one.slot, hall: one.hall, staff: duties.get(one)! }))
}

type Needed = ReturnType<typeof dutiesNeeded>[number]
/** Whether somebody is free from the beginning of a duty until the last have written. */
const isThere = (free: readonly boolean[], { slot, reached }: Needed): boolean =>
  free[slot]! && reached.every((later) => free[later])

/** While somebody has two duties more than another who could take one over, it goes over. */
function level(
  needed: readonly Needed[],
  duties: Map<Needed, number[]>,
  load: number[],
  isFree: boolean[][],
  once: boolean[][],
  people: NonNullable<ExamProblem['staff']>,
  stays: ReadonlySet<string>,
): void {
  for (let round = 0; round < 50; round += 1) {
    let isChanged = false
    for (const one of needed) {
      const there = duties.get(one)!
      for (const [at, person] of there.entries()) {
        if (stays.has(`${one.slot} ${one.hall} ${person}`)) continue
        let best = person
        for (const [other, free] of isFree.entries()) {
          if (
            isThere(free, one) &&
            load[other]! + 1 < load[best]! + (best === person ? 0 : 1) &&
            load[other]! < (people[other]!.most ?? Infinity)
          )
            best = other
        }
        if (best === person || load[best]! + 1 >= load[person]!) continue
        there[at] = best
        load[best]! += 1
        load[person]! -= 1
        for (const at of [one.slot, ...one.reached])
          for (const [slot, isOnce] of once[at]!.entries()) {
            if (!isOnce) continue
            isFree[best]![slot] = false
            isFree[person]![slot] = true
          }
        isChanged = true
      }
    }
    if (!isChanged) return
  }
}
