import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { flag } from '#areas/common/academics/status.rules.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { undoOperation } from '#kit/server/unit/undo.ts'
import { testUniversity, type TestUniversity } from '#tests/university.ts'
import { expectSound } from '#tests/sound.ts'
import { readBundle } from './bundle/bundle.server.ts'
import { oneRosterServer } from './oneroster.server.ts'
import { sampleBundle, sampleBytes } from './sample.server.ts'
import type { SampleFiles } from './sample.server.ts'
import { importBundle, planImport } from './store/import.server.ts'
import type { ImportDifference } from './store/import.server.ts'

let u: TestUniversity
beforeAll(async () => {
  u = await testUniversity([kitServer, oneRosterServer])
})
afterAll(async () => {
  await expectSound(u.database.url)
  await u.close()
})

const read = (files: SampleFiles) => readBundle({ files: sampleBytes(files) })
const run = async (files: SampleFiles, removals: number | null = null): Promise<ImportDifference> => {
  const { rows, source, errors } = await read(files)
  expect(errors).toEqual([])
  return importBundle(asSystem(u.services, 'test'), source, rows!, { removals })
}
const plan = async (files: SampleFiles): Promise<ImportDifference> => {
  const { rows, source } = await read(files)
  return planImport(asSystem(u.services, 'test'), source, rows!)
}
const query = async <Row = Record<string, any>>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const one = async (text: string, values: unknown[] = []) => (await query(text, values))[0]!

let source = 0
/** A university of its own for each test: another source, other codes. */
let base: SampleFiles
let mark: string
beforeEach(() => {
  mark = `x${++source}`
  base = Object.fromEntries(
    Object.entries(sampleBundle({ students: 20, courses: 6, load: 3 })).map(([name, text]) => [
      name,
      text
        .replaceAll('sample.example.edu', `${mark}.example.edu`)
        .replace('systemCode,sample', `systemCode,${mark}`)
        .replaceAll('S26', `${mark}S26`)
        .replaceAll('T001', `${mark}T001`)
        .replaceAll(/,S(\d{3}),/g, `,${mark}S$1,`)
        .replaceAll(',SCI,', `,${mark}SCI,`)
        .replaceAll(',MATH,', `,${mark}MATH,`)
        .replaceAll('2026/2027', `${mark} 2026`)
        .replaceAll('Fall 2026', `${mark} Fall`),
    ]),
  )
})
const change = (files: SampleFiles, file: string, from: string | RegExp, to: string): SampleFiles => {
  const text = files[file]!.replace(from, to)
  expect(text, `${file}: ${String(from)}`).not.toBe(files[file])
  return { ...files, [file]: text }
}
const add = (files: SampleFiles, file: string, ...rows: string[]): SampleFiles => ({
  ...files,
  [file]: files[file] + rows.map((row) => `${row}\r\n`).join(''),
})
/** Codes of the courses a student of this university is in, with the class. */
const classesOf = async (student: number): Promise<string[]> =>
  (
    await query<{ what: string }>(
      `select c.code || ' ' || o.code as what from registrations r join students s on s.id = r.student_id
         join offerings o on o.id = r.offering_id join courses c on c.id = o.course_id
         join registration_slots rs on rs.registration_id = r.id
       where s.code = $1 order by 1`,
      [`${mark}S26${String(student).padStart(4, '0')}`],
    )
  ).map(({ what }) => what.replaceAll(mark, ''))
/** Every seat is held by a live registration, and no slot holds more than it may. */
const seatsAgree = async () =>
  expect(
    await query(`select s.id from offering_slots s left join registration_slots rs on rs.offering_slot_id = s.id
      group by s.id having s.taken <> count(rs.registration_id) or s.taken > s.quota`),
  ).toEqual([])

