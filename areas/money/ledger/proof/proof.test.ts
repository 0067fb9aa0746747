import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { moneyWorld } from '#areas/money/invoices/testing.server.ts'
import { bookTransactions } from '#areas/money/transactions/book.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { ok, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { ledgerServer } from '../ledger.server.ts'
import { postEntries } from '../post.server.ts'
import { nightlyProof } from './proof.server.ts'
import { LEDGER_FINDINGS } from './proof.contract.ts'
import { verifyLedger } from './verify.server.ts'

let u: TestUniversity
let w: RegistrationWorld
let m: ReturnType<typeof moneyWorld>
let officer: Caller
let student: Awaited<ReturnType<RegistrationWorld['student']>>
let payer: number
let invoice: number
let paid: number
let card: number
let cancelled: number
let entry: Record<'invoice' | 'paid' | 'card' | 'back', number>
let account_id: { card: number }
beforeAll(async () => {
  u = await testUniversity([kitServer, catalogueServer, ledgerServer], { work: true })
  w = await registrationWorld(u)
  m = moneyWorld(u.database.db)
  officer = await u.as('finance_officer')
  student = await w.student()
  payer = await m.payerOf(student.id)
  invoice = await m.invoice(student.id, [
    [600, -3],
    [400, 30],
  ])
  paid = await m.transaction(student.id, 300)
  card = await m.transaction(student.id, 900, { way: 'card' })
  cancelled = await m.transaction(student.id, 50)
  await book(paid, card, cancelled)
  // Cancelled as it should be: booked back.
  await w.query(`update transactions set status = 'cancelled', reason = 'twice' where id = $1`, [cancelled])
  await postEntries(u.database.program.db, [
    { source: `cancel:${cancelled}`, reversal_of: await entryOf(`transaction:${cancelled}`), reason: 'Twice' },
  ])
  entry = {
    invoice: await entryOf(`invoice:${invoice}`),
    paid: await entryOf(`transaction:${paid}`),
    card: await entryOf(`transaction:${card}`),
    back: await entryOf(`cancel:${cancelled}`),
  }
  account_id = { card: (await w.query<{ id: number }>(`select id from ledger_accounts where role = 'card'`))[0]!.id }
})
afterAll(() => u?.close())
const book = (...ids: number[]) => {
  const ctx = asSystem(u.services, 'test')
  return ctx.write((tx) => bookTransactions(ctx, tx, ids))
}
const entryOf = async (source: string): Promise<number> =>
  Number((await w.query<{ id: string }>('select id from ledger_entries where source = $1', [source]))[0]!.id)

const TABLES = [
  'ledger_entries',
  'ledger_postings',
  'ledger_closings',
  'sponsor_shares',
  'payment_plans',
  'payment_plan_invoices',
  'payer_balances',
  'invoice_balances',
  'invoices',
  'invoice_lines',
  'installments',
  'transactions',
  'transaction_allocations',
]
/** What is found after somebody who may everything has changed the tables, guards off; then they are as they were. */
async function foundAfter(...statements: string[]) {
  const owner = async (...all: string[]) => {
    const client = await u.database.pool.connect()
    try {
      // In one transaction, as several statements of one text are.
      await client.query(['set local session_replication_role = replica', ...all].join(';\n'))
    } finally {
      client.release()
    }
  }
  const columns = await w.query<{ name: string; columns: string }>(
    `select c.relname as name, string_agg(quote_ident(a.attname), ', ') as columns from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relname = any($1) and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' group by 1`,
    [TABLES],
  )
  await owner(
    'create schema kept',
    ...columns.map((one) => `create table kept.${one.name} as select ${one.columns} from ${one.name}`),
  )
  try {
    await owner(...statements)
    return await verifyLedger(u.database.program.db)
  } finally {
    await owner(
      ...columns.flatMap((one) => [
        `delete from ${one.name}`,
        `insert into ${one.name} (${one.columns}) overriding system value select ${one.columns} from kept.${one.name}`,
      ]),
      'drop schema kept cascade',
    )
  }
}

