import { expect, test } from 'vitest'
import { decimalOf, minorOfProvider } from './amounts.rules.ts'
import { REFERENCE, judgeEvent, paymentReferenceOf } from './events.rules.ts'
import type { Charged, ProviderEvent } from './events.rules.ts'
import { chargeText, fawryEvent, notificationText, refundText } from './fawry.rules.ts'
import { fawryProvider } from './fawry.server.ts'
import { hmacText, paymobEvent, signedFields, signedInAddress } from './paymob.rules.ts'
import { paymobProvider } from './paymob.server.ts'
import { hmacSha512, readWritten, sameSignature, sha256 } from './signing.server.ts'

test('amounts are decimal text outside and whole minor units inside, with no float between', () => {
  const pairs: [string, number | null][] = [
    ['840.0', 84000],
    ['152', 15200],
    ['0.29', 29],
    ['580.55', 58055],
    ['1.150', 115],
    ['90071992547409.91', null],
    ['1.155', null],
    ['1e3', null],
    ['-1.00', null],
    ['1,000.00', null],
    ['', null],
    ['٥', null],
  ]
  for (const [text, minor] of pairs) expect([text, minorOfProvider(text)]).toEqual([text, minor])
  expect([decimalOf(58055), decimalOf(5), decimalOf(0), decimalOf(1200, 0)]).toEqual(['580.55', '0.05', '0.00', '1200'])
  for (let minor = 0; minor < 100_000; minor += 37) expect(minorOfProvider(decimalOf(minor))).toBe(minor)
})

/**
 * The transaction that Paymob publishes as its sample, with the fields that are signed, its secret and the HMAC of it:
 * https://developers.paymob.com/paymob-docs/developers/webhook-callbacks-and-hmac/hmac/hmac-transaction-callback
 * (the secret is told beside it, as "Used HMAC Secret", in their guide for Egypt, https://developers.paymob.com/egypt).
 */
const PAYMOB = {
  body: `{"type": "TRANSACTION", "obj": {"id": 192036465, "pending": false, "amount_cents": 100000, "success": true,
    "is_auth": false, "is_capture": false, "is_standalone_payment": true, "is_voided": false, "is_refunded": false,
    "is_3d_secure": true, "integration_id": 4097558, "profile_id": 164295, "has_parent_transaction": false,
    "order": {"id": 217503754, "created_at": "2024-06-13T11:32:09.628623", "amount_cents": 100000, "currency": "EGP",
      "merchant_order_id": null}, "created_at": "2024-06-13T11:33:44.592345", "currency": "EGP",
    "source_data": {"pan": "2346", "type": "card", "tenure": null, "sub_type": "MasterCard"},
    "error_occured": false, "owner": 302852, "parent_transaction": null}, "issuer_bank": null}`,
  text: '1000002024-06-13T11:33:44.592345EGPfalsefalse1920364654097558truefalsefalsefalsetruefalse217503754302852false2346MasterCardcardtrue',
  secret: '04DC1A9490B8CC2094C011FC055ADCDB',
  hmac: 'fa8ac0b7f3852e60c50e7fdd4ea5ef0bda96030c19dea1d55df8c76d6c08ab1877774662cbb04981dc84839ad4da560bcc8cb53b8973548657f7e8f8d2e79930',
}
const paymob = paymobProvider({
  url: 'http://127.0.0.1:9',
  apiKey: 'a',
  hmacSecret: PAYMOB.secret,
  integrations: { EGP: '4097558' },
  iframeId: '1',
  merchantId: null,
})
const bytes = (text: string) => new TextEncoder().encode(text)