describe('one person, several roles', () => {
  test('a student who helps in another class is one account, one student and one instructor; everybody is registered where they belong', async () => {
    // Ids of instructors run ahead of those of students, so that mixing them would show.
    await query(`insert into instructors (code, name, name_local, faculty_id)
      select '${mark}-' || n, 'x', 'س', (select min(id) from faculties) from generate_series(1, 7) n where exists (select from faculties)`)
    await run(
      add(
        base,
        'enrollments',
        'aide-1,active,,class-0,org-1,student-3,aide,,,',
        'aide-2,active,,class-4,org-1,student-7,teacher,,,',
      ),
    )
    const people = await query(
      `select u.type, s.user_id = u.id as studies, i.user_id = u.id as teaches, s.code = i.code as same,
         (select array_agg(r.key order by r.key) from role_assignments a join roles r on r.id = a.role_id where a.user_id = u.id) as roles
       from students s join users u on u.id = s.user_id join instructors i on i.user_id = u.id where s.code like $1 order by s.code`,
      [`${mark}S%`],
    )
    expect(people).toEqual(
      [0, 1].map(() => ({ type: 3, studies: true, teaches: true, same: true, roles: ['instructor', 'student'] })),
    )
    const wrong = await query(
      `select s.code from students s join users u on u.id = s.user_id where s.code like $1 and u.email not like 's' || substr(s.code, length($2) + 4)::int || '@%'`,
      [`${mark}S%`, mark],
    )
    expect(wrong).toEqual([])
    const { bundle } = { bundle: await read(base) }
    expect(bundle.rows!.enrollments.count).toBe(
      (
        await one(
          `select count(*)::int as n from registrations r join students s on s.id = r.student_id where s.code like $1`,
          [`${mark}S%`],
        )
      ).n,
    )
    expect(
      await query(
        `select i.code, oi.role, o.code as class from offering_instructors oi join instructors i on i.id = oi.instructor_id
           join offerings o on o.id = oi.offering_id where i.code like $1 order by 1`,
        [`${mark}S%`],
      ),
    ).toEqual([
      { code: `${mark}S260003`, role: 'assistant', class: 'S0-1' },
      { code: `${mark}S260007`, role: 'instructor', class: 'S4-1' },
    ])
  })
  test('a student who teaches from the second import on overwrites nobody', async () => {
    await run(base)
    const before = await query('select id, code, name from instructors order by id')
    await run(add(base, 'enrollments', 'aide-1,active,,class-5,org-1,student-3,teacher,,,'))
    const after = await query('select id, code, name from instructors order by id')
    expect(after.slice(0, before.length)).toEqual(before)
    expect(after.at(-1)).toMatchObject({ code: `${mark}S260003`, name: 'Student No3' })
    // Without classes to teach the person stays what was known, and does not become a student.
    const { counts } = await run(change(base, 'enrollments', /teach-[\s\S]*$/, ''))
    expect(counts.student.created).toBe(0)
  })
  test('the database keeps kinds apart', async () => {
    await run(base)
    const { id } = await one('select min(id) as id from students')
    await expect(
      query(`insert into external_ids (source, kind, external_id, student_id) values ('y', 'instructor', '1', $1)`, [
        id,
      ]),
    ).rejects.toThrow(/external_ids_kind/)
    await expect(
      query(
        `insert into external_ids (source, kind, external_id, instructor_id) values ('y', 'instructor', '1', 99999)`,
      ),
    ).rejects.toThrow(/foreign key/)
  })
})

