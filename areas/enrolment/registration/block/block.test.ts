import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { registrationServer } from '../registration.server.ts'

let u: TestUniversity
let w: RegistrationWorld
let registrar: Caller
let elective: number
const offered: Record<string, { id: number; lectures: number[] }> = {}

/** A bylaw by terms: two courses of the first level, two of the second beside an elective, and one of its spring. */
beforeAll(async () => {
  u = await testUniversity([catalogueServer, registrationServer])
  w = await registrationWorld(u)
  registrar = await u.as('registrar')
  await w.query(`update bylaws set program_type = 'term' where id = $1`, [w.bylaw])
  await w.query(
    `update program_courses pc set level = x.level, semester = x.semester from courses c
      join (values ('MA101', 1, 1), ('CS101', 1, 1), ('CS201', 2, 3), ('PH101', 2, 3), ('HU101', 2, 4)) as x (code, level, semester)
        on x.code = c.code where c.id = pc.course_id`,
  )
  const [pool] = await w.query<{ id: number }>(
    `insert into program_pools (program_id, name, name_local, min_credit_hours) values ($1, 'Pool', 'مجموعة', 3) returning id`,
    [w.program],
  )
  await w.query(
    `update program_courses set level = 2, semester = 3, kind = 'elective', pool_id = $1 where course_id = $2`,
    [pool!.id, w.courses.EN101],
  )
  // Levels open by promotion: whoever has passed nothing is in the second all the same.
  await w.query(`update courses set min_level = 2, min_passed_hours = 200 where id = any($1)`, [
    [w.courses.CS201, w.courses.PH101],
  ])
  for (const [i, course] of ['MA101', 'CS101', 'CS201', 'PH101', 'EN101'].entries())
    offered[course] = await w.offer(course, { day: i, period: 1, quota: 5 })
  elective = offered.EN101!.id
})
afterAll(() => u.close())

const block = (who: Caller, body: object = {}) => who('PUT', '/registrations/students/block', body)
const shown = async (who: Caller, query = '') => ok(await who('GET', `/registrations/students/block${query}`))
const courses = (data: any) => data.courses.map((one: any) => `${one.course.code} ${one.why} ${one.state}`).toSorted()
const registered = (id: number) =>
  w
    .query<{ code: string; status: string }>(
      `select c.code, r.status::text as status from registrations r join courses c on c.id = r.course_id
        where r.student_id = $1 and r.term_id = $2 order by 1`,
      [id, w.term],
    )
    .then((rows) => rows.map((row) => row.code))

test('the block is of a student who is named, and of a term that is there', async () => {
  for (const answer of [await registrar('GET', '/registrations/students/block'), await block(registrar)])
    expect([answer.status, reasons(answer)]).toEqual([422, ['required@student_id']])
  const answer = await registrar('POST', '/registrations/block/level', {
    term_id: 99_999_999,
    program_id: w.program,
    level: 2,
  })
  expect([answer.status, reasons(answer)]).toEqual([404, ['not_found@term_id']])
})

test('a student registers the whole block at once, without an advisor: the level, what is carried, electives by choice', async () => {
  const s = await w.student({ level: 2, gpa: '0.50', hours: 0, passed: ['MA101'], failed: ['CS101'] })
  await w.windows()
  // Nothing is registered while the window is closed, and nothing is written.
  expect(reasons(await block(s.as))).toContain('stage_closed')
  expect(await registered(s.id)).toEqual([])
  expect(await w.query('select from student_years where student_id = $1', [s.id])).toEqual([])
  await w.windows('register')
  const before = ['CS101 carried registered', 'CS201 level registered', 'PH101 level registered']
  expect(courses(await shown(s.as))).toEqual(before)
  expect(await registered(s.id)).toEqual([])
  const done = ok(await block(s.as, { electives: [elective] }))
  expect(courses(done)).toEqual([...before, 'EN101 elective registered'].toSorted())
  // 12 hours at a GPA of 0.50, courses of 200 hours, one that needs what was failed: none of it decides here.
  expect(await registered(s.id)).toEqual(['CS101', 'CS201', 'EN101', 'PH101'])
  const rows = await w.query<{ status: string }>(
    'select status::text as status from registrations where student_id = $1 and term_id = $2',
    [s.id, w.term],
  )
  // Registered, the failed course as a repeat.
  expect(rows.map((row) => row.status).toSorted()).toEqual(['262160', '262160', '262160', '262176'])
  const [year] = await w.query('select level, enrolment, chances_used from student_years where student_id = $1', [s.id])
  expect(year).toEqual({ level: 2, enrolment: 'new', chances_used: 1 })
  expect(reasons(await block(s.as))).toEqual(['block_nothing'])
  expect(await w.wrongSeats()).toEqual([])
})

