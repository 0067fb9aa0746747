import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readSheet, writeSheet } from '#kit/server/sheets/index.ts'
import { ticketOf } from '#kit/server/identity/mailed-code.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { AREA_SERVERS } from '../../../apps/server/areas.server.ts'
import { checkApplicantsJob } from './check.server.ts'
import { saveApplicantsJob } from './save.server.ts'
import type { RowOutcome, ShownImport, ShownRow } from './import.contract.ts'

let u: TestUniversity
let officer: Caller
const q = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const one = async <Row>(text: string, values: unknown[] = []): Promise<Row> => (await q<Row>(text, values))[0]!
const codes = (answer: Answer): [number, string[]] => [answer.status, reasons(answer)]
/** Undergraduates of this year. */
const ADMISSION = 1
let programs: { id: number; code: string; name: string; name_local: string; faculty_id: number }[] = []

beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase(), work: true })
  officer = await u.as('admission_officer')
  programs = await q(
    `select p.id, p.code, p.name, p.name_local, p.faculty_id from admission_programs x join programs p on p.id = x.program_id
     where x.admission_id = $1 and x.is_open and x.removed_at is null order by x.id`,
    [ADMISSION],
  )
}, 540_000)
afterAll(() => u.close())
beforeEach(async () => {
  await q('delete from uploads_of_day')
})

