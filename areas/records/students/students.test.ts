import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { peopleServer } from '#areas/people/people/people.server.ts'
import { flag } from '#areas/common/academics/status.rules.ts'
import { readSheet } from '#kit/server/sheets/index.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { studentsServer } from './students.server.ts'

let uni: TestUniversity
let registrar: Caller
let advisor: Caller
let instructor: Caller
let mona: Caller
let omar: Caller

/** Ids by name, as `seed` made them. */
const id: Record<string, number> = {}
const q = async (text: string, values: unknown[] = []) => (await uni.database.pool.query(text, values)).rows
const one = async (name: string, text: string, values: unknown[] = []) => (id[name] = (await q(text, values))[0].id)

/** Two faculties; in the first a bylaw with a small program, three terms, and two students in it. */
async function seed(): Promise<void> {
  for (const code of ['ENG', 'MED'])
    await one(code, `insert into faculties (code, name, name_local) values ($1, $1, 'كلية') returning id`, [code])
  for (const code of ['B1', 'B2']) {
    await one(
      code,
      `insert into bylaws (faculty_id, code, name, name_local, program_type, graduation_hours, graduation_gpa, max_warnings, grades_visibility)
       values ($1, $2, $2, 'لائحة', 'credit_hours', 12, 2, 3, '{"marks":"Approved","letter":"Published","points":"Published","gpa":"Frozen"}') returning id`,
      [id.ENG, code],
    )
  }
  const [{ id: type }] = await q(
    `insert into grade_types (bylaw_id, kind, name, name_local) values ($1, 'letter', 'L', 'ح') returning id`,
    [id.B1],
  )
  await q(
    `insert into grade_ranges (grade_type_id, from_percent, to_percent, letter, name, name_local, points, success) values
     ($1, 0, 60, 'F', 'Fail', 'راسب', 0, false), ($1, 60, 80, 'C', 'Good', 'جيد', 2, true), ($1, 80, 100, 'A', 'Excellent', 'ممتاز', 4, true)`,
    [type],
  )
  await q(
    `insert into gpa_ranges (bylaw_id, from_gpa, to_gpa, name, name_local) values ($1, 0, 2, 'Weak', 'ضعيف'), ($1, 2, 4, 'Good', 'جيد')`,
    [id.B1],
  )
  for (const [code, bylaw, faculty, hours] of [
    ['CS', 'B1', 'ENG', 12],
    ['IS', 'B1', 'ENG', 9],
    ['CS2', 'B2', 'ENG', 12],
    ['MB', 'B2', 'MED', 12],
  ] as const) {
    await one(
      code,
      `insert into programs (bylaw_id, faculty_id, code, name, name_local, min_credit_hours, program_type) values ($1, $2, $3, $3, 'برنامج', $4, 'credit_hours') returning id`,
      [id[bylaw], id[faculty], code, hours],
    )
  }
  for (const code of ['C1', 'C2', 'C3', 'C4', 'C5']) {
    await one(
      code,
      `insert into courses (faculty_id, code, name, name_local, credit_hours) values ($1, $2, $2, 'مقرر', 3) returning id`,
      [id.ENG, code],
    )
  }
  await q(`update courses set prerequisites = $2 where id = $1`, [id.C3, JSON.stringify({ course: id.C2 })])
  await q(`update courses set prerequisites = $2 where id = $1`, [id.C4, JSON.stringify({ course: id.C3 })])
  await one(
    'pool',
    `insert into program_pools (program_id, name, name_local, min_credit_hours) values ($1, 'Electives', 'اختياري', 3) returning id`,
    [id.CS],
  )
  await q(
    `insert into program_courses (program_id, course_id, level, semester, kind, pool_id) values
     ($1, $2, 1, 1, 'mandatory', null), ($1, $3, 1, 2, 'mandatory', null), ($1, $4, 2, 3, 'mandatory', null), ($1, $5, 2, 4, 'elective', $6)`,
    [id.CS, id.C1, id.C2, id.C3, id.C4, id.pool],
  )
  await q(
    `insert into program_courses (program_id, course_id, level, semester, kind) values ($1, $2, 1, 1, 'mandatory')`,
    [id.IS, id.C5],
  )
  await one(
    'year',
    `insert into years (code, name, name_local, start_date, end_date) values ('Y', 'Y', 'ع', '2025-09-01', '2026-08-31') returning id`,
  )
  for (const [code, type_, start, end] of [
    ['F', 'fall', '2025-09-20', '2026-01-20'],
    ['S', 'spring', '2026-02-01', '2026-06-01'],
    ['N', 'fall', '2026-09-20', '2027-01-20'],
  ] as const) {
    await one(
      code,
      `insert into terms (year_id, code, name, name_local, term_type, start_date, end_date) values ($1, $2, $2, 'فصل', $3, $4, $5) returning id`,
      [id.year, code, type_, start, end],
    )
  }
  await q(`insert into current_terms (key, term_id) values ('current_term', $1)`, [id.N])
  await one(
    'teacher',
    `insert into instructors (code, name, name_local, faculty_id) values ('I1', 'Teacher', 'مدرس', $1) returning id`,
    [id.ENG],
  )
  await one(
    'guide',
    `insert into instructors (code, name, name_local, faculty_id, max_advised) values ('I2', 'Guide', 'مرشد', $1, 20) returning id`,
    [id.ENG],
  )
  for (const [name, code, program] of [
    ['mona', 'S1', 'CS'],
    ['omar', 'S2', 'CS'],
    ['far', 'S3', 'MB'],
  ] as const) {
    const faculty = program === 'MB' ? id.MED : id.ENG
    await one(
      name,
      `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, level, national_id, phone, notes, gender) values ($1, $2, 'منى أحمد', $3, $4, $5, 1, $6, '01000000000', 'a note', 2) returning id`,
      [code, `${name} Ahmed`, faculty, id[program], program === 'MB' ? id.B2 : id.B1, `3000101010000${code[1]}`],
    )
  }
  await q('update students set advisor_id = $1 where id = $2', [id.guide, id.mona])
}

