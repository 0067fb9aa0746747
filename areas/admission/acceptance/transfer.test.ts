/** From another university to a student with credited courses: entered, decided, settled, opened again, accepted. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { AREA_SERVERS } from '../../../apps/server/areas.server.ts'

let u: TestUniversity
let officer: Caller
let registrar: Caller
const q = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const one = async <Row>(text: string, values: unknown[] = []): Promise<Row> => (await q<Row>(text, values))[0]!
const codes = (answer: Answer): [number, string[]] => [answer.status, reasons(answer)]
const step = (id: number, name: string, body: object = {}) => officer('PUT', `/applicants/status/${name}/${id}`, body)

beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase() })
  officer = await u.as('admission_officer')
  registrar = await u.as('registrar')
})
afterAll(() => u.close())

interface Waiting {
  id: number
  program_id: number
  faculty_id: number
}
let made = 0
/** An applicant for a transfer, with a program of credit hours, of whom nothing was entered yet. */
async function waiting(type: 'credit_hours' | 'annual' = 'credit_hours'): Promise<Waiting> {
  const { id } = await one<{ id: number }>(
    `select t.id from applicants t where t.admission_id = 7 and t.status = 'DISTRIBUATION_REQUIRED' and t.program_id is null
       and t.nationality_id = 64 order by t.id limit 1`,
  )
  return one<Waiting>(
    `update applicants t set admission_id = 3, program_id = p.id, previous_hours = 34, email = $2 from programs p
     where t.id = $1 and p.id = (select p.id from programs p join bylaws b on b.id = p.bylaw_id
       where coalesce(b.program_type, p.program_type) = $3 and exists (select from program_courses c where c.program_id = p.id and c.level <= 2) order by p.id limit 1)
     returning t.id, t.program_id, p.faculty_id`,
    [id, `transfer.${++made}@example.com`, type],
  )
}
const coursesOf = (program_id: number) =>
  q<{ id: number; hours: number }>(
    `select c.id, c.credit_hours::float8 as hours from program_courses p join courses c on c.id = p.course_id
     where p.program_id = $1 and p.kind = 'mandatory' and c.credit_hours between 1 and 3 order by p.level, p.semester, p.id limit 2`,
    [program_id],
  )
const university = async () => (await one<{ id: number }>(`select id from universities_list where code = 'TUB'`)).id
const enter = async (who: Caller, id: number, codesTyped: readonly string[] = ['X 1', 'X 2']) =>
  who('POST', `/transfer/external/add-applicant/${id}`, {
    university_id: await university(),
    courses: codesTyped.map((code) => ({ code, name: `Course ${code}`, credit_hours: 3, grade: 'B', percent: '80' })),
  })
type Line = { id: number; source: { code: string } }
async function decide(transfer: { id: number; equivalences: Line[] }, program_id: number, mark: string | null = null) {
  const ours = await coursesOf(program_id)
  return ok(
    await registrar('PUT', `/students/equivalence/${transfer.id}/edit-courses`, {
      courses: transfer.equivalences.map((line, i) => ({
        id: line.id,
        course_id: ours[i]?.id ?? null,
        credit_hours: ours[i]?.hours ?? null,
        letter: null,
        mark,
        counts_in_gpa: false,
        joined_to: null,
        more: [],
      })),
    }),
  )
}
const statusOf = async (id: number) =>
  (await one<{ status: string }>('select status from applicants where id = $1', [id])).status

