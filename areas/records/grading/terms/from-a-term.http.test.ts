import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { computeGrades } from '../grades/compute.server.ts'
import { gradingServer } from '../grading.server.ts'
import { cells, offerCourse, seed, type Fixture, type TestOffering } from '../testing.server.ts'

let uni: TestUniversity
let f: Fixture
let head: Caller
let registrar: Caller
let elsewhere: Caller
let own: Caller
let me: number
let n = 0

beforeAll(async () => {
  uni = await testUniversity([kitServer, catalogueServer, studentsServer, registrationServer, gradingServer])
  f = await seed(uni.database)
  head = await uni.as('control_head')
  registrar = await uni.as('registrar')
  elsewhere = await uni.as('registrar', ['faculty', f.otherFaculty])
  me = f.students[0]!
  own = await uni.as('student', undefined, { type: 3 })
  await q('update students set user_id = $1 where id = $2', [own.user_id, me])
  own = await uni.signIn(own.user_id)
})
afterAll(() => uni.close())
beforeEach(async () => {
  n++
  await q('delete from student_terms', [])
  await q('delete from registrations', [])
  await q('update students set gpa = null, passed_hours = 0, warnings = 0, level = 1, entry_standing = null', [])
})

const q = async (text: string, values: unknown[]) => (await uni.database.pool.query(text, values)).rows
const full = (total: number): string[] => [
  `${Math.min(20, total)}`,
  `${Math.min(20, Math.max(0, total - 20))}`,
  `${Math.max(0, total - 40)}`,
]
/** A course of the student with this total, in a control status. */
async function taught(
  course: number,
  total: number,
  term_id = f.fall,
  control_status = 'Published',
): Promise<TestOffering> {
  const o = await offerCourse(uni.database, f, { course, code: `r${n}`, students: [me], term_id })
  const rows = cells(o, 0, full(total))
  await q(
    'insert into registration_marks (registration_id, offering_mark_id, mark) select $1, m, v::numeric from unnest($2::int[], $3::text[]) as x(m, v)',
    [o.registrations[0], rows.map((c) => c.offering_mark_id), rows.map((c) => c.mark)],
  )
  await uni.database.db.transaction().execute((tx) => computeGrades(tx, [o.id]))
  await q('update offerings set control_status = $1 where id = $2', [control_status, o.id])
  return o
}
const finish = async (term_id: number) => ok(await head('POST', '/control/students/finish', { term_id, ids: [me] }))
const recompute = async (term_id: number) =>
  (await head('POST', '/control/students/recompute', { term_id, ids: [me] })).body.differences
const mark = async (o: TestOffering, value: string) => {
  const registration = o.registrations[0]!
  const [{ version }] = (await q(
    'select version from registration_marks where registration_id = $1 and offering_mark_id = $2',
    [registration, o.scheme[2]],
  )) as [any]
  return ok(
    await head('PUT', '/offerings/offering-students-grades/update', {
      offering_id: o.id,
      cells: [{ registration_id: registration, offering_mark_id: o.scheme[2], mark: value, version }],
    }),
  )
}

const change = (body: object, who = registrar) => who('PUT', `/bylaws/set/Settings/${f.bylaw}`, body)
const scale = async () => ok(await registrar('GET', `/bylaws/settings/${f.bylaw}`)).grade_types
/** The scale with the letter that just passes made a failing one. */
const stricter = async (success = false) => {
  const types = (await scale()) as any[]
  const lowest = types[0].ranges.filter((one: any) => one.letter !== 'F').at(-1).letter
  return {
    letter: lowest as string,
    grade_types: types.map((type) => ({
      ...type,
      ranges: type.ranges.map((one: any) => (one.letter === lowest ? { ...one, success } : one)),
    })),
  }
}
const passed = async (o: TestOffering) =>
  (await q('select letter, passed from registrations where id = $1', [o.registrations[0]]))[0]