/** A registration of a student in an offering made for it, with its result. */
async function register(
  student: string,
  course: string,
  term: string,
  control: string,
  result: { total: number; letter: string; points: number; passed: boolean } | null,
  attempt: keyof typeof flag = 'Fresh',
): Promise<void> {
  const code = `${student}${course}`
  const [{ id: offering }] = await q(
    `insert into offerings (term_id, course_id, faculty_id, code, control_status) values ($1, $2, $3, $4, $5) returning id`,
    [id[term], id[course], id.ENG, code, control],
  )
  id[`${student} ${course} ${term}`] = offering
  const status = String(flag.Registered | flag[attempt])
  const [{ id: registration }] = await q(
    `insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours, total, letter, points, passed, counts_in_gpa, counts_in_attempted_hours)
     values ($1, $2, $3, $4, $5, 3, $6, $7, $8, $9, true, true) returning id`,
    [
      id[student],
      offering,
      id[term],
      id[course],
      status,
      result?.total ?? null,
      result?.letter ?? null,
      result?.points ?? null,
      result?.passed ?? null,
    ],
  )
  await q(
    `insert into registration_history (registration_id, student_id, offering_id, actor_id, action, from_status, to_status) values ($1, $2, $3, null, 'enroll', null, $4)`,
    [registration, id[student], offering, status],
  )
}

beforeAll(async () => {
  uni = await testUniversity([catalogueServer, peopleServer, studentsServer])
  await seed()
  registrar = await uni.as('registrar')
  const person = async (role: string | null, type: 1 | 3, table: string, row: string): Promise<Caller> => {
    const caller = await uni.as(role, undefined, { type, name: row })
    await q(`update ${table} set user_id = $1 where id = $2`, [caller.user_id, id[row]])
    return uni.signIn(caller.user_id)
  }
  instructor = await person('instructor', 1, 'instructors', 'teacher')
  advisor = await person('academic_advisor', 1, 'instructors', 'guide')
  mona = await person(null, 3, 'students', 'mona')
  omar = await person(null, 3, 'students', 'omar')

  // mona: C1 passed and frozen; C2 failed in fall, passed in spring (published); C3 runs; C5 lies outside the plan, approved only.
  await register('mona', 'C1', 'F', 'Frozen', { total: 85, letter: 'A', points: 4, passed: true })
  await register('mona', 'C2', 'F', 'Frozen', { total: 40, letter: 'F', points: 0, passed: false })
  await register('mona', 'C2', 'S', 'Published', { total: 70, letter: 'C', points: 2, passed: true }, 'Repeat')
  await register('mona', 'C5', 'S', 'Approved', { total: 90, letter: 'A', points: 4, passed: true })
  await register('mona', 'C3', 'N', 'Draft', null)
  await q(`insert into offering_instructors (offering_id, instructor_id, role) values ($1, $2, 'leader')`, [
    id['mona C3 N'],
    id.teacher,
  ])
  const terms = `insert into student_terms (student_id, term_id, registered_hours, attempted_hours, passed_hours, term_points, gpa,
    cumulative_hours, cumulative_passed_hours, cumulative_points, cumulative_gpa, level, standing) values ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9, $10, 1, 'good')`
  await q(terms, [id.mona, id.F, 6, 3, 12, 2, 6, 3, 12, 2])
  await q(terms, [id.mona, id.S, 6, 6, 18, 3, 12, 9, 30, 3.33])
  await q('update students set gpa = 3.33, passed_hours = 9 where id = $1', [id.mona])
})
afterAll(() => uni.close())

