import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { firstRow } from '#db/rows.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { reportsServer } from '../reports.server.ts'
import type { SystemFigures } from './figures.contract.ts'
import { keptFiguresJob } from './kept-jobs.server.ts'
import { FIGURES_KEPT } from './kept.rules.ts'
import { SYSTEM_LINKS } from './reports.contract.ts'

let u: TestUniversity
let registrar: Caller
let dean: Caller
const usual = { ...FIGURES_KEPT }
beforeAll(async () => {
  u = await testUniversity([reportsServer], { database: await demoDatabase(), work: true })
  registrar = await u.as('registrar')
  dean = await u.as('dean', ['faculty', 1])
}, 720_000)
afterEach(async () => {
  Object.assign(FIGURES_KEPT, usual)
  await u.database.pool.query('truncate kept_figures')
})
afterAll(() => u?.close())

const read = async (who: Caller, body: object = {}): Promise<SystemFigures> =>
  ok(await who('POST', '/reports/students', body))
const kept = async (): Promise<{ id: number; asked: unknown; term_id: number | null }[]> =>
  (await u.database.pool.query('select id, asked, term_id from kept_figures order by id')).rows
/** The sum of a report as it was kept, made another one, so that one sees by what somebody is answered. */
const change = (age = '1 minute') =>
  u.database.pool.query(
    `update kept_figures set made_at = now() - $1::interval, answer = jsonb_set(answer, '{lines}',
      (select jsonb_agg(case when (l ->> 'every_row')::boolean and (l ->> 'every_column')::boolean then jsonb_set(l, '{parts,0}', '4711') else l end)
        from jsonb_array_elements(answer -> 'lines') l))`,
    [age],
  )
const students = (report: SystemFigures) => report.total.values[0]
const eventually = async (holds: () => Promise<boolean>) => {
  for (let tries = 0; !(await holds()); tries++) {
    if (tries > 200) throw new Error('it did not come to pass')
    await new Promise((done) => setTimeout(done, 100))
  }
}

it('what is read quickly is read each time, and nothing is kept', async () => {
  FIGURES_KEPT.after = 60_000
  expect((await read(registrar)).kept).toBe(false)
  expect(await kept()).toEqual([])
})

it('what took long is kept: the next one is answered by it and told of when it is, whichever measure is shown', async () => {
  FIGURES_KEPT.after = 0
  const first = await read(registrar, { rows: 'program' })
  expect([first.kept, await kept()]).toMatchObject([false, [{ asked: { rows: 'program' }, term_id: null }]])
  await change()
  const second = await read(registrar, { rows: 'program', measure: 'warned' })
  expect([second.kept, students(second), second.measure, second.at]).toEqual([true, 4711, 'warned', first.at])
  // Another question is another one.
  expect((await read(registrar, { rows: 'program', columns: 'gender' })).kept).toBe(false)
  expect((await read(registrar, { rows: 'program', filters: { faculty: [1] } })).kept).toBe(false)
  expect(await kept()).toHaveLength(3)
})

it('is of the term that is current, and of its filters whatever their order', async () => {
  FIGURES_KEPT.after = 0
  const asked = (filters: object) => registrar('POST', '/reports/registrations', { filters })
  await asked({ faculty: [1, 2], level: [1] })
  const again: SystemFigures = ok(await asked({ level: [1], faculty: [2, 1] }))
  const [{ term_id } = { term_id: null }] = await kept()
  const { rows } = await u.database.pool.query<{ term_id: number }>(
    `select term_id from current_terms where key = 'current_term'`,
  )
  expect([again.kept, term_id]).toEqual([true, firstRow(rows).term_id])
  await u.database.pool.query('update kept_figures set term_id = (select min(id) from terms)')
  const later: SystemFigures = ok(await asked({ faculty: [1, 2], level: [1] }))
  expect(later.kept).toBe(false)
})

it('is told to nobody who reaches less, and what that one reads is not kept', async () => {
  FIGURES_KEPT.after = 0
  await read(dean)
  expect(await kept()).toEqual([])
  const all = await read(registrar)
  await change()
  const own = await read(dean)
  expect(own.kept).toBe(false)
  expect(students(own)).toBeLessThan(students(all) as number)
  // Not the rows behind a figure either: they are read as they are.
  const rows = await registrar('POST', '/reports/students/rows', { measure: 'students' })
  expect(rows.body.meta.people).toBe(students(all))
})

it('is read anew where somebody wishes so, or when it is older than a day and some', async () => {
  FIGURES_KEPT.after = 0
  const all = students(await read(registrar))
  await change('27 hours')
  expect(students(await read(registrar))).toBe(all)
  await change()
  const fresh = await read(registrar, { fresh: true })
  expect([fresh.kept, students(fresh)]).toEqual([false, all])
  expect(students(await read(registrar))).toBe(all)
})

