import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as bazaar from '@digitalbazaar/vc'
import { DataIntegrityProof as BazaarProof } from '@digitalbazaar/data-integrity'
import { cryptosuite as bazaarSuite } from '@digitalbazaar/eddsa-rdfc-2022-cryptosuite'
import * as consortium from '@digitalcredentials/vc'
import { DataIntegrityProof as ConsortiumProof } from '@digitalcredentials/data-integrity'
import { cryptosuite as consortiumSuite } from '@digitalcredentials/eddsa-rdfc-2022-cryptosuite'
import { PDFDocument } from '@cantoo/pdf-lib'
import { validateXML } from 'xmllint-wasm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { flag } from '#areas/common/academics/status.rules.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { ok, testUniversity } from '#tests/university.ts'
import type { Answer, Caller, TestUniversity } from '#tests/university.ts'
import { credentialsServer } from './credentials.server.ts'
import { judgeElmo } from './elmo/signature.server.ts'
import { didWebAddress } from './verify/keys.server.ts'
import { judgeCredential, judgeFile, nowhere } from './verify/verify.server.ts'
import { bitOf } from './verify/status.server.ts'
import { plainBadge, signedBadge, testKey } from './verify/testing.server.ts'

const ADDRESS = 'https://university.example'
const DID = 'did:web:university.example'
let uni: TestUniversity
let registrar: Caller
let decides: Caller
let mona: Caller
let omar: Caller
const id: Record<string, number> = {}
const q = async (text: string, values: unknown[] = []) => (await uni.database.pool.query(text, values)).rows
const one = async (name: string, text: string, values: unknown[] = []) => (id[name] = (await q(text, values))[0].id)

