import { hurriedPairs, hurriedShare } from './hurried.rules.ts'
import type { Broken, Cost, CostParts, Duty, ExamProblem, ExamPlacement } from './problem.contract.ts'
import { hallsAtMost, largestExams, slotsOverlap, slotsReached } from './problem.contract.ts'

const nothingBroken = (): Broken => ({
  unplaced: 0,
  clashes: 0,
  capacity: 0,
  length: 0,
  forbidden: 0,
  alone: 0,
  after: 0,
  together: 0,
  apart: 0,
  fixed: 0,
  staff: 0,
})

const noCosts = (): CostParts => ({
  spread: 0,
  twoInRow: 0,
  twoInDay: 0,
  early: 0,
  slots: 0,
  halls: 0,
  mixed: 0,
  split: 0,
  invigilators: 0,
  ways: 0,
  worst: 0,
})

/** What a student with exams in two slots bears, by wish; the slots differ. */
export function pairCost(problem: ExamProblem, a: number, b: number) {
  const { slots, weights } = problem
  const [one, other] = [slots[a]!, slots[b]!]
  const gap = Math.abs((one.at ?? a) - (other.at ?? b))
  const sameDay = one.day === other.day
  const inRow = sameDay && Math.abs(a - b) === 1
  return {
    spread: (gap === 0 ? weights.spreadWithin : weights.spread[gap - 1]) ?? 0,
    twoInRow: inRow ? weights.twoInRow : 0,
    twoInDay: sameDay && !inRow ? weights.twoInDay : 0,
  }
}

/** Whether two slots, perhaps the same, are at one time. */
export const atOnce = (problem: ExamProblem, a: number, b: number): boolean =>
  a === b || slotsOverlap(problem.slots[a]!, problem.slots[b]!)

/**
 * Cost of a plan, reckoned from nothing: slow and plain, against which the increments of the search are tested. Duties
 * count only where they are given.
 */
export function evaluatePlacement(
  problem: ExamProblem,
  placements: readonly ExamPlacement[],
  duties?: readonly Duty[],
): Cost {
  const { slots, exams, weights } = problem
  const broken = nothingBroken()
  const parts = noCosts()
  const slotOf = exams.map((_, exam) => placements[exam]?.slot ?? -1)
  const early = new Set(weights.early.weight > 0 ? largestExams(problem, weights.early.exams) : [])

  for (const [index, exam] of exams.entries()) {
    const slot = slotOf[index]!
    if (slot < 0) {
      broken.unplaced += 1
      continue
    }
    if (exam.minutes > slots[slot]!.minutes) broken.length += 1
    if (exam.slots && !exam.slots.includes(slot)) broken.forbidden += 1
    if (exam.fixed && !isAsFixed(exam.fixed, placements[index]!)) broken.fixed += 1
    parts.slots += weights.slots * (slots[slot]!.penalty ?? 0)
    if (early.has(index) && slot >= slots.length - weights.early.slots) parts.early += weights.early.weight
  }

  const byLoad = pairsOfStudents(problem, slotOf, broken, parts)
  for (const { student, exam } of longWriters(problem)) {
    const reached = slotOf[exam]! < 0 ? [] : slotsReached(problem, exam, slotOf[exam]!)
    if (!reached.length) continue
    for (const other of new Set(problem.students[student])) if (reached.includes(slotOf[other]!)) broken.clashes += 1
  }
  parts.worst = weights.worst * byLoad
  if (problem.halls.length > 0) halls(problem, placements, broken, parts)
  if (problem.ways && weights.ways)
    parts.ways = Math.round(
      hurriedPairs(problem, slotOf).reduce((sum, pair) => sum + hurriedShare(problem, placements, pair), 0) *
        weights.ways,
    )
  for (const [a, b] of problem.after ?? []) {
    if (slotOf[a]! < 0 || slotOf[b]! < 0) continue
    if (slotOf[a]! <= slotOf[b]! || atOnce(problem, slotOf[a]!, slotOf[b]!)) broken.after += 1
  }
  const shared = (problem.together ?? []).length > 0 ? examsOf(problem) : []
  for (const [a, b] of problem.together ?? []) {
    if (slotOf[a]! < 0 || slotOf[b]! < 0 || slotOf[a] === slotOf[b]) continue
    if (!shareStudent(shared, a, b)) broken.together += 1
  }
  for (const [a, b] of problem.apart ?? []) {
    if (slotOf[a]! >= 0 && slotOf[b]! >= 0 && atOnce(problem, slotOf[a]!, slotOf[b]!)) broken.apart += 1
  }
  if (duties && problem.staff && problem.staff.length > 0) staff(problem, placements, duties, broken, parts)

  const sum = (of: object): number => Object.values(of).reduce((all: number, one: number) => all + one, 0)
  return { broken, brokenCount: sum(broken), parts, total: sum(parts), worstLoad: byLoad }
}

