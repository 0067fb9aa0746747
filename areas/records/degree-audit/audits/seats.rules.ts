import type { CompiledTree, Leaf, TreePlace } from './compile.rules.ts'
import type { Hundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { AuditState, AuditStudent, By, TakenCourse } from './audit.rules.ts'
import type { GivenProgress } from './progress.rules.ts'

/** A course that counts somewhere, or could. */
export interface Own {
  course: TakenCourse
  passed: boolean
  /** Everywhere its code, lists and exceptions let it count; with a grade that is enough. */
  could: TreePlace[]
  /** Where it may be put: settled by hand, fewer. */
  open: TreePlace[]
  /** Domains in which that was decided by hand, and how. */
  held: ReadonlyMap<number, By>
  /** An equal course counts already. */
  repeat: boolean
}
/** A course in a leaf, with the place it takes there. */
export interface Seat {
  own: Own
  place: TreePlace
  weight: number
}

export const cents = (amount: number): Hundredths => Math.round(amount * 100)
export const toState = (passed: boolean, all: boolean): AuditState => (passed ? 'met' : all ? 'in_progress' : 'missing')
export const seatId = (place: TreePlace): number => (place.slot === null ? -1 : place.leaf * 2 ** 31 + place.slot)

/** Courses from which a placement excuses, the places that they would take, and what those weigh in each leaf. */
export interface Excused {
  ids: ReadonlySet<number>
  slots: ReadonlySet<number>
  weights: readonly number[]
}
export interface SeatFacts {
  student: AuditStudent
  own: readonly Own[]
  seats: readonly (readonly Seat[])[]
  waived: ReadonlyMap<number, number>
  excused: ReadonlySet<number>
  given: { passed: ReadonlyMap<number, GivenProgress>; all: ReadonlyMap<number, GivenProgress> }
}

/** Whether a leaf stands beneath the requirement of a key. */
export function beneath(tree: CompiledTree, leaf: Leaf, key: string): boolean {
  const node = tree.byKey.get(key)
  return node !== undefined && leaf.node >= node && leaf.node < tree.nodes[node]!.end
}
