import { afterAll, beforeAll, expect, it } from 'vitest'
import { kitServer } from '#kit/server/kit.server.ts'
import { readSheet } from '#kit/server/sheets/index.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { reportsServer } from '../reports.server.ts'
import type { MadeSheet } from './figures.contract.ts'
import { ROWS_SHEET } from './kept.rules.ts'
import { dayOf } from '#kit/contract/day.ts'

let u: TestUniversity
let registrar: Caller
let dean: Caller
beforeAll(async () => {
  u = await testUniversity([kitServer, reportsServer], { database: await demoDatabase(), work: true })
  registrar = await u.as('registrar')
  dean = await u.as('dean', ['faculty', 1])
}, 720_000)
afterAll(() => u?.close())

const ask = (who: Caller, body: object = {}, link = 'students') =>
  who('POST', `/reports/${link}/rows/xlsx`, { measure: 'students', lang: 'en', ...body })
/** What the job of a call has made, and its sheet. */
async function made(
  who: Caller,
  body: object = {},
  link?: string,
): Promise<{ job_id: string; result: MadeSheet; rows: string[][]; name: string }> {
  const job_id = ok(await ask(who, body, link)).job_id as string
  for (let tries = 0; ; tries++) {
    const { rows } = await u.database.pool.query<{ state: string; result: MadeSheet; error: unknown }>(
      'select state, result, error from jobs where id = $1',
      [job_id],
    )
    const job = rows[0]!
    if (job.state === 'done') {
      const file = await who('GET', `/reports/sheets/${job_id}`)
      const { sheets } = await readSheet(file.bytes)
      return {
        job_id,
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

it('holds them all where they are read in several pieces', async () => {
  const body = { measure: 'registered' }
  const { meta } = (await registrar('POST', '/reports/registrations/rows', body)).body
  expect(meta.count).toBeGreaterThan(4_000)
  const { rows, result } = await made(registrar, body, 'registrations')
  expect([rows.length, result.rows]).toEqual([meta.count + 1, meta.count])
})

it('reaches as far as the reader does, when it is made', async () => {
  const own = await made(dean)
  expect(own.rows).toHaveLength((await listed(dean)).meta.count + 1)
  expect(own.rows.length).toBeLessThan((await listed(registrar)).meta.count)
  // Somebody else does not open the file of it.
  expect((await registrar('GET', `/reports/sheets/${own.job_id}`)).status).toBe(404)
})

it('is kept for three days, says so, and leaves the store; the file belongs to nobody’s records', async () => {
  const { job_id, result } = await made(registrar, { filters: { level: [2] } })
  const kept = (Date.parse(result.until) - Date.parse(result.at)) / 86_400_000
  expect([Math.round(kept), result.name]).toEqual([3, `Students ${dayOf(result.at)}.xlsx`])
  const { rows } = await u.database.pool.query('select id from files where hash = $1', [result.hash])
  expect(rows).toEqual([])
  await u.services.files.sweep()
  expect((await registrar('GET', `/reports/sheets/${job_id}`)).status).toBe(200)
  await u.database.pool.query('update held_contents set until = now() where hash = $1', [result.hash])
  const gone = await registrar('GET', `/reports/sheets/${job_id}`)
  expect([gone.status, reasons(gone)]).toEqual([404, ['report_sheet_gone']])
  await u.services.files.sweep()
  await expect(u.services.storage.get(result.hash)).rejects.toThrow()
})

it('no transaction stays open while the sheet is made and put away', async () => {
  const { storage } = u.services
  const put = storage.put.bind(storage)
  let open: unknown[] | null = null
  storage.put = async (content, options) => {
    const { rows } = await u.database.pool.query(
      `select query from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
    )
    open = rows
    return put(content, options)
  }
  try {
    await made(registrar, { filters: { level: [3] } })
  } finally {
    storage.put = put
  }
  expect(open).toEqual([])
})

/** A role with the right to the rows, and to another report. */
async function otherReport(): Promise<string> {
  const { rows } = await u.database.pool.query<{
    key: string
  }>(`with r as (insert into roles (key, name, name_local)
      select 'other-report-' || n, 'Other report ' || n, 'تقرير آخر ' || n from (select count(*) as n from roles) x returning id, key),
    p as (insert into role_permissions (role_id, permission, reach)
      select r.id, x, 'scope' from r cross join unnest(array['access_report_equivalence', 'access_students']) x) select key from r`)
  return rows[0]!.key
}

it('is not fetched by somebody who lost the right meanwhile, nor is another job', async () => {
  const who = await u.as('registrar')
  const { job_id } = await made(who, { filters: { level: [2] } })
  // Another report is left to him or her, and then none.
  await u.database.pool.query(
    'update role_assignments set role_id = (select id from roles where key = $2) where user_id = $1',
    [who.user_id, await otherReport()],
  )
  u.auth.forget()
  expect((await who('GET', `/reports/sheets/${job_id}`)).status).toBe(403)
  await u.database.pool.query('delete from role_assignments where user_id = $1', [who.user_id])
  u.auth.forget()
  expect((await who('GET', `/reports/sheets/${job_id}`)).status).toBe(403)
  expect((await registrar('GET', '/reports/sheets/00000000-0000-4000-8000-000000000000')).status).toBe(404)
})

it('is made for nobody without the right to the report and to its rows, nor of nothing, nor of more than a sheet holds', async () => {
  expect([(await ask(await u.as('student'))).status, (await ask(u.nobody)).status]).toEqual([403, 401])
  expect((await ask(await u.as(await otherReport()))).status).toBe(403)
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
