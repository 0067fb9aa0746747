/** Course files through HTTP: begun, filled, handed in, decided on, taken back; and whoever may not gets nothing. */
import { crc32 } from 'node:zlib'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AREA_SERVERS } from '../../../apps/server/areas.server.ts'
import { flag } from '#areas/common/academics/status.rules.ts'
import { addDays } from '#kit/contract/day.ts'
import { readSheet } from '#kit/server/sheets/index.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { asActor } from '#kit/server/unit/request.ts'
import { courseFileClock } from './files/clock.server.ts'
import { packJob } from './pack/pack.server.ts'

let u: TestUniversity
let w: RegistrationWorld
let quality: Caller
let dean: Caller
let today: string
const said = (answer: Answer): [number, string[]] => [answer.status, reasons(answer)]
const q = <Row = Record<string, any>>(text: string, values: unknown[] = []) => w.query<Row>(text, values)
const one = async (text: string, values: unknown[] = []) => (await q<{ id: number }>(text, values))[0]!.id
const part: Record<string, number> = {}
const question: Record<string, number> = {}

/** A content that nothing else has. */
let contents = 0
const pdf = () => Buffer.from(`%PDF-1.4\n% ${++contents}\n%%EOF\n`)
async function hands(by: Caller, id: number, fields: Record<string, unknown>, content = pdf()): Promise<Answer> {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.set(key, String(value))
  form.set('file', new Blob([new Uint8Array(content)]), 'paper.pdf')
  const encoded = new Response(form)
  const answer = await u.app.inject({
    method: 'PUT',
    url: `/api/courseFile/document/${id}`,
    headers: { authorization: `Bearer ${by.token}`, 'content-type': encoded.headers.get('content-type')! },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  return { status: answer.statusCode, body: answer.json() } as Answer
}
async function teacherOf(offering: number): Promise<Caller> {
  const as = await u.as('instructor', undefined, { type: 1 })
  const id = await one(
    `insert into instructors (user_id, code, name, name_local, faculty_id) values ($1, $2, 'Mona', 'منى', $3) returning id`,
    [as.user_id, `T${as.user_id}`, w.faculty],
  )
  await q(`insert into offering_instructors (offering_id, instructor_id, role) values ($1, $2, 'instructor')`, [
    offering,
    id,
  ])
  return as
}
/** An offering with published marks, its teacher, and its course file. */
async function published(course = 'CS101') {
  const offering = (await w.offer(course)).id
  await q(`update offerings set control_status = 'Published' where id = $1`, [offering])
  const teacher = await teacherOf(offering)
  const { id } = ok(await quality('PUT', '/courseFile', { offering_id: offering, due_on: addDays(today, 20) }))
  return { offering, teacher, id: id as number }
}
/** The same, with everything that is asked. */
async function whole() {
  const of = await published()
  ok(await hands(of.teacher, of.id, { part_id: part.SYLLABUS }))
  ok(await hands(of.teacher, of.id, { part_id: part.SAMPLES, names_hidden: 'true' }))
  ok(await of.teacher('POST', `/quality/offering-report/auto-fill-offering-report/${of.id}`))
  ok(
    await of.teacher('POST', '/quality/offering-report/answer', {
      id: of.id,
      answers: [{ question_id: question.NEXT, answer: 'Less of the last chapter.' }],
    }),
  )
  return of
}
const step = (by: Caller, id: number, action: string, body: object = {}) =>
  by('POST', `/courseFile/changeQualityStatus/${id}/${action}`, body)
const check = async (by: Caller, id: number) => ok(await by('GET', `/courseFile/checkArchive/${id}`))
const stateOf = async (id: number) => (await q(`select status from course_files where id = $1`, [id]))[0]!.status

beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS)
  w = await registrationWorld(u)
  quality = await u.as('quality_staff')
  dean = await u.as('dean', ['faculty', w.faculty])
  today = (await q(`select university_today()::text as day`))[0]!.day
  for (const [code, more] of [
    ['SYLLABUS', { source: 'upload', min_files: 1 }],
    ['SAMPLES', { source: 'upload', min_files: 1, names_hidden: true }],
    ['REPORT', { source: 'report', min_files: 1 }],
    ['MARKS', { source: 'marks', min_files: 1 }],
    ['LAB', { source: 'upload', min_files: 1, asked_of: 'laboratory' }],
  ] as const) {
    const named = { code, name: code, name_local: 'محتوى', asked_of: 'all', position: 1, ...more }
    part[code] = ok(await quality('PUT', '/course-file-parts', named)).id
  }
  for (const [code, is_optional] of [
    ['NEXT', false],
    ['NEEDS', true],
  ] as const)
    question[code] = ok(
      await quality('PUT', '/offering-report-questions', {
        code,
        name: code,
        name_local: 'سؤال',
        position: 1,
        is_optional,
      }),
    ).id
})
afterAll(() => u.close())

