/** What applicants pay, through HTTP: the simulator of the providers on one side, the form and the desk on the other. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openPaymentSimulator } from '#demo/payment-simulator.ts'
import type { PaymentSimulator } from '#demo/simulated-payment.ts'
import { hashToken, newToken } from '#kit/server/identity/sessions.ts'
import type { MailInput } from '#kit/server/mail/mail.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { AREA_SERVERS } from '../../../apps/server/areas.server.ts'
import { verifyLedger } from '#areas/money/ledger/proof/verify.server.ts'
import { settleEvents } from '#areas/money/transactions/providers/settle.server.ts'
import { followApplicantFees } from './fees/follow.server.ts'
import { sendApplicantFee } from './fees/mail.server.ts'
import type { ApplicantAccount, ApplicantFeeStanding } from './website/payment.contract.ts'

let simulator: PaymentSimulator
let u: TestUniversity
let officer: Caller
let finance: Caller
let cashier: Caller
let address: string
let admission: number
let program: { id: number; faculty_id: number }
let elsewhere: number

const q = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const one = async <Row>(text: string, values: unknown[] = []): Promise<Row> => (await q<Row>(text, values))[0]!
const said = (answer: Answer): [number, string[]] => [answer.status, reasons(answer)]

beforeAll(async () => {
  simulator = await openPaymentSimulator()
  u = await testUniversity(AREA_SERVERS, {
    database: await demoDatabase(),
    env: { ...simulator.variables, PORT: '0' },
  })
  address = await u.listen()
  simulator.callBack(address)
  for (const key of ['pay_with_fawry', 'pay_with_credit_card'])
    await q(
      `insert into settings (key, value, grouping, public) values ($1, '"true"', 'payment', true) on conflict (key) do update set value = excluded.value`,
      [key],
    )
  officer = await u.as('admission_officer')
  finance = await u.as('finance_officer')
  cashier = await u.as('cashier')
  ok(await cashier('POST', '/cashier/shift/open', { opening: [] }))
  program = await one(
    'select p.id, p.faculty_id from admission_programs x join programs p on p.id = x.program_id where x.admission_id = 1 and x.is_open order by x.id limit 1',
  )
  elsewhere = (
    await one<{ id: number }>(
      'select id from faculties f where f.id <> $1 and f.removed_at is null order by id limit 1',
      [program.faculty_id],
    )
  ).id
  // An admission with an exam that asks for every fee; foreigners pay in dollars.
  admission = (
    await one<{ id: number }>(
      `insert into admissions (code, name, name_local, applicant_type, term_id, opens_at, closes_at, max_preferences, has_exam, min_exam, weight_percentage, weight_exam)
       select 'PAYTEST', 'Test admission', 'قبول تجريبي', 1, term_id, now() - interval '5 days', now() + interval '5 days', 3, true, 50, 50, 50
       from admissions where id = 1 returning id`,
    )
  ).id
  await q(
    `insert into admission_programs (code, admission_id, program_id, capacity, is_open) values ('PAYTEST-1', $1, $2, 50, true)`,
    [admission, program.id],
  )
  await q(
    `insert into admission_declarations (admission_id, position, text, text_local) values ($1, 0, 'It is true.', 'البيانات صحيحة.')`,
    [admission],
  )
  await setFees({ application: 50_000, exam: 30_000, final: 500_000 })
})
afterAll(async () => {
  await u?.close()
  await simulator?.close()
})
beforeEach(() => q('delete from login_attempts'))
afterEach(() => {
  simulator.down(false)
  simulator.callBack(address)
})

async function setFees(fees: Record<string, number>): Promise<void> {
  await q('delete from admission_fees where admission_id = $1', [admission])
  let position = 0
  for (const [fee, amount] of Object.entries(fees)) {
    await q(
      `insert into admission_fees (admission_id, position, fee, asked_of, currency, amount) values ($1, $2, $3, 'egyptian', 'EGP', $4), ($1, $5, $3, 'foreign', 'USD', $6)`,
      [admission, position, fee, amount, position + 1, Math.round(amount / 25)],
    )
    position += 2
  }
}

interface Who {
  id: number
  key: string
  code: string
}
let made = 0
/** An application as it stands, with a wish; with a seat where it needs one. */
async function applicantIn(status: string, more: Record<string, unknown> = {}): Promise<Who> {
  const { token: key } = newToken()
  const code = `P-${++made}-${Date.now()}`
  const seat = ['FINAL_FEES_REQUIRED', 'APPROVED'].includes(status)
  const columns: Record<string, unknown> = {
    code,
    admission_id: admission,
    status,
    email: `pay${made}@example.com`,
    language: 'en',
    key_hash: hashToken(key),
    name: `Mona Payer${made}x`,
    name_local: 'منى علي',
    nationality_id: 64,
    national_id: `3051231011${String(made).padStart(4, '0')}`,
    submitted_at: status === 'INCOMPLETE' ? null : new Date(),
    program_id: seat ? program.id : null,
    ...more,
  }
  const names = Object.keys(columns)
  const { id } = await one<{ id: number }>(
    `insert into applicants (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')}) returning id`,
    Object.values(columns),
  )
  await q('insert into applicant_preferences (applicant_id, position, program_id) values ($1, 0, $2)', [id, program.id])
  return { id, key, code }
}
const statusOf = async ({ id }: Who) =>
  (await one<{ status: string }>('select status from applicants where id = $1', [id])).status
