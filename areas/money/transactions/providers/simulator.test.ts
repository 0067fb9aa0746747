/** Both clients against the simulator, through HTTP. */
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#kit/server/base/config.ts'
import { openPaymentSimulator } from '#demo/payment-simulator.ts'
import type { PaymentSimulator } from '#demo/simulated-payment.ts'
import { paymentReferenceOf } from './events.rules.ts'
import { fawryProvider } from './fawry.server.ts'
import { paymobProvider } from './paymob.server.ts'
import { ProviderDown, ProviderRefused } from './provider.server.ts'
import type { Charge, PaymentProvider } from './provider.server.ts'

let simulator: PaymentSimulator
let fawry: PaymentProvider
let paymob: PaymentProvider
beforeAll(async () => {
  simulator = await openPaymentSimulator({ callbacks: 'http://127.0.0.1:9' })
  const { payments } = readConfig(simulator.variables)
  fawry = fawryProvider(payments.fawry!)
  paymob = paymobProvider(payments.paymob!)
})
afterAll(() => simulator.close())

const charge = (more: Partial<Charge> = {}): Charge => ({
  reference: paymentReferenceOf(crypto.getRandomValues(new Uint8Array(13))),
  amount: 58055,
  currency: 'EGP',
  expires: new Date(Date.now() + 3_600_000),
  what: 'Tuition 2026',
  lang: 'ar',
  payer: { code: '20260001', name: 'منى أحمد', email: 'mona@university.example', phone: '01000000000' },
  ...more,
})

test('FawryPay: charge, status, refund; the same reference again finds the same number', async () => {
  const one = charge()
  const made = await fawry.create(one)
  expect(made).toMatchObject({ number: made.order, link: null })
  expect((await fawry.create(one)).number).toBe(made.number)
  expect(await fawry.status({ reference: one.reference, order: null })).toMatchObject({
    status: 'waiting',
    amount: 58055,
  })
  await expect(fawry.create({ ...one, amount: 1 })).rejects.toThrow(ProviderRefused)
  await simulator.act(made.order, 'pay')
  expect(await fawry.status({ reference: one.reference, order: null })).toMatchObject({
    status: 'paid',
    payment: made.number,
    reference_signed: true,
  })
  expect(await fawry.status({ reference: charge().reference, order: null })).toBe(null)
  await fawry.refund({ payment: made.order, amount: 8055, reason: 'too much' })
  await expect(fawry.refund({ payment: made.order, amount: 50001, reason: 'more' })).rejects.toThrow(ProviderRefused)
  await expect(fawry.create(charge({ currency: 'USD' }))).rejects.toThrow(ProviderRefused)
})

test('Paymob: order, key, the page of the card, inquiry, refund', async () => {
  const one = charge({ currency: 'USD' })
  const made = await paymob.create(one)
  expect(made.number).toBe(null)
  expect(await paymob.status({ reference: one.reference, order: made.order })).toBe(null)
  const page = await fetch(made.link!, { headers: { 'accept-language': 'ar' } })
  expect([page.status, /580\.55 USD/.test(await page.text())]).toEqual([200, true])
  const paid = await fetch(made.link!, {
    method: 'POST',
    body: new URLSearchParams({ action: 'pay' }),
    redirect: 'manual',
  })
  const back = new URL(paid.headers.get('location')!)
  expect(paymob.readReturn(Object.fromEntries(back.searchParams))).toEqual({ order: made.order })
  const event = await paymob.status({ reference: one.reference, order: null })
  expect(event).toMatchObject({
    status: 'paid',
    amount: 58055,
    currency: 'USD',
    order: made.order,
    reference_signed: true,
  })
  // Its order was registered: by the same reference no second one is.
  await expect(paymob.create(one)).rejects.toMatchObject({ code: '422' })
  await paymob.refund({ payment: event!.payment, amount: 58055, reason: 'all' })
  await expect(paymob.refund({ payment: event!.payment, amount: 1, reason: 'more' })).rejects.toThrow(ProviderRefused)
})

