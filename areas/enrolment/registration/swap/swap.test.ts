import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { offeringsServer } from '#areas/study/offerings/offerings.server.ts'
import { checkStored } from '#tests/checker/checker.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { registrationServer } from '../registration.server.ts'
import { endExchanges, moveWaiting, wakeWaitList } from '../requests/queue.server.ts'
import { resolveRings } from './rings.server.ts'
import { flag, type MainFlag } from '#areas/common/academics/status.rules.ts'
import {
  afterExchange,
  closedSet,
  exchangeProblem,
  givenOnAnswer,
  exchangePartsOf,
  ringFrom,
  staysUntilAnswered,
  suffices,
  weighing,
  type GivenUp,
  type RingPlace,
} from './swap.rules.ts'

let u: TestUniversity
let w: RegistrationWorld
let registrar: Caller
type Student = Awaited<ReturnType<RegistrationWorld['student']>>
type Offering = Awaited<ReturnType<RegistrationWorld['offer']>>

beforeAll(async () => {
  u = await testUniversity([catalogueServer, offeringsServer, registrationServer])
  w = await registrationWorld(u)
  registrar = await u.as('registrar')
})
afterAll(async () => {
  await u.close()
})
beforeEach(async () => {
  await w.windows('register')
  await w.query(`update wait_list set state = 'left' where state = 'waiting'`)
})

const system = () => asSystem(u.services, 'test')
const request = async (who: Student, offering: Offering, slots = offering.lectures.slice(0, 1)): Promise<number> =>
  ok(
    await who.as('PUT', '/registrations/students/request-offering', {
      offerings: [{ offering_id: offering.id, offering_slot_ids: slots }],
    }),
  )[0].id
const join = (who: Caller, offering: Offering, gives_up_id: number | null, more: object = {}) =>
  who('PUT', '/registrations/students/wait-list', {
    offering_id: offering.id,
    offering_slot_ids: offering.lectures.slice(0, 1),
    ...(gives_up_id && { gives_up_id }),
    ...more,
  })
const giveBack = async (who: Student, registration: number) =>
  ok(await who.as('PUT', '/registrations/students/remove-offering', { registration_ids: [registration] }))
const run = (offering: Offering) => moveWaiting(system(), offering.id)
const holds = async ({ id }: Student) =>
  (
    await w.query<{ offering_id: number }>(
      `select distinct r.offering_id from registrations r join registration_slots s on s.registration_id = r.id
       where r.student_id = $1 order by 1`,
      [id],
    )
  ).map((row) => row.offering_id)
const state = async ({ id }: Student) =>
  (
    await w.query<{ state: string; end_reason: string | null }>(
      'select state, end_reason from wait_list where student_id = $1 order by id desc limit 1',
      [id],
    )
  )[0]
const told = async ({ user_id }: Student) =>
  (await w.query<{ key: string }>('select key from notifications where user_id = $1 order by id', [user_id])).map(
    (row) => row.key,
  )
/** A full offering: who holds its only seat, and the registration. */
const full = async (course: string, options: Parameters<RegistrationWorld['offer']>[1] = {}) => {
  const offering = await w.offer(course, { quota: 1, ...options })
  const holder = await w.student()
  return { offering, holder, registration: await request(holder, offering) }
}

