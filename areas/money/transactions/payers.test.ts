/** Payers who are no students: who works here, and guests; charged, found and served as students are. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyLedger } from '#areas/money/ledger/proof/verify.server.ts'
import { banksServer } from '#areas/money/banks/banks.server.ts'
import { namedBy } from '#areas/money/banks/batches/preview.server.ts'
import { invoicesServer } from '#areas/money/invoices/invoices.server.ts'
import { ledgerServer } from '#areas/money/ledger/ledger.server.ts'
import { payerOfStaff } from '#areas/money/ledger/post.server.ts'
import { documentReasons, writtenDocument } from '#areas/people/people/guests/guest.rules.ts'
import { peopleServer } from '#areas/people/people/people.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { dayThere, ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { transactionsServer } from './transactions.server.ts'

describe('the document of a guest', () => {
  it.each([
    [' 287 0315 2100348', '28703152100348'],
    ['٢٨٧٠٣١٥٢١٠٠٣٤٨', '28703152100348'],
    ['c4j 7k2m91', 'C4J7K2M91'],
  ])('%s is kept as %s', (typed, kept) => expect(writtenDocument(typed)).toBe(kept))
  it.each([
    ['national_id', '28703152100348', []],
    ['national_id', '2870315210034', ['national_id_digits']],
    ['passport', 'C4J7K2M91', []],
    ['passport', 'C4J', ['guest_document_number']],
    ['residence', 'RP-220194', []],
    ['residence', 'R_2', ['guest_document_number']],
  ] as const)('%s %s', (kind, number, codes) => {
    expect(documentReasons({ kind, number }).map((one) => one.code)).toEqual(codes)
  })
})

let u: TestUniversity
let w: RegistrationWorld
let cashier: Caller
let finance: Caller
let dean: Caller
let elsewhere: Caller
let clerk: { id: number; code: string; name: string }
let guest: { id: number; code: string }
beforeAll(async () => {
  u = await testUniversity([
    kitServer,
    catalogueServer,
    peopleServer,
    ledgerServer,
    invoicesServer,
    transactionsServer,
    banksServer,
  ])
  w = await registrationWorld(u)
  cashier = await u.as('cashier')
  finance = await u.as('finance_officer')
  dean = await u.as('finance_officer', ['faculty', w.faculty])
  elsewhere = await u.as('finance_officer', ['faculty', w.otherFaculty])
  clerk = await w
    .query<any>(
      `insert into users (type, code, name, name_local, email, faculty_id) values (2, 'ST-1001', 'Nadia Clerk', 'نادية كاتبة', 'nadia@x.example', $1)
       returning id, code, name`,
      [w.faculty],
    )
    .then((rows) => rows[0])
  guest = ok(
    await finance('PUT', '/guests', {
      name: 'Johannes Weber',
      name_local: 'يوهانس فيبر',
      document_kind: 'passport',
      document_number: 'c4j 7k2m91',
    }),
  )
  ok(await cashier('POST', '/cashier/shift/open', { opening: [{ currency: 'EGP', amount: 5000 }] }))
})
afterAll(() => u?.close())

const bill = (who: Caller, whose: object, amount = 1000) =>
  who('POST', '/payments/create_payer_payment', {
    ...whose,
    currency: 'EGP',
    lines: [{ account: 'services', name: 'Use of a hall', name_local: 'استخدام قاعة', amount }],
    installments: [{ amount, due_date: dayThere(7) }],
  })
const take = (whose: object, amount: number, more: object = {}, who = cashier) =>
  who('POST', '/cashier/take', { ...whose, currency: 'EGP', amount, key: randomUUID(), ...more })
const found = async (text: string, who = cashier) => ok(await who('POST', '/cashier/find', { text })) as any[]
const stands = async (payer: string, id: number) =>
  (
    await w.query<any>(
      `select b.owed::int as owed, b.wallet::int as wallet from payer_balances b join payers p on p.id = b.payer_id where p.${payer} = $1 and b.currency = 'EGP'`,
      [id],
    )
  )[0]

describe('guests', () => {
  it('have one record for each document, however it is typed, and a number', async () => {
    expect(guest.code).toMatch(/^G-\d{6}$/)
    const again = { name: 'Jo Weber', name_local: 'يو فيبر', document_kind: 'passport', document_number: 'C4J7K2M91' }
    expect(reasons(await finance('PUT', '/guests', again))).toEqual(['guest_document_twice@document_number'])
    expect(reasons(await finance('PUT', '/guests', { ...again, document_number: 'X1' }))).toEqual([
      'guest_document_number@document_number',
    ])
    expect(
      reasons(await finance('PUT', '/guests', { ...again, document_kind: 'national_id', document_number: '123' })),
    ).toEqual(['national_id_digits@document_number'])
  })
  it('are added by who has the right for the whole university, and seen by those who may', async () => {
    const one = {
      name: 'Amina Harbi',
      name_local: 'أمينة حربي',
      document_kind: 'passport',
      document_number: 'AB4471902',
    }
    expect((await dean('PUT', '/guests', one)).status).toBe(403)
    expect((await (await w.student()).as('POST', '/guests', {})).status).toBe(403)
    expect((await u.nobody('POST', '/guests', {})).status).toBe(401)
    expect((await cashier('GET', `/guests/${guest.id}`)).status).toBe(403)
    expect((await finance('GET', `/guests/${guest.id}`)).status).toBe(200)
  })
})

describe('who works here', () => {
  it('is charged, found by name, number and invoice, pays, and is told apart in lists', async () => {
    const { number } = ok(await bill(dean, { staff_id: clerk.id }))
    for (const text of ['Nadia', 'ST-1001', number]) {
      const [one] = await found(text)
      expect([one.student, one.payer.kind, one.payer.id, one.payer.code], text).toEqual([
        null,
        'staff',
        clerk.id,
        'ST-1001',
      ])
      expect([one.faculty.id, one.invoices.map((each: any) => each.open)]).toEqual([w.faculty, [1000]])
    }
    expect(reasons(await take({ staff_id: clerk.id }, 1200))).toEqual(['payment_more_than_owed'])
    const paid = ok(await take({ staff_id: clerk.id }, 1200, { to_wallet: true }))
    expect(await stands('user_id', clerk.id)).toEqual({ owed: 0, wallet: 200 })
    for (const [path, search] of [
      ['/payments', number],
      ['/payments', 'Nadia'],
      ['/transactions', 'Nadia'],
      ['/credits', 'Nadia'],
    ] as const) {
      const list = ok(await finance('POST', path, { search }))
      expect(
        list.map((one: any) => [one.student, one.payer?.kind, one.payer?.name]),
        path,
      ).toEqual([[null, 'staff', clerk.name]])
    }
    expect((await finance('GET', `/transactions/receipt/${paid.id}`)).status).toBe(200)
    const [invoice] = ok(await finance('POST', '/payments', { search: number }))
    expect((await finance('GET', `/payments/export_pdf/${invoice.id}`)).status).toBe(200)
  })
  it('is reached by the faculty of the work alone', async () => {
    expect((await bill(elsewhere, { staff_id: clerk.id })).status).toBe(404)
    expect(ok(await elsewhere('POST', '/payments', { search: 'Nadia' }))).toEqual([])
    expect(ok(await dean('POST', '/payments', { search: 'Nadia' }))).toHaveLength(1)
    expect((await elsewhere('GET', `/ledger/payer-statements/staff/${clerk.id}`)).status).toBe(404)
    const far = await u.as('cashier', ['faculty', w.otherFaculty])
    ok(await far('POST', '/cashier/shift/open', { opening: [{ currency: 'EGP', amount: 0 }] }))
    expect(await found('Nadia', far)).toEqual([])
    expect((await take({ staff_id: clerk.id }, 10, { to_wallet: true }, far)).status).toBe(404)
  })
  it('has a statement, on the screen and on paper', async () => {
    const one = ok(await dean('GET', `/ledger/payer-statements/staff/${clerk.id}`))
    expect([one.student, one.payer.kind, one.faculty.id]).toEqual([null, 'staff', w.faculty])
    expect(one.currencies).toMatchObject([{ currency: 'EGP', owed: 0, wallet: 200, charged: 1000, settled: 1200 }])
    for (const format of ['pdf', 'xlsx'])
      expect((await dean('POST', `/ledger/payer-statements/staff/${clerk.id}/ar`, { format })).status).toBe(200)
    expect((await dean('GET', `/ledger/payer-statements/guest/${guest.id}`)).status).toBe(404)
  })
  it('moves no money of his or her own', async () => {
    const own = await u.as('finance_officer')
    expect(reasons(await bill(own, { staff_id: own.user_id }))).toEqual(['own_money'])
    const { id } = ok(await bill(finance, { staff_id: own.user_id }))
    expect(reasons(await own('POST', `/payments/reverse-invoice/${id}`, { reason: 'I say so' }))).toEqual(['own_money'])
  })
  it('sees the own account, hears of it, and sees nobody else’s', async () => {
    const own = await u.as('personnel_officer')
    const other = await u.as('personnel_officer')
    ok(await bill(finance, { staff_id: own.user_id }, 800))
    const { currencies } = ok(await own('GET', `/ledger/payer-statements/staff/${own.user_id}`))
    expect(currencies).toMatchObject([{ owed: 800 }])
    expect((await other('GET', `/ledger/payer-statements/staff/${own.user_id}`)).status).toBe(404)
    expect((await own('GET', `/ledger/payer-statements/guest/${guest.id}`)).status).toBe(404)
    expect((await own('POST', '/payments', {})).status).toBe(403)
    const told = await w.query<any>('select key, link from notifications where user_id = $1', [own.user_id])
    expect(told).toEqual([{ key: 'invoices.notice_invoice', link: '/my_money' }])
    expect(JSON.stringify(ok(await own('GET', '/users/work')))).toContain('ledger.work_owed')
    expect(JSON.stringify(ok(await other('GET', '/users/work')))).not.toContain('ledger.work_owed')
  })
  it('finds what is still to be paid, with the ways that are offered, and begins to pay the own alone', async () => {
    const own = await u.as('personnel_officer')
    const other = await u.as('personnel_officer')
    const { id, number } = ok(await bill(finance, { staff_id: own.user_id }, 800))
    expect(ok(await own('GET', '/payments/my_open'))).toEqual([
      expect.objectContaining({ id, number, open: 800, currency: 'EGP', ways: [], due_on: expect.any(String) }),
    ])
    expect(ok(await other('GET', '/payments/my_open'))).toEqual([])
    expect(ok(await own('GET', `/payments/pay/${id}`))).toMatchObject({ open: 800, ways: [] })
    expect((await other('GET', `/payments/pay/${id}`)).status).toBe(404)
    // No provider is set up here.
    expect(reasons(await own('POST', `/payments/pay/${id}`, { way: 'card' }))).toEqual(['provider_not_offered'])
    expect((await u.nobody('GET', '/payments/my_open')).status).toBe(401)
    ok(await take({ staff_id: own.user_id }, 800))
    expect(ok(await own('GET', '/payments/my_open'))).toEqual([])
  })
  it('is no student, nobody who was removed, and one of them is named', async () => {
    const student = await w.student()
    const [{ user_id }] = await w.query<any>('select user_id from students where id = $1', [student.id])
    expect((await bill(finance, { staff_id: user_id })).status).toBe(404)
    expect((await bill(finance, {})).status).toBe(422)
    expect((await bill(finance, { staff_id: clerk.id, guest_id: guest.id })).status).toBe(422)
    expect((await take({ staff_id: clerk.id, student_id: student.id }, 10)).status).toBe(422)
    expect((await bill(student.as, { staff_id: clerk.id })).status).toBe(403)
  })
})

describe('a guest', () => {
  it('is charged, found by the document, pays in advance and gets the rest of the wallet back', async () => {
    ok(await bill(finance, { guest_id: guest.id }, 500))
    for (const text of ['Johannes', 'C4J 7K2M91', guest.code, guest.code.toLowerCase()]) {
      const [one] = await found(text)
      expect([one.payer.kind, one.payer.id, one.invoices.length], text).toEqual(['guest', guest.id, 1])
    }
    ok(await cashier('POST', '/credits/charge-payer', { guest_id: guest.id, amount: 300, currency: 'EGP' }))
    expect(await stands('guest_id', guest.id)).toEqual({ owed: 500, wallet: 300 })
    ok(await take({ guest_id: guest.id }, 500))
    const key = randomUUID()
    const back = { guest_id: guest.id, amount: 300, currency: 'EGP', reason: 'The stay is over', key }
    const first = ok(await cashier('POST', '/payments/cash_back_payer', back))
    expect(ok(await cashier('POST', '/payments/cash_back_payer', back))).toEqual(first)
    expect(await stands('guest_id', guest.id)).toEqual({ owed: 0, wallet: 0 })
    expect(
      reasons(await cashier('POST', '/payments/cash_back_payer', { ...back, key: randomUUID(), amount: 1 })),
    ).toEqual(['wallet_negative'])
    expect((await cashier('POST', '/payments/cash_back_payer', { ...back, guest_id: undefined })).status).toBe(422)
  })
  it('is of the whole university: who looks after a part of it sees nothing', async () => {
    expect((await bill(dean, { guest_id: guest.id })).status).toBe(404)
    expect(ok(await dean('POST', '/payments', { search: guest.code }))).toEqual([])
    expect((await finance('GET', `/ledger/payer-statements/guest/${guest.id}`)).body.data.payer.code).toBe(guest.code)
  })
})

describe('bank files', () => {
  it('name who works here and guests by their numbers and documents; short staff numbers name nobody', async () => {
    const short = await w
      .query<any>(
        `insert into users (type, code, name, name_local, email) values (2, '2026', 'Short Number', 'رقم قصير', 'short@x.example') returning id`,
      )
      .then((rows) => rows[0])
    await u.database.db.transaction().execute((tx) => payerOfStaff(tx, short.id))
    const named = await namedBy(u.database.db, [
      'st1001',
      'c4j7k2m91',
      guest.code.replace('-', '').toLowerCase(),
      '2026',
    ])
    expect([...named.keys()].toSorted()).toEqual(
      ['st1001', 'c4j7k2m91', guest.code.replace('-', '').toLowerCase()].toSorted(),
    )
  })
})

describe('accounts that become one', () => {
  it('are two payers of one person, whose money settles the debts of both', async () => {
    const twin = await w
      .query<any>(
        `insert into users (type, code, name, name_local, email, faculty_id) values (2, 'ST-1002', 'Nadia Twin', 'نادية كاتبة', 'twin@x.example', $1) returning id`,
        [w.faculty],
      )
      .then((rows) => rows[0])
    ok(await bill(finance, { staff_id: twin.id }, 700))
    await w.query('update payers set user_id = $1 where user_id = $2', [clerk.id, twin.id])
    expect(await w.query('select main from payers where user_id = $1 order by id', [clerk.id])).toEqual([
      { main: true },
      { main: false },
    ])
    const [one] = await found('ST-1001')
    expect(one.invoices.map((each: any) => each.open)).toEqual([700])
    ok(await take({ staff_id: clerk.id }, 700))
    const [two] = await found('ST-1001')
    expect(two.invoices).toEqual([])
    const { currencies } = ok(await dean('GET', `/ledger/payer-statements/staff/${clerk.id}`))
    expect(currencies[0]).toMatchObject({ owed: 0, wallet: 200 })
  })
})

it('two who charge somebody at once for the first time make one payer', async () => {
  const fresh = await w
    .query<any>(
      `insert into users (type, name, name_local, email) values (2, 'Fresh One', 'جديد واحد', 'fresh@x.example') returning id`,
    )
    .then((rows) => rows[0])
  const [one, two] = await Promise.all([bill(finance, { staff_id: fresh.id }), bill(finance, { staff_id: fresh.id })])
  expect([one.status, two.status]).toEqual([200, 200])
  expect(await w.query('select main from payers where user_id = $1', [fresh.id])).toEqual([{ main: true }])
})

it('the ledger proves itself with them', async () => {
  const proof = await verifyLedger(u.database.db)
  expect(proof.findings).toEqual([])
})
