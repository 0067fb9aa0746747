import { atOnce, examsOf, shareStudent } from './evaluate.rules.ts'
import type { ExamProblem } from './problem.contract.ts'
import { hallsAtMost } from './problem.contract.ts'

/** Why no plan can keep all rules; `exams` and the rest by `id`. */
export type ImpossibleReason =
  /** Each of the exams has students in common with each other one, or must not be with it, and they have too few slots. */
  | { readonly code: 'too_few_slots'; readonly data: { exams: number[]; slots: number } }
  /** More write it than all halls hold that are to be had in any of its slots. */
  | { readonly code: 'exam_too_large'; readonly data: { exams: number[]; writers: number; seats: number } }
  /** Longer than every slot in which it may be. */
  | { readonly code: 'exam_too_long'; readonly data: { exams: number[]; minutes: number } }
  /** It may be in no slot. */
  | { readonly code: 'no_slot'; readonly data: { exams: number[] } }
  /** Both are locked at one time, though they must not be. */
  | { readonly code: 'locked_clash'; readonly data: { exams: number[]; students: number; slots: number[] } }
  /** Locked exams fill a hall beyond its seats, or use it when it is not to be had. */
  | { readonly code: 'locked_hall'; readonly data: { exams: number[]; slot: number; hall: number; seats: number } }
  /** Locked against the order in which they are to be written: the first after the second. */
  | { readonly code: 'locked_order'; readonly data: { exams: number[] } }
  /** Each is to be written after the next, and the last after the first. */
  | { readonly code: 'order_in_a_ring'; readonly data: { exams: number[] } }
  /** Each is to be written after the next; that needs more slots than there are. */
  | { readonly code: 'order_too_long'; readonly data: { exams: number[]; slots: number } }
  /** To be written together and not together. */
  | { readonly code: 'together_and_apart'; readonly data: { exams: number[] } }
  /** The halls that hold it need more invigilators than there are in any of its slots. */
  | { readonly code: 'too_few_invigilators'; readonly data: { exams: number[]; needed: number; staff: number } }
  /** All slots together have not seats enough. */
  | { readonly code: 'too_few_seats'; readonly data: { exams: number[]; needed: number; seats: number } }

/** Every reason found for which the problem has no plan. None does not prove that there is one. */
export function whyImpossible(problem: ExamProblem): ImpossibleReason[] {
  const reasons: ImpossibleReason[] = []
  const name = (exams: readonly number[]) => exams.map((exam) => problem.exams[exam]!.id)
  const allowed = slotsAllowed(problem, reasons, name)
  const apart = mustNotMeet(problem)
  locked(problem, apart, reasons, name)
  orders(problem, reasons, name)
  for (const clique of cliques(problem, apart, allowed)) {
    const slots = new Set(clique.flatMap((exam) => [...allowed[exam]!]))
    reasons.push({ code: 'too_few_slots', data: { exams: name(clique), slots: slots.size } })
  }
  return reasons
}

type Name = (exams: readonly number[]) => number[]

/** Slots in which each exam finds its length and seats; with the reasons of those that find none. */
function slotsAllowed(problem: ExamProblem, reasons: ImpossibleReason[], name: Name): Set<number>[] {
  const { slots, halls } = problem
  let capacity = 0
  for (const slot of slots.keys()) for (const hall of halls) if (!hall.closed?.includes(slot)) capacity += hall.seats
  const needed = problem.exams.reduce((all, exam) => all + exam.size, 0)
  if (halls.length > 0 && needed > capacity)
    reasons.push({ code: 'too_few_seats', data: { exams: [], needed, seats: capacity } })
  return problem.exams.map((exam, index) => {
    if (exam.fixed) return new Set([exam.fixed.slot])
    const may = exam.slots ?? [...slots.keys()]
    const long = may.filter((slot) => slots[slot]!.minutes >= exam.minutes)
    const seatsIn = (slot: number): number =>
      halls
        .filter((hall, i) => !hall.closed?.includes(slot) && (exam.halls?.includes(i) ?? true))
        .map((hall) => hall.seats)
        .toSorted((a, b) => b - a)
        .slice(0, Math.max(1, hallsAtMost(problem, exam)))
        .reduce((all, seats) => all + seats, 0)
    const seats = long.map(seatsIn)
    const open = long.filter((_, i) => halls.length === 0 || seats[i]! >= exam.size)
    const exams = name([index])
    if (may.length === 0) reasons.push({ code: 'no_slot', data: { exams } })
    else if (long.length === 0) reasons.push({ code: 'exam_too_long', data: { exams, minutes: exam.minutes } })
    else if (open.length === 0)
      reasons.push({ code: 'exam_too_large', data: { exams, writers: exam.size, seats: Math.max(...seats) } })
    else invigilators(problem, index, open, reasons, name)
    return new Set(open)
  })
}

