import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { banksServer } from '#areas/money/banks/banks.server.ts'
import { feesServer } from '#areas/money/fees/fees.server.ts'
import { invoicesServer } from '#areas/money/invoices/invoices.server.ts'
import { priceWorld } from '#areas/money/invoices/testing.server.ts'
import { repriceJob } from '#areas/money/invoices/next/next.server.ts'
import { ledgerServer } from '#areas/money/ledger/ledger.server.ts'
import { postEntries } from '#areas/money/ledger/post.server.ts'
import { proofOf } from '#areas/money/ledger/testing.server.ts'
import { transactionsServer } from '#areas/money/transactions/transactions.server.ts'
import { addDays } from '#kit/contract/day.ts'
import { readSheet } from '#kit/server/sheets/index.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { flag } from '#areas/common/academics/status.rules.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { billSponsor, sponsorInvoicesJob } from './billing/bill.server.ts'
import { sponsorMailJob } from './billing/mail.server.ts'
import { endSponsorshipsJob } from './sponsorships/begin.server.ts'
import { universityToday } from './today.server.ts'
import { sponsorsServer } from './sponsors.server.ts'

let u: TestUniversity
let w: RegistrationWorld
let p: Awaited<ReturnType<typeof priceWorld>>
let finance: Caller
let bank: number
let codes = 0
let today: string
let DUE: string
beforeAll(async () => {
  u = await testUniversity([
    catalogueServer,
    feesServer,
    invoicesServer,
    transactionsServer,
    banksServer,
    ledgerServer,
    sponsorsServer,
  ])
  w = await registrationWorld(u)
  p = await priceWorld(u.database.db, w.term)
  finance = await u.as('finance_officer')
  today = await universityToday(u.database.db)
  DUE = addDays(today, 30)
  const [currency] = await w.query<{ id: number }>(`select id from currencies where code = 'EGP'`)
  bank = ok(
    await finance('PUT', '/banks', {
      code: 'B1',
      name: 'National Bank',
      name_local: 'البنك الأهلي',
      account_number: '100034567891',
      currency_id: currency!.id,
      is_active: true,
    }),
  ).id
}, 180_000)
afterAll(() => u?.close())

const student = async () => {
  const one = await w.student()
  await w.query('update students set nationality_id = 64 where id = $1', [one.id])
  const [row] = await w.query<{ code: string }>('select code from students where id = $1', [one.id])
  return { ...one, code: row!.code }
}
const issue = async (id: number) =>
  ok(await finance('POST', `/payments/apply_next_invoice/${id}`, { term_id: w.term })).invoice.id as number
const sponsor = async (more: object = {}) =>
  ok(
    await finance('PUT', '/sponsors', {
      code: `SP-${++codes}`,
      name: `Sponsor ${codes}`,
      name_local: `جهة ${codes}`,
      kind: 'company',
      currency: 'EGP',
      language: 'en',
      spread: 'oldest',
      due_days: 20,
      is_active: true,
      ...more,
    }),
  ).id as number
const sponsored = (sponsor_id: number, ids: readonly number[], terms: object = {}, who = finance) =>
  who('POST', '/sponsorships/add-many', {
    sponsor_id,
    student_ids: ids,
    from_term_id: w.term,
    percent: '50',
    begin: true,
    ...terms,
  })
const stands = async (invoice: number) => {
  const [row] = await w.query<{ charged: number; settled: number; parts: string }>(
    `select charged::int, settled::int, (select string_agg(amount || ' ' || due_date, ', ' order by position) from installments where invoice_id = $1) as parts
     from invoice_balances where invoice_id = $1`,
    [invoice],
  )
  return row!
}
const wallet = async (student_id: number) =>
  (
    await w.query<{ wallet: number }>(
      `select coalesce(sum(wallet), 0)::int as wallet from payer_balances b join payers p on p.id = b.payer_id where p.student_id = $1`,
      [student_id],
    )
  )[0]!.wallet
const bill = (sponsor_id: number) =>
  asSystem(u.services, 'test').write((tx) =>
    billSponsor(asSystem(u.services, 'test'), tx, { sponsor_id, term_id: w.term }),
  )
const account = async (id: number, who = finance) => ok(await who('GET', `/sponsors/${id}/account`))
const withdraw = (id: number, more: object = {}, who = finance) =>
  who('POST', `/sponsors/${id}/withdraw`, { day: today, due_on: DUE, reason: 'Its letter', ...more })