test('what comes by the block is neither asked for by itself nor dropped; electives are', async () => {
  const s = await w.student({ level: 2, passed: ['MA101', 'CS101'] })
  await w.windows('register', 'add_drop', 'withdraw')
  const ask = (course: string) =>
    s.as('PUT', '/registrations/students/request-offering', {
      offerings: [{ offering_id: offered[course]!.id, offering_slot_ids: offered[course]!.lectures }],
    })
  expect(reasons(await ask('PH101'))).toEqual(['comes_by_block'])
  const chosen = ok(await ask('EN101'))
  expect(chosen[0].state).toBe('Registered')
  ok(await block(s.as))
  const mine = ok(await s.as('GET', '/registrations/students/requested-offerings'))
  expect(mine.load).toMatchObject({ by_marks: true, max_hours: null, max_courses: null, gpa: null, warnings: null })
  const of = (code: string) => mine.registrations.find((row: any) => row.course.code === code)
  expect(of('PH101').abilities).not.toContain('drop')
  expect(of('EN101').abilities).toContain('drop')
  const drop = (id: number) =>
    s.as('PUT', '/registrations/students/addDrop-offering', { action: 'drop', registration_ids: [id] })
  expect(reasons(await drop(of('PH101').id))).toEqual(['block_stays'])
  const leave = await s.as('PUT', '/registrations/students/withdraw-offering', { registration_ids: [of('PH101').id] })
  expect(reasons(leave)).toEqual(['block_stays'])
  ok(await drop(of('EN101').id))
})

test('holds and full groups refuse, course by course; the rest is registered', async () => {
  const held = await w.student({ level: 2, passed: ['MA101', 'CS101'] })
  await w.query(
    `insert into student_holds (student_id, kind, note, since) values ($1, 'unpaid_invoice', 'INV1', '2020-01-01')`,
    [held.id],
  )
  await w.windows('register')
  expect(reasons(await block(held.as))).toContain('hold_payment')
  const s = await w.student({ level: 2, passed: ['MA101', 'CS101'] })
  await w.query('update offering_slots set quota = taken where id = any($1)', [offered.PH101!.lectures])
  const done = ok(await block(registrar, { student_id: s.id }))
  expect(courses(done)).toEqual(['CS201 level registered', 'PH101 level refused'])
  expect(done.courses.find((one: any) => one.state === 'refused').errors[0].code).toBe('slot_full')
  expect(await registered(s.id)).toEqual(['CS201'])
  await w.query('update offering_slots set quota = 30 where id = any($1)', [offered.PH101!.lectures])
})

test('a course whose time is now and that nobody gives is told by its name and the term; the rest is registered', async () => {
  const s = await w.student({ level: 2, passed: ['MA101', 'CS101'] })
  await w.windows('register')
  const [course] = await w.query<{ id: number }>(
    `insert into courses (faculty_id, code, name, name_local, credit_hours) values ($1, 'CH101', 'CH101', 'CH101', 3) returning id`,
    [w.faculty],
  )
  const due = (semester: number) =>
    w.query(
      `insert into program_courses (program_id, course_id, level, semester, kind) values ($1, $2, 2, $3, 'mandatory')`,
      [w.program, course!.id, semester],
    )
  const taken = () => w.query('delete from program_courses where course_id = $1', [course!.id])
  // The plan asks for it in spring: it is not missed in the fall.
  await due(4)
  const others = ['CS201 level registered', 'PH101 level registered']
  expect(courses(await shown(registrar, `?student_id=${s.id}`))).toEqual(others)
  await taken()
  await due(3)
  const done = ok(await block(registrar, { student_id: s.id }))
  expect(courses(done)).toEqual(['CH101 level refused', ...others])
  const { errors } = done.courses.find((one: any) => one.state === 'refused')
  expect(errors).toMatchObject([{ code: 'block_not_offered', en: 'CH101 is not offered in T2' }])
  expect(await registered(s.id)).toEqual(['CS201', 'PH101'])
  await taken()
})

