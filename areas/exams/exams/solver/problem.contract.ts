/**
 * What the solver is asked and what it answers: plain data that can be sent to a worker thread or kept as JSON. Exams,
 * slots, halls, students and staff speak of each other by their place in these lists (from 0); `id` is the caller's and
 * comes back only in reasons. The same shape carries the public formats (`formats.rules.ts`) and a university's exams.
 */

/** A time in which exams are written. Slots are listed in the order of time. */
export interface ProblemSlot {
  readonly id: number
  /** Number of the day; equal for slots of one day. Only for being equal: what is near is said by `at`. */
  readonly day: number
  /** Where it lies on the line on which the spread is measured; without it, its place in the list. */
  readonly at?: number
  /** Minutes since any fixed instant, the same for all slots; without it, no two slots overlap. */
  readonly start?: number
  /** How long an exam in it may be at most. */
  readonly minutes: number
  /** How unwelcome it is, for each exam in it. */
  readonly penalty?: number
}

/** A hall. A problem without halls does not look at places at all. */
export interface ProblemHall {
  readonly id: number
  readonly seats: number
  /** How unwelcome it is, for each exam in it. */
  readonly penalty?: number
  /** Slots in which it is not to be had. */
  readonly closed?: readonly number[]
  /** How many invigilators it needs when it is used. */
  readonly invigilators?: number
}

/** Part of an exam in one hall. */
interface Sitting {
  readonly hall: number
  readonly seats: number
}

/** Where an exam is written: `slot` -1 where it has no place. */
export interface ExamPlacement {
  readonly slot: number
  readonly halls: readonly Sitting[]
}

export interface ProblemExam {
  readonly id: number
  /** How many write it: seats it needs. */
  readonly size: number
  readonly minutes: number
  /** Slots in which it may be; without it, all that are long enough. */
  readonly slots?: readonly number[]
  /** Halls in which it may be; without it, all. */
  readonly halls?: readonly number[]
  /** Over how many halls it may be split at most. Without it, over as many as there are. */
  readonly maxHalls?: number
  /** Nobody else in its halls. */
  readonly alone?: boolean
  /** Minutes for which the last of its students write beyond the end of each slot: their halls and people are held as long. */
  readonly over?: readonly number[]
  /** How many invigilators its halls need when nobody else is there, whatever they hold. */
  readonly watchers?: number
  /** It is locked there and never moved; without `halls`, only its slot is. */
  readonly fixed?: { readonly slot: number; readonly halls?: readonly Sitting[] }
}

/** Somebody who may invigilate. */
export interface ProblemStaff {
  readonly id: number
  /** Slots in which he or she is not to be had. */
  readonly away?: readonly number[]
  /** Exams in whose slots he or she has to be with the own students. */
  readonly own?: readonly number[]
  /** Duties at most. */
  readonly most?: number
}

/** What each wish costs: whole numbers, 0 where nobody minds. */
export interface Weights {
  /** For each student and pair of exams 1, 2, 3 … apart (by `at`). */
  readonly spread: readonly number[]
  /** The same for pairs 0 apart, in slots that are not at once: where `at` is a day, those of one day. */
  readonly spreadWithin?: number
  /** For each student and pair of exams in neighbouring slots of a day. */
  readonly twoInRow: number
  /** For each student and pair of exams on a day, not in neighbouring slots. */
  readonly twoInDay: number
  /** For each of the `exams` largest that lies in one of the last `slots`. */
  readonly early: { readonly exams: number; readonly slots: number; readonly weight: number }
  /** Factor on the penalties of slots. */
  readonly slots: number
  /** Factor on the penalties of halls. */
  readonly halls: number
  /** For each length of exam beyond the first that is in a hall at once. */
  readonly mixed: number
  /** For each hall beyond its first that an exam is split over. */
  readonly split: number
  /** For each duty of an invigilator beyond the even share. */
  readonly invigilators: number
  /** For each student who has less time between two exams of a day than the way between their halls needs. */
  readonly ways?: number
  /** Factor on the load of the student who has it worst: what spread, row and day cost for that student alone. */
  readonly worst: number
}

