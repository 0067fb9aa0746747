import { randomBytes } from 'node:crypto'
import { zipSync, strToU8 } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeSheet } from '#kit/server/sheets/index.ts'
import { AREA_SERVERS } from '../../apps/server/areas.server.ts'
import { testUniversity } from '../university.ts'
import type { Caller, TestUniversity } from '../university.ts'

/** Files made to break a program, or to deceive who opens them later. Each is refused, and everybody else is served meanwhile. */
let u: TestUniversity
let admin: Caller
beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS)
  admin = await u.as('super_admin')
}, 180_000)
afterAll(() => u?.close())

const BOUNDARY = 'x-test-boundary'
const part = (name: string, content: Uint8Array | string, file?: string): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${file === undefined ? '' : `; filename="${file}"`}\r\n\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
const END = Buffer.from(`--${BOUNDARY}--\r\n`)
/** Sends a body as multipart, whatever it holds. */
const raw = async (url: string, payload: Buffer, type = `multipart/form-data; boundary=${BOUNDARY}`) => {
  const answer = await u.app.inject({
    method: 'POST',
    url: `/api${url}`,
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': type },
    payload,
  })
  return { status: answer.statusCode, body: answer.json() }
}
const upload = (url: string, name: string, content: Uint8Array | string) =>
  raw(url, Buffer.concat([part('file', content, name), END]))
const codes = (answer: { body: any }): string[] => answer.body.errors.map((e: any) => e.code)

// --- Sheets ---------------------------------------------------------------------------------------------------------

const TYPES = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`
const RELS = `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`
const BOOK = `<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`
const BOOK_RELS = `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`
/** A sheet with the XML of its rows as given. */
const workbook = (rows: string, more: Record<string, Uint8Array> = {}, before = ''): Uint8Array =>
  zipSync({
    '[Content_Types].xml': strToU8(TYPES),
    '_rels/.rels': strToU8(RELS),
    'xl/workbook.xml': strToU8(BOOK),
    'xl/_rels/workbook.xml.rels': strToU8(BOOK_RELS),
    'xl/worksheets/sheet1.xml': strToU8(
      `<?xml version="1.0"?>${before}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`,
    ),
    ...more,
  })
const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`
const PREVIEW = '/faculties/import/preview'

