import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { registrationServer } from '../registration.server.ts'
import { mainOf } from '#areas/common/academics/status.rules.ts'

let u: TestUniversity
let w: RegistrationWorld
let registrar: Caller
/** A course, and the one it is taken together with. */
let course: Awaited<ReturnType<RegistrationWorld['offer']>>
let beside: Awaited<ReturnType<RegistrationWorld['offer']>>

const path = (call: string) => `/registrations/students/${call}`
type Offering = { id: number; lectures: number[] }
const ask = (who: Caller, offerings: Offering[], more: object = {}) =>
  who('PUT', path('request-offering'), {
    offerings: offerings.map((one) => ({ offering_id: one.id, offering_slot_ids: one.lectures })),
    ...more,
  })
const act = (who: Caller, call: string, registration_ids: number[], more: object = {}) =>
  who('PUT', path(call), { registration_ids, ...more })
const states = async (student: number) =>
  (
    await w.query<{ code: string; status: string }>(
      'select c.code, r.status::text from registrations r join courses c on c.id = r.course_id where r.student_id = $1 order by 1',
      [student],
    )
  ).map((row) => `${row.code} ${mainOf(BigInt(row.status))}`)

/** A student who asked for both; the course first. */
async function both() {
  const student = await w.student()
  const made = ok(await ask(student.as, [course, beside])) as { id: number; offering_id: number }[]
  const of = (offering: Offering) => made.find((one) => one.offering_id === offering.id)!.id
  return { student, course: of(course), beside: of(beside) }
}

beforeAll(async () => {
  u = await testUniversity([catalogueServer, studentsServer, registrationServer])
  w = await registrationWorld(u)
  registrar = await u.as('registrar')
  course = await w.offer('EN101', { day: 0, quota: 100 })
  beside = await w.offer('HU101', { day: 1, quota: 100 })
  await w.query('insert into course_corequisites values ($1, $2)', [w.courses.EN101, w.courses.HU101])
})
afterAll(() => u.close())
beforeEach(() => w.windows('register', 'add_drop'))

describe('courses taken together', () => {
  test('neither request is taken back or refused alone, and both go together', async () => {
    const one = await both()
    const alone = await act(one.student.as, 'remove-offering', [one.beside])
    expect([alone.status, reasons(alone)]).toEqual([409, ['corequisite_needed']])
    expect(alone.body.error.en).toBe('HU101 is taken together with EN101, which cannot stand alone')
    expect(reasons(await act(registrar, 'reject-requested-offering', [one.beside]))).toEqual(['corequisite_needed'])
    expect(await states(one.student.id)).toEqual(['EN101 RegisterRequest', 'HU101 RegisterRequest'])
    ok(await act(one.student.as, 'remove-offering', [one.beside, one.course]))
    expect(await states(one.student.id)).toEqual([])
    // What needs nothing may go by itself.
    const two = await both()
    ok(await act(two.student.as, 'remove-offering', [two.course]))
    ok(await act(two.student.as, 'remove-offering', [two.beside]))
  })

  test('a request is judged again when it is accepted', async () => {
    const one = await both()
    // The other one left by another way.
    await w.query('delete from registrations where id = $1', [one.beside])
    const accept = (more: object = {}) => act(registrar, 'accept-requested-offering', [one.course], more)
    expect(reasons(await accept())).toEqual(['corequisites'])
    const all = ok(
      await registrar('PUT', path('accept-all-requested-offerings'), { student_id: one.student.id, term_id: w.term }),
    )
    expect(all).toMatchObject({ done: [], failed: [{ id: one.course, errors: [{ code: 'corequisites' }] }] })
    ok(await accept({ overrides: [{ code: 'corequisites', reason: 'Taken at another university' }] }))
    expect(await states(one.student.id)).toEqual(['EN101 Registered'])
    // What was set aside once is not asked again.
    const again = await w.student()
    const [made] = ok(
      await ask(registrar, [course], {
        student_id: again.id,
        overrides: [{ code: 'corequisites', reason: 'Taken at another university' }],
      }),
    )
    ok(await act(registrar, 'accept-requested-offering', [made.id]))
  })

  test('are dropped together or not at all; staff may set it aside with a reason', async () => {
    const one = await both()
    ok(await act(registrar, 'accept-requested-offering', [one.course, one.beside]))
    const drop = (registration_ids: number[]) =>
      one.student.as('PUT', path('addDrop-offering'), { action: 'drop', registration_ids })
    expect(reasons(await drop([one.beside]))).toEqual(['corequisite_needed'])
    ok(await drop([one.course, one.beside]))
    // One is kept after all: not without the other.
    ok(await act(registrar, 'accept-requested-offering', [one.beside]))
    expect(reasons(await act(registrar, 'reject-requested-offering', [one.course]))).toEqual(['corequisites'])
    ok(await act(registrar, 'accept-requested-offering', [one.course]))
    expect(await states(one.student.id)).toEqual(['EN101 Dropped', 'HU101 Dropped'])

    const two = await both()
    ok(await act(registrar, 'accept-requested-offering', [two.course, two.beside]))
    const bulk = (overrides: object[] = []) =>
      registrar('POST', `/registrations/delete_registrations/${beside.id}`, {
        student_ids: [two.student.id],
        reason: 'Registered by mistake',
        overrides,
      })
    expect(ok(await bulk())).toMatchObject({ done: [], failed: [{ errors: [{ code: 'corequisite_needed' }] }] })
    expect(ok(await bulk([{ code: 'corequisite_needed', reason: 'Passed abroad' }]))).toMatchObject({
      done: [two.student.id],
      failed: [],
    })
  })

  test('at the same moment one accepts and the other takes back: never one alone', async () => {
    for (let n = 0; n < 8; n++) {
      const one = await both()
      await Promise.all([
        act(registrar, 'accept-requested-offering', [one.course]),
        act(registrar, 'reject-requested-offering', [one.beside]),
      ])
      const left = await states(one.student.id)
      expect(left).toHaveLength(2)
    }
  })
})