describe('a seat for another', () => {
  test('is had when it comes free, and the old one goes to its own queue in the same moment', async () => {
    const wanted = await full('CS101')
    const old = await w.offer('MA101', { quota: 1 })
    const student = await w.student()
    const own = await request(student, old)
    const behind = await w.student()
    ok(await join(behind.as, old, null))
    const place = ok(await join(student.as, wanted.offering, own))
    expect(place).toMatchObject({
      position: 1,
      gives_up: { registration_id: own, course: { code: 'MA101' } },
      moved: false,
    })
    expect(await holds(student)).toEqual([old.id])
    await giveBack(wanted.holder, wanted.registration)
    expect(await run(wanted.offering)).toBe(1)
    expect(await holds(student)).toEqual([wanted.offering.id])
    expect(await w.query('select id from registrations where id = $1', [own])).toEqual([])
    expect(await w.query('select held from offering_slots where id = $1', [old.lectures[0]])).toEqual([{ held: 1 }])
    expect(await run(old)).toBe(1)
    expect(await holds(behind)).toEqual([old.id])
    expect(await told(student)).toEqual(['registration.notice_swapped'])
    const steps = await w.query<{ action: string; from_status: string | null; to_status: string | null }>(
      `select action, from_status, to_status from registration_history where student_id = $1 order by id desc limit 2`,
      [student.id],
    )
    expect(steps.map((one) => one.action).toSorted()).toEqual(['give_up', 'swap'])
    expect(steps.find((one) => one.action === 'give_up')!.to_status).toBeNull()
    expect(await w.wrongSeats()).toEqual([])
  })

  test('is judged without the old one: load, times, and the course itself in another offering', async () => {
    const student = await w.student()
    const own: number[] = []
    for (const [i, course] of ['MA101', 'CS101', 'PH101', 'EN101'].entries())
      own.push(await request(student, await w.offer(course, { day: i, period: 4, quota: 5 })))
    // At the limit of hours, and at the time of MA101.
    const wanted = await full('HU101', { day: 0, period: 4 })
    expect(reasons(await join(student.as, wanted.offering, null))).toEqual(['credit_hours_limit', 'time_clash'])
    expect(reasons(await join(student.as, wanted.offering, own[1]!))).toEqual(['time_clash'])
    ok(await join(student.as, wanted.offering, own[0]!))
    const other = await full('CS101', { day: 4, period: 4 })
    ok(await join(student.as, other.offering, own[1]!))
    await giveBack(wanted.holder, wanted.registration)
    await giveBack(other.holder, other.registration)
    expect([await run(wanted.offering), await run(other.offering)]).toEqual([1, 1])
    const held = await holds(student)
    expect([held.length, held.includes(wanted.offering.id), held.includes(other.offering.id)]).toEqual([4, true, true])
    // Of the same course, the registration stays what it was.
    expect(await w.query('select offering_id from registrations where id = $1', [own[1]])).toEqual([
      { offering_id: other.offering.id },
    ])
  })

  test('of another group of the offering: lab and lecture are exchanged as far as they differ', async () => {
    const offering = await w.offer('MA101', { groups: 2, quota: 1, lab: true, day: 0, period: 2 })
    const [a, b] = [await w.student(), await w.student()]
    const group = (i: number) => [offering.lectures[i]!, offering.labs[i]!]
    const own = await request(a, offering, group(0))
    const others = await request(b, offering, group(1))
    ok(await join(a.as, offering, own, { offering_slot_ids: group(1) }))
    expect(reasons(await join(b.as, offering, others, { offering_slot_ids: group(1) }))).toEqual(['swap_nothing'])
    await giveBack(b, others)
    expect(await run(offering)).toBe(1)
    const slots = await w.query<{ id: number }>(
      'select offering_slot_id as id from registration_slots where registration_id = $1 order by 1',
      [own],
    )
    expect(slots.map((row) => row.id)).toEqual(group(1).toSorted((x, y) => x - y))
    expect(await w.wrongSeats()).toEqual([])
  })

  test('is had at once where it is free, and what was accepted is given up while dropping is open', async () => {
    await w.windows('register', 'add_drop')
    const student = await w.student()
    const old = await w.offer('MA101')
    const own = await request(student, old)
    ok(await registrar('PUT', '/registrations/students/accept-requested-offering', { registration_ids: [own] }))
    const wanted = await w.offer('CS101', { quota: 3 })
    expect(ok(await join(student.as, wanted, own))).toMatchObject({ moved: true, keeps: true })
    // While only registering is open, what was accepted is not dropped.
    await w.windows('register')
    const [next] = await w.query<{ id: number }>(
      'select id from registrations where student_id = $1 and offering_id = $2',
      [student.id, wanted.id],
    )
    ok(await registrar('PUT', '/registrations/students/accept-requested-offering', { registration_ids: [next!.id] }))
    const third = await full('PH101')
    expect(reasons(await join(student.as, third.offering, next!.id))).toEqual(['stage_closed@gives_up_id'])
  })

  test('is offered once, for an own seat of the term alone; staff do it for a student', async () => {
    const [one, two] = [await full('CS101'), await full('PH101')]
    const student = await w.student()
    const own = await request(student, await w.offer('MA101'))
    const somebody = await w.student()
    expect((await join(somebody.as, one.offering, own)).status).toBe(404)
    expect(ok(await join(registrar, one.offering, own, { student_id: student.id }))).toMatchObject({ position: 1 })
    expect(reasons(await join(student.as, two.offering, own))).toEqual(['swap_already@gives_up_id'])
    // What was left is offered for nothing, nor what one asks to leave until that is answered.
    const another = await w.student()
    const left = await request(another, await w.offer('MA101'))
    for (const [state, code] of [
      [flag.Dropped, 'swap_gone'],
      [flag.WithdrawRequest, 'swap_pending'],
    ] as const) {
      await w.query('update registrations set status = $2 where id = $1', [left, (state | flag.Fresh).toString()])
      expect(reasons(await join(another.as, two.offering, left))).toEqual([`${code}@gives_up_id`])
    }
    const seen = ok(await student.as('GET', '/registrations/students/requested-offerings'))
    expect(seen.waiting).toMatchObject([{ gives_up: { registration_id: own } }])
    expect(seen.registrations[0].abilities).toContain('swap')
    ok(await student.as('DELETE', `/registrations/students/wait-list/${seen.waiting[0].id}`))
    ok(await join(student.as, two.offering, own))
    expect(
      await w.query<{ n: number }>(
        `select count(*)::int as n from audit_log where table_name = 'wait_list' and new ->> 'gives_up_id' = $1`,
        [String(own)],
      ),
    ).toEqual([{ n: 2 }])
  })

  test('nothing happens while the window is closed', async () => {
    const wanted = await full('CS101')
    const student = await w.student()
    const old = await w.offer('MA101')
    ok(await join(student.as, wanted.offering, await request(student, old)))
    await w.windows()
    await w.query('delete from registrations where id = $1', [wanted.registration])
    expect(await run(wanted.offering)).toBe(0)
    expect([await holds(student), (await state(student))!.state]).toEqual([[old.id], 'waiting'])
  })
})

