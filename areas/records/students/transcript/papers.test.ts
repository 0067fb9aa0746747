import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { flag } from '#areas/common/academics/status.rules.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Answer, Caller, TestUniversity } from '#tests/university.ts'
import { studentsServer } from '../students.server.ts'
import { checkFile, judgeFile } from '#kit/contract/paper-file.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { issuePaper } from '#kit/server/papers/papers.ts'
import { filled, prepareCertificate } from './certificate.server.ts'

let uni: TestUniversity
let registrar: Caller
let mona: Caller
let omar: Caller
const id: Record<string, number> = {}
const q = async (text: string, values: unknown[] = []) => (await uni.database.pool.query(text, values)).rows
const one = async (name: string, text: string, values: unknown[] = []) => (id[name] = (await q(text, values))[0].id)

beforeAll(async () => {
  uni = await testUniversity([kitServer, catalogueServer, studentsServer])
  await one('faculty', `insert into faculties (code, name, name_local) values ('ENG', 'Eng', 'هندسة') returning id`)
  await one(
    'bylaw',
    `insert into bylaws (faculty_id, code, name, name_local, program_type, graduation_hours, graduation_gpa, grades_visibility)
     values ($1, 'B', 'B', 'ل', 'credit_hours', 12, 2, '{"marks":"Published","letter":"Published","points":"Published","gpa":"Published"}') returning id`,
    [id.faculty],
  )
  await one(
    'program',
    `insert into programs (bylaw_id, faculty_id, code, name, name_local, program_type) values ($1, $2, 'CS', 'Computing', 'حاسبات', 'credit_hours') returning id`,
    [id.bylaw, id.faculty],
  )
  await one(
    'course',
    `insert into courses (faculty_id, code, name, name_local, credit_hours) values ($1, 'C1', 'Logic', 'منطق', 3) returning id`,
    [id.faculty],
  )
  await one(
    'year',
    `insert into years (code, name, name_local, start_date, end_date) values ('Y', 'Y', 'ع', '2025-09-01', '2026-08-31') returning id`,
  )
  await one(
    'term',
    `insert into terms (year_id, code, name, name_local, term_type, start_date, end_date) values ($1, 'F', 'Fall', 'خريف', 'fall', '2025-09-20', '2026-01-20') returning id`,
    [id.year],
  )
  await one(
    'offering',
    `insert into offerings (term_id, course_id, faculty_id, code, control_status) values ($1, $2, $3, 'O1', 'Published') returning id`,
    [id.term, id.course, id.faculty],
  )
  const person = async (name: string, code: string): Promise<Caller> => {
    const caller = await uni.as(null, undefined, { type: 3, name })
    await one(
      name,
      `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, level, national_id, gender, user_id)
       values ($1, $2, 'طالبة', $3, $4, $5, 1, $6, 2, $7) returning id`,
      [code, name, id.faculty, id.program, id.bylaw, `3000101010000${code}`, caller.user_id],
    )
    return uni.signIn(caller.user_id)
  }
  mona = await person('Mona', '1')
  omar = await person('Omar', '2')
  await q(
    `insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours, total, letter, points, passed, counts_in_gpa, counts_in_attempted_hours)
     values ($1, $2, $3, $4, $5, 3, 85, 'A', 4, true, true, true)`,
    [id.Mona, id.offering, id.term, id.course, String(flag.Registered | flag.Fresh)],
  )
  await q(
    `insert into student_terms (student_id, term_id, registered_hours, attempted_hours, passed_hours, term_points, gpa,
      cumulative_hours, cumulative_passed_hours, cumulative_points, cumulative_gpa, level, standing)
     values ($1, $2, 3, 3, 3, 12, 4, 3, 3, 12, 4, 1, 'good')`,
    [id.Mona, id.term],
  )
  registrar = await uni.as('registrar')
})
afterAll(() => uni.close())

