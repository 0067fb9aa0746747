import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSheet } from '#kit/server/sheets/index.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { reportsServer } from '../reports.server.ts'
import type { SystemFigures } from './figures.contract.ts'
import { SYSTEM_LINKS, systemReport, type ReportLink } from './reports.contract.ts'

let u: TestUniversity
let registrar: Caller
let dean: Caller
/** Sees reports of everybody, and opens students of the first faculty. */
let reporter: Caller
let people = 0
beforeAll(async () => {
  u = await testUniversity([reportsServer], { database: await demoDatabase() })
  registrar = await u.as('registrar')
  dean = await u.as('dean', ['faculty', 1])
  reporter = await holder(['access_report_foreigners', 'access_report_Registrations'], ['access_students'], 1)
}, 720_000)
afterAll(() => u?.close())

const one = async (text: string, values: unknown[] = []): Promise<number> => {
  const { rows } = await u.database.pool.query({ text, values, rowMode: 'array' })
  return Number((rows as unknown[][])[0]![0])
}
/** Somebody with rights everywhere, and others in a faculty. */
async function holder(everywhere: string[], within: string[], faculty: number): Promise<Caller> {
  const { pool } = u.database
  const user = await one('insert into users (type, name, name_local) values (2, $1, $1) returning id', [
    `Reporter ${++people}`,
  ])
  for (const [rights, scope] of [
    [everywhere, null],
    [within, faculty],
  ] as const) {
    const role = await one('insert into roles (key, name, name_local) values ($1, $1, $1) returning id', [
      `r${user}${scope ?? ''}`,
    ])
    await pool.query(
      `insert into role_permissions (role_id, permission, reach) select $1, unnest($2::text[]), 'scope'`,
      [role, rights],
    )
    await pool.query('insert into role_assignments (user_id, role_id, scope_type, scope_id) values ($1, $2, $3, $4)', [
      user,
      role,
      scope && 'faculty',
      scope,
    ])
  }
  return u.signIn(user)
}
const read = async (who: Caller, link: ReportLink, body: object = {}): Promise<SystemFigures> =>
  ok(await who('POST', `/reports/${link}`, body))
const figure = (report: SystemFigures, measure: string, key?: string | null) =>
  (key === undefined ? report.total : report.rows.find((row) => row.key === key)!).values[
    report.measures.indexOf(measure as never)
  ]

describe('who sees what', () => {
  it('each report asks for its own right, by every way', async () => {
    const few = await holder(['access_report_equivalence', 'access_transfer'], [], 1)
    const student = await u.as('student')
    for (const link of SYSTEM_LINKS) {
      const mine = systemReport(link).permission === 'access_report_equivalence'
      const status = mine ? 200 : 403
      expect([link, (await few('POST', `/reports/${link}`, {})).status]).toEqual([link, status])
      expect([link, (await few('GET', `/reports/${link}`)).status]).toEqual([link, status])
      expect([link, (await few('GET', `/reports/${link}/download/en/xlsx`)).status]).toEqual([link, status])
      expect([link, (await few('POST', `/reports/${link}/download/ar/xlsx`, {})).status]).toEqual([link, status])
      const rows = await few('POST', `/reports/${link}/rows`, { measure: systemReport(link).measures[0] })
      expect([link, rows.status]).toEqual([link, status])
      for (const who of [student, u.nobody])
        expect((await who('POST', `/reports/${link}`, {})).status).toBe(who === student ? 403 : 401)
    }
  }, 120_000)
  it('a dean sees the own faculty: figures, rows and files', async () => {
    const mine = await one(
      `select count(distinct coalesce(user_id, -id)) from students where faculty_id = 1 and status = 'studying' and removed_at is null`,
    )
    const report = await read(dean, 'students')
    expect(report.rows.map(({ key }) => key)).toEqual(['1'])
    expect(figure(report, 'students')).toBe(mine)
    const other = await read(dean, 'students', { filters: { faculty: [2] } })
    expect([other.rows, figure(other, 'students'), other.matched]).toEqual([[], 0, 0])
    const { body } = await dean('POST', '/reports/students/rows', { measure: 'students', row: '2', of_row: true })
    expect([body.meta.count, body.data.rows]).toEqual([0, []])
    const byDay = await read(dean, 'admission')
    expect(Number(figure(byDay, 'applicants'))).toBeLessThan(
      await one('select count(*) from applicants where removed_at is null'),
    )
  })
  it('who may not open the rows sees the figures, and gets no rows', async () => {
    const reader = await holder(['access_report_graduates'], [], 1)
    expect(Number(figure(await read(reader, 'cohorts'), 'entered'))).toBeGreaterThan(100)
    expect((await reader('POST', '/reports/cohorts/rows', { measure: 'entered' })).status).toBe(403)
  })
})

