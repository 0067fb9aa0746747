import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { feesServer } from '#areas/money/fees/fees.server.ts'
import { invoicesServer } from '#areas/money/invoices/invoices.server.ts'
import { requestFeesJob } from '#areas/money/invoices/requests/fee.server.ts'
import { moneyWorld } from '#areas/money/invoices/testing.server.ts'
import { bookTransactions } from '#areas/money/transactions/book.server.ts'
import { cancelTransactions } from '#areas/money/transactions/cancel.server.ts'
import { settingsServer } from '#areas/common/settings/settings.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { retention } from '#kit/server/jobs/retention.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { serviceClock } from './requests/clock.server.ts'
import { servicesServer } from './services.server.ts'

let uni: TestUniversity
let m: ReturnType<typeof moneyWorld>
/** Manages services; two of one office; another office; one person who is an office. */
let manager: Caller
let desk: Caller
let desk2: Caller
let unit: Caller
let dean: Caller
let mona: Caller
let omar: Caller
let grad: Caller
const id: Record<string, any> = {}
const q = async <T = any>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await uni.database.pool.query(text, values)).rows
const one = async (name: string, text: string, values: unknown[] = []) => (id[name] = (await q(text, values))[0].id)
const roleOf = async (key: string): Promise<number> => (await q('select id from roles where key = $1', [key]))[0].id

