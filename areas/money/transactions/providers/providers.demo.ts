import { createHash } from 'node:crypto'
import { demoPart, insertNew } from '#demo/part.ts'

/** A message about a payment that nobody here knows, which waits for a finance officer, and one that no provider sent. */
export default demoPart(['provider_callbacks', 'provider_events'], [], async (tx) => {
  const paid = {
    requestId: 'c72827d084ea4b88949d91dd2db4996e',
    fawryRefNumber: '970177',
    merchantRefNumber: 'OTHER-SYSTEM-118',
    paymentAmount: '350.00',
    orderAmount: '350.00',
    orderStatus: 'PAID',
    paymentMethod: 'PAYATFAWRY',
  }
  const bodies = [
    { ...paid, messageSignature: 'kept as it came' },
    { ...paid, fawryRefNumber: '1', messageSignature: 'guess' },
  ].map((body) => JSON.stringify(body))
  const ids = await insertNew(
    tx,
    'provider_callbacks',
    bodies.map((body) => ({
      provider: 'fawry',
      query: '',
      headers: { 'content-type': 'application/json' },
      body: `\\x${Buffer.from(body).toString('hex')}`,
      hash: `\\x${createHash('sha256').update(`\n${body}`).digest('hex')}`,
      ip: '203.0.113.7',
    })),
  )
  await insertNew(tx, 'provider_events', [
    {
      callback_id: ids[0],
      provider: 'fawry',
      verdict: 'unknown',
      judged_at: new Date().toISOString(),
      event_id: '970177-c72827d084ea4b88949d91dd2db4996e',
      reference: paid.merchantRefNumber,
      order_number: '970177',
      payment: '970177',
      status: 'paid',
      amount: 35_000,
      currency: 'EGP',
      fee: 0,
    },
    {
      callback_id: ids[1],
      provider: 'fawry',
      verdict: 'forged',
      judged_at: new Date().toISOString(),
      event_id: null,
      reference: null,
      order_number: null,
      payment: null,
      status: null,
      amount: null,
      currency: null,
      fee: null,
    },
  ])
})