test("Paymob's published sample: the text that is signed, its HMAC, and what it says", () => {
  const transaction = readWritten(PAYMOB.body)!.obj as Record<string, unknown>
  expect(hmacText(signedFields(transaction))).toBe(PAYMOB.text)
  expect(hmacSha512(PAYMOB.secret, PAYMOB.text)).toBe(PAYMOB.hmac)
  expect(paymob.readCallback({ query: { hmac: PAYMOB.hmac }, body: bytes(PAYMOB.body) })).toEqual({
    provider: 'paymob',
    event_id: '192036465-paid',
    reference: null,
    reference_signed: false,
    order: '217503754',
    payment: '192036465',
    status: 'paid',
    amount: 100000,
    currency: 'EGP',
    fee: 0,
  })
  // Another sample of theirs, https://docs.paymob.com/docs/hmac-calculation (its secret is not published).
  const older = `{"amount_cents": 100, "created_at": "2020-03-25T18:39:44.719228", "currency": "EGP", "error_occured": false,
    "has_parent_transaction": false, "id": 2556706, "integration_id": 6741, "is_3d_secure": true, "is_auth": false,
    "is_capture": false, "is_refunded": false, "is_standalone_payment": true, "is_voided": false, "order": {"id": 4778239},
    "owner": 4705, "pending": false, "source_data": {"pan": "2346", "sub_type": "MasterCard", "type": "card"}, "success": true}`
  expect(hmacText(signedFields(readWritten(older)!))).toBe(
    '1002020-03-25T18:39:44.719228EGPfalsefalse25567066741truefalsefalsefalsetruefalse47782394705false2346MasterCardcardtrue',
  )
})

test('a callback of Paymob that differs in anything that is signed is forged', () => {
  const callback = (body: string, hmac = PAYMOB.hmac) => paymob.readCallback({ query: { hmac }, body: bytes(body) })
  for (const [from, to] of [
    ['"amount_cents": 100000, "success"', '"amount_cents": 100001, "success"'],
    ['"success": true', '"success": false'],
    ['{"id": 217503754', '{"id": 217503755'],
    ['"currency": "EGP",\n    "source_data"', '"currency": "USD",\n    "source_data"'],
  ] as const) {
    const changed = PAYMOB.body.replace(from, to)
    expect([from, changed === PAYMOB.body]).toEqual([from, false])
    expect(callback(changed)).toBe('forged')
  }
  for (const hmac of ['', 'fa', PAYMOB.hmac.slice(1), `${PAYMOB.hmac}0`, PAYMOB.hmac.replace('f', '0')])
    expect(callback(PAYMOB.body, hmac)).toBe('forged')
  expect(callback(PAYMOB.body, PAYMOB.hmac.toUpperCase())).toMatchObject({ status: 'paid' })
  for (const nonsense of ['', '[]', 'null', '{"obj": 1}', '{', '{"obj":'.repeat(500)])
    expect(callback(nonsense)).toBe('forged')
  // What nobody signed changes nothing: another reference beside a right HMAC is told as not signed.
  const borrowed = callback(PAYMOB.body.replace('"merchant_order_id": null', '"merchant_order_id": "EM0000000000000S"'))
  expect(borrowed).toMatchObject({ reference: 'EM0000000000000S', reference_signed: false, order: '217503754' })
})

test('what a transaction of Paymob says: only a success without a parent is paid', () => {
  const transaction = readWritten(PAYMOB.body)!.obj as Record<string, unknown>
  const status = (changed: Record<string, unknown>, integration = '4097558') =>
    paymobEvent({ ...transaction, ...changed }, { EGP: integration, USD: '5001' })?.status ?? null
  expect(status({})).toBe('paid')
  expect(status({ success: false })).toBe('failed')
  expect(status({ pending: true })).toBe('waiting')
  expect(status({ is_auth: true })).toBe('failed')
  expect(status({ error_occured: true })).toBe('failed')
  expect(status({ is_refunded: true })).toBe('refunded')
  expect(status({ is_voided: true })).toBe('refunded')
  expect(status({ has_parent_transaction: true })).toBe('refunded')
  // Of another integration, or without a shape that keeps neighbours apart.
  expect(status({}, '1')).toBe(null)
  // An integration takes one currency: nothing in another comes by it.
  expect(status({ currency: 'USD' })).toBe(null)
  expect(status({ currency: 'USD', integration_id: 5001 })).toBe(null)
  expect(status({ currency: 'USD', integration_id: '5001' })).toBe('paid')
  expect(status({ currency: 'KWD', integration_id: '' })).toBe(null)
  expect(status({ amount_cents: '100000.5' })).toBe(null)
  expect(status({ created_at: '024-06-13T11:33:44' })).toBe(null)
})