export interface ExamProblem {
  readonly slots: readonly ProblemSlot[]
  readonly halls: readonly ProblemHall[]
  readonly exams: readonly ProblemExam[]
  /** Exams of each student. */
  readonly students: readonly (readonly number[])[]
  readonly staff?: readonly ProblemStaff[]
  /** Minutes from each hall to each other one, by their places in the list. */
  readonly ways?: readonly (readonly number[])[]
  /** `[a, b]`: a is written after b. */
  readonly after?: readonly (readonly [number, number])[]
  /** In one slot. A pair with a student in common is not held to it. */
  readonly together?: readonly (readonly [number, number])[]
  /** Not in one slot, even without a student in common (one examiner for both). */
  readonly apart?: readonly (readonly [number, number])[]
  readonly weights: Weights
}

/** How often each rule that must be kept is broken. */
export interface Broken {
  /** Exams without a place. */
  unplaced: number
  /** Students with two exams at a time, counted per pair. */
  clashes: number
  /** Halls that are too full in a slot. */
  capacity: number
  /** Exams longer than their slot. */
  length: number
  /** Exams in a slot, hall, or number of halls where they may not be, or with other seats than writers. */
  forbidden: number
  /** Exams that want a hall alone and have it not. */
  alone: number
  after: number
  together: number
  apart: number
  /** Locked exams that were moved. */
  fixed: number
  /** Invigilators that lack. */
  staff: number
}

/** What each wish costs, its weight included. */
export interface CostParts {
  spread: number
  twoInRow: number
  twoInDay: number
  early: number
  slots: number
  halls: number
  mixed: number
  split: number
  invigilators: number
  ways: number
  worst: number
}

export interface Cost {
  readonly broken: Broken
  /** Sum of `broken`. */
  readonly brokenCount: number
  readonly parts: CostParts
  /** Sum of `parts`. */
  readonly total: number
  /** Load of the student who has it worst. */
  readonly worstLoad: number
}

/** Who invigilates in a hall in a slot. */
export interface Duty {
  readonly slot: number
  readonly hall: number
  readonly staff: readonly number[]
}

/** An answer; can be kept as JSON and given to `solve` as `from` to go on. */
export interface Solution {
  readonly placements: readonly ExamPlacement[]
  readonly duties: readonly Duty[]
  readonly cost: Cost
}

/** How far a run is. */
export interface SolveProgress {
  /** From 0 to 1. */
  readonly fraction: number
  readonly iterations: number
  /** Of the best so far. */
  readonly cost: Cost
}

/** Halls over which an exam may be split at most. */
export const hallsAtMost = (problem: ExamProblem, exam: ProblemExam): number =>
  Math.min(exam.maxHalls ?? problem.halls.length, problem.halls.length)

/** The largest exams, as the wish to have them early means them: of equal ones, those listed first. */
export const largestExams = (problem: ExamProblem, count: number): number[] =>
  problem.exams
    .map((_, exam) => exam)
    .toSorted((a, b) => problem.exams[b]!.size - problem.exams[a]!.size || a - b)
    .slice(0, count)

/** Slots that begin while the last of an exam still write, after the slot it is in: no other exam of theirs, and nothing in their halls. */
export function slotsReached(problem: ExamProblem, exam: number, slot: number): number[] {
  const over = problem.exams[exam]!.over?.[slot] ?? 0
  const at = problem.slots[slot]!
  if (over <= 0 || at.start === undefined) return []
  const [begin, end] = [at.start, at.start + at.minutes]
  return problem.slots.flatMap((other, index) =>
    other.start !== undefined && other.start > begin && other.start < end + over && !slotsOverlap(at, other)
      ? [index]
      : [],
  )
}

/** Whether two slots share a minute. */
export const slotsOverlap = (a: ProblemSlot, b: ProblemSlot): boolean =>
  a.start !== undefined && b.start !== undefined && a.start < b.start + b.minutes && b.start < a.start + a.minutes
