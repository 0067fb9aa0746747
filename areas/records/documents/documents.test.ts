import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { peopleServer } from '#areas/people/people/people.server.ts'
import { registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { registrationWorld } from '#tests/registration-world.ts'
import type { RegistrationWorld } from '#tests/registration-world.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { documentsServer, expiryJob } from './documents.server.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'

let u: TestUniversity
let w: RegistrationWorld
let registrar: Caller
let codes = 0

beforeAll(async () => {
  u = await testUniversity([studentsServer, peopleServer, registrationServer, documentsServer])
  w = await registrationWorld(u)
  registrar = await u.as('registrar')
})
// What one test requires is not required in the next.
beforeEach(() => w.query('update document_kinds set removed_at = now() where removed_at is null'))
afterAll(() => u.close())

type Student = Awaited<ReturnType<RegistrationWorld['student']>>

/** A kind of document of one test; required of nobody unless told. */
async function kindOf(more: object = {}): Promise<number> {
  const code = `K${++codes}`
  return ok(
    await registrar('PUT', '/document-kinds', {
      code,
      name: code,
      name_local: 'مستند',
      nationality: 'all',
      told_days: 30,
      ...more,
    }),
  ).id as number
}
/** Required from level 7 on alone: of the student that is told, and nobody of other tests. */
async function required(student: Student, more: object = {}): Promise<number> {
  await w.query('update students set level = 7 where id = $1', [student.id])
  return kindOf({ is_required: true, from_level: 7, ...more })
}
async function fileOf(who: Caller, ext = 'pdf', size = 1000): Promise<number> {
  const [row] = await w.query<{ id: number }>(
    `insert into files (hash, name, ext, mime, size, created_by) values (repeat('a', 64), 'paper.' || $1, $1, 'application/pdf', $2, $3) returning id`,
    [ext, size, who.user_id],
  )
  return row!.id
}
const listOf = async (who: Caller, id: number) => ok(await who('GET', `/students/${id}/documents`))
const flagOf = async (id: number) =>
  (await w.query<{ flag: boolean }>('select missing_documents as flag from students where id = $1', [id]))[0]!.flag
const handIn = async (who: Caller, student: Student, kind_id: number, more: object = {}) =>
  who('POST', '/student-documents/hand-in', {
    student_id: student.id,
    kind_id,
    file_id: await fileOf(who),
    ...more,
  })

describe('what a student lacks', () => {
  test('is what is required and not accepted, holds until it is, and is on the record as it is in the list', async () => {
    const student = await w.student()
    const kind = await required(student)
    expect(await listOf(registrar, student.id)).toMatchObject({
      lacking: true,
      kinds: [{ kind: { id: kind }, required: true, lacking: true, documents: [] }],
    })
    expect(await flagOf(student.id)).toBe(true)
    const record = ok(await registrar('POST', `/students/dashboard/${student.id}`))
    expect(record.holds).toMatchObject([{ kind: 'missing_documents', note: `K${codes}` }])
    const { id } = ok(await handIn(student.as, student, kind))
    expect(await flagOf(student.id)).toBe(true)
    ok(await registrar('POST', `/student-documents/accept/${id}`, {}))
    expect(await flagOf(student.id)).toBe(false)
    expect(await listOf(registrar, student.id)).toMatchObject({ lacking: false })
    ok(await registrar('POST', `/student-documents/reopen/${id}`, { reason: 'It is the certificate of a brother.' }))
    expect(await flagOf(student.id)).toBe(true)
    ok(await registrar('PUT', `/document-kinds/${kind}`, { is_required: false }))
    expect(await flagOf(student.id)).toBe(false)
  })

  test('keeps from registering, and the refusal names it', async () => {
    await w.windows('register')
    const student = await w.student()
    await required(student)
    const offering = await w.offer('HU101')
    const answer = await student.as('PUT', '/registrations/students/request-offering', {
      offerings: [{ offering_id: offering.id, offering_slot_ids: offering.lectures }],
    })
    expect(reasons(answer)).toContain('hold_documents')
    expect(JSON.stringify(answer.body)).toContain(`K${codes}`)
  })

  test.each([
    ['a nationality', { nationality: 'foreign' }, 'nationality_id = 64', 'nationality_id = 207'],
    ['a gender', { gender: 1 }, 'gender = 2', 'gender = 1'],
    ['a level', { from_level: 6 }, 'level = 5', 'level = 6'],
  ])('is required by %s, and follows when that changes', async (_name, more, without, within) => {
    const student = await w.student()
    await w.query(`insert into countries (id, code, name, name_local) values (64, 'EG', 'Egypt', 'مصر'), (207, 'SD', 'Sudan', 'السودان')
      on conflict do nothing`)
    await kindOf({ is_required: true, from_level: 6, ...more })
    await w.query(`update students set ${without.includes('level') ? '' : 'level = 6, '}${without} where id = $1`, [
      student.id,
    ])
    expect(await flagOf(student.id)).toBe(false)
    await w.query(`update students set ${within} where id = $1`, [student.id])
    expect(await flagOf(student.id)).toBe(true)
    await w.query(`update students set ${without} where id = $1`, [student.id])
    expect(await flagOf(student.id)).toBe(false)
  })

  test('may be what staff ask from one student alone; it is told, and done without with a reason', async () => {
    const student = await w.student()
    const kind = await kindOf()
    const { id } = ok(await registrar('POST', '/student-documents/ask', { student_id: student.id, kind_id: kind }))
    expect(await flagOf(student.id)).toBe(true)
    expect(
      reasons(await registrar('POST', '/student-documents/ask', { student_id: student.id, kind_id: kind })),
    ).toEqual(['document_asked'])
    const told = await w.query<{ key: string }>('select key from notifications where user_id = $1', [student.user_id])
    expect(told.map(({ key }) => key)).toContain('documents.notice_asked')
    expect(reasons(await registrar('POST', `/student-documents/waive/${id}`, {}))).toEqual(['reason_required@reason'])
    ok(await registrar('POST', `/student-documents/waive/${id}`, { reason: 'The archive burnt down.' }))
    const ask = () => registrar('POST', '/student-documents/ask', { student_id: student.id, kind_id: kind })
    expect(reasons(await ask())).toEqual(['document_waived'])
    expect(await flagOf(student.id)).toBe(false)
    ok(await registrar('POST', `/student-documents/demand/${id}`, { reason: 'A copy was found.' }))
    expect(await flagOf(student.id)).toBe(true)
    const { id: handed } = ok(await handIn(student.as, student, kind))
    expect(handed).toBe(id)
    // Taken back it is asked for again, and the file is gone.
    ok(await student.as('POST', `/student-documents/take_back/${id}`, {}))
    expect((await listOf(registrar, student.id)).kinds[0].documents).toMatchObject([{ status: 'owed', file: null }])
    // What was accepted is not asked for again.
    ok(await handIn(student.as, student, kind))
    ok(await registrar('POST', `/student-documents/accept/${id}`, {}))
    expect(reasons(await ask())).toEqual(['document_accepted'])
  })

  test('is said by the list alone: neither the section of the record nor a hand in the database says otherwise', async () => {
    const student = await w.student()
    expect(
      reasons(await registrar('PUT', `/students/${student.id}/documents`, { missing_documents: true })),
    ).toHaveLength(1)
    await w.query('update students set missing_documents = true where id = $1', [student.id])
    expect(await flagOf(student.id)).toBe(false)
    await expect(
      w.query(`insert into student_holds (student_id, kind) values ($1, 'missing_documents')`, [student.id]),
    ).rejects.toThrow(/document_hold_of_kind/)
  })
})

describe('a document is handed in', () => {
  test('by the student with a file that is the own, can be looked at, and is not too large', async () => {
    const student = await w.student()
    const other = await w.student()
    const kind = await kindOf()
    expect(reasons(await handIn(student.as, student, kind, { file_id: null }))).toEqual([
      'document_file_needed@file_id',
    ])
    expect(reasons(await handIn(student.as, student, kind, { file_id: await fileOf(other.as) }))).toEqual([
      'reference_missing@file_id',
    ])
    expect(reasons(await handIn(student.as, student, kind, { file_id: await fileOf(student.as, 'zip') }))).toEqual([
      'document_file_kind@file_id',
    ])
    expect(
      reasons(await handIn(student.as, student, kind, { file_id: await fileOf(student.as, 'png', 10_000_001) })),
    ).toEqual(['document_file_large@file_id'])
    ok(await handIn(student.as, student, kind))
    expect(reasons(await handIn(student.as, student, kind))).toEqual(['document_waits'])
    // Nor is it asked for while it waits to be looked at.
    const asked = await registrar('POST', '/student-documents/ask', { student_id: student.id, kind_id: kind })
    expect([asked.status, reasons(asked)]).toEqual([409, ['document_waits']])
    const { kinds } = ok(await student.as('GET', '/students/documents'))
    expect(kinds).toMatchObject([{ documents: [{ status: 'handed_in', file: { name: 'paper.pdf' } }] }])
  })

  test('at the desk on paper too; and nobody decides the own', async () => {
    const student = await w.student()
    const kind = await kindOf()
    const { id } = ok(await handIn(registrar, student, kind, { file_id: null, number: 'A 12' }))
    ok(await registrar('POST', `/student-documents/accept/${id}`, {}))
    await w.query(`insert into role_assignments (user_id, role_id) select $1, id from roles where key = 'registrar'`, [
      student.user_id,
    ])
    const both = await u.signIn(student.user_id)
    const { id: own } = ok(await handIn(both, student, await kindOf()))
    expect(reasons(await both('POST', `/student-documents/accept/${own}`, {}))).toEqual(['step_own'])
  })

  test('with the last day of its validity where it expires', async () => {
    const student = await w.student()
    const kind = await kindOf({ expires: true })
    expect(reasons(await handIn(student.as, student, kind))).toEqual(['document_expiry_needed@expires_on'])
    expect(reasons(await handIn(student.as, student, kind, { expires_on: '2020-01-01' }))).toEqual([
      'document_expired_already@expires_on',
    ])
    const { id } = ok(await handIn(student.as, student, kind, { expires_on: '2090-01-01' }))
    const correct = (body: object, at = id) => registrar('PUT', `/student-documents/${at}`, body)
    const { version } = ok(await correct({ expires_on: '2091-01-01', number: 'N 7' }))
    const late = await correct({ version: version - 1, number: 'N 8' })
    expect([late.status, reasons(late)]).toEqual([409, ['changed_meanwhile']])
    expect((await correct({ number: 'N 8' }, 99_999_999)).status).toBe(404)
    expect(await w.query('select number from student_documents where id = $1', [id])).toEqual([{ number: 'N 7' }])
    ok(await registrar('POST', `/student-documents/accept/${id}`, {}))
    expect(reasons(await registrar('PUT', `/student-documents/${id}`, { expires_on: '2092-01-01' }))).toEqual([
      'document_decided',
    ])
    expect(reasons(await registrar('POST', `/student-documents/expire/${id}`, {}))).toEqual(['document_still_valid'])
  })

  test('and one that was rejected stays while another one is handed in', async () => {
    const student = await w.student()
    const kind = await required(student)
    const { id } = ok(await handIn(student.as, student, kind))
    expect(reasons(await registrar('POST', `/student-documents/reject/${id}`, {}))).toEqual(['reason_required@reason'])
    ok(await registrar('POST', `/student-documents/reject/${id}`, { reason: 'It cannot be read.' }))
    const { id: next } = ok(await handIn(student.as, student, kind))
    expect(next).not.toBe(id)
    expect(reasons(await registrar('POST', `/student-documents/reopen/${id}`, { reason: 'By mistake.' }))).toEqual([
      'document_newer',
    ])
    const [{ documents }] = (await listOf(student.as, student.id)).kinds
    expect(documents).toMatchObject([{ status: 'handed_in' }, { status: 'rejected', reason: 'It cannot be read.' }])
  })
})

describe('who', () => {
  test('reaches nothing of other students; who advises hears what is missing and opens no file', async () => {
    const advisor = await w.advisor()
    const student = await w.student({ advisor: advisor.id })
    const other = await w.student()
    const kind = await required(student)
    ok(await handIn(student.as, student, kind, { number: 'N 1' }))
    const seen = await listOf(advisor.as, student.id)
    expect(seen).toMatchObject({ lacking: true, reads_files: false, may_decide: false })
    expect(seen.kinds[0].documents[0]).toMatchObject({ status: 'handed_in', file: null, number: null, abilities: [] })
    expect((await advisor.as('GET', `/students/${other.id}/documents`)).status).toBe(404)
    expect((await other.as('GET', `/students/${student.id}/documents`)).status).toBe(404)
    expect((await handIn(other.as, student, kind)).status).toBe(404)
    const elsewhere = await u.as('registrar', ['faculty', w.otherFaculty])
    expect((await elsewhere('GET', `/students/${student.id}/documents`)).status).toBe(404)
    const [{ id }] = seen.kinds[0].documents
    expect((await elsewhere('POST', `/student-documents/accept/${id}`, {})).status).toBe(404)
    expect((await other.as('POST', `/student-documents/accept/${id}`, {})).status).toBe(403)
    const finance = await u.as('finance_officer')
    expect((await finance('GET', `/students/${student.id}/documents`)).status).toBe(403)
    const inbox = await advisor.as('POST', '/student-documents', { filters: { student_id: [student.id] } })
    expect(ok(inbox)).toMatchObject([{ file_id: null, number: null }])
    const open = ok(await registrar('GET', `/student-documents/${id}`))
    expect(open.file_id).toMatchObject({ name: 'paper.pdf', url: expect.stringContaining('token=') })
  })
})

test('before a document expires the student is told once; when it has, it is missing again', async () => {
  const student = await w.student()
  const kind = await required(student, { expires: true })
  const day = (n: number) => addDays(dayOf(), n)
  const { id } = ok(await handIn(student.as, student, kind, { expires_on: day(20) }))
  ok(await registrar('POST', `/student-documents/accept/${id}`, {}))
  const run = () => expiryJob.run(asSystem(u.services, 'test'), {}, undefined as never)
  expect(await run()).toEqual({ told: 1, expired: 0 })
  expect(await run()).toEqual({ told: 0, expired: 0 })
  await w.query('update student_documents set expires_on = $2 where id = $1', [id, day(-3)])
  expect(await run()).toMatchObject({ expired: 1 })
  expect(await flagOf(student.id)).toBe(true)
  const told = await w.query<{ key: string }>('select key from notifications where user_id = $1 order by id', [
    student.user_id,
  ])
  expect(told.map(({ key }) => key)).toEqual([
    'documents.notice_document',
    'documents.notice_expires',
    'documents.notice_document',
  ])
})

test('two who hand in the same at the same moment hand in one', async () => {
  const student = await w.student()
  const kind = await kindOf()
  const answers = await Promise.all([handIn(student.as, student, kind), handIn(registrar, student, kind)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

describe('documents of who works here', () => {
  const people = async () => {
    const personnel = await u.as('personnel_officer')
    const clerk = await u.as('cashier')
    const teacher = await u.as('instructor', undefined, { type: 1 })
    const [row] = await w.query<{ id: number }>(
      `insert into instructors (code, name, name_local, faculty_id, user_id) values ('D' || $1::int, 'Nabil', 'نبيل', $2, $1::int) returning id`,
      [teacher.user_id, w.otherFaculty],
    )
    return { personnel, clerk, teacher: await u.signIn(teacher.user_id), instructor: row!.id }
  }

  test('are required by kinds of theirs, handed in by themselves, decided by personnel, and hold nobody', async () => {
    const { personnel, clerk, teacher, instructor } = await people()
    const all = await kindOf({ whose: 'staff', is_required: true })
    const employees = await kindOf({ whose: 'employees', is_required: true, expires: true })
    const student = await w.student()
    expect(await listOf(registrar, student.id)).toMatchObject({ lacking: false, kinds: [] })
    expect(await flagOf(student.id)).toBe(false)
    const kinds = async (who: Caller, path: string) =>
      (ok(await who('GET', path)).kinds as { kind: { id: number }; lacking: boolean }[]).map(({ kind, lacking }) => [
        kind.id,
        lacking,
      ])
    expect(await kinds(clerk, '/employees/documents')).toEqual([
      [all, true],
      [employees, true],
    ])
    expect(await kinds(teacher, '/instructors/documents')).toEqual([[all, true]])
    const body = { employee_id: clerk.user_id, kind_id: employees, file_id: await fileOf(clerk) }
    expect(reasons(await clerk('POST', '/employee-documents/hand-in', body))).toEqual([
      'document_expiry_needed@expires_on',
    ])
    const { id } = ok(await clerk('POST', '/employee-documents/hand-in', { ...body, expires_on: '2090-01-01' }))
    expect((await clerk('POST', `/employee-documents/accept/${id}`, {})).status).toBe(403)
    ok(await personnel('POST', `/employee-documents/accept/${id}`, {}))
    expect(await kinds(personnel, `/employees/${clerk.user_id}/documents`)).toEqual([
      [all, true],
      [employees, false],
    ])
    const { id: own } = ok(
      await teacher('POST', '/instructor-documents/hand-in', {
        instructor_id: instructor,
        kind_id: all,
        file_id: await fileOf(teacher),
      }),
    )
    expect(ok(await personnel('POST', '/instructor-documents', {}))).toMatchObject([{ id: own, status: 'handed_in' }])
    ok(await personnel('POST', `/instructor-documents/reject/${own}`, { reason: 'It cannot be read.' }))
    const told = await w.query<{ key: string; link: string }>(
      'select key, link from notifications where user_id = $1',
      [teacher.user_id],
    )
    expect(told).toEqual([{ key: 'documents.notice_document', link: '/my-documents' }])
    // A kind of students is none of theirs.
    const ofStudents = await kindOf()
    expect(
      reasons(
        await personnel('POST', '/employee-documents/hand-in', { employee_id: clerk.user_id, kind_id: ofStudents }),
      ),
    ).toEqual(['reference_missing@kind_id'])
    expect(reasons(await personnel('PUT', `/document-kinds/${all}`, { from_level: 2 }))).toEqual([
      'kind_asks_of_students@from_level',
    ])
  })

  test('are nobody else’s: neither colleagues, nor registrars, nor personnel of another faculty, nor of a student’s account', async () => {
    const { personnel, clerk, teacher, instructor } = await people()
    const colleague = await u.as('cashier')
    const kind = await kindOf({ whose: 'staff' })
    const { id } = ok(
      await personnel('POST', '/employee-documents/hand-in', {
        employee_id: clerk.user_id,
        kind_id: kind,
        number: 'N 9',
      }),
    )
    for (const who of [colleague, teacher]) {
      expect((await who('GET', `/employees/${clerk.user_id}/documents`)).status).toBe(404)
      expect((await who('GET', `/employee-documents/${id}`)).status).toBe(404)
      expect((await who('POST', '/employee-documents', {})).status).toBe(403)
      expect(
        (await who('POST', '/employee-documents/hand-in', { employee_id: clerk.user_id, kind_id: kind })).status,
      ).toBe(404)
    }
    expect((await registrar('POST', `/employee-documents/accept/${id}`, {})).status).toBe(403)
    expect((await registrar('GET', `/instructors/${instructor}/documents`)).status).toBe(404)
    const elsewhere = await u.as('personnel_officer', ['faculty', w.faculty])
    const near = await u.as('personnel_officer', ['faculty', w.otherFaculty])
    expect((await elsewhere('GET', `/instructors/${instructor}/documents`)).status).toBe(404)
    expect((await elsewhere('GET', `/employees/${clerk.user_id}/documents`)).status).toBe(404)
    expect((await elsewhere('POST', `/employee-documents/accept/${id}`, {})).status).toBe(404)
    expect((await near('GET', `/instructors/${instructor}/documents`)).status).toBe(200)
    const student = await w.student()
    expect((await personnel('GET', `/employees/${student.user_id}/documents`)).status).toBe(404)
    expect(
      (await personnel('POST', '/employee-documents/hand-in', { employee_id: student.user_id, kind_id: kind })).status,
    ).toBe(404)
    await expect(
      w.query('insert into employee_documents (employee_id, kind_id) values ($1, $2)', [student.user_id, kind]),
    ).rejects.toThrow(/no employee/)
  })

  test('are told of before they expire, and end', async () => {
    const { personnel, clerk, teacher, instructor } = await people()
    const kind = await kindOf({ whose: 'staff', expires: true })
    const day = (n: number) => addDays(dayOf(), n)
    const given = { kind_id: kind, expires_on: day(20) }
    for (const [path, whose] of [
      ['employee', { employee_id: clerk.user_id }],
      ['instructor', { instructor_id: instructor }],
    ] as const) {
      const { id } = ok(await personnel('POST', `/${path}-documents/hand-in`, { ...given, ...whose }))
      ok(await personnel('POST', `/${path}-documents/accept/${id}`, {}))
    }
    const run = () => expiryJob.run(asSystem(u.services, 'test'), {}, undefined as never)
    expect(await run()).toEqual({ told: 2, expired: 0 })
    expect(await run()).toEqual({ told: 0, expired: 0 })
    await w.query('update employee_documents set expires_on = $2 where employee_id = $1', [clerk.user_id, day(-1)])
    expect(await run()).toEqual({ told: 0, expired: 1 })
    for (const [user, keys] of [
      [clerk.user_id, ['notice_document', 'notice_expires', 'notice_document']],
      [teacher.user_id, ['notice_document', 'notice_expires']],
    ] as const) {
      const told = await w.query<{ key: string }>('select key from notifications where user_id = $1 order by id', [
        user,
      ])
      expect(told.map(({ key }) => key.replace('documents.', ''))).toEqual(keys)
    }
  })
})