it('after a quarter of an hour serves once more while a job works it out again', async () => {
  FIGURES_KEPT.after = 0
  const all = students(await read(registrar))
  await change('16 minutes')
  expect(students(await read(registrar))).toBe(4711)
  await eventually(async () => students(await read(registrar)) === all)
  expect((await read(registrar)).kept).toBe(true)
})

it('what nobody waits for is left to a job, says so, and is there afterwards', async () => {
  FIGURES_KEPT.after = 0
  FIGURES_KEPT.patience = 1
  const locked = await u.database.pool.connect()
  try {
    await locked.query('begin')
    await locked.query('lock table students in access exclusive mode')
    const first = await registrar('POST', '/reports/students', {})
    expect([first.status, reasons(first)]).toEqual([409, ['report_worked_out']])
    // Who asks meanwhile does not work as well; a file says the same.
    FIGURES_KEPT.patience = usual.patience
    expect(reasons(await registrar('POST', '/reports/students', {}))).toEqual(['report_worked_out'])
    expect(reasons(await registrar('GET', '/reports/students/download/en/xlsx'))).toEqual(['report_worked_out'])
    const { rows } = await u.database.pool.query(
      `select id from jobs where name = 'work-out-figures' and state in ('queued', 'running')`,
    )
    expect(rows).toHaveLength(1)
  } finally {
    await locked.query('rollback')
    locked.release()
  }
  await eventually(async () => (await registrar('POST', '/reports/students', {})).status === 200)
  expect((await read(registrar)).kept).toBe(true)
})

it('a table that is held for longer than somebody waits is waited for by a job as well', async () => {
  FIGURES_KEPT.after = 0
  const locked = await u.database.pool.connect()
  try {
    await locked.query('begin')
    await locked.query('lock table students in access exclusive mode')
    // The patience with locks ends before that with reading.
    const first = await registrar('POST', '/reports/students', {})
    expect([first.status, reasons(first)]).toEqual([409, ['report_worked_out']])
    // Who asks while the job is at it hears so at once, and does not wait for the rows as well.
    const begun = Date.now()
    expect(reasons(await registrar('POST', '/reports/students', {}))).toEqual(['report_worked_out'])
    expect(Date.now() - begun).toBeLessThan(2_000)
    // Of whoever reaches a part nothing is kept: a job could tell it to nobody.
    expect(reasons(await dean('POST', '/reports/students', {}))).toEqual(['data_busy'])
  } finally {
    await locked.query('rollback')
    locked.release()
  }
  await eventually(async () => (await registrar('POST', '/reports/students', {})).status === 200)
}, 60_000)

it('every night what was asked for is worked out again, and what nobody asks for any more goes', async () => {
  FIGURES_KEPT.after = 0
  const all = students(await read(registrar))
  await read(registrar, { rows: 'level' })
  await read(registrar, { rows: 'program' })
  await change('20 hours')
  await u.database.pool
    .query(`update kept_figures set asked_at = now() - interval '8 days' where asked ->> 'rows' = 'level';
    update kept_figures set link = 'of-an-earlier-release' where asked ->> 'rows' = 'program'`)
  const night = Object.assign(() => Promise.resolve(), { signal: new AbortController().signal })
  expect(await keptFiguresJob.run(asSystem(u.services, 'night'), {}, night)).toEqual({
    worked_out: SYSTEM_LINKS.length,
  })
  // Beside it, what every report shows at first, and what nobody can ask for any more until a week has passed.
  expect(await kept()).toHaveLength(SYSTEM_LINKS.length + 1)
  const after = await read(registrar)
  expect([after.kept, students(after)]).toEqual([true, all])
})

it('own reports are kept likewise, by what they ask; who reaches less reads them live', async () => {
  FIGURES_KEPT.after = 0
  const asked = { measures: ['students', 'mean_gpa'], rows: ['program'], filters: { level: [1, 2] } }
  const own = async (who: Caller, body: object = {}) => {
    const { data } = (await who('POST', '/own-reports/figures', { ...asked, ...body })).body
    return data as { kept: boolean; total: { now: { values: number[] } } }
  }
  const first = await own(registrar)
  expect([first.kept, (await kept()).length]).toEqual([false, 1])
  const again = await own(registrar, { filters: { level: [2, 1] }, largest: true })
  expect([again.kept, again.total]).toEqual([true, first.total])
  expect((await own(registrar, { rows: ['faculty'] })).kept).toBe(false)
  expect((await own(registrar, { fresh: true })).kept).toBe(false)
  expect((await own(registrar, { measures: ['mean_gpa', 'students'] })).kept).toBe(false)
  expect((await own(dean)).kept).toBe(false)
  // At night they are worked out again with the others.
  const night = Object.assign(() => Promise.resolve(), { signal: new AbortController().signal })
  const { worked_out } = (await keptFiguresJob.run(asSystem(u.services, 'night'), {}, night)) as { worked_out: number }
  expect(worked_out).toBe(SYSTEM_LINKS.length + 3)
})