describe('the list and the person', () => {
  test('within scope, searched in both languages, filtered', async () => {
    const list = await registrar('POST', '/students', {})
    expect([list.status, list.body.meta.count, list.body.data[0].code]).toEqual([200, 3, 'S1'])
    expect(list.body.data[0]).not.toHaveProperty('national_id')
    expect((await registrar('POST', '/students', { search: 'MONA' })).body.meta.count).toBe(1)
    expect((await registrar('POST', '/students', { search: 'مني احمد' })).body.meta.count).toBe(3)
    const filtered = await registrar('POST', '/students', {
      filters: { program_id: [id.CS], level: { from: 1 }, advisor_id: [id.guide] },
    })
    expect(filtered.body.data.map((row: any) => row.code)).toEqual(['S1'])
    const there = await uni.as('faculty_registrar', ['faculty', id.MED!])
    expect((await there('POST', '/students', {})).body.data.map((row: any) => row.code)).toEqual(['S3'])
    for (const path of [
      `/students/${id.mona}`,
      `/students/${id.mona}/terms_grades`,
      `/students/${id.mona}/study-plan`,
      `/students/${id.mona}/courses_history`,
      `/students/Edit/${id.mona}/personal`,
      `/students/${id.mona}/history`,
    ])
      expect((await there('GET', path)).status, path).toBe(404)
    expect((await there('POST', `/students/dashboard/${id.mona}`, {})).status).toBe(404)
    expect((await there('POST', `/students/${id.mona}/transcript/en`, {})).status).toBe(404)
    expect((await uni.nobody('POST', '/students', {})).status).toBe(401)
    expect((await mona('POST', '/students', {})).status).toBe(403)
    const found = await registrar('POST', '/students/search', { search: 'far' })
    expect(found.body.data).toMatchObject([{ code: 'S3', program: { code: 'MB' } }])
  })

  test('a department reaches the students of its programs, and no others', async () => {
    // One whose id no faculty has.
    const department = (
      await q(
        `insert into departments (faculty_id, code, name, name_local)
         select $1, 'D' || n, 'Department ' || n, 'قسم ' || n from generate_series(1, 5) n returning id`,
        [id.ENG],
      )
    ).at(-1)!.id
    await q('update programs set department_id = $1 where id = $2', [department, id.CS])
    const head = await uni.as('faculty_registrar', ['department', department])
    const seen = ok(await head('POST', '/students', { perPage: 100 })).map((row: { id: number }) => row.id)
    const theirs = await q('select id from students where program_id = $1 and removed_at is null', [id.CS])
    expect(seen.toSorted()).toEqual(theirs.map((row) => row.id).toSorted())
    expect(seen.length).toBeGreaterThan(0)
    await q('update programs set department_id = null where id = $1', [id.CS])
  })

  test('the count of the whole list follows whoever is added, removed and restored; a reader of a part counts the part', async () => {
    const there = await uni.as('faculty_registrar', ['faculty', id.MED!])
    const counts = async () =>
      await Promise.all([
        registrar('POST', '/students', { perPage: 1 }).then((list) => list.body.meta.count),
        registrar('POST', '/students', { perPage: 1, page: 9 }).then((list) => list.body.meta.count),
        registrar('POST', '/students', { removed: true }).then((list) => list.body.meta.count),
        there('POST', '/students', {}).then((list) => list.body.meta.count),
      ])
    expect(await counts()).toEqual([3, 3, 0, 1])
    const added = await registrar('PUT', '/students', {
      code: 'S9',
      name: 'Nine',
      name_local: 'تسعة',
      faculty_id: id.MED,
      program_id: id.MB,
      level: 1,
      status: 'studying',
    })
    expect(added.status).toBe(200)
    expect(added.body.data.program).toEqual({ id: id.MB, name: 'MB', name_local: 'برنامج', code: 'MB' })
    expect(await counts()).toEqual([4, 4, 0, 2])
    const nine = added.body.data.id
    await registrar('DELETE', `/students/${nine}`)
    expect(await counts()).toEqual([3, 3, 1, 1])
    await registrar('POST', `/students/restore/${nine}`)
    expect(await counts()).toEqual([4, 4, 0, 2])
    await q('delete from students where id = $1', [nine])
    expect(await counts()).toEqual([3, 3, 0, 1])
    const { body } = await registrar('POST', '/students', {})
    expect(body.data.map((row: any) => [row.code, row.program?.code, row.advisor?.code ?? null])).toEqual([
      ['S1', 'CS', 'I2'],
      ['S2', 'CS', null],
      ['S3', 'MB', null],
    ])
  })

  test('who only teaches a student sees who it is, not what is private; who advises sees what advising needs', async () => {
    const seen = ok(await instructor('GET', `/students/${id.mona}`))
    expect([seen.code, seen.national_id, seen.phone, seen.notes]).toEqual(['S1', null, null, null])
    await registrar('PUT', `/students/${id.mona}`, { phone: '+201001112223' })
    await registrar('POST', `/block/${id.mona}`, { blocked: true, reason: 'a private reason' })
    await registrar('POST', `/block/${id.mona}`, { blocked: false, reason: 'another private reason' })
    // Being blocked ended the student's sessions.
    mona = await uni.signIn(mona.user_id)
    const told = async (who: Caller) => JSON.stringify((await who('GET', `/students/${id.mona}/history`)).body)
    expect(await told(registrar)).toMatch(/201001112223.*private reason|private reason.*201001112223/)
    expect(await told(instructor)).toMatch(/"level"/)
    expect(await told(instructor)).not.toMatch(/201001112223|private reason|blocked/)
    expect((await instructor('GET', `/students/${id.omar}`)).status).toBe(404)
    expect((await instructor('GET', `/students/${id.mona}/terms_grades`)).status).toBe(403)
    const card = ok(await instructor('POST', `/students/dashboard/${id.mona}`, {}))
    expect([card.terms, card.current, card.student.notes, card.abilities]).toEqual([[], null, null, []])
    const advised = ok(await advisor('GET', `/students/${id.mona}`))
    expect([advised.national_id, advised.parent_name, advised.phone]).toEqual([null, null, '+201001112223'])
    expect(ok(await registrar('GET', `/students/${id.mona}`)).national_id).toBe('30001010100001')
    expect(ok(await advisor('GET', `/students/${id.mona}/terms_grades`)).terms).toHaveLength(3)
    expect((await advisor('GET', `/students/${id.omar}/terms_grades`)).status).toBe(404)
  })

  test('a new student gets the bylaw of the program; rules over several fields are told together', async () => {
    const body = {
      code: 'S9',
      name: 'New One',
      name_local: 'طالب جديد',
      faculty_id: id.ENG,
      program_id: id.CS2,
      level: 1,
      status: 'studying',
    }
    const wrong = await registrar('PUT', '/students', {
      ...body,
      program_id: id.MB,
      gender: 2,
      military_status: 'done',
    })
    expect([wrong.status, reasons(wrong)]).toEqual([
      422,
      ['military_status_of_men@military_status', 'program_of_other_faculty@program_id'],
    ])
    const made = ok(await registrar('PUT', '/students', body))
    expect(made.bylaw_id).toBe(id.B2)
    expect(reasons(await registrar('PUT', '/students', body))).toEqual(['duplicate@code'])
    // Nobody enters as a graduate, or as anything else that a decision makes.
    for (const status of ['graduated', 'transferred', 'suspended'])
      expect(reasons(await registrar('PUT', '/students', { ...body, code: 'S10', status }))).toEqual([
        'status_at_entry@status',
      ])
    // The level is one of the bylaw.
    await q(
      'insert into bylaw_levels (bylaw_id, level, name, name_local) select $1, n, n, n from generate_series(1, 4) n',
      [id.B2],
    )
    const seventh = await registrar('PUT', `/students/${made.id}/academic`, { level: 7 })
    expect(reasons(seventh)).toEqual(['level_not_of_bylaw@level'])
    expect(seventh.body.errors[0].data).toEqual({ level: 7, levels: '1, 2, 3, 4' })
    ok(await registrar('PUT', `/students/${made.id}/academic`, { level: 4 }))
    await q('delete from bylaw_levels where bylaw_id = $1', [id.B2])
    // A program that is gone gives no level.
    await q('update programs set removed_at = now() where id = $1', [id.CS2])
    const gone = await registrar('PUT', `/students/${made.id}/academic`, { level: 3 })
    await q('update programs set removed_at = null where id = $1', [id.CS2])
    expect([gone.status, reasons(gone)]).toEqual([422, ['reference_missing@program_id']])
    // A decision changes the status to another one, and its paper is of who decides.
    const decide = (more: object) =>
      registrar('POST', `/students/status/${made.id}`, { decision: '14/2026', decided_on: '2026-01-05', ...more })
    const same = await decide({ status: 'studying' })
    expect([same.status, reasons(same)]).toEqual([409, ['status_same@status']])
    const [file] = await q(`insert into files (hash, name, ext, mime, size, created_by)
      values (repeat('b', 64), 'paper.pdf', 'pdf', 'application/pdf', 9, null) returning id`)
    const foreign = await decide({ status: 'suspended', file_id: file.id })
    expect([foreign.status, reasons(foreign)]).toEqual([422, ['reference_missing@file_id']])
    expect(await q('select from student_status_decisions where student_id = $1', [made.id])).toEqual([])
    // Nothing was registered yet, so the entry can be put right, and the bylaw follows.
    const moved = ok(await registrar('PUT', `/students/${made.id}/academic`, { program_id: id.CS }))
    expect(moved.values.bylaw_id).toBe(id.B1)
    // Who has registered changes the program by a transfer, also within the bylaw.
    for (const program_id of [id.IS, id.CS2]) {
      const late = await registrar('PUT', `/students/${id.mona}/academic`, { program_id })
      expect([late.status, reasons(late)]).toEqual([422, ['program_by_transfer@program_id']])
    }
    expect(reasons(await registrar('DELETE', `/students/${id.mona}`))).toEqual(['student_has_registrations'])
    expect((await registrar('DELETE', `/students/${made.id}`)).status).toBe(200)
  })
})

