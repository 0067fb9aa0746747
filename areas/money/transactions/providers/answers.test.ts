/** What a provider answers that is not as it should be: nobody is told that something was paid, cancelled or given back. */
import { afterEach, expect, test, vi } from 'vitest'
import { fawryProvider } from './fawry.server.ts'
import { paymobProvider } from './paymob.server.ts'
import { ProviderDown, ProviderRefused } from './provider.server.ts'

const fawry = () => fawryProvider({ url: 'https://fawry.example', merchantCode: 'm', secureKey: 's' })
const paymob = () =>
  paymobProvider({
    url: 'https://paymob.example',
    apiKey: 'a',
    hmacSecret: 'h',
    integrations: { EGP: '1' },
    iframeId: '1',
    merchantId: null,
  })
const charge = {
  reference: 'r',
  amount: 1000,
  currency: 'EGP',
  expires: new Date(Date.now() + 3_600_000),
  what: 'Fees',
  lang: 'en',
  payer: { code: '1', name: 'A B', email: '', phone: '' },
} as const
/** Each address is answered so, by how it ends; [status, body]. */
function answering(by: Readonly<Record<string, readonly [number, unknown]>>): void {
  vi.stubGlobal(
    'fetch',
    vi.fn(async (url: URL) => {
      const [status, body] = Object.entries(by).find(([end]) => url.pathname.endsWith(end))?.[1] ?? [
        200,
        { token: 't' },
      ]
      return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })
    }),
  )
}
afterEach(() => vi.unstubAllGlobals())
/** Which of the two it is: whether it may have happened. */
const kind = (asked: Promise<unknown>) =>
  asked.then(
    () => 'answered',
    (error: unknown) => (error instanceof ProviderDown ? 'down' : error instanceof ProviderRefused ? 'refused' : error),
  )

test.each([
  ['no JSON', { charge: [200, '<html>'] }, 'down'],
  ['no number to pay by', { charge: [200, { statusCode: '200' }] }, 'down'],
  ['a number that is none', { charge: [200, { statusCode: '200', referenceNumber: 'soon' }] }, 'down'],
  ['no', { charge: [400, { statusCode: '9' }], 'status/v2': [200, {}] }, 'refused'],
] as const)('a charge that FawryPay answers with %s is none', async (_, by, how) => {
  answering(by)
  expect(await kind(fawry().create(charge))).toBe(how)
})

test('what FawryPay says of a payment counts with its signature alone; a cancelled number that can still be paid is none', async () => {
  answering({ 'status/v2': [200, { fawryRefNumber: '7', orderStatus: 'PAID', messageSignature: 'forged' }] })
  expect(await kind(fawry().status({ reference: 'r', order: '7' }))).toBe('down')
  answering({ 'status/v2': [200, {}], 'cancel-unpaid-order': [200, { statusCode: '200' }] })
  expect(await kind(fawry().cancel!({ reference: 'r', order: '7', lang: 'en' }))).toBe('down')
})

test.each([
  ['no token', { 'auth/tokens': [200, {}] }, 'down'],
  ['no to who asks', { 'auth/tokens': [403, { message: 'no' }] }, 'refused'],
  ['no order', { 'ecommerce/orders': [200, {}] }, 'down'],
  ['no to the order', { 'ecommerce/orders': [422, { message: 'duplicate' }] }, 'refused'],
  ['no key', { 'ecommerce/orders': [201, { id: 5 }], payment_keys: [200, {}] }, 'down'],
  ['no to the key', { 'ecommerce/orders': [201, { id: 5 }], payment_keys: [400, { token: 't' }] }, 'refused'],
] as const)('a charge that Paymob answers with %s is none', async (_, by, how) => {
  answering(by)
  expect(await kind(paymob().create(charge))).toBe(how)
})

test('a payment of which Paymob says no is not known, and a refund that did not succeed is none', async () => {
  answering({ 'transactions/7': [403, { detail: 'no' }] })
  expect(await kind(paymob().status({ reference: 'r', order: null, payment: '7' }))).toBe('refused')
  const refund = () => kind(paymob().refund({ payment: '7', amount: 1000, reason: 'x' }))
  answering({ 'void_refund/refund': [400, { message: 'no', success: true }] })
  expect(await refund()).toBe('refused')
  answering({ 'void_refund/refund': [200, { success: false }] })
  expect(await refund()).toBe('refused')
  answering({ 'void_refund/refund': [200, { success: true, id: 8 }] })
  expect(await refund()).toBe('answered')
})
