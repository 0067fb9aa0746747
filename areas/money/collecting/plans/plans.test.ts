import { afterAll, beforeAll, expect, it } from 'vitest'
import { dailyJob } from '#areas/money/invoices/clock.server.ts'
import { followDebts } from '#areas/money/invoices/holds.server.ts'
import { moneyWorld, priceWorld } from '#areas/money/invoices/testing.server.ts'
import { verifyLedger } from '#areas/money/ledger/proof/verify.server.ts'
import { bookTransactions } from '#areas/money/transactions/book.server.ts'
import { reportsServer } from '#areas/office/reports/reports.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { type RegistrationWorld } from '#tests/registration-world.ts'
import { ok, type Caller, type TestUniversity } from '#tests/university.ts'
import { remind } from '../reminders/remind.server.ts'
import { collectingUniversity, stepWorld } from '../testing.server.ts'
import { judgePlans } from './judge.server.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'

let u: TestUniversity
let w: RegistrationWorld
let m: ReturnType<typeof moneyWorld>
let finance: Caller
let cashier: Caller
beforeAll(async () => {
  ;({ u, w } = await collectingUniversity(studentsServer, reportsServer))
  m = moneyWorld(u.database.db)
  await priceWorld(u.database.db, w.term)
  const step = stepWorld(u.database.db)
  await step('before', 3)
  await step('after', 1)
  finance = await u.as('finance_officer', ['faculty', w.faculty])
  cashier = await u.as('cashier', ['faculty', w.faculty])
}, 180_000)
afterAll(() => u?.close())

const day = (n: number) => addDays(dayOf(), n)
const system = () => asSystem(u.services, 'test')
const codes = (answer: { status: number; body: any }) => [
  answer.status,
  answer.body.errors?.map((one: any) => one.code),
]
type Student = Awaited<ReturnType<RegistrationWorld['student']>>
const ask = (one: Student, invoice_id: number, more: object = {}) =>
  one.as('PUT', '/payment-plans', { invoice_id, parts: 2, first_day: day(5), why: 'My parents pay monthly.', ...more })
const agree = (id: number, body: object = {}) => finance('POST', `/payment-plans/accept/${id}`, body)
/** Days from today of agreed parts. */
const parts = (...of: (readonly [amount: number, days: number])[]) => ({
  parts: of.map(([amount, days]) => ({ amount, due_date: day(days) })),
})
const instalments = async (invoice: number) =>
  (
    await w.query<{ amount: number; days: number }>(
      'select amount::int as amount, due_date - university_today() as days from installments where invoice_id = $1 order by position',
      [invoice],
    )
  ).map((one) => [one.amount, one.days])
const state = async (id: number) =>
  (await w.query<{ state: string }>('select state from payment_plans where id = $1', [id]))[0]!.state
const pay = async (one: Student, amount: number, invoice: number | null = null) => {
  const ctx = system()
  const id = await m.transaction(one.id, amount, { invoice })
  await ctx.write((tx) => bookTransactions(ctx, tx, [id]))
}
const told = async (user: number) =>
  (
    await w.query<{ key: string }>(
      `select key from notifications where user_id = $1 and key like 'collecting.notice_plan%' order by id`,
      [user],
    )
  ).map(({ key }) => key.replace('collecting.notice_plan_', ''))
/** As if the plan had been agreed so many days ago. */
const earlier = (invoice: number, n: number) =>
  w.query('update installments set due_date = due_date - $2::int where invoice_id = $1', [invoice, n])
const daily = () =>
  dailyJob.run(
    system(),
    {},
    Object.assign(async () => {}, { signal: new AbortController().signal }),
  )
const reminded = async (invoice: number) =>
  (await w.query('select from reminders where invoice_id = $1', [invoice])).length

