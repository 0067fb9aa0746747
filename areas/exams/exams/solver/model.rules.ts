import { atOnce, examsOf, longWriters, pairCost, shareStudent } from './evaluate.rules.ts'
import type { ExamProblem, ExamPlacement } from './problem.contract.ts'
import { hallsAtMost, largestExams, slotsReached } from './problem.contract.ts'

/** What one exam costs by lying in a slot; `NEVER` where it must not lie. */
export const NEVER_AGAIN = 0x3fffffff

/** Seeded random numbers: the same seed gives the same run. */
export class Random {
  private readonly state = new Int32Array(1)
  constructor(seed: number) {
    this.state[0] = Math.imul(seed + 1, 0x9e3779b1)
  }
  /** 32 random bits (mulberry32). */
  bits(): number {
    const a = (this.state[0]! + 0x6d2b79f5) | 0
    this.state[0] = a
    let t = Math.imul(a ^ (a >>> 15), a | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return (t ^ (t >>> 14)) >>> 0
  }
  /** From 0 to below `n`. */
  below(n: number): number {
    return Math.floor((this.bits() * n) / 4294967296)
  }
  /** From 0 to below 1. */
  part(): number {
    return this.bits() / 4294967296
  }
  shuffle(list: Int32Array | number[], length = list.length): void {
    for (let i = length - 1; i > 0; i -= 1) {
      const j = this.below(i + 1)
      const kept = list[i]!
      list[i] = list[j]!
      list[j] = kept
    }
  }
}

/**
 * A problem as the search wants it: numbers in typed arrays. Exams that must lie in one slot are one *unit*; what a
 * slot, a pair of slots or a pair of units costs is a table.
 */
export interface Model {
  readonly problem: ExamProblem
  readonly S: number
  readonly R: number
  readonly E: number
  readonly U: number
  readonly unitOf: Int32Array
  /** Exams of each unit, the largest first. */
  readonly examsOf: readonly Int32Array[]
  /** S × S: what a student with exams in both bears; 0 for slots at once. Symmetric. */
  readonly pair: Int32Array
  /** S × S: 1 where both are at one time. */
  readonly once: Uint8Array
  /** Slots at once with each other slot than itself. */
  readonly overlapping: readonly Int32Array[]
  readonly anyOverlap: boolean
  /** U × S: cost of the unit in the slot, or NEVER. */
  readonly base: Int32Array
  /** Slots in which each unit may be. */
  readonly slotsOf: readonly Int32Array[]
  /** U × U: 0 where both may be at once, otherwise students in common + 1. */
  readonly link: Uint16Array
  /** Neighbours of each unit in `link`, as ranges of `near` and `common` (students in common). */
  readonly nearFrom: Int32Array
  readonly near: Int32Array
  readonly common: Int32Array
  /** Orders of each unit: `before[k]` must be wholly before it, `behind[k]` wholly after it. */
  readonly before: readonly Int32Array[]
  readonly behind: readonly Int32Array[]
  readonly ordered: Int32Array
  /** Units with a student in common who has more time in one of them, and the pairs of slots (own × the other's) in which that is too much. */
  readonly tied: readonly (readonly Tie[])[]
  /** Later slots that each exam in a slot holds its halls into; undefined where no exam does. */
  readonly reached: readonly (readonly (readonly number[])[])[] | undefined
  readonly locked: Uint8Array
  readonly size: Int32Array
  /** Number of the exam's length among the lengths there are. */
  readonly length: Int32Array
  readonly D: number
  readonly alone: Uint8Array
  readonly most: Int32Array
  /** Most halls of any exam. */
  readonly K: number
  readonly seats: Int32Array
  readonly hallCost: Int32Array
  readonly invigilators: Int32Array
  /** S × R: 1 where the hall is to be had. */
  readonly open: Uint8Array
  /** E × R: 1 where the exam may be in the hall. */
  readonly mayUse: Uint8Array
  /** Halls in which each exam may be, smallest first. */
  readonly hallsOf: readonly Int32Array[]
  /** Invigilators to be had in each slot; huge where nobody is named. */
  readonly staffIn: Int32Array
  /** Units of each student with more than one: ranges of `takes`. */
  readonly takesFrom: Int32Array
  readonly takes: Int32Array
  /** Students (of `takesFrom`) of each unit: ranges of `writers`. */
  readonly writersFrom: Int32Array
  readonly writers: Int32Array
}

interface Tie {
  readonly unit: number
  /** S × S. */
  readonly wrong: Uint8Array
}

/** Where students write longer: which later slots each exam reaches from each, and which units that keeps from which slots. */
function longer(problem: ExamProblem, unitOf: Int32Array, U: number): Pick<Model, 'tied' | 'reached'> {
  const { slots, exams } = problem
  const S = slots.length
  const tied: Tie[][] = Array.from({ length: U }, () => [])
  const reached = exams.some((exam) => exam.over)
    ? exams.map((_, exam) => slots.map((__, slot) => slotsReached(problem, exam, slot)))
    : undefined
  if (!reached?.some((some) => some.some((list) => list.length > 0))) return { tied, reached: undefined }
  const tie = (unit: number, other: number): Uint8Array => {
    const known = tied[unit]!.find((one) => one.unit === other)
    if (known) return known.wrong
    const wrong = new Uint8Array(S * S)
    tied[unit]!.push({ unit: other, wrong })
    return wrong
  }
  for (const { student, exam } of longWriters(problem))
    for (const other of new Set(problem.students[student])) {
      const [a, b] = [unitOf[exam]!, unitOf[other]!]
      if (a === b) continue
      for (const [slot, later] of reached[exam]!.entries())
        for (const there of later) {
          tie(a, b)[slot * S + there] = 1
          tie(b, a)[there * S + slot] = 1
        }
    }
  return { tied, reached }
}

/** Ranges of a list of lists. */
function flat(lists: readonly (readonly number[])[]): [Int32Array, Int32Array] {
  const from = new Int32Array(lists.length + 1)
  for (const [at, list] of lists.entries()) from[at + 1] = from[at]! + list.length
  const all = new Int32Array(from[lists.length]!)
  for (const [at, list] of lists.entries()) all.set(list, from[at])
  return [from, all]
}

/** Exams that must lie in one slot share a number. */
export function unitsOf(problem: ExamProblem): Int32Array {
  const parent = Int32Array.from(problem.exams, (_, exam) => exam)
  const root = (exam: number): number => {
    let at = exam
    while (parent[at] !== at) at = parent[at]!
    return at
  }
  if ((problem.together ?? []).length > 0) {
    const students = examsOf(problem)
    for (const [a, b] of problem.together ?? []) if (!shareStudent(students, a, b)) parent[root(b)] = root(a)
  }
  const numbers = new Map<number, number>()
  return Int32Array.from(problem.exams, (_, exam) => {
    const at = root(exam)
    if (!numbers.has(at)) numbers.set(at, numbers.size)
    return numbers.get(at)!
  })
}

/** Turns a problem into tables. `stay`: what an exam costs besides that is not in the slot it had. */
export function compile(problem: ExamProblem, stay?: { from: readonly ExamPlacement[]; cost: number }): Model {
  const { slots, halls, exams, weights } = problem
  const [S, R, E] = [slots.length, halls.length, exams.length]
  const unitOf = unitsOf(problem)
  const U = unitOf.reduce((most, unit) => Math.max(most, unit + 1), 0)
  const members: number[][] = Array.from({ length: U }, () => [])
  for (const [exam, unit] of unitOf.entries()) members[unit]!.push(exam)
  const units = members.map((list) => Int32Array.from(list.toSorted((a, b) => exams[b]!.size - exams[a]!.size)))

  const pair = new Int32Array(S * S)
  const once = new Uint8Array(S * S)
  const overlapping = slots.map((_, a) => Int32Array.from(slots.keys().filter((b) => a !== b && atOnce(problem, a, b))))
  for (let a = 0; a < S; a += 1) {
    for (let b = 0; b < S; b += 1) {
      once[a * S + b] = atOnce(problem, a, b) ? 1 : 0
      if (once[a * S + b]) continue
      const cost = pairCost(problem, a, b)
      pair[a * S + b] = cost.spread + cost.twoInRow + cost.twoInDay
    }
  }

  const base = new Int32Array(U * S)
  const early = new Uint8Array(E)
  if (weights.early.weight > 0) for (const exam of largestExams(problem, weights.early.exams)) early[exam] = 1
  for (const [index, exam] of exams.entries()) {
    const may = exam.slots && new Set(exam.slots)
    for (let slot = 0; slot < S; slot += 1) {
      const at = unitOf[index]! * S + slot
      const wrong = exam.fixed
        ? exam.fixed.slot !== slot
        : exam.minutes > slots[slot]!.minutes || (may && !may.has(slot))
      if (wrong) base[at] = NEVER_AGAIN
      else if (base[at] !== NEVER_AGAIN) {
        base[at]! += weights.slots * (slots[slot]!.penalty ?? 0)
        if (early[index] && slot >= S - weights.early.slots) base[at]! += weights.early.weight
        if (stay && stay.from[index]?.slot !== slot) base[at]! += stay.cost
      }
    }
  }

  const link = new Uint16Array(U * U)
  const taken: number[][] = []
  for (const student of problem.students) {
    const mine = [...new Set(student.map((exam) => unitOf[exam]!))]
    if (mine.length < 2) continue
    taken.push(mine)
    for (const a of mine) for (const b of mine) if (a !== b) link[a * U + b]! += 1
  }
  const near: number[][] = []
  const common: number[][] = []
  for (let a = 0; a < U; a += 1) for (let b = 0; b < U; b += 1) if (link[a * U + b]) link[a * U + b]! += 1
  const apart = (x: number, y: number) => {
    if (x === y) return
    if (!link[x * U + y]) link[x * U + y] = link[y * U + x] = 1
  }
  for (const [a, b] of problem.apart ?? []) apart(unitOf[a]!, unitOf[b]!)
  const before: number[][] = Array.from({ length: U }, () => [])
  const behind: number[][] = Array.from({ length: U }, () => [])
  for (const [a, b] of problem.after ?? []) {
    const [x, y] = [unitOf[a]!, unitOf[b]!]
    if (x === y) continue
    apart(x, y)
    if (!before[x]!.includes(y)) before[x]!.push(y)
    if (!behind[y]!.includes(x)) behind[y]!.push(x)
  }
  for (let a = 0; a < U; a += 1) {
    const mine: number[] = []
    for (let b = 0; b < U; b += 1) if (link[a * U + b]) mine.push(b)
    near.push(mine)
    common.push(mine.map((b) => link[a * U + b]! - 1))
  }
  const [nearFrom, nearAll] = flat(near)
  const [, commonAll] = flat(common)
  const writers: number[][] = Array.from({ length: U }, () => [])
  for (const [student, mine] of taken.entries()) for (const unit of mine) writers[unit]!.push(student)
  const [takesFrom, takes] = flat(taken)
  const [writersFrom, writersAll] = flat(writers)

  const { tied, reached } = longer(problem, unitOf, U)
  const lengths = [...new Set(exams.map((exam) => exam.minutes))]
  const most = Int32Array.from(exams, (exam) => Math.max(1, hallsAtMost(problem, exam), exam.fixed?.halls?.length ?? 0))
  const open = new Uint8Array(S * R).fill(1)
  for (const [hall, { closed = [] }] of halls.entries()) for (const slot of closed) open[slot * R + hall] = 0
  const mayUse = new Uint8Array(E * R)
  const hallsOf = exams.map((exam, index) => {
    const mine = exam.halls ?? halls.map((_, hall) => hall)
    for (const hall of mine) mayUse[index * R + hall] = 1
    return Int32Array.from([...new Set(mine)].toSorted((a, b) => halls[a]!.seats - halls[b]!.seats || a - b))
  })
  const people = problem.staff ?? []
  const staffIn = Int32Array.from(slots, (_, slot) =>
    people.length === 0
      ? NEVER_AGAIN
      : people.filter((person) => !person.away?.some((other) => once[slot * S + other] === 1)).length,
  )

  return {
    problem,
    S,
    R,
    E,
    U,
    unitOf,
    pair,
    once,
    overlapping,
    base,
    link,
    nearFrom,
    takesFrom,
    takes,
    writersFrom,
    open,
    mayUse,
    hallsOf,
    staffIn,
    most,
    examsOf: units,
    anyOverlap: overlapping.some((list) => list.length > 0),
    near: nearAll,
    common: commonAll,
    writers: writersAll,
    slotsOf: units.map((_, unit) =>
      Int32Array.from(slots.keys().filter((slot) => base[unit * S + slot] !== NEVER_AGAIN)),
    ),
    before: before.map((list) => Int32Array.from(list)),
    behind: behind.map((list) => Int32Array.from(list)),
    tied,
    reached,
    ordered: Int32Array.from(
      units.keys().filter((unit) => before[unit]!.length + behind[unit]!.length + tied[unit]!.length > 0),
    ),
    locked: Uint8Array.from(units, (list) => (list.some((exam) => exams[exam]!.fixed) ? 1 : 0)),
    size: Int32Array.from(exams, (exam) => exam.size),
    length: Int32Array.from(exams, (exam) => lengths.indexOf(exam.minutes)),
    D: lengths.length,
    alone: Uint8Array.from(exams, (exam) => (exam.alone ? 1 : 0)),
    K: most.reduce((all, one) => Math.max(all, one), 1),
    seats: Int32Array.from(halls, (hall) => hall.seats),
    hallCost: Int32Array.from(halls, (hall) => weights.halls * (hall.penalty ?? 0)),
    invigilators: Int32Array.from(halls, (hall) => hall.invigilators ?? 0),
  }
}
