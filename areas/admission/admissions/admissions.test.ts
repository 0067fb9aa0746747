import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { AREA_SERVERS } from '../../../apps/server/areas.server.ts'

let u: TestUniversity
let officer: Caller
const q = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const one = async <Row>(text: string, values: unknown[] = []): Promise<Row> => (await q<Row>(text, values))[0]!

beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase(), work: true })
  officer = await u.as('admission_officer')
})
afterAll(() => u.close())

let made = 0
const admission = (more: object = {}) => ({
  code: `T-${++made}`,
  name: 'An admission of the test',
  name_local: 'فترة قبول للاختبار',
  applicant_type: 1,
  term_id: 1,
  opens_at: '2041-07-01T06:00:00.000Z',
  closes_at: '2041-08-01T15:00:00.000Z',
  max_preferences: 10,
  weight_percentage: '100',
  weight_exam: '0',
  ...more,
})
/** A term that is not over. */
const term = () =>
  one<{ id: number }>('select term_id as id from current_terms where key = $1', ['current_admission_term'])
const add = async (more: object = {}): Promise<number> =>
  ok(await officer('PUT', '/admissions', admission({ term_id: (await term()).id, ...more }))).id
const programOf = (level: string, taken: boolean) =>
  one<{ id: number; faculty_id: number; code: string }>(
    `select p.id, p.faculty_id, p.code from programs p join bylaws b on b.id = p.bylaw_id
     where coalesce(p.study_level, 'undergraduate') = $1 and b.in_admission = $2 and p.removed_at is null order by p.id limit 1`,
    [level, taken],
  )

test('an admission says where it stands by its days, and is found by that', async () => {
  const id = await add()
  expect(ok(await officer('GET', `/admissions/${id}`)).state).toBe('planned')
  ok(await officer('PUT', `/admissions/${id}`, { opens_at: '2020-07-01T06:00:00.000Z' }))
  expect(ok(await officer('GET', `/admissions/${id}`)).state).toBe('open')
  const open = ok(await officer('POST', '/admissions', { perPage: 100, filters: { state: ['open'] } })) as unknown as {
    id: number
  }[]
  expect(open.map((row) => row.id)).toContain(id)
  ok(await officer('PUT', `/admissions/${id}`, { closes_at: '2020-07-02T06:00:00.000Z' }))
  const closed = ok(
    await officer('POST', '/admissions', { perPage: 100, filters: { state: ['closed'] } }),
  ) as unknown as { id: number }[]
  expect(closed.map((row) => row.id)).toContain(id)
})

test('everything that is wrong with it is told at once, and nothing is written', async () => {
  const before = await q('select from admissions')
  const answer = await officer(
    'PUT',
    '/admissions',
    admission({
      term_id: (await term()).id,
      closes_at: '2041-07-01T06:00:00.000Z',
      pay_until: '2041-06-30',
      weight_exam: '10',
      subject_weights: [{ certificate_subject_id: 1, weight: '5' }],
      ties: [{ criterion: 'lot' }, { criterion: 'subject' }],
      fees: [
        { fee: 'final', asked_of: 'all', currency: 'EGP', amount: 100 },
        { fee: 'final', asked_of: 'foreign', currency: 'USD', amount: 100 },
      ],
      documents: [
        { document_kind_id: 1, asked_of: 'all', is_required: true },
        { document_kind_id: 1, asked_of: 'all', is_required: false },
      ],
    }),
  )
  expect(answer.status).toBe(422)
  expect(reasons(answer).toSorted()).toEqual(
    [
      'admission_days_order@closes_at',
      'admission_pay_after@pay_until',
      'admission_without_exam@weight_exam',
      'admission_fee_twice@fees.1.asked_of',
      'admission_document_twice@documents.1.document_kind_id',
      'admission_weights_sum@weight_percentage',
      'admission_lot_last@ties.0.criterion',
      'admission_tie_subject@ties.1.certificate_subject_id',
    ].toSorted(),
  )
  expect(await q('select from admissions')).toHaveLength(before.length)
})

