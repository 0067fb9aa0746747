import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessAndPeopleServer } from '#areas/people/access-and-people/access-and-people.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { dayThere, ok, reasons, testUniversity } from '#tests/university.ts'
import type { Answer, Caller, TestUniversity } from '#tests/university.ts'
import { peopleServer } from '../people.server.ts'
import { contractsJob } from './contracts.server.ts'
import { contractReasons, contractState, managerReasons } from './employee.rules.ts'

let u: TestUniversity
let personnel: Caller
const id = { engineering: 0, commerce: 0, computing: 0, trade: 0, clerk: 0 }
const q = async <R>(text: string, values: unknown[] = []): Promise<R[]> =>
  (await u.database.pool.query(text, values)).rows as R[]
const day = dayThere
let people = 0

beforeAll(async () => {
  u = await testUniversity([kitServer, accessAndPeopleServer, catalogueServer, peopleServer])
  const made = async (text: string, values: unknown[]) =>
    (await q<{ id: number }>(`${text} returning id`, values))[0]!.id
  for (const [key, code] of [
    ['engineering', 'ENG'],
    ['commerce', 'COM'],
  ] as const)
    id[key] = await made(`insert into faculties (code, name, name_local) values ($1, $1, 'كلية')`, [code])
  const department = `insert into departments (faculty_id, code, name, name_local) values ($1, $2, $2, 'قسم')`
  id.computing = await made(department, [id.engineering, 'CSC'])
  id.trade = await made(department, [id.commerce, 'TRD'])
  id.clerk = await made(`insert into job_titles (code, name, name_local) values ('CLERK', 'Clerk', 'كاتب')`, [])
  personnel = await u.as('personnel_officer')
})
afterAll(() => u.close())

const person = (more: object = {}) => ({
  name: 'Hala Samir',
  name_local: 'هالة سمير',
  email: `employee${++people}@university.example`,
  ...more,
})
const optionsOf = async (who: Caller) =>
  ok(await who('POST', '/lookups/get', { name: 'employee', limit: 500 })) as { id: number }[]
const add = (more: object = {}, who = personnel): Promise<Answer> => who('PUT', '/employees', person(more))
const added = async (more: object = {}, who = personnel): Promise<number> => ok(await add(more, who)).id as number
const change = (one: number, more: object, who = personnel) => who('PUT', `/employees/${one}`, more)
const contract = (from_date: string, to_date: string | null, kind = 'part_time') => ({ kind, from_date, to_date })

describe('what an employee is', () => {
  test('number, job, place, manager and contracts, which stand in list, sheet and history', async () => {
    const manager = await added({ code: 'E-1' })
    const one = await added({
      code: 'E-2',
      job_title_id: id.clerk,
      department_id: id.computing,
      manager_id: manager,
      contracts: [contract('2020-01-01', '2020-12-31', 'fixed_term'), contract('2021-01-01', null, 'permanent')],
    })
    expect(ok(await personnel('GET', `/employees/${one}`))).toMatchObject({
      code: 'E-2',
      job_title: { id: id.clerk, name: 'Clerk' },
      // A department need not be told its faculty.
      faculty: { id: id.engineering },
      department: { id: id.computing },
      manager: { id: manager },
      contracts: [{ kind: 'permanent', from_date: '2021-01-01' }, { kind: 'fixed_term' }],
      contract_ends_on: null,
      team: 0,
    })
    expect(ok(await personnel('GET', `/employees/${manager}`)).team).toBe(1)
    const found = async (filters: object) =>
      (ok(await personnel('POST', '/employees', { filters })) as { id: number }[]).map((row) => row.id)
    expect(await found({ department_id: [id.computing], job_title_id: [id.clerk] })).toEqual([one])
    expect(await found({ manager_id: [manager] })).toEqual([one])
    expect((ok(await personnel('POST', '/employees', { search: 'e-2' })) as { id: number }[])[0]!.id).toBe(one)
    ok(await change(one, { code: 'E-3', contracts: [] }))
    const history = JSON.stringify(ok(await personnel('GET', `/employees/${one}/history`)))
    expect(history).toContain('E-3')
    expect(history).toContain('fixed_term')
  })

  test('a staff number is of one employee, however it is written', async () => {
    await added({ code: 'N-7' })
    expect(reasons(await add({ code: 'n-7' }))).toEqual(['duplicate@code'])
  })

  test('a department stands in one faculty, and its employees go with it', async () => {
    expect(reasons(await add({ faculty_id: id.commerce, department_id: id.computing }))).toEqual([
      'department_of_other_faculty@department_id',
    ])
    const one = await added({ department_id: id.trade })
    await q('update departments set faculty_id = $2 where id = $1', [id.trade, id.engineering])
    expect(ok(await personnel('GET', `/employees/${one}`)).faculty.id).toBe(id.engineering)
    await q('update departments set faculty_id = $2 where id = $1', [id.trade, id.commerce])
    await expect(q('update users set faculty_id = $2 where id = $1', [one, id.engineering])).rejects.toThrow(
      /department_of_other_faculty/,
    )
  })

  test('of who teaches or studies none of it is kept with the account', async () => {
    const { user_id } = await u.as(null, undefined, { type: 1 })
    await expect(q(`update users set code = 'X' where id = $1`, [user_id])).rejects.toThrow(/work_of_employees/)
  })
})

