import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callsOf } from '#kit/contract/index.ts'
import type { Call } from '#kit/contract/index.ts'
import { AREAS } from '../apps/areas.contract.ts'
import { AREA_SERVERS } from '../apps/server/areas.server.ts'
import { registrationWorld } from './registration-world.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from './university.ts'

/**
 * Every call that reads, as a student whose last term has results that are not published. What it answers must be the
 * same to the letter as when there are none: no mark, letter or GPA, and no limit, level, hour or refusal that follows one.
 */
let u: TestUniversity
let me: Caller
let student: number
let term: number
let offering: number

const q = async <Row = any>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]

beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS)
  const w = await registrationWorld(u)
  const made = await w.student({ gpa: '3.00', hours: 3, passed: ['CS101', 'MA101'] })
  student = made.id
  me = made.as
  term = w.pastTerm
  // A term before, finished and published.
  const [earlier] = await q(`insert into terms (year_id, code, name, name_local, term_type, start_date, end_date)
    select id, 'T0', 'T0', 'T0', 'spring', university_today() - 290, university_today() - 210 from years returning id`)
  await q(
    `with o as (insert into offerings (term_id, course_id, code, control_status) values ($2, $3, '1', 'Frozen') returning id)
     insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours, total, letter, points, passed, counts_in_gpa)
     select $1, id, $2, $3, 262160, 3, 80, 'B', 3, true, true from o`,
    [student, earlier.id, w.courses.PH101],
  )
  await q(
    `insert into student_terms (student_id, term_id, registered_hours, attempted_hours, passed_hours, term_points, gpa, cumulative_hours,
       cumulative_passed_hours, cumulative_points, cumulative_gpa, level, warned, warnings, standing)
     values ($1, $2, 3, 3, 3, 9, 3, 3, 3, 9, 3, 1, false, 0, 'good')`,
    [student, earlier.id],
  )
  // The course asked for again, one that it opens, one that wants a level and hours.
  for (const code of ['CS101', 'CS201', 'EN101', 'HU101']) await w.offer(code)
  await q(`update courses set min_level = 2, min_passed_hours = 50 where code = 'EN101'`)
  await w.windows('register')
  await q(`update offerings set control_status = 'Approved' where term_id = $1`, [term])
  ;[{ id: offering }] = (await q(
    'select offering_id as id from registrations where student_id = $1 and term_id = $2 order by id limit 1',
    [student, term],
  )) as [{ id: number }]
})
afterAll(() => u.close())

const RESULT = { total: '61.37', letter: 'Q7', points: '1.23' }
const ROW = { gpa: '1.37', cumulative_gpa: '1.73', hours: 97, level: 6, warnings: 3 }

/** No result of the term: as while marks are entered. */
async function without(): Promise<void> {
  await q(
    'update registrations set total = null, letter = null, points = null, passed = null, counts_in_gpa = null where student_id = $1 and term_id = $2',
    [student, term],
  )
  await q('delete from student_terms where student_id = $1 and term_id = $2', [student, term])
  await q('update student_terms set revised_since = null where student_id = $1', [student])
  await q('select settle_standing(array[$1::int])', [student])
}
/** Results and a row that stand out, approved and finished, but not published. */
async function withResults(): Promise<void> {
  await q(
    'update registrations set total = $3, letter = $4, points = $5, passed = true, counts_in_gpa = true where student_id = $1 and term_id = $2',
    [student, term, RESULT.total, RESULT.letter, RESULT.points],
  )
  await q(
    `insert into student_terms (student_id, term_id, registered_hours, attempted_hours, passed_hours, term_points, gpa, cumulative_hours,
       cumulative_passed_hours, cumulative_points, cumulative_gpa, level, warned, warnings, standing)
     values ($1, $2, 9, 9, 9, 11, $3, 90, $5, 99, $4, $6, true, $7, 'dismissed')`,
    [student, term, ROW.gpa, ROW.cumulative_gpa, ROW.hours, ROW.level, ROW.warnings],
  )
  await q('update student_terms set revised_since = null where student_id = $1', [student])
  await q('select settle_standing(array[$1::int])', [student])
  const [row] = await q('select gpa, level, status from students where id = $1', [student])
  expect(row).toEqual({ gpa: ROW.cumulative_gpa, level: ROW.level, status: 'studying' })
}

