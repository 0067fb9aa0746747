import { NO_WEIGHTS } from './formats.rules.ts'
import { Random } from './model.rules.ts'
import type { ExamProblem, ProblemExam, Weights } from './problem.contract.ts'

/** Every wish costs something. */
export const EVERY_WISH: Weights = {
  ...NO_WEIGHTS,
  spread: [16, 8, 4, 2, 1],
  twoInRow: 7,
  twoInDay: 3,
  early: { exams: 3, slots: 2, weight: 11 },
  slots: 2,
  halls: 3,
  mixed: 5,
  split: 4,
  invigilators: 6,
  worst: 13,
}

interface Size {
  readonly exams: number
  readonly slots: number
  readonly halls: number
  readonly students: number
  /** Exams of each student. */
  readonly each: number
  /** Halls closed, exams bound to slots and halls, orders and the like. */
  readonly rules: boolean
  /** Each slot begins before the one before it ends. */
  readonly overlap?: boolean
}

/** A problem made by chance, for tests and measurements: the same seed makes the same. */
export function madeProblem(seed: number, size: Size, weights: Weights = EVERY_WISH): ExamProblem {
  const random = new Random(seed)
  const pick = (n: number) => random.below(n)
  const list = (n: number) => Array.from({ length: n }, (_, i) => i)
  const some = (n: number, many: number) => {
    const all = list(n)
    random.shuffle(all)
    return all.slice(0, many)
  }
  // Courses of a programme are taken together, as they are in life.
  const students = list(size.students).map(() => {
    const centre = pick(size.exams)
    const reach = Math.max(size.each + 2, Math.ceil(size.exams / 6))
    return [...new Set(some(reach, size.each).map((step) => (centre + step) % size.exams))]
  })
  const writers = list(size.exams).map((exam) => students.filter((taken) => taken.includes(exam)).length)
  const pairs = (many: number): [number, number][] =>
    list(many).map(() => some(size.exams, 2).toSorted((a, b) => a - b) as [number, number])
  const total = writers.reduce((all, one) => all + one, 0)
  const seats = Math.ceil((total / Math.max(1, size.slots * size.halls)) * 2.2) + 1
  const exams = list(size.exams).map((exam): ProblemExam => {
    const minutes = [60, 90, 120][pick(3)]!
    const bound = size.rules && pick(6) === 0
    return {
      id: 1000 + exam,
      size: writers[exam]!,
      minutes,
      ...(bound && { slots: some(size.slots, Math.ceil(size.slots / 2)) }),
      ...(size.rules && size.halls > 2 && pick(8) === 0 && { halls: some(size.halls, size.halls - 1) }),
      ...(size.rules && pick(12) === 0 && { alone: true }),
    }
  })
  return {
    slots: list(size.slots).map((slot) => ({
      id: 500 + slot,
      day: Math.floor(slot / 3),
      at: slot + Math.floor(slot / 3),
      start: Math.floor(slot / 3) * 1440 + (slot % 3) * (size.overlap ? 100 : 180),
      minutes: size.rules && slot % 4 === 3 ? 90 : 120,
      penalty: slot % 3 === 2 ? 2 : 0,
    })),
    halls: list(size.halls).map((hall) => ({
      id: 700 + hall,
      seats: Math.ceil(seats * (0.6 + 0.2 * (hall % 5))),
      penalty: hall % 3,
      invigilators: 1 + (hall % 2),
      ...(size.rules && hall % 4 === 1 && { closed: [pick(size.slots)] }),
    })),
    exams,
    students,
    staff: list(size.rules ? size.halls * 4 : 0).map((person) => ({ id: 900 + person, away: [pick(size.slots)] })),
    after: size.rules ? pairs(2).map(([a, b]) => [b, a] as const) : [],
    together: size.rules ? pairs(2) : [],
    apart: size.rules ? pairs(2) : [],
    weights,
  }
}