const issue = (by: Caller, student: string, lang = 'ar'): Promise<Answer> =>
  by('POST', `/students/${id[student]}/papers`, { kind: 'transcript', lang })
const certificate = (kind: string, student = 'Mona') =>
  registrar('POST', `/students/${id[student]}/papers`, { kind: `${kind}_certificate`, lang: 'ar' })
const verify = (code: string): Promise<Answer> => uni.nobody('GET', `/papers/${code}`)
const codeOf = (paper: { address: string }): string => paper.address.split('/').at(-1)!
const year = new Date().getUTCFullYear()

test('is issued with number, code and file, and opened by who may see the record, always the same', async () => {
  const nothing = await issue(registrar, 'Omar')
  expect([nothing.status, nothing.body.message]).toEqual([409, 'nothing_to_print'])
  const paper = ok(await issue(registrar, 'Mona'))
  // What was refused took no number.
  expect(paper).toMatchObject({ kind: 'transcript', serial: `OT-${year}-000001`, lang: 'ar', revoked_at: null })
  expect(paper.address).toMatch(/^\/qr_code\/[0-9A-HJKMNP-TV-Z]{20}$/)
  expect(paper.issued_by.name).toContain('registrar')
  const url = `/students/${id.Mona}/papers/${paper.id}/file`
  const file = await registrar('GET', url)
  expect([file.status, file.headers['content-type'], file.bytes.subarray(0, 5).toString()]).toEqual([
    200,
    'application/pdf',
    '%PDF-',
  ])
  expect((await mona('GET', url)).bytes.equals(file.bytes)).toBe(true)
  const [{ sha256 }] = await q('select sha256 from papers where id = $1', [paper.id])
  expect(createHash('sha256').update(file.bytes).digest('hex')).toBe(sha256)
  expect((await omar('GET', url)).status).toBe(404)
  expect((await omar('GET', `/students/${id.Omar}/papers/${paper.id}/file`)).status).toBe(404)
  expect((await (await uni.as('instructor'))('GET', url)).status).toBe(403)
  expect((await uni.nobody('GET', url)).status).toBe(401)
  // Who sees the record, but not what is private, sees that there is one.
  const guide = await uni.as(null)
  await q(`insert into user_permissions (user_id, permission) values ($1, 'show_student_record')`, [guide.user_id])
  expect((await guide('GET', url)).status).toBe(403)
  expect(ok(await guide('GET', `/students/${id.Mona}/papers`))).toMatchObject([{ id: paper.id, abilities: [] }])
  // A student has none issued, and sees the own.
  expect((await issue(mona, 'Mona')).status).toBe(403)
  const own = await mona('GET', `/students/${id.Mona}/papers`)
  expect(own.body).toMatchObject({ data: [{ id: paper.id, abilities: ['open', 'disclose'] }], meta: { issue: [] } })
  const { data, meta } = (await registrar('GET', `/students/${id.Mona}/papers`)).body
  expect(data).toMatchObject([{ id: paper.id, abilities: ['open', 'revoke'] }])
  // Other areas may add kinds of their own.
  expect(meta.issue.filter((one: { area: string }) => one.area === 'students')).toMatchObject(
    ['transcript', 'enrollment_certificate', 'graduation_certificate', 'master_certificate'].map((kind) => ({
      kind,
      languages: ['ar', 'en'],
    })),
  )
  expect((await omar('GET', `/students/${id.Mona}/papers`)).status).toBe(404)
  const elsewhere = await uni.as('faculty_registrar', ['faculty', 999_999])
  expect((await issue(elsewhere, 'Mona')).status).toBe(404)
  const unknown = await registrar('POST', `/students/${id.Mona}/papers`, { kind: 'diploma', lang: 'ar' })
  expect([unknown.status, reasons(unknown)]).toEqual([422, ['not_a_choice@kind']])
})