it('is asked for, agreed on and becomes the instalments; paid, it is kept', async () => {
  const one = await w.student()
  const invoice = await m.invoice(one.id, [
    [2000, -30],
    [10_000, -9],
  ])
  await pay(one, 3000, invoice)
  await system().write(async (tx) => followDebts(system(), tx, [await m.payerOf(one.id)]))
  expect((await m.holds(one.id)).length).toBe(1)
  const offered = ok(await one.as('GET', `/payment-plans/offer/${one.id}`))
  expect(offered.owed).toMatchObject([{ currency: 'EGP', open: 9000, taken: null, invoices: [{ id: invoice }] }])
  const plan = ok(await ask(one, invoice, { parts: 3 }))
  expect([plan.state, plan.open, plan.parts.map((part: any) => part.amount), plan.abilities]).toEqual([
    'asked',
    9000,
    [3000, 3000, 3000],
    ['withdraw'],
  ])
  const before = ok(await finance('GET', `/payment-plans/${plan.id}`))
  expect(before.invoices[0].now).toMatchObject([
    { amount: 2000, settled: 2000 },
    { amount: 10_000, settled: 1000 },
  ])
  const agreed = ok(await agree(plan.id, parts([4000, 1], [5000, 31])))
  expect([agreed.state, agreed.abilities, agreed.decided_by.id]).toEqual(['running', ['end'], finance.user_id])
  // What was paid in full stays as it was, and what was paid of the rest stands in the first part.
  expect(await instalments(invoice)).toEqual([
    [2000, -30],
    [5000, 1],
    [5000, 31],
  ])
  expect(await m.holds(one.id)).toEqual([])
  expect(ok(await one.as('POST', '/payment-plans', {}))[0].parts).toMatchObject([
    { amount: 5000, paid: 1000, due_date: day(1) },
    { amount: 5000, paid: 0 },
  ])
  const history = ok(await finance('POST', `/payments/history/${invoice}`, {}))
  expect(history.find((step: any) => step.kind === 'installments_plan')).toMatchObject({
    reason: 'My parents pay monthly.',
  })
  expect(await judgePlans(system())).toEqual({ kept: 0, broken: 0 })
  await pay(one, 9000)
  // It is looked at as soon as it is paid.
  expect(
    await w.query(`select from jobs where name = 'payment-plans' and created_at > now() - interval '1 minute'`),
  ).not.toEqual([])
  expect(await judgePlans(system())).toEqual({ kept: 1, broken: 0 })
  expect([await state(plan.id), await told(one.user_id)]).toEqual(['kept', ['agreed', 'kept']])
  expect((await verifyLedger(u.services.db)).findings).toEqual([])
})

