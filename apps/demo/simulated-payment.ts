import { randomUUID, randomBytes } from 'node:crypto'
import { decimalOf } from '#areas/money/transactions/providers/amounts.rules.ts'
import { notificationText } from '#areas/money/transactions/providers/fawry.rules.ts'
import { sha256, readWritten } from '#areas/money/transactions/providers/signing.server.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Written } from '#areas/money/transactions/providers/events.rules.ts'

/** By what the application and the simulator know each other, as it is tried: settings of the application. */
export const KNOWN = {
  FAWRY_MERCHANT_CODE: 'ems-simulator==',
  FAWRY_SECURE_KEY: 'fawry-only-on-this-machine',
  PAYMOB_API_KEY: 'paymob-only-on-this-machine',
  PAYMOB_HMAC_SECRET: '5151515151515151E5151515151515E5',
  PAYMOB_INTEGRATION_ID: '4001',
  PAYMOB_INTEGRATION_ID_USD: '4002',
  PAYMOB_IFRAME_ID: '7001',
} as const

/** Others at each start: nobody who knows this program signs a payment. */
export const secretsOfChance = (): Record<keyof typeof KNOWN, string> => {
  const chance = () => randomBytes(24).toString('base64url')
  return { ...KNOWN, FAWRY_SECURE_KEY: chance(), PAYMOB_API_KEY: chance(), PAYMOB_HMAC_SECRET: chance() }
}

export type SimulatedProvider = 'fawry' | 'paymob'

export interface SimulatedPayment {
  readonly id: string
  readonly amount: number
  readonly success: boolean
  readonly at: string
  refunded: number
  /** The payment that this one gives back. */
  readonly refunds?: string
}
export interface SimulatedOrder {
  readonly provider: SimulatedProvider
  /** The number one pays at Fawry, the order at Paymob. */
  readonly number: string
  readonly reference: string
  readonly amount: number
  readonly currency: string
  readonly what: string
  readonly payer: string
  readonly created: string
  readonly expires: string
  status: 'new' | 'paid' | 'failed' | 'expired' | 'cancelled' | 'refunded'
  readonly payments: SimulatedPayment[]
  /** Callbacks that were sent, newest last. */
  readonly told: { at: string; what: string; answer: string }[]
  /** Keys of payments given out for it (Paymob). */
  readonly keys: string[]
}

/** What one does with an order. */
export const ACTIONS = [
  'pay',
  'decline',
  'expire',
  'pay_silently',
  'tell_twice',
  'pay_twice',
  'pay_other_amount',
  'forge',
  'fail_after_paid',
  'tell_refund',
] as const
export type SimulatorAction = (typeof ACTIONS)[number]

export interface PaymentSimulator {
  readonly url: string
  /** Variables with which the application is started to pay here. */
  readonly variables: Readonly<Record<string, string>>
  /** Where callbacks go to: addresses of the application, without a slash at the end. */
  callBack(to: string): void
  orders(): readonly SimulatedOrder[]
  act(number: string, action: SimulatorAction): Promise<SimulatedOrder>
  /** Answers nothing but 503 until told otherwise. */
  down(is: boolean): void
  /** Takes no charge, and says so, until told otherwise. */
  refuse(is: boolean): void
  /** Pays and tells before the charge itself is answered. */
  payFirst(is: boolean): void
  /** The charge, or the refund, is kept, and its answer lost on the way. */
  loseAnswers(is: boolean): void
  /** Refunds are not told by callbacks. */
  tellNoRefunds(is: boolean): void
  close(): Promise<void>
}

export interface Asked {
  readonly method: string
  readonly url: URL
  readonly body: Written
  readonly form: URLSearchParams
  /** Of who asks, where it is not in the body. */
  readonly token: string
  readonly lang: 'ar' | 'en'
}
export interface Answered {
  readonly status: number
  readonly body?: unknown
  readonly page?: string
  readonly to?: string
}

const LARGEST = 64_000
export const WAIT = 10_000

export async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (asked: Asked) => Promise<Answered>,
): Promise<void> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > LARGEST) return void response.writeHead(413).end()
    parts.push(part)
  }
  const text = Buffer.concat(parts).toString('utf8')
  const url = new URL(request.url ?? '/', 'http://simulator')
  const chosen = url.searchParams.get('lang') ?? (request.headers['accept-language'] ?? '').slice(0, 2)
  const { status, body, page, to } = await answer({
    method: request.method ?? 'GET',
    url,
    body: request.headers['content-type']?.includes('json') ? (readWritten(text) ?? {}) : {},
    form: new URLSearchParams(text),
    token: (request.headers.authorization ?? '').replace(/^Bearer /, ''),
    lang: chosen === 'ar' ? 'ar' : 'en',
  })
  if (to) response.writeHead(status, { location: to }).end()
  else if (page !== undefined)
    response
      .writeHead(status, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      })
      .end(page)
  else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Where an order stands now: what was not paid in time has expired. */
export const stateOf = (order: SimulatedOrder): SimulatedOrder['status'] => {
  if (order.status === 'new' && Date.parse(order.expires) < Date.now()) order.status = 'expired'
  return order.status
}

const FAWRY_WORDS = {
  new: 'NEW',
  paid: 'PAID',
  failed: 'CANCELED',
  expired: 'EXPIRED',
  cancelled: 'CANCELED',
  refunded: 'REFUNDED',
} as const
/** What Fawry says of an order, signed by its key. */
export function fawrySays(
  key: string,
  order: SimulatedOrder,
  { amount, word }: { amount?: number; word?: string } = {},
): Written {
  const paid = amount ?? order.payments.findLast((p) => p.success)?.amount ?? order.amount
  const body: Written = {
    requestId: randomUUID().replaceAll('-', ''),
    fawryRefNumber: order.number,
    merchantRefNumber: order.reference,
    customerName: order.payer,
    paymentAmount: decimalOf(paid),
    orderAmount: decimalOf(paid),
    fawryFees: '0.00',
    orderStatus: word ?? FAWRY_WORDS[stateOf(order)],
    paymentMethod: 'PAYATFAWRY',
    orderExpiryDate: Date.parse(order.expires),
  }
  return { ...body, messageSignature: sha256(notificationText(body, key)!) }
}

/** What Fawry answers to what it does not take. */
export const refused = (statusCode: number, statusDescription: string): Answered => ({
  status: 200,
  body: { type: 'ChargeResponse', statusCode, statusDescription },
})

/** What Paymob says of a payment, or of one that gives another back. */
export function paymobTransaction(order: SimulatedOrder, payment: SimulatedPayment, integration: string): Written {
  return {
    id: Number(payment.id),
    pending: false,
    amount_cents: payment.amount,
    success: payment.success,
    is_auth: false,
    is_capture: false,
    is_standalone_payment: true,
    is_voided: false,
    is_refunded: payment.refunded > 0,
    refunded_amount_cents: payment.refunded,
    is_refund: payment.refunds !== undefined,
    is_3d_secure: true,
    integration_id: Number(integration),
    has_parent_transaction: payment.refunds !== undefined,
    parent_transaction: payment.refunds ? Number(payment.refunds) : null,
    order: { id: Number(order.number), amount_cents: order.amount, merchant_order_id: order.reference },
    created_at: payment.at.replace('Z', '000'),
    currency: order.currency,
    source_data: { pan: '2346', type: 'card', sub_type: 'MasterCard' },
    error_occured: false,
    owner: 302852,
  }
}
