import { execFileSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { crc32, deflateSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { feesServer } from '#areas/money/fees/fees.server.ts'
import { invoicesServer } from '#areas/money/invoices/invoices.server.ts'
import { requestFeesJob } from '#areas/money/invoices/requests/fee.server.ts'
import { ledgerServer } from '#areas/money/ledger/ledger.server.ts'
import { moneyWorld } from '#areas/money/invoices/testing.server.ts'
import { bookTransactions } from '#areas/money/transactions/book.server.ts'
import { cancelTransactions } from '#areas/money/transactions/cancel.server.ts'
import { transactionsServer } from '#areas/money/transactions/transactions.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { credentialsServer } from '../credentials/credentials.server.ts'
import { certificatesServer } from './certificates.server.ts'

let uni: TestUniversity
let m: ReturnType<typeof moneyWorld>
/** Signs and may everything in the office. */
let clerk: Caller
let reviewer: Caller
let employee: Caller
let dean: Caller
let president: Caller
let mona: Caller
let omar: Caller
let grad: Caller
const id: Record<string, any> = {}
const q = async <T = any>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await uni.database.pool.query(text, values)).rows
const one = async (name: string, text: string, values: unknown[] = []) => (id[name] = (await q(text, values))[0].id)

beforeAll(async () => {
  uni = await testUniversity([
    kitServer,
    catalogueServer,
    studentsServer,
    feesServer,
    invoicesServer,
    ledgerServer,
    transactionsServer,
    certificatesServer,
    credentialsServer,
  ])
  m = moneyWorld(uni.database.db)
  await q(
    `insert into countries (id, code, name, name_local) overriding system value values (64, 'EG', 'Egyptian', 'مصري'), (1, 'SD', 'Sudanese', 'سوداني')
     on conflict do nothing`,
  )
  await q(
    `insert into nationality_group_countries (nationality_group_id, country_id)
     select id, 64 from nationality_groups where currency = 'EGP' and not is_default on conflict do nothing`,
  )
  for (const code of ['ENG', 'MED'])
    await one(code, `insert into faculties (code, name, name_local) values ($1, $1, $1) returning id`, [code])
  await one(
    'bylaw',
    `insert into bylaws (faculty_id, code, name, name_local, program_type, graduation_hours, graduation_gpa, grades_visibility)
     values ($1, 'B', 'B', 'ل', 'credit_hours', 12, 2, '{"marks":"Published","letter":"Published","points":"Published","gpa":"Published"}') returning id`,
    [id.ENG],
  )
  await one(
    'program',
    `insert into programs (bylaw_id, faculty_id, code, name, name_local, program_type) values ($1, $2, 'CS', 'Computing', 'حاسبات', 'credit_hours') returning id`,
    [id.bylaw, id.ENG],
  )
  const person = async (name: string, code: string, status = 'studying'): Promise<Caller> => {
    const caller = await uni.as('student', undefined, { type: 3, name })
    await one(
      name,
      `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, level, nationality_id, national_id, gender, user_id)
       values ($1, $2, 'طالبة', $3, $4, $5, 2, 64, $6, 2, $7) returning id`,
      [code, name, id.ENG, id.program, id.bylaw, `3000101010000${code}`, caller.user_id],
    )
    if (status !== 'studying')
      await q(`select decide_status(array[$1::int], $2, 'Decision 1', university_today())`, [id[name], status])
    return uni.signIn(caller.user_id)
  }
  mona = await person('Mona', '1')
  omar = await person('Omar', '2')
  grad = await person('Grad', '3', 'graduated')
  clerk = await uni.as('registrar')
  reviewer = await uni.as('affair_manager')
  employee = await uni.as('competent_employee')
  dean = await uni.as('dean', ['faculty', id.ENG])
  president = await uni.as('president')
  const held = async (code: string, user: Caller, faculty: number | null = null) =>
    q(
      `insert into signatory_holders (position_id, user_id, faculty_id, valid_from)
       select id, $2, $3, university_today() - 10 from signatory_positions where code = $1`,
      [code, user.user_id, faculty],
    )
  await held('COMPETENT-EMPLOYEE', employee)
  await held('DEAN', dean, id.ENG)
  await held('PRESIDENT', president)
  await q(
    `insert into settings (key, value, grouping) values ('enrollment_certificate_text', '"{name} studies."', 'enrollment'),
       ('enrollment_certificate_text_local', '"{name} تدرس."', 'enrollment')
     on conflict (key) do update set value = excluded.value`,
  )
}, 180_000)
afterAll(() => uni?.close())

const TYPE = {
  name: 'Good conduct',
  name_local: 'حسن سير',
  document: 'text',
  body: '{name} of {faculty} behaves well.',
  body_local: '{name} بكلية {faculty} حسن السير.',
  for_students: true,
  for_graduates: false,
  days_normal: 3,
  days_urgent: 1,
  most_copies: 5,
  by_hand: true,
  by_mail: true,
  electronic: true,
  is_active: true,
}
let n = 0
const positionOf = async (code: string) => (await q('select id from signatory_positions where code = $1', [code]))[0].id
const typeWith = async (
  given: Record<string, unknown> = {},
  signers: readonly string[] = ['COMPETENT-EMPLOYEE', 'DEAN', 'PRESIDENT'],
): Promise<number> => {
  const answer = await clerk('POST', '/services-settings/certificates', {
    code: `T${++n}`,
    ...TYPE,
    signers: await Promise.all(signers.map(async (code) => ({ position_id: await positionOf(code) }))),
    ...given,
  })
  return ok(answer).id
}
const ask = (type_id: number, given: Record<string, unknown> = {}, by: Caller = mona, student = 'Mona') =>
  by('PUT', '/certificates', {
    student_id: id[student],
    type_id,
    lang: 'ar',
    copies: 1,
    speed: 'normal',
    delivery: 'electronic',
    why: 'For a bank',
    ...given,
  })
const step = (action: string, cert: number, by: Caller = clerk, body: object = {}) =>
  by('POST', `/certificates/${action}/${cert}`, body)
const stateOf = async (cert: number) => ok(await clerk('GET', `/certificates/${cert}`)).status
const details = async (cert: number, by: Caller = clerk) => ok(await by('GET', `/certificates/${cert}/details`))
/** As far as those who sign. */
const reviewed = async (type: number, given: Record<string, unknown> = {}) => {
  const { id: cert } = ok(await ask(type, given))
  for (const [action, by] of [
    ['prepare', clerk],
    ['send_to_review', clerk],
    ['review', reviewer],
  ] as const)
    ok(await step(action, cert, by))
  return cert as number
}
beforeEach(async () => {
  await q(
    `update certificates set status = 'cancelled' where status not in ('Delivered', 'Delivered By Mail', 'Delivered By Manual', 'Rejected', 'cancelled')`,
  )
})

describe('asking', () => {
  test('a student is offered what is for students, with the price, and asks once', async () => {
    const type = await typeWith({
      payment_settings: [
        { audience: 'student', speed: 'normal', value_local: 5000, value_usd: 500, copy_local: 1000, copy_usd: 100 },
        { audience: 'student', speed: 'urgent', value_local: 9000, value_usd: 900, copy_local: 1000, copy_usd: 100 },
      ],
    })
    const graduates = await typeWith({ for_students: false, for_graduates: true })
    const hidden = await typeWith({ is_active: false })
    const offered = ok(await mona('GET', '/certificates/types'))
    const ids = offered.map((row: { id: number }) => row.id)
    expect([ids.includes(type), ids.includes(graduates), ids.includes(hidden)]).toEqual([true, false, false])
    expect(offered.find((row: { id: number }) => row.id === type)).toMatchObject({
      // By which a paper that is wanted is found among them.
      document: 'text',
      audience: 'student',
      deliveries: ['by_hand', 'by_mail', 'electronic'],
      prices: [
        { speed: 'normal', days: 3, amount: 5000, copy: 1000, currency: 'EGP' },
        { speed: 'urgent', days: 1, amount: 9000, copy: 1000, currency: 'EGP' },
      ],
      refused: [],
    })
    expect(ok(await grad('GET', '/certificates/types')).map((row: { id: number }) => row.id)).toContain(graduates)
    // Two clicks are one request.
    const both = await Promise.all([ask(type), ask(type)])
    expect(both.map((answer) => answer.status).toSorted()).toEqual([200, 409])
    expect(reasons(both.find((answer) => answer.status === 409)!)).toEqual(['certificate_asked_twice@type_id'])
    expect(reasons(await ask(graduates))).toEqual(['certificate_not_for_you@type_id'])
    expect(reasons(await ask(hidden))).toEqual(['certificate_not_offered@type_id'])
    expect(reasons(await ask(999_999))).toEqual(['reference_missing@type_id'])
  })

  test('every reason against it is told at once', async () => {
    const type = await typeWith({ most_copies: 2, days_urgent: null, by_mail: false, min_level: 4, needs_photo: true })
    expect(reasons(await ask(type, { copies: 3, speed: 'urgent', delivery: 'by_mail' }))).toEqual([
      'certificate_address@address',
      'certificate_copies@copies',
      'certificate_delivery@delivery',
      'certificate_not_urgent@speed',
    ])
    expect(reasons(await ask(type))).toEqual(['certificate_level@type_id', 'certificate_photo'])
    await q(
      `insert into certificate_dates (type_id, from_date, until_date) values ($1, university_today() + 5, university_today() + 9)`,
      [type],
    )
    expect(reasons(await ask(type))).toContain('certificate_opens_on@type_id')
    expect(ok(await mona('GET', `/certificates_dates/lookups/${type}`))).toMatchObject({ open: false })
    await q('alter table certificate_dates disable trigger user')
    await q(
      `update certificate_dates set from_date = university_today() - 9, until_date = university_today() - 5 where type_id = $1`,
      [type],
    )
    await q('alter table certificate_dates enable trigger user')
    expect(reasons(await ask(type))).toContain('certificate_closed@type_id')
  })

  test('one asks for oneself; staff ask for those within their reach', async () => {
    const type = await typeWith()
    expect((await ask(type, {}, omar)).status).toBe(403)
    expect((await ask(type, {}, await uni.as('faculty_registrar', ['faculty', id.MED]))).status).toBe(403)
    expect((await ask(type, {}, await uni.as('instructor'))).status).toBe(403)
    const { id: cert } = ok(await ask(type, {}, clerk))
    expect((await omar('GET', `/certificates/${cert}`)).status).toBe(404)
    expect((await omar('GET', `/certificates/${cert}/details`)).status).toBe(404)
    expect((await step('cancel', cert, omar)).status).toBe(404)
    expect(
      (await (await uni.as('faculty_registrar', ['faculty', id.MED]))('GET', `/certificates/${cert}`)).status,
    ).toBe(404)
    expect((await uni.nobody('GET', `/certificates/${cert}`)).status).toBe(401)
    ok(await step('cancel', cert, mona))
  })

  test('whoever holds no debt; one that came later stops what is issued', async () => {
    const type = await typeWith({}, [])
    const cert = await reviewed(type)
    expect(await stateOf(cert)).toBe('approved')
    await q(
      `create or replace function certificates_held(of_student integer) returns boolean language sql stable as 'select true'`,
    )
    try {
      expect(reasons(await step('issue', cert))).toEqual(['certificates_held'])
      expect(reasons(await ask(await typeWith()))).toEqual(['certificates_held'])
    } finally {
      await q(
        `create or replace function certificates_held(of_student integer) returns boolean language sql stable as 'select kept_by_debt(of_student, ''certificates'')'`,
      )
    }
    ok(await step('issue', cert))
  })
})

describe('paying', () => {
  const system = () => asSystem(uni.services, 'test')
  const tell = () =>
    requestFeesJob.run(
      system(),
      {},
      Object.assign(async () => {}, { signal: new AbortController().signal }),
    )
  const price = [
    { audience: 'student', speed: 'normal', value_local: 5000, value_usd: 500, copy_local: 1000, copy_usd: 100 },
  ]

  test('is charged by languages and copies, waits for the payment, and gives it back when it is rejected', async () => {
    const type = await typeWith({ payment_settings: price })
    const { id: cert, status } = ok(await ask(type, { lang: 'both', copies: 3 }))
    expect(status).toBe('fee_due')
    const { fee } = await details(cert, mona)
    expect(fee).toMatchObject({ amount: 14_000, currency: 'EGP', paid: false })
    expect(reasons(await step('prepare', cert))).toEqual(['step_state'])
    const transaction = await m.transaction(id.Mona!, 14_000, { invoice: fee.invoice_id })
    const ctx = system()
    await ctx.write((tx) => bookTransactions(ctx, tx, [transaction]))
    expect(ok(await mona('POST', `/certificates/students/payment/check/${transaction}`))).toMatchObject({
      id: cert,
      paid: true,
    })
    expect(reasons(await omar('POST', `/certificates/students/payment/check/${transaction}`))).toEqual([
      'certificate_no_payment',
    ])
    await tell()
    expect(await stateOf(cert)).toBe('New')
    await ctx.write((tx) => cancelTransactions(ctx, tx, [transaction], 'Bounced'))
    await tell()
    expect(await stateOf(cert)).toBe('fee_due')
    const again = await m.transaction(id.Mona!, 14_000, { invoice: fee.invoice_id })
    await ctx.write((tx) => bookTransactions(ctx, tx, [again]))
    await tell()
    const before = await m.wallet(id.Mona!)
    ok(await step('prepare', cert))
    expect((await step('reject', cert, clerk)).status).toBe(422)
    ok(await step('reject', cert, clerk, { reason: 'The record is wrong' }))
    expect((await m.wallet(id.Mona!)) - before).toBe(14_000)
    expect((await details(cert)).fee).toBeNull()
  })

  test('a payment that is cancelled on the way stops issuing and handing over', async () => {
    const { id: cert } = ok(await ask(await typeWith({ payment_settings: price }, [])))
    const { fee } = await details(cert)
    const ctx = system()
    const pay = async () => {
      const transaction = await m.transaction(id.Mona!, fee.amount, { invoice: fee.invoice_id })
      await ctx.write((tx) => bookTransactions(ctx, tx, [transaction]))
      await tell()
      return transaction
    }
    const bounced = async (transaction: number) => {
      await ctx.write((tx) => cancelTransactions(ctx, tx, [transaction], 'Bounced'))
      await tell()
    }
    let paid = await pay()
    for (const [action, by] of [
      ['prepare', clerk],
      ['send_to_review', clerk],
      ['review', reviewer],
    ] as const)
      ok(await step(action, cert, by))
    await bounced(paid)
    expect(reasons(await step('issue', cert))).toEqual(['certificate_unpaid'])
    paid = await pay()
    ok(await step('issue', cert))
    await bounced(paid)
    expect(reasons(await step('deliver', cert))).toEqual(['certificate_unpaid'])
  })

  test('what is paid and then given back before it is handed over is not handed over', async () => {
    const { id: cert } = ok(await ask(await typeWith({ payment_settings: price }, [])))
    const { fee } = await details(cert)
    const ctx = system()
    const transaction = await m.transaction(id.Mona!, fee.amount, { invoice: fee.invoice_id })
    await ctx.write((tx) => bookTransactions(ctx, tx, [transaction]))
    await tell()
    ok(await step('prepare', cert))
    ok(await step('send_to_review', cert))
    ok(await step('review', cert, reviewer))
    ok(await step('issue', cert))
    const finance = await uni.as('finance_officer')
    ok(await finance('POST', `/payments/refund/${transaction}`, { reason: 'Paid by mistake', key: randomUUID() }))
    expect(reasons(await step('deliver', cert))).toEqual(['certificate_unpaid'])
    const [paper] = (await details(cert)).papers
    expect(reasons(await clerk('POST', `/certificates/${cert}/paper/${paper.id}/print`, {}))).toEqual([
      'certificate_unpaid',
    ])
  })

  test('a foreign group pays in dollars, and without a price nothing is due', async () => {
    await q('update students set nationality_id = 1 where id = $1', [id.Omar])
    const type = await typeWith({ payment_settings: price })
    const { id: cert } = ok(await ask(type, { copies: 2 }, omar, 'Omar'))
    expect((await details(cert)).fee).toMatchObject({ amount: 600, currency: 'USD' })
    expect(ok(await ask(await typeWith(), {}, omar, 'Omar')).status).toBe('New')
  })
})

describe('signing', () => {
  test('each position in its order, nobody twice, nobody else; with the last one it is approved', async () => {
    const cert = await reviewed(await typeWith())
    expect(await stateOf(cert)).toBe('Reviewed')
    expect(reasons(await step('sign', cert, dean))).toEqual(['certificate_not_your_turn'])
    expect(reasons(await step('sign', cert, reviewer))).toEqual(['certificate_not_signer'])
    expect((await step('sign', cert, clerk)).status).toBe(403)
    expect((await step('sign', cert, mona)).status).toBe(403)
    // The chain cannot be passed by another door.
    expect(reasons(await step('approve', cert, dean))).toEqual([
      'certificate_unsigned',
      'certificate_unsigned',
      'certificate_unsigned',
    ])
    expect(reasons(await step('dean_signed', cert, dean))).toEqual(['certificate_dean_unsigned'])
    const toApproved = await dean('POST', `/certificates/updateStatus/${cert}`, { status: 'approved' })
    expect(toApproved.status).toBe(409)
    const twice = await Promise.all([step('sign', cert, employee), step('sign', cert, employee)])
    expect(twice.map((answer) => answer.status).toSorted()).toEqual([200, 409])
    expect(reasons(await step('sign', cert, employee))).toEqual(['certificate_signed_already'])
    expect(ok(await step('sign', cert, dean)).status).toBe('dean-signed')
    expect(await details(cert, president)).toMatchObject({ can_sign: true })
    expect(ok(await step('sign', cert, president)).status).toBe('approved')
    const { chain } = await details(cert)
    expect(chain.map((row: { code: string; signed_at: string | null }) => [row.code, row.signed_at !== null])).toEqual([
      ['COMPETENT-EMPLOYEE', true],
      ['DEAN', true],
      ['PRESIDENT', true],
    ])
    expect(reasons(await step('sign', cert, president))).toEqual(['step_state'])
    await expect(q('delete from certificate_signatures where certificate_id = $1', [cert])).rejects.toThrow(/stays/)
    await expect(q('update certificate_signatures set user_id = 1 where certificate_id = $1', [cert])).rejects.toThrow(
      /stays/,
    )
  })

  test('waits for that signer alone whose turn it is', async () => {
    const cert = await reviewed(await typeWith())
    const waits = async (by: Caller) =>
      (await by('POST', '/certificates', { filters: { waiting: true } })).body.data.some(
        (row: { id: number }) => row.id === cert,
      )
    expect([await waits(employee), await waits(dean), await waits(president)]).toEqual([true, false, false])
    ok(await step('sign', cert, employee))
    expect([await waits(employee), await waits(dean), await waits(president)]).toEqual([false, true, false])
  })

  test('one person holds two positions, and signs in one of them', async () => {
    await q(
      `insert into signatory_holders (position_id, user_id, valid_from) select id, $1, university_today() from signatory_positions where code = 'REGISTRATION-UNIT'`,
      [employee.user_id],
    )
    const cert = await reviewed(await typeWith({}, ['COMPETENT-EMPLOYEE', 'REGISTRATION-UNIT']))
    ok(await step('sign', cert, employee))
    expect(reasons(await step('sign', cert, employee))).toEqual(['certificate_signed_by_once@certificate_id'])
    await q(
      `delete from signatory_holders where position_id = (select id from signatory_positions where code = 'REGISTRATION-UNIT')`,
    )
  })

  test('nobody signs the own certificate, whatever position the person holds', async () => {
    await q(`insert into user_permissions (user_id, permission) values ($1, 'sign_certificate')`, [mona.user_id])
    await q(
      `insert into signatory_holders (position_id, user_id, valid_from) select id, $1, university_today() from signatory_positions where code = 'ADMINISTRATION-MANAGER'`,
      [mona.user_id],
    )
    const cert = await reviewed(await typeWith({}, ['COMPETENT-EMPLOYEE', 'ADMINISTRATION-MANAGER']))
    ok(await step('sign', cert, employee))
    const own = await step('sign', cert, mona)
    expect([own.status, reasons(own)]).toEqual([403, ['step_own']])
    await q('delete from user_permissions where user_id = $1', [mona.user_id])
  })

  test('many at once, each with its own result', async () => {
    const type = await typeWith({}, ['COMPETENT-EMPLOYEE'])
    const first = await reviewed(type)
    const other = await reviewed(await typeWith({}, ['DEAN']))
    const answer = (await employee('POST', '/certificates/sign', { ids: [first, other, 999_999] })).body
    expect([
      answer.done,
      answer.failed.map((row: { id: number; errors: { code: string }[] }) => [row.id, row.errors[0]!.code]),
    ]).toEqual([
      [first],
      [
        [other, 'certificate_not_signer'],
        [999_999, 'not_found'],
      ],
    ])
    expect(await stateOf(first)).toBe('approved')
  })

  test('what changed since it was prepared is not signed and not issued, but corrected: signatures are void', async () => {
    const cert = await reviewed(await typeWith({}, ['COMPETENT-EMPLOYEE', 'PRESIDENT']))
    ok(await step('sign', cert, employee))
    await q(`update students set name_local = 'منى' where id = $1`, [id.Mona])
    expect((await details(cert)).changed).toBe(true)
    expect(reasons(await step('sign', cert, president))).toEqual(['certificate_changed'])
    expect((await step('correct', cert, president)).status).toBe(422)
    ok(await step('correct', cert, president, { reason: 'The name' }))
    expect([await stateOf(cert), (await details(cert)).chain.every((row: any) => row.signed_at === null)]).toEqual([
      'updated',
      true,
    ])
    for (const [action, by] of [
      ['prepare', clerk],
      ['send_to_review', clerk],
      ['review', reviewer],
      ['sign', employee],
      ['sign', president],
    ] as const)
      ok(await step(action, cert, by))
    expect(await stateOf(cert)).toBe('approved')
  })

  test('a wording that is changed later concerns the next ones; so does the chain', async () => {
    const type = await typeWith({}, ['COMPETENT-EMPLOYEE'])
    const cert = await reviewed(type)
    ok(await clerk('POST', `/services-settings/certificates/${type}`, { body_local: 'نص آخر عن {name}', signers: [] }))
    expect((await details(cert)).changed).toBe(false)
    ok(await step('sign', cert, employee))
    expect(await stateOf(cert)).toBe('approved')
  })

  test('a wording that is changed while many are prepared: each stands on one, and its paper says that', async () => {
    const words = ['First words on {name}', 'Second words on {name}', 'Third words on {name}']
    const type = await typeWith({ body: words[0], for_graduates: true }, [])
    const asked = [
      ok(await ask(type)).id,
      ok(await ask(type, {}, omar, 'Omar')).id,
      ok(await ask(type, {}, grad, 'Grad')).id,
    ]
    const write = (body: string) => clerk('POST', `/services-settings/certificates/${type}`, { body })
    const [many, ...written] = await Promise.all([
      clerk('POST', '/certificates/bulk/prepare', { ids: asked }),
      write(words[1]!),
      write(words[2]!),
    ])
    expect(
      [many!.status, ...written.map((answer) => answer.status)].filter((status) => ![200, 409].includes(status)),
    ).toEqual([])
    for (const cert of asked) {
      if ((await stateOf(cert)) === 'New') ok(await step('prepare', cert))
      const [{ body }] = await q(
        'select w.body from certificates c join certificate_setting_texts w on w.id = c.text_id where c.id = $1',
        [cert],
      )
      expect(words).toContain(body)
      expect((await details(cert)).changed).toBe(false)
      const draft = await clerk('GET', `/certificates/${cert}/draft/en`)
      expect(execFileSync('pdftotext', ['-', '-'], { input: draft.bytes, encoding: 'utf8' })).toContain(
        body.replace(' {name}', ''),
      )
    }
  })

  test('a position that nobody holds stops it before anybody signs; who left office signs no more', async () => {
    const type = await typeWith({}, ['VICE-PRESIDENT'])
    const { id: cert } = ok(await ask(type))
    ok(await step('prepare', cert))
    expect(reasons(await step('send_to_review', cert))).toEqual(['certificate_no_signer'])
    const leaving = await reviewed(await typeWith({}, ['PRESIDENT']))
    await q(`update signatory_holders set valid_to = university_today() - 1 where user_id = $1`, [president.user_id])
    try {
      expect(reasons(await step('sign', leaving, president))).toEqual(['certificate_not_signer'])
    } finally {
      await q(`update signatory_holders set valid_to = null where user_id = $1`, [president.user_id])
    }
  })

  test('nobody reviews what he or she prepared', async () => {
    const { id: cert } = ok(await ask(await typeWith()))
    ok(await step('prepare', cert, clerk))
    ok(await step('send_to_review', cert, clerk))
    expect(reasons(await step('review', cert, clerk))).toEqual(['certificate_own_preparation'])
    ok(await step('review', cert, reviewer))
  })
})

describe('at the desk of records', () => {
  test('what a type has signed is issued on its way alone, unless a type says that the desk issues it at once', async () => {
    const at = `/students/${id.Omar}`
    const once = () => clerk('POST', `${at}/papers`, { kind: 'enrollment_certificate', lang: 'en' })
    const offered = async () =>
      (await clerk('GET', `${at}/papers`)).body.meta.issue.find((one: any) => one.kind === 'enrollment_certificate')
    // Without a type there is no way that could be passed by.
    ok(await once())
    expect(await offered()).toMatchObject({ refused: null })
    const type = await typeWith({ document: 'enrollment_certificate', body: null, body_local: null })
    expect(reasons(await once())).toEqual(['paper_is_signed'])
    expect(reasons(await clerk('POST', `${at}/certificate/en`))).toEqual(['paper_is_signed'])
    expect(await offered()).toMatchObject({ refused: { code: 'paper_is_signed' } })
    // Other records have no such type.
    expect(reasons(await clerk('POST', `${at}/papers`, { kind: 'transcript', lang: 'en' }))).toEqual([
      'nothing_to_print',
    ])
    const set = async (given: object) => {
      const { version } = (await clerk('GET', `/certificate-settings/${type}`)).body.data
      ok(await clerk('POST', `/services-settings/certificates/${type}`, { ...given, version }))
    }
    await set({ desk_at_once: true })
    ok(await once())
    await set({ desk_at_once: false, is_active: false })
    ok(await once())
  })
})

describe('issuing', () => {
  test('one paper for each language, signed by the university, that the holder opens when it is released', async () => {
    const cert = await reviewed(await typeWith({ valid_days: 30 }, ['COMPETENT-EMPLOYEE', 'DEAN']), { lang: 'both' })
    ok(await step('sign', cert, employee))
    ok(await step('sign', cert, dean))
    ok(await step('issue', cert))
    const { papers } = await details(cert)
    expect(papers.map((row: { lang: string; state: string }) => [row.lang, row.state])).toEqual([
      ['en', 'valid'],
      ['ar', 'valid'],
    ])
    expect(papers[0].serial).toMatch(/^CT-\d{4}-\d{6}$/)
    const open = (by: Caller, paper = papers[0].id) => by('GET', `/certificates/${cert}/paper/${paper}`)
    expect(reasons(await open(mona))).toEqual(['certificate_no_paper'])
    expect(reasons(await step('deliver_by_hand', cert))).toEqual(['certificate_delivery_other'])
    ok(await step('deliver', cert))
    const file = await open(mona)
    expect(file.bytes.subarray(0, 5).toString()).toBe('%PDF-')
    expect(reasons(await open(omar))).toEqual(['certificate_no_paper'])
    expect(reasons(await open(clerk, 999_999))).toEqual(['certificate_no_paper'])
    const verdict = ok(await uni.nobody('GET', `/papers/${papers[0].address.split('/').at(-1)}`))
    expect(verdict).toMatchObject({
      state: 'valid',
      paper: {
        title: { name: 'Good conduct' },
        valid_until: expect.any(String),
        signature: { at: expect.any(String) },
      },
    })
    const text = execFileSync('pdftotext', ['-', '-'], { input: file.bytes, encoding: 'utf8' })
    expect(text).toContain('behaves well')
    expect(text).toContain('Dean')
  })

  test('a correction after it was issued replaces the paper', async () => {
    const cert = await reviewed(await typeWith({}, []))
    ok(await step('issue', cert))
    const [before] = (await details(cert)).papers
    ok(await step('correct', cert, clerk, { reason: 'A letter is missing' }))
    for (const [action, by] of [
      ['prepare', clerk],
      ['send_to_review', clerk],
      ['review', reviewer],
      ['issue', clerk],
    ] as const)
      ok(await step(action, cert, by))
    const verify = async (address: string) => ok(await uni.nobody('GET', `/papers/${address.split('/').at(-1)}`)).state
    const [after] = (await details(cert)).papers
    expect([await verify(before.address), await verify(after.address)]).toEqual(['replaced', 'valid'])
  })

  test('what was issued is revoked when the certificate is corrected and rejected in the end', async () => {
    const cert = await reviewed(await typeWith({}, []))
    ok(await step('issue', cert))
    const [paper] = (await details(cert)).papers
    ok(await step('correct', cert, clerk, { reason: 'Another person' }))
    ok(await step('reject', cert, clerk, { reason: 'Not this student' }))
    expect(ok(await uni.nobody('GET', `/papers/${paper.address.split('/').at(-1)}`)).state).toBe('revoked')
  })

  test('whoever issues a paper does not open its file as the own, past the printing that is counted', async () => {
    const cert = await reviewed(await typeWith({}, []), { delivery: 'by_hand' })
    ok(await step('issue', cert))
    const [{ file_id, created_by }] = await q(
      `select p.file_id, f.created_by from papers p join certificate_papers k on k.paper_id = p.id join files f on f.id = p.file_id
       where k.certificate_id = $1`,
      [cert],
    )
    expect(created_by).toBe(null)
    expect((await clerk('GET', `/files/${file_id}`)).status).toBe(404)
  })

  test('two clerks issue it once, with one paper', async () => {
    const cert = await reviewed(await typeWith({}, []))
    const both = await Promise.all([step('issue', cert), step('issue', cert)])
    expect(both.map((answer) => answer.status).toSorted()).toEqual([200, 409])
    expect((await details(cert)).papers).toHaveLength(1)
  })

  test('an official record is issued by the same way', async () => {
    const cert = await reviewed(
      await typeWith({ document: 'enrollment_certificate', body: null, body_local: null }, []),
    )
    ok(await step('issue', cert))
    expect((await details(cert)).papers[0].serial).toMatch(/^EC-/)
  })
})

describe('printing', () => {
  const text = (file: { bytes: Buffer }) =>
    execFileSync('pdftotext', ['-', '-'], { input: file.bytes, encoding: 'utf8' })
  const issued = async (given: Record<string, unknown> = {}, type: Record<string, unknown> = {}) => {
    const cert = await reviewed(await typeWith(type, []), { delivery: 'by_hand', ...given })
    ok(await step('issue', cert))
    return { cert, paper: (await details(cert)).papers[0] }
  }
  const print = (cert: number, paper: number, body: object = {}, by: Caller = clerk) =>
    by('POST', `/certificates/${cert}/paper/${paper}/print`, body)

  test('as many originals as were paid for, then copies with their number and a reason', async () => {
    const { cert, paper } = await issued({ copies: 2, lang: 'en' })
    const originals = [await print(cert, paper.id), await print(cert, paper.id, { reason: 'Not needed' })]
    const sums = originals.map((file) => createHash('sha256').update(file.bytes).digest('hex'))
    const verdict = ok(await uni.nobody('GET', `/papers/${paper.address.split('/').at(-1)}`))
    expect(sums).toEqual([verdict.paper.sha256, verdict.paper.sha256])
    const refused = await print(cert, paper.id)
    expect([refused.status, reasons(refused)]).toEqual([422, ['certificate_print_reason@reason']])
    const copy = await print(cert, paper.id, { reason: 'Lost on the way' })
    expect(text(copy)).toContain(`Copy 3 of ${paper.serial}`)
    expect(text(originals[0]!)).not.toContain('Copy')
    // It does not carry the signature of the original.
    expect(copy.bytes.includes('ETSI.CAdES.detached')).toBe(false)
    expect(originals[0]!.bytes.includes('ETSI.CAdES.detached')).toBe(true)
    const shown = (await details(cert)).papers[0].prints
    expect(shown.map((one: any) => [one.number, one.original, one.reason, one.printed_by.id])).toEqual([
      [1, true, null, clerk.user_id],
      [2, true, null, clerk.user_id],
      [3, false, 'Lost on the way', clerk.user_id],
    ])
    expect(ok(await clerk('GET', `/certificates/${cert}`)).print_count).toBe(3)
    expect((await details(cert, mona)).papers[0].prints).toEqual([])
    await expect(q('delete from certificate_prints where certificate_id = $1', [cert])).rejects.toThrow(/stays/)
    await expect(q('update certificate_prints set number = 1 where certificate_id = $1', [cert])).rejects.toThrow(
      /stays/,
    )
  })

  test('an Arabic copy says so in Arabic; the office sees a paper that is not to be handed over', async () => {
    const { cert, paper } = await issued({ lang: 'ar' })
    await print(cert, paper.id)
    expect(text(await print(cert, paper.id, { reason: 'Torn' }))).toMatch(/نسخة.*2/s)
    const seen = text(await clerk('GET', `/certificates/${cert}/paper/${paper.id}`))
    expect(seen).toContain('للاطلاع')
    expect((await details(cert)).papers[0].prints).toHaveLength(2)
  })

  test('two clerks print the one original once', async () => {
    const { cert, paper } = await issued()
    const other = await uni.as('registrar')
    // Both wait for somebody who holds the certificate, so that neither is counted before the other asks.
    const holding = await uni.database.pool.connect()
    await holding.query('begin')
    await holding.query('select from certificates where id = $1 for update', [cert])
    const asking = [print(cert, paper.id), print(cert, paper.id, {}, other)]
    await setTimeout(400)
    await holding.query('commit')
    holding.release()
    const both = await Promise.all(asking)
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422])
    expect(reasons(both.find(({ status }) => status === 422)!)).toEqual(['certificate_print_reason@reason'])
    // Also behind the back of the program.
    await q(
      `insert into certificate_prints (certificate_id, paper_id, number, original, reason) values ($1, $2, 1, true, 'x')`,
      [cert, paper.id],
    )
    expect((await details(cert)).papers[0].prints.map((one: any) => [one.number, one.original])).toEqual([
      [1, true],
      [2, false],
    ])
  })

  test('nothing is printed of what is not valid, not issued, not paid or not theirs', async () => {
    const { cert, paper } = await issued()
    expect((await print(cert, paper.id, {}, mona)).status).toBe(403)
    const elsewhere = await uni.as('faculty_registrar', ['faculty', id.MED])
    expect(reasons(await print(cert, paper.id, {}, elsewhere))).toEqual(['certificate_no_paper'])
    const { cert: other } = await issued()
    expect(reasons(await print(other, paper.id))).toEqual(['certificate_no_paper'])
    await q(`update papers set revoked_at = now(), revoked_reason = 'x' where id = $1`, [paper.id])
    expect(reasons(await print(cert, paper.id))).toEqual(['certificate_print_void'])
    const { cert: third, paper: its } = await issued()
    ok(await step('correct', third, clerk, { reason: 'A letter' }))
    expect(reasons(await print(third, its.id))).toEqual(['step_state'])
    expect((await details(third)).papers[0].prints).toEqual([])
  })

  test('in the own papers a certificate is opened once it is handed over as a file, and not before', async () => {
    const own = (paper: number, by: Caller = mona) => by('GET', `/students/${id.Mona}/papers/${paper}/file`)
    const listed = async (paper: number) =>
      (await mona('GET', `/students/${id.Mona}/papers`)).body.data.find((row: any) => row.id === paper)
    const { cert, paper } = await issued({ delivery: 'electronic' })
    expect(reasons(await own(paper.id))).toEqual(['paper_not_released'])
    expect(await listed(paper.id)).toMatchObject({ withheld: { code: 'paper_not_released' } })
    expect((await listed(paper.id)).abilities).not.toContain('open')
    // Nor do staff get an original there that nobody counts.
    expect(reasons(await own(paper.id, clerk))).toEqual(['paper_not_released'])
    ok(await step('deliver', cert))
    expect((await own(paper.id)).bytes.subarray(0, 5).toString()).toBe('%PDF-')
    expect(await listed(paper.id)).toMatchObject({ withheld: null, abilities: expect.arrayContaining(['open']) })
    // Nor is it given out as data before.
    const record = { document: 'enrollment_certificate', body: null, body_local: null, desk_at_once: true }
    const { cert: asData, paper: enrolled } = await issued({ delivery: 'electronic' }, record)
    const credential = () => mona('POST', `/students/${id.Mona}/papers/${enrolled.id}/credential`)
    expect(reasons(await credential())).toEqual(['paper_not_released'])
    ok(await step('deliver', asData))
    expect((await credential()).status).toBe(200)
    const { cert: printed, paper: onPaper } = await issued()
    ok(await step('deliver_by_hand', printed))
    expect(reasons(await own(onPaper.id))).toEqual(['paper_by_hand'])
    // What the office issues beside certificates is opened from its issue on, as ever.
    const { id: beside } = ok(
      await clerk('POST', `/students/${id.Mona}/papers`, { kind: 'enrollment_certificate', lang: 'ar' }),
    )
    expect((await own(beside)).status).toBe(200)
  })
})

