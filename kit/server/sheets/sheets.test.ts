import { crc32, deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, describe, expect, it, vi } from 'vitest'
import {
  SheetError,
  closeSheets,
  fillForm,
  latinDigits,
  readCsv,
  readForm,
  readSheet,
  streamSheet,
  writeSheet,
} from './index.ts'
import type { Cell, WriteColumn, WriteSheet, WriteValue } from './index.ts'

afterAll(closeSheets)

const utf8 = (text: string) => new TextEncoder().encode(text)

interface Part {
  name: string
  content: Uint8Array
  /** A size to declare instead of the true one. */
  claim?: number
}

/** A ZIP written by hand, so that it can lie. */
function zip(parts: Part[]): Uint8Array {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, claim } of parts) {
    const data = deflateRawSync(content)
    const size = claim ?? content.length
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(20, 4)
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(crc32(content), 14)
    local.writeUInt32LE(data.length, 18)
    local.writeUInt32LE(size, 22)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(20, 6)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(crc32(content), 16)
    entry.writeUInt32LE(data.length, 20)
    entry.writeUInt32LE(size, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    bodies.push(local, Buffer.from(name), data)
    directory.push(entry, Buffer.from(name))
    offset += 30 + name.length + data.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...bodies, listed, end])
}

const head = '<?xml version="1.0" encoding="UTF-8"?>'
const main = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A workbook around the given worksheet. */
function book(sheet: string, more: Part[] = [], type = `${main}.sheet.main+xml`, sheets = 1): Uint8Array {
  const numbers = Array.from({ length: sheets }, (_, index) => index + 1)
  return zip([
    {
      name: '[Content_Types].xml',
      content: utf8(
        `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}"/></Types>`,
      ),
    },
    {
      name: '_rels/.rels',
      content: utf8(
        `${head}<Relationships><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
      ),
    },
    {
      name: 'xl/workbook.xml',
      content: utf8(
        `${head}<workbook xmlns:r="${relations}"><sheets>${numbers.map((n) => `<sheet name="S${n}" sheetId="${n}" r:id="rId${n}"/>`).join('')}</sheets></workbook>`,
      ),
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: utf8(
        `${head}<Relationships>${numbers.map((n) => `<Relationship Id="rId${n}" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/>`).join('')}<Relationship Id="rIdS" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
      ),
    },
    {
      name: 'xl/styles.xml',
      content: utf8(
        `${head}<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="20"/><xf numFmtId="22"/></cellXfs></styleSheet>`,
      ),
    },
    { name: 'xl/worksheets/sheet1.xml', content: utf8(sheet) },
    ...more,
  ])
}

const cells = (inside: string) => `${head}<worksheet><sheetData>${inside}</sheetData></worksheet>`
const refusal = (bytes: Uint8Array, options = {}) =>
  readSheet(bytes, options).then(
    () => 'accepted',
    (error: unknown) => (error instanceof SheetError ? error.code : error),
  )
const texts = (rows: Cell[][]) => rows.map((row) => row.map((cell) => cell.text))