describe('sections', () => {
  test('each is read and saved by itself, and holds nothing of another', async () => {
    for (const details of [
      'academic',
      'personal',
      'contact',
      'parent',
      'certificate',
      'previous_university',
      'documents',
      'notes',
    ]) {
      const read = ok(await registrar('GET', `/students/Edit/${id.omar}/${details}`))
      expect(read.details).toBe(details)
      expect(Object.keys(read.values).length).toBeGreaterThan(0)
    }
    expect((await registrar('GET', `/students/Edit/${id.omar}/nonsense`)).status).toBe(404)
    const saved = ok(
      await registrar('PUT', `/students/${id.omar}/parent`, { parent_name: 'Ali', parent_phone: '01234567890' }),
    )
    expect(saved.values).toMatchObject({ parent_name: 'Ali', parent_phone: '01234567890' })
    expect(reasons(await registrar('PUT', `/students/${id.omar}/parent`, { name: 'Other' }))).toEqual([
      'unknown_field@name',
    ])
    expect(reasons(await registrar('PUT', `/students/${id.omar}/personal`, { national_id: '12' }))).toEqual([
      'national_id_digits@national_id',
    ])
    expect(reasons(await registrar('PUT', `/students/${id.omar}/personal`, { name: '' }))).toEqual(['required@name'])
  })

  test('two people who change the same section at once: the second is told what the first wrote', async () => {
    const { version } = ok(await registrar('GET', `/students/Edit/${id.omar}/contact`))
    ok(await registrar('PUT', `/students/${id.omar}/contact`, { address: 'First', version }))
    const second = await registrar('PUT', `/students/${id.omar}/contact`, { address: 'Second', version })
    expect([second.status, second.body.message]).toEqual([409, 'changed_meanwhile'])
    expect(second.body.errors[0].data.changed).toEqual([{ field: 'address', yours: 'Second', theirs: 'First' }])
  })

  test('students change their own contact data and nothing else', async () => {
    expect(ok(await mona('PUT', `/students/${id.mona}/contact`, { phone: '01111111111' })).values.phone).toBe(
      '01111111111',
    )
    expect((await mona('PUT', `/students/${id.mona}/personal`, { name: 'Queen' })).status).toBe(404)
    expect((await mona('PUT', `/students/${id.omar}/contact`, { phone: '01111111111' })).status).toBe(404)
    expect((await mona('GET', `/students/Edit/${id.mona}/notes`)).status).toBe(404)
    expect((await mona('POST', `/students/update_notes/${id.mona}`, { notes: 'x' })).status).toBe(403)
    const own = ok(await mona('GET', '/students/profile'))
    expect([own.code, own.phone, own.gpa]).toEqual(['S1', '01111111111', '2.00'])
    expect(own).not.toHaveProperty('notes')
  })

  test('notes are staff’s, with a version', async () => {
    const saved = await registrar('POST', `/students/update_notes/${id.omar}`, { notes: 'Called twice.' })
    expect(saved.status).toBe(200)
    expect(ok(await registrar('GET', `/students/Edit/${id.omar}/notes`)).values.notes).toBe('Called twice.')
    expect(
      (await registrar('POST', `/students/update_notes/${id.omar}`, { notes: 'x', version: saved.body.version - 1 }))
        .status,
    ).toBe(409)
    expect((await instructor('POST', `/students/update_notes/${id.mona}`, { notes: 'x' })).status).toBe(403)
  })
})