test('delivery and purpose are changed until something is prepared, by staff until it is ready', async () => {
  const { id: cert } = ok(await ask(await typeWith({}, [])))
  const change = (by: Caller, body: object) => by('PUT', `/certificates/${cert}`, { why: 'For an embassy', ...body })
  expect(reasons(await change(mona, { delivery: 'by_mail' }))).toEqual(['certificate_address@address'])
  ok(await change(mona, { delivery: 'by_mail', address: '1 Nile Street' }))
  expect((await change(omar, { delivery: 'by_hand' })).status).toBe(404)
  expect(reasons(await change(mona, { delivery: 'by_hand', version: 1 }))).toEqual(['changed_meanwhile'])
  ok(await step('prepare', cert))
  expect(reasons(await change(mona, { delivery: 'by_hand' }))).toEqual(['step_state'])
  ok(await change(clerk, { delivery: 'by_hand' }))
  const moved = await clerk('POST', `/certificates/updateStatus/${cert}`, { status: 'in review' })
  expect(ok(moved)).toMatchObject({ status: 'in review' })
  const draft = (by: Caller) => by('GET', `/certificates/${cert}/draft/ar`)
  expect((await draft(clerk)).headers['content-type']).toBe('application/pdf')
  expect((await draft(mona)).status).toBe(403)
})

