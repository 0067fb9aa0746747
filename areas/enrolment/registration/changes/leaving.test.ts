import { flag, mainOf } from '#areas/common/academics/status.rules.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { registrationServer } from '../registration.server.ts'

let u: TestUniversity
let w: RegistrationWorld
let registrar: Caller

const path = (call: string) => `/registrations/students/${call}`
type Offering = { id: number; lectures: number[] }
const ask = (who: Caller, offering: Offering) =>
  who('PUT', path('request-offering'), {
    offerings: [{ offering_id: offering.id, offering_slot_ids: offering.lectures }],
  })
const decide = (id: number, status: string, who = registrar) =>
  who('POST', `/students/status/${id}`, { status, decision: 'Council 15/2026', decided_on: '2026-01-15' })
const states = async (student: number) =>
  (
    await w.query<{ code: string; status: string }>(
      'select c.code, r.status::text from registrations r join courses c on c.id = r.course_id where r.student_id = $1 order by 1',
      [student],
    )
  ).map((row) => `${row.code} ${mainOf(BigInt(row.status))}`)
const raw = (text: string, values: unknown[] = []) => w.query(text, values)

/** A student with an advisor, a registered course, one that is only asked for, and a place in a queue. */
async function busy() {
  const advisor = await w.advisor()
  const student = await w.student({ advisor: advisor.id })
  const [kept, asked, full] = [
    await w.offer('MA101', { day: 0, quota: 1 }),
    await w.offer('PH101', { day: 1, quota: 1 }),
    await w.offer('CS101', { day: 2 }),
  ]
  const [made] = ok(await ask(student.as, kept)) as { id: number }[]
  ok(await registrar('PUT', path('accept-requested-offering'), { registration_ids: [made!.id] }))
  ok(await ask(student.as, asked))
  await raw('insert into wait_list (offering_id, student_id, offering_slot_ids) values ($1, $2, $3)', [
    full.id,
    student.id,
    full.lectures,
  ])
  return { ...student, kept, asked }
}
const stands = async (id: number) =>
  (
    await raw(
      `select s.status, s.advisor_id, d.to_status, d.source, cardinality(d.left_ids) as ended,
        (select state from wait_list where student_id = s.id) as queue
       from students s left join student_status_decisions d on d.id = s.status_decision_id where s.id = $1`,
      [id],
    )
  )[0]

beforeAll(async () => {
  u = await testUniversity([catalogueServer, studentsServer, registrationServer])
  w = await registrationWorld(u)
  registrar = await u.as('registrar')
})
afterAll(() => u.close())
beforeEach(() => w.windows('register', 'add_drop'))

