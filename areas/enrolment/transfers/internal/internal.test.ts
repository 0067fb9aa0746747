import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { gradingServer } from '#areas/records/grading/grading.server.ts'
import { offerCourse } from '#areas/records/grading/testing.server.ts'
import { registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { settingsServer } from '#areas/common/settings/settings.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { seedTransfers, type TransferFixture } from '../testing.server.ts'
import { transfersServer } from '../transfers.server.ts'

let uni: TestUniversity
let f: TransferFixture
/** Of the faculty that is left, of the one that is joined, and of all. */
let left: Caller
let joined: Caller
let registrar: Caller
let head: Caller
const people = new Map<number, Caller>()

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
  left = await uni.as('faculty_registrar', ['faculty', f.faculty])
  joined = await uni.as('faculty_registrar', ['faculty', f.target.faculty])
  registrar = await uni.as('registrar')
  head = await uni.as('control_head')
  for (const id of f.students) {
    const { user_id } = await uni.as('student', undefined, { type: 3 })
    await q('update students set user_id = $1 where id = $2', [user_id, id])
    people.set(id, await uni.signIn(user_id))
  }
}, 180_000)
afterAll(() => uni?.close())

const ask = async (student: number, who = people.get(student)!, program_id = f.target.program) =>
  who('POST', `/transfer/internal/${student}/add`, { program_id, why: 'I want to work with data.' })
const details = async (id: number, who = joined) => ok(await who('GET', `/transfer/internal/details/${id}`)) as any
/** Decides everything as proposed. */
const confirm = async (id: number, change: (line: any) => object = () => ({})) => {
  const { equivalences } = await details(id)
  return ok(
    await joined('POST', `/transfer/internal/temp-courses/add/${id}`, {
      courses: equivalences.map((line: any) => ({
        id: line.id,
        course_id: line.course?.id ?? null,
        credit_hours: line.credit_hours,
        letter: line.letter,
        counts_in_gpa: line.counts_in_gpa,
        ...change(line),
      })),
    }),
  ) as any
}
const ready = async (student: number): Promise<number> => {
  const { id } = ok(await ask(student)) as { id: number }
  ok(await left('PUT', `/transfer/internal/${id}/agree`, {}))
  await confirm(id)
  return id
}
const line = (all: any[], code: string) => all.find((one) => one.source.code === code)