let made = 0
/** A national id of nobody else: a day of birth, a governorate, the sex by the figure before the last. */
const nationalId = (man = true): string => {
  const n = ++made
  const two = (value: number) => String(value).padStart(2, '0')
  return `308${two((Math.floor(n / 27) % 12) + 1)}${two((n % 27) + 1)}01${String(100 + n).padStart(3, '0')}${man ? 1 : 2}5`
}
const HEAD = [
  'Seat number',
  'الرقم القومي',
  'اسم الطالب',
  'Nationality',
  'Gender',
  'Birth date',
  'Certificate',
  'Total',
  'Program',
  'Mobile',
  'E-mail',
]
type Row = readonly string[]
const HEADINGS: Row = ['رقم التنسيق', ...HEAD.slice(1)]
/** A row of a man with all columns of `HEADINGS`; what is given replaces them by number. */
function person(more: Readonly<Record<number, string>> = {}): string[] {
  const id = more[1] ?? nationalId()
  const row = [`T${++made}`, id, 'محمد أحمد علي', '', '', '', '', '', programs[0]!.code, '', '']
  for (const [at, text] of Object.entries(more)) row[Number(at)] = text
  return row
}
const csv = (rows: readonly Row[], mark = ','): string =>
  rows
    .map((row) => row.map((cell) => (/[",\n;]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(mark))
    .join('\r\n')

async function upload(
  content: string | Uint8Array,
  { name = 'tansik.csv', caller = officer, admission = ADMISSION as number | string } = {},
): Promise<Answer> {
  const form = new FormData()
  form.set('admission_id', String(admission))
  form.set('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name)
  return caller('POST', '/applicants/import', form)
}
async function job(id: string, caller = officer): Promise<{ state: string; error: { message: string } | null }> {
  for (let tries = 0; tries < 600; tries++) {
    const found = ok(await caller('GET', `/jobs/${id}`))
    if (!['queued', 'running'].includes(found.state)) return found
    await new Promise((go) => void setTimeout(go, 50))
  }
  throw new Error('the job did not end')
}
/** Hands a file in and checks it by the columns that are proposed. */
async function checked(
  content: string | Uint8Array,
  caller = officer,
  columns?: Record<string, number>,
): Promise<ShownImport> {
  const shown: ShownImport = ok(await upload(content, { caller }))
  const { job_id } = ok(
    await caller('POST', `/applicants/import/check/${shown.id}`, { columns: columns ?? shown.columns }),
  )
  const done = await job(job_id, caller)
  if (done.state !== 'done') throw new Error(JSON.stringify(done.error))
  return ok(await caller('GET', `/applicants/import/${shown.id}`))
}
const sheet = (...rows: readonly Row[]) => csv([HEADINGS, ...rows])
const rowsOf = async (id: number, outcome?: RowOutcome, caller = officer): Promise<ShownRow[]> =>
  ok(
    await caller('POST', `/applicants/import/rows/${id}`, {
      perPage: 200,
      filters: outcome ? { outcome: [outcome] } : {},
    }),
  )
const mistakesOf = async (id: number): Promise<string[]> =>
  (await rowsOf(id)).flatMap((row) =>
    row.errors.map((error) => `${row.id} ${error.column ?? '–'} ${error.problem.code}`),
  )
const begin = (of: ShownImport, caller = officer) =>
  caller('POST', `/applicants/import/save/${of.id}`, { new: of.counts.new, changed: of.counts.changed })
async function save(of: ShownImport, caller = officer): Promise<ShownImport> {
  const done = await job(ok(await begin(of, caller)).job_id, caller)
  if (done.state !== 'done') throw new Error(JSON.stringify(done.error))
  return ok(await caller('GET', `/applicants/import/${of.id}`))
}
const count = (of: ShownImport): Partial<Record<RowOutcome, number>> =>
  Object.fromEntries(Object.entries(of.counts).filter(([, n]) => n > 0))
const applicantOf = (national_id: string) =>
  one<Record<string, unknown> & { id: number; status: string }>(
    'select * from applicants where national_id = $1 and admission_id = $2',
    [national_id, ADMISSION],
  )

describe('a file', () => {
  test('is proposed its columns, compared, saved, and changes nothing the second time', async () => {
    const id = nationalId()
    const text = sheet(
      person({
        1: id,
        2: 'كريم سامي',
        4: 'ذكر',
        6: 'THANAWEYA',
        8: programs[1]!.name_local,
        9: '1001234567',
        10: 'Karim@Example.com',
      }),
      person(),
    )
    const shown: ShownImport = ok(await upload(text))
    expect(shown).toMatchObject({
      stage: 'read',
      encoding: 'utf-8',
      format: 'csv',
      headings: HEADINGS,
      columns: { ministry_number: 0, national_id: 1, name_local: 2, wish_1: 8, email: 10 },
    })
    const certificate = (await one<{ code: string }>('select code from certificate_types where id = 1')).code
    const of = await checked(text.replace('THANAWEYA', certificate))
    expect([of.stage, count(of), of.rows]).toEqual(['checked', { new: 2 }, 2])
    const saved = await save(of)
    expect([saved.stage, saved.saved]).toEqual(['saved', 2])
    const applicant = await applicantOf(id)
    expect(applicant).toMatchObject({
      status: 'INCOMPLETE',
      name_local: 'كريم سامي',
      gender: 1,
      nationality_id: 64,
      certificate_type_id: 1,
      phone: '01001234567',
      email: null,
      key_hash: null,
    })
    const [wish] = await q('select program_id from applicant_preferences where applicant_id = $1', [applicant.id])
    expect(wish).toEqual({ program_id: programs[1]!.id })
    expect(
      await one(
        'select email, ministry_number is not null as numbered, shown, fields from applicant_nominations where applicant_id = $1',
        [applicant.id],
      ),
    ).toMatchObject({ email: 'karim@example.com', numbered: true, shown: false })
    // The trail knows who did it.
    expect(
      await one('select actor_id from audit_log where table_name = $1 and record_id = $2', [
        'applicants',
        applicant.id,
      ]),
    ).toEqual({ actor_id: officer.user_id })
    const again = await checked(text.replace('THANAWEYA', certificate))
    expect(count(again)).toEqual({ same: 2 })
    const before = await one('select count(*)::int as n from audit_log')
    await save(again)
    expect(
      (await one<{ n: number }>(`select count(*)::int as n from audit_log where table_name <> 'applicant_imports'`)).n,
    ).toBeLessThanOrEqual((before as { n: number }).n)
    expect(codes(await begin(again))).toEqual([409, ['applicant_import_saved']])
  })

  test('changes what the ministry says differently, and leaves what it leaves empty', async () => {
    const first = person({ 2: 'منى سعيد', 9: '01001234567' })
    await save(await checked(sheet(first)))
    const next = [...first]
    next[2] = 'منى سعيد حسن'
    next[9] = ''
    next[8] = programs[1]!.code
    const of = await checked(sheet(next))
    expect(count(of)).toEqual({ changed: 1 })
    const [row] = await rowsOf(of.id, 'changed')
    expect(row!.changes).toEqual([
      { field: 'name_local', old: 'منى سعيد', new: 'منى سعيد حسن' },
      expect.objectContaining({ field: 'wishes' }),
    ])
    await save(of)
    expect(await applicantOf(first[1]!)).toMatchObject({ name_local: 'منى سعيد حسن', phone: '01001234567' })
    expect(
      await q(
        'select w.program_id from applicant_preferences w join applicants a on a.id = w.applicant_id where a.national_id = $1',
        [first[1]],
      ),
    ).toEqual([{ program_id: programs[1]!.id }])
  })
})

test('the percentage follows from the total, and from no total nothing', async () => {
  const certificate = await one<{ code: string; max_total: string }>(
    'select code, max_total::text from certificate_types where id = 1',
  )
  const [none, some] = [person({ 6: certificate.code }), person({ 6: certificate.code, 7: '300.5' })]
  await save(await checked(sheet(none, some)))
  expect((await applicantOf(none[1]!)).percentage).toBeNull()
  const percent = ((300.5 * 100) / Number(certificate.max_total)).toFixed(2)
  expect((await applicantOf(some[1]!)).percentage).toBe(percent)
  some[7] = '301'
  await save(await checked(sheet(none, some)))
  expect((await applicantOf(some[1]!)).percentage).toBe(((301 * 100) / Number(certificate.max_total)).toFixed(2))
  expect((await applicantOf(none[1]!)).percentage).toBeNull()
})

describe('what is wrong with a file', () => {
  test('it is empty, only a heading, another kind of file, or in no open admission', async () => {
    expect(codes(await upload(''))[0]).toBe(422)
    expect(codes(await upload(csv([HEADINGS])))).toEqual([422, ['sheet_empty@file']])
    const wide = Array.from({ length: 101 }, (_, i) => `H${i}`)
    expect(codes(await upload(csv([wide, wide])))).toEqual([422, ['sheet_too_large@file']])
    expect(codes(await upload(`${HEADINGS.join(',')}\n${'x'.repeat(40_000)}\n\0\n`))).toEqual([
      422,
      ['not_a_spreadsheet@file'],
    ])
    const nothing = new FormData()
    nothing.set('admission_id', String(ADMISSION))
    expect(codes(await officer('POST', '/applicants/import', nothing))).toEqual([422, ['file_missing@file']])
    expect(codes(await upload('<html></html>'))[0]).toBe(422)
    expect(codes(await upload(new Uint8Array([0x50, 0x4b, 3, 4, 0]), { name: 'a.xlsx' }))[0]).toBe(422)
    const closed = (
      await one<{ id: number }>('select id from admissions where closes_at < now() and removed_at is null limit 1')
    ).id
    expect(codes(await upload(sheet(person()), { admission: closed }))).toEqual([409, ['applicant_import_closed']])
    const planned = await one<{ id: number } | undefined>(
      'select id from admissions where opens_at > now() and removed_at is null limit 1',
    )
    if (planned)
      expect(codes(await upload(sheet(person()), { admission: planned.id }))).toEqual([
        409,
        ['applicant_import_not_yet'],
      ])
    expect(codes(await upload(sheet(person()), { admission: 999_999 }))).toEqual([422, ['not_found@admission_id']])
    expect(codes(await upload(sheet(person()), { admission: 'x' }))[0]).toBe(422)
  })

  test('it is in Windows-1256, which is found; another encoding is refused where that is certain', async () => {
    const arabic = 'رقم التنسيق,الرقم القومي,اسم الطالب'
    const bytes = (text: string) => {
      const table = new Map(
        Array.from({ length: 256 }, (_, i) => [new TextDecoder('windows-1256').decode(Uint8Array.of(i)), i]),
      )
      return Uint8Array.from([...text], (letter) => table.get(letter) ?? 63)
    }
    const id = nationalId()
    const shown: ShownImport = ok(await upload(bytes(`${arabic}\r\nW1,${id},محمد عمر`)))
    expect([shown.encoding, shown.headings, shown.first[0]]).toEqual([
      'windows-1256',
      arabic.split(','),
      ['W1', id, 'محمد عمر'],
    ])
    expect(codes(await officer('POST', `/applicants/import/encoding/${shown.id}`, { encoding: 'utf-8' }))).toEqual([
      422,
      ['applicant_file_encoding@file'],
    ])
    const utf: ShownImport = ok(await upload(sheet(person())))
    expect(codes(await officer('POST', `/applicants/import/encoding/${utf.id}`, { encoding: 'windows-1256' }))).toEqual(
      [422, ['applicant_file_is_utf8@encoding']],
    )
    const book = await xlsx([HEADINGS, person()])
    const opened: ShownImport = ok(await upload(book, { name: 'a.xlsx' }))
    expect(codes(await officer('POST', `/applicants/import/encoding/${opened.id}`, { encoding: 'utf-8' }))).toEqual([
      409,
      ['applicant_file_no_encoding'],
    ])
    expect(count(await checked(book))).toEqual({ new: 1 })
  })

  test('a quotation mark is not closed, or a cell has a megabyte: the line is told', async () => {
    expect(codes(await upload(`${csv([HEADINGS])}\r\n"T1,x`))).toEqual([422, ['applicant_file_broken@file']])
    expect(codes(await upload(sheet(person({ 2: 'ا'.repeat(1_000_000) }))))).toEqual([
      422,
      ['applicant_file_long@file'],
    ])
  })

  test('columns are chosen twice, are not there, or say too little', async () => {
    const shown: ShownImport = ok(await upload(sheet(person())))
    const check = (columns: Record<string, number>, more: object = {}) =>
      officer('POST', `/applicants/import/check/${shown.id}`, { columns, ...more })
    expect(codes(await check({ name_local: 2, name: 2, national_id: 1 }))).toEqual([
      422,
      ['applicant_column_twice@name'],
    ])
    expect(codes(await check({ name_local: 2, national_id: 99 }))).toEqual([422, ['applicant_column_none@national_id']])
    expect(codes(await check({ address: 2 }))).toEqual([
      422,
      ['applicant_column_identity@national_id', 'applicant_column_name@name_local'],
    ])
    expect(codes(await check({ name_local: 2, national_id: 1, wish_2: 8 }))).toEqual([
      422,
      ['applicant_column_wish@wish_1'],
    ])
    expect(codes(await check({ name_local: 2, national_id: 1, subject_999999: 7 }))).toEqual([
      422,
      ['not_found@subject_999999'],
    ])
    expect((await check({ nonsense: 2 })).status).toBe(422)
    expect(codes(await officer('POST', `/applicants/import/save/${shown.id}`, { new: 0, changed: 0 }))).toEqual([
      409,
      ['applicant_import_unchecked'],
    ])
  })
})

const xlsx = (rows: readonly Row[]) =>
  writeSheet({
    sheets: [
      {
        name: 'A',
        direction: 'rtl',
        columns: rows[0]!.map((header, i) => ({ header, key: `c${i}`, type: 'text' as const })),
        rows: rows.slice(1).map((row) => Object.fromEntries(row.map((cell, i) => [`c${i}`, cell]))),
      },
    ],
  })

describe('what is wrong with a row', () => {
  test('each mistake is told with its cell, and all others are saved', async () => {
    const twice = nationalId()
    const taken = person()
    await save(await checked(sheet(taken)))
    const rows = [
      person({ 1: twice }),
      person({ 1: twice }),
      person({ 9: '=HYPERLINK(1)' }),
      [...person(), ...Array.from({ length: 29 }, () => 'x')],
      person({ 5: '1/1/1990' }),
      person({ 4: 'انثى' }),
      person({ 6: (await one<{ code: string }>('select code from certificate_types where id = 1')).code, 7: '9999' }),
      person({ 8: 'NOPE' }),
      person({ 1: '123' }),
      person({ 3: 'Atlantis' }),
      person({ 5: '31/2/2008' }),
      person({ 4: 'x' }),
      person({ 7: 'many' }),
      person({ 10: 'nobody' }),
      person({ 2: '' }),
      [taken[0]!, nationalId(), ...person().slice(2)],
      ['', '', 'بلا هوية', '', '', '', '', '', programs[0]!.code, '', ''],
      person({ 0: 'N'.repeat(41) }),
      person({ 9: '012' }),
    ]
    const of = await checked(sheet(...rows))
    expect(await mistakesOf(of.id)).toEqual([
      '3 – applicant_row_twice',
      '4 Mobile applicant_row_formula',
      '5 – applicant_row_cells',
      '6 Birth date national_id_birth_date',
      '7 Gender national_id_of_man',
      '8 Total application_mark_above',
      '9 Program applicant_row_program',
      '10 الرقم القومي national_id_digits',
      '11 Nationality applicant_row_country',
      '12 Birth date applicant_row_day',
      '13 Gender applicant_row_gender',
      '14 Total applicant_row_number',
      '15 E-mail applicant_row_email',
      '16 اسم الطالب applicant_row_name',
      '17 – applicant_row_number_taken',
      '18 الرقم القومي applicant_row_identity',
      '19 رقم التنسيق applicant_row_long',
      expect.stringMatching(/^20 Mobile /),
    ])
    expect(count(of)).toEqual({ new: 1, duplicate: 1, wrong: 17 })
    // What is wrong is told as a sheet, in which nothing is worked out.
    const { status, bytes } = await officer('GET', `/applicants/import/mistakes/${of.id}`)
    expect(status).toBe(200)
    const told = (await readSheet(bytes)).sheets[0]!.rows
    expect(told).toHaveLength(19)
    const formula = told.flat().find((cell) => cell.text.startsWith('=HYPERLINK'))
    expect([formula?.type, formula?.formula]).toEqual(['text', undefined])
    await save(of)
    expect(await q('select id from applicants where national_id = $1', [twice])).toHaveLength(1)
  })

  test('a student, an application by the form, and one that was sent in are not written over', async () => {
    const student = await one<{ national_id: string }>(
      `select s.national_id from students s where s.national_id is not null and s.removed_at is null and s.birth_date is not null limit 1`,
    )
    const formed = await one<{ national_id: string; id: number }>(
      `select id, national_id from applicants where admission_id = $1 and key_hash is not null
      and status = 'SUBMITTED' order by id limit 1`,
      [ADMISSION],
    )
    const sent = person({ 2: 'علي فريد' })
    await save(await checked(sheet(sent)))
    await q(`update applicants set status = 'SUBMITTED', submitted_at = now() where national_id = $1`, [sent[1]])
    const next = [...sent]
    next[2] = 'علي فريد سالم'
    const of = await checked(sheet(person({ 1: student.national_id }), person({ 1: formed.national_id }), next))
    const rows = await rowsOf(of.id)
    expect(rows.map((row) => [row.outcome, row.errors.map((error) => error.problem.code)])).toEqual([
      ['elsewhere', ['applicant_row_student']],
      ['elsewhere', ['applicant_row_applied']],
      ['decided', ['applicant_row_decided']],
    ])
    await save(of)
    expect(await applicantOf(sent[1]!)).toMatchObject({ name_local: 'علي فريد' })
  })
})

describe('mappings', () => {
  test('are kept by name, proposed for the same headings, and gone when removed', async () => {
    const head = ['x1', 'x2', 'x3']
    const file = csv([head, [nationalId(), 'سامي', 'X1']])
    const shown: ShownImport = ok(await upload(file))
    expect(shown.columns).toEqual({})
    const columns = { national_id: 0, name_local: 1, ministry_number: 2 }
    const { job_id } = ok(
      await officer('POST', `/applicants/import/check/${shown.id}`, { columns, keep_as: 'Tansik ' }),
    )
    await job(job_id)
    const next: ShownImport = ok(await upload(file))
    expect(next.columns).toEqual(columns)
    const [kept] = next.mappings.filter((mapping) => mapping.name === 'Tansik')
    expect(kept).toMatchObject({ columns })
    // One of this name, however it is written, is replaced.
    await job(
      ok(
        await officer('POST', `/applicants/import/check/${next.id}`, {
          columns: { national_id: 0, name_local: 1 },
          keep_as: 'TANSIK',
        }),
      ).job_id,
    )
    expect(
      await q(`select name, columns from applicant_mappings where fold_text(name) = 'tansik' and removed_at is null`),
    ).toEqual([{ name: 'TANSIK', columns: { national_id: 'x1', name_local: 'x2' } }])
    // Names are of the whole university: an officer of a faculty forgets the own ones alone.
    const { faculty_id } = programs[0]!
    const part = await u.as('admission_officer', ['faculty', faculty_id])
    expect(codes(await part('DELETE', `/applicants/import/mapping/${kept!.id}`))).toEqual([
      409,
      ['applicant_mapping_gone'],
    ])
    // Removed meanwhile.
    ok(await officer('DELETE', `/applicants/import/mapping/${kept!.id}`))
    expect(
      codes(await officer('POST', `/applicants/import/check/${next.id}`, { columns, mapping_id: kept!.id })),
    ).toEqual([409, ['applicant_mapping_gone']])
    expect(codes(await officer('DELETE', `/applicants/import/mapping/${kept!.id}`))).toEqual([
      409,
      ['applicant_mapping_gone'],
    ])
    ok(await officer('DELETE', `/applicants/import/${next.id}`))
    expect((await officer('GET', `/applicants/import/${next.id}`)).status).toBe(404)
  })
})

describe('who, and when', () => {
  test('nobody but whoever may import does anything', async () => {
    const of = await checked(sheet(person()))
    for (const role of ['finance_officer', 'instructor', null] as const) {
      const other = await u.as(role === 'instructor' ? null : role, undefined, role === 'instructor' ? { type: 2 } : {})
      expect((await upload(sheet(person()), { caller: other })).status).toBe(403)
      for (const [method, path, body] of [
        ['GET', `/applicants/import/${of.id}`, undefined],
        ['GET', '/applicants/import/all', undefined],
        ['POST', `/applicants/import/check/${of.id}`, { columns: of.columns }],
        ['POST', `/applicants/import/rows/${of.id}`, {}],
        ['POST', `/applicants/import/save/${of.id}`, { new: 1, changed: 0 }],
        ['GET', `/applicants/import/mistakes/${of.id}`, undefined],
        ['DELETE', `/applicants/import/${of.id}`, undefined],
        ['DELETE', '/applicants/import/mapping/1', undefined],
      ] as const)
        expect((await other(method, path, body)).status, path).toBe(403)
    }
    const student = await one<{ user_id: number }>(
      'select user_id from students where user_id is not null and removed_at is null limit 1',
    )
    expect((await (await u.signIn(student.user_id))('GET', `/applicants/import/${of.id}`)).status).toBe(403)
    expect((await u.nobody('GET', `/applicants/import/${of.id}`)).status).toBe(401)
  })

  test('an officer of a faculty brings those who wish for it, and sees no import of others', async () => {
    const here = programs[0]!
    const there = programs.find((one_) => one_.faculty_id !== here.faculty_id)!
    const part = await u.as('admission_officer', ['faculty', here.faculty_id])
    const foreign = person({ 8: there.code })
    await save(await checked(sheet(foreign)))
    const of = await checked(
      sheet(person({ 8: here.code }), person({ 8: there.code }), person({ 8: '' }), [
        ...foreign.slice(0, 8),
        here.code,
        '',
        '',
      ]),
      part,
    )
    expect(
      (await rowsOf(of.id, undefined, part)).map((row) => [
        row.outcome,
        row.applicant,
        row.errors.map((error) => error.problem.code),
      ]),
    ).toEqual([
      ['new', null, []],
      ['wrong', null, ['applicant_row_reach']],
      ['wrong', null, ['applicant_row_reach']],
      ['elsewhere', null, ['applicant_row_not_yours']],
    ])
    expect((await part('GET', `/applicants/import/${(await checked(sheet(person()))).id}`)).status).toBe(404)
    expect(ok(await officer('GET', `/applicants/import/${of.id}`)).id).toBe(of.id)
    // Whose part has no program in the admission hands nothing in.
    const strange = await u.as('admission_officer', ['faculty', 900_001])
    expect((await upload(sheet(person()), { caller: strange })).status).toBe(404)
  })

  test('the admission closes between preview and save, and before a job writes', async () => {
    const of = await checked(sheet(person()))
    const { closes_at, results_at } = await one<{ closes_at: string; results_at: string | null }>(
      'select closes_at, results_at from admissions where id = $1',
      [ADMISSION],
    )
    try {
      await q(`update admissions set closes_at = now() - interval '1 minute', results_at = null where id = $1`, [
        ADMISSION,
      ])
      expect(codes(await begin(of))).toEqual([409, ['applicant_import_closed']])
    } finally {
      await q('update admissions set closes_at = $2, results_at = $3 where id = $1', [ADMISSION, closes_at, results_at])
    }
  })

  test('saved twice at once it is saved once; other counts than seen are refused', async () => {
    const of = await checked(sheet(person(), person(), person()))
    expect(codes(await officer('POST', `/applicants/import/save/${of.id}`, { new: 2, changed: 0 }))).toEqual([
      409,
      ['applicant_import_differs'],
    ])
    const answers = await Promise.all([begin(of), begin(of), begin(of)])
    const good = answers.filter((answer) => answer.status === 200)
    expect(good).toHaveLength(1)
    for (const answer of answers.filter((one_) => one_.status !== 200))
      expect(['applicant_import_saving', 'applicant_import_saved']).toContain(reasons(answer)[0])
    await job(ok(good[0]!).job_id)
    expect((ok(await officer('GET', `/applicants/import/${of.id}`)) as ShownImport).saved).toBe(3)
  })

  test('two who import the same file at once make nobody twice', async () => {
    const people = Array.from({ length: 60 }, () => person())
    const other = await u.as('admission_officer')
    const [one_, two_] = await Promise.all([checked(sheet(...people)), checked(sheet(...people.toReversed()), other)])
    expect([count(one_), count(two_)]).toEqual([{ new: 60 }, { new: 60 }])
    const [first, second] = await Promise.all([save(one_), save(two_, other)])
    expect(first.saved + second.saved).toBe(60)
    const { n } = await one<{ n: number }>('select count(*)::int as n from applicants where national_id = any($1)', [
      people.map((row) => row[1]),
    ])
    expect(n).toBe(60)
    expect((first.counts.same ?? 0) + (second.counts.same ?? 0)).toBe(60)
  })

  test('what a killed process left is saved by whoever goes on, and by the same file handed in again', async () => {
    const people = Array.from({ length: 8 }, () => person())
    const of = await checked(sheet(...people))
    // As if a process had died in the middle: some rows are written, and its job is no more.
    await save(await checked(sheet(...people.slice(0, 3))))
    await q(
      `update applicant_imports set stage = 'saving', token = gen_random_uuid(), job_id = gen_random_uuid() where id = $1`,
      [of.id],
    )
    const left: ShownImport = ok(await officer('GET', `/applicants/import/${of.id}`))
    expect([left.stage, left.job_id]).toEqual(['checked', null])
    const saved = await save(left)
    expect([saved.saved, count(saved)]).toEqual([5, { new: 5, same: 3 }])
    expect(count(await checked(sheet(...people)))).toEqual({ same: 8 })
  })
})

describe('work that is under way or over', () => {
  test('a file is not touched while a job works on it, nor discarded when a part is saved', async () => {
    const of = await checked(sheet(person()))
    const { id } = await one<{ id: string }>(
      `insert into jobs (id, name, state, created_by) values (gen_random_uuid(), 'applicant-import-check', 'running', $1) returning id`,
      [officer.user_id],
    )
    await q('update applicant_imports set token = gen_random_uuid(), job_id = $2 where id = $1', [of.id, id])
    for (const answer of [
      await begin(of),
      await officer('POST', `/applicants/import/check/${of.id}`, { columns: of.columns }),
      await officer('DELETE', `/applicants/import/${of.id}`),
    ])
      expect(codes(answer)).toEqual([409, ['applicant_import_checking']])
    await q(`update jobs set state = 'failed' where id = $1`, [id])
    await q(
      'insert into applicant_import_portions (import_id, from_row, to_row, done, saved) values ($1, 2, 2, true, 1)',
      [of.id],
    )
    expect(codes(await officer('DELETE', `/applicants/import/${of.id}`))).toEqual([409, ['applicant_import_partly']])
  })

  test('a job whose place another one has taken writes nothing', async () => {
    const of = await checked(sheet(person()))
    const ctx = asSystem(u.services, 'test')
    const run = { id: of.id, token: randomUUID(), rows: 1 }
    for (const work of [checkApplicantsJob, saveApplicantsJob])
      await expect(work.run(ctx as never, run, (async () => {}) as never)).rejects.toMatchObject({
        reasons: [{ code: 'applicant_import_over' }],
      })
    expect(count(ok(await officer('GET', `/applicants/import/${of.id}`)))).toEqual({ new: 1 })
  })
})

describe('what the ministry says is proof', () => {
  test('its applicants begin as sent in, with a history and without a mail', async () => {
    await q('update admissions set ministry_is_proof = true where id = $1', [ADMISSION])
    try {
      const row = person()
      await save(await checked(sheet(row)))
      const applicant = await applicantOf(row[1]!)
      expect([applicant.status, applicant.submitted_at !== null]).toEqual(['SUBMITTED', true])
      expect(
        await q(`select action, to_state from step_history where workflow = 'applicant' and record_id = $1`, [
          applicant.id,
        ]),
      ).toEqual([{ action: 'import', to_state: 'SUBMITTED' }])
    } finally {
      await q('update admissions set ministry_is_proof = false where id = $1', [ADMISSION])
    }
  })
})

describe('an application that the ministry has begun', () => {
  const ticket = (email: string) => ticketOf(asSystem(u.services, 'test') as never, email)
  const take = async (email: string, number: string, identity: string) =>
    u.nobody('PUT', '/admission/apply', {
      ticket: await ticket(email),
      admission_id: ADMISSION,
      language: 'en',
      nomination: { number, identity },
    })
  const read = async (answer: Answer) => ok(await u.nobody('GET', `/admission/${ok(answer).id}/${ok(answer).key}`))
  beforeEach(() => q('delete from login_attempts'))

  test('is taken up with number, id and a verified address; only the address of the ministry shows what it said', async () => {
    const [mine, other] = [
      person({ 2: 'سلمى عادل', 9: '01001234567', 10: 'salma@example.com' }),
      person({ 2: 'سلمى عادل', 9: '01001234567', 10: 'other@example.com' }),
    ]
    await save(await checked(sheet(mine, other)))
    // Number and id have to be of one person.
    expect(codes(await take('salma@example.com', mine[0]!, other[1]!))).toEqual([
      422,
      ['nomination_unknown@nomination'],
    ])
    expect(codes(await take('salma@example.com', 'none', mine[1]!))).toEqual([422, ['nomination_unknown@nomination']])
    const shown = await read(await take('salma@example.com', mine[0]!, mine[1]!))
    expect(shown).toMatchObject({ status: 'INCOMPLETE', email: 'salma@example.com', nominated: { shown: true } })
    expect(shown.values).toMatchObject({
      name_local: 'سلمى عادل',
      phone: '01001234567',
      preferences: [{ program_id: programs[0]!.id }],
    })

    const answer = await take('stranger@example.com', other[0]!, other[1]!)
    const hidden = await read(answer)
    expect(hidden).toMatchObject({ nominated: { shown: false }, percentage: null })
    expect(Object.keys(hidden.values)).not.toContain('name_local')
    expect(JSON.stringify(hidden)).not.toContain('01001234567')
    expect(hidden.values.national_id).toBe(other[1])
    // What the ministry said is not written here; the rest is.
    const { id, key } = ok(answer)
    expect(
      codes(await u.nobody('POST', `/admission/${id}/${key}`, { values: { name_local: 'غيرها', preferences: [] } })),
    ).toEqual([409, ['application_of_ministry@name_local', 'application_of_ministry@preferences']])
    ok(await u.nobody('POST', `/admission/${id}/${key}`, { values: { address: '1 Nile Street' } }))
    // Once: nobody else takes it up afterwards, and its address opens it again.
    expect(codes(await take('third@example.com', other[0]!, other[1]!))).toEqual([
      422,
      ['nomination_unknown@nomination'],
    ])
    ok(await take('stranger@example.com', other[0]!, other[1]!))
    // The next sheet goes on changing what it says, and leaves what was written.
    const next = [...other]
    next[2] = 'سلمى عادل محمود'
    await save(await checked(sheet(next)))
    expect(await applicantOf(other[1]!)).toMatchObject({
      name_local: 'سلمى عادل محمود',
      address: '1 Nile Street',
      email: 'stranger@example.com',
    })
  })

  test('is not taken up by an address that has begun another one, nor tried without end', async () => {
    const row = person()
    await save(await checked(sheet(row)))
    ok(
      await u.nobody('PUT', '/admission/apply', {
        ticket: await ticket('begun@example.com'),
        admission_id: ADMISSION,
        language: 'en',
      }),
    )
    expect(codes(await take('begun@example.com', row[0]!, row[1]!))).toEqual([409, ['nomination_begun']])
    const statuses: number[] = []
    for (let i = 0; i < 14; i++) statuses.push((await take('guesser@example.com', `X${i}`, '1')).status)
    expect(statuses[0]).toBe(422)
    expect(statuses.at(-1)).toBe(429)
  })
})
