import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { feesServer } from '#areas/money/fees/fees.server.ts'
import { invoicesServer } from '#areas/money/invoices/invoices.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { ok, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { certificatesServer } from '../certificates.server.ts'
import { certificateClock } from './clock.server.ts'

let uni: TestUniversity
/** The office that prepares, who reviews and hears of what is late, who signs, the manager of who signs. */
let clerk: Caller
let reviewer: Caller
let employee: Caller
let dean: Caller
let boss: Caller
let admin: Caller
let deputy: Caller
let mona: Caller
let omar: Caller
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
    certificatesServer,
  ])
  await one('ENG', `insert into faculties (code, name, name_local) values ('ENG', 'ENG', 'هندسة') returning id`)
  await one('MED', `insert into faculties (code, name, name_local) values ('MED', 'MED', 'طب') returning id`)
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
  const person = async (name: string, code: string): Promise<Caller> => {
    const caller = await uni.as('student', undefined, { type: 3, name })
    await one(
      name,
      `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, level, nationality_id, national_id, gender, user_id)
       values ($1, $2, 'طالبة', $3, $4, $5, 2, null, $6, 2, $7) returning id`,
      [code, name, id.ENG, id.program, id.bylaw, `3000101010000${code}`, caller.user_id],
    )
    return uni.signIn(caller.user_id)
  }
  mona = await person('Mona', '1')
  omar = await person('Omar', '2')
  clerk = await uni.as('graduate_affairs_employee')
  reviewer = await uni.as('affair_manager')
  employee = await uni.as('competent_employee')
  dean = await uni.as('dean', ['faculty', id.ENG])
  boss = await uni.as('president')
  admin = await uni.as('admin')
  deputy = await uni.as('dean', ['faculty', id.MED])
  await q(`update users set type = 2 where id = any($1)`, [[employee.user_id, boss.user_id, dean.user_id]])
  await q(`update users set manager_id = $2 where id = $1`, [dean.user_id, boss.user_id])
  const held = (code: string, user: Caller, faculty: number | null = null) =>
    q(
      `insert into signatory_holders (position_id, user_id, faculty_id, valid_from)
       select id, $2, $3, university_today() - 10 from signatory_positions where code = $1`,
      [code, user.user_id, faculty],
    )
  await held('COMPETENT-EMPLOYEE', employee)
  await held('DEAN', dean, id.ENG)
}, 180_000)
afterAll(() => uni?.close())
beforeEach(async () => {
  await q(
    `update certificates set status = 'cancelled' where status not in ('Delivered', 'Delivered By Mail', 'Delivered By Manual', 'Rejected', 'cancelled')`,
  )
})

let n = 0
const typeWith = async (
  given: Record<string, unknown> = {},
  signers: readonly string[] = ['COMPETENT-EMPLOYEE', 'DEAN'],
) =>
  ok(
    await admin('POST', '/services-settings/certificates', {
      code: `W${++n}`,
      name: 'Good conduct',
      name_local: 'حسن سير',
      document: 'text',
      body: '{name} behaves well.',
      body_local: '{name} حسن السير.',
      for_students: true,
      days_normal: 9,
      prepare_days: 3,
      review_days: 2,
      sign_days: 1,
      most_copies: 5,
      by_hand: true,
      by_mail: false,
      electronic: true,
      is_active: true,
      signers: await q(
        `select p.id as position_id from unnest($1::text[]) with ordinality x (code, n) join signatory_positions p on p.code = x.code order by x.n`,
        [signers],
      ),
      ...given,
    }),
  ).id as number
const asked = async (type: number, by: Caller = mona, student = 'Mona', delivery = 'electronic') =>
  ok(
    await by('PUT', '/certificates', {
      student_id: id[student],
      type_id: type,
      lang: 'ar',
      copies: 1,
      speed: 'normal',
      delivery,
      why: 'For a bank',
    }),
  ).id as number