describe('types', () => {
  test('what cannot be true at once is refused', async () => {
    const add = (given: object) =>
      clerk('POST', '/services-settings/certificates', { code: `X${++n}`, ...TYPE, ...given })
    expect(
      reasons(await add({ body: null, for_students: false, by_hand: false, by_mail: false, electronic: false })),
    ).toEqual(['certificate_type_audience@for_students', 'certificate_type_delivery@by_hand', 'required@body'])
    expect(reasons(await add({ body: '{nmae} studies' }))).toEqual(['certificate_place@body'])
    const price = { audience: 'student', speed: 'normal', value_local: 1, value_usd: 1, copy_local: 1, copy_usd: 1 }
    expect(reasons(await add({ payment_settings: [price, price] }))[0]).toContain('certificate_price_twice')
    const position_id = await positionOf('DEAN')
    expect(reasons(await add({ signers: [{ position_id }, { position_id }] }))[0]).toContain('certificate_signer_twice')
    const elsewhere = await uni.as('faculty_registrar', ['faculty', id.ENG])
    expect((await elsewhere('POST', '/services-settings/certificates', { code: 'Y', ...TYPE })).status).toBe(403)
  })

  test('every wording is kept, with who wrote it when, and a paper keeps the one that it was made with', async () => {
    const type = await typeWith({}, [])
    const cert = await reviewed(type)
    const other = await uni.as('registrar')
    ok(await other('POST', `/services-settings/certificates/${type}`, { body: '{name} behaved very well.' }))
    // What changes no word is no version.
    ok(await clerk('POST', `/services-settings/certificates/${type}`, { days_normal: 4 }))
    const versions = ok(await clerk('GET', `/certificate-settings/${type}/versions`))
    expect(versions.map((one: any) => [one.number, one.body, one.created_by.id, one.used])).toEqual([
      [2, '{name} behaved very well.', other.user_id, 0],
      [1, TYPE.body, clerk.user_id, 1],
    ])
    expect((await details(cert)).wording).toBe(1)
    ok(await step('issue', cert))
    const file = await clerk('GET', `/certificates/${cert}/paper/${(await details(cert)).papers[0].id}`)
    expect(execFileSync('pdftotext', ['-', '-'], { input: file.bytes, encoding: 'utf8' })).not.toContain('very')
    // A correction is prepared with the newest one; what it replaces keeps its own.
    ok(await step('correct', cert, clerk, { reason: 'A letter' }))
    for (const [action, by] of [
      ['prepare', clerk],
      ['send_to_review', clerk],
      ['review', reviewer],
      ['issue', clerk],
    ] as const)
      ok(await step(action, cert, by))
    expect((await details(cert)).papers.map((one: any) => [one.state, one.wording])).toEqual([
      ['valid', 2],
      ['replaced', 1],
    ])
    expect((await mona('GET', `/certificate-settings/${type}/versions`)).status).toBe(403)
    expect(ok(await clerk('GET', '/certificate-settings/999999/versions'))).toEqual([])
    await expect(q(`update certificate_setting_texts set body = 'x' where type_id = $1`, [type])).rejects.toThrow(
      /stays/,
    )
  })

  test('a text is looked at with the record of a student', async () => {
    const preview = (by: Caller) =>
      by('POST', '/certificate-settings/preview', {
        student_id: id.Mona,
        lang: 'en',
        title: 'A',
        text: '{name} of {faculty}',
      })
    const seen = await preview(clerk)
    if (seen.status !== 200) throw new Error(JSON.stringify(seen.body))
    const text = execFileSync('pdftotext', ['-', '-'], { input: seen.bytes, encoding: 'utf8' })
    expect(text).toContain('Mona of ENG')
    expect((await preview(mona)).status).toBe(403)
    const nobody = await clerk('POST', '/certificate-settings/preview', {
      student_id: 999_999,
      lang: 'en',
      title: 'A',
      text: 'B',
    })
    expect(reasons(nobody)).toEqual(['reference_missing@student_id'])
  })

  test('dates of a type do not overlap, and positions are held by one person at a time', async () => {
    const type_id = await typeWith()
    const put = (from_date: string, until_date: string) =>
      clerk('POST', '/certificates_dates/put', { type_id, from_date, until_date })
    expect(reasons(await put('2099-02-02', '2099-02-01'))).toEqual(['certificate_date_order@until_date'])
    const { id: dates } = ok(await put('2099-02-01', '2099-02-10'))
    expect(reasons(await put('2099-02-10', '2099-02-12'))[0]).toContain('certificate_date_twice')
    ok(await clerk('POST', `/certificates_dates/put/${dates}`, { until_date: '2099-02-09' }))
    ok(await put('2099-02-10', '2099-02-12'))
    expect((await clerk('POST', '/certificates_dates/list', { filters: { type_id } })).body.meta.count).toBe(2)
    ok(await clerk('DELETE', `/certificates_dates/${dates}`))
    const position = await positionOf('MANAGER-DIRECTOR')
    const hold = (holders: object[]) => clerk('PUT', `/signing-positions/${position}`, { holders })
    const [a, b] = [
      { user_id: dean.user_id, valid_from: '2099-01-01' },
      { user_id: president.user_id, valid_from: '2099-06-01' },
    ]
    expect(reasons(await hold([a, b]))[0]).toContain('signing_holder_twice')
    ok(await hold([{ ...a, valid_to: '2099-05-31' }, b]))
    expect(reasons(await hold([{ ...a, valid_to: '2098-05-31' }]))[0]).toContain('signing_holder_days')
    expect(ok(await clerk('GET', '/services-settings/certificates/services/lookups')).positions.length).toBe(8)
    const sheet = await clerk('POST', '/services-settings/export', {})
    expect(sheet.headers['content-disposition']).toContain('Certificate-Settings')
  })
})