/** Students who write beyond the end of a slot, with the exams in which they do. */
export const longWriters = ({ exams, students }: ExamProblem): { student: number; exam: number }[] =>
  exams.some((exam) => exam.over)
    ? students.flatMap((taken, student) =>
        [...new Set(taken)].flatMap((exam) => (exams[exam]!.over?.some((over) => over > 0) ? [{ student, exam }] : [])),
      )
    : []

/** Students of each exam. */
export function examsOf(problem: ExamProblem): Set<number>[] {
  const students = problem.exams.map(() => new Set<number>())
  for (const [student, exams] of problem.students.entries()) for (const exam of exams) students[exam]!.add(student)
  return students
}

/** Whether two exams have a student in common, by the sets of `examsOf`. */
export function shareStudent(students: readonly Set<number>[], a: number, b: number): boolean {
  const [few, many] = students[a]!.size < students[b]!.size ? [a, b] : [b, a]
  for (const student of students[few]!) if (students[many]!.has(student)) return true
  return false
}

function isAsFixed(fixed: NonNullable<ExamProblem['exams'][number]['fixed']>, placement: ExamPlacement): boolean {
  if (placement.slot !== fixed.slot) return false
  const wanted = fixed.halls
  if (!wanted) return true
  return (
    wanted.length === placement.halls.length &&
    wanted.every((one) => placement.halls.some((other) => other.hall === one.hall && other.seats === one.seats))
  )
}

function pairsOfStudents(problem: ExamProblem, slotOf: readonly number[], broken: Broken, parts: CostParts): number {
  const costs = problem.slots.map((_, a) => problem.slots.map((__, b) => pairCost(problem, a, b)))
  const once = problem.slots.map((_, a) => problem.slots.map((__, b) => atOnce(problem, a, b)))
  let worst = 0
  for (const exams of problem.students) {
    const placed = [...new Set(exams)].map((exam) => slotOf[exam]!).filter((slot) => slot >= 0)
    let load = 0
    for (let i = 0; i < placed.length; i += 1) {
      for (let j = i + 1; j < placed.length; j += 1) {
        const [a, b] = [placed[i]!, placed[j]!]
        if (once[a]![b]) {
          broken.clashes += 1
          continue
        }
        const cost = costs[a]![b]!
        parts.spread += cost.spread
        parts.twoInRow += cost.twoInRow
        parts.twoInDay += cost.twoInDay
        load += cost.spread + cost.twoInRow + cost.twoInDay
      }
    }
    worst = Math.max(worst, load)
  }
  return worst
}

