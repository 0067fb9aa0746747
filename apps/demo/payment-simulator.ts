/**
 * FawryPay and Paymob Accept on this machine, for development, the demo and the tests: the same addresses, bodies and
 * signatures as published, and pages on which one pays, declines, pays late or twice, or is silent. No money moves.
 */
import { randomInt, randomUUID } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decimalOf, minorOfProvider } from '#areas/money/transactions/providers/amounts.rules.ts'
import { writtenField } from '#areas/money/transactions/providers/events.rules.ts'
import type { Written } from '#areas/money/transactions/providers/events.rules.ts'
import { cancelText, chargeText, refundText, statusText } from '#areas/money/transactions/providers/fawry.rules.ts'
import { hmacText, signedFields } from '#areas/money/transactions/providers/paymob.rules.ts'
import { hmacSha512, readWritten, sha256 } from '#areas/money/transactions/providers/signing.server.ts'
import { cardPage, listPage, orderPage } from './payment-simulator-pages.ts'
import {
  KNOWN,
  secretsOfChance,
  type SimulatedPayment,
  type SimulatedOrder,
  ACTIONS,
  type SimulatorAction,
  type PaymentSimulator,
  type Asked,
  type Answered,
  WAIT,
  serve,
  stateOf,
  fawrySays,
  paymobTransaction,
  refused,
} from './simulated-payment.ts'

/**
 * @param options.file where orders are kept between two starts
 * @param options.ofChance secrets are made by chance, and told by `variables` alone
 */
