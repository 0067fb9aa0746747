import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTaxSimulator, type TaxSimulator } from '#demo/tax-simulator.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { AREA_SERVERS } from '../../../../apps/server/areas.server.ts'
import { bookTransactions } from '../book.server.ts'
import { sendTaxReceipts } from './issue.server.ts'

let u: TestUniversity
let authority: TaxSimulator
let finance: Caller
let payers: { payer: number; student: number; user: number; faculty: number }[]
const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const one = async <Row>(text: string, values: unknown[] = []): Promise<Row> => (await query<Row>(text, values))[0]!
const said = (answer: Answer) => [answer.status, ...reasons(answer)]
const set = (key: string, value: string) =>
  query(
    `insert into settings (key, value, grouping) values ($1, to_jsonb($2::text), 'payment') on conflict (key) do update set value = excluded.value`,
    [key, value],
  )
/** A payment of a student, booked. */
async function pay(amount: number, more: { payer?: number; currency?: string; way?: string } = {}): Promise<number> {
  const { id } = await one<{ id: number }>(
    `insert into transactions (payer_id, way, currency, amount, status) values ($1, $2, $3, $4, 'pending') returning id`,
    [more.payer ?? payers[0]!.payer, more.way ?? 'bank', more.currency ?? 'EGP', amount],
  )
  const ctx = asSystem(u.services, 'test')
  await ctx.write((tx) => bookTransactions(ctx, tx, [id]))
  return id
}
/** The clock comes round, and what waited for its time is due. */
const run = async () => {
  await query(`update tax_receipts set next_try_at = now() where state in ('to_send', 'sent')`)
  return sendTaxReceipts(asSystem(u.services, 'test'))
}
interface Receipt {
  id: number
  kind: string
  state: string
  uuid: string
  previous_uuid: string
  number: string
  reasons: { code: string; message: string; path: string }[] | null
  trouble: string | null
  old_uuids: string[]
  document: string
  reference_id: number | null
  tries: number
}
const receiptsOf = (transaction: number) =>
  query<Receipt>('select * from tax_receipts where transaction_id = $1 order by id', [transaction])
const count = async () => (await one<{ n: number }>('select count(*)::int as n from tax_receipts')).n

beforeAll(async () => {
  authority = await openTaxSimulator()
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase(), env: { ...authority.variables } })
  // Those of the demo university stand aside.
  await query('truncate tax_receipts, tax_devices')
  finance = await u.as('finance_officer')
  payers = await query(
    `select p.id as payer, s.id as student, s.user_id as user, s.faculty_id as faculty from payers p join students s on s.id = p.student_id
     where s.user_id is not null and s.nationality_id = 64 and s.id > 300 order by s.id limit 12`,
  )
}, 540_000)
afterAll(async () => {
  await u?.close()
  await authority?.close()
})
beforeEach(() => authority.behave({ down: false, lossy: false, reject: null, invalid: null }))