describe('a registered course is given up when the other is accepted', () => {
  const registered = async (student: Student, offering: Offering) => {
    await w.windows('register')
    const own = await request(student, offering)
    await accept(own)
    await w.windows('add_drop')
    return own
  }
  const accept = (...ids: number[]) =>
    registrar('PUT', '/registrations/students/accept-requested-offering', { registration_ids: ids })
  const reject = (id: number, reason?: string) =>
    registrar('PUT', '/registrations/students/reject-requested-offering', { registration_ids: [id], reason })
  const drop = (student: Student, id: number) =>
    student.as('PUT', '/registrations/students/addDrop-offering', { action: 'drop', registration_ids: [id] })
  const rows = async ({ id }: Student) =>
    w.query<{ id: number; course: string; status: string; seats: number }>(
      `select r.id, c.code as course, (r.status & ~112)::text as status, (select count(*)::int from registration_slots s where s.registration_id = r.id) as seats
       from registrations r join courses c on c.id = r.course_id where r.student_id = $1 order by c.code`,
      [id],
    )
  const pairs = ({ id }: Student) =>
    w.query(
      'select x.registration_id, x.gives_up_id from registration_exchanges x join registrations r on r.id = x.registration_id where r.student_id = $1',
      [id],
    )
  const [REGISTERED, ASKED, DROPPED] = ['262144', '2097152', '549755813888']
  /** Has MA101 registered, and CS101 as a request in exchange for it; both at one time. */
  const pending = async (options: { day?: number; hours?: boolean } = {}) => {
    const day = options.day ?? 0
    const old = await w.offer('MA101', { quota: 1, day, period: 3 })
    const wanted = await w.offer('CS101', { quota: 1, day, period: 3 })
    const student = await w.student()
    const own = await registered(student, old)
    const place = ok(await join(student.as, wanted, own))
    expect([place.moved, place.keeps]).toEqual([true, true])
    const [asked] = (await rows(student)).filter(({ course }) => course === 'CS101')
    return { student, old, wanted, own, asked: asked!.id }
  }

  test('until then both hold their seats; accepted, the old one is dropped in the same moment', async () => {
    const { student, old, wanted, own, asked } = await pending()
    expect(await rows(student)).toEqual([
      { id: asked, course: 'CS101', status: ASKED, seats: 1 },
      { id: own, course: 'MA101', status: REGISTERED, seats: 1 },
    ])
    expect((await holds(student)).toSorted()).toEqual([old.id, wanted.id].toSorted())
    const seen = ok(await student.as('GET', '/registrations/students/requested-offerings'))
    const [one, other] = seen.registrations
    expect([one.gives_up.course.code, one.given_for, other.gives_up, other.given_for.registration_id]).toEqual([
      'MA101',
      null,
      null,
      asked,
    ])
    // It is offered once, and weighs once.
    expect([seen.load.courses, other.abilities.includes('swap')]).toEqual([1, false])
    expect(reasons(await join(student.as, await w.offer('PH101'), own))).toEqual(['swap_under_way@gives_up_id'])
    ok(await accept(asked))
    expect(await rows(student)).toEqual([
      { id: asked, course: 'CS101', status: REGISTERED, seats: 1 },
      { id: own, course: 'MA101', status: DROPPED, seats: 0 },
    ])
    expect(await pairs(student)).toEqual([])
    expect((await told(student)).slice(-2)).toEqual([
      'registration.notice_swap_requested',
      'registration.notice_swapped',
    ])
    expect(await w.wrongSeats()).toEqual([])
  })

  test('rejected or taken back, it stays as if nothing had been asked', async () => {
    for (const how of ['reject', 'remove'] as const) {
      const { student, own, asked } = await pending()
      if (how === 'reject') ok(await reject(asked, 'full'))
      else await giveBack(student, asked)
      expect(await rows(student)).toEqual([{ id: own, course: 'MA101', status: REGISTERED, seats: 1 }])
      expect(await pairs(student)).toEqual([])
      expect((await told(student)).includes('registration.notice_swap_rejected_reason')).toBe(how === 'reject')
      // And may be offered again.
      ok(await join(student.as, await w.offer('PH101'), own))
      expect((await rows(student)).map(({ course }) => course)).toEqual(['MA101', 'PH101'])
    }
    expect(await w.wrongSeats()).toEqual([])
  })

  test('what was dropped by hand meanwhile is not given up twice, and what comes back is not given up at all', async () => {
    const { student, own, asked } = await pending()
    ok(await drop(student, own))
    ok(await accept(own))
    expect(await pairs(student)).toEqual([])
    ok(await accept(asked))
    ok(await registrar('PUT', '/registrations/students/remove-offering', { registration_ids: [asked], reason: 'x' }))
    ok(
      await registrar('PUT', '/registrations/students/undo-registered-offering', {
        registration_ids: [own],
        reason: 'x',
      }),
    )
    expect(await rows(student)).toEqual([{ id: own, course: 'MA101', status: REGISTERED, seats: 1 }])
  })

  test('asked to drop as well: both are answered at once, each goes once', async () => {
    const { student, own, asked } = await pending()
    ok(await drop(student, own))
    const done = ok(
      await registrar('PUT', '/registrations/students/accept-all-requested-offerings', { student_id: student.id }),
    )
    expect(done).toMatchObject({ failed: [] })
    expect((await rows(student)).map(({ status }) => status)).toEqual([REGISTERED, DROPPED])
    const steps = await w.query('select action from registration_history where registration_id = $1 order by id', [own])
    expect(steps.map((one) => one['action'])).toEqual(['request', 'accept', 'drop', 'accept'])
    expect(asked).toBeGreaterThan(0)
  })

  test.each([
    ['swap_leaving', 'update registrations set status = 8388608 | 16 where id = $1'],
    [
      'swap_control',
      `update offerings set control_status = 'Submitted' where id = (select offering_id from registrations where id = $1)`,
    ],
  ])('%s: the request is not accepted, and nothing changes', async (code, change) => {
    const { student, own, asked } = await pending()
    await w.query(change, [own])
    expect(reasons(await accept(asked))).toEqual([code])
    const all = ok(
      await registrar('PUT', '/registrations/students/accept-all-requested-offerings', { student_id: student.id }),
    )
    expect(all.failed.some((one: { id: number }) => one.id === asked)).toBe(true)
    expect((await rows(student)).find(({ id }) => id === asked)!.status).toBe(ASKED)
    await w.query(`update offerings set control_status = 'Draft' where control_status = 'Submitted'`)
  })

  test('the other course of a pair is not left alone by it', async () => {
    const { student, own, asked } = await pending({ day: 1 })
    await w.windows('register')
    await request(student, await w.offer('EN101', { day: 2, period: 5 }))
    await w.query('insert into course_corequisites (course_id, required_course_id) values ($1, $2)', [
      w.courses.EN101,
      w.courses.MA101,
    ])
    await w.windows('add_drop')
    expect(reasons(await accept(asked))).toEqual(['corequisite_needed'])
    // Also where both are answered in one call: what speaks against one speaks against the other.
    await w.query('update registrations set status = 4194304 | 16 where id = $1', [own])
    const all = ok(
      await registrar('PUT', '/registrations/students/accept-all-requested-offerings', { student_id: student.id }),
    )
    expect(all.failed.map(({ id }: { id: number }) => id)).toEqual(expect.arrayContaining([own, asked]))
    expect((await rows(student)).find(({ id }) => id === asked)!.status).toBe(ASKED)
    await w.query('delete from course_corequisites where course_id = $1', [w.courses.EN101])
    ok(await accept(asked))
  })

  test('a request offered on passes on what it would replace, and the registered course stays', async () => {
    const { student, own, asked } = await pending()
    const third = await w.offer('PH101', { quota: 1, day: 0, period: 3 })
    ok(await join(student.as, third, asked))
    const now = await rows(student)
    expect(now.map(({ course, status }) => [course, status])).toEqual([
      ['MA101', REGISTERED],
      ['PH101', ASKED],
    ])
    expect(await pairs(student)).toEqual([{ registration_id: now[1]!.id, gives_up_id: own }])
    ok(await accept(now[1]!.id))
    expect((await rows(student)).map(({ status }) => status)).toEqual([DROPPED, REGISTERED])
  })

  test('whoever writes: both are not registered', async () => {
    const { asked } = await pending()
    await expect(w.query('update registrations set status = 262144 | 16 where id = $1', [asked])).rejects.toMatchObject(
      { constraint: 'swap_both' },
    )
  })

  test('the heavier of the two weighs, and others clash with both', async () => {
    const { student } = await pending()
    const at = await w.offer('PH101', { day: 0, period: 3 })
    const clash = await student.as('PUT', '/registrations/students/addDrop-offering', {
      action: 'add',
      offerings: [{ offering_id: at.id, offering_slot_ids: at.lectures.slice(0, 1) }],
    })
    expect(reasons(clash)).toEqual(['time_clash'])
    // Two more than the pair are within the limit of courses that four would fill.
    for (const [i, course] of ['PH101', 'EN101', 'HU101'].entries()) {
      const more = await w.offer(course, { day: i + 1, period: 1 })
      ok(
        await student.as('PUT', '/registrations/students/addDrop-offering', {
          action: 'add',
          offerings: [{ offering_id: more.id, offering_slot_ids: more.lectures.slice(0, 1) }],
        }),
      )
    }
    expect(ok(await student.as('GET', '/registrations/students/requested-offerings')).load.courses).toBe(4)
  })

  test('accepted, rejected, taken back and offered on at once: one of the two is always there', async () => {
    for (const round of [0, 1]) {
      const { student, own, asked } = await pending()
      const third = await w.offer('PH101', { quota: 1, day: 0, period: 3 })
      await Promise.all([
        accept(asked),
        round % 2 ? reject(asked) : accept(asked),
        join(student.as, third, asked),
        student.as('PUT', '/registrations/students/remove-offering', { registration_ids: [asked] }),
        drop(student, own),
        registrar('PUT', '/registrations/students/accept-all-requested-offerings', { student_id: student.id }),
      ])
      const left = (await rows(student)).filter(({ status }) => status !== DROPPED)
      // Dropping was asked for as well: with a request that was taken back, nothing is left; never two registered.
      expect(left.filter(({ status }) => status === REGISTERED).length).toBeLessThan(2)
      expect(left.every(({ seats }) => seats === 1)).toBe(true)
    }
    const client = await u.services.pool.connect()
    const found = await checkStored(client).finally(() => client.release())
    expect(found.filter(({ rule }) => ABOUT.test(rule))).toEqual([])
    expect(await w.wrongSeats()).toEqual([])
  })
})

