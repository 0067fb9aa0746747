import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { registrationServer } from '../registration.server.ts'
import { distribute } from './advising.rules.ts'

describe('sharing students', () => {
  const people = fc.record({
    students: fc.uniqueArray(
      fc.record({
        id: fc.integer({ min: 1, max: 500 }),
        faculty_id: fc.integer({ min: 1, max: 3 }),
        department_id: fc.option(fc.integer({ min: 1, max: 4 })),
      }),
      { selector: (one) => one.id, maxLength: 60 },
    ),
    advisors: fc.uniqueArray(
      fc.record({
        id: fc.integer({ min: 1, max: 100 }),
        faculty_id: fc.integer({ min: 1, max: 3 }),
        department_id: fc.option(fc.integer({ min: 1, max: 4 })),
        advised: fc.integer({ min: 0, max: 10 }),
        max_advised: fc.integer({ min: 1, max: 12 }),
      }),
      { selector: (one) => one.id, maxLength: 8 },
    ),
  })
  test('nobody twice, nobody above the maximum, nobody left while a place is free in the faculty', () =>
    fc.assert(
      fc.property(people, ({ students, advisors }) => {
        const { assigned, left } = distribute(students, advisors)
        expect([...assigned.map((one) => one.student_id), ...left].toSorted((a, b) => a - b)).toEqual(
          students.map((one) => one.id).toSorted((a, b) => a - b),
        )
        for (const advisor of advisors) {
          const more = assigned.filter((one) => one.advisor_id === advisor.id)
          if (more.length) expect(advisor.advised + more.length).toBeLessThanOrEqual(advisor.max_advised)
          for (const one of more)
            expect(students.find((student) => student.id === one.student_id)?.faculty_id).toBe(advisor.faculty_id)
          const wanting = left.filter(
            (id) => students.find((student) => student.id === id)?.faculty_id === advisor.faculty_id,
          )
          if (wanting.length) expect(advisor.advised + more.length).toBeGreaterThanOrEqual(advisor.max_advised)
        }
      }),
    ))
  test('places fill evenly', () => {
    const students = Array.from({ length: 30 }, (_, i) => ({ id: i + 1, faculty_id: 1, department_id: null }))
    const advisors = [10, 20].map((max_advised, i) => ({
      id: i + 1,
      faculty_id: 1,
      department_id: null,
      advised: 0,
      max_advised,
    }))
    const count = (id: number) =>
      distribute(students.slice(0, 15), advisors).assigned.filter((one) => one.advisor_id === id).length
    expect([count(1), count(2)]).toEqual([5, 10])
  })
  test('the own department comes first, even where another has more room; then the rest of the faculty', () => {
    const advisor = (id: number, department_id: number | null, max_advised: number) => ({
      id,
      faculty_id: 1,
      department_id,
      advised: 0,
      max_advised,
    })
    const { assigned } = distribute(
      [1, 2, 3].map((id) => ({ id, faculty_id: 1, department_id: 7 })),
      [advisor(10, null, 50), advisor(20, 8, 50), advisor(30, 7, 2)],
    )
    expect(assigned.map((one) => one.advisor_id)).toEqual([30, 30, 10])
  })
})

