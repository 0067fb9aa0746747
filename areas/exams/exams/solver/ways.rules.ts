/**
 * Ways between halls: whoever has two exams on a day needs time to get from one to the other. Slots stand when halls are looked at once more,
 * so that the search itself is not slowed down.
 */
import { evaluatePlacement } from './evaluate.rules.ts'
import { hurriedPairs, hurriedShare, type HurriedPair } from './hurried.rules.ts'
import type { ExamPlacement, ExamProblem } from './problem.contract.ts'

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
  const of = new Map<number, HurriedPair[]>()
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
