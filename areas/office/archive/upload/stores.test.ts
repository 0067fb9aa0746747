import { randomBytes } from 'node:crypto'
import { unzipSync, zipSync } from 'fflate'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { asSystem } from '#kit/server/unit/request.ts'
import { breaking, openS3, refusing } from '#tests/s3.ts'
import type { S3 } from '#tests/s3.ts'
import { ok, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { archiveServer } from '../archive.server.ts'
import { pdf, png, sendFile } from '../testing.server.ts'

/** The archive on an S3-compatible store: what comes in, what goes out, what is left, and what is told when it fails. */
let s3: S3
let u: TestUniversity
let editor: Caller
let top: number
const make = async (parent_id: number, name: string): Promise<number> =>
  ok(await editor('PUT', '/archive', { parent_id, name })).id
const upload = (name: string, content: Uint8Array, more: object = {}) =>
  sendFile(u, editor, '/archive/upload', { parent_id: top, ...more }, { name, content })
const part = (key: string, offset: number, content: Uint8Array) =>
  sendFile(u, editor, '/archive/upload/part', { key, offset }, { name: 'part', content })
const step = (suffix: string, body: object) => editor('POST', `/archive/upload/${suffix}`, body)
const unzip = (name: string, files: Record<string, Uint8Array>) =>
  sendFile(u, editor, '/archive/import', { parent_id: top }, { name, content: zipSync(files) })
/** What the store holds is what records name, no more and no less. */
const nothingLeft = async () => {
  const { rows } = await u.database.pool.query('select distinct hash from files order by hash')
  expect(await s3.contents()).toEqual(rows.map(({ hash }) => hash))
}

beforeAll(async () => {
  s3 = await openS3()
  u = await testUniversity([archiveServer], { env: { STORAGE_URL: s3.url, UPLOADS_PER_DAY: '5000' } })
  editor = await u.as('registrar')
  top = await make(1, 'On objects')
})
afterEach(() => s3?.fail(null))
afterAll(async () => {
  await u?.close()
  await s3?.close()
})

const large = Buffer.concat([Buffer.from(pdf('large')), randomBytes(400_000)])
const begin = async (name: string): Promise<string> =>
  ok(await step('begin', { parent_id: top, name, size: large.length })).upload.key

describe('on a store of objects', () => {
  it('a file comes in parts, has versions, and goes out and in as a ZIP', async () => {
    const key = await begin('Large.pdf')
    for (let at = 0; at < large.length; at += 150_000)
      ok((await part(key, at, large.subarray(at, at + 150_000))) as never)
    const { entry } = ok(await step('finish', { key }))
    expect((await editor('GET', `/archive/download/${entry.id}`)).bytes.equals(large)).toBe(true)
    await nothingLeft()

    ok((await sendFile(u, editor, `/archive/update/${entry.id}`, {}, { name: 'x.pdf', content: pdf('2') })) as never)
    const version = async (number: number) =>
      (await editor('GET', `/archive/download/${entry.id}?version=${number}`)).bytes.length
    expect([await version(1), await version(2)]).toEqual([large.length, pdf('2').length])

    const { id, files } = ok((await unzip('In.zip', { 'a/x.pdf': pdf('x'), 'ص.png': png })) as never)
    expect(files).toBe(2)
    const out = unzipSync((await editor('POST', `/archive/download_files/${id}`, {})).bytes)
    expect(Object.keys(out).toSorted()).toEqual(['a/', 'a/x.pdf', 'ص.png'])
    expect(Buffer.from(out['ص.png']!).equals(png)).toBe(true)
    await nothingLeft()
  })

  it('what is refused leaves nothing in the store, and nobody else’s content goes with it', async () => {
    ok((await upload('Taken.pdf', pdf('kept'))) as never)
    const refused = [
      await upload('Taken.pdf', pdf('other')),
      await upload('Photo.png', pdf('no picture')),
      await upload('Unsafe.pdf', pdf('unsafe'), { path: '../../..' }),
      // The same content as what stands there.
      await upload('Taken.pdf', pdf('kept')),
      await unzip('Bad.zip', { 'good.pdf': pdf('good'), 'bad.png': Buffer.from('<html>') }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422])
    const key = await begin('Taken.pdf')
    ok((await part(key, 0, large.subarray(0, 200_000))) as never)
    ok((await part(key, 200_000, large.subarray(200_000))) as never)
    expect((await step('finish', { key })).status).toBe(422)
    ok(await step('cancel', { key }))
    await nothingLeft()
  })

  it('of the same content sent many times at once the taken ones have it and the refused ones take it from nobody', async () => {
    for (let round = 0; round < 3; round++) {
      const content = pdf(`same ${round}`)
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, i) => upload(i % 2 ? `Same ${round}.pdf` : `Not ${i}.png`, content)),
      )
      expect(answers.filter(({ status }) => status === 200).length).toBe(1)
      const { id } = answers.find(({ status }) => status === 200)!.body.data
      expect((await editor('GET', `/archive/download/${id}`)).bytes.equals(Buffer.from(content))).toBe(true)
    }
    await nothingLeft()
  })

  it('contents without a record are swept when their time is over, and not while a backup reads', async () => {
    const { files, storage } = u.services
    // As a process that was killed leaves them.
    const left = await files.lend(randomBytes(1000), 1)
    const needed = await files.lend(randomBytes(1000), 1)
    const twice = pdf('of two')
    const shared = await files.lend(twice, 1)
    await files.lend(twice, 1)
    const { pool } = u.database
    await pool.query(
      `insert into files (hash, name, ext, mime, size) values ($1, 'x.pdf', 'pdf', 'application/pdf', 1000)`,
      [needed.hash],
    )
    expect([await files.sweep(), await storage.has(left.hash)]).toEqual([0, true])
    // The one who has it still does not lose it by the other, whose time is over.
    await pool.query(
      'update held_contents set until = now() where id = (select min(id) from held_contents where hash = $1)',
      [shared.hash],
    )
    expect([await files.sweep(), await storage.has(shared.hash)]).toEqual([0, true])
    await pool.query('update held_contents set until = now()')
    const backup = await pool.connect()
    await backup.query('select pg_advisory_lock(72402)')
    expect([await files.sweep(), await storage.has(left.hash)]).toEqual([0, true])
    await backup.query('select pg_advisory_unlock(72402)')
    backup.release()
    expect([await files.sweep(), await storage.has(left.hash), await storage.has(needed.hash)]).toEqual([
      2,
      false,
      true,
    ])
    // Whoever asks late, when a record has come meanwhile, is told that it stays.
    const { rows } = await pool.query('select content_may_go($1) as goes', [needed.hash])
    expect(rows).toEqual([{ goes: false }])
    // A record that goes takes its content along.
    await pool.query('delete from files where hash = $1', [needed.hash])
    expect(await files.sweep()).toBe(1)
    await nothingLeft()
    expect((await pool.query('select from held_contents')).rowCount).toBe(0)
  })
})

