/** What stands against a certificate: pure functions that return every reason. */
import type { Reason } from '#kit/contract/issues.ts'

/** A type of certificate, as far as it decides who may ask. */
export interface TypeFacts {
  readonly active: boolean
  readonly for_students: boolean
  readonly for_graduates: boolean
  readonly for_staff: boolean
  readonly min_level: number | null
  readonly needs_photo: boolean
  readonly deliveries: readonly string[]
  readonly most_copies: number
  readonly urgent: boolean
  /** Whether it has days, and today is one of them. */
  readonly open: boolean
  /** First day of the next ones. */
  readonly opens_on: string | null
}
/** Who asks. */
export interface AskerFacts {
  /** Of a student; of who works here `working`, as long as that is so. */
  readonly status: string
  readonly level: number
  readonly photo: boolean
  /** A debt holds certificates. */
  readonly held: boolean
  readonly asked_already: boolean
}
/** What is asked for. */
export interface AskedCertificate {
  readonly copies: number
  readonly speed: string
  readonly delivery: string
  readonly address: string | null
}

/** As whom somebody asks; null: as nobody that certificates are made for. */
export const audienceOf = (status: string): 'student' | 'graduate' | 'staff' | null =>
  status === 'graduated'
    ? 'graduate'
    : status === 'studying' || status === 'suspended'
      ? 'student'
      : status === 'working'
        ? 'staff'
        : null
const MADE_FOR = { student: 'for_students', graduate: 'for_graduates', staff: 'for_staff' } as const
/** Whether a type is for who asks in this way. */
export const typeIsFor = (
  type: Pick<TypeFacts, 'for_students' | 'for_graduates' | 'for_staff'>,
  audience: keyof typeof MADE_FOR | null,
): boolean => audience !== null && type[MADE_FOR[audience]]

/** Why somebody may not have a type now, whatever is asked for. */
export function checkOffered(type: TypeFacts, who: AskerFacts): Reason[] {
  const reasons: Reason[] = []
  const audience = audienceOf(who.status)
  if (!type.active) reasons.push({ field: 'type_id', code: 'certificate_not_offered' })
  if (!typeIsFor(type, audience)) reasons.push({ field: 'type_id', code: 'certificate_not_for_you' })
  if (!type.open)
    reasons.push(
      type.opens_on === null
        ? { field: 'type_id', code: 'certificate_closed' }
        : { field: 'type_id', code: 'certificate_opens_on', data: { date: type.opens_on } },
    )
  if (audience === 'student' && type.min_level !== null && who.level < type.min_level)
    reasons.push({ field: 'type_id', code: 'certificate_level', data: { level: type.min_level } })
  if (type.needs_photo && !who.photo) reasons.push({ code: 'certificate_photo' })
  if (who.held) reasons.push({ code: 'certificates_held' })
  if (who.asked_already) reasons.push({ field: 'type_id', code: 'certificate_asked_twice' })
  return reasons
}

/** Why something cannot be asked for. */
export function checkAskedCertificate(type: TypeFacts, asked: AskedCertificate): Reason[] {
  const reasons: Reason[] = []
  if (asked.copies > type.most_copies)
    reasons.push({ field: 'copies', code: 'certificate_copies', data: { max: type.most_copies } })
  if (asked.speed === 'urgent' && !type.urgent) reasons.push({ field: 'speed', code: 'certificate_not_urgent' })
  if (!type.deliveries.includes(asked.delivery)) reasons.push({ field: 'delivery', code: 'certificate_delivery' })
  if (asked.delivery === 'by_mail' && !asked.address?.trim())
    reasons.push({ field: 'address', code: 'certificate_address' })
  return reasons
}

/** What it costs, in minor units; copies beside the first have a price of their own, and each language is one paper. */
export const priceOf = (
  price: { readonly value: number; readonly copy: number },
  { copies, lang }: { readonly copies: number; readonly lang: string },
): number => (lang === 'both' ? 2 : 1) * (price.value + price.copy * (copies - 1))

/** A position of the chain of signatures, in its order. */
export interface Signatory {
  readonly position_id: number
  readonly code: string
  readonly name: string
  readonly name_local: string
  /** Who holds it today for the faculty of who asked; null: nobody. */
  readonly holder_id: number | null
  readonly signed: boolean
}
/** What a step with a certificate looks at. */
export interface CertificateFacts {
  readonly chain: readonly Signatory[]
  readonly prepared_by: number | null
  /** The person who acts, and who really sits there. */
  readonly people: readonly number[]
  /** Who signs: the person, whoever stands in. */
  readonly actor_id: number | null
  readonly held: boolean
  /** Number of an invoice that is not paid, or is paid no more; null: nothing is due. */
  readonly unpaid: string | null
  readonly delivery: string
}