describe('what is offered changes meanwhile', () => {
  const ends: [string, (own: number, student: Student, old: Offering) => Promise<unknown>, string][] = [
    ['taken back', (own, student) => giveBack(student, own), 'gone'],
    ['withdrawn', (own) => w.query('update registrations set status = 1024 | 16 where id = $1', [own]), 'gone'],
    [
      'submitted to control',
      (_own, _student, old) => w.query(`update offerings set control_status = 'Submitted' where id = $1`, [old.id]),
      'control',
    ],
    [
      'marked',
      async (own, _student, old) => {
        const [category] = await w
          .query<{ id: number }>(
            `insert into mark_categories (bylaw_id, code, name, name_local, max) values ($1, 'M' || $2::text, 'M', 'م', 100) returning id`,
            [w.bylaw, own],
          )
          .catch(() =>
            w.query<{ id: number }>(
              `insert into mark_categories (code, name, name_local) values ('M' || $1::text, 'M', 'م') returning id`,
              [own],
            ),
          )
        const [mark] = await w.query<{ id: number }>(
          'insert into offering_marks (offering_id, mark_category_id, max) values ($1, $2, 100) returning id',
          [old.id, category!.id],
        )
        await w.query('insert into registration_marks (registration_id, offering_mark_id, mark) values ($1, $2, 50)', [
          own,
          mark!.id,
        ])
      },
      'graded',
    ],
  ]
  test.each(ends)('%s: the exchange ends, and the student is told', async (_name, change, reason) => {
    const wanted = await full('CS101')
    const student = await w.student()
    const old = await w.offer('MA101')
    const own = await request(student, old)
    ok(await join(student.as, wanted.offering, own))
    await change(own, student, old)
    await giveBack(wanted.holder, wanted.registration)
    // Whichever comes first, the queue or the look after what is offered.
    if (reason === 'gone') await run(wanted.offering)
    else await endExchanges(system())
    expect(await state(student)).toEqual({ state: 'ended', end_reason: reason })
    expect((await holds(student)).includes(wanted.offering.id)).toBe(false)
    expect(await told(student)).toContain(`registration.notice_swap_ended_${reason}`)
    expect(await w.wrongSeats()).toEqual([])
    await w.query(`delete from registration_marks where registration_id = $1`, [own])
    await w.query(`update offerings set control_status = 'Draft' where id = $1`, [old.id])
    if (_name === 'withdrawn') await w.query(`update registrations set status = 1048576 | 16 where id = $1`, [own])
  })

  test('a course that must not stand alone keeps the seat', async () => {
    await w.query('insert into course_corequisites (course_id, required_course_id) values ($1, $2)', [
      w.courses.EN101,
      w.courses.MA101,
    ])
    const student = await w.student()
    const old = await w.offer('MA101', { day: 1, period: 5 })
    const own = await request(student, old)
    await request(student, await w.offer('EN101', { day: 2, period: 5 }))
    const wanted = await full('CS101', { day: 3, period: 5 })
    ok(await join(student.as, wanted.offering, own))
    await giveBack(wanted.holder, wanted.registration)
    expect(await run(wanted.offering)).toBe(0)
    expect((await holds(student)).includes(old.id)).toBe(true)
    await w.query('delete from course_corequisites where course_id = $1', [w.courses.EN101])
  })
})

