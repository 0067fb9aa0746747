/** What nobody may lose unseen: the last seat above the quota, the turn of a return, who returns whom. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { expectSound } from '#tests/sound.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { registrationServer } from '../registration.server.ts'
import { flag, mainOf, type MainFlag } from '#areas/common/academics/status.rules.ts'

let u: TestUniversity
let w: RegistrationWorld
let registrar: Caller
beforeAll(async () => {
  u = await testUniversity([catalogueServer, registrationServer])
  w = await registrationWorld(u)
  registrar = await u.as('registrar')
  await w.windows('register', 'add_drop', 'withdraw', 'excuse', 'exam', 'control')
})
afterAll(async () => {
  await expectSound(u.database.url)
  await u.close()
})
const path = (call: string) => `/registrations/students/${call}`

describe('seats above the quota', () => {
  test('students get the quota and no more, staff all above it and no more, at the same moment', async () => {
    const offering = await w.offer('MA101', { quota: 2, over: 2 })
    const crowd = await Promise.all(Array.from({ length: 8 }, () => w.student()))
    const wanted = [{ offering_id: offering.id, offering_slot_ids: offering.lectures }]
    const asked = await Promise.all(
      crowd.slice(0, 4).map((one) => one.as('PUT', path('request-offering'), { offerings: wanted })),
    )
    expect(asked.map((one) => one.status).toSorted()).toEqual([200, 200, 409, 409])
    const given = await Promise.all(
      crowd.slice(4).map((one) =>
        registrar('PUT', path('request-offering'), {
          student_id: one.id,
          offerings: wanted,
          over_quota: true,
          enroll: true,
          reason: 'council',
        }),
      ),
    )
    expect(given.map((one) => one.status).toSorted()).toEqual([200, 200, 409, 409])
    expect(new Set(given.filter((one) => one.status === 409).flatMap(reasons))).toEqual(new Set(['slot_full']))
    expect(await w.wrongSeats()).toEqual([])
  })
  test('the database itself gives a student no seat above the quota, and nobody one above both', async () => {
    const offering = await w.offer('PH101', { quota: 1, over: 1 })
    const seat = async (over: boolean) => {
      const student = await w.student()
      const [row] = await w.query<{ id: number }>(
        `insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours) values ($1, $2, $3, $4, $5, 3) returning id`,
        [student.id, offering.id, w.term, w.courses.PH101, (flag.Registered | flag.Fresh).toString()],
      )
      try {
        await w.query('insert into registration_slots (registration_id, offering_slot_id, over) values ($1, $2, $3)', [
          row!.id,
          offering.lectures[0],
          over,
        ])
        await w.query(
          `insert into registration_history (registration_id, student_id, offering_id, action, to_status, offering_slot_ids) values ($1, $2, $3, 'enroll', $4, $5)`,
          [row!.id, student.id, offering.id, (flag.Registered | flag.Fresh).toString(), offering.lectures],
        )
        return 'taken'
      } catch (error) {
        await w.query('delete from registrations where id = $1', [row!.id])
        return (error as { constraint: string }).constraint
      }
    }
    expect(await seat(false)).toBe('taken')
    expect(await seat(false)).toBe('registration_slots_seat_free')
    expect(await seat(true)).toBe('taken')
    expect(await seat(true)).not.toBe('taken')
    expect(await w.wrongSeats()).toEqual([])
  })
})

/** A registration of a student in a state, without a window of its own. */
async function registrationIn(main: MainFlag, student_id: number, course = 'EN101') {
  const offering = await w.offer(course, { quota: 5 })
  const [row] = await w.query<{ id: number }>(
    `insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours) values ($1, $2, $3, $4, $5, 3) returning id`,
    [student_id, offering.id, w.term, w.courses[course], (flag[main] | flag.Fresh).toString()],
  )
  if (main !== 'Dropped')
    await w.query('insert into registration_slots (registration_id, offering_slot_id) values ($1, $2)', [
      row!.id,
      offering.lectures[0],
    ])
  await w.query(
    `insert into registration_history (registration_id, student_id, offering_id, action, to_status, offering_slot_ids) values ($1, $2, $3, 'enroll', $4, $5)`,
    [row!.id, student_id, offering.id, (flag[main] | flag.Fresh).toString(), offering.lectures],
  )
  return row!.id
}