const named = ({ name, name_local }: Signatory) => ({ position: name, position_local: name_local })

/** Why it cannot go to those who sign: a position that nobody holds would never sign. */
export const checkSigners = ({ chain }: CertificateFacts): Reason[] =>
  chain
    .filter((one) => one.holder_id === null && !one.signed)
    .map((one) => ({ code: 'certificate_no_signer', data: named(one) }))

/** Why it is not reviewed: nobody reviews what he or she prepared. */
export const checkCertificateReview = (facts: CertificateFacts): Reason[] => [
  ...(facts.prepared_by !== null && facts.people.includes(facts.prepared_by)
    ? [{ code: 'certificate_own_preparation' }]
    : []),
  ...checkSigners(facts),
]

/** Why the chain is not at its end. */
export const checkApproved = ({ chain }: CertificateFacts): Reason[] =>
  chain.filter((one) => !one.signed).map((one) => ({ code: 'certificate_unsigned', data: named(one) }))

/** Why the dean's signature is not there. */
export const checkDean = ({ chain }: CertificateFacts): Reason[] => {
  const dean = chain.find(({ code }) => code === 'DEAN')
  return dean?.signed ? [] : [{ code: 'certificate_dean_unsigned' }]
}

/** A payment may be cancelled, or given back, after the way has begun. */
const checkPaid = ({ unpaid }: Pick<CertificateFacts, 'unpaid'>): Reason[] =>
  unpaid === null ? [] : [{ code: 'certificate_unpaid', data: { number: unpaid } }]

/** Why nothing is issued: a debt came meanwhile, or what was paid is paid no more. */
export const checkCertificateIssue = (facts: CertificateFacts): Reason[] => [
  ...checkApproved(facts),
  ...(facts.held ? [{ code: 'certificates_held' }] : []),
  ...checkPaid(facts),
]
/** Why it is not handed over in this way. */
export const checkDelivery =
  (delivery: string) =>
  (facts: CertificateFacts): Reason[] => [
    ...(facts.delivery === delivery ? [] : [{ code: 'certificate_delivery_other' }]),
    ...checkPaid(facts),
  ]

/** Whose turn it is to sign; null: nobody's. */
export const nextSigner = (chain: readonly Signatory[]): Signatory | null => chain.find(({ signed }) => !signed) ?? null

/** Why somebody does not sign now: it is another one's turn, or the person holds none of the positions. */
export function checkSigning({ chain, actor_id }: Pick<CertificateFacts, 'chain' | 'actor_id'>): Reason[] {
  const next = nextSigner(chain)
  if (!next) return [{ code: 'certificate_signed_already' }]
  if (actor_id !== null && next.holder_id === actor_id) return []
  const own = chain.find((one) => one.holder_id !== null && one.holder_id === actor_id)
  if (!own) return [{ code: 'certificate_not_signer' }]
  return [
    own.signed ? { code: 'certificate_signed_already' } : { code: 'certificate_not_your_turn', data: named(next) },
  ]
}

/** A paper of a certificate, as far as it decides what its next printing is. */
export interface PrintFacts {
  /** Of the certificate. */
  readonly status: string
  /** Of the paper. */
  readonly state: 'valid' | 'revoked' | 'replaced' | 'expired'
  readonly printed: number
  /** Copies that were asked and paid for: so many are originals. */
  readonly copies: number
  readonly unpaid: string | null
}
/** States in which there is something to print. */
export const PRINTED_IN: readonly string[] = [
  'Ready To Deliver',
  'Delivered',
  'Delivered By Mail',
  'Delivered By Manual',
]
/** Which printing comes next: its number, and whether it is an original. */
export const nextPrint = ({ printed, copies }: Pick<PrintFacts, 'printed' | 'copies'>) => ({
  number: printed + 1,
  original: printed < copies,
})
/** Why a paper is not printed now. The state of the certificate is judged by whoever locks it. */
export const checkPrint = (facts: PrintFacts, reason: string | null): Reason[] => [
  ...(facts.state === 'valid' ? [] : [{ code: 'certificate_print_void' }]),
  ...checkPaid(facts),
  ...(nextPrint(facts).original || reason !== null
    ? []
    : [{ field: 'reason', code: 'certificate_print_reason', data: { count: facts.copies } }]),
]
