import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { SHARED_OUT } from '#tests/share.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { offeringsServer } from '#areas/study/offerings/offerings.server.ts'
import { createLog } from '#kit/server/base/log.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { openUniversity, type University } from '../../../../apps/server/assemble.ts'
import { registrationServer } from '../registration.server.ts'
import { flag, mainOf } from '#areas/common/academics/status.rules.ts'
import { expireWaiting, makeRoom, moveWaiting, waitListClock } from './queue.server.ts'

let u: TestUniversity
let w: RegistrationWorld
let registrar: Caller
type Student = Awaited<ReturnType<RegistrationWorld['student']>>
type Offering = Awaited<ReturnType<RegistrationWorld['offer']>>
const AREAS = [catalogueServer, offeringsServer, registrationServer]

const request = (who: Caller, offering: Offering, slots = offering.lectures.slice(0, 1), more: object = {}) =>
  who('PUT', '/registrations/students/request-offering', {
    offerings: [{ offering_id: offering.id, offering_slot_ids: slots }],
    ...more,
  })
const join = (who: Caller, offering: { id: number; lectures: number[] }, slots = offering.lectures.slice(0, 1)) =>
  who('PUT', '/registrations/students/wait-list', { offering_id: offering.id, offering_slot_ids: slots })
const giveBack = (who: Caller, registration: number) =>
  who('PUT', '/registrations/students/remove-offering', { registration_ids: [registration] })
const run = (offering: { id: number }) => moveWaiting(asSystem(u.services, 'test'), offering.id)
const seats = async (slot: number) =>
  (
    await w.query<{ quota: number; taken: number; waiting: number; held: number }>(
      'select quota, taken, waiting, held from offering_slots where id = $1',
      [slot],
    )
  )[0]!
const places = (offering: { id: number }) =>
  w.query<{ student_id: number; state: string }>(
    'select student_id, state from wait_list where offering_id = $1 order by id',
    [offering.id],
  )
const jobs = () => w.query(`select id from jobs where name = 'registration-wait-list'`)
const several = (count: number) => Promise.all(Array.from({ length: count }, () => w.student()))

/** A full offering of one group, those who hold its seats, and those who wait. */
async function fullOffering(quota: number, waiting: number, options: { over?: number } = {}) {
  const offering = await w.offer('MA101', { quota, ...options })
  const holders: { student: Student; registration: number }[] = []
  for (const student of await several(quota)) {
    const [made] = ok(await request(student.as, offering))
    holders.push({ student, registration: made.id })
  }
  const queue: Student[] = []
  for (const student of await several(waiting)) {
    ok(await join(student.as, offering))
    queue.push(student)
  }
  return { offering, slot: offering.lectures[0]!, holders, queue }
}

beforeAll(async () => {
  u = await testUniversity(AREAS)
  w = await registrationWorld(u)
  registrar = await u.as('registrar')
})
afterAll(() => u.close())
beforeEach(async () => {
  await w.windows('register')
  await w.query('delete from jobs')
})