describe('what a second import reports is stored', () => {
  test('an enrolment moved to another class of the course, and one moved to another course', async () => {
    const two = add(base, 'classes', 'class-0b,active,,Class 0 B,,course-0,S0-2,scheduled,,org-1,term-1,,,')
    await run(two)
    const before = await classesOf(0)
    const moved = change(
      change(two, 'enrollments', 'enr-0-0,active,2026-06-01T00:00:00.000Z,class-0,', 'enr-0-0,active,,class-0b,'),
      'enrollments',
      'enr-2-0,active,2026-06-01T00:00:00.000Z,class-0,',
      'enr-2-0,active,,class-5,',
    )
    const told = await plan(moved)
    expect(told.counts.registration).toMatchObject({ created: 0, changed: 2, gone: 0 })
    expect(
      told.changes.filter((c) => c.kind === 'registration' && c.action === 'changed').map((c) => c.old),
    ).toHaveLength(2)
    const { counts } = await run(moved)
    expect(counts.registration).toMatchObject({ created: 0, changed: 2, gone: 0 })
    expect(before).toContain('S000 S0-1')
    expect(await classesOf(0)).toContain('S000 S0-2')
    expect(await classesOf(0)).not.toContain('S000 S0-1')
    expect(await classesOf(2)).toContain('S005 S5-1')
    expect(await classesOf(2)).not.toContain('S000 S0-1')
    await seatsAgree()
    expect((await run(moved)).counts.registration).toMatchObject({ created: 0, changed: 0, gone: 0, left: 0 })
    // And back again.
    expect((await run(two)).counts.registration).toMatchObject({ created: 0, changed: 2, left: 0 })
    expect(await classesOf(0)).toEqual(before)
    expect(await classesOf(2)).toContain('S000 S0-1')
    await seatsAgree()
    // The history leads from nothing to the present state.
    expect(
      await query(`select r.id from registrations r where r.status <> (select h.to_status from registration_history h
        where h.registration_id = r.id order by h.id desc limit 1)`),
    ).toEqual([])
  })
  test('a class moved to another course and term takes its meetings and registrations along', async () => {
    const more = add(
      add(base, 'academicSessions', `term-2,active,,${mark} Spring,term,2027-02-01,2027-06-01,year-1,2027`),
      'courses',
      `course-9,active,,year-1,Course 9,${mark}S009,,org-1,,`,
    )
    await run(more)
    const moved = change(
      more,
      'classes',
      ',course-0,S0-1,scheduled,,org-1,term-1',
      ',course-9,S0-1,scheduled,,org-1,term-2',
    )
    await run(moved)
    const rows = await query(
      `select distinct c.code as course, t.name as term, os.term_id = o.term_id as meets, r.course_id = o.course_id as follows
       from offerings o join courses c on c.id = o.course_id join terms t on t.id = o.term_id
         join offering_slots os on os.offering_id = o.id join registrations r on r.offering_id = o.id
       where c.code in ($1, $2)`,
      [`${mark}S009`, `${mark}S000`],
    )
    expect(rows).toEqual([{ course: `${mark}S009`, term: `${mark} Spring`, meets: true, follows: true }])
  })
  test('a new e-mail is that of the record and of the account', async () => {
    await run(base)
    await run(change(base, 'users', `s4@${mark}.example.edu`, `new4@${mark}.example.edu`))
    expect(
      await one(
        `select s.email as record, u.email as account from students s join users u on u.id = s.user_id where s.code = $1`,
        [`${mark}S260004`],
      ),
    ).toEqual({ record: `new4@${mark}.example.edu`, account: `new4@${mark}.example.edu` })
  })
  test('departments and courses that move to another faculty, students with their general program', async () => {
    const two = add(base, 'orgs', `org-9,active,,School of Nine,school,${mark}NIN,org-0`)
    await run(two)
    let moved = change(two, 'orgs', `${mark}MATH,org-1`, `${mark}MATH,org-9`)
    moved = change(moved, 'users', /(student-1,.*),org-1,/, '$1,org-9,')
    await run(moved)
    const nine = (await one(`select id from faculties where code = $1`, [`${mark}NIN`])).id
    expect(await one(`select faculty_id from departments where code = $1`, [`${mark}MATH`])).toEqual({
      faculty_id: nine,
    })
    expect(await one(`select faculty_id from courses where code = $1`, [`${mark}S000`])).toEqual({ faculty_id: nine })
    expect(
      await one(
        `select s.faculty_id, p.faculty_id as program from students s join programs p on p.id = s.program_id where s.code = $1`,
        [`${mark}S260001`],
      ),
    ).toEqual({ faculty_id: nine, program: nine })
  })
  test('a teacher who is replaced leaves the team', async () => {
    const two = add(
      base,
      'users',
      `teacher-2,active,,true,t2,,Second,Teacher,,${mark}T002,t2@${mark}.example.edu,,,,,,,,,,,org-2,`,
    )
    await run(two)
    await run(change(two, 'enrollments', /(teach-0,.*),teacher-1,/, '$1,teacher-2,'))
    expect(
      await query(
        `select i.code from offering_instructors oi join instructors i on i.id = oi.instructor_id
           join offerings o on o.id = oi.offering_id join courses c on c.id = o.course_id where c.code = $1`,
        [`${mark}S000`],
      ),
    ).toEqual([{ code: `${mark}T002` }])
  })
  /** A registration that nobody imported. */
  const byHand = (course: string, student: string) =>
    query(
      `with o as (select o.* from offerings o join courses c on c.id = o.course_id where c.code = $1),
         r as (insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours)
           select s.id, o.id, o.term_id, o.course_id, 262160, 3 from o, students s where s.code = $2 returning *),
         h as (insert into registration_history (registration_id, student_id, offering_id, action, to_status)
           select id, student_id, offering_id, 'enroll', status from r)
       insert into registration_slots (registration_id, offering_slot_id)
         select r.id, os.id from r join offering_slots os on os.offering_id = r.offering_id`,
      [`${mark}${course}`, `${mark}${student}`],
    )
  test('a class stays in its course when one of its students takes the other course by hand, and is told', async () => {
    const two = add(
      add(base, 'courses', `course-9,active,,year-1,Course 9,${mark}S009,,org-1,,`),
      'classes',
      'class-9,active,,Class 9,,course-9,S9-1,scheduled,,org-1,term-1,,,',
    )
    await run(two)
    await byHand('S009', 'S260000')
    const before = await classesOf(0)
    expect(before).toEqual(expect.arrayContaining(['S000 S0-1', 'S009 S9-1']))
    const moved = change(two, 'classes', ',course-0,S0-1,', ',course-9,S0-1,')
    const { changes } = await run(moved)
    expect(changes.filter((c) => c.kind === 'offering')).toMatchObject([
      { action: 'left', reason: 'roster_left_clash' },
    ])
    expect(await classesOf(0)).toEqual(before)
    await seatsAgree()
  })
  test('a registration made by hand is listed and left, and keeps nothing from being imported', async () => {
    await run(base)
    await byHand('S005', 'S260000')
    const more = add(base, 'enrollments', 'enr-hand,active,,class-5,org-1,student-0,student,,,')
    const { counts, changes } = await run(more)
    expect(counts.registration).toMatchObject({ created: 0, left: 1 })
    expect(changes.find((c) => c.kind === 'registration')).toMatchObject({
      action: 'left',
      reason: 'roster_left_by_hand',
    })
  })
  test('what is submitted to control stays as it is and is told', async () => {
    await run(base)
    await query(
      `update offerings o set control_status = 'Submitted' from courses c where c.id = o.course_id and c.code = any($1)`,
      [[`${mark}S000`, `${mark}S005`]],
    )
    const moved = change(
      base,
      'enrollments',
      'enr-0-0,active,2026-06-01T00:00:00.000Z,class-0,',
      'enr-0-0,active,,class-5,',
    )
    const before = await classesOf(0)
    const { changes } = await run(moved)
    expect(await classesOf(0)).toEqual(before)
    expect(changes.filter((c) => c.reason === 'roster_left_submitted').length).toBeGreaterThan(0)
  })
})

