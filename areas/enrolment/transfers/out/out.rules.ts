import type { Reason } from '#kit/contract/issues.ts'
import { checkLeaver } from '../internal/internal.rules.ts'
import type { LeaverFacts } from '../internal/internal.rules.ts'

/** What is known of a student who wants to leave the university. */
export interface OutFacts extends LeaverFacts {
  /** A request for an internal transfer waits. */
  readonly internal_pending: boolean
}
/** Why a student cannot leave for another university now. */
export const checkOut = ({ internal_pending, ...leaver }: OutFacts): Reason[] => [
  ...(internal_pending ? [{ code: 'transfer_out_while_internal' }] : []),
  ...checkLeaver(leaver),
]
