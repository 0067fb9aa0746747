import { afterAll, beforeAll, expect, it } from 'vitest'
import { AREA_SERVERS } from '../apps/server/areas.server.ts'
import { demoDatabase } from './demo.ts'
import { ok, reasons, testUniversity } from './university.ts'
import type { Caller, TestUniversity } from './university.ts'

/**
 * What a request made by `npm run new -- workflow` does, told through HTTP: `new.test.ts` runs it in the copy of the
 * repository in which it made `parkingRequest`.
 */
const PATH = '/parking-requests'
let u: TestUniversity
let student: Caller & { readonly student_id: number; readonly faculty_id: number }
let colleague: typeof student
let registrar: Caller

const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase() })
  const found = await query<{ user_id: number; student_id: number; faculty_id: number }>(`
    select distinct on (faculty_id) user_id, id as student_id, faculty_id from students s
    where user_id is not null and id not in (select student_id from parking_requests) order by faculty_id, id limit 2`)
  const people = await Promise.all(found.map(async (one) => Object.assign(await u.signIn(one.user_id), one)))
  student = people[0]!
  colleague = people[1]!
  registrar = await u.as('faculty_registrar', ['faculty', student.faculty_id], { name: 'Mona' })
}, 1_200_000)
afterAll(() => u?.close())

const ask = async (who = student): Promise<number> =>
  ok(await who('PUT', PATH, { student_id: who.student_id, why: 'To work in a company.' })).id
const row = async (who: Caller, id: number) => ok(await who('GET', `${PATH}/${id}`))

it('a student asks for himself alone, sees the own alone, and decides nothing', async () => {
  const id = await ask()
  expect(await row(student, id)).toMatchObject({
    status: 'requested',
    student_id: student.student_id,
    abilities: ['cancel'],
  })
  expect((await student('PUT', PATH, { student_id: colleague.student_id, why: 'For her.' })).status).toBe(403)
  expect((await colleague('GET', `${PATH}/${id}`)).status).toBe(404)
  expect((await colleague('GET', `${PATH}/steps/${id}`)).status).toBe(404)
  expect((await student('POST', `${PATH}/accept/${id}`, {})).status).toBe(403)
  expect((await colleague('POST', `${PATH}/cancel/${id}`, {})).status).toBe(404)
  ok(await student('POST', `${PATH}/cancel/${id}`, {}))
  expect(await row(student, id)).toMatchObject({ status: 'cancelled', abilities: [] })
})

it('who decides has the steps as abilities of the row, in the list as in the record; who entered it has not', async () => {
  const id = await ask()
  const open = ['accept', 'reject', 'cancel']
  expect((await row(registrar, id)).abilities).toEqual(open)
  const list = ok(await registrar('POST', PATH, { filters: { student_id: student.student_id }, perPage: 100 })) as any[]
  expect(list.find((one) => one.id === id).abilities).toEqual(open)
  expect(await row(await u.as('faculty_registrar', ['faculty', colleague.faculty_id]), id).catch(() => null)).toBeNull()

  const entered = ok(await registrar('PUT', PATH, { student_id: student.student_id, why: 'By letter.' }))
  expect(entered.abilities).toEqual(['cancel'])
  expect(reasons(await registrar('POST', `${PATH}/accept/${entered.id}`, {}))).toEqual(['step_own'])
})

it('a request waits on the home of who decides it until it is decided, and on nobody else’s', async () => {
  const [first] = await query<{ id: number }>(
    `update parking_requests set status = 'cancelled' where status = 'requested' returning id`,
  )
  expect(first).toBeDefined()
  // Other kinds of request may wait on the same home: this one is told by where it leads.
  const line = async (who: Caller) =>
    (ok(await who('GET', '/users/work')).waiting as any[]).find(
      (item) => item.key === 'kit.work_requests' && item.link === PATH,
    )
  const id = await ask()
  expect(await line(registrar)).toMatchObject({
    data: { count: 1, what: 'Parking requests', what_local: 'طلبات مواقف السيارات', area: 'parking' },
    link: PATH,
  })
  expect(await line(await u.as('faculty_registrar', ['faculty', colleague.faculty_id]))).toBeUndefined()
  expect(await line(student)).toBeUndefined()
  ok(await registrar('POST', `${PATH}/accept/${id}`, {}))
  expect(await line(registrar)).toBeUndefined()
})

it('who asks is told in whose hands it is, and of every decision with its reason', async () => {
  const id = await ask()
  const steps = async () => (await student('GET', `${PATH}/steps/${id}`)).body
  const elsewhere = await u.as('faculty_registrar', ['faculty', colleague.faculty_id], { name: 'Elsewhere' })
  expect(elsewhere.user_id).toBeGreaterThan(0)
  const { data, waits_for } = await steps()
  expect(data.map((step: any) => [step.from, step.to])).toEqual([[null, 'requested']])
  // Whose role is for this faculty has it, not who has the same right over all; nor anybody of another faculty.
  const names = waits_for.named.map((one: any) => one.name)
  expect(names).toContain('Mona')
  expect(waits_for.named[names.indexOf('Mona')]).toMatchObject({
    role: 'Faculty registrar',
    role_local: 'مسجل الكلية',
  })
  expect(names).not.toContain('Elsewhere')
  const everybody = await query<{ n: number }>(
    `select count(distinct a.user_id)::int as n from role_assignments a join roles r on r.id = a.role_id
     where r.key = 'faculty_registrar' and a.scope_type = 'faculty' and a.scope_id = $1`,
    [student.faculty_id],
  )
  expect(waits_for.count).toBe(everybody[0]!.n)

  ok(await registrar('POST', `${PATH}/reject/${id}`, { reason: 'The places are full.' }))
  expect((await steps()).waits_for).toBeNull()
  const [told] = await query<{ data: object; link: string }>(
    `select data, link from notifications where user_id = $1 and key = 'kit.notice_request' order by id desc limit 1`,
    [student.user_id],
  )
  expect(told).toMatchObject({
    data: { what: 'Parking request', area: 'parking', state: 'Rejected', reason: 'The places are full.' },
    link: `${PATH}?id=${id}`,
  })
})