describe('readSheet', () => {
  it('reads every kind of cell with its type', async () => {
    const sheet = cells(
      `<row r="1"><c r="A1" t="inlineStr"><is><t>  0012 </t></is></c><c r="B1"><v>3.7000000000000002</v></c><c r="C1" s="1"><v>45292</v></c><c r="D1" s="2"><v>0.5</v></c><c r="E1" s="3"><v>45292.25</v></c><c r="F1" t="b"><v>1</v></c><c r="G1" t="e"><v>#N/A</v></c></row>` +
        `<row r="3"><c r="A3"><f>1+1</f><v>2</v></c><c r="B3"><f>NOW()</f></c><c r="C3" t="str"><f>A1</f><v>x</v></c><c r="D3" t="inlineStr"><is><t>2025-13-40</t></is></c><c r="E3"><v>1E+21</v></c><c r="F3"><v>1E-7</v></c><c r="J3" s="1"/></row>`,
    )
    const { sheets } = await readSheet(book(sheet))
    expect(sheets[0]!.name).toBe('S1')
    expect(sheets[0]!.rows).toEqual([
      [
        { text: '0012', type: 'text' },
        { text: '3.7', type: 'number' },
        { text: '2024-01-01', type: 'date' },
        { text: '12:00:00', type: 'time' },
        { text: '2024-01-01T06:00:00', type: 'datetime' },
        { text: 'true', type: 'boolean' },
        { text: '#N/A', type: 'error' },
      ],
      Array.from({ length: 7 }, () => ({ text: '', type: 'empty' })),
      [
        { text: '2', type: 'number', formula: true },
        { text: '', type: 'error', formula: true },
        { text: 'x', type: 'text', formula: true },
        { text: '2025-13-40', type: 'text' },
        { text: '1000000000000000000000', type: 'number' },
        { text: '0.0000001', type: 'number' },
        { text: '', type: 'empty' },
      ],
    ])
  })

  it('refuses more rows, columns or sheets than asked for, before reserving them', async () => {
    const far = cells('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')
    const corners = cells(
      '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
    )
    expect(await refusal(book(far))).toBe('sheet_too_large')
    expect(await refusal(book(corners))).toBe('sheet_too_large')
    expect(await refusal(book(corners.replaceAll(/<(\/?)(c|v|row)\b/g, '<$1x:$2')))).toBe('sheet_too_large')
    const three = cells('<row><c><v>1</v></c></row><row><c><v>1</v></c></row><row><c/><c><v>1</v></c></row>')
    expect(await refusal(book(three), { maxRows: 3, maxColumns: 2 })).toBe('accepted')
    expect(await refusal(book(three), { maxRows: 2 })).toBe('sheet_too_large')
    expect(await refusal(book(three), { maxColumns: 1 })).toBe('sheet_too_large')
    expect(await refusal(book(three, [], undefined, 5), { maxSheets: 4 })).toBe('sheet_too_large')
  })

  it('does not count styled empty cells', async () => {
    const { sheets } = await readSheet(
      book(cells('<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576" s="1"/></row>')),
    )
    expect(texts(sheets[0]!.rows)).toEqual([['1']])
  })

  it('refuses bombs by what they declare, and liars by what they hold', async () => {
    const zeros = new Uint8Array(70_000_000)
    expect(await refusal(book(cells(''), [{ name: 'xl/media/a.bin', content: zeros }]))).toBe('sheet_too_large')
    expect(await refusal(book(cells(''), [{ name: 'xl/a.xml', content: new Uint8Array(9_000_000) }]))).toBe(
      'sheet_too_large',
    )
    const long = utf8(cells(' '.repeat(5_000_000)))
    expect(await refusal(book(cells(''), [{ name: 'xl/b.xml', content: long, claim: 900 }]))).toBe('sheet_broken')
    expect(await refusal(book(cells(''), [{ name: 'xl/b.xml', content: long, claim: 0 }]))).toBe('sheet_broken')
    const twice = [1, 2].map(() => ({ name: 'xl/c.xml', content: utf8('<a/>') }))
    expect(await refusal(book(cells(''), twice))).toBe('sheet_broken')
    const many = Array.from({ length: 1_100 }, (_, index) => ({ name: `n${index}`, content: utf8('') }))
    expect(await refusal(book(cells(''), many))).toBe('sheet_too_large')
  })

  it.each<[string, (directory: DataView, entry: number, end: number) => void]>([
    ['more entries than a directory of this kind has', (view, _entry, end) => view.setUint16(end + 10, 0xffff, true)],
    ['a directory beyond what this kind reaches', (view, _entry, end) => view.setUint32(end + 16, 0xffffffff, true)],
    ['a compression that nobody knows', (view, entry) => view.setUint16(entry + 10, 12, true)],
    ['a size kept elsewhere', (view, entry) => view.setUint32(entry + 24, 0xffffffff, true)],
    ['a stored entry that is larger than it is', (view, entry) => view.setUint16(entry + 10, 0, true)],
    ['two entries in the same bytes', (view, entry) => view.setUint32(entry + 42, 0, true)],
    ['a part that is encrypted', (view, entry) => view.setUint16(entry + 8, 1, true)],
  ])('refuses %s', async (what, lie) => {
    const bytes = Uint8Array.from(book(cells('<row r="1"><c r="A1"><v>1</v></c></row>')))
    const view = new DataView(bytes.buffer)
    const end = bytes.length - 22
    // The second entry, so that one stands before it.
    const first = view.getUint32(end + 16, true)
    lie(view, first + 46 + view.getUint16(first + 28, true), end)
    expect(await refusal(bytes)).toBe(what.includes('encrypted') ? 'sheet_encrypted' : 'sheet_broken')
  })

  it('refuses document types, entities, other encodings and deep markup', async () => {
    const evil = [
      `${head}<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><worksheet><sheetData><row><c t="inlineStr"><is><t>&a;</t></is></c></row></sheetData></worksheet>`,
      `${head}<worksheet>${'<a>'.repeat(100_000)}`,
      `${head}<worksheet><sheetData><row><c r="A1"><v>1</v`,
      '<?xml version="1.0" encoding="UTF-7"?><worksheet/>',
    ]
    for (const sheet of evil) expect(await refusal(book(sheet))).toBe('sheet_broken')
    const wide = { name: 'xl/wide.xml', content: Buffer.from(`\uFEFF${cells('')}`, 'utf16le') }
    expect(await refusal(book(cells(''), [wide]))).toBe('sheet_broken')
  })

  it('refuses more than may wait at once, and reads all others', async () => {
    const one = utf8('code\n1\n')
    const outcomes = await Promise.all(
      Array.from({ length: 110 }, () =>
        readCsv(one).then(
          () => 'read',
          (error: SheetError) => error.code,
        ),
      ),
    )
    // Two are being read and a hundred wait.
    const count = (outcome: string) => outcomes.filter((each) => each === outcome).length
    expect([count('read'), count('sheet_busy')]).toEqual([102, 8])
    expect(outcomes.slice(102)).toEqual(Array.from({ length: 8 }, () => 'sheet_busy'))
    expect((await readCsv(one)).sheets).toHaveLength(1)
  })

  it('refuses what takes longer than there is time, and reads the next one', async () => {
    const good = book(cells('<row r="1"><c r="A1"><v>1</v></c></row>'))
    expect(await refusal(good)).toBe('accepted')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const late = refusal(good)
      vi.advanceTimersByTime(300_000)
      expect(await late).toBe('sheet_timeout')
    } finally {
      vi.useRealTimers()
    }
    expect(await refusal(good)).toBe('accepted')
  })

  it('refuses macros under any name', async () => {
    const enabled = 'application/vnd.ms-excel.sheet.macroEnabled.main+xml'
    expect(await refusal(book(cells(''), [], enabled))).toBe('sheet_has_macros')
    expect(await refusal(book(cells(''), [{ name: 'xl/vbaProject.bin', content: utf8('x') }]))).toBe('sheet_has_macros')
    expect(await refusal(book(cells(''), [{ name: 'xl/macrosheets/sheet1.xml', content: utf8('<a/>') }]))).toBe(
      'sheet_has_macros',
    )
  })

  it('refuses other files whatever they are called', async () => {
    const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(512)])
    const others: [Uint8Array, string][] = [
      [ole, 'xls'],
      [utf8('<html><table><tr><td>1</td></tr></table></html>'), 'html'],
      [utf8('code,name\n1,a\n'), 'text'],
      [utf8(''), 'text'],
      [zip([{ name: 'a.txt', content: utf8('a') }]), 'zip'],
      [book(cells(''), [], 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'), 'zip'],
    ]
    for (const [bytes, format] of others) {
      await expect(readSheet(bytes)).rejects.toMatchObject({ code: 'not_a_spreadsheet', data: { format } })
    }
    expect(await refusal(Buffer.concat([ole, Buffer.from('EncryptedPackage', 'utf16le')]))).toBe('sheet_encrypted')
    expect(await refusal(new Uint8Array(31_000_000))).toBe('sheet_too_large')
  })

  it('answers damaged files with its own errors only', { timeout: 180_000 }, async () => {
    const good = await writeSheet({
      sheets: [{ name: 'A', direction: 'rtl', columns: [{ header: 'h', key: 'k', type: 'text' }], rows: [{ k: 'v' }] }],
    })
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.nat(255), fc.boolean(), async (at, byte, cut) => {
        const bad = cut ? good.slice(0, at) : good.slice()
        if (!cut) bad[at] = byte
        const outcome = await refusal(bad)
        expect(outcome).toBeTypeOf('string')
        expect(outcome).not.toBe('sheet_timeout')
      }),
      { numRuns: 150 },
    )
  })
})