beforeAll(async () => {
  uni = await testUniversity([
    kitServer,
    settingsServer,
    catalogueServer,
    studentsServer,
    feesServer,
    invoicesServer,
    servicesServer,
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
  manager = await uni.as('affair_manager')
  desk = await uni.as('competent_employee', ['faculty', id.ENG])
  desk2 = await uni.as('competent_employee')
  unit = await uni.as('registration_unit')
  dean = await uni.as('dean', ['faculty', id.ENG])
  for (const key of ['competent_employee', 'registration_unit', 'dean', 'vice_president', 'affair_manager'])
    id[key] = await roleOf(key)
}, 180_000)
afterAll(() => uni?.close())

const TEXT = { name: 'Reason', name_local: 'السبب', type: 'text', required: true }
let n = 0
const office = (by: number | Caller, more: object = {}) => ({
  name: 'Office',
  name_local: 'مكتب',
  ...(typeof by === 'number' ? { role_id: by } : { user_id: by.user_id }),
  days: 2,
  note_shown: false,
  ...more,
})
const put = (given: object) =>
  registrar('PUT', '/service-kinds', {
    code: `K${++n}`,
    name: 'Locker',
    name_local: 'خزانة',
    for_students: true,
    for_graduates: false,
    for_staff: false,
    price_local: 0,
    price_usd: 0,
    is_active: true,
    own_fields: [],
    offices: [office(id.competent_employee)],
    ...given,
  })
let registrar: Caller
beforeAll(async () => {
  registrar = await uni.as('registrar')
})
const kindWith = async (given: object = {}): Promise<number> => ok(await put(given)).id
/** Two offices: the desk, whose note stays inside, then the registration unit, whose note is read. */
const chain = () => [
  office(id.competent_employee, { name: 'Desk' }),
  office(id.registration_unit, { name: 'Unit', days: 3, note_shown: true }),
]
const fieldsOf = async (kind: number): Promise<string[]> =>
  (await q('select id from service_kind_fields where kind_id = $1 order by position', [kind])).map(
    (row) => `f${row.id}`,
  )
const ask = (kind_id: number, given: object = {}, by: Caller = mona): Promise<Answer> =>
  by('PUT', '/services/request', { kind_id, answers: {}, key: `key-${++n}-of-test`, ...given })
const asked = async (kind: number, given: object = {}, by: Caller = mona): Promise<number> =>
  ok(await ask(kind, given, by)).id
const show = async (request: number, by: Caller = manager) => ok(await by('GET', `/services/request/${request}`))
const step = (action: string, request: number, by: Caller = desk, body: object = {}) =>
  by('POST', `/services/${action}/${request}`, body)
const to = (status: string, request: number, by: Caller = desk, body: object = {}) =>
  by('POST', `/services/updateStatus/${request}`, { status, ...body })
const stateOf = async (request: number) => (await show(request)).status
const uploaded = async (by: Caller, name = 'a.pdf', ext = 'pdf', size = 1000): Promise<number> =>
  (
    await q(
      `insert into files (hash, name, ext, mime, size, created_by) values (repeat('a', 64), $1, $2, 'application/x', $3, $4) returning id`,
      [name, ext, size, by.user_id],
    )
  )[0].id
const told = async (user: Caller, key: string): Promise<number> =>
  Number((await q('select count(*) from notifications where user_id = $1 and key = $2', [user.user_id, key]))[0].count)

beforeEach(async () => {
  await q(`update services set status = 'cancelled' where status not in ('done', 'Rejected', 'cancelled')`)
})

describe('kinds', () => {
  test('what cannot be true at once is refused, all of it', async () => {
    expect(
      reasons(
        await put({
          for_students: false,
          own_fields: [
            { ...TEXT, type: 'choice', options: 'One' },
            { ...TEXT, name: 'B', options: 'x' },
            { ...TEXT, name: 'C', type: 'choice', options: 'A\nA' },
          ],
          offices: [
            office(id.competent_employee, { user_id: desk.user_id }),
            office(id.competent_employee, { role_id: await roleOf('student') }),
          ],
        }),
      ),
    ).toEqual([
      'service_kind_audience@for_students',
      'service_office_right@offices.1.role_id',
      'service_option_twice@own_fields.2.options',
      'service_options_few@own_fields.0.options',
      'service_options_needless@own_fields.1.options',
      'service_step_office@offices.0.role_id',
    ])
    ok(await put({ is_active: false, own_fields: undefined, offices: undefined }))
    expect(reasons(await put({ offices: undefined }))).toEqual(['service_offices_missing@offices'])
    expect(reasons(await put({ offices: [] }))).toEqual(['service_offices_missing@offices'])
    expect(reasons(await put({ offices: [office(mona)] }))).toEqual(['service_office_right@offices.0.user_id'])
    expect(reasons(await put({ own_fields: [TEXT, TEXT] }))[0]).toContain('service_field_twice')
    await expect(
      q(
        `insert into service_kind_fields (kind_id, position, name, name_local, type) values ($1, 9, 'x', 'x', 'choice')`,
        [await kindWith()],
      ),
    ).rejects.toThrow('service_field_options')
  })

  test('only roles and people who may work on requests are offered as offices', async () => {
    const names = async (name: string) =>
      ok(await registrar('POST', '/lookups/get', { name })).map((row: { id: number }) => row.id)
    const offices = await names('serviceOffice')
    expect([offices.includes(id.competent_employee), offices.includes(await roleOf('student'))]).toEqual([true, false])
    const holders = await names('serviceHolder')
    expect([holders.includes(desk.user_id), holders.includes(mona.user_id)]).toEqual([true, false])
  })

  test('who may not, changes none', async () => {
    const kind = await kindWith()
    for (const by of [mona, desk, dean])
      expect((await by('PUT', `/service-kinds/${kind}`, { is_active: false })).status).toBe(403)
    expect((await uni.nobody('GET', '/services/index')).status).toBe(401)
  })
})

describe('asking', () => {
  test('a student is offered what is for students, with price and usual time', async () => {
    const kind = await kindWith({
      price_local: 5000,
      price_usd: 500,
      prepaid: true,
      offices: chain(),
      own_fields: [TEXT],
    })
    const graduates = await kindWith({ for_students: false, for_graduates: true })
    const off = await kindWith({ is_active: false })
    const found = ok(await mona('GET', '/services/index'))
    const ids = found.map((row: { id: number }) => row.id)
    expect([ids.includes(kind), ids.includes(graduates), ids.includes(off)]).toEqual([true, false, false])
    expect(found.find((row: { id: number }) => row.id === kind)).toMatchObject({
      price: 5000,
      currency: 'EGP',
      prepaid: true,
      days: 5,
      fields: [{ name: 'Reason', required: true }],
      refused: [],
    })
    expect(ok(await grad('GET', '/services/index')).map((row: { id: number }) => row.id)).toContain(graduates)
    expect(ok(await desk('GET', `/services/index?student_id=${id.Mona}`))).toEqual([])
    expect(reasons(await ask(graduates))).toEqual(['service_not_for_you@kind_id'])
    expect(reasons(await ask(off))).toEqual(['service_not_offered@kind_id'])
    expect(reasons(await ask(999_999))).toEqual(['reference_missing@kind_id'])
  })

  test('pressed twice it is one request; one at a time it is one on its way', async () => {
    const kind = await kindWith({ one_at_a_time: true })
    const key = 'pressed-twice-0001'
    const both = await Promise.all([ask(kind, { key }), ask(kind, { key })])
    expect(both.map((answer) => answer.status)).toEqual([200, 200])
    expect(ok(both[0]!).id).toBe(ok(both[1]!).id)
    expect(reasons(await ask(kind))).toEqual(['service_asked_twice@kind_id'])
    const race = await Promise.all([ask(kind, {}, omar), ask(kind, {}, omar)])
    expect(race.map((answer) => answer.status).toSorted()).toEqual([200, 409])
    // The same key of somebody else is another request.
    const free = await kindWith()
    expect(await asked(free, { key })).toBe(ok(both[0]!).id)
    expect(await asked(free, { key }, omar)).not.toBe(ok(both[0]!).id)
    await expect(
      q(`insert into services (student_id, kind_id, client_key) values ($1, $2, $3)`, [id.Mona, free, key]),
    ).rejects.toThrow('service_sent_already')
    await expect(
      q(`insert into services (student_id, kind_id, alone) values ($1, $2, true), ($1, $2, true)`, [id.Mona, free]),
    ).rejects.toThrow('service_asked_twice')
  })

  test('answers are judged by the fields of the kind, all of them at once', async () => {
    const kind = await kindWith({
      own_fields: [
        TEXT,
        { ...TEXT, name: 'Count', type: 'number' },
        { ...TEXT, name: 'Floor', type: 'choice', options: 'One | واحد\nTwo | اثنان' },
        { ...TEXT, name: 'Day', type: 'date' },
        { ...TEXT, name: 'Proof', type: 'file' },
        { ...TEXT, name: 'More', type: 'long_text', required: false },
      ],
    })
    const [text, count, floor, day, proof, more] = (await fieldsOf(kind)) as [
      string,
      string,
      string,
      string,
      string,
      string,
    ]
    const wrong = {
      [text]: 'x'.repeat(301),
      [count]: 'two',
      [floor]: 'Three',
      [day]: '2027-02-30',
      [proof]: 'file',
      [more]: 4,
      f0: 'x',
    }
    expect(reasons(await ask(kind, { answers: wrong })).toSorted()).toEqual(
      [
        `service_answer_long@${text}`,
        `service_answer_number@${count}`,
        `service_answer_choice@${floor}`,
        `service_answer_date@${day}`,
        `service_answer_file@${proof}`,
        `service_answer_text@${more}`,
        'service_answer_unknown@f0',
      ].toSorted(),
    )
    expect(reasons(await ask(kind))).toHaveLength(5)
    const answers = { [text]: 'x', [count]: 2, [floor]: 'Two', [day]: '2028-02-29' }
    const withFile = async (file: number) => ask(kind, { answers: { ...answers, [proof]: file } })
    expect(reasons(await withFile(await uploaded(omar)))).toEqual([`reference_missing@${proof}`])
    expect(reasons(await withFile(await uploaded(mona, 'a.zip', 'zip')))).toEqual([`service_file_kind@${proof}`])
    expect(reasons(await withFile(await uploaded(mona, 'b.pdf', 'pdf', 5_000_001)))).toEqual([
      `service_file_large@${proof}`,
    ])
    const file = await uploaded(mona)
    const request = ok(await withFile(file)).id
    expect(reasons(await withFile(file))).toEqual([`reference_missing@${proof}`])
    const { answers: kept, files } = await show(request, desk)
    expect([kept, Object.keys(files)]).toEqual([{ ...answers, [proof]: file }, [proof]])
    // A request that is made without answers is judged alike.
    expect((await mona('PUT', '/services', { student_id: id.Mona, kind_id: kind })).status).toBe(422)
  })

  test('one asks for oneself; staff who manage services ask for those within their reach', async () => {
    const kind = await kindWith()
    expect((await ask(kind, { student_id: id.Mona }, omar)).status).toBe(403)
    expect((await ask(kind, { student_id: id.Mona }, desk)).status).toBe(403)
    const elsewhere = await uni.as('affair_manager', ['faculty', id.MED])
    expect((await ask(kind, { student_id: id.Mona }, elsewhere)).status).toBe(403)
    // Nobody named: it is asked as a member of staff.
    expect(reasons(await ask(kind, {}, manager))).toEqual(['service_not_for_you@kind_id'])
    expect(reasons(await ask(kind, { student_id: 999_999 }, manager))).toEqual(['reference_missing@student_id'])
    const request = await asked(kind, { student_id: id.Mona }, manager)
    for (const by of [omar, elsewhere, await uni.as('dean', ['faculty', id.MED])]) {
      expect((await by('GET', `/services/request/${request}`)).status).toBe(404)
      expect((await by('GET', `/services/${request}`)).status).toBe(404)
      expect((await by('POST', '/services/requests', {})).body.data.map((row: { id: number }) => row.id)).not.toContain(
        request,
      )
    }
    expect((await step('forward', request, omar)).status).toBe(403)
    expect((await omar('DELETE', `/services/request/${request}`)).status).toBe(404)
    expect((await omar('PUT', `/services/request/${request}`, { answers: {} })).status).toBe(404)
    expect((await (await uni.as('instructor'))('GET', `/services/request/${request}`)).status).toBe(404)
    expect((await uni.nobody('GET', `/services/request/${request}`)).status).toBe(401)
    // Who entered it does not decide on it.
    expect(reasons(await step('finish', request, manager, { reason: 'Done' }))).toEqual(['step_own'])
    ok(await step('finish', request, desk, { reason: 'Number 12' }))
    expect(await show(request, mona)).toMatchObject({ status: 'done', answer: 'Number 12' })
  })

  test('a debt stops what is stopped by debts; who has left asks for nothing', async () => {
    const kind = await kindWith({ stopped_by_debt: true })
    await q(
      `create or replace function certificates_held(of_student integer) returns boolean language sql stable as 'select true'`,
    )
    try {
      expect(reasons(await ask(kind))).toEqual(['service_held'])
    } finally {
      await q(
        `create or replace function certificates_held(of_student integer) returns boolean language sql stable as 'select kept_by_debt(of_student, ''certificates'')'`,
      )
    }
    const request = await asked(kind, {}, omar)
    await q(`select decide_status(array[$1::int], 'withdrawn', 'Decision 2', university_today())`, [id.Omar])
    try {
      expect(reasons(await ask(kind, { student_id: id.Omar }, manager))).toEqual(['service_left'])
      expect(reasons(await step('finish', request, desk, { reason: 'Done' }))).toEqual(['service_left'])
      ok(await step('reject', request, desk, { reason: 'Has left' }))
    } finally {
      await q(`select decide_status(array[$1::int], 'studying', 'Decision 3', university_today())`, [id.Omar])
    }
  })
})

describe('along the chain', () => {
  test('each office in its turn, with its days and its note; the last one answers', async () => {
    const request = await asked(
      await kindWith({ offices: chain(), own_fields: [TEXT] }).then(async (kind) => {
        id.chained = kind
        return kind
      }),
      { answers: { [(await fieldsOf(id.chained))[0]!]: 'For a bank' } },
    )
    expect(await told(desk, 'kit.notice_waits')).toBeGreaterThan(0)
    expect(reasons(await to('in review', request, unit))).toEqual(['service_not_your_turn'])
    expect(reasons(await step('forward', request, dean))).toEqual(['service_not_your_turn'])
    expect(reasons(await to('done', request, desk, { note: 'Done' }))).toEqual(['service_not_last_office'])
    const waits = async (by: Caller) =>
      (await by('POST', '/services/requests', { filters: { waiting: true } })).body.data.some(
        (row: { id: number }) => row.id === request,
      )
    expect([await waits(desk), await waits(desk2), await waits(unit), await waits(manager)]).toEqual([
      true,
      true,
      false,
      false,
    ])
    ok(await to('in review', request, desk, { stay: true }))
    expect([await stateOf(request), (await show(request)).step]).toEqual(['in review', 1])
    const before = await told(mona, 'services.notice_moved')
    ok(await to('in review', request, desk, { note: 'Ask him about his debt' }))
    expect(await told(mona, 'services.notice_moved')).toBe(before + 1)
    expect([await waits(desk), await waits(unit)]).toEqual([false, true])
    const inside = await show(request, unit)
    expect(inside).toMatchObject({ step: 2, turn: true, last: true, late: 0 })
    expect(inside.steps[0]).toMatchObject({ note: 'Ask him about his debt', done_by: { name: expect.any(String) } })
    expect(inside.steps[1].due_on).toBe((await q(`select (university_today() + 3)::text as d`))[0].d)
    // Who asked does not read what is for offices.
    const outside = await show(request, mona)
    expect([outside.steps[0].note, outside.steps[0].done_by, outside.turn]).toEqual([null, null, false])
    expect(JSON.stringify((await mona('GET', `/services/${request}/history`)).body)).not.toContain('debt')
    expect(JSON.stringify((await mona('GET', `/services/steps/${request}`)).body)).not.toContain('debt')
    expect(reasons(await to('in review', request, unit))).toEqual(['service_last_office'])
    expect(reasons(await to('done', request, unit))).toEqual(['reason_required@reason'])
    expect(reasons(await to('done', request, unit, { note: 'Here', file_id: await uploaded(desk) }))).toEqual([
      'reference_missing@file_id',
    ])
    ok(await to('done', request, unit, { note: 'Here it is', file_id: await uploaded(unit) }))
    expect(await show(request, mona)).toMatchObject({
      status: 'done',
      answer: 'Here it is',
      answer_file: { name: 'a.pdf', url: expect.any(String) },
      due_on: null,
    })
    expect(reasons(await to('done', request, unit, { note: 'Again' }))).toEqual(['step_state'])
  })

  test('an office asks back; who asked corrects it and sends it to that office again', async () => {
    const kind = await kindWith({ offices: chain(), own_fields: [TEXT] })
    const [key] = await fieldsOf(kind)
    const request = await asked(kind, { answers: { [key!]: 'A' } })
    const change = (by: Caller, body: object = {}) =>
      by('PUT', `/services/request/${request}`, { answers: { [key!]: 'B' }, ...body })
    ok(await change(mona))
    expect(reasons(await change(mona, { answers: {} }))).toEqual([`required@${key}`])
    expect(reasons(await change(mona, { version: 1 }))).toEqual(['changed_meanwhile'])
    ok(await to('in review', request))
    expect(reasons(await change(mona))).toEqual(['step_state'])
    expect((await to('asked_back', request, unit)).status).toBe(422)
    expect(reasons(await to('asked_back', request, desk, { reason: 'Which one?' }))).toEqual(['service_not_your_turn'])
    ok(await to('asked_back', request, unit, { reason: 'Which one?' }))
    expect(await show(request, mona)).toMatchObject({
      status: 'asked_back',
      said: 'Which one?',
      due_on: null,
      mine: true,
    })
    ok(await change(mona, { answers: { [key!]: 'C' }, resend: true }))
    expect(await show(request, unit)).toMatchObject({
      status: 'in review',
      step: 2,
      answers: { [key!]: 'C' },
      turn: true,
    })
    ok(await to('Rejected', request, unit, { reason: 'Not possible' }))
    expect(await show(request, mona)).toMatchObject({ status: 'Rejected', said: 'Not possible', due_on: null })
    const again = await asked(kind, { answers: { [key!]: 'D' } })
    ok(await step('ask_back', again, desk, { reason: 'Why?' }))
    ok(await to('in review', again, mona))
    expect(await show(again)).toMatchObject({ status: 'in review', step: 1 })
  })

  test('what is changed in the kind concerns the next ones; switched off, open ones go on', async () => {
    const kind = await kindWith({ offices: chain(), own_fields: [TEXT] })
    const [key] = await fieldsOf(kind)
    const request = await asked(kind, { answers: { [key!]: 'A' } })
    ok(
      await registrar('PUT', `/service-kinds/${kind}`, {
        is_active: false,
        own_fields: [{ ...TEXT, name: 'Another' }],
        offices: [office(id.dean)],
      }),
    )
    expect(await show(request)).toMatchObject({
      fields: [{ name: 'Reason' }],
      steps: [{ name: 'Desk' }, { name: 'Unit' }],
    })
    ok(await mona('PUT', `/services/request/${request}`, { answers: { [key!]: 'B' } }))
    expect(reasons(await ask(kind))).toContain('service_not_offered@kind_id')
    ok(await step('forward', request, desk))
    ok(await step('finish', request, unit, { reason: 'Done' }))
    await expect(q(`update services set fields = '[]' where id = $1`, [request])).rejects.toThrow(/stays as it is/)
    await expect(q(`update service_steps set days = 9 where service_id = $1`, [request])).rejects.toThrow(
      /stays as it is/,
    )
    await expect(q(`delete from service_steps where service_id = $1`, [request])).rejects.toThrow(/stays as it is/)
  })

  test('an office that nobody holds falls to who manages services, and so does a person who left', async () => {
    const request = await asked(await kindWith({ offices: [office(id.vice_president)] }))
    expect(await show(request, manager)).toMatchObject({ turn: true })
    const waits = async (by: Caller) =>
      (await by('POST', '/services/requests', { filters: { waiting: true } })).body.data.some(
        (row: { id: number }) => row.id === request,
      )
    expect([await waits(manager), await waits(desk)]).toEqual([true, false])
    const deputy = await uni.as('vice_president')
    expect([await waits(manager), await waits(deputy)]).toEqual([false, true])
    // Who manages may act for it all the same.
    ok(await step('finish', request, manager, { reason: 'Done' }))
    const named = await asked(await kindWith({ offices: [office(dean)] }))
    expect((await show(named, dean)).turn).toBe(true)
    await q('update users set blocked_at = now() where id = $1', [dean.user_id])
    try {
      const holders = await q('select id from service_holders($1)', [named])
      expect(holders.map((row) => row.id)).toContain(manager.user_id)
    } finally {
      await q('update users set blocked_at = null where id = $1', [dean.user_id])
    }
  })

  test('nobody decides on the own request, whatever office the person holds', async () => {
    await q(`insert into role_assignments (user_id, role_id) values ($1, $2)`, [mona.user_id, id.competent_employee])
    const both = await uni.signIn(mona.user_id)
    const request = await asked(await kindWith(), {}, both)
    expect((await show(request, both)).turn).toBe(false)
    for (const body of [
      { status: 'done', note: 'For me' },
      { status: 'Rejected', reason: 'Not so' },
    ]) {
      const own = await both('POST', `/services/updateStatus/${request}`, body)
      expect([own.status, reasons(own)]).toEqual([403, expect.arrayContaining(['step_own'])])
    }
    await q(`delete from role_assignments where user_id = $1 and role_id = $2`, [mona.user_id, id.competent_employee])
  })

  test('of two officers at one moment one passes it on, and nobody skips an office', async () => {
    const request = await asked(await kindWith({ offices: [...chain(), office(id.dean, { name: 'Dean' })] }))
    const { version: seen } = await show(request)
    const both = await Promise.all([
      to('in review', request, desk, { note: 'a', version: seen }),
      to('in review', request, manager, { note: 'b', version: seen }),
    ])
    expect(both.map((answer) => answer.status).toSorted()).toEqual([200, 409])
    expect((await show(request)).step).toBe(2)
    const { version } = await show(request)
    expect(reasons(await to('in review', request, unit, { version: version - 1 }))).toEqual(['changed_meanwhile'])
    const same = await Promise.all([
      step('forward', request, unit, { version }),
      step('forward', request, manager, { version }),
    ])
    expect(same.map((answer) => answer.status).toSorted()).toEqual([200, 409])
    expect((await show(request)).step).toBe(3)
  })

  test('many at once, each with its own result', async () => {
    const kind = await kindWith({ offices: chain() })
    const first = await asked(kind)
    const last = await asked(await kindWith(), {}, omar)
    const answer = (await desk('POST', '/services/bulk/forward', { ids: [first, last, 999_999] })).body
    expect([
      answer.done,
      answer.failed.map((row: { id: number; errors: { code: string }[] }) => [row.id, row.errors[0]!.code]),
    ]).toEqual([
      [first],
      [
        [last, 'service_last_office'],
        [999_999, 'not_found'],
      ],
    ])
  })
})

describe('paying', () => {
  const system = () => asSystem(uni.services, 'test')
  const settle = () =>
    requestFeesJob.run(
      system(),
      {},
      Object.assign(async () => {}, { signal: new AbortController().signal }),
    )
  const PRICE = { price_local: 5000, price_usd: 500 }
  const pay = async (invoice: number, student = id.Mona, amount = 5000, currency = 'EGP') => {
    const transaction = await m.transaction(student, amount, { invoice, currency })
    const ctx = system()
    await ctx.write((tx) => bookTransactions(ctx, tx, [transaction]))
    await settle()
    return transaction
  }
  const bounce = async (transaction: number) => {
    const ctx = system()
    await ctx.write((tx) => cancelTransactions(ctx, tx, [transaction], 'Bounced'))
    await settle()
  }

  test('before work begins: it waits, then the first office has it; a payment that bounces stops it', async () => {
    const request = await asked(await kindWith({ ...PRICE, prepaid: true, offices: chain() }))
    const { status, fee, due_on } = await show(request, mona)
    expect([status, fee.amount, fee.currency, fee.paid, due_on]).toEqual(['fee_due', 5000, 'EGP', false, null])
    expect(reasons(await step('forward', request))).toEqual(['step_state'])
    let paid = await pay(fee.invoice_id)
    expect(await show(request)).toMatchObject({ status: 'New', due_on: expect.any(String) })
    await bounce(paid)
    expect(await show(request)).toMatchObject({ status: 'fee_due', due_on: null })
    paid = await pay(fee.invoice_id)
    ok(await step('forward', request))
    await bounce(paid)
    expect(reasons(await step('finish', request, unit, { reason: 'Done' }))).toEqual(['service_unpaid'])
    await pay(fee.invoice_id)
    ok(await step('finish', request, unit, { reason: 'Done' }))
  })

  test('later: the work goes on, also when a payment bounces, and it is not done unpaid', async () => {
    const request = await asked(await kindWith({ ...PRICE }))
    const { fee } = await show(request, mona)
    expect(fee).toMatchObject({ amount: 5000, paid: false })
    expect(await stateOf(request)).toBe('New')
    expect(reasons(await to('done', request, desk, { note: 'Done' }))).toEqual(['service_unpaid'])
    await bounce(await pay(fee.invoice_id))
    expect(await stateOf(request)).toBe('New')
    ok(await step('take_up', request))
    await pay(fee.invoice_id)
    ok(await to('done', request, desk, { note: 'Done' }))
  })

  test('withdrawn while nobody has begun: the invoice is reversed, what was paid is in the wallet', async () => {
    const kind = await kindWith({ ...PRICE, prepaid: true })
    const unpaid = await asked(kind)
    const { fee } = await show(unpaid)
    ok(await mona('DELETE', `/services/request/${unpaid}`))
    expect(await show(unpaid)).toMatchObject({ status: 'cancelled', fee: null })
    expect(
      (await q('select reversed_at is not null as gone from invoices where id = $1', [fee.invoice_id]))[0].gone,
    ).toBe(true)
    const request = await asked(kind)
    await pay((await show(request)).fee.invoice_id)
    const before = await m.wallet(id.Mona)
    ok(await mona('DELETE', `/services/request/${request}`))
    expect((await m.wallet(id.Mona)) - before).toBe(5000)
    const begun = await asked(await kindWith())
    ok(await step('take_up', begun))
    expect(reasons(await mona('DELETE', `/services/request/${begun}`))).toEqual(['step_state'])
  })

  test('a rejected request gives back what was paid; who manages does without the fee, and asks for it again', async () => {
    const kind = await kindWith({ ...PRICE, prepaid: true })
    const request = await asked(kind)
    await pay((await show(request)).fee.invoice_id)
    const before = await m.wallet(id.Mona)
    ok(await to('Rejected', request, desk, { reason: 'No place' }))
    expect((await m.wallet(id.Mona)) - before).toBe(5000)
    const waived = await asked(kind)
    expect((await step('waive_fee', waived, desk, { reason: 'Poor' })).status).toBe(403)
    ok(await to('New', waived, manager, { reason: 'Poor' }))
    expect(await show(waived)).toMatchObject({ status: 'New', fee: null, due_on: expect.any(String) })
    ok(await step('charge_fee', waived, manager, { reason: 'Not poor' }))
    expect(await show(waived)).toMatchObject({ status: 'fee_due', fee: { amount: 5000 } })
    const free = await asked(await kindWith())
    expect(reasons(await step('charge_fee', free, manager, { reason: 'A fee' }))).toEqual(['fee_nothing'])
  })

  test('a foreign group pays in dollars', async () => {
    await q('update students set nationality_id = 1 where id = $1', [id.Omar])
    const kind = await kindWith({ ...PRICE, prepaid: true })
    expect(ok(await omar('GET', '/services/index')).find((row: { id: number }) => row.id === kind)).toMatchObject({
      price: 500,
      currency: 'USD',
    })
    const request = await asked(kind, {}, omar)
    expect((await show(request)).fee).toMatchObject({ amount: 500, currency: 'USD' })
    await q('update students set nationality_id = 64 where id = $1', [id.Omar])
  })
})

describe('time', () => {
  const run = async () =>
    serviceClock.run(
      asSystem(uni.services, 'test'),
      {},
      Object.assign(async () => {}, { signal: new AbortController().signal }),
    )
  const age = (request: number, days: number) =>
    q(
      `with g as (update service_steps set due_on = university_today() - $2::int where service_id = $1 returning due_on)
       update services set due_on = (select min(due_on) from g) where id = $1`,
      [request, days],
    )

  test('the office is reminded once when its time is over, who manages services once after more days', async () => {
    const request = await asked(await kindWith())
    await age(request, 0)
    const count = async () => [await told(desk, 'services.notice_overdue'), await told(manager, 'services.notice_late')]
    const start = await count()
    const more = async () => (await count()).map((now, i) => now - start[i]!)
    await run()
    expect(await more()).toEqual([0, 0])
    await age(request, 1)
    await run()
    await run()
    expect(await more()).toEqual([1, 0])
    await age(request, 4)
    await run()
    await run()
    expect(await more()).toEqual([1, 1])
    expect((await show(request)).late).toBe(4)
    const waiting = (await manager('POST', '/services/requests', { filters: { waiting: true } })).body.data
    expect(waiting.map((row: { id: number }) => row.id)).toContain(request)
    await q(`insert into settings (key, value, grouping) values ('service_escalation_days', '"9"', 'services')
      on conflict (key) do update set value = excluded.value`)
    const other = await asked(await kindWith(), {}, omar)
    await age(other, 4)
    await run()
    expect(await more()).toEqual([2, 1])
    await q(`delete from settings where key = 'service_escalation_days'`)
  })

  test('what is overdue longest is at the head of the inbox', async () => {
    const kind = await kindWith()
    const requests = [await asked(kind), await asked(kind, {}, omar), await asked(kind)]
    await age(requests[1]!, 3)
    await age(requests[2]!, 5)
    const { body } = await desk('POST', '/services', {
      filters: { waiting: true },
      order_by: 'due_on',
      order_direction: 'asc',
    })
    expect(body.data.map((row: { id: number }) => row.id).filter((one: number) => requests.includes(one))).toEqual([
      requests[2],
      requests[1],
      requests[0],
    ])
  })

  test('what was given back for a correction is not late', async () => {
    const request = await asked(await kindWith())
    await age(request, 2)
    ok(await step('ask_back', request, desk, { reason: 'Which?' }))
    const before = await told(desk, 'services.notice_overdue')
    await run()
    expect([await told(desk, 'services.notice_overdue'), (await show(request)).late]).toEqual([before, 0])
    ok(await step('resend', request, mona))
    expect((await show(request)).due_on).toBe((await q(`select (university_today() + 2)::text as d`))[0].d)
  })
})

test('of what ended long ago answers, notes and files go; that it was asked stays', async () => {
  const kind = await kindWith({ offices: chain(), own_fields: [TEXT, { ...TEXT, name: 'Proof', type: 'file' }] })
  const [text, proof] = (await fieldsOf(kind)) as [string, string]
  const answers = async () => ({ [text]: 'My illness', [proof]: await uploaded(mona) })
  const [old, young, open] = [
    await asked(kind, { answers: await answers(), why: 'Private' }),
    await asked(kind, { answers: await answers() }),
    await asked(kind, { answers: await answers() }),
  ]
  for (const request of [old, young]) {
    ok(await to('in review', request, desk, { note: 'She is ill' }))
    ok(await to('done', request, unit, { note: 'Granted', file_id: await uploaded(unit) }))
  }
  await q('alter table services disable trigger user')
  await q(`update services set updated_at = now() - interval '500 days' where id = any($1)`, [[old, open]])
  await q('alter table services enable trigger user')
  await q(`insert into retention_lengths (kind, days) values ('services', 400)`)
  const run = () =>
    retention.run(
      asSystem(uni.services, 'test'),
      {},
      Object.assign(async () => {}, { signal: new AbortController().signal }),
    )
  // Whoever sets the length is shown how many that is, before anything goes.
  const admin = await uni.as('admin')
  const due = async () =>
    (ok(await admin('GET', '/settings/retention')) as any[]).find((one) => one.kind === 'services').due
  expect(await due()).toEqual({ count: 1, oldest: expect.stringMatching(/^\d{4}-\d\d-\d\d/) })
  expect(await run()).toMatchObject({ services: 1 })
  expect(await due()).toMatchObject({ count: 0, oldest: null })
  expect(await run()).not.toHaveProperty('services')
  expect(await show(old)).toMatchObject({
    status: 'done',
    answers: {},
    files: {},
    why: null,
    answer: null,
    answer_file: null,
  })
  expect((await show(old)).steps[0].note).toBeNull()
  for (const request of [young, open]) expect((await show(request)).answers[text]).toBe('My illness')
})
