import type { MainFlag } from '#areas/common/academics/status.rules.ts'
import type { Reason } from '#kit/contract/issues.ts'

/** Requests to come into a course, and requests to leave one. */
const ASKS_IN: ReadonlySet<MainFlag> = new Set(['RegisterRequest', 'AddRequest'])
const ASKS_OUT: ReadonlySet<MainFlag> = new Set(['DropRequest', 'WithdrawRequest', 'ExcuseRequest'])

/** How a registration stands to an exam day: it can be changed, a request about it waits, or neither. */
type Standing = 'registered' | 'asks_in' | 'asks_out' | 'other'
export const seatStandingOf = (main: MainFlag): Standing =>
  main === 'Registered' ? 'registered' : ASKS_IN.has(main) ? 'asks_in' : ASKS_OUT.has(main) ? 'asks_out' : 'other'

/**
 * Why an exam day does not change a registration: while a request about it waits, what was asked for comes first.
 *
 * @param otherwise what is said of one that was left, banned or decided on
 */
export function checkStanding(main: MainFlag, course: string, otherwise: string): Reason[] {
  const standing = seatStandingOf(main)
  if (standing === 'registered') return []
  return [{ code: standing === 'other' ? otherwise : 'exam_request_waits', data: { course } }]
}