describe('writeSheet', () => {
  const column = (key: string, type: WriteColumn['type']): WriteColumn => ({ header: key, key, type })

  it('gives back what was written', async () => {
    const bytes = await writeSheet({
      sheets: [
        {
          name: 'الأسماء: [1]/2026 with a very long name indeed',
          direction: 'rtl',
          columns: [
            { header: 'الكود', key: 'code', type: 'text', note: 'كما في البطاقة' },
            column('gpa', 'decimal'),
            column('born', 'date'),
            column('hours', 'number'),
          ],
          rows: [
            { code: '0012', gpa: '3.70', born: '2004-02-29', hours: 12 },
            { code: "=CMD()|'/C calc'!A0", gpa: 'absent', born: '2025-13-40', hours: null },
            { code: '#N/A', gpa: '12345678901234567890.5', born: '1899-01-01', hours: '-3' },
            { code: '_x0041_\u0001 🎓', gpa: null, born: '', hours: undefined },
          ],
        },
        { name: 'empty', direction: 'ltr', columns: [column('a', 'text')], rows: [] },
        { name: 'EMPTY', direction: 'ltr', columns: [], rows: [] },
      ],
    })
    const { sheets } = await readSheet(bytes)
    expect(sheets.map((sheet) => sheet.name)).toEqual(['الأسماء   1  2026 with a very l', 'empty', 'EMPTY (2)'])
    expect(texts(sheets[0]!.rows)).toEqual([
      ['الكود', 'gpa', 'born', 'hours'],
      ['0012', '3.7', '2004-02-29', '12'],
      ["=CMD()|'/C calc'!A0", 'absent', '2025-13-40', ''],
      ['#N/A', '12345678901234567890.5', '1899-01-01', '-3'],
      ['_x0041_ 🎓', '', '', ''],
    ])
    expect(sheets[0]!.rows.map((row) => row.map((cell) => cell.type))).toEqual([
      ['text', 'text', 'text', 'text'],
      ['text', 'number', 'date', 'number'],
      ['text', 'text', 'text', 'empty'],
      ['text', 'text', 'text', 'number'],
      ['text', 'empty', 'empty', 'empty'],
    ])
    expect(sheets.flatMap((sheet) => sheet.rows.flat()).some((cell) => cell.formula)).toBe(false)
  })

  it('keeps any text', { timeout: 180_000 }, async () => {
    const text = fc.string({ unit: 'grapheme' }).map((value) =>
      // What XML or trimming does not keep.
      // oxlint-disable-next-line no-control-regex
      value.replaceAll(/[\u0000-\u001F\uFFFE\uFFFF]/g, '').trim(),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 40 }), async (values) => {
        const rows = [...values, 'last'].map((value) => ({ k: value }))
        const bytes = await writeSheet({
          sheets: [{ name: 'a', direction: 'ltr', columns: [column('k', 'text')], rows }],
        })
        const read = (await readSheet(bytes)).sheets[0]!.rows.slice(1).map((row) => row[0]!.text)
        expect(read).toEqual(rows.map((row) => row.k))
      }),
      { numRuns: 40 },
    )
  })

  it('writes and reads ten thousand rows', async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => ({ code: String(index).padStart(6, '0'), gpa: '2.50' }))
    const columns = [column('code', 'text'), column('gpa', 'decimal')]
    const bytes = await writeSheet({ sheets: [{ name: 'a', direction: 'rtl', columns, rows }] })
    const { sheets } = await readSheet(bytes)
    expect(sheets[0]!.rows.length).toBe(10_001)
    expect(sheets[0]!.rows.at(-1)![0]!.text).toBe('009999')
  })
})

