import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { unzipSync, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { archiveServer } from '../archive.server.ts'
import { pdf, png, sendFile } from '../testing.server.ts'
import { sweepUploads } from './parts.server.ts'

let u: TestUniversity
let editor: Caller
let top: number
const make = async (parent_id: number, name: string, more: object = {}): Promise<number> =>
  ok(await editor('PUT', '/archive', { parent_id, name, ...more })).id
const upload = (parent_id: number, name: string, content: Uint8Array, more: object = {}) =>
  sendFile(u, editor, '/archive/upload', { parent_id, ...more }, { name, content })
const names = async (parent_id: number): Promise<string[]> =>
  ok(await editor('POST', '/archive', { parent_id, perPage: 100 })).map((row: any) => row.name)
const part = (key: string, offset: number, content: Uint8Array) =>
  sendFile(u, editor, '/archive/upload/part', { key, offset }, { name: 'part', content })
/** Contents that the store holds. */
const stored = async (): Promise<string[]> =>
  (await readdir(fileURLToPath(u.services.config.storageUrl), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .toSorted()

beforeAll(async () => {
  u = await testUniversity([archiveServer], { env: { UPLOADS_PER_DAY: '5000' } })
  editor = await u.as('registrar')
  top = await make(1, 'Uploads')
})
afterAll(() => u?.close())

describe('a file', () => {
  it('is kept, comes back as it was, and is sent to be kept, never to be run', async () => {
    const sent = await upload(top, 'Plan.pdf', pdf('plan'))
    const answer = await editor('GET', `/archive/download/${sent.body.data.id}`)
    expect(answer.bytes.equals(Buffer.from(pdf('plan')))).toBe(true)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    expect(String(answer.headers['content-disposition'])).toMatch(/^attachment/)
    // The way of other files does not lead to it.
    const { rows } = await u.database.pool.query('select file_id from archive_entries where id = $1', [
      sent.body.data.id,
    ])
    expect((await editor('GET', `/files/${rows[0].file_id}/Plan.pdf`)).status).toBe(404)
  })
  it.each([
    [
      'a page under the name of a picture',
      'photo.png',
      Buffer.from('<html><script>alert(1)</script></html>'),
      'file_type_error@file',
    ],
    [
      'a drawing that could act',
      'logo.png',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      'file_type_error@file',
    ],
    ['a program', 'form.pdf', Buffer.from('MZ\u0090\u0000'), 'file_type_error@file'],
    ['a picture under the name of a page', 'photo.html', png, 'archive_content_differs@file'],
    ['a picture under the name of a paper', 'photo.pdf', png, 'archive_content_differs@file'],
    ['a name that no file system takes', 'con.pdf', pdf(), 'archive_name_unsafe@file'],
  ])('%s is refused', async (_what, name, content, code) => {
    const answer = await upload(top, name, content)
    expect([answer.status, reasons(answer as never)]).toEqual([422, [code]])
  })
  it('with a name that is taken is refused, a new version, or beside it', async () => {
    const folder = await make(top, 'Taken')
    const first = (await upload(folder, 'Form.pdf', pdf('1'))).body.data.id
    expect(reasons((await upload(folder, 'form.PDF', pdf('2'))) as never)).toEqual(['archive_name_taken@name'])
    expect((await upload(folder, 'Form.pdf', pdf('2'), { taken: 'version' })).body.data.id).toBe(first)
    expect((await upload(folder, 'Form.pdf', pdf('3'), { taken: 'rename' })).body.data.name).toBe('Form (2).pdf')
    const versions = () => editor('GET', `/archive/${first}`).then((a) => ok(a).versions.map((v: any) => v.number))
    expect(await versions()).toEqual([2, 1])
    ok(await editor('POST', `/archive/update/${first}`, { number: 1 }))
    expect(await versions()).toEqual([3, 2, 1])
    const bytes = async (query = '') => (await editor('GET', `/archive/download/${first}${query}`)).bytes.toString()
    expect([await bytes(), await bytes('?version=2')]).toEqual([
      Buffer.from(pdf('1')).toString(),
      Buffer.from(pdf('2')).toString(),
    ])
    expect(
      (await sendFile(u, editor, `/archive/update/${first}`, {}, { name: 'x.png', content: png })).body.message,
    ).toBe('invalid_input')
    expect((await editor('POST', `/archive/update/${first}`, { number: 9 })).status).toBe(404)
  })
  it('of a whole folder goes where it lay', async () => {
    const folder = await make(top, 'Tree')
    ok((await upload(folder, 'a.pdf', pdf(), { path: 'لوائح/2026' })) as never)
    ok((await upload(folder, 'b.pdf', pdf(), { path: 'لوائح/2026' })) as never)
    const [row] = ok(await editor('POST', '/archive', { parent_id: folder, search: 'b.pdf' }))
    expect(row.path.slice(-2).map((step: any) => step.name)).toEqual(['لوائح', '2026'])
    expect(reasons((await upload(folder, 'c.pdf', pdf(), { path: '../../..' })) as never)).toEqual([
      'archive_path_unsafe@path',
    ])
  })
  it('whose content is gone, or for which there is no room, is told so in words', async () => {
    const id = (await upload(top, 'Gone.pdf', pdf('gone'))).body.data.id
    const { rows } = await u.database.pool.query(
      'select f.hash from archive_entries e join files f on f.id = e.file_id where e.id = $1',
      [id],
    )
    await u.services.storage.remove(rows[0].hash)
    expect((await editor('GET', `/archive/download/${id}`)).body.message).toBe('archive_content_gone')
    const zip = unzipSync((await editor('POST', `/archive/download_files/${top}`, { ids: [id] })).bytes)
    expect(Object.keys(zip)).toEqual(['MISSING.txt'])
  })
})

describe('a file in parts', () => {
  const content = Buffer.concat([Buffer.from(pdf('large')), randomBytes(300_000)])
  const begin = async (name = 'Large.pdf', size = content.length): Promise<string> =>
    ok(await editor('POST', '/archive/upload/begin', { parent_id: top, name, size })).upload.key
  it('goes on after a break where it stands, and leaves nothing but the file', async () => {
    const before = await stored()
    const key = await begin()
    ok((await part(key, 0, content.subarray(0, 100_000))) as never)
    // What was sent already, or too early, is not taken: the answer says where to go on.
    for (const offset of [0, 200_000]) {
      const answer = await part(key, offset, content.subarray(0, 10))
      expect([answer.status, answer.body.errors[0].data.received]).toEqual([409, 100_000])
    }
    expect((await editor('POST', '/archive/upload/finish', { key })).body.message).toBe('archive_upload_open')
    const { received } = ok(await editor('POST', '/archive/upload/state', { key })).upload
    // Two windows go on at once: one is taken.
    const both = await Promise.all([1, 2].map(() => part(key, received, content.subarray(received, 250_000))))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    ok((await part(key, 250_000, content.subarray(250_000))) as never)
    const done = await Promise.all([1, 2].map(() => editor('POST', '/archive/upload/finish', { key })))
    const [first, second] = done.map(({ status }) => status).toSorted()
    // The other comes while the file is put together, or when it is there.
    expect([first, [409, 422].includes(second!)]).toEqual([200, true])
    const { entry } = ok(done.find(({ status }) => status === 200)!)
    expect((await editor('GET', `/archive/download/${entry.id}`)).bytes.equals(content)).toBe(true)
    expect((await stored()).length).toBe(before.length + 1)
    expect((await u.database.pool.query('select from archive_uploads')).rowCount).toBe(0)
  })
  it('is not begun under a name or in a folder that no file system takes, nor with nothing in it', async () => {
    const refused = await editor('POST', '/archive/upload/begin', {
      parent_id: top,
      name: 'con.pdf',
      path: '../up',
      size: 0,
    })
    expect([refused.status, reasons(refused)]).toEqual([
      422,
      ['archive_name_unsafe@name', 'archive_path_unsafe@path', 'too_small@size'],
    ])
    expect((await u.database.pool.query('select from archive_uploads')).rowCount).toBe(0)
  })
  it('is the own: nobody else goes on with it', async () => {
    const key = await begin('Own.pdf')
    const other = await u.as('registrar')
    for (const suffix of ['state', 'finish', 'cancel'])
      expect((await other('POST', `/archive/upload/${suffix}`, { key })).body.message).toBe('archive_upload_over')
    ok(await editor('POST', '/archive/upload/cancel', { key }))
    expect((await editor('POST', '/archive/upload/state', { key })).body.message).toBe('archive_upload_over')
  })
  it('is looked into when it is whole, and given up when it is refused or forgotten', async () => {
    const before = await stored()
    const page = Buffer.from(`<html>${'x'.repeat(1000)}</html>`)
    const key = await begin('Page.pdf', page.length)
    ok((await part(key, 0, page)) as never)
    expect(reasons(await editor('POST', '/archive/upload/finish', { key }))).toEqual(['file_type_error@file'])
    const old = await begin('Old.pdf')
    ok((await part(old, 0, content.subarray(0, 1000))) as never)
    await u.database.pool.query(`update archive_uploads set touched_at = now() - interval '8 days'`)
    const { asSystem } = await import('#kit/server/unit/request.ts')
    const { retention } = await import('#kit/server/jobs/retention.ts')
    const progress = Object.assign(async () => {}, { signal: new AbortController().signal })
    await sweepUploads.run(asSystem(u.services, 'test'), undefined as never, undefined as never)
    await retention.run(asSystem(u.services, 'test'), {}, progress)
    expect((await u.database.pool.query('select from archive_uploads')).rowCount).toBe(0)
    // The refused content itself is nobody's file; its parts are gone.
    expect((await stored()).length).toBeLessThanOrEqual(before.length + 1)
  })
})

describe('a ZIP', () => {
  const send = (files: Record<string, Uint8Array>, name = 'Folder.zip') =>
    sendFile(u, editor, '/archive/import', { parent_id: top }, { name, content: zipSync(files) })
  it('is unpacked into a folder of its own, and comes out as it went in', async () => {
    const answer = await send({
      'a/b/x.pdf': pdf('x'),
      'a/ص.png': png,
      'z.csv': Buffer.from('a,b\n1,2\n'),
      '__MACOSX/._x': Buffer.from('x'),
    })
    const { id, ...counts } = answer.body.data
    expect(counts).toEqual({ name: 'Folder', files: 3, folders: 2, left_out: 1 })
    expect((await send({ 'x.pdf': pdf() })).body.data.name).toBe('Folder (2)')
    const { zip } = ok(await editor('GET', `/archive/${id}`))
    const out = unzipSync((await editor('GET', zip.replace('/api', ''))).bytes)
    expect(Object.keys(out).toSorted()).toEqual(['a/', 'a/b/', 'a/b/x.pdf', 'a/ص.png', 'z.csv'])
    expect(Buffer.from(out['a/b/x.pdf']!).equals(Buffer.from(pdf('x')))).toBe(true)
    for (const bad of [zip.slice(0, -3), zip.replace(`files/${id}`, `files/${top}`), `/api/archive/zip/files/${id}`])
      expect((await editor('GET', bad.replace('/api', ''))).body.message).toBe('archive_link_over')
  })
  it('that would deceive is refused as a whole', async () => {
    const before = await names(top)
    const codes = async (files: Record<string, Uint8Array>) => reasons((await send(files)) as never)
    expect(await codes({ '../x.pdf': pdf(), 'ok.pdf': pdf() })).toEqual(['archive_path_unsafe@file'])
    expect(await codes({ '/etc/x.pdf': pdf() })).toEqual(['archive_path_unsafe@file'])
    expect(await codes({ 'A/x.pdf': pdf(), 'a/X.pdf': pdf() })).toEqual(['archive_zip_twice@file'])
    expect(await codes({ 'photo.png': Buffer.from('<html></html>'), 'ok.pdf': pdf() })).toEqual([
      'archive_zip_content@file',
    ])
    expect(await codes({ 'zeros.csv': new Uint8Array(20_000_000) })).toEqual(['archive_zip_grows@file'])
    // The directory names a smaller size than what unzips.
    const lying = Buffer.from(zipSync({ 'x.csv': Buffer.from('a,b\n'.repeat(1000)) }))
    const end = lying.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]))
    lying.writeUInt32LE(10, end + 24)
    const answer = await sendFile(u, editor, '/archive/import', { parent_id: top }, { name: 'l.zip', content: lying })
    expect(reasons(answer as never)).toEqual(['archive_zip_broken@file'])
    expect(await names(top)).toEqual(before)
  })
  it('of what is large comes in parts', async () => {
    const zip = zipSync({ 'a.pdf': pdf() })
    const { key } = ok(
      await editor('POST', '/archive/upload/begin', { parent_id: top, name: 'Parts.zip', size: zip.length }),
    ).upload
    ok((await part(key, 0, zip)) as never)
    expect(ok(await editor('POST', '/archive/import', { parent_id: top, key }))).toMatchObject({
      name: 'Parts',
      files: 1,
    })
    expect((await editor('POST', '/archive/import', { parent_id: top, key })).body.message).toBe('archive_upload_over')
  })
})