test('courses of a transfer are decided by the faculty, lead the application on, and count in the record', async () => {
  const { id, program_id } = await waiting()
  expect(ok(await registrar('GET', `/transfer/external/of-applicant/${id}`))).toMatchObject({
    program: { id: program_id },
    previous_hours: '34.00',
    transfers: [],
    abilities: ['enter'],
  })
  expect(codes(await step(id, 'equivalence'))).toEqual([409, ['applicant_not_settled']])
  const entered = ok(await enter(registrar, id))
  expect(entered).toMatchObject({ student: null, applicant: { id }, program: { id: program_id }, status: 'entered' })
  // More of the same university joins what waits.
  expect(ok(await enter(registrar, id, ['X 3'])).id).toBe(entered.id)
  const execute = () => registrar('PUT', `/transfer/external/${entered.id}`, {})
  expect(codes(await execute())).toEqual([409, ['transfer_undecided']])
  const decided = await decide(ok(await registrar('GET', `/transfer/external/${entered.id}`)), program_id)
  expect(decided.against).toEqual([])
  ok(await execute())
  expect(await statusOf(id)).toBe('EQUIVALENCE_DONE')
  expect((await execute()).status).toBe(409)
  // Opened again: no seat is offered until it is settled again; the application does not move twice.
  const reopen = (body: object = { reason: 'The transcript was read wrongly.' }) =>
    registrar('PUT', `/transfer/external/reopen/${entered.id}`, body)
  expect((await reopen({})).status).toBe(422)
  ok(await reopen())
  expect(codes(await step(id, 'offer'))).toEqual([409, ['applicant_not_settled']])
  ok(await execute())
  ok(await step(id, 'offer'))
  await q("update applicants set status = 'APPROVED' where id = $1", [id])
  // Opened after the seat was paid: whoever is to become a student waits for it.
  ok(await reopen())
  expect(codes(await step(id, 'accept'))).toEqual([409, ['applicant_not_settled']])
  ok(await execute())
  ok(await step(id, 'accept'))
  const { student_id } = await one<{ student_id: number }>('select student_id from applicants where id = $1', [id])
  const ours = await coursesOf(program_id)
  expect(
    await q(`select k.course_id from course_credits k where k.student_id = $1 order by k.id`, [student_id]),
  ).toEqual(ours.map((course) => ({ course_id: course.id })))
  expect(await one('select passed_hours::float8 as hours from students where id = $1', [student_id])).toEqual({
    hours: ours.reduce((sum, course) => sum + course.hours, 0),
  })
  // Now they are a student's, and stay.
  expect(ok(await registrar('GET', `/transfer/external/${entered.id}`))).toMatchObject({
    student: { id: student_id },
    abilities: [],
    refused: {},
  })
  expect(codes(await reopen())).toEqual([409, ['transfer_credited']])
  expect(codes(await enter(registrar, id, ['X 9']))).toEqual([409, ['transfer_not_applying']])
})

test('under a regulation by marks the courses decide on the level in which the student begins', async () => {
  const { id, program_id } = await waiting('annual')
  const ours = await q<{ id: number; hours: number; maximum: number }>(
    `select c.id, c.credit_hours::float8 as hours, coalesce(p.max_mark, c.max_mark)::float8 as maximum
     from program_courses p join courses c on c.id = p.course_id where p.program_id = $1 and p.level = 1 and p.kind <> 'elective' order by p.id`,
    [program_id],
  )
  const typed = ok(
    await registrar('POST', `/transfer/external/add-applicant/${id}`, {
      university_id: await university(),
      courses: ours.map((_, i) => ({ code: `Y ${i}`, name: `Course ${i}`, credit_hours: 60, percent: '90' })),
    }),
  ) as unknown as { id: number; equivalences: Line[] }
  ok(
    await registrar('PUT', `/students/equivalence/${typed.id}/edit-courses`, {
      courses: typed.equivalences.map((line, i) => ({
        id: line.id,
        course_id: ours[i]!.id,
        credit_hours: ours[i]!.hours,
        letter: null,
        mark: String(Math.floor(ours[i]!.maximum * 0.9)),
        counts_in_gpa: false,
        joined_to: null,
        more: [],
      })),
    }),
  )
  ok(await registrar('PUT', `/transfer/external/${typed.id}`, {}))
  ok(await step(id, 'offer'))
  await q("update applicants set status = 'APPROVED' where id = $1", [id])
  ok(await step(id, 'accept'))
  expect(
    await one(
      `select s.level::int, (select count(*)::int from course_credits k where k.student_id = s.id) as credits,
         (select array_agg(y.level::int) from student_years y where y.student_id = s.id) as years
       from students s join applicants t on t.student_id = s.id where t.id = $1`,
      [id],
    ),
  ).toEqual({ level: 2, credits: ours.length, years: [2] })
})

test('what was settled for one program settles nothing for another', async () => {
  const { id, program_id } = await waiting()
  const entered = ok(await enter(registrar, id))
  await decide(entered as never, program_id)
  ok(await registrar('PUT', `/transfer/external/${entered.id}`, {}))
  ok(await step(id, 'hold', { reason: 'Papers are missing.' }))
  ok(await step(id, 'resume'))
  expect(codes(await enter(registrar, id))).toEqual([409, ['transfer_no_program']])
  const { id: other } = await one<{ id: number }>(
    `select id from programs where id <> $1 and removed_at is null and exists (select from program_courses c where c.program_id = programs.id) order by id limit 1`,
    [program_id],
  )
  await q('update applicants set program_id = $2 where id = $1', [id, other])
  expect(codes(await step(id, 'equivalence'))).toEqual([409, ['applicant_not_settled']])
  const again = ok(await enter(registrar, id))
  expect(again).toMatchObject({ program: { id: other } })
  await decide(again as never, other)
  // What stands for the program that was taken back cannot be settled any more.
  await q('update applicants set program_id = $2 where id = $1', [id, program_id])
  expect(codes(await registrar('PUT', `/transfer/external/${again.id}`, {}))).toEqual([409, ['transfer_other_program']])
  ok(await step(id, 'equivalence'))
})

