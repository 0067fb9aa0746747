import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { followDebts } from '#areas/money/invoices/holds.server.ts'
import { moneyWorld } from '#areas/money/invoices/testing.server.ts'
import { addDays } from '#kit/contract/day.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import {
  dayThere,
  ok,
  reasons as told,
  testUniversity,
  type Answer,
  type Caller,
  type TestUniversity,
} from '#tests/university.ts'
import { AREA_SERVERS } from '../../../../apps/server/areas.server.ts'
import { checkAccept, checkEnter, checkIssue, checkUpload, isOutdated, referenceKey } from './slip.rules.ts'

/** What was refused, wherever it stands in the form. */
const reasons = (answer: Answer) => told(answer).map((one) => one.split('@')[0])
const codes = (list: readonly { code: string }[]) => list.map((one) => one.code)

describe('rules of slips', () => {
  const live = { number: 'SL-1', status: 'issued', amount: 100, same: true }
  const issue = { reversed: false, open: 100, live: null, accounts: [1, 2], bank_id: null, currency: 'EGP' }
  it('one is issued for what is open, into an account of the year, one at a time', () => {
    expect(checkIssue(issue)).toEqual([])
    expect(codes(checkIssue({ ...issue, reversed: true }))).toEqual(['slip_reversed'])
    expect(codes(checkIssue({ ...issue, open: 0 }))).toEqual(['invoice_nothing_open'])
    expect(codes(checkIssue({ ...issue, live }))).toEqual(['slip_live'])
    expect(codes(checkIssue({ ...issue, accounts: [] }))).toEqual(['slip_no_account'])
    expect(codes(checkIssue({ ...issue, bank_id: 3 }))).toEqual(['slip_other_account'])
    expect(
      codes(checkIssue({ ...issue, live: { ...live, amount: 90, status: 'uploaded' }, open: 0, bank_id: 9 })),
    ).toEqual(['invoice_nothing_open', 'slip_checked', 'slip_other_account'])
  })
  it('one of another amount makes room while nobody has paid with it', () => {
    expect(isOutdated({ open: 90, live })).toBe(true)
    expect(isOutdated({ open: 100, live })).toBe(false)
    expect(isOutdated({ open: 90, live: { ...live, status: 'uploaded' } })).toBe(false)
    expect(isOutdated({ open: 90, live: { ...live, same: false } })).toBe(false)
  })
  it('what is handed in was stamped in its time, and booked by nobody', () => {
    const of = {
      status: 'issued',
      issued_on: '2026-03-01',
      expires_on: '2026-03-15',
      today: '2026-03-20',
      paid_on: '2026-03-15',
      used: false,
      other: null,
    }
    expect(checkUpload(of)).toEqual([])
    expect(codes(checkUpload({ ...of, paid_on: '2026-03-16' }))).toEqual(['slip_expired'])
    expect(codes(checkUpload({ ...of, paid_on: '2026-03-21' }))).toEqual(['slip_future', 'slip_expired'])
    expect(codes(checkUpload({ ...of, paid_on: '2026-02-28' }))).toEqual(['slip_before'])
    expect(codes(checkUpload({ ...of, status: 'accepted', used: true, other: 'SL-2' }))).toEqual([
      'slip_decided',
      'bank_reference_used',
      'slip_live',
    ])
    expect(codes(checkUpload({ ...of, status: 'rejected' }))).toEqual([])
  })
  it('what came by the bank’s own file is not booked by a slip, nor entered', () => {
    expect(checkAccept({ used: false, line: null })).toEqual([])
    expect(codes(checkAccept({ used: true, line: { number: 'B', explained: true } }))).toEqual([
      'bank_reference_used',
      'slip_came',
    ])
    expect(codes(checkAccept({ used: false, line: { number: 'B', explained: false } }))).toEqual(['slip_in_file'])
    const enter = {
      today: '2026-03-20',
      paid_on: '2026-03-20',
      currency: 'EGP',
      account: 'EGP',
      used: false,
      line: null,
      invoice: null,
    }
    expect(checkEnter(enter)).toEqual([])
    expect(codes(checkEnter({ ...enter, paid_on: '2026-03-21', account: 'USD' }))).toEqual([
      'slip_future',
      'slip_currency',
    ])
    expect(codes(checkEnter({ ...enter, account: null }))).toEqual(['lookup_not_found'])
    for (const invoice of [
      { own: false, currency: 'EGP', reversed: false },
      { own: true, currency: 'USD', reversed: false },
      { own: true, currency: 'EGP', reversed: true },
    ])
      expect(codes(checkEnter({ ...enter, invoice }))).toEqual(['slip_invoice_of_other'])
    expect(referenceKey('FT-26 005/Ab')).toBe('ft26005ab')
  })
})

