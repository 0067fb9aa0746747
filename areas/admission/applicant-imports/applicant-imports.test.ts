import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readSheet, writeSheet } from '#kit/server/sheets/index.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { AREA_SERVERS } from '../../../apps/server/areas.server.ts'
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
const HEAD = ['Seat number', 'الرقم القومي', 'اسم الطالب', 'Nationality', 'Gender', 'Birth date', 'Certificate', 'Total', 'Program', 'Mobile', 'E-mail']
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
  rows.map((row) => row.map((cell) => (/[",\n;]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(mark)).join('\r\n')

async function upload(content: string | Uint8Array, { name = 'tansik.csv', caller = officer, admission = ADMISSION as number | string } = {}): Promise<Answer> {
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
async function checked(content: string | Uint8Array, caller = officer, columns?: Record<string, number>): Promise<ShownImport> {
  const shown: ShownImport = ok(await upload(content, { caller }))
  const { job_id } = ok(await caller('POST', `/applicants/import/check/${shown.id}`, { columns: columns ?? shown.columns }))
  const done = await job(job_id, caller)
  if (done.state !== 'done') throw new Error(JSON.stringify(done.error))
  return ok(await caller('GET', `/applicants/import/${shown.id}`))
}
const sheet = (...rows: readonly Row[]) => csv([HEADINGS, ...rows])
const rowsOf = async (id: number, body: object = {}, caller = officer): Promise<ShownRow[]> =>
  (await caller('POST', `/applicants/import/rows/${id}`, body)).body.data
const mistakesOf = async (id: number): Promise<string[]> =>
  (await rowsOf(id)).flatMap((row) => row.errors.map((error) => `${row.row} ${error.column ?? '–'} ${error.problem.code}`))
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
  one<Record<string, unknown> & { id: number; status: string }>('select * from applicants where national_id = $1 and admission_id = $2', [national_id, ADMISSION])

describe('a file', () => {
  test('is proposed its columns, compared, saved, and changes nothing the second time', async () => {
    const id = nationalId()
    const text = sheet(
      person({ 1: id, 2: 'كريم سامي', 4: 'ذكر', 6: 'THANAWEYA', 8: programs[1]!.name_local, 9: '1001234567', 10: 'Karim@Example.com' }),
      person(),
    )
    const shown: ShownImport = ok(await upload(text))
    expect(shown).toMatchObject({ stage: 'read', encoding: 'utf-8', format: 'csv', headings: HEADINGS, columns: { ministry_number: 0, national_id: 1, name_local: 2, wish_1: 8, email: 10 } })
    const certificate = (await one<{ code: string }>('select code from certificate_types where id = 1')).code
    const of = await checked(text.replace('THANAWEYA', certificate))
    expect([of.stage, count(of), of.rows]).toEqual(['checked', { new: 2 }, 2])
    const saved = await save(of)
    expect([saved.stage, saved.saved]).toEqual(['saved', 2])
    const applicant = await applicantOf(id)
    expect(applicant).toMatchObject({ status: 'INCOMPLETE', name_local: 'كريم سامي', gender: 1, nationality_id: 64, certificate_type_id: 1, phone: '01001234567', email: null, key_hash: null })
    const [wish] = await q('select program_id from applicant_preferences where applicant_id = $1', [applicant.id])
    expect(wish).toEqual({ program_id: programs[1]!.id })
    expect(await one('select email, ministry_number is not null as numbered, shown, fields from applicant_nominations where applicant_id = $1', [applicant.id])).toMatchObject({ email: 'karim@example.com', numbered: true, shown: false })
    // The trail knows who did it.
    expect(await one('select actor_id from audit_log where table_name = $1 and record_id = $2', ['applicants', applicant.id])).toEqual({ actor_id: officer.user_id })
    const again = await checked(text.replace('THANAWEYA', certificate))
    expect(count(again)).toEqual({ same: 2 })
    const before = await one('select count(*)::int as n from audit_log')
    await save(again)
    expect((await one<{ n: number }>(`select count(*)::int as n from audit_log where table_name <> 'applicant_imports'`)).n).toBeLessThanOrEqual((before as { n: number }).n)
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
    const [row] = await rowsOf(of.id, { outcome: 'changed' })
    expect(row!.changes).toEqual([
      { field: 'name_local', old: 'منى سعيد', new: 'منى سعيد حسن' },
      expect.objectContaining({ field: 'wishes' }),
    ])
    await save(of)
    expect(await applicantOf(first[1]!)).toMatchObject({ name_local: 'منى سعيد حسن', phone: '01001234567' })
    expect(await q('select w.program_id from applicant_preferences w join applicants a on a.id = w.applicant_id where a.national_id = $1', [first[1]])).toEqual([{ program_id: programs[1]!.id }])
  })
})
