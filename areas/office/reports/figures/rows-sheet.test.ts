import { afterAll, beforeAll, expect, it } from 'vitest'
import { kitServer } from '#kit/server/kit.server.ts'
import { readSheet } from '#kit/server/sheets/index.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { reportsServer } from '../reports.server.ts'
import type { MadeSheet } from './figures.contract.ts'
import { ROWS_SHEET } from './kept.rules.ts'

let u: TestUniversity
let registrar: Caller
let dean: Caller
beforeAll(async () => {
  u = await testUniversity([kitServer, reportsServer], { database: await demoDatabase(), work: true })
  registrar = await u.as('registrar')
  dean = await u.as('dean', ['faculty', 1])
}, 720_000)
afterAll(() => u?.close())

const ask = (who: Caller, body: object = {}) =>
  who('POST', '/reports/students/rows/xlsx', { measure: 'students', lang: 'en', ...body })
/** What the job of a call has made, and its sheet. */
async function made(who: Caller, body: object = {}): Promise<{ result: MadeSheet; rows: string[][]; name: string }> {
  const job_id = ok(await ask(who, body)).job_id as string
  for (let tries = 0; ; tries++) {
    const { rows } = await u.database.pool.query<{ state: string; result: MadeSheet; error: unknown }>(
      'select state, result, error from jobs where id = $1',
      [job_id],
    )
    const job = rows[0]!
    if (job.state === 'done') {
      const file = await who('GET', job.result.url.replace(/^\/api/, ''))
      const { sheets } = await readSheet(file.bytes)
      return {
        result: job.result,
        name: sheets[0]!.name,
        rows: sheets[0]!.rows.map((row) => row.map(({ text }) => text)),
      }
    }
    if (job.state === 'failed' || tries > 300) throw new Error(JSON.stringify(job))
    await new Promise((done) => setTimeout(done, 100))
  }
}
const listed = async (who: Caller, body: object = {}) =>
  (await who('POST', '/reports/students/rows', { measure: 'students', ...body })).body

it('holds every row behind a figure, in the language of the sheet', async () => {
  const { meta, data } = await listed(registrar, { perPage: 500 })
  const english = await made(registrar)
  expect([english.name, english.rows[0]!.slice(0, 2), english.result.rows]).toEqual([
    'Students',
    ['Code', 'Name'],
    meta.count,
  ])
  expect(english.rows).toHaveLength(meta.count + 1)
  expect(english.rows.slice(1, 4).map((row) => row.slice(0, 2))).toEqual(
    data.rows.slice(0, 3).map((row: { code: string; name: string }) => [row.code, row.name]),
  )
  const arabic = await made(registrar, { lang: 'ar', filters: { level: [1] } })
  expect([arabic.name, arabic.rows[1]![1]]).toEqual([
    'الطلاب',
    (await listed(registrar, { filters: { level: [1] } })).data.rows[0].name_local,
  ])
})

it('reaches as far as the reader does, when it is made', async () => {
  const own = await made(dean)
  expect(own.rows).toHaveLength((await listed(dean)).meta.count + 1)
  expect(own.rows.length).toBeLessThan((await listed(registrar)).meta.count)
  // Somebody else does not open the file of it.
  expect((await registrar('GET', own.result.url.replace(/^\/api/, ''))).status).toBe(404)
})

it('is made for nobody without the right to the report and to its rows, nor of nothing, nor of more than a sheet holds', async () => {
  expect([(await ask(await u.as('student'))).status, (await ask(u.nobody)).status]).toEqual([403, 401])
  // With the right to the rows, and to another report.
  const { rows: role } = await u.database.pool.query<{
    key: string
  }>(`with r as (insert into roles (key, name, name_local)
      values ('other-report', 'Other report', 'تقرير آخر') returning id, key),
    p as (insert into role_permissions (role_id, permission, reach)
      select r.id, x, 'scope' from r cross join unnest(array['access_report_equivalence', 'access_students']) x) select key from r`)
  expect((await ask(await u.as(role[0]!.key))).status).toBe(403)
  const before = ROWS_SHEET.most
  expect(reasons(await ask(registrar, { filters: { level: [99] } }))).toEqual(['no_rows'])
  try {
    ROWS_SHEET.most = 5
    const many = await ask(registrar)
    expect([many.status, reasons(many)]).toEqual([422, ['report_rows_many']])
  } finally {
    ROWS_SHEET.most = before
  }
})