describe('blocking', () => {
  test('needs a reason, signs the student out, and is lifted', async () => {
    const far = await uni.as(null, undefined, { type: 3 })
    await q('update students set user_id = $1 where id = $2', [far.user_id, id.far])
    const phone = await uni.signIn(far.user_id)
    expect((await phone('GET', '/students/courses')).status).toBe(200)
    expect(reasons(await registrar('POST', `/block/${id.far}`, {}))).toEqual(['reason_required@reason'])
    expect(ok(await registrar('POST', `/block/${id.far}`, { reason: 'Investigation 14' })).blocked_reason).toBe(
      'Investigation 14',
    )
    await expect.poll(async () => (await phone('GET', '/students/courses')).status).toBe(401)
    const again = await registrar('POST', `/block/${id.far}`, { reason: 'again' })
    expect([again.status, again.body.message, again.body.errors[0].data.reason]).toEqual([
      409,
      'student_is_blocked',
      'Investigation 14',
    ])
    const card = ok(await registrar('POST', `/students/dashboard/${id.far}`, {}))
    expect(card.holds).toMatchObject([{ kind: 'blocked', note: 'Investigation 14' }])
    expect(card.abilities).toContain('unblock')
    expect(ok(await registrar('POST', `/block/${id.far}`, { blocked: false })).blocked_at).toBe(null)
    expect((await registrar('POST', `/block/${id.far}`, { blocked: false })).body.message).toBe(
      'student_is_not_blocked',
    )
    const elsewhere = await uni.as('faculty_registrar', ['faculty', id.MED!])
    expect((await elsewhere('POST', `/block/${id.far}`, { reason: 'x' })).status).toBe(403)
  })
})