describe('what people own is theirs', () => {
  test('an Arabic name, a phone and an e-mail changed here stay and are listed; the rest follows', async () => {
    await run(base)
    const code = `${mark}S260004`
    await query(
      `update students set name_local = 'طالب رابع', phone = '0100', email = 'own@${mark}.edu' where code = $1`,
      [code],
    )
    const changed = change(
      change(base, 'users', `s4@${mark}.example.edu`, `new4@${mark}.example.edu`),
      'users',
      'Student,No4,',
      'Student,Four,',
    )
    const { changes } = await run(changed)
    expect(await one('select name, name_local, phone, email from students where code = $1', [code])).toEqual({
      name: 'Student Four',
      name_local: 'طالب رابع',
      phone: '0100',
      email: `own@${mark}.edu`,
    })
    const left = changes.filter((c) => c.kind === 'student' && c.action === 'left')
    expect(left.map((c) => c.field).toSorted()).toEqual(['email', 'name_local'])
    expect(left.every((c) => c.reason === 'roster_left_edited')).toBe(true)
  })
  test('who was dropped or removed here stays so, and is listed', async () => {
    await run(base)
    const become = (state: bigint) =>
      query(`update registrations r set status = $2 from students s where s.id = r.student_id and s.code = $1`, [
        `${mark}S260004`,
        (state | flag.Fresh).toString(),
      ])
    await become(flag.Dropped)
    await query('update students set removed_at = now() where code = $1', [`${mark}S260005`])
    const { changes } = await run(base)
    const left = (kind: string) => changes.filter((c) => c.kind === kind && c.action === 'left').map((c) => c.reason)
    expect(left('registration').filter((reason) => reason === 'roster_left_dropped')).toHaveLength(3)
    expect(left('student')).toEqual(['roster_left_removed'])
    await become(flag.Registered)
  })
  test('an address that somebody of this university has is taken, and nothing is stored', async () => {
    await query(`insert into users (type, name, name_local, email) values (2, 'Own', 'Own', $1)`, [
      `s4@${mark}.example.edu`,
    ])
    await expect(run(base)).rejects.toMatchObject({
      status: 422,
      reasons: [
        { field: 'file', code: 'bundle_has_errors', data: { count: 1 } },
        { field: 'users.csv:6:email', code: 'roster_email_taken' },
      ],
    })
    expect(await query('select from students where code = $1', [`${mark}S260000`])).toEqual([])
  })
})

