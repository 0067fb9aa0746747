import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { againstCourse, excusedBy, type PlacementBand } from '#areas/common/academics/placement.rules.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { AREA_SERVERS } from '../../../apps/server/areas.server.ts'
import { checkBands } from './tests/bands.rules.ts'

describe('rules', () => {
  it('bands tile the scores: every hole, overlap and wrong end is told', () => {
    const band = (name: string, from: number, to: number) => ({ name, from, to })
    expect(checkBands([band('A', 0, 50), band('B', 50, 100)], 100, 'levels')).toEqual([])
    const codes = (bands: Parameters<typeof checkBands>[0]) =>
      checkBands(bands, 100, 'levels').map((one) => `${one.code}@${one.field}`)
    expect(codes([band('A', 10, 50), band('B', 40, 90)])).toEqual([
      'placement_band_begins@levels.0.from_score',
      'placement_band_begins@levels.1.from_score',
      'placement_band_ends@levels.1.to_score',
    ])
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 6 }), (cuts) => {
        const edges = [0, ...cuts.toSorted((a, b) => a - b), 100]
        expect(
          checkBands(
            edges.slice(1).map((to, i) => band('x', edges[i]!, to)),
            100,
            'levels',
          ),
        ).toEqual([])
      }),
    )
  })

  it('a placement excuses from what lies below, and opens what lies above one level after the other', () => {
    const placed = (level: number | null): PlacementBand => ({
      test: 'T',
      test_local: 'T',
      level,
      level_name: '',
      level_name_local: '',
      courses: [1, 2, 3].map((n) => ({ course_id: n, level: n })),
    })
    const against = (level: number | null, course: number, passed: number[] = []) =>
      againstCourse(
        placed(level),
        (id) => id === course,
        (id) => passed.includes(id),
      )
    expect([1, 2, 3, 4].map((course) => against(2, course))).toEqual([
      'placement_excused',
      null,
      'placement_above',
      null,
    ])
    expect(against(2, 3, [2])).toBeNull()
    expect(against(1, 3, [1])).toBe('placement_above')
    expect(against(null, 1)).toBe('placement_due')
    expect(excusedBy([placed(3), placed(null)])).toEqual([1, 2])
  })
})