describe('who leaves the university', () => {
  test.each(['withdrawn', 'dismissed'])(
    '%s: requests, queue, courses with their seats and the advisor go with the decision',
    async (status) => {
      const one = await busy()
      ok(await decide(one.id, status))
      expect(await states(one.id)).toEqual(['MA101 Dropped'])
      expect(await stands(one.id)).toEqual({
        status,
        advisor_id: null,
        to_status: status,
        source: 'decision',
        ended: 1,
        queue: 'left',
      })
      // Both seats are there for others.
      const next = await w.student()
      ok(await ask(next.as, one.kept))
      ok(await ask(next.as, one.asked))
      expect(await w.wrongSeats()).toEqual([])
      expect(
        await raw(`select action, reason from registration_history where student_id = $1 order by id desc limit 2`, [
          one.id,
        ]),
      ).toEqual([
        { action: 'drop', reason: 'Council 15/2026' },
        { action: 'remove', reason: 'Council 15/2026' },
      ])
    },
  )

  test('once nobody can register any more, courses are withdrawn from', async () => {
    const one = await busy()
    await w.windows('exam')
    ok(await decide(one.id, 'withdrawn'))
    expect(await states(one.id)).toEqual(['MA101 ForcedWithdrawn'])
  })

  test('who is suspended keeps the courses and the advisor', async () => {
    const one = await busy()
    ok(await decide(one.id, 'suspended'))
    expect(await states(one.id)).toEqual(['MA101 Registered'])
    expect((await stands(one.id))!.advisor_id).not.toBe(null)
  })

  test('to another university leads the transfer alone, and no decision passes one that waits', async () => {
    const one = await busy()
    const refused = await decide(one.id, 'transferred')
    expect([refused.status, reasons(refused)]).toEqual([409, ['status_by_transfer@status']])
    await raw(
      `insert into transfers_out (student_id, term_id, destination, why) values ($1, $2, 'Elsewhere', 'moving')`,
      [one.id, w.term],
    )
    const waits = await decide(one.id, 'withdrawn')
    expect([waits.status, reasons(waits)]).toEqual([409, ['status_transfer_waits@status']])
    // Who stays may be suspended meanwhile.
    ok(await decide(one.id, 'suspended'))
    expect(await states(one.id)).toEqual(['MA101 Registered'])
  })

  test('who has left asks for no leave from a course that still runs, and is told why; who is suspended may', async () => {
    const asksToDrop = async (status: string) => {
      const one = await busy()
      const [kept] = (await raw('select id from registrations where student_id = $1 and offering_id = $2', [
        one.id,
        one.kept.id,
      ])) as { id: number }[]
      ok(await decide(one.id, status))
      // Before leaving was one function, courses stayed.
      await raw(`update registrations set status = status & ~$2::bigint | $3::bigint where id = $1`, [
        kept!.id,
        String(flag.Dropped),
        String(flag.Registered),
      ])
      expect(await states(one.id)).toEqual(['MA101 Registered'])
      const [row] = ok(await one.as('GET', '/registrations/students/requested-offerings')).registrations
      const answer = await one.as('PUT', path('addDrop-offering'), { action: 'drop', registration_ids: [kept!.id] })
      return { answer, offered: row.abilities.includes('drop') }
    }
    const left = await asksToDrop('withdrawn')
    expect([left.answer.status, reasons(left.answer), left.offered]).toEqual([409, ['registration_left'], false])
    expect(left.answer.body.errors[0].data).toMatchObject({ status: 'Withdrawn' })
    const away = await asksToDrop('suspended')
    expect([away.answer.status, away.offered]).toEqual([200, true])
  })

  test('the wrong person decides nothing', async () => {
    const one = await busy()
    const elsewhere = await u.as('registrar', ['faculty', w.otherFaculty])
    expect((await decide(one.id, 'withdrawn', elsewhere)).status).toBe(404)
    expect((await decide(one.id, 'withdrawn', one.as)).status).toBe(403)
    expect((await stands(one.id))!.status).toBe('studying')
  })
})

describe('the database', () => {
  test('has no status without its decision, and no decision past its owner', async () => {
    const one = await w.student()
    for (const status of ['graduated', 'dismissed', 'withdrawn', 'transferred', 'suspended'])
      await expect(raw(`update students set status = $2 where id = $1`, [one.id, status])).rejects.toMatchObject({
        constraint: 'status_decided',
      })
    await expect(
      raw(
        `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, status)
         select 'X1', 'X', 'س', faculty_id, program_id, bylaw_id, 'graduated' from students where id = $1`,
        [one.id],
      ),
    ).rejects.toMatchObject({ constraint: 'status_decided' })
    for (const [status, source] of [
      ['transferred', 'decision'],
      ['graduated', 'term_result'],
      ['withdrawn', 'term_result'],
    ])
      await expect(
        raw(`select decide_status(array[$1::int], $2, 'x', university_today(), $3)`, [one.id, status, source]),
      ).rejects.toMatchObject({ constraint: 'student_status_by_owner' })
    // A status that is another than its decision says.
    await raw(`select decide_status(array[$1::int], 'suspended', 'x', university_today())`, [one.id])
    await expect(raw(`update students set status = 'graduated' where id = $1`, [one.id])).rejects.toMatchObject({
      constraint: 'status_of_decision',
    })
  })
})