describe('proving', () => {
  it('finds nothing in a ledger that is whole, and counts it', async () => {
    const proven = await verifyLedger(u.database.program.db)
    expect(proven.findings).toEqual([])
    expect(proven).toMatchObject({
      count: 0,
      entries: 5,
      postings: 11,
      totals: [{ currency: 'EGP', debit: 2300, credit: 2300 }],
    })
  })

  const posting = (source: string, role: string) =>
    `(select p.id from ledger_postings p join ledger_entries e on e.id = p.entry_id join ledger_accounts a on a.id = p.account_id
      where e.source = '${source}' and a.role = '${role}')`
  const account = (role: string) => `(select id from ledger_accounts where role = '${role}')`
  // What is changed, what is found: the kind, whose record, what it should be and what it is.
  const cases: readonly (readonly [
    what: string,
    change: () => string[],
    found: () => (readonly [string, number | null, number | null, number | null])[],
  ])[] = [
    [
      'a posting that was raised: its entry, its sum, what is kept of it',
      () => [`update ledger_postings set amount = 601 + 400 where id = ${posting(`invoice:${invoice}`, 'receivable')}`],
      () => [
        ['total', null, 2301, 2300],
        ['unbalanced', entry.invoice, 0, 1],
        ['owed', payer, 1, 0],
        ['balance_charged', invoice, 1001, 1000],
        ['charged', invoice, 1000, 1001],
        ['installments', invoice, 1001, 1000],
      ],
    ],
    [
      'an entry whose postings are gone',
      () => [`delete from ledger_postings where entry_id = ${entry.paid}`],
      () => [
        ['empty', entry.paid, null, 0],
        ['owed', payer, 300, 0],
        ['balance_settled', invoice, 700, 1000],
        ['settled', invoice, 1000, 700],
        ['amount', paid, 300, 0],
        ['allocation', paid, 0, 300],
      ],
    ],
    [
      'a posting in another currency',
      () => [`update ledger_postings set currency = 'USD' where id = ${posting(`transaction:${card}`, 'wallet')}`],
      () => [
        ['total', null, 2300, 2100],
        ['total', null, 0, 200],
        ['currency', entry.card, null, -200],
        ['wallet', payer, 0, 200],
        ['wallet', payer, 200, 0],
      ],
    ],
    [
      'an entry that came into a period after it was closed',
      () => [
        `insert into ledger_closings (closed_through, closed_by, closed_at) select '1999-12-31', id, '2000-01-01' from users limit 1`,
        `update ledger_entries set booked_on = '1999-12-30' where id = ${entry.back}`,
      ],
      () => [['closed', entry.back, null, null]],
    ],
    [
      'a reversal that is not what it reverses',
      () => [
        `update ledger_postings set account_id = ${account('cash')} where id = ${posting(`cancel:${cancelled}`, 'bank')}`,
      ],
      () => [['mirror', entry.back, null, 100]],
    ],
    [
      'what is kept of a payer',
      () => [`update payer_balances set owed = 7, wallet = 8 where payer_id = ${payer}`],
      () => [
        ['owed', payer, 0, 7],
        ['wallet', payer, 200, 8],
      ],
    ],
    [
      'a wallet below nothing',
      () => [`update ledger_postings set amount = 300 where id = ${posting(`transaction:${card}`, 'wallet')}`],
      () => [
        ['wallet', payer, -300, 200],
        ['wallet_negative', payer, null, -300],
      ],
    ],
    [
      'what is kept of an invoice',
      () => [`update invoice_balances set charged = 1100, settled = 900 where invoice_id = ${invoice}`],
      () => [
        ['balance_charged', invoice, 1000, 1100],
        ['balance_settled', invoice, 1000, 900],
      ],
    ],
    [
      'a line of an invoice',
      () => [`update invoice_lines set amount = 900 where invoice_id = ${invoice}`],
      () => [['charged', invoice, 900, 1000]],
    ],
    [
      'an invoice that is reversed and still charges',
      () => [`update invoices set reversed_at = now(), reversed_reason = 'x' where id = ${invoice}`],
      () => [['charged', invoice, 0, 1000]],
    ],
    [
      'instalments',
      () => [`update installments set amount = 401 where invoice_id = ${invoice} and position = 2`],
      () => [['installments', invoice, 1000, 1001]],
    ],
    [
      'an allocation',
      () => [`update transaction_allocations set amount = 299 where transaction_id = ${paid}`],
      () => [
        ['settled', invoice, 999, 1000],
        ['allocation', paid, 300, 299],
      ],
    ],
    [
      'a payment whose amount was raised',
      () => [`update transactions set amount = 301 where id = ${paid}`],
      () => [
        ['amount', paid, 301, 300],
        ['account', paid, 301, 300],
      ],
    ],
    [
      'a payment that went another way',
      () => [`update transactions set way = 'slip' where id = ${card}`],
      () => [
        ['account', card, 900, 0],
        ['provider_total', account_id.card, 0, 900],
      ],
    ],
    [
      'a payment that says it is paid and is not booked',
      () => [`update transactions set entry_id = 999999 where id = ${paid}`],
      () => [
        ['unbooked', paid, 300, null],
        ['allocation', paid, 0, 300],
      ],
    ],
    [
      'a payment that was cancelled and stands in the ledger',
      () => [`update transactions set status = 'cancelled' where id = ${paid}`],
      () => [
        ['settled', invoice, 700, 1000],
        ['standing', paid, 0, 300],
      ],
    ],
    [
      'a payment that counts as paid and was booked back',
      () => [`update transactions set status = 'paid' where id = ${cancelled}`],
      () => [['reversed', cancelled, 50, 0]],
    ],
    [
      'money at a provider of which no transaction knows',
      () => [
        `insert into ledger_entries (kind, source, currency, booked_on, settles, digest) values ('payment', 'forged', 'EGP', university_today(), true, '')`,
        `insert into ledger_postings (entry_id, account_id, amount, currency) select e.id, a.id, case a.role when 'card' then 70 else -70 end, 'EGP'
         from ledger_entries e, ledger_accounts a where e.source = 'forged' and a.role in ('card', 'suspense')`,
      ],
      () => [
        ['provider_total', account_id.card, 900, 970],
        ['provider', null, 0, 70],
      ],
    ],
    [
      'what a sponsor is said to have taken over, and no line says so',
      () => [
        `update ledger_postings set account_id = ${account('sponsored')} where id = ${posting(`transaction:${card}`, 'wallet')}`,
      ],
      () => [['sponsored', payer, 0, -200]],
    ],
    [
      'a share of an invoice that none of its lines took off',
      () => [`insert into sponsor_shares (sponsorship_id, invoice_id, amount) values (1, ${invoice}, 70)`],
      () => [['sponsor_share', invoice, 0, 70]],
    ],
    [
      'a deposit that is held and no line charged',
      () => [
        `update ledger_postings set account_id = ${account('deposit')} where id = ${posting(`transaction:${card}`, 'wallet')}`,
      ],
      () => [
        ['deposit', payer, 200, 0],
        ['deposit_held', payer, 0, 200],
      ],
    ],
    [
      'an invoice in a plan that is over, so that it would never be late',
      () => [
        `insert into payment_plans (id, payer_id, currency, parts_asked, first_day, why, state, parts, decided_at, ended_at)
         overriding system value values (900, ${payer}, 'EGP', 1, university_today(), 'Test', 'kept', '[]', now(), now())`,
        `update invoices set plan_id = 900 where id = ${invoice}`,
      ],
      () => [['plan', invoice, null, 900]],
    ],
    [
      'a plan that runs and covers nothing',
      () => [
        `insert into payment_plans (id, payer_id, currency, parts_asked, first_day, why, state, parts, decided_at)
         overriding system value values (901, ${payer}, 'EGP', 1, university_today(), 'Test', 'running', '[]', now())`,
        `insert into payment_plan_invoices (plan_id, invoice_id, parts_before) values (901, ${invoice}, '[]')`,
      ],
      () => [['plan', invoice, 901, null]],
    ],
  ]
  it.each(cases)('finds %s', async (_what, change, found) => {
    const { findings, count } = await foundAfter(...change())
    const told = findings.map((one) => [one.kind, one.kind === 'provider' ? null : one.id, one.expected, one.found])
    expect(told).toEqual(expect.arrayContaining(found().map((one) => [...one])))
    expect(count).toBe(findings.length)
    expect((await verifyLedger(u.database.program.db)).count).toBe(0)
  })

  it('has a case for each kind of finding', () => {
    expect(new Set(cases.flatMap(([, , found]) => found().map(([kind]) => kind)))).toEqual(new Set(LEDGER_FINDINGS))
  })

  it('tells 200 in full and counts all', async () => {
    const { findings, count } = await foundAfter(
      `insert into ledger_entries (kind, source, currency, booked_on, settles, digest)
       select 'payment', 'empty:' || n, 'EGP', university_today(), true, '' from generate_series(1, 250) n`,
    )
    expect([findings.length, count]).toEqual([200, 250])
  })
})