describe('parts', () => {
  test('what is found by itself is one thing', async () => {
    const part = { code: 'X', name: 'X', name_local: 'س', source: 'marks', asked_of: 'all', min_files: 2, position: 9 }
    expect(said(await quality('PUT', '/course-file-parts', part))).toEqual([422, ['course_file_part_found']])
  })
})

describe('a term', () => {
  test('gets a file for each offering that has none, once, due on one day', async () => {
    const { id: offering } = await w.offer('PH101')
    const { id: linked } = await w.offer('EN101')
    await q(`update offerings set linked_offering_id = $2 where id = $1`, [linked, offering])
    const body = { term_id: w.term, due_on: addDays(today, 30) }
    expect(said(await quality('POST', '/courseFile/open', { ...body, term_id: 999_999 }))).toEqual([
      422,
      ['reference_missing@term_id'],
    ])
    const first = ok(await quality('POST', '/courseFile/open', body))
    expect(first.added).toBeGreaterThanOrEqual(1)
    expect(await q(`select from course_files where offering_id = $1`, [offering])).toHaveLength(1)
    // Its students sit in the other one.
    expect(await q(`select from course_files where offering_id = $1`, [linked])).toHaveLength(0)
    expect(ok(await quality('POST', '/courseFile/open', body))).toEqual({ added: 0, changed: 0 })
    const later = ok(await quality('POST', '/courseFile/open', { ...body, due_on: addDays(today, 40) }))
    expect(later).toEqual({ added: 0, changed: first.added })
    expect(said(await quality('PUT', '/courseFile', { offering_id: offering }))).toEqual([
      422,
      ['course_file_twice@offering_id'],
    ])
  })
  test('is opened twice at once and has each file once', async () => {
    const { id } = await w.offer('HU101')
    const body = { term_id: w.term, due_on: addDays(today, 50) }
    const both = await Promise.all([
      quality('POST', '/courseFile/open', body),
      quality('POST', '/courseFile/open', body),
    ])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(await q(`select from course_files where offering_id = $1`, [id])).toHaveLength(1)
  })
  test('is opened as far as the reach goes', async () => {
    const { id } = await w.offer('MA101')
    const stranger = await u.as('quality_staff', ['faculty', w.otherFaculty])
    expect(ok(await stranger('POST', '/courseFile/open', { term_id: w.term, due_on: today }))).toEqual({
      added: 0,
      changed: 0,
    })
    expect(await q(`select from course_files where offering_id = $1`, [id])).toHaveLength(0)
    expect((await dean('POST', '/courseFile/open', { term_id: w.term, due_on: today })).status).toBe(403)
  })
})