test('a return into the term moves the student’s turn, so that a request judged before is judged anew', async () => {
  const student = await w.student()
  const other = await w.offer('CS101', { quota: 5 })
  ok(
    await student.as('PUT', path('request-offering'), {
      offerings: [{ offering_id: other.id, offering_slot_ids: other.lectures }],
    }),
  )
  const turn = async () =>
    (await w.query<{ turn: number }>('select turn from registration_turns where student_id = $1', [student.id]))[0]!
      .turn
  const before = await turn()
  const dropped = await registrationIn('Dropped', student.id)
  ok(await registrar('PUT', path('undo-registered-offering'), { registration_ids: [dropped], reason: 'returned' }))
  expect(Number(await turn())).toBeGreaterThan(Number(before))
})

describe('who may do what to a registration of somebody else', () => {
  // One right each, against one change each: what a right alone opens, and nothing else.
  const RIGHTS = [
    'access_registration',
    'show_registration',
    'request_registration',
    'accept_registration',
    'withdraw_registration',
    'undo_registration',
    'update_registration_status',
    'enroll_students',
    'remove_registration',
    'override_registration_rule',
  ] as const
  const CASES: [call: string, from: MainFlag, to: MainFlag | null, by: (typeof RIGHTS)[number][]][] = [
    ['accept-requested-offering', 'RegisterRequest', 'Registered', ['accept_registration']],
    ['reject-requested-offering', 'RegisterRequest', null, ['accept_registration']],
    ['withdraw-offering', 'Registered', 'Withdrawn', ['withdraw_registration']],
    ['undo-registered-offering', 'ForcedWithdrawn', 'Registered', ['undo_registration']],
    ['undo-registered-offering', 'Withdrawn', 'Registered', ['undo_registration']],
    ['undo-registered-offering', 'Dropped', 'Registered', ['undo_registration']],
    // Only a decision leads there.
    ['update-status/10', 'Registered', 'Absent', []],
    ['update-status/11', 'Registered', 'Punished', []],
    ['update-status/13', 'Registered', 'Banned', []],
    ['update-status/14', 'Registered', 'ForcedWithdrawn', ['withdraw_registration']],
    ['update-status/2', 'ForcedWithdrawn', 'Registered', ['undo_registration']],
  ]
  const people = new Map<string, Caller>()
  beforeAll(async () => {
    for (const right of RIGHTS) {
      const who = await u.as(null)
      await w.query('insert into user_permissions (user_id, permission) values ($1, $2)', [who.user_id, right])
      people.set(right, who)
    }
    u.auth.forget()
  })
  test.each(CASES)('%s from %s to %s', async (call, from, to, by) => {
    for (const right of RIGHTS) {
      const id = await registrationIn(from, (await w.student()).id)
      const answer = await people.get(right)!('PUT', path(call), { registration_ids: [id], reason: 'test' })
      const [row] = await w.query<{ status: string }>('select status::text from registrations where id = $1', [id])
      const state = row ? mainOf(BigInt(row.status)) : null
      expect([right, answer.status === 200, state]).toEqual([right, by.includes(right), by.includes(right) ? to : from])
    }
  })
  test('who teaches a student sees the registration and changes nothing of it, whatever the role allows', async () => {
    const student = await w.student()
    const id = await registrationIn('RegisterRequest', student.id)
    const teacher = await u.as(null, undefined, { type: 1 })
    await w.query(
      `with one as (insert into instructors (user_id, code, name, name_local, faculty_id) values ($1, 'T1', 'Dr', 'د', $2) returning id)
       insert into offering_instructors (offering_id, instructor_id, role)
       select r.offering_id, one.id, 'leader' from one, registrations r where r.id = $3`,
      [teacher.user_id, w.faculty, id],
    )
    await w.query(
      `with one as (insert into roles (key, name, name_local) values ('teacher', 'Teacher', 'مدرس') returning id),
         rights as (insert into role_permissions (role_id, permission, reach) select one.id, key, 'taught' from one, unnest($2::text[]) key)
       insert into role_assignments (user_id, role_id) select $1, id from one`,
      [teacher.user_id, RIGHTS],
    )
    const as = await u.signIn(teacher.user_id)
    u.auth.forget()
    expect(ok(await as('POST', '/registrations', {})).map((row: { id: number }) => row.id)).toContain(id)
    for (const [call, from] of CASES)
      if (from === 'RegisterRequest')
        // Not reached, or a right that knows no teaching.
        expect([403, 404], call).toContain(
          (await as('PUT', path(call), { registration_ids: [id], reason: 'test' })).status,
        )
  })
})
