import type { MainFlag } from '#areas/academics/status.rules.ts'
import type { Reason } from '#kit/contract/issues.ts'

/** A registration that a punishment takes, or gives back. */
export interface CaseRegistration {
  readonly course: string
  readonly main: MainFlag
  readonly held: Reason | null
}
export interface CaseFacts {
  /** The course of the exam. */
  readonly own: CaseRegistration
  /** All courses of the term that are taken, the own among them. */
  readonly term: readonly CaseRegistration[]
  /** Those that the punishment took. */
  readonly punished: readonly CaseRegistration[]
}

const taken = ({ course, main, held }: CaseRegistration): Reason[] =>
  main === 'Registered' ? (held ? [held] : []) : [{ code: 'exam_case_state', data: { course } }]

/** Why the course cannot be taken: its student has left it, or control has it. */
export const checkPunish = ({ own }: CaseFacts): Reason[] => taken(own)
/** The same for every course of the term: all or none. */
export const checkPunishTerm = ({ own, term }: CaseFacts): Reason[] => [
  ...taken(own),
  ...term.flatMap((one) => (one.course !== own.course && one.held ? [one.held] : [])),
]
/** Why it cannot be given back. */
export const checkGiveBack = ({ punished }: CaseFacts): Reason[] =>
  punished.flatMap(({ held, main }) => (held && main === 'Punished' ? [held] : []))