describe('an internal transfer', () => {
  test('goes into no program where the person has another record, also when it was opened meanwhile', async () => {
    const me = f.students.at(-1)!
    const id = await ready(me)
    expect((await details(id)).against).toEqual([])
    const [other] = await q(
      `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, user_id, is_second_record)
       select 'OTHER', name, name_local, $2, $3, $4, user_id, true from students where id = $1 returning id`,
      [me, f.target.faculty, f.target.program, f.target.bylaw],
    )
    expect(reasons(await joined('PUT', `/transfer/internal/${id}`, {}))).toEqual([
      'transfer_to_other_record@program_id',
    ])
    ok(await people.get(me)!('DELETE', `/transfer/internal/${id}`))
    expect(reasons(await ask(me))).toEqual(['transfer_to_other_record@program_id'])
    // A record that was removed stands in nobody's way.
    await q('update students set removed_at = now() where id = $1', [other.id])
    const { id: again } = ok(await ask(me)) as { id: number }
    ok(await people.get(me)!('DELETE', `/transfer/internal/${again}`))
    await q('delete from students where id = $1', [other.id])
  })

  test('from the request to the transcript: courses count, figures follow, the record so far stays', async () => {
    const me = f.students[0]!
    const own = people.get(me)!
    ok(await head('POST', '/control/students/finish', { term_id: f.fall, ids: [me] }))
    const before = await q('select * from student_terms where student_id = $1', [me])
    const pending = await offerCourse(uni.database, f, {
      course: 3,
      code: 's1',
      students: [me],
      term_id: f.spring,
      status: String(1048576n | 16n),
    })
    const running = await offerCourse(uni.database, f, { course: 3, code: 's2', students: [], term_id: f.spring })

    const { id } = ok(await ask(me)) as { id: number }
    // The student follows the own request, and sees neither rights nor reasons of staff.
    expect(
      (ok(await own('POST', '/transfer/internal/list', {})) as any[]).map((row) => [row.id, row.abilities]),
    ).toEqual([[id, ['cancel']]])
    const shown = await details(id)
    expect(
      shown.equivalences.map((one: any) => [
        one.source.code,
        one.course?.code ?? null,
        one.letter,
        one.origin,
        one.state,
      ]),
    ).toEqual([
      ['CS101', 'CS101', 'A+', 'same', 'proposed'],
      ['CS102', 'DS201', 'B', 'equal', 'proposed'],
      ['CS103', null, null, 'hand', 'none'],
    ])
    expect(shown.against.map((one: any) => one.code)).toEqual(['transfer_not_agreed', 'transfer_undecided'])
    // What executing does is said of this student: which requests go.
    expect(shown.executing.requests.map((one: any) => one.code)).toEqual(['CS104'])
    expect(shown.executing.running).toEqual([])
    expect(reasons(await joined('PUT', `/transfer/internal/${id}`, {}))).toEqual([
      'transfer_not_agreed',
      'transfer_undecided',
    ])

    ok(await left('PUT', `/transfer/internal/${id}/agree`, {}))
    // CS103 counts as DS202 by hand, without a grade; its outcome is told before.
    const change = (one: any) =>
      one.source.code === 'CS103'
        ? { course_id: f.target.courses[1], credit_hours: 2, letter: null, counts_in_gpa: false }
        : {}
    const outcome = ok(
      await joined('POST', `/transfer/internal/outcome/${id}`, {
        courses: [{ id: line(shown.equivalences, 'CS103').id, course_id: f.target.courses[1], credit_hours: 2 }],
      }),
    ) as any
    expect(outcome).toMatchObject({
      hours: { required: 12, earned: 8, state: 'missing' },
      gpa: { actual: '3.50' },
      level: 2,
      groups: [{ missing: [{ code: 'DS203' }] }],
    })
    const decided = await confirm(id, change)
    expect(decided.against).toEqual([])
    expect(decided.abilities).toContain('execute')
    ok(await joined('PUT', `/transfer/internal/${id}`, {}))

    const [student] = await q(
      'select faculty_id, program_id, bylaw_id, level, gpa, passed_hours::float8 as passed, advisor_id from students where id = $1',
      [me],
    )
    expect(student).toEqual({
      faculty_id: f.target.faculty,
      program_id: f.target.program,
      bylaw_id: f.target.bylaw,
      level: 2,
      gpa: '3.50',
      passed: 8,
      advisor_id: null,
    })
    // The request for a course that waited was rejected; the finished term stands as it was.
    expect(await q('select from registrations where id = $1', [pending.registrations[0]])).toHaveLength(0)
    expect(await q('select * from student_terms where student_id = $1', [me])).toEqual(before)
    expect(await q(`select key from notifications where user_id = $1 order by id`, [own.user_id])).toEqual(
      expect.arrayContaining([{ key: 'registration.notice_rejected_reason' }, { key: 'transfers.notice_internal' }]),
    )
    // Grades show both: the terms of then, and what was credited.
    const grades = (await own('GET', '/students/terms_grades')).body.data
    expect(grades.terms.map((one: any) => [one.term.code, one.courses.length, one.result?.gpa])).toEqual([
      ['2025-1', 3, '3.10'],
    ])
    expect(grades.credits.map((one: any) => [one.course.code, one.letter, one.source.code])).toEqual([
      ['CS101', 'A+', 'CS101'],
      ['DS201', 'B', 'CS102'],
      ['DS202', null, 'CS103'],
    ])
    expect(ok(await own('POST', '/students/dashboard', {}))).toMatchObject({
      hours: { passed: 8 },
      current: { courses: [] },
    })
    const plan = (await own('GET', '/students/study-plan')).body.data
    expect(plan.hours).toMatchObject({ required: 12, earned: 8 })
    expect(plan.gpa.actual).toBe('3.50')
    const paper = await registrar('POST', `/students/${me}/transcript/en`, { all: false })
    expect([paper.status, paper.bytes.subarray(0, 4).toString()]).toEqual([200, '%PDF'])
    const decision = await own('GET', `/transfer/internal/decision/${id}/ar`)
    expect([decision.status, decision.bytes.subarray(0, 4).toString()]).toEqual([200, '%PDF'])

    // Spring in the new program: cumulative figures stand on what was credited, under the new bylaw.
    await q(
      `insert into registrations (student_id, offering_id, term_id, course_id, credit_hours, status, letter, points, total, passed, counts_in_gpa, counts_in_attempted_hours)
      values ($1, $2, $3, $4, 3, $5, 'C', 2.4, 62, true, true, true)`,
      [me, running.id, f.spring, f.courses[3], String(262144n | 16n)],
    )
    await q(`update offerings set control_status = 'Published' where id = $1`, [running.id])
    ok(await head('POST', '/control/students/finish', { term_id: f.spring, ids: [me] }))
    const [row] = await q(
      'select cumulative_gpa, cumulative_passed_hours::float8 as passed, level from student_terms where student_id = $1 and term_id = $2',
      [me, f.spring],
    )
    // (4 × 3 + 3 × 3 + 2.4 × 3) / 9
    expect(row).toEqual({ cumulative_gpa: '3.13', passed: 11, level: 2 })
    // Recomputing finds nothing else, in the record of then either.
    expect(
      (await head('POST', '/control/students/recompute', { term_id: f.fall, ids: [me] })).body.differences,
    ).toEqual([])
  })

  test('an earlier decision comes first, also one that a course counts as nothing', async () => {
    const [, second] = f.students as [number, number]
    const { id } = ok(await ask(second)) as { id: number }
    const { equivalences } = await details(id)
    expect(line(equivalences, 'CS103')).toMatchObject({
      course: { code: 'DS202' },
      credit_hours: 2,
      letter: null,
      origin: 'decision',
    })
    const one = ok(await joined('GET', `/transfer/internal/temp-courses/${id}/details/${f.courses[2]}`)) as any
    expect(one.earlier).toHaveLength(1)
    ok(await people.get(second)!('DELETE', `/transfer/internal/${id}`, {}))
    expect((await details(id)).status).toBe('cancelled')
  })

  test('two officers execute the same: one wins, the other is told', async () => {
    const id = await ready(f.students[2]!)
    const answers = await Promise.all([joined, registrar].map((who) => who('PUT', `/transfer/internal/${id}`, {})))
    expect(answers.map((one) => one.status).toSorted()).toEqual([200, 409])
    expect(reasons(answers.find((one) => one.status === 409)!)).toEqual(['step_state'])
    expect(await q('select count(*)::int as n from former_studies where student_id = $1', [f.students[2]])).toEqual([
      { n: 1 },
    ])
    expect((await people.get(f.students[2]!)!('DELETE', `/transfer/internal/${id}`, {})).status).toBe(409)
    expect(reasons(await joined('POST', `/transfer/internal/temp-courses/add/${id}`, { courses: [] }))).toEqual([
      'transfer_decided',
    ])
    // Once a term.
    expect(reasons(await ask(f.students[2]!, undefined, f.program))).toEqual(['transfer_again'])
    const terms = await q('delete from current_terms returning key, term_id')
    expect(reasons(await ask(f.students[3]!))).toEqual(['transfer_no_term'])
    for (const { key, term_id } of terms)
      await q('insert into current_terms (key, term_id) values ($1, $2)', [key, term_id])
  })

  test('of two who take the last place, one gets it', async () => {
    const ids = [await ready(f.students[3]!), await ready(f.students[4]!)]
    await q(
      'update programs set transfer_places = (select count(*) from internal_transfers where status = $2) + 1 where id = $1',
      [f.target.program, 'executed'],
    )
    const answers = await Promise.all(ids.map((id) => joined('PUT', `/transfer/internal/${id}`, {})))
    expect(answers.map((one) => one.status).toSorted()).toEqual([200, 409])
    expect(answers.flatMap((one) => (one.status === 409 ? reasons(one) : []))).toEqual(['transfer_places@program_id'])
    const lost = ids[answers.findIndex((one) => one.status === 409)]!
    ok(await joined('PUT', `/transfer/internal/${lost}/reject`, { reason: 'No place is left.' }))
    ok(await joined('POST', `/transfer/${lost}/delete`, { reason: 'Entered twice.' }))
    expect(
      (ok(await joined('POST', '/transfer/internal/list', { perPage: 50 })) as any[]).map((row) => row.id),
    ).not.toContain(lost)
    await q('update programs set transfer_places = null', [])
  })

  test('who may not: others see nothing, the source does not execute, the target does not agree, nobody decides the own', async () => {
    const student = f.students[5]!
    const id = (ok(await ask(student)) as { id: number }).id
    const elsewhere = await uni.as('faculty_registrar', [
      'faculty',
      (await q(`insert into faculties (code, name, name_local) values ('FX', 'FX', 'كلية') returning id`))[0].id,
    ])
    for (const path of [
      `/transfer/internal/${id}`,
      `/transfer/internal/details/${id}`,
      `/transfer/internal/temp-courses/${id}`,
      `/transfer/internal/courses-equivalent/${id}`,
      `/transfer/internal/steps/${id}`,
    ])
      expect((await elsewhere('GET', path)).status, path).toBe(404)
    expect((await elsewhere('PUT', `/transfer/internal/${id}`, {})).status).toBe(404)
    expect((await people.get(f.students[1]!)!('GET', `/transfer/internal/details/${id}`)).status).toBe(404)
    expect(
      (
        await people.get(f.students[1]!)!('POST', `/transfer/internal/${student}/add`, {
          program_id: f.target.program,
          why: 'For him.',
        })
      ).status,
    ).toBe(404)
    expect((await people.get(student)!('PUT', `/transfer/internal/${id}`, {})).status).toBe(403)
    expect(reasons(await left('PUT', `/transfer/internal/${id}`, {}))).toContain('step_permission')
    expect(reasons(await joined('PUT', `/transfer/internal/${id}/agree`, {}))).toContain('step_permission')
    expect((await left('POST', `/transfer/internal/temp-courses/add/${id}`, { courses: [] })).status).toBe(403)
    expect(reasons(await ask(student))).toEqual(['internal_transfer_pending'])
    // Nobody decides what the own courses count as, by no other door either.
    const [{ user_id }] = await q('select user_id from students where id = $1', [student])
    await q('update students set user_id = $2 where id = $1', [student, joined.user_id])
    expect(reasons(await joined('POST', `/transfer/internal/temp-courses/add/${id}`, { courses: [] }))).toEqual([
      'step_own',
    ])
    await q('update students set user_id = $2 where id = $1', [student, user_id])
    // The program that is joined stays under its bylaw while somebody is on the way to it.
    await expect(q('update programs set bylaw_id = $2 where id = $1', [f.target.program, f.bylaw])).rejects.toThrow(
      /program_relied_on/,
    )
    // Staff that entered it do not decide on it.
    ok(await people.get(student)!('DELETE', `/transfer/internal/${id}`, {}))
    const entered = (ok(await ask(student, left)) as { id: number }).id
    expect(reasons(await left('PUT', `/transfer/internal/${entered}/agree`, {}))).toEqual(['step_own'])
    ok(await left('DELETE', `/transfer/internal/${entered}`, {}))
  })

  test('a debt and results that are not published stand against it, each in its words', async () => {
    const student = f.students[5]!
    const id = await ready(student)
    await q(`insert into student_holds (student_id, kind) values ($1, 'unpaid_invoice')`, [student])
    await q(`update offerings set control_status = 'Approved' where term_id = $1`, [f.fall])
    expect(reasons(await joined('PUT', `/transfer/internal/${id}`, {})).toSorted()).toEqual([
      'transfer_debt',
      'transfer_results_open',
    ])
    await q(`update offerings set control_status = 'Published' where term_id = $1`, [f.fall])
    expect(reasons(await ask(f.students[5]!))).toContain('transfer_debt')
    await q('update student_holds set lifted_at = now()', [])
    // A course passed meanwhile is to be decided on before.
    const late = await offerCourse(uni.database, f, { course: 3, code: 'late', students: [student], term_id: f.fall })
    await q(
      `update registrations set letter = 'A', points = 4, total = 90, passed = true, counts_in_gpa = true where id = $1`,
      [late.registrations[0]],
    )
    await q(`update offerings set control_status = 'Published' where id = $1`, [late.id])
    expect(reasons(await joined('PUT', `/transfer/internal/${id}`, {}))).toEqual(['transfer_undecided'])
    const wrong = await joined('POST', `/transfer/internal/temp-courses/add/${id}`, {
      courses: (await details(id)).equivalences.slice(0, 2).map((one: any) => ({
        id: one.id,
        course_id: f.target.courses[2],
        credit_hours: 4,
        letter: 'F',
        counts_in_gpa: true,
      })),
    })
    expect([...new Set(reasons(wrong).map((one) => one.split('@')[0]))].toSorted()).toEqual([
      'equivalence_course_twice',
      'equivalence_hours',
      'equivalence_letter',
    ])
    await confirm(id)
    ok(await joined('PUT', `/transfer/internal/${id}`, {}))
  })

  test('a course that an equivalence names leaves the plan: nothing is credited until it is decided on anew', async () => {
    const student = f.students[1]!
    const id = await ready(student)
    const before = await details(id)
    const ds201 = line(before.equivalences, 'CS102')
    expect(ds201.course.code).toBe('DS201')
    // It stays while anything names it, but the plan can do without.
    const kept = await registrar('DELETE', `/courses/${f.target.courses[0]}`, {})
    expect([kept.status, kept.body.errors[0].data.by]).toEqual([409, expect.arrayContaining(['equivalences'])])
    await q('delete from program_courses where course_id = $1', [f.target.courses[0]])
    expect((await details(id)).against).toMatchObject([{ code: 'transfer_course_gone', data: { courses: 'DS201' } }])
    expect(reasons(await joined('PUT', `/transfer/internal/${id}`, {}))).toEqual(['transfer_course_gone'])
    expect(await q('select from course_credits where student_id = $1', [student])).toHaveLength(0)
    await confirm(id, (one) =>
      one.source.code === 'CS102' ? { course_id: null, credit_hours: null, letter: null, counts_in_gpa: false } : {},
    )
    ok(await joined('PUT', `/transfer/internal/${id}`, {}))
    expect(await q('select count(*)::int as n from course_credits where student_id = $1', [student])).toEqual([
      { n: 2 },
    ])
  })

  test('sheets hold what the reader sees', async () => {
    for (const path of ['/transfer/internal/export_excel', '/transfer/internal/equivalent/export_excel']) {
      const answer = await joined('POST', path, {})
      expect([answer.status, answer.bytes.subarray(0, 2).toString()], path).toEqual([200, 'PK'])
    }
    expect(ok(await registrar('POST', '/transfer/lookups/get', {}))).toMatchObject({
      student: null,
      programs: expect.any(Array),
    })
    expect((await people.get(f.students[1]!)!('POST', '/transfer/internal/export_excel', {})).status).toBe(200)
  })
})