test('courses are entered of a university that is listed, and of its own faculty, with files of who enters them', async () => {
  const { id } = await waiting()
  const tub = await university()
  const put = async (body: object, who = registrar) =>
    codes(
      await who('POST', `/transfer/external/add-applicant/${id}`, {
        university_id: tub,
        courses: [{ code: 'Z 1', name: 'Course', credit_hours: 3, grade: 'B', percent: '80' }],
        ...body,
      }),
    )
  expect(await put({ university_id: 99_999_999 })).toEqual([422, ['reference_missing@university_id']])
  const { id: faculty } = await one<{ id: number }>(
    `insert into university_faculties (university_id, code, name, name_local)
     select id, 'ELSE', 'Elsewhere', 'أخرى' from universities_list where id <> $1 order by id limit 1 returning id`,
    [tub],
  )
  expect(await put({ university_faculty_id: faculty })).toEqual([
    422,
    ['faculty_of_another_university@university_faculty_id'],
  ])
  expect(await put({ file_ids: [99_999_999] })).toEqual([422, ['reference_missing@file_ids']])
  expect(await q('select from external_transfers where applicant_id = $1', [id])).toEqual([])
})

test('an application that is not so far, or ended, is not settled', async () => {
  const { id, program_id } = await waiting()
  const entered = ok(await enter(registrar, id))
  await decide(entered as never, program_id)
  ok(await step(id, 'hold', { reason: 'Papers are missing.' }))
  expect(codes(await registrar('PUT', `/transfer/external/${entered.id}`, {}))).toEqual([
    409,
    ['transfer_not_applying', 'transfer_other_program'],
  ])
  // Nobody else's courses, and nobody who begins.
  const { id: beginner } = await one<{ id: number }>(
    `select id from applicants where admission_id = 7 and program_id is not null order by id limit 1`,
  )
  expect(codes(await enter(registrar, beginner))).toEqual([409, ['transfer_no_transfer']])
  expect(codes(await registrar('GET', `/transfer/external/of-applicant/${beginner}`))).toEqual([
    409,
    ['transfer_no_transfer'],
  ])
  const { id: ofStudent } = await one<{ id: number }>(
    `select id from external_transfers where student_id is not null and status = 'entered' order by id limit 1`,
  )
  expect(codes(await registrar('PUT', `/transfer/external/${ofStudent}`, {}))).toEqual([409, ['transfer_of_student']])
})

test('only the faculty of the program decides', async () => {
  const { id, faculty_id } = await waiting()
  const entered = ok(await enter(registrar, id))
  const { id: other } = await one<{ id: number }>('select id from faculties where id <> $1 order by id limit 1', [
    faculty_id,
  ])
  const elsewhere = await u.as('faculty_registrar', ['faculty', other])
  const own = await u.as('faculty_registrar', ['faculty', faculty_id])
  expect((await elsewhere('GET', `/transfer/external/of-applicant/${id}`)).status).toBe(404)
  expect((await elsewhere('GET', `/transfer/external/${entered.id}`)).status).toBe(404)
  expect((await enter(elsewhere, id)).status).toBe(404)
  // The papers of an application are read by whoever decides, not by whoever follows.
  await q(
    `insert into applicant_documents (applicant_id, document_kind_id, file_id)
     select $1, (select id from document_kinds order by id limit 1), (select id from files order by id limit 1)`,
    [id],
  )
  expect(ok(await own('GET', `/transfer/external/of-applicant/${id}`)).documents).toHaveLength(1)
  const dean = await u.as('dean', ['faculty', faculty_id])
  expect(ok(await dean('GET', `/transfer/external/of-applicant/${id}`))).toMatchObject({ documents: [], abilities: [] })
  for (const role of ['student', 'instructor', 'finance_officer', 'admission_officer']) {
    const who = await u.as(role)
    expect([403, 404]).toContain((await who('GET', `/transfer/external/of-applicant/${id}`)).status)
    expect([403, 404]).toContain((await enter(who, id)).status)
    expect([403, 404]).toContain((await who('PUT', `/transfer/external/${entered.id}`, {})).status)
    expect([403, 404]).toContain(
      (await who('PUT', `/transfer/external/reopen/${entered.id}`, { reason: 'Why not.' })).status,
    )
  }
})

test('the database credits what is settled alone', async () => {
  const { id } = await waiting()
  const entered = ok(await enter(registrar, id))
  await expect(
    q('update external_transfers set student_id = (select id from students order by id limit 1) where id = $1', [
      entered.id,
    ]),
  ).rejects.toThrow('external_transfer_credited')
})
