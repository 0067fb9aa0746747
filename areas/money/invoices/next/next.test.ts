import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { flag } from '#areas/common/academics/status.rules.ts'
import { attendanceServer } from '#areas/enrolment/attendance/attendance.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { feesServer } from '#areas/money/fees/fees.server.ts'
import { registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { bookTransactions } from '#areas/money/transactions/book.server.ts'
import { actorOf } from '#kit/server/identity/auth.ts'
import { asActor, asSystem } from '#kit/server/unit/request.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { dailyJob } from '../clock.server.ts'
import { followDebts } from '../holds.server.ts'
import { invoicesServer } from '../invoices.server.ts'
import { moneyWorld, priceWorld } from '../testing.server.ts'
import { byDays, draftInstalments, draftNext, noteLines } from './draft.rules.ts'
import { nextInvoicesJob, repriceJob } from './next.server.ts'

it('is none where nothing new is due, or no day says until when', () => {
  type Facts = Parameters<typeof draftNext>[0]
  type Settings = Parameters<typeof draftNext>[1]
  const facts: Facts = {
    program_id: 1,
    faculty_id: 1,
    bylaw_id: 1,
    level: 1,
    nationality_group: { id: 1, currency: 'EGP' },
    term_kind: 'fall',
    courses: [],
    grants: [],
  }
  const price = { program_id: null, faculty_id: null, level: null, bylaw_id: null, nationality_group_id: null }
  const settings = {
    items: [{ id: 2, code: 'T', name: 'Tuition', name_local: 'رسوم', type: 'tuition', is_automatic: true }],
    prices: [{ ...price, id: 1, item_id: 2, currency: 'EGP', amount: 100, per: 'year' }],
    stacking: 'rest',
    grant_cap: 10_000,
    due_dates: [
      {
        id: 1,
        type: 'tuition',
        instalment: 1,
        due_on: '2026-03-01',
        share: 1000,
        term_kind: null,
        faculty_id: null,
        level: null,
      },
    ],
  } as unknown as Settings
  const of = (more: Partial<Facts>, other: Partial<Settings> = {}) => {
    const { draft, reasons: why } = draftNext({ ...facts, ...more }, { ...settings, ...other }, '2026-02-01')
    return [draft?.amount ?? null, ...why.map((one) => one.code)]
  }
  expect(of({})).toEqual([100])
  expect(of({ charged_items: [2] })).toEqual([null, 'invoice_nothing_due'])
  expect(of({}, { due_dates: [] })).toEqual([null, 'invoice_no_due_date'])
})

describe('instalments of a draft', () => {
  const days = (...of: [string, number][]) => of.map(([due_on, share]) => ({ due_on, share }))
  it.each([
    [
      'all to come',
      days(['2026-03-01', 500], ['2026-04-01', 500]),
      [
        ['2026-03-01', 500],
        ['2026-04-01', 501],
      ],
    ],
    [
      'one has passed',
      days(['2026-01-01', 500], ['2026-04-01', 500]),
      [
        ['2026-02-08', 501],
        ['2026-04-01', 500],
      ],
    ],
    [
      'two have passed',
      days(['2025-12-01', 300], ['2026-01-01', 300], ['2026-04-01', 400]),
      [
        ['2026-02-08', 601],
        ['2026-04-01', 400],
      ],
    ],
    ['all have passed', days(['2025-12-01', 300], ['2026-01-01', 700]), [['2026-02-08', 1001]]],
    ['one is near', days(['2026-02-03', 1000]), [['2026-02-03', 1001]]],
  ] as const)('%s', (_name, given, parts) => {
    const made = draftInstalments(1001, given, '2026-02-01')
    expect(made.map((one) => one.due_date)).toEqual(parts.map(([day]) => day))
    expect(made.reduce((sum, one) => sum + one.amount, 0)).toBe(1001)
    for (const [i, [, amount]] of parts.entries()) expect(Math.abs(made[i]!.amount - amount)).toBeLessThanOrEqual(1)
  })
  it('charge nothing where nothing is to be paid', () => {
    expect(draftInstalments(0, days(['2026-03-01', 500], ['2026-04-01', 500]), '2026-02-01')).toEqual([
      { amount: 0, due_date: '2026-03-01' },
    ])
  })
  it('follow the days of each type; what would be a fourth falls to the last day', () => {
    const of = {
      tuition: days(['2026-03-01', 500], ['2026-05-01', 500]),
      services: days(['2026-03-01', 500], ['2026-04-01', 500]),
    }
    const by =
      (more: object = {}) =>
      (type: string) =>
        ({ ...of, ...more })[type as 'tuition'] ?? []
    const lines = [
      { type: 'tuition' as const, amount: 1000 },
      { type: 'services' as const, amount: 301 },
      { type: 'exams' as const, amount: 100 },
    ]
    const told = { usual: 'tuition' as const, today: '2026-02-01' }
    expect(byDays(lines, by(), told)).toEqual([
      { due_date: '2026-03-01', amount: 701 },
      { due_date: '2026-04-01', amount: 150 },
      { due_date: '2026-05-01', amount: 550 },
    ])
    expect(byDays(lines, by({ exams: days(['2026-06-01', 1000]) }), told)).toEqual([
      { due_date: '2026-03-01', amount: 651 },
      { due_date: '2026-04-01', amount: 150 },
      { due_date: '2026-06-01', amount: 600 },
    ])
  })
})

describe('a note', () => {
  const line = (key: string, amount: number) =>
    ({ account: 'hours', item: 'H', name: 'H', name_local: 'H', unit_amount: amount, amount, rule: { key } }) as const
  it('has what is new, what is gone and what differs, and nothing else', () => {
    const stands = new Map([line('a', 5), line('b', 7), line('c', 1)].map((one) => [one.rule.key, one]))
    const note = noteLines(stands, [line('a', 5), line('b', 9), line('d', 4)])
    expect(note.map((one) => [one.rule?.key, one.amount])).toEqual([
      ['b', 2],
      ['c', -1],
      ['d', 4],
    ])
  })
})

let u: TestUniversity
let w: RegistrationWorld
let m: ReturnType<typeof moneyWorld>
let p: Awaited<ReturnType<typeof priceWorld>>
let finance: Caller
beforeAll(async () => {
  u = await testUniversity([catalogueServer, feesServer, invoicesServer, registrationServer, attendanceServer])
  w = await registrationWorld(u)
  m = moneyWorld(u.database.db)
  p = await priceWorld(u.database.db, w.term)
  finance = await u.as('finance_officer', ['faculty', w.faculty])
})
afterAll(() => u?.close())

const register = async (student: number, course: string, status: bigint = flag.Registered) => {
  const offering = await w.offer(course)
  const [row] = await w.query<{ id: number }>(
    `insert into registrations (student_id, offering_id, term_id, course_id, credit_hours, status)
     select $1, o.id, o.term_id, o.course_id, c.credit_hours, $3 from offerings o join courses c on c.id = o.course_id where o.id = $2 returning id`,
    [student, offering.id, String(status | flag.Fresh)],
  )
  return row!.id
}
const apply = (student: number, preview = false) =>
  finance('POST', `/payments/apply_next_invoice/${student}`, { preview, term_id: w.term })
const show = async (id: number) => ok(await finance('GET', `/payments/${id}`))
const run = async <T>(
  job: { run: (...args: any[]) => Promise<T> },
  body: unknown = {},
  ctx = asSystem(u.services, 'test'),
): Promise<T> => job.run(ctx, body, async () => {})
const student = async () => {
  const one = await w.student()
  await w.query('update students set nationality_id = 64 where id = $1', [one.id])
  return one
}

describe('the next invoice', () => {
  it('is looked at, issued once, and says how each line was computed', async () => {
    const one = await student()
    await register(one.id, 'MA101')
    const { draft, reasons: none, invoice: not } = ok(await apply(one.id, true))
    expect([none, not]).toEqual([[], null])
    const [{ hours }] = (await w.query(
      `select sum(credit_hours)::int as hours from registrations where student_id = $1`,
      [one.id],
    )) as [{ hours: number }]
    expect(draft.amount).toBe(p.tuition + hours * p.hour)
    const { invoice } = ok(await apply(one.id))
    const shown = await show(invoice.id)
    expect(shown).toMatchObject({ charged: draft.amount, state: 'unpaid', currency: 'EGP' })
    expect(shown.lines.map((line: any) => line.words.en).join(' ')).toContain(`${hours} credit hours × 500.00 EGP`)
    expect(shown.installments.reduce((sum: number, part: any) => sum + part.amount, 0)).toBe(draft.amount)
    expect(reasons(await apply(one.id))).toEqual(['invoice_there'])
    const both = await Promise.all([apply((await student()).id), apply(one.id)])
    expect(both.map((answer) => answer.status)).toEqual([200, 409])
  })

  it('is looked at again for each who is registered at once, where that is charged', async () => {
    const [one, two, other] = [await student(), await student(), await student()]
    const invoices: number[] = []
    for (const { id } of [one, two, other]) {
      await register(id, 'MA101')
      invoices.push(ok(await apply(id)).invoice.id)
    }
    const outdated = async () =>
      (
        await w.query<{ id: number }>(
          'select invoice_id as id from outdated_invoices where invoice_id = any($1) order by 1',
          [invoices],
        )
      ).map(({ id }) => id)
    await w.query('delete from outdated_invoices where invoice_id = any($1)', [invoices])
    const offering = await w.offer('PH101')
    await w.query(
      `insert into registrations (student_id, offering_id, term_id, course_id, credit_hours, status)
       select s, o.id, o.term_id, o.course_id, 3, case when s = $2 then $4::bigint else $5::bigint end
       from offerings o, unnest($3::int[]) s where o.id = $1`,
      [
        offering.id,
        other.id,
        [one.id, two.id, other.id],
        String(flag.RegisterRequest | flag.Fresh),
        String(flag.Registered | flag.Fresh),
      ],
    )
    expect(await outdated()).toEqual(invoices.slice(0, 2))
  })

  it('of somebody whose two records became one looks at both: a term and a year are charged once', async () => {
    const [one, gone] = [await student(), await student()]
    for (const { id } of [one, gone]) await register(id, 'MA101')
    const { invoice } = ok(await apply(gone.id))
    await w.query('update payers set student_id = $1 where student_id = $2', [one.id, gone.id])
    expect(reasons(await apply(one.id))).toEqual(['invoice_there'])
    // In another term the year is charged already.
    await w.query('update invoices set term_id = $2 where id = $1', [invoice.id, w.pastTerm])
    const { draft } = ok(await apply(one.id, true))
    expect(draft.amount).toBe(draft.lines.find((line: any) => line.item === 'HOURS').amount)
  })

  it('of somebody whose two records became one: both invoices of a term follow as one', async () => {
    const [one, gone] = [await student(), await student()]
    await register(one.id, 'MA101')
    await register(gone.id, 'PH101')
    const [mine, theirs] = [ok(await apply(one.id)).invoice.id, ok(await apply(gone.id)).invoice.id]
    await w.query('update payers set student_id = $1 where student_id = $2', [one.id, gone.id])
    await w.query('update registrations set student_id = $1 where student_id = $2', [one.id, gone.id])
    await register(one.id, 'EN101')
    await run(repriceJob)
    const [{ hours }] = (await w.query(
      `select sum(credit_hours)::int as hours from registrations where student_id = $1`,
      [one.id],
    )) as [{ hours: number }]
    const charged = async () => (await show(mine)).charged + (await show(theirs)).charged
    expect(await charged()).toBe(p.tuition + hours * p.hour)
    await run(repriceJob)
    expect(await charged()).toBe(p.tuition + hours * p.hour)
    ok(await finance('POST', `/payments/reverse-invoice/${theirs}`, { reason: 'Charged by the other' }))
    await run(repriceJob)
    expect((await show(mine)).charged).toBe(p.tuition + hours * p.hour)
  })

  it('is told why not: nationality, prices; and issued to nobody who is not reached', async () => {
    const { id } = await w.student()
    await w.query('update students set nationality_id = null where id = $1', [id])
    expect(ok(await apply(id, true)).reasons.map((one: any) => one.code)).toEqual(['fee_no_nationality'])
    expect(reasons(await apply(id))).toEqual(['fee_no_nationality'])
    const other = await w.student({ faculty: 'other' })
    expect((await apply(other.id)).status).toBe(404)
    const cashier = await u.as('cashier')
    expect((await cashier('POST', `/payments/apply_next_invoice/${id}`, {})).status).toBe(403)
  })

  it('needs a term, settings of its year, and a day to pay by', async () => {
    const { id } = await student()
    const without = async (change: string): Promise<string[]> => {
      const kept = await w.query<{ key: string; term_id: number }>('select key, term_id from current_terms')
      await w.query(change)
      const answer = await finance('POST', `/payments/apply_next_invoice/${id}`, { preview: true })
      await w.query('delete from current_terms')
      for (const { key, term_id } of kept)
        await w.query('insert into current_terms (key, term_id) values ($1, $2)', [key, term_id])
      return answer.status === 200 ? answer.body.data.reasons.map((one: any) => one.code) : reasons(answer)
    }
    expect(await without('select 1')).toEqual([])
    expect(await without('delete from current_terms')).toEqual(['invoice_no_term'])
    const [later] = await w.query<{ id: number }>(
      `with y as (insert into years (code, name, name_local, start_date, end_date) values ('YN', 'YN', 'YN', '2040-09-01', '2041-08-31') returning id)
       insert into terms (year_id, code, name, name_local, term_type, start_date, end_date)
       select id, 'TN', 'TN', 'TN', 'fall', '2040-09-20', '2041-01-20' from y returning id`,
    )
    const next = await finance('POST', `/payments/apply_next_invoice/${id}`, { preview: true, term_id: later!.id })
    expect(ok(next).reasons.map((one: any) => one.code)).toEqual(['invoice_no_settings'])
    const never = await finance('POST', `/payments/apply_next_invoice/${id}`, { term_id: 999_999 })
    expect([never.status, reasons(never)]).toEqual([404, ['not_found']])
  })
  it('follows what is registered and left, by notes at the prices it was issued with', async () => {
    const one = await student()
    const first = await register(one.id, 'MA101')
    const { invoice } = ok(await apply(one.id))
    const before = (await show(invoice.id)).charged
    // Dearer from now on: not for what was issued.
    await p.version({ hour: p.hour * 2 })
    const second = await register(one.id, 'PH101')
    const [{ hours }] = (await w.query('select credit_hours::int as hours from registrations where id = $1', [
      second,
    ])) as [{ hours: number }]
    await run(repriceJob)
    expect((await show(invoice.id)).charged).toBe(before + hours * p.hour)
    await w.query('update registrations set status = $2 where id = $1', [second, String(flag.Dropped | flag.Fresh)])
    await run(repriceJob)
    const shown = await show(invoice.id)
    expect(shown.charged).toBe(before)
    expect(shown.notes.map((note: any) => note.kind)).toEqual(['debit', 'credit'])
    // Nothing more to follow; what was corrected by hand stays corrected.
    await run(repriceJob)
    const [line] = shown.lines
    ok(
      await finance('PUT', `/payment/items/edit_amount/${line.id}`, {
        amount: line.amount - 700,
        reason: 'By agreement',
      }),
    )
    await w.query('update registrations set status = $2 where id = $1', [first, String(flag.Dropped | flag.Fresh)])
    await run(repriceJob)
    expect((await show(invoice.id)).charged).toBe(p.tuition - 700)
  })

  it('follows an accepted excuse by a credit note of what the bylaw gives back, and a reopened one by a debit note', async () => {
    await w.windows('excuse')
    await w.query('update bylaws set excuse_charge = 40')
    const one = await student()
    const registration = await register(one.id, 'MA101')
    const { invoice } = ok(await apply(one.id))
    const whole = (await show(invoice.id)).charged
    const fees = whole - p.tuition
    const [{ offering_id }] = (await w.query('select offering_id from registrations where id = $1', [
      registration,
    ])) as [{ offering_id: number }]
    const registrar = await u.as('registrar')
    const excuse = ok(
      await one.as('PUT', '/excuses', { student_id: one.id, kind: 'course', offering_id, why: 'I was in hospital.' }),
    )
    // While it waits it costs what it did.
    await run(repriceJob)
    expect((await show(invoice.id)).notes).toEqual([])
    ok(await registrar('POST', `/excuses/update_status/${excuse.id}`, { status: 'accepted' }))
    // What was decided stays, whatever the bylaw says later.
    await w.query('update bylaws set excuse_charge = 0')
    await run(repriceJob)
    const shown = await show(invoice.id)
    expect([whole - shown.charged, shown.notes.map((note: any) => note.kind)]).toEqual([(fees * 6) / 10, ['credit']])
    expect(shown.notes[0].lines.map((line: any) => line.words.en).join(' ')).toContain('of which 40% for MA101')
    ok(
      await registrar('POST', `/excuses/update_status/${excuse.id}`, {
        status: 'requested',
        reason: 'The paper was forged',
      }),
    )
    await run(repriceJob)
    const again = await show(invoice.id)
    expect([again.charged, again.notes.map((note: any) => note.kind)]).toEqual([whole, ['credit', 'debit']])
    // One that is imported comes as it ended.
    const imported = await register((await student()).id, 'HU101', flag.Excused)
    const kept = await w.query('select percent from withdrawal_charges where registration_id = $1', [imported])
    expect(kept).toEqual([{ percent: '0.00' }])
    await w.query('update bylaws set excuse_charge = 100')
    await w.windows()
  })

  it('charges late registration by itself of those alone whose first course came after registration had closed', async () => {
    await w.query(
      `insert into fee_items (code, name, name_local, type, is_automatic, late_only) values ('LATE', 'Late', 'تأخير', 'services', true, true)`,
    )
    await p.version({ rows: [{ code: 'LATE', amount: 25_000, per: 'term' }] })
    const step = async (id: number, at: string, course = 'MA101') => {
      const registration = await register(id, course)
      await w.query(
        `insert into registration_history (registration_id, student_id, offering_id, action, to_status, at)
          select r.id, r.student_id, r.offering_id, 'request', r.status, now() + $2::interval from registrations r where r.id = $1`,
        [registration, at],
      )
      return registration
    }
    const late = async (id: number) => {
      const { draft, reasons: none } = ok(await apply(id, true))
      expect(none).toEqual([])
      return draft.lines.filter((line: any) => line.words.en.startsWith('Late:'))
    }
    const closes = async (at: string) => {
      await w.query('delete from term_stages where term_id = $1', [w.term])
      await w.query(
        `insert into term_stages (term_id, stage_code_id, starts_at, ends_at)
          select $1, id, now() - interval '30 days', now() + $2::interval from stage_codes where code = 'register'`,
        [w.term, at],
      )
    }
    await closes('-1 day')
    const [afterwards, before, fresh] = [await student(), await student(), await student()]
    await step(afterwards.id, '0 seconds')
    await step(before.id, '-2 days')
    // Asked in time and given up: what came instead is not late.
    await step(before.id, '0 seconds', 'PH101')
    await step(fresh.id, '0 seconds')
    await w.query('update students set entry_term_id = $2 where id = $1', [fresh.id, w.term])
    expect((await late(afterwards.id)).map((line: any) => line.amount)).toEqual([25_000])
    expect([await late(before.id), await late(fresh.id)]).toEqual([[], []])
    // Longer registration: nobody is late.
    await closes('1 day')
    expect(await late(afterwards.id)).toEqual([])
    await w.query('delete from term_stages where term_id = $1', [w.term])
    expect(await late(afterwards.id)).toEqual([])
    await expect(
      w.query(
        `insert into fee_items (code, name, name_local, type, is_automatic, late_only) values ('L2', 'L', 'ل', 'services', false, true)`,
      ),
    ).rejects.toThrow('fee_item_late')
    await p.version()
  })

  it('follows a scholarship given later', async () => {
    const one = await student()
    const { invoice } = ok(await apply(one.id))
    await p.grant(one.id, { percent: 25, types: ['tuition'] })
    await run(repriceJob)
    const shown = await show(invoice.id)
    expect(shown.charged).toBe(p.tuition * 0.75)
    const [postings] = await w.query<{ given: number }>(
      `select sum(q.amount)::int as given from ledger_postings q join ledger_accounts a on a.id = q.account_id and a.role = 'scholarships'
       join ledger_entries e on e.id = q.entry_id join invoice_notes n on e.source = 'note:' || n.id where n.invoice_id = $1`,
      [invoice.id],
    )
    expect(postings!.given).toBe(p.tuition * 0.25)
  })

  it('comes again after a reversed one; what has no price any more stays as it was issued', async () => {
    const one = await student()
    const { invoice: early } = ok(await apply(one.id))
    ok(await finance('POST', `/payments/reverse-invoice/${early.id}`, { reason: 'Issued too early' }))
    const { invoice } = ok(await apply(one.id))
    const { charged } = await show(invoice.id)
    expect(charged).toBe(p.tuition)
    await w.query('update students set nationality_id = null where id = $1', [one.id])
    await register(one.id, 'HU101')
    await run(repriceJob)
    expect(await show(invoice.id)).toMatchObject({ charged, notes: [] })
  })

  it('of many is a job: looked at first, each student by itself, twice is once', async () => {
    const some = await Promise.all(Array.from({ length: 5 }, student))
    const bad = await w.student()
    await w.query('update students set nationality_id = null where id = $1', [bad.id])
    const asked = { term_id: w.term, student_ids: [...some.map((one) => one.id), bad.id] }
    const looked = await run(nextInvoicesJob, { ...asked, preview: true })
    expect(looked).toMatchObject({
      students: 6,
      issued: 5,
      preview: true,
      sums: [{ currency: 'EGP', count: 5, amount: 5 * p.tuition }],
    })
    expect(looked.refused.map((one) => [one.problem.code, one.count, one.students.length])).toEqual([
      ['fee_no_nationality', 1, 1],
    ])
    const count = async () => (await w.query<{ n: number }>('select count(*)::int as n from invoices'))[0]!.n
    const before = await count()
    await Promise.all([
      run(nextInvoicesJob, { ...asked, preview: false }),
      run(nextInvoicesJob, { ...asked, preview: false }),
    ])
    expect(await count()).toBe(before + 5)
  })

  it('a hold follows what its own student owes: a note that leaves nothing open lifts it, what others do does not', async () => {
    const [one, other] = [await student(), await student()]
    const [mine, theirs] = [await m.invoice(one.id, [[1000, -3]]), await m.invoice(other.id, [[1000, -3]])]
    const ctx = asSystem(u.services, 'test')
    const paid = await m.transaction(one.id, 400)
    await ctx.write((tx) => bookTransactions(ctx, tx, [paid]))
    await ctx.write((tx) => followDebts(ctx, tx, null))
    const holds = async () => [(await m.holds(one.id)).length, (await m.holds(other.id)).length]
    expect(await holds()).toEqual([1, 1])
    const [line] = (await show(mine)).lines
    ok(await finance('PUT', `/payment/items/edit_amount/${line.id}`, { amount: 400, reason: 'By agreement' }))
    expect([await holds(), await m.stands(theirs)]).toEqual([
      [0, 1],
      [0, 1000],
    ])
  })

  it('an amount is granted once in a year, whatever it is taken off', async () => {
    const one = await student()
    await w.query(
      `with s as (insert into scholarships (code, name, name_local, basis, amount, currency, types, priority)
          values ('SUM', 'Sum', 'مبلغ', 'manual', $2, 'EGP', '{tuition,hours}', 1) returning id)
       insert into scholarship_grants (student_id, scholarship_id, year_id, until_year_id, amount, currency, types, priority)
         select $1, s.id, t.year_id, t.year_id, $2, 'EGP', '{tuition,hours}', 1 from s, terms t where t.id = $3`,
      [one.id, p.tuition, w.term],
    )
    const { draft } = ok(await finance('POST', `/payments/apply_next_invoice/${one.id}`, { term_id: w.pastTerm }))
    expect([draft.gross, draft.amount]).toEqual([p.tuition, 0])
    await register(one.id, 'MA101')
    const next = ok(await apply(one.id)).draft
    expect([next.gross > 0, next.amount]).toEqual([true, next.gross])
  })

  it('of many is for who studies and is reached', async () => {
    const [one, left, far] = [await student(), await student(), await w.student({ faculty: 'other' })]
    await w.query(`select decide_status(array[$1::int], 'suspended', 'Decision 1', university_today())`, [left.id])
    const asked = { term_id: w.term, student_ids: [one.id, left.id, far.id], preview: true }
    const actor = await actorOf(u.services.pool, finance.user_id)
    const looked = await run(nextInvoicesJob, asked, asActor(u.services, actor!))
    expect([looked.students, (await run(nextInvoicesJob, asked)).students]).toEqual([1, 2])
  })

  it('a fine is of what was owed, not of earlier fines', async () => {
    await p.version({
      late: [
        { from_days: 5, per_mille: 100 },
        { from_days: 20, per_mille: 200 },
      ],
    })
    const { invoice } = ok(await apply((await student()).id))
    for (const [days, fines] of [
      [10, 0.1],
      [25, 0.2],
    ] as const) {
      await w.query(`update installments set due_date = university_today() - $2::int where invoice_id = $1`, [
        invoice.id,
        days,
      ])
      await run(dailyJob)
      expect((await show(invoice.id)).charged).toBe(p.tuition * (1 + fines))
    }
    await p.version()
  })

  it('late: a fine by the days, once; and a hold', async () => {
    const one = await student()
    const { invoice } = ok(await apply(one.id))
    await w.query(`update installments set due_date = university_today() - 10 where invoice_id = $1`, [invoice.id])
    const before = (await show(invoice.id)).charged
    // Dearer for who is invoiced from now on.
    await p.version({ fine: p.fine * 3 })
    await run(dailyJob)
    expect((await show(invoice.id)).charged).toBe(before + p.fine)
    expect(await m.holds(one.id)).toEqual([invoice.number])
    await run(dailyJob)
    const shown = await show(invoice.id)
    expect([shown.charged, shown.notes.map((note: any) => note.kind)]).toEqual([before + p.fine, ['fine']])
  })
})