describe('receipts to the tax authority', () => {
  it('are off until the university switches them on, and nothing of before is sent', async () => {
    await pay(10_000)
    await run()
    expect([await count(), authority.receipts.size]).toEqual([0, 0])
    expect(ok(await finance('GET', '/tax-receipts/stand'))).toMatchObject({ on: false, set_up: true, waiting: 0 })
    await set('tax_receipts', 'true')
    await run()
    expect([await count(), authority.receipts.size]).toEqual([0, 0])
  })

  it('are made of each payment once, in a chain, sent and accepted; the simulator finds nothing wrong with them', async () => {
    const ids = [await pay(12_345, { way: 'bank' }), await pay(700, { way: 'card' }), await pay(1)]
    await Promise.all([run(), run(), run()])
    await run()
    const made = (await Promise.all(ids.map(receiptsOf))).flat()
    expect(made.map((row) => [row.kind, row.state])).toEqual(ids.map(() => ['S', 'valid']))
    const all = await query<Receipt>('select * from tax_receipts order by id')
    expect(all.map((row) => row.previous_uuid)).toEqual(['', ...all.map((row) => row.uuid).slice(0, -1)])
    expect(authority.submissions.flat().toSorted()).toEqual(all.map((row) => row.uuid).toSorted())
    expect(authority.receipts.get(made[0]!.uuid)).toMatchObject({ state: 'Valid', total: '123.45', type: 'S' })
    expect(JSON.parse(made[1]!.document)).toMatchObject({ paymentMethod: 'V', totalAmount: 7 })
    // Money from the wallet or out of a deposit was received before.
    await query(
      `insert into transactions (payer_id, way, currency, amount, status, booked_on, paid_at, entry_id)
      select payer_id, 'wallet', currency, amount, 'paid', booked_on, paid_at, entry_id from transactions where id = $1`,
      [ids[0]],
    )
    await run()
    expect(await count()).toBe(all.length)
    await query(
      `delete from transactions where way = 'wallet' and entry_id = (select entry_id from transactions where id = $1)`,
      [ids[0]],
    )
  })

  it('are sent again when nobody answered, and not twice when the answer was lost', async () => {
    const id = await pay(2_000)
    authority.behave({ down: true })
    await run()
    const [waits] = await receiptsOf(id)
    expect(waits).toMatchObject({ state: 'to_send', trouble: expect.stringContaining('did not answer') })
    const [{ later }] = (await query<{ later: boolean }>(
      'select next_try_at > now() as later from tax_receipts where id = $1',
      [waits!.id],
    )) as [{ later: boolean }]
    expect(later).toBe(true)
    authority.behave({ down: false, lossy: true })
    await run()
    expect(authority.receipts.has(waits!.uuid)).toBe(true)
    expect((await receiptsOf(id))[0]!.state).toBe('to_send')
    authority.behave({ lossy: false })
    const before = authority.submissions.length
    await run()
    await run()
    expect((await receiptsOf(id))[0]).toMatchObject({ state: 'valid', trouble: null })
    expect(authority.submissions.slice(before).flat()).not.toContain(waits!.uuid)
    expect(authority.submissions.flat().filter((uuid) => uuid === waits!.uuid)).toHaveLength(1)
  })

  it('of much money names who paid: one without a national number is not made anew', async () => {
    authority.behave({ reject: 'The code is not registered' })
    const id = await pay(20_000_000, { payer: payers[3]!.payer })
    await run()
    authority.behave({ reject: null })
    const [{ id: receipt, uuid, state }] = (await receiptsOf(id)) as [Receipt]
    expect(state).toBe('rejected')
    const { national_id } = await one<{ national_id: string }>('select national_id from students where id = $1', [
      payers[3]!.student,
    ])
    const named = (value: string | null) =>
      query('update students set national_id = $2 where id = $1', [payers[3]!.student, value])
    await named(null)
    expect(said(await finance('POST', `/tax-receipts/${receipt}/again`, {}))).toEqual([409, 'tax_receipt_payer'])
    expect((await receiptsOf(id))[0]).toMatchObject({ uuid, state: 'rejected' })
    await named(national_id)
    ok(await finance('POST', `/tax-receipts/${receipt}/again`, {}))
    await run()
    await run()
  })

  it('that are rejected are shown with the reasons, and made anew once the cause is mended; the chain holds', async () => {
    authority.behave({ reject: 'The code is not registered' })
    const id = await pay(3_000)
    await run()
    const [bad] = await receiptsOf(id)
    expect(bad).toMatchObject({
      state: 'rejected',
      reasons: [{ code: 'Told', message: 'The code is not registered', path: 'itemData[0].itemCode' }],
    })
    authority.behave({ reject: null })
    const next = await pay(4_000)
    await run()
    await run()
    expect((await receiptsOf(next))[0]).toMatchObject({ state: 'valid', previous_uuid: bad!.uuid })
    // It is not sent again by itself.
    expect((await receiptsOf(id))[0]!.state).toBe('rejected')
    const listed = ok(await finance('POST', '/tax-receipts', { filters: { state: ['rejected'] } }))
    expect(listed).toMatchObject([
      { id: bad!.id, abilities: ['again'], reasons: [{ message: 'The code is not registered' }] },
    ])
    expect(ok(await finance('GET', '/tax-receipts/stand'))).toMatchObject({ rejected: 1 })
    expect(said(await finance('POST', `/tax-receipts/${bad!.id}/again`, { version: 99 }))).toEqual([
      409,
      'changed_meanwhile',
    ])
    const { config } = u.services
    Object.assign(u.services, { config: { ...config, taxReceipts: null } })
    expect(reasons(await finance('POST', `/tax-receipts/${bad!.id}/again`, {}))).toEqual(['tax_receipt_off'])
    Object.assign(u.services, { config })
    const again = await Promise.all([
      finance('POST', `/tax-receipts/${bad!.id}/again`, {}),
      finance('POST', `/tax-receipts/${bad!.id}/again`, {}),
    ])
    expect(again.map((answer) => answer.status).toSorted()).toEqual([200, 409])
    expect(again.flatMap((answer) => reasons(answer))).toEqual(['tax_receipt_not_rejected'])
    await run()
    await run()
    const [mended] = await receiptsOf(id)
    expect(mended).toMatchObject({
      state: 'valid',
      old_uuids: [bad!.uuid],
      previous_uuid: bad!.previous_uuid,
      number: bad!.number,
    })
    expect(mended!.uuid).not.toBe(bad!.uuid)
    await expect(query(`update tax_receipts set document = '{}' where id = $1`, [mended!.id])).rejects.toThrow(
      'tax_receipt_stays',
    )
    await expect(query('delete from tax_receipts where id = $1', [mended!.id])).rejects.toThrow('tax_receipt_stays')
  })

  it('that are found wrong later are rejected then', async () => {
    const id = await pay(5_000)
    authority.behave({ invalid: 'The activity has ended' })
    await run()
    await run()
    expect((await receiptsOf(id))[0]).toMatchObject({
      state: 'rejected',
      reasons: [{ message: 'The activity has ended' }],
    })
    authority.behave({ invalid: null })
    ok(await finance('POST', `/tax-receipts/${(await receiptsOf(id))[0]!.id}/again`, {}))
    await run()
    await run()
    const [mended] = await receiptsOf(id)
    expect(mended!.state).toBe('valid')
    // It was the last of the chain: the next one names it as it is now.
    const next = await pay(5_500)
    await run()
    expect((await receiptsOf(next))[0]!.previous_uuid).toBe(mended!.uuid)
  })

  it('of what goes back name the receipt: a refund, and a payment that was cancelled', async () => {
    const [refunded, cancelled] = [
      await pay(6_000, { payer: payers[1]!.payer }),
      await pay(7_000, { payer: payers[2]!.payer }),
    ]
    await run()
    await run()
    const gone = ok(await finance('POST', `/payments/refund/${refunded}`, { amount: 1_000, reason: 'Paid too much' }))
    expect(gone.state).toBe('paid')
    ok(await finance('POST', '/transactions/cancel-transaction', { id: cancelled, reason: 'Entered twice' }))
    await run()
    await run()
    const [sold] = await receiptsOf(refunded)
    const back = await one<Receipt>(
      `select r.* from tax_receipts r join transactions t on t.id = r.transaction_id where t.refund_of = $1`,
      [refunded],
    )
    expect(back).toMatchObject({ kind: 'R', state: 'valid', reference_id: sold!.id })
    expect(authority.receipts.get(back.uuid)).toMatchObject({ type: 'R', reference: sold!.uuid, total: '10' })
    const rows = await receiptsOf(cancelled)
    expect(rows.map((row) => [row.kind, row.state])).toEqual([
      ['S', 'valid'],
      ['R', 'valid'],
    ])
    expect(authority.receipts.get(rows[1]!.uuid)).toMatchObject({ reference: rows[0]!.uuid, total: '70' })
    await run()
    expect((await receiptsOf(cancelled)).length).toBe(2)
  })

  it('in dollars wait for the rate', async () => {
    const id = await pay(8_000, { currency: 'USD', payer: payers[3]!.payer })
    await run()
    expect(await receiptsOf(id)).toEqual([])
    expect(ok(await finance('GET', '/tax-receipts/stand')).without_rate).toBe(1)
    await set('tax_rate_usd', '48.50')
    await run()
    await run()
    expect((await receiptsOf(id))[0]!.state).toBe('valid')
    expect(JSON.parse((await receiptsOf(id))[0]!.document).header).toMatchObject({
      currency: 'USD',
      exchangeRate: 48.5,
    })
  })

  it('stand on the printed receipt', async () => {
    const id = await pay(9_000)
    await run()
    const file = await finance('GET', `/transactions/receipt/${id}?lang=en`)
    expect([file.status, file.bytes.subarray(0, 4).toString()]).toEqual([200, '%PDF'])
  })

  it('are nothing for the wrong people', async () => {
    authority.behave({ reject: 'No' })
    const id = await pay(9_900, { payer: payers[4]!.payer })
    await run()
    const [receipt] = await receiptsOf(id)
    for (const role of ['registrar', 'cashier', 'instructor', 'student', null] as const) {
      const who = await u.as(role)
      expect((await who('POST', '/tax-receipts', {})).status, String(role)).toBe(403)
      expect((await who('GET', '/tax-receipts/stand')).status).toBe(403)
      expect((await who('POST', `/tax-receipts/${receipt!.id}/again`, {})).status).toBe(403)
    }
    const { id: elsewhere } = await one<{ id: number }>('select id from faculties where id <> $1 order by id limit 1', [
      payers[4]!.faculty,
    ])
    const far = await u.as('finance_officer', ['faculty', elsewhere])
    expect((await far('POST', `/tax-receipts/${receipt!.id}/again`, {})).status).toBe(404)
    expect(ok(await far('POST', '/tax-receipts', { perPage: 200 })).map((row: { id: number }) => row.id)).not.toContain(
      receipt!.id,
    )
  })
})

