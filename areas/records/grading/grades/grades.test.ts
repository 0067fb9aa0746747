import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { readSheet, writeSheet, type WriteColumn } from '#kit/server/sheets/index.ts'
import {
  dayThere,
  ok,
  reasons,
  testUniversity,
  type Answer,
  type Caller,
  type TestUniversity,
} from '#tests/university.ts'
import { gradingServer } from '../grading.server.ts'
import { cells, into, offerCourse, seed, statusOf, type Fixture, type TestOffering } from '../testing.server.ts'

let uni: TestUniversity
let f: Fixture
let head: Caller
let team: Caller
let instructor: Caller
let stranger: Caller
let assistant: Caller
let registrar: Caller

beforeAll(async () => {
  uni = await testUniversity([catalogueServer, gradingServer])
  f = await seed(uni.database)
  head = await uni.as('control_head')
  team = await uni.as('control_team', ['faculty', f.faculty])
  instructor = await uni.as('instructor', undefined, { type: 1 })
  stranger = await uni.as('instructor', undefined, { type: 1 })
  assistant = await uni.as('teaching_assistant_view', undefined, { type: 1 })
  registrar = await uni.as('registrar')
  await uni.database.pool.query('update instructors set user_id = $1 where id = $2', [instructor.user_id, f.instructor])
  await uni.database.pool.query('update instructors set user_id = $1 where id = $2', [
    stranger.user_id,
    f.otherInstructor,
  ])
})
afterAll(() => uni.close())

let o: TestOffering
let n = 0
beforeEach(async () => {
  await uni.database.pool.query(
    'delete from registrations; delete from term_stages; update offerings set removed_at = now()',
  )
  o = await offerCourse(uni.database, f, { code: `g${++n}` })
})

const grid = async (who: Caller, id = o.id) => ok(await who('GET', `/offerings/offering-students-grades/${id}`))
const save = (who: Caller, changes: unknown[], id = o.id) =>
  who('PUT', '/offerings/offering-students-grades/update', { offering_id: id, cells: changes })