describe('through HTTP', () => {
  let u: TestUniversity
  let w: RegistrationWorld
  let registrar: Caller
  let stranger: Caller
  beforeAll(async () => {
    u = await testUniversity([catalogueServer, registrationServer])
    w = await registrationWorld(u)
    registrar = await u.as('registrar')
    stranger = await u.as('faculty_registrar', ['faculty', w.otherFaculty])
  })
  afterAll(() => u.close())
  const instructor = async () => {
    const user = await u.as(null, undefined, { type: 1 })
    const [row] = await w.query<{ id: number }>(
      `insert into instructors (user_id, code, name, name_local, faculty_id) values ($1::int, 'N' || $1::int, 'Dr', 'د', $2) returning id`,
      [user.user_id, w.faculty],
    )
    return { id: row!.id, user_id: user.user_id }
  }

  test('an instructor becomes an advisor, gets students up to the maximum, works, and ends', async () => {
    const person = await instructor()
    const students = [await w.student(), await w.student(), await w.student()]
    const student_ids = students.map((one) => one.id)
    expect(
      (await stranger('PUT', '/advisors/add-advisors', { instructor_ids: [person.id], max_advised: 2 })).body.failed,
    ).toMatchObject([{ id: person.id, errors: [{ code: 'not_found' }] }])
    expect(
      ok(await registrar('PUT', '/advisors/add-advisors', { instructor_ids: [person.id], max_advised: 2 })).done,
    ).toEqual([person.id])
    const full = await registrar('PUT', '/advisors/assign-bulk-students', { advisor_id: person.id, student_ids })
    expect([full.status, reasons(full)]).toEqual([409, ['advisor_full@advisor_id']])
    expect(
      ok(
        await registrar('PUT', '/advisors/assign-bulk-students', {
          advisor_id: person.id,
          student_ids: student_ids.slice(0, 2),
        }),
      ).assigned,
    ).toMatchObject([{ advisor: { id: person.id }, count: 2 }])
    // Asked again they are named: nothing had to be done for them.
    expect(
      ok(
        await registrar('PUT', '/advisors/assign-bulk-students', {
          advisor_id: person.id,
          student_ids: student_ids.slice(0, 2),
        }),
      ),
    ).toMatchObject({ done: [], failed: [], unchanged: student_ids.slice(0, 2) })
    // The role came with it.
    const advisor = await u.signIn(person.user_id)
    const mine = await advisor('GET', '/registrations/advisor-students')
    expect(mine.body.data.map((one: { id: number }) => one.id)).toEqual(student_ids.slice(0, 2))
    expect((await advisor('GET', '/registrations/advisor-students?waiting=true')).body.data).toEqual([])
    // At risk: a warning, or a GPA for which the bylaw warns.
    const risky = async () =>
      (await advisor('GET', '/registrations/advisor-students?at_risk=true')).body.data.map(
        (one: { id: number }) => one.id,
      )
    await u.database.pool.query('update students set warnings = 0, gpa = 3.5 where id = any($1::int[])', [student_ids])
    expect(await risky()).toEqual([])
    await u.database.pool.query('update students set warnings = 1 where id = $1', [student_ids[0]])
    await u.database.pool.query('update students set gpa = 1.2 where id = $1', [student_ids[1]])
    expect(await risky()).toEqual(student_ids.slice(0, 2))
    expect((await advisor('POST', '/advisors/advised-students', {})).body.meta.count).toBe(2)
    const filtered = await registrar('POST', '/advisors/advised-students', { filters: { advisor_id: 'all' } })
    expect([filtered.status, reasons(filtered)]).toEqual([422, [expect.stringMatching(/^wrong_type@filters/)]])
    const nobody = await registrar('PUT', '/advisors/assign-bulk-students', { advisor_id: 99_999_999, student_ids })
    expect([nobody.status, reasons(nobody)]).toEqual([404, ['not_found@advisor_id']])
    expect(String((await advisor('POST', '/advisor-students/export', {})).headers['content-disposition'])).toContain(
      '.xlsx',
    )
    expect((await advisor('GET', `/registrations/students/requested-offerings/${student_ids[0]}`)).status).toBe(200)
    expect((await advisor('GET', `/registrations/students/requested-offerings/${student_ids[2]}`)).status).toBe(404)
    const fewer = ok(await registrar('PUT', '/advisors/add-advisors', { instructor_ids: [person.id], max_advised: 1 }))
    expect(fewer).toMatchObject({ done: [], failed: [{ id: person.id, errors: [{ code: 'advisor_has_more' }] }] })
    const abroad = await w.student({ faculty: 'other' })
    expect(
      ok(await registrar('PUT', '/advisors/assign-bulk-students', { advisor_id: person.id, student_ids: [abroad.id] })),
    ).toMatchObject({ done: [], failed: [{ id: abroad.id, errors: [{ code: 'advisor_other_faculty' }] }] })
    await w.query('update students set removed_at = now() where id = $1', [abroad.id])
    const list = (await registrar('POST', '/advisors/academic-advisors', { filters: { faculty_id: w.faculty } })).body
      .data
    expect(list.find((one: { id: number }) => one.id === person.id)).toMatchObject({
      advised: 2,
      max_advised: 2,
      free: 0,
      abilities: ['edit', 'remove'],
    })
    expect(String((await registrar('POST', '/advisors/export', {})).headers['content-disposition'])).toContain(
      'advisors.xlsx',
    )
    // Whoever takes over has the places for all of them, and is somebody else.
    const next = await instructor()
    ok(await registrar('PUT', '/advisors/add-advisors', { instructor_ids: [next.id], max_advised: 1 }))
    const handOver = (to_advisor_id: number) =>
      registrar('PUT', `/advisors/delete-advisors/${person.id}`, { to_advisor_id })
    expect(reasons(await handOver(next.id))).toEqual(['advisor_full@to_advisor_id'])
    expect(reasons(await handOver(person.id))).toEqual(['not_found@to_advisor_id'])
    ok(await registrar('PUT', `/advisors/delete-advisors/${next.id}`, {}))
    expect(ok(await registrar('PUT', `/advisors/delete-advisors/${person.id}`, {}))).toEqual({
      id: person.id,
      students: 2,
    })
    await expect.poll(async () => (await advisor('GET', '/registrations/advisor-students')).status).toBe(403)
    expect(ok(await registrar('POST', '/advisors/unassign-bulk-students', { student_ids }))).toMatchObject({
      done: [],
      failed: [{ errors: [{ code: 'advisor_none_yet' }] }, {}, {}],
    })
  })

  test('sharing automatically, by faculty, by two people at once', async () => {
    const [a, b] = [await instructor(), await instructor()]
    ok(await registrar('PUT', '/advisors/add-advisors', { instructor_ids: [a.id, b.id], max_advised: 4 }))
    for (let i = 0; i < 4; i++) await w.student()
    const elsewhere = await w.student({ faculty: 'other' })
    const before = ok(await registrar('GET', '/advisors/advisors-by-faculty'))
    const free = before.find((one: { faculty: { id: number } }) => one.faculty.id === w.faculty)
    expect(free).toMatchObject({ advisors: 2, places: 8, advised: 0, without: 7 })
    const both = await Promise.all([1, 2].map(() => registrar('PUT', '/advisors/assign-bulk-students', {})))
    expect(both.flatMap((one) => ok(one).done)).toHaveLength(7)
    expect(both.flatMap((one) => ok(one).failed)).toMatchObject(
      [1, 2].map(() => ({ id: elsewhere.id, errors: [{ code: 'advisor_none' }] })),
    )
    const counts = await w.query<{ n: number }>(
      'select count(*)::int as n from students where advisor_id is not null group by advisor_id',
    )
    expect(counts.map((row) => row.n).toSorted()).toEqual([3, 4])
    expect(ok(await stranger('PUT', '/advisors/assign-bulk-students', { student_ids: [] })).done).toEqual([])
    expect(
      (await stranger('POST', '/advisors/advised-students', {})).body.data.map((one: { id: number }) => one.id),
    ).toEqual([elsewhere.id])
    expect(ok(await registrar('POST', '/advisors/available-advisors', { student_ids: [elsewhere.id] }))).toEqual([])
    expect(ok(await registrar('GET', '/advisors/search-in-advisors?search=N')).length).toBeGreaterThan(1)
  })
})