const step = async (action: string, cert: number, by: Caller = clerk, body: object = {}) =>
  ok(await by('POST', `/certificates/${action}/${cert}`, body))
const turn = async (cert: number, by: Caller = clerk) => ok(await by('GET', `/certificates/${cert}/details`)).turn
const reviewed = async (type: number, by: Caller = mona, student = 'Mona') => {
  const cert = await asked(type, by, student)
  await step('prepare', cert)
  await step('send_to_review', cert)
  await step('review', cert, reviewer)
  return cert
}
const day = async (days: number) => (await q(`select (university_today() + $1::int)::text as d`, [days]))[0].d
/** The wait of a certificate was to be over so many days ago. */
const age = (cert: number, days: number) =>
  q(
    `update certificate_turns set due_on = university_today() - $2::int where certificate_id = $1 and done_at is null`,
    [cert, days],
  )
const run = () =>
  certificateClock.run(
    asSystem(uni.services, 'test'),
    {},
    Object.assign(async () => {}, { signal: new AbortController().signal }),
  )
const told = async (who: Caller, key: string) =>
  Number(
    (
      await q(`select count(*) from notifications where user_id = $1 and key = $2`, [
        who.user_id,
        `certificates.${key}`,
      ])
    )[0].count,
  )
/** How many more are told since. */
const counting = async (...of: readonly (readonly [Caller, string])[]) => {
  const now = () => Promise.all(of.map(([who, key]) => told(who, key)))
  const before = await now()
  return async () => (await now()).map((count, i) => count - before[i]!)
}

describe('a wait', () => {
  test('goes with the certificate: each step, each signature and each correction begins one with the days of its type', async () => {
    const cert = await asked(await typeWith())
    expect(await turn(cert)).toMatchObject({ kind: 'prepare', due_on: await day(3), late: 0, reminded_on: null })
    await step('prepare', cert)
    expect(await turn(cert)).toMatchObject({ kind: 'send', due_on: await day(3) })
    await step('send_to_review', cert)
    expect(await turn(cert)).toMatchObject({ kind: 'review', due_on: await day(2) })
    await step('review', cert, reviewer)
    const first = await turn(cert)
    expect(first).toMatchObject({ kind: 'sign', due_on: await day(1), vacant: false })
    await step('sign', cert, employee)
    const second = await turn(cert)
    expect([second.kind, second.position_id === first.position_id]).toEqual(['sign', false])
    await step('correct', cert, dean, { reason: 'The name is wrong' })
    expect(await turn(cert)).toMatchObject({ kind: 'correct', due_on: await day(3) })
    for (const [action, by] of [
      ['prepare', clerk],
      ['send_to_review', clerk],
      ['review', reviewer],
      ['sign', employee],
    ] as const)
      await step(action, cert, by)
    await step('sign', cert, dean)
    expect(await turn(cert)).toMatchObject({ kind: 'issue', due_on: await day(3) })
    await step('issue', cert)
    expect(await turn(cert)).toMatchObject({ kind: 'deliver', due_on: await day(3) })
    await step('deliver', cert)
    expect(await turn(cert)).toBeNull()
    expect(
      await q(`select kind from certificate_turns where certificate_id = $1 and done_at is not null order by id`, [
        cert,
      ]),
    ).toEqual(
      [
        'prepare',
        'send',
        'review',
        'sign',
        'sign',
        'correct',
        'send',
        'review',
        'sign',
        'sign',
        'issue',
        'deliver',
      ].map((kind) => ({ kind })),
    )
  })

  test('is over when it is rejected; what is collected by hand waits for who asked', async () => {
    const type = await typeWith({}, [])
    const cert = await asked(type)
    await step('reject', cert, reviewer, { reason: 'Not now' })
    expect(await turn(cert)).toBeNull()
    const held = await asked(type, mona, 'Mona', 'by_hand')
    for (const [action, by] of [
      ['prepare', clerk],
      ['send_to_review', clerk],
      ['review', reviewer],
      ['issue', clerk],
    ] as const)
      await step(action, held, by)
    expect(await turn(held)).toBeNull()
    ok(await clerk('PUT', `/certificates/${held}`, { delivery: 'electronic', why: 'For a bank' }))
    expect(await turn(held)).toMatchObject({ kind: 'deliver' })
  })

  test('without days it is never late; days that are changed concern the next waits', async () => {
    const type = await typeWith({ prepare_days: null, review_days: 5 })
    const cert = await asked(type)
    expect(await turn(cert)).toMatchObject({ kind: 'prepare', due_on: null, late: 0 })
    await step('prepare', cert)
    await step('send_to_review', cert)
    ok(await admin('POST', `/services-settings/certificates/${type}`, { review_days: 1 }))
    expect((await turn(cert)).due_on).toBe(await day(5))
    await run()
    expect((await turn(cert)).reminded_on).toBeNull()
  })

  test('who asked sees since when and until when, not whom the office told', async () => {
    const cert = await reviewed(await typeWith())
    await age(cert, 9)
    await run()
    expect(await turn(cert, employee)).toMatchObject({ late: 9, reminded_on: await day(0), told_on: await day(0) })
    expect(await turn(cert, mona)).toMatchObject({
      kind: 'sign',
      late: 9,
      reminded_on: null,
      told_on: null,
      vacant: false,
    })
    expect((await omar('GET', `/certificates/${cert}/details`)).status).toBe(404)
  })
})