test('anybody with the code learns that it is valid, and of the holder what the holder lets be seen', async () => {
  const paper = ok(await issue(registrar, 'Mona', 'en'))
  const code = codeOf(paper)
  const told = ok(await verify(code))
  expect(told).toEqual({
    state: 'valid',
    paper: {
      title: { name: 'Official transcript', name_local: 'بيان درجات رسمي' },
      area: 'students',
      serial: paper.serial,
      issued_on: new Intl.DateTimeFormat('sv', { timeZone: 'Africa/Cairo' }).format(new Date(paper.issued_at)),
      revoked_on: null,
      valid_until: null,
      sha256: (await q('select sha256 from papers where id = $1', [paper.id]))[0].sha256,
      signature: { at: expect.any(String), fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) },
      holder: { name: 'Mona', name_local: 'طالبة' },
      facts: [],
    },
  })
  // As it is typed from the paper.
  expect(ok(await verify(code.toLowerCase().replace(/(.{5})(?=.)/g, '$1-'))).state).toBe('valid')
  const choose = (by: Caller, disclosure: string) =>
    by('PUT', `/students/${id.Mona}/papers/${paper.id}/disclosure`, { disclosure })
  expect((await choose(registrar, 'everything')).status).toBe(403)
  expect((await choose(omar, 'everything')).status).toBe(404)
  expect((await choose(mona, 'all')).status).toBe(422)
  ok(await choose(mona, 'everything'))
  expect(ok(await verify(code)).paper.facts).toEqual([
    { label: { name: 'Program', name_local: 'البرنامج' }, value: { name: 'Computing', name_local: 'حاسبات' } },
    { label: { name: 'Cumulative GPA', name_local: 'المعدل التراكمي' }, value: { name: '4.00', name_local: '4.00' } },
    { label: { name: 'Passed hours', name_local: 'الساعات المجتازة' }, value: { name: '3', name_local: '3' } },
  ])
  ok(await choose(mona, 'nothing'))
  expect(ok(await verify(code)).paper).toMatchObject({ holder: null, facts: [] })
})

test('is revoked once, with a reason that stays inside; what was said to be valid is not any more', async () => {
  const paper = ok(await issue(registrar, 'Mona'))
  const url = `/students/${id.Mona}/papers/${paper.id}/revoke`
  expect((await mona('POST', url, { reason: 'I want to' })).status).toBe(403)
  expect((await (await uni.as('faculty_registrar'))('POST', url, { reason: 'A mistake' })).status).toBe(403)
  expect((await registrar('POST', url, { reason: '' })).status).toBe(422)
  const answers = await Promise.all([1, 2].map(() => registrar('POST', url, { reason: 'A mark was mistaken' })))
  expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409])
  expect(reasons(answers.find((a) => a.status === 409)!)).toEqual(['paper_revoked'])
  const told = ok(await verify(codeOf(paper)))
  expect(told).toMatchObject({ state: 'revoked', paper: { serial: paper.serial } })
  expect(JSON.stringify(told)).not.toContain('mistaken')
  expect(ok(await registrar('GET', `/students/${id.Mona}/papers`))[0]).toMatchObject({
    revoked_reason: 'A mark was mistaken',
    abilities: ['open'],
  })
  const disclosed = await mona('PUT', `/students/${id.Mona}/papers/${paper.id}/disclosure`, { disclosure: 'nothing' })
  expect(disclosed.status).toBe(409)
  const [trail] = await q(
    `select reason from audit_log where table_name = 'papers' and record_id = $1 and action = 'update'`,
    [paper.id],
  )
  expect(trail.reason).toBe('A mark was mistaken')
})

