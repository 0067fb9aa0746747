/**
 * Ways between halls: whoever has two exams on a day needs time to get from one to the other. Slots stand when halls are looked at once more,
 * so that the search itself is not slowed down.
 */
import { evaluatePlacement } from './evaluate.rules.ts'
import type { ExamPlacement, ExamProblem } from './problem.contract.ts'
import { slotsOverlap } from './problem.contract.ts'

/** Two exams of a day with students in common, and the minutes between them. */
interface Pair {
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
export function hurriedPairs(problem: ExamProblem, slotOf: readonly number[]): Pair[] {
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
  { a, b, students, gap }: Pair,
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

/** Changes of halls that are tried in earnest at most. */
const TRIES = 300

/**
 * Exams change halls within their slots while that leaves fewer students too little time on the way, and costs no more in all. Nothing leaves
 * its slot.
 */
export function shortenWays(
  problem: ExamProblem,
  placements: readonly ExamPlacement[],
  isLate: () => boolean = () => false,
): ExamPlacement[] {
  if (!problem.ways || !problem.weights.ways) return [...placements]
  const slotOf = placements.map(({ slot }) => slot)
  const pairs = hurriedPairs(problem, slotOf)
  if (!pairs.length) return [...placements]
  const of = new Map<number, Pair[]>()
  for (const pair of pairs)
    for (const exam of [pair.a, pair.b]) {
      const list = of.get(exam)
      if (list) list.push(pair)
      else of.set(exam, [pair])
    }
  let now = [...placements]
  let cost = evaluatePlacement(problem, now)
  let tries = 0
  const shareOf = (plan: readonly ExamPlacement[], exams: readonly number[]) =>
    [...new Set(exams.flatMap((exam) => of.get(exam) ?? []))].reduce(
      (sum, pair) => sum + hurriedShare(problem, plan, pair),
      0,
    )
  const free = (exam: number) => !problem.exams[exam]!.fixed?.halls && now[exam]!.halls.length === 1
  for (let isBetter = true; isBetter && tries < TRIES && !isLate();) {
    isBetter = false
    const worst = [...of.keys()]
      .filter((exam) => free(exam) && shareOf(now, [exam]) > 0)
      .toSorted((a, b) => shareOf(now, [b]) - shareOf(now, [a]) || a - b)
    for (const exam of worst) {
      const { slot, halls } = now[exam]!
      const [{ hall: from, seats }] = halls as [ExamPlacement['halls'][number]]
      for (const to of problem.halls.keys()) {
        if (to === from || tries >= TRIES || isLate()) continue
        // To a hall as it is, or in exchange with one exam that is there.
        const there = [...now.keys()].filter(
          (other) => now[other]!.slot === slot && now[other]!.halls.some((part) => part.hall === to),
        )
        const ways: (readonly [number, number][])[] = [[[exam, to]]]
        for (const other of there)
          if (free(other))
            ways.push([
              [exam, to],
              [other, from],
            ])
        for (const way of ways) {
          const next = [...now]
          for (const [one, hall] of way) next[one] = { slot, halls: [{ hall, seats: now[one]!.halls[0]!.seats }] }
          const exams = way.map(([one]) => one)
          if (seats === 0 || shareOf(next, exams) >= shareOf(now, exams)) continue
          tries += 1
          const then = evaluatePlacement(problem, next)
          if (then.brokenCount > cost.brokenCount || then.total >= cost.total) continue
          now = next
          cost = then
          isBetter = true
          break
        }
        if (now[exam]!.halls[0]!.hall !== from) break
      }
    }
  }
  return now
}