const keyOf = ({ id, key }: Who) => ({ id, key })
const account = async (who: Who): Promise<ApplicantAccount> =>
  ok(await u.nobody('POST', '/admission/website/transaction/fees', keyOf(who))) as ApplicantAccount
const feeOf = async (who: Who, fee: string): Promise<ApplicantFeeStanding> =>
  (await account(who)).fees.findLast((each) => each.fee === fee)!
const pay = (who: Who, way: string, more: object = {}) =>
  u.nobody('POST', '/admission/website/transaction/create', { ...keyOf(who), way, ...more })
const step = (who: Who, action: string, body: object = {}) =>
  officer('PUT', `/applicants/status/${action}/${who.id}`, body)
/** What the jobs do. */
const settle = () => settleEvents(asSystem(u.services, 'test'))
const follow = () => followApplicantFees(asSystem(u.services, 'test'))
async function orderOf(transaction: number): Promise<string> {
  const { order_number } = await one<{ order_number: string }>(
    'select order_number from provider_charges where transaction_id = $1 order by id desc limit 1',
    [transaction],
  )
  return order_number
}
/** Pays at the provider, which calls back, and lets the jobs do theirs. */
async function paidBy(who: Who, way: 'mobile' | 'card' = 'mobile', fee?: string): Promise<number> {
  const { payment } = ok(await pay(who, way, fee ? { fee } : {}))
  await simulator.act(await orderOf(payment.id), 'pay')
  await settle()
  await follow()
  return payment.id
}
const walletOf = async ({ id }: Who): Promise<number> =>
  (
    await q<{ wallet: number }>(
      'select b.wallet::int as wallet from payer_balances b join payers p on p.id = b.payer_id where p.applicant_id = $1',
      [id],
    )
  )[0]?.wallet ?? 0
const fees = ({ id }: Who) =>
  q<{ fee: string; attempt: number; settled: boolean; gone: boolean; lost: boolean }>(
    `select fee, attempt, settled, taken_back_at is not null as gone, unsettled_at is not null as lost from applicant_fees
     where applicant_id = $1 order by invoice_id`,
    [id],
  )
async function mailOf(data: { invoice_id: number; received: boolean }): Promise<MailInput | undefined> {
  const sent: MailInput[] = []
  const services = {
    ...u.services,
    mail: { send: async (mail: MailInput) => void sent.push(mail), verify: async () => {}, close: () => {} },
  }
  await sendApplicantFee.run(asSystem(services, 'test') as never, data, (async () => {}) as never)
  return sent[0]
}
const cancel = (who: Who) => officer('POST', `/applicants/cancel-admission/${who.id}`, { reason: 'asked for' })