beforeAll(async () => {
  uni = await testUniversity([kitServer, catalogueServer, studentsServer, credentialsServer], {
    env: { PUBLIC_URL: ADDRESS },
  })
  await one('faculty', `insert into faculties (code, name, name_local) values ('ENG', 'Eng', 'هندسة') returning id`)
  await one(
    'bylaw',
    `insert into bylaws (faculty_id, code, name, name_local, program_type, graduation_hours, graduation_gpa, grades_visibility)
     values ($1, 'B', 'B', 'ل', 'credit_hours', 12, 2, '{"marks":"Published","letter":"Published","points":"Published","gpa":"Published"}') returning id`,
    [id.faculty],
  )
  await one(
    'program',
    `insert into programs (bylaw_id, faculty_id, code, name, name_local, program_type) values ($1, $2, 'CS', 'Computing & more', 'حاسبات', 'credit_hours') returning id`,
    [id.bylaw, id.faculty],
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
  const person = async (name: string, code: string): Promise<Caller> => {
    const caller = await uni.as(null, undefined, { type: 3, name })
    await one(
      name,
      `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, level, national_id, gender, user_id)
       values ($1, $2, 'منى علي', $3, $4, $5, 1, $6, 2, $7) returning id`,
      [code, `${name} Ali Hassan`, id.faculty, id.program, id.bylaw, `3000101010000${code}`, caller.user_id],
    )
    return uni.signIn(caller.user_id)
  }
  mona = await person('Mona', '1')
  omar = await person('Omar', '2')
  for (const [code, name, letter, passed] of [
    ['CS 101', 'Logic <1>', 'A', true],
    ['CS 102', 'Algorithms', 'F', false],
  ] as const) {
    await one(
      'course',
      `insert into courses (faculty_id, code, name, name_local, credit_hours) values ($1, $2, $3, 'مقرر', 3) returning id`,
      [id.faculty, code, name],
    )
    await one(
      'offering',
      `insert into offerings (term_id, course_id, faculty_id, code, control_status) values ($1, $2, $3, $4, 'Published') returning id`,
      [id.term, id.course, id.faculty, code],
    )
    await q(
      `insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours, total, letter, points, passed, counts_in_gpa, counts_in_attempted_hours)
       values ($1, $2, $3, $4, $5, 3, 85, $6, 4, $7, true, true)`,
      [id.Mona, id.offering, id.term, id.course, String(flag.Registered | flag.Fresh), letter, passed],
    )
  }
  await q(
    `insert into student_terms (student_id, term_id, registered_hours, attempted_hours, passed_hours, term_points, gpa,
      cumulative_hours, cumulative_passed_hours, cumulative_points, cumulative_gpa, level, standing)
     values ($1, $2, 6, 6, 3, 12, 2, 6, 3, 12, 2, 1, 'good')`,
    [id.Mona, id.term],
  )
  registrar = await uni.as('registrar')
  decides = await uni.as('admin')
})
afterAll(() => uni.close())

const issue = async (kind = 'transcript', lang = 'en', disclosure = 'everything'): Promise<number> => {
  const data = ok(await registrar('POST', `/students/${id.Mona}/papers`, { kind, lang }))
  ok(await mona('PUT', `/students/${id.Mona}/papers/${data.id}/disclosure`, { disclosure }))
  return data.id
}
const take = (by: Caller, paper: number, what = 'credential', student = 'Mona'): Promise<Answer> =>
  by('POST', `/students/${id[student]}/papers/${paper}/${what}`)
const credentialOf = async (paper: number, by = mona) => JSON.parse((await take(by, paper)).bytes.toString())
const published = async (path: string) => {
  const answer = await uni.app.inject({ method: 'GET', url: path })
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
}
/** What a stranger can read. */
const reach = async (url: string): Promise<unknown> => {
  const bare = url.replace(/#.*$/, '')
  if (!bare.startsWith(ADDRESS)) return null
  const { status, body } = await published(bare.slice(ADDRESS.length))
  return status === 200 ? body : null
}
const codes = (judged: { reasons: readonly { code: string }[] }) => judged.reasons.map(({ code }) => code)

test('the DID document tells every key that was used, to anybody', async () => {
  const { status, headers, body } = await published('/.well-known/did.json')
  expect([status, headers['content-type'], headers['access-control-allow-origin']]).toEqual([
    200,
    'application/did+json; charset=utf-8',
    '*',
  ])
  expect(body.id).toBe(DID)
  expect(didWebAddress(DID)).toBe(`${ADDRESS}/.well-known/did.json`)
  expect(body.assertionMethod).toEqual([body.verificationMethod[0].id])
  // A key that is replaced stays.
  const other = await testUniversity([kitServer, catalogueServer, studentsServer, credentialsServer], {
    database: { ...uni.database, drop: async () => undefined },
    env: { PUBLIC_URL: ADDRESS, CREDENTIALS_KEY: Buffer.from('nYw4m0Jq7cTzVb2LxR9sKe5HuGfD1aPi').toString('base64') },
  })
  try {
    const both = (await other.app.inject({ method: 'GET', url: '/.well-known/did.json' })).json()
    expect(both.verificationMethod).toHaveLength(2)
    expect(both.assertionMethod).toContain(body.assertionMethod[0])
  } finally {
    await other.close()
  }
})

test('a transcript as a credential is verified by us and by two programs of others, and holds what the paper says', async () => {
  const paper = await issue()
  const credential = await credentialOf(paper)
  expect(credential.issuer.id).toBe(DID)
  expect(credential.credentialSubject.identifier[0].identityHash).toBe('Mona Ali Hassan')
  const results = credential.credentialSubject.result.filter((each: { courseCode?: string }) => each.courseCode)
  expect(results).toMatchObject([
    { courseCode: 'CS 101', numberOfCredits: '3', value: 'A', status: 'Completed', endDate: '2026-01-20' },
    { courseCode: 'CS 102', numberOfCredits: '3', value: 'F', status: 'Failed' },
  ])
  const judged = await judgeCredential({ document: credential }, { reach })
  expect([codes(judged), judged.notes, judged.signed]).toEqual([[], [], true])
  expect(codes(await judgeCredential({ document: credential }, { reach: nowhere }))).toEqual(['vc_status_unreachable'])

  const contexts = fileURLToPath(new URL('./verify/contexts/', import.meta.url))
  const document = (file: string) => JSON.parse(readFileSync(`${contexts}${file}.json`, 'utf8')) as object
  const did = (await published('/.well-known/did.json')).body
  const documentLoader = async (url: string) => {
    if (url === 'https://www.w3.org/ns/credentials/v2')
      return { documentUrl: url, document: document('credentials-v2') }
    if (url.endsWith('/context-3.0.3.json')) return { documentUrl: url, document: document('badges-3.0.3') }
    if (url === DID) return { documentUrl: url, document: did }
    const method = did.verificationMethod.find((each: { id: string }) => each.id === url)
    if (method)
      return { documentUrl: url, document: { '@context': 'https://w3id.org/security/multikey/v1', ...method } }
    throw new Error(`not published: ${url}`)
  }
  const checkStatus = async () => ({ verified: true })
  const byTwo = async (written: object) => [
    (
      await bazaar.verifyCredential({
        credential: structuredClone(written),
        suite: new BazaarProof({ cryptosuite: bazaarSuite }),
        documentLoader,
        checkStatus,
      })
    ).verified,
    (
      await consortium.verifyCredential({
        credential: structuredClone(written),
        suite: new ConsortiumProof({ cryptosuite: consortiumSuite }),
        documentLoader,
        checkStatus,
      })
    ).verified,
  ]
  expect(await byTwo(credential)).toEqual([true, true])
  expect(await byTwo({ ...credential, name: 'Another' })).toEqual([false, false])
  const arabic = await credentialOf(await issue('transcript', 'ar'))
  expect(await byTwo(arabic)).toEqual([true, true])
  expect(codes(await judgeCredential({ document: arabic }, { reach }))).toEqual([])
  const list = (await published('/api/credential-lists/1')).body
  expect(await byTwo(list)).toEqual([true, true])
})

test('it holds what the holder discloses, no more', async () => {
  const paper = await issue('enrollment_certificate', 'en', 'name')
  const named = await credentialOf(paper)
  expect(JSON.stringify(named)).not.toContain('Computing')
  expect(JSON.stringify(named)).toContain('Mona Ali Hassan')
  ok(await mona('PUT', `/students/${id.Mona}/papers/${paper}/disclosure`, { disclosure: 'nothing' }))
  const bare = await credentialOf(paper)
  expect(JSON.stringify(bare)).not.toMatch(/Mona|Computing/)
  expect(codes(await judgeCredential({ document: bare }, { reach }))).toEqual([])
  // Both are the same credential: it is revoked once.
  expect(bare.credentialStatus).toEqual(named.credentialStatus)
  expect((await credentialOf(await issue('enrollment_certificate'))).credentialStatus.statusListIndex).not.toBe(
    bare.credentialStatus.statusListIndex,
  )
})

test('only the holder and who may open the paper get it; what is given out is traced', async () => {
  const paper = await issue()
  for (const what of ['credential', 'elmo']) {
    expect((await take(omar, paper, what)).status).toBe(404)
    expect((await take(omar, paper, what, 'Omar')).status).toBe(404)
    expect((await take(uni.nobody, paper, what)).status).toBe(401)
    expect((await take(await uni.as(null), paper, what)).status).toBe(403)
    ok(await take(registrar, paper, what))
    ok(await take(mona, paper, what))
  }
  const traces = await q(
    `select count(*)::int as n from security_log where details::text like '%${id.Mona}%' and details::text like '%credential%'`,
  ).catch(() => [{ n: null }])
  expect(traces[0].n === null || traces[0].n > 0).toBe(true)
})

test('revoking the paper revokes the credential in the same moment', async () => {
  const paper = await issue()
  const credential = await credentialOf(paper)
  const { statusListIndex, statusListCredential } = credential.credentialStatus
  expect(statusListCredential).toBe(`${ADDRESS}/api/credential-lists/1`)
  ok(await registrar('POST', `/students/${id.Mona}/papers/${paper}/revoke`, { reason: 'A mistake' }))
  expect([(await take(mona, paper)).status, (await take(mona, paper)).body.message]).toEqual([409, 'paper_revoked'])
  // Another process knows it at once; this one has the list in its memory for less than a minute.
  const other = await testUniversity([kitServer, catalogueServer, studentsServer, credentialsServer], {
    database: { ...uni.database, drop: async () => undefined },
    env: { PUBLIC_URL: ADDRESS },
  })
  try {
    const list = (await other.app.inject({ method: 'GET', url: '/api/credential-lists/1' })).json()
    const { encodedList } = list.credentialSubject
    expect(bitOf(encodedList, Number(statusListIndex))).toBe(true)
    expect(bitOf(encodedList, 131_071) === null).toBe(false)
    expect(bitOf(encodedList, 131_072)).toBe(null)
    const found = async (url: string) => (url === statusListCredential ? list : reach(url))
    expect(codes(await judgeCredential({ document: credential }, { reach: found }))).toEqual(['vc_revoked'])
  } finally {
    await other.close()
  }
  expect((await published('/api/credential-lists/2')).status).toBe(404)
  expect((await published('/api/credential-lists/x')).status).toBe(404)
})

test('a certificate is no transcript, and what is not disclosed is not in ELMO', async () => {
  const certificate = await take(mona, await issue('enrollment_certificate'), 'elmo')
  expect([certificate.status, certificate.body.message]).toEqual([409, 'elmo_kind'])
  const hidden = await take(mona, await issue('transcript', 'en', 'name'), 'elmo')
  expect([hidden.status, hidden.body.message]).toEqual([409, 'elmo_disclosure'])
  const [{ id: other }] = await q(
    `insert into papers (kind, subject, subject_id, lang, serial, code, title, title_local, holder, holder_local, facts, disclosure, file_id, sha256)
     select 'letter', subject, subject_id, lang, 'L-1', '00000000000000000000', title, title_local, holder, holder_local, facts, disclosure, file_id, sha256
     from papers limit 1 returning id`,
  )
  const letter = await take(mona, other)
  expect([letter.status, letter.body.message]).toEqual([409, 'credential_kind'])
})

/** Judges a document by the published schema. */
function check(text: string) {
  const folder = fileURLToPath(new URL('./elmo/schema/', import.meta.url))
  const file = (fileName: string) => ({ fileName, contents: readFileSync(`${folder}${fileName}`, 'utf8') })
  const schema = file('schema.xsd')
  // The schema names what it imports by address; here they lie beside it.
  const local = [
    'xmldsig-core-schema.xsd',
    'EUROPASS_ISOCountries_V1.1.xsd',
    'ewp-address.xsd',
    'common-types.xsd',
    'xml.xsd',
  ]
  const contents = schema.contents
    .replace(/https:\/\/raw[^"]*(xmldsig-core-schema|EUROPASS_ISOCountries_V1\.1)\.xsd/g, '$1.xsd')
    .replace(/https:\/\/raw[^"]*types-address[^"]*/, 'ewp-address.xsd')
    .replace('http://www.w3.org/2001/03/xml.xsd', 'xml.xsd')
  return validateXML({
    xml: { fileName: 'transcript.xml', contents: text },
    schema: { fileName: 'elmo.xsd', contents },
    preload: local.map((name) => {
      const { contents: text } = file(name)
      return {
        fileName: name,
        contents: text
          .replace(/<!DOCTYPE[\s\S]*?\]>/, '')
          .replace(/https:\/\/raw[^"]*\/common-types\.xsd/g, 'common-types.xsd'),
      }
    }),
  })
}

test('ELMO is valid by the published schema, and its signature covers all of it', async () => {
  const xml = (await take(mona, await issue(), 'elmo')).bytes.toString()
  expect((await check(xml)).errors).toEqual([])
  expect((await check(xml.replace('<givenNames>', '<x/><givenNames>'))).valid).toBe(false)

  const elmo = async (text: string) => codes(await judgeElmo(text, { reach }))
  expect(await elmo(xml)).toEqual([])
  expect(await elmo(xml.replace('>CS 101<', '>CS 201<'))).toEqual(['vc_signature'])
  expect(await elmo(xml.replace(/<Signature[\s\S]*<\/Signature>/, ''))).toEqual(['vc_unsigned'])
  expect(await elmo(xml.replace('university.example#', 'other.example#'))).toEqual(['vc_key_unreachable'])
  expect(await elmo(`<!DOCTYPE elmo [<!ENTITY a "b">]>${xml.replace(/^<\?xml.*\n/, '')}`)).toEqual(['vc_unreadable'])
  // A part that was signed, put into something else.
  const signature = /<Signature[\s\S]*<\/Signature>/.exec(xml)![0]
  expect(await elmo(xml.replace(signature, `<extension>${signature}</extension>`))).toEqual(['vc_token'])
  expect(await elmo(xml.replace('</elmo>', `${signature}</elmo>`))).toEqual(['vc_token'])
})

const upload = async (
  by: Caller,
  name: string,
  content: string | Uint8Array,
): Promise<{ status: number; body: any }> => {
  const form = new FormData()
  form.set('file', new Blob([content as never]), name)
  const request = new Request('http://localhost', { method: 'POST', body: form })
  const answer = await uni.app.inject({
    method: 'POST',
    url: '/api/credentials/read',
    headers: {
      'content-type': request.headers.get('content-type')!,
      ...(by.token && { authorization: `Bearer ${by.token}` }),
    },
    payload: Buffer.from(await request.arrayBuffer()),
  })
  return { status: answer.statusCode, body: answer.json() }
}

test('a file of another university is verified, and its courses are proposed; nothing is kept', async () => {
  const paper = await issue()
  const credential = (await take(mona, paper)).bytes
  const { data } = (await upload(decides, 'credential.json', credential)).body
  expect(data).toMatchObject({ kind: 'credential', valid: true, reasons: [], notes: [] })
  // What was failed is not proposed.
  expect(data.courses).toEqual([
    { code: 'CS 101', name: 'Logic <1>', name_local: null, credit_hours: 3, grade: 'A', date: '2026-01-20' },
  ])
  const elmo = (await upload(decides, 'transcript.xml', (await take(mona, paper, 'elmo')).bytes)).body.data
  expect(elmo).toMatchObject({ kind: 'elmo', valid: true, issuer: 'University', issuer_id: DID })
  expect(elmo.courses).toEqual([{ ...data.courses[0], name_local: 'مقرر' }])

  const changed = (await upload(decides, 'credential.json', credential.toString().replace('Completed', 'OnHold'))).body
    .data
  expect([changed.valid, changed.reasons[0].code, changed.courses]).toEqual([false, 'vc_signature', []])
  expect(changed.reasons[0]).toMatchObject({
    en: expect.stringContaining('signature'),
    ar: expect.stringContaining('التوقيع'),
  })
  // Here a key must be one of the issuer: on the command line it is only said that nobody looked.
  const issuer = { id: 'https://127.0.0.1/issuer', type: ['Profile'], name: 'X' }
  const method = `${issuer.id}#${testKey(7).multibase}`
  const foreign = await signedBadge({ ...plainBadge(), issuer }, { method })
  expect(codes(await judgeCredential({ document: foreign }, { reach: nowhere }))).toEqual([])
  const nobodys = (await upload(decides, 'b.json', JSON.stringify(foreign))).body.data
  expect([nobodys.valid, nobodys.reasons[0].code]).toEqual([false, 'vc_key_unreachable'])
  const unsigned = {
    '@context': ['https://www.w3.org/ns/credentials/v2'],
    type: 'VerifiableCredential',
    issuer: 'did:example:a',
    credentialSubject: { id: 'did:example:b' },
  }
  expect((await upload(decides, 'u.json', JSON.stringify(unsigned))).body.data.reasons[0].code).toBe('vc_unsigned')
  expect((await upload(decides, 'x.txt', 'hello')).body.data.reasons[0].code).toBe('vc_unreadable')

  for (const [by, status] of [
    [mona, 403],
    [uni.nobody, 401],
    [await uni.as(null), 403],
  ] as const)
    expect((await upload(by, 'credential.json', credential)).status).toBe(status)
})

/** The file of a paper, as its holder opens it. */
const opened = async (paper: number) => (await mona('GET', `/students/${id.Mona}/papers/${paper}/file`)).bytes
/** What is inside it. */
const filesIn = async (pdf: Uint8Array) =>
  Object.fromEntries(
    (await PDFDocument.load(pdf)).getAttachments().map(({ name, data }) => [name, Buffer.from(data).toString('utf8')]),
  )

test('the file of a paper carries its credential, and that of a transcript ELMO', async () => {
  const paper = await issue('transcript', 'ar', 'nothing')
  const pdf = await opened(paper)
  expect(pdf.toString('latin1')).toContain('<pdfaid:part>3</pdfaid:part>')
  const files = await filesIn(pdf)
  expect(Object.keys(files)).toEqual(expect.arrayContaining(['transcript.json', 'credential.jwt', 'elmo.xml']))
  const judged = await judgeFile(Buffer.from(files['credential.jwt']!), { reach })
  expect(codes(judged)).toEqual([])
  // Whoever has the file has everything; what is taken apart from it holds what the holder discloses. Both are one credential.
  expect(JSON.stringify(judged.document)).toContain('مقرر')
  const apart = await credentialOf(paper)
  expect(JSON.stringify(apart)).not.toContain('مقرر')
  expect(judged.document).toMatchObject({ id: apart.id, credentialStatus: apart.credentialStatus })
  expect((await check(files['elmo.xml']!)).errors).toEqual([])
  expect(codes(await judgeElmo(files['elmo.xml']!, { reach }))).toEqual([])

  const [head, payload, signature] = files['credential.jwt']!.split('.') as [string, string, string]
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const changed = Buffer.from(JSON.stringify({ ...claims, name: 'Another' })).toString('base64url')
  expect(codes(await judgeFile(Buffer.from([head, changed, signature].join('.')), { reach }))).toEqual(['vc_signature'])
  expect([claims.iss, claims.jti, claims.sub]).toEqual([DID, claims.id, claims.credentialSubject.id])

  expect(Object.keys(await filesIn(await opened(await issue('enrollment_certificate'))))).toEqual(['credential.jwt'])
})

test('courses are read from the file of a paper', async () => {
  const pdf = await opened(await issue())
  const { data } = (await upload(decides, 'transcript.pdf', pdf)).body
  expect(data).toMatchObject({ kind: 'credential', valid: true, reasons: [], issuer_id: DID })
  expect(data.courses).toMatchObject([{ code: 'CS 101', grade: 'A' }])
  const empty = await (await PDFDocument.create()).save()
  expect((await upload(decides, 'empty.pdf', empty)).body.data.reasons[0].code).toBe('vc_unreadable')
  expect((await upload(decides, 'no.pdf', '%PDF-1.7 nothing')).body.data.reasons[0].code).toBe('vc_unreadable')
})

test('a file is read alike as text', async () => {
  const credential = (await take(mona, await issue())).bytes
  expect(codes(await judgeFile(credential, { reach }))).toEqual([])
})