test('the number of an order does not end in the account behind it, nor begin that', () => {
  const transaction = readWritten(PAYMOB.body)!.obj as Record<string, unknown>
  const moved = (order: string, owner: string, account: string | null) => {
    const changed = { ...transaction, order: { ...(transaction.order as object), id: order }, owner }
    // Nothing stands between them in what is signed: the HMAC is right for each.
    expect(hmacText(signedFields(changed))).toBe(PAYMOB.text)
    return paymobEvent(changed, { EGP: '4097558' }, account)?.order ?? null
  }
  expect(moved('217503754', '302852', '302852')).toBe('217503754')
  expect(moved('2175037543', '02852', null)).toBe(null)
  expect(moved('21750375', '4302852', '302852')).toBe(null)
  expect(moved('2175037543028', '52', '302852')).toBe(null)
})

test('the address that a browser is sent back to is signed alike', () => {
  const transaction = readWritten(PAYMOB.body)!.obj as Record<string, unknown>
  const { 'order.id': order, ...fields } = signedFields(transaction)
  const query = { ...fields, order }
  expect(hmacText(signedInAddress(query))).toBe(PAYMOB.text)
  expect(paymob.readReturn({ ...query, hmac: PAYMOB.hmac })).toEqual({ order: '217503754' })
  expect(paymob.readReturn({ ...query, success: 'false', hmac: PAYMOB.hmac })).toBe(null)
  expect(paymob.readReturn({})).toBe(null)
})

/**
 * Signatures of FawryPay that are published with the key they were made with: samples of the library for it,
 * https://github.com/fawry-api/fawry/blob/master/spec/spec_helper.rb and spec/fawry_callback_spec.rb. Its notification has its
 * reference under another name than the one that is signed (`merchantRefNum`), so nothing stands in its place.
 */
test('published signatures of FawryPay: charge, refund, notification', () => {
  const key = 'fawry_secure_key'
  const charge = {
    merchantCode: 'merchant_code',
    merchantRefNum: 'io5jxf3jp27kfh8m719arcqgw7izo7db',
    customerProfileId: 'ocvsydvbu2gcp528wvl64i9z5srdalg5',
    paymentMethod: 'PAYATFAWRY',
    amount: decimalOf(minorOfProvider('20.5')!),
  }
  expect(sha256(chargeText(charge, key))).toBe('68a1ff1e7189137f1b3c98784399b3adc49bd644d159593a8ed2fc70a810bd7b')
  const refund = { merchantCode: 'merchant_code', referenceNumber: '931337410', refundAmount: '20.50', reason: '' }
  expect(sha256(refundText(refund, key))).toBe('3ddbaf9457ed9b5f6e048e1775ff7eaccd477070e31cf28a90d879e8f9689323')
  const notification = readWritten(`{"requestId": "c72827d084ea4b88949d91dd2db4996e", "fawryRefNumber": "970177",
    "customerMobile": "01004545545", "customerMail": "fawry@fawry.com", "paymentAmount": 152.00, "orderAmount": 150.00,
    "fawryFees": 2.00, "shippingFees": "", "orderStatus": "NEW", "paymentMethod": "PAYATFAWRY"}`)!
  expect(sha256(notificationText(notification, key)!)).toBe(
    'b0175565323e464b01dc9407160368af5568196997fb6e379374a4f4fbbcf587',
  )
  expect(fawryEvent(notification)).toMatchObject({ status: 'waiting', amount: 15000, fee: 200, order: '970177' })
})

const fawry = fawryProvider({ url: 'http://127.0.0.1:9', merchantCode: 'm', secureKey: 'secret' })
/** A notification with numbers as they are written, signed. */
const notification = (changed: Record<string, string> = {}, key = 'secret') => {
  const fields: Record<string, string> = {
    requestId: '"r1"',
    fawryRefNumber: '"970177"',
    merchantRefNumber: '"EM0000000000000S"',
    paymentAmount: '152.0',
    orderAmount: '150.0',
    fawryFees: '2',
    orderStatus: '"PAID"',
    paymentMethod: '"PAYATFAWRY"',
    ...changed,
  }
  const json = (all: Record<string, string>) =>
    `{${Object.entries(all)
      .map(([k, v]) => `"${k}":${v}`)
      .join(',')}}`
  const signature = sha256(notificationText(readWritten(json(fields))!, key) ?? '')
  return json({ ...fields, messageSignature: `"${signature}"` })
}

