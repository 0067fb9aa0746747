import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { accessAndPeopleServer } from '#areas/people/access-and-people/access-and-people.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { offeringsServer } from '#areas/study/offerings/offerings.server.ts'
import { peopleServer } from '#areas/people/people/people.server.ts'
import { registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { reportsServer } from '#areas/office/reports/reports.server.ts'
import { settingsServer } from '#areas/common/settings/settings.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { termsServer } from '#areas/study/terms/terms.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { readSheet } from '#kit/server/sheets/index.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { gradingServer } from '../grading.server.ts'
import { cells, offerCourse, seed, statusOf, type Fixture, type TestOffering } from '../testing.server.ts'
import { barsOf, barcodeOf } from './barcode.rules.ts'

const servers = [
  kitServer,
  accessAndPeopleServer,
  catalogueServer,
  offeringsServer,
  peopleServer,
  registrationServer,
  reportsServer,
  settingsServer,
  studentsServer,
  termsServer,
  gradingServer,
]
let uni: TestUniversity
let f: Fixture
let head: Caller
let office: Caller
let instructor: Caller
const query = async <T = any>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await uni.database.pool.query(text, values)).rows

beforeAll(async () => {
  uni = await testUniversity(servers)
  f = await seed(uni.database)
  head = await uni.as('control_head')
  office = await uni.as('exam_officer', ['faculty', f.faculty])
  instructor = await uni.as('instructor', undefined, { type: 1 })
  await query('update instructors set user_id = $1 where id = $2', [instructor.user_id, f.instructor])
})
afterAll(() => uni.close())

let o: TestOffering
let n = 0
beforeEach(async () => {
  await query('delete from registrations; update offerings set removed_at = now()')
  o = await offerCourse(uni.database, f, { code: `b${++n}` })
})
const at = (word: string, id = o.id) => `/control/offerings/barcode/${word}/${id}`
const show = async (who: Caller) => ok(await who('GET', `/control/offerings/barcode/${o.id}`))
const mark = (who: Caller, barcode: string, value: string | null, version: number | null = null, id = o.id) =>
  who('PUT', `/control/students/barcode/update-final-mark/${id}`, { barcode, mark: value, version })
/** Barcodes of the offering by the code of their students, as the exam office has them. */
const given = async (spare = 0) => {
  ok(await office('POST', at('generate'), { spare }))
  const rows = ok(await office('POST', at('students'), {})) as { barcode: string; student: { code: string } | null }[]
  return { of: new Map(rows.map((row) => [row.student?.code ?? 'spare', row.barcode])), all: rows }
}

test('codes are drawn by chance, and each sign of a barcode has three wide bars', () => {
  expect(barcodeOf(Uint8Array.from({ length: 12 }, (_, i) => i * 31))).toMatch(/^[0-9A-HJKMNP-TV-Z]{12}$/)
  const { bars, width } = barsOf('0123456789AB')
  expect(bars).toHaveLength(14 * 5)
  expect(width).toBe(20 + 14 * 15 + 13)
})