test('an empty folder has nothing to download', async () => {
  const empty = await make(top, 'Empty')
  expect((await editor('POST', `/archive/download_files/${empty}`, {})).body.message).toBe('archive_nothing')
  const { zip } = ok(await editor('GET', `/archive/${empty}`))
  const whole = await editor('GET', zip.replace('/api', ''))
  expect([whole.status, whole.body.errors[0].en]).toEqual([409, 'No files to export'])
  expect(reasons(whole)).toEqual(['archive_nothing_to_export'])
})

test('a folder is no file, and a file no way to begin', async () => {
  const folder = await make(top, 'No file')
  expect(reasons(await editor('GET', `/archive/download/${folder}`))).toEqual(['archive_not_a_file'])
  const sent = await sendFile(u, editor, '/archive/upload/begin', { parent_id: top }, { name: 'x.pdf', content: pdf() })
  expect(reasons(sent as never)).toEqual(['archive_part_only@file'])
})

test('one ZIP holds so much, and one step so many entries', async () => {
  const folder = await make(top, 'Large')
  const download = () => editor('POST', `/archive/download_files/${folder}`, {})
  const { id } = (await upload(folder, 'Plan.pdf', pdf('large'))).body.data
  const size = (bytes: number | null) =>
    u.database.pool.query(
      `update files set size = coalesce($2, 100) where id = (select file_id from archive_entries where id = $1)`,
      [id, bytes],
    )
  await size(2_000_000_000)
  for (const name of ['Copy 1', 'Copy 2'])
    await u.database.pool.query(
      `insert into archive_entries (parent_id, kind, name, file_id) select parent_id, kind, $2, file_id from archive_entries where id = $1`,
      [id, name],
    )
  expect(reasons(await download())).toEqual(['archive_zip_out_large'])
  await size(null)
  // Written past the program, as a whole.
  const client = await u.database.pool.connect()
  await client.query('begin; set local session_replication_role = replica')
  await client.query(
    `insert into archive_entries (parent_id, kind, name, realm_id) select $1, 'page', 'P' || n, realm_id
     from generate_series(1, 5000) as n, archive_entries where id = $1`,
    [folder],
  )
  await client.query('commit')
  client.release()
  expect(reasons(await download())).toEqual(['archive_many'])
  expect(reasons(await editor('DELETE', `/archive/${folder}`))).toEqual(['archive_many'])
})