describe('readCsv', () => {
  const read = async (text: string, options = {}) => texts((await readCsv(utf8(text), options)).sheets[0]!.rows)

  it('reads each separator, quotes and a byte order mark', async () => {
    expect(await read('\uFEFFcode,name\r\n0012,"a, ""b"""\r\n\r\n')).toEqual([
      ['code', 'name'],
      ['0012', 'a, "b"'],
    ])
    expect(await read('كود;اسم;تاريخ\n٠١٢; منى ;2025-13-40\n')).toEqual([
      ['كود', 'اسم', 'تاريخ'],
      ['٠١٢', 'منى', '2025-13-40'],
    ])
    expect(await read('a\tb\n1\t=1+1')).toEqual([
      ['a', 'b'],
      ['1', '=1+1'],
    ])
    expect(await read('sep=;\na;b,c\n')).toEqual([['a', 'b,c']])
    expect(await read('a,b\n\n1')).toEqual([
      ['a', 'b'],
      ['', ''],
      ['1', ''],
    ])
    expect(await read('')).toEqual([])
  })

  it('reads UTF-16 as office programs write it, in either order of bytes', async () => {
    const little = Buffer.from('\uFEFFكود\tname\r\n٠١٢\t"a, b"\r\n', 'utf16le')
    const rows = [
      ['كود', 'name'],
      ['٠١٢', 'a, b'],
    ]
    expect(texts((await readCsv(little)).sheets[0]!.rows)).toEqual(rows)
    expect(texts((await readCsv(Buffer.from(little).swap16())).sheets[0]!.rows)).toEqual(rows)
  })

  it('refuses what is not text, is broken or too large', async () => {
    const code = (bytes: Uint8Array, options = {}) => readCsv(bytes, options).catch((error: SheetError) => error.code)
    expect(await code(Buffer.from([0xe3, 0xcd, 0xe3, 0xcf]))).toBe('sheet_broken')
    expect(await code(zip([]))).toBe('not_a_spreadsheet')
    expect(await code(Buffer.from('a,b', 'utf16le'))).toBe('not_a_spreadsheet')
    expect(await code(Buffer.from('\uFEFFa\0b', 'utf16le'))).toBe('not_a_spreadsheet')
    expect(await code(Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00]))).toBe('sheet_broken')
    expect(await code(utf8('a,"b\n1,2'))).toBe('sheet_broken')
    expect(await code(utf8('a\n1\n2'), { maxRows: 2 })).toBe('sheet_too_large')
    expect(await code(utf8('a,b,c'), { maxColumns: 2 })).toBe('sheet_too_large')
  })
})