describe('pictures of signatures', () => {
  const PNG = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const keep = async (by: Caller, content: Uint8Array, name = 'signature.png') => {
    const form = new FormData()
    form.set('picture', new Blob([content as never]), name)
    const request = new Request('http://localhost', { method: 'POST', body: form })
    const answer = await uni.app.inject({
      method: 'POST',
      url: '/api/certificates/signature',
      headers: {
        'content-type': request.headers.get('content-type')!,
        ...(by.token && { authorization: `Bearer ${by.token}` }),
      },
      payload: Buffer.from(await request.arrayBuffer()),
    })
    return { status: answer.statusCode, body: answer.json() }
  }
  /** Pictures on the paper of a certificate that these people sign. */
  const picturesOn = async (type: number, signers: readonly Caller[]) => {
    const cert = await reviewed(type)
    for (const by of signers) ok(await by('POST', `/certificates/sign/${cert}`))
    ok(await step('issue', cert))
    ok(await step('deliver', cert))
    const [paper] = (await details(cert)).papers
    const { bytes } = await clerk('GET', `/certificates/${cert}/paper/${paper.id}`)
    return execFileSync('pdfimages', ['-list', '-'], { input: bytes, encoding: 'utf8' })
      .split('\n')
      .filter((line) => /^ *\d+ +\d+ +image /.test(line)).length
  }

  test('a type that wants them prints that of whoever signed, as it was then', async () => {
    expect(ok(await dean('GET', '/certificates/signature'))).toEqual({ picture: null })
    expect(await keep(dean, PNG)).toMatchObject({ status: 200, body: { data: { picture: expect.any(String) } } })
    expect(ok(await employee('GET', '/certificates/signature')).picture).toBe(null)
    const plain = await typeWith({}, ['COMPETENT-EMPLOYEE', 'DEAN'])
    const pictured = await typeWith({ signature_pictures: true }, ['COMPETENT-EMPLOYEE', 'DEAN'])
    const record = await typeWith(
      { signature_pictures: true, document: 'enrollment_certificate', body: null, body_local: null },
      ['DEAN'],
    )
    expect(await picturesOn(plain, [employee, dean])).toBe(0)
    expect(await picturesOn(pictured, [employee, dean])).toBe(1)
    expect(await picturesOn(record, [dean])).toBe(1)
    const cert = await reviewed(pictured)
    ok(await employee('POST', `/certificates/sign/${cert}`))
    ok(await dean('POST', `/certificates/sign/${cert}`))
    ok(await step('issue', cert))
    ok(await step('deliver', cert))
    expect(ok(await dean('DELETE', '/certificates/signature'))).toEqual({ picture: null })
    // Signed with a picture: it stays, whatever is removed later.
    const [{ n: left }] = await q(
      `select count(picture_id)::int as n from certificate_signatures where certificate_id = $1`,
      [cert],
    )
    expect(left).toBe(1)
    expect(await picturesOn(pictured, [employee, dean])).toBe(0)
  })

  test('nobody sets or uses that of another', async () => {
    expect((await keep(dean, PNG)).status).toBe(200)
    const standIn = await uni.as('registrar')
    const standing = await uni.actAs(dean.user_id, standIn)
    await q('update sessions set confirmed_at = now()')
    const refused = await keep(standing, PNG)
    expect([refused.status, refused.body.message]).toEqual([403, 'personal'])
    expect((await standing('DELETE', '/certificates/signature')).status).toBe(403)
    const type = await typeWith({ signature_pictures: true }, ['DEAN'])
    const cert = await reviewed(type)
    ok(await standing('POST', `/certificates/sign/${cert}`))
    expect(await q('select picture_id from certificate_signatures where certificate_id = $1', [cert])).toEqual([
      { picture_id: null },
    ])
    for (const [by, status] of [
      [mona, 403],
      [uni.nobody, 401],
    ] as const) {
      expect((await keep(by, PNG)).status).toBe(status)
      expect((await by('GET', '/certificates/signature')).status).toBe(status)
      expect((await by('DELETE', '/certificates/signature')).status).toBe(status)
    }
  })

  test('what cannot be printed is not kept', async () => {
    const chunk = (kind: string, data: Buffer) => {
      const named = Buffer.concat([Buffer.from(kind), data])
      const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
      length.writeUInt32BE(data.length)
      sum.writeUInt32BE(crc32(named))
      return Buffer.concat([length, named, sum])
    }
    /** A grey picture of this size, whole and valid. */
    const grey = (width: number, height: number) => {
      const head = Buffer.alloc(13)
      head.writeUInt32BE(width)
      head.writeUInt32BE(height, 4)
      head[8] = 8
      return Buffer.concat([
        PNG.subarray(0, 8),
        chunk('IHDR', head),
        chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height))),
        chunk('IEND', Buffer.alloc(0)),
      ])
    }
    expect((await keep(employee, grey(3000, 2))).status).toBe(200)
    ok(await employee('DELETE', '/certificates/signature'))
    const [wide, high] = [grey(3001, 2), grey(2, 2001)]
    // Its head is right, and nothing else.
    for (const content of [wide, high, PNG.subarray(0, 40)]) {
      const refused = await keep(employee, content)
      expect([refused.status, refused.body.errors[0].code]).toEqual([422, 'signature_picture'])
    }
    expect(ok(await employee('GET', '/certificates/signature'))).toEqual({ picture: null })
  })
})