test('asked for the exam fee, paid by a reference number: told twice it leads on once, and both are written to', async () => {
  const who = await applicantIn('REVIEWED')
  expect((await feeOf(who, 'exam')).state).toBe('later')
  expect(said(await pay(who, 'mobile', { fee: 'exam' }))).toEqual([409, ['admission_fee_not_due']])
  ok(await step(who, 'ask-exam-fee'))
  const asked = await feeOf(who, 'exam')
  expect(asked).toMatchObject({
    state: 'due',
    amount: 30_000,
    open: 30_000,
    currency: 'EGP',
    payable: true,
    ways: ['mobile', 'card'],
  })
  expect(said(await step(who, 'ask-exam'))).toEqual([409, ['applicant_exam_unpaid']])
  expect(await mailOf({ invoice_id: asked.invoice!.id, received: false })).toMatchObject({
    key: 'application_fee_asked',
    data: { number: who.code, amount: '300.00 EGP' },
  })
  expect(await mailOf({ invoice_id: asked.invoice!.id, received: true })).toBe(undefined)
  const { payment } = ok(await pay(who, 'mobile', { fee: 'exam' }))
  expect(payment).toMatchObject({ status: 'pending', way: 'mobile', amount: 30_000, invoice_id: asked.invoice!.id })
  // The same number again.
  expect(ok(await pay(who, 'mobile')).payment.id).toBe(payment.id)
  const order = await orderOf(payment.id)
  await simulator.act(order, 'pay')
  await settle()
  expect(await statusOf(who)).toBe('EXAM_FEES_REQUIRED')
  await follow()
  expect(await statusOf(who)).toBe('exam required')
  await simulator.act(order, 'tell_twice')
  await settle()
  await follow()
  expect(await statusOf(who)).toBe('exam required')
  expect(await fees(who)).toEqual([{ fee: 'exam', attempt: 1, settled: true, gone: false, lost: false }])
  expect(await walletOf(who)).toBe(0)
  const steps = await q(
    `select from step_history where workflow = 'applicant' and record_id = $1 and action = 'ask_exam'`,
    [who.id],
  )
  expect(steps.length).toBe(1)
  expect(await feeOf(who, 'exam')).toMatchObject({
    state: 'paid',
    open: 0,
    payable: false,
    paid: [{ amount: 30_000, way: 'mobile' }],
  })
  expect(said(await pay(who, 'mobile', { fee: 'exam' }))).toEqual([409, ['admission_fee_settled']])
  expect(await mailOf({ invoice_id: asked.invoice!.id, received: true })).toMatchObject({
    key: 'application_fee_received',
    to: `pay${made}@example.com`,
    data: { amount: '300.00 EGP' },
  })
})

test('a forged callback pays nothing', async () => {
  const who = await applicantIn('REVIEWED')
  ok(await step(who, 'ask-exam-fee'))
  const { payment } = ok(await pay(who, 'mobile'))
  const { reference } = await one<{ reference: string }>(
    'select reference from provider_charges where transaction_id = $1',
    [payment.id],
  )
  const forged = await fetch(`${address}/api/payments/callback/fawry`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      fawryRefNumber: payment.pay_number,
      merchantRefNumber: reference,
      orderStatus: 'PAID',
      paymentAmount: 300,
      orderAmount: 300,
      paymentMethod: 'PAYATFAWRY',
      messageSignature: '0'.repeat(64),
    }),
  })
  expect(forged.status).toBe(401)
  await settle()
  await follow()
  expect(await statusOf(who)).toBe('EXAM_FEES_REQUIRED')
  expect((await feeOf(who, 'exam')).state).toBe('due')
})

test('two devices at once are charged once, and get the same number', async () => {
  const who = await applicantIn('INCOMPLETE')
  const answers = await Promise.all([1, 2, 3].map(() => pay(who, 'mobile', { fee: 'application' })))
  expect(new Set(answers.map((answer) => ok(answer).payment.pay_number)).size).toBe(1)
  expect(await fees(who)).toHaveLength(1)
})

test('sending in waits for the application fee, and for nothing else once it is paid', async () => {
  const who = await applicantIn('INCOMPLETE')
  const at = `/admission/${who.id}/${who.key}`
  const before = ok(await u.nobody('GET', at))
  expect(before.require_payment).toBe(true)
  expect(before.tabs.find(({ key }: { key: string }) => key === 'payment')).toMatchObject({
    done: false,
    problems: [{ code: 'application_fee_due' }],
  })
  await complete(who)
  expect(said(await u.nobody('POST', at, { submit: true }))).toEqual([409, ['application_fee_due@payment']])
  expect(await statusOf(who)).toBe('INCOMPLETE')
  await paidBy(who, 'card')
  expect(ok(await u.nobody('GET', at)).require_payment).toBe(false)
  ok(await u.nobody('POST', at, { submit: true }))
  expect(await statusOf(who)).toBe('SUBMITTED')
})

