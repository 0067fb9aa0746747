import { afterAll, beforeAll, expect, it } from 'vitest'
import { flag } from '#areas/common/academics/status.rules.ts'
import { attendanceServer } from '#areas/enrolment/attendance/attendance.server.ts'
import { registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { feesServer } from '#areas/money/fees/fees.server.ts'
import { proofOf } from '#areas/money/ledger/testing.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { ok, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { invoicesServer } from '../invoices.server.ts'
import { priceWorld } from '../testing.server.ts'

let u: TestUniversity
let w: RegistrationWorld
let p: Awaited<ReturnType<typeof priceWorld>>
let finance: Caller
let year: number
beforeAll(async () => {
  u = await testUniversity([catalogueServer, feesServer, invoicesServer, registrationServer, attendanceServer])
  w = await registrationWorld(u)
  p = await priceWorld(u.database.db, w.term)
  finance = await u.as('finance_officer', ['faculty', w.faculty])
  await w.query(
    `insert into fee_items (code, name, name_local, type, is_automatic) values ('LAB', 'Laboratory', 'معمل', 'services', true)`,
  )
  ;[{ year }] = (await w.query('select year_id as year from terms where id = $1', [w.term])) as [{ year: number }]
}, 180_000)
afterAll(() => u?.close())

const student = async (entered: boolean) => {
  const one = await w.student()
  await w.query('update students set nationality_id = 64, entry_term_id = $2 where id = $1', [
    one.id,
    entered ? w.term : null,
  ])
  return one
}
const register = async (student: number, course: string, attempt: bigint = flag.Fresh) => {
  const offering = await w.offer(course)
  const [row] = await w.query<{ hours: number; course: number }>(
    `insert into registrations (student_id, offering_id, term_id, course_id, credit_hours, status)
     select $1, o.id, o.term_id, o.course_id, c.credit_hours, $3 from offerings o join courses c on c.id = o.course_id where o.id = $2
     returning credit_hours::int as hours, course_id as course`,
    [student, offering.id, String(flag.Registered | attempt)],
  )
  return row!
}
const priced = async (one: { id: number }) => {
  const { draft, reasons } = ok(
    await finance('POST', `/payments/apply_next_invoice/${one.id}`, { preview: true, term_id: w.term }),
  )
  expect(reasons).toEqual([])
  return draft.lines.map((line: any) => [line.item, line.amount])
}

it('a cohort keeps its price, repeated courses have their rate, and a laboratory its fee', async () => {
  const [old, young] = [await student(false), await student(true)]
  const courses = []
  for (const one of [old, young]) {
    courses.push(await register(one.id, 'MA101'))
    courses.push(await register(one.id, 'CS101', flag.Repeat))
  }
  const [first, repeated] = courses as [{ hours: number; course: number }, { hours: number; course: number }]
  await p.version({
    rows: [
      { code: 'HOURS', amount: 40_000, per: 'hour', entry_year_id: year },
      { code: 'HOURS', amount: 10_000, per: 'hour', repeats: true },
      { code: 'LAB', amount: 70_000, per: 'course', course_id: first.course },
    ],
  })
  const usual = (rate: number) => [
    ['TUITION', p.tuition],
    ['HOURS', first.hours * rate],
    ['HOURS', repeated.hours * 10_000],
    ['LAB', 70_000],
  ]
  expect(await priced(old)).toEqual(expect.arrayContaining(usual(p.hour)))
  expect(await priced(young)).toEqual(expect.arrayContaining(usual(40_000)))
  // Issued, and nothing of it changes when prices do.
  const { invoice } = ok(await finance('POST', `/payments/apply_next_invoice/${young.id}`, { term_id: w.term }))
  const charged = async () => ok(await finance('GET', `/payments/${invoice.id}`)).charged
  const before = await charged()
  await p.version({ rows: [{ code: 'HOURS', amount: 1, per: 'hour', entry_year_id: year }] })
  expect(await charged()).toBe(before)
  expect(await proofOf(u.services)).toMatchObject({ count: 0, findings: [] })
})

it('hours in a flat band cost the same', async () => {
  const one = await student(false)
  const { hours } = await register(one.id, 'MA101')
  await p.version({
    rows: [
      {
        code: 'HOURS',
        amount: p.hour,
        per: 'hour',
        level: 1,
        flat: { from: hours * 50, to: hours * 200, amount: 123_456 },
      },
    ],
  })
  await w.query('update students set level = 1 where id = $1', [one.id])
  expect(await priced(one)).toEqual([
    ['TUITION', p.tuition],
    ['HOURS', 123_456],
  ])
})