describe('a cell of few persons', () => {
  it('over nationality is told to those who reach them, and cannot be worked out', async () => {
    const { rows } = await u.database.pool.query<{ key: string; all: number; near: number }>(
      `select nationality_id::text as key, count(distinct coalesce(user_id, -id))::int as all,
         count(distinct coalesce(user_id, -id)) filter (where faculty_id = 1)::int as near
       from students where removed_at is null and status = 'studying' and nationality_id <> 64 and level = 1 group by 1`,
    )
    const told = await read(reporter, 'foreigners', { filters: { level: [1] } })
    const seen = told.rows.map(({ key }) => [key, figure(told, 'foreigners', key)] as const)
    const far = rows.filter((row) => row.near < row.all)
    expect(far.some((row) => row.all < 5)).toBe(true)
    for (const row of far.filter(({ all }) => all > 0 && all < 5))
      expect([row.key, seen.find(([key]) => key === row.key)?.[1]]).toEqual([row.key, 'few'])
    // Whatever is hidden is of five or more together, so that the sum does not tell.
    const hidden = seen
      .filter(([, value]) => value === 'few')
      .map(([key]) => rows.find((row) => row.key === key)?.all ?? 0)
    expect(hidden.length).toBeGreaterThan(1)
    expect(hidden.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(5)
    // The registrar reaches all of them.
    const whole = await read(registrar, 'foreigners', { filters: { level: [1] } })
    for (const row of rows) expect([row.key, figure(whole, 'foreigners', row.key)]).toEqual([row.key, row.all])
  })
  it('is hidden in the sum too where a filter has made it small, and in columns and files', async () => {
    const [key] = (await read(registrar, 'foreigners', { filters: { faculty: [2] } })).rows.map((row) => row.key)
    const narrowed = { filters: { faculty: [2], nationality: [Number(key)], level: [1] } }
    const whole = figure(await read(registrar, 'foreigners', narrowed), 'foreigners')
    expect(Number(whole)).toBeLessThan(5)
    const told = figure(await read(reporter, 'foreigners', narrowed), 'foreigners')
    expect(told).toBe(Number(whole) > 0 ? 'few' : 0)
    const grid = await read(reporter, 'foreigners', { columns: 'level' })
    expect(grid.rows.some(({ cells }) => cells.includes('few'))).toBe(true)
    const { bytes } = await reporter('POST', '/reports/foreigners/download/en/xlsx', { columns: 'level' })
    const { sheets } = await readSheet(bytes, { maxRows: 500 })
    expect(sheets[0]!.rows.flat().some((cell) => cell?.text === '< 5')).toBe(true)
  })
  it('of a faculty within reach, or over what says nothing of a person, is told', async () => {
    const near = await read(reporter, 'foreigners', { filters: { faculty: [1] } })
    expect(near.rows.flatMap(({ values }) => values)).not.toContain('few')
    const plain = await read(reporter, 'students', { rows: 'faculty', columns: 'level' })
    expect(plain.rows.map(({ values }) => values[0])).not.toContain('few')
  })
  it('marks of few are told to those who read marks', async () => {
    const reader = await holder(['access_report_Registrations', 'access_students'], [], 1)
    const course =
      await one(`select r.course_id from registrations r join offerings o on o.id = r.offering_id and o.control_status in ('Published', 'Frozen')
      where r.passed = false and r.term_id = (select term_id from current_terms where key = 'current_control_term')
      group by 1 having count(*) between 1 and 4 order by 1 limit 1`)
    const body = { rows: 'course', filters: { course: [course] } }
    expect(figure(await read(reader, 'results', body), 'failed')).toBe('few')
    expect(figure(await read(reader, 'results', body), 'pass_share')).toBe('few')
    expect(figure(await read(registrar, 'results', body), 'failed')).toBeGreaterThan(0)
  })
})

describe('persons', () => {
  it('in two programs are one in the sum, and both records are behind it', async () => {
    const twice =
      await one(`select count(*) from (select user_id from students where status = 'studying' and removed_at is null and user_id is not null
      group by 1 having count(distinct program_id) > 1) x`)
    expect(twice).toBeGreaterThan(0)
    const report = await read(registrar, 'students', { rows: 'program' })
    const rows = report.rows.reduce((sum, row) => sum + Number(row.values[0]), 0)
    expect(rows - Number(figure(report, 'students'))).toBe(twice)
    const { body } = await registrar('POST', '/reports/students/rows', { measure: 'students' })
    expect([body.meta.people, body.meta.count]).toEqual([figure(report, 'students'), rows])
  })
  it('a filter that matches nothing says so with zeros and no rows', async () => {
    const report = await read(registrar, 'registrations', { filters: { term: [999_999] } })
    expect([report.rows, report.matched, report.total.values]).toEqual([[], 0, [0, 0, 0, null, 0]])
  })
  it('of the current term unless another, a year or all are asked for; it says which', async () => {
    const [now, every] = [
      await read(registrar, 'registrations'),
      await read(registrar, 'registrations', { every: true }),
    ]
    const term = await one(`select term_id from current_terms where key = 'current_term'`)
    expect(now.filters).toEqual([
      { by: 'term', values: [{ key: String(term), of: expect.objectContaining({ code: expect.any(String) }) }] },
    ])
    expect(every.filters).toEqual([])
    expect(figure(every, 'registered')).toBeGreaterThan(figure(now, 'registered') as number)
    const year = await one('select year_id from terms where id = $1', [term])
    const ofYear = await read(registrar, 'registrations', { filters: { year: [year - 1] }, rows: 'term' })
    expect(ofYear.rows.length).toBeGreaterThan(1)
  })
})

describe('by link and as files', () => {
  it('GET answers as POST does, with values separated by commas', async () => {
    const got = ok(await registrar('GET', '/reports/students?rows=level&columns=gender&faculty=1,2'))
    const posted = await read(registrar, 'students', { rows: 'level', columns: 'gender', filters: { faculty: [1, 2] } })
    expect({ ...got, at: '' }).toEqual({ ...posted, at: '' })
    const level = ok(await registrar('GET', '/reports/students?level=2'))
    expect(figure(level, 'people')).toBe(
      figure(await read(registrar, 'students', { filters: { level: [2] } }), 'people'),
    )
  })
  it.each([
    ['?rows=weekday', 'unknown_field@rows'],
    ['?columns=course', 'unknown_field@columns'],
    ['?measure=hours', 'unknown_field@measure'],
    ['?course=1', 'unknown_field@course'],
    ['?faculty=x', 'unknown_field@faculty'],
    ['?faculty=9999999999', 'unknown_field@faculty'],
  ])('what a report does not have is refused: %s', async (query, reason) => {
    const answer = await registrar('GET', `/reports/students${query}`)
    expect([answer.status, reasons(answer)]).toEqual([422, [reason]])
  })
  it('a sheet holds what the screen shows, in both languages, and a PDF is one', async () => {
    const report = await read(registrar, 'registrations', { rows: 'level' })
    for (const lang of ['en', 'ar'] as const) {
      const { bytes } = await registrar('GET', `/reports/registrations/download/${lang}/xlsx?rows=level`)
      const { sheets } = await readSheet(bytes, { maxRows: 100 })
      expect(sheets[0]!.rows[0]!.map((cell) => cell?.text)).toContain(
        lang === 'en' ? 'Mean load' : 'متوسط العبء الدراسي',
      )
      expect(sheets[0]!.rows.length).toBe(report.rows.length + 2)
      expect(Number(sheets[0]!.rows.at(-1)![2]?.text)).toBe(figure(report, 'registered'))
    }
    const pdf = await registrar('POST', '/reports/occupancy/download/ar/pdf', { columns: 'weekday' })
    expect([pdf.status, pdf.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    const none = await registrar('POST', '/reports/registrations/download/en/pdf', { filters: { term: [999_999] } })
    expect(none.bytes.subarray(0, 5).toString()).toBe('%PDF-')
  }, 60_000)
  it('rows are paged without one twice or none', async () => {
    const seen = new Set<string>()
    let count = 0
    for (let page = 1; page === 1 || seen.size < count; page++) {
      const { body } = await registrar('POST', '/reports/students/rows', {
        measure: 'new_students',
        page,
        perPage: 200,
      })
      count = body.meta.count
      if (!body.data.rows.length) break
      for (const row of body.data.rows) seen.add(row.to)
    }
    expect(seen.size).toBe(count)
  })
})