describe('the record', () => {
  test('staff see every result; the student what the bylaw shows in each control status', async () => {
    const staff = ok(await registrar('GET', `/students/${id.mona}/terms_grades`))
    expect(staff.terms.map((t: any) => [t.term.code, t.result?.cumulative_gpa ?? null])).toEqual([
      ['N', null],
      ['S', '3.33'],
      ['F', '2.00'],
    ])
    expect(staff.student.gpa).toBe('3.33')
    const own = ok(await mona('GET', '/students/terms_grades'))
    const spring = own.terms.find((t: any) => t.term.code === 'S')
    const shown = Object.fromEntries(
      spring.courses.map((c: any) => [c.course.code, [c.total, c.letter, c.points, c.passed]]),
    )
    // Approved: marks, but neither letter nor points. Published: both, but not yet the GPA.
    expect(shown).toEqual({ C2: ['70.00', 'C', '2.00', true], C5: ['90.00', null, null, null] })
    expect([spring.result, own.student.gpa, own.student.passed_hours]).toEqual([null, '2.00', 3])
    expect((await omar('GET', `/students/${id.mona}/terms_grades`)).status).toBe(403)
    expect(ok(await omar('GET', '/students/terms_grades')).terms).toEqual([])
    expect((await registrar('GET', '/students/terms_grades')).status).toBe(403)
  })

  test('the dashboard: figures, the term of now, holds, what the reader may do', async () => {
    const staff = ok(await registrar('POST', `/students/dashboard/${id.mona}`, {}))
    expect(staff.hours).toEqual({ required: 12, passed: 9, since: 0, in_progress: 3, awaited: 0 })
    expect(staff.terms.map((t: any) => t.gpa)).toEqual(['2.00', '3.00'])
    expect([staff.current.term.code, staff.current.hours, staff.classification.name]).toEqual(['N', 3, 'Good'])
    expect(staff.abilities).toEqual(
      expect.arrayContaining(['edit', 'block', 'record', 'print_transcript', 'print_all', 'edit_notes']),
    )
    const own = ok(await mona('POST', '/students/dashboard', {}))
    expect([own.student.notes, own.terms.length, own.abilities]).toEqual([null, 1, ['print_transcript']])
    await q(`insert into student_holds (student_id, kind, note) values ($1, 'unpaid_invoice', 'INV-1')`, [id.omar])
    expect(ok(await omar('POST', '/students/dashboard', {})).holds).toMatchObject([
      { kind: 'unpaid_invoice', note: 'INV-1' },
    ])
  })

  test('the history keeps registrations that were removed', async () => {
    const [{ id: offering }] = await q(
      `insert into offerings (term_id, course_id, code) values ($1, $2, 'gone') returning id`,
      [id.N, id.C4],
    )
    await q(
      `insert into registration_history (registration_id, student_id, offering_id, actor_id, action, from_status, to_status, reason, overrides)
       values (999999, $1, $2, $3, 'reject', $4, null, 'full', '[{"code":"time_clash","reason":"agreed"}]')`,
      [id.mona, offering, registrar.user_id, String(flag.RegisterRequest)],
    )
    const history = ok(await registrar('GET', `/students/${id.mona}/courses_history`))
    const gone = history.find((row: any) => row.offering_id === offering)
    expect([gone.main, gone.registration_id, gone.events[0].from, gone.events[0].to, gone.events[0].reason]).toEqual([
      null,
      null,
      'RegisterRequest',
      null,
      'full',
    ])
    expect(gone.events[0].overrides).toHaveLength(1)
    expect(history).toHaveLength(6)
    const own = ok(await mona('GET', '/students/courses_history'))
    expect(own.find((row: any) => row.offering_id === offering).events[0].overrides).toEqual([])
    expect(own.find((row: any) => row.course.code === 'C5').letter).toBe(null)
  })
})