describe('a queue', () => {
  test('is left by who waits in it, once', async () => {
    const { offering, queue } = await fullOffering(1, 1)
    const [place] = await w.query<{ id: number }>('select id from wait_list where offering_id = $1', [offering.id])
    const leave = (who: Caller) => who('DELETE', `/registrations/students/wait-list/${place!.id}`)
    expect((await leave((await w.student()).as)).status).toBe(404)
    ok(await leave(queue[0]!.as))
    const again = await leave(queue[0]!.as)
    expect([again.status, reasons(again)]).toEqual([409, ['state_not_allowed']])
    expect(await places(offering)).toMatchObject([{ state: 'left' }])
  })

  test('is joined when full; the first who still satisfies the rules is moved and told', async () => {
    const offering = await w.offer('MA101', { quota: 1 })
    const [holder, first, second] = [await w.student(), await w.student(), await w.student()]
    expect(reasons(await join(first.as, offering))).toEqual(['wait_not_full'])
    const [held] = ok(await request(holder.as, offering))
    expect(ok(await join(first.as, offering))).toMatchObject({ position: 1 })
    const place = ok(await join(second.as, offering))
    expect(place).toMatchObject({ position: 2, course: { code: 'MA101' } })
    expect(reasons(await join(second.as, offering))).toEqual(['wait_already'])
    expect((await first.as('DELETE', `/registrations/students/wait-list/${place.id}`)).status).toBe(404)
    // The first no longer satisfies the rules when the seat is freed.
    await w.query('update students set blocked_at = now() where id = $1', [first.id])
    ok(await giveBack(holder.as, held.id))
    expect(await jobs()).toHaveLength(1)
    const moved = await Promise.all([run(offering), run(offering)])
    expect(moved.reduce((sum, n) => sum + n)).toBe(1)
    const seen = ok(await second.as('GET', '/registrations/students/requested-offerings'))
    expect([seen.waiting, seen.registrations[0].state]).toEqual([[], 'RegisterRequest'])
    expect(await w.query('select key from notifications where user_id = $1', [second.user_id])).toEqual([
      { key: 'registration.notice_moved' },
    ])
    const [step] = ok(await second.as('GET', `/registrations/${seen.registrations[0].id}/steps`))
    expect(step).toMatchObject({ action: 'move', from_state: null, to_state: 'RegisterRequest', by: null })
    expect(ok(await first.as('GET', '/registrations/students/requested-offerings')).waiting).toMatchObject([
      { position: 1 },
    ])
    expect(await w.wrongSeats()).toEqual([])
  })

  test('moves with the clock where no job has come for it', async () => {
    const { offering, slot, holders, queue } = await fullOffering(1, 2)
    ok(await giveBack(holders[0]!.student.as, holders[0]!.registration))
    await w.query('delete from jobs')
    expect(await seats(slot)).toMatchObject({ taken: 0, held: 1, waiting: 2 })
    const tick = Object.assign(async () => {}, { signal: new AbortController().signal })
    const { moved } = await waitListClock.run(asSystem(u.services, 'test'), {}, tick)
    expect(moved).toBeGreaterThan(0)
    expect(await seats(slot)).toMatchObject({ taken: 1, held: 0, waiting: 1 })
    expect(await places(offering)).toMatchObject([
      { student_id: queue[0]!.id, state: 'moved' },
      { student_id: queue[1]!.id, state: 'waiting' },
    ])
  })

  test('has the seat from the moment it is given back: nobody else gets it, whoever writes', async () => {
    const { offering, slot, holders, queue } = await fullOffering(2, 2, { over: 2 })
    const other = await w.student()
    ok(await giveBack(holders[0]!.student.as, holders[0]!.registration))
    expect(await seats(slot)).toMatchObject({ taken: 1, held: 1, waiting: 2 })
    expect(reasons(await request(other.as, offering))).toEqual(['slot_full'])
    expect(reasons(await request(registrar, offering, [slot], { student_id: other.id }))).toEqual(['slot_full'])
    const bulk = ok(
      await registrar('POST', '/registrations/enroll_students', { offering_id: offering.id, student_ids: [other.id] }),
    )
    expect(bulk).toMatchObject({ done: [], failed: [{ id: other.id, errors: [{ code: 'slot_full' }] }] })
    // By hand, past the program.
    const written = w.query(
      `with r as (insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours)
         select $1, id, term_id, course_id, 1048592, 3 from offerings where id = $2 returning id)
       insert into registration_slots (registration_id, offering_slot_id) select id, $3 from r`,
      [other.id, offering.id, slot],
    )
    await expect(written).rejects.toMatchObject({ code: '23514', table: expect.stringMatching('_slots') })
    const looked = ok(await other.as('GET', '/registrations/students/available-offerings'))
    expect(looked.offerings.find((one: { id: number }) => one.id === offering.id)).toMatchObject({
      waiting: 2,
      slots: [{ free: 0 }],
    })
    expect(await run(offering)).toBe(1)
    expect(await places(offering)).toEqual([
      { student_id: queue[0]!.id, state: 'moved' },
      { student_id: queue[1]!.id, state: 'waiting' },
    ])
    expect(await seats(slot)).toMatchObject({ taken: 2, held: 0, waiting: 1 })
    expect(await w.wrongSeats()).toEqual([])
  })

  test.each(['edited', 'generated again', 'raised by hand'])(
    'gets the seats of an offering that is %s',
    async (way) => {
      const { offering, slot, queue } = await fullOffering(2, 3, { over: 3 })
      if (way === 'edited') {
        const [meeting] = await w.query(
          `select s.id, g.number as "group", s.type, s.day, s.slot_id, s.over_quota from offering_slots s join offering_groups g on g.id = s.group_id where s.id = $1`,
          [slot],
        )
        ok(
          await registrar('PUT', `/offerings/${offering.id}`, {
            slots: [{ ...meeting, quota: 4, instructor_ids: [] }],
          }),
        )
      } else await w.query('update offering_slots set quota = 4 where id = $1', [slot])
      if (way === 'generated again') {
        await w.query('update courses set lecture_hours = 1 where id = $1', [w.courses.MA101])
        ok(await registrar('PUT', `/offerings/generate-slots/${offering.id}`, { groups: 1, quota: 4, over_quota: 3 }))
      }
      expect(await seats(slot)).toMatchObject({ quota: 4, taken: 2, held: 2, waiting: 3 })
      expect(await jobs()).toHaveLength(way === 'raised by hand' ? 0 : 1)
      expect(reasons(await request((await w.student()).as, offering))).toEqual(['slot_full'])
      expect(await run(offering)).toBe(2)
      // The queue has the quota, never the places above it.
      expect((await places(offering)).map((one) => one.state)).toEqual(['moved', 'moved', 'waiting'])
      expect(await seats(slot)).toMatchObject({ taken: 4, held: 0, waiting: 1 })
      expect(queue).toHaveLength(3)
      expect(await w.wrongSeats()).toEqual([])
    },
  )

  test('loses who gets in another way, at once', async () => {
    const { offering, slot, holders, queue } = await fullOffering(2, 2, { over: 3 })
    ok(await giveBack(holders[0]!.student.as, holders[0]!.registration))
    expect(await seats(slot)).toMatchObject({ held: 1, waiting: 2 })
    ok(await request(registrar, offering, [slot], { student_id: queue[0]!.id, over_quota: true }))
    expect(await places(offering)).toMatchObject([{ state: 'left' }, { state: 'waiting' }])
    expect(await seats(slot)).toMatchObject({ held: 1, waiting: 1 })
    expect(await run(offering)).toBe(1)
    expect(await places(offering)).toMatchObject([{ state: 'left' }, { state: 'moved' }])
    expect(await w.wrongSeats()).toEqual([])
  })

  test('lets go what nobody in it can use, and has it again when registration opens again', async () => {
    const { offering, slot, holders, queue } = await fullOffering(2, 2)
    await w.query('update students set blocked_at = now() where id = any ($1)', [queue.map((one) => one.id)])
    ok(await giveBack(holders[0]!.student.as, holders[0]!.registration))
    expect((await seats(slot)).held).toBe(1)
    expect(await run(offering)).toBe(0)
    expect(await seats(slot)).toMatchObject({ taken: 1, held: 0, waiting: 2 })
    await w.query('update students set blocked_at = null where id = any ($1)', [queue.map((one) => one.id)])
    ok(await registrar('POST', '/offerings/update_status_bulk', { ids: [offering.id], is_open: false }))
    ok(await registrar('POST', '/offerings/update_status_bulk', { ids: [offering.id], is_open: true }))
    expect(await seats(slot)).toMatchObject({ taken: 1, held: 1, waiting: 2 })
    expect(await run(offering)).toBe(1)
    expect(await places(offering)).toMatchObject([{ state: 'moved' }, { state: 'waiting' }])
    expect(await w.wrongSeats()).toEqual([])
  })

  test('keeps the seat of a student whose window is still to come', async () => {
    const { offering, slot, holders, queue } = await fullOffering(1, 2)
    await w.windows()
    await w.query(
      `insert into term_stages (term_id, stage_code_id, starts_at, ends_at)
       select $1, id, now() + interval '1 day', now() + interval '2 days' from stage_codes where code = 'add_drop'`,
      [w.term],
    )
    await w.query('delete from registrations where id = $1', [holders[0]!.registration])
    expect(await run(offering)).toBe(0)
    expect(await seats(slot)).toMatchObject({ taken: 0, held: 1, waiting: 2 })
    await w.windows('add_drop')
    expect(await run(offering)).toBe(1)
    const [made] = await w.query<{ status: string }>(
      'select status::text from registrations where offering_id = $1 and student_id = $2',
      [offering.id, queue[0]!.id],
    )
    expect(mainOf(BigInt(made!.status))).toBe('AddRequest')
    expect(await w.wrongSeats()).toEqual([])
  })

  test('the windows of a place in the queue are those of the level that is out', async () => {
    const { offering, queue } = await fullOffering(1, 1)
    const [one] = queue
    const [{ shown }] = (await w.query<{ shown: number }>(
      'select level as shown from shown_standing where student_id = $1',
      [one!.id],
    )) as [{ shown: number }]
    const [group] = await w.query<{ id: number }>(
      `insert into stage_groups (code, name, name_local, level) values ('SHOWN', 'Shown', 'معلن', $1) returning id`,
      [shown + 1],
    )
    // The window of all is over; the one that is open belongs to a level that nobody was told of yet.
    await w.query(
      `with made as (insert into term_stages (term_id, stage_code_id, stage_group_id, starts_at, ends_at)
         select term_id, stage_code_id, $1, now() - interval '1 day', now() + interval '1 day' from term_stages limit 1 returning id)
       update term_stages set starts_at = now() - interval '2 days', ends_at = now() - interval '1 minute'`,
      [group!.id],
    )
    await w.query(
      `with finished as (insert into student_terms (student_id, term_id, registered_hours, attempted_hours, passed_hours, term_points,
           cumulative_hours, cumulative_passed_hours, cumulative_points, level, standing, revised_since)
         values ($1, $2, 3, 3, 3, 6, 3, 3, 6, $4, 'good', now()) returning student_id)
       update students s set level = $4, entry_standing = jsonb_build_object('level', $3::int) from finished f where s.id = f.student_id`,
      [one!.id, w.pastTerm, shown, shown + 1],
    )
    expect(await expireWaiting(asSystem(u.services, 'test'))).toBeGreaterThan(0)
    expect(await places(offering)).toMatchObject([{ state: 'expired' }])
  })

  test('loses those who can never be moved, and all when the windows of the term are over', async () => {
    const { offering, slot, holders, queue } = await fullOffering(1, 3)
    const [elsewhere, passed, last] = queue
    ok(await request(elsewhere!.as, await w.offer('MA101', { quota: 5, day: 5, period: 6 })))
    await w.query(
      `insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours, letter, points, passed, counts_in_gpa)
       select $1, id, term_id, course_id, 262160, 3, 'C', 2, true, true from offerings where term_id = $2 and course_id = $3`,
      [passed!.id, w.pastTerm, w.courses.MA101],
    )
    await w.query('update students set blocked_at = now() where id = $1', [last!.id])
    ok(await giveBack(holders[0]!.student.as, holders[0]!.registration))
    expect(await run(offering)).toBe(0)
    expect(await places(offering)).toMatchObject([{ state: 'left' }, { state: 'left' }, { state: 'waiting' }])
    expect(await seats(slot)).toMatchObject({ held: 0, waiting: 1 })
    const system = asSystem(u.services, 'test')
    expect(await expireWaiting(system)).toBe(0)
    await w.query(`update term_stages set starts_at = now() - interval '2 days', ends_at = now() - interval '1 minute'`)
    expect(await expireWaiting(system)).toBeGreaterThan(0)
    expect((await places(offering)).at(-1)).toMatchObject({ state: 'expired' })
    expect(await w.query('select key from notifications where user_id = $1', [last!.user_id])).toEqual([
      { key: 'registration.notice_wait_expired' },
    ])
    expect(await seats(slot)).toMatchObject({ held: 0, waiting: 0 })
    expect(await w.wrongSeats()).toEqual([])
  })

  test('who waits to improve a grade says so, and nobody else improves one by waiting', async () => {
    const offering = await w.offer('MA101', { quota: 1 })
    const [made] = ok(await request((await w.student()).as, offering))
    const better = await w.student({ passed: ['MA101'] })
    expect(reasons(await join(better.as, offering))).toEqual(['already_passed'])
    ok(
      await better.as('PUT', '/registrations/students/wait-list', {
        offering_id: offering.id,
        offering_slot_ids: offering.lectures,
        improve: true,
      }),
    )
    ok(
      await registrar('POST', `/registrations/delete_registrations/${offering.id}`, {
        student_ids: [
          (await w.query<{ student_id: number }>('select student_id from registrations where id = $1', [made.id]))[0]!
            .student_id,
        ],
        reason: 'Registered by mistake',
      }),
    )
    expect(await run(offering)).toBe(1)
    const [row] = await w.query<{ status: string }>(
      'select status::text from registrations where student_id = $1 and offering_id = $2',
      [better.id, offering.id],
    )
    expect(BigInt(row!.status) & flag.Improve).toBe(flag.Improve)
  })

  test('of linked offerings is one queue', async () => {
    const { offering, slot, holders, queue } = await fullOffering(1, 1)
    const linked = await w.offer('CS101', { quota: 1 })
    await w.query('delete from offering_slots where offering_id = $1', [linked.id])
    await w.query('update offerings set linked_offering_id = $1 where id = $2', [offering.id, linked.id])
    const second = await w.student()
    expect(ok(await join(second.as, { id: linked.id, lectures: [slot] }))).toMatchObject({ position: 2 })
    const looked = ok(await second.as('GET', '/registrations/students/available-offerings'))
    expect(looked.offerings.find((one: { id: number }) => one.id === linked.id)).toMatchObject({
      waiting: 2,
      wait_position: 2,
    })
    ok(await giveBack(holders[0]!.student.as, holders[0]!.registration))
    expect(await run(offering)).toBe(1)
    expect(await places(linked)).toMatchObject([{ state: 'waiting' }])
    await w.query('update offering_slots set quota = 2 where id = $1', [slot])
    expect(await run(offering)).toBe(1)
    expect(await places(linked)).toMatchObject([{ state: 'moved', student_id: second.id }])
    expect(queue).toHaveLength(1)
  })

  test('keeps its seat beside places above the quota and rows of an import', async () => {
    const { offering, slot, holders, queue } = await fullOffering(2, 1, { over: 2 })
    ok(await giveBack(holders[0]!.student.as, holders[0]!.registration))
    const [extra, third] = await several(2)
    ok(await request(registrar, offering, [slot], { student_id: extra!.id, over_quota: true }))
    expect(await seats(slot)).toMatchObject({ taken: 2, held: 1 })
    expect(await run(offering)).toBe(1)
    expect(await seats(slot)).toMatchObject({ taken: 3, held: 0 })
    expect((await places(offering))[0]).toMatchObject({ student_id: queue[0]!.id, state: 'moved' })

    ok(await join(third!.as, offering))
    await u.services.db.transaction().execute((tx) => makeRoom(tx, new Map([[slot, 4]])))
    expect(await seats(slot)).toMatchObject({ quota: 7, taken: 3, held: 0, waiting: 1 })
    await w.query('update offering_slots set quota = 8 where id = $1', [slot])
    expect((await seats(slot)).held).toBe(1)
    expect(await w.wrongSeats()).toEqual([])
  })

  test('a run that is killed leaves the seat held, and the next one finishes', async () => {
    const { offering, slot, holders } = await fullOffering(2, 2)
    for (const { student, registration } of holders) ok(await giveBack(student.as, registration))
    expect(await seats(slot)).toMatchObject({ taken: 0, held: 2 })
    // A run that died holds nothing but its lock, and that ends with its connection.
    const dead = await u.services.pool.connect()
    await dead.query('begin')
    await dead.query(`select pg_advisory_xact_lock(hashtext('wait list'), $1::int)`, [offering.id])
    const waits = run(offering)
    dead.release(true)
    expect(await waits).toBe(2)
    expect(await seats(slot)).toMatchObject({ taken: 2, held: 0, waiting: 0 })
  })
})

