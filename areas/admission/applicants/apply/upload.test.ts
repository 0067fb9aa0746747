/** Documents in parts, over HTTP: what breaks goes on, and nobody gets further than with a whole file. */
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newToken } from '#kit/server/identity/sessions.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Answer, type TestUniversity } from '#tests/university.ts'
import { AREA_SERVERS } from '../../../../apps/server/areas.server.ts'
import { DOCUMENT_PART_BYTES as PART, MOST_DOCUMENT_BYTES, type Application } from './apply.contract.ts'
import { sweepApplicationUploads } from './upload.server.ts'

let u: TestUniversity
const q = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const count = async (table: string): Promise<number> =>
  (await q<{ n: number }>(`select count(*)::int as n from ${table}`))[0]!.n
const said = (answer: Answer): [number, string[]] => [answer.status, reasons(answer)]

let kinds: number[]
beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase() })
  const who = await applicant()
  const { admission } = ok(await u.nobody('GET', `/admission/${who.id}/${who.key}`)) as unknown as Application
  kinds = admission.documents.map(({ kind }) => kind.id)
})
afterAll(() => u.close())
beforeEach(() => q('delete from login_attempts'))

interface Who {
  readonly id: number
  readonly key: string
}
let made = 0
async function applicant(): Promise<Who> {
  const { token, hash } = newToken()
  const [row] = await q<{ id: number }>(
    `insert into applicants (code, admission_id, email, language, key_hash, nationality_id) values ($1, 1, $2, 'en', $3, 64) returning id`,
    [`A-TEST-${++made}`, `parts${made}@example.com`, hash],
  )
  return { id: row!.id, key: token }
}
/** A PDF of some size. */
const pdf = (bytes: number): Buffer => {
  const head = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n% ')
  const tail = Buffer.from('\ntrailer<</Root 1 0 R>>\n%%EOF')
  return Buffer.concat([head, Buffer.alloc(bytes - head.length - tail.length, randomBytes(500).toString('hex')), tail])
}
const digest = (content: Buffer): string => createHash('sha256').update(content).digest('hex')

async function step(
  { id, key }: Who,
  name: 'begin' | 'part' | 'finish',
  fields: Readonly<Record<string, string | number>>,
  { kind = kinds[0]!, file }: { kind?: number; file?: Buffer } = {},
): Promise<Answer> {
  const url = `/admission/${id}/${key}/documents/${kind}/${name}`
  if (!file) return u.nobody('POST', url, fields)
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, String(value))
  form.append('file', new Blob([new Uint8Array(file)]), 'part')
  const request = new Request('http://x', { method: 'POST', body: form })
  const answer = await u.app.inject({
    method: 'POST',
    url: `/api${url}`,
    headers: { 'content-type': request.headers.get('content-type')! },
    payload: Buffer.from(await request.arrayBuffer()),
  })
  return { status: answer.statusCode, body: answer.json(), bytes: answer.rawPayload, headers: answer.headers }
}
interface Begun {
  readonly id: string
  readonly received: number
  readonly part: number
}
const uploadIn = (answer: Answer): Begun => (ok(answer) as unknown as { upload: Begun }).upload
const begin = async (who: Who, content: Buffer, more: object = {}, kind = kinds[0]!) =>
  step(who, 'begin', { name: 'paper.pdf', size: content.length, digest: digest(content), ...more }, { kind })
const part = (who: Who, upload: string, content: Buffer, offset: number, end = offset + PART) =>
  step(who, 'part', { upload, offset }, { file: content.subarray(offset, end) })
const finish = (who: Who, upload: string) => step(who, 'finish', { upload })
const documentOf = (answer: Answer, kind = kinds[0]!) =>
  (ok(answer) as unknown as { application: Application }).application.admission.documents.find(
    (one) => one.kind.id === kind,
  )!.file

/** All parts of a content from where it stands. */
async function sendRest(who: Who, { id, received }: Begun, content: Buffer): Promise<void> {
  for (let at = received; at < content.length; at += PART) ok(await part(who, id, content, at))
}

