/** How students stood on a day: kept from which day to which, and told as of any day. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decideStatus } from '#areas/common/academics/student-status.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { reportsServer } from '../reports.server.ts'
import type { OwnFigures } from './own.contract.ts'

let u: TestUniversity
let registrar: Caller
beforeAll(async () => {
  u = await testUniversity([reportsServer], { database: await demoDatabase() })
  registrar = await u.as('registrar')
}, 720_000)
afterAll(() => u?.close())
const q = async <Row = Record<string, any>>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const read = async (asked: object): Promise<OwnFigures> => ok(await registrar('POST', '/own-reports/figures', asked))
const spans = (id: number) =>
  q(
    `select from_day::text, until_day::text, status, level from student_standings where student_id = $1 order by from_day`,
    [id],
  )

describe('from which day to which', () => {
  it('each student stands in one way on each day, today as the record says', async () => {
    const [wrong] = await q(`select
      (select count(*)::int from students s left join student_standings z on z.student_id = s.id and z.until_day is null
        where (z.status, z.faculty_id, z.program_id, z.level) is distinct from (s.status, s.faculty_id, s.program_id, s.level::smallint)) as now,
      (select count(*)::int from student_standings a join student_standings b on b.student_id = a.student_id and b.from_day > a.from_day
        where a.until_day is null or b.from_day < a.until_day) as both,
      (select count(*)::int from student_standings a where a.until_day is not null and not exists
        (select from student_standings b where b.student_id = a.student_id and b.from_day = a.until_day)) as gaps`)
    expect(wrong).toEqual({ now: 0, both: 0, gaps: 0 })
  })
  it('a decision holds from its day on, also where that lies back; one that is taken back never held', async () => {
    const [one] = await q<{ id: number; entered: string }>(
      `select s.id, z.from_day::text as entered from students s join student_standings z on z.student_id = s.id and z.until_day is null
       where s.status = 'studying' and s.removed_at is null and s.status_decision_id is null and z.from_day < university_today() - 100
         and (select count(*) from student_standings x where x.student_id = s.id) = 1 order by s.id limit 1`,
    )
    const [day] = await q<{ today: string; back: string }>(
      `select university_today()::text as today, (university_today() - 50)::text as back`,
    )
    const ctx = asSystem(u.services, 'a test')
    await q(`update students set level = level + 1 where id = $1`, [one!.id])
    const [{ level }] = (await q<{ level: number }>('select level from students where id = $1', [one!.id])) as [
      { level: number },
    ]
    expect(await spans(one!.id)).toEqual([
      { from_day: one!.entered, until_day: day!.today, status: 'studying', level: level - 1 },
      { from_day: day!.today, until_day: null, status: 'studying', level },
    ])
    await ctx.write((tx) =>
      decideStatus(null, tx, [one!.id], {
        to: 'suspended',
        decision: 'A test',
        decided_on: day!.back,
        source: 'decision',
      }),
    )
    expect(await spans(one!.id)).toEqual([
      { from_day: one!.entered, until_day: day!.back, status: 'studying', level: level - 1 },
      { from_day: day!.back, until_day: day!.today, status: 'suspended', level: level - 1 },
      { from_day: day!.today, until_day: null, status: 'suspended', level },
    ])
    await q(`update students set status = 'studying', status_decision_id = null where id = $1`, [one!.id])
    expect((await spans(one!.id)).map(({ status }) => status)).toEqual(['studying', 'studying', 'studying'])
  })
})

describe('as of a day', () => {
  const days = ['2021-10-01', '2023-10-01', '2025-10-01']
  it('students by status say what decisions say', async () => {
    const report = await read({
      measures: ['people_then', 'students_then'],
      rows: ['status'],
      columns: ['as_of'],
      days,
    })
    expect(report.days).toEqual(days)
    for (const [at, day] of days.entries()) {
      // Written apart: who had entered by then, and the last decision until then.
      const plain = await q<{ status: string; count: number }>(
        `select status, count(distinct person)::int as count from (
          select coalesce(s.user_id, -s.id) as person, coalesce(
            (select to_status from student_status_decisions d where d.student_id = s.id and d.decided_on <= $1 order by d.decided_on desc, d.id desc limit 1),
            (select from_status from student_status_decisions d where d.student_id = s.id order by d.decided_on, d.id limit 1), s.status) as status
          from students s left join terms t on t.id = s.entry_term_id
          where s.removed_at is null and least(t.start_date, university_today(), (select min(decided_on) from student_status_decisions d where d.student_id = s.id)) <= $1) x
         group by 1`,
        [day],
      )
      const found = report.rows.flatMap((row) => {
        const count = row.now.cells[at]?.[0]
        return count ? [{ status: row.keys[0]!.key, count }] : []
      })
      expect([day, found.toSorted((a, b) => a.status!.localeCompare(b.status!))]).toEqual([
        day,
        plain.toSorted((a, b) => a.status.localeCompare(b.status)),
      ])
    }
  })
  it('the rows behind are those who stood so then', async () => {
    const asked = { measures: ['people_then'], rows: ['status'], columns: ['as_of'], days }
    const report = await read(asked)
    const row = report.rows.find((one) => one.keys[0]!.key === 'studying')!
    const cell = { asked, measure: 'people_then', row: ['studying'], column: [report.columns[0]![0]!.key] }
    const { body } = await registrar('POST', '/own-reports/rows', cell)
    expect(body.meta.people).toBe(row.now.cells[0]![0])
    expect(body.data.facts[0]).toBe('as_of')
  })
  it('says from which day on something is known', async () => {
    await q(`update student_standings_known set since = '2024-02-01' where what = 'level'`)
    const byLevel = await read({ measures: ['students_then'], rows: ['level'], columns: ['as_of'], days })
    expect(byLevel.known.find(({ what }) => what === 'level')).toEqual({ what: 'level', since: '2024-02-01' })
    const byStatus = await read({ measures: ['students_then'], rows: ['status'], columns: ['as_of'], days })
    expect(byStatus.known.some(({ what }) => what === 'level')).toBe(false)
    const today = await read({ measures: ['students_then'], rows: ['level'] })
    expect(today.known).toEqual([])
  })
  it('today: as the reports of today say', async () => {
    const [then, now] = [
      await read({ measures: ['students_then'], rows: ['faculty'] }),
      await read({ measures: ['students'], rows: ['faculty'] }),
    ]
    expect(then.rows.map((row) => row.now.values)).toEqual(now.rows.map((row) => row.now.values))
  })
})