describe('a store that fails', () => {
  it.each([
    ['is full', refusing(507, 'XMinioStorageFull'), 'file_store_full'],
    ['has used up its share', refusing(403, 'QuotaExceeded'), 'file_store_full'],
    ['has too much to do', refusing(503, 'SlowDown'), 'file_store_away'],
    ['breaks off in the middle', breaking(60_000), 'file_store_away'],
  ])(
    'because it %s is told so in words; the upload goes on afterwards and nothing is half',
    async (what, fault, code) => {
      const key = await begin(`After it ${what}.pdf`)
      ok((await part(key, 0, large.subarray(0, 100_000))) as never)
      s3.fail(fault)
      const answers = await Promise.all([
        part(key, 100_000, large.subarray(100_000, 200_000)),
        upload(`Whole ${what}.pdf`, Buffer.concat([Buffer.from(pdf(what)), randomBytes(100_000)])),
        unzip('Folder.zip', { 'x.pdf': Buffer.concat([Buffer.from(pdf(what)), randomBytes(100_000)]) }),
        editor('PUT', '/archive', { parent_id: top, name: `Meanwhile ${what}` }),
      ])
      expect(answers.map(({ status, body }) => (status === 200 ? 'done' : `${status} ${body.message}`))).toEqual([
        `503 ${code}`,
        `503 ${code}`,
        `503 ${code}`,
        'done',
      ])
      s3.fail(null)
      expect(ok(await step('state', { key })).upload.received).toBe(100_000)
      ok((await part(key, 100_000, large.subarray(100_000))) as never)
      const { entry } = ok(await step('finish', { key }))
      expect((await editor('GET', `/archive/download/${entry.id}`)).bytes.equals(large)).toBe(true)
      await u.database.pool.query('update held_contents set until = now()')
      await asSystem(u.services, 'test').services.files.sweep()
      await nothingLeft()
    },
  )
})
