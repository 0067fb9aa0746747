/** Own reports shared with persons, and put on the home page. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { kitServer } from '#kit/server/kit.server.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { reportsServer } from '../reports.server.ts'
import type { OwnFigures, OwnReport } from './own.contract.ts'

let u: TestUniversity
let registrar: Caller
let dean: Caller
beforeAll(async () => {
  u = await testUniversity([kitServer, reportsServer], { database: await demoDatabase() })
  registrar = await u.as('registrar')
  dean = await u.as('dean', ['faculty', 1])
}, 720_000)
afterAll(() => u?.close())

const q = async <Row = Record<string, any>>(text: string, values: unknown[] = []) =>
  (await u.database.pool.query(text, values)).rows as Row[]
const ASKED = { measures: ['people'], rows: ['faculty'], columns: [] as string[] }
let names = 0
const kept = async (who = registrar): Promise<OwnReport> =>
  ok(await who('PUT', '/own-reports', { name: `Shared ${++names}`, asked: ASKED }))
const share = (id: number, people: number[], who = registrar) =>
  who('PUT', `/own-reports/${id}/roles`, { role_ids: [], user_ids: people })

it('a person finds it, hears of it once, and sees what the own rights reach', async () => {
  const { id } = await kept()
  const seen: OwnReport = ok(await share(id, [dean.user_id, registrar.user_id]))
  expect(seen.people.map((one) => one.id)).toEqual([dean.user_id])
  const opened: OwnReport = ok(await dean('GET', `/own-reports/${id}`))
  // With whom else it is shared is told to who keeps it.
  expect([opened.open, opened.people]).toEqual([true, []])
  const figures: OwnFigures = ok(await dean('POST', '/own-reports/figures', opened.asked))
  expect(figures.rows.map(({ keys }) => keys[0]!.key)).toEqual(['1'])
  const notices = () =>
    q(`select data from notifications where user_id = $1 and key = 'reports.notice_own_shared' and link = $2`, [
      dean.user_id,
      `/reports/own/${id}`,
    ])
  ok(await share(id, [dean.user_id]))
  expect(await notices()).toHaveLength(1)
  // Roles alone: the persons stay.
  ok(await registrar('PUT', `/own-reports/${id}/roles`, { role_ids: [] }))
  expect((await dean('GET', `/own-reports/${id}`)).status).toBe(200)
  ok(await share(id, []))
  expect((await dean('GET', `/own-reports/${id}`)).status).toBe(404)
})

it('not with who would see nothing, a student, or nobody; with every reason', async () => {
  const { id } = await kept()
  const [cashier, student] = [await u.as('cashier'), await u.as('student')]
  const answer = await share(id, [cashier.user_id, student.user_id, 2_000_000_000])
  expect([answer.status, reasons(answer)]).toEqual([
    422,
    ['own_report_person_blind@user_ids', 'own_report_person_blind@user_ids', 'reference_missing@user_ids'],
  ])
  expect((await share(id, [registrar.user_id], dean)).status).toBe(404)
})

it('who lost the right meanwhile sees nothing of it, and does not stand in the way of changes', async () => {
  const leaver = await u.as('vice_president')
  const { id } = await kept()
  ok(await share(id, [leaver.user_id]))
  await q('delete from role_assignments where user_id = $1', [leaver.user_id])
  u.auth.forget()
  expect((await leaver('GET', `/own-reports/${id}`)).status).toBe(403)
  ok(await registrar('PUT', `/own-reports/${id}`, { name: `Shared ${++names}`, asked: { ...ASKED, rows: ['level'] } }))
  // Other figures ask for another right, which not everybody who was chosen holds.
  const other = { measures: ['applicants'], rows: ['admission'], columns: [] }
  const changed = await registrar('PUT', `/own-reports/${id}`, { name: 'Applicants', asked: other })
  expect([changed.status, reasons(changed)]).toEqual([422, ['own_report_person_blind@user_ids']])
})

it('persons are found by name among those who may see the figures', async () => {
  const find = async (search: string, measure = 'people', who = registrar) =>
    (await who('POST', '/own-reports/people', { measure, search })).body.data as { id: number; name: string }[]
  await q(`update users set name = 'Zenobia Deanlike', name_local = 'زنوبيا' where id = $1`, [dean.user_id])
  const cashier = await u.as('cashier')
  await q(`update users set name = 'Zenobia Cashier', name_local = 'زنوبيا' where id = $1`, [cashier.user_id])
  expect((await find('zenobia')).map(({ id }) => id)).toEqual([dean.user_id])
  expect((await find('زنوبيا dean')).map(({ id }) => id)).toEqual([dean.user_id])
  expect(await find('zenobia', 'people', dean)).toEqual([])
  const body = { measure: 'people', search: 'zenobia' }
  expect((await cashier('POST', '/own-reports/people', body)).status).toBe(403)
  // Whoever may not see these figures does not ask who may.
  const officer = await u.as('admission_officer')
  expect((await officer('POST', '/own-reports/people', body)).status).toBe(403)
  expect((await u.nobody('POST', '/own-reports/people', body)).status).toBe(401)
})

it('the home page asks for reports only where somebody has put one there', async () => {
  const besides = async (who: Caller) => (await who('GET', '/users/work')).body.data.besides as string[]
  const who = await u.as('registrar')
  const { id } = await kept(who)
  expect(await besides(who)).toEqual([])
  ok(await who('PUT', `/own-reports/${id}/pin`, { looks: 'number' }))
  expect(await besides(who)).toEqual(['home.besides'])
  ok(await who('DELETE', `/own-reports/${id}`))
  expect(await besides(who)).toEqual([])
  // What is shared no more stands there no more.
  const shared = await kept()
  ok(await share(shared.id, [dean.user_id]))
  ok(await dean('PUT', `/own-reports/${shared.id}/pin`, { looks: 'chart' }))
  expect(await besides(dean)).toEqual(['home.besides'])
  ok(await share(shared.id, []))
  expect(await besides(dean)).toEqual([])
  expect(await besides(await u.as('student'))).toEqual([])
})