test('a level is registered as one, with a preview that writes nothing; doing it twice changes nothing', async () => {
  const ids: number[] = []
  for (let i = 0; i < 3; i++) ids.push((await w.student({ level: 1 })).id)
  const who = { term_id: w.term, program_id: w.program, level: 1, student_ids: ids }
  const preview = ok(await registrar('POST', '/registrations/block/preview', who))
  expect(preview).toMatchObject({ whole: 3, part: 0, none: 0, courses: 6 })
  expect(await registered(ids[0]!)).toEqual([])
  expect(ok(await registrar('POST', '/registrations/block/level', who))).toMatchObject({ whole: 3, courses: 6 })
  expect(await registered(ids[0]!)).toEqual(['CS101', 'MA101'])
  expect(ok(await registrar('POST', '/registrations/block/level', who))).toMatchObject({ nothing: 3, courses: 0 })
  expect(await w.wrongSeats()).toEqual([])
  // Two at once register everything once.
  const [more] = [await w.student({ level: 1 })]
  const [a, b] = await Promise.all(
    [1, 2].map(() => registrar('POST', '/registrations/block/level', { ...who, student_ids: [more.id] })),
  )
  expect([a!.status, b!.status]).toEqual([200, 200])
  expect(await registered(more.id)).toEqual(['CS101', 'MA101'])
})

test('the list of registrations says what a rating is called; a letter of credit hours stands for itself', async () => {
  const s = await w.student({ level: 1, passed: ['MA101'] })
  const listed = async () => ok(await registrar('POST', '/registrations', { filters: { student_id: s.id } }))[0]
  expect(await listed()).toMatchObject({ rating: null, rating_local: null })
  await w.query(`update registrations set maximum = 100, letter = 'VG' where student_id = $1`, [s.id])
  expect(await listed()).toMatchObject({ letter: 'VG', rating: 'Very good', rating_local: 'جيد جدًا' })
})

test('a level waits for the promotion from the year before; external students sit the exams alone', async () => {
  const s = await w.student({ level: 1 })
  const [before] = await w.query<{ id: number }>(
    `insert into years (code, name, name_local, start_date, end_date) values ('Y0', 'Before', 'قبل', university_today() - 700, university_today() - 400) returning id`,
  )
  const enter = (year: string, enrolment: string) =>
    w.query(
      `insert into student_years (student_id, year_id, bylaw_id, program_id, level, enrolment)
        select $1, y.id, $2, $3, 1, $5 from years y where y.code = $4`,
      [s.id, w.bylaw, w.program, year, enrolment],
    )
  expect(before).toBeDefined()
  await enter('Y0', 'new')
  const found = await block(registrar, { student_id: s.id })
  expect(reasons(found)).toEqual(['level_not_settled'])
  expect(found.status).toBe(409)
  await enter('Y', 'external')
  expect(courses(ok(await block(registrar, { student_id: s.id })))).toEqual([
    'CS101 level registered',
    'MA101 level registered',
  ])
  const [seats] = await w.query(
    'select count(*)::int as n from registration_slots x join registrations r on r.id = x.registration_id where r.student_id = $1',
    [s.id],
  )
  expect(seats).toEqual({ n: 0 })
})

test('whoever studies by credit hours has no block, and strangers see nothing', async () => {
  const s = await w.student({ level: 1 })
  const other = await w.student({ faculty: 'other' })
  const clerk = await u.as('registrar', ['faculty', w.otherFaculty])
  expect((await block(clerk, { student_id: s.id })).status).toBe(404)
  expect((await clerk('GET', `/registrations/students/block?student_id=${s.id}`)).status).toBe(404)
  expect((await other.as('GET', `/registrations/students/block?student_id=${s.id}`)).status).toBe(404)
  expect(
    (await s.as('POST', '/registrations/block/level', { term_id: w.term, program_id: w.program, level: 1 })).status,
  ).toBe(403)
  expect(
    ok(await clerk('POST', '/registrations/block/preview', { term_id: w.term, program_id: w.program, level: 1 })),
  ).toMatchObject({ courses: 0, students: [] })
  expect(reasons(await block(registrar, { student_id: s.id, electives: [offered.PH101!.id] }))).toEqual([
    'elective_not_in_plan@electives.0',
  ])
  await w.query(`update bylaws set program_type = 'credit_hours' where id = $1`, [w.bylaw])
  expect(reasons(await block(registrar, { student_id: s.id }))).toEqual(['block_student'])
  await w.query('update bylaws set program_type = null where id = $1', [w.bylaw])
  await w.query('update programs set program_type = null where id = $1', [w.program])
  expect(reasons(await block(registrar, { student_id: s.id }))).toEqual(['ProgramTypeError'])
  for (const what of ['preview', 'level'])
    expect(
      reasons(
        await registrar('POST', `/registrations/block/${what}`, { term_id: w.term, program_id: w.program, level: 1 }),
      ),
    ).toEqual(['ProgramTypeError'])
})