describe('filling', () => {
  test('says part by part what is there', async () => {
    const { id, teacher } = await published()
    const { parts, reasons: why } = await check(teacher, id)
    expect(parts.map((one: any) => [one.name, one.state])).toEqual([
      ['SYLLABUS', 'missing'],
      ['SAMPLES', 'missing'],
      ['REPORT', 'missing'],
      ['MARKS', 'found'],
    ])
    expect(why.map((one: any) => one.code)).toEqual([
      'course_file_missing',
      'course_file_missing',
      'course_file_report_missing',
    ])
    expect(said(await step(teacher, id, 'submit'))).toEqual([
      409,
      ['course_file_missing', 'course_file_missing', 'course_file_report_missing'],
    ])
    await q(`update courses set laboratory_hours = 2 where code = 'CS101'`)
    expect((await check(teacher, id)).parts.map((one: any) => one.name)).toContain('LAB')
    await q(`update courses set laboratory_hours = 0 where code = 'CS101'`)
  })
  test('takes files for parts that are asked, each once, with names blacked out where it is work of students', async () => {
    const { id, teacher } = await published()
    const content = pdf()
    ok(await hands(teacher, id, { part_id: part.SYLLABUS }, content))
    expect(said(await hands(teacher, id, { part_id: part.SYLLABUS }, content))).toEqual([
      422,
      ['course_file_document_twice@file'],
    ])
    expect(said(await hands(teacher, id, { part_id: part.SAMPLES }))).toEqual([422, ['course_file_names@names_hidden']])
    expect(said(await hands(teacher, id, { part_id: part.MARKS }))).toEqual([
      422,
      ['course_file_part_by_itself@part_id'],
    ])
    expect(said(await hands(teacher, id, { part_id: part.LAB }))).toEqual([422, ['course_file_part_not_asked@part_id']])
    expect(said(await hands(teacher, id, { part_id: 999_999 }))).toEqual([422, ['course_file_part_not_asked@part_id']])
    await q(
      `insert into course_file_documents (course_file_id, part_id, file_id) select $1, $2, file_id from course_file_documents, generate_series(1, 19)
       where course_file_id = $1`,
      [id, part.SYLLABUS],
    )
    expect(said(await hands(teacher, id, { part_id: part.SYLLABUS }))).toEqual([422, ['course_file_part_full@part_id']])
    const [document] = (await check(teacher, id)).parts[0].documents
    ok(await teacher('DELETE', `/courseFile/document/${document.id}`))
    expect((await teacher('DELETE', `/courseFile/document/${document.id}`)).status).toBe(404)
    expect((await check(teacher, id)).parts[0].found).toBe(19)
  })
  test('takes a file of the archive as it is, and tells what became of it there', async () => {
    const { id, teacher } = await published()
    const file = await one(
      `insert into files (hash, name, ext, mime, size) values (repeat('a', 64), 'notes.pdf', 'pdf', 'application/pdf', 10) returning id`,
    )
    const entry = await one(
      `insert into archive_entries (parent_id, kind, name, file_id) values (1, 'file', 'notes.pdf', $1) returning id`,
      [file],
    )
    const body = { part_id: part.SYLLABUS, entry_id: entry }
    ok(await teacher('POST', `/courseFile/document/archive/${id}`, body))
    const archive = async () => (await check(teacher, id)).parts[0].documents[0].archive
    expect(await archive()).toBe('same')
    // Its folder is moved: it is where it is.
    const folder = await one(
      `insert into archive_entries (parent_id, kind, name) values (1, 'folder', 'Moved') returning id`,
    )
    await q(`update archive_entries set parent_id = $2 where id = $1`, [entry, folder])
    expect(await archive()).toBe('same')
    const other = await one(
      `insert into files (hash, name, ext, mime, size) values (repeat('b', 64), 'notes.pdf', 'pdf', 'application/pdf', 11) returning id`,
    )
    await q(`update archive_entries set file_id = $2 where id = $1`, [entry, other])
    expect(await archive()).toBe('changed')
    await q(`update archive_entries set removed_at = now(), removed_with = id where id = $1`, [entry])
    expect(await archive()).toBe('gone')
    expect((await check(teacher, id)).parts[0].state).toBe('found')
    expect((await teacher('POST', `/courseFile/document/archive/${id}`, { ...body, entry_id: 999_999 })).status).toBe(
      404,
    )
    expect((await teacher('POST', `/courseFile/document/archive/${id}`, { ...body, entry_id: 1 })).status).toBe(409)
  })
})

