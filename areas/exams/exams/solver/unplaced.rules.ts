import { atOnce, longWriters } from './evaluate.rules.ts'
import type { ExamProblem, ExamPlacement } from './problem.contract.ts'
import { hallsAtMost, slotsReached } from './problem.contract.ts'

/** What keeps an exam out of a slot: any of these, by `id`. */
export interface Obstacle {
  readonly slot: number
  /** It is not among its slots, or too short. */
  readonly forbidden: boolean
  /** Exams there that share students with it, and how many. */
  readonly clashes: readonly { readonly exam: number; readonly students: number }[]
  /** Exams there, before or after that must be written in another order, or not with it. */
  readonly orders: readonly number[]
  /** Seats it lacks in the halls that are left. */
  readonly seatsLacking: number
}

/** Slot by slot, why an exam that found no place cannot be put there as the plan is. */
export function obstacles(problem: ExamProblem, placements: readonly ExamPlacement[], exam: number): Obstacle[] {
  const wanted = problem.exams[exam]!
  const own = problem.students.filter((taken) => taken.includes(exam))
  const common = problem.exams.map(() => 0)
  for (const taken of own) for (const other of new Set(taken)) if (other !== exam) common[other]! += 1
  const writers = longWriters(problem)
  return problem.slots.map((slot, index) => {
    const there = placements.map((placement) => placement.slot >= 0 && atOnce(problem, placement.slot, index))
    // Those who still write when it begins, or who still write it when another begins.
    const still = new Map<number, number>()
    for (const { student, exam: long } of writers) {
      const taken = problem.students[student]!
      if (!taken.includes(exam)) continue
      for (const other of new Set(taken)) {
        const at = placements[other]!.slot
        if (other === exam || at < 0 || there[other]) continue
        const late =
          long === exam
            ? slotsReached(problem, exam, index).includes(at)
            : long === other && slotsReached(problem, other, at).includes(index)
        if (late) still.set(other, (still.get(other) ?? 0) + 1)
      }
    }
    const clashes = [...[...common.entries()].filter(([other, students]) => students > 0 && there[other]), ...still]
    const orders = new Set<number>()
    for (const [a, b] of problem.apart ?? []) {
      if (a === exam && there[b]) orders.add(b)
      if (b === exam && there[a]) orders.add(a)
    }
    for (const [later, earlier] of problem.after ?? []) {
      const other = later === exam ? earlier : later
      const at = placements[other]!.slot
      if ((later !== exam && earlier !== exam) || other === exam || at < 0) continue
      if (there[other] || (later === exam ? at >= index : at <= index)) orders.add(other)
    }
    for (const [a, b] of problem.together ?? []) {
      const other = a === exam ? b : a
      const at = placements[other]!.slot
      if ((a === exam || b === exam) && common[other] === 0 && at >= 0 && at !== index) orders.add(other)
    }
    return {
      slot: slot.id,
      forbidden: wanted.minutes > slot.minutes || (wanted.slots !== undefined && !wanted.slots.includes(index)),
      clashes: clashes.map(([other, students]) => ({ exam: problem.exams[other]!.id, students })),
      orders: [...orders].map((other) => problem.exams[other]!.id),
      seatsLacking:
        problem.halls.length === 0 ? 0 : Math.max(0, wanted.size - seatsLeft(problem, placements, exam, index)),
    }
  })
}

/** Seats in the best halls that the exam may still use. */
function seatsLeft(problem: ExamProblem, placements: readonly ExamPlacement[], exam: number, slot: number): number {
  const wanted = problem.exams[exam]!
  const used = problem.halls.map(() => 0)
  const isTaken = problem.halls.map(() => false)
  const isUsed = problem.halls.map(() => false)
  for (const [other, { slot: at, halls }] of placements.entries()) {
    if (at < 0 || other === exam || !atOnce(problem, at, slot)) continue
    for (const { hall, seats } of halls) {
      used[hall]! += seats
      isUsed[hall] = true
      // A hall is not free for a slot that begins before the other ends.
      if (problem.exams[other]!.alone || at !== slot) isTaken[hall] = true
    }
  }
  return problem.halls
    .map((hall, index) => {
      const isOpen = (wanted.halls?.includes(index) ?? true) && !hall.closed?.includes(slot)
      const isFree = isOpen && !isTaken[index] && !(wanted.alone && isUsed[index])
      return isFree ? Math.max(0, hall.seats - used[index]!) : 0
    })
    .toSorted((a, b) => b - a)
    .slice(0, Math.max(1, hallsAtMost(problem, wanted)))
    .reduce((all, seats) => all + seats, 0)
}
