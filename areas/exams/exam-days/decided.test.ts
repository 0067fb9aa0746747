import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attendanceServer } from '#areas/enrolment/attendance/attendance.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { flag, fromWire, mainOf, type DecidedMain } from '#areas/common/academics/status.rules.ts'
import { gradingServer } from '#areas/records/grading/grading.server.ts'
import { registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { registrationWorld } from '#tests/registration-world.ts'
import type { RegistrationWorld } from '#tests/registration-world.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { examDaysServer } from './exam-days.server.ts'
import { examWorld } from './testing.server.ts'
import type { ExamWorld } from './testing.server.ts'

/** Punished, banned, absent, excused: nothing but the decision leads there, and back. */
let u: TestUniversity
let w: RegistrationWorld
let x: ExamWorld
let office: Caller
let dean: Caller
let registrar: Caller
/** Everything that there is, for whoever might think that rights are the matter. */
let root: Caller
beforeAll(async () => {
  u = await testUniversity([
    catalogueServer,
    registrationServer,
    studentsServer,
    gradingServer,
    attendanceServer,
    examDaysServer,
  ])
  w = await registrationWorld(u)
  await w.windows('exam', 'excuse', 'register', 'add_drop', 'control')
  x = await examWorld(w)
  office = await u.as('exam_officer', ['faculty', w.faculty])
  dean = await u.as('dean', ['faculty', w.faculty])
  registrar = await u.as('registrar', ['faculty', w.faculty])
  root = await u.as('admin')
})
afterAll(() => u.close())

const stateOf = async (registration: number) =>
  mainOf(
    fromWire(
      (await w.query<{ status: string }>('select status::text from registrations where id = $1', [registration]))[0]!
        .status,
    ),
  )
/** A student in a course whose final exam is on a day counted from today. */
async function inExam(day = -1) {
  const offering = await w.offer('MA101')
  const student = await w.student()
  const [registration] = (await x.register(offering.id, [student.id])) as [number]
  const hall = await x.hall(5)
  const schedule = await x.schedule(await x.exam('final', [hall]), offering.id, [[hall, 5]], { day })
  return { offering, student, registration, schedule }
}
const set = (who: Caller, registration: number, code: number) =>
  who('PUT', `/registrations/students/update-status/${code}`, {
    registration_ids: [registration],
    reason: 'told by telephone',
    overrides: [{ code: 'stage_closed', reason: 'told by telephone' }],
  })
const undo = (who: Caller, registration: number, reason: string | null = 'an error') =>
  who('PUT', '/registrations/students/undo-registered-offering', {
    registration_ids: [registration],
    ...(reason && { reason }),
  })
const proposed = async (registration: number) =>
  (
    await w.query<{ id: number }>(
      `insert into absence_cases (registration_id, status, absences, planned, share) values ($1, 'proposed', 5, 10, 50) returning id`,
      [registration],
    )
  )[0]!.id
const statusIn = async (table: string, id: number) =>
  (await w.query<{ status: string }>(`select status from ${table} where id = $1`, [id]))[0]!.status

describe('by its number', () => {
  it('nobody sets a state without the decision: the answer names whose it is, and where', async () => {
    const { registration } = await inExam(1)
    for (const [code, link, owner] of [
      [7, '/excuses', 'an accepted excuse'],
      [10, '/exams_absences', 'a recorded absence from the final exam'],
      [11, '/exams_punishments', 'the dean’s decision on an exam investigation'],
      [13, '/absences', 'the decision on a proposed ban for absence'],
    ] as const)
      for (const who of [root, office, registrar]) {
        const answer = await set(who, registration, code)
        // Who may not set a status at all does not hear of it.
        expect([answer.status, answer.body.message]).toEqual([409, 'state_owned'])
        expect(answer.body.errors[0].data).toMatchObject({ what: 'MA101', link, owner })
      }
    expect(await stateOf(registration)).toBe('Registered')
    expect((await set(await u.as('registrar', ['faculty', w.otherFaculty]), registration, 11)).status).toBe(404)
  })

  it('an absence is recorded once the final exam has begun, and cancelled with it', async () => {
    const { registration, schedule } = await inExam()
    // Whoever may set a status, and records no absences.
    const head = await u.as(null)
    await w.query(`insert into user_permissions (user_id, permission) values ($1, 'update_registration_status')`, [
      head.user_id,
    ])
    u.auth.forget()
    expect(reasons(await set(head, registration, 10))).toEqual(['state_owned'])
    ok(await set(office, registration, 10))
    const [row] = await w.query<{ id: number; status: string; exam_schedule_id: number }>(
      'select id, status, exam_schedule_id from exam_absences where registration_id = $1',
      [registration],
    )
    expect([await stateOf(registration), row]).toMatchObject([
      'Absent',
      { status: 'recorded', exam_schedule_id: schedule },
    ])
    expect(reasons(await undo(root, registration, null))).toEqual(['reason_required@reason'])
    ok(await undo(root, registration))
    expect([await stateOf(registration), await statusIn('exam_absences', row!.id)]).toEqual(['Registered', 'cancelled'])
  })

  it('a ban is the decision on its case; lifted, it can be set again', async () => {
    const { registration } = await inExam(1)
    const id = await proposed(registration)
    for (let i = 0; i < 2; i++) {
      ok(await set(office, registration, 13))
      expect([await stateOf(registration), await statusIn('absence_cases', id)]).toEqual(['Banned', 'banned'])
      ok(await undo(registrar, registration))
      expect([await stateOf(registration), await statusIn('absence_cases', id)]).toEqual(['Registered', 'proposed'])
    }
    ok(await office('POST', `/attendance/absences/waive/${id}`, { reason: 'ill' }))
    expect(reasons(await set(office, registration, 13))).toEqual(['state_owned'])
  })

  it('a registrar takes no punishment back; who decides on it does, with the case', async () => {
    const { registration, schedule } = await inExam()
    const { id } = ok(
      await office('PUT', `/exam-schedules/investigations/${schedule}`, {
        registration_id: registration,
        what: 'Notes',
      }),
    )
    ok(await dean('POST', `/exam-punishment/punish/${id}`, { reason: 'Council' }))
    for (const answer of [await undo(registrar, registration), await set(registrar, registration, 2)])
      expect([answer.status, reasons(answer), answer.body.errors[0].data.link]).toEqual([
        409,
        ['state_owned'],
        '/exams_punishments',
      ])
    expect([await stateOf(registration), await statusIn('exam_cases', id)]).toEqual(['Punished', 'punished'])
    ok(await undo(root, registration))
    expect([await stateOf(registration), await statusIn('exam_cases', id)]).toEqual(['Registered', 'opened'])
  })

  it('an excuse is accepted and opened again with its registration; of several all or none', async () => {
    const { offering, student, registration } = await inExam(1)
    const other = await inExam(1)
    const asked = ok(
      await student.as('PUT', '/excuses', {
        student_id: student.id,
        kind: 'course',
        offering_id: offering.id,
        why: 'I was ill all the term.',
      }),
    )
    expect(await stateOf(registration)).toBe('ExcuseRequest')
    const both = await registrar('PUT', '/registrations/students/update-status/7', {
      registration_ids: [registration, other.registration],
      reason: 'paper seen',
    })
    expect(reasons(both)).toEqual(['state_owned@registration_ids.1'])
    expect(await stateOf(registration)).toBe('ExcuseRequest')
    ok(
      await registrar('PUT', '/registrations/students/accept-requested-offering', {
        registration_ids: [registration],
        reason: 'paper seen',
      }),
    )
    expect([await stateOf(registration), await statusIn('excuses', asked.id)]).toEqual(['Excused', 'accepted'])
    ok(await undo(registrar, registration))
    expect([await stateOf(registration), await statusIn('excuses', asked.id)]).toEqual(['Registered', 'requested'])
  })
})

describe('the database', () => {
  const write = (registration: number, main: DecidedMain | 'Registered') =>
    w
      .query('update registrations set status = $2 where id = $1', [registration, String(flag[main] | flag.Fresh)])
      .then(() => null)
      .catch((error: { code: string; message: string }) => `${error.code} ${error.message}`)
  const REFUSED = 'UE409 registration_case_differs'
  it('keeps whoever writes from a state without its case, and from leaving it without', async () => {
    const { registration, schedule } = await inExam()
    for (const main of ['Punished', 'Banned', 'Absent', 'Excused'] as const)
      expect([main, await write(registration, main)]).toEqual([main, REFUSED])
    const id = await proposed(registration)
    ok(await office('POST', `/attendance/absences/ban/${id}`, {}))
    expect(await write(registration, 'Registered')).toBe(REFUSED)
    await expect(w.query(`update absence_cases set status = 'waived' where id = $1`, [id])).resolves.toBeDefined()
    // Such a row is one of before: what it was is taken back by hand.
    expect(await write(registration, 'Registered')).toBeNull()
    await expect(w.query(`update absence_cases set status = 'banned' where id = $1`, [id])).rejects.toMatchObject({
      message: 'registration_case_differs',
    })
    ok(await office('PUT', `/exam-schedules/absences/${schedule}`, { registration_ids: [registration] }))
    expect(await write(registration, 'Registered')).toBe(REFUSED)
    expect(await stateOf(registration)).toBe('Absent')
  })

  it('of two who decide at one moment one wins, and both agree in the end', async () => {
    const { registration } = await inExam(1)
    const id = await proposed(registration)
    const answers = await Promise.all([
      set(office, registration, 13),
      office('POST', `/attendance/absences/ban/${id}`, {}),
      office('POST', `/attendance/absences/waive/${id}`, { reason: 'ill' }),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await stateOf(registration)) === 'Banned').toBe((await statusIn('absence_cases', id)) === 'banned')
  })
})
