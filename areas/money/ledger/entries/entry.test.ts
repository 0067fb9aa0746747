import { afterAll, beforeAll, expect, it } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { moneyWorld } from '#areas/money/invoices/testing.server.ts'
import { bookTransactions } from '#areas/money/transactions/book.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { ok, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { ledgerServer } from '../ledger.server.ts'
import { postEntries } from '../post.server.ts'
import type { BalanceRow, EntryRow } from './entry.contract.ts'

let u: TestUniversity
let w: RegistrationWorld
let officer: Caller
let elsewhere: Caller
let one: Awaited<ReturnType<RegistrationWorld['student']>>
let two: typeof one
let account: (role: string) => Promise<number>
beforeAll(async () => {
  u = await testUniversity([catalogueServer, ledgerServer])
  w = await registrationWorld(u)
  const m = moneyWorld(u.database.db)
  officer = await u.as('finance_officer')
  elsewhere = await u.as('finance_officer', ['faculty', w.otherFaculty])
  one = await w.student()
  two = await w.student({ faculty: 'other' })
  await m.invoice(one.id, [[1000, 5]])
  await m.invoice(two.id, [[300, 5]], 'USD')
  const ctx = asSystem(u.services, 'test')
  const pay = async (student: number, amount: number, booked_on?: string, currency = 'EGP') => {
    const id = await m.transaction(student, amount, { currency })
    await ctx.write((tx) => bookTransactions(ctx, tx, [id], { booked_on }))
    return id
  }
  const paid = await pay(one.id, 400, '2026-01-05')
  await pay(two.id, 300, undefined, 'USD')
  const [entry] = await w.query<{ entry_id: string }>('select entry_id from transactions where id = $1', [paid])
  await postEntries(u.database.program.db, [
    { source: 'back', reversal_of: Number(entry!.entry_id), reason: 'Cheque returned' },
  ])
  account = async (role) =>
    (await w.query<{ id: number }>('select id from ledger_accounts where role = $1', [role]))[0]!.id
})
afterAll(() => u?.close())

const list = async (who: Caller, filters: object = {}, more: object = {}): Promise<EntryRow[]> =>
  ok(await who('POST', '/ledger/entries', { filters, ...more }))
const sources = async (filters: object = {}) => (await list(officer, filters)).map((row) => row.source)

it('lists entries with their postings, the newest day first, by every filter', async () => {
  const rows = await list(officer)
  expect(rows.map((row) => row.source)).toEqual(['back', 'transaction:2', 'invoice:2', 'invoice:1', 'transaction:1'])
  expect(rows[3]).toMatchObject({
    kind: 'invoice',
    amount: 1000,
    currency: 'EGP',
    postings: [
      {
        account: { code: '1100', kind: 'asset' },
        student: { id: one.id },
        invoice: { number: 'TEST-1' },
        amount: 1000,
      },
      { account: { code: '4100' }, student: null, invoice: null, amount: -1000 },
    ],
  })
  expect(await sources({ account_id: [await account('tuition')] })).toEqual(['invoice:2', 'invoice:1'])
  expect(await sources({ student_id: [one.id] })).toEqual(['back', 'invoice:1', 'transaction:1'])
  expect(await sources({ invoice: 'TEST-2' })).toEqual(['transaction:2', 'invoice:2'])
  expect(await sources({ kind: ['reversal'] })).toEqual(['back'])
  expect(await sources({ booked_on: { from: '2026-01-01', to: '2026-01-31' } })).toEqual(['transaction:1'])
  const refused = await officer('POST', '/ledger/entries', { filters: { nobody: 1 } })
  expect(refused.status).toBe(422)
})

it('tells of an entry what it reverses and what reverses it', async () => {
  const [back, , , , paid] = await list(officer)
  expect(ok(await officer('GET', `/ledger/entries/${paid!.id}`))).toMatchObject({
    reversed_by: back!.id,
    reversal_of: null,
  })
  expect(ok(await officer('GET', `/ledger/entries/${back!.id}`))).toMatchObject({
    reversal_of: paid!.id,
    reason: 'Cheque returned',
  })
  expect((await officer('GET', '/ledger/entries/999999')).status).toBe(404)
})

it('has a trial balance whose sides are equal, until any day', async () => {
  const balances = async (who: Caller, body: object = {}): Promise<BalanceRow[]> =>
    ok(await who('POST', '/ledger/balances', body))
  const rows = await balances(officer)
  expect(rows.map((row) => [row.currency, row.account.code, row.debit, row.credit, row.balance])).toEqual([
    ['EGP', '1100', 1400, 400, 1000],
    ['EGP', '1300', 400, 400, 0],
    ['EGP', '4100', 0, 1000, -1000],
    ['USD', '1100', 300, 300, 0],
    ['USD', '1300', 300, 0, 300],
    ['USD', '4100', 0, 300, -300],
  ])
  expect((await balances(officer, { until: '2026-01-31' })).map((row) => [row.account.code, row.balance])).toEqual([
    ['1100', -400],
    ['1300', 400],
  ])
  expect(new Set((await balances(elsewhere)).map((row) => row.currency))).toEqual(new Set(['USD']))
})

it('shows who is bound to a faculty the entries of its students, and nobody else', async () => {
  const rows = await list(elsewhere)
  expect(rows.map((row) => row.source)).toEqual(['transaction:2', 'invoice:2'])
  const [, , , mine] = await list(officer)
  expect((await elsewhere('GET', `/ledger/entries/${mine!.id}`)).status).toBe(404)
  // A transfer between students of two faculties is seen by both; the other student is not named.
  const [a, b] = await Promise.all(
    [one, two].map(
      async (who) => (await w.query<{ id: number }>('select id from payers where student_id = $1', [who.id]))[0]!.id,
    ),
  )
  const between = (role: 'receivable', payer_id: number, amount: number) => ({ role, payer_id, amount })
  await postEntries(u.database.program.db, [
    {
      kind: 'transfer',
      source: 'between',
      currency: 'EGP',
      settles: true,
      postings: [between('receivable', a!, 5), between('receivable', b!, -5)],
    },
  ])
  const [seen] = await list(elsewhere, { kind: ['transfer'] })
  expect(seen!.postings.map((posting) => posting.student?.id ?? null)).toEqual([null, two.id])
  for (const [who, status] of [
    [await u.as('instructor'), 403],
    [one.as, 403],
    [u.nobody, 401],
  ] as const)
    expect([
      (await who('POST', '/ledger/entries', {})).status,
      (await who('POST', '/ledger/balances', {})).status,
      (await who('GET', `/ledger/entries/${mine!.id}`)).status,
    ]).toEqual([status, status, status])
})
