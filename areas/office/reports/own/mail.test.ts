/** Reports by mail: of each day one, with the rights of the moment; nothing to who left, and told once to who lost the right. */
import { unlink, readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readSheet } from '#kit/server/sheets/index.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { reportsServer } from '../reports.server.ts'
import { ownReportMails, planOwnMails } from './mail.server.ts'
import type { OwnReport } from './own.contract.ts'

let u: TestUniversity
let registrar: Caller
beforeAll(async () => {
  u = await testUniversity([reportsServer], { database: await demoDatabase() })
  await q(`update own_report_schedules set ended_at = now(), ended_why = 'person' where ended_at is null`)
  registrar = await u.as('registrar', undefined, { email: 'own.registrar@canopus.example.edu' })
}, 720_000)
afterAll(() => u?.close())

const q = async <Row = Record<string, any>>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const PEOPLE = { measures: ['people'], rows: ['faculty'], columns: [] }
let names = 0
/** A report that is sent to somebody, whose hour has come. */
async function scheduled(who: Caller, file: 'pdf' | 'xlsx' = 'xlsx', shared?: Caller): Promise<number> {
  const report: OwnReport = ok(
    await (shared ?? who)('PUT', '/own-reports', { name: `Mailed ${++names}`, asked: PEOPLE }),
  )
  if (shared) {
    const [role] = await q<{ id: number }>(`select id from roles where key = 'dean'`)
    ok(await shared('PUT', `/own-reports/${report.id}/roles`, { role_ids: [role!.id] }))
  }
  ok(await who('PUT', `/own-reports/${report.id}/schedule`, { weekday: 2, hour: 7, file }))
  await due(report.id)
  return report.id
}
/** The day of the next mail lies a week back. */
const due = (report: number) =>
  q(`update own_report_schedules set next_on = next_on - 14 where report_id = $1 and ended_at is null`, [report])
const folder = () => u.services.config.mailFolder
const files = async () => (await readdir(folder()).catch(() => [])).toSorted()
const mails = async () =>
  await Promise.all(
    (await files()).filter((name) => name.endsWith('.txt')).map((name) => readFile(path.join(folder(), name), 'utf8')),
  )
const run = () =>
  ownReportMails.run(
    asSystem(u.services, 'a test'),
    {},
    Object.assign(async () => {}, { signal: new AbortController().signal }),
  )
const stateOf = async (report: number) =>
  (
    await q<{ ended_why: string | null }>(
      'select ended_why from own_report_schedules where report_id = $1 order by id desc limit 1',
      [report],
    )
  )[0]!.ended_why
const told = async (who: Caller) =>
  (await q('select key from notifications where user_id = $1 order by id', [who.user_id])).map(({ key }) => key)
beforeEach(async () => {
  for (const name of await files()) await unlink(path.join(folder(), name))
})

describe('a report of every week', () => {
  it('goes to its reader once, with the figures of the reader, in a file', async () => {
    const dean = await u.as('dean', ['faculty', 1], { email: 'own.dean@canopus.example.edu' })
    const id = await scheduled(dean, 'xlsx', registrar)
    await run()
    await run()
    const [mail, ...others] = await mails()
    expect(others).toEqual([])
    expect(mail).toContain('To: own.dean@canopus.example.edu')
    expect(mail).toContain(`/reports/own/${id}`)
    const attached = (await files()).find((name) => name.endsWith('.xlsx'))!
    const { sheets } = await readSheet(await readFile(path.join(folder(), attached)), { maxRows: 100 })
    // Head, the one faculty, the sum.
    expect(sheets[0]!.rows.length).toBe(3)
    const report: OwnReport = ok(await dean('GET', `/own-reports/${id}`))
    expect(report.schedule).toMatchObject({ weekday: 2, hour: 7, ended: null, last: { state: 'sent' } })
    const [next] = await q(
      `select next_on > university_today() as later, week_place(next_on) as place from own_report_schedules where report_id = $1`,
      [id],
    )
    expect(next).toEqual({ later: true, place: 2 })
  })
  it('goes once, also where two processes are at it', async () => {
    await scheduled(registrar)
    await scheduled(registrar, 'pdf')
    await Promise.all([run(), run(), run()])
    expect((await mails()).length).toBe(2)
    expect((await files()).filter((name) => name.endsWith('.pdf')).length).toBe(1)
  })
  it('is planned once for a day, and sent after a process was killed between', async () => {
    const id = await scheduled(registrar)
    const ctx = asSystem(u.services, 'a test')
    await Promise.all([planOwnMails(ctx), planOwnMails(ctx)])
    const [planned] = await q(
      `select count(*)::int as count from own_report_mails m join own_report_schedules s on s.id = m.schedule_id where s.report_id = $1`,
      [id],
    )
    expect(planned!.count).toBe(1)
    await run()
    expect((await mails()).length).toBe(1)
  })
  it('waits for its hour, and for its day', async () => {
    const id = await scheduled(registrar)
    await q(
      `update own_report_schedules set weekday = week_place(d), next_on = d, hour = 23 from (select university_today() + case when extract(hour from now() at time zone university_zone()) >= 23 then 1 else 0 end as d) x where report_id = $1`,
      [id],
    )
    await run()
    expect(await mails()).toEqual([])
  })
  it('that the mail server refuses is tried again later, and given up at last', async () => {
    const id = await scheduled(registrar)
    const { mail } = u.services
    const { send } = mail
    const refusing = Object.assign(mail, { send: () => Promise.reject(new Error('refused')) })
    try {
      await run()
      const [put] = await q(
        `select m.state, m.failures, m.next_at > now() as later from own_report_mails m join own_report_schedules s on s.id = m.schedule_id where s.report_id = $1`,
        [id],
      )
      expect(put).toEqual({ state: 'waiting', failures: 1, later: true })
      await q(`update own_report_mails set failures = 5, next_at = now() where state = 'waiting'`)
      await run()
    } finally {
      Object.assign(refusing, { send })
    }
    const report: OwnReport = ok(await registrar('GET', `/own-reports/${id}`))
    expect(report.schedule).toMatchObject({ ended: null, last: { state: 'failed' } })
  })
})

