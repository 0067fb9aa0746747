import { deflateRawSync } from 'node:zlib'
import { unzipSync, zipSync } from 'fflate'
import type { Zippable } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { archiveServer } from './archive.server.ts'
import { pdf, png, sendFile } from './testing.server.ts'

/** What somebody sends to harm, and what happens meanwhile to what somebody works with. */
let u: TestUniversity
let editor: Caller
let top: number
const make = async (parent_id: number, name: string, who = editor): Promise<number> =>
  ok(await who('PUT', '/archive', { parent_id, name })).id
const send = (parent_id: number, name: string, content: Uint8Array, who = editor) =>
  sendFile(u, who, '/archive/upload', { parent_id }, { name, content })
const unzip = (content: Uint8Array) =>
  sendFile(u, editor, '/archive/import', { parent_id: top }, { name: 'In.zip', content })
const names = async (parent_id: number): Promise<string[]> =>
  ok(await editor('POST', '/archive', { parent_id, perPage: 100 })).map((row: any) => row.name)

beforeAll(async () => {
  u = await testUniversity([archiveServer], { env: { UPLOADS_PER_DAY: '5000' } })
  editor = await u.as('registrar')
  top = await make(1, 'Trouble')
})
afterAll(() => u?.close())

/** A ZIP with a directory that says whatever is wanted. */
function zipSaying(
  entries: number,
  { size, data, long }: { size?: number; data?: Buffer; long?: boolean } = {},
): Buffer {
  const content = data ?? deflateRawSync(Buffer.alloc(0))
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  for (let i = 0, offset = 0; i < entries; i++) {
    const name = Buffer.from(`${i}.csv`)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(content.length, 18)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(content.length, 20)
    entry.writeUInt32LE(size ?? 0, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    locals.push(local, name, content)
    directory.push(entry, name)
    offset += 30 + name.length + content.length
  }
  const [before, list] = [Buffer.concat(locals), Buffer.concat(directory)]
  const extra = Buffer.alloc(long ? 76 : 0)
  if (long) {
    extra.writeUInt32LE(0x06064b50, 0)
    extra.writeBigUInt64LE(BigInt(entries), 32)
    extra.writeUInt32LE(0x07064b50, 56)
    extra.writeBigUInt64LE(BigInt(before.length + list.length), 64)
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(entries, 0xffff), 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(before.length, 16)
  return Buffer.concat([before, list, extra, end])
}

describe('a ZIP made to harm', () => {
  const zeros = deflateRawSync(Buffer.alloc(60_000_000))
  const link = [pdf(), { os: 3, attrs: 0o120777 * 65_536 }] as const
  const cases: [string, () => Uint8Array, string][] = [
    ['of 10 GB of zeros', () => zipSaying(1, { size: 0xffffffff, data: zeros }), 'archive_zip_large'],
    ['of zeros that it says are few', () => zipSaying(1, { size: 1000, data: zeros }), 'archive_zip_broken'],
    ['of zeros in many', () => zipSaying(4, { size: 60_000_000, data: zeros }), 'archive_zip_grows'],
    ['of 10,000 entries', () => zipSaying(10_000), 'archive_zip_entries'],
    ['with a link in it', () => zipSync({ 'link.pdf': link } as unknown as Zippable), 'archive_zip_special'],
    [
      'with two names of one kind of letters',
      () => zipSync({ ['e\u0301.pdf']: pdf('1'), ['\u00e9.pdf']: pdf('2') }),
      'archive_zip_twice',
    ],
    [
      'of a drawing that acts',
      () => zipSync({ 'logo.svg': Buffer.from('<svg onload="x()"/>') }),
      'archive_zip_content',
    ],
    ['that is cut off', () => zipSync({ 'a.pdf': pdf() }).subarray(0, 60), 'archive_zip_broken'],
  ]
  it.each(cases)('%s is refused soon and in words, and nothing of it stays', async (_what, content, code) => {
    const bytes = content()
    const began = performance.now()
    const answer = await unzip(bytes)
    expect([answer.status, answer.body.errors[0].code]).toEqual([422, code])
    expect(performance.now() - began).toBeLessThan(15_000)
    expect(await names(top)).not.toContain('In')
    expect((await u.database.pool.query('select from held_contents')).rowCount).toBe(0)
  })
  it('of more entries than two bytes tell is told how many it has', async () => {
    expect((await unzip(zipSaying(100_000, { long: true }))).body.errors[0].data).toEqual({ max: 5000, found: 100_000 })
  })
  it('within a ZIP is a file like any other', async () => {
    const inner = zipSync({ '../x.pdf': pdf(), 'zeros.csv': new Uint8Array(5_000_000) })
    const { id, files } = ok((await unzip(zipSync({ 'inner.zip': inner }))) as never)
    expect([files, await names(id)]).toEqual([1, ['inner.zip']])
  })
})

it('a file that acts is sent to be kept, as what it is, whatever else it could be taken for', async () => {
  const acting: [string, Uint8Array, string][] = [
    [
      'Acts.pdf',
      Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\n%%EOF\n'),
      'application/pdf',
    ],
    ['Both.png', Buffer.concat([png, Buffer.from('<html><script>alert(1)</script></html>')]), 'image/png'],
    ['Formula.csv', Buffer.from('name,mark\n=cmd(),1\n'), 'text/csv'],
  ]
  for (const [name, content, mime] of acting) {
    const id = ok((await send(top, name, content)) as never).id
    const { headers } = await editor('GET', `/archive/download/${id}`)
    expect(headers['content-disposition'], name).toMatch(/^attachment;/)
    expect(String(headers['content-type'])).toContain(mime)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(String(headers['content-security-policy'])).toMatch(/default-src '(none|self)'/)
  }
  for (const name of ['Logo.svg', 'Logo.png', 'Logo'])
    expect(reasons((await send(top, name, Buffer.from('<svg><script>alert(1)</script></svg>'))) as never)).toEqual([
      'file_type_error@file',
    ])
})

describe('while somebody uploads in parts', () => {
  const content = Buffer.from(pdf('in parts'))
  const step = (suffix: string, body: object) => editor('POST', `/archive/upload/${suffix}`, body)
  const begin = async (parent_id: number): Promise<string> => {
    const { key } = ok(await step('begin', { parent_id, name: 'Late.pdf', size: content.length })).upload
    const sent = await sendFile(u, editor, '/archive/upload/part', { key, offset: 0 }, { name: 'part', content })
    ok(sent as never)
    return key
  }
  it('the folder is moved: the file comes where the folder is', async () => {
    const [folder, other] = [await make(top, 'Moved'), await make(top, 'Other')]
    const key = await begin(folder)
    ok(await editor('POST', `/archive/move_to/${other}`, { ids: [folder] }))
    ok(await step('finish', { key }))
    expect(await names(folder)).toEqual(['Late.pdf'])
  })
  it('the folder is removed, or closed to who uploads: it is said, nothing is left, and it goes on when it is open', async () => {
    const folder = await make(top, 'Removed meanwhile')
    const key = await begin(folder)
    ok(await editor('DELETE', `/archive/${folder}`))
    expect((await step('finish', { key })).body.message).toBe('removed_record')
    ok(await editor('PUT', `/archive/${folder}`, { removed: false }))
    const keeper = await u.as('registrar')
    const access = [{ user_id: keeper.user_id, level: 'edit' }]
    ok(await keeper('PUT', `/archive/${folder}`, { inherits: false, access }))
    expect((await step('finish', { key })).status).toBe(404)
    ok(await keeper('PUT', `/archive/${folder}`, { inherits: true }))
    ok(await step('finish', { key }))
    expect(await names(folder)).toEqual(['Late.pdf'])
    // The folder is deleted for good: the upload with it.
    const gone = await make(top, 'Gone')
    const late = await begin(gone)
    ok(await editor('DELETE', `/archive/${gone}`))
    ok(await editor('POST', '/archive/empty', { ids: [gone] }))
    expect((await step('finish', { key: late })).body.message).toBe('archive_upload_over')
    await u.services.files.sweep()
    const { rows } = await u.database.pool.query('select hash from held_contents')
    expect(rows).toEqual([])
  })
})

it('a folder that is deleted for good while its ZIP is written: what was there is told, and the ZIP can be read', async () => {
  const folder = await make(top, 'Zipped')
  const random = (i: number) => Buffer.concat([Buffer.from(pdf(`${i}`)), Buffer.alloc(400_000, i)])
  for (let i = 0; i < 8; i++) ok((await send(folder, `${i}.pdf`, random(i))) as never)
  const answer = await u.app.inject({
    method: 'POST',
    url: `/api/archive/download_files/${folder}`,
    headers: { authorization: `Bearer ${editor.token}` },
    payload: {},
    payloadAsStream: true,
  })
  const stream = answer.stream()
  const chunks: Buffer[] = []
  for await (const chunk of stream) {
    chunks.push(chunk as Buffer)
    if (chunks.length > 1) continue
    ok(await editor('DELETE', `/archive/${folder}`))
    ok(await editor('POST', '/archive/empty', { ids: [folder] }))
  }
  const out = unzipSync(Buffer.concat(chunks))
  const files = Object.keys(out).filter((name) => name.endsWith('.pdf'))
  const missing = new TextDecoder().decode(out['MISSING.txt'])
  expect(files.length).toBeLessThan(8)
  for (let i = 0; i < 8; i++)
    if (files.includes(`${i}.pdf`)) expect(Buffer.from(out[`${i}.pdf`]!).equals(random(i))).toBe(true)
    else expect(missing).toContain(`${i}.pdf`)
})

it('access that is taken while a window is open is over at once, by every way', async () => {
  const folder = await make(top, 'Closed')
  const file = ok((await send(folder, 'Seen.pdf', pdf('seen'))) as never).id
  const student = await u.as(null, undefined, { type: 3 })
  const { zip } = ok(await student('GET', `/archive/${folder}`))
  expect((await student('GET', `/archive/download/${file}`)).status).toBe(200)
  const access = [{ user_id: editor.user_id, level: 'edit' }]
  ok(await editor('PUT', `/archive/${folder}`, { inherits: false, access }))
  for (const answer of [
    await student('POST', '/archive', { parent_id: folder }),
    await student('GET', `/archive/${folder}`),
    await student('GET', `/archive/download/${file}`),
    await student('GET', zip.replace('/api', '')),
    await student('POST', `/archive/download_files/${folder}`, {}),
  ])
    expect(answer.status).toBe(404)
})