describe('who does not study', () => {
  test('asks for nothing, and nothing asked before is accepted', async () => {
    const offering = await w.offer('MA101', { day: 3, quota: 100 })
    const student = await w.student()
    const [made] = ok(await ask(student.as, [offering]))
    await w.query(`select decide_status(array[$1::int], 'dismissed', 'Decision 1', university_today())`, [student.id])
    const refused = await act(registrar, 'accept-requested-offering', [made.id])
    expect([refused.status, reasons(refused)]).toEqual([409, ['not_studying']])
    expect(refused.body.error.en).toBe('Only students who are studying register; this record is: Dismissed')
    for (const status of ['dismissed', 'suspended', 'graduated', 'withdrawn', 'transferred']) {
      const other = await w.student()
      await w.query(`select decide_status(array[$1::int], $2, 'Decision 1', university_today(), 'earlier')`, [
        other.id,
        status,
      ])
      expect(reasons(await ask(other.as, [offering])), status).toEqual(['not_studying'])
      expect(
        ok(
          await registrar('POST', '/registrations/enroll_students', {
            offering_id: offering.id,
            student_ids: [other.id],
            overrides: [],
          }),
        ).failed[0].errors[0].code,
      ).toBe('not_studying')
      const overridden = await ask(registrar, [offering], {
        student_id: other.id,
        overrides: [{ code: 'not_studying', reason: 'please' }],
      })
      expect(reasons(overridden)).toEqual(['override_not_possible@overrides.0.code'])
    }
  })
})

describe('many students enrolled at once', () => {
  test('nobody improves a grade who was not meant to', async () => {
    const offering = await w.offer('PH101', { day: 4, quota: 100 })
    const passed = await w.student({ passed: ['PH101'] })
    const fresh = await w.student()
    const enroll = (more: object = {}) =>
      registrar('POST', '/registrations/enroll_students', {
        offering_id: offering.id,
        student_ids: [passed.id, fresh.id],
        ...more,
      })
    expect(ok(await enroll())).toMatchObject({
      done: [fresh.id],
      failed: [{ id: passed.id, errors: [{ code: 'already_passed' }] }],
    })
    expect(await states(passed.id)).toEqual(['PH101 Registered'])
    expect(ok(await enroll({ improve: true }))).toMatchObject({ done: [passed.id], failed: [{ id: fresh.id }] })
  })
})