/** Whether somebody is there for the hall of the exam that needs fewest, in some slot. */
function invigilators(
  problem: ExamProblem,
  index: number,
  open: readonly number[],
  reasons: ImpossibleReason[],
  name: Name,
): void {
  const people = problem.staff ?? []
  const mine = problem.halls.filter((_, hall) => problem.exams[index]!.halls?.includes(hall) ?? true)
  if (people.length === 0 || mine.length === 0) return
  const needed = Math.min(...mine.map((hall) => hall.invigilators ?? 0))
  const staff = Math.max(...open.map((slot) => people.filter((person) => !person.away?.includes(slot)).length))
  if (needed > staff) reasons.push({ code: 'too_few_invigilators', data: { exams: name([index]), needed, staff } })
}

/** Exams that must not be at once with each exam, and how many students are why. */
function mustNotMeet(problem: ExamProblem): Map<number, number>[] {
  const found = problem.exams.map(() => new Map<number, number>())
  const add = (a: number, b: number, students: number) => {
    if (a === b) return
    found[a]!.set(b, (found[a]!.get(b) ?? 0) + students)
    found[b]!.set(a, (found[b]!.get(a) ?? 0) + students)
  }
  for (const student of problem.students) {
    const mine = [...new Set(student)]
    for (const [i, a] of mine.entries()) for (const b of mine.slice(i + 1)) add(a, b, 1)
  }
  for (const [a, b] of problem.apart ?? []) add(a, b, 0)
  for (const [a, b] of problem.after ?? []) add(a, b, 0)
  return found
}

function locked(
  problem: ExamProblem,
  apart: readonly Map<number, number>[],
  reasons: ImpossibleReason[],
  name: Name,
): void {
  const { exams, slots, halls } = problem
  const fixed = [...exams.keys()].filter((exam) => exams[exam]!.fixed)
  const slotOf = (exam: number) => exams[exam]!.fixed!.slot
  for (const [i, a] of fixed.entries()) {
    for (const b of fixed.slice(i + 1)) {
      const students = apart[a]!.get(b)
      if (students === undefined || !atOnce(problem, slotOf(a), slotOf(b))) continue
      const at = [slots[slotOf(a)]!.id, slots[slotOf(b)]!.id]
      reasons.push({ code: 'locked_clash', data: { exams: name([a, b]), students, slots: at } })
    }
  }
  for (const [a, b] of problem.after ?? []) {
    if (!exams[a]!.fixed || !exams[b]!.fixed || slotOf(a) > slotOf(b) || a === b) continue
    reasons.push({ code: 'locked_order', data: { exams: name([a, b]) } })
  }
  const uses = new Map<string, { slot: number; hall: number; seats: number; exams: number[] }>()
  for (const exam of fixed) {
    const slot = slotOf(exam)
    for (const { hall, seats } of exams[exam]!.fixed!.halls ?? []) {
      const use = uses.get(`${slot} ${hall}`) ?? { slot, hall, seats: 0, exams: [] }
      uses.set(`${slot} ${hall}`, { ...use, seats: use.seats + seats, exams: [...use.exams, exam] })
    }
  }
  for (const use of uses.values()) {
    const hall = halls[use.hall]!
    const seats = hall.closed?.includes(use.slot) ? 0 : hall.seats
    if (use.seats <= seats) continue
    const at = { slot: slots[use.slot]!.id, hall: hall.id }
    reasons.push({ code: 'locked_hall', data: { exams: name(use.exams), ...at, seats } })
  }
}