describe('the report', () => {
  const fill = (by: Caller, id: number) => by('POST', `/quality/offering-report/auto-fill-offering-report/${id}`)
  test('is filled from the marks once they are published, and says when they are others', async () => {
    const { id, teacher, offering } = await published()
    const student = await w.student()
    const other = await w.student()
    const graded = (who: number, total: number, letter: string, passed: boolean) =>
      one(
        `insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours, total, letter, points, passed)
         select $1, o.id, o.term_id, o.course_id, $3, 3, $4, $5, 2, $6 from offerings o where o.id = $2 returning id`,
        [who, offering, (flag.Registered | flag.Fresh).toString(), total, letter, passed],
      )
    await graded(student.id, 80, 'B', true)
    const second = await graded(other.id, 40, 'F', false)
    await q(`update offerings set control_status = 'Approved' where id = $1`, [offering])
    expect(said(await fill(teacher, id))).toEqual([409, ['offering_report_marks_open']])
    expect(said(await teacher('POST', '/quality/offering-report/answer', { id, answers: [] }))).toEqual([
      409,
      ['offering_report_not_filled'],
    ])
    await q(`update offerings set control_status = 'Published' where id = $1`, [offering])
    const report = ok(await fill(teacher, id))
    expect(report.figures).toMatchObject({ registered: 2, marked: 2, mean: 60, passed: 50 })
    expect(report.changed).toEqual([])
    const answers = [{ question_id: question.NEXT, answer: 'More exercises.' }]
    ok(await teacher('POST', '/quality/offering-report/answer', { id, answers }))
    expect((await check(teacher, id)).parts[2].state).toBe('found')
    await q(`update registrations set total = 60, letter = 'C', passed = true where id = $1`, [second])
    const now = ok(await teacher('POST', '/quality/offering-report/questions', { id }))
    expect(now.changed).toEqual(expect.arrayContaining(['mean', 'passed', 'letters']))
    // What was filled stays until it is filled again.
    expect(now.figures.mean).toBe(60)
    expect((await check(teacher, id)).reasons.map((one: any) => one.code)).toContain('course_file_report_outdated')
    expect(ok(await fill(teacher, id)).figures.mean).toBe(70)
    // An answer that is taken out is asked for again; one to a question that is not asked is none.
    ok(
      await teacher('POST', '/quality/offering-report/answer', {
        id,
        answers: [{ question_id: question.NEXT, answer: null }],
      }),
    )
    expect((await check(teacher, id)).parts[2].state).toBe('missing')
    expect(
      said(
        await teacher('POST', '/quality/offering-report/answer', {
          id,
          answers: [{ question_id: 999_999, answer: 'x' }],
        }),
      ),
    ).toEqual([422, ['offering_report_question@answers']])
  })
})