describe('removals', () => {
  const without = (files: SampleFiles, student: number): SampleFiles => ({
    ...files,
    users: files
      .users!.split('\r\n')
      .filter((l) => !l.startsWith(`student-${student},`))
      .join('\r\n'),
    enrollments: files
      .enrollments!.split('\r\n')
      .filter((l) => !l.startsWith(`enr-${student}-`))
      .join('\r\n'),
  })
  test('nothing is removed without consent; with the number it is, and comes back when it is in the bundle again', async () => {
    await run(base)
    const less = without(base, 3)
    const told = await plan(less)
    expect(told.removals).toMatchObject({ count: 4, asks: false })
    expect((await run(less)).counts.registration).toMatchObject({ gone: 3, removed: 0 })
    expect(await classesOf(3)).toHaveLength(3)
    await expect(run(less, 3)).rejects.toMatchObject({ status: 409, reasons: [{ code: 'roster_removals_differ' }] })
    expect((await run(less, 4)).counts).toMatchObject({
      registration: { removed: 3 },
      user: { removed: 1 },
      student: { removed: 1 },
    })
    expect(await classesOf(3)).toEqual([])
    await seatsAgree()
    expect((await run(less)).counts.registration).toMatchObject({ gone: 0 })
    await run(base)
    expect(await classesOf(3)).toHaveLength(3)
    expect(await one('select removed_at from students where code = $1', [`${mark}S260003`])).toEqual({
      removed_at: null,
    })
    await seatsAgree()
  })
  test('much of the university at once asks for its number; a row marked for removal is one that is gone', async () => {
    await run(base)
    const half = Array.from({ length: 10 }, (_, n) => n).reduce(without, base)
    expect((await plan(half)).removals).toMatchObject({ asks: true, count: 40 })
    const marked = change(base, 'enrollments', 'enr-4-0,active', 'enr-4-0,tobedeleted')
    expect((await plan(marked)).counts.registration).toMatchObject({ gone: 1 })
  })
  test('who has a result stays, and the house of the university is only told of', async () => {
    const two = add(base, 'orgs', `org-9,active,,School of Nine,school,${mark}NIN,org-0`)
    await run(two)
    await query(`update registrations r set letter = 'A' from students s where s.id = r.student_id and s.code = $1`, [
      `${mark}S260003`,
    ])
    const { changes } = await plan(without(base, 3))
    const reasons = (kind: string) => changes.filter((c) => c.kind === kind && c.reason).map((c) => c.reason)
    expect(reasons('student')).toEqual(['roster_left_in_use'])
    expect(reasons('faculty')).toEqual(['roster_left_structure'])
  })
})