test('papers are marked by barcode, and stand with their students when control opens the names', async () => {
  const { of, all } = await given(2)
  expect(all).toHaveLength(8)
  expect(await show(instructor)).toMatchObject({
    names: 'closed',
    papers: 6,
    marked: 0,
    missing: 6,
    rows: [],
    abilities: ['mark'],
  })
  const first = of.get('S001')!
  // As a scanner or a hand may give it.
  expect(ok(await mark(instructor, ` ${first.slice(0, 4)}-${first.slice(4).toLowerCase()} `, '41.5'))).toEqual({
    code: first,
    mark: '41.5',
    version: 2,
  })
  // Read twice: told, and nothing changes; seen, it can be corrected.
  const twice = await mark(instructor, first, '12')
  expect([twice.status, reasons(twice), twice.body.errors[0].data.mark]).toEqual([
    409,
    ['barcode_twice@barcode'],
    '41.5',
  ])
  expect(ok(await mark(instructor, first, '42', 2)).mark).toBe('42')
  expect(reasons(await mark(instructor, first, '43', 2))).toEqual(['barcode_twice@barcode'])
  expect(reasons(await mark(instructor, of.get('S002')!, '61'))).toEqual(['mark_maximum@mark'])
  // Another offering's paper and no paper at all are answered alike; a spare one says so.
  const other = await offerCourse(uni.database, f, { code: `b${n}x`, course: 1 })
  ok(await office('POST', at('generate', other.id), {}))
  const [foreign] = await query('select code from exam_barcodes where offering_id = $1 limit 1', [other.id])
  expect(reasons(await mark(instructor, foreign.code, '1'))).toEqual(['barcode_unknown@barcode'])
  expect(reasons(await mark(instructor, 'ZZZZZZZZZZZZ', '1'))).toEqual(['barcode_unknown@barcode'])
  expect(reasons(await mark(instructor, of.get('spare')!, '1'))).toEqual(['barcode_free@barcode'])
  ok(await mark(instructor, of.get('S002')!, 'A'))
  // A student who left in the meantime: the paper is marked like all others.
  ok(await mark(instructor, of.get('S003')!, '30'))
  await query('update registrations set status = $1 where id = $2', [
    statusOf('Withdrawn', 'Fresh'),
    o.registrations[2],
  ])
  ok(await mark(instructor, of.get('S004')!, '50'))
  expect(await show(instructor)).toMatchObject({ marked: 4, missing: 2 })
  expect((await show(instructor)).rows.map((row: any) => row.code)).toEqual(
    ['S001', 'S002', 'S003', 'S004'].map((code) => of.get(code)!).toSorted(),
  )

  // Until then nothing of it stands with a name, and the offering stays where it is.
  const named = await instructor('PUT', '/offerings/offering-students-grades/update', {
    offering_id: o.id,
    cells: [{ registration_id: o.registrations[0], offering_mark_id: o.scheme[0], mark: '3', version: null }],
  })
  expect([named.status, named.body.errors[0].code, named.body.errors[0].data.course]).toEqual([
    409,
    'names_closed',
    'CS101',
  ])
  expect(await query('select * from registration_marks')).toEqual([])
  expect(reasons(await head('PUT', `/control/offerings/submit-control-status/${o.id}`, {}))).toEqual(['names_closed'])
  await expect(query(`update offerings set control_status = 'Submitted' where id = $1`, [o.id])).rejects.toThrow(
    'names_closed',
  )
  expect((await instructor('POST', at('open'), {})).status).toBe(403)
  const opened = ok(await office('POST', at('open'), {}))
  expect(opened).toMatchObject({
    taken: 3,
    left: [{ mark: '30', student: { code: 'S003' } }],
    missing: [{ code: 'S005' }, { code: 'S006' }],
  })
  expect(
    await query(
      'select registration_id, trim_scale(mark)::text as mark, absent, entered_by from registration_marks order by registration_id',
    ),
  ).toEqual([
    { registration_id: o.registrations[0], mark: '42', absent: false, entered_by: instructor.user_id },
    { registration_id: o.registrations[1], mark: null, absent: true, entered_by: instructor.user_id },
    { registration_id: o.registrations[3], mark: '50', absent: false, entered_by: instructor.user_id },
  ])
  // The grid is open again, and papers are marked no more.
  expect(ok(await instructor('GET', `/offerings/offering-students-grades/${o.id}`)).rows).toHaveLength(6)
  expect(reasons(await mark(instructor, of.get('S005')!, '1'))).toEqual(['names_opened'])
  expect(reasons(await office('POST', at('open'), {}))).toEqual(['names_opened'])
})

test('who has seen names marks nothing, who has marked sees no names, and the wrong person gets nothing', async () => {
  const { of } = await given()
  ok(await head('GET', at('labels') + '/ar'))
  expect(reasons(await mark(head, of.get('S001')!, '10'))).toEqual(['barcodes_seen'])
  const other = await uni.as('control_head')
  ok(await mark(other, of.get('S001')!, '10'))
  for (const [method, path] of [
    ['POST', at('students')],
    ['POST', at('open')],
    ['POST', at('generate')],
    ['GET', `${at('labels')}/en`],
  ] as const)
    expect(reasons(await other(method, path, method === 'POST' ? {} : undefined)), path).toEqual(['barcodes_marked'])
  expect(reasons(await other('GET', `/offerings/offering-students-grades/${o.id}`))).toEqual(['names_closed'])
  expect((await show(other)).abilities).toEqual(['mark'])
  const strange = await uni.as('instructor', undefined, { type: 1 })
  expect((await mark(strange, of.get('S002')!, '10')).status).toBe(404)
  const elsewhere = await uni.as('exam_officer', ['faculty', f.otherFaculty])
  expect((await elsewhere('POST', at('students'), {})).status).toBe(404)
  for (const role of ['registrar', 'student', 'dean']) {
    const one = await uni.as(role)
    expect((await one('POST', at('students'), {})).status, role).toBe(403)
    expect((await mark(one, of.get('S002')!, '10')).status, role).toBe(403)
  }
  // Marks of the final exam that already stand beside names come before barcodes.
  const late = await offerCourse(uni.database, f, { code: `b${n}l`, course: 2 })
  ok(
    await head('PUT', '/offerings/offering-students-grades/update', {
      offering_id: late.id,
      cells: cells(late, 0, ['1', '1', '1']),
    }),
  )
  expect(reasons(await office('POST', at('generate', late.id), {}))).toEqual(['final_marks_entered'])
  // Nor does the offering get another scheme by its form.
  const registrar = await uni.as('registrar')
  expect(reasons(await registrar('PUT', `/offerings/${late.id}`, { mark_id: f.mark }))).toEqual([
    'scheme_has_marks@mark_id',
  ])
})