/** Everything that is asked of an undergraduate. */
async function complete(who: Who): Promise<void> {
  const { national_id } = await one<{ national_id: string }>('select national_id from applicants where id = $1', [
    who.id,
  ])
  expect(national_id).toHaveLength(14)
  ok(
    await u.nobody('POST', `/admission/${who.id}/${who.key}`, {
      declared: true,
      values: {
        national_id: '30512310112345',
        gender: 2,
        birth_date: '2005-12-31',
        phone: '01001234567',
        country_id: 64,
        address: '1 Corniche',
        father_name: 'Ali',
        mother_name: 'Huda',
        certificate_type_id: 1,
        certificate_year: 2024,
        certificate_school: 'A school',
        certificate_total: '300',
        subjects: [1, 2, 4, 5, 6].map((subject) => ({
          certificate_subject_id: subject,
          mark: subject === 1 ? '76' : '56',
        })),
      },
    }),
  )
}

test('an invoice keeps the amount it was issued with; foreigners pay theirs', async () => {
  const who = await applicantIn('REVIEWED')
  ok(await step(who, 'ask-exam-fee'))
  const stranger = await applicantIn('REVIEWED', { nationality_id: null, national_id: null })
  try {
    await setFees({ application: 50_000, exam: 99_000, final: 500_000 })
    expect(await feeOf(who, 'exam')).toMatchObject({ amount: 30_000, open: 30_000 })
    ok(await step(stranger, 'ask-exam-fee'))
    expect(await feeOf(stranger, 'exam')).toMatchObject({ amount: 3960, currency: 'USD', ways: ['card'] })
  } finally {
    await setFees({ application: 50_000, exam: 30_000, final: 500_000 })
  }
  await paidBy(who)
  expect(await statusOf(who)).toBe('exam required')
})

test('whoever failed the exam pays for the next attempt', async () => {
  const who = await applicantIn('REVIEWED')
  ok(await step(who, 'ask-exam-fee'))
  await paidBy(who)
  await q('update applicants set exam_result = 20 where id = $1', [who.id])
  const examiner = await u.as('super_admin')
  ok(await examiner('PUT', `/applicants/status/fail-exam/${who.id}`, {}))
  expect(await statusOf(who)).toBe('EXAM_FAILS')
  expect(said(await step(who, 'ask-exam'))).toEqual([409, ['applicant_exam_unpaid']])
  expect(await feeOf(who, 'exam')).toMatchObject({ attempt: 2, state: 'due', invoice: null, payable: true })
  await paidBy(who, 'mobile', 'exam')
  expect(await statusOf(who)).toBe('exam required')
  expect((await fees(who)).map(({ attempt, settled }) => [attempt, settled])).toEqual([
    [1, true],
    [2, true],
  ])
})

test('a final fee approves; of a payment that is cancelled the desk is told, and nobody is led back', async () => {
  const who = await applicantIn('DISTRIBUATION_REQUIRED', { program_id: program.id, exam_result: 80 })
  await q(`update admissions set pay_until = university_today() + 3 where id = $1`, [admission])
  ok(await step(who, 'offer'))
  const { invoice } = await feeOf(who, 'final')
  expect(invoice!.due_date).toBe((await one<{ day: string }>('select (university_today() + 3)::text as day')).day)
  const taken = ok(
    await cashier('POST', '/cashier/take', {
      applicant_id: who.id,
      currency: 'EGP',
      amount: 500_000,
      invoice_ids: [invoice!.id],
      key: crypto.randomUUID(),
    }),
  )
  expect(taken.settled).toEqual([{ invoice_id: invoice!.id, amount: 500_000 }])
  await follow()
  expect(await statusOf(who)).toBe('APPROVED')
  ok(await finance('POST', '/transactions/cancel-transaction', { id: taken.id, reason: 'a false note' }))
  await follow()
  expect(await statusOf(who)).toBe('APPROVED')
  expect(await fees(who)).toEqual([{ fee: 'final', attempt: 1, settled: false, gone: false, lost: true }])
  const shown = ok(await finance('GET', `/admission-payments/${invoice!.id}`))
  expect(shown).toMatchObject({ state: 'unsettled', settled: 0, transactions: [{ status: 'cancelled' }] })
  expect(shown.unsettled_at).not.toBe(null)
  const work = ok(await finance('GET', '/users/work')) as { waiting: { text: string }[] }
  expect(JSON.stringify(work)).toContain('work_lost')
  // Paid again, it is settled again.
  await paidBy(who, 'mobile', 'final')
  expect(await fees(who)).toEqual([{ fee: 'final', attempt: 1, settled: true, gone: false, lost: false }])
})