it('turns Arabic-Indic and Persian digits into Latin ones', () => {
  expect(latinDigits('٠١٢٣٤٥٦٧٨٩ ۰۱۲۳۴۵۶۷۸۹ ٣٫٧ ١٬٠٠٠ ب')).toBe('0123456789 0123456789 3.7 1000 ب')
})

describe('a sheet made while its rows come', () => {
  const columns: WriteColumn[] = [
    { key: 'code', header: 'الكود & "code"', type: 'text' },
    { key: 'seats', header: 'Seats', type: 'number' },
    { key: 'paid', header: 'Paid', type: 'decimal' },
    { key: 'on', header: 'On', type: 'date' },
  ]
  const made = async (sheet: WriteSheet): Promise<Uint8Array> => {
    async function* rows() {
      for (let at = 0; at < sheet.rows.length; at += 700) yield sheet.rows.slice(at, at + 700)
    }
    const pieces: Uint8Array[] = []
    for await (const piece of streamSheet({ ...sheet, rows: rows() })) pieces.push(piece)
    return Buffer.concat(pieces)
  }
  const cells = async (bytes: Uint8Array) => {
    const { sheets } = await readSheet(bytes)
    return sheets.map(({ name, rows }) => ({
      name,
      rows: rows.map((row) => row.map(({ type, text }) => [type, text])),
    }))
  }

  it('reads like one that is made at once, whatever stands in it', async () => {
    const tricky: Record<string, WriteValue>[] = [
      { code: '00017', seats: 12, paid: '12.50', on: '2026-02-28' },
      { code: '=1+1', seats: '12345678901234567', paid: 7, on: '2026-02-30' },
      { code: '#N/A', seats: null, paid: undefined, on: '' },
      { code: ' <b>"x"</b> &amp; _x0041_ \u0001\uD800', seats: 'many', paid: -3.25, on: '1899-01-01' },
      ...Array.from({ length: 1_200 }, (_, i) => ({ code: `غرفة ${i}`, seats: i, paid: i / 4, on: '2024-02-29' })),
    ]
    const sheet: WriteSheet = { name: "A/B: '2026'", direction: 'rtl', columns, rows: tricky }
    expect(await cells(await made(sheet))).toEqual(await cells(await writeSheet({ sheets: [sheet] })))
  })

  it('of no rows has its heading', async () => {
    const [sheet] = await cells(await made({ name: 'Empty', direction: 'ltr', columns, rows: [] }))
    expect(sheet!.rows.map((row) => row.map(([, text]) => text))).toEqual([columns.map(({ header }) => header)])
  })
})

