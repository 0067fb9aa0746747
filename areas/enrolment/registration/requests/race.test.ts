import { afterAll, beforeAll, expect, test } from 'vitest'
import { reasons, ok, testUniversity, type TestUniversity } from '#tests/university.ts'
import { expectSound } from '#tests/sound.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { createLog } from '#kit/server/base/log.ts'
import { openUniversity, type University } from '../../../../apps/server/assemble.ts'
import { registrationServer } from '../registration.server.ts'

let u: TestUniversity
let second: University
let w: RegistrationWorld
type Student = Awaited<ReturnType<RegistrationWorld['student']>>

/** The same call on one of two application instances of the same database. */
const send = async (which: number, student: Student, method: 'PUT' | 'POST', path: string, body: object) => {
  const answer = await (which % 2 ? second.app : u.app).inject({
    method,
    url: `/api/registrations/students/${path}`,
    headers: { authorization: `Bearer ${student.as.token}` },
    payload: body,
  })
  return { status: answer.statusCode, body: answer.json(), bytes: answer.rawPayload, headers: answer.headers as never }
}
const ask = (
  which: number,
  student: Student,
  offering: { id: number; lectures: number[] },
  slots = offering.lectures.slice(0, 1),
) =>
  send(which, student, 'PUT', 'request-offering', {
    offerings: [{ offering_id: offering.id, offering_slot_ids: slots }],
  })
const students = (count: number) => Promise.all(Array.from({ length: count }, () => w.student()))

beforeAll(async () => {
  const areas = [catalogueServer, registrationServer]
  u = await testUniversity(areas)
  w = await registrationWorld(u)
  const config = { ...u.services.config, databaseUrl: u.database.url }
  second = await openUniversity({ config, log: createLog(config), areas, partial: true, work: false })
  await w.windows('register', 'add_drop')
})
afterAll(async () => {
  await expectSound(u.database.url)
  await second.stop()
  await u.close()
})

test('the last seat goes to one of two', async () => {
  const offering = await w.offer('MA101', { quota: 1 })
  const pair = await students(2)
  const answers = await Promise.all(pair.map((student, i) => ask(i, student, offering)))
  expect(answers.map((one) => one.status).toSorted()).toEqual([200, 409])
  expect(reasons(answers.find((one) => one.status === 409)!)).toEqual(['slot_full'])
  expect(await w.wrongSeats()).toEqual([])
})

test('200 students on 30 seats: 30 get one, everybody gets an answer, nothing above quota', async () => {
  const offering = await w.offer('MA101', { quota: 30, lab: true })
  const crowd = await students(200)
  const answers = await Promise.all(
    crowd.map((student, i) => ask(i, student, offering, [offering.lectures[0]!, offering.labs[0]!])),
  )
  const count = (status: number) => answers.filter((one) => one.status === status).length
  expect([count(200), count(409)]).toEqual([30, 170])
  expect(new Set(answers.filter((one) => one.status === 409).flatMap(reasons))).toEqual(new Set(['slot_full']))
  const [row] = await w.query<{ taken: number; rows: number; steps: number }>(
    `select (select taken from offering_slots where id = $1), (select count(*)::int from registrations where offering_id = $2) as rows,
      (select count(*)::int from registration_history where offering_id = $2) as steps`,
    [offering.lectures[0], offering.id],
  )
  expect(row).toEqual({ taken: 30, rows: 30, steps: 30 })
  expect(await w.wrongSeats()).toEqual([])
})

test('a student in many tabs at once gets the course once, and never exceeds the load', async () => {
  const [student] = await students(1)
  const offering = await w.offer('MA101', { quota: 30 })
  const same = await Promise.all(Array.from({ length: 8 }, (_, i) => ask(i, student!, offering)))
  expect(same.map((one) => one.status).toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 409)])
  expect(new Set(same.filter((one) => one.status === 409).flatMap(reasons))).toEqual(new Set(['already_registered']))

  // The limit is 12 hours: of these four more only three fit.
  const others = []
  for (const [i, code] of ['CS101', 'PH101', 'EN101', 'HU101'].entries())
    others.push(await w.offer(code, { day: i, period: 6 }))
  const answers = await Promise.all(others.map((one, i) => ask(i, student!, one)))
  expect(answers.map((one) => one.status).toSorted()).toEqual([200, 200, 200, 409])
  expect(reasons(answers.find((one) => one.status === 409)!)).toEqual(['credit_hours_limit'])
  expect(await w.wrongSeats()).toEqual([])
})

test('request and drop, move and take together: the seats always add up', async () => {
  const offering = await w.offer('MA101', { groups: 3, quota: 4 })
  const crowd = await students(24)
  const registrar = await u.as('registrar')
  const play = async (student: Student, n: number) => {
    for (let step = 0; step < 4; step++) {
      const slot = offering.lectures[(n + step) % 3]!
      const made = await ask(n + step, student, offering, [slot])
      if (made.status !== 200) {
        expect(made.status).toBe(409)
        continue
      }
      const [{ id }] = made.body.data
      const moved = send(n, student, 'PUT', 'update-slot-offering', {
        registration_id: id,
        offering_slot_ids: [offering.lectures[(n + step + 1) % 3]!],
      })
      const removed = send(n + 1, student, 'PUT', 'remove-offering', { registration_ids: [id] })
      const answers = await Promise.all([moved, removed])
      for (const one of answers) expect([200, 404, 409], JSON.stringify(one.body)).toContain(one.status)
    }
  }
  await Promise.all(crowd.map(play))
  expect(await w.wrongSeats()).toEqual([])
  const [left] = await w.query<{ held: number; rows: number }>(
    `select (select sum(taken)::int from offering_slots where offering_id = $1) as held, (select count(*)::int from registrations where offering_id = $1) as rows`,
    [offering.id],
  )
  expect(left!.held).toBe(left!.rows)
  // Bulk enrolment and students at the same moment.
  const more = await students(20)
  const [bulk, ...single] = await Promise.all([
    registrar('POST', '/registrations/enroll_students', {
      offering_id: offering.id,
      student_ids: more.slice(0, 10).map((one) => one.id),
    }),
    ...more.slice(10).map((student, i) => ask(i, student, offering, [offering.lectures[i % 3]!])),
  ])
  const free = 12 - left!.held
  expect(ok(bulk).done.length + single.filter((one) => one.status === 200).length).toBeLessThanOrEqual(free)
  expect(await w.wrongSeats()).toEqual([])
})