test('the database keeps a fee and a document from being asked for twice, whoever writes', async () => {
  const id = await add()
  const twice = (table: string, columns: string, values: string) =>
    q(
      `insert into ${table} (admission_id, position, ${columns}) values (${id}, 0, ${values}), (${id}, 1, ${values})`,
    ).catch((error: { constraint?: string }) => error.constraint)
  expect(await twice('admission_fees', 'fee, asked_of, currency, amount', "'final', 'all', 'EGP', 100")).toBe(
    'admission_fee_once',
  )
  expect(await twice('admission_documents', 'document_kind_id, asked_of', "1, 'all'")).toBe('admission_document_once')
})

test('an admission leads into a term that is not over', async () => {
  const { id } = await one<{ id: number }>(
    'select id from terms where end_date < university_today() order by id limit 1',
  )
  expect(reasons(await officer('PUT', '/admissions', admission({ term_id: id })))).toEqual([
    'admission_term_over@term_id',
  ])
})

test('a program is offered once, with its code, where it belongs', async () => {
  const id = await add()
  const program = await programOf('undergraduate', true)
  const offered = ok(
    await officer('PUT', '/admission-programs', {
      admission_id: id,
      program_id: program.id,
      capacity: 40,
      is_open: true,
      quotas: [{ quota_group: 'foreign', reserved: 4, maximum: 8 }],
      subjects: [{ certificate_subject_id: 2, min_percentage: '70' }],
      certificates: ['general', 'stem'],
    }),
  )
  const { code } = await one<{ code: string }>('select code from admissions where id = $1', [id])
  expect(offered).toMatchObject({ code: `${code}-${program.code}`, faculty_id: program.faculty_id, capacity: 40 })
  expect(ok(await officer('GET', `/admissions/${id}`))).toMatchObject({ programs: 1, seats: 40 })
  const again = { admission_id: id, program_id: program.id, capacity: 1, code: 'T-AGAIN' }
  expect(reasons(await officer('PUT', '/admission-programs', again))).toEqual(['admission_program_once@program_id'])
  // A closed program has seats that nobody can choose.
  ok(await officer('PUT', `/admission-programs/${offered.id}`, { is_open: false }))
  expect(ok(await officer('GET', `/admissions/${id}`))).toMatchObject({ programs: 1, seats: 0 })
})

