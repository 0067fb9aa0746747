import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { gradingServer } from '#areas/records/grading/grading.server.ts'
import { registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { settingsServer } from '#areas/common/settings/settings.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { seedTransfers, type TransferFixture } from '../testing.server.ts'
import { transfersServer } from '../transfers.server.ts'
import { checkTyped, codeKey } from './external.rules.ts'

let uni: TestUniversity
let f: TransferFixture
let clerk: Caller
let other: Caller
let registrar: Caller
let elsewhere: Caller
let own: Caller

const q = async (text: string, values: unknown[] = []): Promise<any[]> =>
  (await uni.database.pool.query(text, values)).rows
beforeAll(async () => {
  uni = await testUniversity([
    kitServer,
    catalogueServer,
    settingsServer,
    studentsServer,
    registrationServer,
    gradingServer,
    transfersServer,
  ])
  f = await seedTransfers(uni.database)
  clerk = await uni.as('faculty_registrar', ['faculty', f.faculty])
  other = await uni.as('faculty_registrar', ['faculty', f.faculty])
  registrar = await uni.as('registrar')
  elsewhere = await uni.as('faculty_registrar', ['faculty', f.target.faculty])
  own = await uni.as('student', undefined, { type: 3 })
  await q('update students set user_id = $1 where id = $2', [own.user_id, f.students[0]])
  own = await uni.signIn(own.user_id)
  await q(
    `insert into program_courses (program_id, course_id, level, semester, kind) values ($1, $2, 1, 3, 'mandatory')`,
    [f.program, f.courses[3]],
  )
}, 180_000)
afterAll(() => uni?.close())

const course = (code: string, more: object = {}) => ({ code, name: `Course ${code}`, credit_hours: 3, ...more })
const add = (who: Caller, student: number, courses: object[], more: object = {}) =>
  who('POST', `/transfer/external/add-external/${student}`, { university_id: f.universities.cairo, courses, ...more })
const type = (who: Caller, id: number, body: object) =>
  who('POST', `/transfer/external/external-temp-courses/add/${id}`, body)
const codes = (answer: { body: any }) => answer.body.data.equivalences.map((one: any) => one.source.code)
const shown = async (id: number) => ok(await clerk('GET', `/transfer/external/${id}`)) as any

test('a code is known again without its spaces, marks and digits of another script', () => {
  expect(['MTH 101', 'mth-101', 'MTH.١٠١'].map(codeKey)).toEqual(['mth101', 'mth101', 'mth101'])
})
test('what is typed: ids of others, a code twice, one that goes and changes, too many — every reason', () => {
  const there = [
    { id: 1, code: 'A 1' },
    { id: 2, code: 'B 1' },
  ]
  const check = (courses: { id?: number; code: string }[], remove: number[] = []) =>
    checkTyped(there, { courses, remove }).map((one) => `${one.code}@${one.field}`)
  expect(check([{ code: 'C 1' }])).toEqual([])
  // Two exchange their codes; one that goes leaves its code to another.
  expect(
    check([
      { id: 1, code: 'B1' },
      { id: 2, code: 'A1' },
    ]),
  ).toEqual([])
  expect(check([{ code: 'a-1' }], [1])).toEqual([])
  expect(check([{ code: 'a-1' }, { id: 9, code: 'X' }, { id: 2, code: 'Y' }], [2, 7])).toEqual([
    'reference_missing@remove.1',
    'transfer_course_twice@courses.0.code',
    'reference_missing@courses.1.id',
    'reference_missing@courses.2.id',
  ])
  expect(check(Array.from({ length: 99 }, (_, i) => ({ code: `N${i}` })))).toEqual(['transfer_courses_most@courses'])
})

describe('courses that are added', () => {
  let id = 0
  test('stay beside those entered before, from whichever call they come', async () => {
    const first = ok(await add(clerk, f.students[0]!, [course('A1'), course('A2')])) as any
    ;({ id } = first)
    const more = await add(other, f.students[0]!, [course('A3')], { note: 'From the second transcript.' })
    expect([(ok(more) as any).id, codes(more)]).toEqual([id, ['A1', 'A2', 'A3']])
    const third = await type(clerk, id, { courses: [course('A4')] })
    expect(codes(third)).toEqual(['A1', 'A2', 'A3', 'A4'])
    expect((await shown(id)).note).toBe('From the second transcript.')
    // Of another place, or kind, they stand by themselves.
    const [abroad, faculty] = [
      ok(await add(clerk, f.students[0]!, [course('A1')], { kind: 'study_abroad' })) as any,
      ok(await add(clerk, f.students[0]!, [course('A1')], { university_faculty_id: f.universities.computing })) as any,
    ]
    expect(new Set([id, abroad.id, faculty.id]).size).toBe(3)
    expect(faculty).toMatchObject({ university: { code: 'CU' }, university_faculty: { code: 'CU-FCAI' } })
    for (const one of [abroad, faculty])
      ok(await clerk('DELETE', `/transfer/external/${one.id}`, { reason: 'A test.' }))
  })
  test('by two at one moment are all there, and a course entered by both is there once', async () => {
    const both = await Promise.all([
      add(clerk, f.students[0]!, [course('B1')]),
      type(other, id, { courses: [course('B2')] }),
    ])
    expect(both.map((one) => one.status)).toEqual([200, 200])
    expect((await shown(id)).equivalences.map((one: any) => one.source.code).toSorted()).toEqual([
      'A1',
      'A2',
      'A3',
      'A4',
      'B1',
      'B2',
    ])
    const same = await Promise.all([clerk, other].map((who) => add(who, f.students[0]!, [course('B 3')])))
    expect(same.map((one) => one.status).toSorted()).toEqual([200, 422])
    expect(reasons(same.find((one) => one.status === 422)!)).toEqual(['transfer_course_twice@courses.0.code'])
    // Two records cannot be begun at one moment either.
    const begun = await Promise.all([clerk, other].map((who, i) => add(who, f.students[1]!, [course(`C${i}`)])))
    expect(new Set(begun.map((one) => (ok(one) as any).id)).size).toBe(1)
  })
  test('what is there changes, or goes, only for who has seen it as it is', async () => {
    const before = await shown(id)
    const [a1, a2] = before.equivalences
    const change = { ...course('A1'), id: a1.id, name: 'Another name' }
    expect(reasons(await type(clerk, id, { courses: [change] }))).toEqual(['required@version'])
    expect(reasons(await type(clerk, id, { remove: [a2.id] }))).toEqual(['required@version'])
    const both = await Promise.all([
      type(clerk, id, { courses: [change], version: before.version }),
      type(other, id, { remove: [a2.id], version: before.version }),
    ])
    expect(both.map((one) => one.status).toSorted()).toEqual([200, 409])
    expect(reasons(both.find((one) => one.status === 409)!)).toEqual(['changed_meanwhile'])
    const now = await shown(id)
    expect(
      reasons(await type(clerk, id, { courses: [{ ...change, code: 'NEW', id: 999_999 }], version: now.version })),
    ).toEqual(['reference_missing@courses.0.id'])
    ok(await type(clerk, id, { remove: [a1.id], version: now.version }))
    expect((await shown(id)).equivalences.map((one: any) => one.id)).not.toContain(a1.id)
  })
  test('the database holds it whoever writes', async () => {
    const [line] = (await shown(id)).equivalences
    await expect(
      q(
        `insert into equivalences (external_transfer_id, position, source_code, source_name, source_hours, source_key, state)
         select external_transfer_id, 90, source_code, source_name, source_hours, source_key, 'none' from equivalences where id = $1`,
        [line.id],
      ),
    ).rejects.toThrow(/equivalence_typed_twice/)
    await expect(
      q('update external_transfers set university_faculty_id = $2, university_id = $3 where id = $1', [
        id,
        f.universities.computing,
        f.universities.berlin,
      ]),
    ).rejects.toThrow(/faculty_of_another_university/)
  })
  test('by nobody else: another faculty, the student, an officer for the own record', async () => {
    expect((await add(elsewhere, f.students[0]!, [course('X')])).status).toBe(404)
    expect((await type(elsewhere, id, { courses: [course('X')] })).status).toBe(404)
    expect((await add(own, f.students[0]!, [course('X')])).status).toBe(403)
    expect((await type(own, id, { courses: [course('X')] })).status).toBe(403)
    await q('update students set user_id = $2 where id = $1', [f.students[0], clerk.user_id])
    expect(reasons(await add(clerk, f.students[0]!, [course('X')]))).toEqual(['step_own'])
    expect(reasons(await type(clerk, id, { courses: [course('X')] }))).toEqual(['step_own'])
    const [line] = (await shown(id)).equivalences
    expect(
      reasons(
        await clerk('PUT', `/students/equivalence/${id}/edit-courses`, {
          courses: [{ id: line.id, course_id: f.courses[3] }],
        }),
      ),
    ).toEqual(['step_own'])
    await q('update students set user_id = $2 where id = $1', [f.students[0], own.user_id])
    // Who sees all and decides in another faculty decides nothing here.
    const { user_id } = await uni.as('faculty_registrar', ['faculty', f.target.faculty])
    await q(`insert into role_assignments (user_id, role_id) select $1, id from roles where key = 'affair_manager'`, [
      user_id,
    ])
    const reader = await uni.signIn(user_id)
    expect((await reader('GET', `/transfer/external/${id}`)).status).toBe(200)
    expect(reasons(await type(reader, id, { courses: [course('X')] }))).toEqual(['not_allowed'])
  })
  test('nor to what was deleted, nor while no term is there to credit them in', async () => {
    const gone = ok(await add(clerk, f.students[0]!, [course('D1')], { kind: 'study_abroad' })) as any
    ok(await clerk('DELETE', `/transfer/external/${gone.id}`, { reason: 'A test.' }))
    expect(reasons(await type(clerk, gone.id, { courses: [course('D2')] }))).toEqual(['transfer_decided'])
    const terms = await q('delete from current_terms returning key, term_id')
    expect(reasons(await add(clerk, f.students[0]!, [course('D3')]))).toEqual(['transfer_no_term'])
    for (const { key, term_id } of terms)
      await q('insert into current_terms (key, term_id) values ($1, $2)', [key, term_id])
  })
})

describe('universities', () => {
  const named = (name: string, name_local: string, code = 'HU') => ({ code, name, name_local })
  test('are found in both scripts, and extended by who may; each stands there once', async () => {
    const find = async (search: string) =>
      (ok(await clerk('POST', '/lookups/get', { name: 'otherUniversity', search })) as any[]).map((one) => one.code)
    expect(await find('cairo')).toEqual(['CU'])
    expect(await find('القاهره')).toEqual(['CU'])
    expect((await clerk('PUT', '/universities-list', named('Helwan University', 'جامعة حلوان'))).status).toBe(403)
    ok(await registrar('PUT', '/universities-list', named('Helwan University', 'جامعة حلوان')))
    expect(
      reasons(await registrar('PUT', '/universities-list', named('HELWAN  University', 'جامعة أخرى', 'H2'))),
    ).toEqual(['university_known_already@name'])
    expect(reasons(await registrar('PUT', '/universities-list', named('Another', 'جامعه حُلوان', 'H3')))).toEqual([
      'university_known_already_local@name_local',
    ])
    const faculty = { ...named('Faculty of Computers', 'كلية الحاسبات', 'F1'), university_id: f.universities.cairo }
    expect(reasons(await registrar('PUT', '/university-faculties', faculty))).toContain(
      'university_faculty_known_already@name',
    )
    ok(await registrar('PUT', '/university-faculties', { ...faculty, university_id: f.universities.berlin }))
  })
  test('nothing is entered of one that is not in the list, or of a faculty of another one', async () => {
    expect(reasons(await add(clerk, f.students[2]!, [course('X')], { university_id: 999_999 }))).toEqual([
      'reference_missing@university_id',
    ])
    expect(
      reasons(
        await add(clerk, f.students[2]!, [course('X')], {
          university_id: f.universities.berlin,
          university_faculty_id: f.universities.computing,
        }),
      ),
    ).toEqual(['faculty_of_another_university@university_faculty_id'])
    const [{ id: gone }] = await q(
      `insert into universities_list (code, name, name_local, removed_at) values ('GONE', 'Gone', 'ملغاة', now()) returning id`,
    )
    expect(reasons(await add(clerk, f.students[2]!, [course('X')], { university_id: gone }))).toEqual([
      'reference_missing@university_id',
    ])
  })
  test('a decision is found again by university and code, of the same faculty first, of another one never', async () => {
    const decide = async (student: number, code: string, credit_hours: number, faculty: number | null) => {
      const one = ok(
        await add(clerk, student, [course(code)], {
          university_id: f.universities.berlin,
          university_faculty_id: faculty,
        }),
      ) as any
      const [line] = one.equivalences
      ok(
        await clerk('PUT', `/students/equivalence/${one.id}/edit-courses`, {
          courses: [{ id: line.id, course_id: f.courses[3], credit_hours }],
        }),
      )
      ok(await clerk('PUT', `/students/equivalence/${one.id}`, {}))
      return line
    }
    const [{ id: maths }, { id: physics }] = await q(
      `insert into university_faculties (code, name, name_local, university_id) values ('M', 'Maths', 'رياضيات', $1), ('P', 'Physics', 'فيزياء', $1)
       returning id`,
      [f.universities.berlin],
    )
    await decide(f.students[2]!, 'INF 7', 1, null)
    await decide(f.students[3]!, 'INF 7', 2, maths)
    const propose = async (code: string, faculty: number | null) => {
      const one = ok(
        await add(clerk, f.students[4]!, [course(code)], {
          university_id: f.universities.berlin,
          university_faculty_id: faculty,
        }),
      ) as any
      ok(await clerk('DELETE', `/transfer/external/${one.id}`, { reason: 'A test.' }))
      const [{ origin, course: ours, credit_hours }] = one.equivalences
      return [origin, ours?.id ?? null, credit_hours]
    }
    expect(await propose('inf-7', maths)).toEqual(['decision', f.courses[3], 2])
    expect(await propose('INF7', physics)).toEqual(['decision', f.courses[3], 1])
    expect(await propose('INF 8', maths)).toEqual(['hand', null, null])
    // And what was typed before is offered while one types.
    const known = ok(
      await clerk('GET', `/transfer/external/known-courses/${f.universities.berlin}?university_faculty_id=${maths}`),
    )
    expect(known).toEqual([{ code: 'INF 7', name: 'Course INF 7', name_local: null, credit_hours: 3 }])
    expect((await own('GET', `/transfer/external/known-courses/${f.universities.berlin}`)).status).toBe(403)
  })
  test('one that stands there twice is merged with its faculties, and its decisions are those of the other', async () => {
    const [{ id: twice }] = await q(
      `insert into universities_list (code, name, name_local) values ('TU', 'Technical University Berlin', 'الجامعة التقنية ببرلين') returning id`,
    )
    const [{ id: maths }] = await q(
      `insert into university_faculties (code, name, name_local, university_id) values ('M2', 'MATHS', 'كلية الرياضيات', $1) returning id`,
      [twice],
    )
    const [{ id: kept }] = await q(`select id from university_faculties where code = 'M'`)
    const one = ok(
      await add(clerk, f.students[4]!, [course('INF 7')], { university_id: twice, university_faculty_id: maths }),
    ) as any
    expect(one.equivalences[0]).toMatchObject({ origin: 'hand', course: null })
    expect(reasons(await registrar('POST', `/university-faculties/merge/${maths}`, { into_id: kept }))).toEqual([
      'faculty_of_another_university@into_id',
    ])
    ok(await registrar('POST', `/universities-list/merge/${twice}`, { into_id: f.universities.berlin }))
    expect(await shown(one.id)).toMatchObject({ university: { code: 'TUB' }, university_faculty: { id: kept } })
    const proposed = ok(await clerk('GET', `/transfer/external/courses-equivalent/${one.id}`)) as any
    expect(proposed[0]).toMatchObject({ origin: 'decision', course: { code: 'CS104' }, credit_hours: 2 })
    ok(await clerk('DELETE', `/transfer/external/${one.id}`, { reason: 'A test.' }))
  })
})

describe('what a decision stands on', () => {
  const decided = async (student: number, counts: object) => {
    const one = ok(await add(clerk, student, [course('Z 1', { percent: '80' })])) as any
    const [line] = one.equivalences
    ok(
      await clerk('PUT', `/students/equivalence/${one.id}/edit-courses`, {
        courses: [{ id: line.id, course_id: f.courses[3], letter: 'D', counts_in_gpa: true, ...counts }],
      }),
    )
    return { id: one.id, line: line.id }
  }
  const worth = async (of: string) => {
    const [type] = await q('select id from grade_types where bylaw_id = $1', [f.bylaw])
    const ranges = await q('select id, letter, points::text from grade_ranges where grade_type_id = $1', [type.id])
    const { id } = ranges.find((one) => one.letter === 'D')!
    // From a term on: approved results keep the points of their time.
    ok(await registrar('PUT', `/bylaw/setting/grade/range/${id}`, { points: of, from_term_id: f.spring }))
  }
  test('a course with fewer hours since, or a letter that is worth something else, is decided again', async () => {
    const { id, line } = await decided(f.students[4]!, { credit_hours: 3 })
    const execute = () => clerk('PUT', `/students/equivalence/${id}`, {})
    await q('update courses set credit_hours = 2 where id = $1', [f.courses[3]])
    expect(reasons(await execute())).toEqual(['transfer_rules_changed'])
    expect((await shown(id)).against).toMatchObject([{ code: 'transfer_rules_changed', data: { courses: 'CS104' } }])
    await q('update courses set credit_hours = 3 where id = $1', [f.courses[3]])
    await worth('1.9')
    expect(reasons(await execute())).toEqual(['transfer_rules_changed'])
    ok(
      await clerk('PUT', `/students/equivalence/${id}/edit-courses`, {
        courses: [{ id: line, course_id: f.courses[3], letter: 'D', counts_in_gpa: true }],
      }),
    )
    ok(await clerk('DELETE', `/transfer/external/${id}`, { reason: 'A test.' }))
    await worth('2')
  })
  test('nothing is credited to who has left, or was removed, or has passed an equal course meanwhile', async () => {
    const me = f.students[4]!
    const { id } = await decided(me, {})
    const execute = () => clerk('PUT', `/students/equivalence/${id}`, {})
    await q(`select decide_status(array[$1::int], 'suspended', 'Decision 1', university_today())`, [me])
    expect(reasons(await execute())).toEqual(['transfer_not_studying'])
    expect(reasons(await add(clerk, me, [course('Z 2')]))).toEqual(['transfer_not_studying'])
    await q(`select decide_status(array[$1::int], 'studying', 'Decision 2', university_today())`, [me])
    // CS103 is passed and becomes equal to CS104.
    await q('insert into course_equals (course_id, equal_course_id) values ($1, $2), ($2, $1)', [
      f.courses[2],
      f.courses[3],
    ])
    expect(reasons(await execute())).toEqual(['transfer_passed_meanwhile'])
    const [line] = (await shown(id)).equivalences
    expect(
      reasons(
        await clerk('PUT', `/students/equivalence/${id}/edit-courses`, {
          courses: [{ id: line.id, course_id: f.courses[3] }],
        }),
      ),
    ).toEqual(['equivalence_passed_already@courses.0.course_id'])
    await q('delete from course_equals where course_id = any($1)', [[f.courses[2], f.courses[3]]])
    ok(await execute())
  })
})