export async function openPaymentSimulator({
  port = 0,
  callbacks = 'http://localhost:3000',
  file,
  ofChance = false,
}: { port?: number; callbacks?: string; file?: string; ofChance?: boolean } = {}): Promise<PaymentSimulator> {
  const SECRETS: Record<keyof typeof KNOWN, string> = ofChance ? secretsOfChance() : KNOWN
  let target = callbacks
  let isDown = false
  let takesNone = false
  let first = false
  let lossy = false
  let quiet = false
  /** What Fawry says of an order of which something went back. */
  const refundWords = new Map<string, 'REFUNDED' | 'PARTIAL_REFUNDED'>()
  const orders = new Map<string, SimulatedOrder>()
  const tokens = new Set<string>()

  const keep = (): void => {
    if (!file) return
    writeFileSync(`${file}.new`, JSON.stringify([...orders.values()]))
    renameSync(`${file}.new`, file)
  }
  try {
    if (file)
      for (const order of JSON.parse(readFileSync(file, 'utf8')) as SimulatedOrder[]) orders.set(order.number, order)
  } catch {
    // The first start, or a file that was cut off: nothing is lost but what was played.
  }
  const newNumber = (): string => {
    for (;;) {
      const number = String(randomInt(900_000_000, 999_999_999))
      if (!orders.has(number)) return number
    }
  }
  // What the providers say.

  const transactionOf = (order: SimulatedOrder, payment: SimulatedPayment) =>
    paymobTransaction(order, payment, integrationOf(order.currency))
  /** As it is read on the other side: numbers as they are written. */
  const hmacOf = (transaction: Written): string =>
    hmacSha512(SECRETS.PAYMOB_HMAC_SECRET, hmacText(signedFields(readWritten(JSON.stringify(transaction))!)))

  async function tell(order: SimulatedOrder, what: string, path: string, body: Written): Promise<void> {
    let answer: string
    try {
      const response = await fetch(`${target}/api/payments/callback/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(WAIT),
      })
      await response.arrayBuffer()
      answer = String(response.status)
    } catch (error) {
      answer = (error as Error).name
    }
    order.told.push({ at: new Date().toISOString(), what, answer })
    if (order.told.length > 50) order.told.shift()
    keep()
  }
  const tellFawry = (order: SimulatedOrder, given?: { amount?: number; word?: string }): Promise<void> => {
    const body = fawrySays(SECRETS.FAWRY_SECURE_KEY, order, given)
    return tell(order, writtenField(body, 'orderStatus'), 'fawry', body)
  }
  const tellPaymob = (order: SimulatedOrder, payment: SimulatedPayment): Promise<void> => {
    const obj = transactionOf(order, payment)
    const what = payment.refunds ? 'refund' : payment.success ? 'success' : 'declined'
    return tell(order, what, `paymob?hmac=${hmacOf(obj)}`, { type: 'TRANSACTION', obj })
  }

  function pay(order: SimulatedOrder, { amount = order.amount, success = true } = {}): SimulatedPayment {
    const payment: SimulatedPayment = {
      id: String(randomInt(100_000_000, 2_000_000_000)),
      amount,
      success,
      at: new Date().toISOString(),
      refunded: 0,
    }
    order.payments.push(payment)
    order.status = success ? 'paid' : 'failed'
    keep()
    return payment
  }

  async function act(number: string, action: SimulatorAction): Promise<SimulatedOrder> {
    const order = orders.get(number)
    if (!order) throw new Error(`No order ${number}`)
    const isFawry = order.provider === 'fawry'
    const say = (payment: SimulatedPayment) => (isFawry ? tellFawry(order) : tellPaymob(order, payment))
    switch (action) {
      case 'pay':
        await say(pay(order))
        break
      case 'pay_silently':
        pay(order)
        break
      case 'tell_twice': {
        // The same message again, as providers send it when our answer was lost.
        const payment = order.payments.findLast((p) => p.success) ?? pay(order)
        const body = isFawry
          ? fawrySays(SECRETS.FAWRY_SECURE_KEY, order)
          : { type: 'TRANSACTION', obj: transactionOf(order, payment) }
        const path = isFawry ? 'fawry' : `paymob?hmac=${hmacOf(body.obj as Written)}`
        await tell(order, 'success', path, body)
        await tell(order, 'success, again', path, body)
        break
      }
      case 'pay_twice':
        await say(pay(order))
        await say(pay(order))
        break
      case 'pay_other_amount':
        await say(pay(order, { amount: Math.max(1, order.amount - 100) }))
        break
      case 'decline':
        if (isFawry) {
          order.status = 'failed'
          await tellFawry(order)
        } else await tellPaymob(order, pay(order, { success: false }))
        break
      case 'expire':
        order.status = 'expired'
        if (isFawry) await tellFawry(order)
        break
      case 'tell_refund': {
        // Of what went back, whether it was told or not.
        const back = order.payments.findLast((p) => p.refunds !== undefined)
        if (isFawry) await tellFawry(order, { word: refundWords.get(order.number) ?? 'PARTIAL_REFUNDED' })
        else if (back) await tellPaymob(order, back)
        break
      }
      case 'fail_after_paid':
        if (isFawry) await tellFawry(order, { word: 'EXPIRED' })
        else await tellPaymob(order, { ...pay(order, { success: false }) })
        order.status = 'paid'
        break
      case 'forge': {
        const payment: SimulatedPayment = {
          id: '1',
          amount: order.amount,
          success: true,
          at: new Date().toISOString(),
          refunded: 0,
        }
        if (isFawry)
          await tell(order, 'forged', 'fawry', {
            ...fawrySays(SECRETS.FAWRY_SECURE_KEY, order, { word: 'PAID' }),
            messageSignature: sha256('guess'),
          })
        else
          await tell(order, 'forged', `paymob?hmac=${hmacSha512('guess', number)}`, {
            type: 'TRANSACTION',
            obj: transactionOf(order, payment),
          })
        break
      }
    }
    keep()
    return order
  }

  // What they are asked.

  function addOrder(
    given: Omit<SimulatedOrder, 'number' | 'created' | 'status' | 'payments' | 'told' | 'keys'>,
  ): SimulatedOrder {
    const order: SimulatedOrder = {
      ...given,
      number: newNumber(),
      created: new Date().toISOString(),
      status: 'new',
      payments: [],
      told: [],
      keys: [],
    }
    orders.set(order.number, order)
    keep()
    return order
  }

  async function fawryCharge({ body }: Asked): Promise<Answered> {
    const of = (key: string) => writtenField(body, key)
    const charge = {
      merchantCode: of('merchantCode'),
      merchantRefNum: of('merchantRefNum'),
      customerProfileId: of('customerProfileId'),
      paymentMethod: of('paymentMethod'),
      amount: of('amount'),
    }
    const amount = minorOfProvider(charge.amount)
    if (charge.merchantCode !== SECRETS.FAWRY_MERCHANT_CODE) return refused(9901, 'Merchant code is not valid')
    if (of('signature') !== sha256(chargeText(charge, SECRETS.FAWRY_SECURE_KEY)))
      return refused(9946, 'INVALID_SIGNATURE')
    if (takesNone || !amount || charge.paymentMethod !== 'PAYATFAWRY') return refused(9935, 'Invalid charge')
    if ([...orders.values()].some((o) => o.reference === charge.merchantRefNum))
      return refused(9950, 'Merchant reference number is used already')
    const order = addOrder({
      provider: 'fawry',
      reference: charge.merchantRefNum,
      amount,
      currency: 'EGP',
      what: of('description'),
      payer: of('customerName'),
      expires: new Date(Number(of('paymentExpiry'))).toISOString(),
    })
    if (first) await act(order.number, 'pay')
    return {
      status: lossy ? 503 : 200,
      body: {
        type: 'ChargeResponse',
        referenceNumber: order.number,
        merchantRefNumber: order.reference,
        orderAmount: decimalOf(amount),
        expirationTime: Date.parse(order.expires),
        statusCode: 200,
        statusDescription: 'Operation done successfully',
      },
    }
  }
  function fawryStatus({ url }: Asked): Answered {
    const reference = url.searchParams.get('merchantRefNumber') ?? ''
    const right = sha256(statusText(SECRETS.FAWRY_MERCHANT_CODE, reference, SECRETS.FAWRY_SECURE_KEY))
    if (url.searchParams.get('signature') !== right) return refused(9946, 'INVALID_SIGNATURE')
    const order = [...orders.values()].find((o) => o.provider === 'fawry' && o.reference === reference)
    const word = order && refundWords.get(order.number)
    return order
      ? { status: 200, body: fawrySays(SECRETS.FAWRY_SECURE_KEY, order, word ? { word } : {}) }
      : refused(9938, 'Order is not found')
  }
  function fawryRefund({ body }: Asked): Answered {
    const refund = {
      merchantCode: writtenField(body, 'merchantCode'),
      referenceNumber: writtenField(body, 'referenceNumber'),
      refundAmount: writtenField(body, 'refundAmount'),
      reason: writtenField(body, 'reason'),
    }
    if (writtenField(body, 'signature') !== sha256(refundText(refund, SECRETS.FAWRY_SECURE_KEY)))
      return refused(9946, 'INVALID_SIGNATURE')
    const order = orders.get(refund.referenceNumber)
    const payment = order?.payments.findLast((p) => p.success)
    const amount = minorOfProvider(refund.refundAmount)
    if (!order || !payment || !amount || amount > payment.amount - payment.refunded)
      return refused(9939, 'Refund is not possible')
    payment.refunded += amount
    const whole = payment.refunded === payment.amount
    if (whole) order.status = 'refunded'
    const word = whole ? 'REFUNDED' : 'PARTIAL_REFUNDED'
    refundWords.set(order.number, word)
    if (!quiet) void tellFawry(order, { word })
    return {
      status: lossy ? 503 : 200,
      body: { type: 'ResponseDataModel', statusCode: 200, statusDescription: 'Operation done successfully' },
    }
  }

  async function fawryCancel({ body }: Asked): Promise<Answered> {
    const cancel = {
      merchantAccount: writtenField(body, 'merchantAccount'),
      orderRefNo: writtenField(body, 'orderRefNo'),
      lang: writtenField(body, 'lang'),
    }
    if (writtenField(body, 'signature') !== sha256(cancelText(cancel, SECRETS.FAWRY_SECURE_KEY)))
      return refused(9946, 'INVALID_SIGNATURE')
    const order = orders.get(cancel.orderRefNo)
    if (order?.provider !== 'fawry') return refused(9938, 'Order is not found')
    stateOf(order)
    if (order.status !== 'new') return refused(9928, 'Only an unpaid order can be cancelled')
    order.status = 'cancelled'
    await tellFawry(order)
    return { status: 200, body: { code: '200', description: 'Operation done successfully', reason: null } }
  }

  const integrationOf = (currency: string): string =>
    currency === 'EGP' ? SECRETS.PAYMOB_INTEGRATION_ID : SECRETS.PAYMOB_INTEGRATION_ID_USD
  const known = ({ body }: Asked): boolean => tokens.has(writtenField(body, 'auth_token'))
  const UNKNOWN: Answered = { status: 401, body: { detail: 'incorrect credentials' } }
  async function paymobAsked(path: string, asked: Asked): Promise<Answered | null> {
    const { body } = asked
    const of = (key: string) => writtenField(body, key)
    if (path === '/api/auth/tokens') {
      if (of('api_key') !== SECRETS.PAYMOB_API_KEY) return UNKNOWN
      const token = randomUUID()
      tokens.add(token)
      return { status: 201, body: { token, profile: { id: 1 } } }
    }
    if (path === '/api/ecommerce/orders') {
      if (!known(asked)) return UNKNOWN
      if (takesNone) return { status: 400, body: { message: 'the merchant takes no orders' } }
      const reference = of('merchant_order_id')
      if ([...orders.values()].some((o) => o.reference === reference))
        return { status: 422, body: { message: 'duplicate' } }
      const order = addOrder({
        provider: 'paymob',
        reference,
        amount: Number(of('amount_cents')),
        currency: of('currency'),
        what: reference,
        payer: '',
        expires: new Date(Date.now() + 86_400_000).toISOString(),
      })
      return {
        status: 201,
        body: { id: Number(order.number), merchant_order_id: reference, amount_cents: order.amount },
      }
    }
    if (path === '/api/acceptance/payment_keys') {
      if (!known(asked)) return UNKNOWN
      const order = orders.get(of('order_id'))
      if (
        !order ||
        of('integration_id') !== integrationOf(order.currency) ||
        Number(of('amount_cents')) !== order.amount
      )
        return { status: 400, body: { message: 'the order cannot be paid so' } }
      const key = randomUUID()
      order.keys.push(key)
      keep()
      if (first) await act(order.number, 'pay')
      return { status: lossy ? 503 : 201, body: { token: key } }
    }
    if (path === '/api/ecommerce/orders/transaction_inquiry') {
      if (!known(asked)) return UNKNOWN
      const order =
        orders.get(of('order_id')) ?? [...orders.values()].find((o) => o.reference === of('merchant_order_id'))
      const payment = order?.payments.findLast((p) => p.success) ?? order?.payments.at(-1)
      return order && payment
        ? { status: 200, body: transactionOf(order, payment) }
        : { status: 404, body: { detail: 'Not found.' } }
    }
    if (path.startsWith('/api/acceptance/transactions/')) {
      if (!tokens.has(asked.token)) return UNKNOWN
      const id = path.slice('/api/acceptance/transactions/'.length)
      const order = [...orders.values()].find((o) => o.payments.some((p) => p.id === id))
      return order
        ? {
            status: 200,
            body: transactionOf(
              order,
              order.payments.find((p) => p.id === id)!,
            ),
          }
        : { status: 404, body: { detail: 'Not found.' } }
    }
    if (path === '/api/acceptance/void_refund/refund') {
      if (!known(asked)) return UNKNOWN
      const id = of('transaction_id')
      const order = [...orders.values()].find((o) => o.payments.some((p) => p.id === id))
      const payment = order?.payments.find((p) => p.id === id)
      const amount = Number(of('amount_cents'))
      if (!order || !payment?.success || !(amount > 0) || amount > payment.amount - payment.refunded)
        return { status: 400, body: { message: 'the amount cannot be refunded' } }
      payment.refunded += amount
      if (payment.refunded === payment.amount) order.status = 'refunded'
      const back: SimulatedPayment = {
        id: String(randomInt(100_000_000, 2_000_000_000)),
        amount,
        success: true,
        at: new Date().toISOString(),
        refunded: 0,
        refunds: id,
      }
      order.payments.push(back)
      if (!quiet) void tellPaymob(order, back)
      return { status: lossy ? 503 : 201, body: transactionOf(order, back) }
    }
    return null
  }

  // Pages.

  /** What a browser is sent back with: the same fields as a callback, in the address. */
  function returnOf(order: SimulatedOrder, payment: SimulatedPayment): string {
    const transaction = transactionOf(order, payment)
    const { 'order.id': number, ...fields } = signedFields(readWritten(JSON.stringify(transaction))!)
    const query = new URLSearchParams({
      ...fields,
      order: number,
      merchant_order_id: order.reference,
      hmac: hmacOf(transaction),
    })
    return `${target}/api/payments/callback/paymob?${query}`
  }
  async function pageAsked(path: string, { method, url, form, lang }: Asked): Promise<Answered> {
    if (path.startsWith('/api/acceptance/iframes/')) {
      const key = url.searchParams.get('payment_token') ?? ''
      const order = [...orders.values()].find((o) => o.keys.includes(key))
      if (!order) return { status: 404, page: listPage([], lang, path) }
      if (method !== 'POST') return { status: 200, page: cardPage(order, lang) }
      await act(order.number, form.get('action') === 'decline' ? 'decline' : 'pay')
      return { status: 303, to: returnOf(order, order.payments.at(-1)!) }
    }
    const number =
      /^\/orders\/(\d+)$/.exec(path)?.[1] ?? (path === '/orders' ? (url.searchParams.get('number') ?? '') : '')
    const order = orders.get(number.trim())
    if (order && method === 'POST') {
      const action = ACTIONS.find((known) => known === form.get('action'))
      if (action) await act(order.number, action)
      return { status: 303, to: `/orders/${order.number}?lang=${lang}` }
    }
    if (order) {
      stateOf(order)
      return { status: 200, page: orderPage(order, lang) }
    }
    if (method === 'POST' && path === '/down') {
      isDown = form.get('down') === 'true'
      return { status: 303, to: `/?lang=${lang}` }
    }
    const newest = [...orders.values()].toSorted((a, b) => b.created.localeCompare(a.created)).slice(0, 100)
    for (const one of newest) stateOf(one)
    return {
      status: path === '/' ? 200 : 404,
      page: listPage(newest, lang, path === '/' ? '' : number || path, isDown),
    }
  }

  async function answer(asked: Asked): Promise<Answered> {
    const path = asked.url.pathname
    const isPage =
      !path.startsWith('/ECommerceWeb/') && (!path.startsWith('/api/') || path.startsWith('/api/acceptance/iframes/'))
    if (isPage) return pageAsked(path, asked)
    if (isDown) return { status: 503, body: { message: 'Service Unavailable' } }
    if (path === '/ECommerceWeb/Fawry/payments/charge') return fawryCharge(asked)
    if (path === '/ECommerceWeb/Fawry/payments/status/v2') return fawryStatus(asked)
    if (path === '/ECommerceWeb/Fawry/payments/refund') return fawryRefund(asked)
    if (path === '/ECommerceWeb/api/orders/cancel-unpaid-order') return fawryCancel(asked)
    return (await paymobAsked(path, asked)) ?? { status: 404, body: { detail: 'Not found.' } }
  }

  const server: Server = createServer((request, response) => {
    void serve(request, response, answer).catch(() => response.writeHead(500).end())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    variables: { FAWRY_URL: url, PAYMOB_URL: url, ...SECRETS },
    callBack: (to) => void (target = to),
    orders: () => [...orders.values()],
    act,
    down: (is) => void (isDown = is),
    refuse: (is) => void (takesNone = is),
    payFirst: (is) => void (first = is),
    loseAnswers: (is) => void (lossy = is),
    tellNoRefunds: (is) => void (quiet = is),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
