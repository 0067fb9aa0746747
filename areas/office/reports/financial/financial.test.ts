import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { banksServer } from '#areas/money/banks/banks.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { feesServer } from '#areas/money/fees/fees.server.ts'
import { invoicesServer } from '#areas/money/invoices/invoices.server.ts'
import { moneyWorld, priceWorld } from '#areas/money/invoices/testing.server.ts'
import { ledgerServer } from '#areas/money/ledger/ledger.server.ts'
import { transactionsServer } from '#areas/money/transactions/transactions.server.ts'
import { readSheet } from '#kit/server/sheets/index.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { ageOf, dueDays, spansOf, weekOf } from '../finance/dashboard.rules.ts'
import { SYSTEM_LINKS } from '../figures/reports.contract.ts'
import { reportsServer } from '../reports.server.ts'
import {
  changeOf,
  financialFiguresOf,
  groupedAmount,
  joinLevels,
  plain,
  payerStandingOf,
  type FinancialFigures,
} from './financial.rules.ts'
import { PAYMENT_GROUPS } from './financial.contract.ts'
import { REPORT_LINKS } from './links.server.ts'
import { provesItself, sumOfFigure } from './testing.server.ts'

const AREAS = [
  catalogueServer,
  banksServer,
  feesServer,
  ledgerServer,
  invoicesServer,
  transactionsServer,
  reportsServer,
]

describe('rules', () => {
  it('a figure is of those who study, have graduated, or neither; two currencies are two figures', () => {
    expect(['studying', 'graduated', 'suspended', 'withdrawn'].map(payerStandingOf)).toEqual([
      'studing',
      'grad',
      'other',
      'other',
    ])
    const part = { currency: 'EGP', charged: 100, settled: 30, paid: 1, partially_paid: 2, not_paid: 3 }
    const row = financialFiguresOf(
      [
        { ...part, standing: 'studing' },
        { ...part, standing: 'grad', charged: 10, settled: 10 },
        { ...part, standing: 'other', charged: 7, settled: 0 },
        { ...part, currency: 'USD', standing: 'grad' },
      ],
      [
        { currency: 'EGP', wallet: 5 },
        { currency: 'USD', wallet: 6 },
      ],
    )
    expect(row).toMatchObject({
      eg_paid_studing: 30,
      eg_unpaid_studing: 70,
      eg_total_studing: 100,
      eg_paid_grad: 10,
      eg_unpaid_grad: 0,
      eg_total_grad: 10,
      eg_unpaid_other: 7,
      eg_total: 117,
      eg_paid: 40,
      eg_unpaid: 77,
      eg_students_paid: 3,
      eg_students_partially_paid: 6,
      eg_students_not_paid: 9,
      E_wallet: 5,
      usd_total_grad: 100,
      usd_total: 100,
      usd_total_studing: 0,
      usd_E_wallet: 6,
    })
  })
  it('amounts are written exactly', () => {
    expect([0, 5, -5, 125_050, -123_456_789].map(plain)).toEqual(['0.00', '0.05', '-0.05', '1250.50', '-1234567.89'])
    expect([125_050, -123_456_789, 99_999].map(groupedAmount)).toEqual(['1,250.50', '-1,234,567.89', '999.99'])
  })
  it('ages have no gap: what is due today is not late', () => {
    expect([-5, 0, 1, 30, 31, 60, 61, 90, 91, 900].map(ageOf)).toEqual([
      'not_due',
      'not_due',
      'd1_30',
      'd1_30',
      'd31_60',
      'd31_60',
      'd61_90',
      'd61_90',
      'over_90',
      'over_90',
    ])
    expect(dueDays('d1_30', '2026-03-31')).toEqual({ from: '2026-03-01', to: '2026-03-30' })
    expect(dueDays('over_90', '2026-03-31')).toEqual({ from: null, to: '2025-12-30' })
    expect(dueDays('not_due', '2026-03-31')).toEqual({ from: null, to: null })
  })
  it('weeks begin on Saturday, stand without gaps, and end where the year does', () => {
    expect([weekOf('2026-11-21'), weekOf('2026-11-27'), weekOf('2026-11-28')]).toEqual([
      '2026-11-21',
      '2026-11-21',
      '2026-11-28',
    ])
    const days = [
      { day: '2026-11-22', way: 'cash', amount: 5 },
      { day: '2026-11-22', way: 'card', amount: 7 },
      { day: '2026-12-06', way: 'cash', amount: -2 },
    ]
    expect(spansOf(days, 'week', '2026-11-22', '2026-12-08')).toEqual([
      { from: '2026-11-22', to: '2026-11-27', amounts: { cash: 5, card: 7 } },
      { from: '2026-11-28', to: '2026-12-04', amounts: {} },
      { from: '2026-12-05', to: '2026-12-08', amounts: { cash: -2 } },
    ])
    expect(spansOf(days, 'day', '2026-11-01', '2026-12-31')).toHaveLength(15)
    expect(spansOf([], 'day', '2026-11-01', '2026-12-31')).toEqual([])
  })
  it('prices are compared by the same unit; levels alike are one line', () => {
    const price = (amount: number, per = 'year') => ({ amount, per })
    expect(changeOf(price(120), price(100))).toBe(20)
    expect([changeOf(price(120), price(100, 'term')), changeOf(price(1), null), changeOf(null, price(1))]).toEqual([
      null,
      null,
      null,
    ])
    const rows = [1, 2, 3, 5].map((level) => ({ level, amount: level === 3 ? 2 : 1 }))
    expect(joinLevels(rows, (a, b) => a.amount === b.amount).map((one) => [one.from, one.to])).toEqual([
      [1, 2],
      [3, 3],
      [5, 5],
    ])
  })
})