test('a paper that is revoked while it is verified and read is wholly valid or wholly revoked in every answer', async () => {
  const paper = ok(await issue(registrar, 'Mona'))
  const url = `/students/${id.Mona}/papers/${paper.id}`
  const file = (await mona('GET', `${url}/file`)).bytes
  const [revoked, disclosed, ...answers] = await Promise.all([
    registrar('POST', `${url}/revoke`, { reason: 'Issued by mistake' }),
    mona('PUT', `${url}/disclosure`, { disclosure: 'everything' }),
    ...Array.from({ length: 8 }, (_, i) => (i % 2 ? mona('GET', `${url}/file`) : verify(codeOf(paper)))),
  ])
  expect(revoked!.status).toBe(200)
  expect([200, 409]).toContain(disclosed!.status)
  for (const [i, answer] of answers.entries())
    if (i % 2) expect(answer.bytes.equals(file)).toBe(true)
    else
      expect([answer.body.data.state, answer.body.data.paper.revoked_on !== null]).toEqual(
        answer.body.data.state === 'valid' ? ['valid', false] : ['revoked', true],
      )
  expect(ok(await verify(codeOf(paper))).state).toBe('revoked')
})

test('a paper that is issued in place of another says so, once', async () => {
  const first = ok(await certificate('enrollment'))
  const ctx = asSystem(uni.services, 'test')
  const again = async (replaces: number) => {
    const prepared = await prepareCertificate(ctx, id.Mona!, 'ar', 'enrollment_certificate')
    return issuePaper(
      ctx,
      { subject: 'student' },
      { id: id.Mona!, kind: 'enrollment_certificate', lang: 'ar', prepared: { ...prepared, replaces } },
    )
  }
  const next = await again(first.id)
  expect(ok(await verify(codeOf(first))).state).toBe('replaced')
  const listed = ok(await registrar('GET', `/students/${id.Mona}/papers`))
  expect(listed.slice(0, 2).map((one: { id: number; state: string }) => [one.id, one.state])).toEqual([
    [next, 'valid'],
    [first.id, 'replaced'],
  ])
  await expect(again(first.id)).rejects.toMatchObject({ status: 409, reasons: [{ code: 'paper_replaced' }] })
  await expect(q('update papers set replaced_by = null where id = $1', [first.id])).rejects.toThrow(/stays/)
})

test('a paper stays valid, with the time of its signature, when the key has ended and another one signs', async () => {
  const old = ok(await issue(registrar, 'Mona', 'en'))
  const before = ok(await verify(codeOf(old))).paper.signature
  await q(`update paper_keys set valid_from = now() - interval '2 days', valid_until = now() - interval '1 second'`)
  // Another process, which has not read a key yet.
  const ctx = asSystem({ ...uni.services, pool: Object.create(uni.services.pool) }, 'test')
  const prepared = await prepareCertificate(ctx, id.Mona!, 'ar', 'enrollment_certificate')
  await issuePaper(ctx, { subject: 'student' }, { id: id.Mona!, kind: 'enrollment_certificate', lang: 'ar', prepared })
  const [next] = ok(await registrar('GET', `/students/${id.Mona}/papers`))
  const [was, is] = [ok(await verify(codeOf(old))), ok(await verify(codeOf(next)))]
  expect([was.state, is.state]).toEqual(['valid', 'valid'])
  expect(was.paper.signature).toEqual(before)
  expect(is.paper.signature.fingerprint).not.toBe(before.fingerprint)
  const { bytes } = await registrar('GET', `/students/${id.Mona}/papers/${old.id}/file`)
  expect((await checkFile('x', new Uint8Array(bytes))).signature).toMatchObject({
    fingerprint: before.fingerprint,
  })
})

test('papers issued at the same moment have numbers without a gap', async () => {
  const before = Number((await q('select last from serial_numbers where series = $1', ['transcript']))[0].last)
  const papers = (await Promise.all(Array.from({ length: 6 }, () => issue(registrar, 'Mona')))).map(ok)
  expect(papers.map((p) => Number(p.serial.slice(-6))).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 6 }, (_, i) => before + 1 + i),
  )
})