const CALLS = AREAS.flatMap((area) => callsOf(area)).filter(
  (call) => (call.method === 'GET' || call.reads) && !/log|password|session|operations|puzzle/.test(call.path),
)
/** What stands at the places of a path: the student and the offering of the term, in turn. */
const paths = (call: Call): string[] => {
  const fill = (id: number) =>
    call.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
      /lang/.test(name)
        ? 'en'
        : /term/.test(name)
          ? String(term)
          : /offering/i.test(name)
            ? String(offering)
            : /student/.test(name)
              ? String(student)
              : String(id),
    )
  return [...new Set([fill(student), fill(offering), fill(term)])]
}
/** Answers of all calls; what names a moment or a job is left out. */
async function readAll(): Promise<Map<string, unknown>> {
  const out = new Map<string, unknown>()
  for (const call of CALLS) {
    for (const path of paths(call)) {
      const queries = call.method === 'GET' ? ['', `?term_id=${term}`] : ['']
      for (const query of queries) {
        const body = call.method === 'GET' ? undefined : (call.example ?? {})
        const answer: Answer = await me(call.method, `${path}${query}`, body)
        out.set(`${call.method} ${path}${query}`, {
          status: answer.status,
          body: JSON.parse(
            JSON.stringify(answer.body ?? null)
              .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, 'then')
              .replaceAll(/"(reference|request_id|version)":("[^"]*"|\d+)/g, '"":0'),
          ),
        })
      }
    }
  }
  return out
}