describe('contracts', () => {
  test('end not before they begin, end where they have to, and are not two at once', async () => {
    const one = await added()
    expect(reasons(await change(one, { contracts: [contract('2024-02-01', '2024-01-31')] }))).toEqual([
      'contract_ends_before_begin@contracts.0.to_date',
    ])
    expect(reasons(await change(one, { contracts: [contract('2024-02-01', null, 'fixed_term')] }))).toEqual([
      'contract_end_needed@contracts.0.to_date',
    ])
    // The last day of one is not the first of the next.
    const overlapping = [contract('2024-01-01', '2024-06-30'), contract('2024-06-30', null)]
    expect(reasons(await change(one, { contracts: overlapping }))).toEqual(['contracts_overlap@contracts.1.from_date'])
    ok(await change(one, { contracts: [contract('2024-01-01', '2024-06-30'), contract('2024-07-01', '2024-07-01')] }))
    expect(ok(await personnel('GET', `/employees/${one}`)).contract_ends_on).toBe('2024-07-01')
    const insert = `insert into employee_contracts (employee_id, kind, from_date, to_date) values ($1, 'part_time', $2, $3)`
    await expect(q(insert, [one, '2030-01-02', '2030-01-01'])).rejects.toThrow(/contract_ends_before_begin/)
    await expect(q(insert, [one, '2024-06-30', null])).rejects.toThrow(/contracts_overlap/)
  })

  test('are read by who keeps the record and by the person; others neither see, find, sort nor write them', async () => {
    const one = await added({ contracts: [contract('2024-01-01', day(10))] })
    const looker = await u.as(null)
    await q(
      `insert into user_permissions (user_id, permission) values ($1, 'access_employee'), ($1, 'show_employee'), ($1, 'export_employee')`,
      [looker.user_id],
    )
    const seen = ok(await looker('GET', `/employees/${one}`))
    expect([seen.contracts, seen.contract_ends_on]).toEqual([null, null])
    const found = async (who: Caller) =>
      (
        ok(await who('POST', '/employees', { perPage: 500, filters: { contract: ['ends_soon'] } })) as { id: number }[]
      ).map((row) => row.id)
    expect(await found(looker)).toEqual([])
    expect(await found(personnel)).toContain(one)
    expect((await looker('POST', '/employees', { filters: { contract_ends_on: { from: day(0) } } })).status).toBe(422)
    expect(JSON.stringify(ok(await looker('GET', `/employees/${one}/history`)))).not.toContain('part_time')
    await q(`insert into role_assignments (user_id, role_id) select $1, id from roles where key = 'cashier'`, [one])
    const own = await u.signIn(one)
    expect(ok(await own('GET', `/employees/${one}`))).toMatchObject({
      contract_ends_on: day(10),
      abilities: ['documents'],
    })
    expect((await change(one, { contracts: [] }, own)).status).toBe(403)
  })

  test('that end are told to the employee and to who keeps the record: 30 days before, and on the day; once each', async () => {
    const keeper = await u.as('personnel_officer', ['faculty', id.engineering])
    const elsewhere = await u.as('personnel_officer', ['faculty', id.commerce])
    const one = await added({ faculty_id: id.engineering, contracts: [contract('2024-01-01', day(30), 'fixed_term')] })
    const renewed = await added({
      faculty_id: id.engineering,
      contracts: [contract('2024-01-01', day(5), 'fixed_term'), contract(day(6), null, 'permanent')],
    })
    const later = await added({
      faculty_id: id.engineering,
      contracts: [contract('2024-01-01', day(31), 'fixed_term')],
    })
    const run = () => contractsJob.run(asSystem(u.services, 'test'), {}, undefined as never)
    const told = async (user: number) =>
      (
        await q<{ key: string; data: { day: string; who?: string } }>(
          'select key, data from notifications where user_id = $1 order by id',
          [user],
        )
      ).map(({ key }) => key.replace('people.', ''))
    await run()
    expect(await run()).toEqual({ before: 0, ended: 0 })
    expect(await told(one)).toEqual(['notice_contract_ends'])
    expect(await told(keeper.user_id)).toEqual(['notice_contract_ends_of'])
    expect([await told(renewed), await told(later), await told(elsewhere.user_id)]).toEqual([[], [], []])
    // Nobody nearer holds the right: who reaches it all is not told as well.
    await q('update employee_contracts set to_date = $2, told_of = $2 where employee_id = $1', [one, day(0)])
    expect(await run()).toEqual({ before: 0, ended: 1 })
    expect(await run()).toEqual({ before: 0, ended: 0 })
    expect(await told(one)).toEqual(['notice_contract_ends', 'notice_contract_ended'])
    expect(await told(keeper.user_id)).toEqual(['notice_contract_ends_of', 'notice_contract_ended_of'])
    const waits = async (who: Caller) =>
      (ok(await who('GET', '/users/work')).waiting as { key: string; data: { count: number } }[]).map(
        ({ key, data }) => `${key} ${data.count}`,
      )
    expect(await waits(keeper)).toEqual(['people.work_contracts_end 1'])
    await q('update employee_contracts set to_date = $2 where employee_id = $1', [one, day(-1)])
    expect(await waits(keeper)).toEqual(['people.work_contracts_ended 1'])
    expect(await waits(elsewhere)).toEqual([])
  })

  test('rules by themselves', () => {
    expect(contractReasons([contract('2024-01-01', null), contract('2023-01-01', '2023-12-31')])).toEqual([])
    expect(contractReasons([contract('2024-01-01', null), contract('2025-01-01', null)])).toMatchObject([
      { code: 'contracts_overlap', field: 'contracts.1.from_date' },
    ])
    expect(
      ['2024-05-01', '2024-05-02', '2024-06-01', '2024-06-02', null].map((to) => contractState(to, '2024-05-02')),
    ).toEqual(['ended', 'ends_soon', 'ends_soon', 'open', 'open'])
    const above = [
      { id: 2, name: 'B', name_local: 'ب' },
      { id: 1, name: 'A', name_local: 'أ' },
    ]
    expect(managerReasons({ id: 1, manager_id: 2, known: true, above })).toEqual([
      { field: 'manager_id', code: 'manager_circle', data: { who: 'B', who_local: 'ب' } },
    ])
    expect(managerReasons({ id: 3, manager_id: 2, known: true, above })).toEqual([])
  })
})