describe('handing over at the desk', () => {
  const handOver = (by: Caller, code: string, body: object = {}) =>
    by('POST', '/certificates/hand_over', { code, ...body })
  const ready = async (delivery = 'by_hand') => {
    const cert = await reviewed(await typeWith({}, []), { delivery, address: 'Cairo' })
    ok(await step('issue', cert))
    const [{ code, serial }] = await q(
      'select p.code, p.serial from papers p join certificate_papers k on k.paper_id = p.id where k.certificate_id = $1',
      [cert],
    )
    return { cert, code: code as string, serial: serial as string }
  }

  test('the paper that is scanned says which certificate it is, once', async () => {
    const { cert, code, serial } = await ready()
    const address = `https://university.example/qr_code/${code}`
    expect(ok(await handOver(clerk, address, { collected_by: 'Her mother, passport A1' }))).toEqual({
      id: cert,
      holder: { name: 'Mona', name_local: expect.any(String) },
      title: { name: TYPE.name, name_local: TYPE.name_local },
      serial,
      copies: 1,
    })
    expect(await stateOf(cert)).toBe('Delivered By Manual')
    const steps = ok(await clerk('GET', `/certificates/steps/${cert}`))
    expect(steps.map((one: any) => one.reason)).toContain('Her mother, passport A1')
    expect(reasons(await handOver(clerk, address))).toEqual(['step_state'])
    const other = await ready()
    // As it is printed, in small letters.
    const typed = other.code.replace(/(.{5})(?=.)/g, '$1-').toLowerCase()
    const both = await Promise.all([handOver(clerk, typed), handOver(clerk, typed)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  test('what is not to be handed over stays', async () => {
    expect(reasons(await handOver(clerk, 'ABCDE'))).toEqual(['certificate_code_unknown@code'])
    const posted = await ready('by_mail')
    expect(reasons(await handOver(clerk, posted.code))).toEqual(['certificate_delivery_other'])
    const { cert, code } = await ready()
    await q(`update papers set revoked_at = now(), revoked_reason = 'x' where code = $1`, [code])
    expect(reasons(await handOver(clerk, code))).toEqual(['certificate_print_void'])
    expect(await stateOf(cert)).toBe('Ready To Deliver')
    const elsewhere = await uni.as('registrar', ['faculty', id.MED])
    expect((await handOver(elsewhere, code)).status).toBe(404)
    expect((await handOver(mona, code)).status).toBe(403)
    expect((await handOver(uni.nobody, code)).status).toBe(401)
  })
})