describe('the way', () => {
  test('handed in, accepted, approved; each taken back as long as none follows', async () => {
    const { id, teacher } = await whole()
    ok(await step(teacher, id, 'submit'))
    expect(said(await hands(teacher, id, { part_id: part.SYLLABUS }))).toEqual([409, ['course_file_closed']])
    expect((await step(teacher, id, 'accept')).status).toBe(403)
    ok(await step(quality, id, 'accept'))
    expect((await step(quality, id, 'approve')).status).toBe(403)
    expect(said(await quality('DELETE', `/courseFile/${id}`, {}))).toEqual([409, ['course_file_closed']])
    // What was meant is no longer the last step.
    expect(said(await teacher('POST', `/courseFile/undo/${id}/submitted`, {}))).toEqual([409, ['course_file_went_on']])
    ok(await step(dean, id, 'approve'))
    expect((await quality('POST', `/courseFile/undo/${id}/approved`, {})).status).toBe(403)
    ok(await dean('POST', `/courseFile/undo/${id}/approved`, {}))
    ok(await quality('POST', `/courseFile/undo/${id}/accepted`, {}))
    ok(await teacher('POST', `/courseFile/undo/${id}/submitted`, {}))
    expect(await stateOf(id)).toBe('draft')
    ok(await hands(teacher, id, { part_id: part.SYLLABUS }))
  })
  test('given back with a reason, updated, and taken back to where it came from', async () => {
    const { id, teacher } = await whole()
    ok(await step(teacher, id, 'submit'))
    expect((await step(quality, id, 'notAccept')).status).toBe(422)
    ok(await step(quality, id, 'notAccept', { reason: 'Names can be read.' }))
    expect((await step(teacher, id, 'submit')).status).toBe(409)
    ok(await step(teacher, id, 'update'))
    ok(await teacher('POST', `/courseFile/undo/${id}/submitted`, {}))
    expect(await stateOf(id)).toBe('not_accepted')
    ok(await step(teacher, id, 'update'))
    ok(await step(quality, id, 'accept'))
    ok(await step(dean, id, 'notApprove', { reason: 'The share of passes is not explained.' }))
    ok(await step(teacher, id, 'update'))
    expect(await stateOf(id)).toBe('submitted')
    const told = await q(`select from notifications where user_id = $1 and key = 'course-files.notice_moved'`, [
      teacher.user_id,
    ])
    expect(told.length).toBeGreaterThanOrEqual(3)
  })
  test('what is gone since, and what somebody still asks about, holds up a decision', async () => {
    const { id, teacher, offering } = await whole()
    ok(await step(teacher, id, 'submit'))
    const comment = ok(await quality('POST', `/courseFile/postComment/${id}`, { text: 'Which year is this?' })).id
    expect(said(await step(quality, id, 'accept'))).toEqual([409, ['course_file_comments_open']])
    ok(await teacher('POST', `/courseFile/settleComment/${comment}`, { settled: true }))
    await q(`update offerings set control_status = 'Approved' where id = $1`, [offering])
    expect(said(await step(quality, id, 'accept'))).toEqual([409, ['course_file_marks_open']])
    await q(`update offerings set control_status = 'Published' where id = $1`, [offering])
    ok(await step(quality, id, 'accept'))
  })
  test('nobody decides on the course that he or she teaches', async () => {
    const { id, teacher, offering } = await whole()
    ok(await step(teacher, id, 'submit'))
    const both = await u.as('quality_staff', undefined, { type: 1 })
    const instructor = await one(
      `insert into instructors (user_id, code, name, name_local, faculty_id) values ($1, 'BOTH', 'Both', 'كلاهما', $2) returning id`,
      [both.user_id, w.faculty],
    )
    await q(`insert into offering_instructors (offering_id, instructor_id, role) values ($1, $2, 'assistant')`, [
      offering,
      instructor,
    ])
    expect(said(await step(both, id, 'accept'))).toEqual([403, ['step_own']])
  })
  test('is taken once by two at the same moment', async () => {
    const { id, teacher } = await whole()
    ok(await step(teacher, id, 'submit'))
    const answers = await Promise.all([step(quality, id, 'accept'), step(quality, id, 'notAccept', { reason: 'No' })])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })
})

describe('comments', () => {
  test('are answered in threads, told to who takes part, and settled by who began them or teaches', async () => {
    const { id, teacher } = await published()
    const thread = ok(
      await quality('POST', `/courseFile/postComment/${id}`, { text: 'Where is the exam?', part_id: part.SYLLABUS }),
    ).id
    const say = (by: Caller, body: object) => by('POST', `/courseFile/postComment/${id}`, body)
    const answer = ok(await say(teacher, { text: 'It comes.', reply_to: thread })).id
    const heard = await q(`select from notifications where user_id = $1 and key = 'course-files.notice_comment'`, [
      quality.user_id,
    ])
    expect(heard.length).toBeGreaterThanOrEqual(1)
    expect(said(await say(teacher, { text: 'x', reply_to: answer }))).toEqual([422, ['reference_missing@reply_to']])
    expect(said(await say(teacher, { text: 'x', reply_to: thread, part_id: part.SYLLABUS }))).toEqual([
      422,
      ['course_file_comment_part@part_id'],
    ])
    expect(said(await say(teacher, { text: 'x', part_id: 999_999 }))).toEqual([422, ['reference_missing@part_id']])
    const settle = (by: Caller, settled: boolean) => by('POST', `/courseFile/settleComment/${thread}`, { settled })
    expect(said(await settle(dean, true))).toEqual([403, ['course_file_comment_not_yours']])
    ok(await settle(quality, true))
    expect(said(await say(teacher, { text: 'Late', reply_to: thread }))).toEqual([409, ['course_file_comment_settled']])
    expect(ok(await teacher('GET', `/courseFile/getComment/${id}`))).toEqual([])
    expect(
      ok(await teacher('GET', `/courseFile/getAllComment/${id}`)).map((one: any) => [
        one.text,
        one.reply_to,
        one.settles,
      ]),
    ).toEqual([
      ['Where is the exam?', null, true],
      ['It comes.', thread, false],
    ])
    ok(await settle(teacher, false))
    expect(ok(await teacher('GET', `/courseFile/getComment/${id}`))).toHaveLength(2)
  })
})