describe('results that are not published', () => {
  test('no call tells a student anything of them; once published they are told', async () => {
    await without()
    const before = await readAll()
    const answered = [...before.values()].filter((one: any) => one.status === 200)
    expect(answered.length).toBeGreaterThan(20)
    await withResults()
    const after = await readAll()
    const told = [...after].filter(([key, answer]) => JSON.stringify(answer) !== JSON.stringify(before.get(key)))
    expect(told.map(([key, answer]) => ({ key, before: before.get(key), answer }))).toEqual([])
    for (const [key, answer] of after) {
      const text = JSON.stringify(answer)
      for (const secret of [RESULT.total, `"${RESULT.letter}"`, `with ${RESULT.letter}`, ROW.gpa, ROW.cumulative_gpa])
        expect(text.includes(secret), `${key}: ${secret}`).toBe(false)
    }
    await q(
      `update offerings set control_status = 'Published' where id in (select offering_id from registrations where student_id = $1 and term_id = $2)`,
      [student, term],
    )
    await q('update student_terms set revised_since = null where student_id = $1', [student])
    const published = [...(await readAll())].filter(
      ([key, answer]) => JSON.stringify(answer) !== JSON.stringify(before.get(key)),
    )
    const text = JSON.stringify(published)
    for (const open of [RESULT.total, RESULT.letter, ROW.gpa, ROW.cumulative_gpa]) expect(text).toContain(open)
    // The record, the audit, the load, and what can be registered: all of them follow.
    const keys = published.map(([key]) => key)
    for (const path of [
      'terms_grades',
      'dashboard',
      'study-plan',
      'requested-offerings',
      'available-offerings',
      '/terms',
    ])
      expect(
        keys.filter((key) => key.includes(path)),
        path,
      ).not.toEqual([])
  })

  test('who owes past a due date sees none of them where the university has it so, staff do; paid, they are there', async () => {
    await q(`insert into settings (key, value, grouping) values ('hold_results', '"true"', 'payment'), ('hold_certificates', '"true"', 'payment')
      on conflict (key) do update set value = excluded.value`)
    const [{ id: hold }] = (await q(
      `insert into student_holds (student_id, kind, note) values ($1, 'unpaid_invoice', 'INV-7') returning id`,
      [student],
    )) as [{ id: number }]
    const secrets = [
      RESULT.total,
      `"${RESULT.letter}"`,
      `with ${RESULT.letter}`,
      `"${RESULT.points}"`,
      ROW.gpa,
      ROW.cumulative_gpa,
      '"80.00"',
      '"3.00"',
    ]
    const leaks = async () =>
      [...(await readAll())].flatMap(([key, answer]) =>
        secrets.filter((secret) => JSON.stringify(answer).includes(secret)).map((secret) => `${key}: ${secret}`),
      )
    expect(await leaks()).toEqual([])
    // A hold made by hand holds as well; what staff wrote beside it is theirs.
    expect(ok(await me('GET', '/students/held'))).toMatchObject({
      results: true,
      certificates: true,
      invoices: [],
      overrides: [],
    })
    expect(reasons(await me('POST', `/students/${student}/transcript/en`, {}))).toEqual(['results_held'])
    // Staff see everything, marked; papers are refused, and by the database whoever writes.
    const registrar = await u.as('registrar')
    expect(JSON.stringify(ok(await registrar('GET', `/students/${student}/terms_grades`)))).toContain(RESULT.total)
    expect(ok(await registrar('GET', `/students/held/${student}`))).toMatchObject({ results: true, abilities: [] })
    // As a state (409), before anything is composed: what the database says of a row would be 422.
    for (const paper of ['transcript/en', 'certificate/en']) {
      const refused = await registrar('POST', `/students/${student}/${paper}`, {})
      expect([refused.status, reasons(refused)], paper).toEqual([409, ['certificates_held']])
    }
    await expect(
      q(`insert into transcripts (student_id, lang, all_results, serial, courses) values ($1, 'en', false, 'T-X', 1)`, [
        student,
      ]),
    ).rejects.toThrow(/held/)
    // Set aside with a reason, by who may; not by the student, nor by who has no such right.
    const path = `/students/held/${student}/override`
    expect((await me('POST', path, { what: 'results', reason: 'Please' })).status).toBe(403)
    expect((await registrar('POST', path, { what: 'results', reason: 'Please' })).status).toBe(403)
    const head = await u.as('finance_head')
    expect((await head('POST', path, { what: 'results' })).status).toBe(422)
    // A day that has passed would set nothing aside; until another day it is set aside, and then no longer.
    expect(reasons(await head('POST', path, { what: 'results', reason: 'Too late', until: '2020-01-01' }))).toEqual([
      'hold_override_past@until',
    ])
    ok(await head('POST', path, { what: 'results', reason: 'For some days', until: '2999-01-01' }))
    expect((await leaks()).length).toBeGreaterThan(0)
    // Who did so is named in the language of who reads.
    const seen = ok(await head('GET', `/students/held/${student}`))
    expect(seen.overrides).toMatchObject([{ what: 'results', until: '2999-01-01', by: { name: expect.any(String) } }])
    expect('name_local' in seen.overrides[0].by).toBe(true)
    await q(`update hold_overrides set until = university_today() - 1 where student_id = $1`, [student])
    expect(await leaks()).toEqual([])
    ok(await head('POST', path, { what: 'results', reason: 'A scholarship is on its way' }))
    expect(reasons(await head('POST', path, { what: 'results', reason: 'Again' }))).toEqual(['hold_override_twice'])
    // Nobody sets a hold aside that is on the own record.
    const [of] = await q('select user_id from students where id = $1', [student])
    await q('update students set user_id = $2 where id = $1', [student, head.user_id])
    const own = await head('POST', path, { what: 'certificates', reason: 'It is mine' })
    await q('update students set user_id = $2 where id = $1', [student, of.user_id])
    expect([own.status, reasons(own)]).toEqual([403, ['not_allowed']])
    expect((await leaks()).length).toBeGreaterThan(0)
    expect(reasons(await registrar('POST', `/students/${student}/transcript/en`, {}))).toEqual(['certificates_held'])
    ok(await head('POST', path, { what: 'certificates', reason: 'A scholarship is on its way' }))
    expect((await registrar('POST', `/students/${student}/transcript/en`, {})).status).toBe(200)
    ok(await head('POST', `/students/held/${student}/end`, { what: 'results' }))
    expect(await leaks()).toEqual([])
    expect(reasons(await head('POST', `/students/held/${student}/end`, { what: 'results' }))).toEqual([
      'hold_override_none',
    ])
    const far = await u.as('finance_head', ['faculty', 999_999])
    expect((await far('POST', path, { what: 'results', reason: 'Elsewhere' })).status).toBe(404)
    // Switched off, and paid: nothing is held.
    await q(`update settings set value = '"false"' where key = 'hold_results'`)
    expect((await leaks()).length).toBeGreaterThan(0)
    await q(`update settings set value = '"true"' where key = 'hold_results'`)
    expect(await leaks()).toEqual([])
    await q('update student_holds set lifted_at = now() where id = $1', [hold])
    expect((await leaks()).length).toBeGreaterThan(0)
  }, 360_000)
})
