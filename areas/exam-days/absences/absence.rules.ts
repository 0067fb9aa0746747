import type { MainFlag } from '#areas/academics/status.rules.ts'
import type { Reason } from '#kit/contract/issues.ts'

/** An exam that a student was to sit, as an absence, an investigation or what becomes of them is judged. */
export interface ExamDayFacts {
  readonly course: string
  /** When it begins, in the zone of the university. */
  readonly begins: string
  readonly begun: boolean
  /** Only the final exam decides on the state of the registration. */
  readonly final: boolean
  readonly main: MainFlag
  /** Why control holds the registration; null: it does not, or whoever acts stands above it. */
  readonly held: Reason | null
}

/** Every reason why somebody is not recorded as absent. */
export function checkAbsence(one: ExamDayFacts & { readonly recorded: boolean }): Reason[] {
  const { course } = one
  return [
    ...(one.begun ? [] : [{ code: 'exam_not_begun', data: { course, begins: one.begins } }]),
    ...(one.recorded ? [{ code: 'absence_recorded', data: { course } }] : []),
    // Who left, is banned or punished was not to come.
    ...(one.main === 'Registered' || (one.final && one.main === 'Absent')
      ? []
      : [{ code: 'exam_not_sat', data: { course } }]),
    ...(one.final && one.held ? [one.held] : []),
  ]
}

/** Why an absence stays what it is: control has the registration. */
export const checkChange = ({ final, held }: Pick<ExamDayFacts, 'final' | 'held'>): Reason[] =>
  final && held ? [held] : []
