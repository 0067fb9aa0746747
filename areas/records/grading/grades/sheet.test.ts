import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { registerOperation, writeOperation } from '#kit/server/unit/operations.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { gradingServer } from '../grading.server.ts'
import { cells, offerCourse, REGISTERED, seed, statusOf, type Fixture, type TestOffering } from '../testing.server.ts'

let uni: TestUniversity
let f: Fixture
let team: Caller
let instructor: Caller
let colleague: Caller

beforeAll(async () => {
  uni = await testUniversity([kitServer, catalogueServer, registrationServer, gradingServer])
  f = await seed(uni.database)
  team = await uni.as('control_team', ['faculty', f.faculty])
  instructor = await uni.as('instructor', undefined, { type: 1 })
  colleague = await uni.as('instructor', undefined, { type: 1 })
  await uni.database.pool.query('update instructors set user_id = $1 where id = $2', [instructor.user_id, f.instructor])
})
afterAll(() => uni.close())

let o: TestOffering
let n = 0
beforeEach(async () => {
  await query('delete from registrations')
  await query('delete from term_stages')
  await query('update offerings set removed_at = now()')
  o = await offerCourse(uni.database, f, { code: `s${++n}` })
})

const query = async (text: string) => (await uni.database.pool.query(text)).rows as Record<string, unknown>[]
const grid = async () => ok(await instructor('GET', `/offerings/offering-students-grades/${o.id}`))
const save = (who: Caller, changes: unknown[]) =>
  who('PUT', '/offerings/offering-students-grades/update', { offering_id: o.id, cells: changes })
