import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { gradingServer } from '#areas/records/grading/grading.server.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { registrationServer } from '../registration.server.ts'
import { attemptOf } from '#areas/common/academics/status.rules.ts'

let u: TestUniversity
let w: RegistrationWorld
let registrar: Caller
let head: Caller
beforeAll(async () => {
  u = await testUniversity([catalogueServer, registrationServer, gradingServer])
  w = await registrationWorld(u)
  registrar = await u.as('registrar')
  head = await u.as('control_head')
  await w.windows('register', 'add_drop')
})
afterAll(() => u.close())

const past = (course: string, status: string) =>
  w.query('update offerings set control_status = $1 where term_id = $2 and course_id = $3', [
    status,
    w.pastTerm,
    w.courses[course],
  ])
const ask = (who: Caller, student: number | null, offering: { id: number; lectures: number[] }) =>
  who('PUT', '/registrations/students/request-offering', {
    ...(student !== null && { student_id: student }),
    offerings: [{ offering_id: offering.id, offering_slot_ids: offering.lectures.slice(0, 1) }],
  })
const attempt = async (student: number, offering: number) => {
  const [row] = await w.query<{ status: string }>(
    'select status::text as status from registrations where student_id = $1 and offering_id = $2',
    [student, offering],
  )
  return attemptOf(BigInt(row!.status))
}

test('before it is published a result neither opens nor closes anything for a student; staff go by what control has approved', async () => {
  const opened = await w.offer('CS201')
  const again = await w.offer('CS101')
  const own = await w.student({ passed: ['CS101'] })
  const other = await w.student({ passed: ['CS101'] })
  for (const [status, student, staff] of [
    ['Draft', ['prerequisites'], ['prerequisites']],
    ['Reviewed', ['prerequisites'], ['prerequisites']],
    ['Approved', ['prerequisites'], []],
  ] as const) {
    await past('CS101', status)
    expect(reasons(await ask(own.as, null, opened)), status).toEqual(student)
    const answer = await ask(registrar, other.id, opened)
    expect(reasons(answer), status).toEqual(staff)
    if (answer.status === 200)
      await w.query('delete from registrations where student_id = $1 and offering_id = $2', [other.id, opened.id])
  }
  // Nothing says that the course is passed: it is asked for again as if it were still under way.
  expect(reasons(await ask(registrar, own.id, again))).toEqual(['already_passed'])
  ok(await ask(own.as, null, again))
  expect(await attempt(own.id, again.id)).toBe('Fresh')
  await past('CS101', 'Published')
  ok(await ask(other.as, null, opened))
  expect(reasons(await ask(other.as, null, again))).toEqual(['already_passed'])
})

test('which attempt a registration is follows the publication, and its being taken back', async () => {
  const again = await w.offer('MA101')
  const failed = await w.student({ failed: ['MA101'] })
  await past('MA101', 'Approved')
  const [{ id }] = (await w.query<{ id: number }>('select id from offerings where term_id = $1 and course_id = $2', [
    w.pastTerm,
    w.courses.MA101,
  ])) as [{ id: number }]
  ok(await ask(failed.as, null, again))
  expect(await attempt(failed.id, again.id)).toBe('Fresh')
  // Its mark is known to the loader alone: control publishes what stands.
  await w.query(
    `insert into step_history (workflow, record_id, action, from_state, to_state) values ('offering_control', $1, $2, $3, $4)`,
    [id, 'approve', 'Reviewed', 'Approved'],
  )
  const [category] = await w.query<{ id: number }>(
    `insert into mark_categories (code, name, name_local, is_final_exam) values ('FIN', 'Final', 'النهائي', true) returning id`,
  )
  const [scheme] = await w.query<{ id: number }>(
    'insert into offering_marks (offering_id, mark_category_id, max) values ($1, $2, 100) returning id',
    [id, category!.id],
  )
  await w.query(
    'insert into registration_marks (registration_id, offering_mark_id, mark) select id, $2, 30 from registrations where offering_id = $1',
    [id, scheme!.id],
  )
  ok(await head('PUT', `/control/offerings/publish-control-status/${id}`, {}))
  expect(await attempt(failed.id, again.id)).toBe('Repeat')
  ok(await head('PUT', `/control/offerings/undo-control-status/${id}`, { reason: 'too early' }))
  expect(await attempt(failed.id, again.id)).toBe('Fresh')
  // Each turn stands in the history, which leads to what is now.
  const steps = await w.query<{ action: string; joined: boolean }>(
    `select h.action, lag(h.to_status) over (order by h.id) is not distinct from h.from_status as joined
     from registration_history h join registrations r on r.id = h.registration_id where r.student_id = $1 and r.offering_id = $2
     order by h.id`,
    [failed.id, again.id],
  )
  expect(steps.map((one) => one.action).slice(-2)).toEqual(['attempt', 'attempt'])
  expect(steps.every((one) => one.joined)).toBe(true)
})
