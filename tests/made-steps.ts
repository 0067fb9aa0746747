import { afterAll, beforeAll, expect, it } from 'vitest'
import { AREA_SERVERS } from '../apps/server/areas.server.ts'
import { demoDatabase } from './demo.ts'
import { ok, reasons, testUniversity } from './university.ts'
import type { Caller, TestUniversity } from './university.ts'

/**
 * What a request of two steps with a fee does, as `npm run new -- workflow … --step … --fee …` makes it: `new.test.ts` runs it in the
 * copy of the repository in which it made `lockerRequest`. The advisor recommends, the registrar accepts; the fee has a price.
 */
const PATH = '/locker-requests'
let u: TestUniversity
let student: Caller & { readonly student_id: number; readonly faculty_id: number }
let advisor: Caller
let registrar: Caller

const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase() })
  const [found] = (await query<{ user_id: number; student_id: number; faculty_id: number }>(`
    select user_id, id as student_id, faculty_id from students s where user_id is not null and status = 'studying'
      and nationality_id is not null and id not in (select student_id from locker_requests) order by id limit 1`)) as [
    { user_id: number; student_id: number; faculty_id: number },
  ]
  student = Object.assign(await u.signIn(found.user_id), found)
  registrar = await u.as('faculty_registrar', ['faculty', student.faculty_id])
  const { user_id } = await u.as('academic_advisor', undefined, { type: 1, name: 'Amal' })
  await query(
    `with i as (insert into instructors (user_id, code, name, name_local, faculty_id) values ($1, 'AMAL', 'Amal', 'أمل', $2) returning id)
     update students set advisor_id = i.id from i where students.id = $3`,
    [user_id, student.faculty_id, student.student_id],
  )
  advisor = await u.signIn(user_id)
  // Those of the demo university wait for others.
  await query(`update locker_requests set status = 'cancelled' where status in ('requested', 'recommended')`)
}, 1_200_000)
afterAll(() => u?.close())

const inbox = async (who: Caller): Promise<number[]> =>
  (await who('POST', PATH, { filters: { waiting: true }, perPage: 100 })).body.data.map((row: { id: number }) => row.id)
const home = async (who: Caller): Promise<number> =>
  (ok(await who('GET', '/users/work')).waiting as any[]).find(({ link }) => link === PATH)?.data.count ?? 0

it('a fee of two steps waits for its payment, then for each in turn, and nobody skips a step', async () => {
  const { id, status } = ok(await student('PUT', PATH, { student_id: student.student_id, why: 'For my books.' }))
  expect(status).toBe('fee_due')
  expect([await inbox(advisor), await inbox(registrar), await home(advisor), await home(registrar)]).toEqual([
    [],
    [],
    0,
    0,
  ])
  const [told] = await query<{ link: string }>(
    `select link from notifications where user_id = $1 and key = 'kit.notice_fee' order by id desc limit 1`,
    [student.user_id],
  )
  expect(ok(await student('GET', told!.link))).toMatchObject({ state: 'unpaid' })

  ok(await registrar('POST', `${PATH}/waive_fee/${id}`, { reason: 'A prize.' }))
  expect([await inbox(advisor), await home(advisor), await inbox(registrar)]).toEqual([[id], 1, []])
  const { waits_for } = (await student('GET', `${PATH}/steps/${id}`)).body
  expect(waits_for).toMatchObject({ count: 1, named: [{ name: 'Amal', role: 'Academic advisor' }] })
  expect(reasons(await registrar('POST', `${PATH}/accept/${id}`, {}))).toEqual(['step_state'])

  ok(await advisor('POST', `${PATH}/recommend/${id}`, {}))
  expect([await inbox(advisor), await inbox(registrar), await home(registrar)]).toEqual([[], [id], 1])
  expect((await advisor('POST', `${PATH}/accept/${id}`, {})).status).toBe(403)
  ok(await registrar('POST', `${PATH}/accept/${id}`, {}))
  expect([await inbox(registrar), await home(registrar)]).toEqual([[], 0])
})