test('what broke in the middle goes on where it stopped, also from another page, and becomes the document', async () => {
  const who = await applicant()
  const content = pdf(3 * PART + 1000)
  const begun = uploadIn(await begin(who, content))
  expect(begun).toMatchObject({ received: 0, part: PART })
  expect(uploadIn(await part(who, begun.id, content, 0))).toMatchObject({ id: begun.id, received: PART })
  expect(uploadIn(await part(who, begun.id, content, PART))).toMatchObject({ received: 2 * PART })
  // The page was closed. The same file, chosen again, is known by its digest.
  const again = uploadIn(await begin(who, content))
  expect(again).toEqual({ ...begun, received: 2 * PART })
  expect(said(await finish(who, begun.id))).toEqual([409, ['application_upload_open']])
  await sendRest(who, again, content)
  const answer = await finish(who, begun.id)
  expect(documentOf(answer)).toMatchObject({ name: 'paper.pdf', size: content.length })
  // Whoever reads it over opens it without an account, by the address alone.
  const { url } = documentOf(answer)!
  const opened = await u.app.inject({ method: 'GET', url })
  expect([opened.statusCode, opened.rawPayload.length]).toEqual([200, content.length])
  expect((await u.app.inject({ method: 'GET', url: url.split('?', 1)[0]! })).statusCode).not.toBe(200)
  // It is what was sent, and nothing of its parts is left.
  const [kept] = await q<{ hash: string }>(
    `select f.hash from applicant_documents d join files f on f.id = d.file_id where d.applicant_id = $1`,
    [who.id],
  )
  expect(kept!.hash).toBe(digest(content))
  expect([await count('application_uploads'), await count('application_upload_parts')]).toEqual([0, 0])
  // Over is over: neither finished twice nor gone on with.
  expect(said(await finish(who, begun.id))).toEqual([409, ['application_upload_over']])
  expect(said(await part(who, begun.id, content, 0))).toEqual([409, ['application_upload_over']])
})

test('parts come one after the other: twice, too early, too large and beyond the end are told where to go on', async () => {
  const who = await applicant()
  const content = pdf(2 * PART + 10)
  const { id } = uploadIn(await begin(who, content))
  expect(said(await part(who, id, content, PART))).toEqual([409, ['application_part_order@offset']])
  ok(await part(who, id, content, 0))
  const twice = await part(who, id, content, 0)
  expect(said(twice)).toEqual([409, ['application_part_order@offset']])
  expect(twice.body.errors[0].data.received).toBe(PART)
  expect(said(await part(who, id, content, PART, 2 * PART + 1))).toEqual([409, ['application_part_size@file']])
  // Two at one place at the same moment: one is taken.
  const both = await Promise.all([part(who, id, content, PART), part(who, id, content, PART)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  // More than was said.
  expect(said(await step(who, 'part', { upload: id, offset: 2 * PART }, { file: Buffer.alloc(11) }))).toEqual([
    409,
    ['application_part_size@file'],
  ])
  ok(await part(who, id, content, 2 * PART))
  expect(documentOf(await finish(who, id))).toMatchObject({ size: content.length })
})

test('who has not the key of the application gets nothing', async () => {
  const [who, other] = [await applicant(), await applicant()]
  const content = pdf(PART + 10)
  const { id } = uploadIn(await begin(who, content))
  // With the own key an upload of somebody else is none, and neither is one as another document.
  expect(said(await part(other, id, content, 0))).toEqual([409, ['application_upload_over']])
  expect(said(await finish(other, id))).toEqual([409, ['application_upload_over']])
  expect(
    said(await step(who, 'part', { upload: id, offset: 0 }, { kind: kinds[1]!, file: content.subarray(0, PART) })),
  ).toEqual([409, ['application_upload_over']])
  const wrong = { id: who.id, key: other.key }
  for (const answer of [await begin(wrong, content), await part(wrong, id, content, 0), await finish(wrong, id)])
    expect(said(answer)).toEqual([404, ['application_unknown']])
  // The same file of another application is another upload.
  expect(uploadIn(await begin(other, content))).not.toMatchObject({ id })
})

test('what does not arrive as it was sent, and what is no document, is refused at the end and given up', async () => {
  const who = await applicant()
  const content = pdf(PART + 500)
  const wrong = uploadIn(await begin(who, content, { digest: digest(Buffer.from('another')) }))
  await sendRest(who, wrong, content)
  expect(said(await finish(who, wrong.id))).toEqual([422, ['application_upload_wrong@file']])
  expect(said(await finish(who, wrong.id))).toEqual([409, ['application_upload_over']])
  // A page that calls itself a picture, with the picture behind it.
  const page = Buffer.concat([Buffer.from('<!doctype html><script>alert(1)</script>'), pdf(PART + 100)])
  const polyglot = uploadIn(await begin(who, page, { name: 'photo.jpg' }))
  await sendRest(who, polyglot, page)
  expect((await finish(who, polyglot.id)).status).toBe(422)
  const program = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(PART + 100)])
  const exe = uploadIn(await begin(who, program))
  await sendRest(who, exe, program)
  expect((await finish(who, exe.id)).status).toBe(422)
  expect([
    await count('application_upload_parts'),
    await count('applicant_documents where applicant_id = ' + who.id),
  ]).toEqual([0, 0])
})

