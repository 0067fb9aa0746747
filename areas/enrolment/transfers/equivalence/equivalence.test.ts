import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { degreeAuditServer } from '#areas/records/degree-audit/degree-audit.server.ts'
import { gradingServer } from '#areas/records/grading/grading.server.ts'
import { into, offerCourse, REGISTERED } from '#areas/records/grading/testing.server.ts'
import { followRecords } from '#areas/records/grading/terms/record.server.ts'
import { gatherLevel, regulationOf } from '#areas/records/level-results/gather.server.ts'
import { registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { settingsServer } from '#areas/common/settings/settings.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { seedTransfers, type TransferFixture } from '../testing.server.ts'
import { transfersServer } from '../transfers.server.ts'

let uni: TestUniversity
let f: TransferFixture
let left: Caller
let joined: Caller
let registrar: Caller
let head: Caller
/** A program by marks of the faculty that is joined: CS101 (out of 150), M102 like CS102, M103 at level 1, M201 at level 2. */
const M = { bylaw: 0, program: 0, courses: [] as number[] }
const q = async (text: string, values: unknown[] = []): Promise<any[]> =>
  (await uni.database.pool.query(text, values)).rows
const put = (table: string, rows: readonly Record<string, unknown>[]) => into(uni.database, table, rows)
const named = (code: string) => ({ code, name: code, name_local: `اسم ${code}` })

beforeAll(async () => {
  uni = await testUniversity([
    kitServer,
    catalogueServer,
    settingsServer,
    studentsServer,
    registrationServer,
    gradingServer,
    degreeAuditServer,
    transfersServer,
  ])
  f = await seedTransfers(uni.database)
  left = await uni.as('faculty_registrar', ['faculty', f.faculty])
  joined = await uni.as('faculty_registrar', ['faculty', f.target.faculty])
  registrar = await uni.as('registrar')
  head = await uni.as('control_head')
  const faculty_id = f.target.faculty
  const [bylaw] = await put('bylaws', [{ ...named('BM'), faculty_id, program_type: 'annual', max_carried: 1 }])
  const [program] = await put('programs', [{ ...named('PM'), bylaw_id: bylaw, faculty_id, program_type: 'annual' }])
  await put(
    'bylaw_levels',
    [1, 2, 3].map((level) => ({ bylaw_id: bylaw, level, name: `L${level}`, name_local: 'مستوى', passed_hours: 0 })),
  )
  const courses = await put(
    'courses',
    ['M102', 'M103', 'M201'].map((code) => ({ ...named(code), faculty_id, credit_hours: 3 })),
  )
  await put('program_courses', [
    { program_id: program, course_id: f.courses[0], level: 1, semester: 1, kind: 'mandatory', max_mark: 150 },
    ...courses.map((course_id, i) => ({
      program_id: program,
      course_id,
      level: i < 2 ? 1 : 2,
      semester: 2 + i,
      kind: 'mandatory',
    })),
  ])
  await q('insert into course_equals (course_id, equal_course_id) values ($1, $2), ($2, $1)', [
    f.courses[1],
    courses[0],
  ])
  Object.assign(M, { bylaw, program, courses })
}, 180_000)
afterAll(() => uni?.close())

const details = async (id: number) => ok(await joined('GET', `/transfer/internal/details/${id}`)) as any
const ask = async (student: number, program_id: number): Promise<number> => {
  const { id } = ok(
    await registrar('POST', `/transfer/internal/${student}/add`, {
      program_id,
      why: 'The other study fits me better.',
    }),
  ) as any
  return id
}
const sent = (line: any, change: object = {}) => ({
  id: line.id,
  course_id: line.course?.id ?? null,
  credit_hours: line.credit_hours,
  letter: line.mark === null ? line.letter : null,
  mark: line.mark,
  counts_in_gpa: line.counts_in_gpa,
  ...change,
})
const decide = (id: number, courses: object[]) =>
  joined('POST', `/transfer/internal/temp-courses/add/${id}`, { courses })
const confirm = async (id: number, change: (line: any) => object = () => ({})) =>
  ok(
    await decide(
      id,
      (await details(id)).equivalences.map((line: any) => sent(line, change(line))),
    ),
  ) as any
const execute = async (id: number) => {
  ok(await left('PUT', `/transfer/internal/${id}/agree`, {}))
  return joined('PUT', `/transfer/internal/${id}`, {})
}
const of = (lines: any[], code: string) => lines.find((one) => one.source.code === code)

const settings = (bylaw: number, conversions: object[]) =>
  registrar('PUT', `/bylaws/set/Settings/${bylaw}`, { conversions })
const line = (from_share: string, to_share: string, from_points: string, to_points: string) => ({
  from_share,
  to_share,
  from_points,
  to_points,
})

test('a student moves into a study by marks and out of it: marks, level and year there, letters and GPA here', async () => {
  const me = f.students[0]!
  ok(await head('POST', '/control/students/finish', { term_id: f.fall, ids: [me] }))
  expect(reasons(await settings(M.bylaw, [line('0', '50', '0', '1'), line('60', '100', '1', '4')]))).toEqual([
    'range_hole@conversions.1.from_share',
  ])
  ok(await settings(M.bylaw, [line('50', '100', '1', '4'), line('0', '50', '0', '1')]))
  expect((ok(await registrar('GET', `/bylaws/settings/${M.bylaw}`)) as any).conversions).toHaveLength(2)

  const id = await ask(me, M.program)
  const shown = await details(id)
  expect([shown.by_marks, shown.scale.map((one: any) => one.letter)]).toEqual([true, ['EX', 'VG', 'G', 'P']])
  // 4 points are all of 150 marks; 3 points are 83.33 of 100, rounded as totals are.
  expect(
    shown.equivalences.map((one: any) => [
      one.source.code,
      one.course?.code ?? null,
      one.mark,
      one.maximum,
      one.letter,
    ]),
  ).toEqual([
    ['CS101', 'CS101', '150.00', 150, 'EX'],
    ['CS102', 'M102', '83.00', 100, 'VG'],
    ['CS103', null, null, null, null],
  ])
  const cs102 = of(shown.equivalences, 'CS102')
  expect(reasons(await decide(id, [sent(cs102, { mark: '49' })]))).toEqual(['equivalence_mark@courses.0.mark'])
  expect(reasons(await decide(id, [sent(cs102, { mark: null, letter: 'B', counts_in_gpa: true })]))).toEqual([
    'equivalence_by_marks@courses.0.letter',
  ])
  const outcome = ok(await joined('POST', `/transfer/internal/outcome/${id}`, { courses: [] })) as any
  // One course of level 1 is open, and one may be carried; level 2 is not passed by that.
  expect([outcome.gpa, outcome.level, outcome.carried.map((one: any) => one.code)]).toEqual([null, 2, ['M103']])
  await confirm(id, (one) => (one.source.code === 'CS102' ? { mark: '80' } : {}))
  ok(await execute(id))
  expect(
    await q('select level, gpa, passed_hours::float8 as passed, warnings, bylaw_id from students where id = $1', [me]),
  ).toEqual([{ level: 2, gpa: null, passed: 6, warnings: 0, bylaw_id: M.bylaw }])
  expect(await q('select level, enrolment, program_id from student_years where student_id = $1', [me])).toEqual([
    { level: 2, enrolment: 'carried', program_id: M.program },
  ])
  const record = (await registrar('GET', `/students/${me}/terms_grades`)).body.data
  expect(record.credits.map((one: any) => [one.course.code, one.mark, one.maximum, one.rating?.code])).toEqual([
    ['CS101', '150', 150, 'EX'],
    ['M102', '80', 100, 'VG'],
  ])
  expect(record.terms.map((one: any) => [one.term.code, one.result?.gpa])).toEqual([['2025-1', '3.10']])
  // What was credited is not registered again, though it is offered; what is carried is.
  await offerCourse(uni.database, f, { course: 0, code: 'b', students: [], term_id: f.spring })
  const block = ok(await registrar('GET', `/registrations/students/block?student_id=${me}&term_id=${f.spring}`)) as any
  expect(block.courses.map((one: any) => one.course.code)).toEqual(['M201', 'M103'])
  // In the result of its level it is passed with its mark.
  const [{ year_id }] = await q(`update student_years set level = 1 where student_id = $1 returning year_id`, [me])
  const key = { bylaw_id: M.bylaw, year_id, level: 1 }
  const { db } = uni.database
  const [gathered] = await gatherLevel(db, key, await regulationOf(db, key))
  expect(gathered!.courses.map((one) => [one.code, one.state, one.mark, one.maximum])).toEqual([
    ['CS101', 'passed', 15_000, 15_000],
    ['M102', 'passed', 8000, 10_000],
    ['M103', 'missing', null, 10_000],
  ])
  await q('update student_years set level = 2 where student_id = $1', [me])
  const paper = await registrar('POST', `/students/${me}/transcript/en`, { all: false })
  expect([paper.status, paper.bytes.subarray(0, 4).toString()]).toEqual([200, '%PDF'])
  // A result of then that changes is followed, under the bylaw of then.
  await q('update student_terms set revised_since = now(), gpa = 1 where student_id = $1', [me])
  await uni.database.db.transaction().execute((tx) => followRecords(null, tx, [me]))
  expect(await q('select gpa::text, revised_since from student_terms where student_id = $1', [me])).toEqual([
    { gpa: '3.10', revised_since: null },
  ])
  expect(await q('select gpa, level from students where id = $1', [me])).toEqual([{ gpa: null, level: 2 }])

  // M103 is passed by marks, and the student goes on under credit hours.
  const m103 = await offerCourse(
    uni.database,
    { ...f, courses: M.courses },
    { course: 1, code: 'm', students: [], term_id: f.spring },
  )
  await q(
    `insert into registrations (student_id, offering_id, term_id, course_id, credit_hours, status, letter, total, maximum, passed, counts_in_gpa, counts_in_attempted_hours)
     values ($1, $2, $3, $4, 3, $5, 'VG', 80, 100, true, false, true)`,
    [me, m103.id, f.spring, M.courses[1], REGISTERED],
  )
  await q(`update offerings set control_status = 'Published' where id = $1`, [m103.id])
  await q(`update current_terms set term_id = $1`, [f.summer])
  const back = await ask(me, f.target.program)
  // B2 has no table of its own: that of the bylaw that is left. 80 % are 2.8 points: the best letter with no more is C.
  const lines = (await details(back)).equivalences
  expect(of(lines, 'M103')).toMatchObject({ source: { grade: 'VG' }, course: null })
  await confirm(back, (one) =>
    one.source.code === 'M103'
      ? { course_id: f.target.courses[1], letter: 'C', counts_in_gpa: true, mark: null }
      : { counts_in_gpa: one.letter !== null },
  )
  ok(await joined('PUT', `/transfer/internal/${back}`, {}))
  const [now] = await q('select level, gpa, passed_hours::float8 as passed from students where id = $1', [me])
  // CS101 is A+ (4), M103 is C (2.4); M102 counts as nothing.
  expect(now).toEqual({ level: 2, gpa: '3.20', passed: 6 })
  expect(await q('select from student_years where student_id = $1', [me])).toHaveLength(0)
  const whole = (await registrar('GET', `/students/${me}/terms_grades`)).body.data
  expect(whole.terms.map((one: any) => [one.term.code, one.courses[0].rating?.code ?? one.courses[0].letter])).toEqual([
    ['2025-2', 'VG'],
    ['2025-1', 'A'],
  ])
  expect((await registrar('POST', `/students/${me}/transcript/ar`, { all: false })).status).toBe(200)
  await q(`update current_terms set term_id = $1`, [f.spring])
})

describe('several courses', () => {
  const combine = async (id: number, courses: (lines: any[]) => object[]) => {
    const { equivalences } = await details(id)
    return decide(id, courses(equivalences))
  }
  const ours = (course_id: number | undefined, credit_hours: number, letter: string | null = null) => ({
    course_id,
    credit_hours,
    letter,
    counts_in_gpa: letter !== null,
  })

  test('two of theirs count as one of ours, one of theirs as two: decided, credited, remembered, on every paper', async () => {
    const [, me, other] = f.students as [number, number, number]
    const [ds201, ds202, ds203] = f.target.courses
    const id = await ask(me, f.target.program)
    const wrong = await combine(id, (lines) => [
      // More hours than there were, a course twice, and together with a course that counts as nothing.
      { id: of(lines, 'CS101').id, ...ours(ds202, 3), more: [ours(ds203, 3), ours(ds202, 0)] },
      { id: of(lines, 'CS102').id, course_id: null, joined_to: of(lines, 'CS103').id },
      { id: of(lines, 'CS103').id, course_id: null },
    ])
    expect(reasons(wrong).toSorted()).toEqual([
      'equivalence_course_twice@courses.0.more.1.course_id',
      'equivalence_joined@courses.1.joined_to',
      'equivalence_split_hours@courses.0.credit_hours',
    ])
    const decision = (lines: any[]) => [
      { id: of(lines, 'CS101').id, ...ours(ds202, 2, 'A'), more: [ours(ds203, 1, 'B')] },
      { id: of(lines, 'CS102').id, ...ours(ds201, 3, 'C') },
      { id: of(lines, 'CS103').id, course_id: null, joined_to: of(lines, 'CS102').id },
    ]
    const outcome = ok(
      await joined('POST', `/transfer/internal/outcome/${id}`, { courses: decision((await details(id)).equivalences) }),
    ) as any
    expect([outcome.hours.earned, outcome.groups[0].missing.map((one: any) => one.code)]).toEqual([6, ['CS101']])
    const kept = ok(await combine(id, decision)) as any
    expect(
      kept.equivalences.map((one: any) => [one.source.code, one.course?.code, one.more.length, one.state]),
    ).toEqual([
      ['CS101', 'DS202', 1, 'confirmed'],
      ['CS102', 'DS201', 0, 'confirmed'],
      ['CS103', undefined, 0, 'confirmed'],
    ])
    // Saving some of it again leaves the rest; the further course is there once.
    const again = ok(await combine(id, (lines) => decision(lines).slice(0, 1))) as any
    expect([again.equivalences[0].more.length, again.equivalences[2].joined_to]).toEqual([1, again.equivalences[1].id])
    expect(kept.against.map((one: any) => one.code)).toEqual(['transfer_not_agreed'])
    for (const path of ['/transfer/internal/equivalent/export_excel'])
      expect((await joined('POST', path, { ids: [id] })).status).toBe(200)
    expect((await joined('GET', `/transfer/internal/decision/${id}/ar`)).status).toBe(200)
    ok(await execute(id))
    const { credits } = (await registrar('GET', `/students/${me}/terms_grades`)).body.data
    expect(credits.map((one: any) => [one.course.code, one.course.credit_hours, one.letter, one.source.code])).toEqual([
      ['DS201', 3, 'C', 'CS102 + CS103'],
      ['DS202', 2, 'A', 'CS101'],
      ['DS203', 1, 'B', 'CS101'],
    ])
    // (2.4 × 3 + 3.7 × 2 + 3 × 1) / 6
    expect(await q('select gpa, passed_hours::float8 as passed from students where id = $1', [me])).toEqual([
      { gpa: '2.93', passed: 6 },
    ])
    // The next student with the same courses is proposed the same; with one of the two it is not.
    const next = await ask(other, f.target.program)
    const proposed = (await details(next)).equivalences
    expect(
      proposed.map((one: any) => [one.source.code, one.course?.code, one.more[0]?.course.code, one.origin]),
    ).toEqual([
      ['CS101', 'DS202', 'DS203', 'decision'],
      ['CS102', 'DS201', undefined, 'decision'],
      ['CS103', undefined, undefined, 'decision'],
    ])
    expect(proposed[2].joined_to).toBe(proposed[1].id)
    const one = ok(await joined('GET', `/transfer/internal/temp-courses/${next}/details/${f.courses[2]}`)) as any
    expect(one.earlier.map((before: any) => before.course.code)).toEqual(['DS201'])
    ok(await registrar('DELETE', `/transfer/internal/${next}`, {}))
  })

  test('courses from elsewhere count together as well; what one leaned on that is taken away is decided on anew', async () => {
    const me = f.students[3]!
    await q(
      `insert into program_courses (program_id, course_id, level, semester, kind) values ($1, $2, 1, 3, 'mandatory')`,
      [f.program, f.courses[3]],
    )
    const typed = (code: string, percent: string) => ({ code, name: code, credit_hours: 6, percent })
    const entered = ok(
      await left('POST', `/transfer/external/add-external/${me}`, {
        university_id: f.universities.berlin,
        courses: [typed('E1', '90'), typed('E2', '70')],
      }),
    ) as any
    const [e1, e2] = entered.equivalences
    const both = (lead: any, further: any) => ({
      courses: [
        { id: lead.id, course_id: f.courses[3], letter: 'B', counts_in_gpa: true },
        { id: further.id, course_id: null, joined_to: lead.id },
      ],
    })
    const { version } = ok(await left('PUT', `/students/equivalence/${entered.id}/edit-courses`, both(e1, e2))) as any
    const without = ok(
      await left('POST', `/transfer/external/external-temp-courses/add/${entered.id}`, {
        remove: [e1.id],
        version,
      }),
    ) as any
    expect(without.equivalences).toMatchObject([{ id: e2.id, joined_to: null, state: 'none' }])
    expect(without.against).toMatchObject([{ code: 'transfer_undecided' }])
    const whole = ok(
      await left('POST', `/transfer/external/external-temp-courses/add/${entered.id}`, {
        courses: [typed('E3', '80')],
      }),
    ) as any
    ok(
      await left(
        'PUT',
        `/students/equivalence/${entered.id}/edit-courses`,
        both(whole.equivalences[1], whole.equivalences[0]),
      ),
    )
    ok(await left('PUT', `/students/equivalence/${entered.id}`, {}))
    const { credits } = (await registrar('GET', `/students/${me}/terms_grades`)).body.data
    expect(credits).toMatchObject([
      { course: { code: 'CS104' }, source: { code: 'E2 + E3', credit_hours: 12, institution: { name: 'TU Berlin' } } },
    ])
    expect((await left('POST', '/transfer/external/equivalent/export_excel', {})).status).toBe(200)
    expect((await left('GET', `/transfer/external/decision/${entered.id}/en`)).status).toBe(200)
  })
})

test('the outcome is held against what program and bylaw require themselves, and the exceptions of the student', async () => {
  const me = f.students[4]!
  const tree = {
    kind: 'courses',
    key: 'core',
    name: 'Core',
    name_local: 'الأساس',
    unit: 'courses',
    min: 2,
    from: f.target.courses.slice(1).map((course_id) => ({ by: 'course', course_id })),
  }
  await q(`insert into requirement_trees (program_id, revision, mode, tree) values ($1, 1, 'adds', $2)`, [
    f.target.program,
    JSON.stringify(tree),
  ])
  const id = await ask(me, f.target.program)
  const outcome = async (courses: object[] = []) =>
    ok(await joined('POST', `/transfer/internal/outcome/${id}`, { courses })) as any
  const { equivalences } = await details(id)
  const nothing = equivalences.map((one: any) => ({ id: one.id, course_id: null }))
  const before = await outcome(nothing)
  expect(before.own).toMatchObject([{ key: 'program.core', name: 'Core', state: 'missing' }])
  expect(before.own[0].lacking[0].missing[0]).toMatchObject({ en: expect.stringMatching(/2/) })
  // Live: as the courses are chosen now, without being saved.
  const [ds202, ds203] = f.target.courses.slice(1)
  const chosen = [
    { id: equivalences[0].id, course_id: ds202 },
    { id: equivalences[1].id, course_id: ds203 },
  ]
  expect((await outcome([...chosen, nothing[2]])).own).toMatchObject([{ state: 'met', lacking: [] }])
  await q(
    `insert into degree_exceptions (student_id, program_id, kind, key, reason) values ($1, $2, 'waive', 'program.core', 'Studied it at work.')`,
    [me, f.target.program],
  )
  expect(await outcome(nothing)).toMatchObject({ own: [{ state: 'met' }], exceptions: 1 })
  ok(await registrar('DELETE', `/transfer/internal/${id}`, {}))
})