test('what arrives after the application was cancelled goes into the wallet, and finance sees it', async () => {
  const who = await applicantIn('REVIEWED')
  ok(await step(who, 'ask-exam-fee'))
  const { payment } = ok(await pay(who, 'mobile'))
  const order = await orderOf(payment.id)
  ok(await cancel(who))
  expect(await fees(who)).toMatchObject([{ gone: true, settled: false }])
  expect(said(await pay(who, 'mobile'))).toEqual([409, ['admission_fee_ended']])
  await simulator.act(order, 'pay')
  await settle()
  await follow()
  expect(await statusOf(who)).toBe('CANCELLED')
  expect(await walletOf(who)).toBe(30_000)
  const wallets = ok(await finance('POST', '/credits', { search: who.code })) as {
    student: null
    payer: { code: string }
    wallet: number
  }[]
  expect(wallets).toMatchObject([{ student: null, payer: { code: who.code, kind: 'applicant' }, wallet: 30_000 }])
  expect(JSON.stringify(ok(await finance('GET', '/users/work')))).toContain('work_left')
  // It is given back the way it came.
  ok(
    await finance('POST', `/payments/refund/${payment.id}`, {
      amount: 30_000,
      reason: 'the application was cancelled',
    }),
  )
  expect(await walletOf(who)).toBe(0)
})

test('on hold what is not settled is taken back, and asked for anew; what was paid of it is not paid twice', async () => {
  const who = await applicantIn('REVIEWED')
  ok(await step(who, 'ask-exam-fee'))
  const { invoice } = await feeOf(who, 'exam')
  ok(
    await cashier('POST', '/cashier/take', {
      applicant_id: who.id,
      currency: 'EGP',
      amount: 10_000,
      invoice_ids: [invoice!.id],
      key: crypto.randomUUID(),
    }),
  )
  expect(await feeOf(who, 'exam')).toMatchObject({ state: 'part', open: 20_000 })
  ok(await step(who, 'hold', { reason: 'the certificate is looked at' }))
  expect(await walletOf(who)).toBe(10_000)
  ok(await step(who, 'resume'))
  expect(await statusOf(who)).toBe('EXAM_FEES_REQUIRED')
  expect(await walletOf(who)).toBe(0)
  expect(await feeOf(who, 'exam')).toMatchObject({ state: 'part', open: 20_000 })
  expect((await fees(who)).map(({ gone }) => gone)).toEqual([true, false])
})

test('what was paid before it was put on hold is not charged again, and leads on afterwards', async () => {
  const who = await applicantIn('REVIEWED')
  ok(await step(who, 'ask-exam-fee'))
  const { payment } = ok(await pay(who, 'mobile'))
  await simulator.act(await orderOf(payment.id), 'pay')
  await settle()
  ok(await step(who, 'hold', { reason: 'the certificate is looked at' }))
  ok(await step(who, 'resume'))
  expect(await statusOf(who)).toBe('EXAM_FEES_REQUIRED')
  await follow()
  expect(await statusOf(who)).toBe('exam required')
  expect(await fees(who)).toEqual([{ fee: 'exam', attempt: 1, settled: true, gone: false, lost: false }])
})

test('finance reverses an invoice by hand: it can be asked for anew', async () => {
  const who = await applicantIn('INCOMPLETE')
  ok(await pay(who, 'cash', { fee: 'application' }))
  const { invoice } = await feeOf(who, 'application')
  ok(await finance('POST', `/payments/reverse-invoice/${invoice!.id}`, { reason: 'charged by mistake' }))
  expect(await feeOf(who, 'application')).toMatchObject({ state: 'due', invoice: null, payable: true })
  expect(
    said(
      await u.nobody('POST', `/admission/website/transaction/create/${invoice!.id}`, { ...keyOf(who), way: 'mobile' }),
    ),
  ).toEqual([404, ['not_found']])
})

