import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { publicationsServer } from '#areas/research/publications/publications.server.ts'
import { sentFile } from '#areas/research/publications/testing.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { ok, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { checkProject, checkSpending } from './project/project.rules.ts'
import { dayOn, placeOn } from './project/time.rules.ts'
import { projectsServer } from './projects.server.ts'

let uni: TestUniversity
let faculty: number[]
let dean: Caller
let day: string
const q = async (text: string, values: unknown[] = []) => (await uni.database.pool.query(text, values)).rows
beforeAll(async () => {
  uni = await testUniversity([kitServer, catalogueServer, studentsServer, publicationsServer, projectsServer])
  faculty = (
    await q(
      `insert into faculties (code, name, name_local) values ('ENG', 'Engineering', 'الهندسة'), ('MED', 'Medicine', 'الطب') returning id`,
    )
  ).map(({ id }) => id)
  dean = await uni.as('dean', ['faculty', faculty[0]!])
  day = (await q('select university_today()::text as day'))[0].day
})
afterAll(() => uni.close())
const refused = (answer: Answer, status: number, ...codes: string[]) => {
  expect([answer.status, ...(answer.body.errors ?? []).map((one: { code: string }) => one.code)]).toEqual([
    status,
    ...codes,
  ])
}
let n = 0
const person = () => uni.as('instructor', undefined, { type: 1, name: `Researcher ${++n}` })
const propose = async (by: Caller, more: object = {}) =>
  ok(
    await by('POST', '/projects', {
      code: `P${++n}`,
      name: 'Lamps',
      name_local: 'المصابيح',
      faculty_id: faculty[0],
      currency: 'EGP',
      start_date: '2020-01-01',
      end_date: '2099-12-31',
      members: [{ user_id: by.user_id, job: 'leader' }],
      lines: [{ name: 'Equipment', amount: 10_000 }],
      milestones: [{ name: 'First light', due_date: '2021-01-01' }],
      ...more,
    }),
  )

test('from the proposal to the end', async () => {
  const [lead, other] = [await person(), await person()]
  const { id } = await propose(lead, { members: [], lines: [] })
  expect(ok(await lead('GET', '/projects/my-projects')).map((one: { id: number }) => one.id)).toEqual([id])
  refused(await other('GET', `/projects/${id}`), 404, 'not_found')
  const turned = await lead('POST', `/projects/${id}`, { start_date: '2021-01-02', end_date: '2021-01-01' })
  expect(turned.status).toBe(422)
  expect((await q('select end_date::text as day from projects where id = $1', [id]))[0].day).toBe('2099-12-31')
  refused(await dean('PUT', `/projects/approve/${id}`, {}), 409, 'project_leader_missing', 'project_budget_missing')
  ok(
    await lead('POST', `/projects/${id}`, {
      members: [
        { user_id: lead.user_id, job: 'leader' },
        { name: 'Peter Weiss', job: 'consultant' },
      ],
      lines: [{ name: 'Equipment', amount: 10_000 }],
    }),
  )
  const [line] = ok(await lead('GET', `/projects/parts/${id}`)).lines
  const spend = (more: object = {}) =>
    lead('POST', `/projects/spendings/${id}`, {
      line_id: line.id,
      spent_on: day,
      amount: 6_000,
      what: 'Lamps',
      ...more,
    })
  refused(await spend(), 409, 'project_not_running')
  expect((await lead('PUT', `/projects/approve/${id}`, {})).status).toBe(403)
  ok(await dean('PUT', `/projects/approve/${id}`, {}))
  refused(await lead('DELETE', `/projects/${id}`), 409, 'project_begun')
  ok(await spend())
  refused(await spend(), 422, 'project_line_over')
  refused(await spend({ amount: 0 }), 422, 'project_amount_zero')
  refused(await spend({ amount: -7_000 }), 422, 'project_correction_large')
  refused(await spend({ spent_on: '2099-01-01', amount: 1 }), 422, 'project_spent_ahead')
  ok(await spend({ over_reason: 'Prices rose' }))
  const parts = ok(await lead('GET', `/projects/parts/${id}`))
  expect(parts.lines).toMatchObject([{ amount: 10_000, spent: 12_000 }])
  expect(parts.spendings[0]).toMatchObject({ over_reason: 'Prices rose' })
  await expect(
    q(
      `insert into project_spendings (project_id, line_id, spent_on, amount, what) values ($1, $2, '2024-01-01', 1, 'x')`,
      [id, line.id],
    ),
  ).rejects.toThrow('more than the budget line')
  refused(await lead('PUT', `/projects/finish/${id}`, {}), 409, 'project_milestones_open', 'project_report_missing')
  const row = ok(await lead('GET', `/projects/${id}`))
  ok(
    await lead('PUT', `/projects/${id}`, {
      milestones: row.milestones.map((one: object) => ({ ...one, done_on: '2021-01-01' })),
    }),
  )
  ok(
    await lead(
      'POST',
      `/projects/documents/${id}`,
      sentFile('end.pdf', Buffer.from('%PDF-1.7\n%%EOF'), { kind: 'final_report', name: 'The end' }),
    ),
  )
  expect(ok(await lead('PUT', `/projects/finish/${id}`, {})).status).toBe('finished')
  refused(await lead('PUT', `/projects/${id}`, { funder: 'X' }), 409, 'project_closed')
  refused(await dean('PUT', `/projects/reopen/${id}`, {}), 422, 'reason_required')
  ok(await dean('PUT', `/projects/reopen/${id}`, { reason: 'A report is missing' }))
  await expect(q(`update projects set status = 'finished' where id = $1`, [id])).rejects.toThrow('project_finished')
})

