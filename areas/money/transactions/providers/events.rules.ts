export const PROVIDERS = ['fawry', 'paymob'] as const
export type ProviderName = (typeof PROVIDERS)[number]

/** What a provider says of a payment; only ever made of what it signed, or of what it answered when we asked. */
export interface ProviderEvent {
  readonly provider: ProviderName
  /** By which this news is known again when it comes twice. */
  readonly event_id: string
  /** Our reference of the charge; null where the provider does not repeat it. */
  readonly reference: string | null
  /** Whether the signature covers `reference`; else it only helps to find what to ask about. */
  readonly reference_signed: boolean
  /** The order at the provider. */
  readonly order: string
  /** The payment at the provider: booked once. */
  readonly payment: string
  readonly status: 'waiting' | 'paid' | 'failed' | 'expired' | 'refunded'
  /** Minor units. */
  readonly amount: number
  readonly currency: string
  /** What the provider keeps or adds, minor units. */
  readonly fee: number
  /** What of the payment went back there by now, minor units, where it says so. */
  readonly refunded?: number | null
  /** Whether all of it went back, where it says so. */
  readonly whole?: boolean | null
}

/** A body as it came, with numbers as they were written. */
export type Written = Readonly<Record<string, unknown>>

/** Text of a field, as it was written; empty where it is not there. */
export const writtenField = (of: Written | undefined, key: string): string => {
  const value = of?.[key]
  return typeof value === 'string' ? value : typeof value === 'boolean' ? String(value) : ''
}
export const insideWritten = (of: Written | undefined, key: string): Written | undefined => {
  const value = of?.[key]
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Written) : undefined
}

/**
 * Our references of charges. Providers sign fields written one behind the other, with nothing between: a reference of a fixed
 * length that begins and ends with a letter cannot lend a digit to its neighbours.
 */
export const REFERENCE = /^EM[0-9A-HJKMNP-TV-Z]{13}S$/
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** A reference of 13 bytes of chance. */
export const paymentReferenceOf = (chance: Uint8Array): string =>
  `EM${Array.from(chance.slice(0, 13), (byte) => ALPHABET[byte & 31]).join('')}S`

export interface Charged {
  readonly status: 'new' | 'pending' | 'paid' | 'failed' | 'expired' | 'rejected' | 'cancelled'
  readonly amount: number
  readonly currency: string
  /** The payment at the provider that was booked for it. */
  readonly payment: string | null
}

/** What becomes of news about one of our charges. */
export type Verdict =
  | 'booked'
  /** Paid after it was given up: booked, and told. */
  | 'booked_late'
  | 'recorded'
  /** Known already. */
  | 'repeated'
  /** Contradicts what is true by now, in a way that means nothing: failed after paid. */
  | 'outdated'
  | 'forged'
  | 'unknown'
  /** Paid, but not what was asked. */
  | 'differs'
  /** Paid a second time. */
  | 'again'
  /** Paid after somebody cancelled it. */
  | 'ended'
  /** Given back at the provider, not by us. */
  | 'refunded'

/** Judges news about a charge; null where nothing is known by its reference. Nothing is booked but what was asked. */
export function judgeEvent(event: ProviderEvent, charge: Charged | null): Verdict {
  if (!charge) return 'unknown'
  if (event.status === 'waiting') return 'recorded'
  if (event.status === 'refunded') return 'refunded'
  if (event.status === 'failed' || event.status === 'expired')
    return charge.status === 'new' || charge.status === 'pending'
      ? 'recorded'
      : charge.status === event.status
        ? 'repeated'
        : 'outdated'
  if (charge.payment === event.payment) return 'repeated'
  if (event.amount !== charge.amount || event.currency !== charge.currency) return 'differs'
  if (charge.payment !== null || charge.status === 'paid') return 'again'
  if (charge.status === 'cancelled' || charge.status === 'rejected') return 'ended'
  // A card that was declined is tried again, and that is no news.
  return charge.status === 'expired' ? 'booked_late' : 'booked'
}