describe('on the demo university', () => {
  let u: TestUniversity
  let registrar: Caller
  const q = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await u.database.pool.query(text, values)).rows as Row[]
  beforeAll(async () => {
    u = await testUniversity(AREA_SERVERS, { database: await demoDatabase() })
    registrar = await u.as('registrar')
  }, 540_000)
  afterAll(() => u?.close())

  const test = {
    code: 'PT9',
    name: 'Test nine',
    name_local: 'اختبار تسعة',
    max_score: '50',
    levels: [
      { name: 'Low', name_local: 'أدنى', from_score: '0', to_score: '25' },
      { name: 'High', name_local: 'أعلى', from_score: '25', to_score: '50' },
    ],
  }
  /** A student with no registration now, and an open offering of the current term that the student may register. */
  const someone = async () => {
    const [row] = await q<{ id: number; user_id: number; offering_id: number; course_id: number; term_id: number }>(
      `select s.id, s.user_id, o.id as offering_id, o.course_id, o.term_id
       from students s join shown_standing h on h.student_id = s.id
         join program_courses p on p.program_id = s.program_id join offerings o on o.course_id = p.course_id and o.is_open
           and o.term_id = (select term_id from current_terms where key = 'current_term')
         join courses c on c.id = o.course_id and c.prerequisites is null and c.min_passed_hours = 0
       where s.status = 'studying' and s.user_id is not null and not exists (select from registrations r where r.student_id = s.id and r.term_id = o.term_id)
         and not exists (select from registrations r where r.student_id = s.id and r.course_id = o.course_id)
         and not exists (select from placement_courses x where x.course_id = o.course_id)
       order by s.id limit 1`,
    )
    return row!
  }
  const codesOf = async (who: Caller, offering: number): Promise<string[]> => {
    const answer = await who('PUT', '/registrations/students/request-offering', {
      offerings: [{ offering_id: offering }],
    })
    return (answer.body?.errors ?? []).map((one: any) => one.code)
  }

  it('is added with bands that tile, by the documents’ own paths, and refused with every reason', async () => {
    const wrong = await registrar('POST', '/placement_test/edit', {
      ...test,
      levels: [{ ...test.levels[0]!, from_score: '5' }],
      courses: [{ course_id: 1, level: 3 }],
    })
    expect([wrong.status, reasons(wrong)]).toEqual([
      422,
      [
        'placement_band_begins@levels.0.from_score',
        'placement_band_ends@levels.0.to_score',
        'placement_level_unknown@courses.0.level',
      ],
    ])
    // A bylaw is of the faculty, a program of the bylaw.
    const [of] = await q<{ faculty_id: number; bylaw_id: number; program_id: number }>(
      'select faculty_id, bylaw_id, id as program_id from programs where removed_at is null order by id limit 1',
    )
    const [other] = await q<{ id: number }>('select id from faculties where id <> $1 limit 1', [of!.faculty_id])
    const within = (part: object) => registrar('POST', '/placement_test/edit', { ...test, ...of, ...part })
    expect(reasons(await within({ faculty_id: other!.id }))).toEqual([
      'placement_other_part@bylaw_id',
      'placement_other_part@program_id',
    ])
    const made = ok(await registrar('POST', '/placement_test/edit', test))
    expect(ok(await registrar('GET', `/placement_test/item/${made.id}`)).levels).toHaveLength(2)
    expect(ok(await registrar('GET', '/placement_test/list')).map((one: any) => one.code)).toContain('PT9')
    expect(ok(await registrar('GET', '/placement_test/lookups')).models).toHaveLength(5)
    ok(await registrar('DELETE', `/placement_test/delete/${made.id}`))
  })

  it('reaches registration: due stops, a low level stops what lies above, excused counts as passed', async () => {
    const student = await someone()
    const own = await u.signIn(student.user_id)
    const [other] = await q<{ id: number }>(
      `select c.id from courses c where c.id <> $1 and not exists (select from registrations r where r.student_id = $2 and r.course_id = c.id)
         and not exists (select from course_equals e where e.course_id = c.id) order by c.id limit 1`,
      [student.course_id, student.id],
    )
    const made = ok(
      await registrar('POST', '/placement_test/edit', {
        ...test,
        code: 'PT8',
        name: 'Test eight',
        name_local: 'اختبار ثمانية',
        is_required: true,
        courses: [
          { course_id: other!.id, level: 1 },
          { course_id: student.course_id, level: 2 },
        ],
      }),
    )
    const enter = (more: object) =>
      registrar('POST', `/placement_test/update_placement_tests/test/${made.id}`, {
        results: [{ id: student.id, ...more }],
      })
    expect(await codesOf(own, student.offering_id)).not.toContain('placement_due')
    ok(await enter({}))
    expect(await codesOf(own, student.offering_id)).toContain('placement_due')
    ok(await enter({ score: '10' }))
    const above = await own('PUT', '/registrations/students/request-offering', {
      offerings: [{ offering_id: student.offering_id }],
    })
    const told = above.body.errors.find((one: any) => one.code === 'placement_above')
    expect(told.en).toContain('Low')
    // A course that asks for the lower one.
    await q('update courses set prerequisites = $2 where id = $1', [
      student.course_id,
      JSON.stringify({ course: other!.id, min_grade: 'A' }),
    ])
    expect(await codesOf(own, student.offering_id)).toContain('prerequisites')
    ok(await enter({ score: '25' }))
    const open = await codesOf(own, student.offering_id)
    expect(open.filter((code) => code.startsWith('placement') || code === 'prerequisites')).toEqual([])
    await q('update courses set prerequisites = null where id = $1', [student.course_id])

    // A lower score after registering: the registration stays, and is told.
    await q(
      `insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours)
       select $1, o.id, o.term_id, o.course_id, 262144, c.credit_hours from offerings o join courses c on c.id = o.course_id where o.id = $2
       on conflict do nothing`,
      [student.id, student.offering_id],
    )
    const changed = await enter({ score: '3' })
    expect(changed.status).toBe(200)
    expect(changed.body.touched).toMatchObject([{ course: { id: student.course_id }, code: 'placement_above' }])
    expect(changed.body.data).toMatchObject([{ state: 'scored', level: 1, above: [{ id: student.course_id }] }])

    // The student sees the own, and nobody else's.
    expect(
      ok(await own('GET', `/placement_test/placement_tests/student/${student.id}`)).find(
        (one: any) => one.test.id === made.id,
      ),
    ).toMatchObject({
      level: 1,
    })
    expect((await own('GET', `/placement_test/placement_tests/student/${student.id + 1}`)).status).toBe(404)
    expect((await own('GET', `/placement_test/placement_tests/test/${made.id}`)).status).toBe(404)
    // Who sees all students, and placements of another faculty alone, opens the record and sees none there.
    const both = await u.as('control_head')
    await q(
      `insert into role_assignments (user_id, role_id, scope_type, scope_id) select $1, r.id, 'faculty', f.id from roles r, faculties f
       where r.key = 'faculty_registrar' and f.id <> (select faculty_id from students where id = $2) order by f.id limit 1`,
      [both.user_id, student.id],
    )
    u.auth.forget()
    expect(ok(await both('GET', `/placement_test/placement_tests/student/${student.id}`))).toEqual([])

    // Levels follow the bands.
    const now = ok(await registrar('GET', `/placement_test/item/${made.id}`))
    ok(
      await registrar('POST', `/placement_test/edit/${made.id}`, {
        levels: [
          { ...now.levels[0], to_score: '2' },
          { ...now.levels[1], from_score: '2' },
        ],
      }),
    )
    expect(
      await q('select level from placement_results where student_id = $1 and placement_test_id = $2', [
        student.id,
        made.id,
      ]),
    ).toEqual([{ level: 2 }])
  })

  it('results are all stored or none, each wrong one named; of two officers one is told that it changed', async () => {
    const [a, b] = await q<{ id: number }>(
      `select id from students where status = 'studying' and not exists (select from placement_results r where r.student_id = students.id) order by id limit 2`,
    )
    const path = '/placement_test/update_placement_tests/test/1'
    const wrong = await registrar('POST', path, {
      results: [
        { id: a!.id, score: '64' },
        { id: b!.id, score: '101' },
        { id: 999_999, score: '10' },
      ],
    })
    expect([wrong.status, reasons(wrong)]).toEqual([
      422,
      ['placement_score_too_high@results.1.score', 'reference_missing@results.2.id'],
    ])
    expect(await q('select from placement_results where student_id = any($1)', [[a!.id, b!.id]])).toEqual([])
    const nowhere = await registrar('POST', '/placement_test/update_placement_tests/test/999999', {
      results: [{ id: a!.id }],
    })
    expect([nowhere.status, nowhere.body.message]).toEqual([404, 'not_found'])
    // The ids that are read are those by which it was written, of a test and of a student alike.
    expect(ok(await registrar('POST', path, { results: [{ id: a!.id }] })).map((one: any) => one.id)).toEqual([a!.id])
    const own = ok(await registrar('GET', `/placement_test/placement_tests/student/${a!.id}`))
    expect(own.map((one: any) => [one.id, one.id === one.test.id])).toContainEqual([1, true])
    const [row] = await q<{ version: number }>('select version from placement_results where student_id = $1', [a!.id])
    const two = await Promise.all(
      ['70', '80'].map((score) => registrar('POST', path, { results: [{ id: a!.id, score, version: row!.version }] })),
    )
    expect(two.map((one) => one.status).toSorted()).toEqual([200, 409])
    const exempt = await registrar('POST', path, { results: [{ id: a!.id, score: '5', is_exempt: true }] })
    expect([exempt.status, reasons(exempt)]).toEqual([422, ['placement_result_exempt@results.0.score']])
    // A test of another faculty is nothing for the student, by neither door.
    const [of] = await q<{ faculty_id: number | null; bylaw_id: number | null; program_id: number | null }>(
      'select faculty_id, bylaw_id, program_id from placement_tests where id = 1',
    )
    const part = (values: unknown[]) =>
      q('update placement_tests set faculty_id = $1, bylaw_id = $2, program_id = $3 where id = 1', values)
    await q(`delete from placement_results where student_id = any($1)`, [[a!.id, b!.id]])
    const [other] = await q<{ id: number }>(
      'select id from faculties where id <> (select faculty_id from students where id = $1) limit 1',
      [b!.id],
    )
    await part([other!.id, null, null])
    const strange = await registrar('POST', path, { results: [{ id: b!.id, score: '10' }] })
    expect([strange.status, reasons(strange).map((one) => one.split('@')[0])]).toEqual([
      422,
      ['placement_not_taken_by'],
    ])
    await part([of!.faculty_id, of!.bylaw_id, of!.program_id])
  })

  /** Sends a sheet. */
  async function bring(path: string, text: string): Promise<any> {
    const form = new FormData()
    form.set('file', new Blob([text]), 'results.csv')
    const sent = new Response(form)
    const answer = await u.app.inject({
      method: 'POST',
      url: `/api${path}`,
      headers: { authorization: `Bearer ${registrar.token}`, 'content-type': sent.headers.get('content-type')! },
      payload: Buffer.from(await sent.arrayBuffer()),
    })
    expect([answer.statusCode, answer.body.slice(0, 200)]).toMatchObject([200, expect.anything()])
    return answer.json().data
  }

  it('come by sheet wholly or not at all, every wrong cell told by row and column', async () => {
    const [a, b] = await q<{ id: number; code: string }>(
      `select id, code from students where status = 'studying' and not exists (select from placement_results r where r.student_id = students.id) order by id desc limit 2`,
    )
    const sheet = (text: string) => bring('/placement_test/import/1', text)
    const wrong = await sheet(`Code,Score\n${a!.code},61\nNOBODY,12\n${b!.code},many\n${a!.code},3\n`)
    expect([wrong.stored, wrong.errors.map((one: any) => [one.row, one.column, one.code])]).toEqual([
      0,
      [
        [3, 'Code', 'placement_student_unknown'],
        [4, 'Score', 'placement_score_wrong'],
        [5, 'Code', 'placement_student_twice'],
      ],
    ])
    const high = await sheet(`Code,Score\n${a!.code},61\n${b!.code},500\n`)
    expect([high.stored, high.errors.map((one: any) => [one.row, one.column, one.code])]).toEqual([
      0,
      [[3, 'Score', 'placement_score_too_high']],
    ])
    const both = await sheet(`Code,Score,Exempt,Taken on\n${a!.code},61,yes,\n${b!.code},50,,soon\n`)
    expect([both.stored, both.errors.map((one: any) => [one.row, one.code])]).toEqual([
      0,
      [
        [2, 'placement_result_exempt'],
        [3, 'date_not_valid'],
      ],
    ])
    expect(await q('select from placement_results where student_id = $1', [a!.id])).toEqual([])
    // A test of another faculty is nothing for these students.
    const [of] = await q<{ faculty_id: number | null }>('select faculty_id from placement_tests where id = 1')
    await q(
      `update placement_tests set faculty_id = (select min(id) from faculties
         where id <> all (select faculty_id from students where id = any($1))) where id = 1`,
      [[a!.id, b!.id]],
    )
    const strange = await sheet(`Code,Score\n${a!.code},61\n`)
    await q('update placement_tests set faculty_id = $1 where id = 1', [of!.faculty_id])
    expect([strange.stored, strange.errors.map((one: any) => [one.row, one.column, one.code])]).toEqual([
      0,
      [[2, 'Code', 'placement_not_taken_by']],
    ])
    expect((await sheet(`الكود,الدرجة\n${a!.code},٦١\n${b!.code},\n`)).stored).toBe(2)
    expect(
      await q('select state, level from placement_results where student_id = any($1) order by level', [[a!.id, b!.id]]),
    ).toEqual([
      { state: 'scored', level: 2 },
      { state: 'due', level: null },
    ])
  })

  it('by sheet are shown beside those that stand there, unknown codes mended in place, stored as one and taken back', async () => {
    const [a, b] = await q<{ id: number; code: string }>(
      `select id, code from students where status = 'studying' and not exists (select from placement_results r where r.student_id = students.id) order by id desc limit 2`,
    )
    ok(
      await registrar('POST', '/placement_test/update_placement_tests/test/1', {
        results: [{ id: a!.id, score: '40' }],
      }),
    )
    const path = '/placement_test/import/1'
    const text = `Code,Score,Exempt\n${a!.code},61,\nNOBODY,12,\n${b!.code},,yes\n`
    const preview = await bring(`${path}/preview`, text)
    expect(preview.counts).toMatchObject({ created: 1, changed: 1, wrong: 1 })
    expect(preview.errors.map((one: any) => [one.row, one.column, one.code])).toEqual([
      [3, 'Code', 'placement_student_unknown'],
    ])
    expect(preview.lines.find((one: any) => one.row === 2).changes).toEqual([{ field: 'score', old: '40', new: '61' }])
    const save = (id = preview.import_id) => registrar('POST', `${path}/save/${id}`)
    expect(reasons(await save())).toEqual(['import_has_errors'])
    // The same person twice, then left out.
    const mend = (body: object) => registrar('POST', `${path}/mend/${preview.import_id}`, body)
    const twice = ok(await mend({ cells: [{ row: 3, field: 'code', text: a!.code }] }))
    expect(twice.errors.map((one: any) => [one.row, one.code])).toEqual([[3, 'placement_student_twice']])
    expect(ok(await mend({ out: [{ row: 3, out: true }] })).errors).toEqual([])
    // Somebody else's preview is not there, nor is that of another test.
    const commerce = await u.as('faculty_registrar', ['faculty', 2])
    expect(reasons(await commerce('POST', `${path}/save/${preview.import_id}`))).toEqual(['import_gone'])
    expect(reasons(await registrar('POST', `/placement_test/import/2/save/${preview.import_id}`))).toEqual([
      'import_gone',
    ])
    const saved = ok(await save())
    expect(saved).toMatchObject({ stored: 2, operation_id: expect.any(Number) })
    expect(reasons(await save())).toEqual(['import_gone'])
    const stand = () =>
      q(
        'select state, trim_scale(score)::text as score from placement_results where student_id = any($1) and removed_at is null order by 1',
        [[a!.id, b!.id]],
      )
    expect(await stand()).toEqual([
      { state: 'exempt', score: null },
      { state: 'scored', score: '61' },
    ])
    ok(await registrar('POST', `/operations/${saved.operation_id}/undo`))
    expect(await stand()).toEqual([{ state: 'scored', score: '40' }])
    // What somebody changed between preview and save stops it.
    const stale = await bring(`${path}/preview`, `Code,Score\n${a!.code},62\n`)
    ok(
      await registrar('POST', '/placement_test/update_placement_tests/test/1', {
        results: [{ id: a!.id, score: '41' }],
      }),
    )
    expect(reasons(await save(stale.import_id))).toEqual(['changed_meanwhile'])
    expect(await stand()).toEqual([{ state: 'scored', score: '41' }])
  })

  it('puts all who have to take a test on its list, once, and only those within reach', async () => {
    const commerce = await u.as('faculty_registrar', ['faculty', 2])
    expect((await commerce('POST', '/placement_test/create_missing_placement_tests/2', {})).status).toBe(404)
    const first = ok(await commerce('POST', '/placement_test/create_missing_placement_tests/1', {}))
    expect(first.created).toBeGreaterThan(0)
    expect(
      await q(
        `select from placement_results r join students s on s.id = r.student_id where r.placement_test_id = 1 and r.state = 'due'
        and s.faculty_id <> 2 and r.created_at > now() - interval '1 minute' and r.code not in (select code from placement_results where version > 1)
        and r.id > (select max(id) - $1 from placement_results)`,
        [first.created],
      ),
    ).toEqual([])
    expect(ok(await commerce('POST', '/placement_test/create_missing_placement_tests/1', {})).created).toBe(0)
  })
})
