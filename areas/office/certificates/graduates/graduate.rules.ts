/** Requests of graduates who have no account: pure functions that return every reason. */
import { fold } from '#kit/contract/fold.ts'
import type { Reason } from '#kit/contract/issues.ts'
import type { TypeFacts } from '../requests/certificate.rules.ts'

/** By what a person says who he or she is. */
export type IdentityKind = 'code' | 'national_id' | 'passport'

/** A number as it is compared: Latin digits, capital letters, no spaces; only a code has hyphens. */
export const graduateIdentity = (kind: IdentityKind, typed: string): string =>
  fold(typed)
    .toUpperCase()
    .replaceAll(kind === 'code' ? /\s/g : /[\s-]/g, '')

/** Why what somebody typed is no such number. */
export const checkGraduateIdentity = (kind: IdentityKind, written: string): Reason[] =>
  kind === 'national_id' && !/^\d{14}$/.test(written)
    ? [{ field: 'identity', code: 'national_id_digits' }]
    : /^[\dA-Z./_-]{1,40}$/.test(written)
      ? []
      : [{ field: 'identity', code: 'graduate_identity' }]

/** Why a type is not asked for without an account. A photo is the account’s: without one it is asked for at the desk. */
export function checkGraduateType(type: TypeFacts): Reason[] {
  if (!type.active) return [{ field: 'type_id', code: 'certificate_not_offered' }]
  const reasons: Reason[] = []
  if (!type.for_graduates) reasons.push({ field: 'type_id', code: 'certificate_not_for_you' })
  if (type.needs_photo) reasons.push({ field: 'type_id', code: 'graduate_photo' })
  if (!type.open)
    reasons.push(
      type.opens_on === null
        ? { field: 'type_id', code: 'certificate_closed' }
        : { field: 'type_id', code: 'certificate_opens_on', data: { date: type.opens_on } },
    )
  return reasons
}

/** What a step with a request looks at. */
export interface GraduateFacts {
  /** Status of the record that it is of; null: no record is chosen. */
  readonly record: string | null
  /** The address that was verified is that of the record. */
  readonly proven: boolean
  /** There is a picture of an identity card or passport. */
  readonly proof: boolean
}

/** Why it is not confirmed whose request it is. */
export function checkIdentified({ record, proven, proof }: GraduateFacts): Reason[] {
  if (record === null) return [{ field: 'student_id', code: 'graduate_no_record' }]
  return [
    ...(record === 'graduated' ? [] : [{ field: 'student_id', code: 'graduate_not_graduated' }]),
    ...(proven || proof ? [] : [{ code: 'graduate_no_proof' }]),
  ]
}

/** What a person follows, in its order. */
export const GRADUATE_LINE = ['asked', 'checked', 'paid', 'prepared', 'signed', 'issued', 'handed_over'] as const
export type FollowedStep = (typeof GRADUATE_LINE)[number]
/** Which step is under way in a state of the certificate; those of the way alone. */
const UNDER_WAY: Readonly<Record<string, FollowedStep>> = {
  fee_due: 'paid',
  New: 'prepared',
  updated: 'prepared',
  Prepared: 'prepared',
  'in review': 'prepared',
  Reviewed: 'signed',
  'dean-signed': 'signed',
  approved: 'issued',
  'Ready To Deliver': 'handed_over',
}
const DELIVERED = ['Delivered', 'Delivered By Mail', 'Delivered By Manual']

/**
 * The line of steps as the person sees it; empty once it is rejected or taken back.
 *
 * @param certificate its status; null: it is not known yet who asks
 * @param fee whether something is or was to be paid; null: not known yet
 */
export function graduateLine(
  status: string,
  certificate: string | null,
  fee: boolean | null,
): { step: FollowedStep; state: 'done' | 'now' | 'later' }[] {
  const way = GRADUATE_LINE.filter((step) => step !== 'paid' || fee !== false)
  if (certificate !== null && DELIVERED.includes(certificate)) return way.map((step) => ({ step, state: 'done' }))
  const now = status === 'to_check' ? 'checked' : status === 'identified' ? UNDER_WAY[certificate ?? ''] : undefined
  const at = now === undefined ? -1 : way.indexOf(now)
  return at < 0 ? [] : way.map((step, i) => ({ step, state: i < at ? 'done' : i === at ? 'now' : 'later' }))
}