const upload = async (who: Caller, path: string, content: Uint8Array, name = 'marks.xlsx'): Promise<Answer> => {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(content)]), name)
  const encoded = new Response(form)
  const answer = await uni.app.inject({
    method: 'POST',
    url: `/api${path}`,
    headers: { authorization: `Bearer ${who.token}`, 'content-type': encoded.headers.get('content-type') ?? '' },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  return { status: answer.statusCode, body: answer.json(), bytes: answer.rawPayload, headers: answer.headers }
}

describe('the grid', () => {
  test('shows students, scheme and what the reader may do', async () => {
    const data = await grid(instructor)
    expect(data.rows.map((row: any) => row.student.code)).toEqual(['S001', 'S002', 'S003', 'S004', 'S005', 'S006'])
    expect(data.scheme.map((one: any) => [one.code, one.max, one.is_final_exam])).toEqual([
      ['YW', '20.00', false],
      ['MID', '20.00', false],
      ['FIN', '60.00', true],
    ])
    expect(data.editor).toBe('instructor')
    expect(data.abilities).toEqual(['enter', 'import', 'export', 'submit'])
    expect((await grid(team)).editor).toBe('control')
  })

  test('is closed to who does not teach it, and to a faculty of another control', async () => {
    expect((await stranger('GET', `/offerings/offering-students-grades/${o.id}`)).status).toBe(404)
    expect((await save(stranger, cells(o, 0, ['10']))).status).toBe(404)
    const other = await uni.as('control_team', ['faculty', f.otherFaculty])
    expect((await other('GET', `/offerings/offering-students-grades/${o.id}`)).status).toBe(404)
    expect((await save(other, cells(o, 0, ['10']))).status).toBe(404)
    expect((await save(assistant, cells(o, 0, ['10']))).status).toBe(403)
    const student = await uni.signIn(
      (await uni.database.pool.query('select user_id from students where id = $1', [f.students[0]])).rows[0].user_id,
    )
    expect((await student('GET', `/offerings/offering-students-grades/${o.id}`)).status).toBe(403)
    expect((await uni.nobody('GET', `/offerings/offering-students-grades/${o.id}`)).status).toBe(401)
  })

  test('saves marks and grades them in the same step', async () => {
    const answer = await save(instructor, [
      ...cells(o, 0, ['18', '17.5', '50']),
      ...cells(o, 1, ['10', '9.25', '17.99']),
      ...cells(o, 2, ['20', '20', 'A']),
      ...cells(o, 3, ['12']),
    ])
    expect(answer.body.saved).toBe(10)
    expect(answer.body.conflicts).toEqual([])
    expect(
      answer.body.rows.map((row: any) => [row.student.code, row.total, row.letter, row.points, row.passed]),
    ).toEqual([
      ['S001', '86.00', 'A', '4.00', true],
      // 37.24 with a final exam under 30 percent.
      ['S002', '37.00', 'F', '0.00', false],
      ['S003', null, 'Abs', '0.00', false],
      ['S004', null, null, null, null],
    ])
    const marks = (await grid(instructor)).rows[0].marks
    expect(Object.values(marks).map((one: any) => one.mark)).toEqual(['18', '17.5', '50'])
  })

  test('what is answered after saving is what the grid shows: groups, and every mark with its version', async () => {
    const { pool } = uni.database
    // Two slots of the first student, in groups 12 and 3; the second has one in group 12, the others none.
    const slots = new Map<number, number>()
    for (const number of [12, 3]) {
      const { rows } = await pool.query(
        `with g as (insert into offering_groups (offering_id, number) values ($1, $2) returning id)
         insert into offering_slots (offering_id, term_id, group_id, type, quota) select $1, $3, g.id, 'Lecture', 9 from g returning id`,
        [o.id, number, f.fall],
      )
      slots.set(number, rows[0].id)
    }
    for (const [student, number] of [
      [0, 12],
      [0, 3],
      [1, 12],
    ] as const) {
      await pool.query('insert into registration_slots (registration_id, offering_slot_id) values ($1, $2)', [
        o.registrations[student],
        slots.get(number),
      ])
    }
    const first = await save(instructor, [
      ...cells(o, 0, ['18', '17.5', 'A']),
      ...cells(o, 1, ['7']),
      ...cells(o, 2, ['0.05']),
    ])
    expect(first.body.saved).toBe(5)
    let shown = (await grid(instructor)).rows
    expect(first.body.rows).toEqual(shown.slice(0, 3))
    expect(shown.map((row: any) => row.group)).toEqual([3, 12, null, null, null, null])

    const { version } = shown[1].marks[o.scheme[0]!]
    const second = await save(instructor, [...cells(o, 1, ['8.50'], [version]), ...cells(o, 3, ['1'])])
    shown = (await grid(instructor)).rows
    expect(second.body.rows).toEqual([shown[1], shown[3]])
    expect(second.body.rows[0].marks[o.scheme[0]!].mark).toBe('8.5')
  })

  test('says of every cell what is wrong, and stores none', async () => {
    const foreign = await offerCourse(uni.database, f, { code: `x${n}`, course: 1 })
    const answer = await save(instructor, [
      ...cells(o, 0, ['20.01', '-1', '12.345']),
      ...cells(o, 1, ['abc']),
      ...cells(o, 2, ['١٢٫٥', 'a', '60']),
      ...cells(o, 2, ['5']),
      { registration_id: foreign.registrations[0], offering_mark_id: o.scheme[0], mark: '1', version: null },
      { registration_id: o.registrations[4], offering_mark_id: foreign.scheme[0], mark: '1', version: null },
    ])
    expect(answer.status).toBe(422)
    expect(reasons(answer)).toEqual([
      'mark_maximum@cells.0.mark',
      'mark_maximum@cells.1.mark',
      'mark_not_in_scheme@cells.9.mark',
      'mark_shape@cells.2.mark',
      'mark_shape@cells.3.mark',
      'mark_twice@cells.7.mark',
      'registration_not_in_offering@cells.8.mark',
    ])
    expect((await uni.database.pool.query('select count(*)::int as n from registration_marks')).rows[0].n).toBe(0)
  })

  test('two editors: what the other changed is answered, the rest is saved, nothing is lost', async () => {
    ok(await save(instructor, cells(o, 0, ['10', '11'])))
    const seen = (await grid(instructor)).rows[0].marks
    const [v1, v2] = o.scheme.map((id) => seen[id]?.version)
    ok(await save(team, cells(o, 0, ['15'], [v1])))
    const answer = await save(instructor, cells(o, 0, ['12', '13', '40'], [v1, v2]))
    expect(answer.body.saved).toBe(2)
    expect(answer.body.conflicts).toMatchObject([
      { offering_mark_id: o.scheme[0], yours: '12', theirs: '15', by: { name: 'control_team 2' } },
    ])
    expect(answer.body.rows[0]).toMatchObject({ total: '68.00', letter: 'C' })
    // With the version now seen it is saved.
    expect((await save(instructor, cells(o, 0, ['12'], [answer.body.conflicts[0].version]))).body.saved).toBe(1)
  })

  test('a mark taken away and entered again is another mark', async () => {
    ok(await save(instructor, cells(o, 0, ['10'])))
    const before = (await grid(team)).rows[0].marks[o.scheme[0]].version
    ok(await save(instructor, cells(o, 0, [null], [before])))
    expect((await grid(team)).rows[0].marks).toEqual({})
    ok(await save(instructor, cells(o, 0, ['11'])))
    expect((await save(team, cells(o, 0, ['12'], [before]))).body.conflicts).toMatchObject([
      { theirs: '11', yours: '12' },
    ])
    // Both typed the same: no conflict.
    expect((await save(team, cells(o, 0, ['11.00'], [before]))).body).toMatchObject({ saved: 0, conflicts: [] })
  })

  test('two editors at the same moment: every cell has one of the two marks, and the loser hears of it', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4].map((i) =>
        save(
          i % 2 ? instructor : team,
          f.students.flatMap((_, k) => cells(o, k, [`${i}`])),
        ),
      ),
    )
    expect(answers.map((one) => one.status)).toEqual([200, 200, 200, 200])
    expect(answers.reduce((sum, one) => sum + one.body.saved, 0)).toBe(6)
    expect(answers.reduce((sum, one) => sum + one.body.conflicts.length, 0)).toBe(18)
  })

  test('who waited for the other editor computes the result from the marks that stand then', async () => {
    ok(await save(instructor, cells(o, 0, ['1'])))
    const { version } = (await grid(team)).rows[0].marks[o.scheme[0]]
    const other = await uni.database.pool.connect()
    try {
      await other.query('begin')
      await other.query('select from offerings where id = $1 for no key update', [o.id])
      // Reads the marks, and waits for the lock that the other holds.
      const answer = save(team, cells(o, 0, ['20'], [version]))
      await expect
        .poll(async () =>
          uni.database.pool
            .query(
              `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
            )
            .then((found) => found.rows[0].n),
        )
        .toBe(1)
      await other.query(
        'insert into registration_marks (registration_id, offering_mark_id, mark) values ($1, $2, 20), ($1, $3, 50)',
        [o.registrations[0], o.scheme[1], o.scheme[2]],
      )
      await other.query('commit')
      expect((await answer).body).toMatchObject({ saved: 1, conflicts: [], rows: [{ total: '90.00', letter: 'A' }] })
    } finally {
      other.release()
    }
    const { rows } = await uni.database.pool.query('select total, letter from registrations where id = $1', [
      o.registrations[0],
    ])
    expect(rows).toEqual([{ total: '90.00', letter: 'A' }])
  })

  test('states without marks are read only, and audited marks stand in the trail', async () => {
    await uni.database.pool.query('update registrations set status = $1 where id = $2', [
      statusOf('Withdrawn', 'Fresh'),
      o.registrations[0],
    ])
    const refused = await save(instructor, cells(o, 0, ['10']))
    expect(refused.body.errors).toMatchObject([
      { code: 'registration_no_marks', en: 'No marks can be entered in the state Withdrawn' },
    ])
    ok(await save(instructor, cells(o, 1, ['10'])))
    const { rows } = await uni.database.pool.query(
      `select actor_id, new ->> 'mark' as mark from audit_log where table_name = 'registration_marks' and record_id = $1`,
      [o.registrations[1]],
    )
    expect(rows).toEqual([{ actor_id: instructor.user_id, mark: expect.stringMatching(/^10/) }])
  })

  test('the window of mark entry binds instructors, not control', async () => {
    const stage = async (starts_at: string, ends_at: string) =>
      into(uni.database, 'term_stages', [
        {
          term_id: f.fall,
          stage_code_id: (await uni.database.pool.query(`select id from stage_codes where code = 'grade_entry'`))
            .rows[0].id,
          starts_at,
          ends_at,
        },
      ])
    await stage('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z')
    const refused = await save(instructor, cells(o, 0, ['10']))
    expect([refused.status, refused.body.message]).toEqual([409, 'grade_entry_closed'])
    expect(await grid(instructor)).toMatchObject({ editor: null, window: { open: false } })
    ok(await save(team, cells(o, 0, ['10'])))
    await stage('2026-02-01T00:00:00Z', '2036-01-01T00:00:00Z')
    ok(await save(instructor, cells(o, 0, ['11'], [(await grid(team)).rows[0].marks[o.scheme[0]].version])))
  })
})

describe('the scheme', () => {
  const set = (who: Caller, body: unknown, id = o.id) => who('PUT', `/offerings/mark-scheme/${id}`, body)
  const items = (...max: string[]) =>
    [f.categories.yw, f.categories.mid, f.categories.fin]
      .slice(0, max.length)
      .map((mark_category_id, i) => ({ mark_category_id, max: max[i] }))

  test('sums to exactly 100 with one final exam, all reasons at once', async () => {
    const answer = await set(registrar, { items: items('20', '20.5') })
    expect(reasons(answer)).toEqual(['scheme_final_exam@items', 'scheme_total@items'])
    expect(reasons(await set(registrar, {}))).toEqual(['scheme_choice@mark_id'])
    expect(reasons(await set(registrar, { items: items('30', '20', '49.99') }))).toEqual(['scheme_total@items'])
    expect(ok(await set(registrar, { items: items('30', '20', '50') })).scheme.map((one: any) => one.max)).toEqual([
      '30.00',
      '20.00',
      '50.00',
    ])
    expect(ok(await set(registrar, { mark_id: f.mark })).scheme.map((one: any) => one.max)).toEqual([
      '20.00',
      '20.00',
      '60.00',
    ])
  })

  test('stays once a mark is entered, and is not the instructor’s to change', async () => {
    expect((await set(instructor, { mark_id: f.mark })).status).toBe(403)
    ok(await save(instructor, cells(o, 0, ['10'])))
    const answer = await set(registrar, { items: items('30', '20', '50') })
    expect([answer.status, answer.body.message, answer.body.errors[0].data.count]).toEqual([409, 'marks_entered', 1])
  })

  test('is set on an offering that is there, in draft, as it was read, and from one that is there', async () => {
    const { pool } = uni.database
    const [{ version }] = (await pool.query('select version from offerings where id = $1', [o.id])).rows
    const refused = async (body: object) => {
      const answer = await set(registrar, body)
      return [answer.status, ...reasons(answer)]
    }
    expect(await refused({ mark_id: f.mark, version: version + 1 })).toEqual([409, 'changed_meanwhile'])
    expect(await refused({ mark_id: 99_999_999 })).toEqual([422, 'reference_missing@mark_id'])
    await pool.query(`update offerings set control_status = 'Submitted' where id = $1`, [o.id])
    expect(await refused({ items: items('30', '20', '50') })).toEqual([409, 'control_status'])
    await pool.query(`update offerings set control_status = 'Draft', removed_at = now() where id = $1`, [o.id])
    expect(await refused({ items: items('30', '20', '50') })).toEqual([409, 'removed_record'])
    const { rows } = await pool.query('select max::text from offering_marks where offering_id = $1 order by position', [
      o.id,
    ])
    expect(rows.map((one) => one.max)).toEqual(['20.00', '20.00', '60.00'])
    // Nor are there marks without an offering, or without a scheme.
    const saved = await save(instructor, cells(o, 0, ['10']))
    expect([saved.status, reasons(saved)]).toEqual([409, ['removed_record']])
    await pool.query('update offerings set removed_at = null where id = $1', [o.id])
    await pool.query('delete from offering_marks where offering_id = $1', [o.id])
    expect((await grid(instructor)).scheme_problems.map((one: any) => one.code)).toEqual(['scheme_missing'])
    const none = await save(instructor, cells(o, 0, ['10']))
    expect([none.status, reasons(none)]).toEqual([409, ['scheme_missing']])
    expect((await pool.query('select from registration_marks')).rowCount).toBe(0)
  })

  test('marks wait for a sound scheme', async () => {
    await uni.database.pool.query('delete from offering_marks where id = $1', [o.scheme[2]])
    expect(reasons(await save(instructor, cells(o, 0, ['10'])))).toEqual(['scheme_final_exam', 'scheme_total'])
    expect((await grid(instructor)).editor).toBeNull()
  })
})

describe('sheets', () => {
  const file = (
    rows: Record<string, string | number | null>[],
    headers = ['Student code', 'Name', 'YW', 'MID (20)', 'الامتحان النهائي'],
  ) =>
    writeSheet({
      sheets: [
        {
          name: 'x',
          direction: 'ltr',
          columns: headers.map((header): WriteColumn => ({ header, key: header, type: 'text' })),
          rows,
        },
      ],
    })

  test('out: a template, and marks with results, named as the documents say', async () => {
    ok(await save(instructor, cells(o, 0, ['18', '17.5', '50'])))
    const answer = await instructor('GET', `/offerings/export-student-grades/${o.id}/marks`)
    expect(decodeURIComponent(String(answer.headers['content-disposition']))).toContain(
      `CS101 2025-1 ${o.id} Grades ${dayThere()}.xlsx`,
    )
    const { sheets } = await readSheet(answer.bytes)
    expect(sheets[0]!.rows[1]!.map((one) => one.text)).toEqual([
      'S001',
      'طالب 1',
      '',
      '',
      '18',
      '17.5',
      '50',
      '86',
      'A',
    ])
    const template = await instructor('GET', `/offerings/export-student-grades/${o.id}/template`)
    expect((await readSheet(template.bytes)).sheets[0]!.rows[1]!.map((one) => one.text).filter(Boolean)).toEqual([
      'S001',
      'طالب 1',
    ])
    // What goes out comes in again, without a change.
    expect(
      (await upload(instructor, `/offerings/import-student-grades/${o.id}/preview`, answer.bytes)).body.data,
    ).toMatchObject({ rows: 6, changes: 0, errors: [] })
  })

  test('in: a preview names every wrong cell and stores nothing', async () => {
    const sheet = await file([
      { 'Student code': 'S001', Name: 'x', YW: '18', 'MID (20)': '25', الامتحان_النهائي: '' },
      { 'Student code': 'S999', YW: '1' },
      { 'Student code': 'S002', YW: 'abc', 'MID (20)': '١٥', 'الامتحان النهائي': 'غ' },
      { 'Student code': 'S002', YW: '3' },
      { 'Student code': '', YW: '3' },
    ])
    const answer = await upload(instructor, `/offerings/import-student-grades/${o.id}/preview`, sheet)
    expect(answer.body.data.errors.map((one: any) => `${one.row} ${one.column} ${one.code}`)).toEqual([
      '2 MID (20) mark_maximum',
      '3 Student code sheet_student_unknown',
      '4 YW mark_shape',
      '5 Student code sheet_student_twice',
      '6 Student code sheet_code_missing',
    ])
    expect(
      (await instructor('POST', `/offerings/import-student-grades/${o.id}/${answer.body.data.import_id}`)).body.message,
    ).toBe('import_has_errors')
    const direct = await upload(instructor, `/offerings/import-student-grades/${o.id}/save`, sheet)
    expect([direct.status, direct.body.errors.length, direct.body.errors[0].field]).toEqual([422, 5, 'rows.2.MID (20)'])
    expect((await uni.database.pool.query('select count(*)::int as n from registration_marks')).rows[0].n).toBe(0)
  })

  test('in: a sound sheet is stored as one, once, and only by who checked it', async () => {
    const sheet = await file([
      { 'Student code': 'S001', YW: '18', 'MID (20)': '17.5', 'الامتحان النهائي': '50' },
      { 'Student code': 's002', YW: '١٠', 'MID (20)': '10', 'الامتحان النهائي': 'A' },
    ])
    const { data } = (await upload(instructor, `/offerings/import-student-grades/${o.id}/preview`, sheet)).body
    expect(data).toMatchObject({ rows: 2, changes: 6, errors: [] })
    expect((await team('POST', `/offerings/import-student-grades/${o.id}/${data.import_id}`)).body.message).toBe(
      'import_gone',
    )
    expect((await instructor('POST', `/offerings/import-student-grades/${o.id}/${data.import_id}`)).body).toMatchObject(
      { saved: 6 },
    )
    expect((await instructor('POST', `/offerings/import-student-grades/${o.id}/${data.import_id}`)).body.message).toBe(
      'import_gone',
    )
    expect((await grid(instructor)).rows.slice(0, 2).map((row: any) => row.letter)).toEqual(['A', 'Abs'])
  })

  test('in: a mark changed after the check stops the whole sheet', async () => {
    const sheet = await file([
      { 'Student code': 'S001', YW: '18' },
      { 'Student code': 'S002', YW: '19' },
    ])
    const { data } = (await upload(instructor, `/offerings/import-student-grades/${o.id}/preview`, sheet)).body
    ok(await save(team, cells(o, 1, ['5'])))
    const answer = await instructor('POST', `/offerings/import-student-grades/${o.id}/${data.import_id}`)
    expect(reasons(answer)).toEqual(['sheet_changed_meanwhile@rows.3.YW'])
    expect((await grid(instructor)).rows[0].marks).toEqual({})
  })

  test('unknown columns, columns twice, no code, formulas and hostile files', async () => {
    const bad = await file([{ YW: '1' }], ['Bonus', 'YW', 'YW (20)'])
    expect(
      (await upload(instructor, `/offerings/import-student-grades/${o.id}/preview`, bad)).body.data.errors.map(
        (one: any) => one.code,
      ),
    ).toEqual(['sheet_column_unknown', 'sheet_column_twice', 'sheet_column_missing'])
    const formula = Buffer.from('Student code,YW\nS001,=1+1\n')
    expect(
      (await upload(instructor, `/offerings/import-student-grades/${o.id}/preview`, formula, 'x.csv')).body.data.errors,
    ).toMatchObject([{ row: 2, column: 'YW', code: 'mark_shape' }])
    // A formula that failed, or was never run, has no mark to give; its program's result would count.
    const sheet = await file([
      { 'Student code': 'S001', YW: 'failed' },
      { 'Student code': 'S002', YW: '7' },
    ])
    const parts = unzipSync(sheet)
    const name = Object.keys(parts).find((one) => /worksheets\/sheet1\.xml$/.test(one))!
    const cell = (at: string, inside: string) => [new RegExp(`<c r="${at}"[^>]*>.*?</c>`), inside] as const
    let xml = strFromU8(parts[name]!)
    for (const [from, to] of [
      cell('C2', '<c r="C2" t="e"><f>1/0</f><v>#DIV/0!</v></c>'),
      cell('C3', '<c r="C3"><f>3+4</f><v>7</v></c>'),
    ]) {
      expect(xml).toMatch(from)
      xml = xml.replace(from, to)
    }
    const failed = zipSync({ ...parts, [name]: strToU8(xml) })
    expect(
      (await upload(instructor, `/offerings/import-student-grades/${o.id}/preview`, failed)).body.data,
    ).toMatchObject({ changes: 1, errors: [{ row: 2, column: 'YW', code: 'sheet_formula_failed' }] })
    expect(
      (
        await upload(
          instructor,
          `/offerings/import-student-grades/${o.id}/preview`,
          Buffer.from('<html><script>alert(1)</script></html>'),
        )
      ).status,
    ).toBe(422)
    expect(
      (
        await upload(
          instructor,
          `/offerings/import-student-grades/${o.id}/preview`,
          Buffer.from('PK\u0003\u0004 broken'),
        )
      ).status,
    ).toBe(422)
    expect((await instructor('POST', `/offerings/import-student-grades/${o.id}/preview`)).body.message).toBe(
      'invalid_input',
    )
    expect((await upload(stranger, `/offerings/import-student-grades/${o.id}/preview`, formula, 'x.csv')).status).toBe(
      404,
    )
  })
})

test('a paper of the marks in both languages', async () => {
  ok(await save(instructor, cells(o, 0, ['18', '17.5', '50'])))
  for (const lang of ['ar', 'en']) {
    const answer = await head('GET', `/control/offerings/students-grades-pdf/${o.id}/${lang}`)
    expect(answer.status).toBe(200)
    expect(answer.bytes.subarray(0, 5).toString()).toBe('%PDF-')
    expect(String(answer.headers['content-disposition'])).toContain('filename="offeringStudentGrades.pdf"')
  }
})