/** Rings of `after`, chains longer than the slots, and what is to be together and not. */
function orders(problem: ExamProblem, reasons: ImpossibleReason[], name: Name): void {
  const { exams, slots } = problem
  const students = (problem.together ?? []).length > 0 ? examsOf(problem) : []
  const next = exams.map(() => new Set<number>())
  for (const [a, b] of problem.after ?? []) next[a]!.add(b)
  // Longest chain from each exam on; -1: under way.
  const longest: number[] = []
  const following: number[] = []
  const path: number[] = []
  const told = new Set<number>()
  const walk = (exam: number): number => {
    if (longest[exam] === -1) {
      const ring = path.slice(path.indexOf(exam))
      if (!ring.some((one) => told.has(one))) reasons.push({ code: 'order_in_a_ring', data: { exams: name(ring) } })
      for (const one of ring) told.add(one)
      return 0
    }
    if (longest[exam] !== undefined) return longest[exam]
    longest[exam] = -1
    path.push(exam)
    let most = 0
    for (const other of next[exam]!) {
      const length = walk(other)
      if (length > most) {
        most = length
        following[exam] = other
      }
    }
    path.pop()
    longest[exam] = most + 1
    return most + 1
  }
  for (const exam of exams.keys()) walk(exam)
  const first = longest.indexOf(Math.max(0, ...longest))
  if (told.size === 0 && first >= 0 && longest[first]! > slots.length) {
    const chain = [first]
    while (following[chain.at(-1)!] !== undefined) chain.push(following[chain.at(-1)!]!)
    reasons.push({ code: 'order_too_long', data: { exams: name(chain), slots: slots.length } })
  }
  const isApart = new Set(
    [...(problem.apart ?? []), ...(problem.after ?? [])].map(([a, b]) => `${Math.min(a, b)} ${Math.max(a, b)}`),
  )
  for (const [a, b] of problem.together ?? []) {
    if (!isApart.has(`${Math.min(a, b)} ${Math.max(a, b)}`) || shareStudent(students, a, b)) continue
    reasons.push({ code: 'together_and_apart', data: { exams: name([a, b]) } })
  }
}

/**
 * Sets of exams of which each must not meet each other one, and for which there are not slots enough: greedily grown
 * from every exam, those with most neighbours first, then held against the slots in which each may be. Cut down to what
 * is the cause, each told once.
 */
function cliques(
  problem: ExamProblem,
  apart: readonly Map<number, number>[],
  allowed: readonly Set<number>[],
): number[][] {
  const found: number[][] = []
  const seen = new Set<string>()
  for (const start of apart.keys()) {
    if (allowed[start]!.size === 0) continue
    for (const rank of [
      (exam: number, left: ReadonlySet<number>) => [...apart[exam]!.keys()].filter((other) => left.has(other)).length,
      (exam: number) => -allowed[exam]!.size,
    ]) {
      const clique = [start]
      let left = new Set([...apart[start]!.keys()].filter((exam) => allowed[exam]!.size > 0))
      while (left.size > 0) {
        let best = -1
        let most = -Infinity
        for (const exam of left) {
          const value = rank(exam, left)
          if (value > most) [best, most] = [exam, value]
        }
        clique.push(best)
        left = new Set([...left].filter((exam) => apart[best]!.has(exam)))
      }
      const cause = withoutSlots(clique, allowed)
      if (!cause) continue
      const key = cause.toSorted((a, b) => a - b).join(' ')
      if (!seen.has(key) && !found.some((other) => other.every((exam) => cause.includes(exam)))) found.push(cause)
      seen.add(key)
      if (found.length >= 20) return found
    }
  }
  return found
}

/** Of exams that all need different slots, those that together have too few (Hall); undefined, if all find one. */
function withoutSlots(exams: readonly number[], allowed: readonly Set<number>[]): number[] | undefined {
  const holder = new Map<number, number>()
  for (const exam of exams) {
    const seen = new Set<number>()
    const place = (one: number): boolean => {
      for (const slot of allowed[one]!) {
        if (seen.has(slot)) continue
        seen.add(slot)
        const other = holder.get(slot)
        if (other !== undefined && !place(other)) continue
        holder.set(slot, one)
        return true
      }
      return false
    }
    if (place(exam)) continue
    // Whoever holds a slot that was tried has no other either.
    return [exam, ...[...seen].map((slot) => holder.get(slot)!)]
  }
  return undefined
}
