import type { MainFlag } from '#areas/common/academics/status.rules.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { checkStanding, seatStandingOf } from '../standing.rules.ts'

/** An exam that a student was to sit, as an absence, an investigation or what becomes of them is judged. */
export interface ExamDayFacts {
  readonly course: string
  /** When it begins, in the zone of the university. */
  readonly begins: string
  readonly begun: boolean
  readonly main: MainFlag
  readonly following: Following
}

/** What follows from an absence: of a final exam the state of the registration, of others the mark of the exam. */
export interface Following {
  readonly course: string
  readonly final: boolean
  /** Marks are given for this exam. */
  readonly graded: boolean
  /** The mark that stands for it; `A`: absent. */
  readonly mark: string | null
  /** Why control holds it; null: it does not, or whoever acts stands above it. */
  readonly held: Reason | null
}

const marked = ({ course, mark }: Following): Reason[] =>
  mark === null || mark === 'A' ? [] : [{ code: 'absence_marked', data: { course, mark } }]

/**
 * Whether the student was to come, and an absence finds the registration as it can follow. Whoever asks to leave is in the
 * course until that is decided: absent from an exam that is not the final, which leaves the registration as it is.
 */
function sat({ course, main, following: { final } }: ExamDayFacts): Reason[] {
  if (final ? main === 'Absent' : seatStandingOf(main) === 'asks_out') return []
  return checkStanding(main, course, 'exam_not_sat')
}

/** Every reason why somebody is not recorded as absent. */
export function checkAbsence(one: ExamDayFacts & { readonly recorded: boolean }): Reason[] {
  const { course, following } = one
  return [
    ...(one.begun ? [] : [{ code: 'exam_not_begun', data: { course, begins: one.begins } }]),
    ...(one.recorded ? [{ code: 'absence_recorded', data: { course } }] : []),
    ...sat(one),
    ...marked(following),
    ...checkChange(following),
  ]
}

/** Why an absence stays what it is: control has what would follow. */
export const checkChange = ({ final, graded, held }: Following): Reason[] => ((final || graded) && held ? [held] : [])
/** Why it does not count again: besides, there is a mark by now. */
export const checkRestore = (following: Following): Reason[] => [...marked(following), ...checkChange(following)]