test('of two who spend the rest at one moment one has to say why', async () => {
  const lead = await person()
  const { id } = await propose(lead)
  ok(await dean('PUT', `/projects/approve/${id}`, {}))
  const [line] = ok(await lead('GET', `/projects/parts/${id}`)).lines
  const body = { line_id: line.id, spent_on: day, amount: 8_000, what: 'Lamps' }
  const both = await Promise.all([
    lead('POST', `/projects/spendings/${id}`, body),
    lead('POST', `/projects/spendings/${id}`, body),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422])
})

test('publications of a project are those that its people may see', async () => {
  const [lead, other] = [await person(), await person()]
  const { id } = await propose(lead)
  const work = async (by: Caller) =>
    ok(await by('POST', '/publications', { kind: 'book', language: 'en', title: `Work ${++n}`, year: 2020 })).id
  const [mine, theirs] = [await work(lead), await work(other)]
  refused(
    await lead('PUT', `/projects/publications/${id}`, { publication_ids: [mine, theirs] }),
    422,
    'reference_missing',
  )
  ok(await lead('PUT', `/projects/publications/${id}`, { publication_ids: [mine] }))
  expect(ok(await lead('GET', `/projects/parts/${id}`)).publications).toMatchObject([{ id: mine }])
  refused(await other('PUT', `/projects/publications/${id}`, { publication_ids: [] }), 404, 'not_found')
})

test('where two publications are merged, the project has the one that stays', async () => {
  const lead = await person()
  const work = async () =>
    ok(await lead('POST', '/publications', { kind: 'book', language: 'en', title: `Tides ${++n}`, year: 2020 })).id
  const [kept, gone] = [await work(), await work()]
  const [one, both] = [(await propose(lead)).id, (await propose(lead)).id]
  ok(await lead('PUT', `/projects/publications/${one}`, { publication_ids: [gone] }))
  ok(await lead('PUT', `/projects/publications/${both}`, { publication_ids: [kept, gone] }))
  const [{ id }] = await q(
    `insert into publication_doubles (first_id, second_id, why, score) values ($1, $2, 'title', 90) returning id`,
    [kept, gone],
  )
  ok(await lead('PUT', `/publications/doubles/merge/${id}`, { keep_id: kept }))
  for (const project of [one, both])
    expect(ok(await lead('GET', `/projects/parts/${project}`)).publications).toMatchObject([{ id: kept }])
  expect(await q('select from project_publications where publication_id = $1', [gone])).toEqual([])
})

test('what cannot be is refused with every reason', async () => {
  const lead = await person()
  const written = {
    start_date: '2024-01-01',
    end_date: '2023-01-01',
    members: [
      { user_id: 1, job: 'leader' },
      { user_id: 1, job: 'leader', from_date: '2024-02-01', until_date: '2024-01-01' },
      { job: 'student' },
    ],
    milestones: [{ name: 'M', start_date: '2024-05-01', due_date: '2024-04-01', done_on: '2030-01-01' }],
  }
  expect(checkProject(written, '2025-01-01').map(({ code }) => code)).toEqual([
    'project_span',
    'project_member_named',
    'project_member_twice',
    'project_leader_twice',
    'project_member_span',
    'project_milestone_span',
    'project_milestone_outside',
    'project_milestone_ahead',
  ])
  expect(checkSpending(undefined, { amount: 1 }).map(({ code }) => code)).toEqual(['reference_missing'])
  const { code } = await propose(lead)
  refused(
    await lead('POST', '/projects', {
      code,
      name: 'B',
      name_local: 'ب',
      faculty_id: faculty[0],
      currency: 'EGP',
      start_date: '2024-01-01',
      end_date: '2024-02-01',
    }),
    422,
    'project_code_taken',
  )
  const twice = { name: 'Twice', due_date: '2024-01-02' }
  refused(
    await lead('POST', '/projects', {
      code: 'TW',
      name: 'B',
      name_local: 'ب',
      faculty_id: faculty[0],
      currency: 'EGP',
      start_date: '2024-01-01',
      end_date: '2024-02-01',
      milestones: [twice, twice],
    }),
    422,
    'project_milestone_twice',
  )
  refused(
    await lead('POST', '/projects', {
      code: 'TX',
      name: 'B',
      name_local: 'ب',
      faculty_id: faculty[0],
      currency: 'EGP',
      start_date: '2024-01-01',
      end_date: '2024-02-01',
      lines: [
        { name: 'A', amount: 1 },
        { name: 'A', amount: 1 },
      ],
    }),
    422,
    'project_budget_line_twice',
  )
})

test('a line of time', () => {
  const line = { start: '2024-01-01', end: '2024-12-31' }
  expect(placeOn(line, '2024-01-01', '2024-12-31')).toEqual({ from: 0, width: 100 })
  expect(placeOn(line, '2023-01-01', '2024-07-01')).toEqual({ from: 0, width: 50 })
  expect(dayOn(line, '2025-01-01')).toBeNull()
})