test('the database keeps it as it was issued', async () => {
  const paper = ok(await issue(registrar, 'Mona'))
  const { pool } = uni.services
  const refused = (text: string) => expect(pool.query(text, [paper.id])).rejects.toThrow(/stays/)
  await refused(`update papers set holder = 'Somebody' where id = $1`)
  await refused(`update papers set sha256 = repeat('0', 64) where id = $1`)
  await refused('delete from papers where id = $1')
  await refused(`update files set hash = repeat('0', 64) where id = (select file_id from papers where id = $1)`)
  ok(await registrar('POST', `/students/${id.Mona}/papers/${paper.id}/revoke`, { reason: 'No more' }))
  await refused(`update papers set revoked_at = null, revoked_by = null, revoked_reason = null where id = $1`)
})

test('a file that is not the one that was issued is not handed out', async () => {
  const [first, second] = [ok(await issue(registrar, 'Mona')), ok(await issue(registrar, 'Mona'))]
  await q('alter table files disable trigger paper_kept')
  await q(
    `update files set hash = o.hash from papers p, papers s join files o on o.id = s.file_id
     where files.id = p.file_id and p.id = $1 and s.id = $2`,
    [first.id, second.id],
  )
  await q('alter table files enable trigger paper_kept')
  expect((await registrar('GET', `/students/${id.Mona}/papers/${first.id}/file`)).status).toBe(500)
})

test('a code that stands on no paper says nothing, and whoever tries many has to wait', async () => {
  const real = codeOf(ok(await issue(registrar, 'Mona')))
  const guess = `${real.slice(0, -1)}${real.endsWith('0') ? '1' : '0'}`
  expect((await verify(guess)).body).toEqual((await verify('nonsense')).body)
  expect(ok(await verify(guess))).toEqual({ state: 'unknown', paper: null })
  // Who verifies real papers does not run out.
  for (let i = 0; i < 40; i++) expect((await verify(real)).status).toBe(200)
  let last = 200
  for (let i = 0; i < 40 && last === 200; i++) last = (await verify(guess)).status
  expect(last).toBe(429)
  expect((await verify(real)).status).toBe(429)
})

