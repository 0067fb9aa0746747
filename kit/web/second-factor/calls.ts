import { known } from '../auth/calls.ts'
import type { Enrolment, SignedIn } from '../auth/calls.ts'

/** What a browser hands to a device, and what the device answers: the browser's library knows what is in it. */
export type DeviceOptions = Readonly<Record<string, unknown>>
export type DeviceAnswer = Readonly<Record<string, unknown>>
/** A way to prove again who sits there. */
export type ProofWay = 'passkey' | 'password' | 'password_and_code' | 'code'
type Options = { data: DeviceOptions }

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
  askSignIn: known<undefined, Options>('POST', '/login/passkey/begin'),
  signInByPasskey: known<{ answer: DeviceAnswer }, SignedIn>('POST', '/login/passkey'),
  askSecondStep: known<{ ticket: string }, Options>('POST', '/login/second-factor/passkey/begin'),
  secondStepByPasskey: known<{ ticket: string; answer: DeviceAnswer }, SignedIn>(
    'POST',
    '/login/second-factor/passkey',
  ),
  offerAtSignIn: known<{ ticket: string }, Options>('POST', '/login/second-factor/passkey/setup'),
  addAtSignIn: known<
    { ticket: string; name: string; answer: DeviceAnswer },
    { data: SignedIn['data'] & { recovery_codes: string[] } }
  >('POST', '/login/second-factor/passkey/confirm'),
  proofWays: known<undefined, { data: ProofWay[] }, Record<string, never>, { second?: 'true' | 'false' }>(
    'GET',
    '/users/confirm-password',
  ),
  confirmPassword: known<{ password?: string; code?: string }>('POST', '/users/confirm-password'),
  askProof: known<undefined, Options>('POST', '/users/confirm-passkey/begin'),
  proveByPasskey: known<{ answer: DeviceAnswer }>('POST', '/users/confirm-passkey'),
  removeSecondFactorOf: known<
    { reason: string },
    { data: null },
    { kind: 'user' | 'student' | 'instructor'; id: number }
  >('POST', '/people/{kind}/{id}/second-factor/remove'),
}