describe('managers', () => {
  test('are employees, not oneself, and not led by whom they lead, over however many', async () => {
    const [a, b, c] = [await added(), await added(), await added()]
    expect(reasons(await change(a, { manager_id: a }))).toEqual(['own_manager@manager_id'])
    ok(await change(a, { manager_id: b }))
    ok(await change(b, { manager_id: c }))
    expect(reasons(await change(b, { manager_id: a }))).toEqual(['manager_circle@manager_id'])
    const circle = await change(c, { manager_id: a })
    expect(reasons(circle)).toEqual(['manager_circle@manager_id'])
    expect(circle.body.errors[0].data.who).toBe('Hala Samir')
    await expect(q('update users set manager_id = $2 where id = $1', [c, a])).rejects.toThrow(/circle/)
    await expect(q('update users set manager_id = id where id = $1', [c])).rejects.toThrow(/own_manager/)
    const student = await u.as(null, undefined, { type: 3 })
    expect(reasons(await change(c, { manager_id: student.user_id }))).toEqual(['manager_no_employee@manager_id'])
    await expect(q('update users set manager_id = $2 where id = $1', [c, student.user_id])).rejects.toThrow(
      /no employee/,
    )
  })

  test('of two who are put under each other at the same moment one is refused', async () => {
    const [a, b] = [await added(), await added()]
    const answers = await Promise.all([change(a, { manager_id: b }), change(b, { manager_id: a })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
  })

  test('are not removed while somebody has them', async () => {
    const [a, b] = [await added(), await added()]
    ok(await change(a, { manager_id: b }))
    expect(reasons(await personnel('DELETE', `/employees/${b}`))).toEqual(['employee_manages'])
    ok(await change(a, { manager_id: null }))
    expect((await personnel('DELETE', `/employees/${b}`)).status).toBe(200)
    expect(reasons(await change(a, { manager_id: b }))).toEqual(['manager_no_employee@manager_id'])
  })

  test('whom the writer does not see are not taken', async () => {
    const far = await added({ faculty_id: id.commerce })
    const near = await u.as('personnel_officer', ['faculty', id.engineering])
    const one = await added({ faculty_id: id.engineering }, near)
    expect(reasons(await change(one, { manager_id: far }, near))).toEqual(['manager_no_employee@manager_id'])
    const options = await optionsOf(near)
    expect(options.map((option) => option.id)).not.toContain(far)
    expect(options.map((option) => option.id)).toContain(one)
    const student = await u.as(null, undefined, { type: 3 })
    expect((await optionsOf(personnel)).map((option) => option.id)).not.toContain(student.user_id)
  })
})

describe('who', () => {
  test('keeps employees of a faculty reaches those and no others, and puts none elsewhere', async () => {
    const near = await u.as('personnel_officer', ['faculty', id.engineering])
    const within = await u.as('personnel_officer', ['department', id.computing])
    const one = await added({ department_id: id.computing })
    const [far, central] = [await added({ faculty_id: id.commerce }), await added()]
    for (const who of [near, within]) {
      const rows = ok(await who('POST', '/employees', { perPage: 500 })) as { id: number }[]
      expect(rows.map((row) => row.id)).toContain(one)
      for (const other of [far, central]) {
        expect(rows.map((row) => row.id)).not.toContain(other)
        expect((await who('GET', `/employees/${other}`)).status).toBe(404)
        expect((await change(other, { phone: '01001234567' }, who)).status).toBe(404)
        expect((await who('GET', `/people/user/${other}/names`)).status).toBe(404)
        expect((await who('GET', `/people/user/${other}/photo`)).status).toBe(404)
      }
    }
    expect((await add({}, near)).status).toBe(403)
    expect((await change(one, { faculty_id: id.commerce, department_id: null }, near)).status).toBe(403)
    ok(await add({ faculty_id: id.engineering }, near))
  })

  test('works here sees the own record and that of nobody else', async () => {
    const cashier = await u.as('cashier')
    expect(ok(await cashier('GET', `/employees/${cashier.user_id}`)).id).toBe(cashier.user_id)
    expect((await cashier('GET', `/employees/${await added()}`)).status).toBe(404)
    expect((await cashier('POST', '/employees', {})).status).toBe(403)
    expect((await change(cashier.user_id, { code: 'BOSS' }, cashier)).status).toBe(403)
    expect((await (await u.as('student', undefined, { type: 3 }))('GET', `/employees/${cashier.user_id}`)).status).toBe(
      403,
    )
  })

  test('is an employee belongs to the faculty as an account does: the photo is changed by who keeps it', async () => {
    const near = await u.as('personnel_officer', ['faculty', id.engineering])
    const one = await added({ faculty_id: id.engineering })
    expect(ok(await near('GET', `/people/user/${one}/photo`)).may_change).toBe(true)
  })
})