test('certificates follow the settings of the moment and the state of the student; what was issued stays', async () => {
  const set = (key: string, value: string) =>
    q(
      `insert into settings (key, value, grouping) values ($1, to_jsonb($2::text), 'enrollment')
       on conflict (key) do update set value = excluded.value`,
      [key, value],
    )
  await set('enrollment_certificate_days', '30')
  const open = async (paper: { id: number }) =>
    (await registrar('GET', `/students/${id.Mona}/papers/${paper.id}/file`)).bytes
  const first = ok(await certificate('enrollment'))
  expect(first.serial).toMatch(new RegExp(`^EC-${year}-\\d{6}$`))
  const told = async (paper: { id: number }): Promise<{ label: string; value: string }[]> =>
    (await q('select facts from papers where id = $1', [paper.id]))[0].facts
  const until = (await told(first)).find(({ label }) => label === 'Meant until')!.value
  expect(Math.round((Date.parse(until) - Date.now()) / 86_400_000)).toBeGreaterThanOrEqual(29)
  const before = await open(first)
  await q('delete from login_attempts')
  // Signed by the university's key, and relied on until its last day.
  const file = new Uint8Array(before)
  const { paper: shown } = ok(await verify(codeOf(first)))
  expect(shown).toMatchObject({ valid_until: until })
  const looked = await checkFile('certificate.pdf', file)
  expect(judgeFile(looked, { code: codeOf(first), ...shown })).toBe('as_issued')
  file[500]! ^= 1
  const altered = await checkFile('certificate.pdf', file)
  expect(judgeFile(altered, { code: codeOf(first), ...shown })).toBe('changed')
  await q('alter table papers disable trigger kept')
  await q('update papers set valid_until = university_today() - 1 where id = $1', [first.id])
  await q('alter table papers enable trigger kept')
  expect(ok(await verify(codeOf(first))).state).toBe('expired')
  await set('enrollment_certificate_text_local', 'نص آخر تمامًا عن {name}')
  await set('enrollment_certificate_days', '0')
  const second = ok(await certificate('enrollment'))
  expect((await open(first)).equals(before)).toBe(true)
  expect((await open(second)).equals(before)).toBe(false)
  expect((await told(second)).map(({ label }) => label)).not.toContain('Meant until')

  expect(reasons(await certificate('graduation'))).toEqual(['not_graduated'])
  await q(`select decide_status(array[$1::int], 'graduated', 'Decision 1', university_today())`, [id.Mona])
  expect(reasons(await certificate('enrollment'))).toEqual(['enrolled_only'])
  await q(`update student_terms set revised_since = now() where student_id = $1`, [id.Mona])
  expect(reasons(await certificate('graduation'))).toEqual(['gpa_being_revised'])
  await q(`update student_terms set revised_since = null where student_id = $1`, [id.Mona])
  expect(ok(await certificate('graduation')).serial).toBe('GC-000001')
  // Of a master's degree only who was in a postgraduate program.
  expect(reasons(await certificate('master'))).toEqual(['not_postgraduate'])
  const master = (by: Caller, lang = 'ar') => by('GET', `/students/${id.Mona}/MasterCertificate/${lang}`)
  expect(reasons(await master(registrar))).toEqual(['no_master_certificate'])
  await q(`update programs set study_level = 'postgraduate' where id = $1`, [id.program])
  const masters = ok(await certificate('master'))
  expect(masters.serial).toBe('MC-000001')
  expect((await master(mona)).bytes.equals(await open(masters))).toBe(true)
  expect(reasons(await master(registrar, 'en'))).toEqual(['no_master_certificate'])
  expect((await master(omar)).status).toBe(404)
  ok(await registrar('POST', `/students/${id.Mona}/papers/${masters.id}/revoke`, { reason: 'Printed twice' }))
  expect(reasons(await master(mona))).toEqual(['no_master_certificate'])

  // By one call what fits: it is issued, and handed out.
  const fitting = () => registrar('POST', `/students/${id.Mona}/certificate/ar`)
  const kinds = () => q('select kind from papers where subject_id = $1 order by id desc limit 1', [id.Mona])
  // Who was taken over as a graduate was never audited: by the study plan the degree is held against now.
  await q(`select decide_status(array[$1::int], 'studying', 'Decision 1', university_today())`, [id.Mona])
  await q(`select decide_status(array[$1::int], 'graduated', 'Taken over', university_today(), 'earlier')`, [id.Mona])
  const unaudited = await certificate('graduation')
  expect([unaudited.status, unaudited.body.errors[0]]).toMatchObject([
    409,
    { code: 'graduation_not_audited', data: { earned: expect.anything(), required: expect.anything() } },
  ])
  await q(`select decide_status(array[$1::int], 'studying', 'Decision 1', university_today())`, [id.Mona])
  await q(`select decide_status(array[$1::int], 'graduated', 'Decision 1', university_today())`, [id.Mona])
  const graduation = await fitting()
  expect([graduation.status, graduation.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
  expect(await kinds()).toEqual([{ kind: 'graduation_certificate' }])
  await q(`select decide_status(array[$1::int], 'studying', 'Decision 1', university_today())`, [id.Mona])
  expect((await fitting()).status).toBe(200)
  expect(await kinds()).toEqual([{ kind: 'enrollment_certificate' }])
  await q(`select decide_status(array[$1::int], 'suspended', 'Decision 1', university_today())`, [id.Mona])
  expect(reasons(await fitting())).toEqual(['enrolled_only'])
  expect((await mona('POST', `/students/${id.Mona}/certificate/ar`)).status).toBe(403)
  const elsewhere = await uni.as('faculty_registrar', ['faculty', 999_999])
  expect((await elsewhere('POST', `/students/${id.Mona}/certificate/ar`)).status).toBe(404)
  expect(filled('{name}, {gpa}', { name: 'Mona $& {gpa}' })).toBe('Mona $& {gpa}, –')
})