test('whoever has no right key learns nothing and pays nothing', async () => {
  const who = await applicantIn('INCOMPLETE')
  const other = await applicantIn('INCOMPLETE')
  const { payment } = ok(await pay(who, 'mobile'))
  const wrong = { id: who.id, key: other.key }
  for (const answer of [
    await u.nobody('POST', '/admission/website/transaction/fees', wrong),
    await u.nobody('POST', '/admission/website/transaction/create', { ...wrong, way: 'mobile' }),
    await u.nobody('POST', `/admission/website/transaction/check/${payment.id}`, wrong),
    await u.nobody('GET', `/admission/website/print-pdf/${who.id}`),
    await u.nobody('GET', `/admission/website/print-pdf/${who.id}?ticket=${(await account(other)).ticket}`),
    await u.nobody('GET', `/admission/website/print-pdf/${who.id}?ticket=abc`),
  ])
    expect(said(answer)).toEqual([404, ['application_unknown']])
  // Another one's payment, with one's own key.
  expect(said(await u.nobody('POST', `/admission/website/transaction/check/${payment.id}`, keyOf(other)))).toEqual([
    404,
    ['not_found'],
  ])
  expect(
    said(
      await u.nobody('POST', `/admission/website/transaction/create/${payment.invoice_id}`, {
        ...keyOf(other),
        way: 'mobile',
      }),
    ),
  ).toEqual([404, ['not_found']])
  expect(said(await u.nobody('POST', `/admission/website/transaction/check/${payment.id}/999999`, keyOf(who)))).toEqual(
    [404, ['not_found']],
  )
  // Nor does a student pay it, or see it.
  const student = await one<{ user_id: number }>(
    'select user_id from students where user_id is not null order by id limit 1',
  )
  const pupil = await u.signIn(student.user_id)
  expect((await pupil('POST', `/payments/pay/${payment.invoice_id}`, { way: 'mobile' })).status).toBe(404)
  expect((await pupil('GET', `/payments/${payment.invoice_id}`)).status).toBe(404)
})