describe('the study plan', () => {
  test('met, in progress, missing, with what satisfied each and what stands against the rest', async () => {
    const audit = ok(await registrar('GET', `/students/${id.mona}/study-plan`))
    const courses = Object.fromEntries(audit.groups.flatMap((g: any) => g.courses.map((c: any) => [c.course.code, c])))
    expect(courses.C1).toMatchObject({ state: 'met', satisfied_by: { term: { code: 'F' }, letter: 'A' } })
    expect(courses.C2).toMatchObject({
      state: 'met',
      failed_attempts: 1,
      satisfied_by: { term: { code: 'S' }, letter: 'C' },
    })
    expect(courses.C3).toMatchObject({ state: 'in_progress' })
    expect(courses.C4).toMatchObject({ state: 'missing', open: false, lacks: ['C3'] })
    expect(audit.hours).toEqual({ required: 12, earned: 6, since: 0, in_progress: 3, state: 'missing' })
    expect(audit.gpa).toEqual({ required: '2.00', actual: '3.33', state: 'met' })
    expect(audit.groups.map((g: any) => [g.kind, g.whole, g.required, g.earned])).toEqual([
      ['mandatory', true, 9, 6],
      ['elective', false, 3, 0],
    ])
    expect(audit.other.map((c: any) => [c.course.code, c.state])).toEqual([['C5', 'passed']])
    expect([audit.complete, audit.what_if]).toEqual([false, false])
  })

  test('what is requested is told and counts for nothing yet; the way leaves it out', async () => {
    const way = (audit: any) => audit.way.terms.flat().map((one: any) => one.code)
    const before = ok(await mona('GET', '/students/study-plan'))
    expect(before.requested).toEqual([])
    expect(way(before)).toContain('C4')
    const [{ id: offering }] = await q(
      `insert into offerings (term_id, course_id, faculty_id, code, control_status) values ($1, $2, $3, 'ASKED', 'Draft') returning id`,
      [id.N, id.C4, id.ENG],
    )
    await q(
      `insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours) values ($1, $2, $3, $4, $5, 3)`,
      [id.mona, offering, id.N, id.C4, String(flag.RegisterRequest | flag.Fresh)],
    )
    const asked = ok(await mona('GET', '/students/study-plan'))
    expect(asked.requested).toMatchObject([{ course: { code: 'C4' }, term: { code: 'N' } }])
    expect(asked.hours).toEqual(before.hours)
    expect(asked.groups.flatMap((g: any) => g.courses).find((c: any) => c.course.code === 'C4').state).toBe('missing')
    expect(way(asked)).not.toContain('C4')
    await q('delete from registrations where offering_id = $1', [offering])
    await q('delete from offerings where id = $1', [offering])
  })

  test('hours passed by results of a term that is not finished are told beside those of finished ones, on every tab', async () => {
    // The letter of C2 is out, the figures of its term are not: the record shows 3 hours, the plan counts 6.
    const figures = async () => {
      const { hours, student } = ok(await mona('POST', '/students/dashboard', {}))
      const audit = ok(await mona('GET', '/students/study-plan'))
      expect(student.passed_hours).toBe(hours.passed)
      return [hours, { earned: audit.hours.earned, since: audit.hours.since, in_progress: audit.hours.in_progress }]
    }
    // C5 lies outside the plan: the plan does not count it as running.
    expect(await figures()).toEqual([
      // Three of them are of the present term; the result of C5 is awaited.
      { required: 12, passed: 3, since: 3, in_progress: 6, awaited: 3 },
      { earned: 6, since: 3, in_progress: 3 },
    ])
    // To staff everything of the term is told.
    expect(ok(await registrar('POST', `/students/dashboard/${id.mona}`, {})).hours).toMatchObject({
      passed: 9,
      since: 0,
    })
  })

  test('for the student a course counts as passed when its grade is shown', async () => {
    const audit = ok(await mona('GET', '/students/study-plan'))
    const courses = Object.fromEntries(
      audit.groups.flatMap((g: any) => g.courses.map((c: any) => [c.course.code, c.state])),
    )
    expect(courses).toEqual({ C1: 'met', C2: 'met', C3: 'in_progress', C4: 'missing' })
    expect(audit.other).toMatchObject([{ course: { code: 'C5' }, state: 'in_progress', letter: null }])
    expect(audit.gpa.actual).toBe('2.00')
  })

  test('what if in another program; a program without type is refused', async () => {
    const other = ok(await registrar('GET', `/students/${id.mona}/study-plan?program_id=${id.IS}`))
    expect([other.what_if, other.program.code, other.groups[0].courses[0].state, other.hours.earned]).toEqual([
      true,
      'IS',
      'met',
      3,
    ])
    expect((await registrar('GET', `/students/${id.mona}/study-plan?program_id=999999`)).status).toBe(404)
    // Under a bylaw that is neither the student's nor the program's.
    const under = ok(await registrar('GET', `/students/${id.mona}/study-plan?bylaw_id=${id.B2}`))
    expect([under.what_if, under.program.code, under.bylaw.code, under.hours.earned]).toEqual([true, 'CS', 'B2', 6])
    expect((await registrar('GET', `/students/${id.mona}/study-plan?bylaw_id=999999`)).status).toBe(404)
    await q('update programs set program_type = null where id = $1', [id.MB])
    await q('update bylaws set program_type = null where id = $1', [id.B2])
    const refused = await registrar('GET', `/students/${id.far}/study-plan`)
    expect([refused.status, refused.body.message, refused.body.errors[0].code]).toEqual([
      409,
      'ProgramTypeError',
      'ProgramTypeError',
    ])
  })
})

describe('transcripts', () => {
  test('official: published and frozen only; each print has its serial and is kept', async () => {
    for (const lang of ['ar', 'en']) {
      const paper = await registrar('POST', `/students/${id.mona}/transcript/${lang}`, {})
      expect([paper.status, paper.headers['content-type'], paper.bytes.subarray(0, 5).toString()]).toEqual([
        200,
        'application/pdf',
        '%PDF-',
      ])
      expect(String(paper.headers['content-disposition'])).toContain('filename="Transcript.pdf"')
    }
    const all = await registrar('POST', `/students/${id.mona}/transcript/en`, { all: true })
    expect(all.status).toBe(200)
    const issued = ok(await registrar('GET', `/students/${id.mona}/transcripts`))
    expect(issued.map((p: any) => [p.lang, p.all_results, p.courses, p.gpa])).toEqual([
      ['en', true, 4, '3.33'],
      // C5 is not published, so the spring figures do not stand there either.
      ['en', false, 3, '2.00'],
      ['ar', false, 3, '2.00'],
    ])
    expect(new Set(issued.map((p: any) => p.serial)).size).toBe(3)
    expect(issued[0].serial).toMatch(/^T-\d{4}-\d{6}$/)
  })

  test('students print their own; neither others’ nor what is not published', async () => {
    expect((await mona('POST', `/students/${id.mona}/transcript/ar`, {})).status).toBe(200)
    expect((await omar('POST', `/students/${id.mona}/transcript/ar`, {})).status).toBe(404)
    expect((await mona('POST', `/students/${id.mona}/transcript/ar`, { all: true })).status).toBe(403)
    // Who prints official ones alone prints no results that are not out.
    const printer = await uni.as(null)
    await q(
      `insert into access_entries (user_id, permission, scope_type, scope_id) values ($1, 'print_transcript', 'faculty', $2)`,
      [printer.user_id, id.ENG],
    )
    const prints = await uni.signIn(printer.user_id)
    expect((await prints('POST', `/students/${id.mona}/transcript/en`, {})).status).toBe(200)
    const whole = await prints('POST', `/students/${id.mona}/transcript/en`, { all: true })
    expect([whole.status, reasons(whole)]).toEqual([403, ['not_allowed']])
    const nothing = await omar('POST', `/students/${id.omar}/transcript/en`, {})
    expect([nothing.status, nothing.body.message]).toEqual([409, 'nothing_to_print'])
    expect((await instructor('POST', `/students/${id.mona}/transcript/en`, {})).status).toBe(403)
    // Students see grades as far as the bylaw shows them; the paper shows no more.
    await q(
      `update bylaws set grades_visibility = '{"marks":null,"letter":null,"points":null,"gpa":null}' where id = $1`,
      [id.B1],
    )
    expect((await mona('POST', `/students/${id.mona}/transcript/en`, {})).body?.message).toBe('nothing_to_print')
    await q(
      `update bylaws set grades_visibility = '{"marks":"Approved","letter":"Published","points":"Published","gpa":"Frozen"}' where id = $1`,
      [id.B1],
    )
  })
})