test('Paymob: what it answers about another order than the one asked for is no answer', async () => {
  const { payments } = readConfig(simulator.variables)
  let answer = { order: '71', reference: 'ours' }
  // A server that answers whatever it is asked.
  const server = createServer((request, reply) => {
    const { order, reference } = answer
    const body = request.url!.endsWith('/auth/tokens')
      ? { token: 'T' }
      : {
          id: 501,
          amount_cents: 1000,
          created_at: '2026-04-05T10:00:00',
          currency: 'EGP',
          error_occured: false,
          has_parent_transaction: false,
          integration_id: Number(payments.paymob!.integrations.EGP),
          is_auth: false,
          is_refunded: false,
          is_voided: false,
          owner: 802852,
          order: { id: Number(order), merchant_order_id: reference },
          pending: false,
          success: true,
        }
    reply.setHeader('content-type', 'application/json')
    reply.end(JSON.stringify(body))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  try {
    const { port } = server.address() as { port: number }
    const one = paymobProvider({ ...payments.paymob!, url: `http://127.0.0.1:${port}` })
    const status = async (asked: { reference: string; order: string | null; payment?: string }) =>
      (await one.status(asked))?.status ?? null
    const ways = (order: string | null) => [
      { reference: 'ours', order },
      { reference: 'ours', order, payment: '501' },
    ]
    for (const asked of [...ways('71'), ...ways(null)]) expect([asked, await status(asked)]).toEqual([asked, 'paid'])
    // Another order under our own reference, and another reference where the order is not known yet.
    answer = { order: '72', reference: 'ours' }
    for (const asked of ways('71')) expect([asked, await status(asked)]).toEqual([asked, null])
    answer = { order: '71', reference: 'theirs' }
    for (const asked of ways(null)) expect([asked, await status(asked)]).toEqual([asked, null])
  } finally {
    server.close()
  }
})

test('a provider that does not answer, or that answers nonsense, is down: whether anything happened is not known', async () => {
  simulator.down(true)
  await expect(fawry.create(charge())).rejects.toThrow(ProviderDown)
  await expect(paymob.create(charge())).rejects.toThrow(ProviderDown)
  simulator.down(false)
  // The charge was made, and its answer was lost: asked again it is found.
  simulator.loseAnswers(true)
  const lost = charge()
  await expect(fawry.create(lost)).rejects.toThrow(ProviderDown)
  simulator.loseAnswers(false)
  expect((await fawry.create(lost)).number).toMatch(/^\d+$/)
  const away = fawryProvider({ url: 'http://127.0.0.1:9', merchantCode: 'm', secureKey: 'very secret' })
  const error = await away.status({ reference: lost.reference, order: null }).catch((caught: Error) => caught)
  expect(error).toBeInstanceOf(ProviderDown)
  expect(String(error)).not.toContain('secret')
})

test('with another key nothing is taken on either side', async () => {
  const { payments } = readConfig(simulator.variables)
  const wrong = fawryProvider({ ...payments.fawry!, secureKey: 'another' })
  await expect(wrong.create(charge())).rejects.toMatchObject({ code: '9946' })
  const denied = paymobProvider({ ...payments.paymob!, apiKey: 'another' })
  await expect(denied.create(charge())).rejects.toMatchObject({ code: '401' })
})

test('its pages stand in both languages, and what is typed there is no markup', async () => {
  const made = await fawry.create(charge({ what: '<b>x</b>', payer: { ...charge().payer, name: '<i>Mona</i>' } }))
  for (const [lang, words] of [
    ['en', 'To be paid'],
    ['ar', 'في انتظار الدفع'],
  ] as const) {
    const list = await (await fetch(`${simulator.url}/?lang=${lang}`)).text()
    expect(list).toContain(words)
    const one = await (await fetch(`${simulator.url}/orders?number=${made.number}&lang=${lang}`)).text()
    expect(one).toContain(words)
    expect(one + list).not.toContain('<i>')
  }
  expect(await (await fetch(`${simulator.url}/orders?number=<u>`)).text()).not.toContain('<u>')
})
