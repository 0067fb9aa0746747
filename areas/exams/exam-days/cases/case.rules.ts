import type { MainFlag } from '#areas/common/academics/status.rules.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { checkStanding } from '../standing.rules.ts'

/** A registration that a punishment takes, or gives back. */
export interface CaseRegistration {
  readonly course: string
  readonly main: MainFlag
  readonly held: Reason | null
}
export interface CaseFacts {
  /** The course of the exam. */
  readonly own: CaseRegistration
  /** All courses of the term that are taken or asked about, the own among them. */
  readonly term: readonly CaseRegistration[]
  /** Those that the punishment took. */
  readonly punished: readonly CaseRegistration[]
}

/** Why a punishment does not take a course: it was left or decided on, a request about it waits, or control has it. */
export function checkTaken({ course, main, held }: CaseRegistration): Reason[] {
  const stands = checkStanding(main, course, 'exam_case_state')
  return stands.length ? stands : held ? [held] : []
}

/** Why the course cannot be taken. */
export const checkPunish = ({ own }: CaseFacts): Reason[] => checkTaken(own)
/** The same for every course of the term, all or none: a request that waits would else be a way around it. */
export const checkPunishTerm = ({ own, term }: CaseFacts): Reason[] => [
  ...checkTaken(own),
  ...term.flatMap((one) => (one.course === own.course ? [] : checkTaken(one))),
]
/** Why it cannot be given back. */
export const checkGiveBack = ({ punished }: CaseFacts): Reason[] =>
  punished.flatMap(({ held, main }) => (held && main === 'Punished' ? [held] : []))

/** An exam as an investigation of what happened there is opened: before it began, and of who does not sit it, none is. */
export function checkOpen({
  course,
  begins,
  begun,
  sits,
}: {
  readonly course: string
  readonly begins: string
  readonly begun: boolean
  /** `sits_exam` of the registration's state. */
  readonly sits: boolean
}): Reason[] {
  if (!begun) return [{ code: 'exam_not_begun', data: { course, begins } }]
  return sits ? [] : [{ code: 'exam_not_sat', data: { course } }]
}