describe('what others see', () => {
  test('figures by faculty, and a sheet in either language', async () => {
    const { id } = await published()
    await q(`update course_files set due_on = university_today() - 1 where id = $1`, [id])
    const rows = ok(await quality('GET', `/courseFile/count?term_id=${w.term}`))
    const mine = rows.find((one: any) => one.faculty.id === w.faculty)
    expect(mine.draft).toBeGreaterThanOrEqual(1)
    expect(mine.late).toBeGreaterThanOrEqual(1)
    expect(ok(await (await u.as('quality_staff', ['faculty', w.otherFaculty]))('GET', '/courseFile/count'))).toEqual([])
    const sheet = await quality('GET', `/courseFile/getOffer/export-excel/ar?term_id=${w.term}`)
    expect(sheet.status).toBe(200)
    expect(JSON.stringify((await readSheet(sheet.bytes)).sheets[0])).toContain('الحالة')
  })
  test('the wrong person gets nothing', async () => {
    const { id } = await published()
    const elsewhere = await teacherOf((await w.offer('EN101')).id)
    const student = await w.student()
    const stranger = await u.as('quality_staff', ['faculty', w.otherFaculty])
    for (const [method, path, body] of [
      ['GET', `/courseFile/${id}`],
      ['GET', `/courseFile/checkArchive/${id}`],
      ['GET', `/courseFile/getComment/${id}`],
      ['GET', `/courseFile/getAllComment/${id}`],
      ['POST', `/courseFile/postComment/${id}`, { text: 'x' }],
      ['POST', '/quality/offering-report/questions', { id }],
      ['POST', `/courseFile/changeQualityStatus/${id}/submit`, {}],
      ['POST', `/quality/offering-report/auto-fill-offering-report/${id}`],
      ['POST', '/quality/offering-report/answer', { id, answers: [] }],
      ['POST', `/courseFile/document/archive/${id}`, { part_id: part.SYLLABUS, entry_id: 1 }],
      ['POST', `/courseFile/undo/${id}/draft`, {}],
    ] as const) {
      expect([path, (await elsewhere(method, path, body)).status]).toEqual([path, 404])
      expect([path, [403, 404].includes((await stranger(method, path, body)).status)]).toEqual([path, true])
      expect([path, (await student.as(method, path, body)).status]).toEqual([path, 403])
    }
    expect((await hands(elsewhere, id, { part_id: part.SYLLABUS })).status).toBe(404)
    expect((await hands(quality, id, { part_id: part.SYLLABUS })).status).toBe(403)
    expect(ok((await elsewhere('POST', '/courseFile', { perPage: 100 })) as never)).toEqual([])
  })
})