it('while it runs nothing is late anywhere, and nothing of it is asked for; broken, all of it is due', async () => {
  const one = await w.student()
  await w.query('update students set nationality_id = 64 where id = $1', [one.id])
  ok(await finance('POST', `/payments/apply_next_invoice/${one.id}`, { term_id: w.term }))
  const [{ id: invoice, open }] = (await w.query(
    `select i.id, b.charged::int as open from invoices i join invoice_balances b on b.invoice_id = i.id join payers p on p.id = i.payer_id where p.student_id = $1`,
    [one.id],
  )) as [{ id: number; open: number }]
  const plan = ok(await ask(one, invoice))
  ok(await agree(plan.id, parts([10_000, 0], [open - 10_000, 20])))
  await earlier(invoice, 5)
  await daily()
  await remind(system())
  const look = async () => {
    const detail = ok(await finance('GET', `/payments/${invoice}`))
    const account = ok(await one.as('GET', `/student-payments/${one.id}`))
    const [aging] = ok(await finance('POST', '/reports/aging', { by: 'faculty' })).totals
    const board = ok(await finance('POST', '/dashboard/finance', { currency: 'EGP' }))
    const [listed] = ok(await finance('POST', '/payments', { filters: { student_id: [one.id] } }))
    const [{ code }] = (await w.query('select code from students where id = $1', [one.id])) as [{ code: string }]
    const [atDesk] = ok(await cashier('POST', '/cashier/find', { text: code }))
    const [{ late }] = (await w.query('select count(*)::int as late from invoice_overdue($1, university_today())', [
      invoice,
    ])) as [{ late: number }]
    return [
      detail.overdue || listed.overdue || listed.overdue_amount > 0 || atDesk.invoices[0].overdue,
      detail.overdue_amount,
      detail.installments.some((part: any) => part.overdue),
      account.open[0].installments.some((part: any) => part.overdue),
      late,
      (await m.holds(one.id)).length,
      await reminded(invoice),
      (await w.query(`select from invoice_notes where invoice_id = $1 and kind = 'fine'`, [invoice])).length,
      aging.overdue,
      board.sums.overdue,
    ]
  }
  expect(await look()).toEqual([false, 0, false, false, 0, 0, 0, 0, 0, 0])
  // Its last day of grace is over.
  await earlier(invoice, 1)
  await daily()
  await remind(system())
  expect((await look())[5]).toBe(0)
  // Money on its way is waited for, on the day on which it would break too.
  const way = await m.transaction(one.id, 10_000, { invoice, way: 'mobile' })
  await w.query(`update transactions set provider = 'fawry', expires_at = now() + interval '1 hour' where id = $1`, [
    way,
  ])
  expect(await judgePlans(system())).toEqual({ kept: 0, broken: 0 })
  await w.query(`update transactions set status = 'expired' where id = $1`, [way])
  expect(await judgePlans(system())).toEqual({ kept: 0, broken: 1 })
  expect(await judgePlans(system())).toEqual({ kept: 0, broken: 0 })
  expect(await instalments(invoice)).toEqual([[open, 0]])
  expect([await state(plan.id), await told(one.user_id), await told(finance.user_id)]).toEqual([
    'broken',
    ['agreed', 'broken'],
    ['over'],
  ])
  // Due today: from tomorrow on it is late, and dunning goes on from there.
  await earlier(invoice, 6)
  await daily()
  await remind(system())
  expect((await look()).slice(0, 8)).toEqual([true, open + 10_000, true, true, 1, 1, 1, 1])
  expect(ok(await ask(one, invoice)).broken_before).toBe(1)
})

it('covers everything that is owed in a currency; what is paid by a day is what its invoices ask for by that day', async () => {
  const one = await w.student()
  const a = await m.invoice(one.id, [[6000, -9]])
  const b = await m.invoice(one.id, [[4000, 20]])
  const dollars = await m.invoice(one.id, [[700, 3]], 'USD')
  const body = {
    student_id: one.id,
    currency: 'EGP',
    parts: 2,
    first_day: day(1),
    why: 'Salary at the end of the month',
  }
  const plan = ok(await one.as('PUT', '/payment-plans', body))
  expect(codes(await ask(one, a))).toEqual([409, ['plan_asked']])
  ok(await agree(plan.id))
  expect([await instalments(a), (await instalments(b)).map(([amount]) => amount)]).toEqual([
    [
      [5000, 1],
      [1000, expect.any(Number)],
    ],
    [4000],
  ])
  expect(await instalments(dollars)).toEqual([[700, 3]])
  // A second plan while one runs: of the invoice, of everything.
  expect(codes(await ask(one, b))).toEqual([409, ['plan_running']])
  expect(codes(await one.as('PUT', '/payment-plans', body))).toEqual([409, ['plan_running']])
  // What is owed since then is in none, and may be asked for.
  const c = await m.invoice(one.id, [[900, 9]])
  expect(ok(await one.as('PUT', '/payment-plans', body)).open).toBe(900)
  await pay(one, 5000)
  await earlier(a, 8)
  await earlier(b, 8)
  expect(await judgePlans(system())).toEqual({ kept: 0, broken: 0 })
  await earlier(a, 40)
  await earlier(b, 40)
  expect(await judgePlans(system())).toEqual({ kept: 0, broken: 1 })
  expect([await instalments(a), await instalments(b), await instalments(c)]).toEqual([
    [
      [5000, -47],
      [1000, 0],
    ],
    [[4000, 0]],
    [[900, 9]],
  ])
  expect(
    ok(await finance('POST', '/payment-plans', { filters: { invoice_id: [b] } })).map((row: any) => row.id),
  ).toEqual([plan.id])
})