const at = (rest: string) => `/offerings/import-student-grades/${o.id}/${rest}`
const preview = async (who: Caller, ...lines: string[]) => {
  const form = new FormData()
  form.set('file', new Blob([lines.join('\n')]), 'marks.csv')
  const encoded = new Response(form)
  const answer = await uni.app.inject({
    method: 'POST',
    url: `/api${at('preview')}`,
    headers: {
      authorization: `Bearer ${who.token}`,
      'content-type': encoded.headers.get('content-type') ?? '',
      'accept-language': 'en',
    },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  return answer.json().data
}
const field = (i: number) => `m${o.scheme[i]}`
const marks = async () =>
  (await grid()).rows.slice(0, 3).map((row: any) => o.scheme.map((id) => row.marks[id]?.mark ?? null))
const undo = (id: number, who = instructor) => who('POST', `/operations/${id}/undo`)

describe('a sheet of marks', () => {
  test('shows the old mark beside the new one, cell by cell, and leaves the same ones alone', async () => {
    ok(await save(instructor, [...cells(o, 0, ['18', '17.5', '50']), ...cells(o, 1, ['10'])]))
    const of = await preview(instructor, 'Student code,YW,MID,FIN', 'S001,18.00,12,', 'S002,10,,', 'S003,A,,')
    expect(of).toMatchObject({ rows: 3, changes: 2, counts: { changed: 2, same: 1, wrong: 0 }, errors: [] })
    expect(of.lines.map((line: any) => [line.row, line.cells.name, line.changes])).toEqual([
      [2, 'Student 1', [{ field: field(1), old: '17.5', new: '12' }]],
      [4, 'Student 3', [{ field: field(0), old: null, new: 'A' }]],
    ])
  })

  test('wrong marks are mended in place, rows left out, then the rest is stored and undone as one', async () => {
    ok(await save(instructor, cells(o, 0, ['18', '17.5', '50'])))
    const before = await grid()
    const of = await preview(instructor, 'Student code,YW,MID,FIN', 'S001,19,1,40', 'S002,25,abc,', 'S999,1,,')
    expect(of.errors.map((e: any) => `${e.row} ${e.column} ${e.code}`)).toEqual([
      '3 YW mark_maximum',
      '3 MID mark_shape',
      '4 Student code sheet_student_unknown',
    ])
    const mended = ok(
      await instructor('POST', at(`${of.import_id}/mend`), {
        cells: [
          { row: 3, field: field(0), text: '٢٠' },
          { row: 3, field: field(1), text: '' },
        ],
        out: [{ row: 4, out: true }],
      }),
    )
    expect(mended).toMatchObject({ counts: { changed: 2, wrong: 0, out: 1 }, changes: 4 })
    // Names are shown, not imported; and the preview is its maker's.
    expect(
      reasons(await instructor('POST', at(`${of.import_id}/mend`), { cells: [{ row: 3, field: 'name', text: 'x' }] })),
    ).toEqual(['unknown_field@cells'])
    expect((await team('POST', at(`${of.import_id}/rows`), {})).body.message).toBe('import_gone')
    const { saved, operation_id } = (await instructor('POST', at(of.import_id))).body
    expect(saved).toBe(4)
    expect(await marks()).toEqual([
      ['19', '1', '40'],
      ['20', null, null],
      [null, null, null],
    ])
    expect((await grid()).rows[0].letter).toBe('D')
    expect(ok(await instructor('POST', '/operations', {}))).toMatchObject([
      { id: operation_id, facts: { about: 'CS101 (s2)', file: 'marks.csv' }, abilities: ['undo'] },
    ])
    expect(ok(await undo(operation_id))).toMatchObject({ changed: 4 - 1, removed: 1, kept_count: 0 })
    const after = await grid()
    expect(after.rows.map((row: any) => [row.total, row.letter])).toEqual(
      before.rows.map((row: any) => [row.total, row.letter]),
    )
    expect(await marks()).toEqual([
      ['18', '17.5', '50'],
      [null, null, null],
      [null, null, null],
    ])
    // Whoever still looks at the imported mark is told that it is another one now.
    expect(after.rows[0].marks[o.scheme[0]!].version).not.toBe(before.rows[0].marks[o.scheme[0]!].version)
    expect((await undo(operation_id)).body.message).toBe('undo_done')
  })

  test('a mark that somebody changed since stays; others may not undo, nor anybody once it is submitted', async () => {
    const of = await preview(instructor, 'Student code,YW,MID', 'S001,19,12', 'S002,5,6')
    const { operation_id } = (await instructor('POST', at(of.import_id))).body
    const row = (await grid()).rows[0]
    ok(
      await save(team, [
        {
          registration_id: row.registration_id,
          offering_mark_id: o.scheme[0],
          mark: '7',
          version: row.marks[o.scheme[0]!].version,
        },
      ]),
    )
    expect((await undo(operation_id, colleague)).status).toBe(403)
    await query(`update offerings set control_status = 'Submitted' where id = ${o.id}`).catch(() => undefined)
    expect((await query(`select control_status from offerings where id = ${o.id}`))[0]!.control_status).toBe(
      'Submitted',
    )
    const refused = await undo(operation_id)
    expect([refused.status, reasons(refused)[0]]).toEqual([409, 'control_status'])
    await query(`update offerings set control_status = 'Draft' where id = ${o.id}`)
    const result = ok(await undo(operation_id))
    expect(result).toMatchObject({ removed: 3, kept_count: 1 })
    expect(result.kept[0]).toMatchObject({
      code: 'S001',
      field: ['Marks', 'الدرجات'],
      problem: { code: 'undo_changed' },
    })
    expect(await marks()).toEqual([
      ['7', null, null],
      [null, null, null],
      [null, null, null],
    ])
  })

  test('a registration that the last mark completed is incomplete again, with a step in its history', async () => {
    await query(`update registrations set status = ${statusOf('Incomplete', 'Fresh')} where id = ${o.registrations[0]}`)
    await query(`update offerings set control_status = 'Draft' where id = ${o.id}`)
    const of = await preview(team, 'Student code,YW,MID,FIN', 'S001,19,12,40')
    const { operation_id } = (await team('POST', at(of.import_id))).body
    expect(await query(`select status::text from registrations where id = ${o.registrations[0]}`)).toEqual([
      { status: statusOf('Complete', 'Fresh') },
    ])
    ok(await undo(operation_id, team))
    expect(await query(`select status::text from registrations where id = ${o.registrations[0]}`)).toEqual([
      { status: statusOf('Incomplete', 'Fresh') },
    ])
    const steps = await query(
      `select action, from_status::text, to_status::text, actor_id from registration_history where registration_id = ${o.registrations[0]} order by id desc limit 1`,
    )
    expect(steps).toEqual([
      {
        action: 'undo',
        from_status: statusOf('Complete', 'Fresh'),
        to_status: statusOf('Incomplete', 'Fresh'),
        actor_id: team.user_id,
      },
    ])
  })
})

test('registrations that an operation made go again with their seats, and their history says so', async () => {
  registerOperation({ kind: 'test/enrol', label: ['Test', 'اختبار'], permission: 'import_grades' })
  const [group] = await query(`insert into offering_groups (offering_id, number) values (${o.id}, 1) returning id`)
  const [slot] = await query(
    `insert into offering_slots (offering_id, term_id, group_id, type, quota) values (${o.id}, ${f.fall}, ${group!.id as number}, 'Lecture', 5) returning id`,
  )
  await query(`delete from registrations where offering_id = ${o.id}`)
  const ctx = asSystem(uni.services, 'test')
  const { operation_id } = await writeOperation(ctx, { kind: 'test/enrol' }, async (tx) => {
    await sql`with made as (insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours)
        select s.id, o.id, o.term_id, o.course_id, ${REGISTERED}::bigint, 3 from students s, offerings o where o.id = ${o.id} returning id)
      insert into registration_slots (registration_id, offering_slot_id) select id, ${slot!.id as number}::int from made limit 5`
      .execute(tx)
      .catch((error: unknown) => {
        throw error
      })
    return { result: null, counts: { created: 6 } }
  })
  expect(await query(`select taken from offering_slots where id = ${slot!.id as number}`)).toEqual([{ taken: 5 }])
  const root = await uni.as('root')
  expect(ok(await undo(operation_id!, root))).toMatchObject({ removed: 6, kept_count: 0 })
  expect(await query(`select taken from offering_slots where id = ${slot!.id as number}`)).toEqual([{ taken: 0 }])
  expect(
    await query(
      `select action, to_status, count(*)::int as n, sum(cardinality(offering_slot_ids))::int as slots from registration_history where offering_id = ${o.id} and action = 'undo' group by 1, 2`,
    ),
  ).toEqual([{ action: 'undo', to_status: null, n: 6, slots: 5 }])
})
