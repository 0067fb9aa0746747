import { known } from '../auth/calls.ts'
import type { Enrolment, SignedIn } from '../auth/calls.ts'

/** Calls that few need, apart from those that every screen begins with. */
export const factorCalls = {
  secondStep: known<{ ticket: string; code: string } | { ticket: string; recovery_code: string }, SignedIn>(
    'POST',
    '/login/second-factor',
  ),
  enrolAtSignIn: known<{ ticket: string }, { data: Enrolment }>('POST', '/login/second-factor/setup'),
  finishAtSignIn: known<{ ticket: string; code: string }, { data: SignedIn['data'] & { recovery_codes: string[] } }>(
    'POST',
    '/login/second-factor/confirm',
  ),
  removeSecondFactorOf: known<
    { reason: string },
    { data: null },
    { kind: 'user' | 'student' | 'instructor'; id: number }
  >('POST', '/people/{kind}/{id}/second-factor/remove'),
}