describe('a ring', () => {
  const ringOf = async (courses: string[]) => {
    const seats = []
    for (const [i, course] of courses.entries()) seats.push(await full(course, { day: i, period: 6 }))
    for (const [i, { holder, registration }] of seats.entries())
      ok(await join(holder.as, seats[(i + 1) % seats.length]!.offering, registration))
    return seats
  }
  test.each([[['MA101', 'CS101']], [['MA101', 'CS101', 'PH101']]])(
    'of %j: each gets the seat of the next, at two servers at once',
    async (courses) => {
      const seats = await ringOf(courses)
      const moved = await Promise.all([
        resolveRings(system(), wakeWaitList),
        resolveRings(system(), wakeWaitList),
        ...seats.map(({ offering }) => run(offering)),
      ])
      expect(moved[0] + moved[1]).toBe(courses.length)
      for (const [i, { holder }] of seats.entries())
        expect(await holds(holder)).toEqual([seats[(i + 1) % seats.length]!.offering.id])
      expect(await w.wrongSeats()).toEqual([])
    },
  )

  test('passes nobody over: the first of a queue gets the seat', async () => {
    const [one, two] = [await full('MA101', { day: 1, period: 3 }), await full('CS101', { day: 2, period: 3 })]
    const before = await w.student()
    ok(await join(before.as, two.offering, null))
    ok(await join(one.holder.as, two.offering, one.registration))
    ok(await join(two.holder.as, one.offering, two.registration))
    expect(await resolveRings(system(), wakeWaitList)).toBe(0)
    // Who cannot have it at all stands in nobody's way.
    await w.query('update students set blocked_at = now() where id = $1', [before.id])
    expect(await resolveRings(system(), wakeWaitList)).toBe(2)
    expect([await holds(one.holder), await holds(two.holder)]).toEqual([[two.offering.id], [one.offering.id]])
  })

  test('two groups of one offering change hands', async () => {
    const offering = await w.offer('MA101', { groups: 2, quota: 1, day: 0, period: 1 })
    const [a, b] = [await w.student(), await w.student()]
    const [ra, rb] = [
      await request(a, offering, [offering.lectures[0]!]),
      await request(b, offering, [offering.lectures[1]!]),
    ]
    ok(await join(a.as, offering, ra, { offering_slot_ids: [offering.lectures[1]] }))
    ok(await join(b.as, offering, rb, { offering_slot_ids: [offering.lectures[0]] }))
    expect(await resolveRings(system(), wakeWaitList)).toBe(2)
    const at = (id: number) =>
      w.query('select offering_slot_id as id from registration_slots where registration_id = $1', [id])
    expect([await at(ra), await at(rb)]).toEqual([[{ id: offering.lectures[1] }], [{ id: offering.lectures[0] }]])
    expect(await w.wrongSeats()).toEqual([])
  })
})

