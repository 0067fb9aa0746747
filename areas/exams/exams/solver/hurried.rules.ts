/** Who has less time between two exams of a day than the way between their halls needs. */
import type { ExamPlacement, ExamProblem } from './problem.contract.ts'
import { slotsOverlap } from './problem.contract.ts'

/** Two exams of a day with students in common, and the minutes between them. */
export interface HurriedPair {
  readonly a: number
  readonly b: number
  readonly students: number
  readonly gap: number
}

/** Minutes between two slots of a day; undefined where they are not on one, or at once. */
function gapOf({ slots }: ExamProblem, a: number, b: number): number | undefined {
  const [one, other] = [slots[a]!, slots[b]!]
  if (one.start === undefined || other.start === undefined || one.day !== other.day || slotsOverlap(one, other))
    return undefined
  return one.start < other.start ? other.start - one.start - one.minutes : one.start - other.start - other.minutes
}

/** Pairs of exams between which the longest way there is would take too long. */
export function hurriedPairs(problem: ExamProblem, slotOf: readonly number[]): HurriedPair[] {
  const longest = Math.max(0, ...(problem.ways ?? []).flat())
  const gaps = problem.slots.map((_, a) =>
    problem.slots.map((__, b) => {
      const gap = gapOf(problem, a, b)
      return gap !== undefined && gap < longest ? gap : undefined
    }),
  )
  if (!gaps.some((row) => row.some((gap) => gap !== undefined))) return []
  const pairs = new Map<string, { a: number; b: number; students: number; gap: number }>()
  for (const taken of problem.students) {
    const exams = [...new Set(taken)].filter((exam) => slotOf[exam]! >= 0)
    for (const [i, a] of exams.entries())
      for (const b of exams.slice(i + 1)) {
        const gap = gaps[slotOf[a]!]![slotOf[b]!]
        if (gap === undefined) continue
        const key = a < b ? `${a} ${b}` : `${b} ${a}`
        const pair = pairs.get(key)
        if (pair) pair.students += 1
        else pairs.set(key, { a, b, students: 1, gap })
      }
  }
  return [...pairs.values()]
}

/** Students of a pair who have too far to go, as their halls are: who sits where is not known yet, so by the shares of the halls. */
export function hurriedShare(
  problem: ExamProblem,
  placements: readonly ExamPlacement[],
  { a, b, students, gap }: HurriedPair,
): number {
  const seats = (exam: number) => placements[exam]!.halls.reduce((sum, hall) => sum + hall.seats, 0)
  const [all, others] = [seats(a), seats(b)]
  if (!all || !others) return 0
  let share = 0
  for (const one of placements[a]!.halls)
    for (const other of placements[b]!.halls)
      if (problem.ways![one.hall]![other.hall]! > gap) share += (one.seats / all) * (other.seats / others)
  return share * students
}
