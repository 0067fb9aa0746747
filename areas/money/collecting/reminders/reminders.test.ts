import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { holdInvoice, setInstalments } from '#areas/money/invoices/issue.server.ts'
import { dailyJob } from '#areas/money/invoices/clock.server.ts'
import { moneyWorld, priceWorld } from '#areas/money/invoices/testing.server.ts'
import { bookTransactions } from '#areas/money/transactions/book.server.ts'
import { noticeText } from '#kit/server/mail/notice-texts.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { type RegistrationWorld } from '#tests/registration-world.ts'
import { ok, type Caller, type TestUniversity } from '#tests/university.ts'
import { collectingUniversity, stepWorld } from '../testing.server.ts'
import { remind } from './remind.server.ts'

let u: TestUniversity
let w: RegistrationWorld
let m: ReturnType<typeof moneyWorld>
let step: ReturnType<typeof stepWorld>
let finance: Caller
let elsewhere: Caller
beforeAll(async () => {
  ;({ u, w } = await collectingUniversity())
  m = moneyWorld(u.database.db)
  step = stepWorld(u.database.db)
  await w.query(
    `insert into fee_items (code, name, name_local, type) values ('REMIND', 'Reminder', 'تذكير', 'services')`,
  )
  const prices = await priceWorld(u.database.db, w.term)
  await prices.version({ requests: { REMIND: 5000 } })
  finance = await u.as('finance_officer', ['faculty', w.faculty])
  elsewhere = await u.as('finance_officer', ['faculty', w.otherFaculty])
}, 180_000)
afterAll(() => u?.close())
/** Steps of one test are none of the next; what they told stays. */
beforeEach(() => w.query(`update reminder_steps set is_active = false`))

type Student = Awaited<ReturnType<RegistrationWorld['student']>>
const student = async (): Promise<Student> => {
  const one = await w.student()
  await w.query(`update students set nationality_id = 64 where id = $1`, [one.id])
  await w.query(`update users set email = $2 where id = $1`, [one.user_id, `s${one.id}@u.test`])
  return one
}
const system = () => asSystem(u.services, 'test')
const sentOf = (invoice: number) =>
  w.query<{ moment: string; days: number; level: number | null; in_app: boolean; by_mail: string }>(
    'select moment, days::int as days, level::int as level, in_app, by_mail from reminders where invoice_id = $1 order by id',
    [invoice],
  )
const told = (one: Student) =>
  w.query<{ key: string; data: Record<string, any>; link: string }>(
    `select key, data, link from notifications where user_id = $1 and key like 'collecting.%' order by id`,
    [one.user_id],
  )
const pay = async (one: Student, invoice: number, amount: number) => {
  const ctx = system()
  const id = await m.transaction(one.id, amount, { invoice })
  await ctx.write((tx) => bookTransactions(ctx, tx, [id]))
}
const code = (answer: { status: number; body: any }) => [answer.status, answer.body.errors?.map((e: any) => e.code)]