test('papers are for what is there, has a final exam, and whose names were not opened; before, nothing is marked or opened', async () => {
  expect(reasons(await mark(head, 'ABCD-EFGH', '1'))).toEqual(['barcodes_none'])
  expect(reasons(await office('POST', at('open'), {}))).toEqual(['barcodes_none'])
  const search = { offering_id: o.id, text: 'S001' }
  expect(reasons(await office('POST', '/exam-barcodes/search_for_student', search))).toEqual(['barcodes_none'])
  const generate = () => office('POST', at('generate'), { spare: 0 })
  const opened = await offerCourse(uni.database, f, { code: `b${n}o`, course: 2 })
  await query('insert into anonymous_offerings (offering_id, opened_at) values ($1, now())', [opened.id])
  expect(reasons(await office('POST', at('generate', opened.id), { spare: 0 }))).toEqual(['names_opened'])
  await query('update offerings set removed_at = now() where id = $1', [o.id])
  expect(reasons(await generate())).toEqual(['removed_record'])
  await query('update offerings set removed_at = null where id = $1', [o.id])
  await query('delete from offering_marks where offering_id = $1', [o.id])
  expect(reasons(await generate())).toEqual(['scheme_missing'])
})

test('barcodes are given out, marked and opened while control has the offering in draft', async () => {
  expect(reasons(await office('POST', at('students'), {}))).toEqual(['barcodes_none'])
  const { of } = await given()
  const [{ id: barcode }] = await query('select id from exam_barcodes where code = $1', [of.get('S001')])
  const why = { reason: 'Label lost' }
  const calls: [who: Caller, method: 'POST' | 'PUT', path: string, body: object][] = [
    [office, 'POST', at('generate'), { spare: 0 }],
    [office, 'POST', at('open'), {}],
    [office, 'PUT', '/exam-barcodes/generate_backup_barcodes', { offering_id: o.id, count: 1 }],
    [office, 'POST', `/exam-barcodes/detach_backup_barcode/${barcode}`, why],
  ]
  // The database keeps an offering with closed names in draft, whoever writes; what is there from before is refused too.
  await query(`alter table offerings disable trigger user`)
  await query(`update offerings set control_status = 'Submitted' where id = $1`, [o.id])
  await query(`alter table offerings enable trigger user`)
  const before = await query('select * from exam_barcodes order by id')
  for (const [who, method, path, body] of calls) {
    const answer = await who(method, path, body)
    expect([answer.status, reasons(answer)], path).toEqual([409, ['control_status']])
  }
  const marked = await mark(instructor, of.get('S001')!, '10')
  expect([marked.status, reasons(marked)]).toEqual([409, ['control_status']])
  expect(await query('select * from exam_barcodes order by id')).toEqual(before)
  expect(await query('select opened_at from anonymous_offerings where offering_id = $1', [o.id])).toEqual([
    { opened_at: null },
  ])
})

test('a barcode and a paper that are not there, or are on no paper, are told as such', async () => {
  const { of } = await given(1)
  const why = { reason: 'Label lost' }
  const call = (path: string, body: object) => office('POST', `/exam-barcodes/${path}`, body)
  const attach = (registration_id: number) =>
    call('attach_backup_barcode', { registration_id, barcode: of.get('spare')!, ...why })
  const [spare] = await query('select id from exam_barcodes where code = $1', [of.get('spare')])
  await query('update registrations set status = $1 where id = $2', [
    statusOf('Withdrawn', 'Fresh'),
    o.registrations[2],
  ])
  for (const answer of [
    await attach(99_999_999),
    await attach(o.registrations[2]!),
    await call('detach_backup_barcode/99999999', why),
    await call(`detach_backup_barcode/${spare.id}`, why),
    await call('changes/confirm/99999999', {}),
  ])
    expect([answer.status, reasons(answer)]).toEqual([404, ['not_found']])
  expect(await query('select from exam_paper_changes where offering_id = $1', [o.id])).toEqual([])
})