it('is refused with every reason; nobody decides on the own one, twice, or on one that was asked for by oneself', async () => {
  const one = await w.student()
  const invoice = await m.invoice(one.id, [[10_000, 5]])
  expect(codes(await ask(one, invoice, { parts: 7, first_day: day(40) }))).toEqual([
    422,
    ['plan_most_parts', 'plan_first_far'],
  ])
  expect(codes(await ask(one, invoice, { first_day: day(-2) }))).toEqual([422, ['plan_day_over']])
  expect(codes(await one.as('PUT', '/payment-plans', { parts: 2, first_day: day(1), why: 'Please' }))).toEqual([
    422,
    ['required', 'required'],
  ])
  const other = await w.student()
  expect((await ask(other, invoice)).status).toBe(404)
  const theirs = { student_id: other.id, currency: 'EGP', parts: 2, first_day: day(1), why: 'Please' }
  expect(codes(await one.as('PUT', '/payment-plans', theirs))).toEqual([404, ['not_found']])
  expect((await other.as('GET', `/payment-plans/offer/${one.id}`)).status).toBe(404)
  const small = await m.invoice(other.id, [[150, 5]])
  expect(codes(await ask(other, small))).toEqual([422, ['plan_parts_small']])
  // Two clicks at once: one asks.
  const both = await Promise.all([ask(one, invoice), ask(one, invoice)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const [row] = ok(await one.as('POST', '/payment-plans', {}))
  expect(ok(await other.as('POST', '/payment-plans', {}))).toEqual([])
  expect((await other.as('GET', `/payment-plans/${row.id}`)).status).toBe(404)
  expect((await one.as('POST', `/payment-plans/accept/${row.id}`, {})).status).toBe(403)
  expect((await cashier('POST', `/payment-plans/accept/${row.id}`, {})).status).toBe(403)
  const elsewhere = await u.as('finance_officer', ['faculty', w.otherFaculty])
  expect((await elsewhere('POST', `/payment-plans/accept/${row.id}`, {})).status).toBe(404)
  expect(codes(await agree(row.id, parts([9999, 1])))).toEqual([422, ['plan_sum']])
  expect(codes(await agree(row.id, parts([5000, 3], [5000, 3])))).toEqual([422, ['plan_days_order']])
  expect(codes(await agree(row.id, parts([10_000, 3], [0, 4])))).toEqual([422, ['plan_part_nothing']])
  expect(codes(await agree(row.id, parts([10_000, 900])))).toEqual([422, ['plan_last_far']])
  expect(codes(await agree(row.id, { version: 9 }))).toEqual([409, ['changed_meanwhile']])
  // Entered by staff who came to the desk for the student: somebody else decides.
  const desk = await u.as('finance_officer', ['faculty', w.faculty])
  const entered = ok(
    await desk('PUT', '/payment-plans', {
      invoice_id: await m.invoice(other.id, [[8000, 5]]),
      parts: 2,
      first_day: day(1),
      why: 'At the desk',
    }),
  )
  expect(codes(await desk('POST', `/payment-plans/accept/${entered.id}`, {}))).toEqual([403, ['plan_own_request']])
  expect(codes(await desk('POST', `/payment-plans/refuse/${entered.id}`, { reason: 'No money' }))).toEqual([
    403,
    ['plan_own_request'],
  ])
  expect(codes(await finance('POST', `/payment-plans/withdraw/${entered.id}`, {}))).toEqual([
    403,
    ['plan_not_own_request'],
  ])
  // A member of finance who studies here.
  await w.query('update students set user_id = $2 where id = $1', [one.id, finance.user_id])
  expect(codes(await agree(row.id))).toEqual([403, ['own_money']])
  await w.query('update students set user_id = $2 where id = $1', [one.id, one.user_id])
  // Two decide at once: one does.
  const decided = await Promise.all([
    agree(row.id),
    finance('POST', `/payment-plans/refuse/${row.id}`, { reason: 'Too late' }),
  ])
  expect(decided.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(codes(await agree(row.id))).toEqual([409, ['plan_decided']])
  expect(codes(await one.as('POST', `/payment-plans/withdraw/${row.id}`, {}))).toEqual([409, ['plan_decided']])
})

it('refused or taken back it changes nothing, and may be asked for again', async () => {
  const one = await w.student()
  const invoice = await m.invoice(one.id, [[10_000, 5]])
  const first = ok(await ask(one, invoice))
  expect(ok(await one.as('POST', `/payment-plans/withdraw/${first.id}`, {})).state).toBe('withdrawn')
  const second = ok(await ask(one, invoice))
  const refused = ok(await finance('POST', `/payment-plans/refuse/${second.id}`, { reason: 'Paid in full by others' }))
  expect([refused.state, refused.reason, refused.parts]).toEqual(['refused', 'Paid in full by others', []])
  expect(codes(await finance('POST', `/payment-plans/end/${second.id}`, { reason: 'Not at all' }))).toEqual([
    409,
    ['plan_not_running'],
  ])
  expect([await instalments(invoice), await told(one.user_id)]).toEqual([[[10_000, 5]], ['refused']])
  // Paid meanwhile: what is agreed is what is open then.
  const third = ok(await ask(one, invoice))
  await pay(one, 4000, invoice)
  ok(await agree(third.id))
  expect((await instalments(invoice)).map(([amount]) => amount)).toEqual([7000, 3000])
  const fourth = await m.invoice(one.id, [[5000, 5]])
  const last = ok(await ask(one, fourth))
  await pay(one, 11_000)
  expect(codes(await agree(last.id))).toEqual([409, ['plan_nothing_open']])
  expect(await judgePlans(system())).toEqual({ kept: 1, broken: 0 })
  expect((await w.query(`select from ledger_entries where reason like '%plan%'`)).length).toBe(0)
})

it('shrinks from its last part when less is owed, and grows there; by hand its parts are not changed', async () => {
  const one = await w.student()
  const invoice = await m.invoice(one.id, [[10_000, 5]])
  const plan = ok(await ask(one, invoice))
  ok(await agree(plan.id, parts([3000, 1], [3000, 31], [4000, 61])))
  const shown = ok(await finance('GET', `/payments/${invoice}`))
  expect(shown.abilities).not.toContain('split')
  const [part] = shown.installments
  const reason = 'Another day'
  for (const answer of [
    await finance('PUT', `/payments/due_date/${invoice}`, { due_date: day(90), reason }),
    await finance('POST', `/payments/installments/${invoice}`, { amount: 100, due_date: day(90), reason }),
    await finance('POST', `/payments/installments/${invoice}/${part.id}`, { amount: 100, reason }),
    await finance('DELETE', `/payments/installments/${part.id}`, { reason }),
  ])
    expect(codes(answer)).toEqual([409, ['installment_in_plan']])
  const credit = async (amount: number) => {
    const { version, lines } = ok(await finance('GET', `/payments/${invoice}`))
    ok(
      await finance('POST', `/payments/edit-invoice/${invoice}`, {
        version,
        lines: [{ id: lines[0].id, amount }],
        reason: 'Counted twice',
      }),
    )
  }
  await credit(5000)
  expect(await instalments(invoice)).toEqual([
    [3000, 1],
    [2000, 31],
  ])
  expect(await state(plan.id)).toBe('running')
  await pay(one, 3000, invoice)
  await credit(3000)
  expect(await judgePlans(system())).toEqual({ kept: 1, broken: 0 })
  expect([await state(plan.id), await told(one.user_id)]).toEqual(['kept', ['agreed', 'kept']])
})

it('ends with its last invoice, or by finance; its parts stay and each is late from its own day on', async () => {
  const one = await w.student()
  const [a, b] = [await m.invoice(one.id, [[6000, 5]]), await m.invoice(one.id, [[4000, 5]])]
  const plan = ok(
    await one.as('PUT', '/payment-plans', {
      student_id: one.id,
      currency: 'EGP',
      parts: 2,
      first_day: day(1),
      why: 'Salary',
    }),
  )
  ok(await agree(plan.id))
  ok(await finance('POST', `/payments/reverse-invoice/${a}`, { reason: 'Issued twice' }))
  expect(await state(plan.id)).toBe('running')
  ok(await finance('POST', `/payments/reverse-invoice/${b}`, { reason: 'Issued twice' }))
  expect([await state(plan.id), await told(one.user_id), await told(finance.user_id)]).toEqual([
    'ended',
    ['agreed', 'ended'],
    expect.arrayContaining(['over']),
  ])
  // A note that takes all of an invoice.
  const c = await m.invoice(one.id, [[5000, 5]])
  const second = ok(await ask(one, c))
  ok(await agree(second.id))
  const { version, lines } = ok(await finance('GET', `/payments/${c}`))
  ok(
    await finance('POST', `/payments/edit-invoice/${c}`, {
      version,
      lines: [{ id: lines[0].id, amount: 0 }],
      reason: 'Nothing of it',
    }),
  )
  expect(await state(second.id)).toBe('ended')
  const d = await m.invoice(one.id, [[5000, 5]])
  const third = ok(await ask(one, d))
  ok(await agree(third.id, parts([2000, 0], [3000, 30])))
  await earlier(d, 3)
  const ended = ok(await finance('POST', `/payment-plans/end/${third.id}`, { reason: 'Agreed for another student' }))
  expect([ended.state, ended.reason]).toEqual(['ended', 'Agreed for another student'])
  expect(await instalments(d)).toEqual([
    [2000, -3],
    [3000, 27],
  ])
  expect((await m.holds(one.id)).length).toBe(1)
  expect((await verifyLedger(u.services.db)).findings).toEqual([])
})

it('goes on for a student who left, and while the books are closed: nothing is booked by it', async () => {
  const one = await w.student()
  const invoice = await m.invoice(one.id, [[10_000, 5]])
  const plan = ok(await ask(one, invoice))
  await w.query(`insert into ledger_closings (closed_through, closed_by) values (university_today() - 1, $1)`, [
    finance.user_id,
  ])
  const entries = async () => (await w.query('select from ledger_entries')).length
  const before = await entries()
  ok(await agree(plan.id))
  await w.query('update students set removed_at = now() where id = $1', [one.id])
  await earlier(invoice, 20)
  expect(await judgePlans(system())).toEqual({ kept: 0, broken: 1 })
  expect(await entries()).toBe(before)
  expect(await instalments(invoice)).toEqual([[10_000, 0]])
})

it('the database keeps what was agreed, and that a plan runs exactly while it covers an invoice', async () => {
  const one = await w.student()
  const invoice = await m.invoice(one.id, [[10_000, 5]])
  const { id } = ok(await ask(one, invoice))
  const refuses = (statement: string, constraint: string) =>
    expect(w.query(statement)).rejects.toMatchObject({ constraint })
  await refuses(`update payment_plans set parts_asked = 5 where id = ${id}`, 'plan_kept_as_agreed')
  await refuses(`update payment_plans set state = 'kept' where id = ${id}`, 'plan_kept_as_agreed')
  await refuses(`delete from payment_plans where id = ${id}`, 'plan_kept_as_agreed')
  await refuses(`update invoices set plan_id = ${id} where id = ${invoice}`, 'plan_stands')
  await refuses(
    `update payment_plans set state = 'running', parts = '[]', decided_at = now() where id = ${id}`,
    'plan_stands',
  )
  ok(await agree(id))
  await refuses(
    `update payment_plans set parts = '[]', state = 'kept', ended_at = now() where id = ${id}`,
    'plan_kept_as_agreed',
  )
  await refuses(`update payment_plans set state = 'kept', ended_at = now() where id = ${id}`, 'plan_stands')
  await refuses(`update invoices set plan_id = null where id = ${invoice}`, 'plan_stands')
  await refuses(`update payment_plans set state = 'asked' where id = ${id}`, 'plan_kept_as_agreed')
})