describe('steps', () => {
  const body = (more: object) => ({
    code: `S${Math.random().toString(36).slice(2, 8).toUpperCase()}`,
    name: 'Late',
    name_local: 'متأخر',
    moment: 'after',
    days: 3,
    is_active: true,
    ...more,
  })
  it('are set as far as the right reaches: of the own faculty, not of another one or of the university', async () => {
    const { id } = ok(await finance('PUT', '/reminder-steps', body({ faculty_id: w.faculty, days: 40 })))
    expect((await finance('PUT', '/reminder-steps', body({ faculty_id: w.otherFaculty }))).status).toBe(403)
    expect((await finance('PUT', '/reminder-steps', body({ days: 77 }))).status).toBe(403)
    expect((await elsewhere('PUT', `/reminder-steps/${id}`, { days: 41 })).status).toBe(404)
    const all = await u.as('finance_officer')
    ok(await all('PUT', '/reminder-steps', body({ days: 77 })))
    expect(
      (await elsewhere('POST', '/reminder-steps', { filters: {} })).body.data.map((one: any) => one.days),
    ).toContain(77)
    // Students do not at all.
    expect((await (await w.student()).as('PUT', '/reminder-steps', body({}))).status).toBe(403)
  })
  it('are refused with every reason, and by the database where two stand at one day', async () => {
    const own = { faculty_id: w.faculty }
    const item = (await w.query<{ id: number }>(`select id from fee_items where code = 'REMIND'`))[0]!.id
    expect(
      code(
        await finance(
          'PUT',
          '/reminder-steps',
          body({ ...own, moment: 'before', holds: true, fee_item_id: item, text: 'Pay now' }),
        ),
      ),
    ).toEqual([422, ['reminder_step_after', 'reminder_step_after', 'reminder_text_both']])
    expect(code(await finance('PUT', '/reminder-steps', body({ ...own, days: 0 })))).toEqual([
      422,
      ['reminder_step_late'],
    ])
    ok(await finance('PUT', '/reminder-steps', body({ ...own, days: 50 })))
    const [, codes] = code(await finance('PUT', '/reminder-steps', body({ ...own, days: 50 })))
    expect(codes).toEqual(['reminder_step_taken'])
  })
})