describe('a ring of what is registered', () => {
  const registeredIn = async (course: string, day: number) => {
    const offering = await w.offer(course, { quota: 1, day, period: 5 })
    const holder = await w.student()
    await w.windows('register')
    const registration = await request(holder, offering)
    ok(
      await registrar('PUT', '/registrations/students/accept-requested-offering', { registration_ids: [registration] }),
    )
    await w.windows('add_drop')
    return { offering, holder, registration }
  }
  const answer = (as: Caller, id: number, body: object) =>
    as('PUT', `/registrations/students/wait-list/answer/${id}`, body)

  test('is made once both exchanges were agreed to, and not before', async () => {
    const [one, two] = [await registeredIn('MA101', 1), await registeredIn('CS101', 2)]
    const a = ok(await join(one.holder.as, two.offering, one.registration))
    const b = ok(await join(two.holder.as, one.offering, two.registration))
    expect([a.answer, a.moved, b.answer]).toEqual(['waits', false, 'waits'])
    expect(await resolveRings(system(), wakeWaitList)).toBe(0)
    expect((await answer(one.holder.as, a.id, { accept: true })).status).toBe(403)
    ok(await answer(registrar, a.id, { accept: true }))
    expect(await resolveRings(system(), wakeWaitList)).toBe(0)
    ok(await answer(registrar, b.id, { accept: true }))
    expect(reasons(await answer(registrar, b.id, { accept: true }))).toEqual(['swap_needs_no_answer'])
    expect(await resolveRings(system(), wakeWaitList)).toBe(2)
    const states = await w.query(
      `select s.id, o.id as offering, (r.status & ~112)::text as status from registrations r join students s on s.id = r.student_id
       join offerings o on o.id = r.offering_id where s.id = any ($1) order by s.id, r.status`,
      [[one.holder.id, two.holder.id]],
    )
    const [REGISTERED, DROPPED] = ['262144', '549755813888']
    expect(states).toEqual([
      { id: one.holder.id, offering: two.offering.id, status: REGISTERED },
      { id: one.holder.id, offering: one.offering.id, status: DROPPED },
      { id: two.holder.id, offering: one.offering.id, status: REGISTERED },
      { id: two.holder.id, offering: two.offering.id, status: DROPPED },
    ])
    expect(await w.wrongSeats()).toEqual([])
  })

  test('agreed to, a seat that comes free is had at once; refused, the place ends and the course stays', async () => {
    const [one, two] = [await registeredIn('MA101', 1), await registeredIn('CS101', 2)]
    const place = ok(await join(one.holder.as, two.offering, one.registration))
    ok(await answer(registrar, place.id, { accept: false, reason: 'needs MA101 first' }))
    expect(await state(one.holder)).toEqual({ state: 'ended', end_reason: 'refused' })
    expect((await told(one.holder)).at(-1)).toBe('registration.notice_swap_ended_refused_reason')
    expect(reasons(await answer(registrar, place.id, { accept: true }))).toEqual(['state_not_allowed'])
    const again = ok(await join(one.holder.as, two.offering, one.registration))
    ok(await answer(registrar, again.id, { accept: true }))
    ok(
      await registrar('PUT', '/registrations/students/remove-offering', {
        registration_ids: [two.registration],
        reason: 'x',
      }),
    )
    expect(await run(two.offering)).toBe(1)
    expect(await holds(one.holder)).toEqual([two.offering.id])
    // What gives up nothing that is registered needs no answer.
    const waiter = await w.student()
    const plain = ok(await join(waiter.as, two.offering, null))
    expect(plain.answer).toBeNull()
    expect(reasons(await answer(registrar, plain.id, { accept: true }))).toEqual(['swap_needs_no_answer'])
  })
})