describe('the pack of a program', () => {
  const body = async () => {
    const [year] = await q(`select year_id as id from terms where id = $1`, [w.term])
    return { program_id: w.program, from_year_id: year!.id, to_year_id: year!.id, lang: 'en' }
  }
  /** Asks for a pack. @returns its number */
  async function asked(of: object): Promise<number> {
    ok(await quality('POST', '/courseFile/pack', of))
    return one(`select max(id)::int as id from course_file_packs`)
  }
  /** What the job does, in a process of its own; killed before it makes part `until`. */
  async function take(pack_id: number, until = Infinity) {
    const control = new AbortController()
    const actor = (await u.auth.authenticate({ headers: { authorization: `Bearer ${quality.token}` } }))!
    const ctx = asActor(u.services, actor)
    let n = 0
    const write = (...args: Parameters<typeof ctx.write>) => {
      // Planning is a unit of work as well.
      if (++n > until) control.abort(new Error('killed'))
      control.signal.throwIfAborted()
      return ctx.write(...args)
    }
    const dies = Object.create(ctx, { write: { value: write } }) as typeof ctx
    return packJob.run(
      dies,
      { pack_id },
      Object.assign(async () => {}, { signal: control.signal }),
    )
  }
  test('holds what was agreed to, and tells the rest in its index', async () => {
    const agreed = await whole()
    ok(await step(agreed.teacher, agreed.id, 'submit'))
    ok(await step(quality, agreed.id, 'accept'))
    await published('MA101')
    const made = (await take(await asked(await body())))!
    expect(Date.parse(made.until)).toBeGreaterThan(Date.now() + 6 * 86_400_000)
    const file = await quality('GET', made.url.replace(/^\/api/, ''))
    expect(file.status).toBe(200)
    const names = Object.keys(unzipSync(new Uint8Array(file.bytes)))
    expect(names).toContain('Index.xlsx')
    expect(
      names.filter((name) => name.startsWith('Courses/CS101 CS101/') && name.endsWith('.pdf')).length,
    ).toBeGreaterThanOrEqual(3)
    expect(names.some((name) => name.startsWith('Courses/MA101'))).toBe(false)
    const { sheets } = await readSheet(Buffer.from(unzipSync(new Uint8Array(file.bytes))['Index.xlsx']!))
    expect(JSON.stringify(sheets)).toContain('MA101')
    // Nobody else opens it by its address.
    expect([403, 404]).toContain((await dean('GET', made.url.replace(/^\/api/, ''))).status)
    const colleague = await u.as('quality_staff')
    expect((await colleague('GET', made.url.replace(/^\/api/, ''))).status).toBe(404)
    expect(ok(await colleague('GET', '/courseFile/packs'))).toEqual([])
  })
  test('killed in the middle, another process goes on where it was; what is made is not made again', async () => {
    const id = await asked(await body())
    expect(reasons(await quality('GET', `/courseFile/pack/${id}/file`))).toEqual(['course_file_pack_underway'])
    await expect(take(id, 3)).rejects.toThrow('killed')
    const rows = () =>
      q(
        `select position, hash, xmin::text as written from course_file_pack_items where pack_id = $1 and crc is not null order by 1`,
        [id],
      )
    const half = await rows()
    expect(half.length).toBeGreaterThan(0)
    expect(ok(await quality('GET', '/courseFile/packs'))[0]).toMatchObject({ id, until: null, done: half.length })
    const made = (await take(id))!
    expect((await rows()).filter(({ position }) => half.some((one) => one.position === position))).toEqual(half)
    const file = await quality('GET', `/courseFile/pack/${id}/file`)
    const zip = unzipSync(new Uint8Array(file.bytes))
    const parts = await q(
      `select path, size, crc::float8 as crc from course_file_pack_items where pack_id = $1 order by position`,
      [id],
    )
    expect(Object.keys(zip)).toEqual(parts.map(({ path }) => path))
    for (const { path, size, crc } of parts) expect([zip[path]!.byteLength, crc32(zip[path]!)]).toEqual([size, crc])
    // The same bytes whenever it is fetched, and once more by the same job.
    expect((await quality('GET', `/courseFile/pack/${id}/file`)).bytes.equals(file.bytes)).toBe(true)
    expect(await take(id)).toEqual(made)
  })
  test('a file that the store has lost is told in the pack; after its days a pack is over, and its papers leave the store', async () => {
    const id = await asked(await body())
    await take(id, 1).catch(() => {})
    const [lost] = await q(
      `select path from course_file_pack_items where pack_id = $1 and kind = 'file' order by position limit 1`,
      [id],
    )
    await q(`update course_file_pack_items set hash = repeat('0', 64) where pack_id = $1 and path = $2`, [
      id,
      lost!.path,
    ])
    await take(id)
    const zip = unzipSync(new Uint8Array((await quality('GET', `/courseFile/pack/${id}/file`)).bytes))
    expect(Buffer.from(zip['MISSING.txt']!).toString()).toContain(lost!.path)
    expect(zip[lost!.path]).toBeUndefined()
    const [index] = await q(`select hash from course_file_pack_items where pack_id = $1 and kind = 'index'`, [id])
    expect(await u.services.files.sweep([index!.hash])).toBe(0)
    expect(await u.services.storage.has(index!.hash)).toBe(true)
    await q(`update course_file_packs set until = now() - interval '1 minute' where id = $1`, [id])
    await q(`update held_contents set until = now() - interval '1 minute' where hash = $1`, [index!.hash])
    expect(reasons(await quality('GET', `/courseFile/pack/${id}/file`))).toEqual(['course_file_pack_over'])
    expect(ok(await quality('GET', '/courseFile/packs')).some((one: { id: number }) => one.id === id)).toBe(false)
    await u.services.files.sweep([index!.hash])
    expect(await u.services.storage.has(index!.hash)).toBe(false)
  })
  test('is refused with its reason', async () => {
    const asked = await body()
    expect((await quality('POST', '/courseFile/pack', asked)).status).toBe(200)
    const make = async (more: object, by = quality) => said(await by('POST', '/courseFile/pack', { ...asked, ...more }))
    expect(await make({ program_id: 999_999 })).toEqual([422, ['reference_missing@program_id']])
    expect(await make({ from_year_id: 999_999 })).toEqual([422, ['reference_missing@from_year_id']])
    expect(await make({ to_year_id: 999_999 })).toEqual([422, ['reference_missing@to_year_id']])
    const later = await one(
      `insert into years (code, name, name_local, start_date, end_date) values ('L', 'Later', 'لاحق', university_today() + 400, university_today() + 700) returning id`,
    )
    expect(await make({ from_year_id: later })).toEqual([422, ['course_file_pack_years@to_year_id']])
    expect(await make({ from_year_id: later, to_year_id: later })).toEqual([409, ['course_file_pack_nothing']])
    // More than a ZIP holds that every program reads, told before anything is packed.
    const large = await one(
      `select d.file_id as id from course_file_documents d join course_files c on c.id = d.course_file_id
       where c.status = 'accepted' and d.removed_at is null limit 1`,
    )
    await q(`update files set size = 3800000001 where id = $1`, [large])
    expect(await make({})).toEqual([409, ['course_file_pack_large@to_year_id']])
    await q(`update files set size = 3799000000 where id = $1`, [large])
    expect((await quality('POST', '/courseFile/pack', asked)).status).toBe(200)
    const stranger = await u.as('quality_staff', ['faculty', w.otherFaculty])
    expect(await make({}, stranger)).toEqual([409, ['course_file_pack_nothing']])
    expect((await make({}, await teacherOf((await w.offer('EN101')).id)))[0]).toBe(403)
  })
})

describe('time', () => {
  test('reminds a week before, and tells once when it is overdue', async () => {
    const { id, teacher } = await published()
    const run = () =>
      courseFileClock.run(
        { services: u.services } as never,
        {},
        Object.assign(async () => {}, { signal: new AbortController().signal }),
      )
    const heard = async (key: string) =>
      (await q(`select from notifications where user_id = $1 and key = $2`, [teacher.user_id, `course-files.${key}`]))
        .length
    await run()
    expect([await heard('notice_due'), await heard('notice_late')]).toEqual([0, 0])
    await q(`update course_files set due_on = university_today() + 7 where id = $1`, [id])
    await run()
    await run()
    expect([await heard('notice_due'), await heard('notice_late')]).toEqual([1, 0])
    await q(`update course_files set due_on = university_today() - 1 where id = $1`, [id])
    await run()
    await run()
    expect([await heard('notice_due'), await heard('notice_late')]).toEqual([1, 1])
  })
})