describe('a reminder', () => {
  it('goes out once, by the ways that its student chose, in words of the university where it has some', async () => {
    await step('before', 7)
    await step('after', 3, { text: 'Pay at once.', text_local: 'ادفع فورًا.', text_de: 'Zahlen Sie sofort.' })
    const [soon, late, quiet] = [await student(), await student(), await student()]
    await w.query(
      `insert into notice_preferences (user_id, key, app, mail) values ($1, 'collecting.notice_due', false, 'off'),
      ($1, 'collecting.notice_overdue', false, 'digest')`,
      [quiet.user_id],
    )
    const [a, b, c, d] = [
      await m.invoice(soon.id, [[10_000, 5]]),
      await m.invoice(late.id, [
        [10_000, -4],
        [5000, 30],
      ]),
      await m.invoice(quiet.id, [[10_000, 5]]),
      await m.invoice(quiet.id, [[10_000, -3]]),
    ]
    await remind(system())
    await remind(system())
    expect(await sentOf(a)).toEqual([{ moment: 'before', days: 7, level: null, in_app: true, by_mail: 'now' }])
    expect(await sentOf(b)).toEqual([{ moment: 'after', days: 3, level: 1, in_app: true, by_mail: 'now' }])
    expect(await sentOf(c)).toEqual([{ moment: 'before', days: 7, level: null, in_app: false, by_mail: 'none' }])
    // What is late stands in the application whatever was chosen.
    expect(await sentOf(d)).toEqual([{ moment: 'after', days: 3, level: 1, in_app: true, by_mail: 'digest' }])
    const [one] = await told(late)
    expect((await told(late)).length).toBe(1)
    expect([one!.key, one!.link, one!.data.amount]).toEqual([
      'collecting.notice_overdue',
      `/payments/${b}`,
      '100.00 EGP',
    ])
    const said = (lang: 'en' | 'ar' | 'de' | 'fr') => noticeText(one!.key, one!.data, lang)
    expect(said('en')).toMatch(/was due on .* and is not paid\. Pay at once\.$/)
    expect(said('ar')).toContain('ادفع فورًا.')
    expect(said('de')).toContain('Zahlen Sie sofort.')
    // Who has none of the others reads English.
    expect(said('fr')).toContain('Pay at once.')
    expect((await told(soon)).map(({ key }) => key)).toEqual(['collecting.notice_due'])
    expect((await told(quiet)).map(({ key }) => key)).toEqual(['collecting.notice_overdue'])
    const mails = await w.query(`select way from notice_mails where user_id = $1 and key like 'collecting.%'`, [
      quiet.user_id,
    ])
    expect(mails).toEqual([{ way: 'digest' }])
  })

  it('is not sent to who paid an hour ago, or in the very moment', async () => {
    await step('after', 3)
    const [before, meanwhile] = [await student(), await student()]
    const [a, b] = [await m.invoice(before.id, [[10_000, -4]]), await m.invoice(meanwhile.id, [[10_000, -4]])]
    await pay(before, a, 10_000)
    // A payment that is booked while the reminders begin: they wait for it, and see it.
    const ctx = system()
    const id = await m.transaction(meanwhile.id, 10_000, { invoice: b })
    // Begun outside of the unit of work, in which it would join it.
    const begun = Promise.withResolvers<void>()
    let ended = false
    const running = begun.promise.then(() => remind(system())).then(() => (ended = true))
    await ctx.write(async (tx) => {
      await bookTransactions(ctx, tx, [id])
      begun.resolve()
      // Until they wait for the payer, or have gone on without.
      const waits = async () =>
        (await w.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
          .length
      await expect.poll(async () => ended || (await waits()) > 0, { timeout: 30_000 }).toBe(true)
    })
    await running
    expect([...(await sentOf(a)), ...(await sentOf(b))]).toEqual([])
    expect([...(await told(before)), ...(await told(meanwhile))]).toEqual([])
  })

  it('comes once when the run is killed in the middle, and when two run at once', async () => {
    const id = await step('after', 3)
    const all = await Promise.all(Array.from({ length: 6 }, student))
    const invoices = []
    for (const one of all) invoices.push(await m.invoice(one.id, [[10_000, -5]]))
    const rows = async () => w.query('select invoice_id from reminders where step_id = $1', [id])
    await expect(
      remind(system(), {
        together: 2,
        after: () => {
          throw new Error('killed')
        },
      }),
    ).rejects.toThrow('killed')
    expect((await rows()).length).toBe(2)
    await Promise.all([remind(system(), { together: 2 }), remind(system(), { together: 3 })])
    expect((await rows()).map((row: any) => row.invoice_id).toSorted((a: number, b: number) => a - b)).toEqual(invoices)
    for (const one of all) expect((await told(one)).length).toBe(1)
  })

  it('what a killed transaction wrote is neither kept nor told', async () => {
    await step('after', 3)
    const one = await student()
    const invoice = await m.invoice(one.id, [[10_000, -5]])
    const ctx = system()
    await expect(
      ctx.write(async () => {
        await remind(ctx)
        throw new Error('killed')
      }),
    ).rejects.toThrow('killed')
    expect([...(await sentOf(invoice)), ...(await told(one))]).toEqual([])
    await remind(system())
    expect((await sentOf(invoice)).length).toBe(1)
  })

  it('is not sent of an invoice that is reversed, nor while money is on its way; what is due on another day is told anew', async () => {
    const id = await step('after', 3)
    const one = await student()
    const reversed = await m.invoice(one.id, [[10_000, -5]])
    ok(await finance('POST', `/payments/reverse-invoice/${reversed}`, { reason: 'Issued twice' }))
    const waiting = await m.invoice(one.id, [[10_000, -5]])
    const asked = await m.transaction(one.id, 10_000, { invoice: waiting, way: 'card' })
    await w.query(`update transactions set provider = 'paymob', expires_at = now() + interval '1 hour' where id = $1`, [
      asked,
    ])
    await remind(system())
    expect([...(await sentOf(reversed)), ...(await sentOf(waiting))]).toEqual([])
    const kept = ok(await finance('POST', '/reminders/preview', {})).kept
    expect(kept).toEqual([{ why: 'payment', parts: 1 }])
    // The provider says that nothing came.
    await w.query(`update transactions set status = 'expired' where id = $1`, [asked])
    await remind(system())
    expect((await sentOf(waiting)).length).toBe(1)
    // Moved to another day, and late again by that.
    const ctx = system()
    await ctx.write(async (tx) => {
      const held = await holdInvoice(tx, waiting)
      const [{ day }] = (await w.query('select (university_today() - 4)::text as day')) as [{ day: string }]
      await setInstalments(
        ctx,
        tx,
        held,
        held.installments.map((part) => ({ ...part, due_date: day })),
        {
          kind: 'due_date',
          reason: 'Test',
        },
      )
    })
    await w.query(`alter table reminders disable trigger append_only`)
    await w.query(`update reminders set sent_on = sent_on - 1 where invoice_id = $1`, [waiting])
    await w.query(`alter table reminders enable trigger append_only`)
    await remind(system())
    expect((await w.query('select step_id from reminders where invoice_id = $1', [waiting])).length).toBe(2)
    expect(id).toBeGreaterThan(0)
  })

  it('waits while a slip is being checked', async () => {
    await step('after', 3)
    const one = await student()
    const invoice = await m.invoice(one.id, [[10_000, -5]])
    const money = await m.transaction(one.id, 10_000, { invoice, way: 'slip', status: 'new' })
    const [file] = await w.query<{ id: number }>('select id from files limit 1')
    const file_id =
      file?.id ??
      (
        await w.query<{ id: number }>(
          `insert into files (name, ext, mime, size, hash) values ('slip.pdf', 'pdf', 'application/pdf', 1, repeat('0', 64)) returning id`,
        )
      )[0]!.id
    await w.query(
      `insert into payment_slips (number, transaction_id, invoice_id, amount, status, issued_on, expires_on, paid_on, file_id, uploaded_at)
       values ($1, $2, $3, 10000, 'uploaded', university_today(), university_today() + 5, university_today(), $4, now())`,
      [`SL-${invoice}`, money, invoice, file_id],
    )
    await remind(system())
    expect(await sentOf(invoice)).toEqual([])
  })

  it('the preview says who would be told, as far as the right reaches, and the run tells exactly those', async () => {
    await step('after', 3)
    await step('before', 2)
    const [a, b] = [await student(), await student()]
    const foreign = await w.student({ faculty: 'other' })
    await w.query(`update students set user_id = null where id = $1`, [b.id])
    await m.invoice(a.id, [[10_000, -4]])
    await m.invoice(b.id, [[7000, 1]])
    await m.invoice(foreign.id, [[7000, -9]])
    const seen = ok(await finance('POST', '/reminders/preview', {}))
    const own = seen.steps.filter((one: any) => one.people)
    expect([seen.people, seen.parts, seen.unreached]).toEqual([2, 2, 1])
    expect(own.map((one: any) => [one.moment, one.people, one.amounts])).toEqual([
      ['before', 1, [{ currency: 'EGP', amount: 7000 }]],
      ['after', 1, [{ currency: 'EGP', amount: 10_000 }]],
    ])
    expect(ok(await elsewhere('POST', '/reminders/preview', {})).people).toBe(1)
    const { sent } = await remind(system())
    expect(sent).toBe(3)
    expect(ok(await finance('POST', '/reminders/preview', {})).parts).toBe(0)
    // Who has no account is told by nobody, and the page says so.
    const data = ok(await finance('POST', '/reminders', { filters: { student_id: [b.id] } }))
    expect([data[0].in_app, data[0].by_mail]).toEqual([false, 'none'])
  })
})

it('is sent now by who reaches the whole university, and by nobody else', async () => {
  expect(code(await finance('POST', '/reminders/send', {}))).toEqual([403, ['reminder_send_whole']])
  expect(ok(await finance('POST', '/reminders/preview', {})).abilities).toEqual([])
  const all = await u.as('finance_officer')
  expect(ok(await all('POST', '/reminders/preview', {})).abilities).toEqual(['send'])
  const { job_id } = (await all('POST', '/reminders/send', {})).body
  const jobs = await w.query('select name from jobs where id = $1', [job_id])
  expect(jobs).toEqual([{ name: 'reminders' }])
  expect((await (await u.as('cashier'))('POST', '/reminders/send', {})).status).toBe(403)
})

describe('the page of what was sent', () => {
  it('says what became of it, to whom it may be shown, and goes into a sheet', async () => {
    await step('after', 3)
    const [paid, open, gone] = [await student(), await student(), await student()]
    const invoices = [
      await m.invoice(paid.id, [[10_000, -4]]),
      await m.invoice(open.id, [[10_000, -4]]),
      await m.invoice(gone.id, [[10_000, -4]]),
    ]
    await remind(system())
    await pay(paid, invoices[0]!, 10_000)
    ok(await finance('POST', `/payments/reverse-invoice/${invoices[2]}`, { reason: 'Issued twice' }))
    const rows = ok(
      await finance('POST', '/reminders', {
        filters: { invoice_id: invoices },
        order_by: 'invoice_id',
        order_direction: 'asc',
      }),
    )
    expect(rows.map((row: any) => row.since)).toEqual(['paid', 'open', 'gone'])
    expect(ok(await finance('POST', '/reminders', { filters: { invoice_id: invoices, since: ['paid'] } })).length).toBe(
      1,
    )
    // A student sees the own one, another faculty none, and nobody else’s sheet.
    expect(ok(await open.as('POST', '/reminders', {})).map((row: any) => row.invoice.id)).toEqual([invoices[1]])
    expect(ok(await elsewhere('POST', '/reminders', { filters: { invoice_id: invoices } }))).toEqual([])
    expect((await open.as('POST', '/reminders/export', {})).status).toBe(403)
    const sheet = await finance('POST', '/reminders/export', { filters: { invoice_id: invoices } })
    expect([sheet.status, sheet.bytes.length > 1000]).toEqual([200, true])
    // By which steps one is reminded.
    expect(ok(await open.as('GET', `/reminders/steps/${open.id}`))).toEqual([
      { moment: 'after', days: 3, level: 1, holds: false, costs: null },
    ])
    expect((await open.as('GET', `/reminders/steps/${paid.id}`)).status).toBe(404)
  })
  it('is kept by the database as it was written', async () => {
    const refused = async (text: string) => expect(u.database.pool.query(text)).rejects.toThrow(/append-only/)
    await refused('update reminders set sent_on = sent_on - 1')
    await refused('delete from reminders')
    await expect(
      u.database.pool
        .query(`insert into reminders (invoice_id, installment_id, due_date, amount, step_id, moment, days, level, in_app, by_mail)
        select invoice_id, installment_id, due_date, amount, step_id, moment, days, level, in_app, by_mail from reminders where installment_id is not null limit 1`),
    ).rejects.toThrow(/reminder_once/)
  })
})

describe('a level', () => {
  it('charges its item, once, and not for what a reminder itself cost; it goes with the invoice', async () => {
    const id = await step('after', 3, { fee: 'REMIND' })
    const one = await student()
    const invoice = await m.invoice(one.id, [[10_000, -5]])
    await remind(system())
    await remind(system())
    const fees = () =>
      w.query<{ invoice_id: number; charged: number; reversed: boolean }>(
        `select f.invoice_id, b.charged::int as charged, i.reversed_at is not null as reversed from request_fees f join invoices i on i.id = f.invoice_id
          join invoice_balances b on b.invoice_id = i.id join reminders r on r.id = f.record_id and f.workflow = 'reminder' where r.invoice_id = $1`,
        [invoice],
      )
    const [fee] = await fees()
    expect((await fees()).map((row) => [row.charged, row.reversed])).toEqual([[5000, false]])
    const notices = await w.query(`select key from notifications where user_id = $1 and key = 'kit.notice_fee'`, [
      one.user_id,
    ])
    expect(notices.length).toBe(1)
    const [row] = ok(await finance('POST', '/reminders', { filters: { invoice_id: [invoice] } }))
    expect([row.fee.invoice_id, row.fee.taken_back]).toEqual([fee!.invoice_id, false])
    // Late itself: it is told of, and costs nothing more.
    await w.query('update installments set due_date = university_today() - 4 where invoice_id = $1', [fee!.invoice_id])
    await remind(system())
    expect((await sentOf(fee!.invoice_id)).length).toBe(1)
    expect(
      (
        await w.query(
          `select from request_fees f join reminders r on r.id = f.record_id and f.workflow = 'reminder' where r.step_id = $1`,
          [id],
        )
      ).length,
    ).toBe(1)
    ok(await finance('POST', `/payments/reverse-invoice/${invoice}`, { reason: 'Issued twice' }))
    expect((await fees()).map((one_) => [one_.charged, one_.reversed])).toEqual([[0, true]])
  })
  it('what it costs goes as well when a note takes all of the invoice', async () => {
    await step('after', 3, { fee: 'REMIND' })
    const one = await student()
    const invoice = await m.invoice(one.id, [[10_000, -5]])
    await remind(system())
    const { version, lines } = ok(await finance('GET', `/payments/${invoice}`))
    ok(
      await finance('POST', `/payments/edit-invoice/${invoice}`, {
        version,
        lines: [{ id: lines[0].id, amount: 0 }],
        reason: 'Not owed',
      }),
    )
    const [fee] = await w.query<{ taken_back_at: string | null }>(
      `select f.taken_back_at from request_fees f join reminders r on r.id = f.record_id and f.workflow = 'reminder' where r.invoice_id = $1`,
      [invoice],
    )
    expect(fee!.taken_back_at).not.toBeNull()
  })
  it('what has no price for somebody is said, and keeps nobody else waiting', async () => {
    await step('after', 3, { fee: 'REMIND' })
    const [foreign, one] = [await w.student(), await student()]
    // Pays in dollars, in which the item has no price.
    await w.query(
      `insert into countries (id, code, name, name_local) overriding system value values (65, 'FR', 'France', 'فرنسا') on conflict do nothing`,
    )
    await w.query('update students set nationality_id = 65 where id = $1', [foreign.id])
    const [a, b] = [await m.invoice(foreign.id, [[10_000, -5]]), await m.invoice(one.id, [[10_000, -5]])]
    await remind(system())
    const problem = async (id: number) =>
      (
        await w.query<{ fee_problem: string | null }>('select fee_problem from reminders where invoice_id = $1', [id])
      )[0]!.fee_problem
    expect(await problem(a)).not.toBeNull()
    expect(await problem(b)).toBeNull()
    expect((await told(foreign)).length).toBe(1)
  })
  it('holds only from then on where it says so, until what is late is paid', async () => {
    await step('after', 3)
    await step('after', 10, { holds: true })
    const one = await student()
    const invoice = await m.invoice(one.id, [[10_000, -5]])
    const daily = () =>
      dailyJob.run(
        system(),
        {},
        Object.assign(async () => {}, { signal: new AbortController().signal }),
      )
    await daily()
    await remind(system())
    expect(await m.holds(one.id)).toEqual([])
    await w.query('update installments set due_date = university_today() - 12 where invoice_id = $1', [invoice])
    await w.query('alter table reminders disable trigger append_only')
    await w.query(
      `update reminders set due_date = university_today() - 12, sent_on = university_today() - 9 where invoice_id = $1`,
      [invoice],
    )
    await w.query('alter table reminders enable trigger append_only')
    await daily()
    expect(await m.holds(one.id)).toEqual([])
    await remind(system())
    expect((await sentOf(invoice)).map(({ level }) => level)).toEqual([1, 2])
    expect((await m.holds(one.id)).length).toBe(1)
    await daily()
    expect((await m.holds(one.id)).length).toBe(1)
    await pay(one, invoice, 10_000)
    expect(await m.holds(one.id)).toEqual([])
    // Without such a step a debt holds at once, as before.
    await w.query('update reminder_steps set is_active = false')
    const other = await student()
    await m.invoice(other.id, [[10_000, -1]])
    await daily()
    expect((await m.holds(other.id)).length).toBe(1)
  })
})