describe('a sheet', () => {
  const hostile: [string, string, () => Uint8Array | string][] = [
    ['that is a page', 'sheet.xlsx', () => '<!doctype html><html><script>alert(1)</script></html>'],
    ['that is a page called CSV', 'sheet.csv', () => '<!doctype html><script>alert(1)</script>'],
    ['that is a program', 'sheet.xlsx', () => Buffer.concat([Buffer.from('MZ'), randomBytes(4000)])],
    ['that is empty', 'sheet.xlsx', () => ''],
    ['that is noise', 'sheet.xlsx', () => randomBytes(20_000)],
    ['that is cut off', 'sheet.xlsx', () => workbook(`<row r="1">${cell('A1', 'x')}</row>`).subarray(0, 400)],
    ['with nothing in its archive', 'sheet.xlsx', () => zipSync({})],
    ['with macros', 'sheet.xlsm', () => workbook('', { 'xl/vbaProject.bin': randomBytes(200) })],
    ['with a password', 'sheet.xlsx', () => Buffer.concat([Buffer.from('D0CF11E0A1B11AE1', 'hex'), randomBytes(4096)])],
    [
      'with a cell at the last row and column',
      'sheet.xlsx',
      () => workbook(`<row r="1">${cell('A1', 'x')}</row><row r="1048576">${cell('XFD1048576', 'y')}</row>`),
    ],
    [
      'that unpacks to hundreds of megabytes',
      'sheet.xlsx',
      () => workbook(`<row r="1">${cell('A1', 'x')}</row>${' '.repeat(150_000_000)}`),
    ],
    [
      'with entities that multiply',
      'sheet.xlsx',
      () =>
        workbook(
          `<row r="1"><c r="A1" t="inlineStr"><is><t>&j;</t></is></c></row>`,
          {},
          `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY j "&b;&b;&b;&b;&b;&b;&b;&b;">]>`,
        ),
    ],
    [
      'with an entity that reads a file',
      'sheet.xlsx',
      () =>
        workbook(
          `<row r="1"><c r="A1" t="inlineStr"><is><t>&f;</t></is></c></row>`,
          {},
          `<!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/passwd">]>`,
        ),
    ],
    ['with a million rows', 'sheet.csv', () => `Code\n${'x\n'.repeat(1_000_000)}`],
    [
      'with ten thousand columns',
      'sheet.csv',
      () => `${Array.from({ length: 10_000 }, (_, i) => `c${i}`).join(',')}\n1\n`,
    ],
    ['with a quote that never ends', 'sheet.csv', () => `Code,Name\n"${'a'.repeat(2_000_000)}`],
    [
      'in another alphabet than it says',
      'sheet.csv',
      () => Buffer.from([0x43, 0x6f, 0x64, 0x65, 0x0a, 0xff, 0xfe, 0xe9]),
    ],
  ]
  it.each(hostile)('%s is refused', async (_what, name, make) => {
    const content = make()
    const answering = setInterval(() => {}, 1000)
    const started = performance.now()
    let served = 0
    let working = true
    // Somebody else works on.
    const others = (async () => {
      while (working) {
        const one = await u.app.inject({
          method: 'POST',
          url: '/api/buildings',
          headers: { authorization: `Bearer ${admin.token}` },
          payload: {},
        })
        if (one.statusCode === 200) served++
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })()
    const answer = await upload(PREVIEW, name, content)
    working = false
    await others
    clearInterval(answering)
    // Either it is refused, or a preview says what is wrong with it; nothing of it is stored.
    if (answer.status === 200) expect(answer.body.data.errors.length, JSON.stringify(answer.body)).toBeGreaterThan(0)
    else expect([answer.status, answer.body.errors[0].field], JSON.stringify(answer.body)).toEqual([422, 'file'])
    expect(performance.now() - started).toBeLessThan(24_000)
    expect(served).toBeGreaterThan(0)
    expect(JSON.stringify(answer.body)).not.toContain('root:')
  })

  it('whose cells deceive: formulas, HTML, marks that turn the reading direction', async () => {
    const content = await writeSheet({
      sheets: [
        {
          name: 'Sheet',
          direction: 'ltr',
          columns: ['Code', 'Name', 'Arabic name'].map((header) => ({ header, key: header, type: 'text' as const })),
          rows: [
            { Code: '=1+1', Name: '=HYPERLINK("http://evil")', 'Arabic name': 'كلية' },
            { Code: 'A1', Name: '<img src=x onerror=alert(1)>', 'Arabic name': 'كلية' },
            { Code: 'A2', Name: 'Name', 'Arabic name': 'كلية\u202Egpj.exe' },
            { Code: 'A3', Name: '@SUM(A1)', 'Arabic name': 'كلية' },
          ],
        },
      ],
    })
    const answer = await upload(PREVIEW, 'sheet.xlsx', content)
    expect(answer.status).toBe(200)
    const rows = new Set(answer.body.data.errors.map((e: any) => e.row))
    for (const row of [2, 3, 4, 5]) expect([...rows]).toContain(row)
    expect((await admin('POST', `/faculties/import/save/${answer.body.data.import_id}`)).status).toBe(422)
  })
})

describe('any file', () => {
  it('is judged by what it holds, not by what it is called', async () => {
    const page = '<html><script>alert(1)</script></html>'
    for (const name of [
      'a.pdf',
      'a.png',
      'a.jpg',
      'a.csv',
      'a.svg',
      'a.html',
      'a',
      '.pdf',
      'a.pdf\u0000.html',
      'a.pdf.exe',
    ])
      expect((await upload('/files', name, page)).status, name).toBe(422)
    expect(
      (await upload('/files', 'a.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')).status,
    ).toBe(422)
  })
  it('keeps no path in its name, and is not run by whoever opens it', async () => {
    const pdf = '%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'
    for (const name of [
      '../../../etc/cron.d/x.pdf',
      '..\\..\\x.pdf',
      '/etc/passwd.pdf',
      `${'a'.repeat(400)}.pdf`,
      'سيرة ذاتية.pdf',
    ]) {
      const kept = await upload('/files', name, pdf)
      expect(kept.status, name).toBe(200)
      expect(kept.body.data.name).not.toMatch(/[\\/]|\.\./)
      const headers = { authorization: `Bearer ${admin.token}` }
      const opened = await u.app.inject({ url: kept.body.data.url, headers })
      expect(opened.statusCode, kept.body.data.url).toBe(200)
      expect(opened.headers['content-type']).toBe('application/pdf')
      expect(opened.headers['x-content-type-options']).toBe('nosniff')
      expect(String(opened.headers['content-security-policy'])).toContain("script-src 'self'")
      // The address is for this reader and this file.
      const other = { authorization: `Bearer ${(await u.as('super_admin')).token}` }
      expect((await u.app.inject({ url: kept.body.data.url })).statusCode).toBe(404)
      expect((await u.app.inject({ url: kept.body.data.url, headers: other })).statusCode).toBe(404)
      const elsewhere = kept.body.data.url.replace(/files\/(\d+)/, (_: string, id: string) => `files/${Number(id) - 1}`)
      expect((await u.app.inject({ url: elsewhere, headers: other })).statusCode).toBe(404)
    }
  })
  it('is not larger than 30 MB', async () => {
    const answer = await upload(
      '/files',
      'large.pdf',
      Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(31_000_000)]),
    )
    expect([answer.status, codes(answer)]).toEqual([422, ['file_too_large']])
  })
  it('comes in a body that is whole', async () => {
    const bodies: [string, Buffer, string?][] = [
      ['no parts', END],
      ['nothing', Buffer.alloc(0)],
      ['cut off', part('file', '%PDF-1.7', 'a.pdf').subarray(0, 60)],
      ['no boundary', Buffer.concat([part('file', '%PDF-1.7', 'a.pdf'), END]), 'multipart/form-data'],
      [
        'another boundary',
        Buffer.concat([part('file', '%PDF-1.7', 'a.pdf'), END]),
        'multipart/form-data; boundary=other',
      ],
      ...[71, 256, 2000].map((n): [string, Buffer, string] => [
        `a boundary of ${n} characters`,
        END,
        `multipart/form-data; boundary=${'b'.repeat(n)}`,
      ]),
      ['JSON', Buffer.from('{"file": "x"}'), 'application/json'],
      ['a text', Buffer.from('file'), 'text/plain'],
      ['only a field', Buffer.concat([part('file', 'x'), END])],
      [
        'a thousand fields',
        Buffer.concat([
          ...Array.from({ length: 1000 }, (_, i) => part(`f${i}`, 'x')),
          part('file', '%PDF-1.7', 'a.pdf'),
          END,
        ]),
      ],
      [
        'a field without end',
        Buffer.concat([part('note', 'x'.repeat(2_000_000)), part('file', '%PDF-1.7', 'a.pdf'), END]),
      ],
      ['a field called __proto__', Buffer.concat([part('__proto__', 'x'), END])],
    ]
    for (const [what, payload, type] of bodies) {
      const answer = await raw('/files', payload, type)
      expect(
        what.startsWith('a boundary') ? [400] : [422, 413],
        `${what}: ${answer.status} ${JSON.stringify(answer.body)}`,
      ).toContain(answer.status)
    }
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })
  it('comes alone', async () => {
    const pdf = '%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'
    const answer = await raw(
      '/files',
      Buffer.concat([part('file', pdf, 'a.pdf'), part('file', '<html>', 'b.html'), END]),
    )
    expect([answer.status, codes(answer)]).toEqual([422, ['too_many']])
  })
})