test('the instructions as a paper, by a ticket; the provider is asked now', async () => {
  const who = await applicantIn('INCOMPLETE')
  const first = await account(who)
  expect(said(await u.nobody('GET', `/admission/website/print-pdf/${who.id}?ticket=${first.ticket}`))).toEqual([
    409,
    ['admission_fee_not_charged'],
  ])
  const { payment } = ok(await pay(who, 'mobile'))
  for (const path of [`${who.id}`, `${who.id}/${payment.invoice_id}`]) {
    const paper = await u.nobody('GET', `/admission/website/print-pdf/${path}?ticket=${first.ticket}`)
    expect([paper.status, paper.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    expect(String(paper.headers['content-disposition'])).toContain('Cash_Instructions.pdf')
  }
  // Its news gets lost, and whoever paid asks.
  simulator.callBack('http://127.0.0.1:9')
  await simulator.act(await orderOf(payment.id), 'pay').catch(() => undefined)
  const checked = ok(
    await u.nobody('POST', `/admission/website/transaction/check/${payment.id}/${payment.invoice_id}`, keyOf(who)),
  )
  expect([checked.payment.status, checked.answered]).toEqual(['paid', true])
  expect(checked.fees[0]).toMatchObject({ fee: 'application', state: 'paid' })
})

test('the desk finds applicants by number, national id and name, within reach; so do the lists', async () => {
  const who = await applicantIn('REVIEWED')
  ok(await step(who, 'ask-exam-fee'))
  const { invoice } = await feeOf(who, 'exam')
  const { national_id, name } = await one<{ national_id: string; name: string }>(
    'select national_id, name from applicants where id = $1',
    [who.id],
  )
  for (const text of [who.code, national_id, name, invoice!.number])
    expect(ok(await cashier('POST', '/cashier/find', { text }))).toMatchObject([
      {
        student: null,
        payer: { id: who.id, code: who.code, kind: 'applicant' },
        invoices: [{ id: invoice!.id, open: 30_000 }],
      },
    ])
  const near = await u.as('finance_officer', ['faculty', program.faculty_id])
  const far = await u.as('finance_officer', ['faculty', elsewhere])
  const farCashier = await u.as('cashier', ['faculty', elsewhere])
  const listed = async (caller: Caller) => {
    const payments = ok(await caller('POST', '/admission-payments', { search: who.code })) as { id: number }[]
    const invoices = ok(await caller('POST', '/payments', { search: who.code })) as {
      id: number
      payer: { code: string }
    }[]
    return [payments.map(({ id }) => id), invoices.map(({ payer }) => payer.code)]
  }
  expect(await listed(finance)).toEqual([[invoice!.id], [who.code]])
  expect(await listed(near)).toEqual([[invoice!.id], [who.code]])
  expect(await listed(far)).toEqual([[], []])
  expect((await near('GET', `/admission-payments/${invoice!.id}`)).status).toBe(200)
  for (const path of [`/admission-payments/${invoice!.id}`, `/payments/${invoice!.id}`])
    expect((await far('GET', path)).status).toBe(404)
  expect(ok(await farCashier('POST', '/cashier/find', { text: who.code }))).toEqual([])
  ok(await farCashier('POST', '/cashier/shift/open', { opening: [] }))
  expect(
    (
      await farCashier('POST', '/cashier/take', {
        applicant_id: who.id,
        currency: 'EGP',
        amount: 30_000,
        key: crypto.randomUUID(),
      })
    ).status,
  ).toBe(404)
  expect(
    said(await cashier('POST', '/cashier/take', { currency: 'EGP', amount: 30_000, key: crypto.randomUUID() })),
  ).toEqual([422, ['required@student_id']])
  const clerk = await u.as('registrar')
  expect((await clerk('POST', '/admission-payments', {})).status).toBe(403)
  const sheet = await finance('POST', '/admission-payments/export', { search: who.code })
  expect(sheet.status).toBe(200)
  // What was paid too much lies in the wallet.
  const taken = ok(
    await cashier('POST', '/cashier/take', {
      applicant_id: who.id,
      currency: 'EGP',
      amount: 31_000,
      to_wallet: true,
      key: crypto.randomUUID(),
    }),
  )
  expect(taken.wallet).toBe(1000)
  const transactions = ok(await near('POST', '/transactions', { search: who.code })) as { payer: { code: string } }[]
  expect(transactions.map(({ payer }) => payer.code)).toEqual([who.code])
  expect(ok(await far('POST', '/transactions', { search: who.code }))).toEqual([])
  expect((await cashier('GET', `/transactions/receipt/${taken.id}`)).status).toBe(200)
})

test('the ledger proves whole', async () => {
  const found = await verifyLedger(u.database.db as never)
  expect(found.findings).toEqual([])
})

const fullOnes = (who: Who, caller = finance) => caller('GET', `/admission/full-scholarships/${who.id}`)
const give = (who: Who, x: number, caller = finance) =>
  caller('POST', `/admission/changeFullScholarship/${who.id}/${x}`, { reason: 'First of the country.' })
const change = (who: Who, full: boolean, caller = finance) =>
  caller('POST', `/admission/changeFullScholarship/${who.id}`, { full, reason: 'Decision of the council.' })

test('a full scholarship takes the fee of the seat, also where it was asked for and partly paid', async () => {
  const { id: excellence } = await one<{ id: number }>(
    `select id from scholarships where basis = 'manual' and percent = 100 and is_active and removed_at is null order by id limit 1`,
  )
  const early = await applicantIn('REVIEWED')
  expect(ok(await fullOnes(early))).toMatchObject({ given: null, scholarships: [{ id: excellence }] })
  expect(said(await change(early, false))).toEqual([409, ['full_scholarship_none']])
  expect(ok(await change(early, true))).toMatchObject({ scholarship: { id: excellence } })
  expect(said(await give(early, excellence))).toEqual([409, ['full_scholarship_given']])
  expect(ok(await fullOnes(early))).toMatchObject({ given: { id: excellence } })
  ok(await change(early, false))
  // Half of one, and one by a rule, are none.
  const { id: half } = await one<{ id: number }>(
    `select id from scholarships where basis = 'manual' and percent = 50 and is_active order by id limit 1`,
  )
  expect(said(await give(early, half))).toEqual([409, ['full_scholarship_percent']])
  const { id: byRule } = await one<{ id: number }>(
    `select id from scholarships where basis = 'gpa' order by id limit 1`,
  )
  expect(said(await give(early, byRule))).toEqual([409, ['full_scholarship_percent', 'scholarship_is_automatic']])
  expect((await give(early, 999_999)).status).toBe(404)
  // Given before the seat is offered: nothing is charged for it, and the desk takes it as taken up.
  ok(await give(early, excellence))
  await q("update applicants set status = 'DISTRIBUATION_REQUIRED', program_id = $2 where id = $1", [
    early.id,
    program.id,
  ])
  ok(await step(early, 'offer'))
  expect((await account(early)).fees.filter(({ fee }) => fee === 'final')).toEqual([])
  ok(await step(early, 'approve'))
  // Given after it was charged and partly paid: the charge is taken back, what was paid lies in the wallet, the application goes on.
  const late = await applicantIn('DISTRIBUATION_REQUIRED')
  await q('update applicants set program_id = $2 where id = $1', [late.id, program.id])
  ok(await step(late, 'offer'))
  const charged = await feeOf(late, 'final')
  const { id: payer } = await one<{ id: number }>('select id from payers where applicant_id = $1', [late.id])
  ok(
    await cashier('POST', '/cashier/take', {
      applicant_id: late.id,
      currency: 'EGP',
      amount: 100_000,
      invoice_ids: [charged.invoice!.id],
      key: crypto.randomUUID(),
    }),
  )
  ok(await give(late, excellence))
  expect(await statusOf(late)).toBe('APPROVED')
  expect(await one('select wallet::int from payer_balances where payer_id = $1 and wallet > 0', [payer])).toEqual({
    wallet: 100_000,
  })
  expect(
    await one('select taken_back_at is not null as gone from applicant_fees where invoice_id = $1', [
      charged.invoice!.id,
    ]),
  ).toEqual({
    gone: true,
  })
  expect(said(await change(late, false))).toEqual([409, ['full_scholarship_not_now']])
  expect((await verifyLedger(u.database.db)).findings).toEqual([])
  // Not where the seat was paid, nor before the application was sent in.
  const paid = await applicantIn('DISTRIBUATION_REQUIRED')
  await q('update applicants set program_id = $2 where id = $1', [paid.id, program.id])
  ok(await step(paid, 'offer'))
  const { invoice: asked } = await feeOf(paid, 'final')
  ok(
    await cashier('POST', '/cashier/take', {
      applicant_id: paid.id,
      currency: 'EGP',
      amount: 500_000,
      invoice_ids: [asked!.id],
      key: crypto.randomUUID(),
    }),
  )
  expect(said(await give(paid, excellence))).toEqual([409, ['admission_fee_settled']])
  expect(said(await give(await applicantIn('INCOMPLETE'), excellence))).toEqual([409, ['full_scholarship_not_now']])
  // Of several one is chosen; without any there is none to give.
  const { id: second } = await one<{ id: number }>(
    `insert into scholarships (code, name, name_local, basis, percent, types, priority, is_active)
     select 'FULL2', 'Second', 'ثانية', basis, percent, types, priority, true from scholarships where id = $1 returning id`,
    [excellence],
  )
  const other = await applicantIn('REVIEWED')
  expect(said(await change(other, true))).toEqual([409, ['full_scholarship_which']])
  await q('update scholarships set is_active = false where id = any($1)', [[excellence, second]])
  expect(said(await change(other, true))).toEqual([409, ['full_scholarship_nowhere']])
  await q('update scholarships set is_active = true where id = $1', [excellence])
  // Who may not: nobody without the right, and nobody of another faculty.
  for (const role of ['student', 'instructor', 'admission_officer', 'cashier']) {
    const who = await u.as(role)
    expect((await give(other, excellence, who)).status).toBe(403)
    expect((await change(other, true, who)).status).toBe(403)
    expect((await fullOnes(other, who)).status).toBe(403)
  }
  const strange = await u.as('finance_officer', ['faculty', elsewhere])
  expect((await give(other, excellence, strange)).status).toBe(404)
  expect((await fullOnes(other, strange)).status).toBe(404)
})
