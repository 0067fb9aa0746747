import type { MainFlag } from '#areas/common/academics/status.rules.ts'
import { checkRequest } from '../registration.rules.ts'
import type { Refusal, RefusalCode } from '../registration-refusals.rules.ts'
import type { RequestInput } from '../registration-input.rules.ts'

/** Of what speaks against taking a course, what speaks against being exempted from it as well. */
const AGAINST: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'offering_program',
  'already_registered',
  'course_in_other_program',
  'already_passed',
  'not_studying',
])
/** From these a student is exempted; a registration that does not exist is made. */
const EXEMPTABLE: ReadonlySet<MainFlag> = new Set(['Registered', 'RegisterRequest', 'AddRequest'])
/** Whether a registration of this state in the offering itself gives way to the exemption. */
export const givesWay = (main: MainFlag | null): boolean => main !== null && EXEMPTABLE.has(main)

/**
 * Every reason why a student is not exempted from the course of an offering. `current` of the student: what else is
 * registered in the term.
 */
export const checkExemption = (input: RequestInput): Refusal[] =>
  checkRequest({ ...input, action: 'enroll', improve: false }).filter(({ code }) => AGAINST.has(code))