test('limits stay: size, what is asked for, number', async () => {
  const who = await applicant()
  const content = pdf(1000)
  expect((await begin(who, content, { size: MOST_DOCUMENT_BYTES + 1 })).status).toBe(422)
  expect(said(await begin(who, content, { size: 0 }))).toEqual([422, ['too_small@size']])
  expect((await begin(who, content, { digest: 'x' })).status).toBe(422)
  expect(said(await begin(who, content, {}, 999_999))).toEqual([422, ['application_document_not_asked@kind']])
  expect(said(await step(who, 'begin', { name: 'x.pdf' }))).toEqual([422, ['required@size']])
  expect(said(await step(who, 'finish', {}))).toEqual([422, ['required@upload']])
  const { id } = uploadIn(await begin(who, content))
  expect(said(await step(who, 'part', { upload: id, offset: 0 }))).toEqual([422, ['file_missing@file']])
  expect(said(await step(who, 'part', { upload: id }, { file: content }))).toEqual([422, ['required@offset']])
  // Another file takes the place of what was on its way: one of a kind.
  const next = uploadIn(await begin(who, pdf(2000)))
  expect(said(await part(who, id, content, 0))).toEqual([409, ['application_upload_over']])
  expect(next.received).toBe(0)
  await q(`update login_attempts set failures = 65, blocked_until = now() + interval '1 minute' where key = $1`, [
    `application files ${who.id}`,
  ])
  expect((await begin(who, content)).status).toBe(429)
  await q('delete from login_attempts')
  await q(
    `insert into login_attempts (key, failures, last_failed_at, blocked_until) values ($1, 2005, now(), now() + interval '1 minute')`,
    [`application parts ${who.id}`],
  )
  expect((await part(who, next.id, content, 0)).status).toBe(429)
})

test('an application that was sent in takes no more', async () => {
  const who = await applicant()
  const content = pdf(PART + 10)
  const { id } = uploadIn(await begin(who, content))
  ok(await part(who, id, content, 0))
  await q(`update applicants set status = 'SUBMITTED', submitted_at = now() where id = $1`, [who.id])
  for (const answer of [await begin(who, content), await part(who, id, content, PART), await finish(who, id)])
    expect(said(answer)).toEqual([409, ['application_sent']])
})

test('what nobody went on with for a day is given up, with its parts', async () => {
  const who = await applicant()
  const content = pdf(PART + 10)
  const before = await count('application_uploads')
  const { id } = uploadIn(await begin(who, content))
  ok(await part(who, id, content, 0))
  const [stored] = await q<{ hash: string }>('select hash from application_upload_parts where upload_id = $1', [id])
  expect(await u.services.storage.has(stored!.hash)).toBe(true)
  const sweep = () =>
    sweepApplicationUploads.run(asSystem(u.services, 'test') as never, {} as never, (async () => {}) as never)
  await q(`update application_uploads set touched_at = now() - interval '23 hours' where id = $1`, [id])
  await sweep()
  expect(uploadIn(await begin(who, content))).toMatchObject({ id, received: PART })
  await q(`update application_uploads set touched_at = now() - interval '25 hours' where id = $1`, [id])
  // It is over even before the sweep comes.
  expect(said(await part(who, id, content, PART))).toEqual([409, ['application_upload_over']])
  await sweep()
  expect(await q('select from application_uploads where id = $1', [id])).toEqual([])
  expect(await count('application_uploads')).toBeLessThanOrEqual(before)
  expect(await u.services.storage.has(stored!.hash)).toBe(false)
})