test('a notification of FawryPay is taken only with its signature', () => {
  const read = (body: string) => fawry.readCallback({ query: {}, body: bytes(body) })
  expect(read(notification())).toEqual({
    provider: 'fawry',
    event_id: '970177-r1',
    reference: 'EM0000000000000S',
    reference_signed: true,
    order: '970177',
    payment: '970177',
    status: 'paid',
    amount: 15000,
    currency: 'EGP',
    fee: 200,
  })
  expect(read(notification({}, 'another key'))).toBe('forged')
  expect(read(notification().replace('150.0', '150.1'))).toBe('forged')
  expect(read(notification().replace('PAID', 'EXPIRED'))).toBe('forged')
  expect(read(notification().replace('"messageSignature"', '"signature"'))).toBe('forged')
  expect(read(notification({ orderAmount: '1e2' }))).toBe('forged')
  expect(read(notification({ orderAmount: '"150.00"' }))).toMatchObject({ amount: 15000 })
  // Less was paid than was asked: the less counts. More: the payer bore the fee.
  expect(read(notification({ paymentAmount: '100' }))).toMatchObject({ amount: 10000 })
  for (const [word, status] of Object.entries({
    CANCELED: 'failed',
    EXPIRED: 'expired',
    REFUNDED: 'refunded',
    NEW: 'waiting',
  }))
    expect(read(notification({ orderStatus: `"${word}"` }))).toMatchObject({ status })
  expect(read(notification({ orderStatus: '"DELIVERED"' }))).toBe('other')
})

test('fields that are signed one behind the other lend each other nothing: a reference begins and ends with a letter', () => {
  const one = paymentReferenceOf(new Uint8Array(13))
  expect(one).toBe('EM0000000000000S')
  for (let i = 0; i < 500; i++)
    expect(paymentReferenceOf(crypto.getRandomValues(new Uint8Array(13)))).toMatch(REFERENCE)
  // The same signed text with a digit moved over is no reference of ours.
  const text = (ref: string, amount: string) =>
    notificationText({ ...readWritten(notification())!, merchantRefNumber: ref, paymentAmount: amount }, 'secret')
  expect(text('EM0000000000000S1', '52.0')).toBe(text('EM0000000000000S', '152.0'))
  expect('EM0000000000000S1').not.toMatch(REFERENCE)
})

test('signatures are compared whole', () => {
  expect(sameSignature('ab', 'ab')).toBe(true)
  expect(sameSignature('ab', 'abc')).toBe(false)
  expect(sameSignature('', '')).toBe(true)
  expect(sameSignature('é', 'ab')).toBe(false)
})

test('what becomes of news about a charge', () => {
  const event: ProviderEvent = {
    provider: 'fawry',
    event_id: 'e',
    reference: 'EM0000000000000S',
    reference_signed: true,
    order: '1',
    payment: '1',
    status: 'paid',
    amount: 100,
    currency: 'EGP',
    fee: 0,
  }
  const charge: Charged = { status: 'pending', amount: 100, currency: 'EGP', payment: null }
  const of = (e: Partial<ProviderEvent>, c: Partial<Charged> | null = {}) =>
    judgeEvent({ ...event, ...e }, c && { ...charge, ...c })
  expect(of({}, null)).toBe('unknown')
  expect(of({})).toBe('booked')
  expect(of({}, { status: 'new' })).toBe('booked')
  expect(of({}, { status: 'failed' })).toBe('booked')
  expect(of({}, { status: 'expired' })).toBe('booked_late')
  for (const status of ['cancelled', 'rejected'] as const) expect(of({}, { status })).toBe('ended')
  expect(of({ amount: 99 })).toBe('differs')
  expect(of({ amount: 101 })).toBe('differs')
  expect(of({ currency: 'USD' })).toBe('differs')
  expect(of({}, { status: 'paid', payment: '1' })).toBe('repeated')
  expect(of({ payment: '2' }, { status: 'paid', payment: '1' })).toBe('again')
  expect(of({}, { status: 'cancelled', payment: '1' })).toBe('repeated')
  expect(of({ status: 'failed' })).toBe('recorded')
  expect(of({ status: 'failed' }, { status: 'paid', payment: '1' })).toBe('outdated')
  expect(of({ status: 'expired' }, { status: 'expired' })).toBe('repeated')
  expect(of({ status: 'waiting' })).toBe('recorded')
  expect(of({ status: 'refunded' }, { status: 'paid', payment: '1' })).toBe('refunded')
})
