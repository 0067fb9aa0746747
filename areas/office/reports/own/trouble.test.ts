/** What goes wrong with reports: the night when the clock changes, a term that is being finished, hundreds of columns. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { readSheet } from '#kit/server/sheets/index.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { FIGURES_KEPT } from '../figures/kept.rules.ts'
import { reportsServer } from '../reports.server.ts'
import { planOwnMails } from './mail.server.ts'
import type { OwnFigures, OwnReport } from './own.contract.ts'

let u: TestUniversity
let registrar: Caller
const usual = { ...FIGURES_KEPT }
beforeAll(async () => {
  u = await testUniversity([reportsServer], { database: await demoDatabase() })
  await q(`update own_report_schedules set ended_at = now(), ended_why = 'person' where ended_at is null`)
  registrar = await u.as('registrar', undefined, { email: 'own.trouble@canopus.example.edu' })
  // Each reading is of now.
  FIGURES_KEPT.after = 600_000
}, 720_000)
afterAll(() => {
  Object.assign(FIGURES_KEPT, usual)
  return u?.close()
})
const q = async <Row = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const read = async (asked: object): Promise<OwnFigures> => ok(await registrar('POST', '/own-reports/figures', asked))

/** The whole hour that comes next by UTC, which is the winter time of these zones. */
let next: Date
const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Day of the year without 29 February and time, as a zone of POSIX tells when its clock changes. */
const rule = (at: Date) => {
  const first = Date.UTC(2025, 0, 1)
  const day = Math.round((Date.UTC(2025, at.getUTCMonth(), at.getUTCDate()) - first) / (24 * HOUR)) + 1
  return `J${day}/${String(at.getUTCHours()).padStart(2, '0')}:${String(at.getUTCMinutes()).padStart(2, '0')}`
}
/** The university lives where summer time begins and ends at these moments, told by the clock that is put on or back. */
const livesWhere = (begins: Date, ends: Date) =>
  q(
    `insert into settings (key, value) values ('time_zone', to_jsonb($1::text)) on conflict (key) do update set value = excluded.value`,
    [`WIN0SUM,${rule(begins)},${rule(ends)}`],
  )
const later = (days: number) => new Date(Date.now() + days * 24 * HOUR)
const clock = async () =>
  (await q<{ at: string }>(`select to_char(now() at time zone university_zone(), 'YYYY-MM-DD HH24') as at`))[0]!.at
beforeEach(() => {
  next = new Date(Math.ceil((Date.now() + 2 * MINUTE) / HOUR) * HOUR)
})

/** A report that is due at the next whole hour. */
async function due(): Promise<number> {
  const report: OwnReport = ok(
    await registrar('PUT', '/own-reports', {
      name: `Of an hour ${next.getTime()} ${Math.random()}`,
      asked: { measures: ['people'], rows: ['faculty'], columns: [] },
    }),
  )
  ok(await registrar('PUT', `/own-reports/${report.id}/schedule`, { weekday: 2, hour: 7, file: 'xlsx' }))
  await q(
    `update own_report_schedules set next_on = $2::date, hour = $3, weekday = week_place($2::date) where report_id = $1`,
    [report.id, next.toISOString().slice(0, 10), next.getUTCHours()],
  )
  return report.id
}
const planned = async (report: number) => {
  await planOwnMails(asSystem(u.services, 'a test'))
  const [row] = await q<{ mails: number; next: string }>(
    `select (select count(*)::int from own_report_mails m where m.schedule_id = s.id) as mails, s.next_on::text as next
     from own_report_schedules s where s.report_id = $1`,
    [report],
  )
  return row
}
const inAWeek = () => new Date(next.getTime() + 7 * 24 * HOUR).toISOString().slice(0, 10)

it('an hour that the clock skips in spring: the report is sent when it is past, once', async () => {
  const id = await due()
  // The change is still to come.
  await livesWhere(later(30), later(60))
  expect(await planned(id)).toMatchObject({ mails: 0 })
  // A minute ago it was put on by an hour, over the hour of the report.
  await livesWhere(new Date(Date.now() - MINUTE), later(60))
  expect((await clock()) >= next.toISOString().slice(0, 13).replace('T', ' ')).toBe(true)
  expect(await planned(id)).toEqual({ mails: 1, next: inAWeek() })
  expect(await planned(id)).toEqual({ mails: 1, next: inAWeek() })
})
it('an hour that comes twice in autumn: the report is sent the first time, and not again', async () => {
  const id = await due()
  // Summer time: the hour is past by it.
  await livesWhere(later(-30), later(30))
  expect(await planned(id)).toEqual({ mails: 1, next: inAWeek() })
  // A minute ago the clock was put back, to before that hour.
  await livesWhere(later(-30), new Date(Date.now() + HOUR - MINUTE))
  expect((await clock()) < next.toISOString().slice(0, 13).replace('T', ' ')).toBe(true)
  expect(await planned(id)).toEqual({ mails: 1, next: inAWeek() })
  // And it is that hour once more.
  await livesWhere(later(-30), later(30))
  expect(await planned(id)).toEqual({ mails: 1, next: inAWeek() })
})

it('while a term is being finished a report is of before or of after, never of both', async () => {
  const asked = { measures: ['students', 'mean_gpa'], rows: ['faculty'], columns: ['level'] }
  const told = async () => {
    const { rows, total } = await read(asked)
    return JSON.stringify([rows, total])
  }
  const before = await told()
  const finishing = await u.database.pool.connect()
  try {
    await finishing.query('begin')
    await finishing.query(`set local session_replication_role = replica`)
    const step = (faculty: string) =>
      finishing.query(
        `update students set level = least(level + 1, 9), gpa = 3.21 where status = 'studying' and faculty_id ${faculty}`,
      )
    await step('= 1')
    // Half is done: nothing of it is told.
    expect(await told()).toBe(before)
    await step('<> 1')
    const meanwhile = [told(), told(), told()]
    await finishing.query('commit')
    const seen = await Promise.all([...meanwhile, told(), told()])
    const after = await told()
    expect(after).not.toBe(before)
    for (const one of seen) expect([before, after]).toContain(one)
  } finally {
    await finishing.query('rollback')
    finishing.release()
  }
})

it('of hundreds of columns those with the most persons are told, with how many are not; sums are of all', async () => {
  const asked = { measures: ['registered'], rows: ['gender'], columns: ['course', 'level'], every: true }
  const wide = await read(asked)
  expect(wide.columns.length + wide.more_columns).toBeGreaterThan(300)
  expect(wide.columns).toHaveLength(60)
  const { total } = await read({ measures: ['registered'], rows: ['gender'], columns: [], every: true })
  expect(wide.total.now.values).toEqual(total.now.values)
  const people = (report: OwnFigures) => report.total.now.cells.map(([count]) => Number(count))
  const narrow = await read({ ...asked, columns: ['course'] })
  expect(Math.min(...people(wide))).toBeGreaterThan(0)
  expect(Math.max(...people(wide))).toBeLessThanOrEqual(Math.max(...people(narrow)))
  // On paper and as a sheet it is no wider.
  const body = { name: 'Wide', asked }
  expect((await registrar('POST', '/own-reports/download/ar/pdf', body)).status).toBe(200)
  const file = await u.app.inject({
    method: 'POST',
    url: '/api/own-reports/download/en/xlsx',
    headers: { authorization: `Bearer ${registrar.token}` },
    payload: body,
  })
  const { sheets } = await readSheet(file.rawPayload, { maxColumns: 100 })
  expect(Math.max(...sheets[0]!.rows.map((row) => row.length))).toBeLessThanOrEqual(62)
})