describe('what approved results stand on', () => {
  test('changes from a later term on: earlier terms stay as they were, later ones follow', async () => {
    const old = await taught(0, 58)
    await finish(f.fall)
    const { letter, grade_types } = await stricter()
    expect(await passed(old)).toEqual({ letter, passed: true })
    const now = await change({ grade_types })
    expect([now.status, reasons(now)]).toEqual([409, ['settings_from_term@from_term_id']])
    expect(now.body.errors[0].data).toMatchObject({ count: 1 })
    // By the other door to the same letters, and for a single level.
    for (const [path, body] of [
      [`/bylaws/remove-success-grades/${f.bylaw}`, { letters: [letter] }],
      [`/bylaws/add/warning-type/${f.bylaw}`, { warning_gpa: '1.50' }],
      [`/bylaws/add/min-Percentage-final-exam/${f.bylaw}`, { min_percentage_final_exam: '20' }],
    ] as const) {
      const refused = await registrar(path.includes('success') ? 'POST' : 'PUT', path, body)
      expect([path, refused.status, reasons(refused)]).toEqual([path, 409, ['settings_from_term@from_term_id']])
    }
    const decided = await change({ grade_types, from_term_id: f.fall })
    expect([decided.status, reasons(decided)]).toEqual([409, ['settings_term_decided@from_term_id']])
    expect(reasons(await change({ grade_types, from_term_id: 999_999 }))).toEqual(['reference_missing@from_term_id'])
    expect((await change({ grade_types, from_term_id: f.spring }, elsewhere)).status).toBe(404)
    // What is only shown, and what things are called, changes at once.
    ok(
      await change({
        grades_visibility: { marks: 'Published', letter: 'Published', points: 'Published', gpa: 'Published' },
      }),
    )
    ok(await change({ grade_types, from_term_id: f.spring }))
    expect(
      await q(
        `select until_term_id, settings -> 'grade_types' -> 0 -> 'ranges' @> $2 as kept from bylaw_editions where bylaw_id = $1`,
        [f.bylaw, JSON.stringify([{ letter, success: true }])],
      ),
    ).toEqual([{ until_term_id: f.spring, kept: true }])

    // The term before: computed again, nothing differs; a mark that is entered again passes as it did.
    expect(await recompute(f.fall)).toEqual([])
    await uni.database.db.transaction().execute((tx) => computeGrades(tx, [old.id]))
    expect(await passed(old)).toEqual({ letter, passed: true })
    // The term from which it holds.
    const fresh = await taught(1, 58, f.spring, 'Draft')
    expect(await passed(fresh)).toEqual({ letter, passed: false })
    await mark(fresh, '19')
    expect(await passed(fresh)).toEqual({ letter, passed: false })
    // More changes go on in the same term without a second edition, also before it is said again.
    ok(await change({ total_places: 1 }))
    ok(await change({ total_places: 0, from_term_id: f.spring }))
    expect(await q('select count(*)::int as n from bylaw_editions', [])).toEqual([{ n: 1 }])
    // A change of an earlier term would come before this one.
    const [winter] = await q(
      `insert into terms (year_id, code, name, name_local, term_type, start_date, end_date)
       select year_id, 'W', 'Winter', 'شتاء', 'summer', start_date - 3, start_date - 2 from terms where id = $1 returning id`,
      [f.spring],
    )
    expect(reasons(await change({ total_places: 1, from_term_id: winter.id }))).toEqual([
      'settings_term_order@from_term_id',
    ])
    await q('delete from terms where id = $1', [winter.id])
    // Once results of that term are approved, it is closed again.
    await q(`update offerings set control_status = 'Published' where id = $1`, [fresh.id])
    expect(reasons(await change({ total_places: 1 }))).toEqual(['settings_from_term@from_term_id'])
    expect(reasons(await change({ total_places: 1, from_term_id: f.spring }))).toEqual([
      'settings_term_decided@from_term_id',
    ])
  })

  test('whoever writes: grades under approved results, and levels with students in them, stay', async () => {
    await q('delete from bylaw_editions', [])
    await taught(0, 58)
    await expect(
      q(`update grade_ranges set success = not success where letter = $1`, [(await stricter()).letter]),
    ).rejects.toMatchObject({ constraint: 'settings_with_results' })
    await expect(q('delete from bylaw_levels where bylaw_id = $1 and level = 1', [f.bylaw])).rejects.toMatchObject({
      constraint: 'level_with_students',
    })
  })

  test('a level with students in it stays, whatever the term', async () => {
    await taught(0, 58)
    const { levels } = ok(await registrar('GET', `/bylaws/settings/${f.bylaw}`))
    const gone = levels.filter((one: any) => one.level !== 1)
    const refused = await change({ levels: gone, from_term_id: f.spring })
    expect(reasons(refused)).toContain('level_in_use@levels')
    const by = await registrar('DELETE', `/bylaws/bylaw/level/${levels.find((one: any) => one.level === 1).id}`)
    expect(reasons(by)).toContain('level_in_use@levels')
  })
})