describe('forms that are filled in', () => {
  const told = (asked: Promise<unknown>) =>
    asked.then(
      () => 'accepted',
      (error: unknown) => (error instanceof SheetError ? error.code : error),
    )
  const sheet = (inside: string) => book(cells(`<row r="1">${inside}</row>`))
  it('reach nowhere out of themselves', async () => {
    expect(await told(readForm(sheet('<c r="A1"><f>SUM(B1:B2)</f><v>1</v></c>')))).toBe('accepted')
    for (const formula of ['WEBSERVICE(&quot;http://a&quot;)', '[1]Sheet1!A1', 'cmd|&apos;/C calc&apos;!A0'])
      expect(await told(readForm(sheet(`<c r="A1"><f>${formula}</f></c>`)))).toBe('sheet_reaches_out')
    for (const name of ['xl/externalLinks/externalLink1.xml', 'xl/connections.xml'])
      expect(await told(readForm(book(cells(''), [{ name, content: utf8('<a/>') }])))).toBe('sheet_reaches_out')
  })
  it('that are broken are not filled in', async () => {
    const fill = (bytes: Uint8Array, cell = 'B1') => told(fillForm(bytes, [{ sheet: 'S1', cell, value: 5 }]))
    expect(await fill(sheet('<c r="A1"><v>1</v></c>'))).toBe('accepted')
    expect(await fill(sheet('<c r="A1"><v>1</v>'))).toBe('sheet_broken')
    expect(await fill(book(`${head}<worksheet></worksheet>`))).toBe('sheet_broken')
    expect(await fill(zip([{ name: '[Content_Types].xml', content: utf8('<Types/>') }]))).toBe('sheet_broken')
  })
})