test('the window of mark entry binds who teaches, not control', async () => {
  const { of } = await given()
  const paper = of.get('S001')!
  const stage = (days: number) =>
    query(
      `insert into term_stages (term_id, stage_code_id, starts_at, ends_at) select $1, id, now() + make_interval(days => $2), now() + make_interval(days => $3)
       from stage_codes where code = 'grade_entry'`,
      [f.fall, days, days + 1],
    )
  await stage(-10)
  const refused = await mark(instructor, paper, '20')
  expect([refused.status, refused.body.errors[0]]).toMatchObject([
    409,
    { code: 'grade_entry_closed', data: { starts_at: expect.any(String), ends_at: expect.any(String) } },
  ])
  const { version } = ok(await mark(head, paper, '20'))
  await query('delete from term_stages where term_id = $1', [f.fall])
  await stage(0)
  ok(await mark(instructor, paper, '21', version))
  await query('delete from term_stages where term_id = $1', [f.fall])
})

test('two people read one paper at the same moment: one mark stands, the other is told', async () => {
  const { of } = await given()
  const team = await uni.as('control_team')
  const answers = await Promise.all([mark(instructor, of.get('S001')!, '20'), mark(team, of.get('S001')!, '30')])
  expect(answers.map((one) => one.status).toSorted()).toEqual([200, 409])
})

test('no call that a marker may make says whose mark is which', async () => {
  const { of } = await given()
  const students = await query('select id, code, name, user_id from students order by code')
  const secret = ['41.37', '42.37', '43.37', '44.37', '45.37', '46.37']
  const codes = students.map((one) => of.get(one.code)!)
  for (const [i, code] of codes.entries()) ok(await mark(instructor, code, secret[i]!))
  const calls = servers.flatMap(({ area }) => [...area.calls])
  const ids = [o.id, o.registrations[0]!, students[0].id]
  let answered = 0
  for (const one of calls) {
    if ((one.method !== 'GET' && !one.reads) || /log(in|out)/.test(one.path)) continue
    for (const id of one.path.includes('{') ? ids : [0]) {
      const path = one.path
        .replace(/\{(lang|x|b)\}/g, one.path.includes('export-student-grades') ? 'marks' : 'en')
        .replace(/\{\w+\}/g, String(id))
      const answer = await instructor(one.method, path, one.method === 'GET' ? undefined : (one.example ?? {}))
      expect(answer.status, path).not.toBe(401)
      if (answer.status !== 200) continue
      answered++
      const text = answer.bytes.toString('utf8')
      const tells = codes.some((code) => text.includes(code)) || secret.some((value) => text.includes(value))
      if (!tells) continue
      // What knows a barcode or its mark knows no student: no code, name, e-mail, nor number of a record.
      expect(path).toBe(`/control/offerings/barcode/${o.id}`)
      for (const student of students) {
        expect(text).not.toContain(student.code)
        expect(text).not.toContain(student.name)
      }
      expect(text).not.toMatch(/registration|student|email|s\d@u\.example/)
      expect(Object.keys(answer.body.data.rows[0]).toSorted()).toEqual(['code', 'mark', 'version'])
      // In the order of the barcodes, and every paper was marked as often as the others.
      expect(answer.body.data.rows.map((row: any) => row.code)).toEqual(codes.toSorted())
      expect(new Set(answer.body.data.rows.map((row: any) => row.version)).size).toBe(1)
    }
  }
  expect(answered).toBeGreaterThan(20)
  // The audit trail knows papers by their barcode, in the order of which they were made.
  const trail = await query(
    `select coalesce(old::text, '') || coalesce(new::text, '') as text from audit_log where table_name like 'exam_barcode%'`,
  )
  expect(trail.length).toBeGreaterThan(6)
  for (const { text } of trail) expect(text).not.toMatch(/registration_id|student/)
  expect(
    (await query('select code from exam_barcodes where offering_id = $1 order by id', [o.id])).map((row) => row.code),
  ).toEqual(codes.toSorted())
  for (const path of [
    `/offerings/export-student-grades/${o.id}/marks`,
    `/control/offerings/students-grades-pdf/${o.id}/en`,
  ])
    expect([403, 409]).toContain((await instructor('GET', path)).status)
})