const whole = async () => expect(await proofOf(u.services)).toMatchObject({ count: 0, findings: [] })
const tick = Object.assign(async () => {}, { signal: new AbortController().signal })

/** A bank's file with these lines, saved. */
async function file(...lines: string[]): Promise<Answer> {
  const form = new FormData()
  form.set('bank_id', String(bank))
  form.set('file', new Blob([['Date,Amount,Reference,Payer name,Description', ...lines].join('\n')]), 'statement.csv')
  const encoded = new Response(form)
  const sent = await u.app.inject({
    method: 'POST',
    url: '/api/payments/batches/import_preview',
    headers: { authorization: `Bearer ${finance.token}`, 'content-type': encoded.headers.get('content-type')! },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  const batch = sent.json()
  const id = batch.archive_id as number
  return finance('POST', `/payments/batches/import_save/${id}`, {})
}

describe('a share of an invoice', () => {
  it('leaves the student’s invoice when it is issued, and becomes the sponsor’s in the same transaction', async () => {
    const s = await student()
    const of = await sponsor()
    ok(await sponsored(of, [s.id]))
    const id = await issue(s.id)
    expect(await stands(id)).toMatchObject({ charged: p.tuition / 2, settled: 0 })
    const shown = ok(await finance('GET', `/payments/${id}`))
    expect(shown.notes).toMatchObject([{ kind: 'sponsor', amount: -p.tuition / 2, lines: [{ account: 'sponsored' }] }])
    expect((await account(of)).sums).toEqual({
      taken: p.tuition / 2,
      billed: 0,
      unbilled: p.tuition / 2,
      paid: 0,
      open: 0,
      wallet: 0,
    })
    // The student reads the name and the share on the own invoice, and nothing of the sponsor.
    const own = ok(await s.as('GET', `/payments/${id}`))
    expect(own.notes[0].lines[0]).toMatchObject({ name: `Sponsor ${codes}`, amount: -p.tuition / 2 })
    expect((await s.as('GET', `/sponsors/${of}/account`)).status).toBe(403)
    expect((await s.as('POST', '/sponsorships', {})).status).toBe(403)
    expect(
      await w.query(`select key from notifications where user_id = $1 and key = 'invoices.notice_sponsor'`, [
        s.user_id,
      ]),
    ).toHaveLength(1)
    await whole()
  })

  it('that begins after the student paid puts what is paid twice into the wallet', async () => {
    const s = await student()
    const id = await issue(s.id)
    ok(
      await finance('POST', '/transactions/put', {
        student_id: s.id,
        amount: p.tuition,
        currency: 'EGP',
        bank_id: bank,
        bank_reference: `PAID-${s.id}`,
        paid_on: today,
      }),
    )
    expect(await stands(id)).toMatchObject({ settled: p.tuition })
    const of = await sponsor()
    ok(await sponsored(of, [s.id], { percent: '30' }))
    expect(await stands(id)).toMatchObject({ charged: p.tuition * 0.7, settled: p.tuition * 0.7 })
    expect(await wallet(s.id)).toBe(p.tuition * 0.3)
    await whole()
  })

  it('follows scholarships, which come first, and corrections up and down', async () => {
    const s = await student()
    await p.grant(s.id, { percent: 20, types: ['tuition'] })
    const of = await sponsor()
    ok(await sponsored(of, [s.id], { percent: '100' }))
    const id = await issue(s.id)
    expect(await stands(id)).toMatchObject({ charged: 0 })
    expect((await account(of)).sums.taken).toBe(p.tuition * 0.8)
    const shown = ok(await finance('GET', `/payments/${id}`))
    const line = shown.lines.find((one: any) => one.account === 'tuition')
    // Less is charged though the student owes nothing: the sponsor's share falls first.
    ok(
      await finance('POST', `/payments/edit-invoice/${id}`, {
        version: shown.version,
        reason: 'Counted twice',
        lines: [{ id: line.id, amount: p.tuition / 2 }],
      }),
    )
    expect(await stands(id)).toMatchObject({ charged: 0 })
    expect((await account(of)).sums.taken).toBe(p.tuition * 0.3)
    const again = ok(await finance('GET', `/payments/${id}`))
    ok(
      await finance('POST', `/payments/edit-invoice/${id}`, {
        version: again.version,
        reason: 'It was right',
        lines: [{ id: line.id, amount: p.tuition }],
      }),
    )
    expect((await account(of)).sums.taken).toBe(p.tuition * 0.8)
    expect(await stands(id)).toMatchObject({ charged: 0 })
    // What a sponsor takes over is no line that somebody corrects.
    const note = again.notes.find((one: any) => one.kind === 'sponsor')
    const refused = await finance('POST', `/payments/edit-invoice/${id}`, {
      reason: 'By hand',
      version: ok(await finance('GET', `/payments/${id}`)).version,
      lines: [{ id: note.lines[0].id, amount: 1 }],
    })
    expect(reasons(refused)).toEqual(['invoice_line_other@lines.0.id'])
    await whole()
  })

  it('follows what is registered later, at the invoice’s own prices', async () => {
    const s = await student()
    const of = await sponsor()
    ok(await sponsored(of, [s.id], { percent: '40', types: ['hours'] }))
    const id = await issue(s.id)
    expect(await stands(id)).toMatchObject({ charged: p.tuition })
    const { id: offering } = await w.offer('MA101')
    await w.query(
      `insert into registrations (student_id, offering_id, term_id, course_id, credit_hours, status)
       select $1, id, term_id, course_id, 3, $3 from offerings where id = $2`,
      [s.id, offering, String(flag.Registered | flag.Fresh)],
    )
    await repriceJob.run(asSystem(u.services, 'test'), {}, tick)
    expect(await stands(id)).toMatchObject({ charged: p.tuition + p.hour * 3 * 0.6 })
    expect((await account(of)).sums.taken).toBe(p.hour * 3 * 0.4)
    await whole()
  })

  it('of two sponsors is never more than the invoice, and a cap holds', async () => {
    const s = await student()
    const [first, second] = [await sponsor(), await sponsor()]
    ok(await sponsored(first, [s.id], { percent: '80', invoice_cap: p.tuition * 0.6 }))
    ok(await sponsored(second, [s.id], { percent: '70' }))
    const id = await issue(s.id)
    expect(await stands(id)).toMatchObject({ charged: 0 })
    expect((await account(first)).sums.taken).toBe(p.tuition * 0.6)
    expect((await account(second)).sums.taken).toBe(p.tuition * 0.4)
    await whole()
  })

  it('is given back with an invoice that is reversed, also from the sponsor’s invoice', async () => {
    const s = await student()
    const of = await sponsor()
    ok(await sponsored(of, [s.id]))
    const id = await issue(s.id)
    const issued = await bill(of)
    expect(await stands(issued!.id)).toMatchObject({ charged: p.tuition / 2 })
    ok(await finance('POST', `/payments/reverse-invoice/${id}`, { reason: 'A mistake' }))
    expect(await stands(issued!.id)).toMatchObject({ charged: 0 })
    expect((await account(of)).sums).toMatchObject({ taken: 0, billed: 0, open: 0 })
    await whole()
  })
})

describe('invoices of a sponsor', () => {
  it('have a line of each student; later ones come on another, and a bank file pays them', async () => {
    const [a, b, c] = [await student(), await student(), await student()]
    const of = await sponsor({ email: 'grants@sponsor.example' })
    ok(await sponsored(of, [a.id, b.id]))
    await issue(a.id)
    await issue(b.id)
    const issued = await bill(of)
    expect(issued).toMatchObject({ amount: p.tuition, students: 2, currency: 'EGP' })
    expect(await stands(issued!.id)).toEqual({
      charged: p.tuition,
      settled: 0,
      parts: `${p.tuition} ${addDays(today, 20)}`,
    })
    expect(await bill(of)).toBeNull()
    ok(await sponsored(of, [c.id]))
    await issue(c.id)
    expect(await bill(of)).toMatchObject({ amount: p.tuition / 2, students: 1 })
    // Partly paid: the first student's line, then a part of the second one's.
    const part = p.tuition * 0.6
    ok(await file(`${today},${(part / 100).toFixed(2)},${issued!.number},Somebody,`))
    expect(await stands(issued!.id)).toMatchObject({ settled: part })
    const seen = await account(of)
    expect(seen.students.map((one: any) => one.paid)).toEqual([p.tuition / 2, p.tuition * 0.1, 0])
    expect(seen.sums).toMatchObject({
      taken: p.tuition * 1.5,
      billed: p.tuition * 1.5,
      paid: part,
      open: p.tuition * 0.9,
    })
    expect(seen.payments).toHaveLength(1)
    // As of yesterday there was nothing.
    expect(ok(await finance('GET', `/sponsors/${of}/account?until=${addDays(today, -1)}`)).sums).toMatchObject({
      billed: 0,
      paid: 0,
    })
    for (const lang of ['ar', 'en'] as const) {
      const paper = await finance('POST', `/sponsors/invoices/${issued!.id}/file`, { format: 'pdf', lang })
      expect([paper.status, paper.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
      const statement = await finance('POST', `/sponsors/${of}/statement`, { format: 'pdf', lang })
      expect([statement.status, statement.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    }
    const { sheets } = await readSheet(
      (await finance('POST', `/sponsors/${of}/statement`, { format: 'xlsx', lang: 'en' })).bytes,
    )
    expect(sheets.map(({ name }) => name)).toEqual(['Invoices', 'Payments', 'By student'])
    const column = (sheet: number, header: string) => {
      const [head, ...rows] = sheets[sheet]!.rows.map((row) => row.map(({ text }) => text))
      return rows.map((row) => Number(row[head!.indexOf(header)]) * 100)
    }
    expect(column(0, 'Amount')).toEqual([p.tuition, p.tuition / 2])
    expect(column(0, 'Still to pay')).toEqual([p.tuition - part, p.tuition / 2])
    expect(column(1, 'Amount')).toEqual([part])
    expect(column(2, 'Still to pay')).toEqual([0, p.tuition * 0.4, p.tuition / 2])
    expect((await finance('POST', `/sponsors/invoices/${issued!.id}/file`, { format: 'xlsx' })).status).toBe(200)
    expect(await sponsorMailJob.run(asSystem(u.services, 'test'), { invoice_id: issued!.id }, tick)).toEqual({
      sent: true,
    })
    expect(ok(await finance('POST', `/sponsors/invoices/${issued!.id}/mail`))).toEqual({ to: 'grants@sponsor.example' })
    // What was reversed is owed by nobody, and not sent.
    ok(await finance('POST', `/payments/reverse-invoice/${issued!.id}`, { reason: 'A mistake' }))
    expect(reasons(await finance('POST', `/sponsors/invoices/${issued!.id}/mail`))).toEqual(['invoice_is_reversed'])
    await whole()
  }, 120_000)

  it('of a term are made together, each by itself; asked for again there is nothing left', async () => {
    const [a, b] = [await student(), await student()]
    const [mailed, other] = [await sponsor({ email: 'office@sponsor.example' }), await sponsor()]
    ok(await sponsored(mailed, [a.id]))
    ok(await sponsored(other, [b.id]))
    for (const one of [a, b]) await issue(one.id)
    const all = (sponsor_ids: number[]) =>
      sponsorInvoicesJob.run(asSystem(u.services, 'test'), { term_id: w.term, sponsor_ids, mail: true }, tick)
    const { sponsors, issued } = await all([mailed, other])
    expect(sponsors).toBe(2)
    expect(issued.map((one) => [one.sponsor.id, one.amount, one.students, one.mailed])).toEqual([
      [mailed, p.tuition / 2, 1, true],
      [other, p.tuition / 2, 1, false],
    ])
    expect(await account(other)).toMatchObject({ sums: { billed: p.tuition / 2, unbilled: 0 } })
    expect(await all([mailed, other])).toEqual({ sponsors: 2, issued: [] })
  })

  it('is sent to nobody without an address', async () => {
    const s = await student()
    const of = await sponsor()
    ok(await sponsored(of, [s.id]))
    await issue(s.id)
    const issued = await bill(of)
    expect(reasons(await finance('POST', `/sponsors/invoices/${issued!.id}/mail`))).toEqual(['sponsor_no_email'])
  })

  it('are spread by shares where the sponsor says so', async () => {
    const [a, b] = [await student(), await student()]
    const of = await sponsor({ spread: 'share' })
    ok(await sponsored(of, [a.id]))
    ok(await sponsored(of, [b.id], { percent: '100' }))
    await issue(a.id)
    await issue(b.id)
    const issued = await bill(of)
    ok(await file(`${today},${((p.tuition * 0.75) / 100).toFixed(2)},${issued!.number},Somebody,`))
    expect((await account(of)).students.map((one: any) => one.paid)).toEqual([p.tuition / 4, p.tuition / 2])
    await whole()
  })
})

describe('a sponsor that withdraws', () => {
  it('pays what it paid; the rest goes back to the students by a later day, and all are told', async () => {
    const [a, b] = [await student(), await student()]
    const of = await sponsor()
    ok(await sponsored(of, [a.id, b.id]))
    const [first, second] = [await issue(a.id), await issue(b.id)]
    const issued = await bill(of)
    ok(await file(`${today},${((p.tuition * 0.6) / 100).toFixed(2)},${issued!.number},Somebody,`))
    // The instalment is over: what goes back is not late from the first day.
    await w.query(`update installments set due_date = university_today() - 40 where invoice_id = any($1)`, [
      [first, second],
    ])
    const seen = ok(await withdraw(of, { preview: true }))
    expect(seen).toEqual({
      sponsorships: 2,
      students: 2,
      invoices: 1,
      back: p.tuition * 0.4,
      kept: p.tuition * 0.6,
      owed: 0,
      currency: 'EGP',
    })
    expect(await stands(second)).toMatchObject({ charged: p.tuition / 2 })
    expect(ok(await withdraw(of))).toEqual(seen)
    expect(await stands(first)).toMatchObject({ charged: p.tuition / 2 })
    expect(await stands(second)).toEqual({
      charged: p.tuition * 0.9,
      settled: 0,
      parts: `${p.tuition / 2} ${addDays(today, -40)}, ${p.tuition * 0.4} ${DUE}`,
    })
    expect(await stands(issued!.id)).toMatchObject({ charged: p.tuition * 0.6, settled: p.tuition * 0.6 })
    expect((await account(of)).students.map((one: any) => [one.paid, one.open])).toEqual([
      [p.tuition / 2, 0],
      [p.tuition * 0.1, 0],
    ])
    expect(
      await w.query(`select key from notifications where user_id = $1 and key = 'invoices.notice_sponsor_back'`, [
        b.user_id,
      ]),
    ).toHaveLength(1)
    expect(
      await w.query(`select key from notifications where user_id = $1 and key = 'sponsors.notice_withdrawn'`, [
        finance.user_id,
      ]),
    ).toHaveLength(1)
    // Whatever changes later: it pays so much, and nothing of new invoices.
    const shown = ok(await finance('GET', `/payments/${second}`))
    ok(
      await finance('POST', `/payments/edit-invoice/${second}`, {
        version: shown.version,
        reason: 'A book',
        added: [{ account: 'services', name: 'Book', name_local: 'كتاب', amount: 10_000 }],
      }),
    )
    expect((await account(of)).sums.taken).toBe(p.tuition * 0.6)
    expect(reasons(await withdraw(of))).toEqual(['withdrawal_of_nobody'])
    await whole()
  })

  it('leaves to another sponsor what that one agreed to', async () => {
    const s = await student()
    const [first, second] = [await sponsor(), await sponsor()]
    ok(await sponsored(first, [s.id], { percent: '60' }))
    ok(await sponsored(second, [s.id], { percent: '100' }))
    const id = await issue(s.id)
    expect((await account(second)).sums.taken).toBe(p.tuition * 0.4)
    ok(await withdraw(first))
    expect((await account(second)).sums.taken).toBe(p.tuition)
    expect(await stands(id)).toMatchObject({ charged: 0 })
    await whole()
  })

  it('owes still for a term that was over', async () => {
    const s = await student()
    const of = await sponsor()
    ok(await sponsored(of, [s.id]))
    const id = await issue(s.id)
    await w.query('update invoices set term_id = $2 where id = $1', [id, w.pastTerm])
    expect(ok(await withdraw(of))).toMatchObject({ invoices: 0, back: 0, owed: p.tuition / 2 })
    expect(await stands(id)).toMatchObject({ charged: p.tuition / 2 })
    await whole()
  })

  it('is refused with every reason, and from whom it is not reached', async () => {
    const s = await student()
    const of = await sponsor()
    ok(await sponsored(of, [s.id]))
    expect(reasons(await withdraw(of, { day: addDays(today, 1), due_on: addDays(today, -1) }))).toEqual([
      'withdrawal_day_ahead@day',
      'withdrawal_due_over@due_on',
    ])
    const other = await u.as('finance_officer', ['faculty', w.otherFaculty])
    expect(reasons(await withdraw(of, {}, other))).toEqual(['withdrawal_of_nobody'])
    expect((await withdraw(of, {}, await u.as('cashier'))).status).toBe(403)
  })

  it('at the moment in which an invoice is issued leaves it whole, whichever comes first', async () => {
    for (let i = 0; i < 6; i++) {
      const s = await student()
      const of = await sponsor()
      ok(await sponsored(of, [s.id]))
      const [issued, gone] = await Promise.all([
        finance('POST', `/payments/apply_next_invoice/${s.id}`, { term_id: w.term }),
        withdraw(of),
      ])
      const id = ok(issued).invoice.id
      ok(gone)
      expect(await stands(id)).toMatchObject({ charged: p.tuition })
      expect((await account(of)).sums).toMatchObject({ taken: 0, unbilled: 0 })
    }
    await whole()
  }, 120_000)

  it('while it is invoiced and pays leaves nothing charged twice', async () => {
    for (let i = 0; i < 4; i++) {
      const [a, b] = [await student(), await student()]
      const of = await sponsor()
      ok(await sponsored(of, [a.id, b.id]))
      await issue(a.id)
      await issue(b.id)
      const done = await Promise.allSettled([bill(of), withdraw(of)])
      expect(done.map((one) => one.status)).toEqual(['fulfilled', 'fulfilled'])
      expect((await account(of)).sums).toMatchObject({ taken: 0, billed: 0, unbilled: 0, open: 0 })
    }
    await whole()
  }, 120_000)
})

describe('who may, and what is refused', () => {
  it('finance changes, a cashier looks, others see nothing; a faculty sees its own students', async () => {
    const s = await student()
    const of = await sponsor()
    ok(await sponsored(of, [s.id]))
    await issue(s.id)
    const cashier = await u.as('cashier')
    expect((await account(of, cashier)).students).toHaveLength(1)
    expect((await cashier('POST', '/sponsorships/begin', { ids: [1] })).status).toBe(403)
    expect((await sponsored(of, [s.id], {}, cashier)).status).toBe(403)
    expect((await cashier('POST', '/sponsors/invoices/issue', { term_id: w.term })).status).toBe(403)
    const other = await u.as('finance_officer', ['faculty', w.otherFaculty])
    expect(await account(of, other)).toMatchObject({ whole: false, students: [], sums: { taken: 0, billed: 0 } })
    expect(reasons(await sponsored(of, [s.id], {}, other))).toEqual(['sponsorship_students_unknown@codes'])
    expect((await other('POST', '/sponsorships', {})).body.data.filter((row: any) => row.student_id === s.id)).toEqual(
      [],
    )
    const [row] = ok(await finance('GET', `/students/${s.id}/sponsorships`))
    expect(row).toMatchObject({ status: 'active', percent: '50', taken: p.tuition / 2 })
    expect((await other('GET', `/students/${s.id}/sponsorships`)).status).toBe(404)
    expect((await other('POST', '/sponsorships/begin', { ids: [row.id] })).status).toBe(404)
    expect((await (await u.as(null))('GET', `/sponsors/${of}/account`)).status).toBe(403)
  })

  it('each with its reason', async () => {
    const s = await student()
    const of = await sponsor()
    const add = (more: object) =>
      finance('PUT', '/sponsorships', {
        sponsor_id: of,
        student_id: s.id,
        from_term_id: w.term,
        percent: '50',
        ...more,
      })
    expect(reasons(await add({ amount: 100 }))).toEqual(['sponsorship_one_of@percent'])
    expect(reasons(await add({ until_term_id: w.pastTerm }))).toEqual(['sponsorship_terms_order'])
    const id = ok(await add({})).id
    expect(reasons(await add({ from_term_id: w.pastTerm }))).toContain('sponsorship_twice@during')
    ok(await finance('POST', '/sponsorships/begin', { ids: [id] }))
    expect(reasons(await finance('POST', '/sponsorships/begin', { ids: [id] }))).toEqual(['sponsorship_not_offered'])
    expect(reasons(await finance('PUT', `/sponsorships/${id}`, { percent: '60' }))).toEqual(['sponsorship_runs'])
    expect(reasons(await finance('DELETE', `/sponsorships/${id}`))).toEqual(['sponsorship_runs'])
    await expect(w.query('update sponsorships set percent = 60 where id = $1', [id])).rejects.toMatchObject({
      constraint: 'sponsorship_runs',
    })
    const idle = await sponsor({ is_active: false })
    expect(
      reasons(
        await finance('PUT', '/sponsorships', {
          sponsor_id: idle,
          student_id: s.id,
          from_term_id: w.term,
          percent: '50',
        }),
      ),
    ).toEqual(['sponsor_not_active@sponsor_id'])
    const gone = await student()
    await w.query(
      `with d as (insert into student_status_decisions (student_id, from_status, to_status, decision, decided_on)
         values ($1, 'studying', 'suspended', 'No. 7', university_today()) returning id)
       update students set status = 'suspended', status_decision_id = d.id from d where students.id = $1`,
      [gone.id],
    )
    expect(reasons(await add({ student_id: gone.id }))).toEqual(['sponsorship_not_studying@student_id'])
    const nobody = await sponsored(of, [])
    expect([nobody.status, reasons(nobody)]).toEqual([422, ['required@codes']])
    // Who may add one and not begin it adds none that runs.
    const { user_id } = await u.as(null)
    await w.query(
      `with made as (insert into roles (key, name, name_local) values ('offers', 'Offers', 'عروض') returning id),
        filled as (insert into role_permissions (role_id, permission, reach) select id, 'add_sponsorship', 'scope' from made)
       insert into role_assignments (user_id, role_id) select $1, id from made`,
      [user_id],
    )
    const [offers, other] = [await u.signIn(user_id), await student()]
    const begun = await sponsored(of, [other.id], {}, offers)
    expect([begun.status, reasons(begun)]).toEqual([403, ['not_allowed']])
    expect(ok(await sponsored(of, [other.id], { begin: false }, offers))).toEqual({ added: 1, begun: false })
    expect(
      reasons(
        await finance('POST', '/sponsorships/add-many', {
          sponsor_id: of,
          codes: ['nobody'],
          from_term_id: w.term,
          percent: '1',
        }),
      ),
    ).toEqual(['sponsorship_students_unknown@codes'])
  })

  it('nobody sponsors the own study', async () => {
    const s = await student()
    const of = await sponsor()
    await w.query(
      `insert into role_assignments (user_id, role_id) select $1, id from roles where key = 'finance_officer'`,
      [s.user_id],
    )
    const self = await u.signIn(s.user_id)
    expect(reasons(await sponsored(of, [s.id], {}, self))).toEqual(['own_money'])
  })

  it('ends by itself when its last term is over', async () => {
    const s = await student()
    const of = await sponsor()
    ok(await sponsored(of, [s.id], { from_term_id: w.pastTerm, until_term_id: w.pastTerm }))
    await endSponsorshipsJob.run(asSystem(u.services, 'test'), {}, tick)
    expect(ok(await finance('GET', `/students/${s.id}/sponsorships`))).toMatchObject([{ status: 'ended' }])
  })
})

describe('the proof', () => {
  it('finds a share that is not what it took off, and what lies beside the lines', async () => {
    const s = await student()
    const of = await sponsor()
    ok(await sponsored(of, [s.id]))
    const id = await issue(s.id)
    await w.query('update sponsor_shares set amount = amount + 7 where invoice_id = $1', [id])
    expect(await proofOf(u.services)).toMatchObject({
      count: 1,
      findings: [{ kind: 'sponsor_share', record: 'invoice', id, expected: p.tuition / 2, found: p.tuition / 2 + 7 }],
    })
    await w.query('update sponsor_shares set amount = amount - 7 where invoice_id = $1', [id])
    const [payer] = await w.query<{ id: number }>('select id from payers where sponsor_id = $1', [of])
    await asSystem(u.services, 'test').write((tx) =>
      postEntries(tx, [
        {
          kind: 'adjustment',
          source: 'test:sponsored',
          currency: 'EGP',
          settles: false,
          postings: [
            { role: 'sponsored', payer_id: payer!.id, amount: 5 },
            { role: 'other_income', amount: -5 },
          ],
        },
      ]),
    )
    expect(await proofOf(u.services)).toMatchObject({
      count: 1,
      findings: [
        { kind: 'sponsored', record: 'payer', id: payer!.id, expected: p.tuition / 2, found: p.tuition / 2 + 5 },
      ],
    })
  })
})
