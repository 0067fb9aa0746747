/** Own reports through HTTP: put together, refused with reasons, kept, shared, and read within the rights of who reads. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSheet } from '#kit/server/sheets/index.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { reportsServer } from '../reports.server.ts'
import { SYSTEM_REPORTS } from '../figures/reports.contract.ts'
import { SUBJECTS, measureOf, type SubjectKey } from '../figures/measures.contract.ts'
import { SUBJECT_SQL } from '../figures/subjects/index.server.ts'
import { dimensionsOfSubject, rightOfSubject } from './choices.rules.ts'
import type { OwnFigures, OwnReport } from './own.contract.ts'

let u: TestUniversity
let registrar: Caller
let dean: Caller
let finance: Caller
beforeAll(async () => {
  u = await testUniversity([reportsServer], { database: await demoDatabase() })
  registrar = await u.as('registrar')
  dean = await u.as('dean', ['faculty', 1])
  finance = await u.as('finance_officer')
}, 720_000)
afterAll(() => u?.close())

const q = async <Row = Record<string, any>>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const one = async (text: string, values: unknown[] = []): Promise<number> =>
  Number(Object.values((await q(text, values))[0]!)[0])
const said = (answer: Answer): [number, string[]] => [answer.status, reasons(answer)]
const read = async (who: Caller, asked: object): Promise<OwnFigures> =>
  ok(await who('POST', '/own-reports/figures', asked))
const LOST = { measures: ['dropped', 'lost_share'], rows: ['course'], columns: [] as string[] }
let names = 0
const kept = async (who: Caller, asked: object = LOST): Promise<OwnReport> =>
  ok(await who('PUT', '/own-reports', { name: `Report ${++names}`, asked }))
const shared = async (who: Caller, id: number, ...roles: string[]): Promise<OwnReport> => {
  const ids = (await q<{ id: number }>('select id from roles where key = any($1)', [roles])).map((row) => row.id)
  return ok(await who('PUT', `/own-reports/${id}/roles`, { role_ids: ids }))
}

describe('what is declared', () => {
  it('every subject has one right, and SQL for all by which it is told apart', () => {
    for (const of of Object.keys(SUBJECTS) as SubjectKey[]) {
      const rights = new Set(
        Object.values(SYSTEM_REPORTS)
          .filter((report) => report.of === of)
          .map((report) => report.permission),
      )
      expect([of, rights.size <= 1]).toEqual([of, true])
      expect(rightOfSubject(of)).toMatch(/^access_report_/)
      for (const key of dimensionsOfSubject(of))
        expect([of, key, Boolean(SUBJECT_SQL[of].dimensions[key])]).toEqual([of, key, true])
    }
  })
})

describe('figures put together', () => {
  it('three dimensions say what plain SQL says, with sums of rows and columns', async () => {
    const asked = { measures: ['people', 'students'], rows: ['faculty', 'level'], columns: ['gender'] }
    const report = await read(registrar, asked)
    const plain = await q<{ faculty: string; level: string; gender: string | null; people: number; students: number }>(
      `select faculty_id::text as faculty, level::text as level, gender::text as gender, count(distinct coalesce(user_id, -id))::int as people,
        count(distinct coalesce(user_id, -id)) filter (where status = 'studying')::int as students
       from students where removed_at is null group by 1, 2, 3`,
    )
    const found = report.rows.flatMap((row) =>
      report.columns.flatMap((column, at) => {
        const [people, students] = row.now.cells[at]!
        return people ? [[row.keys[0]!.key, row.keys[1]!.key, column[0]!.key, people, students]] : []
      }),
    )
    expect(found.length).toBe(plain.length)
    for (const row of plain)
      expect(found).toContainEqual([row.faculty, row.level, row.gender, row.people, row.students])
    const [all] = await q<{ people: number }>(
      'select count(distinct coalesce(user_id, -id))::int as people from students where removed_at is null',
    )
    expect(report.total.now.values[0]).toBe(all!.people)
    expect(report.rows[0]!.keys[0]!.of?.name).toBeTruthy()
    expect([report.within, report.compared, report.more_rows]).toEqual([null, null, 0])
    // Sums of a column are those of the same report by that dimension alone.
    const by = await read(registrar, { measures: ['people', 'students'], rows: ['gender'] })
    expect(report.total.now.cells).toEqual(by.rows.map((row) => row.now.values))
  })
  it('a report of the system says the same', async () => {
    const system = ok(
      await registrar('POST', '/reports/registrations', { rows: 'faculty', columns: 'gender', measure: 'hours' }),
    )
    const own = await read(registrar, { measures: ['hours', 'load'], rows: ['faculty'], columns: ['gender'] })
    expect(own.filters).toEqual(system.filters)
    const rows = new Map(own.rows.map((row) => [row.keys[0]!.key, row]))
    for (const row of system.rows.filter((each: { values: number[] }) => each.values[2]))
      expect([row.key, rows.get(row.key)!.now.cells.map(([hours]) => hours)]).toEqual([row.key, row.cells])
    const at = ['hours', 'load'].map((key) => system.total.values[system.measures.indexOf(key)])
    expect(own.total.now.values).toEqual(at)
  })
  it('the largest first; which courses lost most students', async () => {
    const report = await read(registrar, { ...LOST, largest: true })
    const sizes = report.rows.map((row) => Number(row.now.values[0]))
    expect(sizes[0]).toBeGreaterThan(0)
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
    const [most] = await q<{ id: string; count: number }>(
      `select course_id::text as id, count(*)::int as count from registrations r join students s on s.id = r.student_id and s.removed_at is null
       where r.status & 549755813888 <> 0 and r.term_id = (select term_id from current_terms where key = 'current_term')
       group by 1 order by 2 desc limit 1`,
    )
    expect(sizes[0]).toBe(most!.count)
  })
  it('beside the term before, and the same term of the year before', async () => {
    const asked = { measures: ['registered'], rows: ['faculty'] }
    const term = await one(`select term_id from current_terms where key = 'current_term'`)
    for (const compare of ['term_before', 'year_before'] as const) {
      const report = await read(registrar, { ...asked, compare })
      const before =
        compare === 'term_before'
          ? await one(
              `select b.id from terms b, terms n where n.id = $1 and b.start_date < n.start_date and b.removed_at is null order by b.start_date desc limit 1`,
              [term],
            )
          : await one(
              `select b.id from terms b join years y on y.id = b.year_id, terms n join years x on x.id = n.year_id where n.id = $1 and b.term_type = n.term_type
            and y.start_date < x.start_date order by y.start_date desc limit 1`,
              [term],
            )
      expect([compare, report.compared?.now.key, report.compared?.before?.key]).toEqual([
        compare,
        String(term),
        String(before),
      ])
      const alone = await read(registrar, { ...asked, filters: { term: [before] } })
      expect(report.total.before!.values).toEqual(alone.total.now.values)
      expect(report.total.now.values).toEqual((await read(registrar, asked)).total.now.values)
      for (const row of alone.rows) {
        const same = report.rows.find((each) => each.keys[0]!.key === row.keys[0]!.key)!
        expect(same.before!.values).toEqual(row.now.values)
      }
    }
  })
  it('what cannot be put together says why, all of it', async () => {
    const refused = async (asked: object) => said(await registrar('POST', '/own-reports/figures', asked))
    expect(await refused({ measures: ['registered', 'graduates'], rows: ['day'], columns: [] })).toEqual([
      422,
      ['own_report_dimension@rows', 'own_report_mixed@measures'],
    ])
    expect(await refused({ measures: ['people'], rows: ['faculty', 'level'], columns: ['gender', 'status'] })).toEqual([
      422,
      ['own_report_dimensions@rows'],
    ])
    expect(await refused({ measures: ['people', 'people'], rows: ['faculty'], columns: ['faculty'] })).toEqual([
      422,
      ['own_report_twice@measures', 'own_report_twice@rows'],
    ])
    expect(await refused({ measures: ['mean_gpa'], rows: ['faculty'], compare: 'share' })).toEqual([
      422,
      ['own_report_share@compare'],
    ])
    expect(await refused({ measures: ['people'], rows: ['faculty'], compare: 'year_before' })).toEqual([
      422,
      ['own_report_one_year@compare'],
    ])
    expect(await refused({ measures: ['registered'], rows: ['faculty'], every: true, compare: 'term_before' })).toEqual(
      [422, ['own_report_one_term@compare']],
    )
    expect(await refused({ measures: ['registered'], rows: ['term'], compare: 'term_before' })).toEqual([
      422,
      ['own_report_along@compare'],
    ])
    expect(await refused({ measures: ['people'], rows: ['faculty'], filters: { slot: [1] } })).toEqual([
      422,
      ['own_report_dimension@filters'],
    ])
    expect(await refused({ measures: ['people'], rows: ['faculty'], filters: { faculty: ['x'] } })).toEqual([
      422,
      ['unknown_field@filters'],
    ])
    expect(await refused({ measures: ['people'], rows: ['faculty'], days: ['2025-10-01'] })).toEqual([
      422,
      ['own_report_days@days'],
    ])
    expect(
      await refused({ measures: ['students_then'], rows: ['faculty'], days: ['2025-10-01', '2024-10-01'] }),
    ).toEqual([422, ['own_report_days_apart@days']])
  })
  it('the rows behind a figure are as many as it says', async () => {
    const asked = { measures: ['registered'], rows: ['faculty', 'level'], columns: ['gender'] }
    const report = await read(registrar, asked)
    const row = report.rows.toSorted((a, b) => Number(b.now.values[0]) - Number(a.now.values[0]))[0]!
    const cell = { asked, measure: 'registered', row: row.keys.map(({ key }) => key) }
    const all = await registrar('POST', '/own-reports/rows', cell)
    expect([all.status, all.body.meta.count]).toEqual([200, row.now.values[0]])
    const men = await registrar('POST', '/own-reports/rows', { ...cell, column: [report.columns[0]![0]!.key] })
    expect(men.body.meta.count).toBe(row.now.cells[0]![0])
    expect(men.body.data.rows[0].to).toMatch(/^\/students\//)
    expect(said(await registrar('POST', '/own-reports/rows', { ...cell, row: ['1'] }))).toEqual([
      422,
      ['unknown_field@row'],
    ])
    expect(said(await registrar('POST', '/own-reports/rows', { ...cell, measure: 'hours' }))).toEqual([
      422,
      ['unknown_field@measure'],
    ])
    const before = { ...asked, compare: 'term_before' }
    const compared = await read(registrar, before)
    const then = await registrar('POST', '/own-reports/rows', { asked: before, measure: 'registered', before: true })
    expect(then.body.meta.count).toBe(compared.total.before!.values[0])
  })
  it('as a sheet and on paper: the same figures', async () => {
    const asked = { measures: ['people'], rows: ['faculty', 'level'], columns: ['gender'], compare: 'share' }
    const report = await read(registrar, asked)
    const { bytes } = await registrar('POST', '/own-reports/download/en/xlsx', { name: 'By level', asked })
    const { sheets } = await readSheet(bytes, { maxRows: 5_000 })
    expect(sheets[0]!.rows.length).toBe(report.rows.length + 2)
    const paper = await registrar('POST', '/own-reports/download/ar/pdf', { name: 'حسب المستوى', asked })
    expect([paper.status, paper.bytes.subarray(0, 4).toString()]).toEqual([200, '%PDF'])
  })
})

describe('who sees what', () => {
  it('only figures to which somebody has the right, by every way', async () => {
    const admission = await u.as('admission_officer')
    const refused = [403, ['own_report_closed']]
    expect(said(await admission('POST', '/own-reports/figures', LOST))).toEqual(refused)
    expect(said(await admission('POST', '/own-reports/rows', { asked: LOST, measure: 'dropped' }))).toEqual(refused)
    expect(said(await admission('POST', '/own-reports/download/en/xlsx', { name: 'Lost', asked: LOST }))).toEqual(
      refused,
    )
    expect(said(await admission('PUT', '/own-reports', { name: 'Lost', asked: LOST }))).toEqual(refused)
    const student = await u.as('student')
    for (const [who, status] of [
      [student, 403],
      [u.nobody, 401],
    ] as const)
      expect((await who('GET', '/own-reports')).status).toBe(status)
    expect((await finance('POST', '/own-reports/figures', LOST)).status).toBe(403)
  })
  it('a report that is shared is read within the own reach, and says of what it is', async () => {
    const { id } = await kept(registrar, { measures: ['people'], rows: ['faculty'], columns: [] })
    expect((await dean('GET', `/own-reports/${id}`)).status).toBe(404)
    expect((await shared(registrar, id, 'dean')).roles.length).toBe(1)
    const opened: OwnReport = ok(await dean('GET', `/own-reports/${id}`))
    expect([opened.by?.name.startsWith('registrar'), opened.open]).toEqual([true, true])
    const [mine, all] = [await read(dean, opened.asked), await read(registrar, opened.asked)]
    expect(mine.rows.map((row) => row.keys[0]!.key)).toEqual(['1'])
    expect(mine.within?.length).toBe(1)
    expect(all.rows.length).toBeGreaterThan(1)
    // Nobody changes what somebody else shares; it can be copied.
    expect((await dean('PUT', `/own-reports/${id}`, { name: 'Mine', asked: LOST })).status).toBe(404)
    expect((await dean('DELETE', `/own-reports/${id}`)).status).toBe(404)
    expect((await dean('PUT', `/own-reports/${id}/roles`, { role_ids: [] })).status).toBe(404)
    const copy: OwnReport = ok(await dean('POST', `/own-reports/${id}/copy`, { name: 'My copy' }))
    expect([copy.by, copy.roles, copy.asked]).toEqual([null, [], opened.asked])
    await shared(registrar, id)
    expect((await dean('GET', `/own-reports/${id}`)).status).toBe(404)
  })
  it('who holds the role but not the right finds the report, and is refused its figures in words', async () => {
    const { id } = await kept(registrar)
    await shared(registrar, id, 'dean')
    const other = await u.as('finance_officer')
    await q(
      `insert into role_assignments (user_id, role_id, scope_type, scope_id) select $1, id, 'faculty', 2 from roles where key = 'dean'`,
      [other.user_id],
    )
    const again = await u.signIn(other.user_id)
    expect(ok(await again('GET', `/own-reports/${id}`)).open).toBe(true)
    await q(`update role_assignments set valid_to = university_today() - 1 where user_id = $1 and scope_id = 2`, [
      other.user_id,
    ])
    expect((await (await u.signIn(other.user_id))('GET', `/own-reports/${id}`)).status).not.toBe(200)
  })
  it('a role that was held until yesterday opens nothing, also to who puts reports together by another', async () => {
    const { id } = await kept(registrar)
    await shared(registrar, id, 'dean')
    const { user_id } = await u.as('registrar', ['faculty', 2])
    const status = async () => (await (await u.signIn(user_id))('GET', `/own-reports/${id}`)).status
    expect(await status()).toBe(404)
    await q(
      `insert into role_assignments (user_id, role_id, scope_type, scope_id) select $1, id, 'faculty', 2 from roles where key = 'dean'`,
      [user_id],
    )
    expect(await status()).toBe(200)
    await q(
      `update role_assignments a set valid_to = university_today() - 1 from roles r
       where r.id = a.role_id and r.key = 'dean' and a.user_id = $1`,
      [user_id],
    )
    expect(await status()).toBe(404)
  })
  it('who may read the figures and not the rows is refused the rows', async () => {
    const asked = { measures: ['registered'], rows: ['faculty'], columns: [] }
    const { user_id } = await u.as(null)
    await q(
      `with made as (insert into roles (key, name, name_local) values ('figures', 'Figures', 'أرقام') returning id),
        filled as (insert into role_permissions (role_id, permission, reach) select id, $2, 'scope' from made)
       insert into role_assignments (user_id, role_id) select $1, id from made`,
      [user_id, rightOfSubject(measureOf('registered').of)],
    )
    const reader = await u.signIn(user_id)
    expect((await read(reader, asked)).rows.length).toBeGreaterThan(1)
    expect((await reader('POST', '/own-reports/rows', { asked, measure: 'registered' })).status).toBe(403)
  })
  it('with a role that sees nothing of it nothing is shared', async () => {
    const { id } = await kept(registrar)
    const [role] = await q<{ id: number }>(`select id from roles where key = 'admission_officer'`)
    expect(said(await registrar('PUT', `/own-reports/${id}/roles`, { role_ids: [role!.id] }))).toEqual([
      422,
      ['own_report_role_blind@role_ids'],
    ])
    expect(said(await registrar('PUT', `/own-reports/${id}/roles`, { role_ids: [999_999] }))).toEqual([
      422,
      ['reference_missing@role_ids'],
    ])
    const roles: { name: string }[] = ok(await registrar('GET', '/own-reports/roles'))
    expect(roles.some(({ name }) => name === 'Dean')).toBe(true)
  })
  it('figures of few are hidden as in the reports of the system, in all three dimensions', async () => {
    const reporter = await u.as(null)
    await q(
      `with made as (insert into roles (key, name, name_local) values ('few_reader', 'Few', 'قليل') returning id),
        may as (insert into role_permissions (role_id, permission, reach) select id, unnest(array['access_report_Registrations', 'access_report_foreigners']), 'scope' from made)
       insert into role_assignments (user_id, role_id) select $1, id from made`,
      [reporter.user_id],
    )
    const reader = await u.signIn(reporter.user_id)
    const asked = { measures: ['people'], rows: ['faculty', 'nationality'], columns: ['gender'] }
    const [told, whole] = [await read(reader, asked), await read(registrar, asked)]
    const few = whole.rows
      .flatMap((row) => row.now.cells.flat())
      .filter((count) => Number(count) > 0 && Number(count) < 5)
    expect(few.length).toBeGreaterThan(3)
    expect(
      told.rows.flatMap((row) => row.now.cells.flat()).some((count) => Number(count) > 0 && Number(count) < 5),
    ).toBe(false)
    // What is hidden alone stands beside a sum that is hidden too.
    for (const row of told.rows)
      if (row.now.cells.flat().filter((each) => each === 'few').length === 1) expect(row.now.values[0]).toBe('few')
    // Beside what was, too: what is hidden on one side is on both.
    const plain = await read(reader, { measures: ['people'], rows: ['faculty', 'level'], columns: [] })
    expect(plain.rows.flatMap((row) => row.now.values)).not.toContain('few')
  })
})

describe('kept in the own list', () => {
  it('saved, changed, copied, removed and brought back', async () => {
    const report = await kept(dean)
    expect(said(await dean('PUT', '/own-reports', { name: report.name.toUpperCase(), asked: LOST }))).toEqual([
      422,
      ['own_report_named@name'],
    ])
    const edited: OwnReport = ok(
      await dean('PUT', `/own-reports/${report.id}`, {
        name: 'Lost by level',
        asked: { ...LOST, rows: ['level'] },
        shown: 'chart',
        version: report.version,
      }),
    )
    expect([edited.name, edited.asked.rows, edited.shown]).toEqual(['Lost by level', ['level'], 'chart'])
    const late = await dean('PUT', `/own-reports/${report.id}`, { name: 'Late', asked: LOST, version: report.version })
    expect(said(late)).toEqual([409, ['changed_meanwhile']])
    ok(await dean('DELETE', `/own-reports/${report.id}`))
    expect((await dean('GET', `/own-reports/${report.id}`)).status).toBe(404)
    expect((await dean('DELETE', `/own-reports/${report.id}`)).status).toBe(409)
    expect(ok(await dean('POST', `/own-reports/${report.id}/restore`)).name).toBe('Lost by level')
    expect((await registrar('POST', `/own-reports/${report.id}/restore`)).status).toBe(404)
    const list: OwnReport[] = ok(await dean('GET', '/own-reports'))
    expect(list.filter(({ id }) => id === report.id).length).toBe(1)
    expect(said(await dean('PUT', '/own-reports', { name: ' ', asked: LOST }))[0]).toBe(422)
  })
  it('what asks for a figure that is no more is not listed, and breaks no list', async () => {
    const keen = await u.as('registrar')
    const { id } = await kept(keen)
    await q(
      `update own_reports set asked = '{"measures":["forgotten"],"rows":["course"],"columns":[]}' where id = $1`,
      [id],
    )
    expect(ok(await keen('GET', '/own-reports'))).toEqual([])
    expect((await keen('GET', `/own-reports/${id}`)).status).toBe(404)
  })
  it('so many and no more', async () => {
    const keen = await u.as('registrar')
    await q(
      `insert into own_reports (user_id, name, asked) select $1, 'Report ' || n, '{"measures":["people"],"rows":["faculty"],"columns":[]}' from generate_series(1, 99) n`,
      [keen.user_id],
    )
    const made = await Promise.allSettled([kept(keen), keen('PUT', '/own-reports', { name: 'One more', asked: LOST })])
    expect(made.length).toBe(2)
    expect(
      await one('select count(*) from own_reports where user_id = $1 and removed_at is null', [keen.user_id]),
    ).toBe(100)
    expect(said(await keen('PUT', '/own-reports', { name: 'Another one', asked: LOST }))).toEqual([
      422,
      ['own_report_too_many@name'],
    ])
  })
  it('what was shared stays within what its roles see', async () => {
    const { id } = await kept(registrar, { measures: ['applicants'], rows: ['admission'], columns: [] })
    await shared(registrar, id, 'admission_officer')
    const changed = await registrar('PUT', `/own-reports/${id}`, {
      name: 'Students',
      asked: { measures: ['people'], rows: ['faculty'], columns: [] },
    })
    expect(said(changed)).toEqual([422, ['own_report_role_blind@role_ids']])
  })
  it('on the overview of the reader, and of nobody else', async () => {
    const { id } = await kept(registrar)
    await shared(registrar, id, 'dean')
    expect(ok(await dean('PUT', `/own-reports/${id}/pin`, { looks: 'chart' })).pinned).toBe('chart')
    expect(ok(await registrar('GET', `/own-reports/${id}`)).pinned).toBe(null)
    expect(ok(await dean('PUT', `/own-reports/${id}/pin`, { looks: null })).pinned).toBe(null)
    expect(
      (await (await u.as('dean', ['faculty', 2]))('PUT', '/own-reports/999999/pin', { looks: 'number' })).status,
    ).toBe(404)
  })
})
