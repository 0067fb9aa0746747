import { afterAll, beforeAll, expect, test } from 'vitest'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { registrationServer } from '../registration.server.ts'
import { flag } from '#areas/common/academics/status.rules.ts'

let u: TestUniversity
let w: RegistrationWorld
let registrar: Caller
const ask = (who: Caller, offering: { id: number; lectures: number[] }, more: object = {}) =>
  who('PUT', '/registrations/students/request-offering', {
    offerings: [{ offering_id: offering.id, offering_slot_ids: offering.lectures, ...more }],
  })

beforeAll(async () => {
  u = await testUniversity([catalogueServer, studentsServer, registrationServer])
  w = await registrationWorld(u)
  registrar = await u.as('registrar')
  await w.windows('register')
})
afterAll(() => u.close())

test('two courses clash when they do in Ramadan time, and when they do in regular time', async () => {
  const [first, second] = [await w.offer('MA101', { day: 1, period: 1 }), await w.offer('PH101', { day: 1, period: 2 })]
  const [one, two] = [await w.student(), await w.student()]
  ok(await ask(one.as, first))
  ok(await ask(one.as, second))
  // In Ramadan the second period begins before the first has ended.
  await w.query(
    `update slots set ramadan_start_time = (select ramadan_start_time + interval '30 minutes' from slots where code = 'P2'),
       ramadan_end_time = (select ramadan_end_time + interval '30 minutes' from slots where code = 'P2') where code = 'P3'`,
  )
  ok(await ask(two.as, first))
  expect(reasons(await ask(two.as, second))).toEqual(['time_clash'])
  const slots = ok(await two.as('POST', `/registrations/students/offering-slots/${second.id}`, {}))
  expect(slots[0].clashes).toEqual(['MA101'])
  await w.query(`update slots set ramadan_start_time = time '18:00', ramadan_end_time = time '19:00' where code = 'P3'`)
  ok(await ask(two.as, second))
})

test('a course equal to a passed one is passed: for prerequisites, for itself, for the attempt, for the degree', async () => {
  const { MA101, CS101, CS201 } = w.courses
  const [next, same] = [await w.offer('CS201', { day: 2 }), await w.offer('CS101', { day: 3 })]
  const student = await w.student({ passed: ['MA101'] })
  const again = await w.student({ failed: ['MA101'] })
  expect(reasons(await ask(student.as, next))).toEqual(['prerequisites'])
  const course = ok(await registrar('GET', `/courses/${CS101}`))
  const edit = (equal_ids: number[]) => registrar('PUT', `/courses/${CS101}`, { equal_ids })
  expect(reasons(await edit([CS101!]))).toEqual(['course_equals_other'])
  ok(await edit([MA101!]))
  expect(course.equal_ids).toEqual([])
  expect(ok(await registrar('GET', `/courses/${MA101}`)).equal_ids).toMatchObject([{ id: CS101 }])

  expect(reasons(await ask(student.as, same))).toEqual(['already_passed'])
  const [better] = ok(await ask(student.as, same, { improve: true }))
  expect(BigInt(better.status) & flag.Improve).toBe(flag.Improve)
  const [repeated] = ok(await ask(again.as, same))
  expect(BigInt(repeated.status) & flag.Repeat).toBe(flag.Repeat)
  ok(await ask(student.as, next))
  const audit = ok(await student.as('GET', `/students/study-plan`))
  const of = (id: number) =>
    audit.groups
      .flatMap((one: { courses: { course: { id: number } }[] }) => one.courses)
      .find((one: { course: { id: number } }) => one.course.id === id)
  // What is only asked for is not in progress.
  expect([MA101, CS101].map((id) => of(id!).state).toSorted()).toEqual(['met', 'missing'])
  expect(of(CS201!).state).toBe('missing')

  // Not both in one term.
  const third = await w.student()
  ok(await ask(third.as, same))
  expect(reasons(await ask(third.as, await w.offer('MA101', { day: 4 })))).toEqual(['already_registered'])
  ok(await edit([]))
  expect(ok(await registrar('GET', `/courses/${MA101}`)).equal_ids).toEqual([])
})

test('the bylaw says how often a course is repeated, and what may be taken in the last term', async () => {
  const offering = await w.offer('EN101', { day: 5, period: 5 })
  const student = await w.student({ failed: ['EN101'] })
  const set = (settings: object) => registrar('PUT', `/bylaws/set/Settings/${w.bylaw}`, settings)
  ok(await set({ max_repeats: 0 }))
  const refused = await ask(student.as, offering)
  expect(reasons(refused)).toEqual(['repeat_limit'])
  expect(refused.body.error.en).toBe('Failed attempts at EN101: 1; repeats that the bylaw allows: 0')
  ok(await set({ max_repeats: 1 }))
  ok(await ask(student.as, offering))

  // The limit is 12 hours; 15 complete the degree.
  ok(await set({ graduation_hours: 45, graduating_extra_hours: 3 }))
  const [last, before] = [await w.student({ hours: 30 }), await w.student({ hours: 29 })]
  const offerings = []
  for (const [i, code] of ['MA101', 'CS101', 'PH101', 'HU101', 'EN101'].entries())
    offerings.push(await w.offer(code, { day: i, period: 0 }))
  for (const one of offerings.slice(0, 4)) {
    ok(await ask(last!.as, one))
    ok(await ask(before!.as, one))
  }
  expect(reasons(await ask(before!.as, offerings[4]!))).toEqual(['credit_hours_limit'])
  expect(ok(await last!.as('GET', '/registrations/students/requested-offerings')).load).toMatchObject({ max_hours: 15 })
  ok(await ask(last!.as, offerings[4]!))
  ok(await set({ max_repeats: null, graduating_extra_hours: 0 }))
})

test('without a plan the passed hours count towards the degree', async () => {
  const student = await w.student({ passed: ['MA101', 'PH101'] })
  await w.query('update bylaws set graduation_hours = 6')
  await w.query('update programs set min_credit_hours = 0')
  await w.query('delete from program_courses')
  const audit = ok(await student.as('GET', '/students/study-plan'))
  expect(audit.hours).toEqual({ required: 6, earned: 6, since: 6, in_progress: 0, state: 'met' })
  expect(ok(await registrar('GET', `/students/${student.id}/study-plan`)).complete).toBe(true)
  expect(audit.other).toHaveLength(2)
})