describe('the authority', () => {
  it('refuses what is hashed otherwise, out of its place, or about nothing known', async () => {
    const last = (await query<Receipt>(`select * from tax_receipts where state = 'valid' order by id desc limit 1`))[0]!
    const token = (
      (await (
        await fetch(`${authority.url}/connect/token`, {
          method: 'POST',
          headers: {
            posserial: 'DEMO-POS-1',
            pososversion: 'os',
            presharedkey: 'demo-shared-key',
            'content-type': 'application/x-www-form-urlencoded',
          },
          body: new URLSearchParams({
            grant_type: 'client_credentials',
            client_id: 'demo-device',
            client_secret: 'demo-secret',
          }),
        })
      ).json()) as { access_token: string }
    ).access_token
    const submit = async (receipt: object) =>
      (
        (await (
          await fetch(`${authority.url}/api/v1/receiptsubmissions`, {
            method: 'POST',
            headers: { authorization: `Bearer ${token}` },
            body: JSON.stringify({ receipts: [receipt] }),
          })
        ).json()) as any
      ).rejectedDocuments.flatMap((row: any) => [row.error.code, ...row.error.details.map((why: any) => why.code)])
    const document = JSON.parse(last.document)
    expect(await submit(document)).toEqual(['Duplicate'])
    const forged = { ...document, totalAmount: 1, header: { ...document.header, uuid: 'f'.repeat(64) } }
    expect(await submit(forged)).toEqual(expect.arrayContaining(['UUID', 'CHAIN', 'TOTAL']))
    expect((await fetch(`${authority.url}/api/v1/receipts/${last.uuid}/raw`)).status).toBe(401)
  })
})