describe('a thousand students', () => {
  let one: University
  let two: University
  beforeAll(async () => {
    const config = { ...u.services.config, databaseUrl: u.database.url }
    const open = () => openUniversity({ config, log: createLog(config), areas: AREAS, partial: true, work: true })
    one = await open()
    two = await open()
  })
  afterAll(async () => {
    await one.stop()
    await two.stop()
  })

  test('drop, grab and wait while seats are added, at two servers: nobody is passed over', async () => {
    await w.windows('register')
    // A third of the crowd, unless every case is asked for.
    const [HOLDERS, QUEUED, CROWD] = SHARED_OUT ? [48, 200, 280] : [160, 700, 1000]
    const offering = await w.offer('PH101', { groups: 2, quota: HOLDERS / 2, day: 4, period: 3 })
    const crowd: Student[] = []
    while (crowd.length < CROWD) crowd.push(...(await several(20)))
    const holders = crowd.slice(0, HOLDERS)
    const queue = crowd.slice(HOLDERS, QUEUED)
    const grabbers = crowd.slice(QUEUED)
    // Every ninth of the queue is not eligible, and stays where it stands.
    const blocked = queue.filter((_, i) => i % 9 === 4).map((student) => student.id)
    const slotOf = (i: number) => offering.lectures[i % 2]!
    let calls = 0
    const send = async (who: Caller, method: 'PUT' | 'POST', path: string, body: object) => {
      const answer = await (calls++ % 2 ? one : two).app.inject({
        method,
        url: `/api${path}`,
        headers: { authorization: `Bearer ${who.token}` },
        payload: body,
      })
      return {
        status: answer.statusCode,
        body: answer.json() as { data?: { id: number }[]; errors?: { code: string }[] },
      }
    }
    const ask = (student: Student, slot: number) =>
      send(student.as, 'PUT', '/registrations/students/request-offering', {
        offerings: [{ offering_id: offering.id, offering_slot_ids: [slot] }],
      })
    const lanes = async <In>(items: readonly In[], many: number, work: (item: In, i: number) => Promise<void>) => {
      const rest = items.entries()
      await Promise.all(
        Array.from({ length: many }, async () => {
          for (const [i, item] of rest) await work(item, i)
        }),
      )
    }
    const registrations: number[] = []
    await lanes(holders, 16, async (student, i) => {
      const answer = await ask(student, slotOf(i))
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      registrations[i] = answer.body.data![0]!.id
    })
    await lanes(queue, 16, async (student, i) => {
      const answer = await send(student.as, 'PUT', '/registrations/students/wait-list', {
        offering_id: offering.id,
        offering_slot_ids: [slotOf(i)],
      })
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    })
    await w.query('update students set blocked_at = now() where id = any ($1)', [blocked])

    const RAISES = 3
    const ADDED = 10
    let gone = false
    const grab = lanes(grabbers, 24, async (student, i) => {
      for (let n = 0; n < 3 || !gone; n++) {
        const answer = await ask(student, slotOf(i + n))
        expect(answer.status).toBe(409)
        expect(answer.body.errors!.map((error) => error.code)).toEqual(['slot_full'])
        if (n > 6) return
      }
    })
    const leave = lanes(holders, 24, async (student, i) => {
      const answer = await send(student.as, 'PUT', '/registrations/students/remove-offering', {
        registration_ids: [registrations[i]!],
      })
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    })
    const raise = (async () => {
      for (let n = 1; n <= RAISES; n++) {
        const meetings = await w.query(
          `select s.id, g.number as "group", s.type, s.day, s.slot_id, s.over_quota, s.quota + $2::int as quota, array[]::int[] as instructor_ids
           from offering_slots s join offering_groups g on g.id = s.group_id where s.offering_id = $1 order by s.id`,
          [offering.id, ADDED],
        )
        const answer = await send(registrar, 'PUT', `/offerings/${offering.id}`, { slots: meetings })
        expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      }
    })()
    await Promise.all([leave, raise])
    gone = true
    await grab
    await expect
      .poll(
        async () =>
          (
            await w.query<{ held: number }>(
              'select sum(held)::int as held from offering_slots where offering_id = $1',
              [offering.id],
            )
          )[0]!.held,
        { timeout: 180_000, interval: 100 },
      )
      .toBe(0)

    expect(await w.wrongSeats()).toEqual([])
    const freed = HOLDERS + 2 * ADDED * RAISES
    const entries = await w.query<{ id: number; student_id: number; slot: number; state: string; moved: number }>(
      `select id, student_id, offering_slot_ids[1] as slot, state, extract(epoch from moved_at) as moved from wait_list where offering_id = $1 order by id`,
      [offering.id],
    )
    expect(entries.filter((entry) => entry.state === 'moved')).toHaveLength(freed)
    let inversions = 0
    for (const slot of offering.lectures) {
      const able = entries.filter((entry) => entry.slot === slot && !blocked.includes(entry.student_id))
      for (const [i, entry] of able.entries()) {
        const before = able.slice(0, i)
        if (entry.state !== 'moved') continue
        inversions += before.filter(
          (other) => other.state !== 'moved' || Number(other.moved) > Number(entry.moved),
        ).length
      }
      expect(able.filter((entry) => entry.state === 'moved')).toHaveLength(freed / 2)
    }
    expect(inversions).toBe(0)
    const seated = await w.query<{ student_id: number }>(
      'select student_id from registrations where offering_id = $1',
      [offering.id],
    )
    expect(seated.map((row) => row.student_id).toSorted((a, b) => a - b)).toEqual(
      entries
        .filter((entry) => entry.state === 'moved')
        .map((entry) => entry.student_id)
        .toSorted((a, b) => a - b),
    )
  }, 540_000)
})