describe('seats of several', () => {
  test('who needs the lecture of one and the lab of another gets both, and all three are moved at once', async () => {
    const offering = await w.offer('MA101', { quota: 1, lab: true, day: 0, period: 0 })
    const extra = async (type: string, day: number) =>
      (
        await w.query<{ id: number }>(
          `insert into offering_slots (offering_id, term_id, group_id, type, day, slot_id, quota)
           select offering_id, term_id, group_id, $2, $3, slot_id, 1 from offering_slots where id = $1 returning id`,
          [offering.lectures[0], type, day],
        )
      )[0]!.id
    const [L1, K1] = [offering.lectures[0]!, offering.labs[0]!]
    const [L2, L3] = [await extra('Lecture', 1), await extra('Lecture', 2)]
    const [K2, K3] = [await extra('Lab', 4), await extra('Lab', 5)]
    const [a, b, c] = [await w.student(), await w.student(), await w.student()]
    const own = [
      await request(a, offering, [L2, K2]),
      await request(b, offering, [L1, K3]),
      await request(c, offering, [L3, K1]),
    ]
    ok(await join(a.as, offering, own[0]!, { offering_slot_ids: [L1, K1] }))
    ok(await join(b.as, offering, own[1]!, { offering_slot_ids: [L2, K3] }))
    expect(await resolveRings(system(), wakeWaitList)).toBe(0)
    ok(await join(c.as, offering, own[2]!, { offering_slot_ids: [L3, K2] }))
    const moved = await Promise.all([resolveRings(system(), wakeWaitList), resolveRings(system(), wakeWaitList)])
    expect(moved[0] + moved[1]).toBe(3)
    const at = async (id: number) =>
      (
        await w.query<{ id: number }>(
          'select offering_slot_id as id from registration_slots where registration_id = $1 order by 1',
          [id],
        )
      ).map((row) => row.id)
    expect([await at(own[0]!), await at(own[1]!), await at(own[2]!)]).toEqual([
      [L1, K1].toSorted((x, y) => x - y),
      [L2, K3].toSorted((x, y) => x - y),
      [L3, K2].toSorted((x, y) => x - y),
    ])
    expect(await w.wrongSeats()).toEqual([])
  })

  test('the set is closed, keeps the order of the queues, and passes nobody over', () => {
    const place = (id: number, wants: number[], frees: number[]): RingPlace => ({ id, wants, frees })
    const none = () => false
    const ids = (places: RingPlace[], room = none as (slot: number) => boolean, only: number[] = []) =>
      closedSet(places, room, new Set(only)).map((one) => one.id)
    const [a, b, c] = [place(1, [11, 21], [12, 22]), place(2, [12], [11]), place(3, [22], [21])]
    expect(ids([a, b, c])).toEqual([1, 2, 3])
    expect(ids([a, b])).toEqual([])
    // A seat that is wanted twice goes to the first; the other stays out with what it would give.
    expect(ids([a, b, c, place(4, [12], [31])])).toEqual([1, 2, 3])
    expect(ids([a, place(0, [12], [31]), b, c])).toEqual([])
    // Who only waits takes the seat before, and the set comes apart.
    expect(ids([place(9, [11], []), a, b, c], none, [9])).toEqual([])
    expect(ids([a, b, c, place(9, [11], [])], none, [9])).toEqual([1, 2, 3])
    // Where there is a seat for each, it is none of those who exchange.
    const more = [place(9, [11], []), place(1, [11, 21], [12, 22, 13]), b, c, place(7, [13], [11])]
    expect(ids(more, none, [9])).toEqual([1, 2, 3, 7])
    // What has room is had without anybody.
    expect(ids([a, b], (slot) => slot === 21)).toEqual([1, 2])
    expect(exchangePartsOf([a, b, c, place(5, [51], [52]), place(6, [52], [51])]).map((part) => part.length)).toEqual([
      3, 2,
    ])
  })
})

/** What the independent checker looks at here; states that these tests write past the program are none of it. */
const ABOUT = /exchange|seats|queue|meeting|course once/

describe('a rush of exchanges', () => {
  test('forty students who exchange, give back and ask at once: never both seats, never none', async () => {
    const COURSES = ['MA101', 'CS101', 'PH101', 'EN101']
    const offerings: Offering[] = []
    for (const [i, course] of COURSES.entries()) offerings.push(await w.offer(course, { quota: 10, day: i, period: 0 }))
    const students: { one: Student; own: number; at: number }[] = []
    for (let i = 0; i < 40; i++) {
      const one = await w.student()
      students.push({ one, at: i % 4, own: await request(one, offerings[i % 4]!) })
    }
    const extra = await Promise.all(Array.from({ length: 6 }, () => w.student()))
    await Promise.all([
      ...students.map(({ one, own, at }, i) => join(one.as, offerings[(at + 1 + (i % 3)) % 4]!, own)),
      ...extra.map((one, i) => join(one.as, offerings[i % 4]!, null)),
      ...students
        .slice(36)
        .map(({ one, own }) => one.as('PUT', '/registrations/students/remove-offering', { registration_ids: [own] })),
      ...offerings.map((offering) => run(offering)),
      resolveRings(system(), wakeWaitList),
    ])
    await endExchanges(system())
    for (let i = 0; i < 4; i++) {
      await Promise.all(offerings.map((offering) => run(offering)))
      await Promise.all([resolveRings(system(), wakeWaitList), resolveRings(system(), wakeWaitList)])
    }
    for (const { one } of students.slice(0, 36)) expect(await holds(one)).toHaveLength(1)
    const moved = await w.query<{ n: number }>(
      `select count(*)::int as n from wait_list where state = 'moved' and student_id = any ($1)`,
      [students.map(({ one }) => one.id)],
    )
    expect(moved[0]!.n).toBeGreaterThan(10)
    const client = await u.services.pool.connect()
    const found = await checkStored(client).finally(() => client.release())
    expect(found.filter(({ rule }) => ABOUT.test(rule))).toEqual([])
    expect(await w.wrongSeats()).toEqual([])
  })
})