describe('what is late', () => {
  test('whose turn it is is reminded once, then who stands above is told once', async () => {
    const cert = await reviewed(await typeWith())
    await step('sign', cert, employee)
    const more = await counting(
      [dean, 'notice_overdue'],
      [boss, 'notice_late'],
      [employee, 'notice_overdue'],
      [reviewer, 'notice_late'],
    )
    await age(cert, 0)
    await run()
    expect(await more()).toEqual([0, 0, 0, 0])
    await age(cert, 1)
    await run()
    await run()
    expect(await more()).toEqual([1, 0, 0, 0])
    await age(cert, 4)
    await run()
    await run()
    expect(await more()).toEqual([1, 1, 0, 0])
    // A clock that is set back and forth tells nobody again.
    await q(
      `update certificate_turns set reminded_on = reminded_on + 5, told_on = told_on + 5 where certificate_id = $1 and done_at is null`,
      [cert],
    )
    await run()
    expect(await more()).toEqual([1, 1, 0, 0])
  })

  test('the office is reminded of its step; without a manager who follows certificates is told, after the days of the university', async () => {
    await q(`insert into settings (key, value, grouping) values ('certificate_escalation_days', '"6"', 'services')
      on conflict (key) do update set value = excluded.value`)
    const cert = await asked(await typeWith())
    const more = await counting(
      [clerk, 'notice_overdue'],
      [reviewer, 'notice_late'],
      [dean, 'notice_overdue'],
      [mona, 'notice_overdue'],
    )
    await age(cert, 6)
    await run()
    expect(await more()).toEqual([1, 0, 0, 0])
    await age(cert, 7)
    await run()
    expect(await more()).toEqual([1, 1, 0, 0])
    await q(`delete from settings where key = 'certificate_escalation_days'`)
  })

  test('whoever prepared it is not asked to review it', async () => {
    const cert = await asked(await typeWith())
    const other = await uni.as('graduate_affairs_head')
    await step('prepare', cert, reviewer)
    await step('send_to_review', cert)
    const more = await counting([reviewer, 'notice_overdue'], [other, 'notice_overdue'])
    await age(cert, 1)
    await run()
    expect(await more()).toEqual([0, 1])
  })

  test('whoever stands in today is reminded too', async () => {
    await q(
      `insert into delegations (from_user_id, to_user_id, permissions, from_date, until_date, reason)
       values ($1, $2, '{sign_certificate}', university_today(), university_today() + 3, 'Leave')`,
      [employee.user_id, deputy.user_id],
    )
    const cert = await reviewed(await typeWith())
    const more = await counting([employee, 'notice_overdue'], [deputy, 'notice_overdue'])
    await age(cert, 1)
    await run()
    expect(await more()).toEqual([1, 1])
    await q(`delete from delegations`)
  })

  test('two processes tell once, and what somebody moves on at that moment is not told of', async () => {
    const type = await typeWith()
    const [first, second] = [await reviewed(type), await reviewed(type, omar, 'Omar')]
    await age(first, 1)
    await age(second, 1)
    const more = await counting([employee, 'notice_overdue'])
    const client = await uni.database.pool.connect()
    await client.query('begin')
    await client.query('select from certificates where id = $1 for update', [second])
    await Promise.all([run(), run(), run()])
    expect(await more()).toEqual([1])
    await client.query(`update certificates set status = 'Rejected' where id = $1`, [second])
    await client.query('commit')
    client.release()
    await run()
    expect(await more()).toEqual([1])
  })

  test('a job that is killed while it tells has told nobody, and tells once when it runs again', async () => {
    const cert = await reviewed(await typeWith())
    await age(cert, 1)
    const more = await counting([employee, 'notice_overdue'])
    await q(
      `create function stop_notices() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`,
    )
    await q(`create trigger stop before insert on notifications for each row execute function stop_notices()`)
    await expect(run()).rejects.toThrow()
    await q(`drop trigger stop on notifications`)
    await q(`drop function stop_notices()`)
    expect([await more(), (await turn(cert)).reminded_on]).toEqual([[0], null])
    await run()
    await run()
    expect(await more()).toEqual([1])
  })

  test('rises to the head of the list and of the signing desk', async () => {
    const type = await typeWith()
    const [first, second] = [await reviewed(type), await reviewed(type, omar, 'Omar')]
    await age(second, 2)
    const rows = (
      await employee('POST', '/certificates', {
        order_by: 'due_on',
        order_direction: 'asc',
        filters: { waiting: true, status: ['Reviewed', 'dean-signed'] },
      })
    ).body.data
    expect(rows.map((row: any) => [row.id, row.due_on])).toEqual([
      [second, await day(-2)],
      [first, await day(1)],
    ])
  })

  test('the office is not reminded to issue what a debt holds', async () => {
    const cert = await asked(await typeWith({}, []))
    for (const [action, by] of [
      ['prepare', clerk],
      ['send_to_review', clerk],
      ['review', reviewer],
    ] as const)
      await step(action, cert, by)
    await age(cert, 1)
    await q(
      `create or replace function certificates_held(of_student integer) returns boolean language sql stable as $$ select true $$`,
    )
    const more = await counting([clerk, 'notice_overdue'])
    await run()
    expect(await more()).toEqual([0])
    await q(
      `create or replace function certificates_held(of_student integer) returns boolean language sql stable as $$ select kept_by_debt(of_student, 'certificates') $$`,
    )
    await run()
    expect(await more()).toEqual([1])
  })
})

test('a position that nobody holds is shown and told once to who administers positions, until somebody holds it', async () => {
  const cert = await reviewed(await typeWith())
  const more = await counting([admin, 'notice_vacant'], [clerk, 'notice_vacant'], [reviewer, 'notice_vacant'])
  await run()
  expect(await more()).toEqual([0, 0, 0])
  // The signer leaves: the account is closed, whatever the position says.
  await q(`update users set blocked_at = now() where id = $1`, [employee.user_id])
  expect(await turn(cert)).toMatchObject({ vacant: true })
  expect(ok(await clerk('GET', `/certificates/${cert}/details`)).chain[0].holder).toBeNull()
  await age(cert, 2)
  await run()
  await run()
  expect(await more()).toEqual([1, 0, 0])
  await q(`update users set blocked_at = null where id = $1`, [employee.user_id])
  expect(await turn(cert)).toMatchObject({ vacant: false, reminded_on: null })
  const reminded = await counting([employee, 'notice_overdue'])
  await run()
  expect(await reminded()).toEqual([1])
})