describe('through HTTP', () => {
  const done = async (job_id: string) => {
    for (;;) {
      const job = ok(await officer('GET', `/jobs/${job_id}`))
      if (['done', 'failed'].includes(job.state)) return job
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  it('is a job whose result is kept; what is found names students within reach', async () => {
    expect((await officer('GET', '/ledger/proof')).body).toEqual({ data: null })
    const job = await done(ok(await officer('POST', '/ledger/verify', {})).job_id)
    expect(job).toMatchObject({ state: 'done', result: { count: 0 } })
    expect(ok(await officer('GET', '/ledger/proof'))).toMatchObject({
      count: 0,
      entries: 5,
      findings: [],
      proven_by: { id: officer.user_id },
    })
    await w.query(
      `insert into ledger_proofs (seconds, entries, postings, totals, count, findings) values (1, 1, 2, '[]', 1, $1)`,
      [
        JSON.stringify([
          { kind: 'owed', record: 'payer', id: payer, name: null, currency: 'EGP', expected: 1, found: 2 },
        ]),
      ],
    )
    const [finding] = ok(await officer('GET', '/ledger/proof')).findings
    expect(finding).toMatchObject({ kind: 'owed', expected: 1, found: 2, student: { id: student.id } })
    const elsewhere = await u.as('finance_officer', ['faculty', w.otherFaculty])
    expect(ok(await elsewhere('GET', '/ledger/proof')).findings[0].student).toBeNull()
  })

  it('is for nobody else', async () => {
    for (const who of [await u.as('instructor'), await u.as('cashier'), student.as])
      expect([(await who('POST', '/ledger/verify', {})).status, (await who('GET', '/ledger/proof')).status]).toEqual([
        403, 403,
      ])
    expect((await u.nobody('GET', '/ledger/proof')).status).toBe(401)
  })

  it('goes by night, and tells who may prove it when something is found', async () => {
    const night = () =>
      nightlyProof.run(
        asSystem(u.services, 'test'),
        {},
        Object.assign(async () => {}, { signal: new AbortController().signal }),
      )
    const told = () =>
      w.query<{ user_id: number; data: object }>(
        `select user_id, data from notifications where key = 'ledger.notice_findings'`,
      )
    expect(await night()).toEqual({ count: 0 })
    expect(await told()).toEqual([])
    await w.query('update payer_balances set owed = owed + 5 where payer_id = $1', [payer])
    expect(await night()).toEqual({ count: 1 })
    const hears = await told()
    expect(hears).toContainEqual({ user_id: officer.user_id, data: { count: 1 } })
    expect(hears.map((one) => one.user_id)).not.toContain(student.user_id)
    await w.query('update payer_balances set owed = owed - 5 where payer_id = $1', [payer])
  })
})