test('a backup barcode replaces a lost one, on one paper only, and never on one that is marked', async () => {
  const { of } = await given()
  const made = ok(await office('PUT', '/exam-barcodes/generate_backup_barcodes', { offering_id: o.id, count: 2 }))
  expect(made).toMatchObject({ names: 'closed', papers: 6, backups: 2, without: 0, waiting: 0 })
  const looked = ok(await office('GET', `/exam-barcodes/lookups?term_id=${f.fall}`))
  expect(looked.offerings.find((one: any) => one.id === o.id)).toEqual(made)
  const sheet = await office('POST', '/exam-barcodes/export-backup-barcodes', { offering_id: o.id })
  const [read] = (await readSheet(sheet.bytes)).sheets
  const backups = read!.rows.slice(1).map((row) => row[0]!.text)
  expect(backups).toHaveLength(2)
  const find = async (text: string) =>
    ok(await office('POST', '/exam-barcodes/search_for_student', { offering_id: o.id, text }))
  const [first, second] = [(await find('S001'))[0], (await find(of.get('S002')!))[0]]
  expect(second).toMatchObject({ registration_id: o.registrations[1], student: { code: 'S002' } })
  const attach = (who: Caller, one: any, barcode: string) =>
    who('POST', '/exam-barcodes/attach_backup_barcode', {
      registration_id: one.registration_id,
      barcode,
      reason: 'Label lost',
    })
  // Two at once take the same one: one paper has it, the other hears whose it is.
  const both = await Promise.all([attach(office, first, backups[0]!), attach(office, second, backups[0]!)])
  expect(both.map((one) => one.status).toSorted()).toEqual([200, 409])
  const [has, not] = both[0].status === 200 ? [first, second] : [second, first]
  expect(reasons(await attach(office, not, backups[0]!))).toEqual(['barcode_used@barcode'])
  expect(ok(await attach(office, has, backups[0]!)).barcode.code).toBe(backups[0])
  // The one that was on the paper is on none now, so nobody marks by it.
  expect(reasons(await mark(instructor, of.get(has.student.code)!, '10'))).toEqual(['barcode_free@barcode'])
  ok(await mark(instructor, backups[0]!, '44'))
  expect(reasons(await attach(office, has, backups[1]!))).toEqual(['barcode_paper_marked'])
  const [{ id }] = await query('select id from exam_barcodes where code = $1', [backups[0]])
  const detach = (who: Caller, barcode: number) =>
    who('POST', `/exam-barcodes/detach_backup_barcode/${barcode}`, { reason: 'Wrong paper' })
  expect(reasons(await detach(office, id))).toEqual(['barcode_paper_marked'])
  // Marking has begun: a second person confirms what changes from now on.
  expect(ok(await detach(office, not.barcode.id))).toMatchObject({ barcode: { id: not.barcode.id }, waits: true })
  const colleague = await uni.as('exam_officer', ['faculty', f.faculty])
  const [asked] = ok(await colleague('POST', `/exam-barcodes/changes/${o.id}`, {}))
  expect(ok(await colleague('POST', `/exam-barcodes/changes/confirm/${asked.id}`, {})).barcode).toBeNull()
  expect(reasons(await attach(office, not, of.get(has.student.code)!))).toEqual(['barcode_of_another@barcode'])
  expect(reasons(await attach(office, not, 'ZZZZZZZZZZZZ'))).toEqual(['barcode_unknown@barcode'])
  // Labels of all, and what only those hear of who handle names here.
  const pdf = await office('POST', '/exam-barcodes/export-exam-barcode', {
    offering_id: o.id,
    format: 'pdf',
    lang: 'ar',
  })
  expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-')
  const elsewhere = await uni.as('exam_officer', ['faculty', f.otherFaculty])
  expect((await attach(elsewhere, not, backups[1]!)).status).toBe(404)
  expect((await attach(instructor, not, backups[1]!)).status).toBe(403)
  expect(reasons(await mark(office, of.get('S003')!, '1'))).toEqual(['not_allowed'])
  ok(await office('POST', at('open'), {}))
  expect(reasons(await attach(office, not, backups[1]!))).toEqual(['names_opened'])
  expect(
    await query('select trim_scale(mark)::text as mark from registration_marks where registration_id = $1', [
      has.registration_id,
    ]),
  ).toEqual([{ mark: '44' }])
})