describe('own courses', () => {
  test('of the current term, or of another; one course with its marks as far as they may be seen', async () => {
    const now = ok(await mona('GET', '/students/courses'))
    expect([now.term.code, now.hours, now.courses.map((c: any) => c.course.code)]).toEqual(['N', 3, ['C3']])
    expect(now.courses[0].instructors).toMatchObject([{ name: 'Teacher', role: 'leader' }])
    expect(now.terms.map((t: any) => t.code)).toEqual(['N', 'S', 'F'])
    expect(ok(await mona('GET', `/students/courses?term_id=${id.F}`)).courses).toHaveLength(2)
    const spring = ok(await mona('GET', `/students/courses/${id['mona C5 S']}`))
    expect([spring.total, spring.letter, spring.marks_visible]).toEqual(['90.00', null, true])
    expect([now.courses[0].ended, spring.ended]).toEqual([false, true])
    expect(ok(await mona('GET', `/students/courses/${id['mona C3 N']}`)).marks_visible).toBe(false)
    expect((await omar('GET', `/students/courses/${id['mona C3 N']}`)).status).toBe(404)
    expect((await registrar('GET', '/students/courses')).status).toBe(403)
  })
})

describe('files', () => {
  test('the list as a sheet; the template of students from another system', async () => {
    const sheet = await registrar('POST', '/students/export', { lang: 'en' })
    expect(String(sheet.headers['content-disposition'])).toContain('Students.xlsx')
    const { rows } = (await readSheet(sheet.bytes)).sheets[0]!
    expect(rows.length).toBe(4)
    const template = await registrar('POST', '/students/export_migrated_students_template', {})
    expect(String(template.headers['content-disposition'])).toContain('Migrated students template.xlsx')
    expect((await readSheet(template.bytes)).sheets[0]!.rows).toHaveLength(1)
    expect((await advisor('POST', '/students/export_migrated_students_template', {})).status).toBe(403)
  })
})

describe('staff', () => {
  test('teaching load of the term, and its sheet', async () => {
    const load = await registrar('POST', '/instructors/reports', { filters: { teaches: true } })
    expect(load.body.data).toMatchObject([{ code: 'I1', offerings: 1, leads: 1, students: 1, hours: '0', meetings: 0 }])
    const earlier = await registrar('POST', '/instructors/reports', {
      filters: { term_id: [id.F] },
      order_by: 'code',
      order_direction: 'desc',
    })
    expect(earlier.body.data.map((row: any) => [row.code, row.offerings, row.advised])).toEqual([
      ['I2', 0, 1],
      ['I1', 0, 0],
    ])
    expect((await registrar('POST', '/instructors/reports/export', {})).status).toBe(200)
    expect((await instructor('POST', '/instructors/reports', {})).status).toBe(403)
    const there = await uni.as('dean', ['faculty', id.MED!])
    expect((await there('POST', '/instructors/reports', {})).body.meta.count).toBe(0)
  })

  test('employees: nobody changes somebody with more rights', async () => {
    const admin = await uni.as('admin')
    const made = ok(await admin('PUT', '/employees', { name: 'Clerk', name_local: 'موظف', email: 'clerk@example.edu' }))
    expect(ok(await admin('PUT', `/employees/${made.id}`, { phone: '01000000001' })).phone).toBe('01000000001')
    const boss = await uni.as(null)
    await q('update users set is_super_admin = true where id = $1', [boss.user_id])
    expect((await admin('GET', `/employees/${boss.user_id}`)).status).toBe(404)
    const small = await uni.as(null)
    await q(
      `insert into user_permissions (user_id, permission) values ($1, 'edit_employee'), ($1, 'show_employee'), ($1, 'remove_employee')`,
      [small.user_id],
    )
    const clerk = await uni.signIn(small.user_id)
    expect(reasons(await clerk('PUT', `/employees/${admin.user_id}`, { email: 'mine@example.edu' }))).toEqual([
      'person_has_more_rights',
    ])
    expect(reasons(await clerk('DELETE', `/employees/${admin.user_id}`))).toEqual(['person_has_more_rights'])
    expect(reasons(await admin('DELETE', `/employees/${admin.user_id}`))).toEqual(['cannot_remove_yourself'])
    expect((await registrar('POST', '/employees', {})).status).toBe(403)
    expect((await admin('DELETE', `/employees/${made.id}`)).status).toBe(200)
  })
})