function halls(problem: ExamProblem, placements: readonly ExamPlacement[], broken: Broken, parts: CostParts): void {
  const { exams, weights } = problem
  const used = new Map<string, { slot: number; hall: number; seats: number; exams: number[] }>()
  for (const [index, exam] of exams.entries()) {
    const { slot, halls: sittings } = placements[index] ?? { slot: -1, halls: [] }
    if (slot < 0) continue
    const seats = sittings.reduce((all, one) => all + one.seats, 0)
    if (seats !== exam.size || sittings.length > Math.max(1, hallsAtMost(problem, exam))) broken.forbidden += 1
    parts.split += weights.split * Math.max(0, sittings.length - 1)
    for (const { hall, seats: taken } of sittings) {
      if (exam.halls && !exam.halls.includes(hall)) broken.forbidden += 1
      if (problem.halls[hall]!.closed?.includes(slot)) broken.forbidden += 1
      parts.halls += weights.halls * (problem.halls[hall]!.penalty ?? 0)
      const key = `${slot} ${hall}`
      const use = used.get(key) ?? { slot, hall, seats: 0, exams: [] }
      used.set(key, { ...use, seats: use.seats + taken, exams: [...use.exams, index] })
    }
  }
  const uses = [...used.values()]
  for (const use of uses) {
    // A hall is not free for a slot that begins before the other ends.
    const others = uses.filter(
      (other) => other.hall === use.hall && other.slot > use.slot && atOnce(problem, use.slot, other.slot),
    )
    // Nor for one in which somebody still writes.
    const reached = new Set(use.exams.flatMap((exam) => slotsReached(problem, exam, use.slot)))
    const isHeld = reached.size > 0 && uses.some((other) => other.hall === use.hall && reached.has(other.slot))
    if (use.seats > problem.halls[use.hall]!.seats || others.length > 0 || isHeld) broken.capacity += 1
    const inside = new Set(use.exams)
    if (inside.size > 1) for (const exam of inside) if (exams[exam]!.alone) broken.alone += 1
    parts.mixed += weights.mixed * (new Set(use.exams.map((exam) => exams[exam]!.minutes)).size - 1)
  }
}

/** Halls in use, how many invigilators each needs, and the later slots that begin before all of them can go. */
export function dutiesNeeded(problem: ExamProblem, placements: readonly ExamPlacement[]) {
  const needed = new Map<string, { slot: number; hall: number; count: number; reached: readonly number[] }>()
  for (const [exam, { slot, halls: sittings }] of placements.entries()) {
    if (slot < 0) continue
    for (const { hall } of sittings) {
      const { watchers } = problem.exams[exam]!
      const all = problem.halls[hall]!.invigilators ?? 0
      const count = watchers === undefined ? all : Math.min(all, watchers)
      if (count === 0) continue
      const key = `${slot} ${hall}`
      const one = needed.get(key)
      const reached = [...new Set([...(one?.reached ?? []), ...slotsReached(problem, exam, slot)])]
      needed.set(key, { slot, hall, count: Math.max(count, one?.count ?? 0), reached })
    }
  }
  return [...needed.values()].toSorted((a, b) => a.slot - b.slot || a.hall - b.hall)
}

function staff(
  problem: ExamProblem,
  placements: readonly ExamPlacement[],
  duties: readonly Duty[],
  broken: Broken,
  parts: CostParts,
): void {
  const people = problem.staff ?? []
  const given = new Map(duties.map((duty) => [`${duty.slot} ${duty.hall}`, duty.staff]))
  const load = people.map(() => 0)
  const busy = people.map((person) => new Set([...(person.away ?? []), ...ownSlots(placements, person.own)]))
  let needed = 0
  for (const { slot, hall, count, reached } of dutiesNeeded(problem, placements)) {
    needed += count
    const there = given.get(`${slot} ${hall}`) ?? []
    broken.staff += Math.max(0, count - there.length)
    for (const person of there) {
      load[person]! += 1
      if ([slot, ...reached].some((at) => [...busy[person]!].some((other) => atOnce(problem, at, other))))
        broken.staff += 1
      for (const at of [slot, ...reached]) busy[person]!.add(at)
    }
  }
  const share = Math.ceil(needed / people.length)
  for (const [person, count] of load.entries()) {
    if (count > (people[person]!.most ?? Infinity)) broken.staff += count - people[person]!.most!
    parts.invigilators += problem.weights.invigilators * Math.max(0, count - share)
  }
}

const ownSlots = (placements: readonly ExamPlacement[], own: readonly number[] = []): number[] =>
  own.map((exam) => placements[exam]!.slot).filter((slot) => slot >= 0)