describe('the rule', () => {
  const given: GivenUp = {
    main: 'RegisterRequest',
    control_status: 'Draft',
    graded: false,
    by_block: false,
    same_course: false,
  }
  test.each<[Partial<GivenUp> | null, ('register' | 'add_drop')[], object | null]>([
    [{}, ['register'], null],
    [{}, ['add_drop'], { waits: 'stage', stage: 'register' }],
    [{ main: 'AddRequest' }, ['add_drop'], null],
    [{ main: 'Registered' }, ['register'], { waits: 'stage', stage: 'add_drop' }],
    [{ main: 'Registered' }, ['add_drop'], null],
    [{ main: 'Registered', same_course: true }, ['register'], null],
    [{ main: 'WithdrawRequest' }, ['add_drop'], { waits: 'pending' }],
    [{ main: 'Registered', under_way: true }, ['add_drop'], { waits: 'under_way' }],
    [{ main: 'Withdrawn' }, ['add_drop'], { ends: 'gone' }],
    [null, ['add_drop'], { ends: 'gone' }],
    [{ control_status: 'Frozen' }, ['register'], { ends: 'control' }],
    [{ graded: true }, ['register'], { ends: 'graded' }],
    [{ by_block: true }, ['register'], { ends: 'block' }],
  ])('%j while %j is open: %j', (change, open, expected) => {
    expect(exchangeProblem(change && { ...given, ...change }, open)).toEqual(expected)
  })

  test('a request is taken back, what was registered is dropped, a course stays', () => {
    expect(afterExchange({ main: 'RegisterRequest', same_course: false })).toBe('removed')
    expect(afterExchange({ main: 'Registered', same_course: false })).toBe('Dropped')
    expect(afterExchange({ main: 'Registered', same_course: true })).toBe('stays')
  })

  test.each<[MainFlag, boolean, MainFlag, boolean]>([
    ['Registered', false, 'AddRequest', true],
    ['Registered', false, 'RegisterRequest', true],
    ['Registered', false, 'Registered', false],
    ['Registered', true, 'AddRequest', false],
    ['RegisterRequest', false, 'AddRequest', false],
    ['AddRequest', false, 'AddRequest', false],
  ])('%s (same course %j) for %s: stays until it is answered: %j', (main, same_course, gets, stays) => {
    expect(staysUntilAnswered({ main, same_course }, gets)).toBe(stays)
  })

  test.each<[Partial<GivenUp> | null, object | string]>([
    [{ main: 'Registered' }, 'gives_up'],
    [{ main: 'DropRequest' }, 'gives_up'],
    [{ main: 'WithdrawRequest' }, { refused: 'swap_leaving' }],
    [{ main: 'ExcuseRequest' }, { refused: 'swap_leaving' }],
    [{ main: 'Registered', control_status: 'Submitted' }, { refused: 'swap_control' }],
    [{ main: 'Registered', graded: true }, { refused: 'swap_graded' }],
    [{ main: 'Registered', by_block: true }, { refused: 'swap_block' }],
    [{ main: 'Dropped', control_status: 'Frozen', graded: true }, 'alone'],
    [{ main: 'Banned' }, 'alone'],
    [null, 'alone'],
  ])('accepting while %j is what was offered: %j', (change, expected) => {
    expect(givenOnAnswer(change && { ...given, ...change })).toEqual(expected)
  })

  test('of two that are exchanged the heavier weighs', () => {
    const [a, b, c] = [
      { id: 1, credit_hours: 300 },
      { id: 2, credit_hours: 200, gives_up_id: 1 },
      { id: 3, credit_hours: 400, gives_up_id: null },
    ]
    expect(weighing([a, b, c])).toEqual([a, c])
    expect(weighing([a, { ...b, credit_hours: 400 }, c])).toEqual([{ ...b, credit_hours: 400 }, c])
    expect(weighing([{ ...a, credit_hours: 200 }, b])).toEqual([b])
    // Not known by an id: nothing is taken for a pair.
    expect(weighing([{ id: 0, credit_hours: 300 }, { credit_hours: 300 }])).toHaveLength(2)
    // What is given up is gone: the request weighs by itself.
    expect(weighing([b, c])).toEqual([b, c])
  })

  test('a ring is found where each gives to the next, and its tail stays out', async () => {
    const place = (id: number): RingPlace => ({ id, wants: [id], frees: [id + 1] })
    const all = [1, 2, 3, 4].map(place)
    const to: Record<number, number> = { 1: 2, 2: 3, 3: 4, 4: 2 }
    const next = async ({ id }: RingPlace) => all.find((one) => one.id === to[id]) ?? null
    expect((await ringFrom(all[0]!, next, 9))?.map((one) => one.id)).toEqual([2, 3, 4])
    expect(await ringFrom(all[0]!, async () => null, 9)).toBeNull()
    expect(suffices({ id: 1, wants: [], frees: [5] }, [5, 6], (slot) => slot === 6)).toBe(true)
    expect(suffices({ id: 1, wants: [], frees: [5] }, [5, 6], () => false)).toBe(false)
    expect(suffices({ id: 1, wants: [], frees: [5] }, [6], () => true)).toBe(false)
  })
})