// The smallest pictures and papers that are what they say.
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const today = dayThere()

describe('bank slips', () => {
  let u: TestUniversity
  let w: RegistrationWorld
  let m: ReturnType<typeof moneyWorld>
  let finance: Caller
  let colleague: Caller
  let elsewhere: Caller
  let bank: number
  let other: number
  let n = 0
  const one = async <Row>(text: string, values: unknown[] = []): Promise<Row> =>
    (await u.database.pool.query(text, values)).rows[0] as Row
  beforeAll(async () => {
    u = await testUniversity(AREA_SERVERS)
    w = await registrationWorld(u)
    m = moneyWorld(u.database.db)
    finance = await u.as('finance_officer')
    colleague = await u.as('finance_officer')
    elsewhere = await u.as('cashier', ['faculty', w.otherFaculty])
    const add = async (code: string, currency = 'EGP') =>
      (
        await one<{ id: number }>(
          `with account as (insert into ledger_accounts (code, name, name_local, kind) values ($1, $1, $1, 'asset') returning id)
           insert into banks (code, name, name_local, account_number, currency_id, is_active, ledger_account_id)
           select $1, $1, $1, $2, c.id, true, account.id from currencies c, account where c.code = $3 returning id`,
          [code, `10${++n}00${n}`, currency],
        )
      ).id
    bank = await add('AAA')
    other = await add('ZZZ')
  })
  afterAll(() => u?.close())

  const put = async (
    who: Caller,
    path: string,
    body: Record<string, unknown>,
    file: Buffer | null = PNG,
    name = 'slip.png',
  ): Promise<Answer> => {
    const form = new FormData()
    for (const [key, value] of Object.entries(body)) form.set(key, String(value))
    if (file) form.set('file', new Blob([new Uint8Array(file)]), name)
    const encoded = new Response(form)
    const answer = await u.app.inject({
      method: 'POST',
      url: `/api/transactions/put${path}`,
      headers: { authorization: `Bearer ${who.token}`, 'content-type': encoded.headers.get('content-type')! },
      payload: Buffer.from(await encoded.arrayBuffer()),
    })
    return { status: answer.statusCode, body: answer.json() } as Answer
  }
  const stamp = (more: object = {}) => ({
    paid_on: today,
    bank_reference: `FT-${today.slice(0, 7)}-${++n}`,
    amount: 1000,
    ...more,
  })
  const issue = (who: Caller, invoice_id: number, more: object = {}) =>
    who('POST', '/payments/payment-slip', { invoice_id, ...more })
  const accept = (id: number, who = finance) => who('POST', `/payments/slips/accept/${id}`, {})
  /** A student who has handed a slip in. */
  const handed = async (more: object = {}, days = -3) => {
    const student = await w.student()
    const invoice = await m.invoice(student.id, [[1000, days]])
    const slip = ok(await issue(student.as, invoice))
    const sent = stamp(more)
    const { slip: now } = ok(await put(student.as, '', { slip_id: slip.id, ...sent }))
    return { student, invoice, slip: now, sent }
  }

  it('a student issues a slip, pays at the bank and uploads it; accepted by another, it settles, and the hold goes', async () => {
    const student = await w.student()
    const invoice = await m.invoice(student.id, [[1000, -3]])
    const ctx = asSystem(u.services, 'test')
    await ctx.write((tx) => followDebts(ctx, tx, null))
    expect(await m.holds(student.id)).toHaveLength(1)
    const slip = ok(await issue(student.as, invoice))
    expect(slip).toMatchObject({
      status: 'issued',
      amount: 1000,
      currency: 'EGP',
      bank: { id: bank },
      expires_on: addDays(today, 14),
    })
    expect(slip.number).toMatch(/^SL-\d{4}-000001$/)
    expect(reasons(await issue(student.as, invoice))).toEqual(['slip_live'])
    const pdf = await u.app.inject({
      method: 'POST',
      url: `/api/payments/export-payment-slip/${slip.id}`,
      headers: { authorization: `Bearer ${student.as.token}` },
      payload: { lang: 'ar' },
    })
    expect([pdf.statusCode, pdf.rawPayload.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    const due = async () =>
      ok(await student.as('GET', '/users/work')).waiting.filter((of: any) => of.link === '/student-payments')
    expect(await due()).toHaveLength(1)
    const { slip: handedIn, status } = ok(await put(student.as, '', { slip_id: slip.id, ...stamp() }))
    expect([status, handedIn.status, handedIn.paid]).toEqual(['pending', 'uploaded', 1000])
    // It is not asked for once more while it is looked at.
    const parts = async () =>
      ok(await student.as('GET', `/student-payments/${student.id}`)).open.flatMap((of: any) =>
        of.installments.map((part: any) => part.slip),
      )
    expect(await parts()).toEqual([slip.number])
    expect(await due()).toEqual([])
    expect(reasons(await issue(student.as, invoice))).toEqual(['slip_checked'])
    const seen = ok(await finance('GET', `/payments/slips/${slip.id}`))
    expect(seen).toMatchObject({ abilities: ['accept', 'reject'], file: { mime: 'image/png' }, open: 1000 })
    expect(await m.stands(invoice)).toEqual([0, 1000])
    expect(reasons(await accept(slip.id, student.as))).toEqual(['not_allowed'])
    ok(await accept(slip.id))
    expect(await m.stands(invoice)).toEqual([1000, 1000])
    expect(await m.holds(student.id)).toHaveLength(0)
    const money = await one<Record<string, unknown>>(
      `select t.status, t.way, t.booked_on::text as day, p.amount::int as amount from transactions t join ledger_postings p on p.entry_id = t.entry_id
        join banks k on k.ledger_account_id = p.account_id where t.id = $1 and k.id = $2`,
      [slip.transaction_id, bank],
    )
    expect(money).toEqual({ status: 'paid', way: 'slip', day: today, amount: 1000 })
    const told = ok(await student.as('GET', `/payments/slips/${slip.id}`))
    expect(told).toMatchObject({ status: 'accepted', abilities: [], uploads: false })
    expect(
      (
        await one<{ amounts: string[] }>(
          `select array_agg(data ->> 'amount') as amounts from notifications where user_id = $1 and key = 'transactions.notice_slip_accepted'`,
          [student.user_id],
        )
      ).amounts,
    ).toEqual(['10.00 EGP'])
    expect(reasons(await issue(student.as, invoice))).toEqual(['invoice_nothing_open'])
  })

  it('the wrong person gets nothing', async () => {
    const { slip, invoice, sent } = await handed()
    const stranger = await w.student()
    for (const who of [stranger.as, elsewhere]) {
      expect((await who('GET', `/payments/slips/${slip.id}`)).status).toBe(404)
      expect((await who('GET', `/payments/slips/steps/${slip.id}`)).status).toBe(404)
      expect((await who('POST', `/payments/export-payment-slip/${slip.id}`, {})).status).toBe(404)
      expect((await issue(who, invoice)).status).toBe(404)
      expect((await put(who, '', { slip_id: slip.id, ...stamp() })).status).toBe(404)
      expect((await put(who, `/${slip.transaction_id}`, sent)).status).toBe(404)
      expect(ok(await who('POST', '/payments/slips', { filters: { invoice_id: [invoice] } }))).toEqual([])
      expect((await who('POST', `/payments/slips/cancel/${slip.id}`, {})).status).toBe(404)
    }
    expect((await elsewhere('POST', `/payments/slips/accept/${slip.id}`, {})).status).toBe(404)
    expect((await stranger.as('POST', `/payments/slips/reject/${slip.id}`, { reason: 'no' })).status).toBe(403)
    const nobody = await u.as(null)
    expect((await nobody('POST', '/payments/slips', {})).status).toBe(403)
    // The address of the paper is good for one reader alone.
    const { url } = ok(await finance('GET', `/payments/slips/${slip.id}`)).file
    const fetch = (who: Caller) =>
      u.app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${who.token}` } })
    expect((await fetch(finance)).statusCode).toBe(200)
    expect((await fetch(stranger.as)).statusCode).toBe(404)
    expect((await fetch(elsewhere)).statusCode).toBe(404)
  })

  it('who handed it in for a student does not accept it; of two who accept at once one books', async () => {
    const student = await w.student()
    const invoice = await m.invoice(student.id, [[1000, 5]])
    const slip = ok(await issue(finance, invoice))
    ok(await put(finance, '', { slip_id: slip.id, ...stamp() }))
    expect(reasons(await accept(slip.id))).toEqual(['step_own'])
    const third = await u.as('cashier')
    // Nor who handed it in acting as somebody else.
    const other = await w.student()
    const theirs = ok(await issue(other.as, await m.invoice(other.id, [[1000, 5]])))
    ok(await put(await u.actAs(other.user_id, finance), '', { slip_id: theirs.id, ...stamp() }))
    expect(reasons(await accept(theirs.id))).toEqual(['step_own'])
    const both = await Promise.all([accept(slip.id, colleague), accept(slip.id, third)])
    expect(both.map((each) => each.status).toSorted()).toEqual([200, 409])
    expect(await m.stands(invoice)).toEqual([1000, 1000])
    expect(await m.wallet(student.id)).toBe(0)
    expect(
      (
        await one<{ n: number }>(`select count(*)::int as n from ledger_entries where source = $1`, [
          `transaction:${slip.transaction_id}`,
        ])
      ).n,
    ).toBe(1)
  })

  it('rejected with a reason that the student reads, it is handed in again; what was decided is not corrected', async () => {
    const { student, slip } = await handed()
    expect(reasons(await finance('POST', `/payments/slips/reject/${slip.id}`, {}))).toEqual(['reason_required'])
    ok(await finance('POST', `/payments/slips/reject/${slip.id}`, { reason: 'The stamp cannot be read' }))
    const now = ok(await student.as('GET', `/payments/slips/${slip.id}`))
    expect(now).toMatchObject({ status: 'rejected', rejected_reason: 'The stamp cannot be read', uploads: true })
    // Corrected without a new picture: the one that is there stays.
    const again = ok(await student.as('POST', `/transactions/put/${slip.transaction_id}`, stamp({ amount: 900 })))
    expect(again.slip).toMatchObject({
      status: 'uploaded',
      paid: 900,
      rejected_reason: null,
      file: { id: now.file.id },
    })
    ok(await accept(slip.id))
    expect(reasons(await put(student.as, `/${slip.transaction_id}`, stamp()))).toEqual(['slip_decided'])
    await expect(
      u.database.pool.query(`update payment_slips set paid_on = paid_on - 1 where id = $1`, [slip.id]),
    ).rejects.toThrow('not changed')
  })

  it('one is out at a time: a part and the whole exclude each other, in the database as well; a changed amount makes room', async () => {
    const student = await w.student()
    const invoice = await m.invoice(student.id, [
      [600, 5],
      [400, 35],
    ])
    const parts = (await w.query(`select id from installments where invoice_id = $1 order by position`, [invoice])) as {
      id: number
    }[]
    const first = ok(await issue(student.as, invoice, { installment_id: parts[0]!.id }))
    expect([first.amount, first.part]).toEqual([600, 1])
    expect(reasons(await issue(student.as, invoice))).toEqual(['slip_live'])
    const second = ok(await issue(student.as, invoice, { installment_id: parts[1]!.id }))
    expect([second.amount, second.part]).toEqual([400, 2])
    expect((await issue(student.as, invoice, { installment_id: 999_999 })).status).toBe(404)
    await expect(
      u.database.pool.query(
        `insert into payment_slips (number, transaction_id, invoice_id, amount, expires_on) select 'X', $1, $2, 1, university_today()`,
        [await m.transaction(student.id, 5, { way: 'slip' }), invoice],
      ),
    ).rejects.toThrow('slip_live')
    // One of a part says nothing of the others.
    ok(await put(student.as, '', { slip_id: second.id, ...stamp() }))
    const told = ok(await student.as('GET', `/student-payments/${student.id}`)).open[0].installments
    expect(told.map((part: any) => part.slip)).toEqual([null, second.number])
    // Somebody pays a part of the first at the desk: it is worth another amount now.
    await asSystem(u.services, 'test').write(async () => undefined)
    const cashier = await u.as('cashier')
    ok(await cashier('POST', '/cashier/shift/open', { opening: [] }))
    ok(
      await cashier('POST', '/cashier/take', {
        student_id: student.id,
        currency: 'EGP',
        amount: 250,
        key: randomUUID(),
      }),
    )
    const anew = ok(await issue(student.as, invoice, { installment_id: parts[0]!.id }))
    expect(anew.amount).toBe(350)
    expect(ok(await student.as('GET', `/payments/slips/${first.id}`)).status).toBe('cancelled')
    expect(reasons(await issue(student.as, invoice, { installment_id: parts[0]!.id, bank_id: 987_654 }))).toContain(
      'slip_live',
    )
  })

  it('a slip whose time is over makes room, and is handed in still when it was stamped in time', async () => {
    const student = await w.student()
    const invoice = await m.invoice(student.id, [[1000, 5]])
    const slip = ok(await issue(student.as, invoice))
    await w.query(`update payment_slips set issued_on = issued_on - 20, expires_on = expires_on - 20 where id = $1`, [
      slip.id,
    ])
    expect(ok(await student.as('GET', `/payments/slips/${slip.id}`)).status).toBe('expired')
    // Nobody goes to the bank with it.
    expect(reasons(await student.as('POST', `/payments/export-payment-slip/${slip.id}`, {}))).toEqual(['slip_decided'])
    expect(reasons(await put(student.as, '', { slip_id: slip.id, ...stamp() }))).toEqual(['slip_expired'])
    ok(await put(student.as, '', { slip_id: slip.id, ...stamp({ paid_on: addDays(today, -7) }) }))
    ok(await accept(slip.id))
    expect(
      (
        await one<{ day: string }>(`select booked_on::text as day from transactions where id = $1`, [
          slip.transaction_id,
        ])
      ).day,
    ).toBe(addDays(today, -7))
    const more = await m.invoice(student.id, [[500, 5]])
    const old = ok(await issue(student.as, more))
    await w.query(`update payment_slips set issued_on = issued_on - 20, expires_on = expires_on - 20 where id = $1`, [
      old.id,
    ])
    const fresh = ok(await issue(student.as, more))
    expect([fresh.status, ok(await student.as('GET', `/payments/slips/${old.id}`)).status]).toEqual([
      'issued',
      'expired',
    ])
    expect(reasons(await put(student.as, '', { slip_id: old.id, ...stamp({ paid_on: addDays(today, -7) }) }))).toEqual([
      'slip_live',
    ])
  })

  it('is good until its last day has ended, and then one of a part takes its place', async () => {
    const student = await w.student()
    const invoice = await m.invoice(student.id, [
      [600, 5],
      [400, 35],
    ])
    const [part] = (await w.query(`select id from installments where invoice_id = $1 order by position`, [
      invoice,
    ])) as [{ id: number }]
    const whole = ok(await issue(student.as, invoice))
    const ends = (days: number) =>
      w.query(
        `update payment_slips set issued_on = university_today() - 14, expires_on = university_today() + $2::int where id = $1`,
        [whole.id, days],
      )
    await ends(0)
    expect(ok(await student.as('GET', `/payments/slips/${whole.id}`)).status).toBe('issued')
    expect(reasons(await issue(student.as, invoice, { installment_id: part.id }))).toEqual(['slip_live'])
    await ends(-1)
    expect(ok(await issue(student.as, invoice, { installment_id: part.id })).amount).toBe(600)
    // Into an account that is not in use any more nobody pays.
    const accounts = async () =>
      ok(await student.as('GET', `/payments/slips/accounts/${invoice}`)).map((each: any) => each.id)
    expect(await accounts()).toEqual([bank, other])
    await w.query('update banks set is_active = false where id = $1', [other])
    expect(await accounts()).toEqual([bank])
    await w.query('update banks set is_active = true where id = $1', [other])
  })

  it('an officer whose own slip it is does not accept it, though another handed it in', async () => {
    const { slip, student } = await handed()
    await w.query('update payment_slips set uploaded_by = $2 where id = $1', [slip.id, colleague.user_id])
    const officer = await u.as('finance_officer')
    await w.query('update students set user_id = $2 where id = $1', [student.id, officer.user_id])
    expect(reasons(await accept(slip.id, officer))).toEqual(['step_own'])
    ok(await accept(slip.id))
  })

  it('what was settled otherwise meanwhile goes into the wallet; of a reversed invoice as well', async () => {
    const { student, slip, invoice } = await handed()
    const cashier = await u.as('cashier')
    ok(await cashier('POST', '/cashier/shift/open', { opening: [] }))
    ok(
      await cashier('POST', '/cashier/take', {
        student_id: student.id,
        currency: 'EGP',
        amount: 700,
        key: randomUUID(),
      }),
    )
    expect(ok(await finance('GET', `/payments/slips/${slip.id}`)).open).toBe(300)
    ok(await accept(slip.id))
    expect([await m.stands(invoice), await m.wallet(student.id)]).toEqual([[1000, 1000], 700])
  })

  it('what the bank calls a payment is booked once, by whatever', async () => {
    const { slip, sent } = await handed()
    ok(await accept(slip.id))
    const student = await w.student()
    const invoice = await m.invoice(student.id, [[1000, 5]])
    const second = ok(await issue(student.as, invoice))
    const same = { ...sent, bank_reference: sent.bank_reference.toLowerCase().replaceAll('-', ' ') }
    expect(reasons(await put(student.as, '', { slip_id: second.id, ...same }))).toEqual(['bank_reference_used'])
    const enter = { student_id: student.id, bank_id: bank, currency: 'EGP', ...same }
    expect(reasons(await finance('POST', '/transactions/put', enter))).toEqual(['bank_reference_used'])
    // Of another bank it is another payment.
    const entered = ok(await finance('POST', '/transactions/put', { ...enter, bank_id: other }))
    expect(entered.status).toBe('paid')
    expect(await m.stands(invoice)).toEqual([1000, 1000])
    await expect(
      u.database.pool.query(`update transactions set bank_id = $1 where id = $2`, [bank, entered.id]),
    ).rejects.toThrow('bank_reference_used')
    // Cancelled, it may be entered anew.
    ok(await finance('POST', '/transactions/cancel-transaction', { id: entered.id, reason: 'Another bank' }))
    ok(await finance('POST', '/transactions/put', { ...enter, bank_id: other }))
  })

  it('money is entered by hand by who may, for whom is reached, with the day and account of the bank', async () => {
    const student = await w.student()
    const invoice = await m.invoice(student.id, [[1000, 5]])
    const enter = { student_id: student.id, bank_id: bank, currency: 'EGP', invoice_id: invoice, ...stamp() }
    expect((await elsewhere('POST', '/transactions/put', enter)).status).toBe(404)
    expect((await student.as('POST', '/transactions/put', enter)).status).toBe(404)
    expect(reasons(await finance('POST', '/transactions/put', { ...enter, currency: 'USD' }))).toEqual([
      'slip_currency',
      'slip_invoice_of_other',
    ])
    expect(
      reasons(await finance('POST', '/transactions/put', { ...enter, paid_on: addDays(today, 1), bank_id: 987_654 })),
    ).toEqual(['lookup_not_found', 'slip_future'])
    expect(reasons(await finance('POST', '/transactions/put', stamp()))).toEqual(['required', 'required', 'required'])
    const made = ok(await finance('POST', '/transactions/put', { ...enter, paid_on: addDays(today, -2) }))
    expect(made).toMatchObject({ status: 'paid', slip: null })
    expect(await m.stands(invoice)).toEqual([1000, 1000])
    expect(
      (await one<{ day: string }>(`select booked_on::text as day from transactions where id = $1`, [made.id])).day,
    ).toBe(addDays(today, -2))
  })

  it('a file that is no picture and no paper is refused, and one is needed', async () => {
    const student = await w.student()
    const slip = ok(await issue(student.as, await m.invoice(student.id, [[1000, 5]])))
    const page = Buffer.from('<!doctype html><script>alert(1)</script>')
    expect((await put(student.as, '', { slip_id: slip.id, ...stamp() }, page, 'slip.png')).status).toBe(422)
    expect(reasons(await student.as('POST', '/transactions/put', { slip_id: slip.id, ...stamp() }))).toEqual([
      'file_missing',
    ])
    expect(ok(await student.as('GET', `/payments/slips/${slip.id}`)).status).toBe('issued')
  })

  it('of a merged student the slip goes with what is owed', async () => {
    const { slip, student } = await handed()
    const into = await w.student()
    await w.query(`update payers set student_id = $1, main = false where student_id = $2`, [into.id, student.id])
    expect(ok(await into.as('GET', `/payments/slips/${slip.id}`)).status).toBe('uploaded')
    expect((await student.as('GET', `/payments/slips/${slip.id}`)).status).toBe(404)
    ok(await accept(slip.id))
  })

  describe('and files of the bank', () => {
    const file = async (...lines: string[]) => {
      const form = new FormData()
      form.set('bank_id', String(bank))
      form.set(
        'file',
        new Blob([['Date,Amount,Reference,Payer name,Description', ...lines].join('\n')]),
        `statement-${++n}.csv`,
      )
      const encoded = new Response(form)
      const answer = await u.app.inject({
        method: 'POST',
        url: '/api/payments/batches/import_preview',
        headers: { authorization: `Bearer ${finance.token}`, 'content-type': encoded.headers.get('content-type')! },
        payload: Buffer.from(await encoded.arrayBuffer()),
      })
      const { paymentsData } = answer.json()
      return {
        id: paymentsData.batch.id as number,
        number: paymentsData.batch.number as string,
        lines: paymentsData.lines as any[],
      }
    }
    const save = async (id: number) => ok(await finance('POST', `/payments/batches/import_save/${id}`, {}))
    const line = async (batch: number) => (await finance('POST', `/payments/batches/${batch}`, {})).body.lines[0]
    const inBank = async () =>
      (
        await one<{ sum: number }>(
          `select coalesce(sum(p.amount), 0)::int as sum from ledger_postings p join banks k on k.ledger_account_id = p.account_id where k.id = $1`,
          [bank],
        )
      ).sum

    it('a slip that was accepted is only confirmed by the file', async () => {
      const { slip, sent } = await handed()
      ok(await accept(slip.id))
      const before = await inBank()
      const read = await file(`${today},10.00,${sent.bank_reference},Somebody,Fees`)
      expect(read.lines[0]).toMatchObject({
        state: 'not_booked',
        why: { code: 'batch_paid_already' },
        transaction: { id: slip.transaction_id },
      })
      await save(read.id)
      expect(await inBank()).toBe(before)
    })

    it('one that was accepted between reading and saving too', async () => {
      const { slip, sent, student, invoice } = await handed()
      const read = await file(`${today},10.00,${sent.bank_reference},Somebody,Fees`)
      // What a student says alone is proposed, not believed.
      expect(read.lines[0]).toMatchObject({
        state: 'proposed',
        proposals: [{ why: 'slip', payer: { code: expect.any(String) } }],
      })
      ok(await accept(slip.id))
      const before = await inBank()
      await save(read.id)
      expect(await line(read.id)).toMatchObject({ state: 'not_booked', why: { code: 'batch_paid_already' } })
      expect([await inBank(), await m.stands(invoice), await m.wallet(student.id)]).toEqual([before, [1000, 1000], 0])
    })

    it('a proposal that a person takes books the slip itself', async () => {
      const { slip, sent, invoice } = await handed()
      const read = await file(`${today},10.00,,Somebody,Transfer ${sent.bank_reference} at branch 5`)
      const [{ id, version, proposals }] = read.lines as [any]
      ok(
        await finance('PUT', `/payments/batches/lines/${id}`, {
          do: 'match',
          payer_id: proposals[0].payer.id,
          version,
        }),
      )
      await save(read.id)
      expect(await m.stands(invoice)).toEqual([1000, 1000])
      expect(ok(await finance('GET', `/payments/slips/${slip.id}`)).status).toBe('accepted')
      expect(reasons(await accept(slip.id))).toEqual(['step_state'])
    })

    it('one whose money stands unexplained is not booked beside it: the line is claimed, and the slip accepted by it', async () => {
      const student = await w.student()
      const invoice = await m.invoice(student.id, [[1000, 5]])
      const reference = `FT-LATE-${++n}`
      const read = await file(`${today},10.00,${reference},Somebody,Transfer`)
      await save(read.id)
      const before = await inBank()
      const slip = ok(await issue(student.as, invoice))
      ok(await put(student.as, '', { slip_id: slip.id, ...stamp({ bank_reference: reference }) }))
      expect(reasons(await accept(slip.id))).toEqual(['slip_in_file'])
      expect(
        reasons(
          await finance('POST', '/transactions/put', {
            student_id: student.id,
            bank_id: bank,
            currency: 'EGP',
            ...stamp({ bank_reference: reference }),
          }),
        ),
      ).toEqual(['slip_in_file'])
      const { id } = await line(read.id)
      const [candidate] = ok(await finance('POST', `/payments/batches/candidates/${id}`, {})) as any[]
      expect(candidate).toMatchObject({ why: 'slip', payer: { id: await m.payerOf(student.id) } })
      ok(await finance('PUT', `/payments/batches/lines/${id}`, { do: 'match', payer_id: candidate.payer.id }))
      expect([await inBank(), await m.stands(invoice)]).toEqual([before, [1000, 1000]])
      const now = ok(await student.as('GET', `/payments/slips/${slip.id}`))
      expect(now.status).toBe('accepted')
      expect(ok(await finance('GET', `/payments/slips/steps/${slip.id}`))[0]).toMatchObject({
        action: 'accept',
        from: 'uploaded',
        to: 'accepted',
      })
    })

    it('one that names the number of a slip and that a person gave to somebody else is not booked by the slip too', async () => {
      const { slip, invoice } = await handed()
      const somebody = await w.student()
      const read = await file(`${today},10.00,${slip.number},Somebody,Transfer`)
      const [{ id, version }] = read.lines as [any]
      const payer_id = await m.payerOf(somebody.id)
      ok(await finance('PUT', `/payments/batches/lines/${id}`, { do: 'match', payer_id, version }))
      await save(read.id)
      expect([await m.wallet(somebody.id), await m.stands(invoice)]).toEqual([1000, [0, 1000]])
      expect(reasons(await accept(slip.id))).toEqual(['slip_came'])
    })

    it('one that names the number of a slip is that slip, before anybody looked at it', async () => {
      const student = await w.student()
      const invoice = await m.invoice(student.id, [[1000, 5]])
      const slip = ok(await issue(student.as, invoice))
      const read = await file(`${today},10.00,${slip.number},Somebody,Transfer`)
      expect(read.lines[0]).toMatchObject({ state: 'matched', match_by: 'slip' })
      await save(read.id)
      expect([await m.stands(invoice), ok(await student.as('GET', `/payments/slips/${slip.id}`)).status]).toEqual([
        [1000, 1000],
        'accepted',
      ])
      expect(reasons(await put(student.as, '', { slip_id: slip.id, ...stamp() }))).toEqual(['slip_decided'])
      // The money is cancelled: the slip with it, and another may be issued.
      await w.query(`update transactions set status = status where id = $1`, [slip.transaction_id])
      ok(await finance('POST', `/payments/batches/delete/${read.id}`, { reason: 'Wrong file' }))
      expect(ok(await student.as('GET', `/payments/slips/${slip.id}`)).status).toBe('cancelled')
      ok(await issue(student.as, invoice))
    })
  })
})
