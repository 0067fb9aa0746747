import { afterAll, beforeAll, expect, it } from 'vitest'
import { feesServer } from '#areas/money/fees/fees.server.ts'
import { proofOf } from '#areas/money/ledger/testing.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { invoicesServer } from '../invoices.server.ts'
import { priceWorld } from '../testing.server.ts'

let u: TestUniversity
let w: RegistrationWorld
let finance: Caller
let elsewhere: Caller
let card: number
let copy: number
beforeAll(async () => {
  u = await testUniversity([kitServer, catalogueServer, feesServer, invoicesServer])
  w = await registrationWorld(u)
  const p = await priceWorld(u.database.db, w.term)
  for (const code of ['CARDX', 'COPYX', 'FREEX'])
    await w.query(
      `insert into fee_items (code, name, name_local, type, is_automatic) values ($1, $1, 'بند', 'services', false)`,
      [code],
    )
  // Copies cost less in one program.
  await p.version({
    requests: { CARDX: 15_000 },
    rows: [
      { code: 'COPYX', amount: 35_000, per: 'copy' },
      { code: 'CARDX', amount: 5000, per: 'request', level: 0 },
      { code: 'FREEX', amount: 0, per: 'request' },
      { code: 'COPYX', amount: 20_000, per: 'copy', program_id: w.program },
    ],
  })
  ;[{ id: card }] = (await w.query(`select id from fee_items where code = 'CARDX'`)) as [{ id: number }]
  ;[{ id: copy }] = (await w.query(`select id from fee_items where code = 'COPYX'`)) as [{ id: number }]
  finance = await u.as('finance_officer', ['faculty', w.faculty])
  elsewhere = await u.as('finance_officer', ['faculty', w.otherFaculty])
}, 180_000)
afterAll(() => u?.close())

const student = async (nationality: number | null = 64) => {
  const one = await w.student()
  await w.query('update students set nationality_id = $2 where id = $1', [one.id, nationality])
  return one
}

it('what may be asked for is offered at its price for the student, and computed before anything is written', async () => {
  const one = await student()
  const before = await w.query('select count(*) from invoices')
  const { offered, lines, amount, currency } = ok(
    await finance('POST', `/payments/extra_items/${one.id}`, { items: [{ item_id: copy, quantity: 3 }] }),
  )
  expect(offered.map((item: any) => [item.code, item.per, item.amount])).toEqual([
    ['CARDX', 'request', 15_000],
    ['COPYX', 'copy', 20_000],
    ['FREEX', 'request', 0],
  ])
  expect([lines.map((line: any) => line.amount), amount, currency]).toEqual([[60_000], 60_000, 'EGP'])
  expect(await w.query('select count(*) from invoices')).toEqual(before)
  for (const [who, status] of [
    [elsewhere, 404],
    [one.as, 403],
  ] as const)
    expect((await who('POST', `/payments/extra_items/${one.id}`, {})).status).toBe(status)
})

it('the invoice has the price of the year, and keeps the version it was issued with', async () => {
  const one = await student()
  const items = [
    { item_id: card, quantity: 1 },
    { item_id: copy, quantity: 2 },
  ]
  const { id } = ok(await finance('POST', `/payments/create_payment/${one.id}`, { items }))
  const invoice = ok(await finance('GET', `/payments/${id}`))
  expect(invoice).toMatchObject({ charged: 55_000, currency: 'EGP', type: 'extra', settled: 0 })
  expect(invoice.setting_version_id).not.toBeNull()
  expect(invoice.lines.map((line: any) => [line.item, line.amount, line.words.en])).toEqual([
    ['CARDX', 15_000, 'CARDX: 1 request × 150.00 EGP'],
    ['COPYX', 40_000, 'COPYX: 2 copies × 200.00 EGP'],
  ])
})

it('a student of the preparatory level, the level 0, has its price', async () => {
  const one = await student()
  await w.query('update students set level = 0 where id = $1', [one.id])
  const { amount } = ok(
    await finance('POST', `/payments/extra_items/${one.id}`, { items: [{ item_id: card, quantity: 1 }] }),
  )
  expect(amount).toBe(5000)
})

it('an amount beside the price is refused, and what has no price for the student', async () => {
  const one = await student()
  const items = [{ item_id: card, quantity: 1 }]
  const create = (body: object, who = finance, of = one) => who('POST', `/payments/create_payment/${of.id}`, body)
  expect(reasons(await create({ items, currency: 'USD' }))).toEqual(['extra_priced@currency'])
  expect(reasons(await create({}))).toEqual(['extra_one_of@items'])
  const lines = [{ account: 'services', name: 'Card', name_local: 'بطاقة', amount: 5 }]
  expect(reasons(await create({ items, lines }))).toContain('extra_one_of@items')
  expect(reasons(await create({ lines }))).toEqual(['required@currency', 'required@installments'])
  expect(reasons(await create({ items: [{ item_id: 999_999, quantity: 1 }] }))).toEqual(['fee_item_unknown'])
  expect(reasons(await create({ items, due_date: '2020-01-01' }))).toEqual(['installment_day_over@due_date'])
  const [{ id: free }] = (await w.query(`select id from fee_items where code = 'FREEX'`)) as [{ id: number }]
  const nothing = await create({ items: [{ item_id: free, quantity: 1 }] })
  expect([nothing.status, reasons(nothing)]).toEqual([409, ['invoice_nothing_due']])
  // Whose nationality is not known has no price.
  expect(reasons(await create({ items }, finance, await student(null)))).toEqual(['fee_no_nationality'])
  expect((await create({ items }, elsewhere)).status).toBe(404)
  expect((await create({ items }, one.as)).status).toBe(403)
  expect(
    await w.query('select 1 from invoices i join payers p on p.id = i.payer_id where p.student_id = $1', [one.id]),
  ).toEqual([])
  expect(await proofOf(u.services)).toMatchObject({ count: 0, findings: [] })
})