test('two processes offer the same program at the same moment: once', async () => {
  const id = await add()
  const { id: program_id } = await programOf('undergraduate', true)
  const answers = await Promise.all(
    ['T-ONE', 'T-TWO', 'T-THREE'].map((code) =>
      officer('PUT', '/admission-programs', { admission_id: id, program_id, capacity: 1, code: `${code}-${id}` }),
    ),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  for (const answer of answers.filter(({ status }) => status !== 200))
    expect(reasons(answer).map((code) => code.split('@')[0])).toEqual(['admission_program_once'])
})

test('a program that the admission is not for is not offered', async () => {
  const id = await add()
  const postgraduate = await programOf('postgraduate', true)
  const closed = await programOf('undergraduate', false).catch(() => undefined)
  const say = async (program_id: number, admission_id = id) =>
    reasons(await officer('PUT', '/admission-programs', { admission_id, program_id, capacity: 1 }))
  expect(await say(postgraduate.id)).toEqual(['admission_program_undergraduate@program_id'])
  const master = await add({ applicant_type: 5 })
  expect(await say((await programOf('undergraduate', true)).id, master)).toEqual([
    'admission_program_postgraduate@program_id',
  ])
  if (closed) expect(await say(closed.id)).toEqual(['admission_program_bylaw@program_id'])
})

test('an admission keeps its exam while programs ask for a result, and stays while it offers programs', async () => {
  const id = await add({ has_exam: true, weight_percentage: '50', weight_exam: '50', applicant_type: 5 })
  const { id: program_id } = await programOf('postgraduate', true)
  const offered = ok(
    await officer('PUT', '/admission-programs', { admission_id: id, program_id, capacity: 9, min_exam: '60' }),
  )
  expect(
    reasons(await officer('PUT', `/admissions/${id}`, { has_exam: false, weight_percentage: '100', weight_exam: '0' })),
  ).toEqual(['admission_programs_ask_exam@has_exam'])
  const refused = await officer('DELETE', `/admissions/${id}`)
  expect([refused.status, reasons(refused)]).toEqual([409, ['admission_has_programs']])
  ok(await officer('DELETE', `/admission-programs/${offered.id}`))
  ok(await officer('DELETE', `/admissions/${id}`))
})

test('all programs that are open are offered at once, or those of an earlier admission as they were', async () => {
  const id = await add()
  const first = ok(await officer('POST', '/admission-programs/add-many', { admission_id: id })) as unknown as {
    added: number
    left_out: unknown[]
  }
  const { count } = await one<{ count: number }>(
    `select count(*)::int as count from programs p join bylaws b on b.id = p.bylaw_id
     where b.in_admission and p.removed_at is null and coalesce(p.study_level, 'undergraduate') = 'undergraduate'`,
  )
  expect(first).toMatchObject({ added: count, left_out: [] })
  expect(ok(await officer('POST', '/admission-programs/add-many', { admission_id: id }))).toMatchObject({ added: 0 })
  const next = await add()
  expect(
    ok(await officer('POST', '/admission-programs/add-many', { admission_id: next, from_admission_id: 1 })),
  ).toMatchObject({ left_out: [] })
  const what = (of: number) =>
    q(
      `select x.program_id, x.capacity, x.is_open, x.min_percentage, x.last_cut_off, x.max_age,
         (select json_agg(json_build_array(quota_group, reserved, maximum) order by position) from admission_quotas where admission_program_id = x.id) as quotas,
         (select json_agg(json_build_array(certificate_subject_id, min_percentage) order by position) from admission_program_subjects where admission_program_id = x.id) as subjects
       from admission_programs x where admission_id = $1 and removed_at is null order by program_id`,
      [of],
    )
  expect(await what(next)).toEqual(await what(1))
  expect((await what(next)).some((row) => (row as { quotas: unknown }).quotas !== null)).toBe(true)
  // Programs of undergraduates do not fit: they are named.
  const master = await add({ applicant_type: 5 })
  const answer = ok(
    await officer('POST', '/admission-programs/add-many', { admission_id: master, from_admission_id: 1 }),
  ) as unknown as { added: number; left_out: unknown[] }
  expect([answer.added, answer.left_out.length]).toEqual([0, (await what(1)).length])
  expect(reasons(await officer('POST', '/admission-programs/add-many', { admission_id: 999_999 }))).toEqual([
    'not_found@admission_id',
  ])
})

test('certificates whose subjects do not add up, and figures of two governorates, are refused', async () => {
  const certificate = {
    code: 'T-CERT',
    name: 'A certificate',
    name_local: 'شهادة',
    certificate_group: 'arab',
    max_total: '100',
    is_active: true,
    subjects: [{ certificate_subject_id: 1, max_mark: '60', is_required: true, is_counted: true }],
  }
  expect(reasons(await officer('PUT', '/certificate-types', certificate))).toEqual(['certificate_total_sum@max_total'])
  ok(await officer('PUT', '/certificate-types', { ...certificate, max_total: '60' }))
  const community = { code: 'T-G', name: 'A governorate', name_local: 'محافظة', national_id_code: '01' }
  expect(reasons(await officer('PUT', '/communities', community)).map((code) => code.split('@')[0])).toEqual([
    'community_figures',
  ])
})

test('who has no part in admission sees and changes nothing; a faculty sees its own programs', async () => {
  const student = await u.as('student')
  const instructor = await u.as('instructor')
  for (const caller of [student, instructor])
    for (const path of ['/admissions', '/admission-programs']) {
      expect((await caller('POST', path, {})).status).toBe(403)
      expect((await caller('PUT', path, {})).status).toBe(403)
    }
  const part = await u.as('admission_officer', ['faculty', 1])
  const rows = ok(await part('POST', '/admission-programs', { perPage: 500 })) as unknown as {
    id: number
    faculty_id: number
  }[]
  expect(new Set(rows.map((row) => row.faculty_id))).toEqual(new Set([1]))
  const elsewhere = await one<{ id: number }>(
    'select x.id from admission_programs x join programs p on p.id = x.program_id where p.faculty_id <> 1 limit 1',
  )
  expect((await part('PUT', `/admission-programs/${elsewhere.id}`, { capacity: 1 })).status).toBe(404)
  // What everybody is asked is not decided for a faculty.
  expect((await part('PUT', '/admissions/1', { max_preferences: 3 })).status).toBe(403)
})