describe('ends', () => {
  it('for who left: nothing is sent, nothing told', async () => {
    const gone = await u.as('registrar', undefined, { email: 'own.gone@canopus.example.edu' })
    const id = await scheduled(gone)
    await q('update users set blocked_at = now() where id = $1', [gone.user_id])
    await run()
    expect([await mails(), await stateOf(id), await told(gone)]).toEqual([[], 'account', []])
  })
  it('for who lost the right: nothing is sent, and it is told once', async () => {
    const lost = await u.as('registrar', undefined, { email: 'own.lost@canopus.example.edu' })
    const id = await scheduled(lost)
    await q('delete from role_assignments where user_id = $1', [lost.user_id])
    await run()
    await run()
    expect([await mails(), await stateOf(id), await told(lost)]).toEqual([[], 'right', ['reports.notice_own_right']])
  })
  it('where it is shared no more, or removed', async () => {
    const dean = await u.as('dean', ['faculty', 2], { email: 'own.dean2@canopus.example.edu' })
    const id = await scheduled(dean, 'pdf', registrar)
    ok(await registrar('PUT', `/own-reports/${id}/roles`, { role_ids: [] }))
    await run()
    expect([await mails(), await stateOf(id), await told(dean)]).toEqual([[], 'report', ['reports.notice_own_gone']])
    const mine = await scheduled(registrar)
    ok(await registrar('DELETE', `/own-reports/${mine}`))
    await run()
    expect([await mails(), await stateOf(mine)]).toEqual([[], 'report'])
  })
  it('when its reader says so, and begins again', async () => {
    const id = await scheduled(registrar)
    const ended: OwnReport = ok(await registrar('DELETE', `/own-reports/${id}/schedule`))
    expect(ended.schedule?.ended).toBe('person')
    const again = await registrar('DELETE', `/own-reports/${id}/schedule`)
    expect([again.status, reasons(again)]).toEqual([409, ['own_report_not_sent']])
    await run()
    expect(await mails()).toEqual([])
    const begun: OwnReport = ok(
      await registrar('PUT', `/own-reports/${id}/schedule`, { weekday: 4, hour: 9, file: 'pdf' }),
    )
    expect(begun.schedule).toMatchObject({ weekday: 4, hour: 9, ended: null })
    expect(
      (
        await (
          await u.as('dean', ['faculty', 1])
        )('PUT', `/own-reports/${id}/schedule`, { weekday: 4, hour: 9, file: 'pdf' })
      ).status,
    ).toBe(404)
  })
  it('is not begun without an address', async () => {
    const nobody = await u.as('registrar')
    const report: OwnReport = ok(await nobody('PUT', '/own-reports', { name: 'Without address', asked: PEOPLE }))
    const refused = await nobody('PUT', `/own-reports/${report.id}/schedule`, { weekday: 2, hour: 7, file: 'pdf' })
    expect([refused.status, reasons(refused)]).toEqual([422, ['own_report_no_address']])
  })
})
