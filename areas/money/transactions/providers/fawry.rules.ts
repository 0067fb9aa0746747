/**
 * FawryPay: what is signed, and what its notifications say. A signature is the SHA-256 of fields written one behind the
 * other, the secret at the end.
 * https://developer.fawrystaging.com/docs/server-apis/create-payment-refno-apis
 * https://developer.fawrystaging.com/docs/payment-notifications/server-notification-v2
 * https://developer.fawrystaging.com/docs/payment-notifications/get-payment-status-v2
 * https://developer.fawrystaging.com/docs/server-apis/refund-issue-api
 * https://developer.fawrystaging.com/docs/server-apis/cancel-payment-api
 */
import { decimalOf, minorOfProvider } from './amounts.rules.ts'
import { writtenField } from './events.rules.ts'
import type { ProviderEvent, Written } from './events.rules.ts'

export interface FawryCharge {
  readonly merchantCode: string
  readonly merchantRefNum: string
  readonly customerProfileId: string
  readonly paymentMethod: string
  /** With two decimals. */
  readonly amount: string
}
export const chargeText = (c: FawryCharge, secureKey: string): string =>
  c.merchantCode + c.merchantRefNum + c.customerProfileId + c.paymentMethod + c.amount + secureKey

export const statusText = (merchantCode: string, merchantRefNumber: string, secureKey: string): string =>
  merchantCode + merchantRefNumber + secureKey

export interface FawryRefund {
  readonly merchantCode: string
  readonly referenceNumber: string
  /** With two decimals. */
  readonly refundAmount: string
  readonly reason: string
}
export const refundText = (r: FawryRefund, secureKey: string): string =>
  r.merchantCode + r.referenceNumber + r.refundAmount + r.reason + secureKey

export interface FawryCancel {
  readonly merchantAccount: string
  /** FawryPay's number of the order. */
  readonly orderRefNo: string
  /** In which the payer is told: `ar-eg` or `en-gb`. */
  readonly lang: string
}
export const cancelText = (c: FawryCancel, secureKey: string): string =>
  c.orderRefNo + c.merchantAccount + c.lang + secureKey

/** Two decimals of an amount as it was written (`840.0`, `152`); null when it is none. */
const twoDecimals = (amount: string): string | null => {
  const minor = minorOfProvider(amount)
  return minor === null ? null : decimalOf(minor)
}

/** What the signature of a notification, or of an answer about a status, covers; null when it lacks something. */
export function notificationText(body: Written, secureKey: string): string | null {
  const payment = twoDecimals(writtenField(body, 'paymentAmount'))
  const order = twoDecimals(writtenField(body, 'orderAmount'))
  if (payment === null || order === null) return null
  return [
    writtenField(body, 'fawryRefNumber'),
    writtenField(body, 'merchantRefNumber'),
    payment,
    order,
    writtenField(body, 'orderStatus'),
    writtenField(body, 'paymentMethod'),
    writtenField(body, 'paymentRefrenceNumber'),
    secureKey,
  ].join('')
}

const STATUS: Readonly<Record<string, ProviderEvent['status']>> = {
  NEW: 'waiting',
  UNPAID: 'waiting',
  PAID: 'paid',
  CANCELED: 'failed',
  FAILED: 'failed',
  EXPIRED: 'expired',
  REFUNDED: 'refunded',
  PARTIAL_REFUNDED: 'refunded',
}

/** What a notification says whose signature was found right; null when it is about something else. */
export function fawryEvent(body: Written): ProviderEvent | null {
  const order = writtenField(body, 'fawryRefNumber')
  const orderStatus = writtenField(body, 'orderStatus').toUpperCase()
  const asked = minorOfProvider(writtenField(body, 'orderAmount'))
  const paid = minorOfProvider(writtenField(body, 'paymentAmount'))
  const status = STATUS[orderStatus]
  if (!/^\d{1,30}$/.test(order) || !status || asked === null || paid === null) return null
  return {
    provider: 'fawry',
    event_id: `${order}-${writtenField(body, 'requestId') || orderStatus}`.slice(0, 100),
    reference: writtenField(body, 'merchantRefNumber').slice(0, 60) || null,
    reference_signed: true,
    order,
    payment: order,
    status,
    // What was asked, and on top of it the fee where the payer bears it. Less than what was asked is less.
    amount: Math.min(asked, paid),
    currency: 'EGP',
    fee: minorOfProvider(writtenField(body, 'fawryFees')) ?? 0,
    ...(status === 'refunded' && { whole: orderStatus === 'REFUNDED' }),
  }
}