describe('what a bundle may hold', () => {
  test('a class of two terms, a person in a class for two periods, direction marks in a name', async () => {
    let files = add(base, 'academicSessions', `term-2,active,,${mark} Spring,term,2027-02-01,2027-06-01,year-1,2027`)
    files = change(files, 'classes', 'S0-1,scheduled,,org-1,term-1', 'S0-1,scheduled,,org-1,"term-1,term-2"')
    files = add(files, 'enrollments', 'enr-0-again,active,,class-1,org-1,student-0,student,,2026-11-01,2027-01-01')
    files = change(files, 'users', 'Student,No2,', 'Student,\u202bNo2\u202c,')
    files = { ...files, enrollments: files.enrollments!.replace('enr-1-', 'enr-1-') }
    const { notes } = await read(files)
    expect([...new Set(notes.map((n) => n.code))].toSorted()).toEqual(
      expect.arrayContaining(['roster_class_split', 'roster_marks_removed']),
    )
    await run(files)
    expect(
      await one(`select count(*)::int as n from offerings o join courses c on c.id = o.course_id where c.code = $1`, [
        `${mark}S000`,
      ]),
    ).toEqual({ n: 2 })
    expect(await one('select name from students where code = $1', [`${mark}S260002`])).toEqual({ name: 'Student No2' })
    expect((await run(files)).counts.offering).toMatchObject({ created: 0, changed: 0, same: 7 })
  })
  test('an account that is switched off is blocked, and opened again', async () => {
    const off = change(base, 'users', 'true,u5,', 'false,u5,')
    await run(off)
    const state = () =>
      one(
        `select u.blocked_at is not null as blocked from users u join students s on s.user_id = u.id where s.code = $1`,
        [`${mark}S260005`],
      )
    expect(await state()).toEqual({ blocked: true })
    await run(base)
    expect(await state()).toEqual({ blocked: false })
  })
  test('a code of somebody who did not come from this source is refused at its place', async () => {
    await query(
      `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id)
      select $1, 'By Hand', 'يدوي', faculty_id, id, bylaw_id from programs limit 1`,
      [`${mark}S260006`],
    )
    const { rows, source } = await read(base)
    const { errors } = await planImport(asSystem(u.services, 'test'), source, rows!)
    expect(errors).toEqual([
      {
        file: 'users.csv',
        line: 8,
        column: 'identifier',
        code: 'roster_code_taken',
        data: { code: `${mark}S260006`, name: 'By Hand' },
        value: `${mark}S260006`,
      },
    ])
    await expect(run(base)).rejects.toMatchObject({ status: 422 })
  })
})

describe('undo', () => {
  test('an import is taken back as one, seats included, and the next one does the same again', async () => {
    const two = add(base, 'classes', 'class-0b,active,,Class 0 B,,course-0,S0-2,scheduled,,org-1,term-1,,,')
    await run(two)
    const before = [await classesOf(0), await classesOf(2), await classesOf(3)]
    let next = change(
      two,
      'enrollments',
      'enr-0-0,active,2026-06-01T00:00:00.000Z,class-0,',
      'enr-0-0,active,,class-0b,',
    )
    next = change(next, 'enrollments', 'enr-2-0,active,2026-06-01T00:00:00.000Z,class-0,', 'enr-2-0,active,,class-5,')
    next = change(next, 'enrollments', /enr-3-3,.*\r\n/, '')
    next = change(next, 'users', 'Student,No4,', 'Student,Four,')
    const told = await plan(next)
    const { operation_id } = await run(next, told.removals.count)
    expect(await classesOf(3)).toHaveLength(2)
    const undone = await undoOperation(asSystem(u.services, 'test'), operation_id!)
    expect(undone.kept).toEqual([])
    expect([await classesOf(0), await classesOf(2), await classesOf(3)]).toEqual(before)
    expect(await one('select name from students where code = $1', [`${mark}S260004`])).toEqual({ name: 'Student No4' })
    await seatsAgree()
    expect((await plan(two)).counts.registration).toMatchObject({ created: 0, changed: 0, gone: 0, left: 0 })
    const again = await run(next, (await plan(next)).removals.count)
    expect(again.counts.student).toMatchObject({ changed: 1, left: 0 })
    expect(await classesOf(3)).toHaveLength(2)
    await seatsAgree()
  })
  test('the first import of a university is taken back, and comes again', async () => {
    const { operation_id } = await run(base)
    await undoOperation(asSystem(u.services, 'test'), operation_id!)
    const there = () =>
      one(
        `select (select count(*)::int from registrations r join students s on s.id = r.student_id where s.code like $1) as registrations,
           (select count(*)::int from students where code like $1 and removed_at is null) as students`,
        [`${mark}S26%`],
      )
    expect(await there()).toEqual({ registrations: 0, students: 0 })
    await seatsAgree()
    await run(base)
    expect(await there()).toEqual({ registrations: 60, students: 20 })
    await seatsAgree()
  })
})
