/** Why a slip of a bank is not issued, handed in or taken. Integers of the minor unit. */
import type { Reason } from '#kit/contract/issues.ts'

/** For so many days a slip is paid at the bank. */
export const SLIP_DAYS = 14

export interface IssueFacts {
  readonly reversed: boolean
  /** What of the part is open. */
  readonly open: number
  /** A slip of this part, or of all of it, that is out. */
  readonly live: {
    readonly number: string
    readonly status: string
    readonly amount: number
    readonly same: boolean
  } | null
  /** Accounts that the invoice may be paid into. */
  readonly accounts: readonly number[]
  /** The account that was asked for. */
  readonly bank_id: number | null
  readonly currency: string
}
/** A slip that nobody has paid with, of the same part, and of which the amount has changed: it makes room. */
export const isOutdated = ({ live, open }: Pick<IssueFacts, 'live' | 'open'>): boolean =>
  live !== null && live.same && live.status === 'issued' && live.amount !== open

/** Every reason why no slip is issued. */
export function checkIssue(of: IssueFacts): Reason[] {
  return [
    ...(of.reversed ? [{ code: 'slip_reversed' }] : []),
    ...(!of.reversed && of.open <= 0 ? [{ code: 'invoice_nothing_open' }] : []),
    ...(of.live && !isOutdated(of)
      ? [{ code: of.live.status === 'uploaded' ? 'slip_checked' : 'slip_live', data: { number: of.live.number } }]
      : []),
    ...(of.accounts.length === 0 ? [{ code: 'slip_no_account', data: { currency: of.currency } }] : []),
    ...(of.accounts.length > 0 && of.bank_id !== null && !of.accounts.includes(of.bank_id)
      ? [{ field: 'bank_id', code: 'slip_other_account' }]
      : []),
  ]
}

export interface UploadFacts {
  readonly status: string
  readonly issued_on: string
  readonly expires_on: string
  readonly today: string
  /** The day of the bank's stamp. */
  readonly paid_on: string
  /** What the bank calls the payment was booked already, by whatever. */
  readonly used: boolean
  /** Another slip of the same part that is out. */
  readonly other: string | null
}
/** Every reason why a stamped slip is not taken in. */
export function checkUpload(of: UploadFacts): Reason[] {
  return [
    ...(['accepted', 'cancelled'].includes(of.status) ? [{ code: 'slip_decided' }] : []),
    ...(of.paid_on > of.today ? [{ field: 'paid_on', code: 'slip_future' }] : []),
    ...(of.paid_on < of.issued_on ? [{ field: 'paid_on', code: 'slip_before', data: { date: of.issued_on } }] : []),
    // What was stamped in time may be handed in later.
    ...(of.paid_on > of.expires_on ? [{ field: 'paid_on', code: 'slip_expired', data: { date: of.expires_on } }] : []),
    ...(of.used ? [{ field: 'bank_reference', code: 'bank_reference_used' }] : []),
    ...(of.other !== null ? [{ code: 'slip_live', data: { number: of.other } }] : []),
  ]
}

export interface AcceptFacts {
  /** What the bank calls it was booked already. */
  readonly used: boolean
  /** A movement of a saved file of the bank that is the same money. */
  readonly line: { readonly number: string; readonly explained: boolean } | null
}
/** Every reason why a stamped slip is not booked. */
export function checkAccept({ used, line }: AcceptFacts): Reason[] {
  return [
    ...(used ? [{ code: 'bank_reference_used' }] : []),
    ...(line ? [{ code: line.explained ? 'slip_came' : 'slip_in_file', data: { number: line.number } }] : []),
  ]
}

/** What a person enters of money that came into a bank account. */
export interface EnterFacts {
  readonly today: string
  readonly paid_on: string
  readonly currency: string
  /** The currency of the account; null: there is no such account. */
  readonly account: string | null
  readonly used: boolean
  readonly line: AcceptFacts['line']
  /** Of an invoice that was named: whose and in which currency it is. */
  readonly invoice: { readonly own: boolean; readonly currency: string; readonly reversed: boolean } | null
}
/** Every reason why money is not entered by hand. */
export function checkEnter(of: EnterFacts): Reason[] {
  return [
    ...(of.paid_on > of.today ? [{ field: 'paid_on', code: 'slip_future' }] : []),
    ...(of.account === null ? [{ field: 'bank_id', code: 'lookup_not_found' }] : []),
    ...(of.account !== null && of.account !== of.currency
      ? [{ field: 'currency', code: 'slip_currency', data: { currency: of.account } }]
      : []),
    ...(of.invoice && (!of.invoice.own || of.invoice.currency !== of.currency || of.invoice.reversed)
      ? [{ field: 'invoice_id', code: 'slip_invoice_of_other' }]
      : []),
    ...checkAccept(of).map((one) => (one.code === 'bank_reference_used' ? { ...one, field: 'bank_reference' } : one)),
  ]
}

/** What the bank calls a payment, without what is written between its parts: as the database keeps it. */
export const referenceKey = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