describe('what students are told', () => {
  test('the state, where what they ask for is not possible in it', async () => {
    const offering = await w.offer('MA101', { day: 5, quota: 100 })
    const student = await w.student()
    const [made] = ok(await ask(student.as, [offering]))
    ok(await act(registrar, 'accept-requested-offering', [made.id]))
    const answer = await act(student.as, 'remove-offering', [made.id])
    expect([answer.status, reasons(answer)]).toEqual([409, ['registration_state']])
    expect(answer.body.errors[0].data).toMatchObject({ state: 'Registered' })
    // What is never theirs stays forbidden.
    expect((await act(student.as, 'undo-registered-offering', [made.id])).status).toBe(403)
  })

  test('of a student out of reach there is no history, of one without registrations an empty one', async () => {
    const student = await w.student()
    expect(ok(await registrar('GET', `/registrations/students/${student.id}/steps`))).toEqual([])
    const elsewhere = await u.as('registrar', ['faculty', 900_001])
    expect((await elsewhere('GET', `/registrations/students/${student.id}/steps`)).status).toBe(404)
    expect((await registrar('GET', '/registrations/students/99999999/steps')).status).toBe(404)
  })

  test('every step, but not why staff took it or which rule they set aside', async () => {
    const offering = await w.offer('CS201', { day: 2, quota: 100 })
    const student = await w.student()
    const secret = 'Brother of the dean'
    const [made] = ok(
      await ask(registrar, [offering], {
        student_id: student.id,
        reason: secret,
        overrides: [{ code: 'prerequisites', reason: secret }],
      }),
    )
    ok(await act(registrar, 'accept-requested-offering', [made.id], { reason: secret }))
    ok(
      await student.as('PUT', path('addDrop-offering'), {
        action: 'drop',
        registration_ids: [made.id],
        reason: 'I moved',
      }),
    )
    const open = 'The group meets in another building'
    ok(await act(registrar, 'reject-requested-offering', [made.id], { reason: open }))
    for (const url of [`/registrations/${made.id}/steps`, `/registrations/students/${student.id}/steps`]) {
      const seen = ok(await student.as('GET', url)) as { action: string; reason: string | null; overrides: unknown[] }[]
      expect(seen.map((one) => one.action).toSorted(), url).toEqual(['accept', 'drop', 'reject', 'request'])
      expect(JSON.stringify(seen)).not.toContain(secret)
      expect(seen.find((one) => one.action === 'drop')!.reason).toBe('I moved')
      expect(seen.find((one) => one.action === 'reject')!.reason).toBe(open)
      expect(seen.flatMap((one) => one.overrides)).toEqual([])
      const known = ok(await registrar('GET', url)) as typeof seen
      expect(known.find((one) => one.action === 'request')).toMatchObject({
        reason: secret,
        overrides: [{ code: 'prerequisites', reason: secret }],
      })
    }
    const told = await w.query('select key, data from notifications where user_id = $1', [student.user_id])
    expect(told).toContainEqual({
      key: 'registration.notice_rejected_reason',
      data: expect.objectContaining({ reason: open }),
    })
    expect(JSON.stringify(told)).not.toContain(secret)
  })

  test('a decision that suspends is kept and told; requests go with their seats, courses stay', async () => {
    const [narrow, other, full] = [
      await w.offer('PH101', { day: 2, quota: 1 }),
      await w.offer('MA101', { day: 3 }),
      await w.offer('CS101', { day: 4 }),
    ]
    const [one, next] = [await w.student(), await w.student()]
    const [kept] = ok(await ask(one.as, [other]))
    ok(await act(registrar, 'accept-requested-offering', [kept.id]))
    ok(await ask(one.as, [narrow]))
    await w.query('insert into wait_list (offering_id, student_id, offering_slot_ids) values ($1, $2, $3)', [
      full.id,
      one.id,
      full.lectures,
    ])
    expect((await ask(next.as, [narrow])).status).toBe(409)

    const decide = (status: string, more: object = {}, who = registrar) =>
      who('POST', `/students/status/${one.id}`, {
        status,
        decision: 'Council 14/2026',
        decided_on: '2026-01-15',
        ...more,
      })
    const { id: theirs } = (
      await w.query<{ id: number }>(
        `insert into files (hash, name, ext, mime, size, created_by) values (repeat('a', 64), 'x.pdf', 'pdf', 'application/pdf', 1, $1) returning id`,
        [next.user_id],
      )
    )[0]!
    const wrong = await decide('suspended', { file_id: theirs, decided_on: '2999-01-01' })
    expect([wrong.status, reasons(wrong)]).toEqual([
      422,
      ['reference_missing@file_id', 'status_decided_later@decided_on'],
    ])
    expect((await decide('suspended', {}, one.as)).status).toBe(403)
    expect(reasons(await decide('suspended', { version: 999 }))).toEqual(['changed_meanwhile'])
    expect(ok(await decide('suspended'))).toMatchObject({
      status: 'suspended',
      decisions: [
        { from_status: 'studying', to_status: 'suspended', decision: 'Council 14/2026', decided_on: '2026-01-15' },
      ],
    })
    expect(await states(one.id)).toEqual(['MA101 Registered'])
    expect(
      await w.query(`select action, reason from registration_history where student_id = $1 order by id desc limit 1`, [
        one.id,
      ]),
    ).toEqual([{ action: 'remove', reason: 'Council 14/2026' }])
    expect(await w.query('select state from wait_list where student_id = $1', [one.id])).toEqual([{ state: 'left' }])
    expect(await w.wrongSeats()).toEqual([])
    ok(await ask(next.as, [narrow]))
    expect(
      await w.query(
        `select key, data ->> 'decision' as decision from notifications where user_id = $1 order by id desc limit 1`,
        [one.user_id],
      ),
    ).toEqual([{ key: 'students.notice_status', decision: 'Council 14/2026' }])

    // Twice, by two at once, and what has no way back.
    expect(reasons(await decide('suspended'))).toEqual(['status_same@status'])
    const both = await Promise.all([decide('withdrawn'), decide('dismissed')])
    expect(both.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect(reasons(await decide('transferred'))).toEqual(['status_by_transfer@status'])
    await w.query(
      `select decide_status(array[$1::int], 'transferred', 'Transfer: elsewhere', university_today(), 'transfer_out')`,
      [one.id],
    )
    const final = await decide('studying')
    expect([final.status, reasons(final)]).toEqual([409, ['status_final@status']])
    const list = ok(await registrar('GET', `/students/status/${one.id}`))
    expect([list.next, list.decisions.length]).toEqual([[], 1 + both.filter(({ status }) => status === 200).length + 1])
    await expect(
      w.query(
        `insert into student_status_decisions (student_id, from_status, to_status, decision, decided_on) values ($1, 'studying', 'studying', 'x', now())`,
        [one.id],
      ),
    ).rejects.toMatchObject({ constraint: 'student_status_changes' })
  })
})