describe('of a made-up world', () => {
  let u: TestUniversity
  let w: RegistrationWorld
  let m: ReturnType<typeof moneyWorld>
  let finance: Caller
  let dean: Caller
  let cashier: Caller
  const report = async (who: Caller, link: string, body: object = {}) => ok(await who('POST', `/reports/${link}`, body))
  const take = async (student: number, amount: number) =>
    ok(await cashier('POST', '/cashier/take', { student_id: student, currency: 'EGP', amount, key: randomUUID() }))
  beforeAll(async () => {
    u = await testUniversity(AREAS)
    w = await registrationWorld(u)
    m = moneyWorld(u.database.db)
    await priceWorld(u.database.db, w.term)
    finance = await u.as('finance_officer')
    dean = await u.as('dean', ['faculty', w.faculty])
    cashier = await u.as('cashier')
    ok(
      await cashier('POST', '/cashier/shift/open', {
        opening: [
          { currency: 'EGP', amount: 0 },
          { currency: 'USD', amount: 0 },
        ],
      }),
    )
    await w.query(`insert into current_terms (key, term_id) values ('current_term', $1) on conflict do nothing`, [
      w.term,
    ])
  })
  afterAll(() => u?.close())

  it('counts what stands: parts, all, nothing; reversed invoices, notes, cancelled and refunded payments', async () => {
    const [all, part, none, gone, back, elsewhere, dollars, left] = await Promise.all([
      w.student({ level: 1 }),
      w.student({ level: 2 }),
      w.student({ level: 2 }),
      w.student(),
      w.student(),
      w.student({ faculty: 'other' }),
      w.student({ level: 3 }),
      w.student(),
    ])
    await w.query(`select decide_status(array[$1::int], 'graduated', 'Decision 1', university_today())`, [none.id])
    await w.query(`select decide_status(array[$1::int], 'suspended', 'Decision 1', university_today())`, [left.id])
    await m.invoice(all.id, [[1000, 10]])
    await take(all.id, 1000)
    const two = await m.invoice(part.id, [
      [2000, -40],
      [3000, 10],
    ])
    await take(part.id, 500)
    await m.invoice(none.id, [[700, -5]])
    const wrong = await m.invoice(gone.id, [[9000, 10]])
    await take(gone.id, 400)
    ok(await finance('POST', `/payments/reverse-invoice/${wrong}`, { reason: 'Asked for by mistake' }))
    await m.invoice(back.id, [[1500, -100]])
    const paid = await take(back.id, 1500)
    ok(await finance('POST', '/transactions/cancel-transaction', { id: paid.id, reason: 'Typed twice' }))
    await m.invoice(elsewhere.id, [[4000, 5]])
    await take(elsewhere.id, 4000)
    await m.invoice(dollars.id, [[300, -70]], 'USD')
    await m.invoice(left.id, [[250, 20]])
    // A note takes 800 off what is still open.
    const shown = ok(await finance('GET', `/payments/${two}`))
    ok(
      await finance('POST', `/payments/edit-invoice/${two}`, {
        lines: [{ id: shown.lines[0].id, amount: 4200 }],
        reason: 'Less was taught',
        version: shown.version,
      }),
    )
    const found = await report(finance, 'financial')
    provesItself(found)
    expect(found.total).toMatchObject({
      eg_paid_studing: 5500,
      eg_total_studing: 1000 + 4200 + 1500 + 4000,
      eg_total_grad: 700,
      eg_unpaid_grad: 700,
      eg_total_other: 250,
      eg_students_paid: 2,
      eg_students_partially_paid: 1,
      eg_students_not_paid: 3,
      E_wallet: 400,
      usd_total_studing: 300,
      usd_students_not_paid: 1,
      usd_E_wallet: 0,
    })
    const levels = await report(finance, 'levels-financial')
    provesItself(levels)
    expect(levels.rows.find((row: any) => row.level === 2)).toMatchObject({ eg_total: 4900, eg_paid: 500 })
    const graduates = await report(finance, 'graduates-financial')
    expect(graduates.total).toMatchObject({ eg_total: 700, eg_total_grad: 700, eg_students_not_paid: 1, E_wallet: 0 })
  })

  it('all programs together are the ledger: balances of invoices, and the account of wallets', async () => {
    const { total } = await report(finance, 'financial')
    for (const [p, currency] of [
      ['eg', 'EGP'],
      ['usd', 'USD'],
    ] as const) {
      const [ledger] = await w.query<any>(
        `select coalesce(sum(charged), 0)::int as charged, coalesce(sum(settled), 0)::int as settled,
          (select coalesce(-sum(q.amount), 0)::int from ledger_postings q join ledger_accounts a on a.id = q.account_id where a.role = 'wallet' and q.currency = $1) as wallet
         from invoice_balances where currency = $1`,
        [currency],
      )
      expect([total[`${p}_total`], total[`${p}_paid`], p === 'eg' ? total.E_wallet : total.usd_E_wallet]).toEqual([
        ledger.charged,
        ledger.settled,
        ledger.wallet,
      ])
    }
  })

  it('somebody with two records is counted once in each program', async () => {
    const before = await report(finance, 'financial')
    const one = await w.student()
    const two = await w.student({ faculty: 'other' })
    await w.query(`update students set user_id = null where id = $1`, [two.id]).catch(() => [])
    await m.invoice(one.id, [[100, 5]])
    await m.invoice(one.id, [[60, 9]])
    await m.invoice(two.id, [[40, 5]])
    const after = await report(finance, 'financial')
    provesItself(after)
    expect(after.total.eg_students_not_paid - before.total.eg_students_not_paid).toBe(2)
    const program = (r: any) => r.rows.find((row: any) => row.program?.id === w.program)
    expect(program(after).eg_students_not_paid - program(before).eg_students_not_paid).toBe(1)
    // Somebody who moved stands in both programs, and once below them.
    const [other] = await w.query<{ program_id: number }>(`select program_id from students where id = $1`, [two.id])
    const moved = await m.invoice(one.id, [[30, 9]])
    await w.query(`update invoices set program_id = $2 where id = $1`, [moved, other!.program_id])
    const twice = await report(finance, 'financial')
    provesItself(twice, false)
    expect(twice.total.eg_students_not_paid).toBe(after.total.eg_students_not_paid)
    expect(sumOfFigure(twice.rows, 'eg_students_not_paid')).toBe(after.total.eg_students_not_paid + 1)
  })

  it('a dean sees the own faculty; who has no right sees nothing', async () => {
    const [mine, whole] = await Promise.all([report(dean, 'financial'), report(finance, 'financial')])
    expect(new Set(mine.rows.map((row: any) => row.faculty.id))).toContain(w.faculty)
    expect(mine.total.eg_total).toBeLessThan(whole.total.eg_total)
    const [sums] = await w.query<any>(
      `select sum(b.charged)::int as charged, sum(b.settled)::int as settled from invoice_balances b join invoices i on i.id = b.invoice_id
        join payers p on p.id = i.payer_id join students s on s.id = p.student_id where b.currency = 'EGP' and s.faculty_id = $1`,
      [w.faculty],
    )
    expect([mine.total.eg_total, mine.total.eg_paid]).toEqual([sums.charged, sums.settled])
    expect((await report(dean, 'financial', { faculty_id: w.otherFaculty })).total.eg_paid).toBe(0)
    const money = await report(dean, 'payments', { by: 'faculty' })
    expect(money.rows.map((row: any) => row.of.id)).toEqual([w.faculty])
    const board = ok(await dean('POST', '/dashboard/finance', { year_id: null }))
    expect([board.sums.charged, board.sums.settled]).toEqual([sums.charged, sums.settled])
    // What these figures add up stands in the lists: of the own faculty, read and never moved.
    const list = ok(await dean('POST', '/transactions', { perPage: 500 }))
    const [rows] = await w.query<any>(
      `select count(*) filter (where s.faculty_id = $1)::int as mine, max(t.id) filter (where s.faculty_id <> $1) as foreign_one, max(t.id) filter (where s.faculty_id = $1) as own_one
        from transactions t join payers p on p.id = t.payer_id join students s on s.id = p.student_id`,
      [w.faculty],
    )
    expect([list.length, rows.mine > 0]).toEqual([rows.mine, true])
    expect((await dean('GET', `/transactions/${rows.own_one}`)).status).toBe(200)
    expect((await dean('GET', `/transactions/${rows.foreign_one}`)).status).toBe(404)
    expect((await dean('POST', '/credits', {})).status).toBe(200)
    expect((await dean('POST', `/payments/refund/${rows.own_one}`, { reason: 'Not mine to do' })).status).toBe(403)
    const student = (await w.student()).as
    const instructor = await u.as('instructor')
    for (const who of [student, instructor, cashier]) {
      for (const link of [
        'financial',
        'levels-financial',
        'graduates-financial',
        'payments',
        'invoices',
        'financial/download/en/xlsx',
      ])
        expect((await who('POST', `/reports/${link}`, {})).status).toBe(403)
      expect((await who('POST', '/dashboard/finance', {})).status).toBe(403)
      expect((await who('GET', '/reports/financial')).status).toBe(403)
    }
    expect((await u.nobody('POST', '/reports/financial', {})).status).toBe(401)
    // The cashier may see what a year charges, and nothing else by its link.
    expect((await cashier('GET', '/reports/fee-settings')).status).toBe(200)
  })

  it('every report is there by its link, with the right of its own; others are not', async () => {
    for (const link of REPORT_LINKS.keys()) {
      // Reports of students and applicants are not those of finance.
      if ((SYSTEM_LINKS as readonly string[]).includes(link)) {
        expect([link, (await finance('GET', `/reports/${link}`)).status]).toEqual([link, 403])
        continue
      }
      const byLink = ok(await finance('GET', `/reports/${link}`))
      expect(byLink).toEqual(await report(finance, link))
    }
    expect(ok(await finance('GET', `/reports/financial?faculty_id=${w.otherFaculty}`))).toEqual(
      await report(finance, 'financial', { faculty_id: w.otherFaculty }),
    )
    expect((await finance('GET', '/reports/nothing-such')).status).toBe(404)
    expect((await finance('GET', '/reports/financial?by=way')).status).toBe(422)
    expect(reasons(await finance('POST', '/reports/payments', { from: '2026-02-02', to: '2026-02-01' }))).toEqual([
      'report_days@to',
    ])
  })

  it('as of an earlier day it is what the ledger said then', async () => {
    const now = await report(finance, 'financial')
    const [{ today, before }] = (await w.query(
      `select university_today()::text as today, (university_today() - 1)::text as before`,
    )) as [any]
    expect({ ...(await report(finance, 'financial', { as_of: today })), as_of: null }).toEqual(now)
    expect((await report(finance, 'financial', { as_of: before })).rows).toEqual([])
  })

  it('what was received is told apart by anything, and always the same sum', async () => {
    const [moved] = await w.query<any>(
      `select coalesce(sum(case when direction = 'out' then -amount else amount end), 0)::int as net from transactions
       where status = 'paid' and way <> 'wallet' and currency = 'EGP'`,
    )
    for (const { value: by } of PAYMENT_GROUPS) {
      const { rows, totals } = await report(finance, 'payments', { by })
      const [egp] = totals.filter((one: any) => one.currency === 'EGP')
      expect([by, egp.net]).toEqual([by, moved.net])
      expect(
        rows.filter((one: any) => one.currency === 'EGP').reduce((sum: number, one: any) => sum + one.net, 0),
      ).toBe(moved.net)
    }
    // The receipt that was cancelled is in none of them.
    expect(moved.net).toBe(1000 + 500 + 400 + 4000)
    // What a wallet pays came when the wallet was charged.
    const one = await w.student()
    ok(await cashier('POST', '/credits/charge-credit', { id: String(one.id), amount: 900, currency: 'EGP' }))
    const invoice = await m.invoice(one.id, [[600, 5]])
    ok(await one.as('POST', `/payments/pay_from_wallet/${invoice}`, {}))
    const { totals } = await report(finance, 'payments')
    expect(totals.find((total: any) => total.currency === 'EGP').net).toBe(moved.net + 900)
    const { totals: owed } = await report(finance, 'invoices')
    const whole = await report(finance, 'financial')
    expect(owed.find((total: any) => total.currency === 'EGP')).toMatchObject({
      charged: whole.total.eg_total,
      settled: whole.total.eg_paid,
      open: whole.total.eg_unpaid,
    })
  })

  it('every figure of the dashboard is the sum of the rows it leads to', async () => {
    const board = ok(await finance('POST', '/dashboard/finance', { year_id: null, currency: 'EGP' }))
    const rows = async (path: string, filters: object): Promise<any[]> =>
      (await finance('POST', path, { filters: { currency: ['EGP'], ...filters }, perPage: 500 })).body.data
    const sum = (list: any[], name: string) => list.reduce((total, one) => total + one[name], 0)
    const all = await rows('/payments', {})
    expect([sum(all, 'charged'), sum(all, 'settled')]).toEqual([board.sums.charged, board.sums.settled])
    expect(sum(await rows('/payments', { overdue: true }), 'overdue_amount')).toBe(board.sums.overdue)
    expect(sum(await rows('/payments', { not_due: { from: 1 } }), 'not_due')).toBe(board.sums.not_due)
    expect(board.ages.map((one: any) => one.amount)).toEqual([board.sums.not_due, 700, 1500, 0, 1500])
    expect(board.ages.reduce((total: number, one: any) => total + one.amount, 0)).toBe(
      board.sums.charged - board.sums.settled,
    )
    for (const age of board.ages.slice(1)) {
      const list = await rows('/payments', {
        overdue: true,
        due_date: { ...(age.from && { from: age.from }), ...(age.to && { to: age.to }) },
      })
      expect([age.age, sum(list, 'overdue_amount'), list.length]).toEqual([age.age, age.amount, age.invoices])
    }
    for (const one of board.faculties) {
      const where = { faculty_id: [one.faculty.id] }
      expect([
        sum(await rows('/payments', where), 'settled'),
        sum(await rows('/payments', { ...where, overdue: true }), 'overdue_amount'),
      ]).toEqual([one.settled, one.overdue])
    }
    const came = { status: ['paid'], booked_on: { from: board.from, to: board.to } }
    for (const one of board.ways) {
      const list = await rows('/transactions', { ...came, way: [one.way] })
      expect([sum(list, 'amount'), list.length]).toEqual([one.amount, one.count])
    }
    expect(board.days.reduce((total: number, one: any) => total + one.amount, 0)).toBe(board.received)
    expect(sum(await rows('/credits', { wallet: { from: 1 } }), 'wallet')).toBe(board.wallets)
    const usd = ok(await finance('POST', '/dashboard/finance', { year_id: null, currency: 'USD' }))
    expect([usd.sums.charged, usd.received]).toEqual([300, 0])
    expect((await finance('POST', '/dashboard/finance', { year_id: 999_999 })).status).toBe(404)
    expect((await finance('POST', '/dashboard/finance', { term_id: 999_999 })).status).toBe(404)
  })

  it('what is owed by how late it is: every figure is the sum of the rows it leads to, by faculty, program and level', async () => {
    const rows = async (path: string, filters: object): Promise<any[]> =>
      (await finance('POST', path, { filters, perPage: 500 })).body.data
    const sum = (list: any[], name: string) => list.reduce((total, one) => total + one[name], 0)
    for (const by of ['faculty', 'program', 'level'] as const) {
      const found = ok(await finance('POST', '/reports/aging', { by }))
      const totals = found.totals.find((one: any) => one.currency === 'EGP')
      const parts = found.rows.filter((one: any) => one.currency === 'EGP')
      expect(parts.length).toBeGreaterThan(0)
      const base = { state: ['unpaid', 'partially_paid'], currency: ['EGP'] }
      const open = await rows('/payments', base)
      expect([totals.open, totals.overdue]).toEqual([sum(open, 'open'), sum(open, 'overdue_amount')])
      expect(totals.students).toBe(new Set(open.map((one: any) => one.student.id)).size)
      for (const one of [...parts, totals]) {
        const where = {
          ...base,
          ...(one.of && { [`${by}_id`]: [one.of.id] }),
          ...(by === 'level' && one.level !== undefined && { level: { from: one.level, to: one.level } }),
        }
        for (const { age, amount, invoices } of one.ages) {
          const days = found.days.find((day: any) => day.age === age)
          const list = await rows(
            '/payments',
            age === 'not_due'
              ? { ...where, not_due: { from: 1 } }
              : {
                  ...where,
                  overdue: true,
                  due_date: { ...(days.from && { from: days.from }), ...(days.to && { to: days.to }) },
                },
          )
          expect([by, age, sum(list, age === 'not_due' ? 'not_due' : 'overdue_amount'), list.length]).toEqual([
            by,
            age,
            amount,
            invoices,
          ])
        }
      }
    }
    // Narrowed, and as far as one reaches.
    const one = ok(await finance('POST', '/reports/aging', { by: 'program', faculty_id: w.faculty }))
    expect(one.rows.every((row: any) => row.of !== null)).toBe(true)
    const bound = await u.as('finance_officer', ['faculty', w.otherFaculty])
    const theirs = ok(await bound('POST', '/reports/aging', {}))
    expect(theirs.rows.every((row: any) => row.of?.id === w.otherFaculty)).toBe(true)
    expect((await u.as('registrar').then((who) => who('POST', '/reports/aging', {}))).status).toBe(403)
  })

  it('PDF and sheet hold the figures of the call', async () => {
    const found = await report(finance, 'financial')
    const file = await finance('POST', '/reports/financial/download/en/xlsx', {})
    const { sheets } = await readSheet(file.bytes)
    const [egp, usd] = ['EGP', 'USD'].map((name) => sheets.find((one: any) => one.name === name)!)
    const cells = (row: any) => row.map((cell: any) => cell?.text ?? cell)
    // Each cell is the figure of the call, in whole units.
    const heads = cells(egp!.rows[0])
    const at = (head: string) => heads.indexOf(head)
    const names = [
      ['Studying: Paid', 'eg_paid_studing'],
      ['Graduates: Unpaid', 'eg_unpaid_grad'],
      ['All: Sum', 'eg_total'],
      ['All: Unpaid', 'eg_unpaid'],
      ['Wallets', 'E_wallet'],
    ] as const
    const told = [...found.rows, found.total]
    expect(
      egp!.rows.slice(1).map((row: any) => names.map(([head]) => Math.round(Number(cells(row)[at(head)]) * 100))),
    ).toEqual(told.map((row: FinancialFigures) => names.map(([, name]) => row[name])))
    expect(cells(usd!.rows.at(-1)).filter((cell: string) => cell === '3')).toHaveLength(2)
    for (const path of [
      '/reports/financial/download/ar/pdf',
      '/reports/financial-levels/download/en/pdf',
      '/reports/financial-levels/download/ar/xlsx',
      '/reports/graduates-financial/download/en/pdf',
      '/reports/payments/download/en/pdf',
      '/reports/invoices/download/ar/pdf',
      '/reports/aging/download/ar/pdf',
      '/reports/aging/download/en/xlsx',
      '/reports/fee-settings/download/en/pdf',
      '/reports/fee-settings/download/ar/xlsx',
    ]) {
      const { status, bytes } = await finance('POST', path, {})
      expect([path, status, bytes.subarray(0, 4).toString('latin1')]).toEqual([
        path,
        200,
        path.endsWith('pdf') ? '%PDF' : 'PK\u0003\u0004',
      ])
    }
    expect((await finance('POST', '/reports/financial/download/en/csv', {})).status).toBe(404)
    expect((await finance('POST', '/reports/financial/download/xx/pdf', {})).status).toBe(404)
  })

  it('what a year charges stands by program, level and group, beside another year', async () => {
    const { year, rows } = await report(finance, 'fee-settings', { program_id: w.program })
    expect(year.version).toBe(1)
    const egyptians = rows.filter((row: any) => row.group.code === 'EG')
    expect(egyptians.map((row: any) => [row.item.code, row.price.amount, row.price.per, row.currency])).toEqual([
      ['TUITION', 1_000_000, 'year', 'EGP'],
      ['HOURS', 50_000, 'hour', 'EGP'],
    ])
    expect(rows.every((row: any) => row.program.id === w.program)).toBe(true)
    expect((await finance('POST', '/reports/fee-settings', { year_id: 999_999 })).status).toBe(404)
    // Who reaches one faculty reads of its programs.
    const bound = await u.as('finance_officer', ['faculty', w.faculty])
    const faculties = async (who: Caller) =>
      new Set((await report(who, 'fee-settings')).rows.map((row: any) => row.faculty.id))
    expect([await faculties(bound), (await faculties(finance)).size]).toEqual([new Set([w.faculty]), 2])
  })

  it('what went back is taken off, what is due today is not late, and each currency and faculty is by itself', async () => {
    const board = async (who: Caller, currency = 'EGP') =>
      ok(await who('POST', '/dashboard/finance', { year_id: null, currency }))
    const figures = async () => {
      const [whole, mine, dollars] = await Promise.all([board(finance), board(dean), board(finance, 'USD')])
      return [
        ...[whole, mine].flatMap((one) => [one.received, one.wallets, one.sums.overdue, one.sums.not_due]),
        dollars.received,
        dollars.wallets,
      ]
    }
    const before = await figures()
    const [here, there] = [await w.student(), await w.student({ faculty: 'other' })]
    await m.invoice(here.id, [[500, 0]])
    const paid = await take(here.id, 500)
    await w.query(`insert into cash_shifts (number, cashier_id) values ('SF', $1)`, [finance.user_id])
    await w.query(
      `insert into cash_counts (shift_id, currency, opening) select id, 'EGP', 10000000 from cash_shifts where number = 'SF'`,
    )
    ok(await finance('POST', `/payments/refund/${paid.id}`, { amount: 200, reason: 'Left the course' }))
    const charge = async (id: number, amount: number, currency: string) =>
      ok(await cashier('POST', '/credits/charge-credit', { id: String(id), amount, currency }))
    await charge(there.id, 700, 'EGP')
    await charge(here.id, 90, 'USD')
    expect((await figures()).map((one, i) => one - before[i]!)).toEqual([1000, 700, 0, 200, 300, 0, 0, 200, 90, 90])

    const money = await report(finance, 'payments')
    for (const one of [...money.rows, ...money.totals]) expect(one.net).toBe(one.received - one.paid_back)
    expect(money.totals.find((one: any) => one.currency === 'EGP').paid_back).toBe(200)
    const invoices = await report(finance, 'invoices')
    const [stand] = await w.query<{ n: number }>(
      `select count(*)::int as n from invoices where currency = 'EGP' and reversed_at is null`,
    )
    expect(invoices.totals.find((one: any) => one.currency === 'EGP').invoices).toBe(stand!.n)
    expect(new Set((await report(dean, 'invoices')).rows.map((row: any) => row.faculty.id))).toEqual(
      new Set([w.faculty]),
    )
  })

  it('beside a year stands the one before it; prices in another currency are not compared', async () => {
    await w.query(`insert into years (code, name, name_local, start_date, end_date)
      values ('Y0', 'Before', 'قبل', university_today() - 700, university_today() - 301), ('Y2', 'After', 'بعد', university_today() + 301, university_today() + 700)`)
    const { before } = ok(await finance('POST', '/dashboard/finance', { currency: 'EGP' }))
    expect(before.year.code).toBe('Y0')
    await w.query(`with v as (insert into fee_versions (year_id, number, what, stacking, grant_cap)
        select id, 1, 'prices', 'rest', 10000 from years where code = 'Y0' returning id)
      insert into fee_prices (version_id, item_id, nationality_group_id, currency, amount, per)
      select v.id, i.id, g.id, x.currency, x.amount, x.per from v, nationality_groups g,
        (values ('TUITION', 'USD', 500, 'year'), ('HOURS', 'EGP', 40000, 'hour')) x (code, currency, amount, per) join fee_items i on i.code = x.code
      where g.code = 'EG'`)
    const { other, rows } = await report(finance, 'fee-settings', { program_id: w.program })
    expect(other.code).toBe('Y0')
    const of = (item: string) => rows.find((row: any) => row.group.code === 'EG' && row.item.code === item)
    expect([of('TUITION').change, of('HOURS').change]).toEqual([null, 10_000])
  })
})
